"""JSON-RPC: requests as they are read and built, responses held against the R rules."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from olv_tui import jsonrpc, jsontext
from olv_tui.jsonrpc import Match, build, id_of, match_id, read_request, read_response
from olv_tui.model import Object, Outgoing, RequestId, Severity

SEVEN = RequestId("7")
SOUND = '{"jsonrpc":"2.0","id":7,"result":{}}'


def message(text: str) -> Object:
    value = jsontext.loads(text)
    assert isinstance(value, Object)
    return value


def codes(text: str, asked: RequestId | None = SEVEN, *, modern: bool = False) -> list[str]:
    return [violation.code for violation in read_response(message(text), asked, modern=modern).violations]


def error(members: str, identity: str = "7") -> str:
    return f'{{"jsonrpc":"2.0","id":{identity},"error":{members}}}'


# --------------------------------------------------------------------------- requests


def test_a_request_is_built_compact_with_its_params_verbatim() -> None:
    body = build(RequestId('"a b"'), "tools/call", '{ "name":"x","n":1.0 }')
    assert body == b'{"jsonrpc":"2.0","id":"a b","method":"tools/call","params":{ "name":"x","n":1.0 }}'


def test_without_an_id_a_notification_is_built() -> None:
    assert build(None, "notifications/initialized", None) == b'{"jsonrpc":"2.0","method":"notifications/initialized"}'


@pytest.mark.parametrize("text", ["1", "1.0", "1e0", '"1"', "null", "true", '"\\u0041"', "9" * 30, "[1]", "-0"])
def test_an_id_is_read_with_the_text_it_is_sent_with(text: str) -> None:
    body = f'{{"jsonrpc":"2.0","id": {text} ,"method":"m"}}'.encode()
    assert read_request(body) == Outgoing("request", RequestId(text), "m", None, (RequestId(text),))


def test_of_an_id_given_twice_the_last_one_counts() -> None:
    assert read_request(b'{"id":1,"method":"m","id":2}').id == RequestId("2")


def test_the_tool_is_read_from_a_call_and_from_nothing_else() -> None:
    call = read_request(build(SEVEN, "tools/call", '{"name":"olv_list_worlds","arguments":{}}'))
    assert (call.method, call.tool) == ("tools/call", "olv_list_worlds")
    assert read_request(build(SEVEN, "prompts/get", '{"name":"x"}')).tool is None
    assert read_request(build(SEVEN, "tools/call", '{"name":1}')).tool is None
    assert read_request(build(SEVEN, "tools/call", "[1]")).tool is None


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b'{"method":"m"}', "notification"),
        (b'{"id":1,"result":{}}', "response"),
        (b'{"id":1,"error":{}}', "response"),
        (b'{"id":1}', "raw"),
        (b'{"id":1,"method":2}', "raw"),
        (b"[]", "raw"),
        (b'"method"', "raw"),
        (b"not json", "raw"),
        (b"", "raw"),
        (b'[{"method":"m"}]', "batch"),
        (b"[1]", "batch"),
    ],
)
def test_what_is_no_request_is_called_what_it_is(body: bytes, kind: str) -> None:
    out = read_request(body)
    assert (out.kind, out.id) == (kind, None)


def test_a_batch_has_the_ids_of_its_requests_in_order() -> None:
    body = b'[{"id":2,"method":"a"},{"method":"n"},{"id":"2","method":"b"},3,{"id":9,"result":1}]'
    assert read_request(body).ids == (RequestId("2"), RequestId('"2"'))


def test_a_request_with_text_after_it_is_still_read() -> None:
    assert read_request(b'{"id":1,"method":"m"} tail').kind == "request"


@given(st.binary(max_size=100))
def test_no_body_makes_reading_raise(body: bytes) -> None:
    assert read_request(body).kind in {"request", "notification", "response", "batch", "raw"}


def test_a_deep_id_is_no_danger() -> None:
    deep = "[" * 5000 + "]" * 5000
    assert read_request(f'{{"id":{deep},"method":"m"}}'.encode()).id == RequestId(deep)


# --------------------------------------------------------------------------- ids


@pytest.mark.parametrize(
    ("came", "sent", "match"),
    [
        ("7", "7", Match.SAME),
        ('"7"', '"7"', Match.SAME),
        ('"\\u0037"', '"7"', Match.SAME),
        ("null", "null", Match.SAME),
        ("true", "true", Match.SAME),
        ("7.0", "7", Match.SPELLED),
        ("7e0", "7", Match.SPELLED),
        ("0.7e1", "7.00", Match.SPELLED),
        ("700e-2", "7", Match.SPELLED),
        ("-0", "0", Match.SPELLED),
        ("1" + "0" * 30, "1e30", Match.SPELLED),
        ("8", "7", Match.OTHER),
        ("-7", "7", Match.OTHER),
        ("70", "7", Match.OTHER),
        ("1e999999999999999999999", "7", Match.OTHER),
        ("9007199254740993", "9007199254740992", Match.OTHER),
        ('"a"', '"b"', Match.OTHER),
        ('"7"', "7", Match.TYPE),
        ("7", '"7"', Match.TYPE),
        ("null", "7", Match.NONE),
        ("true", "1", Match.ODD),
        ("[7]", "7", Match.ODD),
        ("{}", "7", Match.ODD),
    ],
)
def test_ids_are_compared_by_type_and_value(came: str, sent: str, match: Match) -> None:
    assert match_id(message(f'{{"id":{came}}}'), RequestId(sent)) is match


def test_an_absent_id_is_none_and_with_nothing_asked_nothing_is_compared() -> None:
    assert match_id(message("{}"), SEVEN) is Match.NONE
    assert match_id(message("{}"), RequestId("null")) is Match.NONE
    assert match_id(message('{"id":1}'), None) is Match.UNASKED


@given(st.integers(), st.integers(min_value=0, max_value=20))
def test_a_number_moved_by_its_exponent_stays_the_same_number(value: int, places: int) -> None:
    spelled = f"{value * 10**places}e-{places}"
    assert match_id(message(f'{{"id":{spelled}}}'), RequestId(str(value))) is Match.SPELLED


def test_id_of_tells_one_from_one_point_nought_and_from_true() -> None:
    assert len({id_of(value) for value in jsontext.loads('[1,1.0,1e0,"1",true,null]') or ()}) == 6  # type: ignore[union-attr]


# --------------------------------------------------------------------------- responses


def test_a_sound_result_breaks_nothing() -> None:
    reading = read_response(message(SOUND), SEVEN)
    assert reading.is_answer
    assert reading.violations == ()


@pytest.mark.parametrize(
    ("text", "code", "at"),
    [
        ('{"id":7,"result":{}}', "R01", ""),
        ('{"jsonrpc":2.0,"id":7,"result":{}}', "R02", "/jsonrpc"),
        ('{"jsonrpc":"1.0","id":7,"result":{}}', "R02", "/jsonrpc"),
        ('{"jsonrpc":"2.0","result":{}}', "R03", ""),
        ('{"jsonrpc":"2.0","id":null,"result":{}}', "R05", "/id"),
        ('{"jsonrpc":"2.0","id":8,"result":{}}', "R07", "/id"),
        ('{"jsonrpc":"2.0","id":"7","result":{}}', "R08", "/id"),
        ('{"jsonrpc":"2.0","id":true,"result":{}}', "R10", "/id"),
        ('{"jsonrpc":"2.0","id":7,"result":{},"error":null}', "R11", "/error"),
        ('{"jsonrpc":"2.0","id":7,"result":null,"error":{"code":1,"message":"m"}}', "R11", "/error"),
        ('{"jsonrpc":"2.0","id":7}', "R12", ""),
        (error("null"), "R14", "/error"),
        (error('"locked"'), "R14", "/error"),
        (error('{"message":"m"}'), "R15", "/error"),
        (error('{"code":"-32601","message":"m"}'), "R16", "/error/code"),
        (error('{"code":1.0,"message":"m"}'), "R16", "/error/code"),
        (error('{"code":true,"message":"m"}'), "R16", "/error/code"),
        (error('{"code":1}'), "R17", "/error"),
        (error('{"code":1,"message":["a"]}'), "R17", "/error/message"),
        ('{"jsonrpc":"2.0","id":7,"method":"m","result":{}}', "R20", "/method"),
    ],
)
def test_an_unsound_response_is_no_answer_and_the_rule_is_named(text: str, code: str, at: str) -> None:
    reading = read_response(message(text), SEVEN)
    assert not reading.is_answer
    assert [(one.code, one.severity, one.at) for one in reading.violations] == [(code, Severity.ERROR, at)]


def test_both_ids_are_told() -> None:
    told = read_response(message('{"jsonrpc":"2.0","id":"7","result":{}}'), SEVEN).violations[0].message
    assert told == 'the answer has the id "7", asked was 7'


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('{"jsonrpc":"2.0","id":7.0,"result":{}}', "R09"),
        ('{"jsonrpc":"2.0","error":{"code":-32000,"message":"m"}}', "R04"),
        (error('{"code":-32000,"message":"m"}', "null"), "R06"),
        (error('{"code":1,"message":"first\\nsecond"}'), "R18"),
        (error('{"code":1,"message":"' + "x" * 301 + '"}'), "R18"),
        (error('{"code":1,"message":"m","detail":1}'), "R19"),
        ('{"jsonrpc":"2.0","id":7,"result":{},"took":3}', "R19"),
        (error('{"code":-32300,"message":"m"}'), "R21"),
    ],
)
def test_a_response_that_breaks_a_lesser_rule_is_an_answer_all_the_same(text: str, code: str) -> None:
    reading = read_response(message(text), SEVEN)
    assert reading.is_answer
    assert [violation.code for violation in reading.violations] == [code]
    assert all(violation.severity is not Severity.ERROR for violation in reading.violations)


@pytest.mark.parametrize("code", ["-32700", "-32600"])
def test_where_the_server_could_not_read_the_request_no_id_is_right(code: str) -> None:
    members = f'{{"code":{code},"message":"m"}}'
    assert codes(error(members, "null")) == []
    assert codes(f'{{"jsonrpc":"2.0","error":{members}}}') == []


def test_codes_that_2026_07_28_forbids_are_named_in_that_era_only() -> None:
    for code in ("-32002", "-32050", "-32042"):
        text = error(f'{{"code":{code},"message":"m"}}')
        assert codes(text) == []
        assert codes(text, modern=True) == ["R21"]
    for code in ("-32020", "-32022", "-32000", "-32601", "3", "-1", "-32768000"):
        assert codes(error(f'{{"code":{code},"message":"m"}}'), modern=True) == []


def test_the_error_object_is_read_with_the_text_of_its_code_and_with_its_data() -> None:
    read = read_response(message(error('{"code":-32000,"message":"m","data":null}')), SEVEN).error
    assert read is not None
    assert (read.code.text, read.message, read.data, read.has_data) == ("-32000", "m", None, True)
    read = read_response(message(error('{"code":3,"message":"m"}')), SEVEN).error
    assert read is not None
    assert not read.has_data


def test_a_message_of_the_server_is_called_what_it_is() -> None:
    told = read_response(message('{"jsonrpc":"2.0","method":"notifications/message","params":{}}'), SEVEN)
    assert [violation.code for violation in told.violations] == ["R12"]
    assert "a notification of the server" in told.violations[0].message


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["jsonrpc", "id", "result", "error", "code", "message", "data", "method"]), inner
            )
        ),
        max_leaves=15,
    ).filter(lambda value: isinstance(value, dict)),
    st.sampled_from(["1", '"1"', "null", "1.0", "broken"]),
)
def test_no_message_makes_holding_it_raise(value: dict[str, object], asked: str) -> None:
    text = json.dumps(value).replace("Infinity", "1e999")
    reading = read_response(message(text), RequestId(asked), modern=True)
    if reading.is_answer:
        assert ("result" in value) != ("error" in value)
        assert value["jsonrpc"] == "2.0"


def test_every_violation_is_of_a_rule_with_a_title_and_a_source() -> None:
    for code, rule in jsonrpc.RULES.items():
        assert rule.code == code
        assert rule.title
        assert rule.source
