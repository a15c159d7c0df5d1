"""JSONPath over an answer: what is found stands there exactly as it came."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from olv_tui import jsontext
from olv_tui.jsontext.spans import spans
from olv_tui.view.filtering import MOST, filtered, problem_of
from olv_tui.view.outline import json_path

TEXT = (
    '{"worlds":[{"id":1,"name":"a"},{"id":9007199254740993,"name":"ab","x":1.50},{"id":4}],'
    '"odd name":{"a":1,"a":2e400},"it\'s":"\\u0041"}'
)


def found(query: str, text: str = TEXT) -> list[str]:
    result = filtered(text, query)
    assert result.problem == ""
    return [match.text for match in result.matches]


@pytest.mark.parametrize(
    ("query", "texts"),
    [
        ("$.worlds[*].name", ['"a"', '"ab"']),
        ("worlds[-1].id", ["4"]),
        ("..x", ["1.50"]),
        (" ['odd name'].a ", ["2e400"]),
        ("$.worlds[?@.id == 9007199254740993].name", ['"ab"']),
        ("$.worlds[?@.id == 9007199254740992].name", []),
        ("$.worlds[?@.id == 1.0].name", ['"a"']),
        ("$.worlds[?match(@.name, 'a.*')].id", ["1", "9007199254740993"]),
        ("$.worlds[?search(@.name, 'b|c')].id", ["9007199254740993"]),
        ("$.worlds[?length(@.name) == 2].x", ["1.50"]),
        ('$["it\'s"]', ['"\\u0041"']),
        ("$.nothing", []),
    ],
)
def test_a_query_gives_the_text_as_it_stands(query: str, texts: list[str]) -> None:
    assert found(query) == texts


def test_no_query_is_the_whole_answer() -> None:
    assert found("") == [TEXT]


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("$.worlds[?", "unexpected end"),
        ("a b", "column 3"),
        ("$.a[", "at the end: "),
        ("$..[?@.x", "at the end: "),
        ("$.worlds[01]", "column 10: leading zero"),
        ("$.x[?nosuch(@)]", "nosuch"),
        ("$" + "[?" * 3_000, ""),
    ],
)
def test_what_is_no_query_is_a_sentence_with_its_place(query: str, words: str) -> None:
    assert problem_of(query)
    assert words in problem_of(query)
    assert filtered(TEXT, query).problem == problem_of(query)


def test_a_pattern_that_could_run_for_ever_is_not_tried() -> None:
    told = filtered('{"a":["' + "a" * 5_000 + '!"]}', "$.a[?match(@, '(a+)+$')]").problem
    assert "may take too long" in told


def test_more_matches_than_are_shown_are_told() -> None:
    result = filtered(json.dumps(list(range(MOST + 1))), "$[*]")
    assert result.more
    assert result.told == f"more than {MOST:,} matches"
    assert len(result.matches) == MOST


@pytest.mark.parametrize("text", ["", "<html>", "[" * 50_000 + "]" * 50_000, "[NaN"])
def test_an_answer_that_cannot_be_read_is_a_sentence(text: str) -> None:
    assert filtered(text, "$..a").problem.startswith("nothing can be found")


def test_an_integer_of_5000_digits_is_found_with_all_of_them() -> None:
    assert found("$.a", '{"a":' + "7" * 5_000 + "}") == ["7" * 5_000]


_TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=4)
"""Without control characters: the library takes no escape for one in a path."""
_VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | _TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_TEXTS, inner, max_size=4),
    max_leaves=12,
)


@given(_VALUES)
def test_every_place_has_a_path_that_leads_back_to_it(value: Any) -> None:
    text = json.dumps(value)
    for match in filtered(text, "$..*").matches:
        again = filtered(text, json_path(match.steps))
        assert [(one.steps, one.text) for one in again.matches] == [(match.steps, match.text)]


@given(_VALUES, st.sampled_from([None, 2]))
def test_many_places_found_at_once_are_those_found_one_by_one(value: Any, indent: int | None) -> None:
    text = json.dumps(value, indent=indent)
    ways = [match.steps for match in filtered(text, "$..*").matches]
    assert spans(text, [(), *ways]) == {way: jsontext.span(text, jsontext.pointer(way)) for way in [(), *ways]}


def test_a_query_that_would_take_hours_ends_when_nobody_wants_it() -> None:
    text = json.dumps([{"n": number} for number in range(2_000)])
    for query in ("$..[?$..[?$..[?@.n == -1]]]", "$" + "..*" * 9 + ".zz"):
        asked = iter([False] * 999)
        found = filtered(text, query, lambda asked=asked: next(asked, True))  # type: ignore[misc]
        assert found.problem == "ended"
    assert len(filtered(text, "$..[?@.n == 1999]").matches) == 1


def test_a_deep_answer_is_searched_or_the_reason_is_told() -> None:
    deep = '{"a":' * 300 + "1" + "}" * 300
    assert len(filtered(deep, "$..a").matches) == 300
    deeper = '{"a":' * 600 + "1" + "}" * 600
    assert "the answer is nested too deep" in filtered(deeper, "$..a").problem
    assert "the query is nested too deep" in filtered("{}", "$" + "[?@" * 400 + "]" * 400).problem
