"""Exchanges found by a query, newest first: by columns, by the index, and by looking through.

Rules of this file:

* A search runs piece by piece: the caller sees the first hits while the rest is still unread, no lock is held in
  between, and memory does not grow with the history.
* Order is by serial. A clock that goes back changes nothing.
* What the index proposes is checked against the text (text.py); what it does not hold is looked through.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from time import monotonic

from . import codec, index
from .database import Column, Database
from .query import Query, Term
from .text import forms, holds
from .values import HistoryRow

PIECE = 256
"""Rows that are looked at in one go."""

LISTED = (
    "e.serial, e.id, e.started, e.method, e.tool, e.verdict, e.status, e.total_ms, e.summary, e.automatic, e.target,"
    " m.starred, m.note"
)
TABLES = "exchange e LEFT JOIN mark m ON m.serial = e.serial"

_Step = HistoryRow | None
"""A hit, or None: some were looked at and nothing was found."""


@dataclass(frozen=True, slots=True)
class _Plan:
    where: str
    values: tuple[Column, ...]
    words: tuple[tuple[str, ...], ...]
    absent: tuple[tuple[str, ...], ...]
    match: str | None

    @property
    def is_checked(self) -> bool:
        return bool(self.words or self.absent)


def found(
    database: Database, query: Query, *, automatic: bool = False, before: int | None = None
) -> Iterator[HistoryRow]:
    """All that fit, newest first. Raises HistoryError."""
    streams = _streams(database, _plan(database, query, automatic), before)
    seen: set[int] = set()
    for row in heapq.merge(*(filter(None, stream) for stream in streams), key=lambda row: -row.serial):
        if row.serial not in seen:
            seen.add(row.serial)
            yield row


class Search:
    """A search that is gone on with: the quick hits first, then what only looking through finds."""

    def __init__(self, databases: Sequence[Database], query: Query, *, automatic: bool) -> None:
        plans = [(database, _plan(database, query, automatic)) for database in databases]
        rest = [_streams(database, plan, None) for database, plan in plans]
        ids = _id_words(query)
        first = [_by_id(database, plan, ids) for database, plan in plans] if ids else []
        # First what is quick in all databases, then what is slow.
        turns = [stream for turn in zip_longest(*rest, fillvalue=iter(())) for stream in turn]
        self._steps = chain(*first, *turns)
        self._seen: set[int] = set()
        self.is_done = False

    def take(self, limit: int, seconds: float) -> list[HistoryRow]:
        """Up to `limit` more hits that are found within a time; `is_done` tells whether there may be more."""
        rows: list[HistoryRow] = []
        end = monotonic() + seconds
        while len(rows) < limit:
            try:
                row = next(self._steps)
            except StopIteration:
                self.is_done = True
                break
            if row is not None and row.serial not in self._seen:
                self._seen.add(row.serial)
                rows.append(row)
            if monotonic() > end:
                break
        return rows


def _id_words(query: Query) -> tuple[str, ...]:
    """The word that may be meant as an id where a query is one bare word."""
    only = query.terms[0] if len(query.terms) == 1 else None
    return only.values if only is not None and only.key == "text" and not only.negative else ()


def _by_id(database: Database, plan: _Plan, ids: tuple[str, ...]) -> Iterator[_Step]:
    where, values = condition(Term("id", ids))
    automatic = " AND e.automatic = 0" if "e.automatic = 0" in plan.where else ""
    sql = f"SELECT {LISTED} FROM {TABLES} WHERE {where}{automatic} ORDER BY e.serial DESC LIMIT ?"  # noqa: S608
    return (codec.row(columns) for columns in database.read(sql, (*values, PIECE)))


def _plan(database: Database, query: Query, automatic: bool) -> _Plan:
    parts, values = [], list[Column]()
    if not automatic and not query.of("automatic"):
        parts.append("e.automatic = 0")
    words = list[tuple[str, ...]]()
    absent = list[tuple[str, ...]]()
    for term in query.terms:
        if term.key == "text":
            (absent if term.negative else words).extend(forms(value) for value in term.values)
            continue
        where, more = condition(term)
        parts.append(f"NOT coalesce({where}, 0)" if term.negative else where)
        values += more
    match = index.match(words) if words and index.is_there(database) else None
    return _Plan(" AND ".join(parts) or "1", tuple(values), tuple(words), tuple(absent), match)


def _streams(database: Database, plan: _Plan, before: int | None) -> list[Iterator[_Step]]:
    """What is found quickly, and then what the index does not know; each newest first, a row may be in several."""
    if plan.match is None:
        return [
            _looked(database, plan, f"FROM {TABLES} WHERE {plan.where}", plan.values, key="e.serial", before=before)
        ]
    marks = "LEFT JOIN mark m ON m.serial = e.serial"
    proposed = f"FROM gram JOIN exchange e ON e.serial = gram.rowid {marks} WHERE gram MATCH ? AND {plan.where}"
    unknown = f"FROM unindexed u JOIN exchange e ON e.serial = u.serial {marks} WHERE {plan.where}"
    noted = f"FROM mark m JOIN exchange e ON e.serial = m.serial WHERE m.note != '' AND {plan.where}"
    return [
        _looked(database, plan, proposed, (plan.match, *plan.values), key="gram.rowid", before=before),
        _looked(database, plan, noted, plan.values, key="m.serial", before=before),
        _looked(database, plan, unknown, plan.values, key="u.serial", before=before),
    ]


def _looked(
    database: Database, plan: _Plan, tables: str, values: Sequence[Column], *, key: str, before: int | None
) -> Iterator[_Step]:
    """The rows of a query in pieces, each checked."""
    top = before if before is not None else (1 << 63) - 1
    size = 32  # most who search look at the first screen
    while True:
        sql = f"SELECT {LISTED} {tables} AND {key} < ? ORDER BY {key} DESC LIMIT ?"
        rows = database.read(sql, (*values, top, size))
        for columns in rows:
            fits = not plan.is_checked or _holds(database, columns[0], plan)
            yield codec.row(columns) if fits else None
        if len(rows) < size:
            return
        top, size = rows[-1][0], PIECE


def _holds(database: Database, serial: int, plan: _Plan) -> bool:
    try:
        return holds(database, serial, plan.words, plan.absent)
    except codec.UNREADABLE:
        return False  # damaged; it is told when it is opened


# --------------------------------------------------------------------------- terms


def condition(term: Term) -> tuple[str, list[Column]]:
    """The SQL condition of a term on `TABLES`, its sign aside, and its values."""
    match term.key:
        case "id":
            ids = [form for value in term.values for form in codec.id_forms(value)]
            marks = ",".join("?" * len(ids))
            return f"e.serial IN (SELECT serial FROM named WHERE id IN ({marks}))", list(ids)  # noqa: S608
        case "tool" | "method" | "target":
            likes = " OR ".join(f"e.{term.key} LIKE ? ESCAPE '\\'" for _ in term.values)
            return f"({likes})", [_pattern(codec.plain(value)) for value in term.values]
        case "verdict":
            return f"e.verdict IN ({','.join('?' * len(term.values))})", list(term.values)
        case "status":
            ranges = [(int(one[0]) * 100, int(one[0]) * 100 + 99) if "x" in one else (int(one),) * 2
                      for one in term.values]  # fmt: skip
            between = " OR ".join("e.status BETWEEN ? AND ?" for _ in ranges)
            return f"({between})", [bound for pair in ranges for bound in pair]
        case "time":
            since, until = term.values
            return "(e.started >= ? AND e.started < ?)", [since, until or "~"]
        case "starred":
            return "coalesce(m.starred, 0) = 1", []
        case "note":
            return "coalesce(m.note, '') != ''", []
        case _:
            return "e.automatic = 1", []


def _pattern(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"%{escaped}%"
