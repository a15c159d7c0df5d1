"""Completion and findings in the explorer: of the selected tool, with what it was called with before."""

from __future__ import annotations

import json

from tests.app.helper import NARROW, app_on, demo, pick, running, send, small_server, until
from tests.screen import screen_text


async def test_names_of_the_selected_tool_and_values_of_its_earlier_calls_are_offered() -> None:
    with demo() as target:
        async with running(app_on(target), NARROW) as pilot:
            editor = pilot.app.main.editor
            await pick(pilot, "olv_search")
            editor.replace_text('{"query": "tide of the mole"}')
            await pilot.pause()
            await send(pilot)
            await pick(pilot, "olv_search")
            editor.replace_text('{"query": "t"')
            await pilot.pause()
            await pilot.press("end", "left", "ctrl+@")
            assert "sent before" in await until(pilot, "tide of the mole")
            await pilot.press("enter", "end", "comma", "ctrl+@")
            screen = await until(pilot, "limit")
            assert "How many hits" in screen
            assert "query  " not in screen, "what is there is not offered again"
            await pilot.press("l", "i", "m", "tab", "end", "}")
            assert json.loads(editor.text) == {"query": "tide of the mole", "limit": 20}
            await pilot.press("left", "comma", "ctrl+@")
            await until(pilot, "explain")
            await pilot.press("escape")
            assert pilot.app.main.front == "editor", "Esc closes the list and stays"


async def test_what_the_schema_refuses_is_told_below_the_text_and_sent_all_the_same() -> None:
    tools = [{"name": "add", "inputSchema": {"properties": {"n": {"type": "integer"}}, "required": ["m"]}}]
    with small_server(lambda params: {"content": []}, tools=tools) as target:
        async with running(app_on(target)) as pilot:
            await pick(pilot, "add")
            pilot.app.main.editor.replace_text('{"n": "one"}')
            await until(pilot, "! /m: must be given and is missing (2 findings)")
            await pilot.press(*["right"] * 7)
            await until(pilot, '! /n: "one" is a text, and an integer is due (2 findings)')
            await send(pilot)
            assert "result" in screen_text(pilot.app)
            pilot.app.main.editor.replace_text('{"m": 1}')
            await until(pilot, "✓ JSON")
