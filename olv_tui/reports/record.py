"""The record: one exchange, or one listing, as one line of JSON for programs.

Rules of this file:

* Names and order of the members are a promise (see `record`); a member is never left out, it is null, unless
  its place says that it is there only sometimes.
* It takes what is redacted already.
* Sound JSON and sound UTF-8 whatever a server sent. Bytes that are no UTF-8 come as base64; what a terminal
  would obey or hide and lone surrogates are written as \\uXXXX, which a JSON reader turns back.
* Numbers keep their text. NaN and the like are no JSON, and Python's json refuses a whole line for one integer
  of more than 4,300 digits: both are written as texts, no digit lost.
* Values nested deeper than `MAX_DEPTH` are left out of `message`: readers refuse the whole line for them
  (json.loads of Python 3.11 at about 990, jq 1.5 at 256). They stand in the body in full.
"""

from __future__ import annotations

import binascii
import json
import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

from olv_tui import jsontext
from olv_tui.model import (
    Exchange,
    Frame,
    Header,
    Number,
    Object,
    RequestId,
    RpcError,
    Timing,
    ToolError,
    TransportError,
    Value,
    Violation,
    WireRequest,
    WireResponse,
)
from olv_tui.redact import map_leaves

if TYPE_CHECKING:
    from olv_tui.session import Listing

MAX_DEPTH = 250
"""Levels of a decoded value that a record carries."""

MAX_DIGITS = 4300
"""Digits of an integer that a record carries as a number."""

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")

# What JSON lets stand unescaped in a string and a terminal does not show as it is: DEL, C1, bidi and other
# format characters, line and paragraph separators, fillers, tags, surrogates.
_HIDDEN = re.compile(
    "[\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\ud800-\udfff"
    "\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
    "|(?<=[\ufe0e\ufe0f])[\ufe0e\ufe0f]"
)

_Member: TypeAlias = tuple[str, str]
"""Name and JSON text of a member."""


def record(exchange: Exchange) -> str:
    """The record of an exchange, redacted before, on one line; see `record_parts`."""
    return "".join(record_parts(exchange))


def record_parts(exchange: Exchange) -> Iterator[str]:
    """The record in parts, each made as it is asked for: of a large answer no more than one form is held at a time.

    Members in order: id, serial, verdict, summary, violations, request, response, message, tool_error,
    rpc_error, transport_error, era, protocol_version, timing; `demo` (true) at the end where the answer is an
    invented one. In request, response and frames `body_base64` and `raw_base64` stand only where the bytes are
    no UTF-8 (`body`, `raw` are null then), `wire_base64` only where a content coding was undone, and
    `surplus_base64` only where bytes came after the end of the answer. `body_size` and `body_file` stand only where the
    body was larger than --max-body: `body` (and `wire_base64`) are its first part then, `body_size` counts the bytes of
    all of it, and `body_file` is the path of the file that holds it, null where there is none. Times are milliseconds.
    """
    judgement, reply = exchange.judgement, exchange.reply
    members: list[tuple[str, Callable[[], str]]] = [
        ("id", lambda: _id(exchange.id)),
        ("serial", lambda: str(exchange.serial)),
        ("verdict", lambda: _plain(exchange.verdict)),
        ("summary", lambda: _plain(judgement.summary if judgement else "")),
        ("violations", lambda: _list(_violation(item) for item in (judgement.violations if judgement else ()))),
        ("request", lambda: request_text(exchange.request)),
        ("response", lambda: _response(reply.response if reply else None)),
        ("message", lambda: value_text(judgement.message if judgement else None)),
        ("tool_error", lambda: _tool_error(judgement.tool_error if judgement else None)),
        ("rpc_error", lambda: _rpc_error(judgement.rpc_error if judgement else None)),
        ("transport_error", lambda: _transport_error(reply.error if reply else None)),
        ("era", lambda: _plain(exchange.era)),
        ("protocol_version", lambda: _plain(exchange.protocol_version)),
        ("timing", lambda: _timing(reply.timing if reply else Timing())),
    ]
    if exchange.demo:
        members.append(("demo", lambda: "true"))
    for number, (name, made) in enumerate(members):
        yield f"{',' if number else '{'}{_plain(name)}:"
        yield escaped(made())
    yield "}"


def listing_record(listing: Listing) -> str:
    """What `tools --json` prints: verdict, tools (definitions as received), violations and pages, on one line.

    Where no list came it is the record of the exchange that failed.
    """
    if listing.failed is not None:
        return record(listing.failed)
    members = [
        ("verdict", _plain(listing.verdict)),
        ("tools", _list(value_text(tool.definition) for tool in listing.tools)),
        ("violations", _list(_violation(item) for item in listing.violations)),
        ("pages", str(listing.pages)),
    ]
    return escaped(_object(members))


# --------------------------------------------------------------------------- parts


def _id(request_id: RequestId | None) -> str:
    """The id as it was sent; as a text where what was sent is no JSON (NaN)."""
    if request_id is None:
        return "null"
    try:
        return value_text(jsontext.loads(request_id.text))
    except jsontext.JsonError:
        return _plain(request_id.text)


def _violation(violation: Violation) -> str:
    """A finding; `frame` (counted from 0) is there where its place is in an event of a stream."""
    place = violation.at if violation.at is not None else violation.place or None
    members = [
        ("code", _plain(violation.code)),
        ("severity", _plain(violation.severity)),
        ("message", _plain(violation.message)),
        ("at", _plain(place)),
    ]
    if violation.frame is not None:
        members.append(("frame", str(violation.frame)))
    return _object(members)


def request_text(request: WireRequest) -> str:
    """The member `request` of a record: method, url, headers, body (and body_base64 where it is no UTF-8)."""
    return _object(
        [
            ("method", _plain(request.method)),
            ("url", _plain(request.url)),
            ("headers", _headers(request.headers)),
            *_bytes("body", request.body),
        ]
    )


def _response(response: WireResponse | None) -> str:
    if response is None:
        return "null"
    members = [
        ("status", str(response.status)),
        ("reason", _plain(response.reason)),
        ("headers", _headers(response.headers)),
        *_bytes("body", response.body),
        ("coding", _plain(response.coding)),
    ]
    if response.wire is not None:
        members.append(("wire_base64", _base64(response.wire)))
    if response.spill is not None:
        members += [("body_size", str(response.spill.size)), ("body_file", _plain(response.spill.path or None))]
    if response.surplus:
        members.append(("surplus_base64", _base64(response.surplus)))
    members.append(("frames", _list(_frame(frame) for frame in response.frames)))
    return _object(members)


def _frame(frame: Frame) -> str:
    return _object(
        [
            ("event", _plain(frame.event)),
            ("id", _plain(frame.id)),
            ("data", _plain(frame.data)),
            *_bytes("raw", frame.raw),
        ]
    )


def _tool_error(error: ToolError | None) -> str:
    if error is None:
        return "null"
    ours = [("error", _plain(error.error)), ("site", _plain(error.site)), ("source", _plain(error.source))]
    taken = {name for name, _ in ours}
    return _object(
        [*ours, *((name, value_text(value)) for name, value in error.details.members() if name not in taken)]
    )


def _rpc_error(error: RpcError | None) -> str:
    if error is None:
        return "null"
    members = [("code", value_text(error.code)), ("message", _plain(error.message))]
    if error.has_data:
        members.append(("data", value_text(error.data)))
    return _object(members)


def _transport_error(error: TransportError | None) -> str:
    return "null" if error is None else _object([("kind", _plain(error.kind)), ("message", _plain(error.message))])


def _timing(timing: Timing) -> str:
    times = (
        ("connect_ms", timing.connect_ms),
        ("first_byte_ms", timing.first_byte_ms),
        ("total_ms", timing.total_ms),
    )
    return _object([(name, "null" if time is None else json.dumps(round(time, 1))) for name, time in times])


# --------------------------------------------------------------------------- JSON


def _headers(headers: tuple[Header, ...]) -> str:
    return _list(f"[{_plain(name)},{_plain(value)}]" for name, value in headers)


def _bytes(name: str, data: bytes) -> list[_Member]:
    """Bytes as exact text, or null and base64 where they are no UTF-8."""
    try:
        return [(name, _plain(data.decode("utf-8")))]
    except UnicodeDecodeError:
        return [(name, "null"), (f"{name}_base64", _base64(data))]


def _base64(data: bytes) -> str:
    return f'"{binascii.b2a_base64(data, newline=False).decode("ascii")}"'


def _plain(text: str | None) -> str:
    return json.dumps(text, ensure_ascii=False)


def _list(items: Any) -> str:
    return f"[{','.join(items)}]"


def _object(members: list[_Member]) -> str:
    return f"{{{','.join(f'{_plain(name)}:{text}' for name, text in members)}}}"


def value_text(value: Value) -> str:
    """A decoded value as exact JSON; null where it is nested too deeply for the readers of records."""
    depth, sound = _survey(value)
    if depth > MAX_DEPTH:
        return "null"
    return jsontext.dumps(value if sound else map_leaves(value, _sound))


def _survey(root: Value) -> tuple[int, bool]:
    """How deeply a value is nested, and whether readers bear all its numbers."""
    depth, sound = 0, True
    level: list[Value] = [root]
    while level:
        below: list[Value] = []
        for item in level:
            if isinstance(item, Object):
                below += [child for _, child in item.members()]
            elif isinstance(item, list):
                below += item
            elif isinstance(item, Number) and not _is_sound(item):
                sound = False
        if any(isinstance(item, Object | list) for item in level):
            depth += 1
        level = below
    return depth, sound


def _is_sound(number: Number) -> bool:
    return _NUMBER.fullmatch(number.text) is not None and not (number.is_integer and len(number.text) > MAX_DIGITS)


def _sound(leaf: str | Number) -> Value:
    """A leaf as readers bear it: a number they refuse is written as a text."""
    return leaf.text if isinstance(leaf, Number) and not _is_sound(leaf) else leaf


def escaped(text: str) -> str:
    """Text with what is hidden, or obeyed (from DEL on), as \\uXXXX; in JSON that stands only inside strings."""
    return _HIDDEN.sub(_escape, text) if _HIDDEN.search(text) else text


def _escape(match: re.Match[str]) -> str:
    units = match[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
