"""The viewer: any number of lines, made, wrapped and searched without holding up the screen.

Rules of this file:

* Work that grows with the text (making lines, wrapping, searching) leaves the event loop above `HEAVY`
  bytes and is matched by generation when it comes back, so a late one is never shown.
* A view never takes the program down: what cannot be made says why in its place.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from itertools import islice
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content

from olv_tui.courtesy import aside
from olv_tui.view.fold import FoldedRows
from olv_tui.view.json_colour import Span
from olv_tui.view.lines import HIT_LIMIT, FixedLines, Hit, Line, Lines, WrappedLines
from olv_tui.view.needle import read
from olv_tui.view.safe import one_line
from olv_tui.widgets.text_view import TextView

if TYPE_CHECKING:
    from textual import events

HEAVY = 1 << 18
"""Bytes above which work on a text leaves the event loop (256 kB: about 5 ms)."""


class LinesView(TextView):
    """Shows `Lines` under a name. `w` wraps or scrolls sideways; `n` and `N` go through the hits of a search."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("w", "wrap", "Wrap", show=False),
        Binding("n", "hit(1)", "Next hit", show=False),
        Binding("N", "hit(-1)", "Previous hit", show=False),
    ]

    def __init__(self, title: str = "", *, id: str | None = None) -> None:  # noqa: A002  Textual's name
        super().__init__(id=id)
        self._generation = 0
        self._is_making = False
        self._made: list[Callable[[], None]] = []
        self._needle = ""
        self._marked = ""
        self._later: tuple[int, int, str] | None = None
        self._label = title

    # ----------------------------------------------------------------------- what is shown

    @property
    def lines(self) -> Lines:
        """The lines shown."""
        return self._rows.source

    def set_label(self, text: str) -> None:
        """The name of the view in its upper border, with the count of hits behind it."""
        self._label = text
        state = self.search_state if self._needle else self._marked
        found = f"{self._label} · {state}" if state else self._label
        self.border_title = Content(one_line(found))

    def show(self, lines: Lines, *, follow: bool = False) -> None:
        """Show lines from their top; with `follow` the view stays where it is, or at the end if it is there."""
        self._begin()
        if lines.weight > HEAVY:
            self._wait()
            self._work(lambda width: FoldedRows(WrappedLines(lines, width)))
            return
        at_end = self.scroll_offset.y >= self.max_scroll_y
        self._install(FoldedRows(WrappedLines(lines, self._width)), self.scroll_offset.y if follow else 0)
        if follow and at_end:
            self.scroll_end(animate=False, immediate=True)

    def load(
        self,
        make: Callable[[], Lines],
        *,
        heavy: bool,
        head: Callable[[], Lines] | None = None,
        stay: bool = False,
    ) -> None:
        """Show lines that are still to be made, in a thread where that is heavy work; until then it says so.

        `head` makes the first of them, which are shown meanwhile. `stay`: they are those that are shown, with others
        behind them: folds and places stay as they are.
        """
        if not heavy:
            self.show(_made(make))
            return
        if stay and not self._is_making and len(self._rows):
            folds, rows = self._rows.folds(), self._rows
            place = rows.at(self.scroll_offset.y) if self.scroll_offset.y < len(rows) else None
            self._generation += 1
            self._work(
                lambda width: FoldedRows(WrappedLines(_made(make), width), folds),
                (place.line, place.start) if place else None,
            )
            return
        self._begin()
        self._wait()
        self._work(
            lambda width: FoldedRows(WrappedLines(_made(make), width)),
            head=None if head is None else lambda width: FoldedRows(WrappedLines(_made(head), width)),
        )

    @property
    def is_making(self) -> bool:
        """Whether lines are being made that will be shown."""
        return self._is_making

    def when_made(self, done: Callable[[], None]) -> None:
        """Call when what is being made is shown, or is not wanted any more."""
        self._made.append(done)

    def _is_made(self) -> None:
        self._is_making = False
        made, self._made = self._made, []
        for done in made:
            done()

    def _begin(self) -> None:
        """Something else will be shown: work that is under way for what was there is late from now on."""
        self._generation += 1
        self._is_made()
        self._later = None
        self._forget_search()

    def _wait(self) -> None:
        text = "Preparing ..."
        told = FixedLines([Line(text, (Span(0, len(text), "muted"),))])
        self._install(FoldedRows(WrappedLines(told, None)), 0)

    def _work(
        self,
        make: Callable[[int | None], FoldedRows],
        top: tuple[int, int] | None = None,
        head: Callable[[int | None], FoldedRows] | None = None,
    ) -> None:
        """Make rows in a thread and show them, unless something else was wanted meanwhile; first those of the head."""
        generation, width = self._generation, self._width
        self._is_making = True

        def wanted() -> bool:
            return generation == self._generation

        async def work() -> None:
            if head is not None:
                rows = await aside(lambda: head(width), wanted)
                if generation != self._generation:
                    return
                self._install(rows, 0)
            rows = await aside(lambda: make(width), wanted)
            if generation != self._generation:
                return
            self._install(rows, rows.row_of(*top) if top else self.scroll_offset.y if head is not None else 0)
            self._is_made()
            if head is not None and self._needle:  # what was searched was the beginning
                self.search(self._needle)
            if width != self._width:  # the size changed while it was made
                self._rewrap()
            if self._later is not None:
                self.mark(*self._later)

        self.run_worker(work(), group="lines", exclusive=True)

    @property
    def _width(self) -> int | None:
        """The cells to wrap to; before the first layout there is no width, and a row is a line."""
        return (self.scrollable_content_region.width - self.GUTTER or None) if self._wraps else None

    def _rewrap(self) -> None:
        """Wrap anew to the width, the same text staying at the top. Rows being made see to it themselves."""
        if self._is_making:
            return
        rows, width = self._rows, self._width
        place = self._rows.at(self.scroll_offset.y) if 0 < self.scroll_offset.y < len(self._rows) else None
        top = (place.line, place.start) if place else None
        if rows.source.weight > HEAVY:
            self._work(rows.rewrapped, top)
            return
        rows = rows.rewrapped(width)
        self._install(rows, rows.row_of(*top) if top else 0)

    def on_resize(self, event: events.Resize) -> None:  # noqa: ARG002
        """Wrap to the new width."""
        width = self._width
        if width is not None and max(width, 2) != self._rows.width:
            self._rewrap()

    # ----------------------------------------------------------------------- search

    @property
    def needle(self) -> str:
        """What was searched for last, "" for nothing."""
        return self._needle

    @property
    def search_state(self) -> str:
        """`3 of 17`, `no hit`, why there can be none, or nothing where no search was made."""
        if not self._needle:
            return ""
        needle = read(self._needle)
        if needle.problem:
            return one_line(needle.problem, 80)
        count = len(self._hits)
        more = "+" if count >= HIT_LIMIT else ""
        where = f" in {needle.where}" if needle.where else ""
        note = f" · {needle.note}" if needle.note and self.lines.widest() > needle.window else ""
        return (f"{self._hit + 1:,} of {count:,}{more}" if count else "no hit") + where + note

    def search(self, needle: str) -> None:
        """Mark every place of a text and go to the first at or below the top row. "" ends the search."""
        source, generation = self.lines, self._generation
        self._forget_search()
        self._needle = needle
        # A pattern costs up to a few hundredths of a second in each window.
        if not needle or (source.weight <= HEAVY and (read(needle).plain or source.weight < read(needle).window)):
            self._found(list(islice(source.hits(needle), HIT_LIMIT)) if needle else [])
            return

        def is_over() -> bool:
            # A thread cannot be stopped: a pattern may take minutes in a large text, and the program waits for threads.
            return generation != self._generation or needle != self._needle or not self.is_running

        async def work() -> None:
            hits = await aside(lambda: list(islice(source.hits(needle, is_over), HIT_LIMIT)))
            if not is_over():
                self._found(hits)

        self.run_worker(work(), group="search", exclusive=True)

    def _found(self, hits: list[Hit]) -> None:
        self._hits = hits
        self._longest_hit = max((hit.length for hit in hits), default=0)
        if hits and len(self._rows):
            place = self._rows.at(min(self.scroll_offset.y, len(self._rows) - 1))
            self._go_to(bisect_left(hits, (place.line, place.start)) % len(hits))
        else:
            self._tell_search()

    def mark(self, start: int, end: int, what: str) -> None:
        """Mark bytes of the text and go there; `what` stands in the border until something else is shown or sought."""
        if self._is_making:
            self._later = (start, end, what)
            return
        self._later = None
        self.mark_hits(list(islice(self.lines.places(start, end), HIT_LIMIT)), 0, what)

    def mark_hits(self, hits: list[Hit], number: int, what: str) -> None:
        """Mark places and go to one of them."""
        self._forget_search()
        self._hits, self._marked = hits, what
        self._longest_hit = max((hit.length for hit in hits), default=0)
        if hits:
            self._go_to(number)
        self._tell_search()

    def _go_to(self, number: int) -> None:
        self._hit = number
        hit = self._hits[number]
        self._reveal(hit.line, hit.start)
        row = self._rows.row_of(hit.line, hit.start)
        top, left = self._top_for(row), self.scroll_offset.x
        if not self._wraps and not left <= hit.start < left + self.size.width - hit.length:
            left = max(hit.start - self.size.width // 3, 0)
        self.scroll_to(left, top, animate=False, immediate=True)
        self._tell_search()

    def _top_for(self, row: int) -> int:
        """The top row with which a row is seen: the present one where it is seen already."""
        height, top = self._height, self.scroll_offset.y
        return top if top <= row < top + height else max(row - height // 3, 0)

    def _reveal(self, line: int, column: int) -> None:
        """A place will be shown."""

    def _tell_search(self) -> None:
        self._repaint()
        self.set_label(self._label)

    def _forget_search(self) -> None:
        self._hits, self._hit, self._needle, self._marked = [], -1, "", ""
        self._repaint()
        self.set_label(self._label)

    # ----------------------------------------------------------------------- keys

    def action_wrap(self) -> None:
        """Wrap lines, or scroll sideways along them."""
        self._wraps = not self._wraps
        self._rewrap()

    def action_hit(self, step: int) -> None:
        """The next or previous hit, round the ends."""
        if self._hits:
            self._go_to((self._hit + step) % len(self._hits))


def _made(make: Callable[[], Lines]) -> Lines:
    """What `make` gives, or a line that says why it gave nothing: a view never takes the program down."""
    try:
        return make()
    except Exception as error:
        text = one_line(f"This view could not be made: {type(error).__name__}: {error}", 500)
        return FixedLines([Line(text, (Span(0, len(text), "error"),))])
