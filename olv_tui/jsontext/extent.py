"""Where a value of a large JSON text ends: all of it looked at, in steps that hold up no other thread.

Rules of this file:

* msgspec looks, at a gigabyte a second, and lets no other thread run meanwhile: so it is given at most `WINDOW` bytes.
* What ends within a window, it tells by what it says of the text that follows. Of what is larger, strings are cut
  between two characters; runs of items and members at commas that are guessed, and proved: what stands between two of
  them is sound JSON in brackets of its own.
* Nothing is built but the places of the members of large objects (`Known`), for whoever asks for them next.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeAlias

from olv_tui.courtesy import PIECE, give_way
from olv_tui.jsontext.tokens import unquote

WINDOW = 4 * PIECE
"""Bytes that msgspec walks over in one go: 4 ms."""

Member: TypeAlias = tuple[str, int, int, int]
"""Name, place of the name, start and end of the value."""

Known: TypeAlias = dict[int, tuple[int, list[Member] | None]]
"""Of large objects, by their start: their end, and their members where those are few."""

_FIRST = 1 << 12
_HOLDERS = (b"{", b"[", b'"')
_TRIES = 6
_DEEPEST = 100  # large values inside of each other
_ALONE = 64  # items of one array that are looked at by themselves, as no run of them is found
_MANY = 20_000  # members of a level that are told apart
_TRAILING = re.compile(r"trailing characters \(byte (\d+)\)")
KEY = re.compile(rb'[ \t\r\n]*+("[^"\\]*+(?:\\.[^"\\]*+)*+")[ \t\r\n]*+:[ \t\r\n]*+', re.DOTALL)
NEXT = re.compile(rb"[ \t\r\n]*+([,\]}])[ \t\r\n]*+")
SPACE = re.compile(rb"[ \t\r\n]*+")
_PLAIN = re.compile(rb"[-+.0-9A-Za-z]*+")
_BETWEEN = {
    b"{": re.compile(rb"\}[ \t\r\n]*+(,)[ \t\r\n]*+\{"),
    b"[": re.compile(rb"\][ \t\r\n]*+(,)[ \t\r\n]*+\["),
    b'"': re.compile(rb'"[ \t\r\n]*+(,)[ \t\r\n]*+"'),
}
_MEMBERS = re.compile(rb'(,)[ \t\r\n]*+"[^"\\]*+(?:\\.[^"\\]*+)*+"[ \t\r\n]*+:', re.DOTALL)
_COMMA = re.compile(rb"(,)")
_LOW_HALF = re.compile(rb"\\u[dD][c-fC-F]")
_ESCAPE = 12  # bytes of the longest: a pair of surrogates


def after_space(data: bytes, at: int) -> int:
    """The next byte that is no blank."""
    found = SPACE.match(data, at)
    return found.end() if found is not None else at


def value_end(data: bytes, at: int, end: int, known: Known, depth: int = 0) -> int | None:
    """Behind the last byte of the value that begins at `at`; None where none is sound before `end`."""
    first = data[at : at + 1]
    if first not in _HOLDERS:
        plain = _PLAIN.match(data, at, end)
        stop = plain.end() if plain is not None else at
        return stop if stop > at and _is_sound(data[at:stop]) else None
    size = _FIRST
    while size <= WINDOW:
        give_way()
        stop = _before_number(data, at, min(at + size, end), end)
        found = _ends(data, at, stop)
        if found != 0:
            return at + found if found is not None else None
        if stop == end:
            return None
        size *= 16
    if depth > _DEEPEST:
        return None
    match first:
        case b'"':
            return string_end(data, at, end)
        case b"[":
            return _runs_end(data, at, end, known, depth)
    if at not in known:
        members_of(data, at, end, known, depth=depth)
    return known[at][0] if at in known else None


def members_of(
    data: bytes, start: int, end: int, known: Known, *, depth: int = 0, most: int = _MANY
) -> list[Member] | None:
    """The members of the object that begins at `start`, which may be of any size; `known` then has its end.

    None where it is not sound, a name stands twice, or there are more than `most`.
    """
    found: list[Member] = []
    names: set[str] = set()
    at = after_space(data, start + 1)
    if data[at : at + 1] == b"}":
        known[start] = at + 1, found
        return found
    while True:
        key = KEY.match(data, at, end)
        name = None if key is None else _name(key[1])
        stop = None if key is None else value_end(data, key.end(), end, known, depth + 1)
        after = None if stop is None else NEXT.match(data, stop, end)
        if key is None or name is None or stop is None or after is None or after[1] == b"]":
            return None
        found.append((name, key.start(1), key.end(), stop))
        names.add(name)
        if len(found) > most:
            close = _runs_end(data, start, end, known, depth, at=after.end())
            if close is not None:
                known[start] = close, None
            return None
        if after[1] == b"}":
            told = found if len(names) == len(found) else None
            known[start] = after.end(1), told
            return told
        at = after.end()


def _name(token: bytes) -> str | None:
    try:
        return unquote(token.decode("utf-8", "replace"), 0)[0]
    except ValueError:
        return None


def string_end(data: bytes, at: int, end: int) -> int | None:
    """Behind the closing quote of a string."""
    start = at + 1
    while start < end:
        give_way()
        stop = end if end - start <= WINDOW else cut_string(data, start, start + WINDOW)
        if stop <= start:
            return None  # one escape after the other
        # With a quote at its end: half a surrogate pair reads as if more were to come.
        found = _ends(b'"' + data[start:stop] + b'"', 0, stop - start + 2)
        if not found:
            return None
        if found < stop - start + 2:
            return start + found - 1
        start = stop
    return None


def cut_string(data: bytes, start: int, stop: int) -> int:
    """A place at or closely before `stop` that is inside of no escape and no character; `start` where there is none.

    A backslash behind anything else begins an escape. Both halves of a surrogate pair stay together.
    """
    escape = data.rfind(b"\\", max(stop - _ESCAPE, start), stop)
    if escape >= 0:
        stop = start + len(data[start:escape].rstrip(b"\\"))
        if _LOW_HALF.match(data, stop) and stop - start >= _ESCAPE // 2:
            stop -= _ESCAPE // 2
    while stop > start and data[stop] & 0xC0 == 0x80:
        stop -= 1
    return max(stop, start)


def commas(data: bytes, at: int, end: int, step: int = PIECE) -> Iterator[int]:
    """Where about `step` bytes of items may end in an array, from an item on: guesses, the likeliest first.

    One is proved where the bytes up to it are sound JSON in brackets of their own: then it separates two items.
    """
    between = _BETWEEN.get(data[at : at + 1], _COMMA)
    yield from _guesses(between, data, at + step, end)


def _guesses(between: re.Pattern[bytes], data: bytes, place: int, end: int) -> Iterator[int]:
    for _ in range(_TRIES):
        found = between.search(data, place, min(place + PIECE, end))
        if found is None:
            return
        yield found.start(1)
        place = found.end(1)


def _runs_end(data: bytes, start: int, end: int, known: Known, depth: int, *, at: int | None = None) -> int | None:
    """Behind the bracket that closes an array or object, looked at in runs from the item or member at `at` on."""
    opener = data[start : start + 1]
    closer = b"]" if opener == b"[" else b"}"
    at = after_space(data, start + 1) if at is None else at
    first, alone = at, 0
    while alone < _ALONE:
        give_way()
        if at > first and data[at : at + 1] == closer:
            return None  # behind a comma
        cut = None
        if end - at > WINDOW:
            between = _MEMBERS if opener == b"{" else _BETWEEN.get(data[at : at + 1], _COMMA)
            guesses = _guesses(between, data, at + WINDOW, end)
            cut = next((one for one in guesses if _is_sound(opener + data[at:one] + closer)), None)
        if cut is not None:
            at = after_space(data, cut + 1)
            continue
        stop = _before_number(data, at, min(at + WINDOW, end), end)
        found = _ends(opener + data[at:stop], 0, stop - at + 1)
        if found is None:
            return None
        if found:
            return at + found - 1
        alone += 1
        # An item larger than a window, or many between which no comma is found.
        if opener == b"{":
            key = KEY.match(data, at, end)
            if key is None:
                return None
            at = key.end()
        last = value_end(data, at, end, known, depth + 1)
        after = None if last is None else NEXT.match(data, last, end)
        if after is None:
            return None
        if after[1] != b",":
            return after.end(1) if after[1] == closer else None
        at = after.end()
    return None


def _before_number(data: bytes, at: int, stop: int, end: int) -> int:
    """`stop`, or before the number that is cut there: half of one may be none."""
    least = max(at + 1, stop - _FIRST)
    while least < stop < end and data[stop - 1] in b"0123456789+-.eE":
        stop -= 1
    return stop


def _is_sound(text: bytes) -> bool:
    return _ends(text, 0, len(text)) == len(text)


def _ends(data: bytes, at: int, stop: int) -> int | None:
    """How many bytes the value at `at` takes; 0 where it does not end before `stop`, None where it is not sound."""
    import msgspec  # 45 ms that start-up does without

    try:
        return memoryview(msgspec.json.decode(memoryview(data)[at:stop], type=msgspec.Raw)).nbytes
    except msgspec.DecodeError as error:
        told = str(error)
        if "truncated" in told:
            return 0
        trailing = _TRAILING.search(told)
        last = None if trailing is None else at + int(trailing[1]) - 1
        while last is not None and data[last - 1] in b" \t\r\n":
            last -= 1
        return None if last is None else last - at
    except RecursionError:
        return None
