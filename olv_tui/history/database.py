"""The file: opened with care, refused with a sentence, set aside where it is damaged.

Rules of this file:

* The only importer of sqlite3 (6 ms), and itself imported only when a history is opened.
* Every error of SQLite and of the file system leaves as a `HistoryError`.
* The file, its -wal and its -shm are readable by the user alone; a folder made for it as well.
* Nothing is deleted. What cannot be read is renamed, and what can be read of it is taken over into the new file; the
  database of another program is not touched.
* Damage that shows in the middle of a run is written down beside the file, and the next opening checks all of it.
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
from .values import HistoryError, UnwritableError

BUSY_MS = 5000
"""How long to wait for another process that writes."""

_UNWRITABLE = {
    sqlite3.SQLITE_FULL: "takes no more: the disk is full",
    sqlite3.SQLITE_READONLY: "cannot be written: it or its folder is read-only",
    sqlite3.SQLITE_IOERR: "cannot be read or written: the disk reports a fault",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened: its folder takes no file",
}

Column: TypeAlias = "str | bytes | int | float | None"
Row: TypeAlias = tuple[Any, ...]


class _Damage(sqlite3.DatabaseError):
    """Damage that a check found."""

    sqlite_errorcode = sqlite3.SQLITE_CORRUPT


class Database:
    """One connection that writes and one that reads, each used from any thread under a lock of its own.

    So nobody who looks at the history waits for a large answer that is being written (the write-ahead log of SQLite
    lets them see what was there before). `path` None: in memory, with one connection for both.

    `notice` tells the reader that a damaged file was set aside; None where nothing happened.
    Raises HistoryError where the file cannot be used.
    """

    def __init__(self, path: Path | None) -> None:
        self.name = "the history in memory" if path is None else f"the history {path}"
        self.notice: str | None = None
        self._suspect = None if path is None else Path(f"{path}.check")
        self._path = path
        self._lock = threading.RLock()
        self._reading = self._lock if path is None else threading.RLock()
        self._reader: sqlite3.Connection | None = None
        try:
            self._connection = _open(path, self._suspect)
        except sqlite3.DatabaseError as error:
            if path is None or not _is_damage(error):
                raise self._fault(error) from error
            self._begin_anew(path)
        except ValueError as error:
            raise HistoryError(f"{self.name} cannot be opened: {error}") from error
        except OSError as error:
            raise UnwritableError(f"{self.name} cannot be opened: {error.strerror or error}") from error

    def _begin_anew(self, path: Path) -> None:
        """Put a damaged file aside and take over into a new one what can be read of it."""
        from .salvage import salvage  # who has a sound file does not load it

        aside = _set_aside(path)
        try:
            self._connection = _open(path, None)
        except sqlite3.Error as again:
            raise self._fault(again) from again
        with self._told():
            saved = salvage(aside, self._connection)
        self.notice = (
            f"the history was damaged or no database; it was kept as {aside}, and a new one was begun: {saved}"
        )

    def read(self, sql: str, values: Sequence[Column] = ()) -> list[Row]:
        """All rows of a query."""
        with self._reading, self._told():
            reader = self._to_read()
            try:
                return reader.execute(sql, values).fetchall()
            except sqlite3.OperationalError as error:
                if "decode" not in str(error):
                    raise
                # Damage in a text of a row that is sound else: it is shown as far as it can be.
                reader.text_factory = _lenient
                return reader.execute(sql, values).fetchall()

    def piece(self, serial: int, column: str, start: int, size: int) -> bytes:
        """Bytes of one body from the table content, no more of it being read; b"" where there is none."""
        with self._reading, self._told():
            try:
                with self._to_read().blobopen("content", column, serial, readonly=True) as blob:
                    blob.seek(min(start, len(blob)))
                    return blob.read(size)
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_ERROR:  # no such row, or no body in it
                    return b""
                raise

    def _to_read(self) -> sqlite3.Connection:
        """The connection that reads, made when it is first needed."""
        if self._reader is None:
            self._reader = self._connection if self._path is None else _connect(self._path)
        return self._reader

    @contextlib.contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction that no other process writes in; committed at its end, taken back where it raises."""
        with self._lock, self._told(), _transaction(self._connection, "IMMEDIATE"):
            yield self._connection

    @contextlib.contextmanager
    def zeroing(self) -> Iterator[sqlite3.Connection]:
        """As `writing`, and what is deleted is overwritten: in the file, and in its log where nobody else reads it."""
        with self._lock, self._told():
            self._connection.execute("PRAGMA secure_delete = ON")
            try:
                with self.writing() as connection:
                    yield connection
                self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            finally:
                self._connection.execute("PRAGMA secure_delete = OFF")

    def vacuum(self) -> None:
        """Give the room of what was deleted back to the disk; no other program may have the file open for writing."""
        with self._lock, self._told():
            self._connection.execute("VACUUM")
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Close the file; SQLite folds the -wal into it where no other process has it open."""
        with self._lock, self._reading, self._told():
            if self._reader is not None:
                self._reader.close()  # first, or the other one cannot fold the log into the file
            self._connection.close()

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OverflowError) as error:
            raise self._fault(error) from error

    def _fault(self, error: Exception) -> HistoryError:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code == sqlite3.SQLITE_BUSY:
            seconds = BUSY_MS // 1000
            return HistoryError(f"{self.name} is busy: another program has been writing into it for {seconds} seconds")
        if code in _UNWRITABLE:
            return UnwritableError(f"{self.name} {_UNWRITABLE[code]}")
        if self._suspect is not None and _is_damage(error):
            with contextlib.suppress(OSError):
                self._suspect.touch(0o600)
            return HistoryError(
                f"{self.name} is damaged ({error}); the next start sets it aside and takes over what can be read"
            )
        return HistoryError(f"{self.name} cannot be used: {error}")


def _open(path: Path | None, suspect: Path | None) -> sqlite3.Connection:
    """A connection to a file that is ready for use; where `suspect` exists, all of the file is checked."""
    if path is not None:
        _prepare_file(path)
    connection = _connect(path)
    try:
        _prepare(connection, path)
        if suspect is not None and suspect.exists():
            found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
            with contextlib.suppress(OSError):
                suspect.unlink()
            if found != "ok":
                raise _Damage(found)
    except BaseException:
        connection.close()
        raise
    return connection


def _connect(path: Path | None) -> sqlite3.Connection:
    return sqlite3.connect(
        ":memory:" if path is None else path, timeout=BUSY_MS / 1000, isolation_level=None, check_same_thread=False
    )


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
            try:
                connection.execute(probe).fetchall()
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_ERROR:  # a table or a column is not there
                    raise _Damage(str(error)) from error
                raise
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


def _lenient(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _is_damage(error: Exception) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)


def _set_aside(path: Path) -> Path:
    """Rename a damaged file, with its -wal and -shm, and give its new name. Raises HistoryError."""
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
    return Path(aside)
