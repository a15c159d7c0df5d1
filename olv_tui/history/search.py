"""Text in stored exchanges, found by looking through them, newest first.

Rules of this file:

* It looks through the file piece by piece: the caller sees the first hits while the rest is still unread, no lock is
  held in between, and memory does not grow with the history.
* There is no index for it: SQLite has none that helps with text inside a text, except full-text search, which would
  keep a second copy of every body.
* ASCII letters are found in either case. A body is also searched for the text as JSON escapes it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from . import codec
from .database import Column, Database, Row

PIECE = 256
"""Serials that are looked through in one go; with bodies of 10 kB that is 5 MB, some milliseconds."""

_COLUMNS = ("method", "tool", "verdict", "summary")
_BODIES = ("request_body", "response_body")


def search(database: Database, columns: str, text: str, *, automatic: bool, before: int | None) -> Iterator[Row]:
    """Rows (`columns`) of the exchanges that hold the text, newest first, those with a serial below `before`.

    Raises HistoryError.
    """
    condition, values = _condition(text)
    last = database.read("SELECT max(serial) FROM exchange")[0][0] or 0
    top = last + 1 if before is None else min(before, last + 1)
    kept = "" if automatic else "automatic = 0 AND"
    while top > 0:
        bottom = max(top - PIECE, 0)
        yield from database.read(
            f"SELECT {columns} FROM exchange JOIN content USING (serial)"  # noqa: S608
            f" WHERE {kept} serial >= ? AND serial < ? AND ({condition}) ORDER BY serial DESC",
            (bottom, top, *values),
        )
        top = bottom


def _condition(text: str) -> tuple[str, list[Column]]:
    """The condition that an exchange holds the text, and its values."""
    plain = codec.plain(text)
    forms = dict.fromkeys((plain, json.dumps(text, ensure_ascii=False)[1:-1], json.dumps(text)[1:-1]))
    parts, values = [], list[Column]()
    for column in _COLUMNS:
        parts.append(f"{column} LIKE ? ESCAPE '\\'")
        values.append(_pattern(plain))
    for column in _BODIES:
        for form in forms:
            # LIKE ends at a NUL and takes no bad UTF-8; instr on bytes takes both, and minds the case.
            parts.append(f"CAST({column} AS TEXT) LIKE ? ESCAPE '\\'")
            values.append(_pattern(codec.plain(form)))
            parts.append(f"instr({column}, ?)")
            values.append(form.encode("utf-8", "surrogatepass"))
    return " OR ".join(parts), values


def _pattern(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"%{escaped}%"
