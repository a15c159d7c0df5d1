"""Lines with a cursor, in which objects, arrays and sections fold.

Rules of this file:

* The cursor is a place in the text, moved by rows. Nothing is held for a node; what it is, is found when asked for.
* What may search through a large text runs in a thread (`_ask`); when it comes late, it is dropped.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, TypeVar

from rich.segment import Segment
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.strip import Strip

from olv_tui.courtesy import aside
from olv_tui.view.fold import FoldedRows, Folding
from olv_tui.widgets.lines_view import HEAVY, LinesView

if TYPE_CHECKING:
    from textual import events

    from olv_tui.view.lines import Lines, Place

_T = TypeVar("_T")
_NEAR = 5_000
"""Lines of a block that are counted while it is painted; more are counted in a thread."""


class NodeView(LinesView):
    """A `LinesView` with a line cursor. `=`, `P` and `t` are left to what holds it."""

    GUTTER: ClassVar[int] = 2

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space", "fold", "Fold", show=False, id="node.toggle"),
        Binding("h,left", "out", "Fold, or to what holds it", show=False, id="node.out"),
        Binding("l,right", "into", "Unfold, or into it", show=False, id="node.into"),
        Binding("H,shift+left", "sideways(-8)", "Left", show=False),
        Binding("L,shift+right", "sideways(8)", "Right", show=False),
        Binding("minus", "level(-1)", "Fold a level", show=False, id="node.fold_level"),
        Binding("plus", "level(1)", "Unfold a level", show=False, id="node.unfold_level"),
        Binding("underscore", "fold_all", "Fold everything", show=False, id="node.fold_all"),
        Binding("asterisk", "unfold_all", "Unfold everything", show=False, id="node.unfold_all"),
    ]

    class Moved(Message):
        """The cursor is on another row."""

        def __init__(self, view: NodeView) -> None:
            super().__init__()
            self.view = view

        @property
        def control(self) -> NodeView:
            """The view."""
            return self.view

    def __init__(self, title: str = "", *, id: str | None = None) -> None:  # noqa: A002  Textual's name
        super().__init__(title, id=id)
        self._cursor = (0, 0)
        self._mark: tuple[tuple[int, int], tuple[int, int]] | None = None
        self._level: int | None = None
        self._tallies: dict[int, str] = {}
        self._counting: set[int] = set()

    # ----------------------------------------------------------------------- the cursor

    @property
    def cursor(self) -> tuple[int, int]:
        """The line of the cursor and the first character of its row."""
        return self._cursor

    @property
    def is_ready(self) -> bool:
        """Whether what was wanted last is shown, and something is."""
        return not self._is_making and len(self._rows) > 0

    @property
    def marked(self) -> tuple[tuple[int, int], tuple[int, int]] | None:
        """What is marked for another view, from one (line, character) to another."""
        return self._mark

    def move_to(self, line: int, column: int = 0, *, tell: bool = True) -> None:
        """Put the cursor on a place, opening what hides it, and scroll it into view."""
        if not len(self._rows) or self._is_making:
            return
        self._reveal(line, column, tell=tell)
        row = self._rows.row_of(*self._cursor)
        self.scroll_to(self.scroll_offset.x, self._top_for(row), animate=False, immediate=True)

    def mark_range(self, start: tuple[int, int] | None, end: tuple[int, int], *, scroll: bool) -> None:
        """Mark what is looked at in another view, from one (line, character) to another; None marks nothing."""
        self._mark = None if start is None else (start, end)
        if start is not None and scroll and self.is_ready:
            self._open(start[0])
            row = self._rows.row_of(*start)
            self.scroll_to(self.scroll_offset.x, self._top_for(row), animate=False, immediate=True)
        self._repaint()

    def _begin(self) -> None:
        super()._begin()
        self._cursor, self._mark, self._level = (0, 0), None, None
        self._tallies, self._counting = {}, set()

    def show(self, lines: Lines, *, follow: bool = False) -> None:
        """Show lines; with `follow` the cursor stays where it is."""
        cursor = self._cursor
        super().show(lines, follow=follow)
        if follow and cursor[0] < len(lines):
            self._cursor = cursor

    def _reveal(self, line: int, column: int, *, tell: bool = True) -> None:
        self._open(line)
        self._set(line, column, tell=tell)

    def _open(self, line: int) -> None:
        """Open every fold that hides a line."""
        changed = False
        while (head := self._rows.hiding(line)) is not None:
            self._rows.unfold(head)
            changed = True
        if changed:
            self._refolded()

    def _set(self, line: int, column: int, *, tell: bool = True) -> None:
        self._cursor = (line, column)
        self.refresh()
        if tell:
            self.post_message(self.Moved(self))

    def _row(self) -> int:
        return self._rows.row_of(*self._cursor)

    def _go_to_row(self, row: int) -> None:
        if not len(self._rows) or self._is_making:
            return
        row = min(max(row, 0), len(self._rows) - 1)
        place = self._rows.at(row)
        self._set(place.line, place.start)
        height, top = self._height, self.scroll_offset.y
        if not top <= row < top + height:
            self.scroll_to(self.scroll_offset.x, row if row < top else row - height + 1, animate=False, immediate=True)

    def action_by(self, rows: int) -> None:
        """Move the cursor by rows."""
        self._go_to_row(self._row() + rows)

    def action_page(self, pages: float) -> None:
        """Scroll by pages, the cursor staying where it is on the screen."""
        rows = int(self._height * abs(pages)) or 1
        rows = rows if pages > 0 else -rows
        row = self._row()
        self.scroll_relative(y=rows, animate=False, immediate=True)
        self._go_to_row(row + rows)

    def action_edge(self, bottom: bool) -> None:
        """The first or the last row."""
        self._go_to_row(len(self._rows) - 1 if bottom else 0)

    def on_click(self, event: events.Click) -> None:
        """The cursor goes where is clicked; in the gutter what is there folds."""
        offset = event.get_content_offset(self)
        row = self.scroll_offset.y + offset.y if offset is not None else -1
        if offset is None or not 0 <= row < len(self._rows) or self._is_making:
            return
        place = self._rows.at(row)
        column = place.start + self.scroll_offset.x + offset.x - self.GUTTER
        self._set(place.line, min(max(column, place.start), max(place.end - 1, place.start)))
        if offset.x < self.GUTTER:
            self.action_fold()

    # ----------------------------------------------------------------------- folding

    @property
    def _folding(self) -> Folding | None:
        lines = self.lines
        return lines if isinstance(lines, Folding) and not self._is_making and len(lines) else None

    def _ask(self, find: Callable[[], _T], then: Callable[[_T], None]) -> None:
        """Find something and act on it, unless something else is shown by then."""
        if self.lines.weight <= HEAVY:
            then(find())
            return
        generation = self._generation

        async def work() -> None:
            found = await aside(find, lambda: generation == self._generation)
            if generation == self._generation and not self._is_making:
                then(found)

        self.run_worker(work(), group="node", exclusive=True)

    def action_fold(self) -> None:
        """Fold or open what begins or ends under the cursor; where nothing folds at all, a page down."""
        folding, line = self._folding, self._cursor[0]
        if folding is None:
            self.action_page(1)
        elif self._rows.is_folded(line):
            self._unfold(line)
        elif folding.is_head(line):
            self._ask(lambda: folding.last(line), lambda last: self._fold(line, last))

    def _fold(self, head: int, last: int) -> None:
        self._rows.fold(head, last)
        self._cursor = (head, 0)
        self._refolded()

    def _unfold(self, head: int) -> None:
        self._rows.unfold(head)
        self._refolded()

    def _refolded(self) -> None:
        """Other rows are shown: the cursor stays in sight."""
        self.virtual_size = self.virtual_size.with_height(len(self._rows))
        hidden = self._rows.hiding(self._cursor[0])
        if hidden is not None:
            self._cursor = (hidden, 0)
        self.scroll_to(self.scroll_offset.x, self._top_for(self._row()), animate=False, immediate=True)
        self._repaint()
        self.post_message(self.Moved(self))

    def action_out(self) -> None:
        """Fold what begins here; else go to what holds it."""
        folding, line = self._folding, self._cursor[0]
        if folding is None:
            self.action_sideways(-8)
        elif folding.is_head(line) and not self._rows.is_folded(line):
            self._ask(lambda: folding.last(line), lambda last: self._fold(line, last))
        else:
            self._ask(lambda: folding.head(line), lambda head: None if head is None else self.move_to(head))

    def action_into(self) -> None:
        """Open what is folded here; else go to the first thing in it."""
        folding, line = self._folding, self._cursor[0]
        if folding is None:
            self.action_sideways(8)
        elif self._rows.is_folded(line):
            self._unfold(line)
        elif folding.is_head(line):
            self.move_to(line + 1)

    def action_level(self, step: int) -> None:
        """Show one level less or more of everything."""
        folding, now = self._folding, self._level
        if folding is None:
            return

        def find() -> tuple[FoldedRows, int | None]:
            levels = folding.levels()
            level = min(max((levels if now is None else now) + step, 0), levels)
            return self._folded_at(folding, None if level >= levels else level)

        self._ask(find, self._take_level)

    def action_fold_all(self) -> None:
        """Fold everything."""
        folding = self._folding
        if folding is not None:
            self._ask(lambda: self._folded_at(folding, 0), self._take_level)

    def action_unfold_all(self) -> None:
        """Open everything."""
        if self._folding is not None:
            self._take_level((FoldedRows(self._rows.whole), None))

    def _folded_at(self, folding: Folding, level: int | None) -> tuple[FoldedRows, int | None]:
        whole = self._rows.whole
        return FoldedRows(whole, () if level is None else folding.blocks(level)), level

    def _take_level(self, found: tuple[FoldedRows, int | None]) -> None:
        rows, level = found
        if rows.whole is self._rows.whole:  # else it was wrapped anew meanwhile
            self._rows, self._level = rows, level
            self._refolded()

    # ----------------------------------------------------------------------- painting

    def _dressed(self, row: int, place: Place, strip: Strip) -> Strip:
        """The sign of folding before a row, the colours of marks and of the cursor on it."""
        base, folding = self.base_style, self._folding
        sign = "  "
        if folding is not None and place.start == 0:
            if self._rows.is_folded(place.line):
                sign = "▸ "
            elif folding.is_head(place.line):
                sign = "▾ "
        segments = [Segment(sign, base + self._style("muted")), *strip]
        if row == self._row():
            style = self._style("cursor")
            segments = [Segment(text, (own or base) + style, control) for text, own, control in segments]
        return Strip(segments)

    def _overlay_mark(self, line: int, first: int, length: int) -> tuple[int, int] | None:
        """The marked characters of a part of a line."""
        if self._mark is None or not self._mark[0][0] <= line <= self._mark[1][0]:
            return None
        start, end = self._mark
        left = start[1] - first if line == start[0] else 0
        right = end[1] - first if line == end[0] else length
        return (max(left, 0), min(right, length)) if left < length and right > 0 else None

    def _tail(self, row: int, place: Place) -> list[Segment]:  # noqa: ARG002
        """What is folded behind a head, and how much."""
        last = self._rows.folded_last(place.line)
        folding = self._folding
        if last is None or folding is None:
            return []
        closer = {"{": " … }", "[": " … ]"}.get(folding.text(place.line)[-1:], " …")
        return [Segment(f"{closer}  {self._tally(folding, place.line, last)}", self.base_style + self._style("muted"))]

    def _tally(self, folding: Folding, head: int, last: int) -> str:
        """How much a folded block holds; "" until a large one is counted."""
        told = self._tallies.get(head)
        if told is None:
            if last - head <= _NEAR:
                told = self._tallies[head] = folding.tally(head)
            elif head not in self._counting:
                self._counting.add(head)
                self._count(folding, head)
        return told or ""

    def _count(self, folding: Folding, head: int) -> None:
        generation = self._generation

        async def work() -> None:
            told = await aside(lambda: folding.tally(head), lambda: generation == self._generation)
            if generation == self._generation:
                self._tallies[head] = told
                self._repaint()

        self.run_worker(work(), group="count")
