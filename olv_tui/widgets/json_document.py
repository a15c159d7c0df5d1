"""The text of a text area as lines and rows, at a cost that does not grow with the text.

What made Textual's (8.2.8) slow at size, one megabyte over 40,000 lines, measured:

* `Document.text` joins all lines (0.6 ms) and is asked for once a painted row, some thirty times a key.
* `WrappedDocument.height` sums all lines (4 ms), once a painted row as well; and wrapping goes through every
  character of every line (1.7 s), four times as a text is loaded.
* A line break moves two lists of lists of all lines below it (12 ms).
* A line of a megabyte is wrapped anew at every key (0.9 s) and cut into `Text` objects for every row (0.1 s).

Rules of this file:

* It answers as Textual's classes do, for every line up to `LONG` characters; tests hold both against each other.
* A longer line is folded at the width and not at blanks, and a tab in it is one cell: then no key has to look at
  all of it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate, islice

from rich.cells import cell_len
from textual._cells import cell_width_to_column_index
from textual._wrap import compute_wrap_offsets
from textual.document._document import Document, EditResult, Location
from textual.document._wrapped_document import WrappedDocument
from textual.expand_tabs import expand_tabs_inline, get_tab_widths
from textual.geometry import Offset, clamp

from olv_tui.view.json_colour import odd_quotes

LONG = 4096
"""Characters from which a line is folded and not wrapped at its blanks."""

_WHOLE: list[int] = []  # a line that is not cut; never changed
_NARROW = re.compile("[\x20-\x7e\xa0-\xac\xae-\u02ff\u0370-\u0482\u048a-\u052f]*+")
_WIDE = 2.2  # bytes of UTF-8 a character from which a text is taken for one of wide characters


class Lines(Document):
    """A document that keeps its joined text, counts its edits, and knows where strings are open."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._joined: str | None = None
        self._states: dict[int, tuple[list[int], list[bool]]] = {}
        self.edits = 0

    @property
    def text(self) -> str:
        """The whole text, joined once after an edit."""
        if self._joined is None:
            self._joined = super().text
        return self._joined

    def replace_range(self, start: Location, end: Location, text: str) -> EditResult:
        """Replace a range; the only way that a document changes."""
        self._joined = None
        self.edits += 1
        (row, column), (last, _) = sorted((start, end))
        if self._states:
            moved = last != row or "\n" in text or "\r" in text
            self._states = {at: kept for at, kept in self._states.items() if at <= row or not moved}
            offsets, states = self._states.get(row, ([], []))
            del states[bisect_right(offsets, column) :], offsets[bisect_right(offsets, column) :]
        return super().replace_range(start, end, text)

    def offset(self, location: Location) -> int:
        """The place in `text` of a location (2 ms behind 40,000 lines)."""
        row, column = location
        return sum(map(len, islice(self._lines, row))) + row * len(self.newline) + column

    def location(self, offset: int) -> Location:
        """The location of a place in `text`."""
        row = self.text.count(self.newline, 0, offset)
        start = self.text.rfind(self.newline, 0, offset)
        return row, offset - (start + len(self.newline) if row else 0)

    def in_string(self, row: int, column: int) -> bool:
        """Whether a JSON string is open at a place that stands behind no backslash.

        JSON strings end on their line. In a long line what was counted before is kept.
        """
        line = self._lines[row]
        if len(line) <= LONG:
            return odd_quotes(line, 0, column)
        offsets, states = self._states.setdefault(row, ([], []))
        at = bisect_right(offsets, column)
        start, state = (offsets[at - 1], states[at - 1]) if at else (0, False)
        if start == column:
            return state
        state ^= odd_quotes(line, start, column)
        offsets.insert(at, column)
        states.insert(at, state)
        return state


class Wrapped(WrappedDocument):
    """A document wrapped to a width: per line where it is cut, and where its first row is."""

    def __init__(self, document: Lines, width: int = 0, tab_width: int = 4) -> None:
        self._lines = document
        self._seen = -1
        self._heights: list[int] = []
        self._tops: list[int] | None = None
        super().__init__(document, width, tab_width)

    def wrap(self, width: int, tab_width: int | None = None) -> None:
        """Wrap all lines, unless they are wrapped so already: 1 MB over 40,000 lines take 12 ms."""
        tab_width = tab_width or self._tab_width
        if self._seen == self._lines.edits and (self._width, self._tab_width) == (width, tab_width):
            return
        self._width, self._tab_width = width, tab_width
        self._wrap_offsets = self._cut(self._lines.lines)
        self._heights = [len(offsets) + 1 for offsets in self._wrap_offsets]
        self._tops, self._seen = None, self._lines.edits

    def wrap_range(self, start: Location, old_end: Location, new_end: Location) -> None:
        """Wrap the lines again that an edit has touched."""
        self._seen = self._lines.edits
        old_last, new_last = len(self._heights) - 1, self.document.line_count - 1
        first = clamp(start[0], 0, min(old_last, new_last))
        old_bottom, new_bottom = clamp(old_end[0], 0, old_last), clamp(new_end[0], 0, new_last)
        top, old_bottom = sorted((first, old_bottom))
        offsets = self._cut(self._lines.lines[top : max(first, new_bottom) + 1])
        heights = [len(one) + 1 for one in offsets]
        self._wrap_offsets[top : old_bottom + 1] = offsets
        if heights != self._heights[top : old_bottom + 1]:
            self._heights[top : old_bottom + 1] = heights
            self._tops = None

    def _cut(self, lines: list[str]) -> list[list[int]]:
        width, tab = self._width, self._tab_width
        if not width:
            return [_WHOLE] * len(lines)
        return [
            _WHOLE if len(line) <= width and line.isascii() and "\t" not in line else _offsets(line, width, tab)
            for line in lines
        ]

    # ----------------------------------------------------------------------- rows

    @property
    def tops(self) -> list[int]:
        """The first row of each line, and the number of rows at the end."""
        if self._tops is None:
            self._tops = list(accumulate(self._heights, initial=0))
        return self._tops

    @property
    def height(self) -> int:
        """Rows in all."""
        return self.tops[-1]

    @property
    def wrapped(self) -> bool:
        """As Textual has it: whether no line is cut."""
        return self.height == len(self._heights)

    def row(self, y: int) -> tuple[int, int]:
        """The line and the section of it that stand in a row; the last ones below all rows."""
        y = min(y, self.height - 1)
        line = bisect_right(self.tops, y) - 1
        return line, y - self.tops[line]

    def bounds(self, line_index: int, section: int) -> tuple[int, int]:
        """Where a section of a line begins and ends, in characters of the line."""
        offsets = self._wrap_offsets[line_index]
        start = offsets[section - 1] if section else 0
        return start, offsets[section] if section < len(offsets) else len(self.document.get_line(line_index))

    def get_sections(self, line_index: int) -> list[str]:
        """The rows of a line as text."""
        line, offsets = self.document.get_line(line_index), self._wrap_offsets[line_index]
        return [line[start:end] for start, end in zip([0, *offsets], [*offsets, len(line)], strict=True)]

    def get_tab_widths(self, line_index: int) -> list[int]:
        """The widths of the tabs of a line."""
        return [width for _, width in get_tab_widths(self.document.get_line(line_index), self._tab_width)]

    # ----------------------------------------------------------------------- places

    def offset_to_location(self, offset: Offset) -> Location:
        """The location at a cell of the rows."""
        x, y = max(0, offset.x), max(0, offset.y)
        if not self._width:
            return super().offset_to_location(offset)
        line, section = self.row(y)
        return line, self.get_target_document_column(line, x, section)

    def location_to_offset(self, location: Location) -> Offset:
        """The cell of a location."""
        line, column = location
        line = clamp(line, 0, len(self._heights) - 1)
        section = bisect_right(self._wrap_offsets[line], column)
        start, end = self.bounds(line, section)
        text = self.document.get_line(line)
        before = text[start : min(column, end)]
        if len(text) > LONG and self._width:
            return Offset(cell_len(before.replace("\t", " ")), self.tops[line] + section)
        return Offset(cell_len(expand_tabs_inline(before, self._tab_width)), self.tops[line] + section)

    def get_target_document_column(self, line_index: int, x_offset: int, y_offset: int) -> int:
        """The column in the line at a cell of one of its rows; a negative row counts from the end."""
        rows = self._heights[line_index]
        section = y_offset if y_offset >= 0 else rows + y_offset
        start, end = self.bounds(line_index, section)
        line = self.document.get_line(line_index)
        text = line[start:end] if len(line) <= LONG or not self._width else line[start:end].replace("\t", " ")
        column = start + cell_width_to_column_index(text, x_offset, self._tab_width)
        if y_offset not in (rows - 1, -1):
            column = min(column, end - 1)
        return column


def _offsets(line: str, width: int, tab: int) -> list[int]:
    """Where a line is cut to fit a width."""
    if len(line) <= LONG:
        return compute_wrap_offsets(line, width, tab, precomputed_tab_sections=get_tab_widths(line, tab))
    if line.isascii():
        return list(range(width, len(line), width))
    if len(line.encode("utf-8", "surrogatepass")) > _WIDE * len(line):
        return list(range(max(width // 2, 1), len(line), max(width // 2, 1)))
    cuts, at = [], 0
    while at < len(line):
        piece = line[at : at + width]
        if not _NARROW.fullmatch(piece):
            while (over := cell_len(piece.replace("\t", " ")) - width) > 0 and len(piece) > 1:
                piece = piece[: -max(over // 2, 1)]
        at += len(piece)
        cuts.append(at)
    return cuts[:-1]
