"""One verdict for each exchange: single answers to a request, at every status."""

from __future__ import annotations

import json

import pytest

from olv_tui import jsontext
from olv_tui.mcp.tools import read_tool
from olv_tui.model import Era, Object, Severity, Verdict
from tests.judging import HELLO, answer, codes, judged, refusal, request

# --------------------------------------------------------------------------- success


def test_a_sound_answer_is_a_result() -> None:
    one = judged(answer())
    assert (one.verdict, one.violations, one.frame) == (Verdict.RESULT, (), None)
    assert one.has_message
    assert jsontext.dumps(one.message) == answer()


def test_the_documented_failure_is_a_tool_error_and_no_rpc_error() -> None:
    text = '{"error":"not_linked","site":"helpbless.com"}'
    content = json.dumps([{"type": "text", "text": text}])
    one = judged(answer(f'{{"content":{content},"structuredContent":{text},"isError":true}}'))
    assert (one.verdict, one.summary, one.violations) == (Verdict.TOOL_ERROR, "not_linked, site helpbless.com", ())
    assert one.rpc_error is None
    assert one.tool_error is not None
    assert one.tool_error.source == "structuredContent"


@pytest.mark.parametrize("result", ["false", "null", "[1]", '"x"', "0"])
def test_a_result_that_is_no_object_is_a_result_and_named_only_where_mcp_is_spoken(result: str) -> None:
    plain = judged(answer(result), sent=request("eth_call"))
    assert (plain.verdict, codes(plain)) == (Verdict.RESULT, [])
    for era, severity in ((Era.LEGACY, Severity.ERROR), (Era.MODERN, Severity.ERROR), (Era.BARE, Severity.INFO)):
        one = judged(answer(result), era=era)
        assert one.verdict is Verdict.RESULT
        assert [(v.code, v.severity, v.at) for v in one.violations] == [("R13", severity, "/result")]


def test_an_id_spelled_differently_is_a_result_with_a_warning() -> None:
    one = judged(answer(identity="7.0"))
    assert (one.verdict, codes(one)) == (Verdict.RESULT, ["R09"])


def test_is_error_that_is_no_boolean_keeps_the_result() -> None:
    one = judged(answer('{"content":[],"isError":"false"}'))
    assert (one.verdict, codes(one), one.tool_error) == (Verdict.RESULT, ["T06"], None)


def test_the_tool_rules_are_for_tools_call_only() -> None:
    assert codes(judged(answer("{}"), sent=request("ping"))) == []
    assert codes(judged(answer("{}"))) == ["T01"]
    error = judged(answer('{"isError":true,"content":[]}'), sent=request("tools/list"))
    assert error.verdict is Verdict.RESULT


def test_the_output_schema_of_the_tool_is_held_against_its_result() -> None:
    definition = jsontext.loads('{"name":"probe","outputSchema":{"type":"object","required":["a"]}}')
    assert isinstance(definition, Object)
    tool = read_tool(definition, "", None)
    text = json.dumps([{"type": "text", "text": "{}"}])
    one = judged(answer(f'{{"content":{text},"structuredContent":{{}}}}'), tool=tool)
    assert (one.verdict, codes(one)) == (Verdict.RESULT, ["T04"])


def test_sound_json_of_another_label_is_a_result_with_the_label_named() -> None:
    one = judged(answer(), media="text/plain")
    assert (one.verdict, codes(one)) == (Verdict.RESULT, ["H03"])


def test_what_is_odd_in_the_json_is_named_and_the_result_stays() -> None:
    one = judged(b"\xef\xbb\xbf" + answer('{"content":[],"a":1,"a":"\\ud83d"}').encode())
    assert (one.verdict, codes(one)) == (Verdict.RESULT, ["J02", "J05", "J06"])


@pytest.mark.parametrize(
    ("method", "result", "summary"),
    [
        ("tools/call", HELLO, "text"),
        ("tools/call", '{"content":[]}', "empty content"),
        ("tools/call", '{"structuredContent":{}}', "structuredContent, no content"),
        ("tools/list", '{"tools":[{},{}]}', "2 tools"),
        ("tools/list", '{"tools":[{}]}', "1 tool"),
        ("resources/templates/list", '{"resourceTemplates":[]}', "0 resource templates"),
        ("initialize", '{"protocolVersion":"2025-11-25"}', "protocol 2025-11-25"),
        ("x", "[1,2]", "an array of 2"),
        ("x", "null", "null"),
        ("x", "{}", ""),
    ],
)
def test_the_summary_of_a_result_says_what_it_holds(method: str, result: str, summary: str) -> None:
    assert judged(answer(result), sent=request(method)).summary == summary


# --------------------------------------------------------------------------- JSON-RPC errors


@pytest.mark.parametrize("status", [200, 400, 404, 500])
@pytest.mark.parametrize("identity", ["7", "null", "7.0"])
def test_an_error_for_this_request_is_one_at_any_status(status: int, identity: str) -> None:
    one = judged(refusal(identity=identity), status=status)
    assert (one.verdict, one.summary) == (Verdict.RPC_ERROR, "-32601 Method not found")
    assert one.rpc_error is not None
    assert one.rpc_error.code.text == "-32601"


def test_an_error_without_an_id_belongs_to_this_request() -> None:
    one = judged('{"jsonrpc":"2.0","error":{"code":-32000,"message":"m"}}', status=400)
    assert (one.verdict, codes(one)) == (Verdict.RPC_ERROR, ["R04"])


def test_an_error_with_a_foreign_id_is_not_ours_and_its_words_do_not_disappear() -> None:
    body = refusal('{"code":-32600,"message":"accept both types"}', '"server-error"')
    one = judged(body, status=406)
    assert (one.verdict, one.rpc_error) == (Verdict.HTTP_ERROR, None)
    assert "-32600 accept both types" in one.summary
    assert "R08" in codes(one)
    assert one.has_message
    sound = judged(body)
    assert (sound.verdict, codes(sound)) == (Verdict.INVALID_RESPONSE, ["R08"])
    assert codes(judged(refusal(identity="8"))) == ["R07"]


def test_an_error_names_the_tool_word_and_the_site_in_its_data() -> None:
    data = '{"error":"not_linked","site":"helpbless.com"}'
    one = judged(refusal(f'{{"code":-32000,"message":"no","data":{data}}}'))
    assert (one.verdict, one.summary) == (Verdict.RPC_ERROR, "-32000 no, error not_linked, site helpbless.com")
    same = judged(refusal(f'{{"code":-32000,"message":"not_linked","data":{data}}}'))
    assert same.summary == "-32000 not_linked, site helpbless.com"


def test_an_error_that_wants_an_address_opened_names_it() -> None:
    data = '{"elicitations":[{"mode":"url","url":"https://onelifevibe.com/link","message":"m"}]}'
    one = judged(refusal(f'{{"code":-32042,"message":"first this","data":{data}}}'))
    assert one.verdict is Verdict.RPC_ERROR
    assert "an address wants to be opened: https://onelifevibe.com/link" in one.summary


def test_an_error_about_an_output_schema_hints_at_what_it_hides() -> None:
    one = judged(refusal('{"code":-32602,"message":"Tool x has an output schema but did not return"}'))
    assert "may be hidden" in one.summary


@pytest.mark.parametrize("data", ["null", "[]", '"0x08c3"', '{"error":7,"site":[]}'])
def test_data_of_any_shape_does_no_harm(data: str) -> None:
    one = judged(refusal(f'{{"code":3,"message":"reverted","data":{data}}}'))
    assert (one.verdict, one.summary) == (Verdict.RPC_ERROR, "3 reverted")


# --------------------------------------------------------------------------- no answer to this request


@pytest.mark.parametrize(
    ("body", "summary", "named"),
    [
        (answer(identity='"7"'), 'the answer has the id "7", asked was 7', ["R08"]),
        (answer(identity="null"), "the result has the id null, asked was 7", ["R05"]),
        (answer(identity="true"), "the answer has the id true, asked was 7", ["R10"]),
        ('{"jsonrpc":"2.0","id":7}', "it has neither a result nor an error", ["R12"]),
        (f"[{answer()}]", "the answer stands in an array, where an object is due", ["J07"]),
        ("[]", "the body is an array, where an object is due", ["J07"]),
        ("null", "the body is null, where an object is due", ["J08", "H01"][:1]),
        ('"text"', 'the body is "text", where an object is due', ["J08"]),
    ],
)
def test_what_is_no_valid_answer_says_why(body: str, summary: str, named: list[str]) -> None:
    one = judged(body)
    assert (one.verdict, one.summary, codes(one)) == (Verdict.INVALID_RESPONSE, summary, named)
    assert one.has_message


def test_an_answer_in_an_array_is_the_message_that_is_shown() -> None:
    assert jsontext.dumps(judged(f"[1,{answer()}]").message) == answer()
    assert jsontext.dumps(judged(f"[1,{answer()},{answer()}]").message) == f"[1,{answer()},{answer()}]"


def test_both_result_and_error_are_no_success_and_stay_readable() -> None:
    one = judged('{"jsonrpc":"2.0","id":7,"result":{"a":1},"error":{"code":1,"message":"but no"}}')
    assert (one.verdict, codes(one)) == (Verdict.INVALID_RESPONSE, ["R11"])
    assert "but no" in jsontext.dumps(one.message)


@pytest.mark.parametrize(
    ("media", "words"),
    [
        ("text/html; charset=utf-8", "the body is text/html, not JSON"),
        ("application/json", "the body is not JSON: expected a value, found < at byte 0"),
        (None, "no Content-Type"),
    ],
)
def test_a_page_instead_of_an_answer_is_named_by_its_type(media: str | None, words: str) -> None:
    one = judged("<html>are you human</html>", media=media)
    assert one.verdict is Verdict.INVALID_RESPONSE
    assert words in one.summary
    assert not one.has_message


def test_an_event_stream_that_is_labelled_json_is_recognised() -> None:
    assert "event stream" in judged(f"data: {answer()}\n\n").summary


@pytest.mark.parametrize(
    ("status", "words"),
    [(200, "HTTP 200 OK with an empty body"), (202, "202 Accepted is the answer to a notification")],
)
def test_a_request_must_have_an_answer(status: int, words: str) -> None:
    one = judged("", status=status, media=None)
    assert (one.verdict, codes(one)) == (Verdict.INVALID_RESPONSE, ["H01"])
    assert words in one.summary


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (answer() + "\nDEBUG", "J01"),
        (answer('{"content":[],"x":NaN}'), "J03"),
        (answer('{"content":[],"x":"y"}').encode().replace(b"y", b"\xff"), "J06"),
    ],
)
def test_a_value_recovered_from_what_is_no_json_is_shown_and_not_valid(body: str | bytes, code: str) -> None:
    one = judged(body)
    assert (one.verdict, codes(one)) == (Verdict.INVALID_RESPONSE, [code])
    assert one.has_message
    assert one.summary == one.violations[0].message


# --------------------------------------------------------------------------- other statuses


@pytest.mark.parametrize(
    ("status", "body", "media", "headers", "summary"),
    [
        (502, "<html>", "text/html; charset=utf-8", (), "HTTP 502 Bad Gateway, text/html"),
        (404, "", None, (), "HTTP 404 Not Found, empty body"),
        (400, "nope", None, (), "HTTP 400 Bad Request, no Content-Type"),
        (307, "", None, (("Location", "/mcp/"),), "HTTP 307 Status, to /mcp/"),
        (429, '{"message":"slow"}', "application/json", (("Retry-After", "17"),), "retry after 17 s"),
        (503, "", None, (("Retry-After", "Fri, 31 Dec 1999"),), "retry after Fri, 31 Dec 1999"),
    ],
)
def test_a_status_without_an_answer_is_an_http_error(
    status: int, body: str, media: str | None, headers: tuple[tuple[str, str], ...], summary: str
) -> None:
    one = judged(body, status=status, media=media, headers=headers)
    assert one.verdict is Verdict.HTTP_ERROR
    assert summary in one.summary


@pytest.mark.parametrize(
    "body",
    ['{"error":"invalid_token"}', answer(), refusal('"x"'), refusal("{}"), "[]", "7", "nonsense", refusal() + " tail"],
)
def test_a_body_that_is_no_error_of_ours_leaves_it_an_http_error(body: str) -> None:
    one = judged(body, status=401)
    assert (one.verdict, one.rpc_error, one.tool_error) == (Verdict.HTTP_ERROR, None, None)


def test_an_oauth_body_is_not_measured_by_json_rpc() -> None:
    one = judged('{"error":"invalid_token"}', status=401, headers=(("WWW-Authenticate", "Bearer"),))
    assert codes(one) == []
