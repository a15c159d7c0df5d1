"""Which versions are asked for and agreed on, and how the transport of 2024-11-05 is named."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from olv_tui.history import History
from olv_tui.model import Era, Exchange, Target, Verdict
from olv_tui.redact import Redactor
from olv_tui.session import Session
from olv_tui.transport.http import HttpTransport
from tests.servers import recorded_servers, replay
from tests.transport.wire import LIMIT, Peer, Wire


@pytest.fixture
def history() -> Iterator[History]:
    kept = History(None, Redactor(b"k" * 32))
    yield kept
    kept.close()


@asynccontextmanager
async def session(
    url: str, history: History, era: Era = Era.AUTO, timeout: float = 10
) -> AsyncIterator[tuple[Session, list[str]]]:
    said: list[str] = []
    opened = Session(Target("", url, era=era, timeout=timeout), HttpTransport(), history)
    opened.tell(said.append)
    try:
        yield opened, said
    finally:
        await opened.close()


def automatic(history: History) -> list[Exchange]:
    """Everything in the history, oldest first."""
    found = [history.get(row.serial) for row in history.recent(0, automatic=True)[::-1]]
    return [exchange for exchange in found if exchange is not None]


class Scripted:
    """Answers each method with what `answers` has for it: a result, an error, or a status and a body."""

    def __init__(self, **answers: list[Any]) -> None:
        self.answers = {name.replace("__", "/"): list(given) for name, given in answers.items()}
        self.asked: list[dict[str, Any]] = []
        self.heads: list[bytes] = []

    async def script(self, peer: Peer) -> None:
        while True:
            head, _, body = (await peer.request()).partition(b"\r\n\r\n")
            self.heads.append(head)
            asked = json.loads(body)
            self.asked.append(asked)
            if "id" not in asked:
                await peer.answer(b"", status=b"202 Accepted")
                continue
            answer = self.answers[asked["method"]].pop(0)
            status = b"400 Bad Request" if "error" in answer else b"200 OK"
            message = {"jsonrpc": "2.0", "id": asked["id"], **answer}
            await peer.answer(json.dumps(message).encode(), b"Content-Type: application/json", status=status)

    def versions(self, method: str) -> list[str]:
        """The versions that were asked for."""
        return [asked["params"]["protocolVersion"] for asked in self.asked if asked["method"] == method]


def refusal(code: int, *supported: object) -> dict[str, Any]:
    return {"error": {"code": code, "message": "Unsupported protocol version", "data": {"supported": [*supported]}}}


def hello(version: object) -> dict[str, Any]:
    return {"result": {"protocolVersion": version, "capabilities": {}, "serverInfo": {"name": "wire", "version": "1"}}}


DISCOVERED = {
    "result": {
        "resultType": "complete",
        "supportedVersions": ["2026-07-28"],
        "capabilities": {},
        "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "wire", "version": "2"}},
    }
}
EMPTY: dict[str, Any] = {"result": {"content": []}}


# --------------------------------------------------------------------------- versions


async def test_a_modern_server_that_refuses_once_and_names_our_version_is_modern(history: History) -> None:
    server = Scripted(server__discover=[refusal(-32022, "2026-07-28"), DISCOVERED])
    async with Wire(server.script) as wire, session(wire.url, history) as (one, _):
        assert await one.connect() is None
        assert (one.era, one.version, one.server) == (Era.MODERN, "2026-07-28", "wire 2")
    assert [asked["method"] for asked in server.asked] == ["server/discover", "server/discover"]


async def test_a_server_that_names_older_versions_only_gets_their_handshake(history: History) -> None:
    server = Scripted(server__discover=[refusal(-32022, "2025-06-18")], initialize=[hello("2025-06-18")])
    async with Wire(server.script) as wire, session(wire.url, history) as (one, said):
        assert await one.connect() is None
        assert (one.era, one.version) == (Era.LEGACY, "2025-06-18")
        assert said == []


async def test_a_version_that_initialize_refuses_is_replaced_by_one_both_know(history: History) -> None:
    refused = refusal(-32602, "2024-11-05", "2025-03-26", "1999-01-01", 7)
    server = Scripted(initialize=[refused, hello("2025-03-26")])
    async with Wire(server.script) as wire, session(wire.url, history, Era.LEGACY) as (one, said):
        assert await one.connect() is None
        assert one.version == "2025-03-26"
    assert server.versions("initialize") == ["2025-11-25", "2025-03-26"]
    assert len(said) == 1
    assert "2025-03-26" in said[0]


async def test_no_version_in_common_is_what_the_caller_gets(history: History) -> None:
    server = Scripted(initialize=[refusal(-32602, "1999-01-01")])
    async with Wire(server.script) as wire, session(wire.url, history, Era.LEGACY) as (one, _):
        failed = await one.connect()
    assert failed is not None
    assert failed.verdict is Verdict.RPC_ERROR
    assert server.versions("initialize") == ["2025-11-25"]


async def test_a_second_refusal_ends_it(history: History) -> None:
    server = Scripted(initialize=[refusal(-32602, "2025-03-26"), refusal(-32602, "2024-11-05")])
    async with Wire(server.script) as wire, session(wire.url, history, Era.LEGACY) as (one, _):
        assert await one.connect() is not None
    assert server.versions("initialize") == ["2025-11-25", "2025-03-26"]


async def test_an_unknown_version_is_kept_and_said_aloud(history: History) -> None:
    server = Scripted(initialize=[hello("2031-01-01")], tools__call=[EMPTY])
    async with Wire(server.script) as wire, session(wire.url, history, Era.LEGACY) as (one, said):
        exchange = await one.call("probe", "{}")
        assert exchange.verdict is Verdict.RESULT
        assert one.version == "2031-01-01"
        assert "2031-01-01" in one.evidence
        assert len(said) == 1
        assert "2031-01-01" in said[0]
    assert b"MCP-Protocol-Version: 2031-01-01" in server.heads[-1]


@pytest.mark.parametrize("version", ["2025 11 25", "2025-11-25\r\nX-Evil: 1", "é", "", 20251125, None])
async def test_a_version_that_no_header_can_carry_stays_out_of_the_headers(history: History, version: object) -> None:
    server = Scripted(initialize=[hello(version)], tools__call=[EMPTY])
    async with Wire(server.script) as wire, session(wire.url, history, Era.LEGACY) as (one, said):
        assert (await one.call("probe", "{}")).verdict is Verdict.RESULT
        assert one.version is None
        assert len(said) == 1
    assert b"MCP-Protocol-Version" not in server.heads[-1]


# --------------------------------------------------------------------------- HTTP+SSE of 2024-11-05


class OldServer:
    """Refuses POST with `status`, and answers GET with `stream` (bytes), or with silence."""

    def __init__(self, stream: bytes | None, status: bytes = b"404 Not Found", body: bytes = b"Cannot POST") -> None:
        self.stream = stream
        self.status = status
        self.body = body
        self.methods: list[bytes] = []
        self.left = asyncio.Event()

    async def script(self, peer: Peer) -> None:
        while True:
            head = await peer.request()
            method = head.split(b" ", 1)[0]
            self.methods.append(method)
            if method != b"GET":
                await peer.answer(self.body, b"Content-Type: text/html", status=self.status)
                continue
            if self.stream is not None:
                await peer.stream_head()
                await peer.chunk(self.stream)
            await peer.left()
            self.left.set()
            return


ENDPOINT = b"event: endpoint\ndata: /messages?sessionId=5ec2e7\n\n"


@pytest.mark.parametrize("era", [Era.AUTO, Era.LEGACY])
@pytest.mark.parametrize("status", [b"400 Bad Request", b"404 Not Found", b"405 Method Not Allowed"])
async def test_the_transport_of_2024_is_named_with_its_endpoint(history: History, era: Era, status: bytes) -> None:
    server = OldServer(b": hello\n\n" + ENDPOINT, status)
    async with Wire(server.script) as wire, session(wire.url, history, era) as (one, said):
        failed = await one.call("probe", "{}")
        await asyncio.wait_for(server.left.wait(), LIMIT)  # the stream does not stay open
        endpoint = wire.url.replace("/mcp", "/messages")
        assert "HTTP+SSE transport of 2024-11-05" in one.evidence
        assert endpoint in one.evidence
        assert "5ec2e7" not in one.evidence, "the session id is a secret"
        assert len(said) == 1
    assert (failed.outgoing.method, failed.verdict) == ("initialize", Verdict.HTTP_ERROR)
    assert server.methods.count(b"GET") == 1
    get = automatic(history)[-1]
    assert (get.request.method, get.automatic, get.verdict) == ("GET", True, Verdict.ACCEPTED)


async def test_another_first_event_is_no_old_transport(history: History) -> None:
    server = OldServer(b"event: hello\ndata: x\n\n" + ENDPOINT)
    async with Wire(server.script) as wire, session(wire.url, history) as (one, said):
        assert await one.connect() is None
        assert one.era is Era.BARE
        assert said == []


async def test_a_get_that_is_never_answered_holds_nobody_up(history: History) -> None:
    server = OldServer(None)
    async with (
        asyncio.timeout(LIMIT),
        Wire(server.script) as wire,
        session(wire.url, history, timeout=0.3) as (one, _),
    ):
        await one.connect()
        assert one.era is Era.BARE
        await server.left.wait()


@pytest.mark.parametrize(
    "status", [b"200 OK", b"301 Moved Permanently", b"307 Temporary Redirect", b"401 Unauthorized", b"500 Oh"]
)
async def test_no_other_status_leads_to_a_get(history: History, status: bytes) -> None:
    server = OldServer(ENDPOINT, status)
    async with Wire(server.script) as wire, session(wire.url, history) as (one, _):
        await one.connect()
    assert b"GET" not in server.methods


async def test_a_json_rpc_error_leads_to_no_get(history: History) -> None:
    server = OldServer(
        ENDPOINT, b"400 Bad Request", b'{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}'
    )
    async with Wire(server.script) as wire, session(wire.url, history) as (one, _):
        await one.connect()
    assert b"GET" not in server.methods


async def test_a_recorded_old_server_is_named(history: History) -> None:
    folder = next((one for one in recorded_servers() if one.name == "everything-sse"), None)
    if folder is None:
        pytest.skip("no recorded servers here (OLV_SHARED)")
    with replay(folder) as base:
        async with session(f"{base.rstrip('/')}/sse", history) as (one, _):
            failed = await one.connect()
            assert failed is not None
            assert failed.status == 404
            assert "2024-11-05" in one.evidence
            assert "/message" in one.evidence
