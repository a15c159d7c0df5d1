"""The history pane: every exchange, newest first.

Rules of this file:

* Messages out, data in. Pages are asked for (`Wanted`) as the cursor comes near the end, and handed in.
* Enter loads an exchange and never sends it; `r` sends it again under a new id.
* All texts of a row may come from a server: they pass view/safe.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message
from textual.suggester import Suggester

from olv_tui.model import Verdict
from olv_tui.view.safe import one_line
from olv_tui.widgets.history_list import HistoryList
from olv_tui.widgets.pane import Pane
from olv_tui.widgets.rows import RowList
from olv_tui.widgets.tools import FilterInput

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.widget import Widget
    from textual.widgets import Input

    from olv_tui.history import HistoryRow
    from olv_tui.history.query import Query

PAGE = 200
"""Rows asked for at a time."""

_EMPTY = (("Nothing was sent yet. ctrl+j sends what is in the editor.", "dim"), ("a shows handshakes.", "dim"))

_HINT = "#42, words, tool: verdict: status: is:starred today"


class _Completion(Suggester):
    """Proposes the end of the last word of a filter; the right arrow takes it."""

    def __init__(self, pane: HistoryPane) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._pane = pane

    async def get_suggestion(self, value: str) -> str | None:
        """The filter with its last word completed."""
        from olv_tui.history.query import completion

        return completion(value, self._pane.tools_seen)


class HistoryPane(Pane):
    """Filter and list of exchanges."""

    key = "history"
    label = "History"
    HELP = (
        "Everything that was sent, newest first, kept over restarts. Moving the cursor shows the answer of an exchange;"
        " Enter loads it into the editor as well, where ctrl+z gives your draft back. Nothing is sent by that. r sends"
        " an exchange again under a new id; what went to another target is asked about. * puts a star on an exchange,"
        " m a note; v shows the saved calls. a shows the handshakes and listings too. d marks a row and compares it"
        " with the one d is pressed on next; e exports an exchange.\n\n/ filters. #42 is an id, today a day, 5xx a"
        " status. tool:add method:ping verdict:tool_error status:404 target:host is:starred is:failed has:note since:2h"
        " >2026-12-01 say what they look at, and a minus before one means not. Other words are looked for in tool,"
        " bodies, headers, verdict and note, those in quotes as they stand. The right arrow takes what is proposed."
    )

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "resend", "Resend", id="history.resend"),
        Binding("asterisk", "star", "Star", key_display="*", id="history.star"),
        Binding("m", "note", "Note", id="history.note"),
        Binding("v", "saved", "Saved", id="history.saved"),
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

    class Starred(Load):
        """Put a star on this exchange, or take it away."""

    class Noted(Load):
        """A note is wanted on this exchange."""

    class SavedWanted(Message):
        """The saved calls are wanted."""

    class Sought(Message):
        """Exchanges that fit this filter are wanted, however old; what comes is of `query`."""

        def __init__(self, query: Query, automatic: bool) -> None:
            super().__init__()
            self.query = query
            self.automatic = automatic

    def __init__(self, local_time: Callable[[str], str]) -> None:
        super().__init__(id="history")
        self.automatic = False
        self._all: list[HistoryRow] = []
        self._query: Query | None = None
        self._faults: tuple[str, ...] = ()
        self._hits: list[HistoryRow] = []
        self._is_searching = False
        self._search_on: Callable[[], None] | None = None
        self._complete = True
        self._rows = HistoryList(local_time)
        self._line = FilterInput(_HINT, lambda: self._rows)
        self._line.suggester = _Completion(self)

    def compose(self) -> ComposeResult:
        """The list; the filter comes when it is wanted."""
        yield self._rows

    def on_mount(self) -> None:
        """Begin empty."""
        self._rows.set_note(*_EMPTY)
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
        self._seek()

    def add_older(self, rows: Sequence[HistoryRow]) -> None:
        """Take in an older page; a short one is the last."""
        held = self._current
        self._all += rows
        self._complete = len(rows) < PAGE
        self._apply(held.serial if held is not None else None)

    def show_found(self, query: Query, rows: Sequence[HistoryRow], *, more: bool, first: bool = False) -> bool:
        """Take in what a filter found; `more`: it is still looked for. False: another filter stands there by now.

        `first`: rows of an earlier look with this filter are no longer true.
        """
        if query is not self._query:
            return False
        held, was_at_top = self._current, self._rows.cursor == 0
        known = {} if first else {row.serial: row for row in self._hits}
        known.update((row.serial, row) for row in rows)
        self._hits = [known[serial] for serial in sorted(known, reverse=True)]
        self._is_searching, self._search_on = more, None
        self._apply(held.serial if held is not None and not was_at_top else None)
        return True

    def hold(self, search_on: Callable[[], None]) -> None:
        """There may be more hits of the present filter; `search_on` looks for them when the cursor comes near."""
        self._search_on = search_on
        self._apply(self._current.serial if self._current is not None else None)

    def show_marks(self, row: HistoryRow) -> None:
        """The marks of a row changed."""
        for rows in (self._all, self._hits):
            for at, one in enumerate(rows):
                if one.serial == row.serial:
                    rows[at] = row
        self._rows.refresh()

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
        filtered = self._query is not None
        shown = self._hits if filtered else self._all
        rows = self._rows
        rows.rows = shown
        cursor = next((at for at, row in enumerate(shown) if row.serial == serial), 0) if serial is not None else 0
        rows.set_rows(len(shown), cursor)
        if filtered:
            looking = "Looking through what the index does not hold …" if self._is_searching else "No exchange fits."
            rows.set_note((looking, "dim"), ("Esc clears the filter.", "dim"))
            subtitle = one_line(self._faults[0], 120) if self._faults else "with handshakes" if self.automatic else ""
            more = ", looking …" if self._is_searching else ", more at the end" if self._search_on else ""
            self.tell_title(f"History {len(shown)} found{more}", subtitle)
        else:
            rows.set_note(*_EMPTY)
            more = "" if self._complete else "+"
            title = f"History {len(shown)}{more}" if shown else "History"
            self.tell_title(title, "with handshakes" if self.automatic else "")
        self._want_more()

    def _want_more(self) -> None:
        """Ask for older rows while the end is near: always a page ahead of the cursor."""
        near = self._rows.cursor + PAGE // 2 >= self._rows.count
        if self._query is not None:
            search_on, self._search_on = (self._search_on, None) if near else (None, self._search_on)
            if search_on is not None:
                search_on()
        elif not self._complete and near and self._all:
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
        self._filter(event.value)

    def _filter(self, text: str) -> None:
        """Show what fits a filter; all for an empty one. Rows stay until the new ones are there."""
        from olv_tui.history.query import completion, parse_query  # no first paint has a filter

        query = parse_query(text, datetime.now().astimezone())
        # A word that is being typed is no fault yet.
        self._faults = () if completion(text, self.tools_seen) else query.faults
        self._query = None if query.is_empty and not self._faults else query
        self._is_searching, self._search_on = False, None
        if self._query is None:
            self._hits = []
            self._apply(None)
        self._seek()

    def _seek(self) -> None:
        if self._query is not None:
            self.post_message(self.Sought(self._query, self.automatic))

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
        self._query, self._hits, self._search_on = None, [], None
        self._apply(held.serial if held is not None else None)
        self._rows.focus()
        return True

    def action_resend(self) -> None:
        """Send the exchange under the cursor again."""
        if self._current is not None:
            self.post_message(self.Resend(self._current.serial))

    def action_star(self) -> None:
        """Put a star on the exchange under the cursor, or take it away."""
        if self._current is not None:
            self.post_message(self.Starred(self._current.serial))

    def action_note(self) -> None:
        """Write a note on the exchange under the cursor."""
        if self._current is not None:
            self.post_message(self.Noted(self._current.serial))

    def action_saved(self) -> None:
        """Show the saved calls."""
        self.post_message(self.SavedWanted())

    @property
    def tools_seen(self) -> tuple[str, ...]:
        """The tools of the rows that are loaded, the newest first."""
        return tuple(dict.fromkeys(row.tool for row in self._all if row.tool))

    def action_automatic(self) -> None:
        """Show or hide what the program sent for itself."""
        self.automatic = not self.automatic
        self._all = []
        self.post_message(self.Wanted(None, self.automatic))
