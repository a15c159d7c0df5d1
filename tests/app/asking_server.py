"""A legacy server (2025-11-25) that asks things on the stream of a call before it answers."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any

from olv_tui.model import Target
from tests import local_http


@dataclass
class AskingServer:
    """Where it listens, and what was posted to it beside calls: the responses to its requests."""

    target: Target
    posted: list[bytes] = field(default_factory=list)
    arrived: threading.Condition = field(default_factory=threading.Condition)

    def answers(self) -> list[Any]:
        """The results that came, in the order of the requests."""
        read = [json.loads(body) for body in self.posted]
        return [one["result"] for one in sorted(read, key=lambda one: int(one["id"][2:])) if "result" in one]


@contextmanager
def asking_server(
    asks: Sequence[tuple[str, Any]],
    *,
    before: Sequence[dict[str, Any]] = (),
    standalone: Sequence[dict[str, Any]] | None = None,
    server_name: str = "asker",
) -> Iterator[AskingServer]:
    """One tool, `ask`. A call streams the messages `before`, all requests at once, and the result when all of them are
    answered. `standalone` are the messages of the stream that GET opens; None: 405.
    """
    done = threading.Event()

    class Handler(local_http.Quiet, BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if standalone is None:
                self._answer(405, b"")
                return
            self._begin_stream()
            for message in standalone:
                self._event(message)
            done.wait(20)

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            asked = json.loads(body)
            match asked.get("method"):
                case None:
                    with server.arrived:
                        server.posted.append(body)
                        server.arrived.notify_all()
                    self._answer(202, b"")
                case "initialize":
                    info = {"name": server_name, "version": "1"}
                    made = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": info}
                    self._result(asked, made)
                case "tools/list":
                    self._result(asked, {"tools": [{"name": "ask", "inputSchema": {"type": "object"}}]})
                case "tools/call":
                    self._call(asked)
                case method if method.startswith("notifications/"):
                    self._answer(202, b"")
                case _:
                    error = {"code": -32601, "message": "Method not found"}
                    self._answer(200, json.dumps({"jsonrpc": "2.0", "id": asked["id"], "error": error}).encode())

        def do_DELETE(self) -> None:
            self._answer(200, b"")

        def _call(self, asked: dict[str, Any]) -> None:
            self._begin_stream()
            for message in before:
                self._event(message)
            for number, (method, params) in enumerate(asks):
                self._event({"id": f"q-{number}", "method": method, **({} if params is None else {"params": params})})
            with server.arrived:
                server.arrived.wait_for(lambda: len(server.posted) >= len(asks), 20)
            self._event({"id": asked["id"], "result": {"content": [{"type": "text", "text": "Thank you."}]}})
            self.wfile.write(b"0\r\n\r\n")

        def _begin_stream(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.send_header("transfer-encoding", "chunked")
            self.end_headers()

        def _event(self, message: dict[str, Any]) -> None:
            data = b"data: " + json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n\n"
            self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))
            self.wfile.flush()

        def _result(self, asked: dict[str, Any], result: dict[str, Any]) -> None:
            self._answer(200, json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}).encode())

        def _answer(self, status: int, body: bytes) -> None:
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    with local_http.served(Handler) as host:
        server = AskingServer(Target("asker", f"http://{host}/mcp"))
        try:
            yield server
        finally:
            done.set()
