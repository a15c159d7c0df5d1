"""The answer as it grows: head, body with its coding undone, event frames.

Rules of this file:

* Whatever came can be had at any moment as a `WireResponse`; nothing is thrown away on failure.
* Chunks are collected in a list and joined once. A body without a content coding is held once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from olv_tui.model import TransportError, WireResponse
from olv_tui.transport.coding import CodingError, Decoder, codings
from olv_tui.transport.sse import SseDecoder

if TYPE_CHECKING:
    from collections.abc import Iterable

    from olv_tui.model import Frame
    from olv_tui.transport.base import OnFrame
    from olv_tui.transport.tap import Progress


def text_of(raw: bytes) -> str:
    """A header value or reason as text: UTF-8 where it is that, else Latin-1, which always works."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


class Incoming:
    """Collects one answer."""

    def __init__(self, progress: Progress, on_frame: OnFrame | None) -> None:
        self.surplus = b""
        self.ended = False  # whether the body ended as HTTP says it should
        self.error: TransportError | None = None
        self._progress = progress
        self._on_frame = on_frame
        self._head: WireResponse | None = None
        self._decoder: Decoder | None = None
        self._wire: list[bytes] = []
        self._body: list[bytes] = []
        self._sse: SseDecoder | None = None
        self._frames: list[Frame] = []

    @property
    def started(self) -> bool:
        """True once the head is there."""
        return self._head is not None

    @property
    def size(self) -> int:
        """Bytes of the body so far, as they travelled."""
        return sum(map(len, self._body if self._decoder is None else self._wire))

    def start(self, status: int, reason: bytes, version: bytes, headers: Iterable[tuple[bytes, bytes]]) -> None:
        """Take the head."""
        head = WireResponse(
            status=status,
            reason=text_of(reason),
            headers=tuple((text_of(name), text_of(value)) for name, value in headers),
            http_version=text_of(version).removeprefix("HTTP/"),
        )
        self._head = head
        if names := codings(head.headers):
            self._decoder = Decoder(names)
        if head.media_type == "text/event-stream":
            self._sse = SseDecoder()

    def take(self, chunk: bytes) -> bool:
        """Take a piece of the body; True where the rest need not be waited for."""
        if self._decoder is not None:
            self._wire.append(chunk)
            chunk = self._undo(self._decoder, chunk)
            if self.error is not None and self._sse is not None:
                return True  # A stream that cannot be read may never end, and never shows its answer.
        if not chunk:
            return False
        self._body.append(chunk)
        if self._sse is None:
            return False
        answered = False
        for frame in self._sse.feed(chunk, self._progress.at_ms()):
            self._frames.append(frame)
            if self._on_frame is not None and self._on_frame(frame):
                answered = True
        return answered

    def finish(self) -> None:
        """No more will come."""
        if self._decoder is not None and self.ended and self.error is None:
            try:
                self._decoder.finish()
            except CodingError as error:
                self.error = TransportError("coding", str(error))
        if self._sse is not None:
            self._frames += self._sse.end(self._progress.at_ms())

    def response(self) -> WireResponse | None:
        """Everything so far, None where no head came."""
        head = self._head
        if head is None:
            return None
        body = b"".join(self._body)
        coding = wire = None
        if self._decoder is not None:
            coding = ", ".join(codings(head.headers))
            wire = b"".join(self._wire)
            # A body that is only labelled as coded, or coded in an unknown way, is shown as it came.
            body = body if body or self.error is None else wire
        return WireResponse(
            status=head.status,
            reason=head.reason,
            headers=head.headers,
            body=body,
            http_version=head.http_version,
            coding=coding,
            wire=wire,
            frames=tuple(self._frames),
            surplus=self.surplus,
        )

    def _undo(self, decoder: Decoder, chunk: bytes) -> bytes:
        if self.error is not None:
            return b""
        if decoder.problem is not None:
            self.error = TransportError("coding", decoder.problem)
            return b""
        try:
            return decoder.feed(chunk)
        except CodingError as error:
            self.error = TransportError("coding", str(error))
            return b""
