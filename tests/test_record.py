"""The record: its members are a promise, its text is sound JSON and safe for a terminal whatever a server sent."""

from __future__ import annotations

import base64
import json
import tracemalloc
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings

from olv_tui import jsontext
from olv_tui.model import (
    Era,
    Exchange,
    Frame,
    Judgement,
    Number,
    Object,
    Outgoing,
    Reply,
    RequestId,
    RpcError,
    Severity,
    Timing,
    Tool,
    ToolError,
    TransportError,
    Value,
    Verdict,
    Violation,
    WireRequest,
    WireResponse,
)
from olv_tui.reports.record import MAX_DEPTH, MAX_DIGITS, listing_record, record, record_parts
from olv_tui.session import Listing

from .history.test_codec import exchanges

BODY = b'{"jsonrpc":"2.0","id":1,"result":{"isError":true,"structuredContent":{"error":"not_linked"}}}'
MEMBERS = [
    "id", "serial", "verdict", "summary", "violations", "request", "response", "message", "tool_error",
    "rpc_error", "transport_error", "era", "protocol_version", "timing",
]  # fmt: skip


def exchange(**more: Any) -> Exchange:
    given = Exchange(
        serial=12,
        target="http://h/mcp",
        outgoing=Outgoing("request", RequestId("1"), "tools/call", "t", (RequestId("1"),)),
        request=WireRequest("http://h/mcp", (("Content-Type", "application/json"),), b'{"id":1}'),
        started="2026-12-02T08:00:00.000Z",
        era=Era.LEGACY,
        protocol_version="2025-11-25",
        reply=Reply(WireResponse(200, "OK", (("A", "b"), ("A", "c")), BODY), timing=Timing(1.23, 8.06, 9.0)),
        judgement=Judgement(
            Verdict.TOOL_ERROR,
            "not_linked, site helpbless.com",
            message=jsontext.parse(BODY).value,
            has_message=True,
            tool_error=ToolError("not_linked", "helpbless.com", "structuredContent"),
        ),
    )
    return replace(given, **more)


def judged(**more: Any) -> Exchange:
    return exchange(judgement=replace(Judgement(Verdict.RESULT, ""), **more))


def answered(**more: Any) -> Exchange:
    return exchange(reply=Reply(replace(WireResponse(200, "OK", ()), **more)))


def read(given: Exchange) -> dict[str, Any]:
    """The record as a strict reader sees it."""
    line = record(given)
    assert "\n" not in line

    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is no JSON")

    found: dict[str, Any] = json.loads(line.encode("utf-8"), parse_constant=refuse)
    return found


# --------------------------------------------------------------------------- members


def test_the_record_has_its_members_in_order() -> None:
    assert record(exchange()) == (
        '{"id":1,"serial":12,"verdict":"tool_error","summary":"not_linked, site helpbless.com","violations":[],'
        '"request":{"method":"POST","url":"http://h/mcp","headers":[["Content-Type","application/json"]],'
        '"body":"{\\"id\\":1}"},'
        '"response":{"status":200,"reason":"OK","headers":[["A","b"],["A","c"]],"body":'
        + json.dumps(BODY.decode())
        + ","
        '"coding":null,"frames":[]},'
        '"message":' + BODY.decode() + ","
        '"tool_error":{"error":"not_linked","site":"helpbless.com","source":"structuredContent"},'
        '"rpc_error":null,"transport_error":null,"era":"legacy","protocol_version":"2025-11-25",'
        '"timing":{"connect_ms":1.2,"first_byte_ms":8.1,"total_ms":9.0}}'
    )


def test_a_pending_exchange_has_the_same_members() -> None:
    shown = read(exchange(reply=None, judgement=None, era=None, protocol_version=None))
    assert list(shown) == MEMBERS
    assert shown["verdict"] == "pending"
    assert shown["summary"] == ""
    assert shown["violations"] == []
    assert shown["timing"] == {"connect_ms": None, "first_byte_ms": None, "total_ms": None}
    for name in ("response", "message", "tool_error", "rpc_error", "transport_error", "era", "protocol_version"):
        assert shown[name] is None


def test_invented_answers_are_marked_at_the_end() -> None:
    assert list(read(exchange(demo=True)).items())[-1] == ("demo", True)
    assert "demo" not in read(exchange())


@pytest.mark.parametrize(
    ("sent", "wanted"),
    [
        ("1", "1"),
        ("1.0", "1.0"),
        ("1e0", "1e0"),
        ('"1"', '"1"'),
        ("null", "null"),
        ("12345678901234567890123", "12345678901234567890123"),
        ('{"a":1.0}', '{"a":1.0}'),
        ("NaN", '"NaN"'),
        ("[1", '"[1"'),
    ],
)
def test_the_id_is_the_one_that_was_sent(sent: str, wanted: str) -> None:
    line = record(exchange(outgoing=Outgoing("request", RequestId(sent))))
    assert line.startswith(f'{{"id":{wanted},"serial"')


def test_a_request_without_an_id_has_none() -> None:
    assert read(exchange(outgoing=Outgoing("notification")))["id"] is None


def test_a_violation_says_where_in_a_pointer_or_in_words() -> None:
    violations = (
        Violation("R07", Severity.ERROR, "the id differs", "/id", 5),
        Violation("R01", Severity.WARNING, "root", ""),
        Violation("J01", Severity.ERROR, "no JSON", None, 17, 1),
        Violation("H01", Severity.INFO, "no place"),
    )
    shown = read(judged(violations=violations))["violations"]
    assert shown[0] == {"code": "R07", "severity": "error", "message": "the id differs", "at": "/id"}
    assert [item["at"] for item in shown] == ["/id", "", "frame 2, byte 17", None]


def test_bodies_that_are_no_utf_8_come_as_base64() -> None:
    raw = b"K \xff\xfe\x80"
    given = answered(body=raw, frames=(Frame(raw),))
    given = replace(given, request=replace(given.request, body=raw))
    shown = read(given)
    coded = base64.b64encode(raw).decode()
    assert list(shown["request"]) == ["method", "url", "headers", "body", "body_base64"]
    assert list(shown["response"]) == ["status", "reason", "headers", "body", "body_base64", "coding", "frames"]
    for part in (shown["request"], shown["response"]):
        assert (part["body"], part["body_base64"]) == (None, coded)
    frame = shown["response"]["frames"][0]
    assert frame == {"event": None, "id": None, "data": None, "raw": None, "raw_base64": coded}


def test_the_body_is_exact_text() -> None:
    body = '\ufeff{"a" : "\u2028\x7f😀\\u0041"}\r\n'
    assert read(answered(body=body.encode()))["response"]["body"] == body


def test_coded_bytes_stand_only_where_a_coding_was_undone() -> None:
    shown = read(answered(body=b"plain", coding="gzip", wire=b"\x1f\x8b"))["response"]
    assert (shown["coding"], shown["wire_base64"]) == ("gzip", base64.b64encode(b"\x1f\x8b").decode())
    assert "wire_base64" not in read(answered(body=b"plain"))["response"]


def test_bytes_behind_the_end_of_the_answer_are_there() -> None:
    assert read(answered(surplus=b"more"))["response"]["surplus_base64"] == base64.b64encode(b"more").decode()
    assert "surplus_base64" not in read(answered())["response"]


def test_frames_tell_event_id_data_and_raw_text() -> None:
    frames = (Frame(b"id: 1\r\nevent: message\r\ndata: x\r\n\r\n", "message", "1", "x", 5, 2.5), Frame(b": ping\n\n"))
    assert read(answered(frames=frames))["response"]["frames"] == [
        {"event": "message", "id": "1", "data": "x", "raw": "id: 1\r\nevent: message\r\ndata: x\r\n\r\n"},
        {"event": None, "id": None, "data": None, "raw": ": ping\n\n"},
    ]


def test_what_a_tool_error_holds_besides_follows_and_hides_nothing_of_ours() -> None:
    details = Object([("source", "theirs"), ("hint", Number("1.0")), ("error", "theirs")])
    line = record(judged(tool_error=ToolError("not_linked", None, "text", details)))
    assert '"tool_error":{"error":"not_linked","site":null,"source":"text","hint":1.0}' in line


def test_an_rpc_error_keeps_its_number_and_tells_null_from_absent() -> None:
    error = RpcError(Number("-32602.0"), "no", Object([("n", Number("1e400"))]), has_data=True)
    assert '"rpc_error":{"code":-32602.0,"message":"no","data":{"n":1e400}}' in record(judged(rpc_error=error))
    error = RpcError(Number("1"), "no", None, has_data=True)
    assert '"rpc_error":{"code":1,"message":"no","data":null}' in record(judged(rpc_error=error))
    error = RpcError(Number("1"), "no")
    assert '"rpc_error":{"code":1,"message":"no"}' in record(judged(rpc_error=error))


def test_an_answer_that_broke_off_has_both_response_and_error() -> None:
    reply = Reply(WireResponse(200, "OK", (), b"half"), TransportError("truncated", "4 of 9 bytes"))
    shown = read(exchange(reply=reply))
    assert shown["response"]["body"] == "half"
    assert shown["transport_error"] == {"kind": "truncated", "message": "4 of 9 bytes"}


# --------------------------------------------------------------------------- decoded values


def test_numbers_keep_their_digits_and_objects_their_duplicates_and_order() -> None:
    text = '{"b":1.0,"a":12345678901234567890,"a":1e400,"z":-0,"n":' + "9" * MAX_DIGITS + ',"f":0.' + "1" * 5000 + "}"
    assert f'"message":{text},' in record(judged(message=jsontext.parse(text.encode()).value, has_message=True))


def test_numbers_that_are_no_json_are_written_as_texts() -> None:
    message: Value = Object([("a", Number("NaN")), ("b", [Number("-Infinity"), Number("1")])])
    assert '"message":{"a":"NaN","b":["-Infinity",1]},' in record(judged(message=message, has_message=True))


def test_integers_that_readers_refuse_are_written_as_texts_without_losing_a_digit() -> None:
    digits = "1" + "0" * MAX_DIGITS
    shown = read(judged(message=[Number(digits)], has_message=True, rpc_error=RpcError(Number(digits), "")))
    assert shown["message"] == [digits]
    assert shown["rpc_error"]["code"] == digits
    assert read(exchange(outgoing=Outgoing("request", RequestId(digits))))["id"] == digits


@pytest.mark.parametrize("depth", [MAX_DEPTH + 1, 2000, 50_000])
def test_a_message_too_deep_for_readers_is_left_to_the_body(depth: int) -> None:
    message: Value = []
    for _ in range(depth - 1):
        message = [message]
    assert read(judged(message=message, has_message=True))["message"] is None


def test_a_message_as_deep_as_readers_bear_is_there() -> None:
    message: Value = Number("NaN")
    for _ in range(MAX_DEPTH):
        message = [message]
    shown = read(judged(message=message, has_message=True))["message"]
    for _ in range(MAX_DEPTH):
        (shown,) = shown
    assert shown == "NaN"


# --------------------------------------------------------------------------- safe for a terminal

NASTY = "\x1b[31m\x07\x7f\x9b2J\u202e\u2066\u200b\ufeff\u2028\ud83d\U000e0041"


def test_nothing_that_a_terminal_obeys_or_hides_stands_in_a_record() -> None:
    nasty = NASTY.encode("utf-8", "surrogatepass")
    given = exchange(
        target=NASTY,
        request=WireRequest(NASTY, ((NASTY, NASTY),), nasty),
        reply=Reply(WireResponse(200, NASTY, ((NASTY, NASTY),), nasty), TransportError("other", NASTY)),
        judgement=Judgement(
            Verdict.RESULT,
            NASTY,
            (Violation("C01", Severity.INFO, NASTY, NASTY),),
            Object([(NASTY, NASTY)]),
            has_message=True,
            tool_error=ToolError(NASTY, NASTY, "text", Object([(NASTY, NASTY)])),
            rpc_error=RpcError(Number("1"), NASTY, NASTY, has_data=True),
        ),
    )
    line = record(given)
    assert not [char for char in NASTY if char in line and char.isascii() is False]
    assert not [char for char in line if ord(char) < 32 or 127 <= ord(char) < 160]
    shown = json.loads(line)
    assert shown["summary"] == NASTY
    assert shown["message"] == {NASTY: NASTY}


@settings(deadline=None)
@given(exchanges())
def test_any_exchange_gives_sound_json_in_sound_utf_8(given: Exchange) -> None:
    shown = read(given)
    assert list(shown)[: len(MEMBERS)] == MEMBERS
    body = shown["request"]["body"]
    raw = base64.b64decode(shown["request"]["body_base64"]) if body is None else body.encode()
    assert raw == given.request.body


# --------------------------------------------------------------------------- listings


def test_a_listing_tells_the_definitions_as_received() -> None:
    text = '{"name":"t","inputSchema":{"maximum":1.0,"maximum":2},"x":"\\u001b"}'
    definition = jsontext.parse(text.encode()).value
    assert isinstance(definition, Object)
    violations = (Violation("M09", Severity.ERROR, "again", "/result/nextCursor"),)
    line = listing_record(Listing(Verdict.RESULT, (Tool("t", "", "", definition),), violations, 3))
    assert line == (
        f'{{"verdict":"result","tools":[{text}],"violations":[{{"code":"M09","severity":"error","message":"again",'
        '"at":"/result/nextCursor"}],"pages":3}'
    )


def test_a_listing_that_failed_is_the_record_of_what_failed() -> None:
    failed = exchange()
    assert listing_record(Listing(failed.verdict, failed=failed)) == record(failed)


def test_a_large_answer_is_written_in_parts_and_never_whole() -> None:
    size = 4_000_000
    body = b'{"jsonrpc":"2.0","id":1,"result":{"text":"' + b"x" * size + b'"}}'
    read = Judgement(Verdict.RESULT, "", message=jsontext.parse(body).value, has_message=True)
    one = exchange(reply=Reply(WireResponse(200, "OK", (), body)), judgement=read)
    tracemalloc.start()
    try:
        count = sum(map(len, record_parts(one)))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert count > 2 * size
    assert peak < 3.5 * size
    assert "".join(record_parts(one)) == record(one)
