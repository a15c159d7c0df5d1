"""The file: opened with care, refused with a sentence, set aside where it is damaged.

Rules of this file:

* The only importer of sqlite3 (6 ms), and itself imported only when a history is opened.
* Every error of SQLite and of the file system leaves as a `HistoryError`.
* The file, its -wal and its -shm are readable by the user alone; a folder made for it as well.
* Nothing is deleted. What cannot be read is renamed, and the database of another program is not touched.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import stat
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from .schema import APPLICATION_ID, MIGRATIONS, PROBES
from .values import HistoryError

BUSY_MS = 5000
"""How long to wait for another process that writes."""

Column: TypeAlias = "str | bytes | int | float | None"
Row: TypeAlias = tuple[Any, ...]


class Database:
    """One connection, used from any thread under one lock. `path` None: in memory.

    `notice` tells the reader that a damaged file was set aside; None where nothing happened.
    Raises HistoryError where the file cannot be used.
    """

    def __init__(self, path: Path | None) -> None:
        self.name = "the history in memory" if path is None else f"the history {path}"
        self.notice: str | None = None
        self._lock = threading.RLock()
        try:
            self._connection = _open(path)
        except sqlite3.DatabaseError as error:
            if path is None or not _is_damage(error):
                raise HistoryError(self._sentence(error)) from error
            self.notice = _set_aside(path)
            try:
                self._connection = _open(path)
            except sqlite3.Error as again:
                raise HistoryError(self._sentence(again)) from again
        except (OSError, ValueError) as error:
            reason = (isinstance(error, OSError) and error.strerror) or error
            raise HistoryError(f"{self.name} cannot be opened: {reason}") from error

    def read(self, sql: str, values: Sequence[Column] = ()) -> list[Row]:
        """All rows of a query."""
        with self._lock, self._told():
            return self._connection.execute(sql, values).fetchall()

    @contextlib.contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction that no other process writes in; committed at its end, taken back where it raises."""
        with self._lock, self._told(), _transaction(self._connection, "IMMEDIATE"):
            yield self._connection

    def close(self) -> None:
        """Close the file; SQLite folds the -wal into it where no other process has it open."""
        with self._lock, self._told():
            self._connection.close()

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OverflowError) as error:
            raise HistoryError(self._sentence(error)) from error

    def _sentence(self, error: Exception) -> str:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code == sqlite3.SQLITE_BUSY:
            return f"{self.name} is busy: another program has been writing into it for {BUSY_MS // 1000} seconds"
        return f"{self.name} cannot be used: {error}"


def _open(path: Path | None) -> sqlite3.Connection:
    if path is not None:
        _prepare_file(path)
    connection = sqlite3.connect(
        ":memory:" if path is None else path, timeout=BUSY_MS / 1000, isolation_level=None, check_same_thread=False
    )
    try:
        _prepare(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare_file(path: Path) -> None:
    """Make folder and file for the user alone. SQLite gives -wal and -shm the mode of the file."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
    try:
        mode = os.fstat(handle).st_mode
        if not stat.S_ISREG(mode):
            raise HistoryError(f"the history {path} is no file")
        if mode & 0o077 and os.name == "posix":
            os.fchmod(handle, 0o600)
    finally:
        os.close(handle)


def _prepare(connection: sqlite3.Connection, path: Path | None) -> None:
    with _transaction(connection, "DEFERRED"):
        version = _version(connection, path)
    if path is not None:
        _use_wal(connection)
    connection.execute("PRAGMA synchronous = NORMAL")
    if version == len(MIGRATIONS):
        for probe in PROBES:
            connection.execute(probe).fetchall()
        return
    with _transaction(connection, "IMMEDIATE"):
        # Read again: another process may have done it while this one waited for its turn.
        for statements in MIGRATIONS[_version(connection, path) :]:
            for statement in statements:
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")


def _version(connection: sqlite3.Connection, path: Path | None) -> int:
    """The version of the file; 0 for a new one. Raises HistoryError for one that is not to be written."""
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    ours = connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID
    if not ours and (version or connection.execute("SELECT 1 FROM sqlite_master").fetchone()):
        raise HistoryError(f"{path} is a database of another program and no history")
    if version > len(MIGRATIONS):
        raise HistoryError(
            f"the history {path} was written by a newer olv-tui (format {version}, this one knows up to"
            f" {len(MIGRATIONS)}); use the newer one, or another file with --history"
        )
    return version


def _use_wal(connection: sqlite3.Connection) -> None:
    """Switch to WAL where it is not on. SQLite does not wait for other openers here, so it is tried again."""
    deadline = time.monotonic() + BUSY_MS / 1000
    while True:
        try:
            # On a file system that cannot share memory the mode stays as it was, which is slower and right.
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.005)
        else:
            return


@contextlib.contextmanager
def _transaction(connection: sqlite3.Connection, kind: str) -> Iterator[None]:
    connection.execute(f"BEGIN {kind}")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            with contextlib.suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
        raise


def _is_damage(error: sqlite3.Error) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)


def _set_aside(path: Path) -> str:
    """Rename a damaged file, with its -wal and -shm, and tell so. Raises HistoryError."""
    base = f"{path}.damaged-{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime())}"
    aside, number = base, 1
    while os.path.lexists(aside):
        number += 1
        aside = f"{base}-{number}"
    try:
        path.rename(aside)
        for end in ("-wal", "-shm"):
            with contextlib.suppress(FileNotFoundError):
                Path(f"{path}{end}").rename(f"{aside}{end}")
    except OSError as error:
        raise HistoryError(f"the history {path} is damaged and cannot be set aside: {error.strerror}") from error
    return f"the history was damaged or no database; it was kept as {aside}, and a new one was begun"
