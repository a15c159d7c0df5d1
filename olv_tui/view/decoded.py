"""An answer decoded for a reader: what failed and what to do first, then everything that could be read.

Rules of this file:

* It derives from what came and replaces nothing: the raw answer stands beside it.
* Each verdict has a page of its own, so that failures of different kinds never look alike. A tool error is
  told as the tool's own word; it is never called a JSON-RPC error.
* Whatever could be read of a wrong answer is shown, under a heading that says it is not sound.
* Findings come last, whatever the verdict.
"""

from __future__ import annotations

from collections.abc import Sequence

from olv_tui import jsontext
from olv_tui.model import Exchange, Number, Object, Severity, Value, Verdict, WireResponse
from olv_tui.view.beside import Beside, add_beside
from olv_tui.view.content import add_content, add_text
from olv_tui.view.ink import ink_before
from olv_tui.view.lines import Lines
from olv_tui.view.page import Page, pretty_member
from olv_tui.view.spilled import spill_of
from olv_tui.view.wire import add_findings, body_lines
from olv_tui.view.words import WORDS, advice, asked, counted, duration, size, summary

LARGE = 1 << 18
"""Answers of more bytes than this are cut out of the indented bytes and not written anew from their values."""

CODE_NAMES = {
    "-32700": "Parse error",
    "-32600": "Invalid Request",
    "-32601": "Method not found",
    "-32602": "Invalid params",
    "-32603": "Internal error",
    "-32002": "Resource not found (MCP up to 2025-11-25)",
    "-32020": "HeaderMismatch (MCP 2026-07-28)",
    "-32021": "MissingRequiredClientCapability (MCP 2026-07-28)",
    "-32022": "UnsupportedProtocolVersion (MCP 2026-07-28)",
    "-32042": "URLElicitationRequired (MCP 2025-11-25)",
}
"""The names that JSON-RPC 2.0 section 5.1 and MCP give to error codes."""

_TELLING_HEADERS = ("content-type", "location", "allow", "retry-after", "www-authenticate")
_TOOL_RESULT = ("content", "structuredContent", "isError")


HEAD = 1 << 14
"""Bytes of a value that are shown while the whole of it is made: more than a screen."""


def head_lines(exchange: Exchange, beside: Beside | None = None) -> Lines:
    """The beginning of what `decoded_lines` gives, for the time until that is made: little is read for it."""
    return _lines(Page(HEAD, is_head=True), exchange, beside)


def decoded_lines(exchange: Exchange, beside: Beside | None = None, *, limit: int | None = None) -> Lines:
    """The decoded view of an exchange in whatever state, with what this run knows beside it.

    `limit`: characters that are shown of one text or JSON block; None for all of them. Takes a while for a large
    answer: not on the event loop.
    """
    return _lines(Page(limit), exchange, beside)


def _lines(page: Page, exchange: Exchange, beside: Beside | None) -> Lines:
    _add_file(page, exchange)
    match exchange.verdict:
        case Verdict.PENDING:
            page.say(f"Waiting for the answer to {asked(exchange)}.", "muted")
        case Verdict.RESULT:
            _add_result(page, exchange)
        case Verdict.TOOL_ERROR:
            _add_tool_error(page, exchange)
        case Verdict.RPC_ERROR:
            _add_rpc_error(page, exchange)
        case Verdict.HTTP_ERROR:
            _add_http_error(page, exchange)
        case Verdict.INVALID_RESPONSE:
            _add_invalid(page, exchange)
        case Verdict.INPUT_REQUIRED:
            _add_input_required(page, exchange)
        case Verdict.ACCEPTED:
            _add_accepted(page, exchange)
        case _:
            _add_unfinished(page, exchange)
    page.end_of_answer()
    add_beside(page, exchange, beside or Beside())
    add_findings(page, exchange)
    return page.lines()


def _add_file(page: Page, exchange: Exchange) -> None:
    """The file of a body that is too large for memory; a printout says it elsewhere and has no keys."""
    spill = spill_of(exchange)
    if spill is None or (page.limit is not None and not page.is_head):
        return
    page.heading(
        "All of the body is in a file" if not spill.problem else "More of the body is in a file", size(spill.size)
    )
    page.field("file", spill.path)
    if spill.problem:
        page.field("ends early", spill.problem, "warning")
    page.say("o opens it in the pager, s saves a copy, Y copies its path", "muted")


def code_name(code: Number) -> str:
    """The name of a JSON-RPC error code, or the range it is in."""
    if code.text in CODE_NAMES:
        return CODE_NAMES[code.text]
    if not code.is_integer or len(code.text) > 9:
        return "an application's own code"
    number = int(code.text)
    if -32099 <= number <= -32000:
        return "server error, defined by the implementation"
    return "reserved by JSON-RPC 2.0, no meaning defined" if -32768 <= number < -32099 else "an application's own code"


# --------------------------------------------------------------------------- what was answered


def _message(exchange: Exchange) -> Value:
    return exchange.judgement.message if exchange.judgement else None


def _result(exchange: Exchange) -> Value:
    message = _message(exchange)
    return message.get("result") if isinstance(message, Object) else None


def _source(exchange: Exchange) -> bytes:
    """The JSON text that the message was read from."""
    response = exchange.reply.response if exchange.reply else None
    if response is None or exchange.judgement is None:
        return b""
    if exchange.judgement.frame is None:
        return response.body
    if exchange.judgement.frame >= len(response.frames):
        return b""
    return (response.frames[exchange.judgement.frame].data or "").encode("utf-8", "surrogatepass")


def _add_json(page: Page, exchange: Exchange, value: Value, path: Sequence[str]) -> None:
    """A member of the message as JSON; a large one from the bytes."""
    page.here = tuple(path)
    if isinstance(value, jsontext.LateObject | jsontext.LateList) and page.limit is None:
        written = jsontext.written(value)
        if written is not None:
            page.json_text(written, ink=ink_before(value.source, value.start))
            page.here = None
            return
    source = _source(exchange)
    if len(source) > LARGE and page.limit is None:
        pretty = jsontext.pretty(source)
        member = pretty_member(pretty, path) if pretty is not None else None
        if member is not None:
            page.json_text(member[0], ink=member[1])
            page.here = None
            return
    page.json(value)
    page.here = None


def _add_advice(page: Page, exchange: Exchange) -> None:
    told = advice(exchange)
    if told:
        page.heading("What to do next")
        page.say(told)


# --------------------------------------------------------------------------- one page for each verdict


def _add_result(page: Page, exchange: Exchange) -> None:
    result = _result(exchange)
    is_tool = exchange.outgoing.method == "tools/call"
    if isinstance(result, Object) and (is_tool or any(name in result for name in _TOOL_RESULT)):
        _add_tool_result(page, exchange, result)
        return
    message = _message(exchange)
    if isinstance(message, Object) and "result" in message:
        page.heading("result", "not an object, so no tool result" if is_tool else "")
        _add_json(page, exchange, result, ("result",))
    else:
        page.heading("answer")
        _add_json(page, exchange, message, ())


def _add_tool_result(page: Page, exchange: Exchange, result: Object) -> None:
    if "structuredContent" in result:
        page.here = ("result", "structuredContent")
        against = _against_schema(exchange)
        page.heading("structuredContent", against, "warning" if against else "heading")
        _add_json(page, exchange, result["structuredContent"], ("result", "structuredContent"))
    add_content(page, result)
    rest = [(name, value) for name, value in result.items() if name not in {"structuredContent", "content"}]
    if rest:
        page.heading("Other members")
        _add_members(page, rest)
    if result.pairs is not None:
        page.say("Some members stand more than once; the last of each is shown.", "warning")


def _against_schema(exchange: Exchange) -> str:
    """How structuredContent stands to the outputSchema, where there is something to say: the findings tell it all."""
    told = [one for one in exchange.judgement.violations if one.code == "T04"] if exchange.judgement else []
    if not told:
        return ""
    if all(one.severity is Severity.INFO for one in told):
        return "not checked against the outputSchema (T04 below)"
    return f"does not conform to the outputSchema ({counted(len(told), 'finding')} T04 below)"


def _add_members(page: Page, members: Sequence[tuple[str, Value]]) -> None:
    """Members of the result, each as a field."""
    page.here = ("result",)
    for name, value in members:
        page.value(name, value)
    page.here = None


def _add_tool_error(page: Page, exchange: Exchange) -> None:
    page.heading("The tool reports an error", "a normal result with isError true", "warning")
    failed = exchange.judgement.tool_error if exchange.judgement else None
    if failed is not None:
        page.field("error", failed.error or "(no word for it)", "warning")
        if failed.site is not None:
            page.field("site", failed.site, "warning")
        for name, value in failed.details.items():
            page.value(name, value)
        page.field("read from", failed.source, "muted")
    _add_advice(page, exchange)
    result = _result(exchange)
    if isinstance(result, Object):
        _add_tool_result(page, exchange, result)


def _add_rpc_error(page: Page, exchange: Exchange) -> None:
    page.heading("JSON-RPC error", "the request was answered with an error object", "error")
    failed = exchange.judgement.rpc_error if exchange.judgement else None
    if failed is not None:
        page.field("code", f"{failed.code.text}  {code_name(failed.code)}", "error")
        page.field("message", failed.message or '""')
        response = exchange.reply.response if exchange.reply else None
        if response is not None and response.status != 200:
            page.field("HTTP status", f"{response.status} {response.reason}")
    _add_advice(page, exchange)
    if failed is not None and failed.has_data:
        page.heading("data")
        if isinstance(failed.data, str):
            add_text(page, failed.data)
        else:
            _add_json(page, exchange, failed.data, ("error", "data"))
    message = _message(exchange)
    page.heading("The whole message")
    _add_json(page, exchange, message, ())


def _add_http_error(page: Page, exchange: Exchange) -> None:
    page.heading("HTTP error", "no JSON-RPC answer came with it", "error")
    response = exchange.reply.response if exchange.reply else None
    if response is None:
        page.say(summary(exchange))
        return
    _add_head(page, response)
    _add_advice(page, exchange)
    _add_body(page, response)


def _add_invalid(page: Page, exchange: Exchange) -> None:
    response = exchange.reply.response if exchange.reply else None
    has_message = exchange.judgement is not None and exchange.judgement.has_message
    is_unread = response is not None and response.spill is not None and not has_message
    page.heading("Not read" if is_unread else "Not a valid answer to this request", kind="error")
    if summary(exchange):
        page.say(summary(exchange))
    found = exchange.judgement.violations if exchange.judgement else ()
    for violation in found:
        if violation.severity is Severity.ERROR and violation.message != summary(exchange):
            page.marked([("✗ ", "error"), (violation.message, ""), (f"  {violation.code}", "muted")])
    _add_ids(page, exchange)
    _add_advice(page, exchange)
    if has_message:
        page.heading("What could be read", "it may belong to another request")
        _add_json(page, exchange, _message(exchange), ())
        result = _result(exchange)
        if isinstance(result, Object) and any(name in result for name in _TOOL_RESULT):
            add_content(page, result)
    elif response is not None:
        _add_head(page, response)
        _add_body(page, response)


def _add_ids(page: Page, exchange: Exchange) -> None:
    """Both ids, where they can be compared."""
    if exchange.id is None:
        return
    page.field("id sent", exchange.id.text)
    message = _message(exchange)
    if isinstance(message, Object):
        page.field("id received", jsontext.dumps(message["id"]) if "id" in message else "none")


def _add_input_required(page: Page, exchange: Exchange) -> None:
    page.heading("The server asks for input first", "input_required (MCP 2026-07-28)", "warning")
    page.say("This is no finished result. Nothing is answered or sent again on its own: i opens the form.")
    _add_advice(page, exchange)
    result = _result(exchange)
    if not isinstance(result, Object):
        page.json(result)
        return
    requests = result.get("inputRequests")
    for name, asked_for in requests.items() if isinstance(requests, Object) else ():
        page.heading(f"input request {name}")
        params = asked_for.get("params") if isinstance(asked_for, Object) else None
        if not isinstance(asked_for, Object) or not isinstance(params, Object):
            page.json(asked_for)
            continue
        page.value("method", asked_for.get("method"))
        for key, value in params.items():
            page.value(key, value)
    shown = {"inputRequests"} if isinstance(requests, Object) else set()
    rest = [(name, value) for name, value in result.items() if name not in shown]
    if rest:
        page.heading("Other members")
        _add_members(page, rest)


def _add_accepted(page: Page, exchange: Exchange) -> None:
    page.heading("Accepted", "a notification has no answer", "success")
    response = exchange.reply.response if exchange.reply else None
    if response is not None:
        page.field("status", f"{response.status} {response.reason}")
        if response.body:
            _add_body(page, response)


def _add_unfinished(page: Page, exchange: Exchange) -> None:
    """Transport errors, cancelled and lost calls: why it ended, and what had come by then."""
    reply = exchange.reply
    verdict = exchange.verdict
    if verdict is Verdict.TRANSPORT_ERROR:
        page.heading("No complete answer came", "found by this program, not told by the server", "error")
        if reply is not None and reply.error is not None:
            page.field("kind", reply.error.kind, "error")
            page.field("message", reply.error.message)
        else:
            page.say(summary(exchange))
    elif verdict is Verdict.CANCELLED:
        after = f" after {duration(exchange.total_ms)}" if exchange.total_ms is not None else ""
        page.heading("Cancelled")
        page.say(f"You stopped it{after}. The server may have carried out the call all the same.")
    else:
        page.heading(WORDS[verdict].label.capitalize())
        page.say("The program ended before this call did. Whether the server carried it out is not known.")
    if reply is not None and reply.error is not None and reply.timing.total_ms is not None:
        page.field("after", duration(reply.timing.total_ms))
    _add_advice(page, exchange)
    if reply is not None and reply.response is not None:
        response = reply.response
        so_far = [size(response.size)]
        if response.frames:
            so_far.append(counted(len(response.frames), "SSE frame"))
        page.heading("What came until then", ", ".join(so_far))
        _add_head(page, response)
        _add_body(page, response)
    elif verdict is Verdict.TRANSPORT_ERROR:
        page.heading("What came until then")
        page.say("nothing", "muted")


def _add_head(page: Page, response: WireResponse) -> None:
    page.field("status", f"{response.status} {response.reason}".rstrip())
    for name, value in response.headers:
        if name.lower() in _TELLING_HEADERS:
            page.field(name, value)


def _add_body(page: Page, response: WireResponse) -> None:
    part = "" if response.spill is None else f", its first {size(len(response.body))} are here"
    page.heading("Body", f"{response.media_type or 'no media type'}, {size(response.size)}{part}")
    page.body(response.body, lambda body: body_lines(body, response.media_type, pretty=True))
