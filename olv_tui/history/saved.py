"""Calls kept under a name, and what was sent to a tool before.

Rules of this file:

* A saved call holds no secret: its texts and headers are masked as an exchange is.
* Texts are kept to the character: what was sent before is cut out of the body by span, never written anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from olv_tui import jsontext
from olv_tui.model import Era, Object, Verdict
from olv_tui.redact import Redactor

from . import codec
from .database import Database, Row
from .values import SavedCall

_COLUMNS = "tool, name, method, arguments, envelope, headers, era, note"


def saved(database: Database, tool: str | None) -> list[SavedCall]:
    """The saved calls of a tool, or all of them for None, by name."""
    where, values = ("", ()) if tool is None else ("WHERE tool = ?", (codec.plain(tool),))
    rows = database.read(f"SELECT {_COLUMNS} FROM saved {where} ORDER BY lower(name), tool", values)  # noqa: S608
    return [_call(row) for row in rows]


def save(database: Database, call: SavedCall, redactor: Redactor) -> None:
    """Keep a call, in place of one of the same name and tool."""
    values = (
        codec.plain(call.tool or ""),
        codec.plain(call.name),
        None if call.method is None else codec.plain(call.method),
        _masked(call.arguments, redactor),
        _masked(call.envelope, redactor),
        json.dumps(redactor.headers(call.headers)).encode(),
        call.era,
        codec.plain(redactor.text(call.note)),
    )
    with database.writing() as connection:
        connection.execute(f"INSERT OR REPLACE INTO saved ({_COLUMNS}) VALUES (?,?,?,?,?,?,?,?)", values)  # noqa: S608


def forget(database: Database, name: str, tool: str | None) -> bool:
    """Delete a saved call. False: there is none."""
    with database.writing() as connection:
        done = connection.execute(
            "DELETE FROM saved WHERE name = ? AND tool = ?", (codec.plain(name), codec.plain(tool or ""))
        )
        return done.rowcount > 0


def rename(database: Database, call: SavedCall, name: str) -> bool:
    """Give a saved call another name. False: that name is taken."""
    tool = codec.plain(call.tool or "")
    with database.writing() as connection:
        done = connection.execute(
            "UPDATE OR IGNORE saved SET name = ? WHERE name = ? AND tool = ?",
            (codec.plain(name), codec.plain(call.name), tool),
        )
        return done.rowcount > 0


def _masked(text: str | None, redactor: Redactor) -> bytes | None:
    return None if text is None else redactor.body(text.encode("utf-8", "surrogatepass"))


def _call(row: Row) -> SavedCall:
    tool, name, method, arguments, envelope, headers, era, note = row
    return SavedCall(
        name=name,
        tool=tool or None,
        method=method,
        arguments=_text(arguments),
        envelope=_text(envelope),
        headers=tuple((one, value) for one, value in json.loads(headers)),
        era=None if era is None else Era(era),
        note=note,
    )


def _text(data: bytes | None) -> str | None:
    return None if data is None else data.decode("utf-8", "surrogatepass")


# --------------------------------------------------------------------------- what was sent before


def sent(database: Database, tool: str, *, worked: bool = False) -> Iterator[str]:
    """The arguments (JSON text) of earlier calls of a tool, newest first, each text once; `worked`: with a result."""
    seen: set[str] = set()
    top = (1 << 63) - 1
    fine = f"AND verdict = '{Verdict.RESULT}'" if worked else ""
    while True:
        rows = database.read(
            "SELECT serial, request_body FROM exchange JOIN content USING (serial)"  # noqa: S608
            f" WHERE tool = ? AND serial < ? AND automatic = 0 AND length(request_body) < 1000000 {fine}"
            " ORDER BY serial DESC LIMIT 20",
            (codec.plain(tool[: codec.LISTED]), top),
        )
        for _, body in rows:
            text = _arguments(body, tool)
            if text is not None and text not in seen:
                seen.add(text)
                yield text
        if len(rows) < 20:
            return
        top = rows[-1][0]


def _arguments(body: bytes, tool: str) -> str | None:
    """The text of the arguments in the body of a call of this tool, None where there is none."""
    try:
        text = body.decode()
        value = jsontext.loads(text)
        params = value.get("params") if isinstance(value, Object) else None
        if not isinstance(params, Object) or params.get("name") != tool:
            return None
        place = jsontext.span(text, "/params/arguments")
    except (UnicodeDecodeError, jsontext.JsonError):
        return None
    return text[place[0] : place[1]] if place is not None else None
