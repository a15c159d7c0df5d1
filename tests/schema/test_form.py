"""The document behind a form: three states, edits at one place, and nothing that was not set."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from olv_tui import jsontext
from olv_tui.model import Object
from olv_tui.schema import Kind, Problem, State, open_form
from tests.schema.material import ANY, MIXED, NAMES, done, exact, field_of, form_of, members, opened, problem, written
from tests.search import examples

# --------------------------------------------------------------------------- texts


@settings(max_examples=examples(300), deadline=None)
@given(st.data())
def test_any_object_text_comes_back_as_it_is(data: st.DataObject) -> None:
    value = Object(
        data.draw(st.lists(st.tuples(st.sampled_from(NAMES), ANY), max_size=4, unique_by=lambda one: one[0]))
    )
    text = data.draw(written(value))
    assert form_of(MIXED, f" {text}\n").text == f" {text}\n"


@pytest.mark.parametrize(
    ("text", "words", "line", "column"),
    [
        ('{"a": 1,', "the text ends", 1, 9),
        ('{\n  "a": 1 // one\n}', "a comma or }", 2, 10),
        ('{"a": NaN}', "not JSON", 1, 7),
        ("", "nothing", 1, 1),
        ("[1]", "object", 1, 1),
        ('\n "x"', "object", 2, 2),
        ('{"s":1,\n"é":2,"s":3}', "more than once", 2, 7),
        ('{"o":{"x":1,"x":2}}', "more than once", 1, 13),
        ('{"list":[{"q":1,"q":1}]}', "more than once", 1, 17),
        ("\ufeff{}", "byte order mark", 1, 1),
    ],
)
def test_a_text_that_a_form_cannot_hold_is_told_with_its_place(text: str, words: str, line: int, column: int) -> None:
    found = problem(open_form(field_of(MIXED), text))
    assert words in found.reason
    assert (found.line, found.column) == (line, column)
    assert found.sentence.startswith(f"line {line}, column {column}: ")


def test_names_that_stand_twice_where_no_fields_are_shown_are_kept() -> None:
    text = '{"j": {"a": [1, {"b": 1, "b": 2}], "a": 3}, "s": {"x": 1, "x": 1}}'
    form = form_of(MIXED, text)
    assert form.text == text
    assert done(form.set("/n", "1")).text == text[:-1] + ', "n": 1}'
    assert done(form.set("/j", '{"c":1,"c":2}')).get("/j") == '{"c":1,"c":2}'
    assert "more than once" in problem(form.set("/o", '{"x":1,"x":2}')).reason


def test_more_duplicates_than_can_be_placed_are_a_problem() -> None:
    text = '{"j": {' + ",".join(['"a": 1'] * 20) + "}}"
    assert "more than once" in problem(open_form(field_of(MIXED), text)).reason


def test_a_place_is_found_in_the_text() -> None:
    form = form_of(MIXED, '{ "o" : {"x": "y"} }')
    assert form.span("/o/x") == (14, 17)
    assert form.span("/o/nothing") is None
    assert form.span("") == (0, 20)


# --------------------------------------------------------------------------- three states


def test_every_place_is_absent_null_or_a_value_and_the_empty_text_is_one() -> None:
    form = form_of(MIXED)
    assert form.state("/s") is State.ABSENT
    form = done(form.set("/s", '""'))
    assert (form.state("/s"), form.value("/s")) == (State.VALUE, "")
    form = done(form.set_null("/s"))
    assert (form.state("/s"), form.get("/s")) == (State.NULL, "null")
    form = done(form.remove("/s"))
    assert (form.state("/s"), form.text) == (State.ABSENT, "{}")
    assert done(form.remove("/s")) is form


def test_setting_one_place_puts_in_nothing_else() -> None:
    form = done(form_of(MIXED).set("/o/y/z", "1"))
    assert json.loads(form.text) == {"o": {"y": {"z": 1}}}
    form = done(form_of(MIXED).set("/list/0/q", "7"))
    assert json.loads(form.text) == {"list": [{"q": 7}]}


def test_containers_that_a_set_place_needed_go_again_with_the_last_place_in_them() -> None:
    form = done(form_of(MIXED).set("/o/y/z", "1"))
    form = done(form.set("/o/x", '"a"'))
    form = done(form.remove("/o/y/z"))
    assert json.loads(form.text) == {"o": {"x": "a"}}
    assert done(form.remove("/o/x")).text == "{}"


def test_a_container_that_was_set_itself_stays_when_it_is_empty() -> None:
    form = done(form_of(MIXED).set("/o", '{"x": "a"}'))
    assert json.loads(done(form.remove("/o/x")).text) == {"o": {}}
    form = done(done(form_of(MIXED).set("/o/x", "1")).set("/o", '{"x": 2}'))
    assert json.loads(done(form.remove("/o/x")).text) == {"o": {}}


def test_what_stands_in_the_way_is_told_and_nothing_is_changed() -> None:
    form = form_of(MIXED, '{"o": null, "list": {"0": 1}, "map": [1]}')
    assert "neither" in problem(form.set("/o/x", "1")).reason
    assert "no array" in problem(form.insert("/list", 0, "1")).reason
    assert "no array" in problem(form.move("/o", 0, 1)).reason
    assert "1 items" in problem(form.set("/map/5", "1")).reason
    assert "1 items" in problem(form.insert("/map", 3, "1")).reason
    assert "1 items" in problem(form.move("/map", 0, 1)).reason
    assert "no member" in problem(form.rename("/map/0", "x")).reason
    assert "as a whole" in problem(form.remove("")).reason
    assert "line 1" in problem(form.set("/s", '"open')).sentence
    assert problem(form.set("/s", "")).pointer == "/s"
    assert "object" in problem(form.set("", "[]")).reason
    assert "alternative" in problem(form.choose("/s", 0)).reason


def test_the_whole_can_be_set_at_once() -> None:
    text = '{"zz":[1,{"y":null}],"A":"2"}'
    assert done(form_of(MIXED, '{"s":"x"}').set("", f" {text} ")).text == text


# --------------------------------------------------------------------------- exact edits


def test_numbers_keep_their_digits_and_everything_around_keeps_its_blanks() -> None:
    text = '{\t"n" :1.50,\n "s": "a" ,"j":[1e400 , 00000000001]}'.replace("00000000001", "9007199254740993")
    form = done(form_of(MIXED, text).set("/s", '"b"'))
    assert form.text == text.replace('"a"', '"b"')
    assert done(form.set("/n", "-0.0")).text == text.replace('"a"', '"b"').replace("1.50", "-0.0")


@pytest.mark.parametrize(
    ("text", "pointer", "value", "result"),
    [
        ("{}", "/s", '"x"', '{\n  "s": "x"\n}'),
        ("{ }", "/s", "1", '{\n  "s": 1\n}'),
        ('{"n":1}', "/s", "2", '{"s":2,"n":1}'),
        ('{"n": 1}', "/s", "2", '{"s": 2, "n": 1}'),
        ('{"s": 1}', "/n", "2", '{"s": 1, "n": 2}'),
        ('{"s" : 1 ,  "j": 3}', "/n", "2", '{"s" : 1 ,  "n" : 2,  "j": 3}'),
        ('{\n    "s": 1\n}', "/o/x", "2", '{\n    "s": 1,\n    "o": {\n        "x": 2\n    }\n}'),
        ('{"s": 1}', "/o/x", "2", '{"s": 1, "o": {"x": 2}}'),
        ('{"zz": 1}', "/s", "2", '{"zz": 1, "s": 2}'),
        ('{"s": 1, "zz": 0}', "/n", "2", '{"s": 1, "n": 2, "zz": 0}'),
        ('{"j": 1, "zz": 0}', "/other", "2", '{"j": 1, "zz": 0, "other": 2}'),
    ],
)
def test_a_new_member_stands_where_the_schema_has_it_and_looks_like_its_neighbours(
    text: str, pointer: str, value: str, result: str
) -> None:
    assert done(form_of(MIXED, text).set(pointer, value)).text == result


@pytest.mark.parametrize(
    ("pointer", "result"),
    [
        ("/s", '{ "n" :2 ,"j": [ 3,4 ] }'),
        ("/n", '{ "s": 1 , "j": [ 3,4 ] }'.replace(" , ", " ,")),
        ("/j", '{ "s": 1 ,"n" :2 }'),
        ("/j/0", '{ "s": 1 ,"n" :2 ,"j": [ 4 ] }'),
        ("/j/1", '{ "s": 1 ,"n" :2 ,"j": [ 3 ] }'),
    ],
)
def test_removing_takes_the_comma_along(pointer: str, result: str) -> None:
    assert done(form_of(MIXED, '{ "s": 1 ,"n" :2 ,"j": [ 3,4 ] }').remove(pointer)).text == result


@st.composite
def edits(draw: st.DrawFn, value: object, pointer: str = "") -> str:
    """A pointer to some place in a value."""
    if isinstance(value, dict) and value and draw(st.booleans()):
        name = draw(st.sampled_from(sorted(value)))
        return draw(edits(value[name], pointer + jsontext.pointer([name])))
    if isinstance(value, list) and value and draw(st.booleans()):
        index = draw(st.integers(0, len(value) - 1))
        return draw(edits(value[index], f"{pointer}/{index}"))
    return pointer


@settings(max_examples=examples(400), deadline=None)
@given(st.data())
def test_a_row_of_edits_comes_to_the_same_as_on_plain_values(data: st.DataObject) -> None:
    root = field_of(MIXED)
    start = data.draw(members(root, 4))
    form = opened(root, data.draw(written(start)))
    for _ in range(data.draw(st.integers(1, 6))):
        before = exact(form.text)
        pointer = data.draw(edits(json.loads(form.text)))
        if not pointer:
            continue
        new = data.draw(written(data.draw(ANY)))
        what = data.draw(st.sampled_from(["set", "remove"]))
        result = form.set(pointer, new) if what == "set" else form.remove(pointer)
        if isinstance(result, Problem):
            assert "more than once" in result.reason
            continue
        form = result
        assert form.document.text == form.text
        assert exact(form.text) == edited(before, pointer, exact(new) if what == "set" else GONE)
        fresh = opened(root, form.text)
        for place in ("/s", "/o/x", "/list/0", "/list/0/q", "/j", pointer):
            assert form.span(place) == fresh.span(place)


GONE = object()


def edited(value: object, pointer: str, new: object) -> object:
    """The same edit on decoded values, where an object is a list of (name, value)."""
    step, rest = pointer[1:].partition("/")[::2]
    rest = "/" + rest if "/" in pointer[1:] else ""
    name = step.replace("~1", "/").replace("~0", "~")
    assert isinstance(value, list)
    done_: list[object] = []
    for number, one in enumerate(value):
        is_member = isinstance(one, tuple)
        if (one[0] if is_member else str(number)) != name:
            done_.append(one)
            continue
        inner = new if not rest else edited(one[1] if is_member else one, rest, new)
        if inner is not GONE:
            done_.append((one[0], inner) if is_member else inner)
    return done_


def test_a_text_nested_beyond_the_stack_is_held_and_edited() -> None:
    node = {"type": "object", "properties": {"n": {"anyOf": [{"$ref": "#/$defs/node"}, {"type": "array"}]}}}
    root = field_of({"$defs": {"node": node}, "type": "object", "properties": {"n": {"$ref": "#/$defs/node"}, "j": {}}})
    deep = '{"n":' * 1100 + '{"x":1,"x":2}' + "}" * 1100
    assert "more than once" in problem(open_form(root, f'{{"n": {deep}}}')).reason
    form = opened(root, f'{{"j": {deep}, "n": {deep.replace("x", "y", 1)}}}')
    assert form.field("/n" * 20).entry("n").kind is Kind.UNION
    assert done(form.set("/n" * 40, "7")).get("/n" * 40) == "7"
    assert json.loads(done(done(form.set("/j", "1")).set("/n", "2")).text) == {"j": 1, "n": 2}
