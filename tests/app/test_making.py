"""Requests of any method: from a list, typed, plain JSON-RPC, and calls of tools by name."""

from __future__ import annotations

import json

import pytest
from textual.widgets import TextArea

from olv_tui.app import OlvApp
from olv_tui.model import Era, Target, Verdict
from olv_tui.screens.picker import PickScreen
from tests.app.helper import NARROW, WIDE, OlvPilot, app_on, demo, pick, running, send, shown, small_server, until
from tests.app.plain import plain_server
from tests.screen import screen_text, settled

SIZES = pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])


async def begin(pilot: OlvPilot, words: str) -> None:
    """Choose a request by typing into the list."""
    await pilot.press("ctrl+n")
    await until(pilot, "New request")
    await pilot.press(*("space" if letter == " " else "slash" if letter == "/" else letter for letter in words))
    await pilot.press("enter")
    await pilot.pause()


def body(app: OlvApp) -> dict[str, object]:
    """What was sent last, as the answer pane has it."""
    sent = shown(app)
    assert sent is not None
    value: dict[str, object] = json.loads(sent.request.body)
    return value


# --------------------------------------------------------------------------- from the list


@SIZES
async def test_a_request_from_the_list_is_dressed_for_the_era_and_sent_as_it_stands(size: tuple[int, int]) -> None:
    with demo() as target:
        async with running(app_on(target), size) as pilot:
            app = pilot.app
            await begin(pilot, "discover")
            assert "Editor · server/discover" in screen_text(app)
            assert isinstance(app.focused, TextArea)
            text = app.main.editor.text
            assert "io.modelcontextprotocol/protocolVersion" in text
            screen = await send(pilot)
            assert "Answer · server/discover #" in screen
            sent = shown(app)
            assert sent is not None
            assert sent.request.body.decode() == text
            assert sent.verdict is Verdict.RESULT
            assert ("Mcp-Method", "server/discover") in sent.request.headers


@SIZES
async def test_the_list_filters_and_says_what_a_request_is_for(size: tuple[int, int]) -> None:
    with demo() as target:
        async with running(app_on(target), size) as pilot:
            await pilot.press("ctrl+n")
            screen = await until(pilot, "resources/templates/list")
            assert "nextCursor goes back" in screen, "the first row is told about"
            await pilot.press(*"prompts", "down")
            screen = await until(pilot, '{"name":"","arguments":{}}')
            assert "resources/read" not in screen
            await pilot.press("escape")
            await pilot.pause()
            assert not isinstance(pilot.app.screen, PickScreen)
            assert pilot.app.main.state.selected == "olv_list_worlds", "Esc changes nothing"


async def test_any_typed_method_is_sent() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            await begin(pilot, "x/ywz")
            screen = await send(pilot)
            assert body(pilot.app)["method"] == "x/ywz"
            assert "-32601" in screen
            assert "Answer · x/ywz #" in screen


async def test_a_notification_ends_as_accepted() -> None:
    with demo("sessions") as target:
        async with running(app_on(target)) as pilot:
            await begin(pilot, "initialized")
            screen = await send(pilot)
            sent = shown(pilot.app)
            assert sent is not None
            assert sent.verdict is Verdict.ACCEPTED
            assert "accepted" in screen
            assert "id" not in body(pilot.app)


async def test_the_handshake_by_hand_goes_without_modern_headers() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            await begin(pilot, "initialize")
            screen = screen_text(pilot.app)
            assert "without MCP-Protocol-Version" in screen
            await send(pilot)
            sent = shown(pilot.app)
            assert sent is not None
            names = {name.lower() for name, _ in sent.request.headers}
            assert not names & {"mcp-protocol-version", "mcp-method"}
            assert "_meta" not in sent.request.body.decode()


async def test_discover_in_the_legacy_era_carries_the_headers_of_the_modern_one() -> None:
    with demo("sessions") as target:
        async with running(app_on(Target("d", target.url, demo=True, era=Era.LEGACY))) as pilot:
            await begin(pilot, "discover")
            await send(pilot)
            sent = shown(pilot.app)
            assert sent is not None
            assert ("MCP-Protocol-Version", "2026-07-28") in sent.request.headers
            assert ("Mcp-Method", "server/discover") in sent.request.headers


# --------------------------------------------------------------------------- drafts


async def test_each_request_keeps_its_draft_and_those_of_the_tools_are_untouched() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            app = pilot.app
            await pick(pilot, "olv_get_world")
            app.main.editor.replace_text('{"world_id": "mine"}')
            await begin(pilot, "prompts/get")
            app.main.editor.replace_text(app.main.editor.text.replace('"name":""', '"name":"greet"'))
            await begin(pilot, "ping")
            assert '"method":"ping"' in app.main.editor.text
            await begin(pilot, "prompts/get")
            assert '"name":"greet"' in app.main.editor.text
            await pilot.press("escape", "enter")  # back to the list, and into the tool under the cursor
            await pilot.pause()
            assert app.main.editor.text == '{"world_id": "mine"}'
            assert app.main.state.selected == "olv_get_world"


async def test_an_untouched_request_gets_a_new_id_after_it_was_sent_and_a_batch_two() -> None:
    with plain_server() as server:
        async with running(app_on(server.target)) as pilot:
            app = pilot.app
            await begin(pilot, "batch")
            first = [one["id"] for one in json.loads(app.main.editor.text)]
            await send(pilot)
            second = [one["id"] for one in json.loads(app.main.editor.text)]
            assert second == [one + 2 for one in first]
            await begin(pilot, "ping")
            await send(pilot)
            assert body(app)["id"] == second[0]


async def test_the_answer_of_another_request_says_so_and_each_has_its_own() -> None:
    with plain_server() as server:
        async with running(app_on(server.target)) as pilot:
            await begin(pilot, "ping")
            await send(pilot)
            await begin(pilot, "echo")
            screen = await until(pilot, "not of echo")
            assert "Answer · ping #" in screen
            await send(pilot)
            assert "not of" not in screen_text(pilot.app)
            await begin(pilot, "ping")
            await until(pilot, "Answer · ping #")


async def test_start_over_gives_the_template_anew() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            await begin(pilot, "ping")
            text = pilot.app.main.editor.text
            pilot.app.main.editor.replace_text("oops")
            pilot.app.main.action_start_over()
            assert pilot.app.main.editor.text == text


async def test_a_list_that_comes_does_not_take_the_request_away() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            await begin(pilot, "ping")
            await pilot.press("ctrl+l")
            await settled(pilot)
            await settled(pilot)
            assert "Editor · ping" in screen_text(pilot.app)


async def test_a_request_loaded_from_the_history_is_the_same_text() -> None:
    with plain_server() as server:
        async with running(app_on(server.target)) as pilot:
            app = pilot.app
            await begin(pilot, "echo")
            text = '{"jsonrpc":"2.0" ,"id":"a","method":"echo","params":[1.0]}'
            app.main.editor.replace_text(text)
            await send(pilot)
            await begin(pilot, "ping")
            app.main.go("history")
            await pilot.press("enter")
            await pilot.pause()
            assert app.main.editor.text == text
            assert "Editor · echo" in screen_text(app)


# --------------------------------------------------------------------------- plain JSON-RPC


@SIZES
async def test_a_server_without_a_list_of_tools_is_told_and_a_plain_call_is_ready(size: tuple[int, int]) -> None:
    with plain_server() as server:
        async with running(app_on(server.target), size) as pilot:
            screen = screen_text(pilot.app)
            assert "lists no tools" in screen
            assert "ctrl+n" in screen
            await pilot.press("ctrl+o", "e")
            await until(pilot, "JSON-RPC call, params by name")
            await pilot.press(*"subtract")
            text = pilot.app.main.editor.text
            assert '"method":"subtract"' in text, "the cursor waits where the method goes"
            pilot.app.main.editor.replace_text(text.replace("{}", '{"minuend":42,"subtrahend":23}'))
            screen = await send(pilot)
            assert "✓ result: 19" in screen
            assert server.bodies[-1].decode() == shown_text(pilot.app)


def shown_text(app: OlvApp) -> str:
    sent = shown(app)
    assert sent is not None
    return sent.request.body.decode()


async def test_params_by_position_a_notification_and_a_batch_on_a_plain_server() -> None:
    with plain_server() as server:
        async with running(app_on(server.target)) as pilot:
            app = pilot.app
            await begin(pilot, "position")
            app.main.editor.replace_text('{"jsonrpc":"2.0","id":1.0,"method":"subtract","params":[1e0,23]}')
            assert "result: -22" in await send(pilot)
            assert server.bodies[-1] == b'{"jsonrpc":"2.0","id":1.0,"method":"subtract","params":[1e0,23]}'
            await begin(pilot, "json notification")
            assert "accepted" in await send(pilot)
            await begin(pilot, "batch")
            assert "batch: 1 result and 1 error" in await send(pilot)


# --------------------------------------------------------------------------- tools by name


async def test_a_tool_that_is_not_listed_is_called_by_name() -> None:
    tools = [{"name": "known", "inputSchema": {"type": "object", "required": ["a"]}}]
    with small_server(lambda asked: {"content": [{"type": "text", "text": asked["name"]}]}, tools=tools) as target:
        async with running(app_on(target)) as pilot:
            app = pilot.app
            app.main.action_call_by_name()
            await until(pilot, "Call a tool by name")
            await pilot.press(*"hidden", "enter")
            await pilot.pause()
            assert not app.main.editor.document.whole
            assert app.main.editor.text == "{}"
            screen = await send(pilot)
            assert "Answer · hidden #" in screen
            assert body(app)["params"] == {"name": "hidden", "arguments": {}}


async def test_a_name_that_is_listed_turns_to_the_tool() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            pilot.app.main.action_call_by_name()
            await until(pilot, "Call a tool by name")
            await pilot.press(*"site", "enter")
            await pilot.pause()
            assert pilot.app.main.state.selected == "olv_site_status"
            assert json.loads(pilot.app.main.editor.text) == {"site": "helpbless.com"}


async def test_without_any_list_a_tool_is_called_by_name() -> None:
    with plain_server() as server:
        async with running(app_on(server.target)) as pilot:
            pilot.app.main.action_call_by_name()
            await until(pilot, "Call a tool by name")
            await pilot.press(*"lone", "enter")
            await pilot.pause()
            await send(pilot)
            assert json.loads(server.bodies[-1])["params"] == {"name": "lone", "arguments": {}}


# --------------------------------------------------------------------------- the palette


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("new request", "New request"),
        ("call a tool by name", "Call a tool by name"),
        ("envelope", "Envelope of this request"),
        ("break it", "Drop the id"),
        ("mend", "Nothing was broken on purpose here"),
    ],
)
async def test_the_palette_leads_there(words: str, told: str) -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            await pilot.press("ctrl+p")
            await until(pilot, "Search for commands")
            await pilot.press(*("space" if letter == " " else letter for letter in words))
            await until(pilot, lambda: words in screen_text(pilot.app).lower())
            await pilot.pause(0.2)
            await pilot.press("enter")
            await until(pilot, told)


async def test_the_keys_are_named_in_the_help_of_every_pane() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            await pilot.press("f1")
            await until(pilot, "Help · Tools")
            await pilot.press("end")
            screen = await until(pilot, "Break it")
            for key, what in (("^n", "New request"), ("f9", "Envelope"), ("^g", "Break it")):
                assert any(key in line and what in line for line in screen.splitlines())
