"""What a user does in the explorer, over real sockets, at both sizes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import TextArea

from olv_tui.app import OlvApp
from olv_tui.model import Target, Verdict
from olv_tui.widgets.history_list import HistoryList
from olv_tui.widgets.tools import ToolList
from tests.app.helper import NARROW, WIDE, app_on, demo, pick, production, running, send, shown, small_server, until
from tests.screen import screen_text, settled, widget_text

SIZES = pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])


def arguments(app: OlvApp) -> str:
    return app.main.editor.document.arguments


# --------------------------------------------------------------------------- listing and calling


@SIZES
async def test_the_list_shows_the_tools_and_the_mark_of_the_demo(size: tuple[int, int]) -> None:
    with demo() as target:
        async with running(app_on(target), size) as pilot:
            screen = screen_text(pilot.app)
            assert "olv_list_worlds" in screen
            assert "olv_flaky" in screen, "all pages of the list are there"
            assert "DEMO · invented data" in screen
            assert isinstance(pilot.app.focused, ToolList)


@SIZES
async def test_the_send_key_calls_the_tool_and_shows_raw_beside_decoded(size: tuple[int, int]) -> None:
    with demo() as target:
        async with running(app_on(target), size) as pilot:
            screen = await send(pilot)
            assert "Lantern Bay" in screen
            assert "result" in screen
            assert "olv_list_worlds #" in screen, "the answer says whose it is"
            if size == NARROW:
                await pilot.press("b")  # one half at a time there
                screen = await until(pilot, '"jsonrpc"')
            assert '"jsonrpc"' in screen


@SIZES
async def test_a_tool_error_is_never_called_a_json_rpc_error(size: tuple[int, int]) -> None:
    with demo() as target:
        async with running(app_on(target), size) as pilot:
            await pick(pilot, "olv_site_status")
            screen = await send(pilot)
            assert "tool error" in screen
            assert "not_linked" in screen
            assert "helpbless.com" in screen
            assert "JSON-RPC error" not in screen


@SIZES
async def test_a_json_rpc_error_is_called_one(size: tuple[int, int]) -> None:
    with demo() as target:
        async with running(app_on(target), size) as pilot:
            await pick(pilot, "olv_diagnose")
            screen = await send(pilot)
            assert "JSON-RPC error" in screen
            assert "-32603" in screen


@pytest.mark.parametrize("key", ["ctrl+j", "alt+enter", "f5"])
async def test_every_send_key_sends_from_within_the_editor(key: str) -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            await pilot.press("enter")
            assert isinstance(pilot.app.focused, TextArea)
            await pilot.press(key)
            await settled(pilot)
            await until(pilot, "Lantern Bay")
            assert arguments(pilot.app) == "{}", "the key is not typed into the text"


async def test_keys_that_are_letters_are_typed_while_an_editor_has_the_focus() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            await pilot.press("enter", *"zyYr")
            await pilot.press("slash")
            assert arguments(pilot.app).startswith("zyYr/") or "zyYr/" in arguments(pilot.app)
            assert not pilot.app.screen.has_class("-solo")


async def test_arguments_that_are_no_json_stay_unsent_and_name_the_way_to_send_them() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            await pilot.press("enter", "end", "x")
            await until(pilot, "no JSON")
            await pilot.press("ctrl+j")
            screen = await until(pilot, "Not sent")
            assert "f2" in screen
            assert not pilot.app.main.calls.running
            await pilot.press("f2")
            await until(pilot, lambda: pilot.app.main.editor.document.whole)
            await send(pilot)
            sent = shown(pilot.app)
            assert sent is not None
            assert b"{}x" in sent.request.body


# --------------------------------------------------------------------------- envelope and drafts


async def test_the_envelope_shown_is_the_body_that_is_sent() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            await pilot.press("enter", "f2")
            await until(pilot, "Content-Type")
            preview = pilot.app.main.editor.text
            await send(pilot)
            sent = shown(pilot.app)
            assert sent is not None
            assert sent.request.body.decode() == preview
            assert sent.verdict is Verdict.RESULT


async def test_the_id_of_an_untouched_envelope_moves_on_after_it_was_sent() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            await pilot.press("f2")
            first = json.loads(pilot.app.main.editor.text)["id"]
            await send(pilot)
            second = json.loads(pilot.app.main.editor.text)["id"]
            assert second == first + 1


async def test_an_id_typed_by_hand_is_kept_through_both_modes_and_sent() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            await pilot.press("enter", "f2")
            editor = pilot.app.main.editor
            body = json.loads(editor.text)
            body["id"] = "by-hand"
            editor.replace_text(json.dumps(body))
            await pilot.press("f2")
            await until(pilot, "kept around these arguments")
            assert not editor.document.whole
            await send(pilot)
            sent = shown(pilot.app)
            assert sent is not None
            assert str(sent.id) == '"by-hand"'


async def test_an_envelope_that_json_mode_cannot_show_is_kept_and_told() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            await pilot.press("enter", "f2")
            text = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
            pilot.app.main.editor.replace_text(text)
            await pilot.press("f2")
            await until(pilot, "method is not tools/call")
            assert pilot.app.main.editor.document.whole
            assert pilot.app.main.editor.text == text


async def test_edited_arguments_carry_over_to_the_envelope_and_back() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            await pilot.press("enter")
            pilot.app.main.editor.replace_text('{"a":  1.50}')
            await pilot.press("f2")
            assert '"arguments":{"a":  1.50}' in pilot.app.main.editor.text
            pilot.app.main.editor.replace_text(pilot.app.main.editor.text.replace("1.50", "2e0"))
            await pilot.press("f2")
            assert pilot.app.main.editor.text == '{"a":  2e0}'


async def test_each_tool_keeps_its_own_draft() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            await pick(pilot, "olv_get_world")
            assert json.loads(arguments(pilot.app)) == {"world_id": "w_lantern"}, "the schema offers an example"
            pilot.app.main.editor.replace_text('{"world_id": "w_orchard"}')
            await pilot.press("escape", "down")
            await pilot.pause()
            assert json.loads(arguments(pilot.app)) == {"site": "helpbless.com"}
            await pilot.press("up")
            await pilot.pause()
            assert arguments(pilot.app) == '{"world_id": "w_orchard"}'


async def test_another_tools_answer_says_that_it_is_not_of_the_selected_one() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            await send(pilot)
            await pilot.press("down")
            screen = await until(pilot, "not of olv_get_world")
            assert "olv_list_worlds #" in screen
            assert "Lantern Bay" in screen, "it stays, to read arguments off it"


async def test_an_editor_outside_that_is_not_set_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EDITOR", raising=False)
    monkeypatch.delenv("VISUAL", raising=False)
    with demo() as target:
        async with running(app_on(target)) as pilot:
            await pilot.press("f4")
            await until(pilot, "$EDITOR")
            assert arguments(pilot.app) == "{}"


# --------------------------------------------------------------------------- filter


@SIZES
async def test_the_filter_narrows_as_letters_come_and_enter_goes_to_the_editor(size: tuple[int, int]) -> None:
    with demo() as target:
        async with running(app_on(target), size) as pilot:
            await pilot.press("slash", *"delete")
            screen = screen_text(pilot.app)
            assert "olv_delete_world" in screen
            assert "olv_search" not in screen
            await pilot.press("enter")
            await pilot.pause()
            assert isinstance(pilot.app.focused, TextArea)
            assert pilot.app.main.state.selected == "olv_delete_world"


async def test_esc_clears_the_filter_and_stays_on_the_tool() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            await pilot.press("slash", *"delete", "escape")
            await pilot.pause()
            assert "olv_search" in screen_text(pilot.app)
            assert pilot.app.main.state.selected == "olv_delete_world"
            assert isinstance(pilot.app.focused, ToolList)


# --------------------------------------------------------------------------- history


@SIZES
async def test_the_history_lists_calls_by_id_and_enter_loads_without_sending(size: tuple[int, int]) -> None:
    with demo() as target:
        async with running(app_on(target), size) as pilot:
            app = pilot.app
            await pick(pilot, "olv_get_world")
            app.main.editor.replace_text('{"world_id" :"w_orchard"}')
            await send(pilot)
            sent = shown(app)
            assert sent is not None
            await pick(pilot, "olv_list_worlds")
            count = len(app.main.core.history.recent(50, automatic=True)) if app.main.core else 0
            app.main.go("history")
            await pilot.pause()
            assert f"#{sent.id}" in screen_text(app)
            await pilot.press("enter")
            await pilot.pause()
            assert app.main.state.selected == "olv_get_world"
            assert arguments(app) == '{"world_id" :"w_orchard"}', "character for character"
            assert app.main.core is not None
            assert len(app.main.core.history.recent(50, automatic=True)) == count, "nothing was sent"


async def test_r_in_the_history_sends_the_same_call_under_a_new_id() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            await send(pilot)
            first = shown(pilot.app)
            pilot.app.main.go("history")
            await pilot.press("r")
            await settled(pilot)
            await settled(pilot)
            second = shown(pilot.app)
            assert first is not None
            assert second is not None
            assert first.id != second.id
            assert json.loads(second.request.body)["params"] == json.loads(first.request.body)["params"]


async def test_the_history_survives_a_new_start_on_the_same_file(tmp_path: Path) -> None:
    file = tmp_path / "history.db"
    with demo() as target:
        async with running(app_on(target, file)) as pilot:
            await send(pilot)
            sent = shown(pilot.app)
        async with running(app_on(target, file)) as pilot:
            assert sent is not None
            assert f"#{sent.id}" in widget_text(pilot.app.main.history)
            await send(pilot)
            again = shown(pilot.app)
            assert again is not None
            assert again.id != sent.id, "ids count on over the whole history"


async def test_handshakes_are_hidden_until_asked_for() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            pilot.app.main.go("history")
            await pilot.pause()
            assert "tools/list" not in widget_text(pilot.app.main.history)
            await pilot.press("a")
            await pilot.pause()
            assert "tools/list" in widget_text(pilot.app.main.history)


async def test_the_history_is_filtered_by_id_verdict_and_words() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            app = pilot.app
            await send(pilot)
            first = shown(app)
            await pick(pilot, "olv_site_status")
            await send(pilot)
            assert first is not None
            rows = app.main.query_one(HistoryList)
            app.main.go("history")
            for words, found in ((f"#{first.id}", 1), ("not_linked", 1), ("tool error", 1), ("olv", 2), ("zzz", 0)):
                await pilot.press("slash")
                await pilot.press(*("space" if letter == " " else "number_sign" if letter == "#" else
                                    "underscore" if letter == "_" else letter for letter in words))  # fmt: skip
                await pilot.pause()
                assert rows.count == found, words
                await pilot.press("escape")
                await pilot.pause()


# --------------------------------------------------------------------------- cancelling, asking


async def test_esc_cancels_a_slow_call_while_keys_are_taken_and_never_quits() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            app = pilot.app
            await pick(pilot, "olv_export_world")
            app.main.editor.replace_text('{"world_id": "w_lantern", "seconds": 60}')
            await pilot.press("ctrl+j")
            await until(pilot, lambda: app.main.state.waiting is not None)
            await pilot.press("f2", "f2")
            assert app.main.calls.running, "the call goes on while keys are taken"
            await pilot.press("escape")
            await settled(pilot)
            screen = await until(pilot, "cancelled")
            assert "olv_export_world" in screen
            ended = shown(app)
            assert ended is not None
            assert ended.verdict is Verdict.CANCELLED


async def test_a_call_that_ends_while_another_tool_is_shown_is_told_and_not_shown_as_its_answer() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            app = pilot.app
            await pick(pilot, "olv_export_world")
            app.main.editor.replace_text('{"world_id": "w_lantern", "seconds": 60}')
            await pilot.press("ctrl+j")
            await until(pilot, lambda: app.main.state.waiting is not None)
            await pick(pilot, "olv_today")
            await pilot.press("ctrl+j")
            await until(pilot, "Answer · olv_today")
            await until(pilot, lambda: len(app.main.calls.running) == 1)
            await pilot.press("escape")  # the export is the one still under way
            screen = await until(pilot, "cancelled")
            assert "olv_export_world #" in screen
            assert app.main.state.whose() == "olv_today"
            assert "Answer · olv_today" in screen


@SIZES
async def test_a_destructive_tool_is_asked_about_once_and_esc_sends_nothing(size: tuple[int, int]) -> None:
    with demo() as target:
        async with running(app_on(target), size) as pilot:
            app = pilot.app
            await pick(pilot, "olv_delete_world")
            await pilot.press("ctrl+j")
            screen = await until(pilot, "Send this?")
            assert "olv_delete_world" in screen
            await pilot.press("escape")
            await pilot.pause()
            assert shown(app) is None
            await pilot.press("ctrl+j")
            await until(pilot, "Send this?")
            await pilot.press("enter")
            await settled(pilot)
            await settled(pilot)
            assert shown(app) is not None
            await pilot.press("ctrl+j")
            await settled(pilot)
            assert "Send this?" not in screen_text(app)


async def test_on_a_production_target_everything_not_read_only_is_asked_about() -> None:
    tools = [{"name": "touch", "inputSchema": {"type": "object"}}]
    with small_server(lambda _: {"content": []}, tools=tools) as target:
        async with running(app_on(production(target))) as pilot:
            assert "PRODUCTION" in screen_text(pilot.app)
            await pilot.press("ctrl+j")
            await until(pilot, "production target")
        async with running(app_on(target)) as pilot:
            await send(pilot)
            assert shown(pilot.app) is not None, "elsewhere a tool without annotations is just called"


# --------------------------------------------------------------------------- no server, hostile server


@SIZES
async def test_without_a_server_the_step_the_demo_and_the_next_key_are_named(size: tuple[int, int]) -> None:
    target = Target("nowhere", "http://127.0.0.1:9/mcp", timeout=5)
    async with running(app_on(target), size) as pilot:
        screen = screen_text(pilot.app)
        assert "No connection could be made" in screen
        assert "olv-tui --demo" in screen
        assert "ctrl+l" in screen


async def test_without_a_list_the_editor_still_has_a_call_ready_and_sends_it() -> None:
    target = Target("nowhere", "http://127.0.0.1:9/mcp", timeout=5)
    async with running(app_on(target)) as pilot:
        assert json.loads(pilot.app.main.editor.text)["params"] == {"name": "olv_list_worlds", "arguments": {}}
        screen = await send(pilot)
        assert "transport error" in screen


async def test_the_reconnect_key_lists_again_once_the_server_is_there() -> None:
    with demo() as target:
        port = target.url
    app = app_on(Target("demo", port, timeout=5))
    async with running(app) as pilot:
        assert "ctrl+l" in screen_text(app)
        from olv_tui.demo.server import DemoServer

        server = DemoServer("", port=int(port.split(":")[2].split("/")[0]))
        server.start()
        try:
            await pilot.press("ctrl+l")
            await settled(pilot)
            await until(pilot, "olv_list_worlds")
        finally:
            server.stop()


HOSTILE = [
    "[/]", "[@click=app.quit]x[/]", "[red]r[/red]", "a\x1b]52;c;aGk=\x07b", "line\nbreak\ttab", "\u202eesrever",
    "", "x" * 5000, "same", "same", "[link=http://evil.example]l[/link]", "日本語ツール",
]  # fmt: skip


@SIZES
async def test_hostile_names_descriptions_and_answers_do_nothing(size: tuple[int, int]) -> None:
    tools: list[dict[str, Any]] = [
        {"name": name, "title": name, "description": name, "inputSchema": {"type": "object", "required": [name]}}
        for name in HOSTILE
    ]
    blocks = [{"type": "text", "text": name} for name in HOSTILE]
    with small_server(lambda _: {"content": blocks}, tools=tools) as target:
        async with running(app_on(target), size) as pilot:
            for number in range(len(HOSTILE)):
                if number % 4 == 0:  # each answer holds all of them
                    await send(pilot)
                await pilot.press("escape", "down")
            await pilot.click(ToolList, offset=(3, 1))
            await pilot.press("f1")
            await pilot.pause()
            await pilot.press("escape", "ctrl+o", "h")
            await pilot.pause()
            screen = screen_text(pilot.app)
            assert pilot.app.is_running
            assert "\x1b" not in screen
            assert "\u202e" not in screen


# --------------------------------------------------------------------------- ways around


async def test_tab_goes_through_all_panes_on_a_narrow_screen() -> None:
    with demo() as target:
        async with running(app_on(target), NARROW) as pilot:
            seen = []
            for _ in range(12):
                seen.append(pilot.app.main.front)
                await pilot.press("tab")
                await pilot.pause()
            assert set(seen) == {"tools", "editor", "answer", "history"}


async def test_the_tabs_take_the_mouse() -> None:
    with demo() as target:
        async with running(app_on(target), NARROW) as pilot:
            for label, key in (("Editor", "editor"), ("Answer", "answer"), ("History", "history"), ("Tools", "tools")):
                line = screen_text(pilot.app).splitlines()[1]
                await pilot.click(offset=(line.index(label) + 1, 1))
                await pilot.pause()
                assert pilot.app.main.front == key


@SIZES
async def test_help_palette_and_jump_work_from_every_pane(size: tuple[int, int]) -> None:
    with demo() as target:
        async with running(app_on(target), size) as pilot:
            for letter, key, label in (
                ("e", "editor", "Editor"),
                ("a", "answer", "Answer"),
                ("h", "history", "History"),
                ("t", "tools", "Tools"),
            ):
                await pilot.press("ctrl+o")
                await until(pilot, f" {letter}  {label}")
                await pilot.press(letter)
                await pilot.pause()
                assert pilot.app.main.front == key
                await pilot.press("f1")
                await until(pilot, f"Help · {label}")
                await pilot.press("escape")
                await pilot.press("ctrl+p")
                await until(pilot, "Search for commands")
                await pilot.press("escape")
                await pilot.pause()


async def test_a_pane_takes_the_whole_screen_and_gives_it_back() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            await pilot.press("z")
            await pilot.pause()
            screen = screen_text(pilot.app)
            assert "Editor ·" not in screen
            assert "olv_list_worlds" in screen
            await pilot.press("f11")
            await pilot.pause()
            assert "Editor ·" in screen_text(pilot.app)


async def test_keys_can_be_given_other_places() -> None:
    with demo() as target:
        app = app_on(target)
        app.set_keymap({"send": "f6"})
        async with running(app) as pilot:
            await pilot.press("f6")
            await settled(pilot)
            await until(pilot, "Lantern Bay")


async def test_y_copies_the_name_of_a_tool_and_the_raw_answer() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            await pilot.press("y")
            assert pilot.app.clipboard == "olv_list_worlds"
            await send(pilot)
            pilot.app.main.go("history")
            await pilot.press("y")
            await until(pilot, lambda: pilot.app.clipboard.startswith('{"jsonrpc":"2.0"'))


async def test_the_screenshot_key_writes_an_svg_and_tells_where(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with demo() as target:
        async with running(app_on(target)) as pilot:
            await pilot.press("f8")
            await until(pilot, "Screenshot:")
            (file,) = tmp_path.glob("*.svg")
            first = file.read_text()
            assert "olv_list_worlds" in first
            pilot.app.main.editor.replace_text('{"password":"typed-and-shown"}')
            await until(pilot, "typed-and-shown")
            await pilot.press("f8")
            await until(pilot, "olv-tui-screen-2.svg")
            assert file.read_text() == first
            second = (tmp_path / "olv-tui-screen-2.svg").read_text()
            assert ("typed-and-shown" in second, "hidden" in second) == (False, True)


async def test_a_secret_in_a_header_is_masked_on_screen() -> None:
    with demo() as target:
        secret = Target("demo", target.url, headers=(("Authorization", "Bearer hunter2-hunter2"),), demo=True)
        async with running(app_on(secret)) as pilot:
            await pilot.press("enter", "f2")
            screen = await until(pilot, "Authorization")
            assert "hunter2" not in screen
            await send(pilot)
            assert "hunter2" not in screen_text(pilot.app)
            assert shown(pilot.app) is not None
            assert "hunter2" not in repr(shown(pilot.app))
