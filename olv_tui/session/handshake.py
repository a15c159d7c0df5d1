"""Which era a server speaks, and the handshake where the era has one.

Rules of this file (2026-07-28 basic/versioning and transports "Backward Compatibility"; 2025-11-25 lifecycle):

* Only a modern result, or an error that only modern servers send, proves the modern era: older servers behind a
  gateway answer server/discover with 404 and -32601, and some answer it well yet refuse modern calls.
* 401, 403, 407, 429, 5xx and transport errors prove nothing. They are reported, and the era stays open.
* What is neither modern nor legacy is bare: JSON-RPC over POST.
"""

from __future__ import annotations

import asyncio
import json

from olv_tui import jsonrpc
from olv_tui.mcp import versions
from olv_tui.model import Era, Exchange, Object, Value, Verdict
from olv_tui.session.wire import Wire, result_of

_NO_EVIDENCE = frozenset({401, 403, 407, 429})
_MODERN_ERRORS = ("-32020", "-32021")


class Handshake:
    """Settles the era of a `Wire`, once, however many calls ask for it at the same time.

    `evidence` says in one sentence why the era is what it is; `server` is the name that the server gives
    itself (its text: hostile until made safe, and no proof of anything).
    """

    def __init__(self, wire: Wire) -> None:
        self.evidence = "" if wire.era is None else f"{wire.era} was asked for"
        self.server = ""
        self._wire = wire
        self._lock = asyncio.Lock()

    async def connect(self, cancel: asyncio.Event | None = None) -> Exchange | None:
        """Settle the era and shake hands where it has a handshake. None, or the exchange that failed."""
        async with self._lock:
            if self._wire.ready:
                return None
            if self._wire.era is Era.LEGACY:
                return await self._initialize(cancel)
            return await self._detect(cancel)

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
        wire.era, wire.version = Era.MODERN, versions.MODERN
        asked = await wire.exchange(wire.body("server/discover", None, wire.next_id()), automatic=True, cancel=cancel)
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
        if _is_no_evidence(failed):
            wire.era = None
            return failed
        wire.era, wire.ready = Era.BARE, True
        self.evidence = f"neither server/discover ({_brief(asked)}) nor initialize ({_brief(failed)}) is known here"
        return None

    async def _initialize(self, cancel: asyncio.Event | None) -> Exchange | None:
        """initialize and notifications/initialized. None, or the exchange that failed."""
        wire = self._wire
        params = (
            f'{{"protocolVersion":"{versions.LEGACY[0]}","capabilities":{wire.capabilities},'
            f'"clientInfo":{json.dumps(versions.CLIENT_INFO, separators=(",", ":"))}}}'
        )
        asked = await wire.exchange(jsonrpc.build(wire.next_id(), "initialize", params), automatic=True, cancel=cancel)
        result = result_of(asked)
        if asked.verdict is not Verdict.RESULT or not isinstance(result, Object) or "protocolVersion" not in result:
            return asked
        version = result["protocolVersion"]
        wire.version = version if isinstance(version, str) else None
        response = asked.reply.response if asked.reply else None
        wire.session_id = response.header("mcp-session-id") if response else None
        self.evidence = f"initialize was answered with {wire.version or 'a version that is no text'}"
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

    def _read_identity(self, result: Value) -> None:
        if not isinstance(result, Object):
            return
        meta = result.get("_meta")
        info = result.get("serverInfo")
        if info is None and isinstance(meta, Object):
            info = meta.get("io.modelcontextprotocol/serverInfo")
        if isinstance(info, Object):
            words = [info.get("title") or info.get("name"), info.get("version")]
            self.server = " ".join(word for word in words if isinstance(word, str))


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


def _brief(exchange: Exchange) -> str:
    """An ending in a few words for the evidence sentence."""
    error = exchange.judgement.rpc_error if exchange.judgement else None
    if error is not None:
        return error.code.text
    return f"HTTP {exchange.status}" if exchange.status is not None else str(exchange.verdict)
