"""The same call several times, until it changes, and on two targets."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from pathlib import Path

from olv_tui.model import Target
from tests.app.helper import app_on, production, running, send, small_server, until
from tests.screen import screen_text

TOOLS = [{"name": "probe", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True}}]


async def test_a_call_sent_several_times_is_tallied_and_kept_in_the_history(tmp_path: Path) -> None:
    numbers = count()
    with small_server(lambda _: {"content": [], "n": next(numbers) // 3}, tools=TOOLS) as target:
        async with running(app_on(target, tmp_path / "history")) as pilot:
            pilot.app.main.action_repeat()
            await until(pilot, "How often at most")
            await pilot.press("5", "enter")
            await until(pilot, "5 of 5 sent")
            screen = await until(pilot, "2 different answers, the most frequent 3 times")
            assert "result: 5 (100%)" in screen
            assert "p95" in screen
            await pilot.press("d")
            await until(pilot, "0 → 1")
            await pilot.press("escape")
            await until(pilot, "History 5")


async def test_a_series_is_bounded_and_esc_ends_it_between_two_sendings() -> None:
    with small_server(lambda _: {"content": []}, tools=TOOLS) as target:
        async with running(app_on(target)) as pilot:
            pilot.app.main.action_watch()
            await until(pilot, "every how many seconds")
            await pilot.press("0", "enter")
            await until(pilot, "Not begun: 1 to 1000 times")
            await pilot.press("backspace", "1", "0", "0", "enter")
            await until(pilot, "1 of 100 sent")
            await pilot.press("escape")
            await until(pilot, "It did not change")
            await pilot.press("escape")
            assert len(pilot.app.main.calls.running) == 0


async def test_a_watch_ends_when_the_answer_changes_and_says_when() -> None:
    numbers = count()
    with small_server(lambda _: {"content": [], "n": next(numbers)}, tools=TOOLS) as target:
        async with running(app_on(target)) as pilot:
            pilot.app.main.action_watch()
            await until(pilot, "every how many seconds")
            await pilot.press("tab", "1", "enter")
            await until(pilot, "Changed at")
            assert "sending 2" in screen_text(pilot.app)
            await pilot.press("d")
            await until(pilot, "/result/n")


async def test_a_series_on_a_production_target_is_asked_about_although_it_was_agreed_to_once() -> None:
    tools = [{"name": "probe", "inputSchema": {"type": "object"}}]
    with small_server(lambda _: {"content": []}, tools=tools) as target:
        async with running(app_on(production(target))) as pilot:
            await pilot.press("ctrl+j")
            await until(pilot, "Send this?")
            await pilot.press("enter")
            pilot.app.main.action_repeat()
            await until(pilot, "is sent several times")
            await pilot.press("escape")
            assert not pilot.app.main.calls.running, "nothing was begun"


async def test_the_same_call_on_two_targets_is_compared() -> None:
    with (
        small_server(lambda _: {"content": [{"type": "text", "text": "left"}]}, tools=TOOLS) as here,
        small_server(lambda _: {"content": [{"type": "text", "text": "right"}]}, tools=TOOLS) as there,
    ):
        app = app_on(here)
        async with running(app) as pilot:
            core = app.main.core
            assert core is not None
            app.main.core = replace(core, known={"staging": Target("staging", there.url)})
            app.main.action_beside()
            await until(pilot, "staging")
            await pilot.press("enter")
            screen = await until(pilot, "/result/content/0/text")
            assert '"left" → "right"' in screen
            assert "staging: result" in screen
            await pilot.press("escape")
            await send(pilot)
            assert app.main.core.target.url == here.url, "the target is the same as before"
