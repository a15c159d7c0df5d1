"""The strip of pane names on a narrow screen: shows which pane is in front, takes clicks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

if TYPE_CHECKING:
    from textual import events


class PaneTabs(Widget):
    """One line of names. Keys go through the screen; this widget never takes the focus."""

    DEFAULT_CSS = """
    PaneTabs { height: 1; background: $panel; }
    """

    front: reactive[str] = reactive("")

    class Picked(Message):
        """A name was clicked."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    def __init__(self, names: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self._names = names
        self.front = names[0][0]

    def render(self) -> Content:
        """The names, the one in front emphasised."""
        parts = [
            Content.styled(f" {label} ", "bold $text on $primary" if key == self.front else "$foreground 70%")
            for key, label in self._names
        ]
        return Content(" ").join(parts)

    def on_click(self, event: events.Click) -> None:
        """Find the name under the pointer."""
        end = 0
        for key, label in self._names:
            end += len(label) + 3
            if event.x < end:
                self.post_message(self.Picked(key))
                return
