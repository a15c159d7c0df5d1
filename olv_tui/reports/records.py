"""Our own record (`olv_tui.reports.record`) read back to the call that it tells of."""

from __future__ import annotations

import binascii
from collections.abc import Iterator

from olv_tui import jsontext
from olv_tui.model import Era, Header, Number, Object, Value
from olv_tui.reports.pieces import Call, Piece, absent, message_in
from olv_tui.reports.values import ReportedCall, raw


def is_record(value: Value) -> bool:
    """Whether a value is a record, or has the request of one (`replay --dry-run` prints such)."""
    request = value.get("request") if isinstance(value, Object) else None
    return isinstance(request, Object) and isinstance(request.get("url"), str) and ("body" in request)


def pieces(value: Value) -> Iterator[Piece]:
    """The one call of a record, with the answer it holds."""
    if not isinstance(value, Object):
        return
    request = value["request"]
    if not isinstance(request, Object):
        return
    headers = headers_in(request.get("headers"))
    body = bytes_in(request, "body")
    expected, status = _expected(value, body)
    method, url = request.get("method"), request.get("url")
    yield Call(
        ReportedCall(
            method if isinstance(method, str) else "POST",
            url if isinstance(url, str) else "",
            headers,
            body,
            expected,
            status,
            without=absent(headers) if "era" in value else (),
            era=_era(value.get("era")),
            form="a record of olv-tui",
        )
    )


def _expected(value: Object, body: bytes) -> tuple[bytes | None, int | None]:
    told = value.get("expected")
    if told is not None:
        return raw(told if isinstance(told, str) else jsontext.dumps(told)), None
    response = value.get("response")
    if not isinstance(response, Object):
        return None, None
    status = response.get("status")
    number = int(status.text) if isinstance(status, Number) and status.is_integer and len(status.text) < 9 else None
    media = next((text for name, text in headers_in(response.get("headers")) if name.lower() == "content-type"), "")
    own = message_in(bytes_in(response, "body"), media.split(";")[0].strip().lower(), body)
    # The member `message` leaves out what readers of records cannot bear, the body never does; but of an array
    # only the message tells which answer counted.
    message = value.get("message")
    if isinstance(message, Object) and isinstance(jsontext.parse(own).value, list):
        return raw(jsontext.dumps(message)), number
    return own, number


def bytes_in(members: Object, name: str) -> bytes:
    """Bytes that stand as text under a name, or in base64 under `name_base64`."""
    text = members.get(name)
    if isinstance(text, str):
        return raw(text)
    coded = members.get(f"{name}_base64")
    try:
        return binascii.a2b_base64(coded) if isinstance(coded, str) else b""
    except ValueError:
        return b""


def headers_in(value: Value) -> tuple[Header, ...]:
    """Headers that stand as pairs, as one object, or as objects with name and value (HAR)."""
    headers: list[Header] = []
    if isinstance(value, Object):
        headers += [(name, text) for name, text in value.members() if isinstance(text, str)]
    for item in value if isinstance(value, list) else ():
        pair = [item.get("name"), item.get("value")] if isinstance(item, Object) else item
        if isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str) and isinstance(pair[1], str):
            headers.append((pair[0], pair[1]))
    return tuple(headers)


def _era(value: Value) -> Era | None:
    return Era(value) if isinstance(value, str) and value in ("modern", "legacy", "bare") else None
