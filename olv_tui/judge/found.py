"""The message in an answer: where it stands, and what keeps it from counting.

Rules of this file:

* It says which message is meant and nothing of what the message says.
* What does not count is found all the same, so that it can be shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from olv_tui import jsontext
from olv_tui.courtesy import give_way
from olv_tui.jsonrpc import Match, is_response, match_id, violation
from olv_tui.jsontext import Parsed
from olv_tui.model import Object, Outgoing, Value, Violation, WireResponse

EVENT_STREAM = "text/event-stream"

LISTED = 20
"""Violations of one code that are told."""


@dataclass(frozen=True, slots=True)
class Found:
    """What stands in the place of the answer.

    `counts` says that it stands where and as an answer may stand: sound JSON, one message, a finished
    event. `reason` tells in words why it does not, or why there is none. `frame` as in `Judgement`.
    """

    message: Value = None
    has_message: bool = False
    counts: bool = False
    frame: int | None = None
    violations: tuple[Violation, ...] = ()
    reason: str = ""


@dataclass(slots=True)
class Memo:
    """Reads each piece of JSON once, however many rules ask for it."""

    parse: Callable[[bytes], Parsed] = jsontext.parse
    read: dict[bytes, Parsed] = field(default_factory=dict)
    large: list[tuple[bytes, Parsed]] = field(default_factory=list)

    def __call__(self, data: bytes) -> Parsed:
        """The same as `parse`."""
        give_way()
        if len(data) > jsontext.late.LARGE:
            # To be looked up in a dict a key is hashed, which lets no other thread run: 50 ms for 50 MB.
            found = next((parsed for one, parsed in self.large if one is data or one == data), None)
            if found is None:
                found = self.parse(data)
                self.large.append((data, found))
            return found
        known = self.read.get(data)
        if known is None:
            known = self.read[data] = self.parse(data)
        return known


class Unsure(Exception):  # noqa: N818  a sign between functions of the judge
    """A first look does not tell; all has to be read."""


def glanced(data: bytes) -> Parsed:
    """A large object unread, as if nothing were wrong with it. Raises Unsure for any other large text."""
    if len(data) <= jsontext.late.LARGE:
        return jsontext.parse(data)
    value = jsontext.glance(data)
    if value is None:
        raise Unsure
    return Parsed(value, True, True, "")


def bounded(violations: Iterable[Violation]) -> list[Violation]:
    """The first `LISTED` violations of each code: an answer may hold any number of the same fault."""
    counts: Counter[str] = Counter()
    kept: list[Violation] = []
    for one in violations:
        counts[one.code] += 1
        if counts[one.code] <= LISTED:
            kept.append(one)
    return kept


def answers(outgoing: Outgoing, message: Value) -> bool:
    """Whether a message is the final response to the request: its id, or an error without one.

    Where the request could not be read there is no id to compare, and any response is taken.
    """
    if not isinstance(message, Object) or not is_response(message) or outgoing.kind in ("notification", "response"):
        return False
    ids = outgoing.ids or (None,)
    matches = {match_id(message, asked) for asked in ids}
    if matches & {Match.SAME, Match.SPELLED, Match.UNASKED}:
        return True
    return Match.NONE in matches and message.get("error") is not None and message.get("result") is None


def in_body(outgoing: Outgoing, response: WireResponse, parse: Memo) -> Found:
    """The message in a body that is no event stream."""
    body = response.body
    parsed = parse(body)
    if not parsed.has_value:
        return Found(violations=parsed.violations, reason=_unreadable(response, parsed))
    value = parsed.value
    if isinstance(value, list):
        mine = [item for item in value if answers(outgoing, item)]
        responses = [item for item in value if is_response(item)]
        message = mine[0] if len(mine) == 1 else responses[0] if len(responses) == 1 and not mine else value
        what = "the answer stands in an array" if len(mine) == 1 else "the body is an array"
        found = violation("J07", f"{what}; one request is answered with one object", "")
        return Found(message, True, False, None, (*parsed.violations, found), f"{what}, where an object is due")
    if not isinstance(value, Object):
        shown = jsontext.dumps(value)
        what = f"the body is {shown if len(shown) <= 60 else shown[:57] + '...'}, where an object is due"
        return Found(value, True, False, None, (*parsed.violations, violation("J08", what, "")), what)
    return Found(value, True, parsed.valid, None, parsed.violations)


def _unreadable(response: WireResponse, parsed: Parsed) -> str:
    """Why a body is no JSON, beginning with its label where that tells more than a syntax error."""
    media, body = response.media_type, response.body
    if media and not media.endswith("json"):
        return f"the body is {media}, not JSON"
    if not media:
        return "the body has no Content-Type and is not JSON"
    if body.lstrip().startswith((b"data:", b"event:", b"id:")):
        return f"the body looks like an event stream and came as {media}"
    faults = [one for one in parsed.violations if one.code == "J01"]
    return f"the body is not JSON: {faults[0].message}" if faults else "the body is not JSON"
