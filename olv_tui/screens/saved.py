"""The saved calls, and a line of text to type: a note, another name.

Rules of this file: nothing is loaded or sent from here; what was chosen is given back.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input

from olv_tui.screens.modal import Modal
from olv_tui.screens.picker import Choice, PickScreen
from olv_tui.view.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import ComposeResult

    from olv_tui.history import SavedCall


def choice_of(call: SavedCall, number: int) -> Choice:
    """The row of a saved call; its key is its number in the list."""
    text = call.arguments if call.arguments is not None else call.envelope or ""
    own = f"{len(call.headers)} own headers" if len(call.headers) > 1 else "1 own header" if call.headers else ""
    about = [(one_line(text, 300), "")]
    if call.note:
        about.append((f"✎ {one_line(call.note, 200)}", "accent"))
    if own:
        about.append((own, "dim"))
    what = call.tool or call.method or "a body of its own"
    return Choice(str(number), call.name, one_line(what, 60), about)


class SavedScreen(PickScreen):
    """Gives the number of the call to load, or None. Renaming and deleting are done by the two functions."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f2", "rename", "Rename", priority=True, id="saved.rename"),
        Binding("delete", "delete", "Delete", priority=True, id="saved.delete"),
    ]

    def __init__(
        self,
        read: Callable[[], Sequence[SavedCall]],
        rename: Callable[[SavedCall, str], bool],
        delete: Callable[[SavedCall], None],
    ) -> None:
        self._read = read
        self._rename = rename
        self._delete = delete
        self._dying: str | None = None
        super().__init__("Saved calls", self._choices(), placeholder="filter by name or tool")

    def _choices(self) -> list[Choice]:
        self.calls = list(self._read())
        return [choice_of(call, number) for number, call in enumerate(self.calls)]

    def on_mount(self) -> None:
        """Show all, and the keys."""
        super().on_mount()
        self.query_one(".box").border_subtitle = Content("Enter loads · f2 renames · Delete deletes · Esc goes back")

    def action_rename(self) -> None:
        """Give the call under the cursor another name."""
        call = self._current()
        if call is None:
            return

        def named(name: str | None) -> None:
            if name is None or not name.strip() or name == call.name:
                return
            if not self._rename(call, name.strip()):
                self.tell_below(f"{name.strip()} is taken by another call of this tool.")
                return
            self.show_choices(self._choices())

        self.app.push_screen(LineScreen("Another name", call.name), named)

    def action_delete(self) -> None:
        """Delete the call under the cursor, at the second press."""
        call = self._current()
        if call is None:
            return
        key = f"{call.tool} {call.name}"
        if self._dying != key:
            self._dying = key
            self.tell_below(f"Delete again deletes {call.name} for good.")
            return
        self._dying = None
        self._delete(call)
        self.show_choices(self._choices())

    def _current(self) -> SavedCall | None:
        choice = self.current
        return self.calls[int(choice.key)] if choice is not None else None


class LineScreen(Modal[str | None]):
    """One line of text to type; gives it, "" too, or None for Esc."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss", "Back", id="line.back")]

    DEFAULT_CSS = """
    LineScreen { align: center middle; background: $background 60%; }
    LineScreen .box { width: 90; padding: 0 1; height: auto; }
    LineScreen Input, LineScreen Input:focus { border: none; height: 1; padding: 0 1; background: $foreground 10%; }
    """

    def __init__(self, title: str, value: str = "", placeholder: str = "") -> None:
        super().__init__()
        self._title = title
        self._line = Input(value, placeholder=placeholder, select_on_focus=False)
        self._line.cursor_blink = False

    def compose(self) -> ComposeResult:
        """The line."""
        with Vertical(classes="box") as box:
            box.border_title = Content(one_line(self._title, 80))
            box.border_subtitle = Content("Enter keeps it · Esc goes back")
            yield self._line

    def on_mount(self) -> None:
        """The line is ready to be typed in."""
        self._line.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Give the text."""
        event.stop()
        self.dismiss(event.value)
