from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from olv_tui.view.safe import UNSAFE, normal_breaks, one_line, visible

ANY_TEXT = st.text(st.characters())  # surrogates included
PAYLOADS = [
    "\x1b]52;c;cHduZWQ=\x1b\\",
    "\x1b[2J",
    "\x9b31m",
    "\x9d8;;http://evil\x9c",
    "a\x00b\x0ec",
    "\x07\x08\x0b\x0c\x7f",
    "user\u202etxt.exe",
    "\u2066x\u2069",
    "a\u200bb\ufeffc",
    "\ud800",
    "\U000e0041\U000e0042",
    "\xad\u180e\u2060\u2064\ufff9\u3164\ufe01",
]


@given(ANY_TEXT)
def test_nothing_unsafe_is_left(text: str) -> None:
    assert not UNSAFE.search(visible(text))
    assert not UNSAFE.search(one_line(text))


@given(ANY_TEXT)
def test_safe_text_is_left_alone(text: str) -> None:
    once = visible(text)
    assert visible(once) is once


@given(ANY_TEXT)
def test_safe_text_can_be_encoded(text: str) -> None:
    visible(text).encode("utf-8")


@given(ANY_TEXT, st.integers(0, 20))
def test_one_line_is_one_line_within_its_limit(text: str, limit: int) -> None:
    line = one_line(text, limit)
    assert len(line) <= limit
    assert len(line.splitlines()) <= 1
    assert "\t" not in line


@pytest.mark.parametrize("payload", PAYLOADS)
def test_payloads_are_shown_not_hidden(payload: str) -> None:
    assert "\\u" in visible(payload).lower()
    assert visible(payload).isprintable()


def test_controls_are_written_as_escapes() -> None:
    assert visible("\x1b[31mred") == "\\u001b[31mred"
    assert visible("\x9b") == "\\u009b"
    assert visible("\U000e0041") == "\\U000e0041"
    assert visible("\ud83d") == "\\ud83d"


def test_line_breaks_and_tabs_stay_in_text_of_several_lines() -> None:
    assert visible("a\n\tb") == "a\n\tb"
    assert visible("a\r\nb") == "a\\u000d\nb"


@pytest.mark.parametrize("text", ["👨👩👧", "❤️", "日本語", "naïve", "e\u0301", "שלום", "🇫🇷"])
def test_languages_and_emoji_stay_as_they_are(text: str) -> None:
    assert visible(text) == text


def test_what_joins_characters_is_shown_since_nobody_knows_how_wide_they_are_then() -> None:
    assert visible("👩\u200d🚀") == "👩\\u200d🚀"
    assert visible("👍\U0001f3fd") == "👍\\U0001f3fd"
    assert one_line("a\u200db") == "a\\u200db"


def test_every_control_and_format_character_is_caught() -> None:
    kept = {"\n", "\t"}
    missed = [
        f"{code:x}"
        for code in range(0x3000)
        if unicodedata.category(chr(code)) in {"Cc", "Cf", "Zl", "Zp"}
        and chr(code) not in kept
        and not UNSAFE.match(chr(code))
        and not 0x600 <= code <= 0x8FF  # Arabic and Syriac number signs: they have a glyph
    ]
    assert missed == []


def test_one_line_shows_breaks_and_tabs() -> None:
    assert one_line("a\r\nb\tc\nd") == "a⏎b→c⏎d"


def test_a_cut_is_marked() -> None:
    assert one_line("abcdef", 4) == "abc…"
    assert one_line("abcd", 4) == "abcd"
    assert one_line("abc\x1bdef", 5) == "abc\\…"


def test_a_huge_value_costs_only_what_is_shown() -> None:
    assert one_line("\x1b" * 5_000_000, 10) == "\\u001b\\u0…"


def test_line_ends_of_every_kind_become_one() -> None:
    assert normal_breaks("a\r\nb\rc\nd") == "a\nb\nc\nd"
