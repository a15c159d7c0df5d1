"""A plain JSON-RPC 2.0 server for tests: no MCP, no list of tools; positions, names, notifications, batches."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any

from olv_tui.model import Target
from tests import local_http


@dataclass
class Plain:
    """The running server: its address and every body with its headers as they came."""

    url: str
    bodies: list[bytes] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)

    @property
    def target(self) -> Target:
        return Target("plain", self.url)


def answer(asked: Any) -> dict[str, Any] | None:
    """The response to one message, None for a notification."""
    if not isinstance(asked, dict) or asked.get("jsonrpc") != "2.0" or not isinstance(asked.get("method"), str):
        return {"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "Invalid Request"}}
    if "id" not in asked:
        return None
    reply: dict[str, Any] = {"jsonrpc": "2.0", "id": asked["id"]}
    params = asked.get("params")
    if asked["method"] == "subtract" and isinstance(params, list):
        reply["result"] = params[0] - params[1]
    elif asked["method"] == "subtract" and isinstance(params, dict):
        reply["result"] = params["minuend"] - params["subtrahend"]
    elif asked["method"] in ("ping", "echo"):
        reply["result"] = params
    else:
        reply["error"] = {"code": -32601, "message": "Method not found"}
    return reply


@contextmanager
def plain_server() -> Iterator[Plain]:
    """Run it on loopback."""

    class Handler(local_http.Quiet, BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            running.bodies.append(body)
            running.headers.append({name.lower(): value for name, value in self.headers.items()})
            try:
                asked = json.loads(body)
            except ValueError:
                self._send({"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "Parse error"}})
                return
            if isinstance(asked, list) and asked:
                self._send([one for one in map(answer, asked) if one is not None])
            else:
                self._send(answer(asked))

        def _send(self, value: Any) -> None:
            text = b"" if value is None else json.dumps(value).encode()
            self.send_response(200 if text else 204)
            if text:
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

    with local_http.served(Handler) as host:
        running = Plain(f"http://{host}/rpc")
        yield running
