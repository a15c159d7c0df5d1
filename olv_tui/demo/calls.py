"""One tool call under way: its progress, its log, its waiting, its questions, and how it can end early.

Rules of this file: a waiting tool waits in `Call.pause` or `Call.ask` only, and both end with `EndedError` when the
caller hung up (2026-07-28: the cancellation), when notifications/cancelled came (2025 versions), or when the
server stops (asyncio cancels the task).
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

from . import exact
from .account import Account
from .eras import Context
from .exact import JsonObject, Raw
from .messages import Message
from .wire import Wire


class EndedError(Exception):
    """The call is over before its result: nobody waits for it any more."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """An HTTP answer given as it is instead of a JSON-RPC one. `end`: complete, drop (no byte), cut (no last chunk)."""

    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    end: str = "complete"


@dataclass(eq=False)
class Call:
    """A tools/call under way. `streams` tells whether its answer is an event stream."""

    account: Account
    context: Context
    message: Message
    wire: Wire
    streams: bool
    slow_seconds: float
    question_id: str = ""
    forget_session: bool = False
    cancelled: asyncio.Event = field(default_factory=asyncio.Event)

    async def pause(self, seconds: float) -> None:
        """Wait. Raises EndedError."""
        await self._wait_for(None, seconds)

    async def _wait_for(self, answer: asyncio.Future[JsonObject] | None, seconds: float | None) -> None:
        """Wait for the time, for an answer, or for the end of the call. Raises EndedError."""
        ends = [asyncio.ensure_future(event.wait()) for event in (self.cancelled, self.wire.gone)]
        waited: list[asyncio.Future[Any]] = [*ends, *([] if answer is None else [answer])]
        try:
            await asyncio.wait(waited, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for end in ends:
                end.cancel()
        if self.cancelled.is_set() or self.wire.gone.is_set():
            raise EndedError

    async def _send(self, message: JsonObject) -> None:
        if not self.wire.streaming:
            await self.wire.open_stream()
        await self.wire.event(exact.dumps({"jsonrpc": "2.0", **message}))

    async def progress(self, done: int, total: int | None, text: str) -> None:
        """Tell progress, where the request asked for it with a progressToken."""
        token: Raw | None = self.message.token
        if token is None:
            return
        params: JsonObject = {"progressToken": token, "progress": done}
        if total is not None:
            params["total"] = total
        await self._send({"method": "notifications/progress", "params": {**params, "message": text}})

    async def log(self, text: str) -> None:
        """A log line at level info, where the client wants one (2026-07-28: only if `_meta` names a logLevel)."""
        if self.context.wants_log("info"):
            params = {"level": "info", "logger": "olv-demo", "data": text}
            await self._send({"method": "notifications/message", "params": params})

    async def ask(self, params: JsonObject) -> JsonObject:
        """Send elicitation/create on the stream and wait for the response that a separate POST brings.

        Returns the response message. The call must be in a session. Raises EndedError.
        """
        session = self.context.session
        assert session is not None
        answer: asyncio.Future[JsonObject] = asyncio.get_running_loop().create_future()
        session.questions[self.question_id] = answer
        try:
            await self._send({"id": self.question_id, "method": "elicitation/create", "params": params})
            await self._wait_for(answer, None)
        finally:
            del session.questions[self.question_id]
        return answer.result()
