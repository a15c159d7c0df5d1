"""The line of keys at the bottom: those of the focused pane, clickable.

Rules of this file: one widget draws all of it. Textual's Footer makes a widget of each key and makes them anew
whenever the focus moves; that took a fifth of the time to the first paint.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content
from textual.widget import Widget

if TYPE_CHECKING:
    from textual import events
    from textual.screen import Screen


class KeyBar(Widget):
    """Keys with what they do, in the order of the bindings; the palette stands on the right."""

    DEFAULT_CSS = """
    KeyBar { height: 1; dock: bottom; background: $panel; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._places: list[tuple[int, int, str]] = []

    def on_mount(self) -> None:
        """Follow the bindings."""
        self.screen.bindings_updated_signal.subscribe(self, self._changed)

    def _changed(self, screen: Screen[object]) -> None:
        if screen is self.screen:
            self.refresh()

    def render(self) -> Content:
        """The keys that work now; those without room are left out, the palette never is."""
        app = self.app
        right = Content.assemble((" ^p", "bold $text-accent"), (" Palette ", "$foreground 70%"))
        room = self.size.width - right.cell_length
        line = Content("")
        self._places = []
        seen: set[str] = set()
        for active in self.screen.active_bindings.values():
            binding = active.binding
            if not binding.show or not active.enabled or binding.action in seen or binding.system:
                continue
            seen.add(binding.action)
            key = app.get_key_display(binding)
            part = Content.assemble((f" {key}", "bold $text-accent"), (f" {binding.description}", "$foreground 70%"))
            if line.cell_length + part.cell_length > room:
                break
            self._places.append((line.cell_length, line.cell_length + part.cell_length, binding.key))
            line += part
        self._places.append((room, self.size.width, app.COMMAND_PALETTE_BINDING))
        return Content.assemble(line, " " * max(0, room - line.cell_length), right)

    def on_click(self, event: events.Click) -> None:
        """A click does what the key does."""
        for start, end, key in self._places:
            if start <= event.x < end:
                self.app.simulate_key(key)
                return
