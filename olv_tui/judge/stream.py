"""The answer in an event stream (WHATWG server-sent events, MCP Streamable HTTP "Receiving Messages").

Rules of this file:

* The first finished `message` event that answers the request is the answer. Nothing replaces it.
* Notifications and requests of the server may come before it; whatever comes after it is named.
* An answer in an unfinished event, or in one of another type, does not count and is shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from olv_tui import jsontext
from olv_tui.jsonrpc import id_of, is_response, violation
from olv_tui.judge.found import EVENT_STREAM, Found, Memo, answers, bounded
from olv_tui.judge.notices import Notices, method_of
from olv_tui.model import Frame, Object, Outgoing, RequestId, Value, Violation, WireResponse

_ARRAYS_ALLOWED = "2025-03-26"


def is_answer(outgoing: Outgoing, data: bytes) -> bool:
    """Whether this event data is the final response to that request. Never raises.

    Equal is an id of the same JSON type and value; an error whose id is null or absent counts too.
    """
    value = jsontext.value(data)
    return any(answers(outgoing, item) for item in (value if isinstance(value, list) else [value]))


@dataclass(frozen=True, slots=True)
class _Item:
    """One message of the stream. `counts` is False in an unfinished event or one of another type."""

    frame: int
    message: Value
    counts: bool
    reason: str = ""
    in_array: bool = False


@dataclass(slots=True)
class _Notes:
    """Violations on the way, each in its frame."""

    found: list[Violation] = field(default_factory=list)

    def add(self, frame: int, *ones: Violation) -> None:
        """Keep them."""
        self.found += [replace(one, frame=frame) for one in ones]


def messages(response: WireResponse, parse: Memo) -> Iterator[_Item]:
    """Every JSON message of the stream in order; items of an array one by one. What is no JSON is left out."""
    for number, frame in enumerate(response.frames):
        if not frame.data:
            continue
        parsed = parse(_data(frame))
        if not parsed.has_value:
            continue
        value = parsed.value
        counts, reason = _standing(frame)
        for item in value if isinstance(value, list) else [value]:
            yield _Item(number, item, counts, reason, isinstance(value, list))


def _data(frame: Frame) -> bytes:
    return (frame.data or "").encode("utf-8", "surrogatepass")


def _standing(frame: Frame) -> tuple[bool, str]:
    if not frame.complete:
        return False, "the answer is in an event that the stream did not finish, so it does not count"
    if frame.event not in (None, "", "message"):
        return False, f'the answer is in an event of type "{frame.event[:60]}", which clients ignore'
    return True, ""


def in_stream(outgoing: Outgoing, response: WireResponse, parse: Memo, *, version: str | None, modern: bool) -> Found:
    """The answer in the events of a response, with the C rules that the stream breaks."""
    notes = _Notes()
    answer: _Item | None = None
    second: _Item | None = None  # what is shown where no answer counts: the likeliest first
    rank = 0
    strays: list[_Item] = []
    notices = Notices(outgoing, modern=modern)
    for item in messages(response, parse):
        if item.counts:
            notes.add(item.frame, *notices.hear(item.message, answered=answer is not None))
        mine = answers(outgoing, item.message)
        if answer is not None:
            _after(item, outgoing, answer, notes)
            continue
        if mine and item.counts:
            answer = item
            continue
        if not isinstance(item.message, Object):
            notes.add(item.frame, violation("J08", "the data of an event is JSON and no object", ""))
        worth = 3 if mine else 2 if is_response(item.message) else 1 if _is_odd(item.message) else 0
        if worth == 2:
            strays.append(item)
        if worth > rank:
            second, rank = item, worth
    shown = answer or second
    _oddities(response, parse, shown, notes)
    for item in strays:
        if item is not shown:
            notes.add(item.frame, _foreign(item))
    if shown is None:
        return replace(_without(response, parse), violations=tuple(bounded(notes.found)))
    parsed = parse(_data(response.frames[shown.frame]))
    found = [*(replace(one, frame=shown.frame) for one in parsed.violations), *bounded(notes.found)]
    reason = shown.reason
    if shown.in_array and version != _ARRAYS_ALLOWED:
        found.append(replace(violation("J07", "the answer stands in an array", ""), frame=shown.frame))
        reason = reason or "the answer stands in an array, where an object is due"
    return Found(shown.message, True, parsed.valid and not reason, shown.frame, tuple(found), reason)


def _oddities(response: WireResponse, parse: Memo, shown: _Item | None, notes: _Notes) -> None:
    """J rules in messages other than the one that is shown. What is no JSON at all is H05."""
    for number, frame in enumerate(response.frames):
        if not frame.data or (shown is not None and number == shown.frame) or not _standing(frame)[0]:
            continue
        parsed = parse(_data(frame))
        if parsed.has_value:
            notes.add(number, *parsed.violations)


def _is_odd(message: Value) -> bool:
    """Whether a message is neither a response nor a request or notification, and so may be meant as the answer."""
    return not isinstance(message, Object) or "method" not in message or "result" in message or "error" in message


def _after(item: _Item, outgoing: Outgoing, answer: _Item, notes: _Notes) -> None:
    """What comes after the answer: a second one, a foreign one, anything at all."""
    mine = answers(outgoing, item.message)
    if item.frame == answer.frame and not mine:
        return  # a batch array of 2025-03-26
    if mine and not outgoing.ids and _id(item) != _id(answer):
        return  # nothing was asked here (a GET stream): it answers something else
    if mine:
        one = violation("C02", "a second response with the same id came; the first one is taken", _id_place(item))
    elif is_response(item.message):
        one = _foreign(item)
    else:
        one = violation("C05", f"{method_of(item.message)} came after the response", "")
    notes.add(item.frame, one)


def _foreign(item: _Item) -> Violation:
    return violation("C04", "a response to another request stands in the stream", _id_place(item))


def _id_place(item: _Item) -> str:
    return "/id" if isinstance(item.message, Object) and "id" in item.message else ""


def _id(item: _Item) -> RequestId:
    return id_of(item.message.get("id") if isinstance(item.message, Object) else None)


def _without(response: WireResponse, parse: Memo) -> Found:
    """No message that could be the answer: why, in words."""
    if any(frame.data is not None for frame in response.frames):
        return Found(reason=f"the event stream ended without an answer ({_came(response)})")
    parsed = parse(response.body)
    if parsed.has_value and isinstance(parsed.value, Object | list):
        return Found(parsed.value, True, False, None, (), f"plain JSON labelled {EVENT_STREAM}: no event is in it")
    return Found(reason="the event stream ended without any event")


def _came(response: WireResponse) -> str:
    count = sum(bool(frame.data) for frame in response.frames)
    return f"{count} event{'' if count == 1 else 's'} came"
