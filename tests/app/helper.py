"""The explorer on real servers: what the pilot tests share."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from textual.pilot import Pilot

from olv_tui.app import OlvApp
from olv_tui.demo.server import DemoServer
from olv_tui.history import History
from olv_tui.model import Era, Target
from olv_tui.redact import Redactor
from olv_tui.screens.launch import Core, Launch
from olv_tui.session import Session
from olv_tui.transport.http import HttpTransport
from tests import local_http
from tests.screen import screen_text, settled

if TYPE_CHECKING:
    from olv_tui.model import Exchange

WIDE = (140, 42)
NARROW = (80, 24)


class OlvPilot(Pilot[int]):
    """A pilot that knows what app it flies (for the type checker alone)."""

    app: OlvApp


def shown(app: OlvApp) -> Exchange | None:
    """The exchange in the answer pane."""
    return app.main.state.shown


@contextmanager
def demo(mode: str = "") -> Iterator[Target]:
    """The demo server, started for a test."""
    server = DemoServer(mode)
    server.start()
    try:
        yield Target("demo", server.url, demo=True, era=Era.AUTO)
    finally:
        server.stop()


def app_on(target: Target, history: Path | None = None, *, mode: str | None = "json", **kept: Any) -> OlvApp:
    """The explorer on a target, not yet running; None for the mode that a reader gets who sets none: a form."""

    def prepare() -> Core:
        redactor = Redactor(b"a key for tests", ("hunter2-hunter2",))
        store = History(history, redactor)
        return Core(target, Session(target, HttpTransport(), store), store, redactor)

    return OlvApp(Launch(target, prepare, mode=mode, local_time=lambda started: started[11:19]), **kept)


@asynccontextmanager
async def running(app: OlvApp, size: tuple[int, int] = WIDE) -> AsyncIterator[OlvPilot]:
    """The app in a pilot, connected and listed (or failed to), toasts and tooltips on."""
    async with app.run_test(size=size, notifications=True, tooltips=True) as pilot:
        await pilot.pause()
        await settled(pilot)
        await settled(pilot)
        yield cast(OlvPilot, pilot)
        await app.main.calls.close()


async def until(pilot: OlvPilot, text: str | Callable[[], bool], tries: int = 800) -> str:
    """Wait until the screen shows `text`, or the condition holds; gives the screen."""
    for _ in range(tries):
        await pilot.pause()
        screen = screen_text(pilot.app) if isinstance(text, str) else ""
        if text in screen if isinstance(text, str) else text():
            return screen or screen_text(pilot.app)
        await asyncio.sleep(0.02)
    raise AssertionError(f"never came: {text}\n{screen_text(pilot.app)}")


async def send(pilot: OlvPilot) -> str:
    """Press the send key and wait for the end of the call."""
    await pilot.press("ctrl+j")
    await settled(pilot)
    await settled(pilot)
    return screen_text(pilot.app)


async def pick(pilot: OlvPilot, name: str) -> None:
    """Choose a tool by the filter, as a user does; the focus is in the editor then."""
    await pilot.press("ctrl+o", "t", "slash")
    await pilot.press(*("underscore" if letter == "_" else letter for letter in name), "enter")
    await pilot.pause()


@contextmanager
def small_server(answer: Callable[[dict[str, Any]], Any], *, tools: list[dict[str, Any]]) -> Iterator[Target]:
    """A plain JSON-RPC server: lists `tools`, answers calls with `answer`; no handshake."""

    class Handler(local_http.Quiet, BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
            reply: dict[str, Any] = {"jsonrpc": "2.0", "id": asked.get("id")}
            if asked["method"] == "tools/list":
                reply["result"] = {"tools": tools}
            elif asked["method"] == "tools/call":
                reply["result"] = answer(asked["params"])
            else:
                reply["error"] = {"code": -32601, "message": "Method not found"}
            body = json.dumps(reply).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    with local_http.served(Handler) as host:
        yield Target("small", f"http://{host}/rpc")


def production(target: Target) -> Target:
    """The same target marked as production."""
    return replace(target, production=True)
