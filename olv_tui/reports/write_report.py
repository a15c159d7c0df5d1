"""The Markdown bug report: what was called, what came, what is wrong with it; `read_report` makes the call of it again.

Rules of this file:

* Text of a server stands inside fences or code spans longer than any inside it, so that it is neither markup nor a
  mention, and what a terminal would obey or hide is written as an escape.
* The body of the request is exact: as it is where it is plain text, else in base64.
* The info strings of the fences (`json olv-tui body`) say what each block is, and are a promise to the reader.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Sequence

from olv_tui import __version__, jsontext
from olv_tui.model import Exchange, Judgement, Tool, Verdict, WireResponse
from olv_tui.reports.compare import answer_of, compare, tell
from olv_tui.reports.cut import told
from olv_tui.reports.record import escaped
from olv_tui.reports.values import Written, raw

_DIFFERENCES = 50

LONGEST_ANSWER = 200_000
"""Bytes of an answer that a report carries; issue trackers take 65,536 characters, files more."""

_UNPLAIN = re.compile(r"[\x00-\x09\x0b-\x1f]")
_LABELS = {
    Verdict.RPC_ERROR: "JSON-RPC error",
    Verdict.HTTP_ERROR: "HTTP error",
}


def as_report(
    exchange: Exchange, expected: str | None = None, ignore: Sequence[str] = (), tool: Tool | None = None
) -> Written:
    """An exchange, redacted before, as a bug report; `expected` is what should have come, in the user's words; `tool`
    is the called one as its server lists it.
    """
    request, judgement = exchange.request, exchange.judgement
    asked = exchange.outgoing.tool or exchange.outgoing.method or "a request"
    lines = [
        f"# {code(asked)}: {_label(exchange.verdict)}",
        "",
        *_facts(exchange),
        "",
        "## What was sent",
        "",
        *_head(exchange),
        "",
        *_body_fence(request.body, "olv-tui body"),
        "",
        *_arguments(exchange, tool),
    ]
    if expected is not None:
        lines += ["## What was expected", "", *_fence(_language(expected), escaped(expected)), ""]
    lines += ["## What came", "", *_answer(exchange)]
    if expected is not None and (differs := _against(expected, exchange, ignore)):
        lines += ["", "## Expected against actual", "", *differs]
    if judgement is not None and judgement.violations:
        lines += ["", "## Findings", "", *_findings(judgement)]
    lines += ["", f"Written by olv-tui {__version__}; `olv-tui replay FILE` sends the same call again and compares."]
    return Written("\n".join(lines) + "\n", _warnings(exchange))


def _language(expected: str) -> str:
    return "json" if jsontext.parse(raw(expected)).has_value else "text"


def _against(expected: str, exchange: Exchange, ignore: Sequence[str]) -> list[str]:
    """Where the answer is not the expected one; nothing where that is told in words."""
    if not jsontext.parse(raw(expected)).has_value:
        return []
    found = compare(raw(expected), answer_of(exchange), ignore, limit=_DIFFERENCES)
    words = {"same": "The same.", "same kind": "The same kind, other values:", "different": "Different:"}
    lines = [f"- {code(one)}" for one in tell(found.differences, lambda text: text[:200])]
    more = found.total - len(found.differences)
    return [words[found.outcome], *([""] if lines else []), *lines, *([f"- and {more} more"] if more > 0 else [])]


def _facts(exchange: Exchange) -> list[str]:
    judgement, reply = exchange.judgement, exchange.reply
    summary = judgement.summary if judgement else ""
    facts = [f"- Verdict: {code(exchange.verdict)}" + (f", {code(summary)}" if summary else "")]
    if reply is not None and reply.response is not None:
        facts.append(f"- HTTP: {code(f'{reply.response.status} {reply.response.reason}'.strip())}")
    if reply is not None and reply.error is not None:
        facts.append(f"- Transport: {code(reply.error.kind)}, {code(reply.error.message)}")
    if exchange.id is not None:
        facts.append(f"- Id: {code(exchange.id.text)}")
    era = f"- Era: {code(exchange.era)}" if exchange.era else "- Era: none"
    facts.append(era + (f", protocol version {code(exchange.protocol_version)}" if exchange.protocol_version else ""))
    timing = reply.timing if reply else None
    if timing is not None and timing.total_ms is not None:
        first = f", first byte after {timing.first_byte_ms:.1f} ms" if timing.first_byte_ms is not None else ""
        facts.append(f"- Time: {code(exchange.started)}, {timing.total_ms:.1f} ms in all{first}")
    else:
        facts.append(f"- Time: {code(exchange.started)}")
    facts.append(f"- Client: olv-tui {__version__}")
    if exchange.demo:
        facts.append("- DEMO: the answer is an invented one")
    return facts


def _head(exchange: Exchange) -> list[str]:
    """Address and headers as HTTP text; in base64 as well, where something in them cannot be seen."""
    request = exchange.request
    head = "\n".join(
        (f"{request.method} {request.url} HTTP/1.1", *(f"{name}: {value}" for name, value in request.headers))
    )
    data = head.encode("utf-8", "surrogatepass")
    if _is_plain(data):
        return _fence("http olv-tui request", head)
    readable = _fence("http", _escaped_all(head))
    return [*readable, "", "The same bytes:", "", *_fence("base64 olv-tui request", _base64(data))]


def _arguments(exchange: Exchange, tool: Tool | None) -> list[str]:
    """What the schema of the tool has against the arguments, where both are known."""
    if tool is None:
        return []
    from olv_tui.reports.against_schema import findings

    found = findings(exchange, tool)
    if found is None:
        return []
    lines = [f"- {code(one)}" for one in found] or ["The inputSchema that the server lists takes these arguments."]
    return ["## Arguments against the schema", "", *lines, ""]


def _body_fence(body: bytes, role: str) -> list[str]:
    """A body exactly: as text where every character of it can be seen, else in base64."""
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        text = ""
    if not text or _UNPLAIN.search(text) or escaped(text) != text:
        return _fence(f"base64 {role}", _base64(body))
    return _fence(f"{'json' if jsontext.parse(body).valid else 'text'} {role}", text)


def _base64(data: bytes) -> str:
    return binascii.b2a_base64(data, newline=False).decode("ascii")


def _answer(exchange: Exchange) -> list[str]:
    """The message that came, else the body, else why there is none."""
    judgement = exchange.judgement
    response = exchange.reply.response if exchange.reply else None
    if response is None:
        return ["Nothing."]
    if response.spill is not None and not (judgement is not None and judgement.has_message):
        # What is cut is no answer that another one can be held against.
        head = _escaped_all(response.body[:LONGEST_ANSWER].decode("utf-8", "replace"))
        return [*_fence("text", head), "", told(exchange, for_others=True)]
    own = jsontext.parse(response.body)
    if own.valid and _is_plain(response.body):
        return _shown(response.body, "json")
    if judgement is not None and judgement.has_message and (own.valid or judgement.frame is not None):
        # Inside strings, the only place where they can stand, JSON reads the escapes back.
        text = escaped(jsontext.dumps(judgement.message))
        return _shown(text.encode("utf-8", "surrogatepass"), "json")
    return [*_shown(response.body, "text"), *_said(response)]


def _is_plain(body: bytes) -> bool:
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return not _UNPLAIN.search(text) and escaped(text) == text


def _shown(body: bytes, form: str) -> list[str]:
    if len(body) > LONGEST_ANSWER:
        head = body[:LONGEST_ANSWER].decode("utf-8", "replace")
        return [*_fence("text", _escaped_all(head)), "", f"The answer has {len(body)} bytes; the rest is left out."]
    if form == "json":
        return _fence("json olv-tui answer", body.decode("utf-8", "replace"))
    if _is_plain(body):
        return _fence("text olv-tui answer", body.decode("utf-8"))
    readable = _fence("text", _escaped_all(body.decode("utf-8", "replace")))
    return [*readable, "", "The same bytes:", "", *_body_fence(body, "olv-tui answer")]


def _said(response: WireResponse) -> list[str]:
    media = response.header("content-type")
    return ["", f"Content-Type: {code(media)}"] if media else ["", "No Content-Type."]


def _findings(judgement: Judgement) -> list[str]:
    lines = []
    for found in judgement.violations:
        place = f" at {code(found.place)}" if found.place else ""
        lines.append(f"- {code(found.code)} {found.severity}: {code(found.message)}{place}")
    return lines


def _warnings(exchange: Exchange) -> tuple[str, ...]:
    response = exchange.reply.response if exchange.reply else None
    if response is not None and len(response.body) > LONGEST_ANSWER:
        return ("The answer is too long for a report and was cut; the record (--as json) holds all of it.",)
    return ()


# --------------------------------------------------------------------------- Markdown


def code(text: str) -> str:
    """A code span that holds any text on one line (CommonMark 0.31, 6.1)."""
    plain = _escaped_all(text).replace("\n", "\\n").replace("\t", "\\t")
    plain = plain if len(plain) <= 300 else plain[:299] + "…"
    if not plain:
        return "(nothing)"
    ticks = "`" * (max((len(run) for run in re.findall("`+", plain)), default=0) + 1)
    pad = " " if plain.startswith("`") or plain.endswith("`") or plain.strip() == "" else ""
    return f"{ticks}{pad}{plain}{pad}{ticks}"


def _fence(info: str, text: str) -> list[str]:
    """A fenced block; its fence is longer than any run of backticks inside."""
    ticks = "`" * max(3, max((len(run) for run in re.findall("`+", text)), default=0) + 1)
    return [f"{ticks}{info}", text, ticks]


def _escaped_all(text: str) -> str:
    return escaped(_UNPLAIN.sub(lambda match: f"\\u{ord(match[0]):04x}", text))


def _label(verdict: Verdict) -> str:
    return _LABELS.get(verdict, verdict.value.replace("_", " "))
