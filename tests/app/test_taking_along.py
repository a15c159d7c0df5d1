"""Filtering, copying and saving parts of an answer, in the whole explorer on the demo server."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from olv_tui.widgets.answer_views import AnswerViews
from tests.app.helper import app_on, demo, pick, running, send, shown, until
from tests.screen import screen_text


async def test_a_filter_shows_what_it_finds_and_esc_gives_the_whole_answer_back() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            await pick(pilot, "olv_list_worlds")
            await send(pilot)
            await pilot.press("ctrl+o", "a", "vertical_line", *"$..name")
            screen = await until(pilot, "matches")
            assert "$.result.structuredContent.worlds[0].name" in screen
            await pilot.press("enter")
            views = pilot.app.query_one(AnswerViews)
            await until(pilot, lambda: views.active.has_focus)
            assert views.is_filtered
            await pilot.press("escape")
            await until(pilot, lambda: not views.is_filtered and "matches" not in screen_text(pilot.app))
            await pilot.press("vertical_line", "up")
            await until(pilot, "matches")
            await pilot.press("[")
            await until(pilot, "unexpected")
            assert "matches" not in screen_text(pilot.app)


async def test_the_value_under_the_cursor_is_copied_and_what_was_done_is_said() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            await pick(pilot, "olv_list_worlds")
            await send(pilot)
            await pilot.press("ctrl+o", "a", "y")
            await until(pilot, "(OSC 52)")
            assert pilot.app.clipboard.startswith('{"jsonrpc"')
            exchange = shown(pilot.app)
            assert exchange is not None
            assert exchange.reply is not None
            assert exchange.reply.response is not None
            await pilot.press("Y", *"raw body", "enter")
            await until(pilot, lambda: pilot.app.clipboard == exchange.reply.response.body.decode())  # type: ignore[union-attr]
            await pilot.press("Y", *"record", "enter")
            await until(pilot, lambda: '"verdict"' in pilot.app.clipboard)
            assert json.loads(pilot.app.clipboard)["verdict"] == "result"


async def test_a_part_is_saved_under_a_safe_name_and_nothing_is_written_over_unasked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with demo() as target:
        async with running(app_on(target)) as pilot:
            await pick(pilot, "olv_list_worlds")
            await send(pilot)
            exchange = shown(pilot.app)
            assert exchange is not None
            await pilot.press("ctrl+o", "a", "s", *"body as it came", "enter")
            screen = await until(pilot, "Enter writes")
            name = f"olv_list_worlds-{exchange.id.text if exchange.id else ''}.json"
            assert name in screen
            await pilot.press("enter")
            await until(pilot, "Saved 1.3 kB")
            assert exchange.reply is not None
            assert exchange.reply.response is not None
            assert (tmp_path / name).read_bytes() == exchange.reply.response.body
            (tmp_path / "mine").write_text("mine")
            await pilot.press("s", *"record", "enter")
            await until(pilot, "Enter writes")
            await pilot.press("ctrl+u", *"mine", "enter")
            await until(pilot, "is there already")
            assert (tmp_path / "mine").read_text() == "mine"
            await pilot.press("enter")
            await until(pilot, lambda: (tmp_path / "mine").read_text() != "mine")
            assert json.loads((tmp_path / "mine").read_text())["verdict"] == "result"


async def test_a_picture_is_shown_in_half_cells_and_another_answer_says_that_it_has_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLORTERM", "truecolor")
    pytest.importorskip("PIL", reason="pillow is not installed")
    with demo() as target:
        async with running(app_on(target)) as pilot:
            await pick(pilot, "olv_render_postcard")
            await send(pilot)
            await pilot.press("ctrl+o", "a")
            assert "v shows it" in await until(pilot, "pixels")
            await pilot.press("v")
            screen = await until(pilot, "▀▀▀")
            assert "Picture · content 2 · image/png" in screen
            await pilot.press("escape")
            await until(pilot, lambda: "▀▀▀" not in screen_text(pilot.app))
            await pick(pilot, "olv_list_worlds")
            await send(pilot)
            await pilot.press("ctrl+o", "a", "v")
            await until(pilot, "no picture in this answer")
