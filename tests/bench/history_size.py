"""What a history of 100,000 exchanges costs, against one of 10: open, scroll, find by id and by text, write.

    python tests/bench/history_size.py [--exchanges 100000] [--kilobytes 10] [--folder DIR] [--keep]

Both files are made by the history itself in a folder of its own (removed afterwards), and measured in one run. Times
are milliseconds: best and 95th percentile of the repetitions. The wanted figures are 50 ms each, and an opening that
takes no longer than that of the small file, give or take what the machine is busy with.
"""

from __future__ import annotations

import argparse
import random
import shutil
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from itertools import islice
from pathlib import Path

from olv_tui.history import History
from olv_tui.model import (
    Exchange,
    Judgement,
    Object,
    Outgoing,
    Reply,
    RequestId,
    Timing,
    Verdict,
    WireRequest,
    WireResponse,
)
from olv_tui.redact import Redactor

REPEATS = 15
WORDS = [f"{one}{other}" for one in ("sea", "stone", "lamp", "cloud", "field") for other in ("side", "light", "ward")]


def exchange(number: int, kilobytes: float, luck: random.Random) -> Exchange:
    """An answered call with a body of words."""
    out = Outgoing("request", RequestId(str(number)), "tools/call", f"tool_{number % 40}", (RequestId(str(number)),))
    asked = f'{{"jsonrpc":"2.0","id":{number},"method":"tools/call","params":{{"name":"tool_{number % 40}"}}}}'
    words = " ".join(luck.choices(WORDS, k=int(kilobytes * 125)))
    body = f'{{"jsonrpc":"2.0","id":{number},"result":{{"content":[{{"type":"text","text":"{words} n{number}x"}}]}}}}'
    wire = WireRequest("http://h/mcp", (("content-type", "application/json"),), asked.encode())
    reply = Reply(WireResponse(200, "OK", (), body.encode()), timing=Timing(None, 1.0, 2.0))
    judgement = Judgement(Verdict.RESULT, "fine", message=Object(), has_message=False)
    return Exchange(0, "http://h/mcp", out, wire, "2026-12-02T08:00:00.000Z", reply=reply, judgement=judgement)


def made(path: Path, count: int, kilobytes: float) -> list[float]:
    """Fill a file; the milliseconds that each of the last thousand exchanges took to be kept."""
    luck, took = random.Random(1), []
    with closing(History(path, Redactor(b"bench"))) as history:
        for number in range(1, count + 1):
            one = exchange(number, kilobytes, luck)
            start = time.perf_counter()
            serial = history.begin(replace(one, reply=None, judgement=None))
            history.finish(replace(one, serial=serial))
            took.append((time.perf_counter() - start) * 1000)
        while history.index_piece():
            pass
    return took[-1000:]


def times(work: Callable[[], object]) -> str:
    """Best and 95th percentile in milliseconds."""
    took = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        work()
        took.append((time.perf_counter() - start) * 1000)
    took.sort()
    return f"{took[0]:8.2f} {took[int(len(took) * 0.95)]:8.2f}"


def measured(path: Path, count: int) -> dict[str, str]:
    """Every figure of one file."""

    def opened() -> None:
        with closing(History(path, Redactor(b"bench"))) as history:
            history.recent(100)

    found = {"open, first page": times(opened)}
    with closing(History(path, Redactor(b"bench"))) as history:
        middle = count // 2
        found["scroll, a page in the middle"] = times(lambda: history.recent(100, before=middle))
        found["find by id"] = times(lambda: history.rows_by_id(str(middle)))
        found["read an exchange"] = times(lambda: history.get(middle))
        found["text, common word"] = times(lambda: list(islice(history.search("seaside"), 50)))
        found["text, one hit"] = times(lambda: list(islice(history.search(f"n{middle}x"), 50)))
        found["text, none"] = times(lambda: list(islice(history.search("nowhere-in-it"), 50)))
    return found


def main() -> None:
    """Make both files, measure both, say both."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--exchanges", type=int, default=100_000)
    parser.add_argument("--kilobytes", type=float, default=10)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(dir=options.folder, prefix="olv-history-"))
    try:
        files = {count: folder / f"{count}.sqlite3" for count in (10, options.exchanges)}
        for count, path in files.items():
            took = sorted(made(path, count, options.kilobytes))
            size = sum(one.stat().st_size for one in folder.glob(f"{count}.sqlite3*")) / 1e6
            print(f"{count:,} exchanges, {size:,.0f} MB; kept in {took[int(len(took) * 0.95)]:.2f} ms (p95)")
        small, large = (measured(path, count) for count, path in files.items())
        print(f"{'':32}{'10: best      p95':>18}{f'{options.exchanges:,}: best      p95':>28}")
        for name, figure in small.items():
            print(f"{name:32}{figure:>18}{large[name]:>28}")
    finally:
        if not options.keep:
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()
