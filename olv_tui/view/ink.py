"""The same byte in two layouts of one JSON text, found by counting what is no blank.

Rules of this file:

* Indenting adds and takes blanks only, outside of strings; in strings both have the same bytes. So the byte with as
  many others before it, blanks left out, is the same in both, however large they are and whatever they hold.
* Counting 50 MB takes 50 ms, in steps of 64 kB; it is done once, when first asked for.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right

from olv_tui.courtesy import pieces

_STEP = 1 << 16
_BLANKS = b" \t\r\n"
_PIECE = re.compile(rb"\\u[0-9a-fA-F]{4}|\\.|[^\\]+", re.DOTALL)
_WHITE = {b"\\n": 0, b"\\t": 0, b"\\r": 0}


class Ink:
    """Counts of the bytes of a text that are no blanks."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._sums = array("Q", [0])

    def _count(self) -> array[int]:
        if len(self._sums) == 1:
            sums, total = array("Q", [0]), 0
            for base in pieces(len(self._data), _STEP):
                total += _ink(self._data[base : base + _STEP])
                sums.append(total)
            self._sums = sums
        return self._sums

    @property
    def total(self) -> int:
        """All bytes that are no blanks."""
        return self._count()[-1]

    def before(self, offset: int) -> int:
        """How many stand before an offset."""
        step = min(max(offset, 0), len(self._data)) // _STEP
        sums = self._count()
        return sums[step] + _ink(self._data[step * _STEP : offset])

    def place(self, count: int) -> int:
        """The offset of the one with `count` others before it; the end of the text where there are fewer."""
        sums = self._count()
        step = bisect_right(sums, count) - 1
        if count < 0 or step >= len(sums) - 1:
            return 0 if count < 0 else len(self._data)
        low = step * _STEP
        return low + _nth(self._data[low : low + _STEP], count - sums[step])


def ink_before(data: bytes, offset: int) -> int:
    """How many bytes of a text that are no blanks stand before an offset."""
    return sum(_ink(data[base : min(base + _STEP, offset)]) for base in pieces(offset, _STEP))


def _ink(data: bytes) -> int:
    return len(data.translate(None, _BLANKS))


def _nth(data: bytes, count: int) -> int:
    """The offset of the byte with `count` others before it that are no blanks."""
    low, high = 0, len(data) - 1
    while low < high:
        middle = (low + high) // 2
        here = _ink(data[low : middle + 1])
        if here > count:
            high = middle
        else:
            count -= here
            low = middle + 1
    return low


def in_string(token: bytes, count: int) -> int:
    """The offset in a JSON string, its quotes included, of what shows the byte with `count` others before it.

    Counted are the bytes of the text that the string means (UTF-8), blanks left out.
    """
    at = 1
    for found in _PIECE.finditer(token, 1, max(len(token) - 1, 1)):
        here = _meant(found[0])
        if here > count:
            return at if found[0].startswith(b"\\") else at + _nth(found[0], count)
        count -= here
        at = found.end()
    return at


def of_string(token: bytes, offset: int) -> int:
    """How many bytes that are no blanks a JSON string means before an offset in it."""
    total = 0
    for found in _PIECE.finditer(token, 1, max(min(offset, len(token) - 1), 1)):
        total += _meant(found[0])
    return total


def _meant(piece: bytes) -> int:
    """The bytes that a piece of a string means, blanks left out. Of a surrogate pair each half counts two."""
    if not piece.startswith(b"\\"):
        return _ink(piece)
    if piece[1:2] != b"u" or len(piece) != 6:
        return _WHITE.get(piece, 1)
    code = int(piece.removeprefix(b"\\u"), 16)
    if code in {0x20, 0x09, 0x0A, 0x0D}:
        return 0
    if 0xD800 <= code <= 0xDFFF:
        return 2
    return 1 if code < 0x80 else 2 if code < 0x800 else 3
