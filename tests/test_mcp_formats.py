"""Formats of texts: what is surely right, what is surely wrong, and what nobody can say."""

from __future__ import annotations

import pytest

from olv_tui import jsontext
from olv_tui.mcp.formats import example, fits
from olv_tui.mcp.validation import validate
from olv_tui.model import Object, Value

NAMES = ("date-time", "date", "time", "duration", "email", "ipv4", "ipv6", "uuid", "uri")


@pytest.mark.parametrize("name", NAMES)
def test_the_example_of_a_format_is_right_and_an_empty_text_is_not(name: str) -> None:
    assert fits(name, example(name))
    assert not fits(name, "")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("date-time", "2026-02-28t23:59:60.123456789+01:00"),
        ("date-time", "1985-04-12T23:20:50.52Z"),
        ("time", "00:00:00-00:00"),
        ("date", "2024-02-29"),
        ("duration", "P4W"),
        ("duration", "PT0S"),
        ("email", '"a b"@example.com'),
        ("email", "müller@例え.jp"),
        ("ipv6", "::ffff:192.0.2.1"),
        ("uuid", "123E4567-E89B-12D3-A456-426614174000"),
        ("uri", "urn:isbn:0451450523"),
        ("uri", "https://[2001:db8::7]/c=GB?objectClass?one"),
    ],
)
def test_right_texts_of_unusual_looks_are_taken(name: str, text: str) -> None:
    assert fits(name, text)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("date-time", "2026-12-31"),
        ("date-time", "2026-12-31T23:59:59"),
        ("date-time", "2026-02-30T00:00:00Z"),
        ("date", "2023-02-29"),
        ("date", "20261231"),
        ("time", "25:00:00Z"),
        ("duration", "P"),
        ("duration", "PT"),
        ("email", "example.com"),
        ("ipv4", "192.0.2.256"),
        ("ipv4", "192.0.2.01"),
        ("ipv6", "12345::"),
        ("uuid", "{123e4567-e89b-12d3-a456-426614174000}"),
        ("uri", "example.com/page"),
        ("uri", "https://example.com/a b"),
    ],
)
def test_wrong_texts_are_told(name: str, text: str) -> None:
    assert not fits(name, text)


@pytest.mark.parametrize("name", ["regex", "hostname", "no-such", "", None, 7, [], {}])
def test_a_format_that_is_not_known_says_nothing(name: object) -> None:
    assert fits(name, "anything")
    assert example(name) == ""


def test_a_format_that_is_no_text_leaves_the_rest_of_the_schema_to_be_checked() -> None:
    assert errors('"x"', '{"format": [], "maxLength": 0}') == ["maxLength"]


def test_an_answer_is_not_held_against_formats() -> None:
    assert errors('"x"', '{"format": "date"}', ours=False) == []
    assert errors('"x"', '{"format": "date"}') == ["format"]


def errors(value: str, schema: str, *, ours: bool = True) -> list[object]:
    made: Value = jsontext.loads(schema)
    assert isinstance(made, Object)
    return [error.validator for error in validate(jsontext.loads(value), made, 9, ours=ours).errors]
