"""The HTTP rules: each is found where it is broken, and none where all is well."""

from __future__ import annotations

import pytest

from olv_tui import jsontext
from olv_tui.jsontext import Parsed
from olv_tui.model import Era, Outgoing, Reply, RequestId, Severity, TransportError, Violation, WireResponse
from olv_tui.transport.rules import RULES, find, is_json_type
from olv_tui.transport.sse import SseDecoder

REQUEST = Outgoing("request", RequestId("1"), "tools/call", "t", (RequestId("1"),))
NOTIFICATION = Outgoing("notification", None, "notifications/initialized")
RESULT = b'{"jsonrpc":"2.0","id":1,"result":{}}'
ERROR = b'{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}'
JSON = ("Content-Type", "application/json")
SSE = ("Content-Type", "text/event-stream")


def answer(body: bytes = RESULT, *headers: tuple[str, str], status: int = 200, surplus: bytes = b"") -> WireResponse:
    decoder = SseDecoder()
    frames = tuple(decoder.feed(body, 0.0) + decoder.end(0.0)) if SSE in headers else ()
    return WireResponse(status, "", headers, body, frames=frames, surplus=surplus)


def broken(
    response: WireResponse | None,
    outgoing: Outgoing = REQUEST,
    *,
    era: Era = Era.LEGACY,
    version: str | None = "2025-11-25",
    error: TransportError | None = None,
    cancelled: bool = False,
    session_id_sent: bool = False,
    session_id: str | None = None,
) -> list[Violation]:
    reply = Reply(response, error, cancelled=cancelled)
    found = find(outgoing, reply, era=era, version=version, session_id_sent=session_id_sent, session_id=session_id)
    for violation in found:
        assert violation.severity is RULES[violation.code].severity
        assert violation.message.endswith(".")
    return list(found)


def codes(found: list[Violation]) -> list[str]:
    return [violation.code for violation in found]


# --------------------------------------------------------------------------- nothing to say


@pytest.mark.parametrize("era", [Era.MODERN, Era.LEGACY, Era.BARE])
@pytest.mark.parametrize(
    ("body", "header", "status"),
    [
        (RESULT, JSON, 200),
        (RESULT, ("CONTENT-TYPE", 'Application/JSON; Charset="UTF-8"'), 200),
        (RESULT, ("content-type", "application/json;charset=utf8"), 200),
        (ERROR, JSON, 200),
        (ERROR, JSON, 404),
        (ERROR, JSON, 400),
        (b"data: " + RESULT + b"\n\n", SSE, 200),
        (b": hi\n\nid: 1\ndata:\n\nevent: message\ndata: " + ERROR + b"\n\n", SSE, 200),
    ],
)
def test_a_sound_exchange_breaks_no_rule(body: bytes, header: tuple[str, str], status: int, era: Era) -> None:
    assert broken(answer(body, header, status=status), era=era) == []


def test_an_accepted_notification_breaks_no_rule() -> None:
    assert broken(answer(b"", status=202), NOTIFICATION) == []


def test_without_an_answer_there_is_nothing_to_judge() -> None:
    assert broken(None, error=TransportError("connect", "refused.")) == []


def test_a_page_behind_an_http_error_is_no_violation() -> None:
    assert broken(answer(b"<html>", ("Content-Type", "text/html"), status=502)) == []


def test_the_catalogue_is_complete_and_named() -> None:
    assert list(RULES) == [f"H{number:02}" for number in range(1, 17)]
    assert all(rule.code == code and rule.title and rule.source for code, rule in RULES.items())


# --------------------------------------------------------------------------- H01, H15: status


@pytest.mark.parametrize("status", [202, 204])
def test_accepted_is_no_answer_to_a_request(status: int) -> None:
    (violation,) = broken(answer(b"", status=status))
    assert (violation.code, violation.severity) == ("H01", Severity.ERROR)
    assert str(status) in violation.message


@pytest.mark.parametrize("odd", ["null", "1.5", "1e0", "true"])
def test_accepted_for_an_odd_id_says_that_it_may_be_taken_for_a_notification(odd: str) -> None:
    outgoing = Outgoing("request", RequestId(odd), "ping", ids=(RequestId(odd),))
    (violation,) = broken(answer(b"", status=202), outgoing)
    assert f"the id {odd}" in violation.message


def test_an_empty_200_is_named_as_empty() -> None:
    (violation,) = broken(answer(b"", JSON))
    assert violation.code == "H01"
    assert "empty body" in violation.message


def test_a_batch_that_holds_requests_must_be_answered_and_one_of_notifications_not() -> None:
    assert codes(broken(answer(b"", status=202), Outgoing("batch", ids=(RequestId("1"),)))) == ["H01"]
    assert broken(answer(b"", status=202), Outgoing("batch")) == []


def test_an_empty_body_of_a_broken_exchange_is_not_blamed_on_the_server() -> None:
    assert broken(answer(b"", JSON), error=TransportError("timeout", "over.")) == []
    assert broken(answer(b"", JSON), cancelled=True) == []


def test_a_redirect_names_where_to() -> None:
    (violation,) = broken(answer(b"", ("Location", "http://other/mcp"), status=307))
    assert violation.code == "H15"
    assert "307" in violation.message
    assert "http://other/mcp" in violation.message
    assert "not followed" in broken(answer(b"", status=301))[0].message


# --------------------------------------------------------------------------- H02, H03, H13: label


def test_a_page_with_200_is_named_by_its_content_type() -> None:
    (violation,) = broken(answer(b"<!DOCTYPE html>", ("Content-Type", "text/html; charset=utf-8")))
    assert violation.code == "H02"
    assert "text/html" in violation.message


@pytest.mark.parametrize(
    ("headers", "word"), [((("Content-Type", "text/plain"),), "text/plain"), ((), "without a Content-Type")]
)
def test_json_with_another_label_or_none_is_named(headers: tuple[tuple[str, str], ...], word: str) -> None:
    (violation,) = broken(answer(b" \r\n" + RESULT, *headers))
    assert violation.code == "H03"
    assert word in violation.message


def test_a_byte_order_mark_does_not_hide_json() -> None:
    assert codes(broken(answer(b"\xef\xbb\xbf" + RESULT, ("Content-Type", "text/plain")))) == ["H03"]


def test_json_labelled_an_event_stream_is_mislabelled_and_holds_no_response() -> None:
    assert codes(broken(answer(RESULT + b"\n", SSE))) == ["H03", "H04"]


def test_under_an_error_status_only_jsonrpc_needs_its_label() -> None:
    assert codes(broken(answer(ERROR, ("Content-Type", "text/plain"), status=404))) == ["H03"]
    assert broken(answer(b'{"message":"slow down"}', ("Content-Type", "text/plain"), status=429)) == []


@pytest.mark.parametrize("charset", ["iso-8859-1", '"latin1"', "utf-16"])
def test_a_charset_other_than_utf8_is_named(charset: str) -> None:
    (violation,) = broken(answer(RESULT, ("Content-Type", f"application/json; x=y; Charset = {charset}")))
    assert violation.code == "H13"
    assert charset.strip('"') in violation.message


def test_the_charset_of_a_page_is_its_own_affair() -> None:
    assert codes(broken(answer(b"<html>", ("Content-Type", "text/html; charset=iso-8859-1")))) == ["H02"]


@pytest.mark.parametrize("media", ["application/json", "application/problem+json", "application/json-rpc"])
def test_json_has_more_than_one_media_type(media: str) -> None:
    assert is_json_type(media)
    assert not is_json_type("text/plain")


# --------------------------------------------------------------------------- H04, H05, H06: stream


@pytest.mark.parametrize(
    "stream",
    [
        b"",
        b": hb\n\n",
        b'data: {"jsonrpc":"2.0","method":"notifications/progress","params":{}}\n\n',
        b'data: {"jsonrpc":"2.0","id":1,"method":"ping"}\n\n',
        b'data: {"jsonrpc":"2.0","id":2,"result":{}}\n\n',
        b"id: 1\nretry: 500\ndata:\n\n",
    ],
)
def test_a_stream_without_the_response_is_named(stream: bytes) -> None:
    assert codes(broken(answer(stream, SSE))) == ["H04"]


@pytest.mark.parametrize("came", [b"1", b'"1"', b"1.0"])
def test_the_response_with_an_oddly_spelled_id_is_there(came: bytes) -> None:
    assert broken(answer(b'data: {"jsonrpc":"2.0","id":' + came + b',"result":{}}\n\n', SSE)) == []


def test_an_error_without_an_id_counts_as_the_response() -> None:
    assert broken(answer(b'data: {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}\n\n', SSE)) == []


def test_a_response_in_a_batch_on_the_stream_is_found() -> None:
    assert broken(answer(b"data: [" + RESULT + b"]\n\n", SSE)) == []


def test_an_answer_whose_blank_line_is_missing_is_told_to_be_there_and_not_to_count() -> None:
    (violation,) = broken(answer(b"data: " + RESULT + b"\n", SSE))
    assert violation.code == "H04"
    assert "no blank line" in violation.message


def test_a_stream_that_was_broken_off_is_not_said_to_have_ended() -> None:
    assert broken(answer(b": hb\n\n", SSE), error=TransportError("timeout", "over.")) == []
    assert broken(answer(b": hb\n\n", SSE), cancelled=True) == []


def test_data_that_is_not_json_is_named_with_its_frame() -> None:
    (violation,) = broken(answer(b": hb\n\ndata: {{half\n\ndata: " + RESULT + b"\n\n", SSE))
    assert (violation.code, violation.frame, violation.place) == ("H05", 1, "frame 2")


def test_ten_thousand_bad_events_are_told_in_a_few_lines() -> None:
    found = broken(answer(b"data: x\n\n" * 10_000 + b"data: " + RESULT + b"\n\n", SSE))
    assert codes(found) == ["H05"] * 21
    assert "9980 more" in found[-1].message


def test_other_event_types_are_told_once_each_and_their_data_need_be_no_json() -> None:
    stream = b"event: ping\ndata: x\n\n" * 3 + b"event: tick\ndata: y\n\nevent:\ndata: " + RESULT + b"\n\n"
    found = broken(answer(stream, SSE))
    assert [(violation.code, violation.frame) for violation in found] == [("H06", 0), ("H06", 3)]
    assert '"ping"' in found[0].message
    assert found[0].severity is Severity.INFO


def test_an_endpoint_event_is_known_as_the_transport_of_2024() -> None:
    found = broken(answer(b"event: endpoint\ndata: /messages?id=1\n\n", SSE))
    assert codes(found) == ["H04", "H06"]
    assert "2024-11-05" in found[1].message


def test_a_caller_may_hand_in_what_it_has_parsed_already() -> None:
    asked: list[bytes] = []

    def parse(data: bytes) -> Parsed:
        asked.append(data)
        return jsontext.parse(data)

    reply = Reply(answer(b"data: " + RESULT + b"\n\n", SSE))
    assert find(REQUEST, reply, era=Era.LEGACY, version=None, parse=parse) == ()
    assert asked == [RESULT]


def test_a_json_answer_is_not_parsed_at_all() -> None:
    def parse(_: bytes) -> Parsed:
        raise AssertionError

    assert find(REQUEST, Reply(answer(RESULT, JSON)), era=Era.MODERN, version=None, parse=parse) == ()


# --------------------------------------------------------------------------- H07, H08: sessions


@pytest.mark.parametrize("issued", ["", "a b", "caf\u00e9", "a\tb", "x\x7f"])
def test_a_session_id_has_only_visible_ascii(issued: str) -> None:
    assert codes(broken(answer(RESULT, JSON, ("mcp-session-id", issued)))) == ["H07"]


def test_a_session_id_does_not_change_and_does_not_exist_in_the_modern_era() -> None:
    response = answer(RESULT, JSON, ("Mcp-Session-Id", "abc"))
    assert broken(response, session_id="abc") == []
    assert "changed" in broken(response, session_id="xyz")[0].message
    assert "no sessions" in broken(response, era=Era.MODERN)[0].message


def test_a_session_id_is_a_secret_and_not_told() -> None:
    response = answer(RESULT, JSON, ("Mcp-Session-Id", "tok-secret \x07"))
    assert not any("tok-secret" in violation.message for violation in broken(response, session_id="other"))


def test_404_with_a_session_id_is_a_lost_session() -> None:
    gone = b'{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Session not found"}}'
    for body in (b"", gone, b"not found"):
        assert codes(broken(answer(body, JSON, status=404), session_id_sent=True)) == ["H08"]
        assert broken(answer(body, JSON, status=404)) == []


def test_404_with_method_not_found_is_no_lost_session() -> None:
    assert broken(answer(ERROR, JSON, status=404), session_id_sent=True) == []


# --------------------------------------------------------------------------- H09 to H12: head against body


def test_401_must_say_how_to_get_in() -> None:
    assert codes(broken(answer(b"", status=401))) == ["H09"]
    assert broken(answer(b"", ("WWW-Authenticate", "Bearer"), status=401)) == []


def test_another_version_in_the_header_is_named() -> None:
    response = answer(RESULT, JSON, ("MCP-Protocol-Version", "2025-03-26"))
    (violation,) = broken(response)
    assert violation.code == "H10"
    assert "2025-03-26" in violation.message
    assert "2025-11-25" in violation.message
    assert broken(response, version="2025-03-26") == broken(response, version=None) == []


@pytest.mark.parametrize("body", [b"", b"Bad Request", b"{}", RESULT])
def test_400_of_a_modern_server_has_a_jsonrpc_error(body: bytes) -> None:
    assert "H11" in codes(broken(answer(body, JSON, status=400), era=Era.MODERN))
    assert "H11" not in codes(broken(answer(body, JSON, status=400)))


@pytest.mark.parametrize("status", [301, 400, 404, 500])
def test_a_result_under_an_error_status_is_a_contradiction(status: int) -> None:
    assert "H12" in codes(broken(answer(RESULT, JSON, status=status)))


def test_a_notification_is_answered_without_a_body() -> None:
    assert codes(broken(answer(b"{}", JSON), NOTIFICATION)) == ["H12"]
    assert broken(answer(b"", status=204), NOTIFICATION) == []


# --------------------------------------------------------------------------- H14, H16: framing


def test_a_body_that_was_cut_is_named_with_the_words_of_the_transport() -> None:
    error = TransportError("truncated", "h:1 closed the connection after 2 bytes.")
    (violation,) = broken(answer(b"{}", JSON), error=error)
    assert (violation.code, violation.message) == ("H14", error.message)


def test_bytes_after_the_end_are_counted() -> None:
    (violation,) = broken(answer(RESULT, JSON, surplus=b"x" * 1234))
    assert violation.code == "H16"
    assert "1,234 bytes" in violation.message
