"""How the panes stand on the screen: side by side, or one at a time behind tabs, and the ways between them.

Rules of this file: it knows panes and nothing of tools and calls. One mechanism serves a narrow screen and a
maximised pane: the pane in front has the class `-front`, and all others are hidden while the screen is
`-narrow` or `-solo`. Whatever has the focus is in front.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Offset
from textual.screen import Screen

from olv_tui.widgets.pane import Pane
from olv_tui.widgets.tabs import PaneTabs

if TYPE_CHECKING:
    from textual import events
    from textual.widget import Widget

ORDER = ("tools", "editor", "answer", "history")
"""The panes as tab goes through them."""

_LETTERS = {"t": "tools", "e": "editor", "a": "answer", "h": "history"}


PANE_BINDINGS: list[BindingType] = [
    Binding("tab", "pane(1)", "Next pane", show=False, id="pane.next"),
    Binding("shift+tab", "pane(-1)", "Previous pane", show=False, id="pane.previous"),
    Binding("ctrl+o", "jump", "Jump", priority=True, id="jump"),
    Binding("z", "maximise", "Maximise", show=False, id="maximise.plain"),
    Binding("f11", "maximise", "Maximise", show=False, priority=True, id="maximise"),
    Binding("f1", "help", "Help", priority=True, id="help"),
    Binding("f8", "screenshot", "Screenshot", show=False, priority=True, id="screenshot"),
]
"""Keys of the layout; the screen puts them after its own, which is their order in the footer."""


class PaneScreen(Screen[None]):
    """A screen of four panes."""

    front = "tools"

    def pane(self, key: str) -> Pane:
        """The pane called `key`."""
        return next(pane for pane in self.query(Pane) if pane.key == key)

    def pane_of(self, widget: Widget | None) -> Pane | None:
        """The pane a widget is in."""
        if widget is None:
            return None
        return next((node for node in widget.ancestors_with_self if isinstance(node, Pane)), None)

    @property
    def is_solo(self) -> bool:
        """Whether one pane is shown at a time."""
        return self.has_class("-narrow") or self.has_class("-solo")

    def bring(self, key: str) -> None:
        """Put a pane in front without giving it the focus."""
        self.front = key
        for pane in self.query(Pane):
            pane.set_class(pane.key == key, "-front")
            if pane.parent is not None and pane.key == key:
                for column in self.query(".column"):
                    column.set_class(column is pane.parent, "-front")
        self.query_one(PaneTabs).front = key

    def go(self, key: str) -> None:
        """Put a pane in front and give it the focus."""
        if key != self.front:
            self.bring(key)
        self.pane(key).focus_target().focus()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """What has the focus is in front."""
        pane = self.pane_of(event.widget)
        if pane is not None and pane.key != self.front:
            self.bring(pane.key)

    def on_pane_tabs_picked(self, event: PaneTabs.Picked) -> None:
        """A tab was clicked."""
        self.go(event.key)

    def action_pane(self, step: int) -> None:
        """The next thing to focus in this pane, else the next pane."""
        pane = self.pane_of(self.focused)
        if pane is not None and self.focused is not None:
            inside = [widget for widget in self.focus_chain if self.pane_of(widget) is pane]
            at = inside.index(self.focused) + step if self.focused in inside else -1
            if 0 <= at < len(inside):
                inside[at].focus()
                return
        at = ORDER.index(pane.key if pane is not None else self.front)
        self.go(ORDER[(at + step) % len(ORDER)])

    def action_maximise(self) -> None:
        """Give the pane in front the whole screen, or take it back."""
        self.toggle_class("-solo")

    def action_jump(self) -> None:
        """Show a letter over each pane and go where the next key says."""
        from olv_tui.screens.modals import JumpScreen

        letters = []
        for place, (letter, key) in enumerate(_LETTERS.items()):
            pane = self.pane(key)
            at = Offset(4, 4 + 2 * place) if self.is_solo else pane.region.offset + Offset(2, 1)
            letters.append((letter, pane.label, at))

        def jump(letter: str | None) -> None:
            if letter is not None:
                self.go(_LETTERS[letter])

        self.app.push_screen(JumpScreen(letters), jump)

    def action_help(self) -> None:
        """What the focused pane is for and its keys."""
        from olv_tui.screens.modals import HelpScreen

        pane = self.pane_of(self.focused) or self.pane(self.front)
        keys: dict[str, list[str]] = {}
        for active in self.active_bindings.values():
            binding = active.binding
            if binding.description and active.enabled and not binding.system:
                shown = keys.setdefault(binding.description, [])
                display = self.app.get_key_display(binding)
                if display not in shown:
                    shown.append(display)
        listed = [(", ".join(names), what) for what, names in keys.items()]
        self.app.push_screen(HelpScreen(pane.label, self.help_text(pane), listed))

    def help_text(self, pane: Pane) -> Content:
        """The text of f1 for a pane."""
        return Content(pane.HELP)

    def masked_picture(self, drawn: str) -> str:
        """The text of a screenshot without secrets."""
        return drawn

    def action_screenshot(self) -> None:
        """Write the screen as SVG into the current folder and tell the path.

        It holds what the screen shows: safe text, masked, and so is what is being typed. The name is its own, and no
        file is written over.
        """
        from olv_tui.outside.files import FileError, write_new

        try:
            drawn = self.masked_picture(self.app.export_screenshot())
            path = write_new(Path.cwd(), "olv-tui-screen.svg", drawn.encode("utf-8", "backslashreplace"))
        except (FileError, OSError) as error:
            self.app.notify(f"No screenshot: {error}", severity="error", markup=False)
        else:
            self.app.notify(f"Screenshot: {path}", markup=False)
