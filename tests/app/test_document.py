"""Arguments and envelope as two views of one document."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from olv_tui.widgets.document import arguments_in, finding, id_in, same_call, with_arguments, with_id

CALL = '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"t","arguments":{"a":  1.50}}}'


def test_arguments_are_cut_out_character_for_character() -> None:
    assert arguments_in(CALL, "t") == ('{"a":  1.50}', "")


@pytest.mark.parametrize(
    ("envelope", "why"),
    [
        ("{", "no JSON"),
        ("[]", "no object"),
        ('{"method":"ping"}', "not tools/call"),
        ('{"method":"tools/call","params":[]}', "params are no object"),
        (CALL.replace('"t"', '"other"'), "another tool"),
        (CALL.replace('"t"', "7"), "another tool"),
        (CALL.replace('{"a":  1.50}', "[1]"), "arguments are no object"),
        (CALL.replace('"arguments"', '"args"'), "arguments are no object"),
    ],
)
def test_an_envelope_without_arguments_of_the_tool_says_why(envelope: str, why: str) -> None:
    found, said = arguments_in(envelope, "t")
    assert found is None
    assert why in said


def test_arguments_and_id_are_put_in_their_places_and_nothing_else_changes() -> None:
    assert with_arguments(CALL, "{}") == CALL.replace('{"a":  1.50}', "{}")
    assert with_id(CALL, '"x"') == CALL.replace('"id":7', '"id":"x"')


@pytest.mark.parametrize("envelope", ["", "{", "nonsense", '{"method":"ping"}', "[1]"])
def test_an_envelope_without_the_place_stays_as_it_is(envelope: str) -> None:
    assert with_arguments(envelope, "{}") == envelope
    assert with_id(envelope, "9") == envelope
    assert id_in(envelope) is None


def test_the_id_is_read_as_it_is_written() -> None:
    assert id_in(CALL) == "7"
    assert id_in(CALL.replace(":7", ": 1.0")) == "1.0"
    assert id_in(CALL.replace(":7", ':"7"')) == '"7"'


def test_an_id_that_the_program_chose_makes_no_difference_to_the_call() -> None:
    other = with_id(CALL, "8")
    assert same_call(CALL, other, auto_id="7")
    assert not same_call(CALL, other, auto_id="5"), "an id typed by hand is part of the call"
    assert not same_call(CALL, other, auto_id=None)


def test_a_member_more_or_a_duplicate_makes_another_call() -> None:
    assert not same_call(CALL.replace("{", '{"x":1,', 1), CALL, auto_id="7")
    assert not same_call(CALL.replace("{", '{"id":7,', 1), CALL, auto_id="7")
    assert not same_call("{", CALL, auto_id="7")


def test_a_finding_has_line_and_column() -> None:
    assert finding('{"a": 1}') == ""
    assert "line 2, column" in finding('{"a": 1,\n oops}')


@given(st.text(max_size=60))
def test_no_text_breaks_any_of_it(text: str) -> None:
    finding(text)
    arguments_in(text, "t")
    same_call(text, CALL, auto_id="7")
    assert with_arguments(text, "{}") is not None
    assert with_id(text, "1") is not None
