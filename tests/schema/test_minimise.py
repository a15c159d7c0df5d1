"""Delta debugging of JSON texts: the smallest one, exact, within the calls agreed on."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from olv_tui import jsontext
from olv_tui.schema.minimise import Minimum, Progress, minimise
from tests.search import examples

BIG = {
    "query": "a long sentence " * 20,
    "limit": 9999,
    "filters": [{"kind": "tag", "value": "x" * 50}, {"kind": "range", "low": 1, "high": 1.5e3}, {"kind": "bad"}],
    "extra": {"deep": {"deeper": [1, 2, {"deepest": "here"}]}, "other": None},
}


async def smallest(text: str, holds: Callable[[Any], bool], most: int = 60) -> tuple[Minimum, list[str]]:
    asked: list[str] = []

    async def same(candidate: str) -> bool:
        asked.append(candidate)
        return holds(json.loads(candidate))

    return await minimise(text, same, most=most), asked


def has_bad(value: Any) -> bool:
    return any(one.get("kind") == "bad" for one in value.get("filters", []))


@pytest.mark.parametrize(
    ("holds", "wanted"),
    [
        (lambda value: value.get("limit", 0) > 2000, {"limit": 2499}),
        (has_bad, {"filters": [{"kind": "bad"}]}),
        (lambda value: "limit" in value and "extra" in value, {"limit": 0, "extra": {}}),
        (lambda value: len(value.get("query", "")) > 100, {"query": "e" * 101}),
        (lambda _: True, {}),
        (lambda value: value == BIG, BIG),
        (lambda value: "deepest" in json.dumps(value), {"extra": {"deep": {"deeper": [{"deepest": ""}]}}}),
    ],
)
async def test_what_is_not_needed_goes(holds: Callable[[Any], bool], wanted: Any) -> None:
    found, asked = await smallest(json.dumps(BIG, indent=2), holds, most=1_000)
    value = json.loads(found.text)
    if "query" in wanted and value != BIG:
        value["query"] = "e" * len(value["query"])
    assert value == wanted
    assert found.is_least
    assert found.calls == len(asked) == len(set(asked)), "no text is asked about twice"


async def test_what_stays_is_exact_and_duplicates_are_told_apart() -> None:
    text = '{"a": 1.50e1, "b": "\\u00e9\\ud83d\\ude00", "a": 12345678901234567890.10}'

    async def same(candidate: str) -> bool:
        return "12345678901234567890.10" in candidate and "\\ud83d\\ude00" in candidate

    found = await minimise(text, same)
    assert found.text == '{"b": "\\ud83d\\ude00", "a": 12345678901234567890.10}'


async def test_the_calls_agreed_on_are_never_exceeded_and_what_was_found_is_given_back() -> None:
    for most in (0, 1, 5, 10):
        found, asked = await smallest(json.dumps(BIG), has_bad, most=most)
        assert len(asked) == found.calls <= most
        assert not found.is_least
        assert has_bad(json.loads(found.text))


async def test_every_call_is_told_with_the_sizes_and_a_fault_comes_through() -> None:
    told: list[Progress] = []

    async def same(candidate: str) -> bool:
        if len(told) == 4:
            raise ConnectionError
        return has_bad(json.loads(candidate))

    with pytest.raises(ConnectionError):
        await minimise(json.dumps(BIG), same, tell=lambda progress, text: told.append(progress))
    assert [one.calls for one in told] == [1, 2, 3, 4]
    assert told[0].before == len(json.dumps(BIG))
    assert told[-1].now < told[0].before


async def test_of_a_list_and_of_a_text_nothing_is_left_that_could_go() -> None:
    given = {"l": [*range(10, 40)], "t": "".join(chr(0x4E00 + at) for at in range(90))}

    def holds(value: Any) -> bool:
        wanted = {13, 14, 38} <= {*value.get("l", [])}
        return wanted and all(letter in value.get("t", "") for letter in "\u4e03\u4e35\u4e36\u4e59")

    found, _ = await smallest(json.dumps(given, ensure_ascii=False), holds, most=1_000)
    assert found.is_least
    assert json.loads(found.text) == {"l": [13, 14, 38], "t": "\u4e03\u4e35\u4e36\u4e59"}


async def test_a_typical_report_needs_few_calls() -> None:
    found, _ = await smallest(json.dumps(BIG), lambda value: value.get("limit", 0) > 2000)
    assert found.is_least
    assert found.calls < 25


values = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99999) | st.text('ab"\\é', max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("xyz", max_size=2), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=examples(60), deadline=None)
@given(st.dictionaries(st.text("abc", max_size=2), values, max_size=5), st.sampled_from(["9", "a", "null", "[", "x"]))
async def test_whatever_is_asked_it_ends_sound_and_nothing_more_can_go(value: Any, needle: str) -> None:
    text = json.dumps(value, ensure_ascii=False)
    if needle not in text:
        return
    seen: list[str] = []

    async def same(candidate: str) -> bool:
        jsontext.loads(candidate)
        seen.append(candidate)
        return needle in candidate

    found = await minimise(text, same, most=3000)
    assert found.is_least
    assert needle in found.text
    assert found.text == text or found.text in seen
    assert len(found.text) <= len(text)
