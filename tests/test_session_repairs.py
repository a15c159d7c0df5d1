"""What a session mends by itself and answers on its own: only what a server refused unread, and never in silence."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from olv_tui.demo.server import DemoServer
from olv_tui.history import History
from olv_tui.model import Era, Exchange, Object, Target, Verdict
from olv_tui.redact import Redactor
from olv_tui.session import Session
from olv_tui.session.asked import MOST
from olv_tui.transport.http import HttpTransport
from tests.caselib import CaseServer, case_server
from tests.transport.wire import Peer, Wire

LEGACY_HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "wire", "version": "1"}}


@pytest.fixture(scope="module")
def served_cases() -> Iterator[CaseServer]:
    with case_server() as running:
        yield running


@pytest.fixture
def history() -> Iterator[History]:
    kept = History(None, Redactor(b"k" * 32))
    yield kept
    kept.close()


@asynccontextmanager
async def session(url: str, history: History, era: Era = Era.AUTO) -> AsyncIterator[tuple[Session, list[str]]]:
    said: list[str] = []
    opened = Session(Target("", url, era=era, timeout=10), HttpTransport(), history)
    opened.tell(said.append)
    try:
        yield opened, said
    finally:
        await opened.close()


def text_of(exchange: Exchange) -> str:
    assert exchange.judgement is not None
    assert isinstance(exchange.judgement.message, Object), exchange.judgement.summary
    return json.dumps(exchange.judgement.message, default=str)


def methods(history: History) -> list[str | None]:
    """Oldest first."""
    return [row.method for row in history.recent(0, automatic=True)][::-1]


async def test_a_session_that_is_gone_is_begun_anew_once_and_said_aloud(history: History) -> None:
    with DemoServer("sessions") as demo:
        async with session(demo.url, history, Era.LEGACY) as (one, said):
            await one.call("olv_today", "{}")
            await one.call("olv_flaky", '{"mode":"session"}')
            again = await one.call("olv_today", "{}")
    assert again.verdict is Verdict.RESULT
    assert len(said) == 1
    assert "404" in said[0]
    assert methods(history).count("initialize") == 2


async def test_a_server_that_forgets_every_session_is_not_asked_for_ever(
    served_cases: CaseServer, history: History
) -> None:
    async def script(peer: Peer) -> None:
        while True:
            head, _, body = (await peer.request()).partition(b"\r\n\r\n")
            asked = json.loads(body) if body else {"method": head.split()[0].decode()}
            if asked["method"] == "initialize":
                hello = {"jsonrpc": "2.0", "id": asked["id"], "result": LEGACY_HELLO}
                await peer.answer(json.dumps(hello).encode(), b"Content-Type: application/json", b"Mcp-Session-Id: s1")
            elif "id" in asked:
                await peer.answer(b"gone", b"Content-Type: text/plain", status=b"404 Not Found")
            else:
                await peer.answer(b"", status=b"202 Accepted")

    async with Wire(script) as wire, session(wire.url, history, Era.LEGACY) as (one, _):
        exchange = await one.call("probe", "{}")
    assert exchange.verdict is Verdict.HTTP_ERROR
    assert methods(history).count("initialize") == 2
    assert methods(history).count("tools/call") == 2


async def test_a_server_that_only_claims_to_be_modern_gets_the_older_handshake(
    served_cases: CaseServer, history: History
) -> None:
    async with session(f"{served_cases.base}/case/155", history) as (one, said):
        exchange = await one.call("probe", "{}")
    assert exchange.verdict is Verdict.RESULT
    assert exchange.era is Era.LEGACY
    assert "2025-11-25" in said[0]


async def test_headers_that_a_definition_names_are_sent_after_listing(
    served_cases: CaseServer, history: History
) -> None:
    async with session(f"{served_cases.base}/case/181", history) as (one, said):
        exchange = await one.call("probe", '{"region":" padded ","dry":false}')
    assert exchange.verdict is Verdict.RESULT
    assert ("Mcp-Param-Region", "=?base64?IHBhZGRlZCA=?=") in exchange.request.headers
    assert ("Mcp-Param-Dry-Run", "false") in exchange.request.headers
    assert len(said) == 1


async def test_a_call_that_may_have_run_is_never_sent_again(history: History) -> None:
    seen: list[str] = []

    async def script(peer: Peer) -> None:
        while True:
            asked = json.loads((await peer.request()).split(b"\r\n\r\n", 1)[1])
            seen.append(asked["method"])
            await peer.answer(b"boom", b"Content-Type: text/plain", status=b"500 Internal Server Error")

    async with Wire(script) as wire, session(wire.url, history, Era.MODERN) as (one, said):
        exchange = await one.call("probe", "{}")
    assert exchange.verdict is Verdict.HTTP_ERROR
    assert seen == ["tools/call"]
    assert said == []


def event(message: dict[str, Any], *fields: str) -> bytes:
    return "".join(f"{field}\n" for field in (*fields, f"data: {json.dumps(message)}", "")).encode()


class LegacyServer:
    """Shakes hands, then gives each tools/call to `answer`; keeps the bodies of posted responses."""

    def __init__(self) -> None:
        self.responses: list[dict[str, Any]] = []
        self.gets: list[bytes] = []

    async def script(self, peer: Peer) -> None:
        while True:
            request = await peer.request()
            head, _, body = request.partition(b"\r\n\r\n")
            if head.startswith(b"GET"):
                self.gets.append(head)
                await self.resumed(peer)
                return
            asked = json.loads(body)
            if asked.get("method") == "initialize":
                hello = {"jsonrpc": "2.0", "id": asked["id"], "result": LEGACY_HELLO}
                await peer.answer(json.dumps(hello).encode(), b"Content-Type: application/json")
            elif asked.get("method") == "tools/call":
                await self.answer(peer, asked["id"])
            else:
                if "method" not in asked:
                    self.responses.append(asked)
                await peer.answer(b"", status=b"202 Accepted")

    async def answer(self, peer: Peer, request_id: object) -> None:
        raise AssertionError("not scripted")

    async def resumed(self, peer: Peer) -> None:
        await peer.answer(b"", status=b"405 Method Not Allowed")


class Asking(LegacyServer):
    """Asks before it answers, and answers at once all the same."""

    async def answer(self, peer: Peer, request_id: object) -> None:
        await peer.stream_head()
        for number, method in ((request_id, "ping"), ("s-2", "sampling/createMessage"), (1.50, "elicitation/create")):
            message = {"jsonrpc": "2.0", "id": number, "method": method, "params": {"message": "who?"}}
            await peer.chunk(event(message))
        await peer.chunk(event({"jsonrpc": "2.0", "id": request_id, "result": {"content": []}}))
        await peer.chunk(b"")


async def test_requests_of_a_legacy_server_are_answered_or_refused_each_by_a_post_of_its_own(history: History) -> None:
    server = Asking()

    async def answer(method: str, params: Object) -> str | None:
        return '{"action":"accept","content":{}}' if method == "elicitation/create" else None

    heard: list[object] = []
    async with Wire(server.script) as wire, session(wire.url, history, Era.LEGACY) as (one, _):
        one.hear(lambda message: heard.append(message["method"]), answer, '{"elicitation":{}}')
        exchange = await one.call("probe", "{}")
        await one.settle()
    assert exchange.verdict is Verdict.RESULT
    assert heard == ["ping", "sampling/createMessage", "elicitation/create"]
    by_id = {json.dumps(item["id"]): item for item in server.responses}
    assert exchange.id is not None
    assert by_id[exchange.id.text]["result"] == {}
    assert by_id['"s-2"']["error"]["code"] == -32601
    assert by_id["1.5"]["result"] == {"action": "accept", "content": {}}
    posted = [row for row in history.recent(0, automatic=True) if row.verdict is Verdict.ACCEPTED]
    assert len(posted) == 4  # three responses and notifications/initialized


class Pestering(Asking):
    """Asks for more than anybody answers, and takes no answer before it has its last question out."""

    questions = MOST + 20

    async def answer(self, peer: Peer, request_id: object) -> None:
        await peer.stream_head()
        asked = [{"jsonrpc": "2.0", "id": f"s-{number}", "method": "ping"} for number in range(self.questions)]
        await peer.chunk(b"".join(map(event, asked)))
        await peer.chunk(event({"jsonrpc": "2.0", "id": request_id, "result": {"content": []}}))
        await peer.chunk(b"")


async def test_a_server_that_asks_too_much_at_once_gets_no_more_answers_than_can_be_kept(history: History) -> None:
    server = Pestering()
    async with Wire(server.script) as wire, session(wire.url, history, Era.LEGACY) as (one, said):
        assert (await one.call("probe", "{}")).verdict is Verdict.RESULT
        await one.settle()
    assert MOST <= len(server.responses) < server.questions
    assert len(said) == 1


class Polling(LegacyServer):
    """Closes the stream after a priming event; the answer waits for the GET."""

    async def answer(self, peer: Peer, request_id: object) -> None:
        self.asked = request_id
        await peer.stream_head()
        await peer.chunk(b"id: first\nretry: 20\ndata:\n\n")
        await peer.chunk(b"")

    async def resumed(self, peer: Peer) -> None:
        await peer.stream_head()
        await peer.chunk(event({"jsonrpc": "2.0", "id": self.asked, "result": {"content": []}}, "id: second"))
        await peer.chunk(b"")


async def test_a_polled_stream_is_taken_up_by_get_from_the_last_event_id(history: History) -> None:
    server = Polling()
    async with Wire(server.script) as wire, session(wire.url, history, Era.LEGACY) as (one, _):
        exchange = await one.call("probe", "{}")
    assert exchange.verdict is Verdict.RESULT
    assert len(server.gets) == 1
    assert b"Last-Event-ID: first" in server.gets[0]
    assert exchange.reply is not None
    assert exchange.reply.response is not None
    assert [frame.id for frame in exchange.reply.response.frames] == ["first", "second"]
    assert exchange.reply.response.body == b"".join(frame.raw for frame in exchange.reply.response.frames)
    assert "GET" in methods(history)


class Refusing(Polling):
    """Closes the stream and does not know GET."""

    resumed = LegacyServer.resumed


async def test_a_stream_that_cannot_be_taken_up_ends_as_no_answer(history: History) -> None:
    server = Refusing()
    async with Wire(server.script) as wire, session(wire.url, history, Era.LEGACY) as (one, _):
        exchange = await one.call("probe", "{}")
    assert exchange.verdict is Verdict.INVALID_RESPONSE
    assert len(server.gets) == 1
