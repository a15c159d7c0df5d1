"""Requests and results without their envelope, as the MCP Inspector shows them: the envelope is put around them.

Rules of this file: only methods of MCP are taken for requests here; an object with a `method` may be anything else.
"""

from __future__ import annotations

import re

from olv_tui import jsontext
from olv_tui.model import Object, Value
from olv_tui.reports.jsonfind import find
from olv_tui.reports.values import Notes, raw

_METHOD = re.compile(r"(?:tools|resources|prompts|completion|logging|sampling|roots|tasks|server)/\w+|initialize|ping")
_RESULTS = ("content", "structuredContent", "tools", "resources", "prompts", "contents", "messages", "serverInfo")


def enveloped(text: str, notes: Notes) -> str | None:
    """With `jsonrpc` and `id` put into the requests that have neither, and around the results behind them."""
    out: list[str] = []
    at = count = 0
    for found in find(text):
        value = jsontext.parse(raw(found.text)).value
        if _is_request(value):
            count += 1
            put = f'{{"jsonrpc":"2.0","id":{count},{found.text.lstrip()[1:].lstrip()}'
        elif count and _is_result(value):
            put = f'{{"jsonrpc":"2.0","id":{count},"result":{found.text}}}'
        else:
            continue
        out += [text[at : found.start], put]
        at = found.end
    if not count:
        return None
    notes.mend("jsonrpc and an id were added: the report shows the request without them")
    return "".join((*out, text[at:]))


def _is_request(value: Value) -> bool:
    if not isinstance(value, Object) or "jsonrpc" in value or "id" in value or "result" in value:
        return False
    method = value.get("method")
    is_known = isinstance(method, str) and _METHOD.fullmatch(method) is not None
    return is_known and isinstance(value.get("params", Object()), Object)


def _is_result(value: Value) -> bool:
    return isinstance(value, Object) and "jsonrpc" not in value and any(name in value for name in _RESULTS)
