"""A form while it is edited, without a screen."""

from __future__ import annotations

import json
from typing import Any

import pytest

from olv_tui.widgets.form_state import Entry, FormState
from tests.schema.material import MIXED, form_of

LIST = {"type": "object", "properties": {"l": {"type": "array", "items": {"type": "string"}},
                                         "n": {"type": "integer"}, "s": {"type": "string"}}}  # fmt: skip


def state_of(schema: object = LIST, text: str = "{}") -> FormState:
    return FormState(form_of(schema, text))


def begin(state: FormState, pointer: str, **how: Any) -> Entry:
    entry = state.begin(pointer, **how)
    assert isinstance(entry, Entry)
    return entry


def typed(state: FormState, pointer: str, text: str, **how: Any) -> str:
    """Type a text letter by letter."""
    entry, why = begin(state, pointer, **how), ""
    for end in range(1, len(text) + 1):
        why = state.type(entry, text[:end])
    return why


def test_all_letters_of_one_field_are_one_step_to_undo() -> None:
    state = state_of()
    typed(state, "/s", "word")
    typed(state, "/n", "12")
    assert json.loads(state.text) == {"s": "word", "n": 12}
    assert state.undo()
    assert json.loads(state.text) == {"s": "word"}
    assert state.undo()
    assert state.text == "{}"
    assert not state.undo()


def test_what_was_undone_is_done_again_until_something_else_changes() -> None:
    state = state_of(text='{"n": 1.0 }')
    typed(state, "/s", "word")
    typed(state, "/n", "x")
    done, waits = state.text, state.waits
    assert state.undo()
    assert state.undo()
    assert state.text == '{"n": 1.0 }'
    assert state.redo()
    assert state.redo()
    assert (state.text, state.waits) == (done, waits)
    assert not state.redo()
    assert state.undo()
    state.remove("/s")
    assert not state.redo(), "another change leads elsewhere"


def test_a_text_that_is_no_number_yet_is_kept_beside_the_value_that_was_there() -> None:
    state = state_of(text='{"n":7}')
    assert "not an integer" in typed(state, "/n", "12x")
    assert state.text == '{"n":7}', "the prefix that was a number is not what was meant"
    assert "n" in state.waits
    again = begin(state, "/n")
    assert again.first == "12x", "it is there to be put right"
    state.type(again, "12")
    assert (state.text, state.waits) == ('{"n":12}', "")


def test_a_field_typed_and_emptied_is_absent_and_one_that_holds_the_empty_text_stays() -> None:
    state = state_of(text='{"s":""}')
    begin(state, "/s")
    assert state.text == '{"s":""}', "looking changes nothing"
    entry = begin(state, "/s")
    state.type(entry, "x")
    state.type(entry, "")
    assert state.text == '{"s":""}', "as it was before"
    other = state_of()
    entry = begin(other, "/s")
    other.type(entry, "x")
    other.type(entry, "")
    assert other.text == "{}"


def test_an_emptied_item_stays_in_its_list_as_the_empty_text() -> None:
    state = state_of(text='{"l": ["a", "b"]}')
    state.type(begin(state, "/l/0"), "")
    assert state.text == '{"l": ["", "b"]}'


@pytest.mark.parametrize("number", ["9" * 60, "-0", "1.0", "1e400", "0.10"])
def test_a_number_keeps_the_digits_it_was_typed_with(number: str) -> None:
    state = state_of({"type": "object", "properties": {"x": {"type": "number"}}})
    typed(state, "/x", number)
    assert f'"x": {number}' in state.text


def test_json_is_typed_with_any_text_and_says_what_is_missing() -> None:
    state = state_of(MIXED)
    assert "the text ends" in typed(state, "/o", '{"a": 1,', as_json=True)
    assert state.text == "{}"
    assert 'quotes: "..."' in typed(state, "/j", "word", as_json=True)


def test_an_item_that_moves_takes_its_draft_and_what_was_opened_with_it() -> None:
    schema = {"type": "object", "properties": {"l": {"type": "array", "items": {"type": "integer"}}}}
    state = state_of(schema, '{"l": [1, 2, 3]}')
    typed(state, "/l/0", "x")
    state.look.folds["/l/0"] = True
    assert state.move("/l/0", 1) == ""
    assert state.text == '{"l": [2, 1, 3]}'
    assert list(state.drafts) == ["/l/1"]
    assert state.look.folds == {"/l/1": True}
    assert state.remove("/l/0") == ""
    assert state.text == '{"l": [1, 3]}'
    assert list(state.drafts) == ["/l/0"]


def test_a_new_item_holds_nothing_that_was_not_set() -> None:
    schema = {"type": "object", "properties": {"l": {"type": "array", "items": {
        "type": "object", "properties": {"a": {"type": "string", "default": "d"}}, "required": ["a"]}}}}  # fmt: skip
    state = state_of(schema)
    assert state.add_item("/l/0") == ""
    assert json.loads(state.text) == {"l": [{}]}


def test_an_alternative_chosen_for_the_first_item_of_a_list_is_there_though_nothing_tells_it_apart() -> None:
    of = {"$ref": "#/$defs/f"}
    schema = {"type": "object", "properties": {"f": of}, "$defs": {"f": {"oneOf": [
        {"type": "object", "properties": {"and": {"type": "array", "items": of}}, "required": ["and"]},
        {"type": "object", "properties": {"or": {"type": "array", "items": of}}, "required": ["or"]},
        {"type": "object", "properties": {"eq": {"type": "string"}}, "required": ["eq"]}]}}}  # fmt: skip
    state = state_of(schema)
    assert state.choose("/f", 0) == ""
    assert state.text == "{}", "an alternative alone is no value"
    assert state.choose("/f/and/0", 1) == ""
    assert json.loads(state.text) == {"f": {"and": [{}]}}
    assert state.form.field("/f/and/0").names == ("or",)
    assert state.choose("/f/and/0/or/0", 2) == ""
    typed(state, "/f/and/0/or/0/eq", "x")
    assert json.loads(state.text) == {"f": {"and": [{"or": [{"eq": "x"}]}]}}


def test_a_name_of_ones_own_is_sent_once_it_has_a_value() -> None:
    state = state_of({"type": "object", "additionalProperties": {"type": "string"}})
    assert state.add_name("", "a b") == ""
    assert state.text == "{}"
    typed(state, "/a b", "v")
    assert json.loads(state.text) == {"a b": "v"}
    assert "there already" in state.add_name("", "a b")
    assert state.rename("/a b", "[x]") == ""
    assert json.loads(state.text) == {"[x]": "v"}


def test_other_arguments_are_one_step_and_what_a_form_cannot_hold_changes_nothing() -> None:
    state = state_of()
    typed(state, "/n", "x")
    assert state.take('{"s": "filled"}') == ""
    assert state.waits == ""
    assert "more than once" in state.take('{"s": 1, "s": 2}')
    assert state.text == '{"s": "filled"}'
    assert state.undo()
    assert state.text == "{}"
    assert state.waits, "the text that was no value yet is back as well"


def test_duplicates_and_odd_layout_elsewhere_survive_a_change() -> None:
    text = '{ "j" :{"a":1,"a":2.0 } , "s":"x"}'
    state = state_of(MIXED, text)
    typed(state, "/s", "y")
    assert state.text == text.replace('"x"', '"y"')


def test_a_value_that_is_too_large_for_a_row_says_where_it_can_be_edited() -> None:
    state = state_of(text=json.dumps({"s": "x" * 300_000}))
    assert "f4" in str(state.begin("/s"))
