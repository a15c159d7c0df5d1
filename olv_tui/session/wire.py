"""One exchange after another with one target: dressed for the era, journalled, sent, judged, journalled.

Rules of this file:

* An exchange is journalled before its first byte leaves and completed as it ends, whatever the end is.
* What `dress` returns is what is sent: the preview and the wire cannot differ.
* Nothing a server does raises here; a failure is an `Exchange` with a verdict.
"""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Callable
from dataclasses import replace
from urllib.parse import unquote, urlsplit, urlunsplit

from olv_tui import __version__, jsonrpc
from olv_tui.judge import is_answer, judge
from olv_tui.mcp import versions
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
    Value,
    WireRequest,
)
from olv_tui.session.values import FrameHook, Journal, StartHook
from olv_tui.transport.base import Transport

_OFF_LOOP_BYTES = 256 * 1024
"""Answers above this are judged and stored in a thread: a frame is 16 ms, 256 kB are judged in about 10."""


class Wire:
    """The state that requests are dressed with, and the one way an exchange takes.

    `version` is the protocol version agreed on; `session_id` is a secret of the legacy eras; `tools` are the
    definitions listed so far, which decide on `Mcp-Param-*` headers and on the check of results.
    """

    def __init__(self, target: Target, transport: Transport, journal: Journal, now: Callable[[], str]) -> None:
        self.target = target
        self.transport = transport
        self.era: Era | None = None if target.era is Era.AUTO else target.era
        self.version: str | None = versions.MODERN if target.era is Era.MODERN else None
        self.ready = target.era in (Era.BARE, Era.MODERN)
        self.session_id: str | None = None
        self.tools: dict[str, Tool] = {}
        self._url, self._credentials = _apart(target.url)
        self._journal = journal
        self._now = now

    def next_id(self) -> RequestId:
        """A fresh id for a request that the program makes."""
        return RequestId(str(self._journal.next_id()))

    def body(self, method: str, params: str | None, request_id: RequestId | None) -> bytes:
        """A request body in the present era; `params` is JSON text, used as it is."""
        if self.era is Era.MODERN:
            params = versions.modern_params(params, self.version or versions.MODERN)
        return jsonrpc.build(request_id, method, params)

    def dress(self, body: bytes, headers: tuple[Header, ...] = ()) -> WireRequest:
        """The HTTP request that this body becomes now. `headers` and the target's own win over ours."""
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
        theirs = (*self._credentials, *self.target.headers, *headers)
        taken = {name.lower() for name, _ in theirs}
        kept = tuple(item for item in ours if item[0].lower() not in taken)
        return WireRequest(self._url, kept + theirs, body)

    async def exchange(
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
            target=self._url,
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
            reply = await self.transport.exchange(
                request, timeout=self.target.timeout, cancel=cancel, on_frame=_watch(outgoing, on_frame)
            )
        finally:
            done = await self._finish(pending, reply)
        return done

    async def _finish(self, pending: Exchange, reply: Reply) -> Exchange:
        """Give the verdict and complete the journal, in a thread where the answer is large."""
        name = pending.outgoing.tool
        tool = self.tools.get(name) if name is not None else None

        def work() -> Exchange:
            judgement = judge(
                pending.outgoing, reply, era=pending.era or Era.BARE, version=pending.protocol_version, tool=tool
            )
            done = replace(pending, reply=reply, judgement=judgement)
            self._journal.finish(done)
            return done

        if reply.response is not None and len(reply.response.body) > _OFF_LOOP_BYTES:
            return await asyncio.to_thread(work)
        return work()


def _watch(outgoing: Outgoing, on_frame: FrameHook | None) -> Callable[[Frame], bool]:
    """A frame hook that passes frames on and tells when every request in the body has its answer."""
    waiting = [replace(outgoing, kind="request", id=item) for item in outgoing.ids] or [outgoing]

    def hook(frame: Frame) -> bool:
        if on_frame is not None:
            on_frame(frame)
        if frame.data:
            data = frame.data.encode("utf-8", "surrogatepass")
            answered = next((one for one in waiting if is_answer(one, data)), None)
            if answered is not None:
                waiting.remove(answered)
        return not waiting

    return hook


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


def result_of(exchange: Exchange) -> Value:
    """The `result` member of the answer, or None."""
    message = exchange.judgement.message if exchange.judgement else None
    return message.get("result") if isinstance(message, Object) else None
