"""The frame of form mode: rows, what is said of the field under the cursor, the keys of the moment.

Rules of this file: it shows a state and changes none of its values. Keys are in widgets/form_pane.py, typing is in
widgets/form_typing.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from textual.containers import Vertical
from textual.content import Content
from textual.message import Message

from olv_tui.schema.text import parent
from olv_tui.view.form_keys import key_words
from olv_tui.view.form_rows import Found, Row, about, cells, lay, name_of
from olv_tui.widgets.form_inline import LineEditor, TextEditor
from olv_tui.widgets.form_rows import FormRows
from olv_tui.widgets.pane import Say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from textual.app import ComposeResult
    from textual.widget import Widget

    from olv_tui.view.form_rows import Cells
    from olv_tui.widgets.form_state import FormState
    from olv_tui.widgets.rows import RowList

_KINDS = {
    "strong": "bold",
    "dim": "$foreground 60%",
    "warning": "$text-warning",
    "error": "$text-error",
    "accent": "$text-accent",
}


class FormFrame(Vertical):
    """The rows of one form at a time."""

    DEFAULT_CSS = """
    FormFrame { height: 1fr; }
    FormFrame #form-body { height: 1fr; layers: below above; }
    FormFrame FormRows { layer: below; }
    FormFrame #form-about { height: auto; max-height: 4; padding: 0 1; border-top: solid $foreground 15%; }
    FormFrame #form-keys { height: 1; padding: 0 1; color: $foreground 70%; }
    """

    class Changed(Message):
        """The arguments changed, or a text came or went that is no value yet."""

    def __init__(self) -> None:
        super().__init__(id="form")
        self._state: FormState | None = None
        self._rows: tuple[Row, ...] = ()
        self._findings: Mapping[str, tuple[str, ...]] = {}
        self._told = ""
        self._wants_focus = False
        self._list = FormRows(self._dress)
        self._line = LineEditor()
        self._text = TextEditor()
        self._editor: LineEditor | TextEditor | None = None

    def compose(self) -> ComposeResult:
        """Rows with the editors over them, what is said of the field, the keys."""
        with Vertical(id="form-body"):
            yield self._list
            yield self._line
            yield self._text
        yield Say(id="form-about")
        yield Say(id="form-keys")

    def on_mount(self) -> None:
        """Lay out what is there already, and take the focus where it was wanted."""
        if self._state is not None:
            self._lay(self._state.cursor)
        if self._wants_focus:
            self._list.focus()

    def focus(self, scroll_visible: bool = True) -> Self:
        """The focus goes to the rows, once they are there."""
        if self.is_mounted:
            self.focus_target().focus(scroll_visible)
        else:
            self._wants_focus = True
        return self

    # ----------------------------------------------------------------------- data in, state out

    @property
    def state(self) -> FormState:
        """What is being edited."""
        assert self._state is not None
        return self._state

    @property
    def row(self) -> Row | None:
        """The row under the cursor."""
        return self._rows[self._list.cursor] if self._rows else None

    @property
    def rows(self) -> tuple[Row, ...]:
        """All rows."""
        return self._rows

    @property
    def faults(self) -> Found:
        """What is known to be wrong, by place."""
        drafts = {pointer: (draft.text, draft.why) for pointer, draft in self.state.drafts.items()}
        return Found(self._findings, drafts)

    def show_findings(self, findings: Mapping[str, tuple[str, ...]]) -> None:
        """What the schema has against values, by place."""
        if findings != self._findings:
            self._findings = findings
            self._list.refresh()
            self._tell()

    def focus_target(self) -> Widget:
        """The editor that is open, else the rows; this pane while they are still to come."""
        return (self._editor or self._list) if self.is_mounted else self

    def go_to(self, pointer: str) -> None:
        """Put the cursor on a place, opening what is around it."""
        above, _ = parent(pointer)
        while above:
            self.state.look.folds[above] = True
            above, _ = parent(above)
        self._lay(("place", pointer))

    # ----------------------------------------------------------------------- painting

    def _lay(self, at: tuple[str, str] | None = None, *, typed: bool = False) -> None:
        """Lay the rows out anew, the cursor staying on its row or going to another one. `typed`: nothing changed but
        the value of that row.
        """
        key = at or (self.row.key if self.row is not None else ("", ""))
        before, self._rows = self._rows, lay(self.state.form, self.state.look)
        numbers = {row.key: number for number, row in enumerate(self._rows)}
        cursor = numbers.get(key, min(self._list.cursor, len(self._rows) - 1))
        if key not in numbers and key[0] == "place":
            above, _ = parent(key[1])
            cursor = next((numbers[one] for one in (("item", key[1]), ("place", above)) if one in numbers), cursor)
        if typed and cursor == self._list.cursor and _is_same(before, self._rows):
            self._repaint(key[1])
        else:
            self._list.fit_names(["  " * row.depth + "  " + name_of(row) for row in self._rows])
            self._list.set_rows(len(self._rows), cursor)
        self._moved()

    def _repaint(self, pointer: str) -> None:
        """Paint a place again, what is around it and what is in it."""
        for number, row in enumerate(self._rows):
            if (row.pointer + "/").startswith(pointer + "/") or pointer.startswith(row.pointer + "/"):
                self._list.refresh_lines(number, 1)

    def _dress(self, index: int) -> Cells:
        return cells(self.state.form, self._rows[index], self.state.look, self.faults)

    def _after(self, why: str, at: tuple[str, str] | None = None) -> None:
        """After a change: rows anew; or the sentence why it was not made."""
        self._told = why
        self._lay(at)
        self.post_message(self.Changed())

    def on_row_list_moved(self, event: RowList.Moved) -> None:
        """The cursor came to another field."""
        event.stop()
        self._told = ""
        self._moved()

    def _moved(self) -> None:
        row = self.row
        if self._state is not None and row is not None:
            self._state.cursor = row.key
        self._tell()

    @property
    def _mode(self) -> str:
        if self._editor is None:
            return "rows"
        return "text" if self._editor is self._text else "line"

    def _tell(self) -> None:
        """Say what there is to say of the field under the cursor, and which keys do what."""
        row = self.row
        if row is None or not self.is_mounted:
            return
        lines = [
            Content.assemble(*((text, _KINDS.get(kind, "")) for text, kind in line))
            for line in about(self.state.form, row, self.faults)
        ]
        if self._told:
            lines.insert(0, Content.styled(self._told, "$text-warning"))
        self.query_one("#form-about", Say).say(Content("\n").join(lines), layout=True)
        keys: list[str | tuple[str, str]] = []
        for key, what in key_words(self.state.form, row, self._mode, waits=row.pointer in self.state.drafts):
            keys += [" · " if keys else "", (key, "bold $text-accent"), f" {what}"]
        self.query_one("#form-keys", Say).say(Content.assemble(*keys))


def _is_same(before: tuple[Row, ...], now: tuple[Row, ...]) -> bool:
    """Whether two layouts differ in values alone."""
    return len(before) == len(now) and all(
        old.field is new.field and old.opened == new.opened and old.what is new.what and old.depth == new.depth
        for old, new in zip(before, now, strict=True)
    )
