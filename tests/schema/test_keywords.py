"""Every keyword and pattern that recorded tools use, and the others: its field, a right and a wrong value."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from olv_tui import jsontext
from olv_tui.schema import Field, Kind
from olv_tui.schema.findings import check
from tests.caselib import shared_folder
from tests.schema.material import field_of

_NOTHING = object()
TEXT, WHOLE = {"type": "string"}, {"type": "integer"}
APART = [{"type": "object", "properties": {"k": {"const": one}}, "required": ["k"]} for one in ("a", "b")]
CONDITION = {"if": {"properties": {"a": {"const": "x"}}}, "then": {"properties": {"t": WHOLE}, "required": ["t"]},
             "else": {"properties": {"e": WHOLE}}}  # fmt: skip


def a(schema: Any, **around: Any) -> dict[str, Any]:
    """An inputSchema with the argument `a`."""
    return {"type": "object", "properties": {"a": schema}, **around}


Row = tuple[dict[str, Any], Any, Any, Callable[[Field], object]]
"""inputSchema, right arguments, wrong ones (_NOTHING: there are none), what the field of the arguments must show."""


def kind(wanted: str) -> Callable[[Field], bool]:
    return lambda root: root.entry("a").kind == wanted


def says(words: str) -> Callable[[Field], bool]:
    return lambda root: words in " ".join((*root.entry("a").constraints, *root.entry("a").notes, *root.constraints))


ROWS: dict[str, Row] = {
    "properties": (a(TEXT), {"a": ""}, {"a": 1}, lambda root: root.names == ("a",)),
    "type": (a({"type": "boolean"}), {"a": False}, {"a": 0}, kind("boolean")),
    "required": (a(TEXT, required=["a"]), {"a": ""}, {}, lambda root: root.entry("a").required),
    "description": (a({**TEXT, "description": "what"}), {"a": ""}, _NOTHING,
        lambda root: root.entry("a").description == "what"),
    "additionalProperties": (a(True, additionalProperties=WHOLE), {"b": 1}, {"b": ""},
        lambda root: root.entry("b").kind == "integer"),
    "additionalProperties false": (a(True, additionalProperties=False), {"a": 1}, {"b": 1},
        lambda root: not root.is_open),
    "additionalProperties true": (a(True, additionalProperties=True), {"b": 1}, _NOTHING, lambda root: root.is_open),
    "additionalProperties is a schema (a map)": (
        a({"type": "object", "additionalProperties": WHOLE}), {"a": {"x": 1}}, {"a": {"x": ""}}, kind("map")),
    "default": (a({**WHOLE, "default": 3}), {}, _NOTHING, lambda root: root.entry("a").has_default),
    "default not null": (a({**WHOLE, "default": 3}), {}, _NOTHING, lambda root: root.entry("a").default_fits),
    "default null": (a({**WHOLE, "default": None}), {}, _NOTHING, lambda root: root.entry("a").default is None),
    "default of another type than `type` says": (
        a({**WHOLE, "default": "3"}), {}, {"a": "3"}, lambda root: not root.entry("a").default_fits),
    "default for an array or object": (
        a({"type": "array", "default": [1]}), {}, _NOTHING,
        lambda root: root.entry("a").default == [jsontext.loads("1")]),
    "required property with a default": (
        a({**TEXT, "default": "x"}, required=["a"]), {"a": "x"}, {}, lambda root: root.entry("a").has_default),
    "$schema": (a(TEXT, **{"$schema": "http://json-schema.org/draft-07/schema#"}), {"a": ""}, {"a": 1}, kind("string")),
    "items": (a({"type": "array", "items": WHOLE}), {"a": [1]}, {"a": [""]},
        lambda root: root.entry("a").item(5).kind == "integer"),
    "array of objects": (a({"type": "array", "items": a(WHOLE)}), {"a": [{"a": 1}]}, {"a": [{"a": ""}]},
                         lambda root: root.entry("a").item(0).kind == "object"),
    "array of arrays": (a({"type": "array", "items": {"type": "array"}}), {"a": [[]]}, {"a": [1]},
                        lambda root: root.entry("a").item(0).kind == "array"),
    "array of a union": (a({"type": "array", "items": {"anyOf": [TEXT, WHOLE]}}), {"a": [1, ""]}, {"a": [None]},
                         lambda root: len(root.entry("a").item(0).branches) == 2),
    "enum": (a({"enum": ["x", 1, None]}), {"a": None}, {"a": "y"},
        lambda root: root.entry("a").option_labels == ("x", "1", "null")),
    "const": (a({"const": {"x": 1}}), {"a": {"x": 1}}, {"a": {}}, kind("const")),
    "title": (a({**TEXT, "title": "Whose"}), {"a": ""}, _NOTHING, lambda root: root.entry("a").label == "Whose"),
    "pattern": (a({**TEXT, "pattern": "^x"}), {"a": "xy"}, {"a": "y"}, says("matches ^x")),
    "format": (a({**TEXT, "format": "uuid"}), {"a": "6ba7b810-9dad-11d1-80b4-00c04fd430c8"}, {"a": "x"},
        says("format uuid")),
    "minimum": (a({**WHOLE, "minimum": 2}), {"a": 2}, {"a": 1}, says("at least 2")),
    "maximum": (a({**WHOLE, "maximum": 2}), {"a": 2}, {"a": 3}, says("at most 2")),
    "exclusiveMinimum": (a({**WHOLE, "exclusiveMinimum": 2}), {"a": 3}, {"a": 2}, says("more than 2")),
    "exclusiveMaximum": (a({**WHOLE, "exclusiveMaximum": 2}), {"a": 1}, {"a": 2}, says("less than 2")),
    "multipleOf": (a({**WHOLE, "multipleOf": 5}), {"a": 10}, {"a": 9}, says("a multiple of 5")),
    "minLength": (a({**TEXT, "minLength": 2}), {"a": "xy"}, {"a": "x"}, says("at least 2 characters")),
    "maxLength": (a({**TEXT, "maxLength": 2}), {"a": "xy"}, {"a": "xyz"}, says("at most 2 characters")),
    "minItems": (a({"type": "array", "minItems": 1}), {"a": [1]}, {"a": []}, says("at least 1 item")),
    "maxItems": (a({"type": "array", "maxItems": 1}), {"a": [1]}, {"a": [1, 2]}, says("at most 1 item")),
    "uniqueItems": (a({"type": "array", "uniqueItems": True}), {"a": [1, 2]}, {"a": [1, 1]}, says("no item twice")),
    "contains": (a({"type": "array", "contains": {"const": 1}}), {"a": [1]}, {"a": [2]}, says("equal to 1")),
    "minProperties": (a({"type": "object", "minProperties": 1}), {"a": {"x": 1}}, {"a": {}}, says("at least 1 member")),
    "maxProperties": (a({"type": "object", "maxProperties": 1}), {"a": {}}, {"a": {"x": 1, "y": 1}},
        says("at most 1 member")),
    "propertyNames": (a({"type": "object", "propertyNames": {"maxLength": 1}}), {"a": {"x": 1}}, {"a": {"xy": 1}},
        says("names of at most")),
    "patternProperties": (a({"type": "object", "patternProperties": {"^x": WHOLE}}), {"a": {"x": 1}}, {"a": {"x": ""}},
                          lambda root: root.entry("a").entry("xy").kind == "integer"),
    "prefixItems": (a({"type": "array", "prefixItems": [TEXT, WHOLE]}), {"a": ["", 1]}, {"a": [1]},
                    lambda root: [one.kind for one in root.entry("a").children()] == ["string", "integer"]),
    "additionalItems": (
        a({"type": "array", "items": [TEXT], "additionalItems": WHOLE}, **{"$schema": "http://json-schema.org/draft-07/schema#"}),
        {"a": ["", 1]}, {"a": ["", ""]}, lambda root: root.entry("a").item(1).kind == "integer"),
    "unevaluatedProperties": (a(True, unevaluatedProperties=False), {"a": 1}, {"b": 1}, lambda root: not root.is_open),
    "not": (a({"not": {"const": 1}}), {"a": 2}, {"a": 1}, says("not equal to 1")),
    "$defs": (a({"$ref": "#/$defs/d"}, **{"$defs": {"d": WHOLE}}), {"a": 1}, {"a": ""}, kind("integer")),
    "definitions": (a({"$ref": "#/definitions/d"}, definitions={"d": WHOLE}), {"a": 1}, {"a": ""}, kind("integer")),
    "$ref": (a({"$ref": "#/$defs/d"}, **{"$defs": {"d": WHOLE}}), {"a": 1}, {"a": ""}, kind("integer")),
    "$ref with siblings": (a({"$ref": "#/$defs/d", "maximum": 5}, **{"$defs": {"d": WHOLE}}), {"a": 5}, {"a": 6},
        says("at most 5")),
    "$anchor": (a({"$ref": "#d"}, **{"$defs": {"x": {"$anchor": "d", **WHOLE}}}), {"a": 1}, {"a": ""}, kind("integer")),
    "$id": (
        a({"$ref": "d"}, **{"$id": "https://e.com/r", "$defs": {"x": {"$id": "d", **WHOLE}}}), {"a": 1}, {"a": ""},
        kind("integer")),
    "$dynamicRef": (
        a({"$dynamicRef": "#d"}, **{"$defs": {"x": {"$dynamicAnchor": "d", **WHOLE}}}), {"a": 1}, {"a": ""},
        kind("integer")),
    "$comment": (a({**TEXT, "$comment": "for nobody"}), {"a": ""}, {"a": 1}, kind("string")),
    "anyOf": (a({"anyOf": [TEXT, WHOLE]}), {"a": 1}, {"a": None}, kind("union")),
    "anyOf of several non-null": (a({"anyOf": [TEXT, WHOLE]}), {"a": ""}, {"a": []},
        lambda root: len(root.entry("a").branches) == 2),
    "oneOf": (a({"oneOf": [TEXT, WHOLE]}), {"a": 1}, {"a": None}, kind("union")),
    "oneOf of several non-null": (a({"oneOf": [TEXT, WHOLE]}), {"a": ""}, {"a": []},
        lambda root: len(root.entry("a").branches) == 2),
    "union told apart by a constant property": (
        a({"oneOf": APART}), {"a": {"k": "b"}}, {"a": {"k": "c"}},
        lambda root: [one.marks[0][1] for one in root.entry("a").branches] == ["a", "b"]),
    "discriminator": (a({"oneOf": APART, "discriminator": {"propertyName": "k"}}), {"a": {"k": "b"}}, {"a": {}},
        kind("union")),
    "nullable by anyOf": (a({"anyOf": [TEXT, {"type": "null"}]}), {"a": None}, {"a": 1},
        lambda root: root.entry("a").nullable),
    "nullable by a type list": (a({"type": ["string", "null"]}), {"a": None}, {"a": 1},
        lambda root: root.entry("a").nullable),
    "nullable": (a({**TEXT, "nullable": True}), {"a": ""}, {"a": None}, lambda root: root.entry("a").nullable),
    "type is a list": (a({"type": ["string", "integer"]}), {"a": 1}, {"a": None}, kind("union")),
    "allOf": (a({"allOf": [{"minimum": 2}, WHOLE]}), {"a": 2}, {"a": 1}, kind("integer")),
    "if": (a(TEXT, **CONDITION), {"a": "x", "t": 1}, {"a": "x"}, lambda root: set(root.names) == {"a", "t", "e"}),
    "then": (a(TEXT, **CONDITION), {"a": "x", "t": 1}, {"a": "x", "t": ""},
        lambda root: 'a is "x"' in root.entry("t").notes[0]),
    "else": (a(TEXT, **CONDITION), {"a": "y", "e": 1}, {"a": "y", "e": ""},
        lambda root: "unless" in root.entry("e").notes[0]),
    "dependentRequired": (a(TEXT, dependentRequired={"a": ["b"]}), {"a": "", "b": 1}, {"a": ""},
                          lambda root: "where a is given, b must be given too" in root.notes),
    "dependentSchemas": (a(TEXT, dependentSchemas={"a": {"required": ["b"]}}), {"a": "", "b": 1}, {"a": ""},
                         lambda root: "where a is given, b must be given" in root.notes),
    "dependencies": (a(TEXT, dependencies={"a": ["b"]}, **{"$schema": "http://json-schema.org/draft-07/schema#"}),
                     {"a": "", "b": 1}, {"a": ""}, lambda root: root.notes),
    "free-form object argument": (a({"type": "object"}), {"a": {"x": [1]}}, {"a": 1}, kind("map")),
    "no type, enum, const or composition": (a({"description": "any"}), {"a": [1]}, _NOTHING, kind("json")),
    "examples": (a({**TEXT, "examples": ["x"]}), {}, _NOTHING, lambda root: root.entry("a").examples == ("x",)),
    "deprecated": (a({**TEXT, "deprecated": True}), {}, _NOTHING, lambda root: root.entry("a").deprecated),
    "readOnly": (a({**TEXT, "readOnly": True}), {}, _NOTHING, lambda root: root.entry("a").read_only),
    "writeOnly": (a({**TEXT, "writeOnly": True}), {}, _NOTHING, lambda root: root.entry("a").write_only),
    "contentEncoding": (a({**TEXT, "contentEncoding": "base64"}), {"a": "eA=="}, _NOTHING, says("encoded as base64")),
    "contentMediaType": (a({**TEXT, "contentMediaType": "text/csv"}), {"a": "1,2"}, _NOTHING, says("holds text/csv")),
    "other: x-mcp-header": (a({**TEXT, "x-mcp-header": "A"}), {"a": ""}, {"a": 1}, kind("string")),
}  # fmt: skip


def faults(arguments: Any, schema: Any) -> list[str]:
    found = check(jsontext.loads(json.dumps(arguments)), jsontext.loads(json.dumps(schema)))
    assert all(one.is_fault for one in found), "all of it can be checked"
    return [one.sentence for one in found]


@pytest.mark.parametrize("keyword", ROWS)
def test_a_keyword_is_in_the_form_and_in_what_is_found(keyword: str) -> None:
    schema, right, wrong, shows = ROWS[keyword]
    root = field_of(schema)
    assert shows(root)
    assert not any(child.reason or child.kind is Kind.NEVER for child in root.children())
    assert not faults(right, schema)
    if wrong is not _NOTHING:
        told = faults(wrong, schema)
        assert told
        assert all(sentence.startswith(("/", "the arguments: ")) for sentence in told)


def test_no_keyword_that_a_recorded_tool_uses_is_forgotten_here() -> None:
    folder = shared_folder()
    path = folder / "fixtures" / "schemas" / "README.md" if folder else None
    if path is None or not path.is_file():
        pytest.skip("the folder of real schemas is not here")
    text = path.read_text("utf-8")
    table = text.partition("| keyword or pattern |")[2].partition("\n\n")[0].splitlines()[2:]
    rows = [line.split("|")[1].strip() for line in table]
    unseen = text.partition("Never seen in an inputSchema here: ")[2].partition(".\n")[0]
    assert len(rows) > 40
    assert {*rows, *unseen.replace("`", "").split(", ")} <= {*ROWS}
