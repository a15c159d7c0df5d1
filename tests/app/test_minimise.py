"""Minimising arguments in the explorer: asked first, bounded, only harmless tools, all calls kept."""

from __future__ import annotations

import json
from typing import Any

import pytest

from olv_tui import jsontext
from olv_tui.mcp.tools import read_tool
from olv_tui.model import Object, Tool
from olv_tui.screens.minimise import refusal
from tests.app.helper import OlvPilot, app_on, demo, pick, running, small_server, until
from tests.screen import screen_text


async def minimise(pilot: OlvPilot, arguments: dict[str, Any]) -> None:
    """Put arguments into the editor and ask for the least."""
    pilot.app.main.editor.replace_text(json.dumps(arguments))
    await pilot.pause()
    pilot.app.main.action_minimise()
    await pilot.pause()


def calls(pilot: OlvPilot) -> int:
    """Calls in the history."""
    shelf = pilot.app.main.shelf
    assert shelf is not None
    return len(shelf.recent(200, automatic=False, before=None))


async def test_the_least_with_the_same_failure_comes_into_the_editor_and_undo_takes_it_back() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            await pick(pilot, "olv_search")
            given = {"query": "tide " * 20, "limit": 5000, "extra": {"a": [1, 2, {"b": "c"}]}, "explain": True}
            await minimise(pilot, given)
            screen = await until(pilot, "Minimise the arguments")
            assert "olv_search is called again and again" in screen
            assert f"calls go to {target.url}" in " ".join(screen.replace("│", " ").split())
            assert not calls(pilot), "nothing was called yet"
            await pilot.press("enter")
            await until(pilot, "The least that gives the same failure")
            editor = pilot.app.main.editor
            least = json.loads(editor.text)
            assert least == {"query": least["query"], "limit": 2500}
            assert 1 <= len(least["query"]) < 10
            assert 5 < calls(pilot) <= 60
            shown = pilot.app.main.state.shown
            assert shown is not None
            assert editor.text.encode() in shown.request.body, "the answer beside it is the one of these arguments"
            pilot.app.main.go("editor")
            await pilot.press("ctrl+z")
            assert json.loads(editor.text) == given


TOOL = {"name": "pay", "inputSchema": {"type": "object"}, "annotations": {"destructiveHint": False}}


async def test_the_calls_stop_at_the_number_agreed_on_and_at_esc() -> None:
    asked: list[dict[str, Any]] = []

    def answer(params: dict[str, Any]) -> Any:
        asked.append(params["arguments"])
        error = "broken" if {"b", "k", "z"} <= set(params["arguments"]) else "other"
        return {"content": [], "structuredContent": {"error": error}, "isError": True}

    with small_server(answer, tools=[TOOL]) as target:
        async with running(app_on(target)) as pilot:
            await pick(pilot, "pay")
            given = {letter: letter * 9 for letter in "abcdefghijklmnopqrstuvwxyz"}
            await minimise(pilot, given)
            await pilot.press("backspace", "backspace", "1", "enter")
            await until(pilot, "A number from 2")
            assert not asked
            await pilot.press("0", "enter")
            screen = await until(pilot, "used up")
            assert "The least that gives the same failure" in " ".join(screen.replace("│", " ").split())
            assert len(asked) == 10
            least = json.loads(pilot.app.main.editor.text)
            assert {"b", "k", "z"} <= set(least)
            assert len(least) < 26
            await minimise(pilot, given)
            await pilot.press("enter", "escape")
            await until(pilot, "topped")
            assert len(asked) < 30


async def test_what_gives_no_failure_is_called_once_and_left_alone() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            await pick(pilot, "olv_list_worlds")
            await minimise(pilot, {})
            await pilot.press("enter")
            await until(pilot, "Not minimised")
            await pick(pilot, "olv_delete_world")
            await minimise(pilot, {"world_id": "w_lantern"})
            assert "Minimise the arguments" not in screen_text(pilot.app)
            assert "Not minimised. Its definition says that it may destroy something" in screen_text(pilot.app)


def tool(annotations: dict[str, Any] | None) -> Tool:
    definition: dict[str, Any] = {"name": "t", "inputSchema": {"type": "object"}}
    if annotations:
        definition["annotations"] = annotations
    value = jsontext.loads(json.dumps(definition))
    assert isinstance(value, Object)
    return read_tool(value, "", None)


@pytest.mark.parametrize(
    ("annotations", "allowed"),
    [
        (None, False),
        ({"readOnlyHint": True}, True),
        ({"readOnlyHint": True, "destructiveHint": True}, False),
        ({"readOnlyHint": False}, False),
        ({"destructiveHint": False}, True),
        ({"destructiveHint": True}, False),
        ({"idempotentHint": True}, False),
        ({"readOnlyHint": "true"}, False),
    ],
    ids=str,
)
def test_only_a_tool_that_says_it_does_no_harm_is_called_again_and_again(
    annotations: dict[str, Any] | None, allowed: bool
) -> None:
    one = tool(annotations)
    assert (refusal([one], production=False) == "") is allowed
    assert "production" in refusal([one], production=True)
    assert refusal([one, tool({"destructiveHint": True})], production=False), "a twin that is not harmless"
    assert refusal([], production=False)
