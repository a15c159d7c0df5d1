"""The history: begin before sending, finish as it ends, find again.

Rules of this file:

* Everything is redacted before it is written; the file never holds a secret.
* What `begin` returned for is committed: a kill at any moment loses no finished exchange, and the pending one
  is found as lost at the next opening.
* A place that takes nothing any more (a full disk, a read-only folder) ends no run: what comes is kept in memory,
  what is in the file is still read, and `notice` tells so.
* What is large is kept as soon as all of it came (`keep`), and its findings as they are found. What a dead process left
  in between is judged at the next opening: it is not lost.
* `finish` never raises: an answer is worth more than its record. What could not be written stays in memory and
  `notice` tells so.
* Order is by serial, whatever the clock does.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from olv_tui.courtesy import PIECE
from olv_tui.model import Era, Exchange, Judgement, Reply, Verdict, header
from olv_tui.redact import Redactor, is_changed

from . import codec
from .marks import Finding
from .process import lives, this_process
from .values import HistoryError, HistoryRow, UnwritableError

if TYPE_CHECKING:
    import sqlite3

    from .index import Indexer

_LISTED = "serial, id, started, method, tool, verdict, status, total_ms, summary, automatic, target"
_CONTENT = "request, reply, judgement, request_body, response_body, wire, surplus"

_JUDGEMENT = _CONTENT.split(", ").index("judgement")

_ROOM = 16_384
"""Bytes that are left blank for the findings of a large exchange: a column that grows takes the whole row with it."""

_APART = 1_000_000
"""How far the serials of a run in memory are from those of the file, where others go on writing."""


class History(Finding):
    """Exchanges kept in a file, or in memory where `path` is None. Implements session.Journal.

    May be used from several threads, and the file by several processes at once. Every method may raise
    HistoryError (another program holds the file, it is damaged), except `finish`. Searching, marks, saved calls and
    `compact` are in marks.py.
    """

    def __init__(self, path: Path | None, redactor: Redactor) -> None:
        from .database import Database  # sqlite3 is loaded only here: a screen paints before its history opens

        self.path = path
        self._redactor = self.redactor = redactor
        """What masks here; it learns the ids of sessions from the answers, so others of the same run use it too."""
        self._databases = [Database(path)]
        self._unwritten: dict[int, Exchange] = {}
        self._kept: dict[int, tuple[Reply, Reply | None]] = {}  # by serial: what came, and how it was written
        self._indexer: Indexer | None = None
        self._apart = 0
        self.notice: str | None = self._databases[0].notice
        """One sentence that the reader should see (a damaged file, an answer not written), or None."""
        try:
            self._mark_lost()
        except UnwritableError:
            pass  # what begins next is told
        except HistoryError:
            self.close()
            raise

    def close(self) -> None:
        """Close the file; the history cannot be used any more."""
        if self._indexer is not None:
            self._indexer.stop()
        if len(self._databases) > 1 and self.bodies is not None:
            from .bodies import files, remove

            remove(self.bodies, files(self._databases[0]).values())  # of exchanges that are gone with this run
        for database in self._databases:
            database.close()

    # ----------------------------------------------------------------------- ids

    def peek_id(self) -> int:
        """The id that `next_id` will return if nobody else asks before."""
        return self._free_id(self._database.read("SELECT value FROM counter WHERE name = 'id'")[0][0] + 1)

    def next_id(self) -> int:
        """A request id that no request in this history has; never given twice, whatever process asks."""
        return self._written(self._next_id)

    def _next_id(self) -> int:
        with self._database.writing() as connection:
            value = self._free_id(connection.execute("SELECT value FROM counter WHERE name = 'id'").fetchone()[0] + 1)
            connection.execute("UPDATE counter SET value = ? WHERE name = 'id'", (value,))
        return value

    def _free_id(self, value: int) -> int:
        """The first number from `value` on that nobody used by hand."""
        while any(one.read("SELECT 1 FROM named WHERE id = ? LIMIT 1", (str(value),)) for one in self._databases):
            value += 1
        return value

    # ----------------------------------------------------------------------- writing

    def begin(self, exchange: Exchange) -> int:
        """Keep a pending exchange and give its serial (1 or more); it is committed when this returns."""
        kept = self._redactor.exchange(exchange)
        content = codec.pack(kept)

        def write() -> int:
            with self._database.writing() as connection:
                return _insert(connection, None, kept, content, this_process())

        return self._written(write)

    def keep(self, exchange: Exchange) -> None:
        """Keep what came of the exchange with this serial before it is judged. Never raises: `finish` tells."""
        self._redactor.learn_session(exchange.reply)
        kept = self._redactor.exchange(exchange)
        try:
            with self._database_of(exchange.serial).writing() as connection:
                _put(connection, exchange.serial, codec.pack(kept, room=_ROOM))
        except HistoryError:
            return
        if exchange.reply is not None:
            self._kept[exchange.serial] = exchange.reply, kept.reply

    def finish(self, exchange: Exchange) -> None:
        """Keep what came of the exchange with this serial."""
        came, written = self._kept.pop(exchange.serial, (None, None))
        is_there = came is not None and came is exchange.reply
        self._redactor.learn_session(exchange.reply)
        kept = self._redactor.exchange(exchange, written if is_there else None)
        changed = exchange.reply is not None and kept.reply is not None and is_changed(exchange.reply, kept.reply)
        content = codec.pack(kept, changed=changed)
        try:
            with self._database_of(exchange.serial).writing() as connection:
                _insert(connection, exchange.serial or None, kept, content, None, is_there=is_there)
        except HistoryError as error:
            self._unwritten[exchange.serial] = kept
            self.notice = f"exchange @{exchange.serial} is not in the history file: {error}"
        else:
            if self._indexer is not None:
                self._indexer.wake()

    def _go_on_in_memory(self, why: HistoryError) -> None:
        """Keep what comes in memory: the place of the file takes nothing."""
        from .database import Database

        file, spare = self._database, Database(None)
        value = file.read("SELECT value FROM counter WHERE name = 'id'")[0][0]
        self._apart = (file.read("SELECT max(serial) FROM exchange")[0][0] or 0) + _APART
        with spare.writing() as connection:
            connection.execute("UPDATE counter SET value = ?", (value,))
            connection.execute("INSERT INTO sqlite_sequence VALUES ('exchange', ?)", (self._apart,))
        self._databases.insert(0, spare)
        self.notice = f"{why}; from here on this run is kept in memory and is gone when it ends"

    def _mark_lost(self) -> None:
        """Mark what a dead process left pending; the exchanges of living ones stay."""
        pending = self._database.read("SELECT serial, owner FROM exchange WHERE owner IS NOT NULL")
        dead = [(serial, owner) for serial, owner in pending if not lives(owner)]
        if not dead:
            return
        for serial, _ in dead:
            self._judge_late(serial)
        with self._database.writing() as connection:
            connection.executemany(
                "UPDATE exchange SET verdict = 'lost', summary = ?, owner = NULL WHERE serial = ? AND owner = ?",
                [(codec.LOST, serial, owner) for serial, owner in dead],
            )

    def _judge_late(self, serial: int) -> None:
        """Judge what a dead process kept of an exchange and did not come to judge; nothing where it kept nothing."""
        from olv_tui.judge import judge  # only after a kill

        found = self._database.read("SELECT 1 FROM content WHERE serial = ? AND reply IS NOT NULL", (serial,))
        exchange = self.get(serial) if found else None
        if exchange is None or exchange.reply is None:
            return
        session = header(exchange.request.headers, "mcp-session-id")
        era, version = exchange.era or Era.BARE, exchange.protocol_version
        judgement = judge(exchange.outgoing, exchange.reply, era=era, version=version, session_id=session)
        self.finish(replace(exchange, judgement=judgement))

    # ----------------------------------------------------------------------- what the reader set

    def remembered(self, kind: str, name: str) -> str | None:
        """What was remembered under a kind and a name (of a tool), or None."""
        rows = self._database.read("SELECT value FROM remembered WHERE kind = ? AND name = ?", (kind, name))
        return rows[0][0] if rows else None

    def remember(self, kind: str, name: str, value: str) -> None:
        """Remember a value, in place of the one before; redacted as everything in the file."""
        with self._database.writing() as connection:
            kept = self._redactor.text(value)
            connection.execute("INSERT OR REPLACE INTO remembered VALUES (?, ?, ?)", (kind, name, kept))

    # ----------------------------------------------------------------------- reading

    def get(self, serial: int) -> Exchange | None:
        """The exchange with this serial, redacted and else exactly as it was, or None."""
        if serial in self._unwritten:
            return self._unwritten[serial]
        if not 0 < serial < 1 << 63:
            return None
        database = self._database_of(serial)
        rows = database.read(
            f"SELECT verdict, summary, {_CONTENT} FROM exchange JOIN content USING (serial) WHERE serial = ?",  # noqa: S608
            (serial,),
        )
        if not rows:
            return None
        verdict, summary, *content = rows[0]
        try:
            exchange = codec.unpack(serial, tuple(content))
        except codec.UNREADABLE as error:
            raise HistoryError(f"exchange @{serial} in {database.name} is damaged: {error}") from error
        if verdict == Verdict.LOST.value and exchange.judgement is None:
            return replace(exchange, judgement=Judgement(Verdict.LOST, summary))
        return exchange

    def by_id(self, text: str) -> list[Exchange]:
        """Every exchange with this request id, newest first; `rows_by_id` gives them without bodies.

        `text` is the id as JSON (`42`, `"abc"`, `1.0`); a bare word that is no JSON is taken as a string.
        """
        found = (self.get(row.serial) for row in self.rows_by_id(text))
        return [exchange for exchange in found if exchange is not None]

    def rows_by_id(self, text: str) -> list[HistoryRow]:
        """The list rows of every exchange with this request id, newest first."""
        chosen = "WHERE e.serial IN (SELECT serial FROM named WHERE id IN (?, ?, ?)) ORDER BY e.serial DESC"
        return self._rows(chosen, *codec.id_forms(text))

    def recent(self, limit: int, *, automatic: bool = False, before: int | None = None) -> list[HistoryRow]:
        """List rows, newest first: `limit` of them (0: all), those with a serial below `before`.

        `automatic` adds what the program sent for itself, handshakes and listings.
        """
        clauses = "WHERE e.serial < ?" if automatic else "WHERE e.automatic = 0 AND e.serial < ?"
        last = (1 << 63) - 1 if before is None else before
        rows = self._rows(f"{clauses} ORDER BY e.serial DESC LIMIT ?", last, limit if limit > 0 else -1)
        return rows[:limit] if limit > 0 else rows


def _insert(
    connection: sqlite3.Connection,
    serial: int | None,
    exchange: Exchange,
    content: codec.Content,
    owner: str | None,
    *,
    is_there: bool = False,
) -> int:
    """Write all rows of an exchange, in place of those it had. `is_there`: but for the findings its content is."""
    marks = ",".join("?" * 12)
    columns = (serial, *codec.listed(exchange), owner)
    cursor = connection.execute(f"INSERT OR REPLACE INTO exchange ({_LISTED}, owner) VALUES ({marks})", columns)  # noqa: S608
    key = serial or cursor.lastrowid or 0
    if not (is_there and _put_findings(connection, key, content[_JUDGEMENT] or b"")):
        _put(connection, key, content)
    # What was indexed before it ended (called lost, and then its answer came) is looked through from then on.
    connection.execute("INSERT OR IGNORE INTO unindexed VALUES (?, ?)", (key, int(serial is not None)))
    connection.executemany("INSERT OR IGNORE INTO named VALUES (?, ?)", [(one, key) for one in codec.ids(exchange)])
    return key


def _put(connection: sqlite3.Connection, key: int, content: codec.Content) -> None:
    """Write the content. A large body goes into its place in pieces: bound to a statement, it would be copied twice."""
    names = _CONTENT.split(", ")
    large = {name: part for name, part in zip(names, content, strict=True) if part is not None and len(part) > PIECE}
    marks = ",".join("zeroblob(?)" if name in large else "?" for name in names)
    values = (len(part) if name in large and part else part for name, part in zip(names, content, strict=True))
    connection.execute(f"INSERT OR REPLACE INTO content (serial, {_CONTENT}) VALUES (?,{marks})", (key, *values))  # noqa: S608
    for name, part in large.items():
        with connection.blobopen("content", name, key) as blob:
            for at in range(0, len(part), PIECE):
                blob.write(part[at : at + PIECE])


def _put_findings(connection: sqlite3.Connection, key: int, judgement: bytes) -> bool:
    """Write findings into the room that was left for them; False where it is too small."""
    with connection.blobopen("content", "judgement", key) as blob:
        if len(judgement) > len(blob):
            return False
        blob.write(judgement.ljust(len(blob)))
    return True
