"""A small HTTP server on loopback for one test: a handler of `http.server`, run in threads and closed at the end."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Quiet(BaseHTTPRequestHandler):
    """Keeps connections and prints nothing."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def served(handler: type[Quiet]) -> Iterator[str]:
    """Serve with this handler on a free port; gives `127.0.0.1:PORT`."""
    http = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    http.daemon_threads = True
    http.handle_error = lambda *_: None  # type: ignore[method-assign]  # a client that hung up is no news
    threading.Thread(target=http.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield f"127.0.0.1:{http.server_address[1]}"
    finally:
        http.shutdown()
        http.server_close()
