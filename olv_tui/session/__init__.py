"""One conversation with one target: era, handshake, listing, calls, cancelling.

Rules of this package:

* It knows eras and methods, and neither sockets (transport/), nor storage (`Journal`), nor a screen.
* Outcomes are values. A call gives an `Exchange` with a verdict; nothing a server does raises here.
* Eras: `modern` (2026-07-28) has no handshake, every request carries `_meta` and `Mcp-*` headers; `legacy`
  (2025-11-25 and before) begins with initialize and may have a session id; `bare` is JSON-RPC over POST, the
  body exactly as made. `auto` finds out (handshake.py).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace

from olv_tui import jsonrpc, jsontext
from olv_tui.mcp import tools as mcp_tools
from olv_tui.model import (
    Era,
    Exchange,
    Header,
    Number,
    Object,
    RequestId,
    Severity,
    Target,
    Tool,
    Verdict,
    Violation,
    WireRequest,
)
from olv_tui.session.asked import Answer, Asked, Listener
from olv_tui.session.farewell import Farewells
from olv_tui.session.handshake import Handshake
from olv_tui.session.listening import EVERYTHING, Listening
from olv_tui.session.reading import result_of
from olv_tui.session.remedies import Remedies
from olv_tui.session.rounds import InputRequest, input_requests, next_round
from olv_tui.session.values import FrameHook, Journal, Listing, StartHook, utc_now
from olv_tui.session.wire import Wire
from olv_tui.transport.base import OnProgress, Transport

__all__ = ["MAX_PAGES", "InputRequest", "Journal", "Listing", "Session", "input_requests", "utc_now"]

MAX_PAGES = 100
"""Pages of tools/list that are followed; the official Python SDK stops at the same number."""


class Session:
    """A conversation with a target. All calls may run side by side on one event loop."""

    def __init__(
        self, target: Target, transport: Transport, journal: Journal, *, now: Callable[[], str] = utc_now
    ) -> None:
        self.target = target
        self._wire = Wire(target, transport, journal, now)
        self._handshake = Handshake(self._wire)
        self._remedies = Remedies(self._wire, self._handshake, self.list_tools)
        self._asked = Asked(self._wire)
        self._listening = Listening(self._wire, self._asked)
        self._farewells = Farewells(self._wire)

    @property
    def era(self) -> Era | None:
        """The era that is spoken, None while it is not known."""
        return self._wire.era

    @property
    def version(self) -> str | None:
        """The protocol version agreed on, None in the bare era and before the handshake."""
        return self._wire.version

    @property
    def evidence(self) -> str:
        """Why the era is what it is, or why there is none, in one sentence; empty while nothing is known."""
        return self._handshake.evidence

    @property
    def server(self) -> str:
        """The name the server gives itself (server text), or nothing."""
        return self._handshake.server

    @property
    def offers(self) -> Object:
        """The capabilities that the server declared (its word), empty where it declared none."""
        return self._handshake.capabilities

    @property
    def has_session(self) -> bool:
        """Whether the server gave a session id, which later requests carry."""
        return self._wire.session_id is not None

    @property
    def is_listening(self) -> bool:
        """Whether a stream is open for what the server says of itself."""
        return self._listening.is_active

    async def connect(self, cancel: asyncio.Event | None = None) -> Exchange | None:
        """Settle the era and shake hands where it has a handshake. None, or the exchange that failed."""
        return await self._handshake.connect(cancel)

    def call_body(self, tool: str, arguments: str, request_id: RequestId, *, progress: bool = False) -> bytes:
        """The body of a tools/call in the present era; `arguments` is JSON text, used as it is.

        `progress` asks the server to tell how far it is; the token is the request id.
        """
        meta = f',"_meta":{{"progressToken":{_token(request_id)}}}' if progress else ""
        params = f'{{"name":{jsontext.dumps(tool)},"arguments":{arguments}{meta}}}'
        return self._wire.body("tools/call", params, request_id)

    def request_body(self, method: str, params: str | None, request_id: RequestId | None) -> bytes:
        """The body of any request in the present era, or of a notification; `params` is JSON text, used as it is."""
        return self._wire.body(method, params, request_id)

    def dress(self, body: bytes, headers: tuple[Header, ...] = (), without: tuple[str, ...] = ()) -> WireRequest:
        """The HTTP request that this body becomes now: what is shown and what is sent.

        `headers` stand in place of ours of the same name; those named in `without` are left out.
        """
        return self._wire.dress(body, headers, without)

    async def call(
        self,
        tool: str,
        arguments: str,
        *,
        request_id: RequestId | None = None,
        progress: bool = False,
        on_start: StartHook | None = None,
        on_frame: FrameHook | None = None,
        on_progress: OnProgress | None = None,
        cancel: asyncio.Event | None = None,
    ) -> Exchange:
        """Call a tool, after the handshake where one is due; a handshake that fails is what is returned."""
        return await self._deliver(
            lambda: self.call_body(tool, arguments, request_id or self._wire.next_id(), progress=progress),
            on_start=on_start,
            on_frame=on_frame,
            on_progress=on_progress,
            cancel=cancel,
        )

    async def answer_input(
        self,
        exchange: Exchange,
        responses: Mapping[str, str],
        *,
        on_start: StartHook | None = None,
        on_frame: FrameHook | None = None,
        on_progress: OnProgress | None = None,
        cancel: asyncio.Event | None = None,
    ) -> Exchange:
        """Send the next round of a request whose verdict is input_required (2026-07-28, MRTR).

        `responses` are the result objects (`{"action":"accept","content":{...}}`) as JSON text, by the keys of
        `input_requests(exchange)`; none where only a state was given. The id is a new one.
        """
        return await self._deliver(
            lambda: next_round(exchange, responses, self._wire.next_id()),
            on_start=on_start,
            on_frame=on_frame,
            on_progress=on_progress,
            cancel=cancel,
        )

    async def send(
        self,
        body: bytes,
        *,
        headers: tuple[Header, ...] = (),
        without: tuple[str, ...] = (),
        handshake: bool = True,
        on_start: StartHook | None = None,
        on_frame: FrameHook | None = None,
        on_progress: OnProgress | None = None,
        cancel: asyncio.Event | None = None,
    ) -> Exchange:
        """Post these bytes exactly as they are, once, after the handshake unless they are one.

        `headers` and `without` change the headers of this one request as in `dress`. Without `handshake` they go out
        as things stand, which is the bare era where none is known.
        """
        if handshake and jsonrpc.read_request(body).method not in ("initialize", "server/discover"):
            failed = await self.connect(cancel)
            if failed is not None:
                return failed
        hearing = self._asked.hearing(on_frame)
        exchange = await self._wire.exchange(
            body,
            headers=headers,
            without=without,
            bare=not handshake and self.era is None,
            on_start=on_start,
            on_frame=hearing,
            on_progress=on_progress,
            cancel=cancel,
        )
        self._farewells.take(exchange)
        return exchange

    async def _deliver(
        self,
        make: Callable[[], bytes],
        *,
        automatic: bool = False,
        on_start: StartHook | None = None,
        on_frame: FrameHook | None = None,
        on_progress: OnProgress | None = None,
        cancel: asyncio.Event | None = None,
    ) -> Exchange:
        """Send a body after the handshake, and again where a remedy allows; `make` is asked anew each time."""
        failed = await self.connect(cancel)
        if failed is not None:
            return failed
        tried: set[str] = set()
        hearing = self._asked.hearing(on_frame)
        while True:
            exchange = await self._wire.exchange(
                make(),
                automatic=automatic,
                on_start=on_start,
                on_frame=hearing,
                on_progress=on_progress,
                cancel=cancel,
            )
            if not await self._remedies.apply(exchange, tried, cancel):
                self._farewells.take(exchange)
                return exchange
            self._listening.again()

    async def list_tools(
        self, cancel: asyncio.Event | None = None, on_page: Callable[[tuple[Tool, ...]], None] | None = None
    ) -> Listing:
        """Every page of tools/list. It ends at the page without nextCursor ("" is a cursor), at a cursor
        seen before, or after `MAX_PAGES` pages; the last two are told as violations. A first answer that holds
        no list stands in `failed`, whatever its verdict.
        """
        wire = self._wire
        tools: list[Tool] = []
        violations: list[Violation] = []
        cursor: str | None = None
        seen: set[str] = set()
        pages = 0

        def make() -> bytes:
            params = None if cursor is None else f'{{"cursor":{jsontext.dumps(cursor)}}}'
            return wire.body("tools/list", params, wire.next_id())

        while True:
            exchange = await self._deliver(make, automatic=True, cancel=cancel)
            if exchange.judgement is None or exchange.verdict is not Verdict.RESULT:
                return Listing(exchange.verdict, tuple(tools), tuple(violations), pages, exchange)
            pages += 1
            result = result_of(exchange)
            page = mcp_tools.read_listing(result, wire.version)
            violations += (*exchange.judgement.violations, *page.violations)
            if pages == 1 and not (isinstance(result, Object) and isinstance(result.get("tools"), list)):
                judgement = replace(exchange.judgement, violations=tuple(violations))
                failed = replace(exchange, judgement=judgement)
                return Listing(exchange.verdict, violations=tuple(violations), pages=pages, failed=failed)
            # A server whose cursor leads to itself sends the same tools again: they are listed once.
            again = page.next_cursor in seen
            new = tuple(tool for tool in page.tools if not (again and tool in tools))
            tools += new
            wire.tools.update((tool.name, tool) for tool in new)
            if on_page is not None and new:
                on_page(new)
            cursor = page.next_cursor
            if cursor is None:
                break
            if again or pages >= MAX_PAGES:
                why = "the server gave a cursor that it gave before" if again else f"there are over {MAX_PAGES} pages"
                message = f"{why}; the listing was ended after page {pages}"
                violations.append(Violation("M09", Severity.ERROR, message, "/result/nextCursor"))
                break
            seen.add(cursor)
        return Listing(Verdict.RESULT, tuple(tools), (*violations, *mcp_tools.duplicate_names(tools)), pages)

    async def listen(self, wanted: str = EVERYTHING, cancel: asyncio.Event | None = None) -> Exchange | None:
        """Listen to what the server says of itself, until `close` or `stop_listening`; `hear` tells who hears it.

        None where the stream is open (or the era is bare, which has none), else the exchange that says why not: a
        handshake that failed, 405, -32601. `wanted` is the filter of the modern era as JSON text. `cancel` counts
        until this returns.
        """
        failed = await self.connect(cancel)
        return failed if failed is not None else await self._listening.start(wanted, cancel)

    async def stop_listening(self) -> None:
        """End the stream."""
        await self._listening.stop()

    def tell(self, say: Callable[[str], None] | None) -> None:
        """Have `say` told, in a sentence each, what the session did by itself: a new session, another era."""
        self._wire.say = say

    def hear(self, listener: Listener | None, answer: Answer | None = None, capabilities: str = "{}") -> None:
        """Have `listener` told every message of the server that is no response, and `answer` asked for the
        results of its requests (legacy); without it they are refused. `capabilities` is what a server is told
        that we can answer, as JSON text; it counts from the next handshake on, in the modern era at once.
        """
        self._asked.listener, self._asked.answer = listener, answer
        self._wire.capabilities = capabilities

    async def settle(self) -> None:
        """Wait until what the server asked is answered."""
        await self._asked.finish()

    async def close(self) -> None:
        """End the session politely (DELETE where the server keeps one) and give back the connection."""
        wire = self._wire
        await self._listening.stop()
        await self._farewells.finish()
        self._asked.stop()
        if wire.session_id is not None:
            request = replace(wire.dress(b""), method="DELETE")
            headers = tuple(item for item in request.headers if item[0].lower() != "content-type")
            await wire.transport.exchange(replace(request, headers=headers), timeout=min(2.0, self.target.timeout))
            wire.session_id = None
        await wire.transport.aclose()


def _token(request_id: RequestId) -> str:
    """A progress token, which has to be a string or an integer: the id, or its text where it is neither."""
    value = jsontext.parse(request_id.text.encode("utf-8", "surrogatepass")).value
    sound = isinstance(value, str) or (isinstance(value, Number) and value.is_integer)
    return request_id.text if sound else jsontext.dumps(request_id.text)
