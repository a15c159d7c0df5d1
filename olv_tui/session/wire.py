"""One exchange after another with one target: dressed for the era, journalled, sent, judged, journalled.

Rules of this file:

* An exchange is journalled before its first byte leaves and completed as it ends, whatever the end is.
* What `dress` returns is what is sent: the preview and the wire cannot differ.
* Nothing a server does raises here; a failure is an `Exchange` with a verdict.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from urllib.parse import unquote, urlsplit, urlunsplit

from olv_tui import __version__, jsonrpc
from olv_tui.courtesy import aside, is_long_work
from olv_tui.judge import is_answer, judge
from olv_tui.mcp import versions
from olv_tui.mcp.tools import password_names
from olv_tui.model import (
    Era,
    Exchange,
    Frame,
    Header,
    Object,
    Outgoing,
    Reply,
    RequestId,
    Target,
    Tool,
    WireRequest,
    header,
)
from olv_tui.session import resume
from olv_tui.session.looks import look
from olv_tui.session.reading import result_of
from olv_tui.session.values import FrameHook, Journal, StartHook
from olv_tui.transport.base import OnFrame, OnProgress, Transport
from olv_tui.transport.keeping import SERIAL

_OFF_LOOP_BYTES = 256 * 1024
"""Answers above this are judged and stored in a thread: a frame is 16 ms, 256 kB are judged in about 10."""


class Wire:
    """The state that requests are dressed with, and the one way an exchange takes.

    `version` is the protocol version agreed on; `session_id` is a secret of the legacy eras; `tools` are the
    definitions listed so far, which decide on `Mcp-Param-*` headers and on the check of results; `proven` tells
    that a result came which only a modern server sends; `capabilities` is what we declare, as JSON text;
    `url` is the address without user and password; `say` is told what is done by itself.
    """

    def __init__(self, target: Target, transport: Transport, journal: Journal, now: Callable[[], str]) -> None:
        self.target = target
        self.transport = transport
        self.era: Era | None = None if target.era is Era.AUTO else target.era
        self.version: str | None = versions.MODERN if target.era is Era.MODERN else None
        self.ready = target.era in (Era.BARE, Era.MODERN)
        self.session_id: str | None = None
        self.tools: dict[str, Tool] = {}
        self.proven = False
        self.capabilities = "{}"
        self.say: Callable[[str], None] | None = None
        self.url, self._credentials = _apart(target.url)
        self._journal = journal
        self._now = now

    def next_id(self) -> RequestId:
        """A fresh id for a request that the program makes."""
        return RequestId(str(self._journal.next_id()))

    def tell(self, sentence: str) -> None:
        """Say what was done or found without being asked for."""
        if self.say is not None:
            self.say(sentence)

    def body(self, method: str, params: str | None, request_id: RequestId | None) -> bytes:
        """A request body in the present era; `params` is JSON text, used as it is."""
        if self.era is Era.MODERN:
            params = versions.modern_params(params, self.version or versions.MODERN, self.capabilities)
        return jsonrpc.build(request_id, method, params)

    def dress(self, body: bytes, headers: tuple[Header, ...] = (), without: tuple[str, ...] = ()) -> WireRequest:
        """The HTTP request that this body becomes now. `headers` win over the target's own, and those over ours;
        headers named in `without` are left out, whoever they are of.
        """
        ours: list[Header] = [
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
            ("User-Agent", f"olv-tui/{__version__}"),
        ]
        if self.era is Era.MODERN:
            name = jsonrpc.read_request(body).tool
            known = self.tools.get(name) if name is not None else None
            ours += versions.modern_headers(body, known, self.version or versions.MODERN)
        elif self.era is Era.LEGACY and self.ready:
            if self.version is not None and self.version not in versions.WITHOUT_VERSION_HEADER:
                ours.append(("MCP-Protocol-Version", self.version))
            if self.session_id is not None:
                ours.append(("Mcp-Session-Id", self.session_id))
        gone = {name.lower() for name in without}
        once = {name.lower() for name, _ in headers}
        theirs = tuple(
            item for item in (*self._credentials, *self.target.headers) if item[0].lower() not in once | gone
        )
        taken = {name.lower() for name, _ in theirs} | once | gone
        kept = tuple(item for item in ours if item[0].lower() not in taken)
        return WireRequest(self.url, kept + theirs + headers, body)

    def stream_request(self, cursor: str | None = None) -> WireRequest:
        """The GET of an event stream, from the event after `cursor` on where one is given."""
        return resume.as_get(self.dress(b""), cursor)

    async def exchange(
        self,
        body: bytes,
        *,
        headers: tuple[Header, ...] = (),
        without: tuple[str, ...] = (),
        automatic: bool = False,
        bare: bool = False,
        seconds: float | None = None,
        on_start: StartHook | None = None,
        on_frame: FrameHook | None = None,
        on_progress: OnProgress | None = None,
        cancel: asyncio.Event | None = None,
    ) -> Exchange:
        """Journal, send, judge, journal. A cancelled task still leaves its exchange completed.

        `headers` and `without` as in `dress`; `bare`: it is of the bare era, whatever the era is; `seconds` stands in
        place of the target's timeout where it is given.
        """
        outgoing = jsonrpc.read_request(body)
        request = self.dress(body, headers, without)
        pending = self._pending(outgoing, request, automatic=automatic, era=Era.BARE if bare else self.era)
        if on_start is not None:
            on_start(pending)
        watch = Watch(outgoing, on_frame)
        reply = Reply(cancelled=True)
        try:
            reply = await self._converse(request, watch, on_progress, cancel, seconds or self.target.timeout)
        finally:
            done = await self._finish(pending, reply)
        self.proven = self.proven or _is_proof(done)
        return done

    async def _converse(
        self,
        request: WireRequest,
        watch: Watch,
        on_progress: OnProgress | None,
        cancel: asyncio.Event | None,
        seconds: float,
    ) -> Reply:
        """Send, and take the stream up again where it broke off before its answer; one timeout over all."""
        clock = asyncio.get_running_loop().time
        end = clock() + seconds
        reply = await self.transport.exchange(
            request, timeout=seconds, cancel=cancel, on_frame=watch.saw, on_progress=on_progress
        )
        while not watch.is_done and (place := resume.cursor_of(self.era, reply)) is not None:
            cursor, wait = place
            left = end - clock() - wait
            if left <= 0 or await is_set_within(cancel, wait):
                break
            later = await self._fetch(
                Outgoing("raw", method="GET"), resume.as_get(request, cursor), left, watch.saw, cancel
            )
            whole = resume.joined(reply, later.reply or Reply(), wait * 1000)
            if whole is None or (resume.cursor_of(self.era, later.reply or Reply()) is None and not watch.is_done):
                return whole or reply
            reply = whole
        return reply

    async def get(
        self, request: WireRequest, seconds: float, on_frame: OnFrame, cancel: asyncio.Event | None = None
    ) -> Exchange:
        """A GET of the program's own for a stream that answers nothing: what the server says of itself.

        It is judged like a message to which no answer is due, since a stream without a response is no fault here.
        """
        return await self._fetch(Outgoing("response", method="GET"), request, seconds, on_frame, cancel)

    async def _fetch(
        self,
        outgoing: Outgoing,
        request: WireRequest,
        seconds: float,
        on_frame: OnFrame,
        cancel: asyncio.Event | None,
    ) -> Exchange:
        """A request without a body, which stands in the history like any exchange."""
        pending = self._pending(outgoing, request, automatic=True, era=self.era)
        reply = Reply(cancelled=True)
        try:
            reply = await self.transport.exchange(request, timeout=seconds, cancel=cancel, on_frame=on_frame)
        finally:
            done = await self._finish(pending, reply)
        return done

    def _pending(self, outgoing: Outgoing, request: WireRequest, *, automatic: bool, era: Era | None) -> Exchange:
        """A new exchange, safe in the journal."""
        tool = self.tools.get(outgoing.tool) if outgoing.tool is not None else None
        outgoing = outgoing if tool is None else replace(outgoing, hidden=password_names(tool))
        pending = Exchange(
            serial=0,
            target=self.url,
            outgoing=outgoing,
            request=request,
            started=self._now(),
            era=era,
            protocol_version=self.version,
            automatic=automatic,
            demo=self.target.demo,
        )
        serial = self._journal.begin(pending)
        SERIAL.set(serial)
        return replace(pending, serial=serial)

    async def _finish(self, pending: Exchange, reply: Reply) -> Exchange:
        """Give the verdict and complete the journal, in a thread where the answer is large."""
        name = pending.outgoing.tool
        tool = self.tools.get(name) if name is not None else None

        def found() -> Exchange:
            judgement = judge(
                pending.outgoing,
                reply,
                era=pending.era or Era.BARE,
                version=pending.protocol_version,
                tool=tool,
                session_id=header(pending.request.headers, "mcp-session-id"),
            )
            done = replace(pending, reply=reply, judgement=judgement)
            self._journal.finish(done)
            return done

        if reply.response is None or not is_long_work(reply.response.body):
            return found()
        # Also where the call is given up meanwhile: it has ended.
        kept = asyncio.ensure_future(aside(lambda: self._journal.keep(replace(pending, reply=reply)), lasts=True))
        try:
            await look(pending, reply)
        finally:
            await asyncio.shield(kept)
            done = await aside(found, lasts=True)
        return done


class Watch:
    """Passes frames on and knows when every request in the body has its answer."""

    def __init__(self, outgoing: Outgoing, on_frame: FrameHook | None) -> None:
        self._waiting = [replace(outgoing, kind="request", id=item) for item in outgoing.ids] or [outgoing]
        self._on_frame = on_frame

    @property
    def is_done(self) -> bool:
        """Whether nothing more has to come."""
        return not self._waiting

    def saw(self, frame: Frame) -> bool | Awaitable[bool]:
        """Take a frame; True where it was the last that had to come. Events of other types hold no message.

        Of a large one it is found out beside the event loop.
        """
        if self._on_frame is not None:
            self._on_frame(frame)
        if frame.data and frame.event in (None, "", "message"):
            if len(frame.data) > _OFF_LOOP_BYTES:
                return self._saw_large(frame.data)
            self._took(self._answered(frame.data))
        return self.is_done

    async def _saw_large(self, data: str) -> bool:
        self._took(await aside(partial(self._answered, data), lasts=True))
        return self.is_done

    def _answered(self, data: str) -> Outgoing | None:
        raw = data.encode("utf-8", "surrogatepass")
        return next((one for one in self._waiting if is_answer(one, raw)), None)

    def _took(self, answered: Outgoing | None) -> None:
        if answered is not None:
            self._waiting.remove(answered)


async def is_set_within(event: asyncio.Event | None, seconds: float) -> bool:
    """Wait that long, or until the event is set; whether it was."""
    if event is None:
        await asyncio.sleep(seconds)
        return False
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(event.wait(), seconds)
    return event.is_set()


def _apart(url: str) -> tuple[str, tuple[Header, ...]]:
    """An address without its user and password, and the Authorization header that they become (RFC 7617).

    So the preview shows what is sent, and the address can be told without a secret in it.
    """
    parts = urlsplit(url)
    user, at, host = parts.netloc.rpartition("@")
    if not at:
        return url, ()
    token = base64.b64encode(unquote(user).encode()).decode("ascii")
    return urlunsplit(parts._replace(netloc=host)), (("Authorization", f"Basic {token}"),)


def _is_proof(exchange: Exchange) -> bool:
    """Whether an answer can only come from a modern server: a result with a resultType to more than discover."""
    if exchange.era is not Era.MODERN or exchange.outgoing.method == "server/discover":
        return False
    result = result_of(exchange)
    return isinstance(result, Object) and "resultType" in result
