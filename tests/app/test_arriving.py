"""An answer that comes slowly is shown while it comes, on real sockets."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from olv_tui.model import Era, Target, Verdict
from olv_tui.transport.incoming import SHOWN
from tests.app.helper import NARROW, WIDE, app_on, running, shown, until
from tests.transport.wire import Peer, Wire

TOOLS = {"tools": [{"name": "slow", "description": "", "inputSchema": {"type": "object"}}]}
SECRET = "hunter2-hunter2"  # the helper's redactor knows it


class Slow:
    """A server that lists one tool, and answers its call in parts: each when it is asked for."""

    def __init__(self, *parts: bytes, promised: int) -> None:
        self.parts = list(parts)
        self.promised = promised
        self.next = asyncio.Event()

    async def __call__(self, peer: Peer) -> None:
        while True:
            asked = json.loads((await peer.request()).partition(b"\r\n\r\n")[2])
            if asked["method"] != "tools/call":
                body = json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": TOOLS}).encode()
                await peer.answer(body, b"Content-Type: application/json")
                continue
            head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-Slow: very\r\nContent-Length: %d\r\n\r\n"
            await peer.send(head % self.promised)
            for part in self.parts:
                await self.next.wait()
                self.next.clear()
                await peer.send(part)
            await peer.left()


async def test_head_beginning_and_count_show_while_a_body_comes_and_escape_keeps_what_came(tmp_path: Path) -> None:
    server = Slow(
        '{"jsonrpc":"2.0","begun":"né'.encode()[:-1],  # cut inside a character
        b"\xa9 [/] \x1b[31m hunter2-hun",
        b"ter2 and on",
        promised=400_000,
    )
    async with Wire(server) as wire:
        app = app_on(Target("slow", wire.url, era=Era.BARE), tmp_path / "h.sqlite3")
        async with running(app, WIDE) as pilot:
            await pilot.press("ctrl+j")
            screen = await until(pilot, "X-Slow: very")
            assert "HTTP/1.1 200 OK" in screen
            assert "Nothing of it has come yet" in screen
            assert "0 B of 400 kB (0%)" in screen
            server.next.set()
            screen = await until(pilot, '"begun":"n')
            assert "00000000" not in screen  # text, although its last character is not whole
            server.next.set()
            screen = await until(pilot, "né [/] \\u001b[31m")
            assert "hunter2" not in screen  # half of a secret waits for the other
            server.next.set()
            screen = await until(pilot, "and on")
            waiting = app.main.state.waiting
            assert waiting is not None
            assert waiting.arrived is not None
            kept = waiting.arrived.response.body.decode()
            assert "‹hidden" in kept
            assert SECRET not in kept
            assert SECRET not in screen.replace("\n", "")
            await pilot.press("escape")
            await until(pilot, lambda: getattr(shown(app), "judgement", None) is not None)
    exchange = shown(app)
    assert exchange is not None
    assert exchange.verdict is Verdict.CANCELLED
    assert exchange.reply is not None
    assert exchange.reply.response is not None
    assert exchange.reply.response.body.startswith('{"jsonrpc":"2.0","begun":"né'.encode())
    assert exchange.reply.response.body.endswith(b"and on")


async def test_on_a_narrow_screen_the_beginning_is_in_front_and_only_so_much_of_it_is_shown(tmp_path: Path) -> None:
    rest = b'"' + b"x" * (SHOWN * 3) + b'"}'
    identity = b'{"jsonrpc":"2.0","id":2,"result":{"content":[]},"_":'
    server = Slow(identity, rest[:-2], rest[-2:], promised=len(identity) + len(rest))
    async with Wire(server) as wire:
        app = app_on(Target("slow", wire.url, era=Era.BARE), tmp_path / "h.sqlite3")
        async with running(app, NARROW) as pilot:
            await pilot.press("ctrl+j")
            server.next.set()
            await until(pilot, '"jsonrpc":"2.0"')
            server.next.set()
            await until(pilot, "(100%)")
            seen = app.main.answer_frame.answer.exchange
            assert seen is not None
            assert seen.judgement is None
            arrived = app.main.state.waiting
            assert arrived is not None
            assert arrived.arrived is not None
            assert len(arrived.arrived.response.body) == SHOWN
            server.next.set()
            screen = await until(pilot, lambda: getattr(shown(app), "judgement", None) is not None)
            assert "so far" not in screen
