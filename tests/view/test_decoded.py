from __future__ import annotations

import base64
import json

import pytest

from olv_tui.model import (
    Exchange,
    Number,
    Reply,
    RpcError,
    Severity,
    ToolError,
    TransportError,
    Verdict,
    Violation,
)
from olv_tui.view.content import dimensions
from olv_tui.view.decoded import LARGE, code_name, decoded_lines
from olv_tui.view.page import Page, pretty_member
from olv_tui.view.safe import UNSAFE
from tests.view.exchanges import FOUND, exchange, members, not_linked, pending, rpc_error, streamed

PNG = base64.b64encode(
    b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR" + (640).to_bytes(4, "big") + (480).to_bytes(4, "big")
).decode()


def decoded(one: Exchange) -> str:
    return decoded_lines(one).plain()


def result(members_text: str) -> Exchange:
    return exchange(Verdict.RESULT, '{"jsonrpc":"2.0","id":5,"result":{' + members_text + "}}")


def content(*blocks: str) -> Exchange:
    return result('"content":[' + ",".join(blocks) + "]")


def in_order(text: str, *parts: str) -> bool:
    at = -1
    for part in parts:
        at = text.find(part, at + 1)
        if at < 0:
            return False
    return True


# ------------------------------------------------------------------ tool errors


def test_a_tool_error_says_first_what_failed_then_what_to_do() -> None:
    text = decoded(not_linked())
    assert in_order(
        text,
        "The tool reports an error",
        "error         not_linked",
        "site          helpbless.com",
        "hint          link it first",
        "read from     structuredContent",
        "What to do next",
        "helpbless.com",
        "structuredContent",
        '"site": "helpbless.com"',
        "content  text",
        "Not linked.",
        "isError",
    )
    assert "JSON-RPC" not in text


def test_a_tool_error_without_a_site_has_no_site_line() -> None:
    body = '{"jsonrpc":"2.0","id":5,"result":{"isError":true,"content":[{"type":"text","text":"oops"}]}}'
    text = decoded(exchange(Verdict.TOOL_ERROR, body, tool_error=ToolError("oops", None, "text")))
    assert "error         oops" in text
    assert "site" not in text


# ------------------------------------------------------------------ results


def test_structured_content_stands_before_content_and_keeps_its_digits() -> None:
    text = decoded(result('"content":[],"structuredContent":{"big":12345678901234567890,"b":1.0,"a":[]}'))
    assert in_order(
        text, "structuredContent", '"big": 12345678901234567890', '"b": 1.0', '"a": []', "content: empty list"
    )


def test_what_the_output_schema_says_stands_beside_the_result_and_hides_nothing_of_it() -> None:
    body = (
        '{"jsonrpc":"2.0","id":5,"result":{"content":[{"type":"text","text":"as text"}],"structuredContent":{"a":1}}}'
    )
    found = tuple(Violation("T04", Severity.ERROR, f"against the outputSchema: {name}", "/result") for name in "bc")
    text = decoded(exchange(Verdict.RESULT, body, violations=found))
    head = "structuredContent  does not conform to the outputSchema (2 findings T04 below)"
    assert in_order(text, head, '"a": 1', "as text", "Findings", "against the outputSchema: b")
    unsaid = Violation("T04", Severity.INFO, "the outputSchema was not checked: it is too deep", "/result")
    assert "not checked against the outputSchema" in decoded(exchange(Verdict.RESULT, body, violations=(unsaid,)))
    assert "outputSchema" not in decoded(exchange(Verdict.RESULT, body))


def test_text_keeps_its_line_breaks() -> None:
    assert "\none\ntwo\n\nthree" in decoded(content(r'{"type":"text","text":"one\r\ntwo\n\nthree"}'))


def test_json_in_a_text_is_indented_and_said_to_be_inside() -> None:
    block = json.dumps({"type": "text", "text": '{"a":[1,2],"n":1.50}'})
    assert 'text, JSON inside:\n{\n  "a": [\n    1,\n    2\n  ],\n  "n": 1.50\n}' in decoded(content(block))


def test_text_that_only_begins_like_json_stays_text() -> None:
    assert "\n{not json}" in decoded(content('{"type":"text","text":"{not json}"}'))


def test_several_blocks_are_numbered() -> None:
    text = decoded(content('{"type":"text","text":"a"}', '{"type":"text","text":""}'))
    assert in_order(text, "content 1 of 2", "a", "content 2 of 2", "(empty text)")


def test_a_missing_content_is_said() -> None:
    assert "content\nnot in the result" in decoded(result('"structuredContent":{"a":1}'))


def test_content_that_is_no_list_is_shown_as_it_is() -> None:
    assert in_order(decoded(result('"content":{"type":"text"}')), "content  not a list", '"type": "text"')


def test_an_image_is_told_by_type_size_and_dimensions_and_not_printed() -> None:
    text = decoded(content('{"type":"image","mimeType":"image/png","data":"' + PNG + '"}'))
    assert in_order(text, "content  image", "image/png", "size          24 B", "640 x 480 pixels")
    assert PNG[:20] not in text


def test_a_data_uri_in_place_of_base64_is_named_and_still_read() -> None:
    text = decoded(content('{"type":"image","mimeType":"image/png","data":"data:image/png;base64,' + PNG + '"}'))
    assert "A data URI stands here" in text
    assert "640 x 480" in text


def test_base64_that_is_none_is_said() -> None:
    assert "cannot be decoded" in decoded(content('{"type":"audio","mimeType":"audio/wav","data":"***"}'))


def test_a_link_shows_its_fields_and_is_not_opened() -> None:
    text = decoded(
        content(
            '{"type":"resource_link","uri":"https://x.test/a","name":"a","size":123456,"annotations":{"priority":1}}'
        )
    )
    assert in_order(
        text, "resource link, not opened", "https://x.test/a", "123456 bytes (123 kB)", "annotations", '"priority": 1'
    )


def test_an_embedded_resource_shows_its_text_or_its_size() -> None:
    text = decoded(content('{"type":"resource","resource":{"uri":"x:1","mimeType":"text/plain","text":"inside"}}'))
    assert in_order(text, "embedded resource", "x:1", "text/plain", "inside")
    blob = decoded(content('{"type":"resource","resource":{"uri":"x:1","blob":"' + PNG + '"}}'))
    assert "24 B" in blob


@pytest.mark.parametrize(
    "block", ['{"type":"hologram","x":1}', '"just text"', "17", '{"type":5}', '{"type":"text","text":7}']
)
def test_blocks_of_unknown_kind_are_shown_as_json(block: str) -> None:
    text = decoded(content(block))
    assert json.loads(block) in [*map(json.loads, _json_parts(text))] or block in text


def _json_parts(text: str) -> list[str]:
    start = text.find("{")
    return [text[start : text.rfind("}") + 1]] if start >= 0 else []


def test_meta_and_other_members_of_a_result_are_shown() -> None:
    text = decoded(result('"content":[],"_meta":{"trace":"t1"},"resultType":"complete"'))
    assert in_order(text, "Other members", "_meta", '"trace": "t1"', "resultType    complete")


@pytest.mark.parametrize(("body", "shown"), [("false", "false"), ("[1,2]", "[\n  1,\n  2\n]"), ('"text"', '"text"')])
def test_results_that_are_no_objects_are_shown(body: str, shown: str) -> None:
    one = exchange(Verdict.RESULT, '{"jsonrpc":"2.0","id":5,"result":' + body + "}", method="sum")
    assert f"result\n{shown}" in decoded(one)


def test_a_result_of_another_method_is_plain_json() -> None:
    one = exchange(Verdict.RESULT, '{"jsonrpc":"2.0","id":5,"result":{"tools":[]}}', method="tools/list")
    assert decoded(one) == 'result\n{\n  "tools": []\n}'


def test_a_large_structured_content_is_cut_out_of_the_bytes() -> None:
    rows = [{"id": n, "name": "structuredContent", "x": {"structuredContent": None}} for n in range(LARGE // 40)]
    body = json.dumps({"jsonrpc": "2.0", "id": 5, "result": {"content": [], "structuredContent": {"rows": rows}}})
    lines = decoded_lines(exchange(Verdict.RESULT, body))
    text = lines.plain()
    inside = text[text.index("{") : text.index("\n\ncontent")]
    assert json.loads(inside) == {"rows": rows}


def test_an_answer_in_a_stream_is_read_from_its_frame() -> None:
    assert "done" in decoded(streamed())


# ------------------------------------------------------------------ errors


def test_a_json_rpc_error_names_its_code() -> None:
    text = decoded(rpc_error())
    assert in_order(
        text, "JSON-RPC error", "code          -32602  Invalid params", "message", "data", '"field": "name"'
    )


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("-32700", "Parse error"),
        ("-32601", "Method not found"),
        ("-32050", "server error, defined by the implementation"),
        ("-32500", "reserved by JSON-RPC 2.0, no meaning defined"),
        ("42", "an application's own code"),
        ("1.5", "an application's own code"),
        ("-" + "9" * 6000, "an application's own code"),
    ],
)
def test_codes_have_names(code: str, name: str) -> None:
    assert code_name(Number(code)) == name


def test_data_that_is_json_in_a_text_is_indented() -> None:
    failed = RpcError(Number("1"), "m", '{"a":1}', has_data=True)
    one = exchange(Verdict.RPC_ERROR, '{"jsonrpc":"2.0","id":5,"error":{"code":1,"message":"m"}}', rpc_error=failed)
    assert in_order(decoded(one), "data", "JSON inside", '"a": 1')


def test_an_http_error_shows_the_headers_that_matter_then_the_body() -> None:
    one = exchange(
        Verdict.HTTP_ERROR,
        "<h1>Slow down</h1>",
        status=429,
        reason="Too Many Requests",
        headers=(("Retry-After", "30"), ("X-Noise", "1"), ("Content-Type", "text/html")),
        has_message=False,
    )
    text = decoded(one)
    assert in_order(
        text, "HTTP error", "429 Too Many Requests", "Retry-After", "30", "Body  text/html, 18 B", "<h1>Slow down</h1>"
    )
    assert "X-Noise" not in text


def test_an_invalid_response_shows_both_ids_and_what_could_be_read() -> None:
    one = exchange(
        Verdict.INVALID_RESPONSE,
        '{"jsonrpc":"2.0","id":"5","result":{"content":[{"type":"text","text":"hello"}]}}',
        summary="The id comes back as a string",
        violations=(FOUND,),
    )
    text = decoded(one)
    assert in_order(
        text,
        "Not a valid answer",
        "The id comes back as a string",
        "id sent       5",
        'id received   "5"',
        "What could be read",
        '"hello"',
        "Findings",
        "R07 error",
        "at /id",
    )


def test_an_invalid_response_that_is_no_json_shows_its_body() -> None:
    one = exchange(Verdict.INVALID_RESPONSE, "<html>login</html>", summary="not JSON", has_message=False)
    assert "<html>login</html>" in decoded(one)


def test_a_transport_error_tells_its_kind_and_what_came() -> None:
    error = TransportError("truncated", "The body ended after 4 of 10 bytes")
    text = decoded(exchange(Verdict.TRANSPORT_ERROR, '{"js', error=error, has_message=False))
    assert in_order(text, "No complete answer", "truncated", "4 of 10 bytes", "What came until then  4 B", '{"js')


def test_a_transport_error_without_any_answer_says_so() -> None:
    error = TransportError("connect", "Connection refused")
    text = decoded(exchange(Verdict.TRANSPORT_ERROR, error=error, response=False, has_message=False))
    assert in_order(text, "connect", "Connection refused", "What came until then", "nothing")
    assert "JSON-RPC" not in text


def test_a_cancelled_call_says_that_it_may_have_been_carried_out() -> None:
    text = decoded(exchange(Verdict.CANCELLED, response=False, has_message=False))
    assert "You stopped it after 4.1 ms. The server may have carried out the call" in text


def test_a_lost_call_says_that_nothing_is_known() -> None:
    lost = exchange(Verdict.LOST, response=False, has_message=False)
    assert "not known" in decoded(lost)


def test_what_input_is_asked_for_is_shown() -> None:
    body = (
        '{"jsonrpc":"2.0","id":5,"result":{"resultType":"input_required","requestState":"K-state","inputRequests":'
        '{"who":{"method":"elicitation/create","params":{"message":"which account?",'
        '"requestedSchema":{"type":"object"}}}}}}'
    )
    text = decoded(exchange(Verdict.INPUT_REQUIRED, body))
    assert in_order(
        text,
        "input_required",
        "input request who",
        "elicitation/create",
        "which account?",
        "requestedSchema",
        "requestState  K-state",
    )


def test_an_accepted_notification_needs_no_body() -> None:
    one = exchange(Verdict.ACCEPTED, status=202, reason="Accepted", request_id=None, has_message=False)
    assert in_order(decoded(one), "Accepted", "202 Accepted")


def test_a_running_call_says_what_it_waits_for() -> None:
    assert decoded(pending()) == "Waiting for the answer to olv_list_worlds."


def test_findings_stand_last_whatever_the_verdict() -> None:
    warning = Violation("J05", Severity.WARNING, "A key stands twice", offset=17)
    text = decoded(exchange(Verdict.RESULT, '{"jsonrpc":"2.0","id":5,"result":{}}', violations=(FOUND, warning)))
    assert text.endswith(
        "Findings  2 rules broken\n✗ R07 error  The id comes back as a string  at /id\n"
        "! J05 warning  A key stands twice  at byte 17"
    )


# ------------------------------------------------------------------ hostile text

HOSTILE = "\x1b]52;c;cHduZWQ=\x07\u202e[/red][@click=app.quit]x\x9b\ud800"


@pytest.mark.parametrize(
    "one",
    [
        exchange(
            Verdict.TOOL_ERROR,
            json.dumps(
                {"result": {HOSTILE: HOSTILE, "content": [{"type": HOSTILE}, {"type": "text", "text": HOSTILE}]}}
            ),
            tool_error=ToolError(HOSTILE, HOSTILE, "text", members(json.dumps({HOSTILE: HOSTILE}))),
            violations=(Violation("R01", Severity.ERROR, HOSTILE, at=HOSTILE),),
            summary=HOSTILE,
        ),
        exchange(
            Verdict.RPC_ERROR,
            json.dumps({"error": {"message": HOSTILE}}),
            rpc_error=RpcError(Number("1"), HOSTILE, HOSTILE, has_data=True),
        ),
        exchange(
            Verdict.HTTP_ERROR,
            "\x1b[2J\x9b\u202e",
            status=500,
            reason=HOSTILE,
            headers=(("Location", HOSTILE), ("Content-Type", HOSTILE)),
            has_message=False,
        ),
        exchange(Verdict.TRANSPORT_ERROR, error=TransportError(HOSTILE, HOSTILE), response=False, has_message=False),
        exchange(Verdict.INVALID_RESPONSE, json.dumps({"id": HOSTILE}), summary=HOSTILE, violations=(FOUND,)),
        exchange(
            Verdict.INPUT_REQUIRED,
            json.dumps({"result": {"inputRequests": {HOSTILE: {"method": HOSTILE, "params": {"m": HOSTILE}}}}}),
        ),
    ],
)
def test_no_view_lets_hostile_text_through(one: Exchange) -> None:
    lines = decoded_lines(one)
    for index in range(len(lines)):
        text, spans = lines.line(index)
        assert not UNSAFE.search(text)
        assert "\n" not in text
        assert all(0 <= start < end <= len(text) for start, end, _ in spans)


@pytest.mark.parametrize("verdict", list(Verdict))
@pytest.mark.parametrize("reply", [None, Reply()])
def test_every_verdict_can_be_shown_with_nothing_read(verdict: Verdict, reply: Reply | None) -> None:
    from dataclasses import replace

    one = exchange(verdict, has_message=False)
    assert len(decoded_lines(one)) > 0
    assert len(decoded_lines(replace(one, reply=reply))) > 0


# ------------------------------------------------------------------ parts


def test_dimensions_of_pictures() -> None:
    jpeg = (
        b"\xff\xd8\xff\xe0\x00\x04ab\xff\xc0\x00\x11\x08" + (48).to_bytes(2, "big") + (64).to_bytes(2, "big") + b"\x03"
    )
    assert dimensions(jpeg) == (64, 48)
    assert dimensions(b"GIF89a" + (7).to_bytes(2, "little") + (9).to_bytes(2, "little")) == (7, 9)
    assert dimensions(b"\x89PNG\r\n\x1a\n") is None
    assert dimensions(b"\xff\xd8\xff\xe0") is None
    assert dimensions(b"RIFF") is None
    webp = b"RIFF\x1a\0\0\0WEBP"
    assert dimensions(webp + b"VP8X\x0a\0\0\0\0\0\0\0" + b"\x3f\0\0\x2f\0\0") == (64, 48)
    assert dimensions(webp + b"VP8L\x0a\0\0\0\x2f" + (63 | 47 << 14).to_bytes(4, "little") + bytes(8)) == (64, 48)
    assert dimensions(webp + b"VP8 \x0a\0\0\0\0\0\0\x9d\x01\x2a" + b"\x40\0\x30\0") == (64, 48)
    assert dimensions(webp + b"VP8 \x0a\0\0\0" + bytes(10)) is None
    assert dimensions(webp + b"VP8X") is None


def test_members_are_cut_out_of_indented_json_at_their_depth() -> None:
    pretty = b'{\n  "x": {\n    "r": 0\n  },\n  "r": {\n    "s": [\n      1\n    ],\n    "t": 2,\n    "e": {}\n  }\n}'
    assert pretty_member(pretty, ("r", "s")) == (b"[\n  1\n]", len(b'{"x":{"r":0},"r":{"s":'))
    assert pretty_member(pretty, ("r", "t")) == (b"2", len(b'{"x":{"r":0},"r":{"s":[1],"t":'))
    assert pretty_member(pretty, ("r", "e")) == (b"{}", len(b'{"x":{"r":0},"r":{"s":[1],"t":2,"e":'))
    assert pretty_member(pretty, ("r", "missing")) is None
    assert pretty_member(pretty, ("x", "r")) == (b"0", len(b'{"x":{"r":'))
    assert pretty_member(pretty, ()) == (pretty, 0)


def test_a_field_of_several_lines_is_indented_and_a_huge_one_is_cut() -> None:
    page = Page()
    page.field("message", "one\ntwo")
    page.field("long", "x" * 1_000_000)
    text = page.lines().plain()
    assert text.startswith("message       one\n              two\nlong          xxx")
    assert text.endswith("... 998,000 more characters: see the raw answer")
