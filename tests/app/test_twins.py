"""Two tools of one name (case 189): both can be chosen, each with its own schema, text and draft."""

from __future__ import annotations

import json

from olv_tui.model import Era, Target
from tests.app.helper import app_on, running, send, shown, small_server
from tests.caselib import case_server, cases
from tests.screen import screen_text

TWINS = [
    {"name": "twin", "title": "left", "inputSchema": {"type": "object", "required": ["a"]}},
    {"name": "single", "inputSchema": {"type": "object"}},
    {"name": "twin", "title": "right", "inputSchema": {"type": "object", "required": ["b"]}},
]


async def test_both_twins_of_the_case_are_listed_and_shown_with_their_own_title() -> None:
    case = next(one for one in cases("toollist") if one["id"].startswith("189"))
    with case_server() as server:
        async with running(app_on(Target("case", server.url(case), era=Era.BARE))) as pilot:
            screen = screen_text(pilot.app)
            assert screen.count("K-twin") >= 2
            assert "K-left" in screen
            await pilot.press("down")
            await pilot.pause()
            assert "K-right" in screen_text(pilot.app)


async def test_each_twin_has_its_own_template_draft_and_answer() -> None:
    with small_server(lambda asked: {"content": [{"type": "text", "text": "ok"}]}, tools=TWINS) as target:
        async with running(app_on(target)) as pilot:
            editor = pilot.app.main.editor
            assert json.loads(editor.text) == {"a": ""}
            editor.replace_text('{"a": "mine"}')
            await send(pilot)
            first = shown(pilot.app)
            await pilot.press("escape", "down", "down")
            await pilot.pause()
            assert json.loads(editor.text) == {"b": ""}
            hint = pilot.app.main.answer_frame.border_subtitle
            assert "not of twin, number 2 of that name" in str(hint), "the answer is of the other twin"
            editor.replace_text('{"b": "too"}')
            await send(pilot)
            second = shown(pilot.app)
            await pilot.press("escape", "up", "up")
            await pilot.pause()
            assert editor.text == '{"a": "mine"}'
            assert first is not None
            assert second is not None
            now = shown(pilot.app)
            assert now is not None
            assert now.serial == first.serial
            assert json.loads(second.request.body)["params"] == {"name": "twin", "arguments": {"b": "too"}}


async def test_a_twin_that_may_destroy_makes_the_name_one_to_ask_about() -> None:
    tools = [TWINS[0], {**TWINS[2], "annotations": {"destructiveHint": True}}]
    with small_server(lambda asked: {"content": []}, tools=tools) as target:
        async with running(app_on(target)) as pilot:
            await pilot.press("ctrl+j")
            await pilot.pause()
            assert "Send this?" in screen_text(pilot.app), "the server decides which of the two it runs"
