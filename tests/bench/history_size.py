"""What a long history costs: 100,000 exchanges of 1 GB beside one of 10, in one run.

    python tests/bench/history_size.py [--count N] [--folder DIR]

Both files are filled by the store itself: most answers have 2 to 3 kB, one in a hundred 0.75 MB. Then the same is
done with both in turn: opening, the first page, a page in the middle, a look-up by id, by text (frequent, rare, absent,
by tool and text), writing. Figures are the median and the worst of the rounds in milliseconds. The folder is deleted.
"""

from __future__ import annotations

import argparse
import random
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from olv_tui.history import History
from olv_tui.history.query import parse_query
from olv_tui.model import Exchange, Judgement, Outgoing, Reply, RequestId, Timing, Verdict, WireRequest, WireResponse
from olv_tui.redact import Redactor

REDACTOR = Redactor(b"k" * 32)
LIMIT_MS = 50.0
ROUNDS = 7
chance = random.Random(3)
WORDS = ["".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=chance.randint(3, 9))) for _ in range(5000)]


def asked(number: int) -> Exchange:
    identity = RequestId(str(number))
    tool = f"olv_tool_{number % 40}"
    word = chance.choice(WORDS)
    body = (
        f'{{"jsonrpc":"2.0","id":{number},"method":"tools/call","params":{{"name":"{tool}","arguments":'
        f'{{"site":"{word}.example","n":{number}}}}}}}'
    )
    wire = WireRequest("http://h/mcp", (("Content-Type", "application/json"),), body.encode())
    outgoing = Outgoing("request", identity, "tools/call", tool, (identity,))
    return Exchange(0, "http://h/mcp", outgoing, wire, "2026-12-02T08:00:00.000Z")


def answered(exchange: Exchange, size: int, mark: str) -> Exchange:
    items = []
    length = 0
    while length < size:
        items.append(f'{{"id":{chance.randint(1, 10**6)},"name":"{chance.choice(WORDS)} {chance.choice(WORDS)}"}}')
        length += len(items[-1]) + 1
    identity = exchange.id.text if exchange.id else "null"
    body = f'{{"jsonrpc":"2.0","id":{identity},"result":{{"content":[],"x":[{",".join(items)}],"m":"{mark}"}}}}'
    reply = Reply(WireResponse(200, "OK", (), body.encode()), timing=Timing(None, 1.0, 2.5))
    return replace(exchange, reply=reply, judgement=Judgement(Verdict.RESULT, "fine"))


def fill(path: Path, count: int) -> list[float]:
    """Fill a file; how long each begin with its finish took, in milliseconds (small answers)."""
    took = []
    with closing(History(path, REDACTOR)) as history:
        for number in range(1, count + 1):
            long = number % 100 == 50
            one = asked(number)
            done = answered(one, 750_000 if long else chance.randint(2000, 3000), f"needle-{number}-end")
            start = time.perf_counter()
            history.finish(replace(done, serial=history.begin(one)))
            if not long:
                took.append((time.perf_counter() - start) * 1000)
    return took


def index_all(path: Path) -> tuple[float, float]:
    """Seconds until all is indexed, and the longest piece in milliseconds."""
    longest, begun = 0.0, time.perf_counter()
    with closing(History(path, REDACTOR)) as history:
        while True:
            start = time.perf_counter()
            if not history.index_piece():
                break
            longest = max(longest, (time.perf_counter() - start) * 1000)
    return time.perf_counter() - begun, longest


def opening(path: Path) -> None:
    with closing(History(path, REDACTOR)) as history:
        history.recent(200)


def first_screen(history: History, text: str, hits: int = 50, seconds: float = 10.0) -> None:
    """Until so many hits are there, or all have been looked at; the explorer stops after 30 ms and goes on beside."""
    history.searching(parse_query(text, datetime.now(UTC)), automatic=False).take(hits, seconds)


def measures(count: int) -> dict[str, Callable[[History], object]]:
    middle = count // 2 + 1
    return {
        "first page": lambda history: history.recent(200),
        "page in the middle": lambda history: history.recent(200, before=middle),
        "exchange in the middle": lambda history: history.get(middle),
        "id (#)": lambda history: first_screen(history, f"#{middle}"),
        "text, frequent": lambda history: first_screen(history, "example"),
        "text, rare": lambda history: first_screen(history, f"needle-{middle}-end", 1),
        "tool and text": lambda history: first_screen(history, "tool:olv_tool_7 example"),
        "starred": lambda history: first_screen(history, "is:starred"),
        "verdict without a hit": lambda history: first_screen(history, "verdict:lost"),
        "text, absent (cut at 30 ms)": lambda history: first_screen(history, "absent-everywhere", 50, 0.03),
        "begin and finish": lambda history: history.finish(
            answered(replace(asked(0), serial=history.begin(asked(0))), 2000, "late")
        ),
    }


def rounds(work: Callable[[], object]) -> tuple[float, float]:
    took = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        took.append((time.perf_counter() - start) * 1000)
    return statistics.median(took), max(took)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="olv-history-", dir=options.folder))
    try:
        small, large = folder / "small.sqlite3", folder / "large.sqlite3"
        fill(small, 10)
        took = sorted(fill(large, options.count))
        size = large.stat().st_size
        print(f"{options.count:,} exchanges, {size / 1e9:.2f} GB; writing one: median {statistics.median(took):.2f} ms,"
              f" p95 {took[len(took) * 95 // 100]:.2f} ms, with building it")  # fmt: skip
        index_all(small)
        seconds, longest = index_all(large)
        print(f"indexed in {seconds:.0f} s, longest piece {longest:.0f} ms,"
              f" file now {large.stat().st_size / 1e9:.2f} GB")  # fmt: skip
        print(f"{'':<30} {'10':>8} {'worst':>8} {options.count:>10,} {'worst':>8}")
        pairs = {"opening and first page": (rounds(lambda: opening(small)), rounds(lambda: opening(large)))}
        with closing(History(small, REDACTOR)) as few, closing(History(large, REDACTOR)) as many:
            for name, work in measures(options.count).items():
                pairs[name] = (rounds(lambda work=work: work(few)), rounds(lambda work=work: work(many)))  # type: ignore[misc]
            for name, (one, other) in pairs.items():
                over = "  OVER" if other[0] > LIMIT_MS else ""
                print(f"{name:<30} {one[0]:>8.2f} {one[1]:>8.2f} {other[0]:>10.2f} {other[1]:>8.2f}{over}")
            start = time.perf_counter()
            rows = list(many.search("absent-everywhere"))
            print(f"looking through what is not indexed: {time.perf_counter() - start:.1f} s, {len(rows)} hits")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
