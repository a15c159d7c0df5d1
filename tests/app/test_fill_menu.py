"""Filling the arguments from a menu, and saving them under a name."""

from __future__ import annotations

import json
from pathlib import Path

from tests.app.helper import OlvPilot, app_on, demo, pick, running, send, until


def arguments(pilot: OlvPilot) -> object:
    return json.loads(pilot.app.main.editor.document.arguments)


async def test_arguments_are_filled_saved_and_offered_again_after_a_new_start(tmp_path: Path) -> None:
    history = tmp_path / "history.sqlite3"
    with demo() as target:
        async with running(app_on(target, history, mode=None)) as pilot:
            await pick(pilot, "olv_search")
            await pilot.press("f6", *"required", "enter")
            await until(pilot, "Filled: Required only")
            filled = arguments(pilot)
            assert isinstance(filled, dict)
            assert set(filled) == {"query"}
            await pilot.press("f6", *"nothing", "enter")
            await until(pilot, lambda: arguments(pilot) == {})
            await pilot.press("ctrl+z")
            await until(pilot, lambda: arguments(pilot) == filled)
            await pilot.press("f6", *"my set", "enter")
            await until(pilot, "Saved as “my set”")
            await send(pilot)
        async with running(app_on(target, history, mode=None)) as pilot:
            await pick(pilot, "olv_search")
            await pilot.press("f6")
            screen = await until(pilot, "my set")
            assert "saved" in screen
            assert screen.index("my set") < screen.index("Everything")
            await pilot.press("enter")
            await until(pilot, lambda: arguments(pilot) == filled)


async def test_without_a_tool_of_the_list_the_key_says_why_there_is_nothing() -> None:
    with demo() as target:
        async with running(app_on(target, mode=None)) as pilot:
            await pilot.press("ctrl+n", *"ping", "enter")
            await pilot.press("f6")
            await until(pilot, "f6 fills the arguments of a tool of the list")
