"""Exchanges as columns and back, exactly.

Rules of this file:

* Pure: it knows values and bytes, no database and no file.
* `unpack(pack(exchange))` is equal to `exchange`: bytes stay bytes, lone surrogates stay, numbers keep their text.
* What can be read again from stored bytes is not stored twice: SSE frames come from the body by the decoder, and
  the message by the parser. Where that would not give back the very same value, the value itself is stored.
* JSON columns are UTF-8 with surrogates passed through: SQLite's own text cannot hold a lone one.
"""

from __future__ import annotations

import json
from dataclasses import astuple, replace
from typing import Any, TypeAlias, cast

from olv_tui import jsontext
from olv_tui.model import (
    Era,
    Exchange,
    Frame,
    Header,
    Judgement,
    Number,
    Object,
    Outgoing,
    Reply,
    RequestId,
    RpcError,
    Severity,
    Spill,
    Timing,
    ToolError,
    TransportError,
    Value,
    Verdict,
    Violation,
    WireRequest,
    WireResponse,
)
from olv_tui.transport.sse import SseDecoder

from .values import HistoryRow

LISTED = 400
"""Characters of a text that the list columns keep."""

LOST = "the program ended before the answer came"
"""The summary of an exchange whose process died."""

_CHECKED_BYTES = 256 * 1024
"""Up to this size a message is parsed again before it is trusted to come from the bytes; that takes about 10 ms."""

UNREADABLE = (ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError, RecursionError)
"""What reading columns raises that are not ours, or damaged."""

_VERDICTS = frozenset(Verdict)

_Json: TypeAlias = Any
Content: TypeAlias = tuple[bytes, bytes | None, bytes | None, bytes, bytes | None, bytes | None, bytes | None]
"""The columns of the table content after serial."""

Listed: TypeAlias = tuple[str | None, str, str | None, str | None, str, int | None, float | None, str, int, str]
"""The columns of the table exchange between serial and owner."""

# --------------------------------------------------------------------------- list columns


def listed(exchange: Exchange) -> Listed:
    """The list columns of an exchange."""
    outgoing = exchange.outgoing
    summary = exchange.judgement.summary if exchange.judgement else ""
    return (
        _cut(outgoing.id.text if outgoing.id else None),
        exchange.started,
        _cut(outgoing.method),
        _cut(outgoing.tool),
        exchange.verdict.value,
        exchange.status,
        exchange.total_ms,
        plain(summary[:LISTED]),
        int(exchange.automatic),
        plain(exchange.target[:LISTED]),
    )


def row(columns: tuple[_Json, ...]) -> HistoryRow:
    """A list row from serial, the list columns, and the columns of its mark."""
    serial, id_text, started, method, tool, verdict, status, total_ms, summary, automatic, target, *mark = columns
    texts = (id_text or "", started, method or "", tool or "", summary, target)
    if verdict not in _VERDICTS or not all(isinstance(text, str) for text in texts):
        # Damage in the middle of a row; the rest of the list is worth showing.
        return HistoryRow(serial, None, "", None, None, Verdict.LOST, None, None, "this row is damaged", False, "")
    return HistoryRow(
        serial, id_text, started, method, tool, Verdict(verdict), status, total_ms, summary, bool(automatic), target,
        bool(mark[0]) if mark else False, (mark[1] or "") if mark else "",
    )  # fmt: skip


def plain(text: str) -> str:
    """Text that SQLite can hold: lone surrogates as escapes."""
    return text.encode("utf-8", "backslashreplace").decode()


def ids(exchange: Exchange) -> set[str]:
    """Every id in a request, as a look-up has it."""
    outgoing = exchange.outgoing
    return {plain(item.text) for item in (*outgoing.ids, *((outgoing.id,) if outgoing.id else ()))}


def id_forms(text: str) -> tuple[str, str, str]:
    """The texts under which an id may stand: as given and, for a string, without and with ASCII escapes.

    `text` is the id as JSON; a bare word that is no JSON is taken as a string.
    """
    word = text.strip()
    try:
        value = jsontext.loads(word)
    except jsontext.JsonError:
        value, word = word, jsontext.dumps(word)
    as_given = plain(word)
    if not isinstance(value, str):
        return as_given, as_given, as_given
    return as_given, plain(jsontext.dumps(value)), json.dumps(value)


def _cut(text: str | None) -> str | None:
    return None if text is None else plain(text[:LISTED])


# --------------------------------------------------------------------------- packing


def pack(exchange: Exchange, *, changed: bool = False, room: int = 0) -> Content:
    """The content columns of an exchange; `changed` says that its answer is not as the judge saw it.

    `room` is how many blanks stand in place of the judgement of one that has none yet.
    """
    request, reply = exchange.request, exchange.reply
    response = reply.response if reply else None
    head = {
        "target": exchange.target,
        "outgoing": [
            exchange.outgoing.kind,
            _id_text(exchange.outgoing.id),
            exchange.outgoing.method,
            exchange.outgoing.tool,
            [item.text for item in exchange.outgoing.ids],
        ],
        "url": request.url,
        "method": request.method,
        "headers": request.headers,
        "started": exchange.started,
        "era": exchange.era,
        "protocol_version": exchange.protocol_version,
        "automatic": exchange.automatic,
        "demo": exchange.demo,
    }
    return (
        _dump(head),
        None if reply is None else _dump(_pack_reply(reply)),
        (b" " * room or None)
        if exchange.judgement is None
        else _dump(_pack_judgement(exchange.judgement, response, changed)),
        request.body,
        response.body if response else None,
        response.wire if response else None,
        response.surplus if response else None,
    )


def _pack_reply(reply: Reply) -> _Json:
    response = reply.response
    return {
        "response": response
        and {
            "status": response.status,
            "reason": response.reason,
            "headers": response.headers,
            "http_version": response.http_version,
            "coding": response.coding,
            **_pack_frames(response),
            **({} if response.spill is None else {"spill": astuple(response.spill)}),
        },
        "error": reply.error and astuple(reply.error),
        "timing": astuple(reply.timing),
        "cancelled": reply.cancelled,
    }


def _pack_frames(response: WireResponse) -> dict[str, _Json]:
    """The times of frames that the decoder will find again in the body; else the frames themselves."""
    frames = response.frames
    if not frames:
        return {}
    if [replace(frame, at_ms=0.0) for frame in frames] == _decode(response.body):
        return {"frame_times": [frame.at_ms for frame in frames]}
    return {"frames": [[frame.raw.decode("latin-1"), *astuple(frame)[1:]] for frame in frames]}


def _decode(body: bytes) -> list[Frame]:
    decoder = SseDecoder()
    return [*decoder.feed(body, 0.0), *decoder.end(0.0)]


def _pack_judgement(judgement: Judgement, response: WireResponse | None, changed: bool) -> _Json:
    tool, rpc = judgement.tool_error, judgement.rpc_error
    packed: dict[str, _Json] = {
        "verdict": judgement.verdict,
        "summary": judgement.summary,
        "violations": [astuple(item) for item in judgement.violations],
        "has_message": judgement.has_message,
        "frame": judgement.frame,
        "tool_error": tool and [tool.error, tool.site, tool.source, _value_text(tool.details)],
        "rpc_error": rpc and [rpc.code.text, rpc.message, _value_text(rpc.data), rpc.has_data],
    }
    if judgement.message is not None and not _is_read_again(judgement, response, changed):
        packed["message"] = _value_text(judgement.message)
    elif judgement.message is None:
        packed["message"] = "null"
    return packed


def _is_read_again(judgement: Judgement, response: WireResponse | None, changed: bool) -> bool:
    """Whether parsing the stored bytes gives the very message.

    A large answer is not parsed a second time to find out: it is the message unless it is an array of which
    the message is a member, or its bytes were changed after it was judged.
    """
    source = _source(response, judgement.frame)
    if source is None:
        return False
    if len(source) > _CHECKED_BYTES and not changed:
        is_list = source[:64].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[")
        return is_list == isinstance(judgement.message, list)
    parsed = jsontext.parse(source)
    return parsed.has_value and _value_text(parsed.value) == _value_text(judgement.message)


def _source(response: WireResponse | None, frame: int | None) -> bytes | None:
    """The bytes that a message was read from."""
    if response is None:
        return None
    if frame is None:
        return response.body
    if not 0 <= frame < len(response.frames):
        return None
    data = response.frames[frame].data
    return None if data is None else data.encode("utf-8", "surrogatepass")


# --------------------------------------------------------------------------- unpacking


def unpack(serial: int, content: Content) -> Exchange:
    """The exchange that was packed. Raises one of `UNREADABLE` where the columns are not ours."""
    head_text, reply_text, judgement_text, request_body, body, wire, surplus = content
    head = _load(head_text)
    kind, request_id, method, tool, ids = head["outgoing"]
    reply = None if reply_text is None else _unpack_reply(_load(reply_text), body or b"", wire, surplus or b"")
    return Exchange(
        serial=serial,
        target=head["target"],
        outgoing=Outgoing(kind, _id(request_id), method, tool, tuple(RequestId(item) for item in ids)),
        request=WireRequest(head["url"], _headers(head["headers"]), request_body, head["method"]),
        started=head["started"],
        era=None if head["era"] is None else Era(head["era"]),
        protocol_version=head["protocol_version"],
        automatic=head["automatic"],
        demo=head["demo"],
        reply=reply,
        judgement=None
        if judgement_text is None or judgement_text.isspace()
        else _unpack_judgement(_load(judgement_text), reply.response if reply else None),
    )


def _unpack_reply(packed: _Json, body: bytes, wire: bytes | None, surplus: bytes) -> Reply:
    response = packed["response"]
    error = packed["error"]
    return Reply(
        response=None
        if response is None
        else WireResponse(
            status=response["status"],
            reason=response["reason"],
            headers=_headers(response["headers"]),
            body=body,
            http_version=response["http_version"],
            coding=response["coding"],
            wire=wire,
            frames=_unpack_frames(response, body),
            surplus=surplus,
            spill=Spill(*response["spill"]) if "spill" in response else None,
        ),
        error=None if error is None else TransportError(*error),
        timing=Timing(*packed["timing"]),
        cancelled=packed["cancelled"],
    )


def spill_path(reply: bytes) -> str:
    """The file that the column `reply` names for a body, "" where it names none or is damaged."""
    try:
        path = _load(reply)["response"]["spill"][2]
    except UNREADABLE:
        return ""
    return path if isinstance(path, str) else ""


def _unpack_frames(response: _Json, body: bytes) -> tuple[Frame, ...]:
    if "frame_times" in response:
        times = response["frame_times"]
        return tuple(replace(frame, at_ms=at_ms) for frame, at_ms in zip(_decode(body), times, strict=True))
    return tuple(Frame(raw.encode("latin-1"), *fields) for raw, *fields in response.get("frames", ()))


def _unpack_judgement(packed: _Json, response: WireResponse | None) -> Judgement:
    tool, rpc = packed["tool_error"], packed["rpc_error"]
    source = _source(response, packed["frame"]) if "message" not in packed else packed["message"].encode()
    return Judgement(
        verdict=Verdict(packed["verdict"]),
        summary=packed["summary"],
        violations=tuple(
            Violation(code, Severity(severity), *fields) for code, severity, *fields in packed["violations"]
        ),
        message=jsontext.value(source or b""),
        has_message=packed["has_message"],
        frame=packed["frame"],
        tool_error=None if tool is None else ToolError(tool[0], tool[1], tool[2], cast(Object, _value(tool[3]))),
        rpc_error=None if rpc is None else RpcError(Number(rpc[0]), rpc[1], _value(rpc[2]), rpc[3]),
    )


# --------------------------------------------------------------------------- small parts


def _dump(value: _Json) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def _load(data: bytes) -> _Json:
    return json.loads(data.decode("utf-8", "surrogatepass"))


def _value_text(value: Value) -> str:
    return jsontext.dumps(value)


def _value(text: str) -> Value:
    return jsontext.parse(text.encode("utf-8", "surrogatepass")).value


def _id_text(request_id: RequestId | None) -> str | None:
    return None if request_id is None else request_id.text


def _id(text: str | None) -> RequestId | None:
    return None if text is None else RequestId(text)


def _headers(headers: list[list[str]]) -> tuple[Header, ...]:
    return tuple((name, value) for name, value in headers)
