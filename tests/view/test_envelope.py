"""Envelope text edited member by member: only what is meant changes."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from olv_tui.view.bytetext import as_bytes, as_text
from olv_tui.view.envelope import (
    extras,
    members,
    own_headers,
    set_member,
    value_in,
    with_extras,
    with_member,
    with_value,
    without_member,
)

CALL = '{"jsonrpc":"2.0","id":1.0,"method":"x","params":{"a": 1.50, "b" :[{}],"a":2e0}}'
LAID = '{\n  "jsonrpc": "2.0",\n  "id": 7\n}'


def test_members_are_told_with_their_duplicates_and_places() -> None:
    found = members(CALL, "/params")
    assert found is not None
    assert [(one.name, CALL[one.value : one.end]) for one in found] == [("a", "1.50"), ("b", "[{}]"), ("a", "2e0")]
    assert [CALL[one.start : one.end] for one in found][1] == '"b" :[{}]'


@pytest.mark.parametrize("text", ["", "[1]", '"x"', '{"a":', "no", "\ufeff{}", '{"a":1,}'])
def test_what_is_no_object_has_no_members(text: str) -> None:
    assert members(text) is None
    assert with_member(text, "", "b", "1") is None
    assert without_member(text, "", "a") is None
    assert set_member(text, "id", "1") is None


@pytest.mark.parametrize(
    ("name", "left"),
    [
        ("jsonrpc", '{"id":1.0,"method":"x"}'),
        ("id", '{"jsonrpc":"2.0","method":"x"}'),
        ("method", '{"jsonrpc":"2.0","id":1.0}'),
    ],
)
def test_a_member_goes_with_its_comma(name: str, left: str) -> None:
    assert without_member('{"jsonrpc":"2.0","id":1.0,"method":"x"}', "", name) == left


def test_every_duplicate_goes_with_its_name() -> None:
    assert without_member(CALL, "/params", "a") == CALL.replace('"a": 1.50, ', "").replace(',"a":2e0', "")


def test_the_only_member_leaves_an_empty_object() -> None:
    assert without_member('{ "a" : 1 }', "", "a") == "{  }"


def test_a_new_member_is_laid_out_like_the_one_before_it() -> None:
    assert with_member(LAID, "", "method", '"x"') == '{\n  "jsonrpc": "2.0",\n  "id": 7,\n  "method": "x"\n}'
    assert with_member(LAID, "", "a", "1", after="") == '{\n  "a": 1,\n  "jsonrpc": "2.0",\n  "id": 7\n}'
    assert with_member("{}", "", "a", "1") == '{"a":1}'


def test_an_id_that_is_put_back_stands_after_jsonrpc() -> None:
    text = without_member(CALL, "", "id")
    assert text is not None
    assert set_member(text, "id", "1.0") == CALL
    text = without_member(CALL, "", "jsonrpc")
    assert text is not None
    assert set_member(text, "jsonrpc", '"2.0"') == CALL


def test_a_value_set_twice_is_set_in_the_last_of_the_duplicates() -> None:
    assert with_value(CALL, "/params/a", "3") == CALL.replace("2e0", "3")
    assert value_in(CALL, "/params/a") == "2e0"
    assert with_value(CALL, "/params/none", "3") is None


def test_taking_out_what_is_not_there_changes_nothing() -> None:
    assert set_member('{"a":1}', "id", None) == '{"a":1}'


def test_further_members_are_replaced_as_they_are_typed() -> None:
    text = '{"jsonrpc":"2.0","x":1,"id":1,"x":  2.0,"y":[1]}'
    assert extras(text) == '"x":1,"x":  2.0,"y":[1]'
    assert with_extras(text, '"z" : 1e0') == '{"jsonrpc":"2.0","id":1,"z" : 1e0}'
    assert with_extras(text, "  ") == '{"jsonrpc":"2.0","id":1}'
    assert with_extras('{"x":1}', '"y":2') == '{"y":2}'
    assert with_extras("[]", '"y":2') is None


def test_headers_of_its_own_are_those_that_differ_from_the_usual_ones() -> None:
    usual = (("Accept", "a"), ("User-Agent", "2"), ("X", "1"), ("Mcp-Session-Id", "s"))
    sent = (("accept", "b"), ("User-Agent", "1"), ("X", "1"), ("X", "2"))
    assert own_headers(sent, usual, ("user-agent",)) == ((("accept", "b"), ("X", "2")), ("Mcp-Session-Id",))
    assert own_headers(usual, usual, ()) == ((), ())


@given(st.binary(max_size=60))
def test_any_bytes_survive_being_text(body: bytes) -> None:
    assert as_bytes(as_text(body)) == body


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(max_size=4), JSON, max_size=5), st.text(max_size=4), st.sampled_from([None, 2]))
def test_adding_and_taking_out_a_member_leaves_the_others(
    value: dict[str, object], name: str, indent: int | None
) -> None:
    text = json.dumps(value, indent=indent)
    added = with_member(text, "", name, "17")
    assert added is not None
    assert json.loads(added) == {**value, name: 17}
    taken = without_member(added, "", name)
    assert taken is not None
    assert json.loads(taken) == {key: one for key, one in value.items() if key != name}
