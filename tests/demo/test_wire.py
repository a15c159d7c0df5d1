"""The demo server on the wire: HTTP, bodies that are no messages, ids to the letter, and olv_flaky breaking things."""

from __future__ import annotations

import http.client
import json
import socket
from contextlib import closing

import pytest

from olv_tui.demo.server import DemoServer
from tests.demo.client import Client, call_message, wait_until_busy

PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
FINE = "Fine."
SLOW = call_message("olv_flaky", {"mode": "slow"})
BAD_GATEWAY = (
    b"<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n"
    b"<center><h1>502 Bad Gateway</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n"
)


# --------------------------------------------------------------------------- ids


@pytest.mark.parametrize(
    "text",
    ["1", "1.0", "1e0", "-0", "1234567890123456789", "1" * 5000, '"1"', '"\\u0041"', '"\\ud800"', '"  é "', "1e400"],
)
def test_an_id_comes_back_to_the_letter(demo: Client, text: str) -> None:
    answer = demo.post(f'{{ "id" :{text} ,"jsonrpc":"2.0","method":"ping"}}')
    assert answer.body == f'{{"jsonrpc":"2.0","id":{text},"result":{{}}}}'.encode()


@pytest.mark.parametrize("text", ["null", "true", "[1]", '{"a":1}'])
def test_an_id_that_mcp_does_not_know_is_an_invalid_request(demo: Client, text: str) -> None:
    answer = demo.post(f'{{"jsonrpc":"2.0","id":{text},"method":"ping"}}')
    assert (answer.status, answer.json["error"]["code"], answer.json["id"]) == (400, -32600, None)


def test_the_last_of_two_ids_counts(demo: Client) -> None:
    assert demo.post('{"jsonrpc":"2.0","id":1,"id":2.0,"method":"ping"}').body.startswith(b'{"jsonrpc":"2.0","id":2.0,')


# --------------------------------------------------------------------------- bodies


@pytest.mark.parametrize(
    "body",
    [b"", b"hello", b'{"jsonrpc":"2.0","id":1', b'{"a":NaN}', b'{"a":"\xff"}', b"\xef\xbb\xbf{}", PING + b"x"],
)
def test_what_is_not_json_is_a_parse_error(demo: Client, body: bytes) -> None:
    answer = demo.post(body)
    assert (answer.status, answer.json["error"]["code"], answer.json["id"]) == (400, -32700, None)


@pytest.mark.parametrize("body", [b"[]", b"[" + PING + b"]", b"1", b"null", b"{}"])
def test_a_batch_or_no_object_is_an_invalid_request(demo: Client, body: bytes) -> None:
    answer = demo.post(body)
    assert (answer.status, answer.json["error"]["code"], answer.json["id"]) == (400, -32600, None)


@pytest.mark.parametrize(
    ("members", "code"),
    [
        ({"jsonrpc": "1.0", "method": "ping"}, -32600),
        ({"method": "ping"}, -32600),
        ({"jsonrpc": "2.0", "method": 1}, -32600),
        ({"jsonrpc": "2.0"}, -32600),
        ({"jsonrpc": "2.0", "method": "ping", "params": [1]}, -32602),
    ],
)
def test_a_refused_message_keeps_its_id(demo: Client, members: dict[str, object], code: int) -> None:
    answer = demo.post({"id": "mine", **members})
    assert (answer.status, answer.json["error"]["code"], answer.json["id"]) == (400, code, "mine")


@pytest.mark.parametrize(
    "message",
    [
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}},
        {"jsonrpc": "2.0", "method": "notifications/nobody-knows", "params": [1]},
        {"jsonrpc": "2.0", "id": 5, "result": {}},
    ],
)
def test_notifications_and_responses_are_taken_with_202_and_no_body(demo: Client, message: object) -> None:
    answer = demo.post(message)
    assert (answer.status, answer.body) == (202, b"")


# --------------------------------------------------------------------------- HTTP


def test_get_is_not_allowed(demo: Client) -> None:
    for method in ("GET", "PUT", "HEAD"):
        answer = demo.http(method)
        assert answer.status == 405
        assert answer.headers["allow"] == "POST, DELETE"


def test_another_path_is_not_found(demo: Client) -> None:
    assert demo.http("POST", PING, path="/").status == 404
    assert demo.http("POST", PING, path="/mcp?x=1").status == 200


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost:1", "LOCALHOST", "[::1]:9"])
def test_loopback_host_names_are_served(demo: Client, host: str) -> None:
    assert demo.post(PING, {"Host": host}).status == 200


@pytest.mark.parametrize("host", ["onelifevibe.com", "127.0.0.1.evil.example", "192.168.0.1", "[::1", ""])
def test_other_host_names_are_forbidden(demo: Client, host: str) -> None:
    assert demo.post(PING, {"Host": host}).status == 403


def test_web_pages_of_other_sites_are_forbidden(demo: Client) -> None:
    assert demo.post(PING, {"Origin": "https://evil.example"}).status == 403
    assert demo.post(PING, {"Origin": "null"}).status == 403
    assert demo.post(PING, {"Origin": "http://localhost:8000"}).status == 200


def test_a_connection_is_used_again(demo: Client) -> None:
    with closing(http.client.HTTPConnection(*demo.address, timeout=10)) as connection:
        sockets = set()
        for body in (
            PING,
            b"rubbish",
            json.dumps(call_message("olv_export_world", {"world_id": "w_x"})).encode(),
            PING,
        ):
            connection.request("POST", "/mcp", body)
            connection.getresponse().read()
            sockets.add(connection.sock)
        assert len(sockets) == 1


def test_two_requests_in_one_packet_are_answered_in_order(demo: Client) -> None:
    one = b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n%s\r\n%s"
    first = one % (len(PING), b"", PING)
    second = PING.replace(b":1", b":2")
    answers = demo.raw(first + one % (len(second), b"Connection: close\r\n", second))
    assert answers.index(b'"id":1') < answers.index(b'"id":2')


def test_a_body_in_chunks_is_read(demo: Client) -> None:
    head = b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    chunks = b"5\r\n%b\r\n%x;note=1\r\n%b\r\n0\r\nTrailer: x\r\n\r\n" % (PING[:5], len(PING) - 5, PING[5:])
    assert b'"id":1,"result"' in demo.raw(head + chunks)


def test_a_client_that_waits_for_100_continue_gets_it(demo: Client) -> None:
    with socket.create_connection(demo.address, timeout=10) as connection:
        head = b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\nExpect: 100-continue\r\n\r\n"
        connection.sendall(head % len(PING))
        assert connection.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(PING)
        assert connection.recv(1000).startswith(b"HTTP/1.1 200 OK\r\n")


def test_a_client_that_closed_its_sending_side_is_still_answered(demo: Client) -> None:
    with socket.create_connection(demo.address, timeout=10) as connection:
        connection.sendall(b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%b" % (len(PING), PING))
        connection.shutdown(socket.SHUT_WR)
        assert b'"id":1,"result"' in connection.recv(1000)
        assert connection.recv(1000) == b""


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"hello\r\n\r\n", 400),
        (b"GET /mcp HTTP/2.0\r\n\r\n", 505),
        (b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n", 400),
        (b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n", 413),
        (b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400),
        (b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip\r\n\r\n", 400),
        (b"POST /mcp HTTP/1.1\r\nHost : localhost\r\n\r\n", 400),
        (b"POST /mcp HTTP/1.1\r\nX: " + b"x" * 70_000, 431),
    ],
)
def test_what_is_no_http_request_is_refused_and_the_connection_closed(demo: Client, data: bytes, status: int) -> None:
    answer = demo.raw(data)
    assert answer.startswith(b"HTTP/1.1 %d " % status)
    assert b"Connection: close\r\n" in answer
    assert demo.post(PING).status == 200


def test_the_same_call_gives_the_same_bytes(demo: Client) -> None:
    request = b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%b"
    assert len({demo.raw(request % (len(PING), PING)) for _ in range(3)}) == 1


# --------------------------------------------------------------------------- olv_flaky


@pytest.mark.parametrize(
    ("mode", "status", "headers", "body"),
    [
        (
            "503",
            503,
            {"content-type": "application/json", "retry-after": "2"},
            b'{"error":"maintenance","until":"2026-12-02T06:00:00Z"}',
        ),
        (
            "429",
            429,
            {"content-type": "application/json", "retry-after": "2"},
            b'{"jsonrpc":"2.0","error":{"code":-32000,"message":"Too many requests"},"id":null}',
        ),
        (
            "html",
            502,
            {"content-type": "text/html"},
            BAD_GATEWAY,
        ),
        (
            "401",
            401,
            {"content-type": "application/json", "www-authenticate": 'Bearer realm="olv-demo"'},
            b'{"jsonrpc":"2.0","error":{"code":-32001,"message":"Unauthorized"},"id":null}',
        ),
        ("redirect", 308, {"location": "/mcp"}, b""),
        ("garbage", 200, {"content-type": "application/json"}, b'{"jsonrpc":"2.0","id":'),
    ],
)
def test_a_call_goes_wrong_once_and_then_well(
    demo: Client, mode: str, status: int, headers: dict[str, str], body: bytes
) -> None:
    wrong = demo.call("olv_flaky", {"mode": mode})
    assert (wrong.status, wrong.body) == (status, body)
    assert wrong.headers == {**headers, "content-length": str(len(body))}
    assert demo.result("olv_flaky", {"mode": mode}) == {"content": [{"type": "text", "text": FINE}]}


def test_times_counts_the_failures_before_a_success_of_each_mode(demo: Client) -> None:
    statuses = [demo.call("olv_flaky", {"mode": "503", "times": 2}).status for _ in range(6)]
    assert statuses == [503, 503, 200, 503, 503, 200]
    assert demo.call("olv_flaky", {"mode": "429", "times": 0}).status == 200
    assert demo.call("olv_flaky", {"mode": "none"}).status == 200


def test_retry_after_is_the_one_asked_for(demo: Client) -> None:
    assert demo.call("olv_flaky", {"mode": "429", "retry_after": 30}).headers["retry-after"] == "30"


def test_drop_closes_without_a_byte(demo: Client) -> None:
    with demo.open_call(call_message("olv_flaky", {"mode": "drop"})) as answer:
        assert answer.rest() == b""


def test_cut_ends_a_stream_without_its_last_chunk(demo: Client) -> None:
    with demo.open_call(call_message("olv_flaky", {"mode": "cut"})) as answer:
        head, body = answer.rest().split(b"\r\n\r\n", 1)
    assert head == b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked"
    event = (
        b'event: message\ndata: {"jsonrpc":"2.0","method":"notifications/message",'
        b'"params":{"level":"info","data":"half-way"}}\n\n'
    )
    assert body == b"%x\r\n%b\r\n" % (len(event), event)


def test_slow_answers_when_its_time_has_come(demo: Client) -> None:
    assert demo.result("olv_flaky", {"mode": "slow"}) == {"content": [{"type": "text", "text": "Here at last."}]}


def test_slow_sends_no_byte_before() -> None:
    with DemoServer(slow_seconds=60) as server, Client(server).open_call(SLOW) as answer:
        wait_until_busy(server)
        server.stop()
        assert answer.rest() == b""


@pytest.mark.parametrize("mode", ["503", "drop", "cut"])
def test_trouble_comes_on_a_streaming_call_too(demo: Client, mode: str) -> None:
    with demo.open_call(call_message("olv_flaky", {"mode": mode}, progressToken="p")) as answer:
        answer.connection.shutdown(socket.SHUT_WR)
        start = answer.rest()[:12]
    assert start == {"503": b"HTTP/1.1 503", "drop": b"", "cut": b"HTTP/1.1 200"}[mode]


def test_without_a_session_there_is_none_to_expire(demo: Client) -> None:
    for answer in (
        demo.call("olv_flaky", {"mode": "session"}),
        demo.modern("tools/call", {"name": "olv_flaky", "arguments": {"mode": "session"}}),
    ):
        assert answer.status == 200
        assert answer.json["result"]["content"] == [{"type": "text", "text": "no session to expire"}]
