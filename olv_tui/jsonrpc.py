"""JSON-RPC 2.0: envelopes built, requests read, responses held against the rules (R, C; J come from jsontext).

Follows the JSON-RPC 2.0 specification (rev. 2013-01-04) and what MCP narrows in it (base protocol, all
revisions up to 2026-07-28).

Rules of this file:

* Ids are compared by JSON type and value and never through Python numbers: `True == 1` there.
* A message is judged by itself. Where it stood (body, stream, status) is for the judge.
* Server text goes into sentences as it came; the view makes it safe.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from olv_tui import jsontext
from olv_tui.model import Number, Object, Outgoing, RequestId, RpcError, Rule, Severity, Value, Violation

_JR = "JSON-RPC 2.0"
_E, _W, _I = Severity.ERROR, Severity.WARNING, Severity.INFO
RULES: dict[str, Rule] = {
    rule.code: rule
    for rule in (
        *jsontext.RULES.values(),
        Rule("J07", _E, "An array where one response was due", f"{_JR} 6; MCP 2025-06-18, changelog"),
        Rule("J08", _E, "The message is no object", f"{_JR} 5"),
        Rule("R01", _E, "jsonrpc is missing", f"{_JR} 5"),
        Rule("R02", _E, 'jsonrpc is not the string "2.0"', f"{_JR} 5"),
        Rule("R03", _E, "A result without an id", f"{_JR} 5"),
        Rule("R04", _W, "An error without an id", f"{_JR} 5; MCP 2025-11-25, Responses"),
        Rule("R05", _E, "A result whose id is null", f"{_JR} 5"),
        Rule("R06", _W, "An error whose id is null although the request was readable", f"{_JR} 5"),
        Rule("R07", _E, "Another id than was asked", f"{_JR} 5"),
        Rule("R08", _E, "The id has another JSON type", f"{_JR} 5"),
        Rule("R09", _W, "The id is the same number, spelled differently", f"{_JR} 4 and 5"),
        Rule("R10", _E, "The id is a boolean, an array or an object", f"{_JR} 5"),
        Rule("R11", _E, "Both result and error", f"{_JR} 5"),
        Rule("R12", _E, "Neither result nor error", f"{_JR} 5"),
        Rule("R13", _E, "The result is no object", "MCP, Responses"),
        Rule("R14", _E, "error is no object", f"{_JR} 5.1"),
        Rule("R15", _E, "error.code is missing", f"{_JR} 5.1"),
        Rule("R16", _E, "error.code is no integer", f"{_JR} 5.1"),
        Rule("R17", _E, "error.message is missing or no string", f"{_JR} 5.1"),
        Rule("R18", _W, "error.message is more than one sentence", f"{_JR} 5.1"),
        Rule("R19", _I, "A member that JSON-RPC does not know", f"{_JR} 5"),
        Rule("R20", _E, "method beside result or error", f"{_JR} 4 and 5"),
        Rule("R21", _W, "A reserved error code without a meaning", f"{_JR} 5.1; MCP 2026-07-28, Errors"),
        Rule("C01", _E, "A response to a notification", f"{_JR} 4.1"),
        Rule("C02", _E, "A second response for the same id", f"{_JR} 5"),
        Rule("C03", _E, "No response", f"{_JR} 5"),
        Rule("C04", _E, "A response to another request", f"{_JR} 5"),
        Rule("C05", _W, "A message after the response", "MCP Streamable HTTP, Receiving Messages"),
        Rule("C06", _E, "A request from the server", "MCP 2026-07-28, Streamable HTTP"),
    )
}

_ENVELOPE = {"jsonrpc", "id", "result", "error"}
_MESSAGE = {*_ENVELOPE, "method", "params"}
_ERROR = {"code", "message", "data"}
_ASKING = ("_meta", "notifications")
_KNOWN_CODES = {"-32700", "-32600", "-32601", "-32602", "-32603"}
_MODERN_CODES = {"-32020", "-32021", "-32022"}
_UNREADABLE = {"-32700", "-32600"}  # with these the server says that it could not read the request
_SENTENCE = 300
_EXTRAS = 20


class Match(Enum):
    """How the id of a response stands to the id of the request."""

    SAME = "same"
    SPELLED = "the same number, spelled differently"
    NONE = "null or absent"
    OTHER = "another value"
    TYPE = "another JSON type"
    ODD = "no id at all: a boolean, an array or an object"
    UNASKED = "nothing to compare with"


@dataclass(frozen=True, slots=True)
class Reading:
    """One message held against the rules of responses.

    `sound` says that it is a valid response as to everything but the id; `match` is about the id.
    `error` is the error object as far as it could be read, also of an unsound message.
    """

    sound: bool
    match: Match
    error: RpcError | None
    violations: tuple[Violation, ...]

    @property
    def is_answer(self) -> bool:
        """A valid response to this request: a result with our id, or an error with it or without any."""
        if self.match is Match.NONE:
            return self.sound and self.error is not None
        return self.sound and self.match in (Match.SAME, Match.SPELLED, Match.UNASKED)


def violation(code: str, message: str, at: str | None = None, severity: Severity | None = None) -> Violation:
    """A violation of one of `RULES`, with the severity of the rule unless another is given."""
    return Violation(code, severity or RULES[code].severity, message, at)


# --------------------------------------------------------------------------- requests


def id_of(value: Value) -> RequestId:
    """The id that a JSON value is, as JSON text: `1`, `"1"` and `1.0` stay three ids."""
    return RequestId(jsontext.dumps(value))


def build(request_id: RequestId | None, method: str, params: str | None) -> bytes:
    """A request (without an id: a notification) as compact bytes; `params` is JSON text, used as it is."""
    parts = ['"jsonrpc":"2.0"']
    if request_id is not None:
        parts.append(f'"id":{request_id.text}')
    parts.append(f'"method":{jsontext.dumps(method)}')
    if params is not None:
        parts.append(f'"params":{params}')
    return f"{{{','.join(parts)}}}".encode("utf-8", "surrogatepass")


def read_request(body: bytes) -> Outgoing:
    """What a body is as JSON-RPC, as far as it can be read. Never raises.

    A request is an object with a string `method` and an `id`, even one that is null (discouraged, JSON-RPC
    2.0, 4); without one it is a notification. The id keeps the text it is sent with.
    """
    parsed = jsontext.parse(body)
    value = parsed.value
    if isinstance(value, list) and value:
        inner = [_read_message(item) for item in value]
        return Outgoing("batch", ids=tuple(one.id for one in inner if one.id is not None))
    read = _read_message(value)
    if read.id is None:
        return read
    place = jsontext.span(parsed.text, "/id")
    identity = RequestId(parsed.text[place[0] : place[1]]) if place is not None else read.id
    return replace(read, id=identity, ids=(identity,))


def _read_message(value: Value) -> Outgoing:
    if not isinstance(value, Object):
        return Outgoing("raw")
    method = value.get("method")
    if not isinstance(method, str):
        return Outgoing("response" if "result" in value or "error" in value else "raw")
    params = value.get("params")
    name = params.get("name") if isinstance(params, Object) and method == "tools/call" else None
    tool = name if isinstance(name, str) else None
    if "id" not in value:
        return Outgoing("notification", None, method, tool)
    identity = id_of(value["id"])
    asks = Object((key, params[key]) for key in _ASKING if key in params) if isinstance(params, Object) else Object()
    return Outgoing("request", identity, method, tool, (identity,), asks)


# --------------------------------------------------------------------------- responses


def is_response(value: Value) -> bool:
    """Whether a value has the shape of a response: an object with a result or an error and no method."""
    return isinstance(value, Object) and "method" not in value and ("result" in value or "error" in value)


def match_id(message: Object, asked: RequestId | None) -> Match:
    """How the id of a message stands to the one that was asked (JSON-RPC 2.0, 5: "the same as")."""
    if asked is None:
        return Match.UNASKED
    came = message.get("id")
    try:
        sent = jsontext.loads(asked.text)
    except jsontext.JsonError:
        sent = asked.text
    if "id" in message and id_of(came).text == jsontext.dumps(sent):
        return Match.SAME
    if came is None:
        return Match.NONE
    if isinstance(came, Number) and isinstance(sent, Number):
        return Match.SPELLED if _canonical(came.text) == _canonical(sent.text) else Match.OTHER
    if isinstance(came, str | Number):
        return Match.OTHER if isinstance(came, str) and isinstance(sent, str) else Match.TYPE
    return Match.ODD


def read_response(message: Object, asked: RequestId | None, *, modern: bool = False) -> Reading:
    """Hold one message against every R rule but R13. Never raises.

    `asked` is the id of the request; None where no id is to be compared (a notification, a body that
    could not be read). `modern` applies what 2026-07-28 says about error codes.
    """
    found: list[Violation] = []
    version = message.get("jsonrpc")
    if "jsonrpc" not in message:
        found.append(violation("R01", 'the answer has no jsonrpc member; "2.0" is due', ""))
    elif version != "2.0":
        found.append(violation("R02", f'jsonrpc is {_brief(version)}; the string "2.0" is due', "/jsonrpc"))
    has_result, has_error = "result" in message, "error" in message
    if "method" in message and (has_result or has_error):
        found.append(violation("R20", "it has a method, as a request has, and no answer may", "/method"))
    if has_result and has_error:
        found.append(violation("R11", _both(message), "/error"))
    elif not has_result and not has_error:
        found.append(violation("R12", _neither(message), ""))
    error = _read_error(message["error"], found) if has_error and message["error"] is not None else None
    if has_error and not has_result and message["error"] is None:
        found.append(violation("R14", "error is null; an object is due", "/error"))
    sound = not any(one.severity is Severity.ERROR for one in found)
    found += _codes(error, modern)
    found += _extras(message, _MESSAGE if "method" in message else _ENVELOPE, "")
    match = match_id(message, asked)
    found += _identity(message, match, asked, error)
    return Reading(sound, match, error, tuple(found))


def _neither(message: Object) -> str:
    if "method" not in message:
        return "it has neither a result nor an error"
    kind = "request" if "id" in message else "notification"
    return f"it is a {kind} of the server, {_brief(message['method'])}, and no answer"


def _both(message: Object) -> str:
    if message["error"] is None:
        return "error is null beside a result; on success it must not be there"
    if message["result"] is None:
        return "result is null beside an error; on failure it must not be there"
    return "it has a result and an error; only one of them may be there"


def _read_error(error: Value, found: list[Violation]) -> RpcError | None:
    """The error object as far as it has a code and a message; its faults go to `found`."""
    if not isinstance(error, Object):
        found.append(violation("R14", f"error is {_brief(error)}; an object is due", "/error"))
        return None
    code, message = error.get("code"), error.get("message")
    if "code" not in error:
        found.append(violation("R15", "the error has no code", "/error"))
    elif not isinstance(code, Number) or not code.is_integer:
        found.append(violation("R16", f"the error code is {_brief(code)}; an integer is due", "/error/code"))
    if not isinstance(message, str):
        what = f"is {_brief(message)}; a string is due" if "message" in error else "is missing"
        found.append(
            violation("R17", f"the error message {what}", "/error/message" if "message" in error else "/error")
        )
    elif "\n" in message.strip() or len(message) > _SENTENCE:
        found.append(violation("R18", "the error message is longer than one concise sentence", "/error/message"))
    found += _extras(error, _ERROR, "/error")
    if not isinstance(code, Number) or not isinstance(message, str):
        return None
    return RpcError(code, message, error.get("data"), "data" in error)


def _extras(value: Object, known: set[str], at: str) -> list[Violation]:
    extra = [name for name in value if name not in known]
    return [
        violation("R19", f'the member "{name}" is not one that JSON-RPC knows', at + jsontext.pointer([name]))
        for name in extra[:_EXTRAS]
    ]


def _codes(error: RpcError | None, modern: bool) -> list[Violation]:
    """R21: what JSON-RPC 5.1 reserves, and what 2026-07-28 forbids its servers."""
    if error is None or not error.code.is_integer or not 5 <= len(error.code.text) <= 6:
        return []
    text, number = error.code.text, int(error.code.text)
    if -32768 <= number < -32099 and text not in _KNOWN_CODES:
        return [violation("R21", f"{text} is reserved by JSON-RPC and has no meaning", "/error/code")]
    forbidden = text == "-32002" or (-32099 <= number <= -32020 and text not in _MODERN_CODES)
    if modern and forbidden:
        return [violation("R21", f"{text} must not be sent by a 2026-07-28 server", "/error/code", _E)]
    return []


def _identity(message: Object, match: Match, asked: RequestId | None, error: RpcError | None) -> list[Violation]:
    """R03 to R10: what is to be said about the id."""
    came = f"the answer has the id {_brief(message.get('id'))}, asked was {asked}"
    match match:
        case Match.NONE if "result" in message and message.get("error") is None:
            if "id" in message:
                return [violation("R05", f"the result has the id null, asked was {asked}", "/id")]
            return [violation("R03", f"the result has no id, asked was {asked}", "")]
        case Match.NONE if error is not None and error.code.text in _UNREADABLE:
            return []
        case Match.NONE if "error" in message:
            if "id" in message:
                return [violation("R06", f"the error has the id null, asked was {asked}", "/id")]
            return [violation("R04", f"the error has no id, asked was {asked}", "")]
        case Match.OTHER:
            return [violation("R07", came, "/id")]
        case Match.TYPE:
            return [violation("R08", came, "/id")]
        case Match.SPELLED:
            return [violation("R09", f"{came}: the same number, spelled differently", "/id")]
        case Match.ODD:
            return [violation("R10", came, "/id")]
        case _:
            return []


def _brief(value: Value) -> str:
    """A value in a sentence: its JSON text, cut where it is long."""
    if isinstance(value, Object):
        return "an object" if value else "{}"
    if isinstance(value, list):
        return "an array" if value else "[]"
    text = jsontext.dumps(value)
    return text if len(text) <= 80 else text[:77] + "..."


def _canonical(text: str) -> tuple[str, str, str]:
    """Sign, digits and exponent of a number text, so that equal numbers are equal tuples.

    Done on the text: neither 5,000 digits nor an exponent of a billion may cost anything.
    """
    sign = "-" if text.startswith("-") else ""
    mantissa, _, exponent = text.lstrip("-").lower().partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    if not digits:
        return "", "0", "0"
    if len(exponent) > 18:
        return sign, digits, exponent
    short = digits.rstrip("0")
    power = int(exponent or "0") - len(fraction) + len(digits) - len(short)
    return sign, short, str(power)
