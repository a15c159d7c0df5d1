"""Keywords of JSON Schema as fields: each keyword and pattern that real tools use, and those that they do not."""

from __future__ import annotations

import pytest

from olv_tui.model import Number
from olv_tui.schema import Kind
from tests.schema.material import at, field_of

OBJECT = {"type": "object"}


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        ({"type": "string"}, "string"),
        ({"type": "integer"}, "integer"),
        ({"type": "number"}, "number"),
        ({"type": ["integer", "number"]}, "number"),
        ({"type": "boolean"}, "boolean"),
        ({"type": "null"}, "null"),
        ({"type": ["null"]}, "null"),
        ({"type": "array"}, "array"),
        ({"type": "array", "items": {"type": "string"}}, "array"),
        ({"type": "object", "properties": {"x": {}}}, "object"),
        ({"type": "object", "properties": {}}, "object"),
        ({"type": "object", "additionalProperties": False}, "object"),
        ({"type": "object"}, "map"),
        ({"type": "object", "additionalProperties": True}, "map"),
        ({"type": "object", "additionalProperties": {"type": "string"}}, "map"),
        ({"type": "object", "patternProperties": {"^x-": {"type": "integer"}}}, "map"),
        ({"enum": ["a", 1, None]}, "enum"),
        ({"const": {"x": 1}}, "const"),
        ({"type": ["integer", "string"]}, "union"),
        ({"oneOf": [{"type": "string"}, {"type": "array"}]}, "union"),
        ({"anyOf": [{"const": "a"}, {"const": "b"}]}, "enum"),
        (True, "json"),
        ({}, "json"),
        ({"description": "no type"}, "json"),
        ({"type": ["object", "array", "string", "number", "boolean", "null"]}, "json"),
        (False, "never"),
        ({"properties": {"x": {}}}, "object"),
        ({"additionalProperties": {"type": "string"}}, "map"),
        ({"items": {"type": "string"}}, "array"),
        ({"pattern": "^a"}, "string"),
        ({"minimum": 1}, "number"),
    ],
    ids=str,
)
def test_each_schema_has_its_kind_of_field(schema: object, kind: str) -> None:
    field = at(schema)
    assert (field.kind, field.reason and "reason") == (kind, "reason" if kind == "never" else "")


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        ({"$ref": "https://example.com/s.json"}, "outside"),
        ({"$ref": "other.json#/x"}, "outside"),
        ({"$ref": "#/nowhere"}, "nothing"),
        ({"$ref": "#missing"}, "nothing"),
        ({"$ref": "http://["}, "outside"),
        ({"$ref": 7}, "no text"),
        ({"$ref": "#/properties/a"}, "circle"),
        ({"anyOf": [{"$ref": "#/properties/a"}]}, "circle"),
        ({"type": "file"}, "file"),
        ({"allOf": [{"type": "string"}, {"type": "integer"}]}, "at once"),
        ({"allOf": [{"enum": [1]}, {"enum": [2]}]}, "exclude"),
        ({"oneOf": [{"type": "string"}, {"type": "array"}], "anyOf": [{"minLength": 1}, {"items": {}}]}, "several"),
        (7, "none"),
        ([], "none"),
    ],
    ids=str,
)  # fmt: skip
def test_what_cannot_be_a_form_is_a_json_field_that_says_why(schema: object, reason: str) -> None:
    field = at(schema)
    assert field.kind is Kind.JSON
    assert reason in field.reason


@pytest.mark.parametrize(
    ("schema", "word"),
    [
        ({"type": "integer", "minimum": 1, "maximum": 2000}, ("at least 1", "at most 2000")),
        ({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1.50}, ("more than 0", "less than 1.5")),
        ({"type": "number", "multipleOf": 0.5}, ("a multiple of 0.5",)),
        ({"type": "string", "minLength": 1, "maxLength": 64}, ("1 to 64 characters",)),
        ({"type": "string", "minLength": 1}, ("at least 1 character",)),
        ({"type": "string", "minLength": 8, "maxLength": 8}, ("exactly 8 characters",)),
        ({"type": "string", "pattern": "^[a-z]+$"}, ("matches ^[a-z]+$",)),
        ({"type": "string", "format": "uuid"}, ("format uuid",)),
        ({"type": "string", "contentMediaType": "text/html", "contentEncoding": "base64"},
         ("holds text/html", "encoded as base64")),
        ({"type": "array", "minItems": 2, "uniqueItems": True}, ("at least 2 items", "no item twice")),
        ({"type": "array", "maxItems": 1}, ("at most 1 item",)),
        ({"type": "array", "contains": {"const": 1}, "maxContains": 3},
         ("at least 1 and at most 3 of the items equal to 1",)),
        ({"type": "array", "prefixItems": [{}], "unevaluatedItems": False}, ("no other items",)),
        ({"type": "object", "minProperties": 1, "maxProperties": 3}, ("1 to 3 members",)),
        ({"type": "object", "propertyNames": {"pattern": "^a"}}, ("names matching ^a",)),
        ({"type": "object", "properties": {"x": {}}, "unevaluatedProperties": {"type": "string"}},
         ("other members of the type string",)),
        ({"type": "object", "properties": {"x": {}}, "additionalProperties": False}, ("no other names",)),
        ({"type": "object", "properties": {"x": {}}, "unevaluatedProperties": False}, ("no other names",)),
        ({"not": {"enum": ["x"]}}, ('not one of ["x"]',)),
    ],
    ids=str,
)  # fmt: skip
def test_what_binds_a_value_is_told_in_plain_words(schema: object, word: tuple[str, ...]) -> None:
    assert at(schema).constraints == word


def test_notes_of_a_schema_are_on_its_field() -> None:
    field = at(
        {
            "type": "string",
            "title": "Zip code",
            "description": "of the town",
            "default": "00123",
            "examples": ["089", "1"],
            "example": "x",
            "deprecated": True,
            "readOnly": True,
            "writeOnly": True,
            "format": "zip",
            "contentMediaType": "text/plain",
        }
    )
    assert (field.label, field.description, field.name, field.pointer) == ("Zip code", "of the town", "a", "/a")
    assert (field.default, field.has_default, field.default_fits) == ("00123", True, True)
    assert field.examples == ("089", "1", "x")
    assert field.deprecated
    assert field.read_only
    assert field.write_only
    assert (field.format, field.media_type) == ("zip", "text/plain")


def test_defaults_keep_their_digits_and_one_of_another_type_is_known_as_such() -> None:
    root = field_of(
        '{"type":"object","properties":{"a":{"type":"number","default":1.50},"b":{"type":"string","default":null}}}'
    )
    a, b = root.children()
    assert (a.default, a.default_fits) == (Number("1.50"), True)
    assert (b.default, b.has_default, b.default_fits) == (None, True, False)
    assert not at({"type": "string"}).has_default


@pytest.mark.parametrize(
    "schema",
    [
        {"type": ["string", "null"]},
        {"anyOf": [{"type": "string"}, {"type": "null"}]},
        {"oneOf": [{"type": "null"}, {"type": "string"}]},
        {"anyOf": [{"type": "string"}, {"const": None}]},
        {"anyOf": [{"type": "string"}, {"enum": [None]}]},
        {"type": "string", "nullable": True},
    ],
    ids=str,
)
def test_nullable_in_any_notation_is_one_field_that_may_be_null(schema: object) -> None:
    field = at(schema)
    assert (field.kind, field.nullable) == (Kind.STRING, True)


def test_a_field_is_not_nullable_where_nothing_says_so() -> None:
    assert not at({"type": "string"}).nullable
    assert not at({"type": "string", "anyOf": [{"minLength": 1}, {"type": "null"}]}).nullable
    assert at({"enum": ["a", None]}).nullable
    assert at({"anyOf": [{"enum": ["a", "b"]}, {"type": "null"}]}).nullable


def test_options_of_any_type_are_told_apart_by_their_labels() -> None:
    field = at({"enum": [1, "1", True, "true", None, "null", 1.5, "", " L", "S", {"a": 1}, [1], '"x"']})
    assert field.option_labels == (
        "1", '"1"', "true", '"true"', "null", '"null"', "1.5", '""', '" L"', "S", '{"a":1}', "[1]", '"\\"x\\""',
    )  # fmt: skip
    assert len(set(field.option_labels)) == len(field.options)


def test_constants_with_titles_are_options_with_titles() -> None:
    field = at({"oneOf": [{"const": 1, "title": "Low"}, {"const": 2, "title": "High"}, {"enum": [3, 4]}]})
    assert field.kind is Kind.ENUM
    assert field.option_labels == ("1 (Low)", "2 (High)", "3", "4")


# --------------------------------------------------------------------------- unions


def names(schema: object) -> list[str]:
    return [branch.name for branch in at(schema).branches]


def test_alternatives_are_called_by_title_then_constant_then_type_and_never_alike() -> None:
    one = {"type": "object", "properties": {"kind": {"const": "text"}, "x": {}}}
    other = {"type": "object", "properties": {"kind": {"enum": ["link"]}, "y": {}}}
    assert names({"oneOf": [one, other]}) == ["kind: text", "kind: link"]
    assert names({"oneOf": [{**one, "title": "Text"}, other]}) == ["Text", "kind: link"]
    assert names({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}) == [
        "string",
        "array of string",
    ]
    assert names({"anyOf": [{"type": "string", "minLength": 1}, {"type": "string"}]}) == ["string", "string (2)"]
    assert names({"anyOf": [{"required": ["p", "q"], "properties": {"p": {}}}, {"type": "number"}]}) == [
        "object with p, q",
        "number",
    ]
    assert names({"type": ["integer", "string", "null"]}) == ["string", "integer"]


def test_an_alternative_is_read_with_all_that_holds_around_it() -> None:
    field = at(
        {
            "type": "object",
            "title": "Whole",
            "properties": {"id": {"type": "string"}},
            "required": ["id"],
            "oneOf": [{"properties": {"x": {"type": "integer"}}, "required": ["x"]}, {"properties": {"y": {}}}],
        }
    )
    assert field.kind is Kind.UNION
    first = field.branches[0].field
    assert [(child.name, child.required) for child in first.children()] == [("x", True), ("id", True)]
    assert first.pointer == field.pointer


def test_alternatives_that_only_say_what_is_required_are_a_note_and_the_object_stays_one() -> None:
    field = at(
        {"type": "object", "properties": {"x": {}, "y": {}}, "anyOf": [{"required": ["x"]}, {"required": ["y"]}]}
    )
    assert field.kind is Kind.OBJECT
    assert field.notes == ("must be given, at least one of: x | y",)


def test_an_alternative_that_nothing_fits_is_left_out() -> None:
    assert at({"anyOf": [False, {"type": "string"}]}).kind is Kind.STRING
    assert at({"anyOf": [False]}).kind is Kind.NEVER


def test_alternatives_that_contain_themselves_at_the_same_place_end() -> None:
    field = at({"anyOf": [{"type": "string"}, {"$ref": "#/properties/a"}]})
    assert field.kind is Kind.UNION
    assert [branch.field.kind for branch in field.branches] == [Kind.STRING, Kind.JSON]
    assert "circle" in field.branches[1].field.reason
