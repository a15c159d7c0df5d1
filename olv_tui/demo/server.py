"""The embedded demo server: an event loop in a thread of its own, listening on the loopback.

Rules of this file: it owns thread, loop and socket and nothing else; `start` raises in the caller's thread what
keeps it from listening; `stop` ends every call under way and gives the port back.

    with DemoServer() as server:
        print(server.url)  # http://127.0.0.1:41234/mcp
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import threading
from types import TracebackType
from typing import Protocol

from .. import __version__
from .protocol import Endpoint
from .wire import BadRequestError, Reader, Request, Wire, read_request

HOST = "127.0.0.1"
SLOW_SECONDS = 10.0
"""How long `olv_flaky {"mode":"slow"}` keeps its status line back."""


class Answering(Protocol):
    """What answers the requests: the demo's `Endpoint`, or another in its place.

    `path` is the path of its address; `idle` is set while nothing is under way.
    """

    idle: threading.Event

    @property
    def path(self) -> str:
        """The path of the address."""

    async def answer(self, request: Request, wire: Wire) -> None:
        """Answer one HTTP request."""


class DemoServer:
    """The demo as a server on 127.0.0.1.

    `mode` is "", "unlinked" (starts with no site linked) or "sessions" (the 2025 versions only, and nothing
    without a session); `port` 0 takes a free one; `version` is what serverInfo tells; `slow_seconds` is how
    long slow answers of olv_flaky take; `endpoint` answers in the demo's place where it is given. Raises ValueError
    for another mode.
    """

    def __init__(
        self,
        mode: str = "",
        port: int = 0,
        *,
        version: str = __version__,
        slow_seconds: float = SLOW_SECONDS,
        endpoint: Answering | None = None,
    ) -> None:
        self._endpoint: Answering = endpoint or Endpoint(mode, version, slow_seconds)
        self._wanted_port = port
        self._port: int | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._stopping: asyncio.Event | None = None
        self._connections: set[asyncio.Task[None]] = set()

    @property
    def url(self) -> str:
        """The address of the endpoint. Raises RuntimeError before the start."""
        if self._port is None:
            raise RuntimeError("the demo server has not been started")
        return f"http://{HOST}:{self._port}{self._endpoint.path}"

    @property
    def idle(self) -> threading.Event:
        """Set while no tool call is under way."""
        return self._endpoint.idle

    def start(self) -> None:
        """Listen, and serve in a daemon thread. Raises OSError where the port cannot be had."""
        if self._thread is not None:
            raise RuntimeError("the demo server can be started once")
        listener = _listen(self._wanted_port)
        self._port = listener.getsockname()[1]
        # The kernel queues connections from here on: nobody has to wait for the loop to begin.
        self._loop, self._stopping = asyncio.new_event_loop(), asyncio.Event()
        self._thread = threading.Thread(target=self._run, args=(listener,), name="olv-demo", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End every call, close every connection, give the port back. Can be called again, and without a start."""
        if self._thread is None or self._loop is None or self._stopping is None:
            return
        with contextlib.suppress(RuntimeError):  # the loop is closed: stopped before
            self._loop.call_soon_threadsafe(self._stopping.set)
        self._thread.join(timeout=5)

    def run_forever(self) -> None:
        """Start unless started, and serve until `stop` or ctrl+c."""
        if self._thread is None:
            self.start()
        assert self._thread is not None
        try:
            while self._thread.is_alive():
                self._thread.join(0.5)  # a time limit, since Windows delivers ctrl+c only between waits
        except KeyboardInterrupt:
            self.stop()

    def __enter__(self) -> DemoServer:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    # ----------------------------------------------------------------------- in the thread

    def _run(self, listener: socket.socket) -> None:
        assert self._loop is not None
        try:
            self._loop.run_until_complete(self._serve(listener))
        finally:
            self._loop.close()
            listener.close()

    async def _serve(self, listener: socket.socket) -> None:
        assert self._loop is not None
        assert self._stopping is not None
        server = await self._loop.create_server(self._protocol, sock=listener)
        await self._stopping.wait()
        server.close()
        for task in self._connections:
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)

    def _protocol(self) -> asyncio.StreamReaderProtocol:
        reader = Reader()

        def connected(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.ensure_future(self._connection(reader, writer))
            self._connections.add(task)
            task.add_done_callback(self._connections.discard)

        return asyncio.StreamReaderProtocol(reader, connected)

    async def _connection(self, reader: Reader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection, one after the other."""
        wire = Wire(reader, writer)
        try:
            while not wire.closed:
                try:
                    request = await read_request(reader, writer)
                except BadRequestError as bad:
                    body = f"{bad}\n".encode()
                    await wire.answer(bad.status, [("Content-Type", "text/plain; charset=utf-8")], body, keep=False)
                    break
                if request is None:
                    break
                await self._endpoint.answer(request, wire)
                if not request.keep_alive:
                    break
        except OSError:
            pass  # the client went away: nobody is left to be answered
        except asyncio.CancelledError:
            writer.transport.abort()
            raise
        finally:
            writer.close()


def _listen(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if os.name == "posix":
            # A port just given back can be taken at once. On Windows the option would mean sharing it.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((HOST, port))
        listener.listen(128)
        listener.setblocking(False)
    except OSError as error:
        listener.close()
        raise OSError(error.errno, f"port {port} of {HOST} cannot be used: {error.strerror}") from error
    return listener
