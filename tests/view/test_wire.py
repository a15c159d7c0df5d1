from __future__ import annotations

from dataclasses import replace

import pytest

from olv_tui.model import Exchange, Frame, Reply, Spill, Timing, Verdict, WireRequest, WireResponse
from olv_tui.view import wire
from olv_tui.view.safe import UNSAFE
from tests.view.exchanges import FOUND, exchange, not_linked, pending, streamed


def with_body(body: bytes, media_type: str = "application/json") -> Exchange:
    return exchange(Verdict.RESULT, body, headers=(("Content-Type", media_type),), has_message=False)


def test_the_raw_view_is_the_body_as_received() -> None:
    body = '{"a":1.0,  "a":2,"big":12345678901234567890,"t":"日本\\u00e9"}'
    assert wire.raw_lines(with_body(body.encode())).plain() == body


def test_line_ends_and_controls_of_a_body_are_shown() -> None:
    assert wire.raw_lines(with_body(b'{"a":1}\r\n\x1b[2J')).plain() == '{"a":1}\\r\n\\u001b[2J'


def test_the_indented_form_keeps_digits_and_duplicates() -> None:
    lines = wire.raw_lines(with_body(b'{"a":1.0,"a":12345678901234567890}'), pretty=True)
    assert lines.plain() == '{\n  "a": 1.0,\n  "a": 12345678901234567890\n}'


def test_a_body_that_is_no_json_is_not_indented_but_shown() -> None:
    assert wire.raw_lines(with_body(b"<html>\n", "text/html"), pretty=True).plain() == "<html>"
    assert wire.raw_lines(with_body(b'{"cut": ')).plain() == '{"cut": '


def test_an_empty_body_is_said() -> None:
    assert wire.raw_lines(with_body(b"")).plain() == "(empty body)"


def test_no_answer_is_said() -> None:
    assert "No HTTP answer came" in wire.raw_lines(replace(pending(), reply=Reply())).plain()
    assert wire.raw_lines(pending()).plain() == "No event and no whole answer has come yet."


def test_bytes_that_are_not_utf_8_are_a_hex_dump() -> None:
    lines = wire.raw_lines(with_body(b'{"name":"\xff\xfe"}' + b"A" * 8))
    assert lines.plain().splitlines() == [
        '00000000  7b 22 6e 61 6d 65 22 3a  22 ff fe 22 7d 41 41 41  {"name":".."}AAA',
        "00000010  41 41 41 41 41                                    AAAAA",
    ]


def test_a_hex_dump_of_megabytes_costs_only_the_rows_looked_at() -> None:
    lines = wire.HexLines(b"\xff" * 10_000_001)
    assert len(lines) == 625_001
    assert lines.line(625_000).text.startswith("00989680  ff ")
    with pytest.raises(IndexError):
        lines.line(625_001)


def test_an_event_stream_is_shown_with_all_its_bytes() -> None:
    text = wire.raw_lines(streamed()).plain()
    assert text.count("event: message\\r") == 2
    assert text.count("data: {") == 2


def test_an_event_stream_indented_keeps_its_frames_apart() -> None:
    text = wire.raw_lines(streamed(), pretty=True).plain()
    assert text.startswith('1  message  1.0 ms\n{\n  "jsonrpc": "2.0",')
    assert "\n\n2  message  2.0 ms\n{" in text


def test_frames_tell_their_arrival_and_whether_they_are_whole() -> None:
    frames = (
        Frame(b": ping\n\n", at_ms=5),
        Frame(b"event: x\ndata: {}\n\n", "x", None, "{}", at_ms=1500),
        Frame(b"data: {", data="{", at_ms=1600, complete=False),
    )
    text = wire.frames_lines(exchange(frames=frames, has_message=False)).plain()
    assert text.split("\n\n") == [
        "1  comment  5.0 ms\n: ping",
        "2  x  1.50 s\nevent: x\ndata: {}",
        "3  message  1.60 s, unfinished: no client may use it\ndata: {",
    ]


def test_live_frames_keep_their_numbers() -> None:
    text = wire.frames_lines(pending(), (Frame(b"data: 1\n\n", data="1", at_ms=9),), first=200).plain()
    assert text.startswith("200 earlier frames, shown when the call ends\n\n201  message")


def test_an_answer_that_is_no_stream_has_no_events() -> None:
    assert "not an event stream" in wire.frames_lines(not_linked()).plain()
    assert wire.frames_lines(pending()).plain() == "No events yet."


def test_the_request_is_shown_as_sent() -> None:
    request = WireRequest("http://h/mcp", (("Accept", "application/json"), ("X-Tab", "a\tb")), b'{"id":5,"x":1.0}')
    text = wire.request_lines(replace(not_linked(), request=request)).plain()
    assert text == 'POST http://h/mcp\nAccept: application/json\nX-Tab: a→b\n\nBody  16 B\n{"id":5,"x":1.0}'
    indented = wire.request_lines(replace(not_linked(), request=request), pretty=True).plain()
    assert indented.endswith('indented here, not on the wire\n{\n  "id": 5,\n  "x": 1.0\n}')


def test_headers_and_content_coding_are_shown() -> None:
    one = not_linked()
    response = WireResponse(200, "OK", (("A", "1"), ("a", "2")), b"x" * 5000, coding="gzip", wire=b"y" * 70)
    text = wire.headers_lines(replace(one, reply=Reply(response))).plain()
    assert text == "HTTP/1.1 200 OK\nA: 1\na: 2\n\nContent coding  gzip, 70 B on the wire, 5.0 kB when undone"


def test_the_times_are_told_and_a_kept_connection_is_named() -> None:
    one = replace(not_linked(), reply=Reply(None, None, Timing(None, 3.0, 4.0)))
    text = wire.timing_lines(one).plain()
    assert "connect       kept connection used again" in text
    assert "first byte    3.0 ms" in text
    assert "total         4.0 ms, from the first byte sent" in text
    assert "serial        @12" in text
    longer = replace(one, reply=Reply(None, None, Timing(26.0, 3.0, 4.0)))
    assert "connect       26 ms, before anything was sent: not in" in wire.timing_lines(longer).plain()
    assert "Still running." in wire.timing_lines(pending()).plain()


def test_findings_are_listed_or_said_to_be_none() -> None:
    assert "R07 error" in wire.findings_lines(exchange(violations=(FOUND,), has_message=False)).plain()
    assert wire.findings_lines(not_linked()).plain() == "No rule is broken."


def test_only_what_can_be_indented_is_offered_so() -> None:
    assert wire.can_be_pretty(not_linked())
    assert wire.can_be_pretty(streamed())
    assert not wire.can_be_pretty(with_body(b"<html>"))
    assert not wire.can_be_pretty(pending())


@pytest.mark.parametrize("payload", [b"\x1b]52;c;eA==\x07", "\u202e\u2066\x9b".encode(), b"\x00\x0e"])
def test_no_raw_view_lets_hostile_bytes_through(payload: bytes) -> None:
    text = payload.decode()
    frame = Frame(b"data: " + payload + b"\n\n", text, text, text)
    headers = ((text, text),)
    one = exchange(Verdict.RESULT, payload, reason=text, headers=headers, frames=(frame,), has_message=False)
    one = replace(one, request=WireRequest(f"http://h/{text}", headers, payload))
    views = (wire.raw_lines, wire.request_lines, wire.headers_lines, wire.frames_lines, wire.timing_lines)
    for view in views:
        shown = view(one).plain()
        assert not UNSAFE.search(shown), view
        if view is not wire.timing_lines:
            assert "\\u" in shown, view


def test_the_size_of_an_answer_is_told_with_what_its_bytes_take_in_memory_and_where_the_rest_is() -> None:
    small = WireResponse(200, "OK", (), b"12345", coding="gzip", wire=b"123")
    assert wire.sizes(small) == [("received", "3 B"), ("body", "5 B, its content coding undone")]
    large = WireResponse(200, "OK", (), b"x" * 2_000_000)
    assert dict(wire.sizes(large))["in memory"] == "2.0 MB for its bytes; the values read from them come on top of that"
    beyond = replace(large, spill=Spill(9_000_000, 2_000_000, "/data/bodies/x.json"))
    assert dict(wire.sizes(beyond)) == {
        "body": "9.0 MB; its first 2.0 MB are here",
        "in a file": "/data/bodies/x.json",
        "in memory": "2.0 MB for its bytes",
    }
    stopped = replace(large, spill=Spill(2_100_000, 2_000_000, "", "the disk is full"))
    assert dict(wire.sizes(stopped))["not all of it"] == "the disk is full"
