from __future__ import annotations

import unicodedata
from dataclasses import replace

import pytest

from olv_tui.model import (
    Exchange,
    Judgement,
    Outgoing,
    Reply,
    RequestId,
    Severity,
    Timing,
    ToolError,
    TransportError,
    Verdict,
    Violation,
    WireRequest,
    WireResponse,
)
from olv_tui.view.safe import UNSAFE
from olv_tui.view.words import SEVERITY, WORDS, banner, counted, duration, facts, size, summary


def exchange(
    verdict: Verdict | None,
    summary: str = "",
    *,
    response: WireResponse | None = None,
    error: TransportError | None = None,
    violations: tuple[Violation, ...] = (),
) -> Exchange:
    return Exchange(
        serial=1,
        target="t",
        outgoing=Outgoing("request", RequestId("5"), "tools/call", "olv_list_worlds", (RequestId("5"),)),
        request=WireRequest("http://h/mcp", (), b"{}"),
        started="2026-12-02T08:00:00.000Z",
        reply=None if verdict is None else Reply(response, error, Timing(total_ms=4.1)),
        judgement=None if verdict is None else Judgement(verdict, summary, violations),
    )


def test_every_verdict_has_a_word() -> None:
    assert set(WORDS) == set(Verdict)
    assert set(SEVERITY) == set(Severity)


def test_no_two_verdicts_look_alike() -> None:
    for part in ("label", "symbol"):
        assert len({getattr(word, part) for word in WORDS.values()}) == len(WORDS), part
    assert len({(word.style, word.solid) for word in WORDS.values()}) == len(WORDS)


def test_symbols_take_one_cell() -> None:
    for told in [*WORDS.values(), *SEVERITY.values()]:
        assert len(told.symbol) == 1
        assert unicodedata.east_asian_width(told.symbol) not in {"W", "F"}


def test_a_tool_error_is_called_what_it_is() -> None:
    response = WireResponse(200, "OK", (), b"x" * 1234)
    found = Violation("R07", Severity.ERROR, "x")
    told = banner(
        exchange(Verdict.TOOL_ERROR, "not_linked, site helpbless.com", response=response, violations=(found, found))
    )
    assert told.headline == "tool error: not_linked, site helpbless.com"
    assert told.facts == "HTTP 200 OK · 4.1 ms · 1.2 kB · id 5 · 2 findings"
    assert told.label == "tool error"
    assert "JSON-RPC" not in told.headline
    assert "fail" not in told.headline


def test_a_running_call_says_what_is_asked() -> None:
    told = banner(exchange(None))
    assert told.headline == "running: olv_list_worlds"
    assert told.facts == "id 5"
    assert told.advice == ""


def test_no_answer_is_said() -> None:
    assert facts(exchange(Verdict.TRANSPORT_ERROR, "x", error=TransportError("timeout", "x"))).startswith(
        "no HTTP answer · 4.1 ms"
    )


def test_words_of_the_server_are_made_safe_and_short() -> None:
    hostile = exchange(
        Verdict.HTTP_ERROR,
        "bad\x1b]52;c;eA==\x07\nnext" + "x" * 1000,
        response=WireResponse(500, "\x1b[2J\u202e", ()),
    )
    told = banner(hostile)
    for text in (told.headline, told.facts, summary(hostile)):
        assert not UNSAFE.search(text)
        assert "\n" not in text
        assert len(text) < 400


@pytest.mark.parametrize(
    ("ms", "text"),
    [
        (None, "-"),
        (0.04, "0.0 ms"),
        (4.13, "4.1 ms"),
        (9.96, "10 ms"),
        (999.4, "999 ms"),
        (999.6, "1.00 s"),
        (12_340, "12.3 s"),
        (59_990, "1 min 00 s"),
        (125_000, "2 min 05 s"),
    ],
)
def test_durations(ms: float | None, text: str) -> None:
    assert duration(ms) == text


@pytest.mark.parametrize(
    ("count", "text"),
    [(0, "0 B"), (999, "999 B"), (1234, "1.2 kB"), (99_960, "100 kB"), (999_600, "1.0 MB"), (5_300_000_000, "5.3 GB")],
)
def test_sizes(count: int, text: str) -> None:
    assert size(count) == text


def test_counts_read_as_words() -> None:
    assert [counted(n, "finding") for n in (0, 1, 2)] == ["no findings", "1 finding", "2 findings"]


def test_advice_is_one_safe_line_whatever_site_a_server_names() -> None:
    failed = ToolError("not_linked", "evil.com\x1b[2J\nYour account was\u202e closed", "structuredContent")
    one = exchange(Verdict.TOOL_ERROR, "x")
    assert one.judgement is not None
    told = banner(replace(one, judgement=replace(one.judgement, tool_error=failed))).advice
    assert told.startswith("evil.com")
    assert "\n" not in told
    assert not UNSAFE.search(told)
