"""What folds in lines, and rows that leave out what is folded.

Rules of this file:

* What is folded is a range of lines, never an object for each node: two million lines cost nothing while open.
* Lines are counted in the whole text. Search, marks and copies speak of those and do not know of folds;
  only rows, counted from the top of the view, leave lines out.
* A copy of what is folded holds all of it: folding is about looking, not about the text.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from itertools import repeat
from operator import add, sub
from typing import TYPE_CHECKING

from olv_tui.view.lines import Lines, Place, WrappedLines
from olv_tui.view.text_lines import TextLines

if TYPE_CHECKING:
    from olv_tui.view.outline import Outline


class Folding(Lines):
    """Lines of which some fold. A block is a head, which stays, and the lines down to its last one."""

    def is_head(self, index: int) -> bool:  # noqa: ARG002  nothing folds unless told
        """Whether a block begins on this line. Cheap: asked for every row that is painted."""
        return False

    def last(self, index: int) -> int:
        """The last line of the block that begins on a line; the line itself where none does."""
        return index

    def head(self, index: int) -> int | None:  # noqa: ARG002
        """The head of the block around a line; of the last line of a block its head. None outside of blocks."""
        return None

    def tally(self, index: int) -> str:  # noqa: ARG002
        """How much stands in a block, as `{4}` or `[1,203]`; "" where that is not known."""
        return ""

    def levels(self) -> int:
        """How many levels of blocks there are."""
        return 0

    def blocks(self, level: int) -> Iterator[tuple[int, int]]:  # noqa: ARG002
        """Head and last line of each block of a level, in order."""
        return iter(())


class JsonLines(TextLines, Folding):
    """JSON as `jsontext.pretty` indents it: every object and array that goes over lines folds."""

    def __init__(self, data: bytes | str) -> None:
        super().__init__(data, "json")
        from olv_tui.view.outline import Outline

        self.outline: Outline = Outline(self.data)

    def start(self, index: int) -> int:
        """The first byte of a line of the text; of a long one kept in pieces that of its first piece."""
        while index and self.continues(index - 1):
            index -= 1
        return self.offset(index)

    def is_head(self, index: int) -> bool:
        """Whether the line ends in an opening bracket."""
        start, end = self._bounds(index)
        return end > start and not self.continues(index) and self.data[end - 1] in b"[{" and index + 1 < len(self)

    def last(self, index: int) -> int:
        """The line of the closing bracket."""
        return self.line_at(self.outline.close(self.start(index))) if self.is_head(index) else index

    def head(self, index: int) -> int | None:
        """The line of the opening bracket around a line."""
        found = self.outline.holder(self.start(index))
        return None if found is None else self._head_line(found)

    def _head_line(self, start: int) -> int:
        """The piece of a line in which its bracket stands."""
        return self.line_at(self.outline.line_end(start) - 1)

    def tally(self, index: int) -> str:
        """The number of members or items, in their brackets."""
        start = self.start(index)
        count = self.outline.tally(start)
        return "" if count is None else bracketed(self.outline.bracket(start), count)

    def levels(self) -> int:
        """The levels that are told by indentation."""
        return self.outline.levels()

    def blocks(self, level: int) -> Iterator[tuple[int, int]]:
        """Every object and array of a level."""
        for first, last in self.outline.blocks(level):
            yield self._head_line(first), self.line_at(last)


def bracketed(bracket: str, count: int) -> str:
    """`{4}` or `[1,203]`."""
    return f"{{{count:,}}}" if bracket == "{" else f"[{count:,}]"


class FoldedRows:
    """Rows of which those inside of a folded block are left out; of its head the first row stays.

    `whole` are the rows with nothing folded; `folds` are heads and last lines, in order, none inside of another.
    """

    def __init__(self, whole: WrappedLines, folds: Iterable[tuple[int, int]] = ()) -> None:
        self.whole = whole
        self.source = whole.source
        self.width = whole.width
        self._heads = array("Q")  # the folded blocks that no other holds: head, last line
        self._lasts = array("Q")
        self._shown = array("Q")  # the row at which each head is shown
        self._gone = array("Q")  # the rows left out down to the end of each
        self._inside: dict[int, tuple[array[int], array[int]]] = {}  # what was folded inside of a block
        gone = 0
        for head, last in folds:
            self._heads.append(head)
            self._lasts.append(last)
            row = self.whole.row_of(head)
            self._shown.append(row - gone)
            gone += self._hides(row, last)
            self._gone.append(gone)

    def _hides(self, row: int, last: int) -> int:
        """How many rows go when the block with its head at a row is folded."""
        return self.whole.row_of(last + 1) - row - 1 if last + 1 < len(self.source) else len(self.whole) - row - 1

    def __len__(self) -> int:
        return len(self.whole) - (self._gone[-1] if self._gone else 0)

    # ----------------------------------------------------------------------- what is folded

    def folds(self) -> list[tuple[int, int]]:
        """Head and last line of every folded block that no other holds."""
        return list(zip(self._heads, self._lasts, strict=True))

    def rewrapped(self, width: int | None) -> FoldedRows:
        """The same lines and folds at another width."""
        rows = FoldedRows(WrappedLines(self.source, width), zip(self._heads, self._lasts, strict=True))
        rows._inside = self._inside
        return rows

    def is_folded(self, line: int) -> bool:
        """Whether the block with this head is folded."""
        return self.folded_last(line) is not None

    def folded_last(self, line: int) -> int | None:
        """The last line of the folded block with this head, None where it is open or there is none."""
        at = bisect_left(self._heads, line)
        return self._lasts[at] if at < len(self._heads) and self._heads[at] == line else None

    def hiding(self, line: int) -> int | None:
        """The head of the folded block that hides a line, None where it is shown."""
        at = bisect_left(self._heads, line) - 1
        return self._heads[at] if at >= 0 and line <= self._lasts[at] else None

    def fold(self, head: int, last: int) -> None:
        """Fold a block that is shown. What is folded in it stays so for when it is opened."""
        if last <= head or self.hiding(head) is not None or self.is_folded(head):
            return
        start, end = bisect_left(self._heads, head), bisect_right(self._heads, last)
        row = self.whole.row_of(head)
        before = self._gone[start - 1] if start else 0
        inside = (self._gone[end - 1] if end else 0) - before
        more = self._hides(row, last) - inside
        if end > start:
            self._inside[head] = (self._heads[start:end], self._lasts[start:end])
        self._replace(slice(start, end), [head], [last], [row - before], [before + inside + more])
        self._move(start + 1, more, sub, add)

    def unfold(self, head: int) -> None:
        """Open a block; what was folded inside of it before still is."""
        at = bisect_left(self._heads, head)
        if not self.is_folded(head):
            return
        before = self._gone[at - 1] if at else 0
        total = self._gone[at] - before
        heads, lasts = self._inside.pop(head, (array("Q"), array("Q")))
        shown, gone, inside = [], [], 0
        for inner, last in zip(heads, lasts, strict=True):
            row = self.whole.row_of(inner)
            shown.append(row - before - inside)
            inside += self._hides(row, last)
            gone.append(before + inside)
        self._replace(slice(at, at + 1), heads, lasts, shown, gone)
        self._move(at + len(heads), total - inside, add, sub)

    def _replace(
        self, part: slice, heads: Iterable[int], lasts: Iterable[int], shown: list[int], gone: list[int]
    ) -> None:
        self._heads[part] = array("Q", heads)
        self._lasts[part] = array("Q", lasts)
        self._shown[part] = array("Q", shown)
        self._gone[part] = array("Q", gone)

    def _move(self, start: int, rows: int, shown: Callable[[int, int], int], gone: Callable[[int, int], int]) -> None:
        """Tell the folds behind one that changed."""
        self._shown[start:] = array("Q", map(shown, self._shown[start:], repeat(rows)))
        self._gone[start:] = array("Q", map(gone, self._gone[start:], repeat(rows)))

    # ----------------------------------------------------------------------- rows

    def _whole(self, row: int) -> int:
        """The row of the whole text that a row shows."""
        at = bisect_right(self._shown, row) - 1
        if at < 0:
            return row
        gone = self._gone[at - 1] if at else 0
        return row + gone if row == self._shown[at] else row + self._gone[at]

    def at(self, row: int) -> Place:
        """What a row shows. Raises IndexError outside of the rows."""
        if not 0 <= row < len(self):
            raise IndexError(row)
        return self.whole.at(self._whole(row))

    def row_of(self, line: int, column: int = 0) -> int:
        """The row that shows a character of a line; of a hidden line that of the head which hides it."""
        at = bisect_right(self._heads, line) - 1
        if at < 0:
            return self.whole.row_of(line, column)
        if line <= self._lasts[at]:
            return self._shown[at]
        return self.whole.row_of(line, column) - self._gone[at]

    def text(self, first: int, last: int, start: int = 0, end: int | None = None) -> str:
        """The text of rows `first` to `last` as in `WrappedLines.text`, with all that is folded between them."""
        if not len(self):
            return ""
        last = min(last, len(self) - 1)
        bottom = self._whole(last)
        place = self.whole.at(bottom)
        closed = self.folded_last(place.line)
        if closed is not None and (end is None or end >= place.end - place.start):
            bottom, end = bottom + self._hides(bottom, closed), None
        return self.whole.text(self._whole(max(first, 0)), bottom, start, end)
