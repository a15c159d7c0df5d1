"""The history pane: every exchange, newest first.

Rules of this file:

* Messages out, data in. Pages are asked for (`Wanted`) as the cursor comes near the end, and handed in.
* Enter loads an exchange and never sends it; `r` sends it again under a new id.
* All texts of a row may come from a server: they pass view/safe.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message

from olv_tui.model import Verdict
from olv_tui.view.safe import one_line
from olv_tui.view.words import duration, word
from olv_tui.widgets.pane import Pane
from olv_tui.widgets.rows import Part, RowList
from olv_tui.widgets.tools import FilterInput

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.widget import Widget
    from textual.widgets import Input

    from olv_tui.history import HistoryRow

PAGE = 200
"""Rows asked for at a time."""

_SEARCHED = 2000
"""Rows a filter loads by itself; older ones follow as the cursor comes to the last hit."""

_EMPTY = (("Nothing was sent yet. ctrl+j sends what is in the editor.", "dim"), ("a shows handshakes.", "dim"))

_WIDE = 64
"""From this many cells on a row takes one line instead of two."""


class HistoryList(RowList):
    """Rows of two lines where the pane is small, else of one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,l", "choose", "Load", key_display="⏎", id="history.load"),
    ]

    row_height = 2

    def __init__(self, local_time: Callable[[str], str]) -> None:
        super().__init__(id="history-list")
        self.rows: list[HistoryRow] = []
        self.elsewhere: Callable[[str], str] = lambda _: ""
        self._local_time = local_time

    def on_resize(self) -> None:
        """Choose the height of a row by the room there is."""
        height = 1 if self.size.width >= _WIDE else 2
        if height != self.row_height:
            self.row_height = height
            self.set_rows(self.count, self.cursor)

    def row(self, index: int) -> Sequence[tuple[Sequence[Part], Sequence[Part]]]:
        """`#42 olv_get_world  10:31:05` and below it `✓ result  200  12 ms`."""
        row = self.rows[index]
        told = word(row.verdict)
        name: list[Part] = [
            (f"{_id(row):<5} ", "accent"),
            (one_line(row.tool or row.method or "(raw body)", 80), "dim" if row.automatic else "plain"),
        ]
        when: list[Part] = [(f" {self._local_time(row.started)}", "dim")]
        verdict: list[Part] = [(f"{told.symbol} {told.label}", told.style)]
        facts: list[Part] = [(f" {row.status or '':>3} {duration(row.total_ms):>7}", "dim")]
        where = self.elsewhere(row.target)
        if self.row_height == 2:
            if where:  # instead of status and time, for which there is no room then
                facts = [(f" at {one_line(where, 22)}", "dim")]
            return [(name, when), ([("    ", "plain"), *verdict], facts)]
        summary = one_line(row.summary, 200)
        if where:
            verdict.append((f"  at {where}", "dim"))
        if summary and summary != told.label:
            verdict.append((f"  {summary}", "dim"))
        head = "".join(text for text, _ in name)[:30]
        return [([*_cut(name, head), *verdict], [*facts, *when])]


def _cut(parts: list[Part], head: str) -> list[Part]:
    """Two parts as one column of 32 cells."""
    first, second = parts
    return [first, (head[len(first[0]) :].ljust(32 - len(first[0])), second[1])]


def _id(row: HistoryRow) -> str:
    return f"#{one_line(row.id_text, 12)}" if row.id_text else "·"


def fits(row: HistoryRow, words: Sequence[str]) -> bool:
    """Whether every word is in the row: `#42` is the id and nothing else, the rest is searched in all texts."""
    text = ""
    for one in words:
        if one.startswith("#"):
            if (row.id_text or "") != one[1:]:
                return False
            continue
        text = (
            text
            or " ".join(
                (
                    word(row.verdict).label,
                    str(row.verdict),
                    row.tool or "",
                    row.method or "",
                    row.summary,
                    str(row.status or ""),
                )
            ).casefold()
        )
        if one.casefold() not in text:
            return False
    return True


class HistoryPane(Pane):
    """Filter and list of exchanges."""

    key = "history"
    label = "History"
    HELP = (
        "Everything that was sent, newest first, kept over restarts. Moving the cursor shows the answer of an exchange;"
        " Enter loads it into the editor as well, where ctrl+z gives your draft back. Nothing is sent by that. r sends"
        " an exchange again under a new id; what went to another target is asked about. / filters: #42 is an id, other"
        " words are looked for in tool, verdict and summary. a shows the handshakes and listings too. d marks a"
        " row and compares it with the one d is pressed on next; e exports an exchange."
    )

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "resend", "Resend", id="history.resend"),
        Binding("a", "automatic", "Handshakes", id="history.automatic"),
    ]

    DEFAULT_CSS = """
    HistoryPane { height: 2fr; }
    """

    class Load(Message):
        """Load this exchange into the editor."""

        def __init__(self, serial: int) -> None:
            super().__init__()
            self.serial = serial

    class Looked(Load):
        """The cursor came to this exchange. Of several that wait, the last counts."""

        def can_replace(self, message: Message) -> bool:
            """A later look takes the place of this one."""
            return isinstance(message, HistoryPane.Looked)

    class Resend(Load):
        """Send this exchange again."""

    class Wanted(Message):
        """Rows are wanted: those before `before`, the newest for None."""

        def __init__(self, before: int | None, automatic: bool) -> None:
            super().__init__()
            self.before = before
            self.automatic = automatic

    class Sought(Message):
        """Exchanges with this request id are wanted, however old (JSON text of the id)."""

        def __init__(self, id_text: str) -> None:
            super().__init__()
            self.id_text = id_text

    def __init__(self, local_time: Callable[[str], str]) -> None:
        super().__init__(id="history")
        self.automatic = False
        self._all: list[HistoryRow] = []
        self._extra: list[HistoryRow] = []
        self._complete = True
        self._rows = HistoryList(local_time)
        self._line = FilterInput("#id, tool, verdict or words", lambda: self._rows)

    def compose(self) -> ComposeResult:
        """The list; the filter comes when it is wanted."""
        yield self._rows

    def on_mount(self) -> None:
        """Begin empty."""
        self._rows.set_note(
            ("Nothing was sent yet. ctrl+j sends what is in the editor.", "dim"), ("a shows handshakes.", "dim")
        )
        self.tell_title("History")

    def focus_target(self) -> Widget:
        """The list."""
        return self._rows

    # ----------------------------------------------------------------------- data in

    def know_targets(self, elsewhere: Callable[[str], str]) -> None:
        """`elsewhere` gives the safe text for the target of a row that is not the present one, else ""."""
        self._rows.elsewhere = elsewhere

    def show_newest(self, rows: Sequence[HistoryRow]) -> None:
        """Take in the newest page. Rows already there are brought up to date, and the cursor stays on its row."""
        held = self._current
        oldest = rows[-1].serial if rows else 0
        self._all = [*rows, *(row for row in self._all if row.serial < oldest)] if len(rows) >= PAGE else list(rows)
        self._complete = len(rows) < PAGE
        self._apply(held.serial if held is not None and self._rows.cursor > 0 else None)

    def add_older(self, rows: Sequence[HistoryRow]) -> None:
        """Take in an older page; a short one is the last."""
        held = self._current
        self._all += rows
        self._complete = len(rows) < PAGE
        self._apply(held.serial if held is not None else None)

    def show_found(self, rows: Sequence[HistoryRow]) -> None:
        """Take in rows that a filter by id found further back than what is loaded."""
        known = {row.serial for row in self._all}
        self._extra = [row for row in rows if row.serial not in known]
        self._apply(None)

    @property
    def is_waiting(self) -> bool:
        """Whether an exchange shown has no end yet, be it one of another program on the same history."""
        return any(row.verdict is Verdict.PENDING for row in self._all)

    def open_filter(self) -> None:
        """Go to the filter line."""
        self._line.open(self)

    # ----------------------------------------------------------------------- what happens here

    @property
    def current(self) -> HistoryRow | None:
        """The row under the cursor, None where there is none."""
        return self._current

    @property
    def _current(self) -> HistoryRow | None:
        rows = self._rows
        return rows.rows[rows.cursor] if rows.count else None

    def _apply(self, serial: int | None) -> None:
        words = self._line.value.split()
        shown = [row for row in (*self._all, *self._extra) if fits(row, words)] if words else self._all
        rows = self._rows
        rows.rows = shown
        cursor = next((at for at, row in enumerate(shown) if row.serial == serial), 0) if serial is not None else 0
        rows.set_rows(len(shown), cursor)
        if words:
            rows.set_note(("No exchange fits. Esc clears the filter.", "dim"))
            self.tell_title(f"History {len(shown)} found", "with handshakes" if self.automatic else "")
        else:
            more = "" if self._complete else "+"
            title = f"History {len(shown)}{more}" if shown else "History"
            self.tell_title(title, "with handshakes" if self.automatic else "")
        self._want_more()

    def _want_more(self) -> None:
        """Ask for older rows while the end is near: always a page ahead of the cursor."""
        near = self._rows.cursor + PAGE // 2 >= self._rows.count
        enough = self._line.value and len(self._all) >= _SEARCHED and self._rows.cursor + 1 < self._rows.count
        if not self._complete and near and self._all and not enough:
            self._complete = True  # until the answer says otherwise: one question at a time
            self.post_message(self.Wanted(self._all[-1].serial, self.automatic))

    def on_row_list_moved(self, event: RowList.Moved) -> None:
        """The cursor moved, perhaps towards the end."""
        event.stop()
        if self._current is not None:
            self.post_message(self.Looked(self._current.serial))
        self._want_more()

    def on_row_list_chosen(self, event: RowList.Chosen) -> None:
        """A row was taken."""
        event.stop()
        self.post_message(self.Load(self._rows.rows[event.index].serial))

    def on_input_changed(self, event: Input.Changed) -> None:
        """Filter as the letters come."""
        event.stop()
        self._extra = []
        self._apply(None)
        for one in event.value.split():
            if len(one) > 1 and one.startswith("#"):
                self.post_message(self.Sought(one[1:]))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter in the filter loads the row under the cursor."""
        event.stop()
        if self._current is not None:
            self.post_message(self.Load(self._current.serial))

    def on_filter_input_left(self, event: FilterInput.Left) -> None:
        """Esc in the filter clears it and goes back to the list."""
        event.stop()
        self.end_filter()

    def end_filter(self) -> bool:
        """Show all exchanges again. False: there was no filter."""
        if not (self._line.value or self._line.has_focus):
            return False
        held = self._current
        self._line.clear_and_close()
        self._extra = []
        self._apply(held.serial if held is not None else None)
        self._rows.focus()
        return True

    def action_resend(self) -> None:
        """Send the exchange under the cursor again."""
        if self._current is not None:
            self.post_message(self.Resend(self._current.serial))

    def action_automatic(self) -> None:
        """Show or hide what the program sent for itself."""
        self.automatic = not self.automatic
        self._all = []
        self.post_message(self.Wanted(None, self.automatic))
