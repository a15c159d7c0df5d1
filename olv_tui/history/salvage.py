"""What can still be read of a damaged history file, row by row, into a new one.

Rules of this file:

* The damaged file is only read, from a copy in a private folder: SQLite would fold a log into it or change its -shm.
* An exchange is taken over where its content can be read and unpacked; its line in the list is made anew from that
  where it is lost. What cannot be read is counted and told.
* One bad page must not hide the rows behind it: rows are asked for one by one.
"""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import tempfile
from pathlib import Path
from typing import Any

from . import codec
from .codec import LOST

_LISTED = "serial, id, started, method, tool, verdict, status, total_ms, summary, automatic, target"
_CONTENT = "request, reply, judgement, request_body, response_body, wire, surplus"
_MOST = 1_000_000
"""Serials that are tried where nothing says how many there were."""


def salvage(damaged: Path, new: sqlite3.Connection) -> str:
    """Take over what can be read of the file and its log, and say how much that was."""
    with tempfile.TemporaryDirectory(prefix=".salvage-", dir=damaged.parent) as folder:
        copy = Path(folder) / "copy"
        try:
            for end in ("", "-wal"):
                with contextlib.suppress(FileNotFoundError):
                    shutil.copyfile(f"{damaged}{end}", f"{copy}{end}")
            with contextlib.closing(sqlite3.connect(copy, isolation_level=None)) as old:
                return _take_over(old, new)
        except OSError as error:
            return f"nothing was taken over, as there is no room to look at it ({error.strerror})"


def _take_over(old: sqlite3.Connection, new: sqlite3.Connection) -> str:
    last, is_known = _last(old)
    taken = lost = 0
    if _can_read(old):
        new.execute("BEGIN IMMEDIATE")
        for serial in range(1, last + 1):
            columns, there = _row(old, serial)
            if columns is not None:
                _put(new, columns)
                taken += 1
            elif there:
                lost += 1
        _settings(old, new, last)
        new.execute("COMMIT")
    if not taken:
        return "no exchange could be read" if last else "nothing in it could be read"
    count = f"{taken:,} exchange was" if taken == 1 else f"{taken:,} exchanges were"
    known = f"{lost:,} could not be read" if lost else "all of those it told of"
    return f"{count} taken over, {known}" if is_known or lost else f"{count} taken over"


def _can_read(old: sqlite3.Connection) -> bool:
    return bool(_rows(old, "SELECT 1 FROM sqlite_master WHERE name = 'content'"))


def _last(old: sqlite3.Connection) -> tuple[int, bool]:
    """The last serial, and whether the file tells it itself."""
    found = [
        row[0]
        for sql in (
            "SELECT seq FROM sqlite_sequence WHERE name = 'exchange'",
            "SELECT max(serial) FROM exchange",
            "SELECT max(serial) FROM content",
            "SELECT max(serial) FROM exchange INDEXED BY exchange_tool WHERE tool > ''",
        )
        for row in _rows(old, sql)
        if isinstance(row[0], int)
    ]
    if found:
        return min(max(found), _MOST), True
    pages = _rows(old, "PRAGMA page_count")
    return (min(_MOST, int(pages[0][0]) * 40) if pages else 0), False


def _rows(old: sqlite3.Connection, sql: str, *values: int) -> list[tuple[Any, ...]]:
    """The rows of a query, none where the file is damaged there."""
    try:
        return old.execute(sql, values).fetchall()
    except (sqlite3.Error, OverflowError):
        return []


def _row(old: sqlite3.Connection, serial: int) -> tuple[tuple[Any, ...] | None, bool]:
    """All columns of an exchange, or None; and whether the file holds anything of it."""
    content = _one(old, f"SELECT {_CONTENT} FROM content WHERE serial = ?", serial)  # noqa: S608
    listed = _one(old, f"SELECT {_LISTED} FROM exchange WHERE serial = ?", serial)  # noqa: S608
    there = content != () or listed != ()  # an error counts as there
    if not content:
        return None, there
    try:
        exchange = codec.unpack(serial, content)
        mended = (serial, *codec.listed(exchange))
        if listed and listed[5] != "pending" and exchange.judgement is None:
            mended = listed
    except codec.UNREADABLE:
        return None, True
    if exchange.judgement is None and mended[5] == "pending":  # nobody writes its end into this file
        mended = (*mended[:5], "lost", *mended[6:8], LOST, *mended[9:])
    return (*mended, *content), True


def _one(old: sqlite3.Connection, sql: str, serial: int) -> tuple[Any, ...] | None:
    """One row; () where there is none, None where it cannot be read."""
    try:
        return old.execute(sql, (serial,)).fetchone() or ()
    except (sqlite3.Error, OverflowError):
        return None


def _put(new: sqlite3.Connection, columns: tuple[Any, ...]) -> None:
    serial = columns[0]
    new.execute(f"INSERT INTO exchange ({_LISTED}) VALUES (?,?,?,?,?,?,?,?,?,?,?)", columns[:11])  # noqa: S608
    new.execute(f"INSERT INTO content (serial, {_CONTENT}) VALUES (?,?,?,?,?,?,?,?)", (serial, *columns[11:]))  # noqa: S608
    new.execute("INSERT INTO unindexed VALUES (?, 0)", (serial,))
    exchange = codec.unpack(serial, columns[11:])
    new.executemany("INSERT OR IGNORE INTO named VALUES (?, ?)", [(one, serial) for one in codec.ids(exchange)])


def _settings(old: sqlite3.Connection, new: sqlite3.Connection, last: int) -> None:
    """Marks, saved calls and the counter of ids, as far as they can be read."""
    for row in _rows(old, "SELECT serial, starred, note FROM mark"):
        new.execute(
            "INSERT OR IGNORE INTO mark SELECT ?, ?, ? WHERE ? IN (SELECT serial FROM exchange)", (*row, row[0])
        )
    for row in _rows(old, "SELECT tool, name, method, arguments, envelope, headers, era, note FROM saved"):
        new.execute("INSERT OR IGNORE INTO saved VALUES (?,?,?,?,?,?,?,?)", row)
    for row in _rows(old, "SELECT kind, name, value FROM remembered"):
        new.execute("INSERT OR IGNORE INTO remembered VALUES (?, ?, ?)", row)
    counted = _rows(old, "SELECT value FROM counter WHERE name = 'id'")
    plain = "SELECT max(CAST(id AS INTEGER)) FROM named WHERE id NOT GLOB '*[^0-9]*' AND length(id) < 16"
    value = counted[0][0] if counted and isinstance(counted[0][0], int) else new.execute(plain).fetchone()[0]
    new.execute("UPDATE counter SET value = max(value, ?) WHERE name = 'id'", (value or 0,))
    # A serial that was given out never names another exchange.
    new.execute("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = 'exchange'", (last,))
