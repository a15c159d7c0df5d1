"""What a warm call costs above bare httpx: the transport alone, and a whole call with its journal and verdict.

Run it as `python tests/bench/warm_call.py [CALLS]`. A loopback server of raw asyncio answers; three ways to call
take turns in one run, so that a busy machine hurts all alike: `httpx.AsyncClient.post`,
`HttpTransport.exchange`, and `Session.call` with a history in memory (two writes, redaction, the judge).
Printed: median and best of each in microseconds, and the ratios. Compare best with best.
"""

from __future__ import annotations

import asyncio
import gc
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import httpx

from olv_tui.history import History
from olv_tui.model import Era, Target, WireRequest
from olv_tui.redact import Redactor
from olv_tui.session import Session
from olv_tui.transport.http import HttpTransport

BODY = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"olv_list_worlds","arguments":{}}}'
HEADERS = (
    ("Content-Type", "application/json"),
    ("Accept", "application/json, text/event-stream"),
    ("User-Agent", "olv-tui"),
)
WARM_UP = 20
LIMIT = 1.25
"""How much longer a call through the transport may take than bare httpx, best against best."""


class Answerer(asyncio.Protocol):
    """Answers each request as soon as its last byte is there, with the id that was asked."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._buffer = b""

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        _, found, body = self._buffer.partition(b"\r\n\r\n")
        if not found or not body.endswith(b"}}}"):
            return
        self._buffer = b""
        identity = body.partition(b'"id":')[2].partition(b",")[0]
        answer = b'{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"ok"}]}}' % identity
        start = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(answer)
        self._transport.write(start + answer)


async def measure(calls: int) -> dict[str, list[float]]:
    """Microseconds of every call, by the way it went."""
    server = await asyncio.get_running_loop().create_server(Answerer, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/mcp"
    transport, journal = HttpTransport(), History(None, Redactor(b"a key for the bench"))
    session = Session(Target("bench", url, era=Era.BARE), HttpTransport(), journal)
    cancel = asyncio.Event()
    async with httpx.AsyncClient() as client:

        async def bare() -> None:
            response = await client.post(url, content=BODY, headers=HEADERS)
            assert response.content

        async def exchange() -> None:
            reply = await transport.exchange(WireRequest(url, HEADERS, BODY), timeout=30, cancel=cancel)
            assert reply.response is not None

        async def call() -> None:
            exchange = await session.call("olv_list_worlds", "{}", cancel=cancel)
            assert exchange.verdict == "result", exchange.judgement

        ways: dict[str, Callable[[], Awaitable[None]]] = {
            "httpx.AsyncClient.post": bare,
            "HttpTransport.exchange": exchange,
            "Session.call": call,
        }
        times: dict[str, list[float]] = {name: [] for name in ways}
        gc.collect()
        for _ in range(calls + WARM_UP):
            for name, way in ways.items():
                start = time.perf_counter()
                await way()
                times[name].append((time.perf_counter() - start) * 1e6)
    await session.close()
    await transport.aclose()
    journal.close()
    server.close()
    return {name: taken[WARM_UP:] for name, taken in times.items()}


def main() -> int:
    """Print the table; exit code 1 where the limit is broken."""
    calls = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    times = asyncio.run(measure(calls))
    bare = times["httpx.AsyncClient.post"]
    print(f"{calls} calls of each in turn  median us   best us   ratios to bare httpx")
    for name, taken in times.items():
        ratios = f"{statistics.median(taken) / statistics.median(bare):6.2f} {min(taken) / min(bare):6.2f}"
        print(f"{name:24} {statistics.median(taken):11.0f} {min(taken):9.0f}   {ratios}")
    return 0 if min(times["HttpTransport.exchange"]) <= LIMIT * min(bare) else 1


if __name__ == "__main__":
    sys.exit(main())
