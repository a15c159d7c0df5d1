"""JSON kept exact: what is read, what is named, where it stands, and how it is written again."""

from __future__ import annotations

import gc
import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from olv_tui import jsontext
from olv_tui.jsontext import JsonError, dumps, loads, parse, pretty
from olv_tui.model import Number, Object, Severity, Value

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec="utf-8")),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(st.characters(codec="utf-8")), inner, max_size=4)
    ),
    max_leaves=12,
)


def as_python(value: Value) -> Any:
    """The value as json.loads would give it."""
    if isinstance(value, Object):
        return {name: as_python(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [as_python(inner) for inner in value]
    return json.loads(value.text) if isinstance(value, Number) else value


def codes(data: bytes) -> list[str]:
    return [violation.code for violation in parse(data).violations]


# --------------------------------------------------------------------------- reading


@pytest.mark.parametrize("text", ["1", "1.0", "1e0", "-0", "1E+2", "7205759403792793601", "9" * 5000, "0.10"])
def test_a_number_keeps_its_text(text: str) -> None:
    parsed = parse(text.encode())
    assert parsed.value == Number(text)
    assert parsed.valid
    assert not parsed.violations


def test_the_order_of_members_is_that_of_the_wire() -> None:
    value = loads('{"z":1,"a":2,"m":3}')
    assert isinstance(value, Object)
    assert list(value) == ["z", "a", "m"]


def test_duplicate_members_are_kept_and_the_last_one_counts() -> None:
    value = loads('{"owner":"first","x":1,"owner":"last"}')
    assert isinstance(value, Object)
    assert value["owner"] == "last"
    assert [name for name, _ in value.members()] == ["owner", "x", "owner"]


@given(JSON)
def test_what_json_writes_is_read_as_the_same_value(value: Any) -> None:
    parsed = parse(json.dumps(value).encode())
    assert parsed.valid
    assert as_python(parsed.value) == value


@given(st.binary(max_size=200))
def test_no_bytes_make_parse_raise(data: bytes) -> None:
    parsed = parse(data)
    assert parsed.has_value or not parsed.valid
    assert all(violation.offset is None or 0 <= violation.offset <= len(data) for violation in parsed.violations)


@given(st.text(alphabet='{}[],:"\\ue0123456789.-+dDaANIty\n ', max_size=40))
def test_parse_takes_and_refuses_what_the_standard_library_does(text: str) -> None:
    try:
        json.loads(text, parse_constant=lambda name: 1 / 0)
        sound = True
    except (ValueError, ZeroDivisionError):
        sound = False
    assert parse(text.encode()).valid == sound


@given(st.text(alphabet='{}[],:"\\ue01.-dDaANIty\n ', max_size=40))
def test_the_machine_for_depth_agrees_with_the_fast_reader(text: str) -> None:
    deep, shallow = parse(f"{'[' * 3000}{text}{']' * 3000}".encode()), parse(f"[{text}]".encode())
    assert deep.valid == shallow.valid
    if deep.valid:
        value = deep.value
        for _ in range(2999):
            assert isinstance(value, list)
            value = value[0]
        assert dumps(value) == dumps(shallow.value)


def test_depth_of_a_hundred_thousand_is_read_and_written() -> None:
    text = "[" * 100_000 + "]" * 100_000
    parsed = parse(text.encode())
    assert parsed.valid
    assert dumps(parsed.value) == text


def test_deep_objects_with_everything_in_them_come_out_as_they_went_in() -> None:
    inner = '{"a":1.50,"a":"\\u00e9","b":[true,false,null,NaN,-1e400]}'
    text = '{"k":' * 2000 + inner + "}" * 2000
    parsed = parse(text.encode())
    assert not parsed.valid
    assert dumps(parsed.value) == text.replace("\\u00e9", "é")
    assert {violation.code for violation in parsed.violations} == {"J03", "J04", "J05"}


def test_the_collector_is_on_again_after_a_large_text() -> None:
    assert gc.isenabled()
    assert parse(json.dumps(list(range(50_000))).encode()).valid
    assert not parse(b"[" + b"1," * 50_000).valid
    assert gc.isenabled()


# --------------------------------------------------------------------------- what is named


@pytest.mark.parametrize(
    ("data", "offset", "words"),
    [
        (b"", 0, "the body is empty"),
        (b" \n", 2, "nothing but white space"),
        (b'{"a":1 "b":2}', 7, "expected a comma or }, found"),
        (b"[1 2]", 3, "expected a comma or ], found 2"),
        (b'{"a" 1}', 5, "expected a colon, found 1"),
        (b'{"a":1,}', 6, "a comma with nothing after it, before }"),
        (b"[1,]", 2, "a comma with nothing after it, before ]"),
        (b"{'a':1}", 1, "a single quote"),
        (b"[None]", 1, "found None"),
        (b'["a\nb"]', 3, "a line break stands unescaped"),
        (b'["a\x01b"]', 3, "U+0001 stands unescaped"),
        (b'["a', 1, "never closed"),
        (b'["\\x"]', 2, "\\x is no escape"),
        (b'{"a":[1', 7, "the text ends"),
        (b"<html>", 0, "expected a value, found <"),
        ("{'é':1}".encode(), 1, "a single quote"),
        ('["é" 1]'.encode(), 6, "expected a comma or ]"),
        (b"\xef\xbb\xbf[1 2]", 6, "expected a comma or ]"),
        (b'["\xff" 1]', 5, "expected a comma or ]"),
    ],
)
def test_what_is_no_json_is_told_in_words_with_its_byte(data: bytes, offset: int, words: str) -> None:
    parsed = parse(data)
    fault = next(violation for violation in parsed.violations if violation.code == "J01")
    assert (parsed.has_value, parsed.valid) == (False, False)
    assert words in fault.message
    assert fault.offset == offset


def test_a_large_broken_text_is_told_with_its_byte_too() -> None:
    data = b"[" + b"1," * 200_000 + b"2 3]"
    fault = parse(data).violations[0]
    assert (fault.code, fault.offset) == ("J01", len(data) - 2)
    assert "closing bracket, found 3" in fault.message


def test_utf_16_is_called_by_its_name() -> None:
    for coding in ("utf-16", "utf-16-le", "utf-16-be"):
        assert any("UTF-16" in violation.message for violation in parse('{"a":1}'.encode(coding)).violations)


def test_text_after_the_value_is_named_and_the_value_recovered() -> None:
    parsed = parse(b'{"a":1}}\nDEBUG: done')
    assert parsed.has_value
    assert not parsed.valid
    assert dumps(parsed.value) == '{"a":1}'
    assert (parsed.violations[0].code, parsed.violations[0].offset) == ("J01", 7)


def test_a_byte_order_mark_is_a_warning_and_not_in_the_text() -> None:
    parsed = parse(b"\xef\xbb\xbf[1]")
    assert (parsed.valid, parsed.text) == (True, "[1]")
    assert [(v.code, v.severity, v.offset) for v in parsed.violations] == [("J02", Severity.WARNING, 0)]


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity"])
def test_nan_and_the_infinities_are_no_json_but_recovered(word: str) -> None:
    parsed = parse(f'{{"a":[0,{word}]}}'.encode())
    assert (parsed.has_value, parsed.valid) == (True, False)
    assert parsed.value == Object([("a", [Number("0"), Number(word)])])
    assert [(v.code, v.at, v.offset) for v in parsed.violations] == [("J03", "/a/1", 8)]


def test_a_number_that_overflows_is_a_warning_and_a_long_integer_is_not() -> None:
    parsed = parse(b'{"a":1e400,"b":-1e400,"c":1e308,"d":' + b"9" * 400 + b"}")
    assert parsed.valid
    assert [(v.code, v.at) for v in parsed.violations] == [("J04", "/a"), ("J04", "/b")]


def test_a_duplicate_is_placed_at_its_second_name_also_behind_other_scripts() -> None:
    data = '{"é":{"owner":1,"owner":2}}'.encode()
    found = parse(data).violations
    assert [(v.code, v.at) for v in found] == [("J05", "/é/owner")]
    assert data[found[0].offset :].startswith(b'"owner":2')


def test_the_same_name_in_two_objects_is_no_duplicate() -> None:
    assert codes(b'[{"a":1},{"a":{"a":2}}]') == []


def test_names_that_differ_in_their_escapes_only_are_duplicates() -> None:
    assert codes(b'{"a":1,"\\u0061":2}') == ["J05"]


@pytest.mark.parametrize(
    ("text", "half"),
    [
        ('["\\ud83d cut"]', True),
        ('["\\ude00"]', True),
        ('["\\ud83d\\ud83d\\ude00"]', True),
        ('["\\ud83d\\ude00"]', False),
        ('["\\\\ud83d"]', False),
        ('["\\\\\\ud83d"]', True),
    ],
)
def test_half_a_surrogate_pair_is_a_warning_and_a_whole_one_is_not(text: str, half: bool) -> None:
    parsed = parse(text.encode())
    assert parsed.valid
    assert [violation.code for violation in parsed.violations] == (["J06"] if half else [])


def test_bytes_that_are_not_utf_8_are_an_error_and_shown_as_replacement() -> None:
    parsed = parse(b'["\x89PNG"]')
    assert (parsed.has_value, parsed.valid) == (True, False)
    assert parsed.value == ["\ufffdPNG"]
    assert [(v.code, v.severity, v.offset) for v in parsed.violations] == [("J06", Severity.ERROR, 2)]


def test_many_oddities_are_told_in_ten_lines_and_one_more() -> None:
    parsed = parse(b"[" + b"NaN," * 500 + b"1]")
    assert len(parsed.violations) == 11
    assert "more than 10" in parsed.violations[-1].message


def test_an_oddity_beyond_the_first_megabytes_is_told_without_a_place() -> None:
    parsed = parse(b'["' + b"x" * 2_100_000 + b'",1,NaN]')
    assert [(v.code, v.offset) for v in parsed.violations] == [("J03", None)]


# --------------------------------------------------------------------------- what a person typed


@pytest.mark.parametrize(
    ("text", "offset", "line", "column"),
    [('{"a":\n  x}', 8, 2, 3), ("[1] 2", 4, 1, 5), ("[1,\nNaN]", 4, 2, 1), ("\ufeff1", 0, 1, 1), ("", 0, 1, 1)],
)
def test_a_fault_in_typed_text_has_line_and_column(text: str, offset: int, line: int, column: int) -> None:
    with pytest.raises(JsonError) as caught:
        loads(text)
    assert (caught.value.offset, caught.value.line, caught.value.column) == (offset, line, column)
    assert str(caught.value) == caught.value.message


def test_typed_duplicates_and_half_pairs_are_taken() -> None:
    assert dumps(loads('{"a":1,"a":"\\ud83d"}')) == '{"a":1,"a":"\\ud83d"}'


# --------------------------------------------------------------------------- writing


@given(JSON, st.sampled_from([None, 0, 2]))
def test_what_is_written_is_read_by_others_as_the_same_value(value: Any, indent: int | None) -> None:
    written = dumps(loads(json.dumps(value)), indent=indent)
    assert json.loads(written) == value
    if indent:
        assert written == json.dumps(value, indent=indent, ensure_ascii=False)


@given(JSON)
def test_writing_and_reading_again_changes_nothing(value: Any) -> None:
    exact = loads(json.dumps(value))
    assert loads(dumps(exact)) == exact


def test_lone_surrogates_are_written_as_escapes_and_other_characters_as_they_are() -> None:
    written = dumps(loads('"\\ud83d é \\u0007 日本"'))
    assert written == '"\\ud83d é \\u0007 日本"'
    written.encode()


def test_what_is_no_json_value_is_refused_by_its_type() -> None:
    with pytest.raises(TypeError, match="float"):
        dumps([1.5])  # type: ignore[list-item]


@pytest.mark.parametrize(
    "text",
    [
        '{"a":1.0,"a":[1e400,7205759403792793601,{}],"b":[],"c":"\\u00e9\\/"}',
        '[NaN,{"a":-Infinity}]',
        '["\\ud83d",{"x":{"y":[1,[2]]}}]',
        "[" * 3000 + "1" + "]" * 3000,
        '"alone"',
    ],
)
def test_pretty_text_has_the_same_tokens(text: str) -> None:
    indented = pretty(text.encode())
    assert indented is not None
    assert b"".join(indented.split()).decode() == text.replace(" ", "")


def test_fast_and_slow_pretty_text_look_the_same() -> None:
    text = '{"a":[1,{"b":[]},[]],"c":{"d":"x y","e":{}},"f":null}'
    fast, slow = pretty(text.encode()), pretty(b"\xef\xbb\xbf" + text.encode())
    assert fast == slow
    assert fast is not None
    assert fast.decode() == json.dumps(json.loads(text), indent=2)


def test_pretty_text_keeps_bad_bytes_and_what_follows_the_value() -> None:
    assert pretty(b'["\xff"] tail') == b'[\n  "\xff"\n]\ntail'


@pytest.mark.parametrize("data", [b"", b"<html>", b'{"a":', b"[1,]", b"{'a':1}"])
def test_what_is_no_json_has_no_pretty_text(data: bytes) -> None:
    assert pretty(data) is None


# --------------------------------------------------------------------------- places


TEXT = '{ "a" : [1, {"b":  true }], "c~/":"x", "a" : {"b":[ 7 ]} , "":0}'


@pytest.mark.parametrize(
    ("pointer", "value"),
    [("", TEXT), ("/a", '{"b":[ 7 ]}'), ("/a/b/0", "7"), ("/c~0~1", '"x"'), ("/", "0")],
)
def test_a_value_is_found_by_its_pointer(pointer: str, value: str) -> None:
    place = jsontext.span(f"  {TEXT} ", pointer)
    assert place is not None
    assert f"  {TEXT} "[place[0] : place[1]] == value


@pytest.mark.parametrize("pointer", ["/x", "/a/b/1", "/a/b/x", "/c~0~1/0", "a", "/a/b/01"])
def test_a_pointer_that_leads_nowhere_gives_nothing(pointer: str) -> None:
    assert jsontext.span(TEXT, pointer) is None


@pytest.mark.parametrize("text", ["", "{", '{"a":1', '{"a":1,}', '{"a":1 "b":2}', "{a:1}", '{"a"}', '{"a":x}', "[1,]"])
def test_a_broken_text_gives_no_place(text: str) -> None:
    assert jsontext.span(text, "/a") is None


def test_huge_numbers_and_depth_do_not_hinder_finding() -> None:
    text = '{"n":' + "9" * 5000 + ',"d":' + "[" * 3000 + "]" * 3000 + ',"x":1}'
    assert jsontext.span(text, "/x") == (len(text) - 2, len(text) - 1)


@given(JSON)
def test_every_value_is_found_at_its_own_pointer(value: Any) -> None:
    text = json.dumps(value)
    parsed = loads(text)
    nodes: list[tuple[list[str | int], Value]] = [([], parsed)]
    while nodes:
        path, node = nodes.pop()
        place = jsontext.span(text, jsontext.pointer(path))
        assert place is not None
        assert loads(text[place[0] : place[1]]) == node
        if isinstance(node, Object):
            nodes += [([*path, name], inner) for name, inner in node.items()]
        elif isinstance(node, list):
            nodes += [([*path, index], inner) for index, inner in enumerate(node)]


def test_overflow_is_what_a_double_makes_of_it() -> None:
    assert math.isinf(float("1e400"))
    assert codes(b"[1e308, 1.7976931348623159e308]") == ["J04"]
