"""An array as a table: a row for each item, a column for each name, cells made where they are looked at.

Rules of this file:

* Numbers stand as they came. A string stands without its quotes, unless it would read as something else.
* A member that is missing, one that is null and an empty string never look alike: `–`, `null`, `""`.
* Names are collected from all items, so no column is left out; widths come from a sample.
"""

from __future__ import annotations

import json
import re
from array import array
from typing import TYPE_CHECKING

from olv_tui.jsontext.tokens import unquote
from olv_tui.jsontext.writer import INDENTED
from olv_tui.view.fold import bracketed
from olv_tui.view.json_colour import Span
from olv_tui.view.lines import Line, Lines, cells, fold
from olv_tui.view.safe import one_line

if TYPE_CHECKING:
    from olv_tui.view.fold import JsonLines

MISSING = "–"
_VALUE = "(value)"
_WIDEST = 40
_SAMPLE = 400
_CACHE = 512
_MOST_COLUMNS = 200
_READ = 4_000  # bytes of a string that can make a difference to its cell
_BETWEEN = 2
_AMBIGUOUS = re.compile(r'-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?|true|false|null|–|[{\["\s].*|.*\s|', re.DOTALL)
_NAME = rb'\n {%d}("[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"): '


class TableLines(Lines):
    """The items of an array as rows. `items` are the bytes at which their lines begin."""

    def __init__(self, source: JsonLines, start: int) -> None:
        outline = source.outline
        self.source = source
        self.items = array("Q", outline.children(start))
        self.weight = len(self.items) * 20
        self.columns = self._names(start)
        self._cache: dict[int, dict[str, tuple[str, str]]] = {}
        step = max(len(self.items) // _SAMPLE, 1)
        widths = {name: cells(_head(name)) for name in self.columns}
        for index in range(0, len(self.items), step):
            for name, (text, _) in self._row(index).items():
                if name in widths:
                    widths[name] = max(widths[name], cells(text))
        self._widths = {name: min(width, _WIDEST) for name, width in widths.items()}

    def _names(self, start: int) -> tuple[str, ...]:
        """The names of all items by first appearance, then what stands for items that are no objects."""
        outline, data = self.source.outline, self.source.data
        level = outline.level(start) + 2
        found: dict[bytes, None] = {}
        stop = outline.close(start)
        for match in re.compile(_NAME % (2 * level)).finditer(data, start, stop):
            found[match[1]] = None
        names = list(dict.fromkeys(unquote(name.decode("utf-8", "replace"), 0)[0] for name in found))[:_MOST_COLUMNS]
        others = any(data[outline.first(at)] != 0x7B for at in self.items)
        return (*names, _VALUE) if others or not names else tuple(names)

    def __len__(self) -> int:
        return len(self.items)

    def _row(self, index: int) -> dict[str, tuple[str, str]]:
        """The cells of a row: text and kind by column."""
        row = self._cache.get(index)
        if row is None:
            if len(self._cache) >= _CACHE:
                self._cache.clear()
            outline, start = self.source.outline, self.items[index]
            if outline.bracket(start) == "{":
                row = {outline.key(at) or "": self._cell(at) for at in outline.children(start)}
            elif self.source.data[outline.first(start)] == 0x7B:
                row = {}
            else:
                row = {_VALUE: self._cell(start)}
            self._cache[index] = row
        return row

    def _cell(self, start: int) -> tuple[str, str]:
        outline, data = self.source.outline, self.source.data
        if outline.opens(start):
            return bracketed(outline.bracket(start), outline.tally(start) or 0), "punctuation"
        begin, end = outline.value(start)
        first = data[begin : begin + 1]
        if first != b'"':
            text = data[begin : min(end, begin + _READ)].decode("utf-8", "replace")
            return text, "punctuation" if first in b"{[" else "keyword" if first in b"tfnNI" else "number"
        if end - begin > _READ:
            shown = data[begin + 1 : begin + _READ].decode("utf-8", "replace")
            return one_line(shown, _WIDEST + 1), "string"
        try:
            text = unquote(data[begin:end].decode("utf-8", "replace"), 0)[0]
        except json.JSONDecodeError:
            text = data[begin + 1 : end - 1].decode("utf-8", "replace")
        shown = one_line(text, _WIDEST * 4)
        return (f'"{shown}"' if _AMBIGUOUS.fullmatch(text) else shown), "string"

    def line(self, index: int) -> Line:
        """A row: its cells below the heads of their columns."""
        if not 0 <= index < len(self.items):
            raise IndexError(index)
        row = self._row(index)
        return self._laid_out([row.get(name, (MISSING, "muted")) for name in self.columns])

    def head(self) -> Line:
        """The names of the columns."""
        return self._laid_out([(_head(name), "label") for name in self.columns])

    def _laid_out(self, row: list[tuple[str, str]]) -> Line:
        text, spans = "", []
        for name, (cell, kind) in zip(self.columns, row, strict=True):
            width = self._widths[name]
            if cells(cell) > width:
                starts = fold(cell, max(width - 1, 2))
                cell = cell[: starts[1] if len(starts) > 1 else None] + "…"  # noqa: PLW2901
            spans.append(Span(len(text), len(text) + len(cell), kind))
            text += cell + " " * (max(width - cells(cell), 0) + _BETWEEN)
        return Line(text.rstrip(" "), tuple(spans))

    def widest(self) -> int:
        """The cells of all columns."""
        return sum(width + _BETWEEN for width in self._widths.values())


def _head(name: str) -> str:
    return one_line(name, _WIDEST) or '""'


def can_be_table(source: JsonLines, start: int) -> bool:
    """Whether a line begins an array with items that are told by indentation."""
    outline = source.outline
    return outline.bracket(start) == "[" and outline.level(start) + 2 < INDENTED
