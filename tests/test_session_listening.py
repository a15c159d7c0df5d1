"""Listening to what a server says of itself: a stream beside the calls, bounded, ended with the session."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from olv_tui.history import History
from olv_tui.model import Era, Exchange, Object, Target, Verdict
from olv_tui.redact import Redactor
from olv_tui.session import Session, listening
from olv_tui.transport.http import HttpTransport
from tests.test_session_repairs import LEGACY_HELLO, LegacyServer, event
from tests.transport.wire import LIMIT, Peer, Wire

CHANGED = {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}


@pytest.fixture
def history() -> Iterator[History]:
    kept = History(None, Redactor(b"k" * 32))
    yield kept
    kept.close()


class Heard(list[str]):
    """The methods that were heard, and a way to wait for their number."""

    def __init__(self) -> None:
        super().__init__()
        self._more = asyncio.Event()

    def __call__(self, message: Object) -> None:
        self.append(str(message["method"]))
        self._more.set()

    async def reach(self, count: int) -> None:
        async with asyncio.timeout(LIMIT):
            while len(self) < count:
                self._more.clear()
                await self._more.wait()


class Said(list[str]):
    """The sentences that were said, and a way to wait for the first."""

    def __init__(self) -> None:
        super().__init__()
        self.some = asyncio.Event()

    def __call__(self, sentence: str) -> None:
        self.append(sentence)
        self.some.set()


@asynccontextmanager
async def session(url: str, history: History, era: Era) -> AsyncIterator[tuple[Session, Heard, Said]]:
    heard, said = Heard(), Said()
    opened = Session(Target("", url, era=era, timeout=10), HttpTransport(), history)
    opened.hear(heard)
    opened.tell(said)
    try:
        yield opened, heard, said
    finally:
        await opened.close()


def gets(history: History) -> list[Exchange]:
    """The streams in the history, oldest first."""
    rows = [row for row in history.recent(0, automatic=True) if row.method in ("GET", "subscriptions/listen")]
    found = [history.get(row.serial) for row in rows[::-1]]
    return [exchange for exchange in found if exchange is not None]


class Chatty(LegacyServer):
    """Says `words` on the standalone stream and leaves it open."""

    words: tuple[dict[str, Any], ...] = (CHANGED, {"jsonrpc": "2.0", "id": "s-1", "method": "ping"})

    async def resumed(self, peer: Peer) -> None:
        await peer.stream_head()
        for word in self.words:
            await peer.chunk(event(word))
        await peer.left()

    async def answer(self, peer: Peer, request_id: object) -> None:
        result = {"jsonrpc": "2.0", "id": request_id, "result": {"content": []}}
        await peer.answer(json.dumps(result).encode(), b"Content-Type: application/json")


async def test_what_a_legacy_server_says_on_its_own_stream_is_heard_and_answered(history: History) -> None:
    server = Chatty()
    async with Wire(server.script) as wire, session(wire.url, history, Era.LEGACY) as (one, heard, _):
        assert await one.listen() is None
        assert one.is_listening
        await heard.reach(2)
        await one.settle()
        assert (await one.call("probe", "{}")).verdict is Verdict.RESULT
        assert one.is_listening
    assert heard == ["notifications/tools/list_changed", "ping"]
    assert server.responses == [{"jsonrpc": "2.0", "id": "s-1", "result": {}}]
    assert b"Accept: text/event-stream" in server.gets[0]
    assert b"MCP-Protocol-Version: 2025-11-25" in server.gets[0]


async def test_the_stream_ends_with_the_session_and_stands_in_the_history(history: History) -> None:
    async with Wire(Chatty().script) as wire:
        async with session(wire.url, history, Era.LEGACY) as (one, heard, _):
            await one.listen()
            await heard.reach(2)
        (stream,) = gets(history)
    assert not one.is_listening
    assert stream.automatic
    assert stream.verdict is Verdict.CANCELLED
    assert stream.reply is not None
    assert stream.reply.response is not None
    assert len(stream.reply.response.frames) == 2


async def test_a_stream_can_be_ended_while_the_session_goes_on(history: History) -> None:
    async with Wire(Chatty().script) as wire, session(wire.url, history, Era.LEGACY) as (one, _, _said):
        await one.listen()
        await one.stop_listening()
        assert not one.is_listening
        assert (await one.call("probe", "{}")).verdict is Verdict.RESULT
        await one.listen()
        assert one.is_listening


async def test_405_says_that_there_is_no_stream_and_is_asked_for_once(history: History) -> None:
    server = LegacyServer()
    async with Wire(server.script) as wire, session(wire.url, history, Era.LEGACY) as (one, _, said):
        refused = await one.listen()
        assert refused is not None
        assert (refused.status, refused.verdict) == (405, Verdict.HTTP_ERROR)
        assert not one.is_listening
    assert len(server.gets) == 1
    assert said == []


class Silent(Chatty):
    """Opens the stream and says nothing."""

    words = ()


async def test_a_stream_without_a_word_is_open(history: History, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening, "_SILENCE", 0.01)
    async with Wire(Silent().script) as wire, session(wire.url, history, Era.LEGACY) as (one, heard, _):
        assert await one.listen() is None
        assert one.is_listening
        assert heard == []


class Late(LegacyServer):
    """Refuses the stream when it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.now = asyncio.Event()

    async def resumed(self, peer: Peer) -> None:
        await self.now.wait()
        await super().resumed(peer)


async def test_a_refusal_that_comes_late_is_said_aloud(history: History, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening, "_SILENCE", 0.01)
    server = Late()
    async with Wire(server.script) as wire, session(wire.url, history, Era.LEGACY) as (one, _, said):
        assert await one.listen() is None
        server.now.set()
        await asyncio.wait_for(said.some.wait(), LIMIT)
    assert "405" in said[0]


class Closing(LegacyServer):
    """Says one word with an event id, and closes; the second stream stays open."""

    async def resumed(self, peer: Peer) -> None:
        await peer.stream_head()
        number = len(self.gets)
        await peer.chunk(event(CHANGED, f"id: e{number}", "retry: 1"))
        if number > 1:
            await peer.left()
        await peer.chunk(b"")


async def test_a_stream_that_ends_is_opened_again_after_the_last_event_id(history: History) -> None:
    server = Closing()
    async with Wire(server.script) as wire, session(wire.url, history, Era.LEGACY) as (one, heard, _):
        await one.listen()
        await heard.reach(2)
    assert b"Last-Event-ID" not in server.gets[0]
    assert b"Last-Event-ID: e1" in server.gets[1]
    first, _ = gets(history)
    assert first.verdict is Verdict.ACCEPTED, "no answer is due on such a stream, so its end is no fault"


class Mute(LegacyServer):
    """Ends every stream at once."""

    async def resumed(self, peer: Peer) -> None:
        await peer.stream_head()
        await peer.chunk(b"retry: 1\n\n")
        await peer.chunk(b"")


async def test_a_server_that_ends_every_stream_is_not_asked_for_ever(
    history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listening, "_SHORT", 2)
    server = Mute()
    async with Wire(server.script) as wire, session(wire.url, history, Era.LEGACY) as (one, _, said):
        assert await one.listen() is None
        await asyncio.wait_for(said.some.wait(), LIMIT)
        await one.stop_listening()
    assert len(server.gets) == 2
    assert "not listened to" in said[0]


class Flooding(LegacyServer):
    """Says more than anybody wants to keep, as fast as it can."""

    async def resumed(self, peer: Peer) -> None:
        await peer.stream_head()
        await peer.chunk(b"retry: 1\n\n")
        while True:
            await peer.chunk(event(CHANGED) * 10)


async def test_a_flood_is_kept_in_pieces_of_bounded_size_and_ends(
    history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listening, "STREAM_FRAMES", 50)
    monkeypatch.setattr(listening, "_FULL", 2)
    async with Wire(Flooding().script) as wire, session(wire.url, history, Era.LEGACY) as (one, _, said):
        await one.listen()
        await asyncio.wait_for(said.some.wait(), LIMIT)
        await one.stop_listening()
        assert not one.is_listening
    streams = gets(history)
    assert len(streams) == 2
    assert all(stream.verdict is Verdict.CANCELLED for stream in streams)
    sizes = [len(stream.reply.response.frames) for stream in streams if stream.reply and stream.reply.response]
    assert all(50 < size < 5000 for size in sizes), sizes


class Forgetting(LegacyServer):
    """Gives each initialize a session of its own; the first one is gone at the first call."""

    def __init__(self) -> None:
        super().__init__()
        self.sessions = 0
        self.gone = asyncio.Event()

    async def script(self, peer: Peer) -> None:
        while True:
            head, _, body = (await peer.request()).partition(b"\r\n\r\n")
            if head.startswith(b"GET"):
                self.gets.append(head)
                await peer.stream_head()
                await peer.chunk(event(CHANGED))
                if b"Mcp-Session-Id: s1" in head:
                    await self.gone.wait()
                    peer.close()
                    return
                await peer.left()
                return
            if head.startswith(b"DELETE"):
                await peer.answer(b"")
                continue
            asked = json.loads(body)
            if asked["method"] == "initialize":
                self.sessions += 1
                hello = json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": LEGACY_HELLO}).encode()
                await peer.answer(hello, b"Content-Type: application/json", b"Mcp-Session-Id: s%d" % self.sessions)
            elif "id" not in asked:
                await peer.answer(b"", status=b"202 Accepted")
            elif b"Mcp-Session-Id: s1" in head:
                self.gone.set()
                await peer.answer(b"gone", b"Content-Type: text/plain", status=b"404 Not Found")
            else:
                result = {"jsonrpc": "2.0", "id": asked["id"], "result": {"content": []}}
                await peer.answer(json.dumps(result).encode(), b"Content-Type: application/json")


async def test_a_stream_that_ended_with_its_session_is_opened_in_the_new_one(history: History) -> None:
    server = Forgetting()
    async with Wire(server.script) as wire, session(wire.url, history, Era.LEGACY) as (one, heard, _):
        await one.listen()
        assert (await one.call("probe", "{}")).verdict is Verdict.RESULT
        await heard.reach(2)
        assert one.is_listening
    assert b"Mcp-Session-Id: s2" in server.gets[-1]


async def test_in_the_bare_era_nothing_is_listened_to(history: History) -> None:
    server = LegacyServer()
    async with Wire(server.script) as wire, session(wire.url, history, Era.BARE) as (one, _, _said):
        assert await one.listen() is None
        assert not one.is_listening
    assert server.gets == []


async def test_a_handshake_that_fails_is_what_listening_gives(history: History) -> None:
    async with session("http://127.0.0.1:9/mcp", history, Era.AUTO) as (one, _, _said):
        failed = await one.listen()
        assert failed is not None
        assert failed.verdict is Verdict.TRANSPORT_ERROR
