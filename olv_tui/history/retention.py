"""How much is kept: what is beyond a count, a size or an age goes, when somebody asks for it.

Rules of this file:

* Nothing goes by itself: the verb `history compact` or the setting `[history] keep` asks, and what went is told.
* What is starred, has a note, or is not ended yet stays, and does not count.
* The newest stay; newest is by serial, as a clock may go back.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from . import index
from .database import Database
from .values import Compacted, HistoryError, Keep

_AT_ONCE = 500
"""Exchanges that are deleted in one transaction, so that another program can write in between."""

_SIZES = (
    "SELECT e.serial, e.started, length(c.request) + coalesce(length(c.reply), 0) + coalesce(length(c.judgement), 0)"
    " + length(c.request_body) + coalesce(length(c.response_body), 0) + coalesce(length(c.wire), 0)"
    " + coalesce(length(c.surplus), 0), e.owner IS NOT NULL OR coalesce(m.starred, 0) OR coalesce(m.note, '') != ''"
    " FROM exchange e JOIN content c USING (serial) LEFT JOIN mark m USING (serial) ORDER BY e.serial DESC"
)


def compact(
    database: Database, keep: Keep, *, now: datetime | None = None, dry_run: bool = False, thrifty: bool = False
) -> Compacted:
    """Delete what is beyond the limits and make the file smaller, or only count with `dry_run`.

    `thrifty`: the file is made smaller only where a quarter of it is free.
    """
    going, size, spared, left = _beyond(database, keep, now or datetime.now(UTC))
    if dry_run or not going:
        return Compacted(len(going), size, spared, left)
    for start in range(0, len(going), _AT_ONCE):
        some = going[start : start + _AT_ONCE]
        marks = ",".join("?" * len(some))
        with database.writing() as connection:
            # A star that another program put on one since they were counted holds it.
            held = {row[0] for row in connection.execute(f"SELECT serial FROM mark WHERE serial IN ({marks})", some)}  # noqa: S608
            some = [serial for serial in some if serial not in held]
            marks = ",".join("?" * len(some))
            for table in ("content", "named", "mark", "unindexed", "exchange"):
                connection.execute(f"DELETE FROM {table} WHERE serial IN ({marks})", some)  # noqa: S608
    free, pages = (database.read(f"PRAGMA {name}")[0][0] for name in ("freelist_count", "page_count"))
    if thrifty and free * 4 < pages:
        return Compacted(len(going), size, spared, left)  # the index may propose what is gone, and is checked
    with database.writing() as connection:
        index.forget(connection)
    return Compacted(len(going), size, spared, left, _shrink(database))


def _beyond(database: Database, keep: Keep, now: datetime) -> tuple[list[int], int, int, int]:
    """The serials that go and their bytes; how many were spared, how many are left."""
    oldest = ""
    if keep.days is not None:
        moment = now.astimezone(UTC) - timedelta(days=keep.days)
        oldest = moment.replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"
    room = None if keep.megabytes is None else keep.megabytes * 1_000_000
    going: list[int] = []
    gone = kept = held = spared = 0
    for serial, started, size, is_held in database.read(_SIZES):
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
