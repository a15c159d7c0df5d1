"""What a schema has against arguments, in plain words and at the place."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from olv_tui import jsontext
from olv_tui.model import Number, Object, Value
from olv_tui.schema.findings import Finding, check
from tests.schema.material import ANY
from tests.search import examples


def found(arguments: str, schema: object) -> list[Finding]:
    return list(check(jsontext.loads(arguments), jsontext.loads(json.dumps(schema))))


def told(arguments: str, **properties: object) -> list[str]:
    return [finding.sentence for finding in found(arguments, {"type": "object", "properties": properties})]


@pytest.mark.parametrize(
    ("value", "schema", "words"),
    [
        ("9999", {"maximum": 2000}, "9999 is more than 2000"),
        ("-1", {"minimum": 0}, "-1 is less than 0"),
        ("0", {"exclusiveMinimum": 0}, "0 is not more than 0"),
        ("1.50", {"exclusiveMaximum": 1.5}, "1.50 is not less than 1.5"),
        ("1.30", {"multipleOf": 0.5}, "1.30 is no multiple of 0.5"),
        ('"7"', {"type": "integer"}, '"7" is a text, and an integer is due'),
        ("1.5", {"type": ["integer", "null"]}, "1.5 is a number, and an integer or null is due"),
        ("null", {"type": "string"}, "null is given, and a text is due"),
        ("[]", {"type": "object"}, "[] is a list, and an object is due"),
        ("true", {"type": "number"}, "true is given, and a number is due"),
        ("[1, 2]", {"prefixItems": [{}], "items": False}, "there are more items in it than the schema knows"),
        ("null", {"type": "string", "nullable": True},
         "null is given, and a text is due: `nullable` is no word of JSON Schema, the server may know it"),
        ('"x"', {"enum": ["a", "b"]}, '"x" is none of "a", "b"'),
        ('"x"', {"enum": list("abcdefghij")}, '"x" is none of "a", "b", "c", "d", "e", "f", "g", "h" and 2 others'),
        ('{"a":1}', {"const": 1}, '{"a": 1} is not 1'),
        ('""', {"minLength": 1}, "0 characters, and at least 1 are due"),
        ('"abc"', {"maxLength": 2}, "3 characters, and at most 2 are allowed"),
        ('"abc"', {"pattern": "^x"}, '"abc" does not match ^x'),
        ('"31.12."', {"format": "date"}, '"31.12." is not in the format date, such as 2026-12-31'),
        ("[1]", {"minItems": 2}, "1 item, and at least 2 are due"),
        ("[1,2]", {"maxItems": 1}, "2 items, and at most 1 are allowed"),
        ("[1,1.0]", {"uniqueItems": True}, "an item stands in it twice"),
        ("[1]", {"contains": {"type": "string"}},
         "no item, or the wrong number of them, is of the kind that must be in it"),
        ("{}", {"minProperties": 1}, "0 members, and at least 1 are due"),
        ('{"b":1,"c":2}', {"maxProperties": 1}, "2 members, at most 1 are allowed"),
        ('"x"', {"not": {"const": "x"}}, '"x" is what is excluded: {"const": "x"}'),
        ('"x"', {"anyOf": [{"type": "integer"}, {"type": "null"}]}, '"x" is a text, and an integer or null is due'),
        ('"x"', {"anyOf": [{"type": "integer"}, {"maxLength": 0}]}, "1 character, and at most 0 are allowed"),
        ('"x"', {"anyOf": [{"minLength": 2}, {"maxLength": 0}]}, '"x" fits none of the 2 alternatives'),
        ("1", {"oneOf": [{"type": "integer"}, {"type": "number"}]},
         "1 fits more than one of the 2 alternatives, and one is due"),
        ("1", False, "nothing is right here, the schema says"),
        ("[1,2]", {"prefixItems": [{}], "unevaluatedItems": False}, "there are more items in it than the schema knows"),
    ],
    ids=str,
)  # fmt: skip
def test_each_keyword_speaks_in_plain_words(value: str, schema: object, words: str) -> None:
    assert told(f'{{"a": {value}}}', a=schema) == [f"/a: {words}"]


def test_what_is_missing_is_told_at_its_own_place() -> None:
    schema = {"type": "object", "required": ["a", "b/c"], "properties": {"o": {"required": ["x"]}}}
    assert [(one.pointer, one.keyword) for one in found('{"o": {}}', schema)] == [
        ("/a", "required"), ("/b~1c", "required"), ("/o/x", "required"),
    ]  # fmt: skip
    assert found("{}", schema)[0].sentence == "/a: must be given and is missing"


@pytest.mark.parametrize("keyword", ["additionalProperties", "unevaluatedProperties"])
def test_names_that_the_schema_does_not_know_are_told_one_by_one(keyword: str) -> None:
    schema = {"properties": {"a": {}}, "patternProperties": {"^x-": {}}, keyword: False}
    assert [one.pointer for one in found('{"a":1,"zz":2,"x-1":3,"A":4}', schema)] == ["/zz", "/A"]


def test_what_another_argument_asks_for_is_told_at_its_place() -> None:
    new = {"dependentRequired": {"a": ["b", "c"]}}
    old = {"$schema": "http://json-schema.org/draft-07/schema#", "dependencies": {"a": ["b", "c"]}}
    for schema in (new, old):
        assert {one.pointer for one in found('{"a":1,"b":2}', schema)} == {"/c"}
    assert found('{"a":1,"b":2}', new)[0].words == 'must be given too where "a" is'


def test_of_alternatives_the_one_that_was_meant_speaks() -> None:
    text = {"properties": {"kind": {"const": "text"}, "n": {"type": "integer"}}, "required": ["kind", "n"]}
    link = {"properties": {"kind": {"const": "link"}}, "required": ["kind", "url"]}
    schema = {"properties": {"a": {"oneOf": [{"type": "string"}, text, link]}}}
    assert [one.sentence for one in found('{"a": {"kind": "text", "n": "1"}}', schema)] == [
        '/a/n: "1" is a text, and an integer is due'
    ]
    assert [one.pointer for one in found('{"a": {"kind": "link"}}', schema)] == ["/a/url"]
    assert [one.pointer for one in found('{"a": {"kind": "else"}}', schema)] == ["/a"]


def test_a_condition_and_a_reference_are_followed() -> None:
    schema = {
        "$defs": {"n": {"maximum": 5}},
        "properties": {"a": {"$ref": "#/$defs/n"}},
        "if": {"required": ["a"]},
        "then": {"required": ["b"]},
    }
    assert [(one.pointer, one.schema_pointer) for one in found('{"a": 9}', schema)] == [
        ("/a", "/properties/a/maximum"),
        ("/b", "/then/required"),
    ]


@pytest.mark.parametrize(
    ("value", "schema", "words"),
    [
        ("9" * 5000, {"type": "integer"}, []),
        ("9" * 5000, {"maximum": 10}, [f"/a: {'9' * 20}… (5000 digits) is more than 10"]),
        ("1e400", {"type": "integer"}, []),
        ("-1e400", {"minimum": 0}, ["/a: -1e400 is less than 0"]),
        ("9007199254740993", {"const": 9007199254740992}, ["/a: 9007199254740993 is not 9007199254740992"]),
        ("1.0", {"type": "integer"}, []),
    ],
    ids=str,
)
def test_numbers_of_any_size_are_held_against_the_schema_exactly(value: str, schema: object, words: list[str]) -> None:
    assert told(f'{{"a": {value}}}', a=schema) == words


@pytest.mark.parametrize(
    ("arguments", "schema", "words"),
    [
        ('{"a":1}', {"$ref": "http://127.0.0.1:9/x.json"}, "reference"),
        ('{"a":1}', {"$ref": "#/nowhere"}, "reference"),
        ('{"a":1}', {"$ref": "#"}, "circle"),
        ('{"a":1}', {"$schema": "https://example.com/mine"}, "dialect"),
        ('{"a":1}', {"type": 17}, "not usable"),
        (json.dumps({"a": [0] * 30_000}), {}, "too large"),
        ('{"a":' + "[" * 500 + "]" * 500 + "}", {}, "too deep"),
        ('{"a":' + "9" * 50_000 + "}", {}, "digits"),
        ('{"' + "a" * 40 + '!":1}', {"patternProperties": {"^(a+)+$": {}}}, "too long"),
    ],
    ids=lambda one: str(one)[:40],
)
def test_what_cannot_be_checked_is_said_and_no_fault(arguments: str, schema: object, words: str) -> None:
    (finding,) = found(arguments, schema)
    assert finding.keyword == "unchecked"
    assert not finding.is_fault
    assert words in finding.sentence


@pytest.mark.parametrize(
    ("odd", "why"),
    [
        ({"type": 5}, "type is 5, no type of JSON Schema"),
        ({"type": []}, "type is [], no type"),
        ({"$ref": "https://example.com/x.json"}, "leads outside the schema and is not fetched"),
        ({"$ref": "#/nowhere"}, "leads to nothing in the schema"),
        ({"$ref": "#/properties/odd"}, "leads in a circle"),
        ({"required": "x"}, 'required is "x", no list of names'),
        ({"required": ["x", 1], "type": "string"}, "no list of names alone"),
        ({"properties": []}, "properties is [], no object"),
        ({"minLength": -1}, "minLength is -1, no number from zero up"),
        ({"maximum": None}, "maximum is null, no number"),
        ({"multipleOf": 0}, "multipleOf is 0, no number above zero"),
        ({"oneOf": []}, "oneOf is [], no list of schemas"),
        ({"enum": "abc"}, 'enum is "abc", no list'),
        ({"pattern": "("}, 'pattern is "(", no pattern'),
        ({"not": 5}, "5 is none"),
        (5, "5 is none"),
    ],
    ids=str,
)
def test_one_word_that_makes_no_sense_costs_itself_alone(odd: object, why: str) -> None:
    properties = {"a": {"type": "integer"}, "odd": odd, "z": {"$ref": "#/$defs/n"}}
    schema = {"type": "object", "properties": properties, "required": ["b"], "$defs": {"n": {"minimum": 3}}}
    findings = found('{"a": "x", "odd": "v", "z": 1}', schema)
    assert [one.pointer for one in findings if one.is_fault] == ["/a", "/z", "/b"]
    (unchecked,) = [one for one in findings if not one.is_fault]
    assert unchecked.pointer == "/odd"
    assert why in unchecked.words
    assert all(one.is_fault for one in found('{"a": "x"}', schema)), "what is not given need not be checked"


def test_the_flags_of_draft_04_beside_a_bound_are_understood() -> None:
    schema = {"minimum": 1, "exclusiveMinimum": True, "maximum": 9, "exclusiveMaximum": False}
    assert told('{"a": 1}', a=schema) == ["/a: 1 is not more than 1"]
    assert told('{"a": 9}', a=schema) == []


def test_a_name_that_is_not_right_is_told_at_its_member() -> None:
    schema = {"propertyNames": {"pattern": "^[a-z]+$"}}
    assert told('{"a": {"ok": 1, "NO": 2}}', a=schema) == ['/a/NO: not right as a name: "NO" does not match ^[a-z]+$']


def test_a_pattern_that_could_hang_is_left_out_and_the_rest_is_checked() -> None:
    schema = {"properties": {"a": {"pattern": "^(a+)+$"}, "b": {"type": "integer"}, "c": {"pattern": "(?<x"}}}
    text = '{"a": "' + "a" * 40 + '!", "b": "x", "c": "y"}'
    findings = found(text, schema)
    assert [(one.pointer, one.keyword) for one in findings] == [
        ("/b", "type"),
        ("/a", "unchecked"),
        ("/c", "unchecked"),
    ]
    assert "too long" in findings[1].words
    assert "no pattern that can be read" in findings[2].words


def test_a_pattern_taken_as_matching_turns_nothing_round() -> None:
    text = '{"a": "' + "a" * 40 + '!"}'
    assert [one.keyword for one in found(text, {"properties": {"a": {"not": {"pattern": "^(a+)+$"}}}})] == ["unchecked"]


def test_nothing_is_said_where_there_is_no_schema() -> None:
    assert check(Object(), None) == check(Object(), True) == check(Object(), "x") == ()
    assert found("{}", {}) == []


KEYS = [
    "type",
    "properties",
    "required",
    "const",
    "enum",
    "items",
    "oneOf",
    "anyOf",
    "not",
    "if",
    "then",
    "pattern",
    "a",
]
KEYS += [
    "dependencies",
    "additionalProperties",
    "patternProperties",
    "unevaluatedProperties",
    "maximum",
    "$ref",
    "minItems",
]
WORDS = st.sampled_from(["object", "string", "#", "#/properties/a", "a", "(", "x" * 9])
SCHEMAS = st.recursive(
    st.none() | st.booleans() | WORDS | st.integers(-3, 3).map(lambda number: Number(str(number))),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(st.tuples(st.sampled_from(KEYS), inner), max_size=5, unique_by=lambda one: one[0]).map(Object)
    ),
    max_leaves=20,
)


@settings(max_examples=examples(500), deadline=None)
@given(SCHEMAS, ANY)
def test_no_schema_and_no_value_whatever_raises(schema: Value, value: Value) -> None:
    whole = Object([("properties", Object([("a", schema)])), ("additionalProperties", schema), ("required", ["a"])])
    for one in (schema, whole):
        for arguments in (value, Object([("a", value), ("b", value)])):
            assert all(finding.words for finding in check(arguments, one))
