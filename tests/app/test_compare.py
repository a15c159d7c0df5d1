"""Two answers held against each other on the screen, and exchanges written for others."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path

import pytest

from olv_tui.reports.read import read_report
from tests.app.helper import NARROW, WIDE, app_on, running, send, shown, small_server, until
from tests.screen import screen_text

TOOLS = [{"name": "probe", "inputSchema": {"type": "object"}}]


async def test_d_compares_with_the_call_before_and_two_rows_of_the_history() -> None:
    numbers = count(1)
    with small_server(lambda _: {"content": [], "n": next(numbers)}, tools=TOOLS) as target:
        async with running(app_on(target)) as pilot:
            for _ in range(3):
                await send(pilot)
            await pilot.press("ctrl+o", "a", "d")
            await until(pilot, "/result/n")
            assert "2 → 3" in screen_text(pilot.app)
            await pilot.press("escape")
            await pilot.press("ctrl+o", "h", "d", "down", "down", "d")
            await until(pilot, "1 → 3")
            await pilot.press("X")
            await until(pilot, "Nothing differs")
            await pilot.press("u")
            await until(pilot, "1 → 3")


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
async def test_e_writes_a_report_that_reads_back_and_writes_over_no_file(
    size: tuple[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with small_server(lambda _: {"content": [{"type": "text", "text": "ok"}]}, tools=TOOLS) as target:
        async with running(app_on(target), size) as pilot:
            await send(pilot)
            exchange = shown(pilot.app)
            assert exchange is not None
            assert exchange.id is not None
            name = f"probe-{exchange.id.text}.md"
            (tmp_path / name).write_text("mine")
            await pilot.press("ctrl+o", "a", "e")
            await until(pilot, "What was sent")
            await pilot.press("s")
            await until(pilot, name.replace(".md", "-2.md"))
            await pilot.press("enter")
            await until(pilot, "Written:")
            assert (tmp_path / name).read_text() == "mine"
            found = read_report((tmp_path / name.replace(".md", "-2.md")).read_text())
            assert found.calls[0].body == exchange.request.body
            await pilot.press("e", "2")
            await until(pilot, "curl")
            await pilot.press("y")
            await until(pilot, lambda: "curl" in pilot.app.clipboard)
            assert json.loads(read_report(pilot.app.clipboard).calls[0].body) == json.loads(exchange.request.body)
