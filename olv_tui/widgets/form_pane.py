"""Form mode: what a key means at a field.

Rules of this file:

* What needs a list or a menu is asked of the screen (`Asked`), which answers by `option`, `branch` or `menu`.
* A key changes the field under the cursor and no other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message

from olv_tui.schema import Kind, State
from olv_tui.schema.fields import CONTAINERS
from olv_tui.schema.text import parent
from olv_tui.view.form_rows import ITEMS, Row, What, is_empty, is_listed
from olv_tui.view.safe import one_line
from olv_tui.widgets.form_typing import FormTyping

if TYPE_CHECKING:
    from olv_tui.widgets import form_inline as inline
    from olv_tui.widgets.form_rows import FormRows

_AT_ONCE = (*CONTAINERS, Kind.BOOLEAN, Kind.CONST, Kind.NULL)
"""Kinds that are not typed."""

_TRUE, _FALSE = "tTyY1", "fFnN0"


class FormPane(FormTyping):
    """The form and its keys."""

    class BackWanted(Message):
        """Undo was pressed where nothing is left to take back."""

    class Asked(Message):
        """A list is wanted: `options`, `branches`, `menu`, `schema` or `findings`; or the next pane (`leave`). `text`
        is what was typed already; letters that come before the list is there (`is_open`) are added to it.
        """

        def __init__(self, what: str, pointer: str, text: str = "") -> None:
            super().__init__()
            self.what = what
            self.pointer = pointer
            self.text = text
            self.is_open = False

    def __init__(self) -> None:
        super().__init__()
        self._asked: FormPane.Asked | None = None

    # ----------------------------------------------------------------------- keys

    def on_form_rows_told(self, event: FormRows.Told) -> None:
        """A key on a row."""
        event.stop()
        row, text = self.row, event.text
        if event.what in ("letter", "paste") and self._goes_on(text):
            return
        if event.what == "leave":
            self._ask("leave", text)
        elif row is not None:
            self._do(event.what, row, text)

    def _do(self, what: str, row: Row, text: str) -> None:
        match what:
            case "enter":
                self._enter(row)
            case "letter":
                self._letter(row, text)
            case "paste":
                self._paste(row, text)
            case "delete":
                self._delete(row)
            case "open" | "close":
                self._fold(row, opened=what == "open")
            case "insert":
                self._insert(row)
            case "up" | "down":
                self._shift(row, -1 if what == "up" else 1)
            case "undo":
                self._undo()
            case "redo":
                self._redo()
            case "finding":
                self._finding()
            case _:
                self._ask(what)

    def _goes_on(self, text: str) -> bool:
        """Whether letters belong to what was begun by the one before and is not there yet."""
        if self._editor is self._text:
            self._text.insert(text)
        elif self._editor is self._line:
            self._line.insert_text_at_cursor(text)
        elif self._asked is not None and not self._asked.is_open:
            self._asked.text += text
        else:
            return False
        return True

    def on_left(self, event: inline.Left) -> None:
        """A key leaves the editor."""
        event.stop()
        is_naming = self._naming is not None and not self._naming.old
        if not self._stop(event.how):
            row = self.row
            if is_naming and event.how == "enter" and not self._told and row is not None and row.what is What.PLACE:
                self._begin_value(row)
            return
        match event.how:
            case "enter" | "down":
                self._list.action_move(1)
            case "up":
                self._list.action_move(-1)
            case "tab" | "shift+tab":
                self._list.action_tab(1 if event.how == "tab" else -1)
            case "undo":
                self._undo()
            case "finding":
                self._finding()
            case "menu" | "schema":
                self._ask(event.how)

    def _enter(self, row: Row) -> None:
        kind, state = row.field.kind, self.state
        if row.what is What.MORE:
            state.look.shown[row.pointer] = state.look.shown.get(row.pointer, ITEMS) + 5 * ITEMS
            self._lay()
        elif row.what is What.NAME:
            self.type_name(row, "")
        elif self._has_alternatives(row):
            self._ask("branches")
        elif kind is Kind.ENUM:
            self._ask("options")
        elif row.what is What.ITEM and kind in _AT_ONCE:
            self._add(row)
        elif kind is Kind.ARRAY and row.opened is not None and is_empty(state.form, row.pointer):
            self._first_item(row)
        elif row.opened is not None:
            self._fold(row, opened=not row.opened)
        elif kind in _AT_ONCE and kind not in CONTAINERS and not state.form.is_apart(row.pointer):
            self._after(state.toggle(row.pointer))
        else:
            self.edit()

    def _first_item(self, row: Row) -> None:
        """On to the first item of a list that has none."""
        self.state.look.folds[row.pointer] = True
        self._lay(("item", f"{row.pointer}/0"))
        now = self.row
        if now is not None and now.what is What.ITEM:
            self._enter(now)

    def _has_alternatives(self, row: Row) -> bool:
        """Whether Enter lists alternatives: none is open yet, or the one that is holds fields of its own."""
        if row.pointer in self.state.drafts:
            return False
        chain = self.state.form.chain(row.pointer)
        return chain[-1].kind is Kind.UNION or (len(chain) > 1 and chain[-1].kind in CONTAINERS)

    def _letter(self, row: Row, text: str) -> None:
        kind = row.field.kind
        if row.what is What.NAME:
            self.type_name(row, text)
        elif kind is Kind.BOOLEAN and text in _TRUE + _FALSE:
            self._after(self.state.set(row.pointer, "true" if text in _TRUE else "false"))
        elif row.what is What.MORE or (row.what is What.ITEM and kind in _AT_ONCE):
            self._enter(row)
        elif kind in (Kind.ENUM, Kind.CONST, Kind.UNION):
            self._ask("branches" if kind is Kind.UNION else "options", text.strip())
        elif text == " " and kind in _AT_ONCE:
            self._enter(row)
        elif kind in CONTAINERS and row.opened is not None and text not in "[{":
            self._letter_around(row, text)
        else:
            self.edit(text, as_json=kind in CONTAINERS)

    def _letter_around(self, row: Row, text: str) -> None:
        """A letter where fields are: it begins a new item of a list whose items are typed; else say what to press."""
        self._fold(row, opened=True)
        if row.field.kind is Kind.ARRAY:
            adding = self._adds(row.pointer)
            if adding is not None and adding.field.kind not in CONTAINERS:
                self._lay(adding.key)
                self._letter(adding, text)
                return
            self._told = "A list is filled item by item: ↓ goes to “+ add an item”. [ begins it as JSON."
        else:
            what = (
                "name by name: ↓ goes to “+ add a name”"
                if row.field.kind is Kind.MAP
                else "field by field: ↓ goes there"
            )
            self._told = f"An object is filled {what}. {{ begins it as JSON."
        self._tell()

    def _adds(self, pointer: str) -> Row | None:
        """The row that adds an item to a list."""
        rows = (row for row in self._rows if row.what is What.ITEM and parent(row.pointer)[0] == pointer)
        return next(rows, None)

    def _paste(self, row: Row, text: str) -> None:
        if row.what is What.NAME:
            self.type_name(row, " ".join(text.split()))
        elif row.what is not What.MORE:
            self.edit_pasted(text, as_json=row.field.kind in _AT_ONCE)

    def _begin_value(self, row: Row) -> None:
        """On from a new name to its value."""
        if row.field.kind is Kind.BOOLEAN or row.opened is not None:
            return
        self._enter(row)

    # ----------------------------------------------------------------------- changes

    def _add(self, row: Row) -> None:
        """A new item; on into it, where it holds fields."""
        self._after(self.state.add_item(row.pointer), ("place", row.pointer))
        now = self.row
        if now is not None and now.opened and now.pointer == row.pointer:
            self._to_gap(now)

    def _delete(self, row: Row) -> None:
        if row.what is What.PLACE:
            self._after(self.state.remove(row.pointer) if row.pointer else self.state.take("{}"))

    def _fold(self, row: Row, *, opened: bool) -> None:
        """Open or close; closing what is closed goes to what is around it."""
        if row.what is What.PLACE and row.opened is not None and row.opened is not opened:
            self.state.look.folds[row.pointer] = opened
            self._lay()
        elif not opened:
            self._lay(("place", row.pointer if row.what in (What.NAME, What.MORE) else parent(row.pointer)[0]))

    def _insert(self, row: Row) -> None:
        if row.pointer and self.state.form.field(parent(row.pointer)[0]).kind is Kind.ARRAY:
            self._after(self.state.add_item(row.pointer), ("place", row.pointer))

    def _shift(self, row: Row, step: int) -> None:
        if row.what is What.PLACE and row.pointer:
            self._after(self.state.move(row.pointer, step), self.state.cursor)

    def _undo(self) -> None:
        if self.state.undo():
            self._after("", self.state.cursor)
        else:
            self.post_message(self.BackWanted())

    def _redo(self) -> None:
        if self.state.redo():
            self._after("", self.state.cursor)
        else:
            self._told = "Nothing is left to do again."
            self._tell()

    def _finding(self) -> None:
        """On to the next field that has a fault."""
        places = {*self.faults.findings, *self.faults.drafts}
        faulty = [number for number, row in enumerate(self._rows) if self._is_faulty(row, places)]
        after = [number for number in faulty if number > self._list.cursor]
        if faulty:
            self._list.move_to((after or faulty)[0])
        elif places:
            self._ask("findings")

    def _is_faulty(self, row: Row, places: set[str]) -> bool:
        if row.what is not What.PLACE:
            return False
        return row.pointer in places or (row.opened is False and self.faults.inside(row.pointer) > 0)

    # ----------------------------------------------------------------------- lists and menus

    def _ask(self, what: str, text: str = "") -> None:
        row = self.row
        if row is not None:
            self._asked = self.Asked(what, row.pointer, text)
            self.post_message(self._asked)

    def option(self, pointer: str, text: str) -> None:
        """A value was chosen for a place, as JSON text; on to the next field."""
        self._after(self.state.set(pointer, text), ("place", pointer))
        here = self.state.form.field(pointer)
        if not self._told and here.kind is Kind.ENUM and not is_listed(here, text):
            self._told = f"{one_line(text, 60)} is none of the choices. It is sent all the same; del takes it away."
            self._tell()
        elif not self._told:
            self._list.action_move(1)

    def branch(self, pointer: str, number: int, level: int) -> None:
        """An alternative was chosen; on into it."""
        self._after(self.state.choose(pointer, number, level), self._row_of(pointer))
        row = self.row
        if self._told or row is None:
            return
        if row.opened:
            self._to_gap(row)
        elif row.field.kind not in _AT_ONCE:
            self._enter(row)

    def _to_gap(self, row: Row) -> None:
        """Into a container: to the first field that is still to be filled in, past constants that were set."""
        inside = [
            number
            for number, one in enumerate(self._rows)
            if one.depth == row.depth + 1 and parent(one.pointer)[0] == row.pointer and one.what is not What.NAME
        ]
        gaps = (at for at in inside if self.state.form.state(self._rows[at].pointer) is State.ABSENT)
        self._list.move_to(next(gaps, self._list.cursor + 1))

    def menu(self, key: str) -> None:
        """A line of the menu was taken (view/form_keys.py)."""
        row, state = self.row, self.state
        if row is None:
            return
        match key:
            case "absent":
                self._delete(row)
            case "null":
                self._after(state.set(row.pointer, "null"))
            case "empty":
                self._after(state.empty(row.pointer))
            case "json" | "lines":
                self.edit(as_json=key == "json", lines=key == "lines")
            case "rename" | "name":
                self.type_name(row, row.field.name if key == "rename" else "", old=key == "rename")
            case "insert":
                self._insert(row)
            case "secrets":
                state.look.secrets = not state.look.secrets
                self._lay()
            case "options" | "branches" | "schema" | "findings":
                self._ask(key)
            case _:
                self._after(state.set(row.pointer, key.removeprefix("=")))
