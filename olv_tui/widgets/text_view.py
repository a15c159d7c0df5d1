"""Rows of text painted one by one: colours, marks, selection, scrolling.

Rules of this file:

* Only rows on the screen are decoded, coloured and painted: 50 MB scroll like 5 kB.
* Lines hold safe text only (view/safe.py); nothing here reads markup.
* Scrolling is never animated: the animated PageDown takes half a second to come to rest.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import groupby
from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.binding import Binding, BindingType
from textual.cache import LRUCache
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from olv_tui.view.fold import FoldedRows
from olv_tui.view.json_colour import KINDS, Span
from olv_tui.view.lines import FixedLines, Hit, Place, WrappedLines

if TYPE_CHECKING:
    from textual.selection import Selection

_LONG_LINE = 4096


class TextView(ScrollView, can_focus=True):
    """Paints rows of lines. What is shown, and what is marked in it, is set by the class below it."""

    ALLOW_SELECT = True
    GUTTER: ClassVar[int] = 0
    """Cells before each row that are no text."""
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"lines--{kind}" for kind in (*KINDS, "hit", "hit-now", "cursor", "linked")
    }

    DEFAULT_CSS = """
    TextView {
        height: 1fr; width: 1fr;
        background: $surface; color: $foreground;
        overflow-y: scroll; overflow-x: auto;
        scrollbar-size: 1 1;
        border-top: solid $foreground 25%;
        border-title-color: $foreground 70%;
        &:focus { border-top: solid $border; border-title-color: $text-primary; border-title-style: bold; }
        & > .lines--key { color: $text-primary; }
        & > .lines--string { color: $text-success; }
        & > .lines--number { color: $text-warning; }
        & > .lines--keyword { color: $text-accent; }
        & > .lines--punctuation { color: $foreground 60%; }
        & > .lines--escape { color: $text-error; }
        & > .lines--heading { color: $text-primary; text-style: bold; }
        & > .lines--label { color: $foreground 70%; text-style: bold; }
        & > .lines--muted { color: $foreground 60%; }
        & > .lines--success { color: $text-success; text-style: bold; }
        & > .lines--warning { color: $text-warning; text-style: bold; }
        & > .lines--error { color: $text-error; text-style: bold; }
        & > .lines--hit { background: $warning 40%; }
        & > .lines--cursor { background: $foreground 8%; }
        &:focus > .lines--cursor { background: $primary 35%; }
        & > .lines--linked { background: $accent 20%; }
        & > .lines--hit-now { background: $warning; color: $background; text-style: bold; }
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j,down", "by(1)", "Down", show=False),
        Binding("k,up", "by(-1)", "Up", show=False),
        Binding("h,left", "sideways(-8)", "Left", show=False),
        Binding("l,right", "sideways(8)", "Right", show=False),
        Binding("ctrl+d", "page(0.5)", "Half a page down", show=False),
        Binding("ctrl+u", "page(-0.5)", "Half a page up", show=False),
        Binding("pagedown,space", "page(1)", "Page down", show=False),
        Binding("pageup", "page(-1)", "Page up", show=False),
        Binding("g,home", "edge(False)", "Top", show=False),
        Binding("G,end", "edge(True)", "Bottom", show=False),
    ]

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002  Textual's name
        super().__init__(id=id)
        self._rows = FoldedRows(WrappedLines(FixedLines([]), None))
        self._wraps = True
        self._strips: LRUCache[tuple[int, int], Strip] = LRUCache(2048)
        self._hits: list[Hit] = []
        self._hit = -1
        self._longest_hit = 0
        self._base: Style | None = None

    @property
    def base_style(self) -> Style:
        """`rich_style`, kept until styles change: it walks up all parents, and every row asks for it thrice."""
        if self._base is None:
            self._base = self.rich_style
        return self._base

    @property
    def wraps(self) -> bool:
        """Whether rows are wrapped to the width."""
        return self._wraps

    def _install(self, rows: FoldedRows, top: int) -> None:
        """Paint these rows from now on, `top` being the first on the screen."""
        self._rows = rows
        self._strips.clear()
        width = self.scrollable_content_region.width if self._wraps else rows.source.widest() + self.GUTTER
        self.virtual_size = Size(width, len(rows))
        self.scroll_to(0, top, animate=False, immediate=True)
        self.refresh()

    @property
    def _height(self) -> int:
        """The rows that are seen at once."""
        return self.scrollable_content_region.height

    def _repaint(self) -> None:
        self._base = None
        self._strips.clear()
        self.refresh()

    # ----------------------------------------------------------------------- painting

    def render_line(self, y: int) -> Strip:
        """One row of the screen."""
        x, top = self.scroll_offset
        row, width, base = top + y, self.size.width - self.GUTTER, self.base_style
        if row >= len(self._rows):
            return Strip.blank(width + self.GUTTER, base)
        place = self._rows.at(row)
        if not self._wraps and place.end > _LONG_LINE:
            strip = self._strip(row, x, x + width).crop_extend(0, width, base)
        else:
            strip = self._strip(row, 0, place.end - place.start).crop_extend(x, x + width, base)
        return self._dressed(row, place, strip.apply_offsets(x, row))

    def _dressed(self, row: int, place: Place, strip: Strip) -> Strip:  # noqa: ARG002  for the views below
        """A painted row with what stands before and behind it."""
        return strip

    def _tail(self, row: int, place: Place) -> list[Segment]:  # noqa: ARG002
        """What stands behind the text of a row."""
        return []

    def _strip(self, row: int, start: int, end: int) -> Strip:
        """Characters `start` to `end` of a row."""
        key = (row, start)
        selection = self.text_selection
        span = selection.get_span(row) if selection is not None else None
        strip = self._strips.get(key) if span is None else None
        if strip is None:
            place = self._rows.at(row)
            first = place.start + start
            text, spans = self._rows.source.cut(place.line, first, min(place.start + end, place.end))
            segments = self._segments(text, spans, self._overlays(place.line, first, len(text), span, start))
            strip = Strip(segments + self._tail(row, place))
            if span is None:
                self._strips[key] = strip
        return strip

    def _overlays(
        self, line: int, first: int, length: int, span: tuple[int, int] | None, shift: int
    ) -> list[tuple[int, int, Style]]:
        """Hits and selection in a part of a line, counted from its start."""
        found: list[tuple[int, int, Style]] = []
        marked = self._overlay_mark(line, first, length)
        if marked is not None:
            found.append((*marked, self._style("linked")))
        at = bisect_left(self._hits, (line, max(first - self._longest_hit, 0))) if self._hits else 0
        for number in range(at, len(self._hits)):
            hit = self._hits[number]
            if hit.line != line or hit.start >= first + length:
                break
            style = self._style("hit-now" if number == self._hit else "hit")
            found.append((max(hit.start - first, 0), hit.start + hit.length - first, style))
        if span is not None:
            start, end = span
            style = self.screen.get_component_rich_style("screen--selection")
            found.append((max(start - shift, 0), length if end == -1 else max(end - shift, 0), style))
        return found

    def _overlay_mark(self, line: int, first: int, length: int) -> tuple[int, int] | None:  # noqa: ARG002
        """The characters of a part of a line that are marked as looked at in another view."""
        return None

    def _segments(self, text: str, spans: tuple[Span, ...], overlays: list[tuple[int, int, Style]]) -> list[Segment]:
        """Text as segments of one style each."""
        base = self.base_style
        if not overlays:
            segments, at = [], 0
            for start, end, kind in spans:
                if start > at:
                    segments.append(Segment(text[at:start], base))
                segments.append(Segment(text[start:end], base + self._style(kind)))
                at = end
            if at < len(text):
                segments.append(Segment(text[at:], base))
            return segments
        styles = [base] * len(text)
        for start, end, kind in spans:
            styles[start:end] = [base + self._style(kind)] * (end - start)
        for start, end, style in overlays:
            for index in range(start, min(end, len(styles))):
                styles[index] += style
        runs = groupby(zip(styles, text, strict=True), key=lambda pair: pair[0])
        return [Segment("".join(character for _, character in run), style) for style, run in runs]

    def _style(self, kind: str) -> Style:
        # Not the partial style: that forgets how far a colour is see-through, and muted text would be as bright as any.
        return self.get_component_rich_style(f"lines--{kind}")

    def notify_style_update(self) -> None:
        """Colours changed: nothing painted before is good any more."""
        super().notify_style_update()
        self._base = None
        self._strips.clear()

    # ----------------------------------------------------------------------- selection

    @property
    def allow_select(self) -> bool:
        """Text can be selected with the mouse."""
        return True

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The selected text, line ends only where the text has them."""
        start, end = selection
        if start is None and end is None:
            return self._rows.source.plain(), "\n"
        last = len(self._rows) - 1 if end is None else end.y
        return self._rows.text(start.y if start else 0, last, start.x if start else 0, end.x if end else None), "\n"

    def selection_updated(self, selection: Selection | None) -> None:  # noqa: ARG002
        """Paint it."""
        self._repaint()

    # ----------------------------------------------------------------------- keys

    def action_by(self, rows: int) -> None:
        """Scroll by rows."""
        self.scroll_relative(y=rows, animate=False, immediate=True)

    def action_sideways(self, columns: int) -> None:
        """Scroll sideways, where lines are not wrapped."""
        self.scroll_relative(x=columns, animate=False, immediate=True)

    def action_page(self, pages: float) -> None:
        """Scroll by pages."""
        rows = int(self._height * abs(pages)) or 1
        self.action_by(rows if pages > 0 else -rows)

    def action_edge(self, bottom: bool) -> None:
        """Go to the first or the last row."""
        self.scroll_to(0, self.max_scroll_y if bottom else 0, animate=False, immediate=True)
