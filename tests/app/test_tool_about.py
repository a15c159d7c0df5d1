"""What stands below the list of tools: description and arguments; and what stands there where there are none."""

from __future__ import annotations

from typing import Any

from olv_tui.widgets.tools import ToolsPane
from tests.app.helper import app_on, demo, running, small_server, until
from tests.screen import screen_text, settled

MANY: dict[str, Any] = {
    "name": "many",
    "description": "Has many arguments.",
    "inputSchema": {"type": "object", "properties": {f"p{number:03}": {"type": "integer"} for number in range(60)}},
}


async def test_the_arguments_of_the_tool_stand_below_its_description() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            await pilot.press("j")
            screen = await until(pilot, "world_id  string, required")
            assert "Shows one world." in screen


async def test_many_arguments_are_cut_to_the_pane_scrolled_by_keys_and_given_room_when_maximised() -> None:
    with small_server(lambda _: {"content": []}, tools=[MANY, {**MANY, "name": "other"}]) as target:
        async with running(app_on(target)) as pilot:
            screen = await until(pilot, "p000  integer")
            assert "p020" not in screen
            for _ in range(4):
                await pilot.press("J")
            screen = await until(pilot, lambda: "p011" in screen_text(pilot.app))
            assert "p000  integer" not in screen
            await pilot.press("K", "K", "K", "K", "z")
            await until(pilot, "p014  integer")
            await pilot.press("J", "j")
            await until(pilot, "p000  integer")
            assert pilot.app.main.query_one(ToolsPane).current is not None


async def test_a_list_that_is_none_names_the_rule_it_breaks() -> None:
    tools: Any = {"a": 1}
    with small_server(lambda _: {"content": []}, tools=tools) as target:
        async with running(app_on(target)) as pilot:
            await settled(pilot)
            assert "The server answered" in await until(pilot, "D01: the list of tools")


async def test_an_empty_list_is_told_as_one() -> None:
    with small_server(lambda _: {"content": []}, tools=[]) as target:
        async with running(app_on(target)) as pilot:
            assert "The server lists no tools." in await until(pilot, "The server lists no tools.")
