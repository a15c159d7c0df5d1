"""One conversation with one target: era, handshake, listing, calls, cancelling.

Rules of this file:

* It knows eras and methods, and neither sockets (transport/), nor storage (`Journal`), nor a screen.
* An exchange is journalled before its first byte leaves and completed as it ends, whatever the end is.
* Outcomes are values. A call gives an `Exchange` with a verdict; nothing a server does raises here.
* What `dress` returns is what is sent: the preview and the wire cannot differ.
* Eras (basic/versioning of 2026-07-28, lifecycle of 2025-11-25):
  `modern` has no handshake, every request carries `_meta` and `Mcp-*` headers;
  `legacy` begins with initialize and may have a session id;
  `bare` is JSON-RPC over POST, the body exactly as made.
  `auto` asks server/discover first, then initialize, and ends at bare (`_detect`).
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Protocol

from . import __version__, jsonrpc, jsontext
from .judge import is_answer, judge
from .mcp import tools as mcp_tools
from .mcp import versions
from .model import (
    Era,
    Exchange,
    Frame,
    Header,
    Number,
    Object,
    Outgoing,
    Reply,
    RequestId,
    Severity,
    Target,
    Tool,
    Value,
    Verdict,
    Violation,
    WireRequest,
)
from .transport.base import Transport

MAX_PAGES = 100
"""Pages of tools/list that are followed; the official Python SDK stops at the same number."""

_OFF_LOOP_BYTES = 256 * 1024
"""Answers above this are judged and stored in a thread: a frame is 16 ms, 256 kB are judged in about 10."""

_NO_EVIDENCE = frozenset({401, 403, 407, 429})
"""Statuses that tell of credentials or load and nothing of the era; so do 5xx."""

FrameHook = Callable[[Frame], None]
StartHook = Callable[[Exchange], None]


def utc_now() -> str:
    """Now as ISO 8601 UTC with milliseconds, such as `2026-12-02T08:00:00.000Z`."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Journal(Protocol):
    """Where exchanges are kept; history.History is one."""

    def peek_id(self) -> int:
        """The id that the next request will get, without taking it."""

    def next_id(self) -> int:
        """A request id never given out before in this history."""

    def begin(self, exchange: Exchange) -> int:
        """Keep a pending exchange; it is safe on disk when this returns its serial."""

    def finish(self, exchange: Exchange) -> None:
        """Keep what came of it."""


@dataclass(frozen=True, slots=True)
class Listing:
    """What tools/list gave. `failed` is the exchange that ended it early; `tools` is what came before."""

    verdict: Verdict
    tools: tuple[Tool, ...] = ()
    violations: tuple[Violation, ...] = ()
    pages: int = 0
    failed: Exchange | None = None


class Session:
    """A conversation with a target. All calls may run side by side on one event loop."""

    def __init__(
        self, target: Target, transport: Transport, journal: Journal, *, now: Callable[[], str] = utc_now
    ) -> None:
        self.target = target
        self.era: Era | None = None if target.era is Era.AUTO else target.era
        self.version: str | None = versions.MODERN if target.era is Era.MODERN else None
        self.evidence = "" if target.era is Era.AUTO else f"{target.era} was asked for"
        self.server = ""
        self._transport = transport
        self._journal = journal
        self._now = now
        self._session_id: str | None = None
        self._ready = target.era in (Era.BARE, Era.MODERN)
        self._tools: dict[str, Tool] = {}
        self._handshake = asyncio.Lock()

    @property
    def has_session(self) -> bool:
        """Whether the server gave a session id, which later requests carry."""
        return self._session_id is not None

    # ----------------------------------------------------------------------- what is sent

    def call_body(self, tool: str, arguments: str, request_id: RequestId) -> bytes:
        """The body of a tools/call in the present era; `arguments` is JSON text, used as it is."""
        params = f'{{"name":{jsontext.dumps(tool)},"arguments":{arguments}}}'
        return self._body("tools/call", params, request_id)

    def dress(self, body: bytes, headers: tuple[Header, ...] = ()) -> WireRequest:
        """The HTTP request that this body becomes now. `headers` and the target's own win over ours."""
        ours: list[Header] = [
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
            ("User-Agent", f"olv-tui/{__version__}"),
        ]
        if self.era is Era.MODERN:
            tool = jsonrpc.read_request(body).tool
            known = self._tools.get(tool) if tool is not None else None
            ours += versions.modern_headers(body, known, self.version or versions.MODERN)
        elif self.era is Era.LEGACY and self._ready:
            if self.version is not None and self.version not in versions.WITHOUT_VERSION_HEADER:
                ours.append(("MCP-Protocol-Version", self.version))
            if self._session_id is not None:
                ours.append(("Mcp-Session-Id", self._session_id))
        theirs = (*self.target.headers, *headers)
        taken = {name.lower() for name, _ in theirs}
        kept = tuple(item for item in ours if item[0].lower() not in taken)
        return WireRequest(self.target.url, kept + theirs, body)

    def _body(self, method: str, params: str | None, request_id: RequestId | None) -> bytes:
        if self.era is Era.MODERN:
            params = versions.modern_params(params, self.version or versions.MODERN)
        return jsonrpc.build(request_id, method, params)

    def _next_id(self) -> RequestId:
        return RequestId(str(self._journal.next_id()))

    # ----------------------------------------------------------------------- calling

    async def call(
        self,
        tool: str,
        arguments: str,
        *,
        request_id: RequestId | None = None,
        on_start: StartHook | None = None,
        on_frame: FrameHook | None = None,
        cancel: asyncio.Event | None = None,
    ) -> Exchange:
        """Call a tool, after the handshake where one is due; a handshake that fails is what is returned."""
        failed = await self.connect(cancel)
        if failed is not None:
            return failed
        body = self.call_body(tool, arguments, request_id or self._next_id())
        return await self._exchange(body, on_start=on_start, on_frame=on_frame, cancel=cancel)

    async def send(
        self,
        body: bytes,
        *,
        on_start: StartHook | None = None,
        on_frame: FrameHook | None = None,
        cancel: asyncio.Event | None = None,
    ) -> Exchange:
        """Post these bytes exactly as they are, after the handshake unless they are one."""
        if jsonrpc.read_request(body).method not in ("initialize", "server/discover"):
            failed = await self.connect(cancel)
            if failed is not None:
                return failed
        return await self._exchange(body, on_start=on_start, on_frame=on_frame, cancel=cancel)

    async def _exchange(
        self,
        body: bytes,
        *,
        automatic: bool = False,
        on_start: StartHook | None = None,
        on_frame: FrameHook | None = None,
        cancel: asyncio.Event | None = None,
    ) -> Exchange:
        """Journal, send, judge, journal. A cancelled task still leaves its exchange completed."""
        outgoing = jsonrpc.read_request(body)
        request = self.dress(body)
        pending = Exchange(
            serial=0,
            target=self.target.url,
            outgoing=outgoing,
            request=request,
            started=self._now(),
            era=self.era,
            protocol_version=self.version,
            automatic=automatic,
            demo=self.target.demo,
        )
        pending = replace(pending, serial=self._journal.begin(pending))
        if on_start is not None:
            on_start(pending)
        reply = Reply(cancelled=True)
        try:
            reply = await self._transport.exchange(
                request, timeout=self.target.timeout, cancel=cancel, on_frame=_watch(outgoing, on_frame)
            )
        finally:
            done = await self._judge(pending, reply)
        return done

    async def _judge(self, pending: Exchange, reply: Reply) -> Exchange:
        """Give the verdict and complete the journal, in a thread where the answer is large."""
        tool = self._tools.get(pending.outgoing.tool) if pending.outgoing.tool is not None else None

        def work() -> Exchange:
            judgement = judge(
                pending.outgoing,
                reply,
                era=self.era or Era.BARE,
                version=self.version,
                tool=tool,
            )
            done = replace(pending, reply=reply, judgement=judgement)
            self._journal.finish(done)
            return done

        if reply.response is not None and len(reply.response.body) > _OFF_LOOP_BYTES:
            return await asyncio.to_thread(work)
        return work()

    # ----------------------------------------------------------------------- listing

    async def list_tools(
        self, cancel: asyncio.Event | None = None, on_page: Callable[[tuple[Tool, ...]], None] | None = None
    ) -> Listing:
        """Every page of tools/list. It ends at the page without nextCursor ("" is a cursor), at a cursor
        seen before, or after `MAX_PAGES` pages; the last two are told as violations.
        """
        failed = await self.connect(cancel)
        if failed is not None:
            return Listing(failed.verdict, failed=failed)
        tools: list[Tool] = []
        violations: list[Violation] = []
        cursor: str | None = None
        seen: set[str] = set()
        pages = 0
        while True:
            params = None if cursor is None else f'{{"cursor":{jsontext.dumps(cursor)}}}'
            body = self._body("tools/list", params, self._next_id())
            exchange = await self._exchange(body, automatic=True, cancel=cancel)
            if exchange.judgement is None or exchange.verdict is not Verdict.RESULT:
                return Listing(exchange.verdict, tuple(tools), tuple(violations), pages, exchange)
            pages += 1
            violations += exchange.judgement.violations
            page = mcp_tools.read_listing(_result(exchange), self.version)
            violations += page.violations
            # A server whose cursor leads to itself sends the same tools again: they are listed once.
            again = page.next_cursor in seen
            new = tuple(tool for tool in page.tools if not (again and tool in tools))
            tools += new
            self._tools.update((tool.name, tool) for tool in new)
            if on_page is not None and new:
                on_page(new)
            if not page.has_cursor or page.next_cursor is None:
                break
            cursor = page.next_cursor
            stop = "the server gave a cursor that it gave before" if again else ""
            if pages >= MAX_PAGES:
                stop = f"there are more than {MAX_PAGES} pages"
            if stop:
                message = f"{stop}; the listing was ended after page {pages}"
                violations.append(Violation("M09", Severity.ERROR, message, "/result/nextCursor"))
                break
            seen.add(cursor)
        violations += mcp_tools.duplicate_names(tools)
        return Listing(Verdict.RESULT, tuple(tools), tuple(violations), pages)

    # ----------------------------------------------------------------------- handshake

    async def connect(self, cancel: asyncio.Event | None = None) -> Exchange | None:
        """Settle the era and shake hands where it has a handshake. None, or the exchange that failed."""
        async with self._handshake:
            if self._ready:
                return None
            if self.era is Era.LEGACY:
                return await self._initialize(cancel)
            return await self._detect(cancel)

    async def _detect(self, cancel: asyncio.Event | None) -> Exchange | None:
        """Find the era (2026-07-28, transports, "Backward Compatibility").

        Only a modern result or a modern error is proof of the modern era: older servers behind a
        gateway answer server/discover with 404 and -32601, and some answer it well yet refuse modern calls.
        """
        self.era, self.version = Era.MODERN, versions.MODERN
        asked = await self._exchange(
            self._body("server/discover", None, self._next_id()), automatic=True, cancel=cancel
        )
        if _is_no_evidence(asked):
            self.era, self.version = None, None
            return asked
        modern = self._modern_evidence(asked)
        if modern:
            self.evidence, self._ready = modern, True
            self._read_identity(_result(asked))
            return None
        self.era, self.version = Era.LEGACY, None
        failed = await self._initialize(cancel)
        if failed is None:
            return None
        self.version, self._session_id = None, None
        if _is_no_evidence(failed):
            self.era = None
            return failed
        self.era, self._ready = Era.BARE, True
        self.evidence = f"neither server/discover ({_brief(asked)}) nor initialize ({_brief(failed)}) is known here"
        return None

    def _modern_evidence(self, asked: Exchange) -> str:
        """Why the answer to server/discover proves the modern era, or nothing."""
        judgement = asked.judgement
        if judgement is None:
            return ""
        if judgement.rpc_error is not None:
            code = judgement.rpc_error.code.text
            if code in ("-32020", "-32021"):
                return f"server/discover was answered with {code}, which only {versions.MODERN} servers send"
            return ""
        result = _result(asked)
        if asked.verdict is not Verdict.RESULT or not isinstance(result, Object):
            return ""
        supported = result.get("supportedVersions")
        if isinstance(supported, list) and versions.MODERN in supported:
            return f"server/discover lists {versions.MODERN}"
        if supported is None and "resultType" in result:
            return "server/discover was answered with a resultType"
        return ""

    async def _initialize(self, cancel: asyncio.Event | None) -> Exchange | None:
        """initialize and notifications/initialized (2025-11-25, lifecycle). None, or the exchange that failed."""
        params = (
            f'{{"protocolVersion":"{versions.LEGACY[0]}","capabilities":{{}},'
            f'"clientInfo":{json.dumps(versions.CLIENT_INFO, separators=(",", ":"))}}}'
        )
        body = jsonrpc.build(self._next_id(), "initialize", params)
        asked = await self._exchange(body, automatic=True, cancel=cancel)
        result = _result(asked)
        if asked.verdict is not Verdict.RESULT or not isinstance(result, Object) or "protocolVersion" not in result:
            return asked
        version = result["protocolVersion"]
        self.version = version if isinstance(version, str) else None
        response = asked.reply.response if asked.reply else None
        self._session_id = response.header("mcp-session-id") if response else None
        self.evidence = f"initialize was answered with {self.version or 'a version that is no text'}"
        self._read_identity(result)
        self._ready = True
        told = await self._exchange(
            jsonrpc.build(None, "notifications/initialized", None), automatic=True, cancel=cancel
        )
        if told.verdict in (Verdict.ACCEPTED, Verdict.INVALID_RESPONSE) or told.status is not None:
            return None
        self._ready = False
        return told

    def _read_identity(self, result: Value) -> None:
        """Take the server's own name for display; it is self-reported and decides nothing."""
        if not isinstance(result, Object):
            return
        meta = result.get("_meta")
        info = result.get("serverInfo")
        if info is None and isinstance(meta, Object):
            info = meta.get("io.modelcontextprotocol/serverInfo")
        if isinstance(info, Object):
            words = [info.get("title") or info.get("name"), info.get("version")]
            self.server = " ".join(word for word in words if isinstance(word, str))

    async def close(self) -> None:
        """End the session politely (DELETE where the server keeps one) and give back the connection."""
        if self._session_id is not None:
            request = replace(self.dress(b""), method="DELETE")
            headers = tuple(item for item in request.headers if item[0].lower() != "content-type")
            await self._transport.exchange(replace(request, headers=headers), timeout=min(2.0, self.target.timeout))
            self._session_id = None
        await self._transport.aclose()


def _watch(outgoing: Outgoing, on_frame: FrameHook | None) -> Callable[[Frame], bool]:
    """A frame hook that passes frames on and tells when every request in the body has its answer."""
    waiting = [replace(outgoing, kind="request", id=item) for item in outgoing.ids] or [outgoing]

    def hook(frame: Frame) -> bool:
        if on_frame is not None:
            on_frame(frame)
        if frame.data:
            data = frame.data.encode("utf-8", "surrogatepass")
            for one in waiting:
                if is_answer(one, data):
                    waiting.remove(one)
                    break
        return not waiting

    return hook


def _result(exchange: Exchange) -> Value:
    """The `result` member of the answer, or None."""
    message = exchange.judgement.message if exchange.judgement else None
    return message.get("result") if isinstance(message, Object) else None


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
    if error is not None and isinstance(error.code, Number):
        return error.code.text
    return f"HTTP {exchange.status}" if exchange.status is not None else str(exchange.verdict)
