"""Questions of a server as fields, and what was filled in as an answer."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from olv_tui import jsontext
from olv_tui.model import Object
from olv_tui.view.question import CHOICES, FIELDS, Field, accepted, finding, read_question


def asked(**params: Any) -> Object:
    value = jsontext.loads(json.dumps(params))
    assert isinstance(value, Object)
    return value


def field(schema: Any, *, required: bool = False) -> Field:
    wanted = {"properties": {"a": schema}, "required": ["a"] if required else []}
    return read_question(asked(message="?", requestedSchema=wanted)).fields[0]


def sent(schema: Any, value: str, *, required: bool = False) -> Any:
    one = {"properties": {"a": schema}, "required": ["a"] if required else []}
    return json.loads(accepted(read_question(asked(requestedSchema=one)), {"a": value}))["content"]


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        ({"type": "string"}, "string"),
        ({"type": "integer"}, "integer"),
        ({"type": "number"}, "number"),
        ({"type": "boolean"}, "boolean"),
        ({"type": "string", "enum": ["x"]}, "choice"),
        ({"enum": [1, None]}, "choice"),
        ({"oneOf": [{"const": "x", "title": "X"}]}, "choice"),
        ({"type": "array", "items": {"enum": ["x"]}}, "choices"),
        ({"type": "array", "items": {"type": "string"}}, "json"),
        ({"type": "object"}, "json"),
        ({"type": ["string", "null"]}, "json"),
        ({}, "json"),
        (True, "json"),
        ("odd", "json"),
    ],
)
def test_the_kind_of_a_field_follows_its_schema(schema: Any, kind: str) -> None:
    assert field(schema).kind == kind


def test_choices_have_their_own_words_where_the_server_gives_some() -> None:
    words = [one.label for one in field({"enum": ["r", "g"], "enumNames": ["Red", "Green"]}).choices]
    assert words == ["Red", "Green"]
    assert [one.label for one in field({"enum": ["r", "g"], "enumNames": ["Red"]}).choices] == ["r", "g"]
    assert [one.text for one in field({"anyOf": [{"const": 1, "title": "One"}, {"const": "1"}]}).choices] == [
        "1",
        '"1"',
    ]


@pytest.mark.parametrize(
    ("schema", "start"),
    [
        ({"type": "string", "default": "x"}, "x"),
        ({"type": "string", "default": 7}, ""),
        ({"type": "integer", "default": 7}, "7"),
        ({"type": "integer", "default": "7"}, ""),
        ({"type": "boolean", "default": False}, "false"),
        ({"enum": ["x", "y"], "default": "y"}, '"y"'),
        ({"enum": ["x", "y"], "default": "z"}, ""),
        ({"type": "array", "items": {"enum": ["x", "y"]}, "default": ["y"]}, '["y"]'),
    ],
)
def test_a_default_is_where_a_field_starts_if_it_fits_the_field(schema: Any, start: str) -> None:
    assert field(schema).default == start


def test_limits_formats_patterns_and_defaults_are_named() -> None:
    hints = field(
        {"type": "string", "minLength": 2, "maxLength": 9, "format": "email", "pattern": "^a", "default": "ab"}
    ).hints
    assert hints == (
        "string",
        "at least 2 characters",
        "at most 9 characters",
        "format email",
        "pattern ^a",
        "default ab",
    )


@pytest.mark.parametrize(
    ("schema", "value", "content"),
    [
        ({"type": "string"}, "7", {"a": "7"}),
        ({"type": "string"}, "", {}),
        ({"type": "integer"}, " 7 ", {"a": 7}),
        ({"type": "integer"}, "seven", {"a": "seven"}),
        ({"type": "number"}, "0x10", {"a": "0x10"}),
        ({"type": "number"}, "01", {"a": "01"}),
        ({"type": "boolean"}, "true", {"a": True}),
        ({"enum": [None, 1]}, "null", {"a": None}),
        ({"type": "array", "items": {"enum": ["x", "y"]}}, '["x"]', {"a": ["x"]}),
        ({}, '{"b":1}', {"a": {"b": 1}}),
        ({}, "{", {"a": "{"}),
    ],
)
def test_values_go_out_as_their_kind_and_what_is_none_as_text(schema: Any, value: str, content: Any) -> None:
    assert sent(schema, value) == content


def test_required_text_goes_out_empty_where_it_was_left_empty() -> None:
    assert sent({"type": "string"}, "", required=True) == {"a": ""}
    assert sent({"type": "integer"}, "", required=True) == {}


def test_numbers_keep_their_digits() -> None:
    question = read_question(asked(requestedSchema={"properties": {"a": {"type": "number"}}}))
    assert accepted(question, {"a": "1.50"}) == '{"action":"accept","content":{"a":1.50}}'


@pytest.mark.parametrize(
    ("schema", "value", "found"),
    [
        ({"type": "string", "minLength": 2}, "a", "fewer than 2 characters"),
        ({"type": "string", "maxLength": 2}, "abc", "more than 2 characters"),
        ({"type": "string", "pattern": "^z$"}, "a", ""),
        ({"type": "integer"}, "1.5", "not an integer: it goes out as it stands"),
        ({"type": "integer"}, "2.0", ""),
        ({"type": "integer", "minimum": 18}, "17", "less than 18"),
        ({"type": "number", "maximum": 1.5}, "1.6", "more than 1.5"),
        ({"type": "number"}, "x", "not a number: it goes out as text"),
        ({"type": "number", "maximum": 1}, "9" * 400, ""),
        ({"type": "array", "items": {"enum": ["x", "y"]}, "minItems": 2}, '["x"]', "fewer than 2 of them"),
        ({}, "{", "not JSON: it goes out as text"),
        ({"type": "string", "minLength": "x"}, "a", ""),
    ],
)
def test_what_does_not_fit_is_told_in_words(schema: Any, value: str, found: str) -> None:
    assert finding(field(schema), value) == found


def test_only_a_required_field_complains_of_being_empty() -> None:
    assert finding(field({"type": "integer"}), "") == ""
    assert finding(field({"type": "integer"}, required=True), "") == "required"


def test_a_pattern_of_the_server_is_not_run() -> None:
    assert finding(field({"type": "string", "pattern": "(a+)+$"}), "a" * 60 + "!") == ""


def test_a_server_that_asks_for_everything_gets_a_form_of_bounded_size() -> None:
    many = read_question(
        asked(requestedSchema={"properties": {f"f{n}": {"type": "string"} for n in range(FIELDS + 7)}})
    )
    assert len(many.fields) == FIELDS
    assert many.left_out == 7
    long = field({"type": "string", "enum": [str(n) for n in range(CHOICES + 1)]})
    assert long.kind == "string"
    assert long.choices == ()
    assert "too many to list" in long.hints


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://login.example/start?x=https://good.example", "login.example"),
        ("https://good.example@evil.example/", "evil.example"),
        ("https://GOOD.example:8443/", "good.example"),
        ("https://gооd.example/", "xn--gd-fmca.example"),
        ("javascript:alert(1)", ""),
        ("http://[", ""),
        ("", ""),
    ],
)
def test_the_host_of_an_address_is_the_one_a_browser_goes_to(url: str, host: str) -> None:
    question = read_question(asked(mode="url", message="?", url=url))
    assert (question.mode, question.url, question.host) == ("url", url, host)
    assert accepted(question, {}) == '{"action":"accept"}'


NAMES = (
    "type", "enum", "oneOf", "const", "title", "items", "default", "properties", "required", "mode", "requestedSchema",
    "minimum", "enumNames", "a", "string", "array", "form", "url",
)  # fmt: skip
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.sampled_from(NAMES),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(["mode", "message", "requestedSchema", "url"]), JSON), st.text(max_size=20))
def test_whatever_is_asked_can_be_read_and_accepted(params: dict[str, Any], value: str) -> None:
    question = read_question(asked(**params))
    for one in question.fields:
        finding(one, one.default)
        if one.kind != "choices":
            finding(one, value)
    json.loads(accepted(question, {one.name: value for one in question.fields}))
