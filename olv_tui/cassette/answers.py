"""A recorded answer as bytes and times: what a player puts on the connection.

Rules of this file:

* Bytes go out as they came, content coding included. Changed is only what has to be: the id and the progress token
  of the request that is answered now, masks in headers (a mask is no header value that may be sent), and with these
  the length that is promised.
* A body that can no more be coded as it was, since a secret in it was masked, goes out without its coding.
* Failures are played as failures: a reset, a hang-up, a cut body, silence.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from olv_tui.cassette.keys import Ids
from olv_tui.model import Exchange, Frame, Header, Reply, WireResponse
from olv_tui.redact import MASK
from olv_tui.reports.values import raw, shown
from olv_tui.transport.coding import CodingError, Decoder, codings
from olv_tui.transport.keeping import CAP

End: TypeAlias = Literal["keep", "close", "reset", "hold"]
"""What comes after the last byte: the connection is kept, closed, reset, or held open until the client goes."""

Piece: TypeAlias = tuple[float, bytes]
"""Milliseconds after the request, and bytes."""

_GZIP = 31
_STEPS = 20_000
"""Looks at a coded stream for where its events end: byte by byte where it is no longer than this."""
_BODILESS = (204, 304)


@dataclass(frozen=True, slots=True)
class Play:
    """What is sent, when, and how it ends."""

    pieces: tuple[Piece, ...]
    end: End


def play_of(exchange: Exchange, request: bytes) -> Play | None:
    """How a recorded exchange is played to a request with this body; None where its failure cannot be played."""
    reply = exchange.reply or Reply()
    kind = reply.error.kind if reply.error else ""
    if reply.response is None:
        return _without_head(kind, is_held=reply.cancelled or not kind)
    return _Answer(exchange, reply.response, kind, Ids.between(exchange.request.body, request)).play()


def _without_head(kind: str, *, is_held: bool) -> Play | None:
    match kind:
        case "closed":
            return Play((), "close")
        case "reset":
            return Play((), "reset")
        case "truncated":
            return Play(((0.0, b"HTTP/1.1 2"),), "close")
        case "framing":
            return Play(((0.0, b"This is no HTTP, and what was recorded was none either.\r\n\r\n"),), "close")
        case "timeout":
            return Play((), "hold")
        case _:
            return Play((), "hold") if is_held else None


class _Answer:
    """A recorded answer being made into bytes."""

    def __init__(self, exchange: Exchange, response: WireResponse, kind: str, ids: Ids) -> None:
        self._reply = exchange.reply or Reply()
        self._response = response
        # A body that could not be decoded came whole all the same.
        self._is_undecodable = kind == "coding"
        # A body of which only the beginning was recorded is played as one that breaks off there.
        self._kind = "" if self._is_undecodable else kind or ("truncated" if response.spill else "")
        self._ids = ids
        self._drops_coding = False

    def play(self) -> Play:
        """The answer from its status line to its end."""
        response, timing = self._response, self._reply.timing
        pieces = list(self._body())
        size = sum(len(data) for _, data in pieces)
        headers = tuple(self._headers(size))
        is_chunked = "chunked" in (_value(headers, "transfer-encoding") or "").lower()
        if is_chunked:
            pieces = [(at, b"%x\r\n%b\r\n" % (len(data), data)) for at, data in pieces if data]
        last = pieces[-1][0] if pieces else timing.total_ms or 0.0
        first = timing.first_byte_ms if timing.first_byte_ms is not None else last
        end = self._end(headers, is_chunked=is_chunked)
        tail = b"0\r\n\r\n" if is_chunked and end in ("keep", "close") and not self._kind else b""
        if self._kind == "framing":
            tail = b"no chunk\r\n"
        whole = [(min([first, *(at for at, _ in pieces)]), self._head(headers)), *pieces]
        whole.append((max(last, timing.total_ms or 0.0) if tail else last, tail + response.surplus))
        return Play(tuple(_joined(whole)), end)

    def _end(self, headers: Sequence[Header], *, is_chunked: bool) -> End:
        if self._kind == "timeout" or self._reply.cancelled:
            return "hold"
        if self._kind == "reset":
            return "reset"
        is_open = (
            not is_chunked and _value(headers, "content-length") is None and self._response.status not in _BODILESS
        )
        closes = "close" in (_value(headers, "connection") or "").lower() or self._response.http_version == "1.0"
        return "close" if self._kind or is_open or closes or self._response.surplus else "keep"

    # ----------------------------------------------------------------------- head

    def _head(self, headers: Sequence[Header]) -> bytes:
        response = self._response
        version = response.http_version if response.http_version in ("1.0", "1.1") else "1.1"
        told = [f"HTTP/{version} {response.status} {_plain(response.reason)}"]
        told += [f"{name}: {_plain(value)}" for name, value in headers]
        return ("\r\n".join(told) + "\r\n\r\n").encode("utf-8", "replace")

    def _headers(self, size: int) -> Iterator[Header]:
        """The recorded headers; with a length that is right again, where it was right."""
        is_short = self._kind in ("truncated", "reset", "timeout") or self._reply.cancelled
        is_framed = False
        for name, value in self._response.headers:
            plain = name.lower()
            if plain.startswith(":") or (plain == "content-encoding" and self._drops_coding):
                continue
            is_framed = is_framed or plain in ("content-length", "transfer-encoding")
            if plain == "content-length" and self._response.status not in _BODILESS:
                yield name, str(max(size + 1, _number(value)) if is_short else size)
            else:
                yield name, value
        if not is_framed and self._response.http_version not in ("1.0", "1.1", "1"):
            yield "Content-Length", str(size)  # later versions frame without a header

    # ----------------------------------------------------------------------- body

    def _body(self) -> Iterator[Piece]:
        """The body in pieces, coded as it was."""
        response = self._response
        names = codings(response.headers)
        if names and response.wire is None:
            self._drops_coding, names = True, ()
        if names and self._is_undecodable:
            yield self._total(), response.wire or b""
            return
        plain = list(self._plain_pieces())
        is_same = b"".join(data for _, data in plain) == response.body
        if not names:
            yield from plain
        elif is_same and response.wire is not None:
            yield from _timed(response.wire, names, response.frames, self._total())
        else:
            coded = _coded(plain, names)
            yield from coded if coded is not None else [(self._total(), response.wire or b"")]

    def _plain_pieces(self) -> Iterator[Piece]:
        """The body without its coding, with the present ids."""
        body, frames = self._response.body, self._response.frames
        if not frames:
            yield self._total(), _text_put(body, self._ids)
            return
        at, done = 0.0, 0
        for frame in frames:
            at = max(at, frame.at_ms)
            yield at, _frame_put(frame, self._ids)
            done += len(frame.raw)
        if done < len(body):
            yield at, body[done:]

    def _total(self) -> float:
        timing = self._reply.timing
        return timing.total_ms or timing.first_byte_ms or 0.0


def _text_put(body: bytes, ids: Ids) -> bytes:
    if ids.is_empty:
        return body
    text = shown(body)
    put = ids.put(text)
    return body if put is text else raw(put)


def _frame_put(frame: Frame, ids: Ids) -> bytes:
    """The bytes of a frame with the present ids in its data, which may stand in several lines."""
    if ids.is_empty or not frame.data:
        return frame.raw
    put = ids.put(frame.data)
    if put is frame.data:
        return frame.raw
    done, rest = b"", frame.raw
    for old, new in zip(frame.data.split("\n"), put.split("\n"), strict=False):
        before, found, after = rest.partition(raw(old))
        if not found:
            return frame.raw
        done, rest = done + before + raw(new), after
    return done + rest


# --------------------------------------------------------------------------- codings


def _timed(wire: bytes, names: tuple[str, ...], frames: tuple[Frame, ...], total: float) -> Iterator[Piece]:
    """Coded bytes in pieces: each as early as the frame that it completes."""
    if not frames:
        yield total, wire
        return
    decoder = Decoder(names, max(sum(len(frame.raw) for frame in frames), CAP))
    came, stop, number = 0, len(frames[0].raw), 0
    start, step = 0, len(wire) // _STEPS + 1
    for at in range(0, len(wire), step):
        try:
            came += sum(map(len, decoder.feed(wire[at : at + step])))
        except CodingError:
            break
        if came < stop:
            continue
        end = at + step
        yield frames[number].at_ms, wire[start:end]
        start = end
        while came >= stop and number < len(frames) - 1:
            number += 1
            stop += len(frames[number].raw)
        if came >= stop:
            break
    if start < len(wire):
        yield total, wire[start:]


def _coded(pieces: list[Piece], names: tuple[str, ...]) -> list[Piece] | None:
    """Pieces under their codings, each flushed so that it can be undone as it comes; None for one not known here."""
    for name in names:
        if name not in ("gzip", "x-gzip", "deflate"):
            return None
        maker = zlib.compressobj(wbits=zlib.MAX_WBITS if name == "deflate" else _GZIP)
        pieces = [(at, maker.compress(data) + maker.flush(zlib.Z_SYNC_FLUSH)) for at, data in pieces]
        at = pieces[-1][0] if pieces else 0.0
        pieces.append((at, maker.flush()))
    return pieces


# --------------------------------------------------------------------------- small parts


def _joined(pieces: list[Piece]) -> Iterator[Piece]:
    """Pieces of one time as one, times never going back."""
    at, held = 0.0, b""
    for time, data in pieces:
        if held and time > at:
            yield at, held
            held = b""
        at, held = max(at, time), held + data
    if held:
        yield at, held


def _value(headers: Sequence[Header], name: str) -> str | None:
    return next((value for key, value in headers if key.lower() == name), None)


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else 0


def _plain(text: str) -> str:
    """A header value that may be sent: masks as plain words, no control characters."""
    text = MASK.sub(lambda mask: f"hidden-{mask[0][8:14]}", text)
    return "".join(char if char >= " " or char == "\t" else " " for char in text)
