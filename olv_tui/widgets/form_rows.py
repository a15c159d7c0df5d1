"""The rows of a form as one widget: painted when they are seen, a cursor, and keys.

Rules of this file:

* It paints rows and tells keys. What a key does to the values is in widgets/form_pane.py.
* Letters are meant for the value under the cursor, so no letter is a command here.
* One widget whatever the number of fields: 400 of them cost what is seen of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len, set_cell_size
from textual.binding import Binding, BindingType
from textual.message import Message

from olv_tui.view.form_rows import Cells
from olv_tui.widgets.rows import KINDS, Part, RowList

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual import events

_WIDEST = 34


class FormRows(RowList, inherit_bindings=False):
    """The rows; `dress` says what is on each."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "tell('enter')", "Edit", id="form.edit"),
        Binding("delete,backspace", "tell('delete')", "Not sent", key_display="del", id="form.absent"),
        Binding("f7", "tell('menu')", "Field …", id="form.menu"),
        Binding("ctrl+s", "tell('schema')", "Schema", id="form.schema"),
        Binding("ctrl+f", "tell('finding')", "Next finding", show=False, id="form.finding"),
        Binding("down", "move(1)", "Next field", show=False, id="form.down"),
        Binding("up", "move(-1)", "Previous field", show=False, id="form.up"),
        Binding("tab", "tab(1)", "Next field", show=False, id="form.next"),
        Binding("shift+tab", "tab(-1)", "Previous field", show=False, id="form.previous"),
        Binding("home,ctrl+home", "edge(0)", "First field", show=False, id="form.first"),
        Binding("end,ctrl+end", "edge(1)", "Last field", show=False, id="form.last"),
        Binding("pagedown", "page(1)", "Page down", show=False, id="form.page_down"),
        Binding("pageup", "page(-1)", "Page up", show=False, id="form.page_up"),
        Binding("right", "tell('open')", "Open", show=False, id="form.open"),
        Binding("left", "tell('close')", "Close", show=False, id="form.close"),
        Binding("insert", "tell('insert')", "Insert an item before", show=False, id="form.insert"),
        Binding("ctrl+up,alt+up", "tell('up')", "Move the item up", show=False, id="form.item_up"),
        Binding("ctrl+down,alt+down", "tell('down')", "Move the item down", show=False, id="form.item_down"),
        Binding("ctrl+z", "tell('undo')", "Undo", show=False, id="form.undo"),
        Binding("ctrl+y", "tell('redo')", "Redo", show=False, id="form.redo"),
    ]

    DEFAULT_CSS = "FormRows { height: 1fr; }"

    class Told(Message):
        """A key about the field under the cursor: the word of its binding, or `letter`, `paste` with the text."""

        def __init__(self, what: str, text: str = "") -> None:
            super().__init__()
            self.what = what
            self.text = text

    def __init__(self, dress: Callable[[int], Cells]) -> None:
        super().__init__(id="form-rows")
        self._dress = dress
        self.name_width = 12

    @property
    def value_at(self) -> int:
        """The column in which values begin."""
        return 1 + 2 + self.name_width + 1

    def fit_names(self, names: Sequence[str]) -> None:
        """Give the names the room they need, up to a third of the line."""
        most = max(12, min(_WIDEST, self.size.width // 3))
        self.name_width = max((min(cell_len(name), most) for name in names), default=12)

    # ----------------------------------------------------------------------- painting

    def row(self, index: int) -> Sequence[tuple[Sequence[Part], Sequence[Part]]]:
        """Mark, name and value on the left, the remark on the right."""
        dressed = self._dress(index)
        room = max(0, self.size.width - self.value_at - 2)
        remark = dressed.remark[0]
        taken = sum(cell_len(text) for text, _ in dressed.value)
        most = max(room - taken, room * 2 // 5) - 2
        if cell_len(remark) > most:
            remark = set_cell_size(remark, most - 1).rstrip() + "…" if most > 6 else ""
        right = [(f"  {remark}", dressed.remark[1] or "plain")] if remark else []
        return [
            (
                [(text, kind or "plain") for text, kind in (dressed.mark, *self._label_cells(dressed), *dressed.value)],
                right,
            )
        ]

    def _label_cells(self, dressed: Cells) -> list[Part]:
        parts: list[Part] = []
        room = self.name_width
        for text, kind in dressed.name:
            cells = cell_len(text)
            if cells > room:
                text = set_cell_size(text, max(room - 1, 0)) + "…" if room else ""  # noqa: PLW2901
                cells = room
            parts.append((text, kind))
            room -= cells
        parts.append((" " * (room + 1), "plain"))
        return parts

    # ----------------------------------------------------------------------- keys

    def check_consume_key(self, key: str, character: str | None) -> bool:  # noqa: ARG002
        """Letters go into the value under the cursor."""
        return character is not None and character.isprintable()

    def on_key(self, event: events.Key) -> None:
        """A letter begins to edit."""
        if event.is_printable and event.character is not None:
            event.stop()
            event.prevent_default()
            self.post_message(self.Told("letter", event.character))

    def on_paste(self, event: events.Paste) -> None:
        """So does a text that is pasted."""
        event.stop()
        if event.text:
            self.post_message(self.Told("paste", event.text))

    def action_tell(self, what: str) -> None:
        """Tell the key."""
        self.post_message(self.Told(what))

    def action_choose(self) -> None:
        """A double click is Enter."""
        self.action_tell("enter")

    def action_tab(self, step: int) -> None:
        """The next field; from the last one to the next pane."""
        if 0 <= self.cursor + step < self.count:
            self.move_to(self.cursor + step)
        else:
            self.post_message(self.Told("leave", str(step)))


assert {"plain", "strong", "dim", "success", "warning", "error", "primary", "accent"} <= KINDS.keys()
