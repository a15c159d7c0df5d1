"""What a warm call costs above bare httpx, which is the promise of transport/http.py: at most 1.25 times.

Run it as `python tests/bench/warm_call.py [CALLS]`. A loopback server of raw asyncio answers; calls through
`HttpTransport.exchange` and through `httpx.AsyncClient.post` take turns in one run, so that a busy machine
hurts both alike. Printed: median and best of each in microseconds, and the ratios.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import httpx

from olv_tui.model import WireRequest
from olv_tui.transport.http import HttpTransport

BODY = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"olv_list_worlds","arguments":{}}}'
ANSWER = b'{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"ok"}]}}'
HEADERS = (
    ("Content-Type", "application/json"),
    ("Accept", "application/json, text/event-stream"),
    ("User-Agent", "olv-tui"),
)
WARM_UP = 20


class Answerer(asyncio.Protocol):
    """Answers each request as soon as its last byte is there."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._buffer = b""

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if self._buffer.endswith(BODY):
            self._buffer = b""
            head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(ANSWER)
            self._transport.write(head + ANSWER)


async def measure(calls: int) -> tuple[list[float], list[float]]:
    """Microseconds of every call: through the transport, and bare."""
    server = await asyncio.get_running_loop().create_server(Answerer, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/mcp"
    ours: list[float] = []
    bare: list[float] = []
    transport = HttpTransport()
    cancel = asyncio.Event()
    async with httpx.AsyncClient() as client:
        for _ in range(calls + WARM_UP):
            start = time.perf_counter()
            reply = await transport.exchange(WireRequest(url, HEADERS, BODY), timeout=30, cancel=cancel)
            between = time.perf_counter()
            response = await client.post(url, content=BODY, headers=HEADERS)
            end = time.perf_counter()
            assert reply.response is not None
            assert reply.response.body == response.content == ANSWER
            ours.append((between - start) * 1e6)
            bare.append((end - between) * 1e6)
    await transport.aclose()
    server.close()
    return ours[WARM_UP:], bare[WARM_UP:]


def main() -> None:
    """Print the table."""
    calls = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    ours, bare = asyncio.run(measure(calls))
    print(f"{calls} calls in turn   median us   best us")
    for name, times in (("HttpTransport.exchange", ours), ("httpx.AsyncClient.post", bare)):
        print(f"{name:22} {statistics.median(times):9.0f} {min(times):9.0f}")
    print(f"{'ratio':22} {statistics.median(ours) / statistics.median(bare):9.2f} {min(ours) / min(bare):9.2f}")


if __name__ == "__main__":
    main()
