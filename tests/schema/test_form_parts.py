"""Forms in parts: arrays, maps, alternatives, what is typed, and a thousand random values of each kind."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from olv_tui import jsontext
from olv_tui.schema import Kind, Problem, first_value, typed
from tests.schema.material import MIXED, NAMES, done, exact, field_of, form_of, opened, problem, values, written
from tests.search import examples

# --------------------------------------------------------------------------- arrays and maps


def test_arrays_grow_shrink_and_move_and_their_blanks_stay() -> None:
    form = form_of(MIXED, '{"list": [ {"q": 1} ,{"q": 2},  {"q": 3}]}')
    moved = done(form.move("/list", 0, 2))
    assert moved.get("/list") == '[ {"q": 2} ,{"q": 3},  {"q": 1}]'
    assert done(moved.move("/list", 2, 0)).text == form.text
    assert done(form.insert("/list", 1, '{"q": 9}')).get("/list") == '[ {"q": 1} ,{"q": 9},{"q": 2},  {"q": 3}]'
    assert done(form.remove("/list/1")).get("/list") == '[ {"q": 1} ,{"q": 3}]'
    assert [child.pointer for child in form.children("/list")] == ["/list/0", "/list/1", "/list/2"]


def test_an_array_that_was_absent_is_made_with_its_first_item_and_goes_with_its_last() -> None:
    form = form_of(MIXED)
    form = done(form.insert("/list", 0, first_value(form.field("/list").item(0))))
    assert json.loads(form.text) == {"list": [{}]}
    assert done(form.remove("/list/0")).text == "{}"


def test_a_new_item_of_an_array_on_several_lines_has_a_line_of_its_own() -> None:
    form = form_of(MIXED, '{\n  "list": [\n    1\n  ]\n}')
    assert done(form.insert("/list", 1, "2")).text == '{\n  "list": [\n    1,\n    2\n  ]\n}'
    assert done(form.insert("/list", 0, "2")).text == '{\n  "list": [\n    2,\n    1\n  ]\n}'


def test_entries_of_a_map_are_added_renamed_and_removed() -> None:
    form = form_of(MIXED, '{"map": {"A B" : "1"}}')
    form = done(form.add("/map", "", '"2"'))
    assert form.text == '{"map": {"A B" : "1", "" : "2"}}'
    assert "already" in problem(form.add("/map", "", "1")).reason
    assert "already" in problem(form.rename("/map/", "A B")).reason
    form = done(form.rename("/map/A B", 'n/e~w"'))
    assert form.text == '{"map": {"n/e~w\\"" : "1", "" : "2"}}'
    assert [child.name for child in form.children("/map")] == ['n/e~w"', ""]
    assert done(form.rename("/map/", "")) is form


@pytest.mark.parametrize("name", NAMES)
def test_a_name_of_any_kind_can_be_set_and_taken_back(name: str) -> None:
    root = {"type": "object", "properties": {name: {"type": "string"}, "other": {}}}
    pointer = jsontext.pointer([name])
    form = done(form_of(root, '{"other": 1}').set(pointer, '"v"'))
    assert json.loads(form.text) == {name: "v", "other": 1}
    assert form.children("")[0].pointer == pointer
    assert done(form.remove(pointer)).text == '{"other": 1}'


def test_members_that_the_schema_does_not_know_are_fields_too() -> None:
    form = form_of(
        {"type": "object", "properties": {"a": {}}, "additionalProperties": False}, '{"zz": 1, "a": 2, "A": 3}'
    )
    assert [(child.name, child.kind) for child in form.children("")] == [("a", "json"), ("zz", "json"), ("A", "json")]


def test_a_value_of_another_type_stands_apart_and_has_no_fields_below() -> None:
    form = form_of(MIXED, '{"s": 1, "o": [1], "list": {"0": 1}, "n": null, "map": "x", "j": []}')
    assert [form.is_apart(f"/{name}") for name in ("s", "o", "list", "n", "map", "j")] == [
        True, True, True, False, True, False,
    ]  # fmt: skip
    assert form.children("/o") == form.children("/list") == form.children("/map") == ()
    assert json.loads(done(form.set("/o", "{}")).text)["o"] == {}


# --------------------------------------------------------------------------- alternatives

TEXT = {
    "type": "object",
    "properties": {"kind": {"const": "text"}, "text": {"type": "string"}, "bold": {"type": "boolean"}},
}
LINK = {
    "type": "object",
    "properties": {"kind": {"const": "link"}, "url": {"type": "string"}, "bold": {"type": "boolean"}},
}
UNION = {
    "type": "object",
    "properties": {
        "part": {"oneOf": [TEXT, LINK, {"type": "string"}, {"type": "null"}]},
        "parts": {"type": "array", "items": {"oneOf": [TEXT, LINK, {"type": "string"}]}},
        "two": {"anyOf": [{"type": "string", "title": "one"}, {"type": "string", "title": "other"}]},
        "both": {"type": ["integer", "string"]},
        "deep": {"anyOf": [{"type": "boolean"}, {"anyOf": [{"type": "integer"}, {"type": "array"}]}]},
    },
}


def test_the_alternative_follows_the_value_where_none_was_picked() -> None:
    form = form_of(UNION, '{"part": {"kind": "link", "text": "x"}, "both": "1"}')
    assert form.pick("/part") == 1
    assert [child.name for child in form.children("/part")] == ["kind", "url", "bold", "text"]
    assert form.field("/both").kind is Kind.STRING
    assert done(form.set("/both", "1")).field("/both").kind is Kind.INTEGER
    assert form.pick("/two") is None
    assert form.field("/two").kind is Kind.UNION


def test_picking_an_alternative_sets_what_tells_it_apart_and_takes_what_only_the_old_one_knows() -> None:
    form = form_of(UNION, '{"part": {"kind": "text", "text": "x", "bold": true, "own": 1}}')
    form = done(form.choose("/part", 1))
    assert json.loads(form.text) == {"part": {"kind": "link", "bold": True, "own": 1}}
    form = done(form.choose("/part", 2))
    assert form.text == "{}"
    assert form.field("/part").kind is Kind.STRING
    form = done(form.choose("/part", 0))
    assert json.loads(form.text) == {"part": {"kind": "text"}}


def test_picking_an_alternative_without_constants_puts_nothing_in() -> None:
    form = done(form_of(UNION).choose("/two", 1))
    assert (form.text, form.pick("/two")) == ("{}", 1)
    form = done(form.set("/two", '"typed"'))
    assert form.pick("/two") == 1, "typing does not change what was picked"
    assert form.field("/two").label == "other"


def test_a_value_set_as_json_that_is_another_alternative_moves_the_pick() -> None:
    form = done(form_of(UNION).choose("/part", 2))
    form = done(form.set("/part", '{"kind": "link"}'))
    assert form.pick("/part") == 1
    assert done(form.set("/part/kind", '"text"')).field("/part").entry("text").kind is Kind.STRING


def test_an_alternative_within_an_alternative_can_be_picked() -> None:
    form = done(form_of(UNION).choose("/deep", 1))
    form = done(form.choose("/deep", 1, level=1))
    assert form.field("/deep").kind is Kind.ARRAY
    assert [field.kind for field in form.chain("/deep")] == [Kind.UNION, Kind.UNION, Kind.ARRAY]
    assert (form.pick("/deep"), form.pick("/deep", 1), form.text) == (1, 1, "{}")


def test_picks_in_an_array_move_with_their_items() -> None:
    form = form_of(UNION, '{"parts": ["a", {"kind": "text"}, {"kind": "link"}]}')
    form = done(form.choose("/parts/0", 0))
    assert json.loads(form.text)["parts"][0] == {"kind": "text"}
    form = done(form.choose("/parts/0", 2))
    assert json.loads(form.text)["parts"][0] == ""
    moved = done(form.move("/parts", 0, 2))
    assert (moved.pick("/parts/2"), moved.chosen) == (2, {"/parts/2": (2,)})
    assert done(moved.remove("/parts/0")).chosen == {"/parts/1": (2,)}
    assert done(moved.insert("/parts", 0, '"x"')).chosen == {"/parts/3": (2,)}
    assert done(moved.remove("/parts/2")).chosen == {}


# --------------------------------------------------------------------------- typing


@pytest.mark.parametrize(
    ("schema", "text", "result"),
    [
        ({"type": "string"}, "00123", '"00123"'),
        ({"type": "string"}, ' a\n"\t', '" a\\n\\"\\t"'),
        ({"type": "string"}, "", '""'),
        ({"type": "integer"}, " 9223372036854775807 ", "9223372036854775807"),
        ({"type": "number"}, "1.0", "1.0"),
        ({"type": "number"}, "1e400", "1e400"),
        ({"type": "boolean"}, "true", "true"),
        ({"enum": [1, "1", None]}, "1", "1"),
        ({"enum": [1, "1", None]}, '"1"', '"1"'),
        ({"enum": ["a b", "c"]}, '"a b"', '"a b"'),
        ({"const": 1.50}, "1.5", "1.5"),
        ({}, '{"x": 1 }', '{"x": 1 }'),
        ({"type": "array"}, "[1, 2]", "[1, 2]"),
    ],
    ids=str,
)
def test_what_is_typed_becomes_json_of_the_kind_of_the_field(schema: object, text: str, result: str) -> None:
    assert typed(field_of({"type": "object", "properties": {"a": schema}}).entry("a"), text) == result


@pytest.mark.parametrize(
    ("schema", "text", "words"),
    [
        ({"type": "integer"}, "abc", '"abc" is not an integer'),
        ({"type": "number"}, "01", "not a number"),
        ({"type": "number"}, "", "not a number"),
        ({"type": "number"}, "NaN", "not a number"),
        ({"type": "integer"}, "true", "not an integer"),
        ({"type": "boolean"}, "1", "not true or false"),
        ({"enum": ["a"]}, "b", "none of its options"),
        ({}, "{", "the text ends"),
    ],
    ids=str,
)
def test_what_does_not_fit_the_field_is_told(schema: object, text: str, words: str) -> None:
    result = typed(field_of({"type": "object", "properties": {"a": schema}}).entry("a"), text)
    assert isinstance(result, Problem)
    assert words in result.reason


# --------------------------------------------------------------------------- kinds at random

KINDS: dict[str, object] = {
    "string": {"type": "string"},
    "integer": {"type": "integer"},
    "number": {"type": "number"},
    "boolean": {"type": "boolean"},
    "null": {"type": "null"},
    "nullable": {"type": ["string", "null"]},
    "enum": {"enum": [1, "1", True, None, {"a": [1]}]},
    "const": {"const": {"a": 1.0}},
    "object": MIXED,
    "array": {"type": "array", "items": MIXED},
    "tuple": {"type": "array", "prefixItems": [{"type": "string"}, MIXED], "items": {"type": "integer"}},
    "map": {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "number"}}},
    "union": UNION["properties"]["parts"],  # type: ignore[index]
    "json": {},
}


# Kinds made of others: each of their values holds several, so that two hundred come to a thousand and more.
MADE_OF_OTHERS = ("object", "array", "tuple", "map", "union", "json")


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in MADE_OF_OTHERS])
@settings(max_examples=examples(1000), deadline=None)
@given(data=st.data())
def test_a_thousand_values_of_each_simple_kind_pass_form_and_json_unchanged(kind: str, data: st.DataObject) -> None:
    pass_unchanged(kind, data)


@pytest.mark.parametrize("kind", MADE_OF_OTHERS)
@settings(max_examples=examples(200), deadline=None)
@given(data=st.data())
def test_values_made_of_others_pass_form_and_json_unchanged(kind: str, data: st.DataObject) -> None:
    pass_unchanged(kind, data)


def pass_unchanged(kind: str, data: st.DataObject) -> None:
    root = ROOTS[kind]
    field = root.entry("a")
    text = data.draw(written(data.draw(values(field, 3))))
    whole = f'{{"a" : {text} }}'
    form = opened(root, whole)
    assert form.text == whole
    assert form.get("/a") == text
    assert not form.is_apart("/a")
    built = done(opened(root, "{}").set("/a", text))
    assert exact(built.text) == exact(whole)
    assert built.get("/a") == text
    for child in form.children("/a"):
        there = form.get(child.pointer)
        if there is not None:
            assert done(form.set(child.pointer, there)).text == whole


ROOTS = {kind: field_of({"type": "object", "properties": {"a": schema}}) for kind, schema in KINDS.items()}
