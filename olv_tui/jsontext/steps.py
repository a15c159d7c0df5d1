"""Large JSON indented in steps: no step holds up other threads, and none is larger than about a megabyte.

Rules of this file:

* msgspec does the work on whole members and on runs of items. Where a run may end is guessed, and proved by msgspec
  (`late.commas`).
* A run stands in as many brackets as it is deep, so its lines come out with their blanks and are never written anew.
* What cannot be cut is done in one step; what is no sound JSON, or deeper than `deep` allows, is left to the caller.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from olv_tui.courtesy import give_way
from olv_tui.jsontext import late
from olv_tui.jsontext.extent import Known, Member, after_space, commas

_MEMBERS = 20_000  # of a level that are told apart


class _Unfit(Exception):  # noqa: N818  a sign between functions
    """This cannot be indented here."""


def indented(
    data: bytes, start: int, end: int, deep: Callable[[bytes], bool], known: Known | None = None
) -> bytes | None:
    """The JSON value from `start` to `end` indented by two; None where `deep` or msgspec refuses a part of it."""
    try:
        return b"".join(_value(data, start, end, 0, deep=deep, known={} if known is None else known))
    except _Unfit:
        return None


def _value(
    data: bytes, start: int, end: int, depth: int, *, deep: Callable[[bytes], bool], known: Known
) -> Iterator[bytes]:
    """A value at a depth, its first line without blanks."""
    first = data[start : start + 1]
    if end - start <= late.STEP:
        yield _wrapped(data[start:end], depth, deep)
    elif first == b"{":
        found = late.members(data, start, end, known, _MEMBERS)
        if found:
            yield from _members(data, found, depth, deep=deep, known=known)
        else:
            yield _wrapped(data[start:end], depth, deep)
    elif first == b"[":
        yield from _items(data, start, end, depth, deep=deep, known=known)
    elif depth:
        yield data[start:end]  # msgspec has taken it for sound as part of what holds it
    else:
        yield _wrapped(data[start:end], depth, deep)


def _members(
    data: bytes, found: list[Member], depth: int, *, deep: Callable[[bytes], bool], known: Known
) -> Iterator[bytes]:
    blanks = b"\n" + b"  " * (depth + 1)
    for number, (_, name, begin, stop) in enumerate(found):
        token = data[name:begin].rstrip(b" \t\r\n:")
        yield (b"," if number else b"{") + blanks + token + b": "
        yield from _value(data, begin, stop, depth + 1, deep=deep, known=known)
    yield b"\n" + b"  " * depth + b"}"


def _items(
    data: bytes, start: int, end: int, depth: int, *, deep: Callable[[bytes], bool], known: Known
) -> Iterator[bytes]:
    """The items of an array in runs; where no run is found, one by one."""
    blanks = b"\n" + b"  " * (depth + 1)
    yield b"["
    at = first = after_space(data, start + 1)
    while end - at > late.STEP:
        found = _run(data, at, end, depth + 1, deep)
        if found is None:
            break
        cut, lines = found
        yield blanks
        yield lines
        yield b","
        at = after_space(data, cut + 1)
    rest = None
    if end - at > late.STEP:
        if at > first:
            data, start, end, at, known = b"[" + data[at:end], 0, end - at + 1, 1, {}
        rest = late.items(data, start, end, known, _MEMBERS)
    if rest is None:
        yield blanks
        yield _wrapped(data[at : end - 1], depth + 1, deep)
    else:
        for number, (begin, stop) in enumerate(rest):
            yield (b"," if number else b"") + blanks
            yield from _value(data, begin, stop, depth + 1, deep=deep, known=known)
    yield b"\n" + b"  " * depth + b"]"


def _run(data: bytes, at: int, end: int, depth: int, deep: Callable[[bytes], bool]) -> tuple[int, bytes] | None:
    """The comma that ends about `late.STEP` bytes of items at a depth, and these indented."""
    for cut in commas(data, at, end):
        try:
            return cut, _wrapped(data[at:cut], depth, deep)
        except _Unfit:
            continue
    return None


def _wrapped(text: bytes, depth: int, deep: Callable[[bytes], bool]) -> bytes:
    """A value, or items with their commas, as they stand in so many brackets; the first line without blanks."""
    import msgspec  # 45 ms that start-up does without

    give_way()
    text = b"[" * depth + text + b"]" * depth
    if deep(text):
        raise _Unfit
    try:
        made = msgspec.json.format(text, indent=2)
    except (msgspec.DecodeError, RecursionError):
        raise _Unfit from None
    if not depth:
        return made
    around = depth * (depth + 1)  # a bracket, a line end and the blanks, for each level
    return made[around + 2 * depth : len(made) - around]
