"""Failure cases of arguments through the real screen: keys alone, and the server's log says what came."""

from __future__ import annotations

import json
from typing import Any

import pytest

from olv_tui import jsontext
from olv_tui.model import Era, Target
from olv_tui.view.form_rows import What
from tests.app.helper import OlvPilot, app_on, running, small_server, until
from tests.caselib import Case, cases
from tests.schema.material import exact, shown_options
from tests.screen import settled, widget_text

SIZES = [(140, 42), (80, 24)]
ARGS = cases("args")

_KEYS = {
    " ": "space", "_": "underscore", "\n": "enter", ".": "full_stop", "/": "slash", "[": "left_square_bracket",
    "]": "right_square_bracket", "-": "minus",
}  # fmt: skip


async def keys(pilot: OlvPilot, text: str) -> None:
    """Type a text, letter by letter."""
    for letter in text:
        await pilot.press(_KEYS.get(letter, letter))


async def to_field(pilot: OlvPilot, name: str) -> None:
    """Go to a field by keys: from the top down to it."""
    form, pointer = pilot.app.main.editor.form, jsontext.pointer([name])
    await pilot.press("home")
    for _ in range(len(form.rows)):
        row = form.row
        if row is not None and row.what is What.PLACE and row.pointer == pointer:
            return
        await pilot.press("down")
    raise AssertionError(f"no row for {name!r}")


async def in_menu(pilot: OlvPilot, letter: str) -> None:
    await pilot.press("f7")
    await until(pilot, lambda: len(pilot.app.screen_stack) == 2)
    await pilot.press(letter)
    await until(pilot, lambda: len(pilot.app.screen_stack) == 1)


async def whole(pilot: OlvPilot, text: str) -> None:
    """The arguments as a whole, typed in JSON mode."""
    await pilot.press("f2", "f7", "delete")
    await keys(pilot, text)


async def carry_out(pilot: OlvPilot, step: dict[str, Any]) -> None:
    """One step of a case, as a person does it at the keyboard."""
    name, do = step["field"], step["do"]
    if do == "json" and not name:
        await whole(pilot, step["text"])
        return
    await to_field(pilot, name)
    match do:
        case "type":
            await keys(pilot, step["text"])
            await pilot.press("enter")
        case "clear":
            await keys(pilot, text := step.get("text", "x"))
            await pilot.press(*["backspace"] * len(text), "enter")
        case "empty":
            await in_menu(pilot, "e")
        case "null":
            await in_menu(pilot, "n")
        case "set":
            await keys(pilot, "t" if step["value"] else "f")
        case "choose":
            await pilot.press("enter")
            await until(pilot, lambda: len(pilot.app.screen_stack) == 2)
            here = pilot.app.main.editor.form.state.form.field(jsontext.pointer([name]))
            await keys(pilot, shown_options(here)[step["text"]])
            await pilot.press("enter")
        case "json":
            await in_menu(pilot, "j")
            await keys(pilot, step["text"])
            await pilot.press("escape")
    await pilot.pause()


@pytest.mark.parametrize("case", ARGS, ids=lambda case: case["id"])
async def test_the_steps_of_a_case_send_exactly_its_arguments(case: Case) -> None:
    size = SIZES[ARGS.index(case) % 2]
    sent: list[Any] = []

    def answer(params: dict[str, Any]) -> Any:
        sent.append(params["arguments"])
        return {"content": []}

    with small_server(answer, tools=case["on"]["tools/list"]["result"]["tools"]) as target:
        target = Target(target.name, target.url, era=Era.BARE)
        async with running(app_on(target, mode=None), size) as pilot:
            await pilot.press("enter")
            await until(pilot, lambda: pilot.app.focused is pilot.app.main.editor.form.focus_target())
            for step in case["input"]["steps"]:
                await carry_out(pilot, step)
            editor = pilot.app.main.editor
            text = editor.text
            await pilot.press("ctrl+j")
            wanted = case["expect"]["arguments"]
            if wanted is None:
                said = await until(pilot, lambda: "Not sent" in widget_text(editor))
                assert "line 1" in said
                assert not sent
                assert '{"a": 1,' in said, "the draft is kept, and seen"
                return
            await until(pilot, lambda: bool(sent))
            await settled(pilot)
            assert sent == [wanted]
            assert exact(text) == exact(json.dumps(wanted, ensure_ascii=False))
            assert all(token in text for token in case["expect"].get("exact_tokens", []))
