"""Malformed schemas are named where they are, and nothing that a real validator accepts."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError

from olv_tui import jsontext
from olv_tui.mcp.headers import positions
from olv_tui.mcp.shapes import faults
from olv_tui.mcp.tools import read_tool
from olv_tui.model import Object, Severity
from tests.caselib import shared_folder


def found(schema: Any) -> list[tuple[str, str]]:
    return list(faults(positions(jsontext.loads(json.dumps(schema)))))


def is_valid(schema: Any) -> bool:
    """What jsonschema says of a schema."""
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError:
        return False
    return True


@pytest.mark.parametrize(
    ("schema", "at", "words"),
    [
        ({"type": "text"}, "/type", 'type is "text"'),
        ({"type": []}, "/type", "type is an array"),
        ({"properties": []}, "/properties", "an object of schemas is due"),
        ({"properties": {"a": "string"}}, "/properties", "an object of schemas is due"),
        ({"properties": {"a": {"required": True}}}, "/properties/a/required", "required is true; an array of names"),
        ({"properties": {"a/b": {"enum": "x"}}}, "/properties/a~1b/enum", 'enum is "x"'),
        ({"anyOf": [{"minimum": "1"}]}, "/anyOf/0/minimum", "a number is due"),
        ({"items": "string"}, "/items", "a schema is due"),
        ({"minLength": -1}, "/minLength", "an integer from 0 up is due"),
        ({"exclusiveMinimum": True}, "/exclusiveMinimum", "exclusiveMinimum is true; a number is due"),
        ({"allOf": []}, "/allOf", "an array of schemas is due"),
    ],
)
def test_a_keyword_of_the_wrong_shape_is_named_in_its_place(schema: Any, at: str, words: str) -> None:
    ((where, sentence),) = found(schema)
    assert where == at
    assert words in sentence
    assert not is_valid(schema)


@pytest.mark.parametrize(
    "schema",
    [
        True,
        {},
        {"properties": {"a": True, "b": {}}, "required": [], "x-own": 7},
        {"type": ["string", "null"], "default": None, "minLength": 3.0, "enum": [1, "1", None]},
        {"items": [{"type": "string"}]},
        {"minItems": -0.0},
    ],
)
def test_what_a_dialect_allows_is_not_named(schema: Any) -> None:
    assert found(schema) == []


KEYWORDS = [
    "type", "properties", "items", "required", "enum", "anyOf", "not", "minimum", "minLength", "pattern", "title",
    "uniqueItems", "additionalProperties", "$defs", "description",
]  # fmt: skip
LEAVES = st.none() | st.booleans() | st.integers(-2, 3) | st.sampled_from(["string", "object", "a"])
SCHEMAS = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(KEYWORDS), inner, max_size=4)
        | st.dictionaries(st.sampled_from(["a", "b"]), inner, max_size=2)
    ),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(KEYWORDS), SCHEMAS, max_size=4))
def test_only_what_the_metaschema_refuses_is_named(schema: dict[str, Any]) -> None:
    if found(schema):
        assert not is_valid(schema)


@given(st.dictionaries(st.sampled_from(KEYWORDS), SCHEMAS, max_size=4))
def test_every_place_that_is_named_is_in_the_schema(schema: dict[str, Any]) -> None:
    text = json.dumps(schema)
    assert all(jsontext.span(text, where) is not None for where, _ in found(schema))


def test_a_schema_of_another_dialect_is_not_measured_and_many_faults_are_told_in_a_bounded_list() -> None:
    old = Object([("$schema", "http://json-schema.org/draft-04/schema#"), ("type", "object"), ("minimum", "1")])
    codes = [
        (one.code, one.severity)
        for one in read_tool(Object([("name", "a"), ("inputSchema", old)]), "", None).violations
    ]
    assert codes == [("D03", Severity.WARNING)]
    many = Object([(f"p{number}", Object([("type", "text")])) for number in range(500)])
    wild = Object([("type", "object"), ("properties", many)])
    assert len(read_tool(Object([("name", "a"), ("inputSchema", wild)]), "", None).violations) == 20


def test_no_schema_of_a_recorded_server_is_called_malformed() -> None:
    shared = shared_folder()
    if shared is None:
        pytest.skip("the recordings are not beside this checkout")
    count = 0
    for path in sorted((shared / "fixtures" / "schemas").glob("*.json")):
        definitions = json.loads(path.read_text("utf-8"))
        for tool in definitions if isinstance(definitions, list) else ():
            for member in ("inputSchema", "outputSchema"):
                count += member in tool
                assert found(tool.get(member, {})) == [], (path.name, tool["name"])
    assert count > 500
