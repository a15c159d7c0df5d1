"""What a reader does with a history: search it, mark it, save calls from it, make it smaller.

Rules of this file: no SQL beyond rows and marks, which stand in the modules beside it. Where a run goes on in memory
there are two databases, the newer first; rows of both are one list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from olv_tui.redact import Redactor

from . import codec
from .query import Query, text_query
from .values import Compacted, HistoryError, HistoryRow, Keep, SavedCall, UnwritableError

if TYPE_CHECKING:
    from .database import Column, Database
    from .index import Indexer
    from .search import Search

_T = TypeVar("_T")


class Finding:
    """The part of a history that finds and marks; every method may raise HistoryError."""

    path: Path | None
    _databases: list[Database]
    _redactor: Redactor
    _indexer: Indexer | None
    _apart: int

    @property
    def _database(self) -> Database:
        return self._databases[0]

    def _database_of(self, serial: int) -> Database:
        """Where an exchange is kept (0: where the next one will be)."""
        return self._databases[-1] if 0 < serial <= self._apart else self._databases[0]

    def _go_on_in_memory(self, why: HistoryError) -> None:
        raise NotImplementedError

    def _written(self, write: Callable[[], _T]) -> _T:
        """What `write` gives; in memory where the file takes nothing."""
        try:
            return write()
        except UnwritableError as error:
            if len(self._databases) > 1:
                raise
            self._go_on_in_memory(error)
        return write()

    def _rows(self, clauses: str, *values: Column) -> list[HistoryRow]:
        from .search import LISTED, TABLES

        sql = f"SELECT {LISTED} FROM {TABLES} {clauses}"  # noqa: S608
        return [codec.row(columns) for database in self._databases for columns in database.read(sql, values)]

    # ----------------------------------------------------------------------- searching

    def find(
        self, query: Query, limit: int = 0, *, automatic: bool = False, before: int | None = None
    ) -> Iterator[HistoryRow]:
        """List rows of all exchanges that fit, newest first, as they are found: `limit` of them (0: all).

        `before` and `automatic` as in `recent`; a term `is:automatic` asks for handshakes by itself.
        """
        from .search import found

        rows = (row for one in self._databases for row in found(one, query, automatic=automatic, before=before))
        return islice(rows, limit or None)

    def search(
        self, text: str, limit: int = 0, *, automatic: bool = False, before: int | None = None
    ) -> Iterator[HistoryRow]:
        """`find` for a text taken as it is; letters are found in either case."""
        return self.find(text_query(text), limit, automatic=automatic, before=before)

    def searching(self, query: Query, *, automatic: bool = False) -> Search:
        """A search that gives quick hits first and is gone on with; its rows are not all in order."""
        from .search import Search

        return Search(self._databases, query, automatic=automatic)

    def index_piece(self) -> int:
        """Index a few exchanges, some milliseconds long. How many: 0 when nothing is left."""
        from .index import index_piece

        return sum(index_piece(database) for database in self._databases)

    def start_indexing(self) -> None:
        """Index in the background until the history is closed."""
        from .index import Indexer

        if self._indexer is None:
            self._indexer = Indexer(self.index_piece)

    # ----------------------------------------------------------------------- marks

    def row(self, serial: int) -> HistoryRow | None:
        """The list row of an exchange, with its star and note."""
        found = self._rows("WHERE e.serial = ?", serial) if 0 < serial < 1 << 63 else []
        return found[0] if found else None

    def star(self, serial: int, on: bool) -> None:
        """Put a star on an exchange, or take it away."""
        self._mark(serial, starred=on)

    def annotate(self, serial: int, note: str) -> None:
        """Put a note on an exchange; "" takes it away. Secrets in it are masked."""
        self._mark(serial, note=codec.plain(self._redactor.text(note)))

    def _mark(self, serial: int, *, starred: bool | None = None, note: str | None = None) -> None:
        with self._database_of(serial).writing() as connection:
            connection.execute(
                "INSERT OR IGNORE INTO mark SELECT serial, 0, '' FROM exchange WHERE serial = ?", (serial,)
            )
            connection.execute(
                "UPDATE mark SET starred = coalesce(?, starred), note = coalesce(?, note) WHERE serial = ?",
                (None if starred is None else int(starred), note, serial),
            )
            connection.execute("DELETE FROM mark WHERE serial = ? AND starred = 0 AND note = ''", (serial,))

    # ----------------------------------------------------------------------- saved calls

    def saved(self, tool: str | None = None) -> list[SavedCall]:
        """The saved calls of a tool, by name; None: all, "": those of no tool."""
        from .saved import saved

        return [call for database in self._databases for call in saved(database, tool)]

    def save_call(self, call: SavedCall) -> None:
        """Keep a call, in place of one of the same name and tool. Secrets in it are masked."""
        from .saved import save

        self._written(lambda: save(self._database, call, self._redactor))

    def forget_call(self, name: str, tool: str | None) -> bool:
        """Delete a saved call. False: there is none."""
        from .saved import forget

        return sum(forget(database, name, tool) for database in self._databases) > 0

    def rename_call(self, call: SavedCall, name: str) -> bool:
        """Give a saved call another name. False: that name is taken by another call of its tool."""
        from .saved import rename

        return sum(rename(database, call, name) for database in self._databases) > 0

    def last_used(self, tool: str, limit: int) -> list[str]:
        """The arguments (JSON text as sent, secrets masked) of earlier calls of a tool, newest first, each once."""
        from .saved import sent

        return list(islice((text for one in self._databases for text in sent(one, tool)), limit))

    def last_that_worked(self, tool: str) -> str | None:
        """The arguments of the newest call of a tool that ended with a result, None where there is none."""
        from .saved import sent

        return next((text for one in self._databases for text in sent(one, tool, worked=True)), None)

    # ----------------------------------------------------------------------- how much is kept

    @property
    def bodies(self) -> Path | None:
        """The folder for bodies that are too large for memory, None where nothing is kept in files."""
        from .bodies import folder_of

        return None if self.path is None else folder_of(self.path)

    def compact(self, keep: Keep, *, dry_run: bool = False, thrifty: bool = False) -> Compacted:
        """Delete what is beyond the limits, or only count with `dry_run`. What has a star or a note stays.

        The file is made smaller; `thrifty`: only where a quarter of it is free by then, as it is written anew for that.
        """
        from .retention import compact

        return compact(self._databases[-1], self.path, keep, dry_run=dry_run, thrifty=thrifty)

    def delete(self, serial: int) -> str:
        """Delete an exchange for good, with its file; "" or a sentence about what stays of it.

        Its groups of three letters stay in the index until `compact` makes that anew.
        """
        from .retention import erase

        return erase(self._database_of(serial), self.bodies, serial)
