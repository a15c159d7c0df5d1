"""The bug report tells what was expected and where the answer is another one."""

from __future__ import annotations

from olv_tui.redact import Redactor
from olv_tui.reports.read import read_report
from olv_tui.reports.write import export
from tests.reports.made import BODY, exchange

REDACTOR = Redactor(b"k" * 32)
EXPECTED = '{"jsonrpc":"2.0","id":7,"error":{"code":-32000,"message":"gone"}}'


def test_a_report_shows_the_expected_answer_against_the_actual_one_and_reads_back() -> None:
    text = export(exchange(), "report", REDACTOR, expected=EXPECTED).text
    assert "## What was expected" in text
    assert "## Expected against actual" in text
    assert "Different:" in text
    assert "/error" in text
    call = read_report(text).calls[0]
    assert call.body == BODY
    assert call.expected is not None
    assert b"-32000" not in call.expected, "what came is what a replay is held against"


def test_words_for_what_was_expected_are_not_compared() -> None:
    text = export(exchange(), "report", REDACTOR, expected="it should list three worlds").text
    assert "it should list three worlds" in text
    assert "## Expected against actual" not in text
