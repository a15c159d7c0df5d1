"""Tool results: success or the tool's own error in all its forms, and the M and T rules."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from olv_tui import jsontext
from olv_tui.mcp.results import ResultReading, find_modern, read_result
from olv_tui.mcp.tools import read_tool
from olv_tui.model import Object, Severity, Tool, ToolError, Value

TEXT = '{"type":"text","text":"hello"}'
NOT_LINKED = '{"error":"not_linked","site":"helpbless.com"}'


def quoted(text: str) -> str:
    return json.dumps(text)


def obj(text: str) -> Object:
    value = jsontext.loads(text)
    assert isinstance(value, Object)
    return value


def read(text: str, version: str | None = "2025-11-25", schema: str | None = None) -> ResultReading:
    tool: Tool | None = None
    if schema is not None:
        tool = read_tool(obj(f'{{"name":"t","inputSchema":{{"type":"object"}},"outputSchema":{schema}}}'), "", version)
    return read_result(jsontext.loads(text), version, tool)


def codes(text: str, version: str | None = "2025-11-25", schema: str | None = None) -> list[str]:
    return [violation.code for violation in read(text, version, schema).violations]


def failed(content: str = "[]", rest: str = "") -> ToolError:
    reading = read(f'{{"content":{content},"isError":true{rest}}}')
    assert reading.is_error
    assert reading.tool_error is not None
    return reading.tool_error


def text_block(text: str) -> str:
    return f'[{{"type":"text","text":{quoted(text)}}}]'


# --------------------------------------------------------------------------- tool errors


def test_the_documented_error_is_read_from_structured_content() -> None:
    error = failed(text_block(NOT_LINKED), f',"structuredContent":{NOT_LINKED}')
    assert (error.error, error.site, error.source, len(error.details)) == (
        "not_linked",
        "helpbless.com",
        "structuredContent",
        0,
    )


def test_an_error_without_a_site_has_none() -> None:
    assert failed(rest=',"structuredContent":{"error":"busy"}').site is None


def test_every_other_member_is_kept_in_order_and_exact() -> None:
    error = failed(rest=',"structuredContent":{"z":1.0,"error":"e","a":[1],"site":7,"z":2}')
    assert error.site is None
    assert jsontext.dumps(error.details) == '{"z":1.0,"a":[1],"site":7,"z":2}'


@pytest.mark.parametrize(
    ("text", "word", "site", "source"),
    [
        (NOT_LINKED, "not_linked", "helpbless.com", "parsed from text"),
        (' {"site":"s","error":"e"} ', "e", "s", "parsed from text"),
        ('"not_linked"', "not_linked", None, "parsed from text"),
        ("not_linked", "not_linked", None, "text"),
        ("Error executing tool olv_list_worlds: not_linked", "not_linked", None, "text"),
        ("Error calling tool 'olv_list_worlds': not_linked", "not_linked", None, "text"),
        ("ToolError: not_linked", "not_linked", None, "text"),
        ("Error executing tool x: ToolError: not_linked", "not_linked", None, "text"),
        ("MCP error -32602: not_linked", "MCP error -32602: not_linked", None, "text"),
        ("Unknown tool: no_such_tool", "Unknown tool: no_such_tool", None, "text"),
        ("Error executing tool x: it is not linked", "Error executing tool x: it is not linked", None, "text"),
        ("first line\nsecond: line", "first line", None, "text"),
        ("\n\n  padded  \n", "padded", None, "text"),
        ('{"other":1}', '{"other":1}', None, "text"),
        ('{"error":null}', '{"error":null}', None, "text"),
        ("{broken", "{broken", None, "text"),
    ],
)
def test_an_error_told_in_text_is_read_as_far_as_it_goes(text: str, word: str, site: str | None, source: str) -> None:
    error = failed(text_block(text))
    assert (error.error, error.site, error.source) == (word, site, source)


def test_json_in_a_later_text_block_is_found() -> None:
    error = failed(f'[{TEXT},{{"type":"text","text":{quoted(NOT_LINKED)}}}]')
    assert (error.error, error.source) == ("not_linked", "parsed from text")


@pytest.mark.parametrize(
    ("value", "word"),
    [
        ('"any word of the server"', "any word of the server"),
        ('{"code":"not_linked","message":"m"}', "not_linked"),
        ('{"code":7,"message":"in words"}', "in words"),
        ('{"x":1}', '{"x":1}'),
        ("404", "404"),
        ('["a"]', '["a"]'),
        ("true", "true"),
    ],
)
def test_an_error_of_any_shape_becomes_a_word(value: str, word: str) -> None:
    assert failed(rest=f',"structuredContent":{{"error":{value}}}').error == word


@pytest.mark.parametrize("content", ["[]", '[{"type":"image"}]', '[{"type":"text","text":"  "}]', "7", "null"])
def test_an_error_without_any_word_is_still_an_error(content: str) -> None:
    assert failed(content).error == ""


def test_structured_content_without_an_error_leaves_the_word_to_the_text() -> None:
    error = failed(text_block("no wallet"), ',"structuredContent":{"site":"helpbless.com","hint":1}')
    assert (error.error, error.site, error.source) == ("no wallet", "helpbless.com", "text")
    assert list(error.details) == ["hint"]


def test_two_places_that_tell_different_errors_are_named() -> None:
    text = text_block('{"error":"not_linked","site":"a.example"}')
    structured = ',"structuredContent":{"error":"not_linked","site":"b.example"}'
    reading = read(f'{{"content":{text},"isError":true{structured}}}')
    assert reading.tool_error is not None
    assert (reading.tool_error.site, reading.tool_error.source) == ("b.example", "structuredContent")
    assert [(one.code, one.severity) for one in reading.violations] == [("T05", Severity.WARNING)]
    assert "a.example" in reading.violations[0].message


def test_a_sentence_beside_the_documented_error_breaks_no_rule() -> None:
    words = text_block("helpbless.com is not linked to this account.")
    assert codes(f'{{"content":{words},"isError":true,"structuredContent":{NOT_LINKED}}}') == []


def test_a_tool_error_is_not_held_against_the_output_schema() -> None:
    schema = '{"type":"object","properties":{"total":{"type":"integer"}},"required":["total"]}'
    assert codes(f'{{"content":{text_block("no")},"isError":true}}', schema=schema) == []
    assert codes(f'{{"content":[],"isError":true,"structuredContent":{NOT_LINKED}}}', schema=schema) == []


# --------------------------------------------------------------------------- no tool errors


@pytest.mark.parametrize("flag", ['"true"', '"false"', "1", "0", "null", "[]"])
def test_is_error_that_is_no_boolean_is_no_error_and_named(flag: str) -> None:
    reading = read(f'{{"content":[{TEXT}],"isError":{flag}}}')
    assert (reading.is_error, reading.tool_error) == (False, None)
    assert [violation.code for violation in reading.violations] == ["T06"]


@pytest.mark.parametrize("rest", ["", ',"isError":false'])
def test_an_error_object_in_a_success_stays_a_success_with_a_hint(rest: str) -> None:
    for body in (
        f'{{"content":{text_block(NOT_LINKED)}{rest}}}',
        f'{{"content":{text_block(NOT_LINKED)},"structuredContent":{NOT_LINKED}{rest}}}',
    ):
        reading = read(body)
        assert not reading.is_error
        assert [(one.code, one.severity) for one in reading.violations] == [("T07", Severity.INFO)]
        assert "not_linked" in reading.violations[0].message


@pytest.mark.parametrize("error", ["null", "false", '""', "[]", "{}"])
def test_an_error_member_that_says_nothing_is_no_hint(error: str) -> None:
    body = f'{{"error":{error}}}'
    assert codes(f'{{"content":{text_block(body)},"structuredContent":{body}}}') == []


def test_words_alone_are_never_taken_for_an_error() -> None:
    assert codes(f'{{"content":{text_block("Error: no tool of that name")}}}') == []


def test_a_result_that_is_no_object_is_left_to_others() -> None:
    assert read("false") == ResultReading()


def test_a_result_that_asks_for_input_is_told_as_such() -> None:
    assert read('{"resultType":"input_required"}') == ResultReading(input_required=True)


# --------------------------------------------------------------------------- T rules


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ('{"content":[]}', []),
        ("{}", ["T01"]),
        ('{"content":null}', ["T01"]),
        ('{"content":{}}', ["T01"]),
        ('{"content":"text"}', ["T01"]),
        ('{"task":{"taskId":"1"}}', []),
    ],
)
def test_content_is_an_array_in_every_version(body: str, named: list[str]) -> None:
    for version in (None, "2024-11-05", "2026-07-28"):
        assert codes(body, version) == named


@pytest.mark.parametrize(
    ("block", "words"),
    [
        (TEXT, ""),
        ('{"type":"image","data":"AAAA","mimeType":"image/png"}', ""),
        ('{"type":"audio","data":"AAA=\\n","mimeType":"audio/wav"}', ""),
        ('{"type":"resource_link","uri":"a:b","name":"n"}', ""),
        ('{"type":"resource","resource":{"uri":"a:b","text":""}}', ""),
        ('{"type":"resource","resource":{"uri":"a:b","blob":""}}', ""),
        ("7", "no object"),
        ("{}", "no type"),
        ('{"type":null}', "no type"),
        ('{"type":"json","json":{}}', "not known"),
        ('{"type":"Text","text":"x"}', "not known"),
        ('{"type":"text"}', "no string text"),
        ('{"type":"text","text":null}', "no string text"),
        ('{"type":"image","data":"AAAA"}', "no string mimeType"),
        ('{"type":"image","data":"data:image/png;base64,AAAA","mimeType":"image/png"}', "data: address"),
        ('{"type":"image","data":"???","mimeType":"image/png"}', "not base64"),
        ('{"type":"resource_link","uri":"a:b"}', "no string name"),
        ('{"type":"resource","resource":[]}', "no resource object"),
        ('{"type":"resource","resource":{"text":"x"}}', "without a uri"),
        ('{"type":"resource","resource":{"uri":"a:b"}}', "neither text nor blob"),
    ],
)
def test_each_content_block_is_held_against_its_kind(block: str, words: str) -> None:
    found = read(f'{{"content":[{TEXT},{block}]}}').violations
    assert [(one.code, one.at) for one in found] == ([("T02", "/result/content/1")] if words else [])
    assert words in "".join(one.message for one in found)


def test_many_bad_blocks_are_told_in_twenty_lines_and_a_number() -> None:
    found = read(f'{{"content":[{",".join(["7"] * 500)}]}}').violations
    assert len(found) == 21
    assert "480 more" in found[-1].message


@pytest.mark.parametrize(
    ("structured", "version", "named"),
    [
        ("{}", "2025-11-25", None),
        ("{}", "2026-07-28", None),
        ("{}", None, None),
        ("[1]", "2026-07-28", None),
        ("null", "2026-07-28", None),
        ("[1]", "2025-11-25", Severity.ERROR),
        ("null", "2025-06-18", Severity.ERROR),
        ("[1]", None, Severity.INFO),
        ("{}", "2025-03-26", Severity.ERROR),
        ("{}", "2024-11-05", Severity.ERROR),
    ],
)
def test_structured_content_is_what_its_version_allows(structured: str, version: str, named: Severity | None) -> None:
    found = read(f'{{"content":{text_block(structured)},"structuredContent":{structured}}}', version).violations
    assert [(one.code, one.severity) for one in found] == ([("T03", named)] if named else [])


@pytest.mark.parametrize(
    ("structured", "texts", "repeated"),
    [
        ('{"a":1,"b":[2]}', ['{ "b":[2], "a":1 }'], True),
        ('{"a":1}', ["in words", '{"a":1}'], True),
        ('{"a":1}', ["in words"], False),
        ('{"a":1}', [], False),
        ('{"a":1}', ['{"a":2}'], False),
        ('{"result":"plain"}', ["plain"], True),
        ('{"result":7}', ["7"], True),
        ('{"result":[1,2]}', ["1", "2"], True),
        ('{"other":"plain"}', ["plain"], False),
    ],
)
def test_a_text_block_should_repeat_structured_content(structured: str, texts: list[str], repeated: bool) -> None:
    content = ",".join(f'{{"type":"text","text":{quoted(text)}}}' for text in texts)
    body = f'{{"content":[{content}],"structuredContent":{structured}}}'
    assert codes(body) == ([] if repeated else ["T05"])


# --------------------------------------------------------------------------- outputSchema

TOTAL = '{"type":"object","properties":{"total":{"type":"integer"}},"required":["total"]}'


def checked(structured: str, schema: str, version: str | None = "2026-07-28") -> list[tuple[str, Severity, str | None]]:
    body = f'{{"content":{text_block(structured)},"structuredContent":{structured}}}'
    found = read(body, version, schema).violations
    return [(one.message, one.severity, one.at) for one in found if one.code == "T04"]


def test_what_conforms_breaks_nothing() -> None:
    for total in ("7", "7.0", "9" * 400):
        assert checked(f'{{"total":{total}}}', TOTAL) == []


def test_what_does_not_conform_is_named_with_its_place() -> None:
    found = checked('{"total":"x"}', TOTAL)
    assert [(severity, at) for _, severity, at in found] == [(Severity.ERROR, "/result/structuredContent/total")]
    assert "integer" in found[0][0]


def test_a_declared_schema_demands_structured_content() -> None:
    assert codes(f'{{"content":[{TEXT}]}}', schema=TOTAL) == ["T04"]
    assert codes(f'{{"content":[{TEXT}]}}', "2025-03-26", TOTAL) == []


def test_ten_faults_are_told_in_three() -> None:
    schema = '{"type":"object","additionalProperties":{"type":"integer"}}'
    assert len(checked(json.dumps({str(number): "x" for number in range(10)}), schema)) == 3


@pytest.mark.parametrize(
    ("structured", "schema", "why"),
    [
        ('{"a":1}', '{"$ref":"http://127.0.0.1:9/x.json"}', "not usable"),
        ('{"a":1}', '{"$ref":"#/nowhere"}', "not usable"),
        ('{"a":1}', '{"$ref":"#"}', "circles"),
        ('{"a":1}', '{"type":17}', "not usable"),
        ('{"a":1}', '{"required":7}', "not usable"),
        ('{"a":1}', '{"$schema":"https://example.com/mine"}', "dialect"),
        ('{"a":"x"}', '{"properties":{"a":{"pattern":"("}}}', "not usable"),
        ('{"a":"' + "a" * 40 + '!"}', '{"properties":{"a":{"pattern":"^(a+)+$"}}}', "too long"),
        ('{"a":"' + "a" * 5000 + '!"}', '{"properties":{"a":{"pattern":"a*a*b"}}}', "too long"),
        ('{"' + "a" * 40 + '!":1}', '{"patternProperties":{"^(a+)+$":{}}}', "too long"),
        ('{"a":1e400}', "{}", "no value as a double"),
        ('{"a":' + "9" * 5000 + "}", "{}", "digits"),
        ('{"a":' + "[" * 500 + "]" * 500 + "}", "{}", "too deep"),
        (json.dumps({"a": [0] * 30_000}), "{}", "too large"),
        (json.dumps({"a": [[n] for n in range(4000)]}), '{"properties":{"a":{"uniqueItems":true}}}', "too many steps"),
    ],
)
def test_what_cannot_be_checked_is_said_and_not_guessed(structured: str, schema: str, why: str) -> None:
    found = checked(structured, schema)
    assert [severity for _, severity, _ in found] == [Severity.INFO]
    assert re.search(why, found[0][0])


def test_a_schema_that_doubles_at_each_step_is_given_up() -> None:
    steps = {f"s{n}": {"allOf": [{"$ref": f"#/$defs/s{n + 1}"}] * 2} for n in range(40)}
    schema = json.dumps({"$ref": "#/$defs/s0", "$defs": {**steps, "s40": {}}})
    assert [severity for _, severity, _ in checked('{"a":1}', schema)] == [Severity.INFO]


@pytest.mark.parametrize("pattern", ["^[a-z]+$", "^\\\\d{4}-\\\\d{2}$", "abc", "^(a|b)$"])
def test_ordinary_patterns_are_tried(pattern: str) -> None:
    schema = f'{{"properties":{{"a":{{"pattern":"{pattern}"}}}}}}'
    assert [severity for _, severity, _ in checked('{"a":"!"}', schema)] == [Severity.ERROR]


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["content", "type", "text", "structuredContent", "isError", "error", "site", "resource"])
            | st.sampled_from(["$ref", "properties", "items", "anyOf", "pattern", "required", "resultType", "ttlMs"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@given(JUNK, JUNK, st.sampled_from([None, "2026-07-28", "2025-11-25", "2024-11-05"]), st.booleans())
def test_no_result_and_no_schema_raise(junk: object, schema: object, version: str | None, error: bool) -> None:
    if isinstance(junk, dict) and error:
        junk["isError"] = True
    text = json.dumps(junk).replace("Infinity", "1e999")
    reading = read(text, version, json.dumps(schema).replace("Infinity", "1e999"))
    assert reading.is_error == (reading.tool_error is not None)
    value: Value = jsontext.loads(text)
    if isinstance(value, Object):
        find_modern("tools/list", value)


# --------------------------------------------------------------------------- M rules


@pytest.mark.parametrize(
    ("method", "result", "named"),
    [
        ("tools/call", '{"resultType":"complete"}', []),
        ("tools/call", "{}", ["M01"]),
        ("tools/call", '{"resultType":"task"}', ["M02"]),
        ("tools/call", '{"resultType":null}', ["M02"]),
        ("tools/call", '{"resultType":"input_required","requestState":"s"}', []),
        ("prompts/get", '{"resultType":"input_required","inputRequests":{}}', []),
        ("tools/call", '{"resultType":"input_required"}', ["M03"]),
        ("tools/list", '{"resultType":"input_required","requestState":"s"}', ["M03"]),
        ("tools/list", '{"resultType":"complete","ttlMs":0,"cacheScope":"private"}', []),
        ("tools/list", '{"resultType":"complete"}', ["M04", "M04"]),
        ("server/discover", '{"resultType":"complete","ttlMs":-1,"cacheScope":"public"}', ["M04"]),
        ("resources/read", '{"resultType":"complete","ttlMs":1.5,"cacheScope":"all"}', ["M04", "M04"]),
        ("prompts/get", '{"resultType":"complete"}', []),
    ],
)
def test_modern_results_say_what_they_are(method: str, result: str, named: list[str]) -> None:
    assert [violation.code for violation in find_modern(method, obj(result))] == named
