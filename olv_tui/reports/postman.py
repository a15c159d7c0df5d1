"""A collection of Postman (format 2.0 and 2.1), or an export of Insomnia (format 4), read: each request is a call."""

from __future__ import annotations

from collections.abc import Iterator

from olv_tui.model import Header, Number, Object, Value
from olv_tui.reports.pieces import Call, Piece
from olv_tui.reports.values import ReportedCall, raw

_LOOKED_AT = 2_000  # folders and requests


def is_collection(value: Value) -> bool:
    """Whether a value is a collection."""
    info = value.get("info") if isinstance(value, Object) else None
    schema = info.get("schema") if isinstance(info, Object) else None
    is_ours = isinstance(schema, str) and "postman" in schema
    return isinstance(value, Object) and ((is_ours and isinstance(value.get("item"), list)) or _is_insomnia(value))


def _is_insomnia(value: Object) -> bool:
    return value.get("_type") == "export" and isinstance(value.get("resources"), list)


def pieces(value: Value) -> Iterator[Piece]:
    """The calls of a collection in order, folders opened, each with the first answer that was saved for it."""
    todo: list[Value] = [value]
    for _ in range(_LOOKED_AT):
        if not todo:
            return
        item = todo.pop()
        if not isinstance(item, Object):
            continue
        is_request = item.get("_type") == "request"
        call = _call(item if is_request else item.get("request"), item.get("response"))
        if call is not None:
            yield Call(call)
        inner = item.get("resources") if _is_insomnia(item) else item.get("item")
        todo += reversed(inner) if isinstance(inner, list) else []


def _call(request: Value, responses: Value) -> ReportedCall | None:
    body = request.get("body") if isinstance(request, Object) else None
    text = body.get("raw", body.get("text")) if isinstance(body, Object) else None
    if not isinstance(request, Object) or not isinstance(text, str):
        return None
    url = request.get("url")
    url = url.get("raw") if isinstance(url, Object) else url
    method = request.get("method")
    first = responses[0] if isinstance(responses, list) and responses else None
    expected = first.get("body") if isinstance(first, Object) else None
    code = first.get("code") if isinstance(first, Object) else None
    status = int(code.text) if isinstance(code, Number) and code.is_integer and len(code.text) < 9 else None
    return ReportedCall(
        method if isinstance(method, str) else "POST",
        url if isinstance(url, str) else "",
        tuple(_headers(request.get("header", request.get("headers")))),
        raw(text),
        raw(expected) if isinstance(expected, str) else None,
        status if isinstance(expected, str) else None,
        form="Postman",
    )


def _headers(value: Value) -> Iterator[Header]:
    for item in value if isinstance(value, list) else ():
        if isinstance(item, Object) and item.get("disabled") is not True:
            name, told = item.get("key", item.get("name")), item.get("value")
            if isinstance(name, str) and isinstance(told, str):
                yield name, told
