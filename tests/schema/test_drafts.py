"""Texts made up from a schema: what the schema offers, the emptiest value else, and why a place cannot be filled."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from olv_tui import jsontext
from olv_tui.schema import draft, first_value, template
from tests.schema.material import at, field_of
from tests.search import examples


def made(schema: object) -> Any:
    """What is made up for one required property."""
    return json.loads(first_value(at(schema)))


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "integer", "minimum": 1}, 1),
        ({"type": "integer", "exclusiveMinimum": 0}, 1),
        ({"type": "integer", "maximum": -3}, -3),
        ({"type": "integer", "minimum": 1.5}, 2),
        ({"type": "integer", "minimum": 7, "multipleOf": 5}, 10),
        ({"type": "number", "exclusiveMinimum": 0, "maximum": 0.25}, 0.125),
        ({"type": "number", "minimum": 0.5}, 0.5),
        ({"type": "array", "minItems": 2, "items": {"type": "integer", "minimum": 3}}, [3, 3]),
        ({"type": "array", "minItems": 1, "prefixItems": [{"const": "a"}, {"const": "b"}]}, ["a"]),
        ({"oneOf": [False, {"type": "boolean"}, {"type": "string"}]}, False),
        ({"type": ["string", "null"]}, ""),
        ({"type": "string", "default": None}, ""),
        ({"type": "integer", "examples": ["x", 5]}, 5),
        ({"enum": ["a", "b"], "default": "zz"}, "a"),
        ({"type": "string", "default": "d", "examples": ["e"]}, "e"),
        ({"type": "string", "pattern": "^a*$"}, ""),
        ({"allOf": [{"type": "integer", "minimum": 2}, {"minimum": 4}]}, 4),
    ],
    ids=str,
)
def test_what_is_made_up_is_right_where_it_can_be(schema: Any, value: Any) -> None:
    assert made(schema) == value
    if "default" not in schema:
        Draft202012Validator(schema).validate(value)


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        ({"type": "string", "format": "uuid"}, "format uuid"),
        ({"type": "string", "minLength": 2}, "at least 2 characters"),
        ({"type": "string", "pattern": "^x"}, "matches ^x"),
        ({"type": "array", "minItems": 500}, "at least 500 items"),
        ({"type": "array", "minItems": 2, "uniqueItems": True, "items": {}}, "different"),
        ({"type": "array", "contains": {"const": 1}}, "certain kind"),
        ({"type": "object", "minProperties": 1}, "at least 1 members"),
        (
            {"type": "object", "properties": {"x": {}}, "anyOf": [{"required": ["x"]}, {"required": ["y"]}]},
            "one of: x | y",
        ),
        ({"type": "integer", "minimum": 3, "maximum": 2}, "at least 3; at most 2"),
        ({"$ref": "https://example.com/x"}, "not fetched"),
        (False, "no value"),
        ({"type": "object", "required": ["a"], "properties": {"a": {"$ref": "#/properties/a"}}}, "without end"),
    ],
    ids=str,
)
def test_a_place_that_cannot_be_filled_is_told_with_the_reason(schema: object, reason: str) -> None:
    root = field_of({"type": "object", "properties": {"a": schema}, "required": ["a"]})
    drawn = draft(root)
    assert isinstance(json.loads(drawn.text), dict)
    assert any(reason in gap.reason and gap.pointer.startswith("/a") for gap in drawn.gaps)


def test_a_full_text_has_every_property_the_required_ones_first() -> None:
    inner = {"type": "object", "properties": {"x": {"type": "integer"}, "y": {"const": None}}}
    properties = {"a": {"type": "string"}, "b": inner, "c": {"type": "array", "items": inner}, "never": False}
    root = field_of({"type": "object", "properties": properties, "required": ["b"]})
    full = json.loads(template(root, full=True))
    assert full == {"b": {"x": 0, "y": None}, "a": "", "c": [{"x": 0, "y": None}]}
    assert list(full) == ["b", "a", "c"]
    assert json.loads(template(root)) == {"b": {}}


def test_a_full_text_of_a_schema_that_contains_itself_ends() -> None:
    node = {"type": "object", "properties": {"v": {"type": "string"}, "next": {"$ref": "#/$defs/node"}}}
    root = field_of({"$defs": {"node": node}, "type": "object", "properties": {"root": {"$ref": "#/$defs/node"}}})
    assert json.loads(template(root, full=True)) == {"root": {"v": ""}}


def test_a_text_does_not_grow_without_bound() -> None:
    wide: dict[str, object] = {f"p{number}": {"$ref": f"#/$defs/d{number}"} for number in range(9)}
    defs = {f"d{number}": {"type": "object", "properties": wide, "required": list(wide)} for number in range(9)}
    drawn = draft(field_of({"$defs": defs, "type": "object", "properties": wide, "required": list(wide)}), full=True)
    assert len(drawn.text) < 400_000
    assert any("too deep" in gap.reason for gap in drawn.gaps)


KEYS = [
    "type",
    "properties",
    "required",
    "const",
    "enum",
    "examples",
    "$ref",
    "anyOf",
    "allOf",
    "items",
    "minItems",
    "a",
]
LEAVES = (
    st.none() | st.booleans() | st.integers(-9, 9) | st.sampled_from(["object", "array", "integer", "#", "#/a", "a"])
)


@settings(max_examples=examples(300), deadline=None)
@given(
    st.recursive(
        LEAVES,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5),
        max_leaves=30,
    )
)
def test_whatever_the_schema_the_text_is_an_object(schema: object) -> None:
    for full in (False, True):
        assert isinstance(json.loads(template(field_of(json.dumps(schema)), full=full)), dict)
        assert jsontext.loads(template(field_of({"type": "object", "properties": {"a": schema}, "required": ["a"]})))
