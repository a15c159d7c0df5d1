"""What a newcomer ran into: sentences that stayed too long, answers of others, drafts that were gone."""

from __future__ import annotations

import pytest
from textual.widgets import Input

from olv_tui.app import OlvApp
from olv_tui.model import Target
from tests.app.helper import NARROW, WIDE, app_on, demo, pick, running, send, shown, until
from tests.screen import screen_text, settled, widget_text

SIZES = pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])


def arguments(app: OlvApp) -> str:
    return app.main.editor.document.arguments


# --------------------------------------------------------------------------- filters without a hit


@SIZES
async def test_enter_in_a_filter_without_a_hit_stays_there_and_says_so(size: tuple[int, int]) -> None:
    with demo() as target:
        async with running(app_on(target), size) as pilot:
            await pilot.press("slash", *"zzz", "enter")
            screen = await until(pilot, "nothing was chosen")
            assert "No tool fits" in screen
            assert isinstance(pilot.app.focused, Input)


async def test_enter_in_a_filter_before_the_list_has_come_stays_there_and_says_so() -> None:
    app = app_on(Target("nowhere", "http://127.0.0.1:9/mcp", timeout=5))
    async with running(app) as pilot:
        await pilot.press("slash", *"olv", "enter")
        await until(pilot, "nothing was chosen")
        assert isinstance(app.focused, Input)


@SIZES
async def test_a_send_key_over_a_filter_without_a_hit_does_not_send_the_hidden_tool(size: tuple[int, int]) -> None:
    with demo() as target:
        async with running(app_on(target), size) as pilot:
            await pilot.press("slash", *"zzz", "ctrl+j")
            await until(pilot, "Not sent: no tool is chosen")
            await settled(pilot)
            assert shown(pilot.app) is None
            await pilot.press("escape", "ctrl+j")
            await until(pilot, lambda: shown(pilot.app) is not None)


# --------------------------------------------------------------------------- what is told of a text


async def test_not_sent_is_told_of_the_text_and_the_tool_shown_and_no_longer() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            app = pilot.app
            said = lambda: "Not sent" in widget_text(app.main.editor)  # noqa: E731
            await pilot.press("enter", "end", "x", "ctrl+j")
            await until(pilot, said)
            await pilot.press("backspace")  # the text it began with
            await until(pilot, lambda: not said())
            assert "✓ JSON" in widget_text(app.main.editor)
            await pilot.press("x", "ctrl+j")
            await until(pilot, said)
            await pilot.press("escape", "down")
            await until(pilot, lambda: not said())
            assert "✓ JSON" in widget_text(app.main.editor)


async def test_what_was_told_of_a_text_is_over_once_it_is_sent() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            editor = pilot.app.main.editor
            editor.tell("A secret is masked in this text.")
            await until(pilot, "A secret is masked")
            await send(pilot)
            assert "A secret is masked" not in screen_text(pilot.app)


async def test_a_refusal_is_seen_where_the_editor_is_not() -> None:
    with demo() as target:
        async with running(app_on(target), NARROW) as pilot:
            await pick(pilot, "olv_today")
            pilot.app.main.editor.replace_text("{")
            await pilot.press("escape", "ctrl+j")
            assert pilot.app.main.front == "tools"
            await until(pilot, "Not sent, no JSON")
