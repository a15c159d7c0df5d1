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
from olv_tui.jsonrpc import is_response, violation
from olv_tui.judge.found import EVENT_STREAM, Found, Memo, answers
from olv_tui.mcp.rules import violation as mcp_violation
from olv_tui.model import Frame, Number, Object, Outgoing, Value, Violation, WireResponse

_LISTED = 20  # per code: a stream may hold any number of strays
_ARRAYS_ALLOWED = "2025-03-26"


def is_answer(outgoing: Outgoing, data: bytes) -> bool:
    """Whether this event data is the final response to that request. Never raises.

    Equal is an id of the same JSON type and value; an error whose id is null or absent counts too.
    """
    value = jsontext.parse(data).value
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
    """Violations on the way, bounded per code, and the last progress of each token."""

    found: list[Violation] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    progress: dict[str, float] = field(default_factory=dict)

    def add(self, one: Violation, frame: int) -> None:
        """Keep it, unless there are many of its code already."""
        self.counts[one.code] = self.counts.get(one.code, 0) + 1
        if self.counts[one.code] <= _LISTED:
            self.found.append(replace(one, frame=frame))


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
    for item in messages(response, parse):
        _progress(item, notes)
        mine = answers(outgoing, item.message)
        if answer is not None:
            _after(item, mine, answer, notes)
            continue
        if mine and item.counts:
            answer = item
            continue
        _before(item, notes, modern=modern)
        worth = 3 if mine else 2 if is_response(item.message) else 1 if _is_shapeless(item.message) else 0
        if worth == 2:
            strays.append(item)
        if worth > rank:
            second, rank = item, worth
    shown = answer or second
    for item in strays:
        if item is not shown:
            notes.add(violation("C04", "a response to another request stands in the stream", "/id"), item.frame)
    if shown is None:
        return replace(_without(response, parse), violations=tuple(notes.found))
    parsed = parse(_data(response.frames[shown.frame]))
    found = [*(replace(one, frame=shown.frame) for one in parsed.violations), *notes.found]
    reason = shown.reason
    if shown.in_array and version != _ARRAYS_ALLOWED:
        found.append(replace(violation("J07", "the answer stands in an array", ""), frame=shown.frame))
        reason = reason or "the answer stands in an array, where an object is due"
    return Found(shown.message, True, parsed.valid and not reason, shown.frame, tuple(found), reason)


def _is_shapeless(message: Value) -> bool:
    return not isinstance(message, Object) or "method" not in message


def _before(item: _Item, notes: _Notes, *, modern: bool) -> None:
    """What may not come before the answer: scalars, and requests of a modern server."""
    message = item.message
    if not isinstance(message, Object):
        notes.add(violation("J08", "the data of an event is JSON and no object", ""), item.frame)
    elif "method" in message and "id" in message and modern:
        notes.add(violation("C06", f"the server asks {_method(message)}; 2026-07-28 forbids it", ""), item.frame)


def _after(item: _Item, mine: bool, answer: _Item, notes: _Notes) -> None:
    """What comes after the answer: a second one, a foreign one, anything at all."""
    if item.frame == answer.frame and not mine:
        return  # a batch array of 2025-03-26
    if mine:
        notes.add(
            violation("C02", "a second response with the same id came; the first one is taken", "/id"), item.frame
        )
    elif is_response(item.message):
        notes.add(violation("C04", "a response to another request stands in the stream", "/id"), item.frame)
    else:
        name = _method(item.message)
        notes.add(violation("C05", f"{name} came after the response", ""), item.frame)


def _method(message: Value) -> str:
    method = message.get("method") if isinstance(message, Object) else None
    return method[:100] if isinstance(method, str) else "a message without a method"


def _progress(item: _Item, notes: _Notes) -> None:
    """M06: the progress of one token must increase."""
    message = item.message
    if not isinstance(message, Object) or message.get("method") != "notifications/progress":
        return
    params = message.get("params")
    progress = params.get("progress") if isinstance(params, Object) else None
    if not isinstance(params, Object) or not isinstance(progress, Number) or len(progress.text) > 300:
        return
    token = jsontext.dumps(params.get("progressToken"))
    now, before = float(progress.text), notes.progress.get(token)
    if before is not None and not now > before:
        sentence = f"progress went from {before:g} to {progress.text[:40]}; it must increase"
        notes.add(mcp_violation("M06", sentence, "/params/progress"), item.frame)
    notes.progress[token] = now


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
