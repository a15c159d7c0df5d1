"""Fields below fields: allOf, references, recursion, objects, arrays, conditions, odd names and roots."""

from __future__ import annotations

import pytest

from olv_tui import jsontext
from olv_tui.model import Number, Object, Value
from olv_tui.schema import Kind, tree
from tests.schema.material import NAMES, at, field_of

# --------------------------------------------------------------------------- allOf and references


def test_all_of_is_one_field_where_it_can_be() -> None:
    field = at(
        {
            "allOf": [
                {"type": "object", "properties": {"x": {"type": "number"}}, "required": ["x"]},
                {"properties": {"y": {}, "x": {"type": "integer", "minimum": 3}}, "description": "both"},
            ]
        }
    )
    assert field.kind is Kind.OBJECT
    assert field.description == "both"
    x, y = field.children()
    assert (x.kind, x.required, x.constraints) == (Kind.INTEGER, True, ("at least 3",))
    assert y.kind is Kind.JSON
    assert at({"allOf": [{"enum": ["a", "b"]}, {"enum": ["b", "c"]}]}).options == ("b",)
    assert at({"allOf": [{"type": ["string", "null"]}, {"type": "string"}]}).nullable is False


def test_references_lead_to_definitions_anchors_ids_and_any_place_inside() -> None:
    root = field_of(
        {
            "$id": "https://example.com/root",
            "type": "object",
            "$defs": {
                "n": {"type": "integer"},
                "s p": {"$anchor": "named", "type": "string"},
                "embedded": {
                    "$id": "sub/own",
                    "type": "object",
                    "$defs": {"n": {"type": "boolean"}},
                    "properties": {"x": {"$ref": "#/$defs/n"}},
                },
                "default": {"$anchor": "late", "type": "null"},
            },
            "definitions": {"old": {"type": "number"}},
            "properties": {
                "a": {"$ref": "#/$defs/n"},
                "b": {"$ref": "#named"},
                "c": {"$ref": "sub/own"},
                "d": {"$ref": "https://example.com/sub/own#/$defs/n"},
                "e": {"$ref": "#/definitions/old"},
                "f": {"$ref": "#/$defs/s%20p"},
                "g": {"$ref": "#/properties/h/prefixItems/0"},
                "h": {"type": "array", "prefixItems": [{"enum": [1]}]},
                "i": {"$dynamicRef": "#late"},
                "j": {"$ref": "https://example.com/root#/$defs/n"},
            },
        }
    )  # fmt: skip
    kinds = [child.kind for child in root.children()]
    assert kinds == ["integer", "string", "object", "boolean", "number", "string", "enum", "array", "null", "integer"]
    assert root.entry("c").entry("x").kind is Kind.BOOLEAN


def test_words_beside_a_reference_hold_in_2020_12_and_are_notes_in_draft_07() -> None:
    inner = {"$ref": "#/definitions/n", "description": "mine", "minimum": 5}
    schema = {
        "type": "object",
        "definitions": {"n": {"type": "integer", "description": "its"}},
        "properties": {"a": inner},
    }
    new = field_of(schema).entry("a")
    old = field_of({"$schema": "http://json-schema.org/draft-07/schema#", **schema}).entry("a")
    assert (new.kind, new.description, new.constraints) == (Kind.INTEGER, "mine\nits", ("at least 5",))
    assert (old.kind, old.description, old.constraints) == (Kind.INTEGER, "mine\nits", ())
    assert new.schema == jsontext.loads('{"$ref":"#/definitions/n","description":"mine","minimum":5}')
    assert [source.at for source in new.sources] == ["/properties/a", "/definitions/n"]


def test_draft_07_anchors_tuples_and_dependencies_are_read() -> None:
    root = field_of(
        {
            "$schema": "http://json-schema.org/draft-07/schema#",
            "type": "object",
            "definitions": {"n": {"$id": "#n", "type": "integer"}},
            "properties": {
                "pair": {"type": "array", "items": [{"$ref": "#n"}, {"type": "string"}], "additionalItems": False},
                "more": {"type": "array", "items": [{}], "additionalItems": {"type": "boolean"}},
            },
            "dependencies": {"pair": ["more"], "more": {"properties": {"extra": {"type": "null"}}}},
        }
    )
    pair, more, extra = root.children()
    assert [item.kind for item in pair.children()] == [Kind.INTEGER, Kind.STRING]
    assert pair.item(2).notes == ("the schema has no item here",)
    assert more.item(1).kind is Kind.BOOLEAN
    assert root.notes == ("where pair is given, more must be given too",)
    assert (extra.kind, extra.required, extra.notes) == (Kind.NULL, False, ("asked for where more is given",))


def test_a_schema_that_contains_itself_is_opened_one_level_at_a_time() -> None:
    children = {"type": "array", "items": {"$ref": "#/$defs/node"}}
    root = field_of(
        {
            "type": "object",
            "$defs": {"node": {"type": "object", "properties": {"v": {"type": "string"}, "children": children}}},
            "properties": {"root": {"$ref": "#/$defs/node"}},
        }
    )  # fmt: skip
    field = root.entry("root")
    for _ in range(500):
        field = field.entry("children").item(0)
    assert field.kind is Kind.OBJECT
    assert field.pointer.count("/children/0") == 500
    assert field.entry("v").kind is Kind.STRING


# --------------------------------------------------------------------------- objects and arrays


def test_tuples_have_their_items_and_then_what_all_others_are() -> None:
    field = at(
        {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "items": {"type": "boolean"}}
    )
    assert [(item.name, item.kind, item.pointer) for item in field.children()] == [
        ("0", Kind.STRING, "/a/0"),
        ("1", Kind.INTEGER, "/a/1"),
    ]
    assert field.item(7).kind is Kind.BOOLEAN


def test_members_of_a_map_are_what_pattern_and_additional_properties_say() -> None:
    field = at(
        {
            "type": "object",
            "properties": {"known": {"type": "null"}},
            "patternProperties": {"^x-": {"type": "integer"}, "(a+)+$": {"type": "string"}},
            "additionalProperties": {"type": "boolean"},
        }
    )
    assert field.entry("known").kind is Kind.NULL
    assert field.entry("x-n").kind is Kind.INTEGER
    assert field.entry("a" * 60 + "!").kind is Kind.BOOLEAN
    assert field.is_open
    closed = at({"type": "object", "properties": {"x": {}}, "additionalProperties": False})
    assert not closed.is_open
    assert closed.entry("y").kind is Kind.JSON
    assert closed.entry("y").notes == ("the schema does not know this name",)


def test_what_is_required_and_not_described_is_a_field_too() -> None:
    root = field_of({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a", "ghost"]})
    a, ghost = root.children()
    assert (a.required, ghost.required, ghost.kind) == (True, True, Kind.JSON)


def test_what_a_condition_brings_is_an_optional_field_with_the_condition_in_words() -> None:
    root = field_of(
        {
            "type": "object",
            "properties": {"kind": {"enum": ["a", "b"]}},
            "if": {"properties": {"kind": {"const": "a"}}},
            "then": {"properties": {"x": {"type": "integer"}}, "required": ["x"]},
            "else": {"properties": {"y": {"type": "string"}}},
            "dependentRequired": {"x": ["kind"]},
            "dependentSchemas": {"y": {"properties": {"z": {}}}},
        }
    )
    kind, x, y, z = root.children()
    assert kind.notes == ()
    assert (x.kind, x.required, x.notes) == (Kind.INTEGER, False, ('asked for where kind is "a"',))
    assert y.notes == ('asked for unless kind is "a"',)
    assert z.notes == ("asked for where y is given",)
    assert root.notes == ('where kind is "a", x must be given', "where x is given, kind must be given too")


def test_what_conditions_say_differently_of_one_name_are_alternatives() -> None:
    then = {"properties": {"x": {"type": "integer"}}}
    other = {"properties": {"x": {"type": "string"}}}
    field = at({"type": "object", "if": {"minProperties": 2}, "then": then, "else": other}).entry("x")
    assert [branch.name for branch in field.branches] == ["integer", "string"]
    assert field.notes == (
        "asked for where a condition of the schema holds",
        "asked for unless a condition of the schema holds",
    )


@pytest.mark.parametrize("name", NAMES)
def test_a_name_of_any_kind_is_a_field(name: str) -> None:
    root = field_of({"type": "object", "properties": {name: {"type": "string"}}, "required": [name]})
    (field,) = root.children()
    assert (field.name, field.label, field.required) == (name, name, True)
    assert field.pointer == jsontext.pointer([name])
    assert root.entry(name) is field


@pytest.mark.parametrize(
    ("name", "schema", "secret"),
    [
        ("token", {"type": "string"}, True),
        ("API Key", {"type": "string"}, True),
        ("apiKey", {"type": ["string", "null"]}, True),
        ("pwd", {"type": "string"}, True),
        ("x", {"type": "string", "format": "password"}, True),
        ("max_tokens", {"type": "integer"}, False),
        ("token", {"type": "boolean"}, False),
        ("name", {"type": "string"}, False),
    ],
)
def test_secrets_are_known_by_format_or_name(name: str, schema: object, secret: bool) -> None:
    assert at(schema, name).secret is secret


# --------------------------------------------------------------------------- roots


@pytest.mark.parametrize(
    "schema",
    ["{}", "true", "false", "null", "[]", '"x"', '{"type":"string"}', '{"enum":[1]}', '{"type":"object"}',
     '{"$ref":"#"}', '{"$ref":"x"}', '{"const":{}}', '{"type":["object","null"]}'],
)  # fmt: skip
def test_arguments_are_an_object_whatever_the_schema_says(schema: str) -> None:
    root = tree(jsontext.loads(schema))
    assert root.kind in (Kind.OBJECT, Kind.MAP)
    assert root.pointer == ""


def test_alternatives_at_the_root_are_a_union_of_objects() -> None:
    root = field_of({"type": "object", "oneOf": [{"properties": {"x": {}}}, {"properties": {"y": {}}}]})
    assert root.kind is Kind.UNION
    assert [branch.field.kind for branch in root.branches] == [Kind.OBJECT, Kind.OBJECT]


def test_no_value_of_a_keyword_whatever_breaks_the_tree() -> None:
    odd: list[Value] = [None, True, False, "x", Number("7"), [], [None], Object(), Object([("a", None)])]
    for keyword in (
        "type", "properties", "required", "enum", "const", "items", "prefixItems", "additionalItems", "oneOf", "anyOf",
        "allOf", "if", "then", "else", "dependencies", "dependentSchemas", "dependentRequired", "patternProperties",
        "additionalProperties", "minimum", "minLength", "minItems", "uniqueItems", "contains", "propertyNames", "not",
        "title", "description", "default", "examples", "format", "$ref", "$id", "$anchor", "$defs", "unevaluatedItems",
    ):  # fmt: skip
        for value in odd:
            inner = Object([(keyword, value), ("type", "object")]) if keyword != "type" else Object([(keyword, value)])
            root = tree(Object([("type", "object"), ("properties", Object([("a", inner)])), (keyword, value)]))
            for field in (root, *root.children(), *(branch.field for branch in root.branches)):
                assert isinstance(field.constraints, tuple)
                field.children()
                assert field.entry("b").item(0).branches == ()


# --------------------------------------------------------------------------- patterns that real tools have


def test_arrays_of_objects_of_arrays_and_of_alternatives_have_items_of_that_kind() -> None:
    inner = {"type": "object", "properties": {"name": {"type": "string"}}}
    assert at({"type": "array", "items": inner}).item(3).entry("name").pointer == "/a/3/name"
    rows = at({"type": "array", "items": {"type": "array", "items": {"type": "string"}}})
    assert rows.item(0).item(1).kind is Kind.STRING
    either = at({"type": "array", "items": {"anyOf": [inner, {"type": "string"}]}})
    assert [branch.field.kind for branch in either.item(0).branches] == [Kind.OBJECT, Kind.STRING]


def test_defaults_of_containers_and_of_required_properties_are_hints_like_any_other() -> None:
    root = field_of(
        {"type": "object", "required": ["a"], "properties": {"a": {"type": "array", "items": {}, "default": [1]}}}
    )
    (field,) = root.children()
    assert (field.required, field.default, field.default_fits) == (True, [Number("1")], True)
    assert at({"type": "object", "default": {"x": 1}}).default_fits


def test_words_that_no_schema_language_knows_stay_in_the_fragment_and_change_nothing() -> None:
    field = at({"type": "string", "x-mcp-header": "Region", "$comment": "c"})
    assert (field.kind, field.reason, field.constraints) == (Kind.STRING, "", ())
    assert field.schema == jsontext.loads('{"type":"string","x-mcp-header":"Region","$comment":"c"}')


def test_conditions_inside_all_of_bring_their_properties_too() -> None:
    condition = {"if": {"properties": {"kind": {"enum": ["a", "b"]}}}, "then": {"properties": {"x": {}}}}
    root = field_of({"type": "object", "properties": {"kind": {}}, "allOf": [condition]})
    assert [child.notes for child in root.children()] == [(), ('asked for where kind is "a" or "b"',)]
