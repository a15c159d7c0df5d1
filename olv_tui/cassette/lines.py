"""One exchange as one line of a cassette, and back; the header line.

Rules of this file:

* Pure. What is written is redacted already.
* `exchange(line(one))` has the same request, reply, era and times as `one`; verdicts are not kept, they are judged anew
  by whoever plays it.
* A line begins with `key`, `loose` and `what`, so that a file is opened by the beginnings of its lines.
"""

from __future__ import annotations

import binascii
import itertools
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from olv_tui import __version__, jsonrpc
from olv_tui.cassette.keys import Key, key_of
from olv_tui.model import (
    Era,
    Exchange,
    Frame,
    Header,
    Outgoing,
    Reply,
    Spill,
    Timing,
    TransportError,
    WireRequest,
    WireResponse,
)
from olv_tui.reports.record import escaped, request_text
from olv_tui.transport.sse import SseDecoder

VERSION = 1
"""The number of the format."""

START = re.compile(rb'\{"key":"([0-9a-f]{16})","loose":"([0-9a-f]{16})","what":("(?:[^"\\]|\\.){0,600}"),')
"""How a line of ours begins."""

_Json: TypeAlias = Any


class LineError(ValueError):
    """A line that is no exchange; the message says why, in a few words."""


class NewerError(LineError):
    """A header of a later format."""


@dataclass(frozen=True, slots=True)
class Head:
    """The first line: where it was recorded, in which era the recording was asked for, when (UTC) and by what."""

    name: str
    url: str
    era: Era
    recorded: str
    by: str = f"olv-tui {__version__}"


# --------------------------------------------------------------------------- header


def head_line(head: Head) -> bytes:
    """The header as a line."""
    members = {
        "cassette": VERSION,
        "by": head.by,
        "recorded": head.recorded,
        "target": {"name": head.name, "url": head.url},
        "era": head.era,
    }
    return _encoded(json.dumps(members, ensure_ascii=False))


def read_head(data: bytes) -> Head:
    """The header in a line. Raises LineError where there is none, or one of a later format."""
    if not data.strip():
        raise LineError("it begins with an empty line" if data else "it is empty")
    members = _members(data.removeprefix(b"\xef\xbb\xbf"))
    version = members.get("cassette")
    if not isinstance(version, int) or isinstance(version, bool):
        raise LineError("its first line is no header of a cassette")
    if version > VERSION:
        raise NewerError(f"it is of format {version}, and this olv-tui reads {VERSION}: a newer one is needed")
    target = members.get("target")
    told = target if isinstance(target, dict) else {}
    era = members.get("era")
    return Head(
        name=_text(told.get("name")),
        url=_text(told.get("url")),
        era=Era(era) if era in tuple(Era) else Era.AUTO,
        recorded=_text(members.get("recorded")),
        by=_text(members.get("by")),
    )


def _text(value: _Json) -> str:
    return value if isinstance(value, str) else ""


# --------------------------------------------------------------------------- writing


def line(exchange: Exchange) -> bytes:
    """An exchange, redacted before, as a line with its end."""
    key, reply = key_of(exchange.request), exchange.reply or Reply()
    parts = [
        f'{{"key":"{key.exact}","loose":"{key.loose}","what":{_dump(key.what)}',
        f'"started":{_dump(exchange.started)},"era":{_dump(exchange.era)}',
        f'"protocol_version":{_dump(exchange.protocol_version)},"automatic":{_dump(exchange.automatic)}',
        f'"request":{request_text(exchange.request)}',
        f'"response":{_dump(_response(reply.response))}',
        f'"transport_error":{_dump(reply.error and {"kind": reply.error.kind, "message": reply.error.message})}',
        f'"cancelled":{_dump(reply.cancelled)},"timing":{_dump(_timing(reply.timing))}}}',
    ]
    return _encoded(",".join(parts))


def _response(response: WireResponse | None) -> _Json:
    if response is None:
        return None
    members: dict[str, _Json] = {
        "status": response.status,
        "reason": response.reason,
        "http_version": response.http_version,
        "headers": response.headers,
        **_bytes("body", response.body),
        "coding": response.coding,
    }
    if response.wire is not None:
        members["wire_base64"] = _base64(response.wire)
    if response.spill is not None:
        members["body_size"] = response.spill.size
    if response.surplus:
        members["surplus_base64"] = _base64(response.surplus)
    if response.frames:
        members["frames"] = [[round(frame.at_ms, 1), len(frame.raw)] for frame in response.frames]
    return members


def _timing(timing: Timing) -> dict[str, float | None]:
    return {
        name: None if value is None else round(value, 1)
        for name, value in (
            ("connect_ms", timing.connect_ms),
            ("first_byte_ms", timing.first_byte_ms),
            ("total_ms", timing.total_ms),
        )
    }


def _bytes(name: str, data: bytes) -> dict[str, str]:
    try:
        return {name: data.decode("utf-8")}
    except UnicodeDecodeError:
        return {f"{name}_base64": _base64(data)}


def _base64(data: bytes) -> str:
    return binascii.b2a_base64(data, newline=False).decode("ascii")


def _dump(value: _Json) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _encoded(text: str) -> bytes:
    """Text as a line; `escaped` leaves no lone surrogate in it."""
    return escaped(text).encode() + b"\n"


# --------------------------------------------------------------------------- reading


def key_in(data: bytes) -> Key:
    """The key of a line: as it stands at its beginning, else from the whole of it. Raises LineError."""
    start = START.match(data)
    if start is None:
        return key_of(exchange(data).request)
    return Key(start[1].decode(), start[2].decode(), _text(json.loads(start[3])))


def exchange(data: bytes, serial: int = 0) -> Exchange:
    """The exchange in a line, without a verdict. Raises LineError."""
    members = _members(data)
    try:
        request = _read_request(members["request"])
        response = members.get("response")
        reply = Reply(
            response=None if response is None else _read_response(response),
            error=_read_error(members.get("transport_error")),
            timing=_read_timing(members.get("timing")),
            cancelled=members.get("cancelled") is True,
        )
        era = members.get("era")
        version = members.get("protocol_version")
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise LineError(f"it is no exchange ({type(error).__name__}: {error})") from error
    outgoing = jsonrpc.read_request(request.body) if request.body else Outgoing("raw", method=request.method)
    return Exchange(
        serial=serial,
        target=request.url,
        outgoing=outgoing,
        request=request,
        started=_text(members.get("started")),
        era=Era(era) if era in ("modern", "legacy", "bare") else None,
        protocol_version=version if isinstance(version, str) else None,
        automatic=members.get("automatic") is True,
        reply=reply,
    )


def _members(data: bytes) -> dict[str, _Json]:
    try:
        value = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise LineError("it is no JSON") from error
    if not isinstance(value, dict):
        raise LineError("it is no JSON object")
    return value


def _read_request(members: _Json) -> WireRequest:
    method = members.get("method", "POST")
    if not isinstance(method, str) or not isinstance(members["url"], str):
        raise TypeError("method and url are texts")
    return WireRequest(members["url"], _read_headers(members.get("headers", [])), _read_bytes(members, "body"), method)


def _read_response(members: _Json) -> WireResponse:
    body = _read_bytes(members, "body")
    coding = members.get("coding")
    return WireResponse(
        status=int(members["status"]),
        reason=_text(members.get("reason")),
        headers=_read_headers(members.get("headers", [])),
        body=body,
        http_version=_text(members.get("http_version", "1.1")),
        coding=coding if isinstance(coding, str) else None,
        wire=_read_bytes(members, "wire") if "wire_base64" in members else None,
        frames=tuple(_read_frames(body, members.get("frames") or ())),
        surplus=_read_bytes(members, "surplus"),
        spill=Spill(int(members["body_size"]), len(body)) if "body_size" in members else None,
    )


def _read_frames(body: bytes, times: Iterable[_Json]) -> Iterator[Frame]:
    """The frames of a stream with the times of the pieces that hold their ends."""
    pieces = [(float(at), int(size)) for at, size in times]
    if not pieces:
        return
    decoder = SseDecoder()
    frames = [*decoder.feed(body, 0.0), *decoder.end(0.0)]
    ends = list(itertools.accumulate(size for _, size in pieces))
    stop, piece = 0, 0
    for frame in frames:
        stop += len(frame.raw)
        while piece < len(ends) - 1 and ends[piece] < stop:
            piece += 1
        yield replace(frame, at_ms=pieces[piece][0])


def _read_headers(items: _Json) -> tuple[Header, ...]:
    headers = tuple((name, value) for name, value in items)
    if not all(isinstance(name, str) and isinstance(value, str) for name, value in headers):
        raise TypeError("a header is two texts")
    return headers


def _read_bytes(members: _Json, name: str) -> bytes:
    text = members.get(name)
    if isinstance(text, str):
        return text.encode("utf-8", "surrogatepass")
    coded = members.get(f"{name}_base64")
    return b"" if coded is None else binascii.a2b_base64(coded)


def _read_error(members: _Json) -> TransportError | None:
    return None if members is None else TransportError(str(members["kind"]), _text(members.get("message")))


def _read_timing(members: _Json) -> Timing:
    told = members if isinstance(members, dict) else {}
    values = (told.get(name) for name in ("connect_ms", "first_byte_ms", "total_ms"))
    return Timing(*(float(value) if isinstance(value, int | float) else None for value in values))
