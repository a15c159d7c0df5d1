"""The history as the screen reads it: a failing disk becomes a sentence and an empty answer.

Rules of this file: nothing here raises. The history raises HistoryError when the disk is full or another
program holds the file; a pane that is being painted must not end the program for it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from olv_tui.history import History, HistoryRow, SavedCall
    from olv_tui.history.query import Query
    from olv_tui.history.search import Search
    from olv_tui.model import Exchange
    from olv_tui.schema.filling import Known

_T = TypeVar("_T")
_IGNORED = "ignored"


class Shelf:
    """Reads of a history, and what the reader sets.

    `tell` gets the sentence when one fails, and each notice of the history once."""

    def __init__(self, history: History, tell: Callable[[str], None]) -> None:
        self._history = history
        self._tell = tell
        self._noticed: str | None = None
        self._id = 1

    def get(self, serial: int) -> Exchange | None:
        """The exchange with this serial."""
        return self._read(lambda: self._history.get(serial), None)

    def recent(self, limit: int, *, automatic: bool, before: int | None) -> Sequence[HistoryRow]:
        """A page of rows, newest first."""
        return self._read(lambda: self._history.recent(limit, automatic=automatic, before=before), [])

    def searching(self, query: Query, *, automatic: bool) -> Search | None:
        """A search to take hits from, None where it cannot begin."""
        return self._read(lambda: self._history.searching(query, automatic=automatic), None)

    def take(self, search: Search, limit: int, seconds: float) -> list[HistoryRow]:
        """More hits of a search. May be called in a thread."""
        rows = self._read(lambda: search.take(limit, seconds), None)
        if rows is None:
            search.is_done = True
        return rows or []

    def start_indexing(self) -> None:
        """Index texts in the background until the history is closed."""
        self._history.start_indexing()

    def row(self, serial: int) -> HistoryRow | None:
        """The row of an exchange."""
        return self._read(lambda: self._history.row(serial), None)

    def star(self, serial: int, on: bool) -> HistoryRow | None:
        """Put a star on an exchange or take it away; its row then, None where that failed."""
        self._read(lambda: self._history.star(serial, on), None)
        return self.row(serial)

    def annotate(self, serial: int, note: str) -> HistoryRow | None:
        """Put a note on an exchange, "" takes it away; its row then, None where that failed."""
        self._read(lambda: self._history.annotate(serial, note), None)
        return self.row(serial)

    def saved(self) -> Sequence[SavedCall]:
        """All saved calls, by name."""
        return self._read(self._history.saved, [])

    def save_call(self, call: SavedCall) -> bool:
        """Keep a call. Whether that went well."""

        def save() -> bool:
            self._history.save_call(call)
            return True

        return self._read(save, False)

    def rename_call(self, call: SavedCall, name: str) -> bool:
        """Give a saved call another name. False: it is taken."""
        return self._read(lambda: self._history.rename_call(call, name), False)

    def forget_call(self, call: SavedCall) -> None:
        """Delete a saved call."""
        self._read(lambda: self._history.forget_call(call.name, call.tool), False)

    def peek_id(self) -> str:
        """The text of the id that the next request will get."""
        self._id = self._read(self._history.peek_id, self._id)
        return str(self._id)

    def take_id(self) -> str:
        """The text of an id that nobody else will get."""
        self._id = self._read(self._history.next_id, self._id + 1)
        return str(self._id)

    def ignored(self, tool: str) -> list[str]:
        """The places of a tool's answers that do not count when they are compared, as JSON pointers."""
        kept = self._read(lambda: self._history.remembered(_IGNORED, tool), None)
        return kept.split("\n") if kept else []

    def ignore(self, tool: str, pointers: Sequence[str]) -> None:
        """Remember which places do not count."""
        self._read(lambda: self._history.remember(_IGNORED, tool, "\n".join(pointers)), None)

    def known_arguments(self, tool: str, limit: int) -> Known:
        """What is known of the arguments of a tool: saved sets, and what it was called with, newest first."""
        from olv_tui.schema.filling import Known

        def read() -> Known:
            history = self._history
            sets = ((call.name, call.arguments) for call in history.saved(tool))
            saved = tuple((name, arguments) for name, arguments in sets if arguments is not None)
            return Known(saved, tuple(history.last_used(tool, limit)), history.last_that_worked(tool))

        return self._read(read, Known())

    def save_arguments(self, tool: str, name: str, arguments: str) -> bool:
        """Keep arguments under a name, in place of those that had it. False: they could not be written."""
        from olv_tui.history import SavedCall

        def write() -> bool:
            self._history.save_call(SavedCall(name, tool, "tools/call", arguments))
            return True

        return self._read(write, False)

    def look_for_notice(self) -> None:
        """Pass on what the history wants the reader to know, once."""
        notice = self._history.notice
        if notice and notice != self._noticed:
            self._tell(notice)
        self._noticed = notice

    def _read(self, read: Callable[[], _T], instead: _T) -> _T:
        from olv_tui.history import HistoryError

        try:
            return read()
        except HistoryError as error:
            self._tell(str(error))
            return instead
