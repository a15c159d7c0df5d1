"""How long the event loop stands still at most while answers come, are read, moved in and left, in the real explorer.

Run it as `python tests/bench/answer_stalls.py [SHAPE ...]`; each shape in a process of its own, its server in another.
A task that ticks every 2 ms is the measure. The reference is a small answer in the same run, whose stalls are nothing
but frames. A stall is counted by what this process worked in it, where that is less than the time that passed: on a
busy machine the rest is other programs. The aim is 50 ms; tests/test_courtesy.py holds what it rests on, that no piece
of work in a thread is longer than a turn, since a test with a stop-watch fails on a busy machine.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from olv_tui.model import Era, Target
from olv_tui.widgets.answer import AnswerPane
from olv_tui.widgets.node_view import NodeView
from tests.app.helper import OlvPilot, app_on, running

MEGABYTE = 1_000_000
AIM = 0.05


def _objects(megabytes: int) -> str:
    worlds = [{"id": number, "name": f"world {number}", "pages": 1.5} for number in range(megabytes * MEGABYTE // 52)]
    return json.dumps({"content": [], "structuredContent": {"worlds": worlds}})


def _text(megabytes: int) -> str:
    return json.dumps({"content": [{"type": "text", "text": "lorem ipsum " * (megabytes * MEGABYTE // 12)}]})


SHAPES: dict[str, Callable[[], str]] = {
    "small": lambda: _text(0),
    "10 MB of objects": lambda: _objects(10),
    "50 MB of objects": lambda: _objects(50),
    "20 MB in one line": lambda: _text(20),
    "50 MB in one line": lambda: _text(50),
    "2 million lines": lambda: json.dumps({"content": [], "structuredContent": {"n": [0] * 2_000_000}}),
    "100,000 levels": lambda: '{"content":[],"structuredContent":{"d":' + "[" * 100_000 + "]" * 100_000 + "}}",
    "100,000 items": lambda: json.dumps({"content": [{"type": "text", "text": f"{at}"} for at in range(100_000)]}),
    "20 MB, slowly": lambda: _objects(20),
    "20 MB as an event": lambda: _objects(20),
}


def serve(shape: str) -> None:
    """Answer every call with a shape, the rest with an error."""
    small, large = SHAPES["small"]().encode(), SHAPES[shape]().encode()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
            result = large if asked["method"] == "tools/call" and asked["params"]["name"] == shape else small
            body = b'{"jsonrpc":"2.0","id":' + json.dumps(asked["id"]).encode() + b',"result":' + result + b"}"
            events = result is large and "event" in shape
            body = b"data: " + body + b"\n\n" if events else body
            self.send_response(200)
            self.send_header("content-type", "text/event-stream" if events else "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            step = len(body) // 20 + 1 if result is large and "slowly" in shape else len(body)
            for at in range(0, len(body), step):
                self.wfile.write(body[at : at + step])
                time.sleep(0 if step == len(body) else 0.1)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the base class's name)
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()


class Stalls:
    """The longest time between two ticks, above the 2 ms asked for."""

    def __init__(self) -> None:
        self.longest = 0.0

    async def tick(self) -> None:
        """Measure until cancelled."""
        last, worked = time.perf_counter(), time.process_time()
        while True:
            await asyncio.sleep(0.002)
            now, work = time.perf_counter(), time.process_time()
            self.longest = max(self.longest, min(now - last - 0.002, work - worked))
            last, worked = now, work

    def taken(self) -> float:
        """The longest since this was asked last."""
        longest, self.longest = self.longest, 0.0
        return longest


async def _until(done: Callable[[], bool]) -> None:
    while not done():
        await asyncio.sleep(0.002)


async def _call(pilot: OlvPilot, tool: str) -> None:
    """Call a tool and wait until its answer is shown and read."""
    main = pilot.app.main
    main.calls.call(tool, "{}")
    pane = main.query_one(AnswerPane)
    views = [pane.query_one(name, NodeView) for name in ("#raw", "#decoded")]
    await _until(lambda: pane.exchange is not None and pane.exchange.outgoing.tool == tool)
    await _until(lambda: pane.exchange is not None and pane.exchange.judgement is not None)
    await _until(lambda: not main.calls.running and all(view.is_ready for view in views))
    await asyncio.sleep(0.05)


async def _move(pilot: OlvPilot) -> None:
    """Pages, ends, folding, a search and its steps in the decoded half."""
    view = pilot.app.main.query_one("#decoded", NodeView)
    view.focus()
    for key in ("pagedown",) * 20 + ("G", "g", "minus", "asterisk"):
        await pilot.press(key)
        await _until(lambda: not any(one.group == "node" and one.is_running for one in pilot.app.workers))
    view.search("1")
    await _until(lambda: not any(one.group == "search" and one.is_running for one in pilot.app.workers))
    for _ in range(10):
        await pilot.press("n")


async def measure(shape: str, port: int) -> None:
    """Print the longest stalls, of a small answer and of the shape in turn."""
    target = Target("bench", f"http://127.0.0.1:{port}/rpc", era=Era.BARE, timeout=300)
    stalls = Stalls()
    with tempfile.TemporaryDirectory() as folder:
        async with running(app_on(target, Path(folder) / "h.sqlite3")) as pilot:
            await _call(pilot, "small")
            await _move(pilot)
            ticker = asyncio.create_task(stalls.tick())
            told = []
            for tool in ("small", shape):
                stalls.taken()
                await _call(pilot, tool)
                opening = stalls.taken()
                if "levels" not in tool:  # there a key may take minutes, and is waited for
                    await _move(pilot)
                told += [opening, stalls.taken()]
            await _call(pilot, "small")
            told.append(stalls.taken())
            ticker.cancel()
    small, small_moves, *rest = (f"{one * 1000:.0f}" for one in told)
    over = " (over the aim)" if max(told[2:]) > AIM else ""
    print(f"{shape:<20} opening {rest[0]:>4} ms, moving {rest[1]:>4}, leaving {rest[2]:>4}{over}", end="; ")
    print(f"small: {small}, {small_moves}")


def main() -> None:
    """Each shape in a process of its own."""
    if sys.argv[1:2] == ["--serve"]:
        serve(sys.argv[2])
    elif sys.argv[1:2] == ["--one"]:
        with subprocess.Popen([sys.executable, __file__, "--serve", sys.argv[2]], stdout=subprocess.PIPE) as server:
            assert server.stdout is not None
            try:
                asyncio.run(measure(sys.argv[2], int(server.stdout.readline())))
            finally:
                server.kill()
    else:
        for shape in sys.argv[1:] or [one for one in SHAPES if one != "small"]:
            subprocess.run([sys.executable, __file__, "--one", shape], check=True)


if __name__ == "__main__":
    main()
