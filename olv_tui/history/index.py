"""The index of texts: full-text search of SQLite over groups of three letters, so that any part of a word is found.

Rules of this file:

* Nobody waits for it. `begin` and `finish` only note a serial; pieces of some milliseconds are indexed afterwards, the
  newest exchanges first, and what is not indexed yet is looked through.
* It only proposes. Every hit is checked against the stored text, so an index that is behind, or holds what was
  deleted since, is never wrong.
* It is no part of the history: where SQLite cannot make it, everything is looked through; it is made anew at will.
* It holds `SIZE` bytes of an exchange. Those with more are marked, and looked through as well.
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from collections.abc import Callable, Sequence

from . import codec
from .database import Database
from .text import beginning
from .values import HistoryError

SIZE = 64 * 1024
"""Bytes of one exchange that are indexed."""

_PIECE = 64 * 1024
"""Characters indexed in one transaction: 7 ms, which is what a call that begins just then has to wait."""

_AT_ONCE = 100
_PAUSE = 0.02
_TRIGRAMS = 24
"""Groups of a word that are looked up; what they propose is checked anyway."""

_MAKE = (
    # Without the texts and without places in them it takes half the room of what it indexes, and not twice as much.
    "CREATE VIRTUAL TABLE IF NOT EXISTS gram USING fts5(text, content='', detail=none, tokenize='trigram')"
)


def is_there(database: Database) -> bool:
    """Whether there is an index that this SQLite can read."""
    try:
        database.read("SELECT rowid FROM gram WHERE gram MATCH '\"abc\"' LIMIT 1")
    except HistoryError:
        return False
    return True


def index_piece(database: Database) -> int:
    """Index a few exchanges, the newest first. How many: 0 when there is nothing left to do, or no index to be had."""
    found = database.read(
        "SELECT serial FROM unindexed JOIN exchange USING (serial) WHERE indexed = 0 AND owner IS NULL"
        " ORDER BY serial DESC LIMIT ?",
        (_AT_ONCE,),
    )
    texts: list[tuple[int, str, bool]] = []
    size = 0
    for (serial,) in found:
        try:
            text, whole = beginning(database, serial, SIZE)
        except codec.UNREADABLE:
            text, whole = "", False  # damaged: it is looked through, and told when it is opened
        texts.append((serial, text, whole))
        size += len(text)
        if size > _PIECE:
            break
    return _write(database, texts) if texts else 0


def _write(database: Database, texts: Sequence[tuple[int, str, bool]]) -> int:
    with database.writing() as connection:
        try:
            connection.execute(_MAKE)
        except sqlite3.OperationalError:  # no FTS5, or one without this tokenizer
            return 0
        for serial, text, whole in texts:
            # Another program may have been first, and an index without texts takes no row twice.
            done = connection.execute(
                "DELETE FROM unindexed WHERE serial = ? AND indexed = 0"
                if whole
                else "UPDATE unindexed SET indexed = 1 WHERE serial = ? AND indexed = 0",
                (serial,),
            )
            if done.rowcount:
                connection.execute("INSERT INTO gram (rowid, text) VALUES (?, ?)", (serial, text))
    return len(texts)


def forget(connection: sqlite3.Connection) -> None:
    """Empty the index; it is made anew piece by piece. The table stays, as somebody may be searching in it."""
    with contextlib.suppress(sqlite3.OperationalError):
        connection.execute("INSERT INTO gram (gram) VALUES ('delete-all')")
    connection.execute("DELETE FROM unindexed")
    connection.execute("INSERT INTO unindexed SELECT serial, 0 FROM exchange")


def match(words: Sequence[Sequence[str]]) -> str | None:
    """The expression that proposes the exchanges with one form of each word, None where no word is long enough."""
    long = (word for word in words if all(len(form) >= 3 for form in word))
    parts = ["(" + " OR ".join(_grams(form) for form in word) + ")" for word in long]
    return " AND ".join(parts) or None


def _grams(form: str) -> str:
    text = form.replace("\0", " ")
    grams = dict.fromkeys(text[at : at + 3] for at in range(len(text) - 2))
    quoted = ['"' + gram.replace('"', '""') + '"' for gram in list(grams)[:_TRIGRAMS]]
    return "(" + " AND ".join(quoted) + ")"


class Indexer:
    """Indexes in a thread of its own until it is stopped; `wake` tells it that there is something new."""

    def __init__(self, work: Callable[[], int]) -> None:
        self._work = work
        self._news = threading.Event()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="olv-tui history index", daemon=True)
        self._thread.start()

    def wake(self) -> None:
        """There is something to index."""
        self._news.set()

    def stop(self) -> None:
        """End after the piece under way."""
        self._stop.set()
        self._news.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stop.is_set():
            self._news.clear()
            try:
                done = self._work()
            except HistoryError:
                done = 0  # a full disk: what is not indexed is looked through
            if done:
                self._stop.wait(_PAUSE)
            else:
                self._news.wait()
