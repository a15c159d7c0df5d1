"""The files of bodies that are too large for memory, as a part of the history: they go with their exchanges.

Rules of this file:

* A file belongs to the exchange whose reply names it. Rows go first and then the file: a kill in between leaves a file
  that belongs to none, and never an exchange whose file went without it.
* Whatever a row says, only files in the folder of the history are deleted; a link there is taken away, never followed.
* A file that belongs to none is left alone where it may be somebody's still: of an exchange that is not ended, of a
  run that went on in memory, of a damaged history that was set aside.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from . import codec
from .database import Database

_SPILLED = b'"spill":['
_AT_ONCE = 500
_NAME = re.compile(r"\d{8}-\d{6}-(\d+)(?:-\d+)?\.[a-z]+")
_YOUNG = 24 * 3600
"""Seconds in which a file whose exchange is in no file may be of a run that goes on in memory."""


def folder_of(path: Path) -> Path:
    """Where the bodies of a history are."""
    path = path.resolve()
    return path.with_name(f"{path.name}-bodies")


def files(database: Database, serials: Sequence[int] | None = None) -> dict[int, str]:
    """The names of the files of exchanges, of all for None."""
    named = ((serial, Path(path).name) for serial, path in _paths(database, serials))
    return {serial: name for serial, name in named if _NAME.fullmatch(name)}


def sizes(database: Database, folder: Path | None) -> dict[int, int]:
    """The bytes of the files of all exchanges that have one."""
    if folder is None or not folder.is_dir():
        return {}
    return {serial: _size(folder / name) for serial, name in files(database).items()}


def remove(folder: Path | None, names: Iterable[str]) -> str:
    """Delete files of the folder; "" or a sentence about those that stay."""
    stay = []
    for name in names if folder is not None else ():
        assert folder is not None
        try:
            (folder / name).unlink(missing_ok=True)
        except OSError as error:
            stay.append(f"{folder / name} ({error.strerror or error})")
    return f"not deleted: {', '.join(stay[:3])}{' and others' if len(stay) > 3 else ''}" if stay else ""


def orphans(database: Database, path: Path) -> tuple[list[str], str]:
    """The names of the files that belong to no exchange, and why none is told although there may be some."""
    folder = folder_of(path)
    try:
        there = [file.name for file in folder.iterdir() if _NAME.fullmatch(file.name)]
    except OSError:
        return [], ""
    if not there:
        return [], ""
    aside = next(path.resolve().parent.glob(f"{_literal(path.name)}.damaged-*"), None)
    if aside is not None:
        return [], f"files of large bodies are kept while {aside} is there, as it may tell of them"
    pending = {row[0] for row in database.read("SELECT serial FROM exchange WHERE owner IS NOT NULL")}
    last = database.read("SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'exchange'")[0][0]
    named = set(files(database).values())
    return [name for name in there if name not in named and _is_lost(folder / name, pending, last)], ""


def _is_lost(file: Path, pending: set[int], last: int) -> bool:
    match = _NAME.fullmatch(file.name)
    serial = int(match[1]) if match else 0
    if 0 < serial <= last:
        return serial not in pending
    try:
        return time.time() - file.lstat().st_mtime > _YOUNG
    except OSError:
        return False


def _paths(database: Database, serials: Sequence[int] | None) -> Iterator[tuple[int, str]]:
    sql = "SELECT serial, reply FROM content WHERE instr(reply, ?) > 0"
    if serials is None:
        rows = database.read(sql, (_SPILLED,))
    else:
        rows = []
        for start in range(0, len(serials), _AT_ONCE):
            some = serials[start : start + _AT_ONCE]
            rows += database.read(f"{sql} AND serial IN ({','.join('?' * len(some))})", (_SPILLED, *some))
    for serial, reply in rows:
        yield serial, codec.spill_path(reply)


def _size(file: Path) -> int:
    try:
        return file.lstat().st_size
    except OSError:
        return 0


def _literal(name: str) -> str:
    """A name for a pattern of files."""
    return re.sub(r"([*?[])", r"[\1]", name)
