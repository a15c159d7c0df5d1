"""Breaking a request in the explorer: it is seen, sent as seen, and mended."""

from __future__ import annotations

import json

import pytest

from olv_tui.model import Verdict
from olv_tui.view.breakage import BREAKAGES
from tests.app.helper import NARROW, WIDE, OlvPilot, app_on, demo, pick, running, send, shown, until
from tests.screen import screen_text

SIZES = pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])


async def break_it(pilot: OlvPilot, words: str) -> None:
    """Choose a way by typing into the menu."""
    await pilot.press("ctrl+g")
    await until(pilot, "Break it")
    await pilot.press(*("space" if letter == " " else letter for letter in words), "enter")
    await pilot.pause()


def sent(pilot: OlvPilot) -> bytes:
    exchange = shown(pilot.app)
    assert exchange is not None
    return exchange.request.body


@SIZES
async def test_the_menu_tells_what_a_way_does_the_rule_and_the_right_answer(size: tuple[int, int]) -> None:
    with demo() as target:
        async with running(app_on(target), size) as pilot:
            await pilot.press("ctrl+g")
            screen = await until(pilot, "Drop the id")
            assert "becomes a notification" in screen
            assert "C01" in screen
            assert "202" in screen
            await pilot.press(*"mistyped")
            await until(pilot, "Nothing fits")
            await pilot.press("enter")
            assert screen_text(pilot.app).count("Break it"), "Enter on nothing stays"
            await pilot.press("escape")


@SIZES
async def test_a_broken_request_is_seen_with_the_right_answer_and_sent_as_seen(size: tuple[int, int]) -> None:
    with demo() as target:
        async with running(app_on(target), size) as pilot:
            await break_it(pilot, "drop")
            screen = screen_text(pilot.app)
            assert "broken: drop the id" in screen
            assert "A right server answers: 202" in screen
            assert shown(pilot.app) is None, "nothing is sent by breaking"
            text = pilot.app.main.editor.text
            assert "id" not in json.loads(text)
            await send(pilot)
            assert sent(pilot).decode() == text
            exchange = shown(pilot.app)
            assert exchange is not None
            assert exchange.verdict is Verdict.ACCEPTED


async def test_f2_mends_what_was_not_edited_and_goes_back_to_where_it_was() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            editor = pilot.app.main.editor
            await pick(pilot, "olv_get_world")
            editor.replace_text('{"world_id":  "mine"}')
            await break_it(pilot, "cut")
            assert "the whole body" in screen_text(pilot.app)
            await pilot.press("f2")
            assert not editor.document.whole
            assert editor.text == '{"world_id":  "mine"}'
            assert "broken" not in screen_text(pilot.app)


async def test_breaking_twice_tells_both_and_mend_in_the_menu_takes_both_back() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            editor = pilot.app.main.editor
            await pilot.press("f2")
            before = editor.text
            await break_it(pilot, "wrong jsonrpc")
            await break_it(pilot, "accept")
            screen = screen_text(pilot.app)
            assert "broken: wrong jsonrpc version, wrong Accept header" in screen
            assert "Accept: text/plain" in screen
            await break_it(pilot, "mend")
            assert editor.text == before
            assert editor.document.headers == ()
            assert editor.document.whole


async def test_what_was_edited_after_breaking_is_not_lost_to_f2() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            editor = pilot.app.main.editor
            await break_it(pilot, "extra argument")
            await pilot.press("home", "space")
            await until(pilot, "then edited")
            await pilot.press("f2", "f2")
            assert "no_such_argument" in editor.text
            await pilot.press("f2", "f2")
            assert "no_such_argument" in editor.text
            pilot.app.main.action_mend()
            await pilot.pause()
            assert "no_such_argument" not in editor.text


@pytest.mark.parametrize(("words", "start"), [("bom", b"\xef\xbb\xbf{"), ("utf", b"{")])
async def test_bytes_that_are_no_text_are_sent_exactly_until_the_text_is_edited(words: str, start: bytes) -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            await break_it(pilot, words)
            screen = screen_text(pilot.app)
            assert "kept as they are until" in screen
            assert "no JSON" in screen
            await send(pilot)
            assert sent(pilot).startswith(start)
            assert (b"caf\xe9" in sent(pilot)) == (words == "utf")
            await send(pilot)
            assert sent(pilot).startswith(start), "and once more, under a new id"
            await pilot.press("ctrl+o", "e", "ctrl+end", "space")
            screen = await until(pilot, "then edited")
            assert "kept as they are until" not in screen
            await send(pilot)
            sent(pilot).decode()
            assert b"\xe9" not in sent(pilot)


async def test_broken_bytes_from_the_history_are_loaded_as_bytes() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            await break_it(pilot, "utf")
            await send(pilot)
            first = sent(pilot)
            await pick(pilot, "olv_today")
            pilot.app.main.go("history")
            await pilot.press("enter")
            await pilot.pause()
            assert "kept as they are until" in screen_text(pilot.app)
            await send(pilot)
            assert b"caf\xe9" in sent(pilot)
            assert len(sent(pilot)) == len(first)


async def test_a_header_that_was_broken_comes_back_from_the_history_and_is_sent_again() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            await break_it(pilot, "accept")
            await send(pilot)
            await pick(pilot, "olv_today")
            await send(pilot)
            pilot.app.main.go("history")
            await pilot.press("down", "r")
            await until(pilot, lambda: b"olv_list_worlds" in sent(pilot))
            exchange = shown(pilot.app)
            assert exchange is not None
            assert ("Accept", "text/plain") in exchange.request.headers
            await pilot.press("enter")
            await pilot.pause()
            assert pilot.app.main.editor.document.headers == (("Accept", "text/plain"),)
            pilot.app.main.go("history")
            await pilot.press("down", "down", "enter")
            await pilot.pause()
            headers = pilot.app.main.editor.document.headers
            assert headers == (("Accept", "text/plain"),), "the one that was broken first"
            await pilot.press("ctrl+o", "h", "up", "enter")
            await pilot.pause()
            assert not pilot.app.main.editor.document.headers, "a plain call has none of its own"


async def test_the_session_id_is_left_out_or_made_up_in_the_era_that_has_one() -> None:
    with demo("sessions") as target:
        async with running(app_on(target)) as pilot:
            await break_it(pilot, "no session")
            assert "without Mcp-Session-Id" in screen_text(pilot.app)
            await send(pilot)
            exchange = shown(pilot.app)
            assert exchange is not None
            assert "mcp-session-id" not in {name.lower() for name, _ in exchange.request.headers}
            assert exchange.reply is not None
            assert exchange.reply.response is not None
            assert exchange.reply.response.status == 400
            await break_it(pilot, "wrong session")
            await send(pilot)
            exchange = shown(pilot.app)
            assert exchange is not None
            assert exchange.reply is not None
            assert exchange.reply.response is not None
            assert exchange.reply.response.status == 404


async def test_a_way_that_does_not_fit_is_refused_with_the_reason() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            await break_it(pilot, "no session")
            await until(pilot, "Not here: there is no session")
            await pilot.press("escape")
            await pilot.pause()
            assert pilot.app.main.editor.document.broken is None


async def test_a_broken_request_is_kept_as_the_draft_of_its_tool() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            await break_it(pilot, "comma")
            await pick(pilot, "olv_today")
            assert "broken" not in screen_text(pilot.app)
            await pick(pilot, "olv_list_worlds")
            assert "broken: trailing comma" in screen_text(pilot.app)
            await pilot.press("f2")
            assert pilot.app.main.editor.text == "{}"


async def test_every_way_can_be_seen_in_the_editor_and_sent() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            screen = pilot.app.main
            await pick(pilot, "olv_get_world")
            for way in BREAKAGES:
                screen.break_as(way)
                await pilot.pause()
                text = screen_text(pilot.app)
                if way.key == "no-session":
                    assert "Not broken: there is no session" in text
                    continue
                assert f"broken: {way.phrase}" in text
                await send(pilot)
                exchange = shown(pilot.app)
                assert exchange is not None
                assert exchange.judgement is not None, way.key
                assert screen.editor.mend()
