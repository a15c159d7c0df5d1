"""Requests and answers found in a report, and which answer belongs to which request.

Rules of this file:

* A request is taken verbatim: its text in the report is its body.
* An answer belongs to the request with its id, compared as JSON text; without an id to the one before it.
* The same request told twice (`sending`, `sent`) is one call.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from olv_tui import jsontext
from olv_tui.model import Header, Object, Value
from olv_tui.reports.jsonfind import Found, find
from olv_tui.reports.values import Notes, ReportedCall, raw
from olv_tui.transport.sse import SseDecoder

_LOOKED_AT = 5_000  # nested values that are looked at for a message
_LOGGED = re.compile(r"[a-z]{2} $|ATA$")  # also of <![CDATA[..]]>
_DEPTH = 6  # texts in texts that are read


@dataclass(frozen=True, slots=True)
class Call:
    """A request that was found. `is_bare` marks an envelope without address and headers."""

    call: ReportedCall
    is_bare: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer that was found; `label` says what the report calls it: expected, actual or nothing."""

    body: bytes
    status: int | None = None
    label: str = ""


@dataclass(frozen=True, slots=True)
class Arguments:
    """A JSON object that is no message."""

    text: str


Piece = Call | Answer | Arguments


def is_request(value: Value) -> bool:
    """Whether a value is a JSON-RPC request or notification, or near enough."""
    if not isinstance(value, Object) or not isinstance(value.get("method"), str):
        return False
    if "result" in value or "error" in value:
        return False
    return "jsonrpc" in value or ("id" in value and "params" in value)


def is_response(value: Value) -> bool:
    """Whether a value is a JSON-RPC response, or near enough."""
    if not isinstance(value, Object) or not ("result" in value or "error" in value):
        return False
    return "jsonrpc" in value or ("id" in value and "method" not in value)


def bare(body: bytes) -> Call:
    """A request of which nothing but the body is known."""
    return Call(ReportedCall("POST", "", (), body, form="a JSON-RPC message"), is_bare=True)


def in_text(text: str, notes: Notes, depth: int = 0) -> Iterator[Piece]:
    """Everything that JSON in a text tells, in its order."""
    for found in find(text):
        if not notes.without.isdisjoint(found.mends):
            continue
        pieces = list(in_value(_unbracketed(text, found, notes), notes, depth))
        if pieces and not all(isinstance(piece, Arguments) for piece in pieces):
            for phrase in found.mends:
                notes.mend(phrase)
        yield from pieces


def _unbracketed(text: str, found: Found, notes: Notes) -> str:
    """A value; without the brackets that a log line puts around one message (`Read "application/json" to [{..}]`)."""
    before = text[max(0, found.start - 3) : found.start]
    if found.text[0] != "[" or _LOGGED.search(before) is None:
        return found.text
    value = jsontext.parse(raw(found.text)).value
    if not isinstance(value, list) or len(value) != 1 or not (is_request(value[0]) or is_response(value[0])):
        return found.text
    notes.mend("the brackets of a log line around the message were taken out")
    return found.text[1:-1].strip()


def in_value(text: str, notes: Notes, depth: int = 0) -> Iterator[Piece]:
    """What one JSON value tells: a message, a batch, a record, a HAR, or something with messages inside."""
    from olv_tui.reports import har, postman, records  # they need the pieces of this file

    value = jsontext.parse(raw(text)).value
    if is_request(value):
        yield bare(raw(text))
    elif is_response(value):
        yield Answer(raw(text))
    elif isinstance(value, list) and any(map(is_request, value)):
        yield bare(raw(text))
    elif isinstance(value, list) and value and all(map(is_response, value)):
        yield Answer(raw(text))
    elif records.is_record(value):
        yield from records.pieces(value)
    elif har.is_har(value):
        yield from har.pieces(value, notes)
    elif postman.is_collection(value):
        yield from postman.pieces(value)
    else:
        inner = list(_inside(text, value, notes, depth))
        if inner:
            yield from inner
        elif isinstance(value, Object):
            yield Arguments(text)


def _inside(text: str, root: Value, notes: Notes, depth: int) -> Iterator[Piece]:
    """Messages that are members of something else (a log line that is JSON), or stand in it as text."""
    todo: list[tuple[str, Value]] = [("", root)]
    looked = 0
    while todo and looked < _LOOKED_AT:
        at, value = todo.pop()
        looked += 1
        if at and (is_request(value) or is_response(value)):
            place = jsontext.span(text, at)
            own = text[place[0] : place[1]] if place else jsontext.dumps(value)
            yield bare(raw(own)) if is_request(value) else Answer(raw(own))
        elif isinstance(value, Object):
            todo += [(at + jsontext.pointer([name]), child) for name, child in reversed(list(value.items()))]
        elif isinstance(value, list):
            todo += [(f"{at}/{number}", child) for number, child in reversed(list(enumerate(value)))]
        elif isinstance(value, str) and depth < _DEPTH and '"' in value and "{" in value:
            inner = [piece for piece in in_text(value, notes, depth + 1) if not isinstance(piece, Arguments)]
            yield from inner


# --------------------------------------------------------------------------- which answer to which request


def paired(pieces: Iterable[Piece], notes: Notes) -> list[ReportedCall]:
    """The calls, each with its answer where one was reported."""
    calls: list[Call] = []
    places: dict[bytes, list[int]] = {}  # of calls by their bodies; a log may hold thousands
    answers: list[tuple[int, Answer]] = []  # with the number of calls before each
    for piece in pieces:
        if isinstance(piece, Call):
            others = places.setdefault(piece.call.body, [])
            same = next((at for at in others if _same(calls[at], piece)), None)
            if same is None:
                others.append(len(calls))
                calls.append(piece)
            elif calls[same].is_bare and not piece.is_bare:
                calls[same] = piece
            else:
                notes.remark("The same request stands in it more than once.")
        elif isinstance(piece, Answer):
            answers.append((len(calls), piece))
    found = _assigned(calls, answers)
    if len(found) < len({one.body for _, one in answers}):
        notes.remark("An answer in it belongs to none of its requests, or to one that has another answer.")
    return [
        one.call
        if number not in found
        else replace(one.call, expected=found[number].body, expected_status=found[number].status)
        for number, one in enumerate(calls)
    ]


def _same(one: Call, other: Call) -> bool:
    """Whether two calls with one body are one."""
    return one.is_bare or other.is_bare or one.call == other.call


def _assigned(calls: list[Call], answers: list[tuple[int, Answer]]) -> dict[int, Answer]:
    """The answer of each call by its number: by id first, and what is left to the call before it."""
    places: dict[tuple[str, ...], list[int]] = {}
    for number, one in enumerate(calls):
        places.setdefault(ids_of(one.call.body), []).append(number)
    found: dict[int, Answer] = {}
    left: list[tuple[int, Answer]] = []
    for before, answer in answers:
        if before and calls[before - 1].call.expected is not None:
            continue
        theirs = ids_of(answer.body)
        same = places.get(theirs, []) if theirs else []
        if not same:
            left.append((before, answer))
            continue
        # The nearest before the answer: ids are used again in long logs.
        number = same[max(bisect_left(same, before) - 1, 0)]
        if number not in found or _rank(answer) > _rank(found[number]):
            found[number] = answer
    for before, answer in left:
        number = max(before - 1, 0)
        may_be = len(calls) == 1 or (before > 0 and not ids_of(answer.body))
        if may_be and (number not in found or _rank(answer) > _rank(found[number])):
            found[number] = answer
    return found


def _rank(answer: Answer) -> int:
    """What a report calls the actual answer is the one that came."""
    return {"expected": 0, "": 1, "actual": 2}.get(answer.label, 1)


def ids_of(body: bytes) -> tuple[str, ...]:
    """The ids in a message or batch as JSON text; nothing where there is none, or only null."""
    value = jsontext.parse(body).value
    items = value if isinstance(value, list) else [value]
    return tuple(
        jsontext.dumps(item["id"]) for item in items if isinstance(item, Object) and item.get("id") is not None
    )


# --------------------------------------------------------------------------- answers


def message_in(body: bytes, media_type: str, request: bytes) -> bytes:
    """The message that answers a request in a reported body: of an event stream its event, else the body."""
    looks_so = body.lstrip()[:6] in (b"event:", b"data: ", b"data:{") or body.lstrip().startswith(b"id:")
    if media_type != "text/event-stream" and not looks_so:
        return body
    decoder = SseDecoder()
    frames = [*decoder.feed(body, 0.0), *decoder.end(0.0)]
    answers = [raw(frame.data) for frame in frames if frame.data and is_response(jsontext.parse(raw(frame.data)).value)]
    wanted = ids_of(request)
    return next((one for one in answers if ids_of(one) == wanted), answers[-1] if answers else body)


def absent(headers: Iterable[Header]) -> tuple[str, ...]:
    """What a full list of headers does not hold of those that programs send by themselves."""
    names = {name.lower() for name, _ in headers}
    return tuple(name for name in ("content-type", "accept", "user-agent") if name not in names)
