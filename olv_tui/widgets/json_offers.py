"""The list of what can be put in at the cursor of a JSON text.

Rules of this file:

* Names, values and descriptions are the server's text: one line each, made safe here.
* It never has the focus: the text keeps it, and hands the keys on (widgets/json_complete.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual.content import Content
from textual.widget import Widget

from olv_tui.view.safe import one_line

if TYPE_CHECKING:
    from textual import events
    from textual.geometry import Offset

    from olv_tui.schema.complete import Proposal

ROWS = 8
_LABEL = 36
_ABOUT = 60


class OffersList(Widget):
    """Proposals below the cursor, or above it where there is more room."""

    DEFAULT_CSS = """
    OffersList {
        position: absolute; overlay: screen; display: none;
        width: auto; height: auto; background: $panel; color: $foreground;
    }
    """

    def __init__(self, picked: Callable[[int], None]) -> None:
        super().__init__()
        self._picked = picked
        self._proposals: tuple[Proposal, ...] = ()
        self._index = 0

    @property
    def is_open(self) -> bool:
        """Whether it is shown."""
        return bool(self._proposals)

    @property
    def current(self) -> Proposal:
        """The proposal that would be taken."""
        return self._proposals[self._index]

    def show(self, proposals: tuple[Proposal, ...], at: Offset) -> None:
        """List proposals with the first one chosen; `at` is the cell of the screen that they are about."""
        self._proposals, self._index = proposals, 0
        height, width = min(len(proposals), ROWS), self._width()
        screen = self.screen.size
        above = at.y + 1 + height > screen.height and at.y >= height
        self.styles.offset = (max(min(at.x, screen.width - width), 0), at.y - height if above else at.y + 1)
        self.styles.width, self.styles.height = width, height
        self.display = True
        self.refresh(layout=True)

    def hide(self) -> None:
        """Show nothing."""
        self._proposals = ()
        self.display = False

    def move(self, step: int) -> None:
        """Choose another one, round the ends."""
        self._index = (self._index + step) % len(self._proposals)
        self.refresh()

    def choose(self, index: int) -> None:
        """Choose by number."""
        self._index = min(index, len(self._proposals) - 1)

    def _label_width(self) -> int:
        return min(max(Content(one_line(one.label, _LABEL)).cell_length for one in self._proposals), _LABEL)

    def _width(self) -> int:
        about = max(Content(one_line(one.about, _ABOUT)).cell_length for one in self._proposals)
        return min(self._label_width() + about + 4, self.screen.size.width)

    @property
    def _top(self) -> int:
        return max(min(self._index - ROWS // 2, len(self._proposals) - ROWS), 0)

    def render(self) -> Content:
        """A row each: label and description, the chosen one marked."""
        width = self.size.width
        lines = []
        if not self._proposals:
            return Content("")
        room = self._label_width()
        for number, one in enumerate(self._proposals[self._top : self._top + ROWS], self._top):
            label = Content(one_line(one.label, _LABEL))
            gap = " " * (max(room - label.cell_length, 0) + 2)
            about = Content(one_line(one.about, _ABOUT)).truncate(max(width - room - 4, 0), ellipsis=True)
            line = Content.assemble(" ", label.stylize("bold"), gap, about.stylize("$foreground 70%"), " ")
            line = line.pad_right(max(width - line.cell_length, 0))
            lines.append(line.stylize("$text on $primary") if number == self._index else line)
        return Content("\n").join(lines)

    def on_click(self, event: events.Click) -> None:
        """Take the one that was clicked."""
        event.stop()
        if self._proposals:
            self._picked(self._top + event.y)
