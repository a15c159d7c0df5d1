"""From a pasted report to the same call: understood, loaded, sent, compared."""

from __future__ import annotations

import json
from pathlib import Path

from textual import events

from olv_tui.model import Target, Verdict
from olv_tui.screens.paste import LARGE, PasteArea, PasteScreen
from tests.app.helper import NARROW, OlvPilot, app_on, demo, running, send, shown, small_server, until
from tests.screen import screen_text, settled

TOOLS = [{"name": "probe", "inputSchema": {"type": "object"}}]
CALL = {"jsonrpc": "2.0", "id": "r-7", "method": "tools/call", "params": {"name": "probe", "arguments": {"q": 1}}}
ANSWER = {"jsonrpc": "2.0", "id": "r-7", "result": {"content": [{"type": "text", "text": "hit"}]}}


async def paste(pilot: OlvPilot, text: str) -> None:
    """A bracketed paste, as the terminal gives it."""
    pilot.app.post_message(events.Paste(text))
    await pilot.pause()


def report(answer: object = ANSWER) -> str:
    return f"```json\n{json.dumps(CALL)}\n```\nanswer\n```json\n{json.dumps(answer)}\n```"


async def test_a_paste_enter_and_send_reproduce_a_report() -> None:
    with small_server(lambda _: ANSWER["result"], tools=TOOLS) as target:
        async with running(app_on(target)) as pilot:
            await paste(pilot, report())
            await until(pilot, "one call, read from")
            assert '"q":1' in screen_text(pilot.app).replace(" ", "")
            assert shown(pilot.app) is None, "nothing was sent"
            await pilot.press("enter")
            await until(pilot, "expected: result")
            assert not isinstance(pilot.app.screen, PasteScreen)
            await send(pilot)
            await until(pilot, "reproduced: same answer")
            exchange = shown(pilot.app)
            assert exchange is not None
            assert exchange.request.body == json.dumps(CALL).encode(), "byte for byte, the id as well"


async def test_another_answer_than_the_expected_one_is_said_and_d_shows_where() -> None:
    with small_server(lambda _: {"content": [{"type": "text", "text": "miss"}]}, tools=TOOLS) as target:
        async with running(app_on(target), NARROW) as pilot:
            await pilot.press("ctrl+t")
            await paste(pilot, report())
            await until(pilot, "one call, read from")
            await pilot.press("enter")
            await send(pilot)
            await until(pilot, "not the same: of the same kind")
            await pilot.press("ctrl+o", "a", "d")
            await until(pilot, "/result/content/0/text")
            assert "hit" in screen_text(pilot.app)
            assert "miss" in screen_text(pilot.app)
            await pilot.press("x")
            await until(pilot, "Nothing differs")
            await pilot.press("escape")
            await until(pilot, "reproduced: same answer")


async def test_several_calls_are_offered_and_one_is_loaded() -> None:
    other = {**CALL, "id": 8, "params": {"name": "probe", "arguments": {"q": 2}}}
    with small_server(lambda _: {"content": []}, tools=TOOLS) as target:
        async with running(app_on(target)) as pilot:
            await paste(pilot, f"{json.dumps(CALL)}\n{json.dumps(other)}")
            await until(pilot, "2 calls: which one is meant?")
            await pilot.press("down", "enter")
            await until(pilot, lambda: not isinstance(pilot.app.screen, PasteScreen))
            assert json.loads(pilot.app.main.editor.document.arguments) == {"q": 2}


async def test_a_report_of_another_server_asks_and_turns_there() -> None:
    with (
        small_server(lambda _: {"content": []}, tools=TOOLS) as here,
        small_server(lambda _: {"content": [{"type": "text", "text": "there"}]}, tools=TOOLS) as there,
    ):
        async with running(app_on(here)) as pilot:
            await paste(pilot, f"curl {there.url} -H 'Authorization: Bearer sesame-sesame' -d '{json.dumps(CALL)}'")
            await until(pilot, "another server: you are asked")
            assert "header  Authorization: Bearer ‹hidden" in screen_text(pilot.app)
            await pilot.press("enter")
            await until(pilot, "The report is of another server")
            await pilot.press("down", "enter")
            await until(pilot, "Loaded; nothing is sent")
            await settled(pilot)
            assert pilot.app.main.core is not None
            assert pilot.app.main.core.target.url == there.url
            await send(pilot)
            exchange = shown(pilot.app)
            assert exchange is not None
            assert exchange.request.url == there.url
            assert "sesame-sesame" not in str(exchange)


async def test_a_credential_of_another_server_is_left_out_unless_it_is_wanted() -> None:
    with small_server(lambda _: {"content": []}, tools=TOOLS) as here:
        async with running(app_on(here)) as pilot:
            await paste(
                pilot, f"curl https://a.example/mcp -H 'Authorization: Bearer sesame-sesame' -d '{json.dumps(CALL)}'"
            )
            await until(pilot, "another server: you are asked")
            await pilot.press("enter")
            await until(pilot, "The report is of another server")
            await pilot.press("enter")
            await until(pilot, "The report holds a credential")
            await pilot.press("enter")
            await until(pilot, "Loaded; nothing is sent")
            assert all(name != "Authorization" for name, _ in pilot.app.main.editor.document.headers)


async def test_a_known_target_of_the_same_origin_is_turned_to(tmp_path: Path) -> None:
    from dataclasses import replace

    with small_server(lambda _: {"content": []}, tools=TOOLS) as here, small_server(lambda _: {}, tools=TOOLS) as there:
        app = app_on(here, tmp_path / "history")
        async with running(app) as pilot:
            core = app.main.core
            assert core is not None
            app.main.core = replace(core, known={"staging": Target("staging", there.url)})
            await paste(pilot, f"curl {there.url} -d '{json.dumps(CALL)}'")
            await until(pilot, "known target staging")
            await pilot.press("enter")
            await until(pilot, "Loaded; nothing is sent")
            assert app.main.core.target.name == "staging"


async def test_a_text_without_a_call_says_what_to_do_and_loads_nothing() -> None:
    with small_server(lambda _: {}, tools=TOOLS) as target:
        async with running(app_on(target)) as pilot:
            await paste(pilot, "it does not work")
            await until(pilot, "No call was found in it")
            await pilot.press("enter")
            assert isinstance(pilot.app.screen, PasteScreen)
            await pilot.press("escape")
            await until(pilot, lambda: not isinstance(pilot.app.screen, PasteScreen))


async def test_a_lone_object_is_offered_as_the_arguments_of_a_tool() -> None:
    with small_server(lambda _: {}, tools=TOOLS) as target:
        async with running(app_on(target)) as pilot:
            await paste(pilot, '{"q": 5}')
            await until(pilot, "of which tool")
            await pilot.press("enter")
            await until(pilot, "Arguments loaded")
            assert pilot.app.main.editor.document.arguments == '{"q": 5}'


async def test_a_megabyte_is_held_whole_and_shown_in_part() -> None:
    body = json.dumps({**CALL, "params": {"name": "probe", "arguments": {"q": "x" * 1_000_000}}})
    with small_server(lambda _: {}, tools=TOOLS) as target:
        async with running(app_on(target)) as pilot:
            await paste(pilot, body)
            await until(pilot, "one call, read from")
            area = pilot.app.screen.query_one(PasteArea)
            assert area.kept == body
            assert len(area.text) < LARGE
            await pilot.press("ctrl+j")
            await until(pilot, "Nothing is sent from here: Enter loads it")
            await pilot.press("enter")
            await until(pilot, "Loaded; nothing is sent")
            assert pilot.app.main.editor.whole_text() == body


async def test_a_mend_can_be_taken_back() -> None:
    with small_server(lambda _: {}, tools=TOOLS) as target:
        async with running(app_on(target)) as pilot:
            await paste(pilot, "\n".join(f"> {line}" for line in json.dumps(CALL, indent=1).split("\n")))
            await until(pilot, "quote marks before lines")
            await pilot.press("tab", "space")
            await until(pilot, "It holds a message that is cut off or broken")
            await pilot.press("space")
            await until(pilot, "one call, read from")


async def test_the_demo_reproduces_a_tool_error_of_a_report() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            call = {**CALL, "params": {"name": "olv_site_status", "arguments": {"site": "helpbless.com"}}}
            failed = {
                "content": [],
                "structuredContent": {"error": "not_linked", "site": "helpbless.com"},
                "isError": True,
            }
            text = f"{json.dumps(call)}\n{json.dumps({'jsonrpc': '2.0', 'id': 'r-7', 'result': failed})}"
            await paste(pilot, text)
            await until(pilot, "tool error not_linked")
            await pilot.press("enter")
            await send(pilot)
            exchange = shown(pilot.app)
            assert exchange is not None
            assert exchange.verdict is Verdict.TOOL_ERROR, "the era of this server is put on"
            assert b'"id":"r-7"' in exchange.request.body
            pilot.app.main.action_exact()
            assert pilot.app.main.editor.whole_text() == json.dumps(call)
