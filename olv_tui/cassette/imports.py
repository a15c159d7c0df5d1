"""Cassettes made of what is there already: a HAR, a report, the history.

Rules of this file:

* What such a source does not tell is left out: a HAR has no wire bytes of a coded body and no times of events, a
  report often no headers.
* Everything is redacted as it is written.
"""

from __future__ import annotations

import binascii
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from olv_tui import jsonrpc, jsontext
from olv_tui.config import UsageError
from olv_tui.model import (
    Era,
    Exchange,
    Header,
    Number,
    Object,
    Reply,
    Spill,
    Timing,
    Value,
    WireRequest,
    WireResponse,
)
from olv_tui.reports.har import CUT, is_har
from olv_tui.reports.read import read_report
from olv_tui.reports.records import headers_in
from olv_tui.reports.values import ReportedCall, raw

if TYPE_CHECKING:
    from olv_tui.history import History

_HANDSHAKES = ("initialize", "notifications/initialized", "server/discover", "tools/list")
_CONNECTION = frozenset({"host", "content-length", "connection"})


def from_report(data: bytes) -> tuple[Exchange, ...]:
    """The exchanges of a HAR, or of any report that tells answers. Raises UsageError where there is none."""
    value = jsontext.parse(data).value
    if is_har(value):
        found = tuple(_har(value))
        rpc = tuple(one for one in found if one.outgoing.kind != "raw")
        if rpc:
            return rpc
        raise UsageError("the HAR holds no JSON-RPC request, so there is nothing to play")
    told = read_report(data)
    answered = tuple(_reported(call) for call in told.calls if call.expected is not None)
    if not answered:
        raise UsageError(
            f"nothing in it can be played: {told.message or 'it tells no answer'}"
            if not told.calls
            else "the report tells what was sent and not what was answered, so there is nothing to play"
        )
    return answered


def from_history(history: History, limit: int, tell: Callable[[str], None]) -> Iterator[Exchange]:
    """The newest exchanges of a history, oldest first, handshakes included; those that ended.

    `tell` hears of those that are damaged and passed over.
    """
    from olv_tui.history import HistoryError

    for row in reversed(history.recent(limit, automatic=True)):
        try:
            exchange = history.get(row.serial)
        except HistoryError as error:
            tell(f"passed over: {error}")
            continue
        if exchange is not None and exchange.reply is not None:
            yield exchange


def era_of(exchanges: Iterable[Exchange]) -> Era:
    """The era to play in: found out anew where a handshake is there, else the one that was spoken."""
    found = list(exchanges)
    if any(one.outgoing.method in ("initialize", "server/discover") for one in found):
        return Era.AUTO
    eras = {one.era for one in found if one.era is not None}
    return eras.pop() if len(eras) == 1 and Era.LEGACY not in eras else Era.BARE


def _exchange(request: WireRequest, reply: Reply, started: str = "", era: Era | None = None) -> Exchange:
    outgoing = jsonrpc.read_request(request.body)
    return Exchange(
        0, request.url, outgoing, request, started, era, automatic=outgoing.method in _HANDSHAKES, reply=reply
    )


def _reported(call: ReportedCall) -> Exchange:
    body = call.expected or b""
    response = WireResponse(call.expected_status or 200, "", (("Content-Type", "application/json"),), body, "")
    return _exchange(WireRequest(call.url, call.headers, call.body, call.method), Reply(response), era=call.era)


# --------------------------------------------------------------------------- HAR


def _har(value: Value) -> Iterator[Exchange]:
    for entry in _items(_member(_member(value, "log"), "entries")):
        request = _member(entry, "request")
        url, method = _member(request, "url"), _member(request, "method")
        if not isinstance(url, str) or not isinstance(method, str):
            continue
        headers = tuple(
            item for item in headers_in(_member(request, "headers"))
            if item[0].lower() not in _CONNECTION and not item[0].startswith(":")
        )  # fmt: skip
        sent = WireRequest(url, headers, _content(_member(request, "postData")), method)
        started = _member(entry, "startedDateTime")
        response = _response(_member(entry, "response"))
        total = _float(_member(entry, "time"))
        wait = _float(_member(_member(entry, "timings"), "wait"))
        timing = Timing(None, total if wait is None else wait, total)
        if response is not None:
            yield _exchange(sent, Reply(response, timing=timing), started if isinstance(started, str) else "")


def _response(value: Value) -> WireResponse | None:
    """An answer; browsers write status 0 where none came."""
    status = _float(_member(value, "status"))
    if not status:
        return None
    headers: list[Header] = [item for item in headers_in(_member(value, "headers")) if not item[0].startswith(":")]
    # The body is told without its coding and out of its chunks.
    gone = ("content-encoding", "transfer-encoding")
    kept = tuple(item for item in headers if item[0].lower() not in gone)
    content = _member(value, "content")
    mime = _member(content, "mimeType")
    if not any(name.lower() == "content-type" for name, _ in kept) and isinstance(mime, str) and mime:
        kept = (*kept, ("Content-Type", mime))
    reason = _member(value, "statusText")
    # No version: the length is told by the player, whatever framed it on its way.
    body, size = _content(content), _float(_member(content, "size"))
    spill = Spill(int(size or 0), len(body)) if _member(content, "comment") == CUT else None
    return WireResponse(int(status), reason if isinstance(reason, str) else "", kept, body, "", spill=spill)


def _content(value: Value) -> bytes:
    text = _member(value, "text")
    if not isinstance(text, str):
        return b""
    if _member(value, "encoding") == "base64":
        try:
            return binascii.a2b_base64(text)
        except ValueError:
            return raw(text)
    return raw(text)


def _member(value: Value, name: str) -> Value:
    return value.get(name) if isinstance(value, Object) else None


def _items(value: Value) -> list[Value]:
    return value if isinstance(value, list) else []


def _float(value: Value) -> float | None:
    """A number that is not negative (HAR writes -1 for what is not known)."""
    if not isinstance(value, Number) or len(value.text) > 32:
        return None
    try:
        found = float(value.text)
    except ValueError:
        return None
    return found if 0 <= found < 1e12 else None
