"""The panel of envelope details: what is set there stands in the text, and nothing else changes."""

from __future__ import annotations

import json

import pytest
from textual.widgets import Input, TextArea

from olv_tui.config import UsageError
from olv_tui.model import Verdict
from olv_tui.screens.envelope import EnvelopeScreen, kind_of, read_headers, write_headers
from tests.app.helper import NARROW, WIDE, OlvPilot, app_on, demo, pick, running, send, shown, until
from tests.app.plain import plain_server
from tests.screen import screen_text

SIZES = pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])


async def panel(pilot: OlvPilot) -> EnvelopeScreen:
    await pilot.press("f9")
    await until(pilot, "Envelope of this request")
    screen = pilot.app.screen
    assert isinstance(screen, EnvelopeScreen)
    return screen


async def fill(pilot: OlvPilot, name: str, value: str) -> None:
    """Type a value into a field of the panel."""
    field = pilot.app.screen.query_one(f"#field-{name}", Input)
    field.focus()
    field.value = value
    await pilot.pause()


@SIZES
@pytest.mark.parametrize(
    ("presses", "kind"), [(1, str), (2, float), (3, type(None)), (4, None)], ids=["string", "fraction", "null", "none"]
)
async def test_the_id_becomes_what_is_chosen(size: tuple[int, int], presses: int, kind: type | None) -> None:
    with demo() as target:
        async with running(app_on(target), size) as pilot:
            await panel(pilot)
            await pilot.press(*["right"] * presses, "ctrl+j")
            await pilot.pause()
            value = json.loads(pilot.app.main.editor.text)
            if kind is None:
                assert "id" not in value
            else:
                assert type(value["id"]) is kind
            assert next(iter(value)) == "jsonrpc"
            assert value["params"]["name"] == "olv_list_worlds"


async def test_the_words_go_round_and_a_panel_that_changed_nothing_leaves_the_mode() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            await panel(pilot)
            await pilot.press(*["right"] * 5, "ctrl+j")
            await pilot.pause()
            assert not pilot.app.main.editor.document.whole
            await panel(pilot)
            await pilot.press("left")
            await pilot.pause()
            assert pilot.app.screen.query_one("#field-id", Input).value == ""
            await pilot.press("left", "ctrl+j")
            await pilot.pause()
            assert json.loads(pilot.app.main.editor.text)["id"] is None


async def test_an_id_of_each_kind_is_sent_as_it_stands() -> None:
    with plain_server() as server:
        async with running(app_on(server.target)) as pilot:
            pilot.app.main.editor.replace_text('{"jsonrpc":"2.0","id":1,"method":"echo","params":[1.50]}')
            for typed in ('"a"', "1.50", "null", "-3", "1e2"):
                await panel(pilot)
                await fill(pilot, "id", typed)
                await pilot.press("ctrl+j")
                await send(pilot)
                assert server.bodies[-1].decode() == f'{{"jsonrpc":"2.0","id":{typed},"method":"echo","params":[1.50]}}'


async def test_version_and_further_members_are_set_exactly() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            await panel(pilot)
            await fill(pilot, "jsonrpc", "2.0")
            await fill(pilot, "extras", '"trace" :"a",  "n":1.0')
            await pilot.press("ctrl+j")
            await pilot.pause()
            text = pilot.app.main.editor.text
            assert text.startswith('{"jsonrpc":2.0,"id":')
            assert text.endswith(',"trace" :"a",  "n":1.0}')
            await panel(pilot)
            await fill(pilot, "jsonrpc", "")
            await fill(pilot, "extras", "")
            await pilot.press("ctrl+j")
            await pilot.pause()
            assert pilot.app.main.editor.text.startswith('{"id":')
            assert "trace" not in pilot.app.main.editor.text


@SIZES
async def test_headers_of_this_request_are_previewed_and_sent_and_of_no_other(size: tuple[int, int]) -> None:
    with plain_server() as server:
        async with running(app_on(server.target), size) as pilot:
            screen = await panel(pilot)
            screen.query_one(TextArea).text = "X-Trace: a b\n\nAccept: application/json\n-User-Agent"
            await pilot.press("ctrl+j")
            await pilot.press("ctrl+o", "e")
            text = await until(pilot, "X-Trace: a b")
            assert "without User-Agent" in text
            await send(pilot)
            sent = server.headers[-1]
            assert sent["x-trace"] == "a b"
            assert sent["accept"] == "application/json"
            assert "user-agent" not in sent
            pilot.app.main.begin("ping")
            await send(pilot)
            assert "x-trace" not in server.headers[-1]


async def test_headers_go_with_a_call_in_json_mode_and_are_seen_there() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            await pick(pilot, "olv_today")
            screen = await panel(pilot)
            screen.query_one(TextArea).text = "X-Trace: 7"
            await pilot.press("ctrl+j")
            await until(pilot, "X-Trace: 7")
            assert not pilot.app.main.editor.document.whole, "the text did not change, so the mode does not"
            for _ in range(2):
                await send(pilot)
                sent = shown(pilot.app)
                assert sent is not None
                assert ("X-Trace", "7") in sent.request.headers
                assert sent.verdict is Verdict.RESULT


async def test_a_line_that_is_no_header_is_named_and_the_panel_stays() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            screen = await panel(pilot)
            screen.query_one(TextArea).text = "X-Good: 1\nno header"
            await pilot.press("ctrl+j")
            text = await until(pilot, "line 2")
            assert "Name: value" in text
            assert pilot.app.screen is screen
            await pilot.press("escape")
            await pilot.pause()
            assert pilot.app.main.editor.document.headers == ()


async def test_editing_by_hand_wins_over_the_panel() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            await panel(pilot)
            await fill(pilot, "id", '"panel"')
            await pilot.press("ctrl+j")
            await pilot.pause()
            editor = pilot.app.main.editor
            editor.replace_text(editor.text.replace('"panel"', '"hand"'))
            await send(pilot)
            sent = shown(pilot.app)
            assert sent is not None
            assert str(sent.id) == '"hand"'
            await panel(pilot)
            assert pilot.app.screen.query_one("#field-id", Input).value == '"hand"'


async def test_a_body_that_is_no_object_still_gets_headers() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            await pilot.press("f2")
            pilot.app.main.editor.replace_text("no json")
            screen = await panel(pilot)
            assert "no JSON object" in screen_text(pilot.app)
            screen.query_one(TextArea).text = "X-Trace: 7"
            await pilot.press("ctrl+j")
            await until(pilot, "X-Trace: 7")
            assert pilot.app.main.editor.text == "no json"


@pytest.mark.parametrize(
    ("text", "kind"),
    [("1", "integer"), ("-12", "integer"), ('"1"', "string"), ("null", "null"), (None, "none"), ("1.5", "fraction"),
     ("1e3", "fraction"), ("true", ""), ("[1]", "")],
)  # fmt: skip
def test_the_kind_of_an_id_is_told_by_its_text(text: str | None, kind: str) -> None:
    assert kind_of(text) == kind


def test_headers_are_read_back_as_they_are_written() -> None:
    headers, without = (("X-A", "1: 2"), ("X-A", "")), ("Accept",)
    assert read_headers(write_headers(headers, without)) == (headers, without)
    for wrong in ("a b: 1", ": 1", "-", "X: a\x07", "plain"):
        with pytest.raises(UsageError, match="line 1"):
            read_headers(wrong)
