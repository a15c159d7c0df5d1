"""The editors that lie over the value of one row: one line, or several.

Rules of this file:

* They hold text and tell what happens to it; they know nothing of forms.
* Every way out keeps what was typed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Input, TextArea

if TYPE_CHECKING:
    from textual import events


class Left(Message):
    """The reader leaves the editor by a key: enter, escape, up, down, tab, shift+tab, or a command of the form."""

    def __init__(self, how: str) -> None:
        super().__init__()
        self.how = how


class Typed(Message):
    """The text changed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


class Several(Message):
    """Several lines were pasted into one line: the text with them, and where the cursor is to be."""

    def __init__(self, text: str, cursor: int) -> None:
        super().__init__()
        self.text = text
        self.cursor = cursor


_COMMANDS: list[BindingType] = [
    Binding("escape", "leave('escape')", "Back to the fields", id="field.leave"),
    Binding("f7", "leave('menu')", "Field …", id="field.menu"),
    Binding("ctrl+s", "leave('schema')", "Schema", show=False, id="field.schema"),
    Binding("ctrl+f", "leave('finding')", "Next finding", show=False, id="field.finding"),
    Binding("tab", "leave('tab')", "Next field", show=False, id="field.next"),
    Binding("shift+tab", "leave('shift+tab')", "Previous field", show=False, id="field.previous"),
    Binding("ctrl+a", "select_all", "Select all", show=False, id="field.select_all"),
]


class LineEditor(Input):
    """One line. Enter takes it, up and down go to the fields there."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "leave('enter')", "Take, next field", id="field.take"),
        *_COMMANDS,
        Binding("up", "leave('up')", "Previous field", show=False, id="field.up"),
        Binding("down", "leave('down')", "Next field", show=False, id="field.down"),
        Binding("ctrl+z", "leave('undo')", "Undo", show=False, id="field.undo"),
    ]

    DEFAULT_CSS = """
    LineEditor, LineEditor:focus {
        layer: above; position: absolute; display: none;
        border: none; padding: 0; height: 1; background: $primary 30%;
    }
    """

    def __init__(self) -> None:
        super().__init__(id="field-line", select_on_focus=False)
        self.cursor_blink = False
        self._silent = ""

    def begin(self, text: str, *, hidden: bool, hint: str) -> None:
        """Edit a text, the cursor behind it."""
        self._silent = text
        self.value = text
        self.password = hidden
        self.placeholder = hint
        self.cursor_position = len(text)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Tell what was typed."""
        event.stop()
        if event.value == self._silent:
            self._silent = "\0"  # what it began with is no change; the same text again is one
            return
        self._silent = "\0"
        self.post_message(Typed(event.value))

    def _on_paste(self, event: events.Paste) -> None:
        # An Input takes the first line of a paste and drops the others.
        lines = event.text.splitlines()
        if lines in ([], [event.text.rstrip("\r\n")]) and "\t" not in event.text:
            super()._on_paste(event)
            return
        event.stop()
        event.prevent_default()
        start, end = sorted((self.selection.start, self.selection.end))
        text = self.value[:start] + event.text + self.value[end:]
        self.post_message(Several(text, start + len(event.text)))

    def action_leave(self, how: str) -> None:
        """Tell by which key."""
        self.post_message(Left(how))


class TextEditor(TextArea):
    """Several lines: Enter begins a new one, Tab takes the text."""

    BINDINGS: ClassVar[list[BindingType]] = [*_COMMANDS]

    DEFAULT_CSS = """
    TextEditor, TextEditor:focus {
        layer: above; position: absolute; display: none;
        border: none; padding: 0; background: $primary 30%; scrollbar-size-vertical: 1;
    }
    """

    def __init__(self) -> None:
        super().__init__("", soft_wrap=True, show_line_numbers=False, id="field-text", highlight_cursor_line=False)
        self.cursor_blink = False
        self.match_cursor_bracket = False
        self._last = ""

    def begin(self, text: str, cursor: int | None = None) -> None:
        """Edit a text, the cursor at an offset or at its end."""
        self._last = text
        self.load_text(text)
        before = text if cursor is None else text[:cursor]
        self.move_cursor((before.count("\n"), len(before) - before.rfind("\n") - 1))

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        """Tell what was typed."""
        event.stop()
        if self.text != self._last:
            self._last = self.text
            self.post_message(Typed(self.text))

    def action_cursor_down(self, select: bool = False) -> None:
        """Down; from the last line on to the next field."""
        if self.cursor_at_last_line and not select:
            self.action_leave("down")
        else:
            super().action_cursor_down(select)

    def action_cursor_up(self, select: bool = False) -> None:
        """Up; from the first line on to the field before."""
        if self.cursor_at_first_line and not select:
            self.action_leave("up")
        else:
            super().action_cursor_up(select)

    def action_undo(self) -> None:
        """Take back the last edits; where there are none, what the form did before."""
        before = self.text
        super().action_undo()
        if self.text == before:
            self.action_leave("undo")

    def action_leave(self, how: str) -> None:
        """Tell by which key."""
        self.post_message(Left(how))
