"""What the arguments of a tool can be filled with, in the order it is offered."""

from __future__ import annotations

import json

from olv_tui.schema.filling import Filling, Known, fillings
from tests.schema.material import field_of

SCHEMA = {
    "type": "object",
    "required": ["site"],
    "properties": {
        "site": {"type": "string", "examples": ["helpbless.com"]},
        "limit": {"type": "integer", "default": 20},
        "depth": {"type": "integer", "default": "deep"},
        "note": {"type": "string"},
    },
}


def named(schema: object, known: Known | None = None) -> dict[str, Filling]:
    return {one.name: one for one in fillings(field_of(schema), known or Known())}


def value(filling: Filling) -> object:
    return json.loads(filling.text)


def test_the_required_the_defaults_and_everything_are_offered_with_what_the_schema_says() -> None:
    found = named(SCHEMA)
    assert value(found["Required only"]) == {"site": "helpbless.com"}
    assert value(found["With defaults"]) == {"site": "helpbless.com", "limit": 20}
    assert value(found["Everything"]) == {"site": "helpbless.com", "limit": 20, "depth": 0, "note": ""}
    assert found["Nothing"].text == "{}"


def test_a_default_goes_before_an_example_where_defaults_are_wanted() -> None:
    field = {"type": "string", "default": "d", "examples": ["e"]}
    found = named({"type": "object", "required": ["a"], "properties": {"a": field}})
    assert value(found["With defaults"]) == {"a": "d"}
    assert value(found["Required only"]) == {"a": "e"}


def test_a_text_that_was_sent_or_saved_is_offered_to_the_character_and_first() -> None:
    known = Known(saved=(("big", '{"limit":1e400}'),), sent=('{ "limit": 1.0 }', '{"limit":2}'), worked='{"limit":2}')
    found = fillings(field_of(SCHEMA), known)
    assert [(one.name, one.text) for one in found[:3]] == [
        ("big", '{"limit":1e400}'),
        ("Last that worked", '{"limit":2}'),
        ("Last used", '{ "limit": 1.0 }'),
    ]


def test_one_text_is_offered_once() -> None:
    known = Known(sent=("{}", '{"a": 1}'), worked="{}")
    texts = [one.text for one in fillings(field_of({"type": "object"}), known)]
    assert len(texts) == len(set(texts))
    assert named({"type": "object"}, known)["Last that worked"].origin.endswith("last used")


def test_the_examples_of_the_schema_itself_are_offered_and_what_is_no_object_is_left_out() -> None:
    found = named({**SCHEMA, "examples": [{"site": "a.example", "limit": 3}, "no object", {}]})
    assert value(found["Example 1"]) == {"site": "a.example", "limit": 3}
    assert found["Example 2"].text == "{}"
    assert value(found["Required only"]) == {"site": "helpbless.com"}
    assert "no object" not in "".join(one.text for one in found.values())


def test_a_saved_set_with_the_name_of_a_template_is_not_lost() -> None:
    found = named(SCHEMA, Known(saved=(("Everything", '{"mine": true}'),)))
    assert value(found["Everything"]) == {"mine": True}


def test_what_a_template_could_not_make_up_is_named() -> None:
    found = named({"type": "object", "required": ["when"], "properties": {"when": {"type": "string", "minLength": 3}}})
    assert "still to be filled in: /when" in found["Required only"].origin
