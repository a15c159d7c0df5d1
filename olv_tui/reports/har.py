"""HAR 1.2 read and written (http://www.softwareishard.com/blog/har-12-spec/).

Rules of this file:

* A HAR of a browser holds much besides: where there are POSTs with JSON-RPC in them, the rest is left out
  and that is said.
* HAR has no form for a posted body that is no text. It is written in base64, marked `encoding` as HAR does for
  answers.
"""

from __future__ import annotations

import binascii
import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from olv_tui import __version__, jsonrpc
from olv_tui.model import Exchange, Header, Number, Object, Value, WireResponse, header
from olv_tui.reports.pieces import Call, Piece, absent, message_in
from olv_tui.reports.records import headers_in
from olv_tui.reports.values import Notes, ReportedCall, Written, raw

_UNSENT = frozenset({"host", "content-length", "connection"})
"""Made by the client for each connection; a name with a colon is HTTP/2's own."""

_PARAMETERS = 1000
_LARGEST = 50_000_000  # bytes of one body
CUT = "cut: the beginning of a body that was larger than is kept in memory"
"""The comment of a content that is not whole."""


def is_har(value: Value) -> bool:
    """Whether a value is a HAR."""
    log = value.get("log") if isinstance(value, Object) else None
    return (isinstance(log, Object) and isinstance(log.get("entries"), list)) or _is_entry(value)


def _is_entry(value: Value) -> bool:
    """Whether a value is one entry of a HAR, copied without the rest."""
    request = value.get("request") if isinstance(value, Object) else None
    return isinstance(request, Object) and isinstance(request.get("postData"), Object) and "url" in request


def pieces(value: Value, notes: Notes) -> Iterator[Piece]:
    """The calls of a HAR, in order, each with its answer."""
    log = value.get("log") if isinstance(value, Object) else None
    entries = log.get("entries") if isinstance(log, Object) else None
    all_ = [value] if _is_entry(value) else entries
    calls = [call for entry in (all_ if isinstance(all_, list) else ()) if (call := _call(entry)) is not None]
    rpc = [call for call in calls if jsonrpc.read_request(call.body).kind != "raw"]
    if rpc and len(rpc) < len(calls):
        notes.remark(f"{len(calls) - len(rpc)} of its {len(calls)} entries are no JSON-RPC and were left out.")
    yield from (Call(call) for call in rpc or calls)


def _call(entry: Value) -> ReportedCall | None:
    request = entry.get("request") if isinstance(entry, Object) else None
    if not isinstance(entry, Object) or not isinstance(request, Object):
        return None
    method, url = request.get("method"), request.get("url")
    if not isinstance(url, str) or not isinstance(method, str):
        return None
    told = headers_in(request.get("headers"))
    headers = tuple(item for item in told if item[0].lower() not in _UNSENT and not item[0].startswith(":"))
    body = _text(request.get("postData"))
    expected, status = _answer(entry.get("response"), body)
    return ReportedCall(
        method, url, headers, body, expected, status, without=absent(headers) if told else (), form="HAR"
    )


def _answer(response: Value, request: bytes) -> tuple[bytes | None, int | None]:
    """The answer of an entry; browsers write status 0 where none came."""
    if not isinstance(response, Object):
        return None, None
    told = response.get("status")
    status = int(told.text) if isinstance(told, Number) and told.is_integer and len(told.text) < 9 else 0
    if status <= 0:
        return None, None
    content = response.get("content")
    if isinstance(content, Object) and content.get("comment") == CUT:
        return None, status
    mime = content.get("mimeType") if isinstance(content, Object) else None
    media = mime.split(";")[0].strip().lower() if isinstance(mime, str) else ""
    if isinstance(content, Object) and "text" not in content and _size(content) != 0:
        return None, status  # the browser did not keep it
    return message_in(_text(content), media, request), status


def _size(content: Object) -> int:
    told = content.get("size")
    return int(told.text) if isinstance(told, Number) and told.is_integer and len(told.text) < 15 else -1


def _text(content: Value) -> bytes:
    """The bytes of postData or content."""
    if not isinstance(content, Object):
        return b""
    text = content.get("text")
    if not isinstance(text, str):
        return b""
    if content.get("encoding") == "base64":
        try:
            return _inflated(binascii.a2b_base64(text))
        except ValueError:
            return raw(text)
    return raw(text)


def _inflated(data: bytes) -> bytes:
    """Bytes as they were before gzip, which some proxies leave on them; as they are where they are none."""
    import zlib

    if data[:2] != b"\x1f\x8b":
        return data
    try:
        return zlib.decompressobj(31).decompress(data, _LARGEST)
    except zlib.error:
        return data


# --------------------------------------------------------------------------- writing


def as_har(exchange: Exchange) -> Written:
    """An exchange, redacted before, as a HAR with one entry, indented. Times are milliseconds, -1 unknown."""
    request, reply = exchange.request, exchange.reply
    timing = reply.timing if reply else None
    total = timing.total_ms if timing and timing.total_ms is not None else -1
    first = timing.first_byte_ms if timing and timing.first_byte_ms is not None else -1
    posted = {"mimeType": header(request.headers, "content-type") or "", **_content(request.body)}
    entry = {
        "startedDateTime": exchange.started,
        "time": max(total, 0),
        "request": {
            "method": request.method,
            "url": request.url,
            "httpVersion": "HTTP/1.1",
            "cookies": [],
            "headers": _headers(request.headers),
            "queryString": _query(request.url),
            **({"postData": posted} if request.body or request.method == "POST" else {}),
            "headersSize": -1,
            "bodySize": len(request.body),
        },
        "response": _response(reply.response if reply else None),
        "cache": {},
        "timings": {
            "connect": timing.connect_ms if timing and timing.connect_ms is not None else -1,
            "send": 0,
            "wait": first,
            "receive": max(total - first, 0) if total >= 0 and first >= 0 else -1,
        },
        "comment": exchange.judgement.summary if exchange.judgement else "",
    }
    log = {"version": "1.2", "creator": {"name": "olv-tui", "version": __version__}, "entries": [entry]}
    # ASCII: nothing that a terminal obeys or hides, and no lone surrogate, can stand in it.
    return Written(json.dumps({"log": log}, indent=2) + "\n")


def _response(response: WireResponse | None) -> dict[str, Any]:
    """A response; status 0 where none came, as browsers write it."""
    return {
        "status": response.status if response else 0,
        "statusText": response.reason if response else "",
        "httpVersion": f"HTTP/{response.http_version}" if response else "",
        "cookies": [],
        "headers": _headers(response.headers if response else ()),
        "content": {
            "size": response.size if response else 0,
            "mimeType": (response.header("content-type") or "") if response else "",
            **_content(response.body if response else b""),
            **({"comment": CUT} if response and response.spill else {}),
        },
        "redirectURL": (response.header("location") or "") if response else "",
        "headersSize": -1,
        "bodySize": len(response.wire or response.body) if response else -1,
    }


def _headers(headers: tuple[Header, ...]) -> list[dict[str, str]]:
    return [{"name": name, "value": value} for name, value in headers]


def _query(url: str) -> list[dict[str, str]]:
    try:
        pairs = parse_qsl(urlsplit(url).query, keep_blank_values=True, max_num_fields=_PARAMETERS)
    except ValueError:
        return []
    return [{"name": name, "value": value} for name, value in pairs]


def _content(body: bytes) -> dict[str, str]:
    try:
        return {"text": body.decode("utf-8")}
    except UnicodeDecodeError:
        return {"text": binascii.b2a_base64(body, newline=False).decode("ascii"), "encoding": "base64"}
