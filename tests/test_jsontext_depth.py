"""Indented JSON of any depth stays in proportion to the JSON, and loses nothing."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from olv_tui.jsontext import dumps, loads, parse, pretty
from olv_tui.jsontext.writer import INDENTED

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s"]+')

# Every way that was found to make a nested text look flat: brackets and quotes in strings, escaped
# quotes and backslashes, siblings before and behind, empty strings, names.
OPENERS = ["[", '{"a":', '["]]]",', '["\\"]",', '["\\\\",', '{"]\\"}":', "[[],", '{"":{},"":', '["[",', '["","",']


def closers(openers: list[str]) -> str:
    return "".join("]" if opener[0] == "[" else "}" for opener in reversed(openers))


def without_blanks(text: str) -> str:
    """The text with the blanks outside of its strings taken out."""
    return "".join(_TOKEN.findall(text))


@given(st.lists(st.sampled_from(OPENERS), max_size=120), st.integers(1, 30))
def test_every_line_is_indented_by_its_level_down_to_forty_and_the_tokens_are_those_of_the_text(
    openers: list[str], often: int
) -> None:
    text = "[" + ",".join(["".join(openers) + "0" + closers(openers)] * often) + "]"
    indented = pretty(text.encode())
    assert indented is not None
    shown = indented.decode()
    assert without_blanks(shown) == text
    assert max(len(line) - len(line.lstrip()) for line in shown.split("\n")) == 2 * min(len(openers) + 1, INDENTED)
    assert dumps(loads(text), indent=2) == shown
    if len(openers) < INDENTED:
        assert shown == json.dumps(json.loads(text, object_pairs_hook=_Pairs), indent=2)


class _Pairs(dict[str, object]):
    """An object whose members json writes as they were read, twins included."""

    def __init__(self, pairs: list[tuple[str, object]]) -> None:
        super().__init__(pairs)
        self._pairs = pairs

    def items(self) -> object:  # type: ignore[override]
        return self._pairs


@pytest.mark.parametrize("opener", OPENERS)
@pytest.mark.parametrize("depth", [900, 20_000])
def test_a_deep_text_grows_by_a_factor_only(opener: str, depth: int) -> None:
    """900 levels are few enough for the fast formatter, which indents every level."""
    text = opener * depth + "0" + closers([opener] * depth)
    indented = pretty(text.encode())
    assert indented is not None
    assert len(indented) < 3 * (2 * INDENTED + 2) * len(text)
    assert without_blanks(indented.decode()) == text


def test_a_deep_value_is_written_in_proportion() -> None:
    text = '{"k":[' * 10_000 + "0" + "]}" * 10_000
    assert len(dumps(parse(text.encode()).value, indent=2)) < 100 * len(text)


@pytest.mark.parametrize("tail", ["", '"', "]" * 5_000, '""]' * 900, "\\"])
def test_a_deep_beginning_of_a_broken_text_is_not_indented_at_all(tail: str) -> None:
    assert pretty((("[" * 900 + "0,") + tail).encode()) is None
