"""Completion: the place in broken text, what is offered there, and that what is put in is sound."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from olv_tui import jsontext
from olv_tui.schema import Kind, template, tree
from olv_tui.schema.complete import Offers, complete, earlier_values
from tests.schema.material import field_of, needs_real_tools
from tests.search import examples

SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["query"],
    "properties": {
        "limit": {"type": "integer", "default": 10, "description": "How many"},
        "query": {"type": "string", "description": "What is sought", "examples": ["tide"]},
        "order": {"enum": ["up", "down", None]},
        "open": {"type": "boolean"},
        "tags": {"type": "array", "items": {"enum": ["red", "green", 7]}},
        "place": {
            "type": "object",
            "required": ["lat"],
            "properties": {"lat": {"type": "number"}, "name": {"type": "string"}},
        },
        "shape": {
            "oneOf": [
                {"type": "object", "required": ["kind", "r"], "properties": {"kind": {"const": "circle"}, "r": {}}},
                {"type": "object", "required": ["kind", "w"], "properties": {"kind": {"const": "box"}, "w": {}}},
            ]
        },
    },
}
ROOT = field_of(SCHEMA)
KEYS = ["query", "limit", "order", "open", "tags", "place", "shape"]


def offers(marked: str, earlier: dict[str, list[str]] | None = None) -> Offers | None:
    """What is offered at the place of `|`."""
    at = marked.index("|")
    return complete(marked.replace("|", ""), at, ROOT, earlier)


def labels(marked: str, earlier: dict[str, list[str]] | None = None) -> list[str]:
    found = offers(marked, earlier)
    return [one.label for one in found.proposals] if found else []


def taken(marked: str, label: str) -> str:
    """The text after a proposal was taken, `[` and `]` of guillemets around what is selected."""
    found = offers(marked)
    assert found is not None
    one = next(one for one in found.proposals if one.label == label)
    start, end = one.select
    text = marked.replace("|", "")
    put = one.text[:start] + "«" + one.text[start:end] + "»" + one.text[end:]
    return text[: found.start] + put + text[found.end :]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("{|}", KEYS),
        ("{|", KEYS),
        ('{"|', KEYS),
        ('{"|}', KEYS),
        ('{"query": "a", |}', KEYS[1:]),
        ('{"|", "query": "a"}', KEYS[1:]),
        ('{"|"query": "a"}', KEYS[1:]),
        ('{"q|', ["query"]),
        ('{"q|"}', ["query"]),
        ('{q|}', ["query"]),
        ('{"ER|', ["query", "order"]),
        ('{"query": "a"\n  |\n}', KEYS[1:]),
        ('{"query": "a" "|}', KEYS[1:]),
        ('{"order": |}', ['"up"', '"down"', "null"]),
        ('{"order": "|"}', ['"up"', '"down"']),
        ('{"order": "d|', ['"down"']),
        ('{"order": n|}', ["null", '"down"']),
        ('{"open": t|}', ["true"]),
        ('{"open": |, "limit": 1}', ["true", "false"]),
        ('{"limit": |}', ["10"]),
        ('{"query": |}', ['"tide"']),
        ('{"tags": [|]}', ['"red"', '"green"', "7"]),
        ('{"tags": ["red", |', ['"red"', '"green"', "7"]),
        ('{"place": {|}}', ["lat", "name"]),
        ('{"place": {"lat": 1, |', ["name"]),
        ('{"shape": {|}}', ["kind", "r", "w"]),
        ('{"shape": {"kind": "box", |}}', ["w"]),
        ('{"shape": {|, "kind": "box"}}', ["w"]),
        ('{"shape": {"kind": |}}', ['"circle"', '"box"']),
        ('{"query"|}', []),
        ('{"query"|: 1}', []),
        ('{"query": "a", "nothing": |}', []),
        ('{"a": }, "li|', []),
        ('{"a": [1, 2, "li|', []),
        ('{"a\\"": 1, "li|', ["limit"]),
        ("{}|", []),
        ("[|", []),
    ],
)  # fmt: skip
def test_what_is_offered_at_a_place(text: str, wanted: list[str]) -> None:
    assert labels(text) == wanted


@pytest.mark.parametrize(
    ("text", "label", "after"),
    [
        ("{|}", "query", '{"query": "«tide»"}'),
        ("{|}", "limit", '{"limit": «10»}'),
        ('{"|', "tags", '{"tags": [«»]'),
        ('{"|"query": "a"}', "limit", '{"limit": «10», "query": "a"}'),
        ('{"l|imit"}', "limit", '{"limit": «10»}'),
        ('{"li|": 5}', "limit", '{"limit"«»: 5}'),
        ('{"query": "a" |}', "open", '{"query": "a", "open": «false»}'),
        ('{"query": "a"|}', "open", '{"query": "a", "open": «false»}'),
        ('{\n  "query": "a"\n  "|\n}', "open", '{\n  "query": "a",\n  "open": «false»\n}'),
        ('{\n  "|\n  "query": "a"\n}', "open", '{\n  "open": «false»,\n  "query": "a"\n}'),
        ('{"query": "a", "open":|}', "true", '{"query": "a", "open": true«»}'),
        ('{"order": "u|"}', '"up"', '{"order": "up"«»}'),
        ('{"order": | "query": "a"}', '"up"', '{"order": "up"«», "query": "a"}'),
        ('{"tags": ["red" |]}', "7", '{"tags": ["red", 7«»]}'),
        ("{|}", "place", '{"place": {"lat":0}«»}'),
        ("{\n  |\n}", "place", '{\n  "place": {\n    "lat": 0\n  }«»\n}'),
    ],
)
def test_what_is_taken_makes_a_sound_text(text: str, label: str, after: str) -> None:
    assert taken(text, label) == after


def test_a_proposal_says_what_it_is() -> None:
    found = offers("{|}")
    assert found is not None
    assert found.is_key
    assert found.proposals[0].about == "string, required · What is sought"
    assert [one.again for one in found.proposals if one.label in ("order", "open", "limit")] == [False, True, True]


def test_a_name_that_tells_alternatives_apart_is_a_choice_and_only_what_all_require_is_required() -> None:
    found = offers('{"shape": {|}}')
    assert found is not None
    kind, radius, _ = found.proposals
    assert (kind.text, kind.about, kind.again) == ('"kind": "circle"', "one of, required", True)
    assert (radius.label, radius.about) == ("r", "json")


def test_values_sent_before_are_offered_at_their_place() -> None:
    known = earlier_values(
        ['{"query": "sea", "tags": ["x", "‹hidden 0a1b2c›"]}', '{"query": "sea", "limit": 5}', "{no json"]
    )
    assert known == {"/query": ['"sea"'], "/tags/*": ['"x"'], "/limit": ["5"]}
    assert labels('{"query": |}', known) == ['"tide"', '"sea"']
    assert labels('{"query": "s|', known) == ['"sea"']
    assert labels('{"tags": [1, "x|', known) == ['"x"']


def test_an_empty_text_gets_what_the_tool_requires() -> None:
    found = complete("", 0, ROOT)
    assert found is not None
    assert json.loads(found.proposals[0].text) == {"query": "tide"}


def test_hostile_schemas_and_depth_end() -> None:
    circle = field_of({"type": "object", "properties": {"a": {"$ref": "#"}}, "required": ["a"]})
    assert complete('{"a": ' * 500, 3000, circle) is None
    found = complete('{"a": {"a": {', 13, circle)
    assert found is not None
    assert [one.label for one in found.proposals] == ["a"]
    many = field_of({"type": "object", "properties": {f"p{n}": {} for n in range(5000)}})
    found = complete("{", 1, many)
    assert found is not None
    assert len(found.proposals) == 200


@settings(max_examples=examples(200), deadline=None)
@given(st.text('{}[]:,"\\ \nabkindquery12', max_size=60), st.integers(0, 60))
def test_no_text_breaks_it_and_the_span_holds_the_place(text: str, place: int) -> None:
    at = min(place, len(text))
    found = complete(text, at, ROOT)
    if found is not None:
        assert 0 <= found.start <= at <= found.end <= len(text)
        for one in found.proposals:
            assert 0 <= one.select[0] <= one.select[1] <= len(one.text)


@settings(max_examples=examples(40), deadline=None)
@given(st.data())
def test_taking_keys_one_after_the_other_ends_in_sound_json(data: st.DataObject) -> None:
    text, at = "{}", 1
    for _ in range(6):
        found = complete(text, at, ROOT)
        if found is None:
            break
        one = data.draw(st.sampled_from(found.proposals))
        text = text[: found.start] + one.text + text[found.end :]
        value = jsontext.loads(text)
        assert isinstance(value, dict)
        places = [n for n, character in enumerate(text) if character in "{,"]
        at = data.draw(st.sampled_from([n for n in places if not inside(text, n)])) + 1


def inside(text: str, at: int) -> bool:
    return text.count('"', 0, at) % 2 == 1


def test_every_place_in_the_templates_of_real_tools_offers_what_is_known() -> None:
    for _, schema in needs_real_tools():
        root = tree(schema)
        text = template(root, full=True)
        for at in range(0, len(text), max(len(text) // 40, 1)):
            complete(text, at, root)
        found = complete("{", 1, root)
        names = [one.label for one in found.proposals] if found else []
        if root.kind is Kind.OBJECT:
            required = [name for name in root.names if root.entry(name).required]
            assert names == list(dict.fromkeys((*required, *root.names)))[:200]
