"""What a large answer costs: from its last byte to the first screen, moving and searching in it, memory.

Run it as `python tests/bench/answer_size.py [MEGABYTES ...]` (10 and 50 unless given; each also as one line of text).
Verdict, first screen and views are made by the same functions and widgets as in the program, in its order: a first
look gives the verdict, the views are filled, then all of the answer is read for its findings and the pane told of them.
"first screen" is painted in both halves, "shown" is all of the answer, ready for every key. `json.loads` of the same
body is timed in the same run, so a busy machine hurts both. A task that ticks every 2 ms tells the longest time for
which the event loop stood still. Each size runs in a process of its own, for the memory.
"""

from __future__ import annotations

import asyncio
import gc
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from textual.app import App, ComposeResult
from textual.geometry import Region
from textual.pilot import Pilot

from olv_tui.courtesy import screen_is
from olv_tui.judge import first_look, judge
from olv_tui.model import Era, Exchange, Outgoing, Reply, RequestId, Timing, WireRequest, WireResponse
from olv_tui.widgets.answer import AnswerPane
from olv_tui.widgets.node_view import NodeView

MEGABYTE = 1_000_000
STEPS = 60
SCREEN = 5_000
"""Bytes of lines that fill a screen: less stands in a view while it has nothing to show."""


def body(megabytes: int, shape: str) -> bytes:
    """An answer of about this size: many small objects, or one long string."""
    if shape == "line":
        result: dict[str, object] = {
            "content": [{"type": "text", "text": "lorem ipsum " * (megabytes * MEGABYTE // 12)}]
        }
    else:
        worlds = [
            {"id": number, "name": f"world number {number}", "site": "helpbless.example", "pages": 1.50, "tags": ["a"]}
            for number in range(megabytes * MEGABYTE // 101)
        ]
        result = {"content": [], "structuredContent": {"worlds": worlds}}
    return json.dumps({"jsonrpc": "2.0", "id": 5, "result": result}).encode()


class Bench(App[None]):
    """The answer pane alone."""

    def compose(self) -> ComposeResult:
        """The pane."""
        yield AnswerPane()


async def ticking(longest: list[float]) -> None:
    """Note the longest time between two ticks, above the 2 ms asked for."""
    last = time.perf_counter()
    while True:
        await asyncio.sleep(0.002)
        now = time.perf_counter()
        longest[0] = max(longest[0], now - last - 0.002)
        last = now


async def steps(view: NodeView, act: Callable[[], None]) -> float:
    """Seconds that 95 of 100 steps stay below: the key's work and painting the view."""
    taken = []
    for _ in range(STEPS):
        began = time.perf_counter()
        act()
        view.render_lines(Region(0, 0, *view.size))
        taken.append(time.perf_counter() - began)
        await asyncio.sleep(0.03)
    return sorted(taken)[int(STEPS * 0.95)]


async def warm(
    app: Bench, pilot: Pilot[None], sent: Outgoing, request: WireRequest, views: tuple[NodeView, ...]
) -> None:
    """Show a small answer: what the first one of a run costs (modules, styles) is no matter of sizes."""
    response = WireResponse(200, "OK", (("Content-Type", "application/json"),), body(0, "objects"))
    reply = Reply(response, None, Timing(1.0, 3.0, 4.1))
    first_look(sent, reply, era=Era.BARE, version=None)
    judgement = judge(sent, reply, era=Era.BARE, version=None)
    one = Exchange(2, "t", sent, request, "2026-12-02T08:00:00.000Z", reply=reply, judgement=judgement)
    app.query_one(AnswerPane).show(one)
    await until(pilot, lambda: all(view.is_ready for view in views))
    await pilot.pause()


async def until(pilot: Pilot[None], done: Callable[[], bool]) -> None:
    """Wait for something to be shown."""
    while not done():
        await asyncio.sleep(0.001)


async def measure(megabytes: int, shape: str) -> dict[str, float]:
    """Milliseconds by what was done; `memory` in megabytes above the start, `body` its size."""
    raw = body(megabytes, shape)
    began = time.perf_counter()
    json.loads(raw)
    told: dict[str, float] = {"body": len(raw) / MEGABYTE, "json.loads": time.perf_counter() - began}
    gc.collect()
    sent = Outgoing("request", RequestId("5"), "tools/call", "x", (RequestId("5"),))
    request = WireRequest("http://127.0.0.1/mcp", (), b"{}")
    response = WireResponse(200, "OK", (("Content-Type", "application/json"),), raw)
    reply = Reply(response, None, Timing(1.0, 3.0, 4.1))
    app = Bench()
    screen = ExitStack()  # as in the program: work in threads lets it go first
    screen.enter_context(screen_is(asyncio.get_running_loop()))
    async with app.run_test(size=(140, 42)) as pilot:
        raws, decoded = app.query_one("#raw", NodeView), app.query_one("#decoded", NodeView)
        await warm(app, pilot, sent, request, (raws, decoded))
        longest = [0.0]
        ticker = asyncio.create_task(ticking(longest))
        before = resident()
        began = time.perf_counter()
        judgement = await asyncio.to_thread(first_look, sent, reply, era=Era.BARE, version=None)
        told["verdict"] = time.perf_counter() - began
        one = Exchange(1, "t", sent, request, "2026-12-02T08:00:00.000Z", reply=reply, judgement=judgement)
        app.query_one(AnswerPane).show(one)
        await until(pilot, lambda: min(raws.lines.weight, decoded.lines.weight) > SCREEN)
        for view in (raws, decoded):
            view.render_lines(Region(0, 0, *view.size))
        told["first screen"] = time.perf_counter() - began
        await until(pilot, lambda: raws.is_ready and raws.lines.weight >= len(raw) // 2)
        told["raw shown"] = time.perf_counter() - began
        await until(pilot, lambda: decoded.is_ready and decoded.lines.weight >= len(raw) // 2)
        told["decoded shown"] = time.perf_counter() - began
        full = await asyncio.to_thread(judge, sent, reply, era=Era.BARE, version=None)
        app.query_one(AnswerPane).show(replace(one, judgement=full))
        await until(pilot, lambda: decoded.is_ready)
        told["findings"] = time.perf_counter() - began
        told["memory"] = resident() - before
        told["loop while opening"], longest[0] = longest[0], 0.0
        decoded.focus()
        told["page down and painting, p95"] = await steps(decoded, lambda: decoded.action_page(1))
        decoded.search("1")
        await until(pilot, lambda: bool(decoded.search_state))
        told["search step and painting, p95"] = await steps(decoded, lambda: decoded.action_hit(1))
        began = time.perf_counter()
        await pilot.press("minus")
        told["fold a level, key"] = time.perf_counter() - began
        await pilot.press("asterisk", "G", "up", "up", "up")
        told["loop while moving"] = longest[0]
        told["memory when used"] = resident() - before
        ticker.cancel()
    screen.close()
    return told


def resident() -> float:
    """Megabytes in memory now; the most there ever were where the system does not tell."""
    status = Path("/proc/self/statm")
    if status.exists():
        return int(status.read_text().split()[1]) * resource.getpagesize() / MEGABYTE
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def main() -> None:
    """Each size and shape in a process of its own."""
    if len(sys.argv) == 4 and sys.argv[1] == "--one":
        told = asyncio.run(measure(int(sys.argv[2]), sys.argv[3]))
        print(f"\n{sys.argv[3]}, {told.pop('body'):.0f} MB")
        loads = told["json.loads"]
        for name, value in told.items():
            if name.startswith("memory"):
                print(f"  {name:<40} {value:10.0f} MB")
            else:
                print(f"  {name:<40} {value * 1000:10.1f} ms {value / loads:8.2f} x json.loads")
        return
    for size in sys.argv[1:] or ["10", "50"]:
        for shape in ("objects", "line"):
            subprocess.run([sys.executable, __file__, "--one", size, shape], check=True)


if __name__ == "__main__":
    main()
