"""Typing into a row of a form: one editor lies over the value, and the arguments follow every letter.

Rules of this file:

* Every way out of the editor keeps what was typed; a text that is no value yet stays as a draft (form_state.py).
* A name is typed in the same editor, over the name; it changes nothing before it is taken.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from olv_tui import jsontext
from olv_tui.schema import Kind, State
from olv_tui.schema.text import parent
from olv_tui.view.form_rows import What, is_unfit
from olv_tui.view.template import unbroken
from olv_tui.widgets import form_inline as inline
from olv_tui.widgets.form_frame import FormFrame

if TYPE_CHECKING:
    from textual import events

    from olv_tui.view.form_rows import Row
    from olv_tui.widgets.form_state import Entry, FormState

_LINE = 2_000
"""Characters from which a value is edited on several lines."""

_TALL = 8
"""Lines that the editor of several lines takes at most."""


@dataclass(frozen=True, slots=True)
class Naming:
    """A name being typed: in this container, or (`old`) another one for this place. `asked`: it is empty, and whether
    that is meant was asked.
    """

    pointer: str
    old: bool
    asked: bool = False


class FormTyping(FormFrame):
    """The frame with its editors."""

    def __init__(self) -> None:
        super().__init__()
        self._entry: Entry | None = None
        self._naming: Naming | None = None

    def show(self, state: FormState) -> None:
        """Edit another form."""
        self._close()
        if state is not self._state:
            self._list.cursor = 0
        self._state, self._findings, self._told = state, {}, ""
        if self.is_mounted:
            self._lay(state.cursor)

    @property
    def edited_text(self) -> str | None:
        """The text of several lines that is being typed, None where none is."""
        return self._text.text if self._editor is self._text and self._entry is not None else None

    def replace_edited(self, text: str) -> None:
        """Put another text into the editor of several lines."""
        self._text.begin(text)
        self._type(self._text.text)

    # ----------------------------------------------------------------------- a value

    def edit(self, text: str | None = None, *, as_json: bool = False, lines: bool = False) -> None:
        """Open the editor over the row under the cursor; `text` takes the place of what stands there."""
        row = self.row
        if row is None or row.what not in (What.PLACE, What.ITEM):
            return
        entry = self.state.begin(row.pointer, as_json=as_json)
        if isinstance(entry, str):
            self._told = entry
            self._tell()
            return
        self._entry, self._told = entry, ""
        shown = entry.first if text is None else text
        if lines or "\n" in shown or "\t" in shown or "\r" in shown or len(shown) > _LINE:
            self._open_text(entry, shown)
            shown = self._text.text
        else:
            number = row.field.kind in (Kind.INTEGER, Kind.NUMBER)
            hint = "JSON" if entry.as_json else "a number" if number else "text"
            self._line.begin(shown, hidden=row.field.secret and not self.state.look.secrets, hint=hint)
            self._open(self._line)
        if text is not None:
            self._type(shown)

    def edit_pasted(self, text: str, *, as_json: bool) -> None:
        """The same with a text that was pasted: as JSON where an editor of plain text would break it into lines."""
        row = self.row
        if row is not None and row.field.kind is Kind.STRING and unbroken(text) != text:
            self.edit(unbroken(jsontext.dumps(text)), as_json=True)
            self._told = "Characters that break lines stand in this text: it is edited as JSON, with escapes."
            self._tell()
        else:
            self.edit(text, as_json=as_json)

    def _open_text(self, entry: Entry, text: str, cursor: int | None = None) -> None:
        told = ""
        if "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
            told = "Line ends CRLF became LF here." + ("" if entry.as_json else " f7 j takes \\r\\n.")
        elif not entry.as_json and is_unfit(text):
            told = "Characters that are not seen stand in this text: f7 j shows them."
        self._text.begin(text, cursor)
        self._told = told
        self._open(self._text)

    def _type(self, text: str) -> None:
        """The arguments follow."""
        entry = self._entry
        if entry is None:
            return
        self.state.type(entry, text)
        if entry.pointer in self._findings:
            self._findings = {place: told for place, told in self._findings.items() if place != entry.pointer}
        self._lay(self._row_of(entry.pointer), typed=True)
        self._place()
        self.post_message(self.Changed())

    def _row_of(self, pointer: str) -> tuple[str, str]:
        """The row of a place that is being typed: its own, or the one that adds it."""
        above, _ = parent(pointer)
        is_new = self.state.form.state(pointer) is State.ABSENT and pointer
        is_item = is_new and self.state.form.field(above).kind is Kind.ARRAY
        return ("item" if is_item else "place", pointer)

    def on_typed(self, event: inline.Typed) -> None:
        """A letter."""
        event.stop()
        self._told = ""
        if self._naming is not None:
            self._naming = replace(self._naming, asked=False)
            self._tell()
        self._type(event.text)

    def on_several(self, event: inline.Several) -> None:
        """Several lines came into one: on in an editor that holds them. A name has one line."""
        event.stop()
        if self._entry is not None and not self._entry.as_json and unbroken(event.text) != event.text:
            self._close()
            self.edit_pasted(event.text, as_json=False)
        elif self._entry is not None:
            self._open_text(self._entry, event.text, event.cursor)
            told = self._told
            self._type(self._text.text)
            self._told = told
            self._tell()
        else:
            self._line.insert_text_at_cursor(" ".join(event.text.split()))

    # ----------------------------------------------------------------------- a name

    def type_name(self, row: Row, text: str, *, old: bool = False) -> None:
        """Type a name: of a new member, or another one for this place."""
        self._naming, self._entry = Naming(row.pointer, old), None
        self._line.begin(text, hidden=False, hint="a name, then Enter")
        self._open(self._line)

    def _named(self, naming: Naming, name: str) -> None:
        """A name was taken; a new one wants a value next."""
        state = self.state
        why = state.rename(naming.pointer, name) if naming.old else state.add_name(naming.pointer, name)
        self._after(why, state.cursor)

    # ----------------------------------------------------------------------- the editor

    @property
    def _mode(self) -> str:
        return "name" if self._naming is not None else super()._mode

    def _open(self, editor: inline.LineEditor | inline.TextEditor) -> None:
        for one in (self._line, self._text):
            one.display = one is editor
        self._editor = editor
        self._place()
        editor.focus()
        self._tell()

    def _place(self) -> None:
        """Put the editor over its value; several lines at the lower end scroll the rows up."""
        editor, rows = self._editor, self._list
        if editor is None:
            return
        height = 1
        if editor is self._text:
            height = max(2, min(self._text.document.line_count + 1, _TALL, rows.size.height - 1))
            over = rows.cursor - int(rows.scroll_offset.y) + height - rows.size.height
            if over > 0:
                rows.scroll_to(y=rows.scroll_offset.y + over, animate=False, immediate=True, force=True)
        left = 3 if self._naming is not None else rows.value_at
        top = rows.cursor - int(rows.scroll_offset.y)
        editor.styles.offset = (left, max(0, min(top, rows.size.height - height)))
        editor.styles.width = max(8, rows.size.width - left - 1)
        editor.styles.height = height

    def on_resize(self, event: events.Resize) -> None:  # noqa: ARG002
        """The room changed: names and the editor with it."""
        if self._state is not None:
            self.call_after_refresh(self._fit)

    def _fit(self) -> None:
        self._lay()
        self._place()

    def _close(self, *, focus: bool = False) -> None:
        editor, self._editor = self._editor, None
        self._entry = self._naming = None
        if editor is not None:
            if focus:
                self._list.focus()
            editor.display = False

    def _stop(self, how: str) -> bool:
        """Close the editor by a key, keeping what was typed; whether the key goes on to the rows."""
        entry, naming, typed = self._entry, self._naming, self._line.value
        if naming is not None and how == "enter" and not typed and not naming.asked:
            self._naming = replace(naming, asked=True)
            self._told = 'The name is empty, which JSON allows: Enter again takes "", Esc leaves it.'
            self._tell()
            return False
        self._close(focus=True)
        if naming is not None:
            if how == "enter" or (typed and how in ("tab", "down", "up", "shift+tab")):
                self._named(naming, typed)
            else:
                self._tell()
            return False
        if entry is not None:
            self._lay(self._row_of(entry.pointer))
        return entry is not None
