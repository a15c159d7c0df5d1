"""A list of any length that draws the rows it shows and keeps nothing else.

Rules of this file:

* Rows are asked for by number when they are painted (`RowList.row`): 5,000 rows mount and refill as fast as
  five. Textual's OptionList takes 0.5 s to mount 5,000 and 0.17 s for each refill.
* Row texts are already safe and on one line; this file only measures, cuts and colours.
* Movements are not animated: an animated page takes half a second to come to rest.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.binding import Binding, BindingType
from textual.color import Color
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

if TYPE_CHECKING:
    from textual import events

Part = tuple[str, str]
"""A piece of a row: its text and its kind, one of `KINDS`."""

KINDS: Mapping[str, tuple[str, str]] = {
    "plain": ("", ""),
    "strong": ("", "bold underline"),
    "dim": ("", "dim"),
    "muted": ("", "dim"),
    "success": ("text-success", ""),
    "warning": ("text-warning", ""),
    "error": ("text-error", ""),
    "primary": ("text-primary", ""),
    "secondary": ("text-secondary", ""),
    "accent": ("text-accent", ""),
}
"""The theme variable and the attributes of each kind. Component classes would do the same, but each is styled
anew with every change of the screen: ten of them in two lists took a tenth of the time to the first paint.
"""


class RowList(ScrollView, can_focus=True):
    """A scrolling list with a cursor. Subclasses say how many rows there are and what is in them."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"rows--cursor"}

    DEFAULT_CSS = """
    RowList {
        background: transparent;
        scrollbar-size-vertical: 1;
        overflow-x: hidden;
        & > .rows--cursor { background: $foreground 10%; }
        &:focus > .rows--cursor { background: $block-cursor-background 35%; text-style: bold; }
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "move(1)", "Down", show=False, id="list.down"),
        Binding("up,k", "move(-1)", "Up", show=False, id="list.up"),
        Binding("home,g", "edge(0)", "First", show=False, id="list.first"),
        Binding("end,G", "edge(1)", "Last", show=False, id="list.last"),
        Binding("pagedown,ctrl+f", "page(1)", "Page down", show=False, id="list.page_down"),
        Binding("pageup,ctrl+b", "page(-1)", "Page up", show=False, id="list.page_up"),
        Binding("enter,l", "choose", "Take", show=False, id="list.take"),
    ]

    row_height = 1
    """Screen lines a row takes."""

    class Moved(Message):
        """The cursor came to another row."""

        def __init__(self, rows: RowList, index: int) -> None:
            super().__init__()
            self.rows = rows
            self.index = index

    class Chosen(Message):
        """A row was taken, by Enter or by a double click."""

        def __init__(self, rows: RowList, index: int) -> None:
            super().__init__()
            self.rows = rows
            self.index = index

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 (Textual's own name for it)
        self._styles_of_kinds: dict[str, Style] = {}
        super().__init__(id=id)
        self.count = 0
        self.cursor = 0
        self._note: Sequence[Part] = ()

    # ----------------------------------------------------------------------- for subclasses and owners

    def row(self, index: int) -> Sequence[tuple[Sequence[Part], Sequence[Part]]]:
        """The lines of a row, `row_height` of them, each as parts on the left and parts on the right."""
        raise NotImplementedError

    def set_rows(self, count: int, cursor: int = 0) -> None:
        """Show `count` rows with the cursor on one of them; where it moves to another row `Moved` is not sent."""
        self.count = count
        self.cursor = max(0, min(cursor, count - 1))
        self.virtual_size = Size(0, count * self.row_height)
        self._show_cursor()
        self.refresh()

    def set_note(self, *paragraphs: Part) -> None:
        """What is shown while there are no rows."""
        self._note = paragraphs
        self.refresh()

    def add_note(self, paragraph: Part) -> None:
        """Say one thing more in the note, once."""
        if paragraph not in self._note:
            self.set_note(*self._note, paragraph)

    def move_to(self, index: int) -> None:
        """Put the cursor on a row and say so."""
        index = max(0, min(index, self.count - 1))
        if self.count and index != self.cursor:
            # Only the two rows that change are painted again, unless the list scrolls and paints itself.
            self.refresh_lines(self.cursor * self.row_height, self.row_height)
            self.cursor = index
            self.refresh_lines(index * self.row_height, self.row_height)
            self._show_cursor()
            self.post_message(self.Moved(self, index))

    # ----------------------------------------------------------------------- actions

    def action_move(self, step: int) -> None:
        """One row up or down."""
        self.move_to(self.cursor + step)

    def action_edge(self, last: int) -> None:
        """The first or the last row."""
        self.move_to(self.count - 1 if last else 0)

    def action_page(self, step: int) -> None:
        """A page up or down."""
        self.move_to(self.cursor + step * max(1, self.size.height // self.row_height - 1))

    def action_choose(self) -> None:
        """Take the row under the cursor."""
        if self.count:
            self.post_message(self.Chosen(self, self.cursor))

    def on_click(self, event: events.Click) -> None:
        """A click puts the cursor there, the second one takes the row."""
        index = (event.y + self.scroll_offset.y) // self.row_height
        if 0 <= index < self.count:
            self.move_to(index)
            if event.chain == 2:
                self.action_choose()

    # ----------------------------------------------------------------------- painting

    def render_line(self, y: int) -> Strip:
        """Paint one screen line."""
        width = self.size.width
        base = self.rich_style
        if not self.count:
            return self._note_line(y, width, base)
        index, line = divmod(y + self.scroll_offset.y, self.row_height)
        if index >= self.count:
            return Strip.blank(width, base)
        if index == self.cursor:
            base += self.get_component_rich_style("rows--cursor", partial=True)
            base += self.get_component_rich_style("rows--cursor").background_style
        left, right = self.row(index)[line]
        return Strip(self._segments(left, right, width, base), width)

    def _segments(self, left: Sequence[Part], right: Sequence[Part], width: int, base: Style) -> list[Segment]:
        """Lay parts out on a line of `width` cells; the right ones are kept where the room is short."""
        room = max(0, width - 2 - sum(cell_len(text) for text, _ in right))
        segments = [Segment(" ", base)]
        for text, kind in left:
            if room <= 0:
                break
            cells = cell_len(text)
            if cells > room:
                text = set_cell_size(text, room - 1) + "…"  # noqa: PLW2901
                cells = room
            segments.append(Segment(text, base + self._style(kind)))
            room -= cells
        segments.append(Segment(" " * room, base))
        segments += [Segment(text, base + self._style(kind)) for text, kind in right]
        segments.append(Segment(" ", base))
        return list(Strip(segments).adjust_cell_length(width, base))

    def _note_line(self, y: int, width: int, base: Style) -> Strip:
        lines: list[Part] = []
        for text, kind in self._note:
            lines += [(line, kind) for line in textwrap.wrap(text, max(8, width - 2)) or [""]]
        if y >= len(lines):
            return Strip.blank(width, base)
        text, kind = lines[y]
        return Strip([Segment(" ", base), Segment(text, base + self._style(kind))]).adjust_cell_length(width, base)

    def _style(self, kind: str) -> Style:
        style = self._styles_of_kinds.get(kind)
        if style is None:
            variable, attributes = KINDS[kind]
            style = Style.parse(attributes)
            value = self.app.theme_variables.get(variable)
            if value is not None:
                style += Style.from_color(Color.parse(value).rich_color)
            self._styles_of_kinds[kind] = style
        return style

    def notify_style_update(self) -> None:
        """The theme may have changed: colours are looked up anew."""
        self._styles_of_kinds.clear()
        super().notify_style_update()

    def _show_cursor(self) -> None:
        region = Region(0, self.cursor * self.row_height, 1, self.row_height)
        self.scroll_to_region(region, animate=False, force=True, immediate=True, x_axis=False)
