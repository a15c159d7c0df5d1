"""The HTTP rules H01..H16: what can be said of one exchange by its head, framing and media type.

Follows the Streamable HTTP transport of MCP (2025-03-26 to 2026-07-28), WHATWG server-sent events,
RFC 9110 (semantics) and RFC 9112 (HTTP/1.1).

Rules of this file:

* Pure: values in, violations out. Whether an exchange failed is the judge's decision, not made here.
* JSON is read only where a rule turns on it, and through `parse`, so that a caller who has read the
  same bytes already can hand in its own memo.
* Sentences name what came and what was due; server text in them is raw and made safe by the view.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from olv_tui import jsontext
from olv_tui.jsonrpc import id_of
from olv_tui.model import Era, Number, Object, Rule, Severity, Violation

if TYPE_CHECKING:
    from olv_tui.jsontext import Parsed
    from olv_tui.model import Frame, Outgoing, Reply, RequestId, Value, WireResponse

Parse: TypeAlias = "Callable[[bytes], Parsed]"

_MCP = "MCP Streamable HTTP"
RULES: dict[str, Rule] = {
    rule.code: rule
    for rule in (
        Rule("H01", Severity.ERROR, "A request got no answer: 202, 204 or an empty body", f"{_MCP}, Sending Messages"),
        Rule("H02", Severity.ERROR, "The answer is neither JSON nor an event stream", f"{_MCP}, Sending Messages"),
        Rule("H03", Severity.ERROR, "JSON that is labelled as something else", f"{_MCP}, Sending Messages"),
        Rule("H04", Severity.ERROR, "The event stream ended without the response", f"{_MCP}, Receiving Messages"),
        Rule("H05", Severity.ERROR, "The data of an event is not JSON", f"{_MCP}, Receiving Messages"),
        Rule("H06", Severity.INFO, "An event whose type is not message", f"{_MCP}, Receiving Messages"),
        Rule("H07", Severity.ERROR, "A session id that is malformed, changed, or not allowed", f"{_MCP}, Sessions"),
        Rule("H08", Severity.INFO, "404 for a session id: the session is gone", f"{_MCP}, Sessions"),
        Rule("H09", Severity.WARNING, "401 without WWW-Authenticate", "RFC 9110 15.5.2; MCP Authorization"),
        Rule("H10", Severity.WARNING, "Another protocol version in the header than was asked for", f"{_MCP}, Headers"),
        Rule("H11", Severity.WARNING, "400 without a JSON-RPC error", f"{_MCP} 2026-07-28, Status Codes"),
        Rule("H12", Severity.ERROR, "Status and body contradict each other", f"{_MCP}, Sending Messages"),
        Rule("H13", Severity.WARNING, "A charset other than UTF-8", "RFC 8259 8.1 and 11; WHATWG HTML 9.2"),
        Rule("H14", Severity.ERROR, "The body is shorter than was promised", "RFC 9112 8"),
        Rule("H15", Severity.WARNING, "A redirect, which is not followed", f"{_MCP}; RFC 9110 15.4"),
        Rule("H16", Severity.ERROR, "Bytes after the end of the answer", "RFC 9112 6.3"),
    )
}

_LISTED = 20  # Per rule: a stream of ten thousand bad events is told in twenty lines and a number.
_CHARSET = re.compile(r';\s*charset\s*=\s*(?:"([^"]*)"|([^\s;"]*))', re.IGNORECASE)
_SESSION_ID = re.compile(r"[\x21-\x7e]+")
_EVENT_STREAM = "text/event-stream"


def find(
    outgoing: Outgoing,
    reply: Reply,
    *,
    era: Era,
    version: str | None,
    session_id_sent: bool = False,
    session_id: str | None = None,
    parse: Parse = jsontext.parse,
) -> tuple[Violation, ...]:
    """Every H rule that this exchange breaks, in the order of their codes.

    `version` is the protocol version the request was sent with, None where there is none.
    `session_id_sent` says that the request carried a session id; `session_id` is the one known before
    the exchange, for an id that changes in mid-session. `parse` reads JSON (see the rules above).
    """
    response = reply.response
    if response is None:
        return ()
    complete = reply.error is None and not reply.cancelled
    found = [
        *_status(outgoing, response, complete),
        *_label(response, parse),
        *_stream(outgoing, response, complete, parse),
        *_session(response, era, parse, session_id_sent=session_id_sent, session_id=session_id),
        *_headers(response, version),
        *_body(outgoing, response, era, complete, parse),
        *_framing(reply, response),
    ]
    return tuple(sorted(found, key=lambda violation: violation.code))


def is_json_type(media_type: str) -> bool:
    """True for `application/json` and the types that are JSON by their suffix or by old habit."""
    return media_type.endswith("+json") or media_type in {
        "application/json",
        "application/json-rpc",
        "application/jsonrpc",
        "text/json",
    }


def _violation(code: str, message: str, frame: int | None = None) -> Violation:
    return Violation(code, RULES[code].severity, message, frame=frame)


def _is_success(response: WireResponse) -> bool:
    return 200 <= response.status < 300


def _head(response: WireResponse) -> str:
    return f"{response.status} {response.reason}".rstrip()


def _looks_like_json(body: bytes) -> bool:
    # The first byte tells JSON-RPC from a page well enough, without reading megabytes.
    return body[:64].removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in {b"{", b"["}


def _response_message(value: Value) -> Object | None:
    """The value if it has the shape of a JSON-RPC response, whatever its id."""
    if isinstance(value, Object) and "method" not in value and ("result" in value or "error" in value):
        return value
    return None


# --------------------------------------------------------------------------- one rule or family each


def _status(outgoing: Outgoing, response: WireResponse, complete: bool) -> Iterator[Violation]:
    if outgoing.ids and _is_success(response) and complete:
        empty = not response.body and response.media_type != _EVENT_STREAM
        if response.status in {202, 204}:
            odd = outgoing.id is not None and not re.fullmatch(r'-?\d+|".*"', outgoing.id.text, re.DOTALL)
            hint = f"; some servers take a request with the id {outgoing.id} for one" if odd else ""
            yield _violation("H01", f"{_head(response)} is the answer to a notification, and a request was sent{hint}.")
        elif empty:
            yield _violation("H01", f"{_head(response)} came with an empty body, and a request must be answered.")
    if 300 <= response.status < 400:
        where = response.header("location")
        to = f"to {where} " if where else ""
        yield _violation("H15", f"{_head(response)}: the redirect {to}was not followed, nothing was sent there.")


def _label(response: WireResponse, parse: Parse) -> Iterator[Violation]:
    media, body = response.media_type, response.body
    named = f'labelled "{response.header("content-type")}"' if media else "without a Content-Type"
    if body and not is_json_type(media):
        data_came = any(frame.data is not None for frame in response.frames)
        if _looks_like_json(body) and not data_came:
            if _is_success(response) or _response_message(parse(body).value) is not None:
                yield _violation("H03", f"The body looks like JSON but came {named}; application/json was due.")
        elif media != _EVENT_STREAM and _is_success(response):
            yield _violation(
                "H02", f"The body came {named}; a JSON-RPC answer is application/json or text/event-stream."
            )
    match = _CHARSET.search(response.header("content-type") or "")
    charset = (match[1] if match[1] is not None else match[2]).strip() if match else ""
    textual = is_json_type(media) or media == _EVENT_STREAM
    if textual and charset and charset.lower() not in {"utf-8", "utf8", "us-ascii", "ascii"}:
        yield _violation("H13", f'The charset is given as "{charset}"; JSON and event streams are always UTF-8.')


def _stream(outgoing: Outgoing, response: WireResponse, complete: bool, parse: Parse) -> Iterator[Violation]:
    if response.media_type != _EVENT_STREAM:
        return
    types: list[str] = []
    unreadable = 0
    answered = unfinished = False
    for number, frame in enumerate(response.frames):
        if frame.event not in {None, "", "message"} and frame.event not in types and frame.complete:
            types.append(frame.event or "")
            if len(types) <= _LISTED:
                yield _violation("H06", _event_sentence(frame), number)
        if not frame.data:
            continue
        parsed = parse(frame.data.encode("utf-8", "surrogatepass"))
        if parsed.has_value:
            if _answers(outgoing, parsed.value):
                answered, unfinished = answered or frame.complete, unfinished or not frame.complete
        elif frame.complete and frame.event in {None, "", "message"}:
            unreadable += 1
            if unreadable <= _LISTED:
                yield _violation("H05", f"The data of event {number + 1} is not JSON.", number)
    if unreadable > _LISTED:
        yield _violation("H05", f"The data of {unreadable - _LISTED} more events is not JSON.")
    if outgoing.ids and complete and _is_success(response) and not answered:
        why = "; it is in the last event, which has no blank line after it and so does not count" if unfinished else ""
        yield _violation("H04", f"The event stream ended without the response to this request{why}.")


def _event_sentence(frame: Frame) -> str:
    if frame.event == "endpoint":
        return 'An event of type "endpoint" came: this is the HTTP+SSE transport of 2024-11-05.'
    return f'An event of type "{frame.event}" came; MCP knows only "message", others are ignored.'


def _answers(outgoing: Outgoing, value: Value) -> bool:
    """True where the value holds a response to the request (an error without an id counts as one)."""
    for item in value if isinstance(value, list) else [value]:
        message = _response_message(item)
        if message is None:
            continue
        if message.get("id") is None and "error" in message:
            return True
        if "id" in message and any(_alike(id_of(message["id"]), sent) for sent in outgoing.ids):
            return True
    return False


def _alike(came: RequestId, sent: RequestId) -> bool:
    """True for the same id, also with another type or spelling: that is a matter of the R rules."""
    texts = came.text.strip('"'), sent.text.strip('"')
    if texts[0] == texts[1]:
        return True
    try:
        return float(texts[0]) == float(texts[1])
    except ValueError:
        return False


def _session(
    response: WireResponse, era: Era, parse: Parse, *, session_id_sent: bool, session_id: str | None
) -> Iterator[Violation]:
    issued = response.header("mcp-session-id")
    if issued is not None:
        if not _SESSION_ID.fullmatch(issued):
            yield _violation("H07", "The session id has characters outside 0x21 to 0x7E, or none at all.")
        if session_id is not None and issued != session_id:
            yield _violation("H07", "The session id changed in mid-session.")
        if era is Era.MODERN:
            yield _violation("H07", "A session id came although 2026-07-28 has no sessions.")
    if response.status == 404 and session_id_sent and _error_code(response, parse) != "-32601":
        yield _violation("H08", "404 for a request with a session id means that the session is gone, not the tool.")


def _error_code(response: WireResponse, parse: Parse) -> str | None:
    """The code of the JSON-RPC error in the body as text, None where there is none."""
    if not _looks_like_json(response.body):
        return None
    message = _response_message(parse(response.body).value)
    error = message.get("error") if message is not None else None
    code = error.get("code") if isinstance(error, Object) else None
    return code.text if isinstance(code, Number) else None


def _headers(response: WireResponse, version: str | None) -> Iterator[Violation]:
    if response.status == 401 and response.header("www-authenticate") is None:
        yield _violation("H09", "401 came without WWW-Authenticate, so it does not say how to get in.")
    echoed = response.header("mcp-protocol-version")
    if echoed is not None and version is not None and echoed != version:
        yield _violation("H10", f"The answer is headed protocol version {echoed}, the request was {version}.")


def _body(outgoing: Outgoing, response: WireResponse, era: Era, complete: bool, parse: Parse) -> Iterator[Violation]:
    if not complete:
        return
    if _is_success(response):
        if outgoing.kind == "notification" and response.body:
            yield _violation("H12", f"A notification was answered {_head(response)} with a body; none was due.")
        return
    message = _any_response(response, parse)
    if message is not None and "result" in message and message.get("error") is None:
        yield _violation("H12", f"{_head(response)} came with a JSON-RPC result; a result belongs under 200.")
    if response.status == 400 and era is Era.MODERN and (message is None or "error" not in message):
        yield _violation("H11", "400 came without a JSON-RPC error, which 2026-07-28 servers give as the reason.")


def _any_response(response: WireResponse, parse: Parse) -> Object | None:
    """The JSON-RPC response in a body, or the first one in its events."""
    if response.media_type != _EVENT_STREAM:
        return _response_message(parse(response.body).value) if _looks_like_json(response.body) else None
    texts = (frame.data for frame in response.frames if frame.data and frame.complete)
    messages = (_response_message(parse(text.encode("utf-8", "surrogatepass")).value) for text in texts)
    return next((message for message in messages if message is not None), None)


def _framing(reply: Reply, response: WireResponse) -> Iterator[Violation]:
    if reply.error is not None and reply.error.kind == "truncated":
        yield _violation("H14", reply.error.message)
    if response.surplus:
        yield _violation(
            "H16", f"{len(response.surplus):,} bytes came after the end of the answer; they are not part of it."
        )
