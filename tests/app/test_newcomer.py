"""What a newcomer ran into: sentences that stayed too long, answers of others, drafts that were gone."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest
from textual.widgets import Input

from olv_tui.app import OlvApp
from olv_tui.model import Target
from olv_tui.widgets.rows import RowList
from tests.app.helper import NARROW, WIDE, app_on, demo, pick, running, send, shown, small_server, until
from tests.app.plain import plain_server
from tests.screen import painted, screen_text, settled, widget_text

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

            def said() -> bool:
                return "Not sent" in widget_text(app.main.editor)

            await pilot.press("enter", "end", "x", "ctrl+j")
            await until(pilot, said)
            await pilot.press("backspace")  # the text it began with
            await until(pilot, lambda: not said())
            assert "✓ This tool" in widget_text(app.main.editor)
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


# --------------------------------------------------------------------------- looking back


async def test_the_cursor_of_the_history_shows_answers_and_leaves_the_editor_alone() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            app = pilot.app
            await send(pilot)
            first = shown(app)
            await pick(pilot, "olv_site_status")
            await send(pilot)
            second = shown(app)
            app.main.editor.replace_text('{"half": "written"')
            app.main.go("history")
            await pilot.press("j")
            screen = await until(pilot, "from history")
            assert first is not None
            assert second is not None
            assert shown(app) is not None
            assert app.main.state.whose() == "olv_list_worlds"
            assert "not of olv_site_status" in screen
            assert arguments(app) == '{"half": "written"'
            await pilot.press("k")
            await until(pilot, lambda: app.main.state.whose() == "olv_site_status")
            await pilot.press("j")
            app.main.go("tools")
            await pilot.press("up", "down")
            await pilot.pause()
            now = shown(app)
            assert now is not None
            assert now.serial == second.serial, "the newest answer of a tool is not the one last looked at"


async def test_what_is_loaded_from_the_history_gives_the_draft_back() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            app = pilot.app
            await pick(pilot, "olv_get_world")
            await send(pilot)
            sent = arguments(app)
            app.main.editor.replace_text('{"world_id": "half writ')
            app.main.go("history")
            await pilot.press("enter")
            await until(pilot, "Your draft is kept: ctrl+z")
            assert arguments(app) == sent
            await pilot.press("ctrl+z")
            await until(pilot, "Back at your draft")
            assert arguments(app) == '{"world_id": "half writ'
            await pilot.press("ctrl+z")
            await pilot.pause()
            assert arguments(app) == sent, "and once more goes to what was loaded"
            app.main.editor.replace_text('{"another": 1}')
            app.main.action_start_over()
            assert arguments(app) == sent
            app.main.action_draft()
            assert arguments(app) == '{"another": 1}', "starting over loses nothing either"


async def test_undo_takes_back_edits_before_it_goes_to_another_draft() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            app = pilot.app
            await pick(pilot, "olv_get_world")
            await send(pilot)
            app.main.editor.replace_text('{"mine": 1}')
            app.main.go("history")
            await pilot.press("enter", "x")
            loaded = arguments(app)
            await pilot.press("ctrl+z")
            assert arguments(app) == loaded.replace("x", "", 1)
            await pilot.press("ctrl+z")
            await pilot.pause()
            assert arguments(app) == '{"mine": 1}'


async def test_where_there_is_no_other_draft_undo_says_so() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            await pilot.press("enter", "ctrl+z")
            await until(pilot, "no other draft")
            assert arguments(pilot.app) == "{}"


# --------------------------------------------------------------------------- more than one target


async def test_what_was_sent_to_another_target_says_so_and_is_asked_about_before_it_is_sent_here(
    tmp_path: Path,
) -> None:
    file = tmp_path / "history.db"
    tools = [{"name": "touch", "inputSchema": {"type": "object"}}]
    with small_server(lambda _: {"content": []}, tools=tools) as one, plain_server() as other:
        place = one.url.partition("://")[2]
        async with running(app_on(one, file)) as pilot:
            await send(pilot)
            assert f"at {place}" not in screen_text(pilot.app)
        async with running(app_on(other.target, file)) as pilot:
            app = pilot.app
            count = len(other.bodies)
            screen = screen_text(app)
            assert "at 127.0.0.1:" in screen
            app.main.go("history")
            await pilot.press("r")
            screen = await until(pilot, "Send this?")
            assert f"was sent to {place}" in " ".join(screen.replace("│", " ").split())
            await pilot.press("escape")
            await settled(pilot)
            assert len(other.bodies) == count, "nothing went out"
            await pilot.press("enter")
            await until(pilot, "ctrl+j sends it to this target")
            app.main.go("history")
            await pilot.press("r")
            await until(pilot, "Send this?")
            await pilot.press("enter")
            await until(pilot, lambda: len(other.bodies) == count + 1)


async def test_a_demo_server_of_an_earlier_start_is_no_other_target(tmp_path: Path) -> None:
    file = tmp_path / "history.db"
    with demo() as target:
        async with running(app_on(target, file)) as pilot:
            await send(pilot)
    with demo() as target:
        async with running(app_on(target, file)) as pilot:
            pilot.app.main.go("history")
            await pilot.press("r")
            await settled(pilot)
            assert shown(pilot.app) is not None
            assert "Send this?" not in screen_text(pilot.app)


# --------------------------------------------------------------------------- without a connection


async def test_the_call_that_stands_ready_without_a_connection_is_what_is_sent() -> None:
    app = app_on(Target("nowhere", "http://127.0.0.1:9/mcp", timeout=5))
    async with running(app) as pilot:
        preview = app.main.editor.text
        await send(pilot)
        sent = shown(app)
        assert sent is not None
        assert sent.request.body.decode() == preview
        assert f"Answer · olv_list_worlds #{json.loads(preview)['id']}" in screen_text(app)
        app.main.editor.replace_text('{"jsonrpc":"2.0","id":"mine","method":"ping"}')
        await send(pilot)
        sent = shown(app)
        assert sent is not None
        assert str(sent.id) == '"mine"'


# --------------------------------------------------------------------------- whose answer


@SIZES
async def test_a_tool_that_was_not_called_says_so_and_never_shows_another_answer_as_its_own(
    size: tuple[int, int],
) -> None:
    with demo() as target:
        async with running(app_on(target), size) as pilot:
            app = pilot.app
            await pick(pilot, "olv_today")
            app.main.go("answer")
            await until(pilot, "olv_today was not called in this run yet: ctrl+j sends.")
            await send(pilot)
            await until(pilot, lambda: "was not called" not in screen_text(app))
            await pick(pilot, "olv_get_world")
            app.main.go("answer")
            await pilot.pause()
            screen = " ".join(widget_text(app.main.answer_frame).replace("│", " ").split())
            assert "Answer · olv_today #" in screen
            assert "not of olv_get_world, which was not called yet" in screen
            await pick(pilot, "olv_today")
            await pilot.pause()
            assert "not of" not in screen_text(app)


async def test_a_new_answer_begins_at_its_first_tab_and_its_top() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            app = pilot.app
            await send(pilot)
            app.main.go("answer")
            await pilot.press("6")
            await until(pilot, "findings")
            await send(pilot)
            await until(pilot, "as received")
            await pilot.press("4")
            await until(pilot, "request as sent")
            app.main.go("history")
            await pilot.press("j")
            await until(pilot, "as received")


async def test_the_help_of_the_answer_names_its_tabs() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            await send(pilot)
            pilot.app.main.go("answer")
            await pilot.press("f1")
            screen = await until(pilot, "Help · Answer")
            for name in ("headers", "frames", "request", "timing", "findings"):
                assert name in screen


# --------------------------------------------------------------------------- filters that stay


@pytest.mark.parametrize("pane", ["tools", "history"])
async def test_esc_in_a_list_clears_the_filter_that_is_still_there(pane: str) -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            app = pilot.app
            await send(pilot)
            await pick(pilot, "olv_today")
            await send(pilot)
            app.main.go(pane)
            await pilot.press("slash", *"worlds", "tab")
            assert isinstance(app.focused, RowList)
            rows = app.focused
            few = rows.count
            await pilot.press("escape")
            await pilot.pause()
            assert rows.count > few
            assert app.main.front == pane, "only the filter is gone"


@pytest.mark.parametrize("pane", ["tools", "history"])
async def test_a_filter_opened_again_begins_anew_with_the_first_letter(pane: str) -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            app = pilot.app
            await send(pilot)
            app.main.go(pane)
            await pilot.press("slash", *"worlds", "tab", "slash", *"olv")
            await pilot.pause()
            assert isinstance(app.focused, Input)
            assert app.focused.value == "olv"


async def test_the_last_line_tells_the_keys_of_the_history() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            pilot.app.main.go("history")
            screen = await until(pilot, "Handshakes")
            assert "Load" in screen.splitlines()[-1]


# --------------------------------------------------------------------------- notes, and two programs


async def test_notes_take_the_place_of_older_ones() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            for number in range(6):
                pilot.app.main.say(f"note number {number}")
            screen = await until(pilot, "note number 5")
            assert [number for number in range(6) if f"note number {number}" in screen] == [4, 5]
            pilot.app.main.say("note number 5")
            await pilot.pause()
            rows = [row for row in screen_text(pilot.app).splitlines() if "note number 5" in row]
            assert len(rows) == 1


async def test_a_call_of_another_program_on_the_same_history_is_seen_to_end(tmp_path: Path) -> None:
    file = tmp_path / "history.db"
    with demo() as target:
        other = app_on(target, file)
        async with running(other) as sending:
            await pick(sending, "olv_export_world")
            other.main.editor.replace_text('{"world_id": "w_lantern", "seconds": 60}')
            await sending.press("ctrl+j")
            await until(sending, lambda: other.main.state.waiting is not None)
            async with running(app_on(target, file)) as pilot:
                history = pilot.app.main.history
                await until(pilot, lambda: history.is_waiting)
                other.main.calls.cancel_newest()
                await until(pilot, lambda: not history.is_waiting)
                assert "cancelled" in widget_text(history)


# --------------------------------------------------------------------------- widths

ODD = [
    "👨\u200d👩\u200d👧\u200d👦" * 6,
    "a\u200d" * 60,
    "👍\U0001f3fd" * 12,
    "⚠\ufe0f" * 20,
    "🇩🇪" * 20,
    "e\u0301" * 40,
    "日本" * 20,
    "ก็" * 20,
]


def drawn(character: str) -> int:
    """The cells of a character in a terminal that joins nothing."""
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


@SIZES
async def test_no_painted_row_is_wider_than_the_screen_whatever_the_server_calls_its_tools(
    size: tuple[int, int],
) -> None:
    tools = [{"name": name, "title": name, "description": name, "inputSchema": {"required": [name]}} for name in ODD]
    answer = {"content": [{"type": "text", "text": "\n".join(ODD)}]}
    with small_server(lambda _: answer, tools=tools) as target:
        async with running(app_on(target), size) as pilot:
            app = pilot.app
            for number in range(len(ODD)):
                if number % 3 == 0:  # each answer holds all of them
                    await pilot.press("ctrl+j")
                    await settled(pilot)
                for row in painted(app):
                    assert sum(map(drawn, row)) == size[0], row
                await pilot.press(*(("b",) if number % 3 == 0 else ()), "escape", "down")
            app.main.editor.replace_text(json.dumps(ODD, ensure_ascii=False))
            for key in ("e", "h", "a", "t"):
                await pilot.press("ctrl+o", key)
                await pilot.pause()
                for row in painted(app):
                    assert sum(map(drawn, row)) == size[0], row
