"""The answer to a batch (JSON-RPC 2.0, 6; MCP had it in 2025-03-26 only): one response for each request in it.

Rules of this file:

* Responses are found by id, in any order. A missing one, a foreign one and a second one are named.
* One error without an id, for the batch as a whole, is a JSON-RPC error.
"""

from __future__ import annotations

from dataclasses import replace

from olv_tui.jsonrpc import Match, Reading, is_response, match_id, read_response, violation
from olv_tui.judge import summaries
from olv_tui.judge.found import Found, Memo, bounded
from olv_tui.judge.stream import messages
from olv_tui.model import (
    Judgement,
    Object,
    Outgoing,
    RequestId,
    Severity,
    Value,
    Verdict,
    Violation,
    WireResponse,
)


def judge_batch(
    outgoing: Outgoing, response: WireResponse, found: Found, parse: Memo, *, success: bool, modern: bool
) -> Judgement:
    """The verdict on the answer to a batch: result, or rpc_error where every response is an error."""
    items, whole = _items(response, parse)
    if not items:
        if success and not outgoing.ids and not response.body:
            return Judgement(Verdict.ACCEPTED, summaries.head(response))
        verdict = Verdict.INVALID_RESPONSE if success else Verdict.HTTP_ERROR
        summary = found.reason or "the batch has no answer" if success else summaries.http(response)
        told = found.violations if success or found.has_message else ()
        return Judgement(verdict, summary, told, found.message, found.has_message, found.frame)
    if not response.frames and isinstance(whole, Object):
        refused = _refused(whole, modern)
        if refused is not None:
            told = (*parse(response.body).violations, *refused.violations)
            assert refused.error is not None
            summary = summaries.rpc_error(refused.error)
            return Judgement(Verdict.RPC_ERROR, summary, told, whole, True, None, None, refused.error)
    violations, readings = _hold(outgoing, items, modern)
    if isinstance(whole, Object):
        violations.insert(0, violation("J07", "one object came; a batch is answered with an array", ""))
    elif isinstance(whole, list):
        strays = (number for number, item in enumerate(whole) if not isinstance(item, Object))
        violations += [violation("J08", "an item of the answer is no object", f"/{number}") for number in strays]
    violations = bounded(violations)
    if not response.frames:
        violations[:0] = parse(response.body).violations
    errors = [one.error for one in readings if one.error is not None]
    summary = _counted(len(readings) - len(errors), len(errors))
    if success:
        faults = [one for one in violations if one.severity is Severity.ERROR]
        if faults:
            summary = f"{faults[0].message} ({summary})"
            return Judgement(Verdict.INVALID_RESPONSE, summary, tuple(violations), whole, True)
    elif not errors or len(errors) < len(items):
        return Judgement(Verdict.HTTP_ERROR, summaries.http(response), tuple(violations), whole, True)
    if len(errors) < len(readings) or not errors:
        return Judgement(Verdict.RESULT, summary, tuple(violations), whole, True)
    return Judgement(Verdict.RPC_ERROR, summary, tuple(violations), whole, True, None, None, errors[0])


def _items(response: WireResponse, parse: Memo) -> tuple[list[tuple[str, Object]], Value]:
    """The responses that came, each with its JSON pointer in the value they came in (a list made for a stream)."""
    if response.frames:
        streamed = [
            item.message
            for item in messages(response, parse)
            if item.counts and isinstance(item.message, Object) and is_response(item.message)
        ]
        made: list[Value] = [*streamed]
        return [(f"/{number}", item) for number, item in enumerate(streamed)], made
    parsed = parse(response.body)
    whole = parsed.value if parsed.has_value else None
    listed = [(f"/{number}", item) for number, item in enumerate(whole)] if isinstance(whole, list) else [("", whole)]
    return [(at, item) for at, item in listed if isinstance(item, Object)], whole


def _refused(message: Object, modern: bool) -> Reading | None:
    """A sound error for the whole batch: its id is null or absent."""
    reading = read_response(message, RequestId("null"), modern=modern)
    return reading if reading.is_answer and reading.error is not None else None


def _hold(outgoing: Outgoing, items: list[tuple[str, Object]], modern: bool) -> tuple[list[Violation], list[Reading]]:
    """Each response against the request it answers, and the requests against the responses."""
    violations: list[Violation] = []
    readings: list[Reading] = []
    waiting = list(outgoing.ids)
    for number, (at, item) in enumerate(items):
        asked = next((one for one in waiting if match_id(item, one) in (Match.SAME, Match.SPELLED)), None)
        reading = read_response(item, asked, modern=modern)
        readings.append(reading)
        violations += [replace(one, at=at + one.at if one.at is not None else None) for one in reading.violations]
        if asked is not None:
            waiting.remove(asked)
        elif item.get("id") is not None and any(match_id(item, one) is Match.SAME for one in outgoing.ids):
            violations.append(violation("C02", f"response {number + 1} is a second one for its id", f"{at}/id"))
        elif item.get("id") is not None:
            violations.append(violation("C04", f"response {number + 1} answers no request of the batch", f"{at}/id"))
    # An error with the id null stands for a request that the server could not read.
    unread = sum("error" in item and item.get("id") is None for _, item in items)
    for one in waiting[unread:]:
        violations.append(violation("C03", f"no response came for the id {one}"))
    return violations, readings


def _counted(successes: int, errors: int) -> str:
    words = [f"{count} {noun}{'' if count == 1 else 's'}" for count, noun in ((successes, "result"), (errors, "error"))]
    return f"batch: {' and '.join(words)}"
