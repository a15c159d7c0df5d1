"""The verdict on one exchange: what came back, and whether it is one valid answer to what was asked.

Follows JSON-RPC 2.0 section 5 and MCP Streamable HTTP (all revisions).

Rules of this file:

* No path raises, whatever the server sent. Everything that could be read stays in the judgement.
* One verdict, in this order: cancelled, transport error, then what status and message come to. A sound
  envelope whose content breaks a rule keeps its verdict and carries the violation.
* The status alone decides nothing: a JSON-RPC error for this request is one at any status.
* A body that is larger than is kept in memory is not read: it is no valid answer (as far as anybody knows), its
  status counts all the same, and rules that turn on what stands in it are left out. An answer that was found among the
  events of a stream counts, however much came after it.
* Summaries hold server text as it came; the view makes it safe.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from olv_tui import jsonrpc, jsontext
from olv_tui.jsonrpc import Reading, is_response, read_response, violation
from olv_tui.judge import summaries
from olv_tui.judge.batch import judge_batch
from olv_tui.judge.found import EVENT_STREAM, Found, Memo, Unsure, glanced, in_body
from olv_tui.judge.stream import in_stream
from olv_tui.mcp import RULES as MCP_RULES
from olv_tui.mcp import results
from olv_tui.model import (
    Era,
    Judgement,
    Object,
    Outgoing,
    Reply,
    Rule,
    Severity,
    Tool,
    Value,
    Verdict,
    Violation,
    WireResponse,
)
from olv_tui.transport import rules as http_rules

_TURN_ON_CONTENT = frozenset({"H04", "H11", "H12"})
"""Rules that tell what an answer lacks or says: nobody knows that of one that was not read."""


def all_rules() -> dict[str, Rule]:
    """Every rule that a violation can name, by its code."""
    return {**jsonrpc.RULES, **MCP_RULES, **http_rules.RULES}


@dataclass(frozen=True, slots=True)
class _Asked:
    """What an answer is held against."""

    outgoing: Outgoing
    era: Era
    version: str | None
    tool: Tool | None
    briefly: bool = False

    @property
    def modern(self) -> bool:
        return self.era is Era.MODERN


def judge(
    outgoing: Outgoing,
    reply: Reply,
    *,
    era: Era,
    version: str | None,
    tool: Tool | None = None,
    session_id: str | None = None,
) -> Judgement:
    """The verdict on `reply` as the answer to `outgoing` (design: verdicts). Never raises.

    `era` and `version` are those the request was sent with; `tool` gives the outputSchema of the called
    tool where it is known, `session_id` is the one the request carried. The H rules stand last among
    the violations.
    """
    asked = _Asked(outgoing, era, version, tool)
    judged = _judge(asked, reply, session_id, Memo())
    message = judged.message
    # What was read of a large answer to judge it is not kept.
    return replace(judged, message=message.unread()) if isinstance(message, jsontext.LateObject) else judged


def first_look(
    outgoing: Outgoing,
    reply: Reply,
    *,
    era: Era,
    version: str | None,
    session_id: str | None = None,
) -> Judgement | None:
    """The verdict on a large answer by its envelope alone, long before `judge` has read all of it. Never raises.

    Verdict, summary and message are those of `judge`, unless what stands twice in the answer or overflows in it turns
    them; of the violations those are there that its envelope breaks. None for a small answer, and where the envelope
    does not tell.
    """
    response = reply.response
    if response is None or len(response.body) <= jsontext.late.LARGE or outgoing.kind == "batch":
        return None
    try:
        return _judge(_Asked(outgoing, era, version, None, True), reply, session_id, Memo(glanced))
    except Unsure:
        return None


def _judge(asked: _Asked, reply: Reply, session_id: str | None, parse: Memo) -> Judgement:
    outgoing, sent = asked.outgoing, session_id is not None
    http = http_rules.find(
        outgoing, reply, era=asked.era, version=asked.version, session_id_sent=sent, session_id=session_id, parse=parse
    )
    found = _look(asked, reply.response, parse) if reply.response is not None else Found()
    if reply.response is not None and reply.response.spill is not None and not found.has_message:
        found = Found(reason=summaries.beyond(reply.response))
        http = tuple(one for one in http if one.code not in _TURN_ON_CONTENT)
    if not asked.briefly:
        http = (*_hidden(found, reply), *http)
    if reply.cancelled:
        return _ended(Verdict.CANCELLED, "stopped before the answer was complete", found, http)
    if reply.error is not None:
        return _ended(Verdict.TRANSPORT_ERROR, summaries.cut(reply.error.message or reply.error.kind), found, http)
    response = reply.response
    if response is None:
        return Judgement(Verdict.TRANSPORT_ERROR, "no answer came")
    judged = _judge_complete(asked, response, found, parse)
    return replace(judged, violations=(*judged.violations, *http))


def _look(asked: _Asked, response: WireResponse, parse: Memo) -> Found:
    if response.spill is not None and not response.frames:
        return Found()
    if response.frames or response.media_type == EVENT_STREAM:
        return in_stream(asked.outgoing, response, parse, version=asked.version, modern=asked.modern)
    if not response.body:
        return Found(reason=summaries.empty(response))
    return in_body(asked.outgoing, response, parse)


def _hidden(found: Found, reply: Reply) -> tuple[Violation, ...]:
    """J09 of the message that is shown, whatever it counts for."""
    response = reply.response
    if not found.has_message or response is None or not jsontext.may_hide(response.body):
        return ()
    return _placed(tuple(jsontext.hidden(found.message)), found.frame)


def _ended(verdict: Verdict, summary: str, found: Found, http: tuple[Violation, ...]) -> Judgement:
    """An exchange that broke off: what had come is kept for display and decides nothing."""
    seen = found.violations if found.has_message else ()
    return Judgement(verdict, summary, (*seen, *http), found.message, found.has_message, found.frame)


def _judge_complete(asked: _Asked, response: WireResponse, found: Found, parse: Memo) -> Judgement:
    success = 200 <= response.status < 300
    if success and response.spill is not None and not found.has_message and asked.outgoing.ids:
        return Judgement(Verdict.INVALID_RESPONSE, found.reason)
    if asked.outgoing.kind in ("notification", "response"):
        return _judge_unanswered(asked, response, found, success=success)
    if asked.outgoing.kind == "batch":
        return judge_batch(asked.outgoing, response, found, parse, success=success, modern=asked.modern)
    if not success:
        return _judge_refusal(asked, response, found)
    if not found.has_message:
        told = found.violations
        if response.body or response.media_type == EVENT_STREAM or asked.outgoing.ids:
            return Judgement(Verdict.INVALID_RESPONSE, found.reason, told)  # H01, H02, H04, J01 say so
        return Judgement(Verdict.INVALID_RESPONSE, found.reason, (*told, violation("C03", "no response came")))
    if not isinstance(found.message, Object):
        return _invalid(found, found.violations, found.reason)
    return _judge_message(asked, found, found.message)


def _judge_unanswered(asked: _Asked, response: WireResponse, found: Found, *, success: bool) -> Judgement:
    """A notification, or our response to a request of the server: no answer is due."""
    if not success:
        return _judge_refusal(asked, response, found)
    told: tuple[Violation, ...] = ()
    if is_response(found.message) and asked.outgoing.kind == "notification":
        told = (violation("C01", "a notification was answered with a response", ""),)
    summary = summaries.head(response)
    return Judgement(Verdict.ACCEPTED, summary, told, found.message, found.has_message, found.frame)


def _judge_refusal(asked: _Asked, response: WireResponse, found: Found) -> Judgement:
    """A status other than 2xx: a JSON-RPC error for this request, or nothing but the status."""
    message = found.message
    if not isinstance(message, Object):
        told = found.violations if found.has_message else ()
        return Judgement(Verdict.HTTP_ERROR, summaries.http(response), told, message, found.has_message, found.frame)
    reading = read_response(message, asked.outgoing.id, modern=asked.modern)
    told = _placed(reading.violations, found.frame)
    unasked = asked.outgoing.kind in ("notification", "response") and message.get("id") is not None
    if found.counts and reading.error is not None and reading.is_answer and not unasked:
        return _rpc_error(found, reading, (*found.violations, *told))
    summary = summaries.http(response)
    if reading.error is not None and reading.sound:
        summary = f"{summary}; {summaries.foreign(message, reading.error, asked.outgoing)}"
    # Members that JSON-RPC does not know are no fault of a body that is none, such as an OAuth error.
    kept = (*found.violations, *told) if "jsonrpc" in message else ()
    return Judgement(Verdict.HTTP_ERROR, summary, kept, message, True, found.frame)


def _judge_message(asked: _Asked, found: Found, message: Object) -> Judgement:
    """One object under 2xx: a valid response to this request, or not."""
    reading = read_response(message, asked.outgoing.id, modern=asked.modern)
    violations = (*found.violations, *_placed(reading.violations, found.frame))
    if not found.counts or not reading.is_answer:
        return _invalid(found, violations, found.reason)
    if reading.error is not None:
        return _rpc_error(found, reading, violations)
    return _judge_result(asked, found, message["result"], violations)


def _judge_result(asked: _Asked, found: Found, result: Value, violations: tuple[Violation, ...]) -> Judgement:
    method = asked.outgoing.method
    if not isinstance(result, Object):
        kept = (*violations, *_placed(_no_object(asked), found.frame))
        return _judged(found, Verdict.RESULT, summaries.result(method, result), kept)
    modern = results.find_modern(method, result, asked.outgoing.asks) if asked.modern else ()
    violations = (*violations, *_placed(modern, found.frame))
    if any(one.code == "M02" for one in modern):
        return _invalid(found, violations, next(one.message for one in modern if one.code == "M02"))
    if method in results.INPUT_METHODS and result.get("resultType") == "input_required":
        return _judged(found, Verdict.INPUT_REQUIRED, summaries.input_required(result), violations)
    if method != "tools/call":
        return _judged(found, Verdict.RESULT, summaries.result(method, result), violations)
    reading = results.read_result(result, asked.version, asked.tool, briefly=asked.briefly)
    violations = (*violations, *_placed(reading.violations, found.frame))
    if reading.tool_error is not None:
        judged = _judged(found, Verdict.TOOL_ERROR, summaries.tool_error(reading.tool_error), violations)
        return replace(judged, tool_error=reading.tool_error)
    return _judged(found, Verdict.RESULT, summaries.result(method, result), violations)


def _no_object(asked: _Asked) -> tuple[Violation, ...]:
    """R13: MCP wants an object, JSON-RPC takes any value, and a tools/call is MCP whatever the era."""
    if asked.era is Era.BARE and asked.outgoing.method != "tools/call":
        return ()
    severity = Severity.INFO if asked.era is Era.BARE else None
    return (violation("R13", "the result is no object, which MCP demands", "/result", severity),)


# --------------------------------------------------------------------------- judgements


def _placed(violations: tuple[Violation, ...], frame: int | None) -> tuple[Violation, ...]:
    """The same, as findings in that event of the stream."""
    return violations if frame is None else tuple(replace(one, frame=frame) for one in violations)


def _judged(found: Found, verdict: Verdict, summary: str, violations: tuple[Violation, ...]) -> Judgement:
    return Judgement(verdict, summary, violations, found.message, found.has_message, found.frame)


def _rpc_error(found: Found, reading: Reading, violations: tuple[Violation, ...]) -> Judgement:
    assert reading.error is not None
    judged = _judged(found, Verdict.RPC_ERROR, summaries.rpc_error(reading.error), violations)
    return replace(judged, rpc_error=reading.error)


def _invalid(found: Found, violations: tuple[Violation, ...], reason: str) -> Judgement:
    """The first reason is the summary: where it stood, else the first rule broken."""
    errors = [one.message for one in violations if one.severity is Severity.ERROR]
    summary = reason or next(iter(errors), "not a valid answer to this request")
    return _judged(found, Verdict.INVALID_RESPONSE, summaries.cut(summary), violations)
