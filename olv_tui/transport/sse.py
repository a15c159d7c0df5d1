"""Server-sent events, decoded as they arrive and kept byte for byte.

Follows WHATWG HTML 9.2.5 and 9.2.6: lines end in LF, CR or CRLF, one leading byte order mark is
dropped, an unfinished event at the end of the stream does not count.

Rules of this file:

* The `raw` of all frames, joined, is every byte that was fed: comments, blank lines and the byte
  order mark included.
* The frames do not depend on where the chunks were cut, only their `at_ms` does.
* Each byte is looked at once, so that one event of many megabytes costs linear time.
"""

from __future__ import annotations

import re

from olv_tui.courtesy import give_way
from olv_tui.model import Frame

_LINE_END = re.compile(rb"[\r\n]")
_NAME = re.compile(rb"([^:]*+): ?")
_BOM = b"\xef\xbb\xbf"
# A retry of more digits is no waiting time; int() refuses to read 4,300 of them.
_RETRY = re.compile(rb"[0-9]{1,15}")


class SseDecoder:
    """Turns the chunks of an event stream into frames."""

    def __init__(self) -> None:
        self._buffer = bytearray()  # the bytes of the block that is not over yet
        self._line = 0  # where its current line begins
        self._seen = 0  # up to where it was searched for line ends
        self._crlf = True  # whether the line before ended in CRLF (or there was none)
        self._after_cr = False  # whether an LF that comes next still belongs to the line before
        self._any_cr = False  # whether there is a CR in what was not searched yet
        self._first = True
        self._clear_fields()

    def feed(self, chunk: bytes, at_ms: float) -> list[Frame]:
        """The frames that `chunk` completes; `at_ms` is their time of arrival."""
        self._buffer += chunk
        # What was not searched yet is this chunk, and before it one CR that was held back at most.
        self._any_cr = b"\r" in chunk or self._buffer.startswith(b"\r", self._seen)
        frames: list[Frame] = []
        while (end := self._next_line_end()) is not None:
            give_way()
            if self._take_line(*end):
                frames.append(self._cut(at_ms))
        return frames

    @property
    def pending(self) -> int:
        """Bytes of the event that is not over yet."""
        return len(self._buffer)

    def end(self, at_ms: float) -> list[Frame]:
        """What is left when the stream is over.

        A block without its blank line comes back with `complete=False` and the fields it has; a rest
        that holds no field (comments, a lone line end) is complete, as nothing was lost with it.
        """
        frames: list[Frame] = []
        size = len(self._buffer)
        held_back = self._buffer.endswith(b"\r") and self._line < size
        if held_back and self._take_line(size - 1, size):
            frames.append(self._cut(at_ms))
        if not self._buffer:
            return frames
        rest = bytes(self._buffer[self._line :])
        self._field(memoryview(rest))
        frames.append(self._cut(at_ms, complete=not (rest or self._has_field)))
        return frames

    def _clear_fields(self) -> None:
        self._event: str | None = None
        self._id: str | None = None
        self._data: list[str] = []
        self._retry: int | None = None
        self._has_field = False

    def _next_line_end(self) -> tuple[int, int] | None:
        """Start and stop of the next line end that is certain, None where more bytes are needed."""
        if self._after_cr and self._buffer:
            # The blank line ended a frame at its CR; its LF, if it has one, opens this frame's bytes.
            self._after_cr = False
            if self._buffer[0] == 0x0A:
                self._line = self._seen = 1
        if self._any_cr:
            match = _LINE_END.search(self._buffer, self._seen)
            start = -1 if match is None else match.start()
        else:
            start = self._buffer.find(b"\n", self._seen)  # a hundred times faster on a line of megabytes
        if start < 0:
            self._seen = len(self._buffer)
            return None
        stop = start + 1
        if self._buffer[start] == 0x0A:
            return start, stop
        # CR alone or CRLF? Where the CR is the last byte, the line can wait for the next one, except a blank
        # line whose line before did not end in CRLF: waiting there would hold back an answer until the server
        # sends something else. It ends at its CR always, and not only at the end of a chunk, so that the same
        # bytes give the same frames.
        if start == self._line and not self._crlf:
            return start, stop
        if stop == len(self._buffer):
            self._seen = start
            return None
        return (start, stop + 1) if self._buffer[stop] == 0x0A else (start, stop)

    def _take_line(self, start: int, stop: int) -> bool:
        """Read the line that ends there; True where it is the blank line that ends a block."""
        with memoryview(self._buffer) as held:  # a line may be of any size: it is decoded where it stands
            blank = self._field(held[self._line : start])
        ending = self._buffer[start:stop]
        self._line = self._seen = stop
        if blank:
            self._after_cr = ending == b"\r" and not self._crlf
        self._crlf = ending == b"\r\n"
        return blank

    def _field(self, line: memoryview) -> bool:
        """Take a line into the block; True where it is blank."""
        if self._first:
            self._first = False
            line = line[len(_BOM) :] if line[: len(_BOM)] == _BOM else line
        if not line:
            return True
        found = _NAME.match(line)
        name = line.tobytes() if found is None else found[1]
        value = line[len(line) if found is None else found.end() :]
        if not name:
            return False
        self._has_field = True
        if name == b"data":
            self._data.append(str(value, "utf-8", "replace"))
        elif name == b"event":
            self._event = str(value, "utf-8", "replace")
        elif name == b"id" and b"\0" not in value.tobytes():
            self._id = str(value, "utf-8", "replace")
        elif name == b"retry" and _RETRY.fullmatch(value):
            self._retry = int(value.tobytes())
        return False

    def _cut(self, at_ms: float, *, complete: bool = True) -> Frame:
        """Everything read so far as a frame; the buffer keeps what follows."""
        stop = self._line if complete and self._line else len(self._buffer)
        frame = Frame(
            raw=self._raw(stop),
            event=self._event,
            id=self._id,
            data="\n".join(self._data) if self._data else None,
            retry=self._retry,
            at_ms=at_ms,
            complete=complete,
        )
        del self._buffer[:stop]
        self._line = self._seen = 0
        self._clear_fields()
        return frame

    def _raw(self, stop: int) -> bytes:
        with memoryview(self._buffer) as held:
            return bytes(held[:stop])
