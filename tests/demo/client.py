"""A client of the demo server made of http.client and raw sockets: none of the project's own transport is in it."""

from __future__ import annotations

import http.client
import json
import re
import socket
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from olv_tui.demo.server import DemoServer

MODERN = "2026-07-28"
META = "io.modelcontextprotocol/"
DEMO_META = {"example.olv-tui/demo": True}
SERVER_INFO = f"{META}serverInfo"


@dataclass(frozen=True)
class Answer:
    """One HTTP answer. `body` is without transfer coding."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def events(self) -> list[Any]:
        """The messages of an event stream."""
        blocks = self.body.decode().split("\n\n")
        assert blocks.pop() == "", "the stream ends with a blank line"
        return [json.loads(re.fullmatch(r"event: message\ndata: (.*)", block)[1]) for block in blocks]  # type: ignore[index]

    @property
    def is_stream(self) -> bool:
        return self.headers["content-type"] == "text/event-stream"

    @property
    def message(self) -> Any:
        """The response, wherever it stands."""
        return self.events[-1] if self.is_stream else self.json


class Client:
    """Speaks to a demo server, each request on a connection of its own."""

    def __init__(self, server: DemoServer) -> None:
        self.address = (str(urlsplit(server.url).hostname), int(urlsplit(server.url).port or 0))

    def http(
        self, method: str, body: bytes | str | None = None, headers: dict[str, str] | None = None, path: str = "/mcp"
    ) -> Answer:
        with closing(http.client.HTTPConnection(*self.address, timeout=10)) as connection:
            data = body.encode() if isinstance(body, str) else body
            connection.request(method, path, data, headers or {})
            response = connection.getresponse()
            names = {name.lower(): value for name, value in response.getheaders()}
            return Answer(response.status, names, response.read())

    def post(self, message: object, headers: dict[str, str] | None = None) -> Answer:
        body = message if isinstance(message, bytes | str) else json.dumps(message)
        return self.http("POST", body, {"Content-Type": "application/json", **(headers or {})})

    def call(
        self, name: str, arguments: object = None, *, headers: dict[str, str] | None = None, **meta: Any
    ) -> Answer:
        """A bare tools/call with the id 1."""
        return self.post(call_message(name, arguments, **meta), headers)

    def result(self, name: str, arguments: object = None) -> Any:
        """The result of a bare call, without the mark of the demo, which must be there."""
        return unmarked(self.call(name, arguments).message["result"])

    def modern(
        self,
        method: str,
        params: dict[str, Any] | None = None,
        *,
        headers: dict[str, str | None] | None = None,
        meta: dict[str, Any] | None = None,
    ) -> Answer:
        """A sound request of 2026-07-28, but for the `headers` and `_meta` members given (None leaves one out)."""
        own = {f"{META}protocolVersion": MODERN, f"{META}clientCapabilities": {}, **(meta or {})}
        params = {**(params or {}), "_meta": {key: value for key, value in own.items() if value is not None}}
        names: dict[str, str | None] = {"MCP-Protocol-Version": MODERN, "Mcp-Method": method}
        if "name" in params:
            names["Mcp-Name"] = params["name"]
        names |= headers or {}
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        return self.post(message, {key: value for key, value in names.items() if value is not None})

    def initialize(self, version: str = "2025-11-25", capabilities: dict[str, Any] | None = None) -> dict[str, str]:
        """Shake hands and give the headers of the session."""
        params = {"protocolVersion": version, "capabilities": capabilities or {}, "clientInfo": {"name": "t"}}
        answer = self.post({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params})
        headers = {"Mcp-Session-Id": answer.headers["mcp-session-id"]}
        told = self.post({"jsonrpc": "2.0", "method": "notifications/initialized"}, headers)
        assert (told.status, told.body) == (202, b"")
        return headers

    @contextmanager
    def open_call(self, message: object, headers: dict[str, str] | None = None) -> Iterator[RawStream]:
        """A request whose answer is read piece by piece."""
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        lines = "".join(f"{name}: {value}\r\n" for name, value in (headers or {}).items())
        head = f"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n{lines}\r\n"
        with socket.create_connection(self.address, timeout=10) as connection:
            connection.sendall(head.encode() + body)
            yield RawStream(connection)

    def raw(self, data: bytes) -> bytes:
        """Send bytes, read to the end of the connection."""
        with socket.create_connection(self.address, timeout=10) as connection:
            connection.sendall(data)
            return RawStream(connection).rest()


class RawStream:
    """What comes on a connection."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.seen = b""

    def until(self, mark: bytes) -> bytes:
        """Read until `mark` has come; everything read so far. Fails where the connection ends first."""
        while mark not in self.seen:
            piece = self.connection.recv(65536)
            assert piece, f"the connection ended before {mark!r}: {self.seen!r}"
            self.seen += piece
        return self.seen

    def rest(self) -> bytes:
        """Everything up to the end of the connection."""
        try:
            while piece := self.connection.recv(65536):
                self.seen += piece
        except ConnectionResetError:
            pass
        return self.seen


def call_message(name: str, arguments: object = None, request_id: object = 1, **meta: Any) -> dict[str, Any]:
    """A tools/call message."""
    params: dict[str, Any] = {"name": name, "arguments": {} if arguments is None else arguments}
    if meta:
        params["_meta"] = meta
    return {"jsonrpc": "2.0", "id": request_id, "method": "tools/call", "params": params}


def unmarked(result: dict[str, Any]) -> dict[str, Any]:
    """A result without its `_meta`, which must say that it is a demo's."""
    rest = dict(result)
    meta = rest.pop("_meta")
    assert meta["example.olv-tui/demo"] is True
    return rest


def wait_until_busy(server: DemoServer) -> None:
    """Wait until a tool call is under way."""
    deadline = time.monotonic() + 10
    while server.idle.is_set():
        assert time.monotonic() < deadline, "no call came"
        time.sleep(0.001)
