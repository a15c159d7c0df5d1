"""Subscriptions of the modern era: asked for, acknowledged, held against their rules, ended."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest

from olv_tui.history import History
from olv_tui.model import Era, Target, Verdict
from olv_tui.redact import Redactor
from olv_tui.session import Session
from olv_tui.transport.http import HttpTransport
from tests.servers import sdk_server
from tests.test_session_listening import CHANGED, Said, gets, session
from tests.test_session_repairs import event
from tests.transport.wire import LIMIT, Peer, Wire

SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"


@pytest.fixture
def history() -> Iterator[History]:
    kept = History(None, Redactor(b"k" * 32))
    yield kept
    kept.close()


class Modern:
    """Answers subscriptions/listen with `words`; `%` in them is the id of the request."""

    def __init__(self, *words: dict[str, Any], graceful: bool = False) -> None:
        self.words = words
        self.graceful = graceful
        self.asked: list[dict[str, Any]] = []

    async def script(self, peer: Peer) -> None:
        asked = json.loads((await peer.request()).partition(b"\r\n\r\n")[2])
        self.asked.append(asked)
        await peer.stream_head()
        for word in self.words:
            await peer.chunk(event(json.loads(json.dumps(word).replace('"%"', json.dumps(asked["id"])))))
        if self.graceful:
            result = {"resultType": "complete", "_meta": {SUBSCRIPTION: asked["id"]}}
            await peer.chunk(event({"jsonrpc": "2.0", "id": asked["id"], "result": result}))
            await peer.chunk(b"")
        await peer.left()


def word(method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": method, "params": {"_meta": {SUBSCRIPTION: "%"}, **params}}


ACKNOWLEDGED = word("notifications/subscriptions/acknowledged", notifications={"toolsListChanged": True})


async def test_a_modern_subscription_asks_for_the_changes_and_hears_them(history: History) -> None:
    server = Modern(ACKNOWLEDGED, word("notifications/tools/list_changed"))
    async with Wire(server.script) as wire, session(wire.url, history, Era.MODERN) as (one, heard, said):
        assert await one.listen() is None
        await heard.reach(2)
        assert one.is_listening
    assert heard == ["notifications/subscriptions/acknowledged", "notifications/tools/list_changed"]
    assert said == []
    (asked,) = server.asked
    assert asked["method"] == "subscriptions/listen"
    assert asked["params"]["notifications"]["toolsListChanged"] is True
    assert asked["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] == "2026-07-28"
    (stream,) = gets(history)
    assert stream.automatic
    assert stream.verdict is Verdict.CANCELLED


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        ((word("notifications/tools/list_changed"), ACKNOWLEDGED), "not its acknowledgement"),
        ((ACKNOWLEDGED, CHANGED), "does not name it"),
        ((ACKNOWLEDGED, word("notifications/prompts/list_changed")), "was not agreed on"),
    ],
)
async def test_a_subscription_that_breaks_its_rules_is_told_once(
    history: History, words: tuple[dict[str, Any], ...], fault: str
) -> None:
    server = Modern(*words, words[-1])
    async with Wire(server.script) as wire, session(wire.url, history, Era.MODERN) as (one, heard, said):
        await one.listen()
        await heard.reach(3)
    assert [fault in sentence and "M08" in sentence for sentence in said] == [True]


async def test_a_subscription_that_the_server_ends_is_not_asked_for_again(history: History) -> None:
    server = Modern(ACKNOWLEDGED, graceful=True)
    async with Wire(server.script) as wire, session(wire.url, history, Era.MODERN) as (one, heard, said):
        await one.listen()
        await heard.reach(1)
        async with asyncio.timeout(LIMIT):
            while one.is_listening:
                await asyncio.sleep(0)
    assert [stream.verdict for stream in gets(history)] == [Verdict.RESULT]
    assert len(said) == 1
    assert len(server.asked) == 1


async def test_the_sdk_server_acknowledges_a_subscription(history: History) -> None:
    with sdk_server() as url:
        async with session(url, history, Era.MODERN) as (one, heard, said):
            assert await one.listen() is None
            await heard.reach(1)
            assert one.is_listening
    assert heard[0] == "notifications/subscriptions/acknowledged"
    assert said == []


async def test_a_server_without_subscriptions_says_so(history: History) -> None:
    async def script(peer: Peer) -> None:
        asked = json.loads((await peer.request()).partition(b"\r\n\r\n")[2])
        error = {"jsonrpc": "2.0", "id": asked["id"], "error": {"code": -32601, "message": "Method not found"}}
        await peer.answer(json.dumps(error).encode(), b"Content-Type: application/json", status=b"404 Not Found")

    async with Wire(script) as wire, session(wire.url, history, Era.MODERN) as (one, _, _said):
        refused = await one.listen()
        assert refused is not None
        assert refused.verdict is Verdict.RPC_ERROR
        assert not one.is_listening


async def test_a_subscription_that_is_never_acknowledged_is_named(history: History) -> None:
    async with Wire(Modern().script) as wire:
        one, said = Session(Target("", wire.url, era=Era.MODERN, timeout=0.1), HttpTransport(), history), Said()
        one.tell(said)
        assert await one.listen() is None
        assert one.is_listening
        await one.close()
    assert [sentence.endswith("(M08).") for sentence in said] == [True]


async def test_waiting_for_the_acknowledgement_can_be_cancelled(history: History) -> None:
    async with Wire(Modern().script) as wire, session(wire.url, history, Era.MODERN) as (one, _, _said):
        cancel = asyncio.Event()
        waiting = asyncio.create_task(one.listen(cancel=cancel))
        async with asyncio.timeout(LIMIT):
            while not one.is_listening:
                await asyncio.sleep(0)
        cancel.set()
        ended = await waiting
        assert ended is not None
        assert ended.verdict is Verdict.CANCELLED
        assert not one.is_listening
