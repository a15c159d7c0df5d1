"""Where values end, found in steps: the same as a reader finds that takes all at once, with windows of a few bytes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from olv_tui.jsontext import extent
from olv_tui.jsontext.extent import Known, value_end

_TEXTS = st.one_of(
    st.text(max_size=12),
    st.sampled_from(["\\n" * 150, '"' * 90, "é😀" * 60, "x" * 400, "\\", '","', "},{", "]"]),
)
_VALUES: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), _TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=6), st.dictionaries(_TEXTS, inner, max_size=6)),
    max_leaves=40,
)
_TAILS = st.sampled_from([b"", b" ", b"\n ,1", b"]", b"}", b' , "x":1}'])


@pytest.fixture(autouse=True)
def _narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"WINDOW": 128, "PIECE": 16, "_FIRST": 48, "_ALONE": 1_000_000}.items():
        monkeypatch.setattr(extent, name, value)


@settings(max_examples=300, deadline=None)
@given(
    value=_VALUES.filter(lambda value: isinstance(value, list | dict | str)),
    tail=_TAILS,
    is_ascii=st.booleans(),
    indent=st.sampled_from([None, 1]),
)
def test_a_value_ends_where_its_text_ends_whatever_follows(
    value: Any, tail: bytes, is_ascii: bool, indent: int | None
) -> None:
    written = json.dumps(value, ensure_ascii=is_ascii, indent=indent)
    data = written.encode("utf-8", "surrogatepass")
    if b"\\ud" in data.lower():
        data = json.dumps(value, ensure_ascii=False, indent=indent).encode("utf-8", "replace")
    known: Known = {}
    assert value_end(data + tail, 0, len(data + tail), known) == len(data)
    for start, (end, members) in known.items():
        read = json.loads(data[start:end])
        for name, at, begin, stop in members or ():
            assert data[at : at + 1] == b'"'
            assert json.loads(data[begin:stop]) == read[name]


@settings(max_examples=300, deadline=None)
@given(
    value=_VALUES.filter(lambda value: isinstance(value, list | dict)),
    place=st.integers(0, 10_000),
    put=st.sampled_from([b"", b"x", b'"', b"\\", b"]", b",", b"}", b"-"]),
)
def test_what_is_taken_for_a_value_is_sound_json(value: Any, place: int, put: bytes) -> None:
    data = json.dumps(value).encode()
    at = place % len(data)
    broken = data[:at] + put + data[at + 1 :]
    end = value_end(broken, 0, len(broken), {})
    if end is not None:
        json.loads(broken[:end])


@pytest.mark.parametrize(
    "text",
    [
        '["' + "a" * 300 + '\\ud800 b"]',
        "[" + "1," * 200 + "]",
        '{"a":[' + "[1]," * 100 + "]}",
        "[" + '"b",' * 100 + "NaN]",
        '{"' + "k" * 300 + "\n" + '":1}',
    ],
)
def test_half_pairs_commas_before_a_bracket_and_words_that_are_no_json_have_no_end(text: str) -> None:
    assert value_end(text.encode(), 0, len(text), {}) is None


def test_a_run_of_escapes_is_cut_before_one_of_them_and_never_between_the_halves_of_a_pair() -> None:
    data = b'"' + rb"\ud83d\ude00" * 50 + b'"'
    for stop in range(20, 500):
        cut = extent.cut_string(data, 1, stop)
        assert (cut - 1) % 12 == 0
        assert stop - cut <= 12
