"""Cassettes for tests: recorded from real servers, written by hand, and played."""

from __future__ import annotations

import base64
import json
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from olv_tui.cassette import lines
from olv_tui.cassette.player import Player
from olv_tui.cassette.recorder import Recorder, Taping, head_of
from olv_tui.cassette.tape import Tape
from olv_tui.demo.server import DemoServer
from olv_tui.history import History
from olv_tui.model import Era, Target
from olv_tui.redact import Redactor
from olv_tui.session import Session
from olv_tui.transport.http import HttpTransport

REDACTOR = Redactor(b"a key for tests")
URL = "http://recorded.test/mcp"


class Told(list[str]):
    """Sentences that were told."""

    def __call__(self, sentence: str) -> None:
        self.append(sentence)


async def converse(target: Target, work: Callable[[Session], Awaitable[Any]], tape: Path | None = None) -> Any:
    """Do something with a session, recorded where a tape is named."""
    history = History(None, REDACTOR)
    recorder = Recorder(tape, head_of(target, REDACTOR), REDACTOR) if tape else None
    journal = Taping(history, recorder, Told()) if recorder else history
    session = Session(target, HttpTransport(), journal)
    try:
        return await work(session)
    finally:
        await session.close()
        history.close()
        if recorder:
            recorder.close()


@contextmanager
def playing(path: Path, told: Told | None = None, *, speed: float = 0) -> Iterator[Target]:
    """A played cassette as a target."""
    tape = Tape(path, told if told is not None else Told())
    server = DemoServer(endpoint=Player(tape, REDACTOR, told if told is not None else Told(), speed=speed))
    with server:
        yield Target("played", server.url, era=tape.head.era, timeout=10)
    tape.close()


def request(number: int = 1, method: str = "tools/call", params: Any = None) -> dict[str, Any]:
    """A request as a line holds it."""
    body = {"jsonrpc": "2.0", "id": number, "method": method, "params": params or {"name": "t", "arguments": {}}}
    return {"method": "POST", "url": URL, "headers": [], "body": json.dumps(body)}


def response(body: str | bytes, *headers: tuple[str, str], status: int = 200, **more: Any) -> dict[str, Any]:
    """An answer as a line holds it; headers are those given and a Content-Length where none is."""
    data = body.encode() if isinstance(body, str) else body
    framed = any(name.lower() in ("content-length", "transfer-encoding") for name, _ in headers)
    length = [] if framed else [("Content-Length", str(len(data)))]
    try:
        told: dict[str, Any] = {"body": data.decode()}
    except UnicodeDecodeError:
        told = {"body_base64": base64.b64encode(data).decode()}
    return {"status": status, "reason": "OK", "headers": [*headers, *length], **told, **more}


def write(path: Path, *exchanges: dict[str, Any] | bytes, era: Era = Era.BARE) -> Path:
    """A cassette of lines written by hand, without keys."""
    head = lines.head_line(lines.Head("made", URL, era, ""))
    rest = [item if isinstance(item, bytes) else json.dumps(item).encode() + b"\n" for item in exchanges]
    path.write_bytes(head + b"".join(rest))
    return path
