"""How much is kept: what is beyond a count, a size or an age goes, when somebody asks for it.

Rules of this file:

* Nothing goes by itself: the verb `history compact` or the setting `[history] keep` asks, and what went is told.
* What is starred, has a note, or is not ended yet stays, and does not count.
* The newest stay; newest is by serial, as a clock may go back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from . import bodies, index
from .database import Database
from .values import Compacted, HistoryError, Keep

if TYPE_CHECKING:
    import sqlite3

_AT_ONCE = 500
"""Exchanges that are deleted in one transaction, so that another program can write in between."""

_SIZES = (
    "SELECT e.serial, e.started, length(c.request) + coalesce(length(c.reply), 0) + coalesce(length(c.judgement), 0)"
    " + length(c.request_body) + coalesce(length(c.response_body), 0) + coalesce(length(c.wire), 0)"
    " + coalesce(length(c.surplus), 0), e.owner IS NOT NULL OR coalesce(m.starred, 0) OR coalesce(m.note, '') != ''"
    " FROM exchange e JOIN content c USING (serial) LEFT JOIN mark m USING (serial) ORDER BY e.serial DESC"
)


def compact(
    database: Database, path: Path | None, keep: Keep, *, now: datetime | None = None, dry_run: bool = False,
    thrifty: bool = False,
) -> Compacted:  # fmt: skip
    """Delete what is beyond the limits and make the file smaller, or only count with `dry_run`.

    Files of large bodies go with their exchanges, and count in their sizes. Those that belong to none go as well,
    unless it is `thrifty`: then the file, too, is made smaller only where a quarter of it is free.
    """
    folder = None if path is None else bodies.folder_of(path)
    of_bodies = bodies.sizes(database, folder)
    going, size, spared, left = _beyond(database, keep, now or datetime.now(UTC), of_bodies)
    lost, notice = ([], "") if path is None or thrifty else bodies.orphans(database, path)
    gone = Compacted(len(going), size, spared, left, notice, len(lost))
    if dry_run or not (going or lost):
        return gone
    told = [notice, delete(database, folder, going), bodies.remove(folder, lost)]
    free, pages = (database.read(f"PRAGMA {name}")[0][0] for name in ("freelist_count", "page_count"))
    if going and not (thrifty and free * 4 < pages):  # else the index may propose what is gone, and is checked
        with database.writing() as connection:
            index.forget(connection)
        told.append(_shrink(database))
    return replace(gone, notice="; ".join(filter(None, told)))


def delete(database: Database, folder: Path | None, serials: Sequence[int]) -> str:
    """Delete exchanges with all that belongs to them, but for those marked meanwhile; "" or what stays of it."""
    stay = []
    for start in range(0, len(serials), _AT_ONCE):
        some = list(serials[start : start + _AT_ONCE])
        names = bodies.files(database, some)
        marks = ",".join("?" * len(some))
        with database.writing() as connection:
            # A star that another program put on one since they were counted holds it.
            held = {row[0] for row in connection.execute(f"SELECT serial FROM mark WHERE serial IN ({marks})", some)}  # noqa: S608
            _delete(connection, [serial for serial in some if serial not in held])
        stay.append(bodies.remove(folder, (name for serial, name in names.items() if serial not in held)))
    return "; ".join(filter(None, stay))


def erase(database: Database, folder: Path | None, serial: int) -> str:
    """Delete one exchange, whatever marks it has, so that its bytes are gone from the file; "" or what stays of it."""
    names = bodies.files(database, [serial])
    with database.zeroing() as connection:
        _delete(connection, [serial])
    return bodies.remove(folder, names.values())


def _delete(connection: sqlite3.Connection, serials: Sequence[int]) -> None:
    marks = ",".join("?" * len(serials))
    for table in ("content", "named", "mark", "unindexed", "exchange"):
        connection.execute(f"DELETE FROM {table} WHERE serial IN ({marks})", serials)  # noqa: S608


def _beyond(
    database: Database, keep: Keep, now: datetime, of_bodies: Mapping[int, int]
) -> tuple[list[int], int, int, int]:
    """The serials that go and their bytes; how many were spared, how many are left."""
    oldest = ""
    if keep.days is not None:
        moment = now.astimezone(UTC) - timedelta(days=keep.days)
        oldest = moment.replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"
    room = None if keep.megabytes is None else keep.megabytes * 1_000_000
    going: list[int] = []
    gone = kept = held = spared = 0
    for serial, started, stored, is_held in database.read(_SIZES):
        size = stored + of_bodies.get(serial, 0)
        beyond = (
            (keep.count is not None and kept >= keep.count)
            or (room is not None and held + size > room)
            or started < oldest
        )
        if is_held:
            spared += beyond
        elif beyond:
            going.append(serial)
            gone += size
            if room is not None and held + size > room:
                held = int(room)  # what is older than the first that did not fit goes as well
        else:
            kept += 1
            held += size
    return going, gone, spared, kept + spared


def _shrink(database: Database) -> str:
    try:
        database.vacuum()
    except HistoryError as error:
        return f"the room is free for new exchanges, but the file could not be made smaller: {error}"
    return ""
