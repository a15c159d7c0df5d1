"""The tables of the history file, and how an older file becomes a newer one.

Rules of this file:

* A migration that was released is never changed; a change is a new one at the end.
* `PRAGMA user_version` is the number of migrations a file has had.
* List columns stand apart from bodies, so that 100,000 rows are listed and filtered without reading one body.
"""

from __future__ import annotations

APPLICATION_ID = 0x6F6C7674
"""Marks our files (`olvt`), so that the database of another program is never written into."""

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        # AUTOINCREMENT: a serial that was given out never names another exchange, even after deletions.
        """
        CREATE TABLE exchange (
            serial INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT, started TEXT NOT NULL, method TEXT, tool TEXT, verdict TEXT NOT NULL, status INTEGER,
            total_ms REAL, summary TEXT NOT NULL, automatic INTEGER NOT NULL, target TEXT NOT NULL,
            owner TEXT
        )
        """,
        "CREATE INDEX exchange_listed ON exchange (automatic, serial)",
        "CREATE INDEX exchange_pending ON exchange (serial) WHERE owner IS NOT NULL",
        """
        CREATE TABLE content (
            serial INTEGER PRIMARY KEY,
            request BLOB NOT NULL, reply BLOB, judgement BLOB,
            request_body BLOB NOT NULL, response_body BLOB, wire BLOB, surplus BLOB
        )
        """,
        # Every id in a request: a batch has several.
        "CREATE TABLE named (id TEXT NOT NULL, serial INTEGER NOT NULL, PRIMARY KEY (id, serial)) WITHOUT ROWID",
        "CREATE TABLE counter (name TEXT PRIMARY KEY, value INTEGER NOT NULL)",
        "INSERT INTO counter VALUES ('id', 0)",
    ),
    (
        # What the reader set for a tool while looking at its answers, such as places that do not count.
        """
        CREATE TABLE remembered (
            kind TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (kind, name)
        ) WITHOUT ROWID
        """,
    ),
    (
        # The reader's own marks stand apart: they change without an exchange being written again.
        "CREATE TABLE mark (serial INTEGER PRIMARY KEY, starred INTEGER NOT NULL, note TEXT NOT NULL)",
        """
        CREATE TABLE saved (
            tool TEXT NOT NULL, name TEXT NOT NULL, method TEXT, arguments BLOB, envelope BLOB, headers BLOB NOT NULL,
            era TEXT, note TEXT NOT NULL, PRIMARY KEY (tool, name)
        ) WITHOUT ROWID
        """,
        "CREATE INDEX exchange_tool ON exchange (tool, serial)",
        # What the text index (made where SQLite can, see index.py) does not hold, or holds in part (indexed = 1).
        "CREATE TABLE unindexed (serial INTEGER PRIMARY KEY, indexed INTEGER NOT NULL)",
        "CREATE INDEX unindexed_yet ON unindexed (serial) WHERE indexed = 0",
        "INSERT INTO unindexed SELECT serial, 0 FROM exchange",
    ),
)

PROBES = (
    "SELECT * FROM exchange ORDER BY serial DESC LIMIT 1",
    "SELECT serial FROM exchange WHERE owner IS NOT NULL",
    "SELECT serial FROM content ORDER BY serial DESC LIMIT 1",
    "SELECT * FROM named LIMIT 1",
    "SELECT * FROM counter",
    "SELECT * FROM mark LIMIT 1",
    "SELECT * FROM unindexed LIMIT 1",
    "SELECT name FROM saved LIMIT 1",
    "SELECT name FROM remembered LIMIT 1",
)
"""Read at opening, so that damage behind the first page shows then; the whole file is not read for it."""
