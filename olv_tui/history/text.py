"""The text of a stored exchange that a search looks in.

Rules of this file:

* One definition for the index and for looking through: what an index finds is checked here, so both find the same.
* It holds what the reader may remember: id, method, tool, verdict, summary, status, addresses, headers, both bodies;
  not the names of our own columns.
* Letters are found in either case, and a word also as JSON escapes it. A body is taken piece by piece.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from . import codec
from .database import Database

PIECE = 1 << 20
"""Bytes of a body that are looked at in one go."""

_HEAD = "e.id, e.method, e.tool, e.verdict, e.summary, e.status, c.request, c.reply, m.note"
_JOINED = "FROM exchange e JOIN content c USING (serial) LEFT JOIN mark m USING (serial) WHERE e.serial = ?"
_LABELS = {"rpc_error": "JSON-RPC error", "http_error": "HTTP error"}


def label(verdict: str) -> str:
    """The name of a verdict as the screen has it."""
    return _LABELS.get(verdict, verdict.replace("_", " "))


def forms(word: str) -> tuple[str, ...]:
    """How a word may stand in a stored text: as it is, and as JSON writes it; all in small letters."""
    plain = codec.plain(word)
    written = (plain, codec.plain(json.dumps(word, ensure_ascii=False)[1:-1]), json.dumps(word)[1:-1])
    return tuple(dict.fromkeys(form.lower() for form in written))


def beginning(database: Database, serial: int, size: int) -> tuple[str, bool]:
    """The first `size` bytes or so of the text, and whether that is all of it; "" where there is none."""
    rows = database.read(
        f"SELECT {_HEAD}, length(c.request_body), length(c.response_body) {_JOINED}",
        (serial,),
    )
    if not rows:
        return "", True
    *columns, sent_size, came_size = rows[0]
    # A note changes, and the index cannot: notes are looked through.
    head = _head(columns[:-1])[:size]
    sent = database.piece(serial, "request_body", 0, size // 2)
    came = database.piece(serial, "response_body", 0, max(0, size - len(sent)))
    whole = len(sent) == sent_size and len(came) == (came_size or 0) and len(head) < size
    return "\n".join((head, _text(sent), _text(came))), whole


def holds(database: Database, serial: int, words: Sequence[Sequence[str]], absent: Sequence[Sequence[str]]) -> bool:
    """Whether an exchange has one of the forms of each word, and none of those that are to be absent."""
    open_words = list(words)
    overlap = max((len(form) for word in (*words, *absent) for form in word), default=0) * 4
    for text in _pieces(database, serial, overlap):
        if any(form in text for word in absent for form in word):
            return False
        open_words = [word for word in open_words if not any(form in text for form in word)]
        if not open_words and not absent:
            return True
    return not open_words


def _pieces(database: Database, serial: int, overlap: int) -> Iterator[str]:
    rows = database.read(f"SELECT {_HEAD} {_JOINED}", (serial,))
    if not rows:
        return
    *columns, note = rows[0]
    yield _head(columns).lower()
    if note:
        yield str(note).lower()
    for column in ("request_body", "response_body"):
        start, piece = 0, database.piece(serial, column, 0, PIECE + overlap)
        while piece:
            yield _text(piece).lower()
            start += PIECE
            piece = database.piece(serial, column, start, PIECE + overlap) if len(piece) > PIECE else b""


def _head(columns: Sequence[Any]) -> str:
    id_text, method, tool, verdict, summary, status, request, reply = columns
    sent = json.loads(request.decode("utf-8", "replace"))
    lines = [f"#{id_text or ''}", method or "", tool or "", verdict, label(verdict), summary, str(status or "")]
    lines += [sent["target"], sent["url"], sent["method"], *(f"{name}: {value}" for name, value in sent["headers"])]
    if reply is not None:
        came = json.loads(reply.decode("utf-8", "replace"))
        response = came["response"] or {"reason": "", "headers": ()}
        lines += [response["reason"] or "", *(f"{name}: {value}" for name, value in response["headers"])]
        lines += [str(part) for part in came["error"] or () if part]
    return "\n".join(lines)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace").replace("\0", " ")
