"""Writes the pictures of the README: drives the explorer on its demo and saves SVG and PNG beside this file.

    python screenshots/make.py [--fonts DIR]

Same input, same output: the clock, the ids, the durations and the port are fixed, so a picture changes only when
the screen does. PNGs are made by resvg from the SVG; they want the fonts Fira Code and Noto Color Emoji (packages
fonts-firacode and fonts-noto-color-emoji on Debian); without Fira Code the SVGs alone are written.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from olv_tui.app import OlvApp
from olv_tui.demo.server import DemoServer
from olv_tui.history import History
from olv_tui.model import Reply, Target, Timing, WireRequest
from olv_tui.redact import Redactor
from olv_tui.screens.launch import Core, Launch
from olv_tui.session import Session
from olv_tui.transport.base import Arrived, OnFrame
from olv_tui.transport.http import HttpTransport

if TYPE_CHECKING:
    from textual.pilot import Pilot

HERE = Path(__file__).resolve().parent
PORT = 8808
CLOCK = "2026-12-02T09:30:00.000Z"
DURATION = Timing(connect_ms=None, first_byte_ms=3.2, total_ms=4.0)
WIDE, NARROW = (140, 42), (80, 24)


class FixedTimes:
    """A transport that goes over the real wire and tells the same durations every time."""

    def __init__(self) -> None:
        self._real = HttpTransport()

    async def exchange(
        self,
        request: WireRequest,
        *,
        timeout: float,  # noqa: ASYNC109  the seam of transport.base
        cancel: asyncio.Event | None = None,
        on_frame: OnFrame | None = None,
        on_progress: Callable[[Arrived], None] | None = None,
    ) -> Reply:
        """Exchange, then replace what a clock measured."""
        reply = await self._real.exchange(
            request, timeout=timeout, cancel=cancel, on_frame=on_frame, on_progress=on_progress
        )
        response = reply.response
        if response is not None:
            frames = tuple(replace(frame, at_ms=float(number)) for number, frame in enumerate(response.frames, 1))
            response = replace(response, frames=frames)
        return replace(reply, response=response, timing=DURATION)

    async def aclose(self) -> None:
        """Give back the connection."""
        await self._real.aclose()


@asynccontextmanager
async def explorer(size: tuple[int, int]) -> AsyncIterator[Pilot[int]]:
    """The explorer on a fresh demo, connected and listed."""
    with DemoServer(port=PORT) as server:
        target = Target("demo", server.url, demo=True)

        def prepare() -> Core:
            redactor = Redactor(b"pictures")
            history = History(None, redactor)
            return Core(target, Session(target, FixedTimes(), history, now=lambda: CLOCK), history, redactor)

        app = OlvApp(Launch(target, prepare, local_time=lambda started: started[11:19]))
        async with app.run_test(size=size) as pilot:
            await rest(pilot)
            yield pilot
            await app.main.calls.close()


async def rest(pilot: Pilot[int]) -> None:
    """Wait until nothing is under way any more."""
    from textual.worker import WorkerCancelled

    for _ in range(3):
        with suppress(WorkerCancelled):
            await pilot.app.workers.wait_for_complete()
        await pilot.pause()


async def fill(pilot: Pilot[int], tool: str, *values: str) -> None:
    """Choose a tool by the filter and type values into the first fields of its form."""
    await pilot.press("escape", "escape", "slash", *letters(tool), "enter")
    await pilot.pause()
    for value in values:
        await pilot.press(*letters(value), "enter")
    await rest(pilot)


async def call(pilot: Pilot[int], tool: str, *values: str) -> None:
    """The same, and send it."""
    await fill(pilot, tool, *values)
    await pilot.press("ctrl+j")
    await rest(pilot)


def letters(text: str) -> list[str]:
    """A text as keys."""
    names = {"_": "underscore", ".": "full_stop", " ": "space"}
    return [names.get(letter, letter) for letter in text]


async def pictures(fonts: Path) -> None:
    """All pictures, in the order of the README."""
    async with explorer(WIDE) as pilot:
        save(pilot, "first", fonts)
        await pilot.press("ctrl+j")
        await rest(pilot)
        save(pilot, "success", fonts)
        await call(pilot, "olv_diagnose")
        save(pilot, "rpc-error", fonts)
        await call(pilot, "olv_site_status", "helpbless.com")
        save(pilot, "not-linked", fonts)
    async with explorer(WIDE) as pilot:
        await fill(pilot, "olv_search", "lantern", "5")
        await pilot.press("enter", "enter")  # the first alternative of the filter
        await rest(pilot)
        await pilot.press("down", *letters("harbour"))
        await rest(pilot)
        save(pilot, "form", fonts)
    async with explorer(NARROW) as pilot:
        await call(pilot, "olv_site_status", "helpbless.com")
        save(pilot, "narrow", fonts)


def save(pilot: Pilot[int], name: str, fonts: Path) -> None:
    """Write one picture as SVG, and as PNG where the font is there."""
    svg = pilot.app.export_screenshot(title="olv-tui")
    (HERE / f"{name}.svg").write_text(svg, "utf-8")
    if not any(fonts.rglob("FiraCode*")):
        sys.stderr.write(f"no Fira Code below {fonts}: {name}.png is left as it was\n")
        return
    import resvg_py

    png = resvg_py.svg_to_bytes(svg_string=svg, font_dirs=[str(fonts)], font_family="Fira Code", width=1400)
    (HERE / f"{name}.png").write_bytes(bytes(png))


def main() -> None:
    """Read the options and make the pictures."""
    parser = argparse.ArgumentParser(description="Rewrite the pictures of the README.")
    parser.add_argument("--fonts", type=Path, default=Path("/usr/share/fonts"), help="where Fira Code is")
    os.environ["TEXTUAL_ANIMATIONS"] = "none"
    asyncio.run(pictures(parser.parse_args().fonts))


if __name__ == "__main__":
    main()
