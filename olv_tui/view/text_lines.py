"""Lines over the bytes of a whole text, however large: only what is looked at is decoded.

Rules of this file:

* The bytes are shared with the exchange, not copied. An index of 8 bytes and a flag of one byte per
  line stand beside them; finding the line ends of 50 MB takes about 0.2 s, in steps of 1 MB, so a
  thread that builds it lets the screen go on.
* A line of printable ASCII is arithmetic: rows, cuts and columns follow from offsets, at any length.
  Any other line of more than `LONG` bytes is kept in pieces, so no step decodes more than that.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, compress, count, islice, repeat
from operator import gt, sub
from typing import TypeAlias

from olv_tui.courtesy import PIECE, give_way, pieces
from olv_tui.view.json_colour import Span, clip, odd_quotes, spans_of
from olv_tui.view.lines import HIT_LIMIT, Hit, Line, Lines, cells, fold, fold_words
from olv_tui.view.needle import read
from olv_tui.view.safe import is_safe, visible

LONG = 1 << 14
_BLOCK = PIECE >> 1
_PLAIN = bytes(range(0x20, 0x7F))
_NOT_PLAIN = re.compile(rb"[^\x20-\x7e\n][^\n]*")
_FIELD = re.compile(r"(?:data|event|id|retry)?:")
_TAB = "    "
_ODD, _SWELLS, _CONTINUES = 1, 2, 4
_CACHE = 512


class TextLines(Lines):
    """The lines of a text. `language` is "json", "sse" or "" (no colours).

    Bytes that are not UTF-8 read as U+FFFD. A carriage return at a line end shows as `\\r`, tabs as
    four spaces. An empty line after the last line end is not shown. With `words`, rows end between words
    where they can; the rows of lines longer than `LONG` stay arithmetic.
    """

    def __init__(self, data: bytes | str, language: str = "", *, words: bool = False) -> None:
        self._data = data if isinstance(data, bytes) else data.encode(errors="backslashreplace")  # surrogates: \ud800
        self._language = language
        self._words = words
        self.weight = len(self._data)
        self._starts, self._flags, self._blocks = _index(self._data)
        self._safe_cache: dict[int, str] = {}
        self._span_cache: dict[int, tuple[Span, ...]] = {}
        self._quotes_seen = (0, 0, False)  # start of a line, an offset in it, whether a string is open there

    def __len__(self) -> int:
        return len(self._flags)

    @property
    def data(self) -> bytes:
        """The bytes of the text."""
        return self._data

    def line_at(self, offset: int) -> int:
        """The line that holds a byte."""
        return min(max(bisect_right(self._starts, offset) - 1, 0), max(len(self._flags) - 1, 0))

    def spot(self, offset: int) -> tuple[int, int]:
        """The line and the character in it that show a byte."""
        index = self.line_at(offset)
        if not self._flags:
            return 0, 0
        start, end = self._bounds(index)
        at = min(max(offset, start), end)
        return index, self._column(start, at, end) if self._flags[index] & _ODD else at - start

    def offset(self, index: int, column: int = 0) -> int:
        """The byte that a character of a line shows."""
        start, end = self._bounds(index)
        if not self._flags[index] & _ODD:
            return min(start + column, end)
        low, high = start, end
        while low < high:  # columns never fall from byte to byte
            middle = (low + high + 1) // 2
            if self._column(start, middle, end) <= column:
                low = middle
            else:
                high = middle - 1
        while low > start and self._data[low : low + 1] and self._data[low] & 0xC0 == 0x80:
            low -= 1
        return low

    def _bounds(self, index: int) -> tuple[int, int]:
        """The bytes of a line, its line end left out."""
        if not 0 <= index < len(self._flags):
            raise IndexError(index)
        start, end = self._starts[index], self._starts[index + 1]
        return start, end if self._flags[index] & _CONTINUES else end - 1

    def _safe(self, index: int) -> str:
        start, end = self._bounds(index)
        raw = self._data[start:end]
        if not self._flags[index] & _ODD:
            return raw.decode("ascii")
        text = self._safe_cache.get(index)
        if text is None:
            if len(self._safe_cache) >= _CACHE:
                self._safe_cache.clear()
            text = self._safe_cache[index] = _safe(raw)
        return text

    def line(self, index: int) -> Line:
        """The whole line."""
        return self.cut(index, 0, self.length(index))

    def text(self, index: int) -> str:
        """The whole line without its colours."""
        return self._safe(index)

    def length(self, index: int) -> int:
        """The number of characters of a line, escapes counted as shown."""
        if self._flags[index] & _ODD:
            return len(self._safe(index))
        start, end = self._bounds(index)
        return end - start

    def cut(self, index: int, start: int, end: int) -> Line:
        """A part of a line, decoded and coloured alone where the line is long."""
        first, last = self._bounds(index)
        if self._flags[index] & _ODD or last - first <= LONG:
            return Line(self._safe(index)[start:end], clip(self._spans(index), start, end))
        text = self._data[first + start : min(first + end, last)].decode("ascii")
        if not self._language:
            return Line(text)
        return Line(text, spans_of(text, in_string=self._in_string(index, first + start)))

    def continues(self, index: int) -> bool:
        """Whether the next one is a piece of the same line."""
        return bool(self._flags[index] & _CONTINUES)

    def _spans(self, index: int) -> tuple[Span, ...]:
        if not self._language:
            return ()
        spans = self._span_cache.get(index)
        if spans is None:
            if len(self._span_cache) >= _CACHE:
                self._span_cache.clear()
            spans = self._span_cache[index] = self._coloured(index)
        return spans

    def _coloured(self, index: int) -> tuple[Span, ...]:
        text = self._safe(index)
        if index and self._flags[index - 1] & _CONTINUES:
            return spans_of(text, in_string=self._in_string(index, self._starts[index]))
        field = _FIELD.match(text) if self._language == "sse" else None
        if field is None:
            return spans_of(text)
        rest = spans_of(text[field.end() :])
        moved = (Span(span.start + field.end(), span.end + field.end(), span.kind) for span in rest)
        return (Span(0, field.end(), "label"), *moved)

    def _in_string(self, index: int, offset: int) -> bool:
        """Whether a string is open at an offset of a long line.

        Counted from the last place asked for in the same line, so scrolling counts a row's worth.
        """
        while index and self._flags[index - 1] & _CONTINUES:
            index -= 1
        start = self._starts[index]
        while offset > start and self._data[offset - 1] == 0x5C:
            offset -= 1
        line, seen, is_open = self._quotes_seen
        if line != start:
            seen, is_open = start, False
        is_open ^= odd_quotes(self._data, min(seen, offset), max(seen, offset))
        self._quotes_seen = (start, offset, is_open)
        return is_open

    def starts(self, index: int, width: int) -> Sequence[int]:
        """Where the rows of a line start."""
        start, end = self._bounds(index)
        if self._words and end - start <= LONG:
            return fold_words(self._safe(index), width)
        if self._flags[index] & _ODD:
            return fold(self._safe(index), width)
        return range(0, max(end - start, 1), width)

    def tall(self, width: int) -> Iterator[tuple[int, int]]:
        """Every line of more than one row. A character never takes more cells than bytes, unless it is escaped."""
        swelling = self._flags.translate(_IS_SWELLING)
        for begin, end, longest in self._blocks:
            first, last = bisect_left(self._starts, begin), bisect_left(self._starts, end)
            mask = swelling[first:last]
            swells = 1 in mask
            if longest < width and not swells:
                continue
            # A line that shows wider than it is long is looked at whatever its length: it is measured against 0.
            starts = self._starts[first : last + 1]
            measured = map(sub, islice(starts, 1, None), starts)
            chosen = map(gt, measured, map(width.__mul__, mask.translate(_INVERTED)) if swells else repeat(width))
            for index in compress(count(first), chosen):
                give_way()
                rows = self._rows(index, width)
                if rows > 1:
                    yield index, rows

    def _rows(self, index: int, width: int) -> int:
        if self._flags[index] & _ODD or self._words:
            return len(self.starts(index, width))
        return (self._starts[index + 1] - self._starts[index] - 2 + width) // width

    def widest(self) -> int:
        """The bytes of the longest line, or the cells of the widest with escapes."""
        longest = max((longest for _, _, longest in self._blocks), default=0)
        swelling = self._flags.translate(_IS_SWELLING)
        escaped = max((cells(self._safe(index)) for index in compress(count(), swelling)), default=0)
        return max(longest, escaped)

    def hits(self, needle: str, is_over: Callable[[], bool] = lambda: False) -> Iterator[Hit]:
        """Every place of a text in the bytes; ASCII letters match in either case where the needle has no capital."""
        sought = read(needle)
        if not sought.plain:
            yield from super().hits(needle, is_over)
            return
        for hit in self._hits(sought.plain):
            if self.is_in(sought.where, *hit):
                yield hit

    def _hits(self, needle: str) -> Iterator[Hit]:
        wanted = needle.encode("utf-8", "replace")
        for at in _found(self._data, wanted, either_case=needle == needle.lower()):
            index = bisect_right(self._starts, at) - 1
            start, end = self._bounds(index)
            if self._flags[index] & _ODD:
                left = self._column(start, at, end)
                yield Hit(index, left, self._column(start, min(at + len(wanted), end), end) - left)
            else:
                yield Hit(index, at - start, min(len(wanted), end - at))

    def places(self, start: int, end: int) -> Iterator[Hit]:
        """Where bytes `start` to `end` show, at most `HIT_LIMIT` lines of them; an empty line has no place."""
        first = max(bisect_right(self._starts, start) - 1, 0)
        for index in range(first, min(len(self), first + HIT_LIMIT)):
            begin, stop = self._bounds(index)
            if begin >= end:
                return
            left, right = max(start, begin), min(end, stop)
            if left >= right:
                continue
            if self._flags[index] & _ODD:
                column = self._column(begin, left, stop)
                yield Hit(index, column, self._column(begin, right, stop) - column)
            else:
                yield Hit(index, left - begin, right - left)

    def _column(self, start: int, at: int, end: int) -> int:
        """The characters that show for bytes `start` to `at` of a line that ends at `end`."""
        part = self._data[start:at]
        # A carriage return shows shorter at the end of the line than inside of it.
        return len(_safe(part)) if at >= end else len(_safe(part + b".")) - 1


_IS_SWELLING = bytes(1 if flags & _SWELLS else 0 for flags in range(256))
_INVERTED = bytes([1, 0]) + bytes(254)


def _found(data: bytes, wanted: bytes, *, either_case: bool) -> Iterator[int]:
    """Where a text stands, none overlapping another. In steps: one over 50 MB would hold up the screen for 80 ms."""
    at = 0
    for base in pieces(len(data), _BLOCK):
        block = data[base : base + _BLOCK + len(wanted) - 1]
        if either_case:
            block = block.lower()  # same length: ASCII only
        found = block.find(wanted, max(at - base, 0))
        while found >= 0:
            yield base + found
            at = base + found + len(wanted)
            found = block.find(wanted, at - base)


def _safe(raw: bytes) -> str:
    text = raw.decode("utf-8", "replace")
    end = "\\r" if text.endswith("\r") else ""
    return visible(text[:-1] if end else text).replace("\t", _TAB) + end


_Block: TypeAlias = tuple[int, int, int]
"""Whole lines from one byte to another, and the bytes of the longest: most need no look at their lines."""


def _index(data: bytes) -> tuple[array[int], bytearray, list[_Block]]:
    """The start of every line, with one more entry behind the last, the flags of every line, and blocks of lines."""
    starts = array("Q", [0])
    blocks: list[_Block] = []
    for base in pieces(len(data), _BLOCK):
        block = data[base : base + _BLOCK]
        end = block.rfind(b"\n") + 1
        if not end:
            continue
        if b"\r" in block:  # splitlines would take it for a line end
            lengths = [len(line) + 1 for line in block[: end - 1].split(b"\n")]
        else:
            lengths = list(map(len, block[:end].splitlines(keepends=True)))
        begun = starts[-1]  # the line that ends first here may begin before
        starts.extend(islice(accumulate(lengths, initial=base), 1, None))
        lengths[0] += base - begun
        blocks.append((begun, base + end, max(lengths) - 1))
    if starts[-1] < len(data):
        blocks.append((starts[-1], len(data), len(data) - starts[-1]))
        starts.append(len(data) + 1)  # as if the last line had its line end
    starts, continued = _in_pieces(data, starts)
    flags = bytearray(len(starts) - 1)
    for index in continued:
        flags[index] = _CONTINUES
    _mark_odd(data, starts, flags)
    return starts, flags, blocks


def _in_pieces(data: bytes, starts: array[int]) -> tuple[array[int], list[int]]:
    """The starts with long lines that are not plain cut in pieces, and which of them go on in the next.

    A line of more than twice `LONG` bytes holds a stretch of `LONG` bytes without a line end; looking only
    for those is a thousandth of measuring every line.
    """
    found = {
        bisect_right(starts, at) - 1
        for at in range(0, len(data) - LONG + 1, LONG)
        if data.find(b"\n", at, at + LONG) < 0
    }
    long = [index for index in sorted(found) if not _is_plain(data, starts[index], starts[index + 1] - 1)]
    if not long:
        return starts, []
    cut, continued, done = array("Q"), [], 0
    for index in long:
        cut.extend(starts[done : index + 1])
        at, end = starts[index], starts[index + 1] - 1
        while end - at > LONG:
            at += LONG
            back = 0
            while data[at - back] & 0xC0 == 0x80 and back < 3:  # not inside a UTF-8 sequence
                back += 1
            at -= back
            continued.append(len(cut) - 1)
            cut.append(at)
        done = index + 1
    cut.extend(starts[done:])
    return cut, continued


def _is_plain(data: bytes, start: int, end: int) -> bool:
    return not any(
        data[at : min(at + _BLOCK, end)].translate(None, _PLAIN)
        for at in (start + step for step in pieces(end - start, _BLOCK))
    )


def _mark_odd(data: bytes, starts: array[int], flags: bytearray) -> None:
    """Flag the lines that are not printable ASCII, and of those the ones that show wider than they are long."""
    plain = _PLAIN + b"\n"
    index = 0
    for base in pieces(len(data), _BLOCK):
        block = data[base : base + _BLOCK]
        if not block.translate(None, plain):
            continue
        for found in _NOT_PLAIN.finditer(block):
            give_way()
            index = bisect_right(starts, base + found.start(), lo=index) - 1
            last = bisect_right(starts, base + found.end() - 1, lo=index) - 1
            for number in range(index, last + 1):
                raw = data[starts[number] : starts[number + 1] - (not flags[number] & _CONTINUES)]
                flags[number] |= _ODD | (_SWELLS if _swells(raw) else 0)


def _swells(raw: bytes) -> bool:
    text = raw.decode("utf-8", "replace")
    return "\t" in text or not is_safe(text)
