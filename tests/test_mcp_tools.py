"""tools/list read: definitions exact, faults named, one bad tool hides no other."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.shared.inbound import find_invalid_x_mcp_header

from olv_tui import jsontext
from olv_tui.mcp import headers
from olv_tui.mcp.tools import ListingPage, badges, duplicate_names, read_listing, read_tool, required_arguments
from olv_tui.mcp.versions import MODERN
from olv_tui.model import Object, Severity, Tool, Value

SOUND = '{"name":"sound","inputSchema":{"type":"object"}}'
SHARED = Path(os.environ.get("OLV_SHARED") or Path(__file__).resolve().parents[1] / ".." / "shared")

MEMBERS = [
    "name",
    "title",
    "description",
    "inputSchema",
    "type",
    "properties",
    "required",
    "x-mcp-header",
    "$ref",
    "annotations",
    "outputSchema",
    "$schema",
    "$id",
    "allOf",
    "items",
    "tools",
    "nextCursor",
    "icons",
    "_meta",
]
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(MEMBERS), inner, max_size=4),
    max_leaves=20,
)


def listing(tools: str, rest: str = "", version: str | None = None) -> ListingPage:
    return read_listing(jsontext.loads(f'{{"tools":{tools}{rest}}}'), version)


def one(text: str, version: str | None = None) -> Tool:
    definition = jsontext.loads(text)
    assert isinstance(definition, Object)
    return read_tool(definition, "/result/tools/0", version)


def codes(text: str, version: str | None = None) -> list[str]:
    return [violation.code for violation in one(text, version).violations]


# --------------------------------------------------------------------------- lists


def test_a_definition_is_kept_exact() -> None:
    text = '{"name":"t","x":1.0,"inputSchema":{"type":"object","maximum":7205759403792793601},"x":2e0}'
    tools = listing(f"[{text}]").tools
    assert [jsontext.dumps(tool.definition) for tool in tools] == [text]


def test_a_bad_tool_is_named_and_hides_no_other() -> None:
    page = listing(f'[{SOUND},{{"name":"bad"}},7,null,{{}},{SOUND}]')
    assert [tool.name for tool in page.tools] == ["sound", "bad", "", "sound"]
    assert [(violation.code, violation.at) for violation in page.violations] == [
        ("D01", "/result/tools/1"),
        ("D01", "/result/tools/2"),
        ("D01", "/result/tools/3"),
        ("D01", "/result/tools/4"),
        ("D02", "/result/tools/4"),
    ]


@pytest.mark.parametrize(
    "result", ["null", "[]", "7", '"tools"', "{}", '{"items":[]}', '{"tools":{}}', '{"tools":null}']
)
def test_a_result_that_lists_no_tools_is_named(result: str) -> None:
    page = read_listing(jsontext.loads(result), None)
    assert page.tools == ()
    assert [violation.code for violation in page.violations] == ["D01"]


@pytest.mark.parametrize(
    ("rest", "cursor", "has_cursor", "named"),
    [
        ("", None, False, []),
        (',"nextCursor":"p2"', "p2", True, []),
        (',"nextCursor":""', "", True, []),
        (',"nextCursor":null', None, False, ["M05"]),
        (',"nextCursor":7', None, False, ["M05"]),
    ],
)
def test_the_cursor_is_a_string_and_the_empty_one_counts(
    rest: str, cursor: str | None, has_cursor: bool, named: list[str]
) -> None:
    page = listing(f"[{SOUND}]", rest)
    assert (page.next_cursor, page.has_cursor) == (cursor, has_cursor)
    assert [violation.code for violation in page.violations] == named


def test_what_is_not_text_is_left_empty_and_named() -> None:
    tool = one(
        '{"name":"t","description":null,"title":[],"annotations":"yes","icons":null,"inputSchema":{"type":"object"}}'
    )
    assert (tool.name, tool.title, tool.description) == ("t", "", "")
    assert [violation.at for violation in tool.violations] == [
        f"/result/tools/0/{member}" for member in ("title", "description", "annotations", "icons")
    ]
    assert {violation.code for violation in tool.violations} == {"D05"}


@given(JUNK, st.sampled_from([None, MODERN, "2025-11-25"]))
def test_nothing_in_a_list_raises(junk: object, version: str | None) -> None:
    for value in (junk, {"tools": junk}, {"tools": [junk]}):
        page = read_listing(jsontext.loads(json.dumps(value)), version)
        for tool in page.tools:
            assert badges(tool)
            assert isinstance(required_arguments(tool), tuple)
        duplicate_names(page.tools)


@pytest.mark.skipif(not SHARED.is_dir(), reason="the real schemas are not beside this checkout")
def test_real_definitions_come_out_as_they_went_in() -> None:
    for path in sorted((SHARED / "fixtures" / "schemas").glob("*.json")):
        text = path.read_text("utf-8")
        definitions: Value = jsontext.loads(text)
        if not isinstance(definitions, list):
            continue  # the index beside them
        page = read_listing(Object([("tools", definitions)]), "2025-11-25")
        assert [tool.definition for tool in page.tools] == definitions, path.name
        assert not [fault for fault in page.violations if fault.severity is Severity.ERROR], path.name


# --------------------------------------------------------------------------- one definition


@pytest.mark.parametrize("schema", ["null", "[]", "true", '"x"', "{}", '{"type":"string"}', '{"type":["object"]}'])
def test_an_input_schema_that_is_not_of_an_object_is_named(schema: str) -> None:
    assert codes(f'{{"name":"t","inputSchema":{schema}}}') == ["D01"]


@pytest.mark.parametrize(
    ("name", "fine"),
    [
        ("olv_list_worlds", True),
        ("a.b-C_9", True),
        ("x" * 128, True),
        ("x" * 129, False),
        ("", False),
        ("Create K Share", False),
        ("a/b", False),
        ("数据库", False),
        ("name\n", False),
    ],
)
def test_a_name_outside_the_grammar_is_a_warning(name: str, fine: bool) -> None:
    found = one(f'{{"name":{json.dumps(name)},"inputSchema":{{"type":"object"}}}}')
    assert found.name == name
    assert [(fault.code, fault.severity) for fault in found.violations] == ([] if fine else [("D02", Severity.WARNING)])


def test_a_tool_without_a_name_is_an_error() -> None:
    found = one('{"name":null,"inputSchema":{"type":"object"}}')
    assert [(fault.code, fault.severity) for fault in found.violations] == [("D02", Severity.ERROR)]


def test_names_given_twice_are_counted_over_the_whole_list() -> None:
    page = listing(f'[{SOUND},{{"name":"other","inputSchema":{{"type":"object"}}}},{SOUND},{SOUND}]')
    found = duplicate_names(page.tools)
    assert [(fault.code, fault.message.split(" tools")[0]) for fault in found] == [("D02", "3")]
    assert duplicate_names(page.tools[:2]) == ()


@pytest.mark.parametrize(
    ("schema", "named"),
    [
        ('{"$schema":"https://json-schema.org/draft/2020-12/schema"}', False),
        ('{"$schema":"http://json-schema.org/draft-07/schema#"}', False),
        ('{"$schema":"https://example.com/mine"}', True),
        ('{"$schema":3}', True),
        ('{"properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{}}}', False),
        ('{"properties":{"a":{"$ref":"https://example.com/x.json"}}}', True),
        ('{"properties":{"a":{"$ref":"x.json#/y"}},"$defs":{"x":{"$id":"x.json"}}}', False),
        ('{"properties":{"$ref":{"type":"string"}}}', False),
        ('{"default":{"$ref":"https://example.com/"}}', False),
    ],
)
def test_foreign_dialects_and_references_are_named(schema: str, named: bool) -> None:
    whole = schema.replace("{", '{"type":"object",', 1)
    assert codes(f'{{"name":"t","inputSchema":{whole}}}') == (["D03"] if named else [])


@pytest.mark.parametrize(
    ("schema", "version", "named"),
    [
        ("{}", None, False),
        ("false", MODERN, False),
        ("false", "2025-11-25", True),
        ("[]", MODERN, True),
        ("null", None, True),
    ],
)
def test_an_output_schema_is_a_schema(schema: str, version: str | None, named: bool) -> None:
    text = f'{{"name":"t","inputSchema":{{"type":"object"}},"outputSchema":{schema}}}'
    assert codes(text, version) == (["D05"] if named else [])


# --------------------------------------------------------------------------- x-mcp-header

ANNOTATED = [
    ('{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}', True),
    ('{"properties":{"a":{"type":"object","properties":{"b":{"type":"integer","x-mcp-header":"B"}}}}}', True),
    ('{"properties":{"a":{"type":"string","x-mcp-header":""}}}', False),
    ('{"properties":{"a":{"type":"string","x-mcp-header":"a b"}}}', False),
    ('{"properties":{"a":{"type":"string","x-mcp-header":"A\\r\\n"}}}', False),
    ('{"properties":{"a":{"type":"string","x-mcp-header":1}}}', False),
    ('{"properties":{"a":{"type":"number","x-mcp-header":"A"}}}', False),
    ('{"properties":{"a":{"type":["string","null"],"x-mcp-header":"A"}}}', False),
    ('{"properties":{"a":{"x-mcp-header":"A"}}}', False),
    ('{"properties":{"a":{"type":"string","x-mcp-header":"A"},"b":{"type":"string","x-mcp-header":"a"}}}', False),
    ('{"x-mcp-header":"A"}', False),
    ('{"properties":{"a":{"type":"array","items":{"type":"string","x-mcp-header":"A"}}}}', False),
    ('{"allOf":[{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}]}', False),
    ('{"$defs":{"d":{"type":"string","x-mcp-header":"A"}}}', False),
    ('{"if":{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}}', False),
    ('{"properties":{"x-mcp-header":{"type":"string"}}}', True),
    ('{"default":{"x-mcp-header":"a b"}}', True),
]


@pytest.mark.parametrize(("schema", "allowed"), ANNOTATED)
def test_an_annotation_that_is_not_allowed_is_named_in_the_modern_era_only(schema: str, allowed: bool) -> None:
    whole = schema.replace("{", '{"type":"object",', 1)
    text = f'{{"name":"t","inputSchema":{whole}}}'
    assert ("D04" in codes(text, MODERN)) is not allowed
    assert "D04" not in codes(text, "2025-11-25")


@pytest.mark.parametrize(("schema", "allowed"), ANNOTATED)
def test_annotations_are_judged_as_the_official_sdk_does(schema: str, allowed: bool) -> None:
    assert (find_invalid_x_mcp_header(json.loads(schema)) is None) is allowed
    assert bool(headers.faults(jsontext.loads(schema), "")) is not allowed


def test_a_fault_says_where_it_stands() -> None:
    schema = jsontext.loads('{"properties":{"a/b":{"type":"number","x-mcp-header":"A"}}}')
    assert [fault.at for fault in headers.faults(schema, "/in")] == ["/in/properties/a~1b"]


def test_a_schema_of_any_depth_is_walked() -> None:
    deep = '{"not":' * 5000 + "{}" + "}" * 5000
    assert headers.faults(jsontext.loads(deep), "") == []


# --------------------------------------------------------------------------- at a glance


@pytest.mark.parametrize(
    ("annotations", "words"),
    [
        (None, ("possibly destructive", "open-world")),
        ("{}", ("possibly destructive", "open-world")),
        ('"yes"', ("possibly destructive", "open-world")),
        ('{"readOnlyHint":true}', ("read-only", "open-world")),
        ('{"readOnlyHint":"true"}', ("possibly destructive", "open-world")),
        ('{"readOnlyHint":true,"destructiveHint":true,"openWorldHint":false}', ("read-only",)),
        ('{"destructiveHint":true}', ("destructive", "open-world")),
        ('{"destructiveHint":false,"openWorldHint":false}', ("additive",)),
        ('{"idempotentHint":true,"openWorldHint":true}', ("possibly destructive", "idempotent", "open-world")),
    ],
)
def test_badges_follow_the_defaults_of_the_specification(annotations: str | None, words: tuple[str, ...]) -> None:
    given_ = f',"annotations":{annotations}' if annotations else ""
    assert badges(one(f'{{"name":"t","inputSchema":{{"type":"object"}}{given_}}}')) == words


@pytest.mark.parametrize(
    ("schema", "names"),
    [
        ('{"required":["b","a","b"]}', ("b", "a")),
        ('{"required":["a",1,null]}', ("a",)),
        ('{"required":"a"}', ()),
        ("{}", ()),
        ("null", ()),
    ],
)
def test_required_arguments_are_named_in_order_and_once(schema: str, names: tuple[str, ...]) -> None:
    assert required_arguments(one(f'{{"name":"t","inputSchema":{schema}}}')) == names
