"""A server on loopback that keeps every request it gets, byte for byte."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler

from tests import local_http


@dataclass(frozen=True)
class Got:
    """One request as it came."""

    method: str
    target: str
    headers: tuple[tuple[str, str], ...]
    body: bytes


class Listener:
    """The running server; `got` are its requests, `answers` what it gives, the last one again and again."""

    def __init__(self) -> None:
        self.got: list[Got] = []
        self.answers: list[bytes] = [b'{"jsonrpc":"2.0","id":7,"result":{"content":[]}}']
        self.url = ""

    def take(self, got: Got) -> bytes:
        self.got.append(got)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


@contextmanager
def listening() -> Iterator[Listener]:
    """Serve on a free port of loopback."""
    listener = Listener()

    class Handler(local_http.Quiet, BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            # http.server reads headers as latin-1; on the wire they are UTF-8.
            headers = tuple((name, value.encode("latin-1").decode("utf-8")) for name, value in self.headers.items())
            answer = listener.take(Got(self.command, self.path, headers, body))
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        do_PUT = do_POST  # noqa: N815

    with local_http.served(Handler) as host:
        listener.url = f"http://{host}/mcp"
        yield listener
