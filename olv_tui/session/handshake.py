"""Which era a server speaks, and the handshake where the era has one.

Rules of this file (2026-07-28 basic/versioning and transports "Backward Compatibility"; 2025-11-25 lifecycle):

* Only a modern result, or an error that only modern servers send, proves the modern era: older servers behind a
  gateway answer server/discover with 404 and -32601, and some answer it well yet refuse modern calls.
* 401, 403, 407, 429, 5xx and transport errors prove nothing. They are reported, and the era stays open.
* A refused version is asked for again where the server names one that is known here, and only then (-32022;
  -32602 in initialize). An unknown version in the answer to initialize is kept, and said aloud.
* What is neither modern nor legacy is bare: JSON-RPC over POST; or the older transport, which is named (oldsse.py).
"""

from __future__ import annotations

import asyncio
import json
import re

from olv_tui import jsonrpc
from olv_tui.mcp import versions
from olv_tui.model import Era, Exchange, Object, Value, Verdict
from olv_tui.session import oldsse
from olv_tui.session.reading import brief, error_code, result_of, supported_versions
from olv_tui.session.wire import Wire

_NO_EVIDENCE = frozenset({401, 403, 407, 429})
_MODERN_ERRORS = ("-32020", "-32021")
_REFUSED_VERSION = "-32022"
_SENDABLE = re.compile(r"[\x21-\x7e]{1,100}")


class Handshake:
    """Settles the era of a `Wire`, once, however many calls ask for it at the same time.

    `evidence` says in one sentence why the era is what it is, or why there is none; `server` is the name that the
    server gives itself (its text: hostile until made safe, and no proof of anything); `capabilities` is what it says
    that it offers, empty where it said nothing.
    """

    def __init__(self, wire: Wire) -> None:
        self.evidence = "" if wire.era is None else f"{wire.era} was asked for"
        self.server = ""
        self.capabilities = Object()
        self._wire = wire
        self._lock = asyncio.Lock()

    async def connect(self, cancel: asyncio.Event | None = None) -> Exchange | None:
        """Settle the era and shake hands where it has a handshake. None, or the exchange that failed."""
        async with self._lock:
            if self._wire.ready:
                return None
            if self._wire.era is not Era.LEGACY:
                return await self._detect(cancel)
            failed = await self._initialize(cancel)
            if failed is not None:
                await self._is_old_transport(failed, cancel)
            return failed

    async def fall_back(self, cancel: asyncio.Event | None = None) -> Exchange | None:
        """Leave the modern era, which discover claimed, for a legacy handshake. None, or the exchange that failed."""
        wire = self._wire
        async with self._lock:
            if wire.era is Era.LEGACY:
                return None
            evidence, version = self.evidence, wire.version
            wire.era, wire.version, wire.ready = Era.LEGACY, None, False
            failed = await self._initialize(cancel)
            if failed is not None:
                wire.era, wire.version, wire.ready, self.evidence = Era.MODERN, version, True, evidence
            return failed

    async def renew(self, gone: str | None, cancel: asyncio.Event | None = None) -> Exchange | None:
        """Begin a new session in place of the one that is gone, without its id. None, or the exchange that failed."""
        wire = self._wire
        async with self._lock:
            if wire.session_id != gone:
                return None
            wire.session_id, wire.ready = None, False
            return await self._initialize(cancel)

    async def _detect(self, cancel: asyncio.Event | None) -> Exchange | None:
        wire = self._wire
        asked = await self._discover(cancel)
        if error_code(asked) == _REFUSED_VERSION and versions.MODERN in supported_versions(asked):
            asked = await self._discover(cancel)
        modern = "" if _is_no_evidence(asked) else _modern_evidence(asked)
        if modern:
            self.evidence, wire.ready = modern, True
            self._read_identity(result_of(asked))
            return None
        if _is_no_evidence(asked):
            wire.era, wire.version = None, None
            return asked
        wire.era, wire.version = Era.LEGACY, None
        failed = await self._initialize(cancel)
        if failed is None:
            return None
        wire.version, wire.session_id = None, None
        if _is_no_evidence(failed) or await self._is_old_transport(failed, cancel):
            wire.era = None
            return failed
        wire.era, wire.ready = Era.BARE, True
        self.evidence = f"neither server/discover ({brief(asked)}) nor initialize ({brief(failed)}) is known here"
        return None

    async def _discover(self, cancel: asyncio.Event | None) -> Exchange:
        wire = self._wire
        wire.era, wire.version = Era.MODERN, versions.MODERN
        return await wire.exchange(wire.body("server/discover", None, wire.next_id()), automatic=True, cancel=cancel)

    async def _is_old_transport(self, failed: Exchange, cancel: asyncio.Event | None) -> bool:
        """Whether the address speaks HTTP+SSE, which is then the evidence."""
        endpoint = await oldsse.find_endpoint(self._wire, cancel) if oldsse.may_be_old(failed) else ""
        if endpoint:
            self.evidence = (
                "this is the HTTP+SSE transport of 2024-11-05, which olv-tui does not speak: "
                f"GET names {endpoint} as the address for messages"
            )
            self._wire.tell(self.evidence[0].upper() + self.evidence[1:] + ".")
        return bool(endpoint)

    async def _initialize(self, cancel: asyncio.Event | None) -> Exchange | None:
        """initialize and notifications/initialized. None, or the exchange that failed."""
        wire = self._wire
        asked = await self._ask(versions.LEGACY[0], cancel)
        known = [version for version in versions.LEGACY[1:] if version in supported_versions(asked)]
        if known:
            wire.tell(f"The server refused the version {versions.LEGACY[0]} and names {known[0]}: asked for that.")
            asked = await self._ask(known[0], cancel)
        result = result_of(asked)
        if asked.verdict is not Verdict.RESULT or not isinstance(result, Object) or "protocolVersion" not in result:
            return asked
        version = result["protocolVersion"]
        wire.version = version if isinstance(version, str) and _SENDABLE.fullmatch(version) else None
        response = asked.reply.response if asked.reply else None
        wire.session_id = response.header("mcp-session-id") if response else None
        self.evidence = _agreement(wire.version)
        if wire.version not in versions.LEGACY:
            wire.tell(f"The handshake goes on although {self.evidence}.")
        self._read_identity(result)
        wire.ready = True
        told = await wire.exchange(
            jsonrpc.build(None, "notifications/initialized", None), automatic=True, cancel=cancel
        )
        # Servers that refuse the notification answer calls all the same: only silence ends the handshake.
        if told.status is not None:
            return None
        wire.ready = False
        return told

    async def _ask(self, version: str, cancel: asyncio.Event | None) -> Exchange:
        wire = self._wire
        params = (
            f'{{"protocolVersion":"{version}","capabilities":{wire.capabilities},'
            f'"clientInfo":{json.dumps(versions.CLIENT_INFO, separators=(",", ":"))}}}'
        )
        return await wire.exchange(jsonrpc.build(wire.next_id(), "initialize", params), automatic=True, cancel=cancel)

    def _read_identity(self, result: Value) -> None:
        if not isinstance(result, Object):
            return
        offered = result.get("capabilities")
        self.capabilities = offered if isinstance(offered, Object) else Object()
        meta = result.get("_meta")
        info = result.get("serverInfo")
        if info is None and isinstance(meta, Object):
            info = meta.get("io.modelcontextprotocol/serverInfo")
        if isinstance(info, Object):
            words = [info.get("title") or info.get("name"), info.get("version")]
            self.server = " ".join(word for word in words if isinstance(word, str))


def _agreement(version: str | None) -> str:
    """What the answer to initialize says about versions, in words."""
    if version is None:
        return "initialize was answered with a version that no header can carry"
    known = "" if version in versions.LEGACY else ", which is no version with a handshake that is known here"
    return f"initialize was answered with {version[:60]}{known}"


def _modern_evidence(asked: Exchange) -> str:
    """Why the answer to server/discover proves the modern era, or nothing."""
    error = asked.judgement.rpc_error if asked.judgement else None
    if error is not None:
        if error.code.text in _MODERN_ERRORS:
            return f"server/discover was answered with {error.code.text}, which only {versions.MODERN} servers send"
        return ""
    result = result_of(asked)
    if asked.verdict is not Verdict.RESULT or not isinstance(result, Object):
        return ""
    supported = result.get("supportedVersions")
    if isinstance(supported, list) and versions.MODERN in supported:
        return f"server/discover lists {versions.MODERN}"
    if supported is None and "resultType" in result:
        return "server/discover was answered with a resultType"
    return ""


def _is_no_evidence(exchange: Exchange) -> bool:
    """Whether this ending says nothing about the era, so that it is to be reported instead.

    A JSON-RPC error at 500 is evidence: JSON-RPC over HTTP sends it for a method that is not known.
    """
    if exchange.verdict in (Verdict.TRANSPORT_ERROR, Verdict.CANCELLED):
        return True
    status = exchange.status or 0
    return status in _NO_EVIDENCE or (status >= 500 and exchange.verdict is not Verdict.RPC_ERROR)
