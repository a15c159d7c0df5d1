"""What a server asks of us while it answers: pings, elicitation, sampling, roots (2025-03-26 to 2025-11-25).

Rules of this file (2025-11-25 basic/transports "Sending Messages", basic/utilities/ping, client/elicitation):

* A request of the server comes on a stream; its answer is a POST of its own, and each one is in the history.
* ping is answered with an empty result. What `answer` gives a result for is answered with it. All else is
  refused with -32601, since the capability was not declared.
* In the modern era a server may not ask on a stream: nothing is sent, the finding C06 names it. In the bare era
  nobody agreed on anything: nothing is sent either.
* Ids of the two directions are independent: the server's id goes back exactly as it came.
* At most `MOST` requests are answered at a time. What a server asks beyond that stays unanswered, said aloud once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TypeAlias

from olv_tui import jsontext
from olv_tui.courtesy import aside
from olv_tui.model import Era, Frame, Object, Value
from olv_tui.session.values import FrameHook
from olv_tui.session.wire import Wire

Answer: TypeAlias = Callable[[str, Object], Awaitable[str | None]]
"""Gives the result, as JSON text, for a method and its params; None where it has none."""

Listener: TypeAlias = Callable[[Object], None]
"""Hears every message of the server that is no response: notifications and requests."""

MOST = 100
"""Requests of a server that are answered at a time: each of them is an exchange, in the history and on the wire."""


class Asked:
    """Hears the messages of streams and answers the requests among them."""

    def __init__(self, wire: Wire) -> None:
        self.answer: Answer | None = None
        self.listener: Listener | None = None
        self._wire = wire
        self._under_way: set[asyncio.Task[None]] = set()
        self._too_many = False

    def hearing(self, on_frame: FrameHook | None) -> FrameHook:
        """A frame hook that hears what the server says, and passes each frame on."""

        def hook(frame: Frame) -> None:
            if on_frame is not None:
                on_frame(frame)
            # The answer itself is the big one, and it has no method: it is not parsed here again.
            if frame.data and '"method"' in frame.data:
                if len(frame.data) > jsontext.late.LARGE:
                    self._keep(asyncio.create_task(self._hear_late(frame.data)))
                else:
                    self._hear(_read(frame.data))

        return hook

    async def _hear_late(self, data: str) -> None:
        self._hear(await aside(partial(_read, data)))

    def _hear(self, message: Value) -> None:
        if isinstance(message, Object) and isinstance(message.get("method"), str):
            self._heard(message)

    def _heard(self, message: Object) -> None:
        if self.listener is not None:
            self.listener(message)
        if "id" in message and self._wire.era is Era.LEGACY:
            if len(self._under_way) >= MOST:
                if not self._too_many:
                    self._wire.tell(f"The server asks over {MOST} things at once; the rest is not answered.")
                self._too_many = True
                return
            self._keep(asyncio.create_task(self._reply(message)))

    def _keep(self, task: asyncio.Task[None]) -> None:
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)

    async def _reply(self, message: Object) -> None:
        method, params = message["method"], message.get("params")
        result: str | None = "{}" if method == "ping" else None
        if result is None and self.answer is not None:
            result = await self.answer(str(method), params if isinstance(params, Object) else Object())
        await self._wire.exchange(_response(message["id"], str(method), result), automatic=True)

    async def finish(self) -> None:
        """Wait until what was asked is answered."""
        while self._under_way:
            await asyncio.gather(*self._under_way, return_exceptions=True)

    def stop(self) -> None:
        """Leave the rest unanswered."""
        for task in self._under_way:
            task.cancel()


def _read(data: str) -> Value:
    return jsontext.parse(data.encode("utf-8", "surrogatepass")).value


def _response(request_id: Value, method: str, result: str | None) -> bytes:
    """The response to a request of the server: its result, or that the method is not offered here."""
    if result is None:
        message = jsontext.dumps(f"Method not found: this client does not offer {method}")
        outcome = f'"error":{{"code":-32601,"message":{message}}}'
    else:
        outcome = f'"result":{result}'
    return f'{{"jsonrpc":"2.0","id":{jsontext.dumps(request_id)},{outcome}}}'.encode()
