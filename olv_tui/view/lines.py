"""Text as lines that are decoded, coloured and wrapped only where they are looked at.

Rules of this file:

* A line is counted in characters of safe text (view/safe.py). What it was made of stays with its source.
* Nothing here walks over a whole text for the sake of one screen: 50 MB cost what 5 kB cost.
* A source that is cheap to hold in parts uses the defaults of `Lines`; a large one overrides them
  (`TextLines` in view/text_lines.py).
"""

from __future__ import annotations

import re
import unicodedata
from abc import ABC, abstractmethod
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from olv_tui.courtesy import give_way
from olv_tui.view.json_colour import Span, clip
from olv_tui.view.needle import part_of, read


class Line(NamedTuple):
    """Safe text of one line, or of a part of one, and its coloured spans."""

    text: str
    spans: tuple[Span, ...] = ()


class Hit(NamedTuple):
    """A place that a search found: line, first character in it, number of characters."""

    line: int
    start: int
    length: int


class Place(NamedTuple):
    """What a row shows: characters `start` to `end` of a line."""

    line: int
    start: int
    end: int


HIT_LIMIT = 10_000
"""A search stops counting here: nobody steps through more, and the list stays small."""

_ASKED = 256  # lines that are searched before it is asked whether the search is over

_AHEAD = 4_096  # characters behind a hit that are looked at for the colon that makes a string a key


class Lines(ABC):
    """Lines of safe text by index. `weight` is about the work of wrapping them, in bytes."""

    weight: int = 0

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def line(self, index: int) -> Line:
        """The whole line. Raises IndexError outside of the lines."""

    def text(self, index: int) -> str:
        """The text of a line, without the work of colouring it."""
        return self.line(index).text

    def length(self, index: int) -> int:
        """The number of characters of a line."""
        return len(self.text(index))

    def cut(self, index: int, start: int, end: int) -> Line:
        """A part of a line; its spans count from `start`."""
        text, spans = self.line(index)
        if start == 0 and end >= len(text):
            return Line(text, spans)
        return Line(text[start:end], clip(spans, start, end))

    def continues(self, index: int) -> bool:  # noqa: ARG002  most sources have no long lines
        """Whether the next line belongs to the same line of the text: a long line kept in pieces."""
        return False

    def starts(self, index: int, width: int) -> Sequence[int]:
        """Where the rows of a line start when it is wrapped to `width` cells."""
        return fold(self.line(index).text, width)

    def tall(self, width: int) -> Iterator[tuple[int, int]]:
        """Every line that needs more than one row at `width` cells: its index and the number of rows."""
        for index in range(len(self)):
            give_way()
            rows = len(self.starts(index, width))
            if rows > 1:
                yield index, rows

    def widest(self) -> int:
        """The cells of the widest line, or more."""
        return max((cells(self.line(index).text) for index in range(len(self))), default=0)

    def hits(self, needle: str, is_over: Callable[[], bool] = lambda: False) -> Iterator[Hit]:
        """Every place of a text or pattern (view/needle.py), in order. `is_over` is asked on the way, and ends it."""
        wanted = read(needle)
        for index in range(len(self)) if wanted.pattern is not None else ():
            give_way()
            if not index % _ASKED and is_over():
                return
            for start, length in wanted.within(self.text(index), is_over):
                if self.is_in(wanted.where, index, start, length):
                    yield Hit(index, start, length)

    def is_in(self, where: str, index: int, start: int, length: int) -> bool:
        """Whether characters of a line belong to "keys" or "values", as is wanted ("" wants all)."""
        return not where or part_of(self.cut(index, start, start + length + _AHEAD).spans, length) == where

    def places(self, start: int, end: int) -> Iterator[Hit]:  # noqa: ARG002  most sources show no bytes
        """Where bytes `start` to `end` of the text show, a hit for each line; nothing where lines show no bytes."""
        return iter(())

    def plain(self, first: int = 0, last: int | None = None) -> str:
        """The text of lines `first` up to `last` (not included), as it is copied: without colour or wrapping."""
        return "".join(self.pieces(first, last))

    def pieces(self, first: int = 0, last: int | None = None) -> Iterator[str]:
        """The same text a line at a time: line ends are pieces of their own."""
        stop = len(self) if last is None else min(last, len(self))
        for index in range(first, stop):
            yield self.text(index)
            if index + 1 < stop and not self.continues(index):
                yield "\n"


class FixedLines(Lines):
    """Lines that are there already: headings, fields, sentences. Rows end between words where they can."""

    def __init__(self, lines: Iterable[Line]) -> None:
        self._lines = list(lines)
        self.weight = sum(len(line.text) for line in self._lines)

    def __len__(self) -> int:
        return len(self._lines)

    def line(self, index: int) -> Line:
        """The line as given."""
        return self._lines[index]

    def starts(self, index: int, width: int) -> Sequence[int]:
        """Where the rows of a line start."""
        return fold_words(self._lines[index].text, width)


class JoinedLines(Lines):
    """Several sources below each other, as one."""

    def __init__(self, parts: Iterable[Lines]) -> None:
        self._parts = [part for part in parts if len(part)]
        self._ends = list(accumulate(len(part) for part in self._parts))
        self.weight = sum(part.weight for part in self._parts)

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def _find(self, index: int) -> tuple[Lines, int]:
        if not 0 <= index < len(self):
            raise IndexError(index)
        number = bisect_right(self._ends, index)
        part = self._parts[number]
        return part, index - self._ends[number] + len(part)

    def line(self, index: int) -> Line:
        """The line of the part that holds it."""
        part, inner = self._find(index)
        return part.line(inner)

    def text(self, index: int) -> str:
        """The text of a line."""
        part, inner = self._find(index)
        return part.text(inner)

    def length(self, index: int) -> int:
        """The number of characters of a line."""
        part, inner = self._find(index)
        return part.length(inner)

    def cut(self, index: int, start: int, end: int) -> Line:
        """A part of a line."""
        part, inner = self._find(index)
        return part.cut(inner, start, end)

    def continues(self, index: int) -> bool:
        """Whether the next line belongs to the same line of the text."""
        part, inner = self._find(index)
        return part.continues(inner)

    def starts(self, index: int, width: int) -> Sequence[int]:
        """Where the rows of a line start."""
        part, inner = self._find(index)
        return part.starts(inner, width)

    def _shifted(self) -> Iterator[tuple[int, Lines]]:
        first = 0
        for part in self._parts:
            yield first, part
            first += len(part)

    def tall(self, width: int) -> Iterator[tuple[int, int]]:
        """Every line of more than one row."""
        for first, part in self._shifted():
            for index, rows in part.tall(width):
                yield first + index, rows

    def widest(self) -> int:
        """The cells of the widest line, or more."""
        return max((part.widest() for part in self._parts), default=0)

    def hits(self, needle: str, is_over: Callable[[], bool] = lambda: False) -> Iterator[Hit]:
        """Every place of a text, part after part."""
        for first, part in self._shifted():
            if is_over():
                return
            for hit in part.hits(needle, is_over):
                yield Hit(first + hit.line, hit.start, hit.length)


class WrappedLines:
    """Rows of a width over lines. Only lines of more than one row take memory: 16 bytes each.

    With `width` None nothing is wrapped and a row is a line.
    """

    def __init__(self, source: Lines, width: int | None) -> None:
        self.source = source
        self.width = width if width is None else max(width, 2)  # a wide character must fit
        self._first = array("Q")  # first row of each tall line
        self._lines = array("Q")  # its index
        extra = 0
        for index, rows in source.tall(self.width) if self.width else ():
            self._first.append(index + extra)
            self._lines.append(index)
            extra += rows - 1
        self._count = len(source) + extra
        self._folded: dict[int, Sequence[int]] = {}

    def __len__(self) -> int:
        return self._count

    def _starts(self, line: int) -> Sequence[int]:
        """The rows of a tall line, kept for the lines last looked at: folding 16 kB of wide text takes 2 ms."""
        starts = self._folded.get(line)
        if starts is None:
            if len(self._folded) >= 64:
                self._folded.clear()
            starts = self._folded[line] = self.source.starts(line, self.width or 2)
        return starts

    def at(self, row: int) -> Place:
        """What a row shows. Raises IndexError outside of the rows."""
        if not 0 <= row < self._count:
            raise IndexError(row)
        before = bisect_right(self._first, row) - 1
        if before < 0:
            return Place(row, 0, self.source.length(row))
        line, inside = self._lines[before], row - self._first[before]
        starts = self._starts(line)
        if inside >= len(starts):
            line += 1 + inside - len(starts)
            return Place(line, 0, self.source.length(line))
        end = starts[inside + 1] if inside + 1 < len(starts) else self.source.length(line)
        return Place(line, starts[inside], end)

    def row(self, row: int) -> Line:
        """The text and colours of a row."""
        return self.source.cut(*self.at(row))

    def row_of(self, line: int, column: int = 0) -> int:
        """The row that shows a character of a line."""
        before = bisect_right(self._lines, line) - 1
        if before < 0:
            return line
        tall = self._lines[before]
        starts = self._starts(tall)
        if tall == line:
            return self._first[before] + bisect_right(starts, column) - 1
        return self._first[before] + len(starts) - 1 + line - tall

    def text(self, first: int, last: int, start: int = 0, end: int | None = None) -> str:
        """The text of rows `first` to `last`, both included, from character `start` of the first to `end` of the last.

        Line ends stand only where the text has them.
        """
        parts: list[str] = []
        last = min(last, self._count - 1)
        for row in range(max(first, 0), last + 1):
            place = self.at(row)
            text = self.source.cut(*place).text
            parts.append(text[start if row == first else 0 : end if row == last else None])
            whole = place.end >= self.source.length(place.line) and not self.source.continues(place.line)
            if row < last and whole:
                parts.append("\n")
        return "".join(parts)


# --------------------------------------------------------------------------- cells

_NARROW_ONES = " -~\xa0-\xac\xae-\u02ff\u0370-\u0377\u037a-\u037f\u0400-\u0482\u2010-\u2027\u2190-\u21ff\ufffd"
_NARROW = re.compile(f"[{_NARROW_ONES}]*")
_OTHERS = re.compile(f"[^{_NARROW_ONES}]")

_WIDE_SINCE_16 = re.compile("[\u2630-\u2637\u268a-\u268f\u4dc0-\u4dff\U0001d300-\U0001d376]")


@lru_cache(maxsize=4096)
def _cell(character: str) -> int:
    """The cells of a character, never fewer than a terminal takes: what is not known to this Python counts two."""
    if unicodedata.east_asian_width(character) in {"W", "F"} or _WIDE_SINCE_16.match(character):
        return 2
    category = unicodedata.category(character)
    if category == "Cn":
        return 2
    return 0 if character == "\u200d" or (category in {"Mn", "Me"} and character != "\ufe0f") else 1


def cells(text: str) -> int:
    """The cells of safe text without tabs, or a few more where emoji are made of several characters."""
    if text.isascii() or _NARROW.fullmatch(text):
        return len(text)
    return sum(map(_cell, text))


def fold(text: str, width: int) -> Sequence[int]:
    """Where the rows start when `text` is cut to rows of at most `width` cells; always at least one."""
    if len(text) <= width // 2:
        return (0,)
    if text.isascii() or _NARROW.fullmatch(text):
        return range(0, len(text), width)
    if len(text) <= width and len(text) + len(_OTHERS.findall(text)) <= width:
        return (0,)  # also where all that is not known to be narrow is wide
    starts, used = [0], 0
    for at, character in enumerate(text):
        wide = _cell(character)
        if used + wide > width:
            starts.append(at)
            used = 0
        used += wide
    return starts


def fold_words(text: str, width: int) -> Sequence[int]:
    """Like `fold`, with rows that end behind a space unless a word takes more than two thirds of a row.

    No character is left out, so text copied from rows is the text. Wide text is cut by cells alone.
    """
    if len(text) <= width or not (text.isascii() or _NARROW.fullmatch(text)):
        return fold(text, width)
    starts = [0]
    while len(text) - starts[-1] > width:
        at = starts[-1]
        space = text.rfind(" ", at + width // 3, at + width)
        starts.append(space + 1 if space >= 0 else at + width)
    return starts
