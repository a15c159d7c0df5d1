"""A key in a JSON text of a megabyte against the same key in Textual's own area with a short text.

Run it as `python tests/bench/json_typing.py [KEYS] [--textual]`. One app, headless, with four areas of which one is
shown at a time: Textual's own with a short text, ours with the same, ours with a megabyte over many lines, ours with
a megabyte in one line. Keys are typed in turns (letters, a line break, backspace, in the middle of the text), and
each is timed from the event to the paint that follows it. `--textual` times Textual's own area with the megabyte as
well. Printed: best, median and 95th percentile in milliseconds. Compare best with best.

A frame is 16.7 ms: exit code 1 where the 95th percentile of a megabyte is above it and above 3 times that of the
short text.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from textual import events
from textual.app import App, ComposeResult
from textual.widgets import TextArea

from olv_tui.widgets.json_area import JsonArea

FRAME = 16.7
SIZE = (100, 42)
SHORT = json.dumps({"query": "tide tables", "limit": 10, "filters": {"open": True, "names": ["a", "b"]}}, indent=2)
ROWS = [
    {"id": n, "name": f"name \\{n}", "ok": n % 2 == 0, "values": [n, n / 7], "note": "tide " * 6} for n in range(6500)
]
KEYS = ["x", "y", "enter", "z", "backspace", "backspace", "1", "comma", "2", "3"]


class Bench(App[None]):
    """The areas; `painted` is set by every paint."""

    CSS = "TextArea { display: none; } TextArea.-on { display: block; height: 1fr; }"

    def __init__(self, areas: dict[str, TextArea]) -> None:
        super().__init__()
        self.areas = areas
        self.painted = asyncio.Event()

    def compose(self) -> ComposeResult:
        yield from self.areas.values()

    def _display(self, screen: Any, renderable: Any) -> None:
        super()._display(screen, renderable)
        if renderable is not None:
            self.painted.set()


def areas(with_textual: bool) -> dict[str, TextArea]:
    many, one = json.dumps(ROWS, indent=2), json.dumps(ROWS)
    made: dict[str, TextArea] = {"Textual's, short": own(SHORT)}
    for name, text in (("ours, short", SHORT), ("ours, 1 MB of lines", many), ("ours, 1 MB in a line", one)):
        made[name] = JsonArea(id=f"a{len(made)}")
        made[name].text = text
    if with_textual:
        made["Textual's, 1 MB of lines"] = own(many)
    print(f"{len(many):,} characters in {many.count(chr(10)) + 1:,} lines; {len(one):,} in one line")
    return made


def own(text: str) -> TextArea:
    area = TextArea(text)
    area.cursor_blink = False
    return area


async def key(app: Bench, name: str) -> float:
    character = {"comma": ",", "enter": "\r", "backspace": "\x7f"}.get(name, name)
    app.painted.clear()
    start = time.perf_counter()
    app.post_message(events.Key(name, character))
    await asyncio.wait_for(app.painted.wait(), 60)
    return (time.perf_counter() - start) * 1000


async def measure(count: int, with_textual: bool) -> dict[str, list[float]]:
    app = Bench(areas(with_textual))
    found: dict[str, list[float]] = {name: [] for name in app.areas}
    async with app.run_test(size=SIZE) as pilot:
        for number in range(count + 1):
            for name, area in app.areas.items():
                for other in app.areas.values():
                    other.set_class(other is area, "-on")
                area.focus()
                await pilot.pause()
                if not number:
                    lines = area.document.line_count
                    area.move_cursor((lines // 2, len(area.document.get_line(lines // 2)) // 2))
                    await pilot.pause()
                for one in KEYS:
                    took = await key(app, one)
                    await pilot.pause()
                    if number:
                        found[name].append(took)
    return found


def main() -> int:
    rounds = next((int(word) for word in sys.argv[1:] if word.isdigit()), 100) // len(KEYS)
    found = asyncio.run(measure(max(rounds, 1), "--textual" in sys.argv))
    high = {name: statistics.quantiles(times, n=20)[-1] for name, times in found.items()}
    for name, times in found.items():
        print(f"{name:26} best {min(times):7.2f}  median {statistics.median(times):7.2f}  p95 {high[name]:7.2f} ms")
    limit = max(FRAME, 3 * high["Textual's, short"])
    return int(any(took > limit for name, took in high.items() if name.startswith("ours, 1 MB")))


if __name__ == "__main__":
    sys.exit(main())
