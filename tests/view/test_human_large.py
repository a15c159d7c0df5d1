"""What is printed of an answer of any size: its beginning, what is left out, and how it is had in full."""

from __future__ import annotations

import re
import tracemalloc

import pytest

from olv_tui.jsontext import dumps, opening
from olv_tui.model import Exchange, Verdict
from olv_tui.view.decoded import decoded_lines
from olv_tui.view.human import BLOCK, exchange_parts, exchange_text
from tests.view.exchanges import FOUND, exchange, value

HUGE = 20_000_000


def result(inner: str, **told: object) -> Exchange:
    return exchange(Verdict.RESULT, '{"jsonrpc":"2.0","id":5,"result":{' + inner + "}}", **told)  # type: ignore[arg-type]


def text_block(text: str) -> str:
    return '"content":[{"type":"text","text":"' + text + '"}]'


ANSWERS = {
    "one line of text": lambda: result(text_block("x" * HUGE)),
    "lines of text": lambda: result(text_block("lorem ipsum\\n" * (HUGE // 13))),
    "text that is not ASCII": lambda: result(text_block("é" * (HUGE // 2))),
    "JSON in a text": lambda: result(text_block("[" + "1," * (HUGE // 2) + "1]")),
    "a string in structuredContent": lambda: result('"content":[],"structuredContent":"' + "x" * HUGE + '"'),
    "a list in structuredContent": lambda: result('"content":[],"structuredContent":[' + "1," * 500_000 + "1]"),
    "a long name": lambda: result('"content":[],"structuredContent":{"' + "x" * HUGE + '":1}'),
    "a long number": lambda: result('"content":[],"other":' + "1" * HUGE),
    "depth": lambda: result('"content":[],"structuredContent":' + "[" * 100_000 + "]" * 100_000),
    "no tool result": lambda: exchange(
        Verdict.RESULT, '{"id":5,"result":["' + "x" * HUGE + '"]}', method="resources/list"
    ),
    "many blocks": lambda: result('"content":[' + '{"type":"text","text":"x"},' * 200_000 + '{"type":"text"}]'),
    "a page of a proxy": lambda: exchange(
        Verdict.HTTP_ERROR, "é" * (HUGE // 2), headers=(("Content-Type", "text/html"),), has_message=False
    ),
    "bytes": lambda: exchange(Verdict.HTTP_ERROR, b"\xff" * HUGE, has_message=False),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_printing_takes_little_memory_and_says_what_is_left_out(name: str) -> None:
    one = ANSWERS[name]()
    tracemalloc.start()
    try:
        count = sum(len(part) for part in exchange_parts(one))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert count < 11 * BLOCK
    assert peak < 60 * BLOCK, f"{peak:,}"
    assert re.search(r"^\.\.\. .+ left out here: --json gives it in full$", exchange_text(one), re.MULTILINE)


def test_of_a_long_text_the_beginning_stands_there_and_the_rest_is_counted() -> None:
    lines = exchange_text(result(text_block("a" * BLOCK + "b" * 1234))).split("\n")
    assert "a" * BLOCK in lines
    assert lines[-1] == "... 1,234 more characters of this text are left out here: --json gives it in full"


def test_a_character_is_never_cut_in_two() -> None:
    for shift in range(4):
        one = exchange(Verdict.HTTP_ERROR, "a" * (BLOCK - shift) + "\U0001f642" * 10, has_message=False)
        text = exchange_text(one)
        assert "�" not in text
        assert "more bytes are left out here" in text


def test_an_answer_that_fits_is_printed_as_the_screen_shows_it() -> None:
    one = result('"content":[{"type":"text","text":"{\\"a\\":[1,2]}"}],"structuredContent":{"b":{"c":[1.50]}}')
    assert exchange_text(one).endswith("\n\n" + decoded_lines(one).plain())


def test_findings_are_told_below_an_answer_that_was_too_long() -> None:
    blocks = ",".join('{"type":"text","text":"' + "x" * BLOCK + '"}' for _ in range(30))
    text = exchange_text(result(f'"content":[{blocks}]', violations=(FOUND,)))
    assert "... the rest of the answer is left out here" in text
    assert text.index("left out here") < text.index("R07 error")


def test_control_characters_in_a_long_answer_are_shown_and_not_sent() -> None:
    text = exchange_text(result(text_block("\\u001b]52;c;eA==\\u0007\\u202e" * 20_000)))
    assert "\x1b" not in text
    assert "\x07" not in text
    assert "\\u001b]52;c;eA==\\u0007\\u202e" in text


@pytest.mark.parametrize("indent", [None, 2])
def test_the_opening_of_json_is_the_beginning_of_all_of_it(indent: int | None) -> None:
    one = value('{"name":["a long text \\u0007",12345678901234567890,{"k":[]},null,true],"other":{}}')
    whole = dumps(one, indent=indent)
    for limit in range(len(whole) + 2):
        assert opening(one, limit, indent=indent) == (whole[:limit], limit >= len(whole))
