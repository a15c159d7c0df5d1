"""The pictures of an answer, one at a time, drawn in half cells.

Rules of this file:

* A picture is decoded and drawn in a thread, anew for each size of the terminal; a late one is dropped.
* Where it cannot be shown, the reason stands in its place and says what can be done.
"""

from __future__ import annotations

import asyncio
from itertools import groupby
from typing import TYPE_CHECKING, ClassVar

from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Static

from olv_tui.screens.modal import Modal
from olv_tui.view.picture import Colour, Drawn, Picture, draw
from olv_tui.view.safe import one_line

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult

_COLOURFUL = ("truecolor", "256")


class HalfCells(Widget):
    """A drawn picture in the middle of its room."""

    DEFAULT_CSS = "HalfCells { height: 1fr; width: 1fr; }"

    def __init__(self) -> None:
        super().__init__()
        self._rows: list[Strip] = []

    def show(self, drawn: Drawn) -> None:
        """Show a picture."""
        self._rows = [
            Strip([_cells(upper, lower, len(list(same))) for (upper, lower), same in groupby(row)])
            for row in drawn.rows
        ]
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """A line of half cells, or of nothing."""
        width, height = self.size
        at = y - (height - len(self._rows)) // 2
        if not 0 <= at < len(self._rows):
            return Strip.blank(width, self.rich_style)
        row = self._rows[at]
        left = (width - row.cell_length) // 2
        return Strip.join([Strip.blank(left, self.rich_style), row]).adjust_cell_length(width, self.rich_style)


def _cells(upper: Colour, lower: Colour, count: int) -> Segment:
    """Neighbouring half cells of the same colours."""
    return Segment("▀" * count, Style(color=Color.from_rgb(*upper), bgcolor=Color.from_rgb(*lower)))


class PictureScreen(Modal[None]):
    """Shows pictures; left and right go from one to the next."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,v", "dismiss", "Back", key_display="Esc", id="picture.back"),
        Binding("right,space", "turn(1)", "Next", id="picture.next"),
        Binding("left", "turn(-1)", "Previous", id="picture.previous"),
    ]

    DEFAULT_CSS = """
    PictureScreen { align: center middle; background: $background 60%; }
    PictureScreen .box { width: 100%; height: 100%; padding: 0 1; }
    PictureScreen #problem { display: none; height: auto; margin: 1 0; color: $text-warning; }
    PictureScreen.-problem #problem { display: block; }
    PictureScreen.-problem HalfCells { display: none; }
    """

    def __init__(self, pictures: tuple[Picture, ...]) -> None:
        super().__init__()
        self._pictures = pictures
        self._at = 0

    def compose(self) -> ComposeResult:
        """The picture, or why there is none."""
        with Vertical(classes="box"):
            yield HalfCells()
            yield Static(id="problem")

    def on_resize(self, event: events.Resize) -> None:  # noqa: ARG002
        """Draw to the room there is, the first time as well."""
        self.call_after_refresh(self._draw)

    def action_turn(self, step: int) -> None:
        """The next picture, round the ends."""
        self._at = (self._at + step) % len(self._pictures)
        self._draw()

    def _draw(self) -> None:
        self.run_worker(self._drawing(self._pictures[self._at]), group="picture", exclusive=True)

    async def _drawing(self, picture: Picture) -> None:
        box = self.query_one(".box")
        width, height = box.content_size
        behind = box.background_colors[1].rgb
        if self.app.console.no_color or self.app.console.color_system not in _COLOURFUL:
            drawn = Drawn(problem="This terminal shows too few colours for a picture. s saves it to a file.")
        else:
            drawn = await asyncio.to_thread(_drawn, picture, width, height, behind)
        size = f" · {drawn.size[0]} x {drawn.size[1]} pixels" if drawn.size[0] else ""
        several = f" ({self._at + 1} of {len(self._pictures)})" if len(self._pictures) > 1 else ""
        box.border_title = Content(one_line(f"Picture · {picture.label}{several} · {picture.mime or 'no type'}{size}"))
        box.border_subtitle = Content(f"{'← → others · ' if several else ''}Esc goes back")
        self.set_class(bool(drawn.problem), "-problem")
        self.query_one("#problem", Static).update(Content(one_line(drawn.problem, 300)))
        self.query_one(HalfCells).show(drawn)


def _drawn(picture: Picture, width: int, height: int, behind: tuple[int, int, int]) -> Drawn:
    """A picture drawn, or why it cannot be decoded."""
    try:
        data = picture.data()
    except ValueError as error:
        return Drawn(problem=f"This picture cannot be shown: {error}. s saves the body as it came.")
    return draw(data, width, height, behind)
