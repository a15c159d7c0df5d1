"""The first text of an arguments editor."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from olv_tui import jsontext
from olv_tui.model import Object, Tool
from olv_tui.view.template import editable, template


def tool(schema: str) -> Tool:
    definition = jsontext.loads(f'{{"name":"t","inputSchema":{schema}}}')
    assert isinstance(definition, Object)
    return Tool("t", "", "", definition)


def filled(**properties: object) -> object:
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return json.loads(template(tool(json.dumps(schema))))


@pytest.mark.parametrize(
    "schema",
    ["{}", "true", "null", "[]", '"x"', '{"type":"object"}', '{"required":"all"}', '{"required":[1,null]}',
     '{"properties":{"a":{"type":"string"}}}'],
)  # fmt: skip
def test_without_required_properties_the_arguments_are_empty(schema: str) -> None:
    assert template(tool(schema)) == "{}"


def test_a_tool_without_a_schema_gets_empty_arguments() -> None:
    assert template(Tool("t", "", "", Object([("name", "t")]))) == "{}"


def test_only_required_properties_are_put_in_and_in_their_order() -> None:
    schema = '{"properties":{"a":{},"b":{"type":"integer"},"c":{"type":"string"}},"required":["c","b"]}'
    assert template(tool(schema)) == '{\n  "c": "",\n  "b": 0\n}'


def test_each_type_has_its_empty_value() -> None:
    kinds = {"string": "", "integer": 0, "number": 0, "boolean": False, "null": None, "array": [], "object": {}}
    assert filled(**{kind: {"type": kind} for kind in kinds}) == kinds


def test_a_value_that_the_schema_offers_goes_before_an_empty_one() -> None:
    assert filled(
        a={"const": True, "type": "boolean"},
        b={"type": "string", "examples": ["helpbless.com", "x"]},
        c={"enum": ["small", "large"]},
        d={"enum": ["small", "large"], "default": "large"},
        e={"type": "integer", "default": 7},
    ) == {"a": True, "b": "helpbless.com", "c": "small", "d": "large", "e": 7}


def test_the_first_type_that_is_not_null_is_taken() -> None:
    assert filled(a={"type": ["null", "integer"]}, b={"type": ["null"]}, c={"type": []}) == {
        "a": 0, "b": None, "c": None,
    }  # fmt: skip


def test_a_number_offered_keeps_its_digits() -> None:
    assert '"n": 1.50' in template(tool('{"properties":{"n":{"const":1.50}},"required":["n"]}'))


def test_required_properties_of_required_objects_are_put_in_too() -> None:
    inner = {"type": "object", "properties": {"x": {"type": "string"}, "y": {}}, "required": ["x"]}
    assert filled(point=inner) == {"point": {"x": ""}}


def test_references_are_followed_inside_the_schema_only() -> None:
    schema = (
        '{"$defs":{"a/b":{"type":"integer"}},"properties":{"x":{"$ref":"#/$defs/a~1b"},'
        '"y":{"$ref":"http://evil.example/s"},"z":{"$ref":"#/nowhere"}},"required":["x","y","z"]}'
    )
    assert json.loads(template(tool(schema))) == {"x": 0, "y": "", "z": ""}


def test_a_schema_that_contains_itself_comes_to_an_end() -> None:
    schema = '{"properties":{"me":{"$ref":"#"}},"required":["me"]}'
    assert template(tool(schema)).startswith("{")
    assert template(tool('{"properties":{"a":{"anyOf":[{"$ref":"#/properties/a"}]}},"required":["a"]}'))


KEYS = ["type", "properties", "required", "const", "enum", "examples", "$ref", "anyOf", "a", "b", "default"]
LEAVES = st.none() | st.booleans() | st.integers() | st.text(max_size=8)


def members(inner: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    return st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5)


@given(st.recursive(LEAVES, members, max_leaves=30))
def test_no_schema_whatever_breaks_it_and_the_text_is_json(schema: object) -> None:
    assert isinstance(jsontext.loads(template(tool(json.dumps(schema)))), Object)


@given(st.text(max_size=40))
def test_made_fit_for_editing_json_still_means_the_same(text: str) -> None:
    raw = json.dumps(text, ensure_ascii=False)
    fit = editable(raw)
    assert json.loads(fit) == text
    assert len(fit.splitlines()) <= 1


def test_a_text_area_would_take_these_for_line_ends_so_they_are_written_as_escapes() -> None:
    assert editable('"a\u2028b\u0085c"') == '"a\\u2028b\\u0085c"'
    assert editable('"\U000e0041"') == '"\\udb40\\udc41"'
    assert editable('{"plain": "日本 👩🏽\u200d🚀"}') == '{"plain": "日本 👩🏽\u200d🚀"}'
