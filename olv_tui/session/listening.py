"""Listening to what a server says of itself: the standalone stream, kept open beside the calls.

Rules of this file (2025-11-25 basic/transports "Listening for Messages from the Server"; 2026-07-28 basic/patterns
"Subscriptions"):

* Legacy: a GET whose requests are answered; 405 says that there is none. Modern: `subscriptions/listen`, whose
  first message has to be the acknowledgement. Bare: nothing is listened to, nobody agreed on anything.
* Each stream is an exchange in the history, marked automatic. It ends after an hour, and after `STREAM_BYTES` or
  `STREAM_FRAMES`; then the next one begins, a legacy one after the last event id. So one stream's worth is held
  in memory at most, however long the session is.
* A server that fills `_FULL` streams, ends `_SHORT` in succession without a word, or `_MOST` in all, is listened
  to no more; that is said aloud. What it refuses (any answer but an event stream) is not asked for again.
* What cannot be bounded here is one event that never ends: it is in memory until its stream is ended.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from olv_tui import jsonrpc, jsontext
from olv_tui.model import Era, Exchange, Frame, Object, Outgoing, Value, Verdict
from olv_tui.session.asked import Asked
from olv_tui.session.reading import brief
from olv_tui.session.resume import DEFAULT_RETRY, LONGEST_RETRY
from olv_tui.session.wire import Wire, is_set_within

STREAM_BYTES = 1_000_000
STREAM_FRAMES = 2_000

EVERYTHING = '{"toolsListChanged":true,"promptsListChanged":true,"resourcesListChanged":true}'
"""The notifications that a modern server is asked for, as JSON text."""

_SECONDS = 3600.0
_SILENCE = 1.0  # Seconds. A legacy stream has no first word: one that is not refused by then counts as open.
_FULL = 32
_SHORT = 6
_MOST = 1000
_LEAST_RETRY = 0.1  # Seconds, also for a server that names 0.
_LONG = 10.0  # Seconds from which a stream without a message was not in vain.

_ACKNOWLEDGED = "notifications/subscriptions/acknowledged"
_SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"
_WANTED_BY = {
    "notifications/tools/list_changed": "toolsListChanged",
    "notifications/prompts/list_changed": "promptsListChanged",
    "notifications/resources/list_changed": "resourcesListChanged",
    "notifications/resources/updated": "resourceSubscriptions",
}


class Listening:
    """The one stream that a session listens to, and the task that keeps it open."""

    def __init__(self, wire: Wire, asked: Asked) -> None:
        self._wire = wire
        self._asked = asked
        self._filter = EVERYTHING
        self._task: asyncio.Task[Exchange] | None = None
        self._open = asyncio.Event()
        self._end = asyncio.Event()
        self._closing = False
        self._cursor: str | None = None
        self._told: set[str] = set()

    @property
    def is_active(self) -> bool:
        """Whether the server is listened to now."""
        return self._task is not None and not self._task.done()

    async def start(self, wanted: str, cancel: asyncio.Event | None) -> Exchange | None:
        """Open the stream. None where it is open, else the exchange that says why not."""
        if self._wire.era is Era.BARE or self.is_active:
            return None
        self._filter, self._closing = wanted, False
        self._open.clear()
        self._begin()
        assert self._task is not None
        seconds = _SILENCE if self._wire.era is Era.LEGACY else self._wire.target.timeout
        stops = [asyncio.ensure_future(event.wait()) for event in (self._open, cancel) if event is not None]
        try:
            await asyncio.wait([self._task, *stops], timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for stop in stops:
                stop.cancel()
        if cancel is not None and cancel.is_set():
            await self.stop()
        if self._task.done():
            return self._task.result()
        if not self._open.is_set() and self._wire.era is Era.MODERN:
            self._fault("The server has not acknowledged the subscription")
        self._open.set()
        return None

    def again(self) -> None:
        """Open the stream anew where it was open and ended, such as with the session that it was part of."""
        if self._task is not None and self._task.done() and self._open.is_set() and not self._closing:
            self._cursor = None
            self._begin()

    async def stop(self) -> None:
        """End the stream; its exchange is in the history when this returns."""
        self._closing = True
        self._end.set()
        if self._task is not None:
            await asyncio.gather(self._task, return_exceptions=True)

    def _begin(self) -> None:
        self._end = asyncio.Event()
        self._task = asyncio.create_task(self._run())

    async def _run(self) -> Exchange:
        """Stream after stream; the exchange that was the last."""
        clock = asyncio.get_running_loop().time
        full = short = streams = 0
        while True:
            stream = Stream(self._asked, self._end, self._open)
            began = clock()
            exchange = await self._one(stream)
            self._cursor = stream.cursor or self._cursor
            if self._closing:
                return exchange
            if not self._goes_on(exchange):
                if self._open.is_set():
                    self._wire.tell(f"The server ended the stream that it was listened to on ({brief(exchange)}).")
                return exchange
            streams += 1
            full += stream.is_full
            short = 0 if stream.heard or clock() - began > _LONG else short + 1
            if full >= _FULL or short >= _SHORT or streams >= _MOST:
                why = "says too much" if full >= _FULL else "ends the stream again and again"
                self._wire.tell(f"The server {why}: it is not listened to any more.")
                return exchange
            self._end.clear()
            if await is_set_within(self._end, min(stream.retry * 2**short, LONGEST_RETRY)):
                return exchange

    async def _one(self, stream: Stream) -> Exchange:
        """One stream to its end."""
        wire = self._wire
        if wire.era is Era.LEGACY:
            return await wire.get(wire.stream_request(self._cursor), _SECONDS, stream.legacy, self._end)
        body = wire.body("subscriptions/listen", f'{{"notifications":{self._filter}}}', wire.next_id())
        stream.expects = Subscription(jsonrpc.read_request(body), jsontext.loads(self._filter), self._fault)
        return await wire.exchange(body, automatic=True, seconds=_SECONDS, on_frame=stream.modern, cancel=self._end)

    def _fault(self, sentence: str) -> None:
        if sentence not in self._told:
            self._told.add(sentence)
            self._wire.tell(f"{sentence} (M08).")

    def _goes_on(self, exchange: Exchange) -> bool:
        """Whether another stream is to follow this one: it was one, and the server has not ended it for good."""
        response = exchange.reply.response if exchange.reply else None
        if response is None:
            return self._open.is_set()
        if response.status != 200 or response.media_type != "text/event-stream":
            return False
        return exchange.verdict not in (Verdict.RESULT, Verdict.RPC_ERROR)


class Stream:
    """What came on one stream; sets `end` when it is as much as is kept of one, and `opened` at the first word."""

    def __init__(self, asked: Asked, end: asyncio.Event, opened: asyncio.Event) -> None:
        self.cursor: str | None = None
        self.retry = DEFAULT_RETRY
        self.heard = False
        self.is_full = False
        self.expects: Subscription | None = None
        self._hear = asked.hearing(None)
        self._end = end
        self._opened = opened
        self._bytes = 0
        self._frames = 0

    def legacy(self, frame: Frame) -> bool:
        """Take a frame of a GET; the stream has no last one."""
        self._opened.set()
        self._take(frame)
        return False

    def modern(self, frame: Frame) -> None:
        """Take a frame of a subscription, which is open with its first message."""
        if frame.data and self.expects is not None:
            self._opened.set()
            self.expects.check(frame.data)
        self._take(frame)

    def _take(self, frame: Frame) -> None:
        self._bytes += len(frame.raw)
        self._frames += 1
        self.heard = self.heard or bool(frame.data)
        self.cursor = frame.id or self.cursor
        if frame.retry is not None:
            self.retry = max(frame.retry / 1000, _LEAST_RETRY)
        self._hear(frame)
        if self._bytes > STREAM_BYTES or self._frames > STREAM_FRAMES:
            self.is_full = True
            self._end.set()


class Subscription:
    """Holds the messages of a subscription against what was agreed on (rule M08); `fault` is told each fault."""

    def __init__(self, outgoing: Outgoing, wanted: Value, fault: Callable[[str], None]) -> None:
        self._fault = fault
        self._id = outgoing.id.text if outgoing.id is not None else ""
        self._granted = wanted if isinstance(wanted, Object) else Object()
        self._first = True

    def check(self, data: str) -> None:
        """One message: the first acknowledges, all name the subscription, none is of a type not asked for."""
        message = jsontext.parse(data.encode("utf-8", "surrogatepass")).value
        if not isinstance(message, Object) or "method" not in message:
            return
        params, method = message.get("params"), message["method"]
        if not isinstance(params, Object):
            params = Object()
        if self._first:
            self._first = False
            if method != _ACKNOWLEDGED:
                self._fault("The first message of the subscription is not its acknowledgement")
            granted = params.get("notifications")
            if isinstance(granted, Object):
                self._granted = granted
        meta = params.get("_meta")
        named = meta.get(_SUBSCRIPTION) if isinstance(meta, Object) else None
        if jsontext.dumps(named) != self._id:
            self._fault("A message of the subscription does not name it")
        wanted = _WANTED_BY.get(method) if isinstance(method, str) else None
        if wanted is not None and not self._granted.get(wanted):
            self._fault(f"{method} came on the subscription and was not agreed on")
