"""The arguments of a tool in lines, whatever its schema."""

from __future__ import annotations

import json
from typing import Any

import pytest

from olv_tui.model import Tool
from olv_tui.view.arguments import arguments_lines
from olv_tui.view.safe import UNSAFE
from tests.view.exchanges import members


def told(schema: Any, limit: int | None = None) -> list[str]:
    tool = Tool("t", "", "", members(json.dumps({"inputSchema": schema})), ())
    return [line.text for line in arguments_lines(tool, limit)]


def one(schema: Any) -> str:
    """The line of an argument x with this schema, without its name."""
    (line,) = told({"type": "object", "properties": {"x": schema}})
    assert line.startswith("x  ")
    return line[3:]


@pytest.mark.parametrize(
    ("schema", "line"),
    [
        ({"type": "string", "description": "Host name without scheme. Of a site."}, "string: Host name without scheme"),
        ({"type": "string", "description": "Since v1.2\nof it"}, "string: Since v1.2 of it"),
        ({"type": "string", "format": "date"}, "string (date)"),
        ({"type": ["integer", "null"], "default": None}, "integer or null, default null"),
        ({"type": "number", "default": 1.50}, "number, default 1.5"),
        ({"enum": ["a", "b"]}, "one of a, b"),
        ({"enum": ["a", None]}, "one of a, null"),
        (
            {"type": "string", "enum": [f"v{n}" for n in range(100)]},
            "one of v0, v1, v2, v3, v4, v5, v6, v7 and 92 more",
        ),
        ({"const": 7}, "always 7"),
        ({"type": "array", "items": {"type": "string"}}, "array of strings"),
        ({"type": "array", "items": {"enum": ["a", "b"]}}, "array of one of a, b"),
        ({"type": "array", "items": {"type": "array", "items": {"type": "string"}}}, "array of arrays"),
        ({"type": "array"}, "array"),
        ({"type": "object", "properties": {"a": {}, "b": {"properties": {"c": {}}}}}, "object with a, b"),
        ({"type": "object", "additionalProperties": {"type": "string"}}, "object of any names"),
        ({"anyOf": [{"type": "string"}, {"type": "integer"}]}, "string or integer"),
        ({"type": "string", "deprecated": True}, "string, deprecated"),
        (True, "any value"),
        (False, "no value is right"),
        ({"$ref": "#"}, "object with x"),
        ({"$ref": "#/nowhere"}, "any value"),
    ],
)
def test_an_argument_is_told_by_type_default_and_purpose(schema: Any, line: str) -> None:
    assert one(schema) == line


def test_what_is_required_is_said() -> None:
    schema = {"type": "object", "required": ["b"], "properties": {"a": {"type": "string"}, "b": {"type": "string"}}}
    assert told(schema) == ["a  string", "b  string, required"]


def test_where_some_are_left_out_the_required_ones_come_first_and_the_others_are_counted() -> None:
    schema = {"required": ["p399"], "properties": {f"p{number}": {"type": "integer"} for number in range(400)}}
    assert len(told(schema)) == 400
    assert told(schema, 2) == ["p399  integer, required", "p0  integer", "... and 398 more arguments"]
    assert told(schema, 400)[-1] == "p399  integer, required"


@pytest.mark.parametrize(
    ("schema", "line"),
    [
        ({"type": "object"}, "no arguments are described, any can be given"),
        ({"type": "object", "additionalProperties": False}, "no arguments"),
        (5, "the inputSchema is no object; any arguments can be given"),
        ({"oneOf": [{"title": "one"}, {"title": "two"}], "type": "object"}, "one of these: one | two"),
    ],
)
def test_a_schema_without_arguments_is_told_in_a_sentence(schema: Any, line: str) -> None:
    assert told(schema) == [line]


def test_a_tool_without_a_schema_is_told_as_such() -> None:
    assert "is missing" in arguments_lines(Tool("t", "", "", members("{}"), ()))[0].text


def test_lines_stay_short_and_safe_whatever_stands_in_the_schema() -> None:
    hostile = "\x1b]52;c;eA==\x07\u202e\nnext" * 1_000
    schema = {
        "required": [hostile],
        "properties": {
            hostile: {"type": "string", "description": hostile, "default": [hostile] * 1_000},
            "e": {"enum": [hostile, hostile + "2"], "description": "x" * 100_000},
            "u": {"anyOf": [{"title": hostile}, {"title": "b"}], "format": hostile},
        },
    }
    for line in told(schema):
        assert not UNSAFE.search(line)
        assert "\n" not in line
        assert len(line) < 1_000


def test_spans_lie_on_what_they_name() -> None:
    schema = {"required": ["site"], "properties": {"site": {"type": "string", "description": "Host"}}}
    (line,) = arguments_lines(Tool("t", "", "", members(json.dumps({"inputSchema": schema})), ()))
    assert [(line.text[span.start : span.end], span.kind) for span in line.spans] == [
        ("site", "key"),
        ("string, required", "muted"),
    ]
