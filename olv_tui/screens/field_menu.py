"""Small screens about one field of a form: its menu, and its schema.

Rules of this file: they show words that are safe already, or make them so, and give back a key; nothing changes here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content

from olv_tui.screens.modal import Modal
from olv_tui.widgets.lines_view import LinesView
from olv_tui.widgets.rows import Part, RowList

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult

    from olv_tui.view.form_keys import Command
    from olv_tui.view.lines import Lines


class _Commands(RowList):
    def __init__(self, commands: Sequence[Command]) -> None:
        super().__init__(id="commands")
        self.commands = commands

    def row(self, index: int) -> Sequence[tuple[Sequence[Part], Sequence[Part]]]:
        """The letter and what it does."""
        command = self.commands[index]
        return [([(f"{command.letter}  ", "accent"), (command.words, "plain")], [])]


class FieldMenu(Modal[str | None]):
    """Gives the key of a command, taken by its letter or by Enter; or None."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,f7", "dismiss", "Back", id="field_menu.back")]

    DEFAULT_CSS = """
    FieldMenu { align: center middle; background: $background 40%; }
    FieldMenu .box { padding: 0 1; }
    FieldMenu #commands { height: auto; max-height: 18; }
    """

    def __init__(self, title: str, commands: Sequence[Command]) -> None:
        super().__init__()
        self._title = title
        self._rows = _Commands(commands)

    def compose(self) -> ComposeResult:
        """The commands in a box."""
        with Vertical(classes="box") as box:
            box.border_title = Content(self._title)
            box.border_subtitle = Content("a letter or Enter · Esc goes back")
            yield self._rows

    def on_mount(self) -> None:
        """Show them."""
        self._rows.set_rows(len(self._rows.commands))
        self._rows.styles.height = len(self._rows.commands)
        self._rows.focus()

    def on_key(self, event: events.Key) -> None:
        """A letter takes its command."""
        for command in self._rows.commands:
            if event.character == command.letter:
                event.stop()
                self.dismiss(command.key)

    def on_row_list_chosen(self, event: RowList.Chosen) -> None:
        """Enter takes the command under the cursor."""
        event.stop()
        self.dismiss(self._rows.commands[event.index].key)


class SchemaScreen(Modal[None]):
    """The schema of a field, to read."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,ctrl+s,q", "dismiss", "Back", id="schema.back")]

    DEFAULT_CSS = """
    SchemaScreen { align: center middle; background: $background 60%; }
    SchemaScreen .box { width: 100; height: 80%; padding: 0 1; }
    SchemaScreen LinesView, SchemaScreen LinesView:focus { border: none; background: $surface; }
    """

    def __init__(self, title: str, lines: Lines) -> None:
        super().__init__()
        self._title = title
        self._view = LinesView()
        self._lines = lines

    def compose(self) -> ComposeResult:
        """The text in a box."""
        with Vertical(classes="box") as box:
            box.border_title = Content(self._title)
            box.border_subtitle = Content("Esc goes back")
            yield self._view

    def on_mount(self) -> None:
        """Show it."""
        self._view.show(self._lines)
        self._view.focus()
