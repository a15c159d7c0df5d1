"""Keys that come all at once do the same as keys that come slowly."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from textual import events
from textual.widgets import Input

from olv_tui.history import History
from olv_tui.model import Exchange
from olv_tui.redact import Redactor
from olv_tui.widgets.tools import ToolList
from tests.app.helper import OlvPilot, app_on, demo, running, shown, until
from tests.app.terminal import terminal
from tests.screen import settled

CHARACTERS = {"ctrl+j": "\n", "enter": "\r", "escape": "\x1b", "slash": "/"}


def burst(pilot: OlvPilot, *keys: str) -> None:
    """Give the app keys as a terminal does that was written to once: all are there before the first is handled."""
    for key in keys:
        character = CHARACTERS.get(key, key if len(key) == 1 else None)
        pilot.app.post_message(events.Key(key, character))


async def test_a_send_key_behind_moves_sends_the_tool_that_the_moves_lead_to() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            tools = pilot.app.main.query_one(ToolList).tools
            burst(pilot, "g", "j", "j", "j", "ctrl+j")
            await until(pilot, lambda: shown(pilot.app) is not None)
            sent = shown(pilot.app)
            assert sent is not None
            assert sent.outgoing.tool == tools[3].name


async def test_a_send_key_behind_letters_sends_the_text_with_them() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            burst(pilot, "enter", "ctrl+a", *'{"n":567}', "delete", "delete", "ctrl+j")
            await until(pilot, lambda: shown(pilot.app) is not None)
            sent = shown(pilot.app)
            assert sent is not None
            assert json.loads(sent.request.body)["params"]["arguments"] == {"n": 567}


async def test_a_filter_typed_in_one_burst_loses_no_letter_and_takes_its_hit() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            burst(pilot, "slash", *"flaky", "enter", "ctrl+j")
            await until(pilot, lambda: shown(pilot.app) is not None)
            assert pilot.app.main.state.selected == "olv_flaky"
            sent = shown(pilot.app)
            assert sent is not None
            assert sent.outgoing.tool == "olv_flaky"


async def test_letters_behind_a_key_that_opens_a_screen_go_to_that_screen() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            burst(pilot, "ctrl+n", *"resources/read")
            await until(pilot, lambda: isinstance(pilot.app.focused, Input))
            await settled(pilot)
            line = pilot.app.focused
            assert isinstance(line, Input)
            assert line.value == "resources/read"


@pytest.mark.parametrize("keys", [("t", "e"), ("x", "x"), ("escape", "escape"), ("a", "b", "c")])
async def test_two_quick_keys_on_the_jump_letters_end_nothing(keys: tuple[str, ...]) -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            burst(pilot, "ctrl+o", *keys)
            await settled(pilot)
            assert pilot.app.screen is pilot.app.main
            assert pilot.app.is_running


async def test_a_key_that_comes_while_the_program_ends_breaks_nothing() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            app = pilot.app
        assert not app.screen_stack
        assert app._order.admits(events.Key("j", "j")), "it has nobody to wait for"


async def test_a_small_screen_gives_its_result_once_however_often_it_is_told_to_go() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            for key in ("ctrl+o", "f1", "ctrl+n", "f9", "ctrl+g"):
                await pilot.press(key)
                screen = pilot.app.screen
                assert screen is not pilot.app.main, key
                screen.dismiss(None)
                screen.dismiss(None)
                await pilot.pause()
                assert pilot.app.screen is pilot.app.main, key


# --------------------------------------------------------------------------- in a terminal


def sent(path: Path) -> list[Exchange]:
    """The calls in a history file, oldest first, without those still under way."""
    if not path.exists():
        return []
    history = History(path, Redactor(b"a key for tests"))
    try:
        rows = history.recent(50)
        found = [history.get(row.serial) for row in reversed(rows)]
        return [one for one in found if one is not None and one.judgement is not None]
    finally:
        history.close()


@pytest.mark.parametrize(
    ("keys", "tool"),
    [
        (b"gjjj\n", "olv_today"),
        (b"/flaky\r\n", "olv_flaky"),
        (b"/get_world\rx\x7f\n", "olv_get_world"),
    ],
)
def test_a_burst_in_one_write_does_what_slow_keys_do(keys: bytes, tool: str, tmp_path: Path) -> None:
    file = tmp_path / "history.db"
    with terminal(["--demo", "--history", str(file)], tmp_path) as run:
        run.until(b"olv_flaky")
        run.write(keys)
        run.until(lambda: bool(sent(file)))
        assert [one.outgoing.tool for one in sent(file)] == [tool]
        run.write(b"\x11")
        assert run.ends() == 0


def test_letters_and_a_send_key_in_one_write_send_what_was_typed(tmp_path: Path) -> None:
    file = tmp_path / "history.db"
    with terminal(["--demo", "--history", str(file)], tmp_path) as run:
        run.until(b"olv_flaky")
        run.write(b"/search\rlantern\r5\n")  # into the form
        run.until(lambda: bool(sent(file)))
        (one,) = sent(file)
        assert json.loads(one.request.body)["params"]["arguments"] == {"query": "lantern", "limit": 5}
        run.write(b"\x0ft/today\r\x1bOQ\x05\x7f" + b'"x":567' + b"}\n")  # f2: into the JSON
        run.until(lambda: len(sent(file)) == 2)
        newest = max(sent(file), key=lambda exchange: exchange.serial)
        assert json.loads(newest.request.body)["params"]["arguments"] == {"x": 567}
