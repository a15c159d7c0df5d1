"""Requests and results without their envelope, as the MCP Inspector shows them: the envelope is put around them.

Rules of this file: only methods of MCP are taken for requests here; an object with a `method` may be anything else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from olv_tui import jsontext
from olv_tui.model import Object, Value
from olv_tui.reports.jsonfind import find
from olv_tui.reports.values import Notes, raw

_METHOD = re.compile(r"(?:tools|resources|prompts|completion|logging|sampling|roots|tasks|server)/\w+|initialize|ping")
_LOOKED_AT = 500  # nested values
_RESULTS = ("content", "structuredContent", "tools", "resources", "prompts", "contents", "messages", "serverInfo")


def enveloped(text: str, notes: Notes) -> str | None:
    """With `jsonrpc` and `id` put into the requests that have neither, and around the results behind them."""
    out: list[str] = []
    at = count = 0
    for start, end, value in _values(text):
        inside = text[start:end]
        if _is_request(value):
            count += 1
            put = f'{{"jsonrpc":"2.0","id":{count},{inside.lstrip()[1:].lstrip()}'
        elif count and _is_result(value):
            put = f'{{"jsonrpc":"2.0","id":{count},"result":{inside}}}'
        else:
            continue
        out += [text[at:start], put]
        at = end
    if not count:
        return None
    notes.mend("jsonrpc and an id were added: the report shows the request without them")
    return "".join((*out, text[at:]))


def _values(text: str) -> Iterator[tuple[int, int, Value]]:
    """The requests and results of a text, also where they are members of something else, with their places."""
    for found in find(text):
        value = jsontext.parse(raw(found.text)).value
        todo: list[tuple[str, Value]] = [("", value)]
        for _ in range(_LOOKED_AT):
            if not todo:
                break
            at, inner = todo.pop()
            if _is_request(inner) or _is_result(inner):
                place = jsontext.span(found.text, at) if at else (0, found.end - found.start)
                if place is not None and (not found.mends or not at):
                    yield found.start + place[0], found.start + place[1], inner
            elif isinstance(inner, Object):
                todo += [(at + jsontext.pointer([name]), child) for name, child in reversed(list(inner.items()))]
            elif isinstance(inner, list):
                todo += [(f"{at}/{number}", child) for number, child in reversed(list(enumerate(inner)))]


def _is_request(value: Value) -> bool:
    if not isinstance(value, Object) or "jsonrpc" in value or "id" in value or "result" in value:
        return False
    method = value.get("method")
    is_known = isinstance(method, str) and _METHOD.fullmatch(method) is not None
    return is_known and isinstance(value.get("params", Object()), Object)


def _is_result(value: Value) -> bool:
    return isinstance(value, Object) and "jsonrpc" not in value and any(name in value for name in _RESULTS)
