"""The answer as it grows: head, body with its coding undone, event frames.

Rules of this file:

* Whatever came can be had at any moment as a `WireResponse`; nothing is thrown away on failure.
* Chunks are collected in a list and joined once. A body without a content coding is held once.
* No more is held than `Keeping` allows (keeping.py); of an event stream that goes on beyond it only the frame that
  completes the answer is kept.
* Reading goes on as long as what comes can be kept. Where it cannot, it ends with an error of kind `size`.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from olv_tui.courtesy import aside
from olv_tui.model import Exchange, Outgoing, Reply, TransportError, WireResponse, header
from olv_tui.transport.base import Arrived
from olv_tui.transport.coding import BombError, CodingError, Decoder, codings
from olv_tui.transport.keeping import CAP, Body, Keeping
from olv_tui.transport.sse import SseDecoder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from olv_tui.model import Frame, WireRequest
    from olv_tui.redact import Redactor
    from olv_tui.transport.base import OnFrame, OnProgress
    from olv_tui.transport.tap import Progress

SHOWN = 64 * 1024
"""Bytes of the beginning of a body that are shown while the rest comes."""

_SLICE = 16 * 1024  # Of a coded body, undone at a time: that is 16 MB at most.
_EVENTS = 4 * 1024  # Of a stream of small events, each of which is looked at: 4 ms.
_LARGE = 256 * 1024  # An event of so many bytes is read beside the event loop.

TELL_EVERY = 0.1
"""Seconds between two reports of progress, and before the first."""


def text_of(raw: bytes) -> str:
    """A header value or reason as text: UTF-8 where it is that, else Latin-1, which always works."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


class Incoming:
    """Collects one answer to `request`."""

    def __init__(
        self,
        progress: Progress,
        on_frame: OnFrame | None,
        on_progress: OnProgress | None = None,
        *,
        request: WireRequest,
        keeping: Keeping,
    ) -> None:
        self.surplus = b""
        self.ended = False  # whether the body ended as HTTP says it should
        self.error: TransportError | None = None
        self._progress = progress
        self._on_frame = on_frame
        self._request = request
        self._keeping = keeping
        self._head: WireResponse | None = None
        self._decoder: Decoder | None = None
        self._wire = Body(_wider(keeping), spills=False)
        self._body = Body(keeping, self._redactor)
        self._as_came = False  # whether the coding cannot be undone at all: the body is what travelled
        self._sse: SseDecoder | None = None
        self._frames: list[Frame] = []
        self._reports = None if on_progress is None else _Reports(on_progress, self.arrived)

    @property
    def started(self) -> bool:
        """True once the head is there."""
        return self._head is not None

    @property
    def is_coded(self) -> bool:
        """Whether the body has a coding that is undone here."""
        return self._decoder is not None and not self._as_came

    @property
    def step(self) -> int:
        """Bytes that are taken at a time, so that others have their turn; 0 for all there are."""
        if self.is_coded:
            return _SLICE
        return _EVENTS if self._sse is not None and self._sse.pending < _EVENTS else 0

    @property
    def size(self) -> int:
        """Bytes of the body so far, as they travelled."""
        return self._wire.size if self.is_coded else self._body.size

    def start(self, status: int, reason: bytes, version: bytes, headers: Iterable[tuple[bytes, bytes]]) -> None:
        """Take the head."""
        head = WireResponse(
            status=status,
            reason=text_of(reason),
            headers=tuple((text_of(name), text_of(value)) for name, value in headers),
            http_version=text_of(version).removeprefix("HTTP/"),
        )
        self._head = head
        self._body.media_type = head.media_type
        if names := codings(head.headers):
            self._decoder = Decoder(names, self._keeping.cap or CAP)
            self._as_came = self._decoder.problem is not None
        if head.media_type == "text/event-stream":
            self._sse = SseDecoder()
        elif self._reports is not None:
            self._reports.due()

    async def take(self, chunk: bytes) -> bool:
        """Take a piece of the body; True where the rest need not be waited for."""
        if self._reports is not None and self._sse is None:
            self._reports.due()
        decoder = self._decoder
        if decoder is None:
            return await self._add(chunk)
        if self._as_came:
            if self.error is None:
                self.error = TransportError("coding", decoder.problem or "")
            self._body.add(chunk)
            return self._is_given_up()
        self._wire.add(chunk)
        if self._wire.is_over and not self._body.is_over:
            # Codings may hold bytes that stand for nothing, without end.
            told = f"The body was given up after {self._wire.size:,} bytes, of which {self._body.size:,} came"
            self.error = self.error or TransportError("size", f"{told} when its content coding was undone.")
            return True
        answered = False
        if self.error is None:
            try:
                for piece in decoder.feed(chunk):
                    answered = await self._add(piece) or answered
                    if self._body.problem:
                        break
            except CodingError as error:
                self._fail(error)
        return self._is_given_up() or answered

    def finish(self) -> None:
        """No more will come."""
        if self._reports is not None:
            self._reports.stop()
        if self.is_coded and self._decoder is not None and self.ended and self.error is None:
            try:
                self._decoder.finish()
            except CodingError as error:
                self.error = TransportError("coding", str(error))
        if self._sse is not None:
            self._frames += self._sse.end(self._progress.at_ms())
        self._body.close()
        if self._body.problem and self.error is None:
            self._too_large()

    def response(self) -> WireResponse | None:
        """Everything so far, None where no head came."""
        head = self._head
        if head is None:
            return None
        body = self._body.kept()
        coded = self._decoder is not None
        return replace(
            head,
            body=body,
            coding=", ".join(codings(head.headers)) if coded else None,
            wire=None if not coded else body if self._as_came else self._wire.kept(),
            frames=tuple(self._frames),
            surplus=self.surplus,
            spill=self._body.spill(),
        )

    def arrived(self) -> Arrived | None:
        """How far it is, None where no head came."""
        if self._head is None:
            return None
        promised = header(self._head.headers, "content-length") or ""
        total = int(promised) if promised.isascii() and promised.isdigit() and len(promised) < 20 else None
        return Arrived(replace(self._head, body=self._body.beginning(SHOWN)), self.size, total)

    async def _add(self, piece: bytes) -> bool:
        """Take a piece of the body with its coding undone; True where the rest need not be waited for."""
        if not piece:
            return False
        self._body.add(piece)
        if self._body.problem:
            self._too_large()
            return True
        if self._sse is None:
            return False
        answered = False
        at_ms = self._progress.at_ms()
        if self._sse.pending > _LARGE and b"\n" in piece:  # it may end there, and then all of it is decoded
            frames = await aside(partial(self._sse.feed, piece, at_ms), lasts=True)
        else:
            frames = self._sse.feed(piece, at_ms)
        for frame in frames:
            done = False if self._on_frame is None else self._on_frame(frame)
            if not isinstance(done, bool):
                done = await done
            answered = answered or done
            if done or not self._body.is_over:
                self._frames.append(frame)
        if self._body.is_over and self._sse.pending > self._keeping.cap:
            self._sse = None  # One event that is larger than anything is kept: it goes into the file unread.
        return answered

    def _is_given_up(self) -> bool:
        """Whether reading on is of no use. A stream that cannot be read may never end, and never shows its answer."""
        if self.error is None:
            return False
        is_stream = self._head is not None and self._head.media_type == "text/event-stream"
        return is_stream or self.error.kind == "size" or bool(self._body.problem)

    def _fail(self, error: CodingError) -> None:
        self.error = TransportError("size" if isinstance(error, BombError) else "coding", str(error))
        if isinstance(error, BombError):
            self._body.problem = "it was given up, as it grows without measure"
        if not self._body.size:
            # A body that is only labelled as coded is shown as it came.
            self._as_came = True
            self._body.add(self._wire.kept())

    def _too_large(self) -> None:
        body = self._body
        told = f"The body was read up to {body.size:,} bytes and given up: it is larger than the {self._keeping.cap:,}"
        self.error = TransportError("size", f"{told} that are kept in memory, and {body.problem}.")

    def _redactor(self) -> Redactor | None:
        """What knows the secrets of this very exchange as well: its own headers, a session id that came."""
        redactor, request = self._keeping.redactor, self._request
        if redactor is None:
            return None
        exchange = Exchange(0, request.url, Outgoing("raw"), request, "", reply=Reply(self._head))
        return redactor.knowing(exchange)


def _wider(keeping: Keeping) -> Keeping:
    """The cap for a body as it travelled, which is a little larger than its content where that cannot be squeezed."""
    return keeping.capped(keeping.cap + keeping.cap // 8 + 65_536 if keeping.cap else 0)


class _Reports:
    """Tells how far an answer is: after `TELL_EVERY` seconds at the earliest, and then not before as many again."""

    def __init__(self, tell: OnProgress, look: Callable[[], Arrived | None]) -> None:
        self._tell = tell
        self._look = look
        self._timer: asyncio.TimerHandle | None = None

    def due(self) -> None:
        """Something came: tell it before long."""
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(TELL_EVERY, self._fire)

    def stop(self) -> None:
        """Tell nothing more."""
        if self._timer is not None:
            self._timer.cancel()

    def _fire(self) -> None:
        self._timer = None
        arrived = self._look()
        if arrived is not None:
            self._tell(arrived)
