"""A form as rows: what stands on each, for small schemas and for every real one."""

from __future__ import annotations

import json

import pytest

from olv_tui import jsontext
from olv_tui.schema import Form, Kind, tree
from olv_tui.view.form_keys import commands, key_words
from olv_tui.view.form_rows import (
    ITEMS,
    LARGE,
    Cells,
    Found,
    Look,
    Row,
    What,
    about,
    cells,
    is_standing,
    is_unfit,
    lay,
    name_of,
    needs_json,
    path_words,
)
from olv_tui.view.safe import is_safe
from tests.schema.material import NAMES, done, form_of, needs_real_tools, opened

PLAIN = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "description": "What it is called."},
        "limit": {"type": "integer", "default": 10, "minimum": 1},
        "on": {"type": "boolean"},
        "unit": {"type": ["string", "null"], "enum": ["m", "ft", None]},
        "tags": {"type": "array", "items": {"type": "string"}},
        "where": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
        "token": {"type": "string", "format": "password"},
    },
    "required": ["limit", "where"],
    "additionalProperties": False,
}
TREE = {
    "type": "object",
    "properties": {"root": {"$ref": "#/$defs/node"}},
    "$defs": {
        "node": {
            "type": "object",
            "properties": {"label": {"type": "string"}, "next": {"$ref": "#/$defs/node"}},
            "required": ["label"],
        }
    },
    "additionalProperties": False,
}
UNION = {
    "type": "object",
    "properties": {
        "shape": {
            "oneOf": [
                {
                    "title": "Circle",
                    "type": "object",
                    "properties": {"kind": {"const": "circle"}, "radius": {"type": "number"}},
                    "required": ["kind", "radius"],
                },
                {
                    "title": "Square",
                    "type": "object",
                    "properties": {"kind": {"const": "square"}, "side": {"type": "number"}},
                    "required": ["kind", "side"],
                },
            ]
        }
    },
    "additionalProperties": False,
}


def words(dressed: Cells) -> str:
    """A row as text."""
    name = "".join(text for text, _ in dressed.name)
    return f"{dressed.mark[0]}{name}|{''.join(text for text, _ in dressed.value)}|{dressed.remark[0]}"


def painted(form: Form, look: Look | None = None, found: Found | None = None) -> dict[str, str]:
    """All rows as text, by what they are and where: a place by its pointer, others with a sign before it."""
    sign = {What.PLACE: "", What.ITEM: "+", What.NAME: "n", What.MORE: "m"}
    look = look or Look()
    return {
        f"{sign[row.what]}{row.pointer}": words(cells(form, row, look, found or Found())) for row in lay(form, look)
    }


def value_of(form: Form, pointer: str, look: Look | None = None) -> str:
    return painted(form, look)[pointer].split("|")[1]


# --------------------------------------------------------------------------- what a row says


def test_absent_null_the_empty_text_and_a_value_all_look_different() -> None:
    form = form_of(PLAIN, '{"limit": 1, "name": "", "unit": null}')
    shown = [value_of(form, place) for place in ("/token", "/name", "/unit", "/limit")]
    assert shown == ["-", '""', "null", "1"]
    assert value_of(form_of(PLAIN, '{"name": "null"}'), "/name") == '"null"'
    assert value_of(form_of(PLAIN, '{"name": "-"}'), "/name") == '"-"'


def test_what_is_required_comes_first_with_a_mark_and_says_so_while_it_is_absent() -> None:
    form = form_of(PLAIN)
    rows = [row.pointer for row in lay(form, Look()) if row.depth == 0]
    assert rows == ["/limit", "/where", "/name", "/on", "/unit", "/tags", "/token"]
    shown = painted(form)
    assert shown["/limit"] == "*   limit|-  required  default 10|integer"
    assert shown["/name"] == "    name|-|string"
    assert "required" not in painted(form_of(PLAIN, '{"limit": 3}'))["/limit"]


def test_a_required_object_begins_open_and_an_optional_list_folded() -> None:
    shown = painted(form_of(PLAIN))
    assert shown["/where"].startswith("* ▾ where|")
    assert shown["/where/city"].startswith("*     city|")
    assert shown["/tags"].startswith("  ▸ tags|")
    assert "+/tags/0" not in shown


def test_what_the_reader_opened_or_closed_stays_so() -> None:
    look = Look(folds={"/where": False, "/tags": True})
    shown = painted(form_of(PLAIN, '{"where": {"city": "Oslo"}}'), look)
    assert shown["/where"].startswith("* ▸ where|1 given  {")
    assert "Oslo" in shown["/where"]
    assert "/where/city" not in shown
    assert shown["+/tags/0"] == "      + add an item|string|"


def test_items_are_counted_from_nought_as_in_a_pointer_and_the_last_row_adds_one() -> None:
    form = form_of(PLAIN, '{"tags": ["a", "b"]}')
    rows = [row for row in lay(form, Look()) if row.pointer.startswith("/tags")]
    assert [(name_of(row), str(row.what)) for row in rows] == [
        ("tags", "place"), ("0", "place"), ("1", "place"), ("+ add an item", "item"),
    ]  # fmt: skip
    assert rows[-1].pointer == "/tags/2"
    assert value_of(form, "/tags") == "2 items"


def test_a_long_list_is_laid_out_in_parts() -> None:
    form = form_of(PLAIN, json.dumps({"tags": ["x"] * (ITEMS + 50)}))
    shown = painted(form)
    assert sum(place.startswith("/tags/") for place in shown) == ITEMS
    assert shown["m/tags"] == f"      … show more|{ITEMS + 50} in all|"
    assert f"+/tags/{ITEMS + 50}" in shown
    more = painted(form, Look(shown={"/tags": 2 * ITEMS}))
    assert sum(place.startswith("/tags/") for place in more) == ITEMS + 50
    assert "m/tags" not in more


def test_a_large_value_begins_folded_and_is_not_painted_whole() -> None:
    form = form_of(PLAIN, json.dumps({"tags": ["x" * LARGE], "name": "y" * LARGE}))
    shown = painted(form)
    assert shown["/tags"].startswith("  ▸ tags|20,004 characters")
    assert len(shown["/tags"]) < 300
    assert len(shown["/name"]) < 300


def test_a_map_shows_its_members_and_a_row_for_a_name() -> None:
    schema = {
        "type": "object",
        "properties": {"labels": {"type": "object", "additionalProperties": {"type": "integer"}}},
    }
    form = form_of(schema, '{"labels": {"a b": 1}}')
    shown = painted(form)
    assert shown["/labels/a b"] == "      a b|1|integer"
    assert shown["n/labels"].startswith("      + add a name|")
    named = painted(form, Look(names={"/labels": ("new",)}))
    assert named["/labels/new"] == "      new|-  no value yet: not sent|integer"


def test_names_that_a_pattern_or_a_schema_allows_can_be_added_though_there_are_fields() -> None:
    fields = {"type": "object", "properties": {"a": {}}, "additionalProperties": False}
    ways: list[dict[str, object]] = [
        {"patternProperties": {"^x-": {}}},
        {"additionalProperties": {"type": "integer"}},
    ]
    for more in ways:
        inner = {**fields, **more}
        schema = {**inner, "properties": {"o": inner}, "required": ["o"]}
        assert [row.pointer for row in lay(form_of(schema), Look()) if row.what is What.NAME] == ["/o", ""]
    assert not any(row.what is What.NAME for row in lay(form_of(fields), Look()))


def test_a_folded_value_is_shown_without_the_white_space_of_its_lines() -> None:
    form = form_of(PLAIN, '{"where": {\n    "city": "U  lm"\n  }}')
    row = next(row for row in lay(form, Look(folds={"/where": False})) if row.pointer == "/where")
    assert cells(form, row, Look(), Found()).value[1][0] == '{ "city": "U  lm" }'


def test_alternatives_that_a_constant_tells_apart_are_not_guessed_for_an_object_with_nothing_in_it() -> None:
    branches = [{"properties": {"k": {"const": one}}, "required": ["k"]} for one in ("a", "b")]
    form = form_of({"type": "object", "oneOf": branches})
    assert [row.field.kind for row in lay(form, Look())] == [Kind.UNION]
    assert form_of({"type": "object", "oneOf": branches}, '{"k": "b"}').pick("") == 1


def test_names_that_the_schema_does_not_know_are_rows_too() -> None:
    shown = painted(form_of(PLAIN, '{"zzz": 1}'))
    assert shown["/zzz"].split("|")[1] == "1"
    assert "n" not in shown, "a closed object offers no row for a name"
    assert "n" in painted(form_of({"type": "object", "properties": {"a": {}}}))


def test_a_schema_that_contains_itself_opens_one_level_at_a_time() -> None:
    form = form_of(TREE)
    shown = painted(form)
    assert list(shown) == ["/root"]
    look = Look(folds={"/root": True})
    assert list(painted(form, look)) == ["/root", "/root/label", "/root/next"]
    for depth in range(1, 30):
        look.folds["/root" + "/next" * depth] = True
    deep = painted(form, look)
    assert "/root" + "/next" * 29 + "/label" in deep
    assert len(deep) == 1 + 2 * 30


def test_a_required_chain_of_itself_does_not_open_for_ever() -> None:
    schema = {**TREE, "required": ["root"]}
    schema["$defs"] = {"node": {**TREE["$defs"]["node"], "required": ["label", "next"]}}  # type: ignore[index]
    assert len(painted(form_of(schema))) < 12


def test_a_union_says_what_it_can_be_and_then_what_it_is() -> None:
    form = form_of(UNION)
    assert painted(form)["/shape"].endswith("|one of: Circle or Square")
    picked = done(form.choose("/shape", 1))
    shown = painted(picked)
    assert shown["/shape"].endswith("|Square")
    assert value_of(picked, "/shape/kind") == '"square"'
    assert "/shape/side" in shown
    assert "/shape/radius" not in shown
    assert painted(form_of(UNION, '{"shape": {"kind": "circle"}}'))["/shape"].endswith("|Circle")


def test_a_union_at_the_top_has_a_row_of_its_own() -> None:
    form = opened(tree(jsontext.loads(json.dumps(UNION["properties"]["shape"]))), "{}")  # type: ignore[index]
    row = lay(form, Look())[0]
    assert (row.pointer, name_of(row)) == ("", "arguments")


def test_secrets_are_masked_until_they_are_wanted_and_drafts_of_them_too() -> None:
    form = form_of(PLAIN, '{"token": "hunter2"}')
    assert value_of(form, "/token") == "••••••"
    assert value_of(form, "/token", Look(secrets=True)) == '"hunter2"'
    found = Found(drafts={"/token": ("hunter2", "no")})
    assert "hunter2" not in painted(form, None, found)["/token"]


def test_findings_stand_at_their_rows_and_a_folded_container_counts_those_inside() -> None:
    form = form_of(PLAIN, '{"limit": 0, "where": {"city": 1}}')
    found = Found({"/limit": ("0 is less than 1",), "/where/city": ("1 is no text",)})
    shown = painted(form, None, found)
    assert shown["/limit"] == "✗   limit|0|0 is less than 1"
    assert shown["/where/city"].endswith("1 is no text")
    folded = painted(form, Look(folds={"/where": False}), found)
    assert folded["/where"].startswith("✗ ▸ where|")
    assert folded["/where"].endswith("1 finding inside")


def test_a_text_that_is_no_value_stands_in_its_row_with_the_reason() -> None:
    shown = painted(form_of(PLAIN, '{"limit": 4}'), None, Found(drafts={"/limit": ("4x", "4x is not an integer")}))
    assert shown["/limit"] == "✗   limit|4x|4x is not an integer"


def test_what_is_said_of_a_field_has_its_path_its_bounds_and_its_purpose() -> None:
    form = form_of(PLAIN)
    rows = {row.pointer: row for row in lay(form, Look())}
    said = ["".join(text for text, _ in line) for line in about(form, rows["/limit"], Found())]
    assert said[0].startswith("limit  integer · required · ")
    assert said[0].endswith("default 10")
    assert path_words("/where/city") == "where › city"
    assert path_words("") == "the arguments"
    told = about(form, rows["/name"], Found(drafts={"/name": ("x", "no text")}))
    assert told[0][0][0] == "not taken: no text"
    assert told[-1][0][0] == "What it is called."


# --------------------------------------------------------------------------- names and hostile text


@pytest.mark.parametrize("name", [*NAMES, " x ", "a.b", "\x1b[31mred", "Name", "name"])
def test_a_name_of_any_kind_has_a_safe_row_and_its_own_place(name: str) -> None:
    form = form_of({"type": "object", "properties": {name: {"type": "string"}}})
    row = next(row for row in lay(form, Look()) if row.what is What.PLACE)
    shown = name_of(row)
    assert shown.strip()
    assert is_safe(shown)
    assert len(shown) <= 60
    assert "\n" not in shown
    assert json.loads(done(form.set(row.pointer, '"v"')).text) == {name: "v"}


def test_names_that_differ_in_case_alone_are_two_rows() -> None:
    form = form_of({"type": "object", "properties": {"Id": {}, "ID": {}, "id": {}}}, '{"ID": 2}')
    assert [value_of(form, place) for place in ("/Id", "/ID", "/id")] == ["-", "2", "-"]


def test_hostile_text_of_a_schema_is_shown_safe_everywhere() -> None:
    evil = "\x1b]0;x\x07[/red]\u202e\r\n" + "x" * 500
    schema = {
        "type": "object",
        "properties": {
            evil: {"type": "string", "title": evil, "description": evil, "default": evil, "examples": [evil]},
            "pick": {"enum": [evil, "b"], "description": evil},
            "either": {"anyOf": [{"title": evil, "type": "string"}, {"title": "B", "type": "integer"}]},
            "fixed": {"const": evil},
        },
    }
    form = form_of(schema, json.dumps({evil: evil, "more" + evil: [evil]}))
    check_all(
        form, Look(names={"": (evil + "new",)}), Found({jsontext.pointer([evil]): (evil,)}, {"/pick": (evil, evil)})
    )


def check_all(form: Form, look: Look, found: Found) -> int:
    """Render every row with all that is said of it; nothing unsafe, nothing on two lines. The number of rows."""
    rows = lay(form, look)
    assert len({row.key for row in rows}) == len(rows), "a row is found again by its key"
    for row in rows:
        check_row(form, row, look, found)
    return len(rows)


def check_row(form: Form, row: Row, look: Look, found: Found) -> None:
    dressed = cells(form, row, look, found)
    texts = [text for text, _ in (dressed.mark, *dressed.name, *dressed.value, dressed.remark)]
    texts += [text for line in about(form, row, found) for text, _ in line]
    texts += [part for mode in ("rows", "line", "text", "name") for pair in key_words(form, row, mode) for part in pair]
    listed = commands(form, row, look)
    texts += [one.words for one in listed]
    letters = [one.letter for one in listed]
    assert len(set(letters)) == len(letters), f"two commands of one letter at {row.pointer}: {letters}"
    for text in texts:
        assert is_safe(text), ascii(text)
        assert "\n" not in text
        assert "\t" not in text


# --------------------------------------------------------------------------- how a value is edited


@pytest.mark.parametrize("text", ["a\r\nb", "x\x00", "\u2028", "\ud800", "a\x0bb", "\u200b"])
def test_a_text_that_a_line_would_lose_or_hide_is_edited_as_json(text: str) -> None:
    assert is_unfit(text)
    assert needs_json(form_of(PLAIN, json.dumps({"name": text})), "/name")


@pytest.mark.parametrize("text", ["", "plain", "two\nlines", "a\ttab", "é🙂"])
def test_other_texts_are_edited_as_they_are(text: str) -> None:
    assert not is_unfit(text)
    assert not needs_json(form_of(PLAIN, json.dumps({"name": text})), "/name")


def test_a_value_of_another_type_is_edited_as_json() -> None:
    assert needs_json(form_of(PLAIN, '{"name": [1]}'), "/name")
    assert needs_json(form_of(PLAIN, '{"name": null}'), "/name")


def test_items_and_names_of_the_readers_own_stay_when_they_are_emptied() -> None:
    form = form_of(PLAIN, '{"tags": ["a"], "zzz": "x", "name": "n"}')
    assert is_standing(form, "/tags/0")
    assert is_standing(form, "/zzz")
    assert not is_standing(form, "/name")


# --------------------------------------------------------------------------- every real schema


def opened_everywhere(form: Form, look: Look, most: int) -> int:
    """Open what can be opened, level by level, up to `most` rows. The number of rows that were opened."""
    many = 0
    for _ in range(6):
        rows = lay(form, look)
        closed = [row for row in rows if row.opened is False]
        if not closed or len(rows) > most:
            break
        for row in closed:
            look.folds[row.pointer] = True
        many += len(closed)
    return many


def test_every_real_tool_can_be_shown_with_all_that_can_be_opened() -> None:
    tools = needs_real_tools()
    assert len(tools) > 400
    rows = unfolded = 0
    for name, schema in tools:
        form = opened(tree(schema), "{}")
        look = Look()
        try:
            rows += check_all(form, look, Found())
            unfolded += opened_everywhere(form, look, 150)
            rows += check_all(form, look, Found())
            for row in lay(form, look):
                rows += with_alternatives(form, row)
        except AssertionError as error:
            raise AssertionError(f"{name}: {error}") from error
    assert rows > 4_000
    assert unfolded > 100


def with_alternatives(form: Form, row: Row) -> int:
    """The first alternatives of a union, each picked and shown."""
    union = form.chain(row.pointer)[0]
    if row.what is not What.PLACE or union.kind is not Kind.UNION:
        return 0
    rows = 0
    for number in range(min(3, len(union.branches))):
        picked = form.choose(row.pointer, number)
        assert isinstance(picked, Form), picked
        rows += check_all(picked, Look(folds={row.pointer: True}), Found())
    return rows
