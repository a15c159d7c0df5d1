"""Where a finding stands in the bytes that came.

Rules of this file:

* It gives bytes of the body as it is shown raw, never of an indented form. What cannot be placed exactly is led to
  the nearest thing that holds it: the object in which a member is missing, the event of the stream.
* Places count in what the server sent. Where a secret was masked before them, byte offsets may be off by that.
"""

from __future__ import annotations

import re

from olv_tui import jsontext
from olv_tui.model import Exchange, Frame, Violation

_TOKEN = re.compile(rb'"(?:[^"\\]|\\.){0,2000}"|[-+.\w]+|.', re.DOTALL)
_LINE = re.compile(rb"([^\r\n]*)(?:\r\n|\r|\n|\Z)")
_BOM = b"\xef\xbb\xbf"


def byte_range(exchange: Exchange, violation: Violation) -> tuple[int, int] | None:
    """The (start, end) bytes of the body that a finding is about.

    None where it is about no place in the body: a status, a header, an answer that is missing. Takes a while for a
    large body: not on the event loop.
    """
    response = exchange.reply.response if exchange.reply else None
    if response is None or not response.body:
        return None
    number = violation.frame
    if number is None and violation.at is not None and exchange.judgement is not None:
        number = exchange.judgement.frame
    if number is None:
        return _within(response.body, violation)
    if not 0 <= number < len(response.frames):
        return None
    at = _frame_start(exchange, number)
    if at is None:
        return None
    start, end = _in_frame(response.frames[number], violation)
    return at + start, at + end


def in_body(exchange: Exchange, number: int | None, place: tuple[int, int]) -> tuple[int, int] | None:
    """The bytes of the body for bytes of the message, which is the data of an event where `number` names one."""
    response = exchange.reply.response if exchange.reply else None
    if number is None or response is None:
        return place
    at = _frame_start(exchange, number)
    if at is None:
        return None
    lines = _data_lines(response.frames[number].raw)
    return (at + _in_raw(lines, place[0]), at + _in_raw(lines, place[1] - 1) + 1) if lines else None


def source_offset(exchange: Exchange, number: int | None, offset: int) -> int | None:
    """The byte of the message for a byte of the body; None where that is in no data of its event."""
    response = exchange.reply.response if exchange.reply else None
    if number is None or response is None:
        return offset
    at = _frame_start(exchange, number)
    if at is None:
        return None
    before = 0
    for start, end in _data_lines(response.frames[number].raw):
        if at + start <= offset <= at + end:
            return before + offset - at - start
        before += end - start + 1
    return None


def _frame_start(exchange: Exchange, number: int) -> int | None:
    """The byte of the body at which an event begins."""
    response = exchange.reply.response if exchange.reply else None
    if response is None or not 0 <= number < len(response.frames):
        return None
    at, after = -1, 0
    for frame in response.frames[: number + 1]:
        at = response.body.find(frame.raw, after)
        if at < 0:
            return None
        after = at + len(frame.raw)
    return at


def _within(body: bytes, violation: Violation) -> tuple[int, int] | None:
    """The bytes in a JSON text."""
    if violation.offset is not None:
        start = min(max(violation.offset, 0), len(body) - 1)
        while start > 0 and body[start] & 0xC0 == 0x80:  # not inside a UTF-8 sequence
            start -= 1
        found = _TOKEN.match(body, start)
        end = found.end() if found else start + 1
        while end < len(body) and body[end] & 0xC0 == 0x80:
            end += 1
        return start, end
    return None if violation.at is None else _of_pointer(body, violation.at)


def _of_pointer(body: bytes, pointer: str) -> tuple[int, int]:
    """The bytes of the value at a pointer, else of the nearest value around it, else all of the body."""
    text = jsontext.parse(body).text
    place = jsontext.span(text, pointer)
    while place is None and pointer:
        pointer = pointer.rpartition("/")[0]
        place = jsontext.span(text, pointer)
    if place is None:
        return 0, len(body)
    skipped = len(_BOM) if body.startswith(_BOM) else 0
    start = skipped + len(text[: place[0]].encode("utf-8", "surrogatepass"))
    return start, start + len(text[place[0] : place[1]].encode("utf-8", "surrogatepass"))


def _in_frame(frame: Frame, violation: Violation) -> tuple[int, int]:
    """The bytes of an event: of the place in its data, else all of it without the empty line at its end."""
    whole = (0, len(frame.raw.rstrip(b"\r\n")))
    lines = _data_lines(frame.raw)
    data = b"\n".join(frame.raw[start:end] for start, end in lines)
    if not data:
        return whole
    place = _within(data, violation)
    if place is None:
        return whole
    return _in_raw(lines, place[0]), _in_raw(lines, place[1] - 1) + 1


def _data_lines(raw: bytes) -> list[tuple[int, int]]:
    """Where the values of the data fields stand."""
    found: list[tuple[int, int]] = []
    for line in _LINE.finditer(raw):
        name, colon, value = line[1].partition(b":")
        if name.removeprefix(_BOM) == b"data" and colon:
            found.append((line.end(1) - len(value.removeprefix(b" ")), line.end(1)))
    return found


def _in_raw(lines: list[tuple[int, int]], offset: int) -> int:
    """The byte of the event at an offset in its data, whose lines are joined by one byte each."""
    for start, end in lines:
        if offset <= end - start:
            return start + offset
        offset -= end - start + 1
    return lines[-1][1]
