"""Calls that take their time: event streams, progress, cancelling, questions to the user, and the end of the server."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlsplit

import pytest

from olv_tui.demo.server import DemoServer
from tests.demo.client import META, Client, RawStream, call_message, unmarked, wait_until_busy

QUICK = {"world_id": "w_lantern", "steps": 2, "seconds": 0.02}
LONG = {"world_id": "w_lantern", "steps": 1, "seconds": 120}
STARTED = b"export of w_lantern started"
EXPORTED = {
    "content": [
        {"type": "text", "text": "Exported 12 pages in 2 steps."},
        {
            "type": "resource_link",
            "uri": "olv://exports/w_lantern-2026-12-01.zip",
            "name": "w_lantern-2026-12-01.zip",
            "mimeType": "application/zip",
            "size": 48213,
        },
    ]
}
FORMS: dict[str, Any] = {"elicitation": {}}
LINK = {"site": "helpbless.com"}
QUESTION = {
    "message": "Enter the six digits shown on helpbless.com",
    "requestedSchema": {
        "type": "object",
        "properties": {"code": {"type": "string", "title": "Code", "pattern": "^[0-9]{6}$"}},
        "required": ["code"],
    },
}
LINKED = {
    "content": [{"type": "text", "text": "helpbless.com is linked with read."}],
    "structuredContent": {"site": "helpbless.com", "linked": True, "scopes": ["read"]},
}


def accept(code: str) -> dict[str, Any]:
    return {"action": "accept", "content": {"code": code}}


# --------------------------------------------------------------------------- streams and progress


def test_a_progress_token_makes_any_answer_a_stream(demo: Client) -> None:
    assert not demo.call("olv_today").is_stream
    answer = demo.call("olv_today", progressToken="p")
    assert answer.is_stream
    assert answer.headers["cache-control"] == "no-cache"
    assert [event["id"] for event in answer.events] == [1]
    listing = demo.post({"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {"_meta": {"progressToken": 1}}})
    assert [event["id"] for event in listing.events] == [2]


def test_an_error_comes_on_the_stream_of_a_legacy_call(demo: Client) -> None:
    answer = demo.call("olv_get_world", {"world_id": "Lantern Bay"}, progressToken="p")
    assert answer.is_stream
    assert answer.message["error"]["code"] == -32602
    method = {"jsonrpc": "2.0", "id": 2, "method": "olv/nothing", "params": {"_meta": {"progressToken": "p"}}}
    assert demo.post(method).message["error"]["code"] == -32601


def test_a_modern_error_keeps_its_status_though_a_token_was_sent(demo: Client) -> None:
    answer = demo.modern("tools/call", {"name": "olv_nothing", "arguments": {}}, meta={"progressToken": "p"})
    assert (answer.status, answer.headers["content-type"]) == (400, "application/json")


@pytest.mark.parametrize("token", ['"p"', "7", "7.0", "12345678901234567890", '"\\u0070"'])
def test_progress_counts_up_under_the_token_of_the_request(demo: Client, token: str) -> None:
    body = (
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"olv_export_world",'
        '"arguments":{"world_id":"w_lantern","steps":2,"seconds":0.02},"_meta":{"progressToken":%s}}}'
    )
    answer = demo.post(body % token)
    log, one, two, response = answer.events
    assert (log["method"], log["params"]["level"]) == ("notifications/message", "info")
    assert [one["params"][key] for key in ("progress", "total", "message")] == [1, 2, "pages 1 to 6"]
    assert [two["params"][key] for key in ("progress", "total", "message")] == [2, 2, "pages 7 to 12"]
    assert answer.body.count(f'"progressToken":{token},'.encode()) == 2
    assert unmarked(response["result"]) == EXPORTED


def test_progress_can_come_without_a_total(demo: Client) -> None:
    answer = demo.call("olv_export_world", {**QUICK, "total_known": False}, progressToken="p")
    assert [set(event["params"]) for event in answer.events[1:3]] == [{"progressToken", "progress", "message"}] * 2


def test_an_export_is_a_stream_without_a_token_and_tells_no_progress(demo: Client) -> None:
    answer = demo.call("olv_export_world", QUICK)
    assert [event.get("method") for event in answer.events] == ["notifications/message", None]


def test_a_modern_export_logs_only_for_those_who_ask(demo: Client) -> None:
    params = {"name": "olv_export_world", "arguments": QUICK}
    assert len(demo.modern("tools/call", params).events) == 1
    asked = demo.modern("tools/call", params, meta={f"{META}logLevel": "debug"}).events
    assert [event.get("method") for event in asked] == ["notifications/message", None]
    assert len(demo.modern("tools/call", params, meta={f"{META}logLevel": "error"}).events) == 1


def test_an_export_can_fail_half_way(demo: Client) -> None:
    answer = demo.call("olv_export_world", {**QUICK, "steps": 5, "fail_at": 3}, progressToken="p")
    assert [event["params"]["progress"] for event in answer.events[1:-1]] == [1, 2]
    text = "Export stopped at step 3 of 5: page /tide could not be read."
    assert unmarked(answer.message["result"]) == {"content": [{"type": "text", "text": text}], "isError": True}


def test_every_page_is_exported_once_however_many_steps(demo: Client) -> None:
    for steps in (1, 5, 12, 50):
        arguments = {"world_id": "w_lantern", "steps": steps, "seconds": 0.01}
        events = demo.call("olv_export_world", arguments, progressToken="p").events[1:-1]
        told = [event["params"]["message"].split() for event in events]
        pages = [range(int(words[1]), int(words[-1]) + 1) for words in told if words != ["checking"]]
        assert [page for some in pages for page in some] == list(range(1, 13))


# --------------------------------------------------------------------------- two at once, and the end


@pytest.fixture
def exporting(server: DemoServer, demo: Client) -> Iterator[RawStream]:
    """A bare export under way, with the id 1."""
    with demo.open_call(call_message("olv_export_world", LONG)) as stream:
        stream.until(STARTED)
        yield stream


def still_runs(server: DemoServer, demo: Client) -> bool:
    """Whether a call is under way after the loop has gone round a few times for other requests."""
    for _ in range(3):
        demo.post({"jsonrpc": "2.0", "method": "notifications/initialized"})
    return not server.idle.is_set()


def test_calls_do_not_wait_for_each_other(demo: Client, exporting: RawStream) -> None:
    assert demo.result("olv_today")
    with ThreadPoolExecutor(4) as pool:
        sites = [f"s{number}.example" for number in range(16)]
        found = list(pool.map(lambda site: demo.result("olv_site_status", {"site": site}), sites))
    assert [one["structuredContent"]["site"] for one in found] == sites


def test_a_cancelled_call_ends_its_stream_without_a_response(
    server: DemoServer, demo: Client, exporting: RawStream
) -> None:
    told = demo.post({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})
    assert (told.status, told.body) == (202, b"")
    assert b'"result"' not in exporting.until(b"0\r\n\r\n")
    assert server.idle.wait(10)


@pytest.mark.parametrize("wanted", ['"1"', "2", "true", "null", "[1]"])
def test_cancelling_another_id_changes_nothing(
    server: DemoServer, demo: Client, exporting: RawStream, wanted: str
) -> None:
    body = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s}}'
    assert demo.post(body % wanted).status == 202
    assert still_runs(server, demo)


def test_a_call_of_a_session_is_not_cancelled_from_outside_it(server: DemoServer, demo: Client) -> None:
    session = demo.initialize()
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    with demo.open_call(call_message("olv_export_world", LONG), session) as stream:
        stream.until(STARTED)
        demo.post(cancel)
        demo.post(cancel, demo.initialize())
        assert still_runs(server, demo)
        demo.post(cancel, session)
        stream.until(b"0\r\n\r\n")


def test_hanging_up_ends_the_call(server: DemoServer, exporting: RawStream) -> None:
    exporting.connection.close()
    assert server.idle.wait(10)


def test_hanging_up_on_a_silent_call_ends_it_too() -> None:
    message = call_message("olv_flaky", {"mode": "slow"})
    with DemoServer(slow_seconds=120) as slow:
        with Client(slow).open_call(message) as stream:
            wait_until_busy(slow)
            stream.connection.close()
        assert slow.idle.wait(10)


def test_stopping_the_server_ends_waiting_calls_and_gives_the_port_back() -> None:
    server = DemoServer()
    server.start()
    demo = Client(server)
    with demo.open_call(call_message("olv_export_world", LONG)) as stream:
        stream.until(STARTED)
        server.stop()
        assert not stream.rest().endswith(b"0\r\n\r\n"), "the stream is broken off, not ended"
    server.stop()
    with socket.socket() as again:
        again.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        again.bind(demo.address)


def test_a_server_that_was_never_started_can_be_stopped() -> None:
    server = DemoServer()
    server.stop()
    with pytest.raises(RuntimeError, match="has not been started"):
        _ = server.url


def test_a_taken_port_is_told_at_the_start(server: DemoServer) -> None:
    port = int(urlsplit(server.url).port or 0)
    with pytest.raises(OSError, match=f"port {port} of 127.0.0.1 cannot be used"):
        DemoServer(port=port).start()


def test_run_forever_serves_until_it_is_stopped() -> None:
    server = DemoServer()
    server.start()
    running = threading.Thread(target=server.run_forever)
    running.start()
    assert Client(server).result("olv_today")
    server.stop()
    running.join(10)
    assert not running.is_alive()


# --------------------------------------------------------------------------- questions, 2025 versions


def answered(demo: Client, session: dict[str, str], answer: dict[str, Any]) -> tuple[Any, Any]:
    """Call olv_link_site, post `answer` to its question from outside; the question and the result."""
    with demo.open_call(call_message("olv_link_site", LINK), session) as stream:
        raw = stream.until(b"elicitation/create")
        stream.until(b"\n\n\r\n")
        question = demo_events(stream.seen)[-1]
        posted = demo.post({"jsonrpc": "2.0", "id": question["id"], **answer}, session)
        assert (posted.status, posted.body) == (202, b"")
        stream.until(b"0\r\n\r\n")
        assert b"text/event-stream" in raw
        return question, unmarked(demo_events(stream.seen)[-1]["result"])


def demo_events(data: bytes) -> list[Any]:
    """The messages in raw bytes of a chunked stream."""
    return [json.loads(line[6:]) for line in data.split(b"\n") if line.startswith(b"data: ")]


def test_a_site_is_linked_after_the_answer_to_a_question_on_the_stream(demo: Client) -> None:
    session = demo.initialize(capabilities=FORMS)
    question, result = answered(demo, session, {"result": accept("123456")})
    assert (question["method"], question["params"]) == ("elicitation/create", QUESTION)
    assert result == LINKED
    assert demo.result("olv_site_status", LINK)["structuredContent"]["linked"] is True


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ({"result": accept("000000")}, "That is not the code shown on helpbless.com (in this demo it is 123456)."),
        ({"result": {"action": "decline"}}, "helpbless.com was not linked: you declined."),
        ({"result": {"action": "cancel"}}, "helpbless.com was not linked: you closed the question."),
        ({"result": "rubbish"}, "helpbless.com was not linked: the client gave no answer."),
        ({"result": {"action": ["accept"]}}, "helpbless.com was not linked: the client gave no answer."),
        (
            {"error": {"code": -32601, "message": "no"}},
            "helpbless.com was not linked: the client gave no answer.",
        ),
    ],
)
def test_any_other_answer_leaves_the_site_unlinked(demo: Client, answer: dict[str, Any], text: str) -> None:
    _, result = answered(demo, demo.initialize(capabilities=FORMS), answer)
    assert result["isError"] is True
    assert result["content"][0]["text"] == text
    assert demo.result("olv_site_status", LINK)["structuredContent"]["error"] == "not_linked"


def test_an_answer_from_another_session_is_not_taken(server: DemoServer, demo: Client) -> None:
    session = demo.initialize(capabilities=FORMS)
    with demo.open_call(call_message("olv_link_site", LINK), session) as stream:
        stream.until(b"elicitation/create")
        question = demo_events(stream.until(b"\n\n\r\n"))[-1]
        answer = {"jsonrpc": "2.0", "id": question["id"], "result": accept("123456")}
        demo.post(answer)
        demo.post(answer, demo.initialize(capabilities=FORMS))
        assert still_runs(server, demo)
        cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
        demo.post(cancel, session)
        assert b'"result"' not in stream.until(b"0\r\n\r\n")


@pytest.mark.parametrize("capabilities", [None, {}, {"elicitation": {"url": {}}}])
def test_a_legacy_client_that_cannot_answer_gets_a_failure(demo: Client, capabilities: dict[str, Any] | None) -> None:
    headers = {} if capabilities is None else demo.initialize(capabilities=capabilities)
    answer = demo.call("olv_link_site", LINK, headers=headers)
    assert answer.is_stream
    text = "Linking helpbless.com needs an answer from you, which this client cannot give."
    assert unmarked(answer.message["result"]) == {
        "content": [{"type": "text", "text": text}],
        "structuredContent": {"error": "not_linked", "site": "helpbless.com"},
        "isError": True,
    }


# --------------------------------------------------------------------------- questions, 2026-07-28


def link(demo: Client, capabilities: object = FORMS, **params: Any) -> Any:
    meta = {f"{META}clientCapabilities": capabilities}
    return demo.modern("tools/call", {"name": "olv_link_site", "arguments": LINK, **params}, meta=meta)


def test_a_modern_call_asks_in_its_result_and_is_answered_by_a_second_one(demo: Client) -> None:
    first = link(demo)
    assert first.status == 200
    assert not first.is_stream
    asked = unmarked(first.json["result"])
    assert asked == {
        "resultType": "input_required",
        "inputRequests": {"code": {"method": "elicitation/create", "params": {"mode": "form", **QUESTION}}},
        "requestState": "demo-state-1",
    }
    second = link(demo, requestState=asked["requestState"], inputResponses={"code": accept("123456")})
    assert unmarked(second.json["result"]) == {"resultType": "complete", **LINKED}
    assert demo.result("olv_site_status", LINK)["structuredContent"]["linked"] is True


@pytest.mark.parametrize("action", ["decline", "cancel"])
def test_a_modern_client_can_decline_or_cancel(demo: Client, action: str) -> None:
    answer = link(demo, requestState="demo-state-1", inputResponses={"code": {"action": action}})
    assert answer.json["result"]["structuredContent"] == {"error": "not_linked", "site": "helpbless.com"}


def test_an_answer_to_nothing_is_asked_for_again(demo: Client) -> None:
    again = link(demo, requestState="demo-state-1", inputResponses={"other": accept("123456")})
    assert again.json["result"]["resultType"] == "input_required"


def test_a_foreign_request_state_is_refused(demo: Client) -> None:
    for params in ({"requestState": "mine"}, {"inputResponses": {"code": accept("123456")}}):
        answer = link(demo, **params)
        assert (answer.status, answer.json["error"]["code"]) == (400, -32602)


def test_a_modern_client_that_cannot_answer_gets_32021(demo: Client) -> None:
    answer = link(demo, capabilities={})
    assert (answer.status, answer.json["error"]["code"]) == (400, -32021)
    assert answer.json["error"]["data"] == {"requiredCapabilities": {"elicitation": {}}}
