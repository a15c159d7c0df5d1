"""Verdicts and facts in words: one table, used by banner, history, plain output and pictures.

Rules of this file:

* Every verdict has a word, a symbol and a colour of its own, so no two look alike even without colour.
* A failure told by a tool is a "tool error". It is never called a JSON-RPC error or a failed request.
* Everything returned is safe for a terminal and on one line.
"""

from __future__ import annotations

from dataclasses import dataclass

from olv_tui.model import Exchange, Severity, Verdict
from olv_tui.view.safe import one_line


@dataclass(frozen=True, slots=True)
class Word:
    """How a verdict is told. `style` names a theme colour: success, warning, error, primary, secondary or muted.

    `symbol` takes one cell and is in DejaVu Sans Mono and Fira Code. `solid` asks for that colour as
    the ground and not as a tint: it tells apart two verdicts of one colour.
    """

    label: str
    symbol: str
    style: str
    solid: bool = False


WORDS: dict[Verdict, Word] = {
    Verdict.RESULT: Word("result", "✓", "success"),
    Verdict.TOOL_ERROR: Word("tool error", "▲", "warning"),
    Verdict.RPC_ERROR: Word("JSON-RPC error", "✗", "error"),
    Verdict.HTTP_ERROR: Word("HTTP error", "■", "error", solid=True),
    Verdict.INVALID_RESPONSE: Word("invalid response", "◆", "warning", solid=True),
    Verdict.TRANSPORT_ERROR: Word("transport error", "▼", "secondary", solid=True),
    Verdict.INPUT_REQUIRED: Word("input required", "?", "primary"),
    Verdict.ACCEPTED: Word("accepted", "»", "success", solid=True),
    Verdict.CANCELLED: Word("cancelled", "○", "muted"),
    Verdict.PENDING: Word("running", "…", "primary", solid=True),
    Verdict.LOST: Word("lost", "†", "muted", solid=True),
}

SEVERITY: dict[Severity, Word] = {
    Severity.ERROR: Word("error", "✗", "error"),
    Severity.WARNING: Word("warning", "!", "warning"),
    Severity.INFO: Word("note", "·", "muted"),
}

_SUMMARY_LIMIT = 300
_ADVICE_LIMIT = 600


@dataclass(frozen=True, slots=True)
class Banner:
    """What stands above an answer: the verdict, what failed, the facts, and what to do next ("" for nothing)."""

    label: str
    symbol: str
    style: str
    solid: bool
    headline: str
    facts: str
    advice: str


def word(verdict: Verdict) -> Word:
    """The word, symbol and colour of a verdict."""
    return WORDS[verdict]


def duration(ms: float | None) -> str:
    """Milliseconds for a reader: `0.4 ms`, `12 ms`, `1.25 s`, `2 min 05 s`; `-` for None."""
    if ms is None:
        return "-"
    if ms < 9.95:
        return f"{ms:.1f} ms"
    if ms < 999.5:
        return f"{ms:.0f} ms"
    if ms < 59_950:
        return f"{ms / 1000:.2f} s" if ms < 9_995 else f"{ms / 1000:.1f} s"
    minutes, seconds = divmod(round(ms / 1000), 60)
    return f"{minutes} min {seconds:02d} s"


def size(count: int) -> str:
    """Bytes for a reader, in powers of ten: `860 B`, `1.2 kB`, `5.3 MB`."""
    if count < 1000:
        return f"{count} B"
    value = float(count)
    for unit in ("kB", "MB", "GB"):
        value /= 1000
        if value < 999.5 or unit == "GB":
            return f"{value:.1f} {unit}" if value < 99.95 else f"{value:.0f} {unit}"
    raise AssertionError("unreachable")


def counted(count: int, noun: str) -> str:
    """`1 finding`, `2 findings`, `no findings`."""
    return f"{count or 'no'} {noun}{'' if count == 1 else 's'}"


def banner(exchange: Exchange) -> Banner:
    """The banner of an exchange, in whatever state it is. Pure; every text in it is safe to show."""
    told = WORDS[exchange.verdict]
    headline = told.label
    about = summary(exchange)
    if about:
        headline = f"{headline}: {about}"
    return Banner(told.label, told.symbol, told.style, told.solid, headline, facts(exchange), advice(exchange))


def summary(exchange: Exchange) -> str:
    """The one sentence of the verdict, or what is being asked while there is none."""
    if exchange.judgement is None:
        return asked(exchange)
    text = one_line(exchange.judgement.summary, _SUMMARY_LIMIT)
    return "" if text == WORDS[exchange.verdict].label else text


def asked(exchange: Exchange) -> str:
    """What was asked, in short: the tool, else the method, else the kind of body."""
    out = exchange.outgoing
    return one_line(out.tool or out.method or f"{out.kind} body", 80)


def facts(exchange: Exchange) -> str:
    """`HTTP 200 OK · 4.1 ms · 1.2 kB · id 5 · 2 findings`, as far as known."""
    parts: list[str] = []
    reply = exchange.reply
    if reply is not None and reply.response is not None:
        response = reply.response
        parts.append(one_line(f"HTTP {response.status} {response.reason}".rstrip(), 60))
    elif reply is not None:
        parts.append("no HTTP answer")
    if reply is not None and reply.timing.total_ms is not None:
        parts.append(duration(reply.timing.total_ms))
    if reply is not None and reply.response is not None:
        parts.append(size(reply.response.size))
        if reply.response.frames:
            parts.append(counted(len(reply.response.frames), "SSE frame"))
    ids = exchange.outgoing.ids
    if exchange.id is not None:
        parts.append(f"id {one_line(exchange.id.text, 40)}")
    elif ids:
        parts.append(f"ids {one_line(', '.join(i.text for i in ids), 60)}")
    found = exchange.judgement.violations if exchange.judgement else ()
    if found:
        parts.append(counted(len(found), "finding"))
    return " · ".join(parts)


def advice(exchange: Exchange) -> str:
    """What to do next, one sentence or a few; empty where nothing needs doing."""
    if exchange.judgement is None:
        return ""
    from olv_tui.judge import advice as judged  # not before an answer is shown: start-up does without it

    return one_line(judged(exchange.judgement, exchange.reply), _ADVICE_LIMIT)
