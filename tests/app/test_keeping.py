"""Stars, notes, saved calls and the filter, as a reader uses them."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from olv_tui.history import History
from olv_tui.model import Exchange, Outgoing, WireRequest
from olv_tui.redact import Redactor
from olv_tui.screens import keeping
from olv_tui.widgets.history_list import HistoryList
from tests.screen import widget_text

from .helper import NARROW, app_on, demo, running, send, until


async def test_a_star_and_a_note_are_seen_in_the_row_found_by_the_filter_and_kept(tmp_path: Path) -> None:
    file = tmp_path / "h.db"
    with demo() as target:
        async with running(app_on(target, file), NARROW) as pilot:
            app = pilot.app
            await send(pilot)
            await send(pilot)
            app.main.go("history")
            rows = app.main.query_one(HistoryList)
            await until(pilot, lambda: rows.count == 2)
            await pilot.press("j", "asterisk", "m")
            await pilot.pause()
            await pilot.press(*"slow", "enter")
            await until(pilot, lambda: "★" in widget_text(rows) and "✎ slow" in widget_text(rows))
            await pilot.press("slash", *"is", "colon", *"st")
            await until(pilot, lambda: not app.main.history.border_subtitle)
            await pilot.press("right")
            await until(pilot, lambda: rows.count == 1)
            assert rows.rows[0].note == "slow"
            await pilot.press("ctrl+u", *"is", "colon", *"odd")
            await until(pilot, lambda: "is:odd is not known" in str(app.main.history.border_subtitle))
            await pilot.press("escape")
            await until(pilot, lambda: rows.count == 2)
    history = History(file, Redactor(b"a key for tests"))
    assert [(row.starred, row.note) for row in history.recent(2)] == [(False, ""), (True, "slow")]
    history.close()


async def test_a_call_is_saved_loaded_renamed_and_deleted_and_nothing_is_sent(tmp_path: Path) -> None:
    with demo() as target:
        async with running(app_on(target, tmp_path / "h.db")) as pilot:
            app = pilot.app
            shelf, editor = app.main.shelf, app.main.editor
            assert shelf is not None
            editor.replace_text('{"site": "${site}"}')
            app.main.action_save_call()
            await pilot.pause()
            await pilot.press(*"mine", "enter")
            await until(pilot, lambda: [one.name for one in shelf.saved()] == ["mine"])
            editor.replace_text("{}")
            app.main.go("history")
            await pilot.press("v")
            await until(pilot, "Saved calls")
            await pilot.press("f2")
            await until(pilot, "Another name")
            await pilot.press("2", "enter")
            await until(pilot, lambda: [one.name for one in shelf.saved()] == ["mine2"])
            await pilot.press("enter")
            await until(pilot, "${site} is not known for this target")
            assert editor.text == '{"site": "${site}"}'
            assert not app.main.calls.running
            app.main.action_saved_calls()
            await until(pilot, "Saved calls")
            await pilot.press("delete")
            await until(pilot, "Delete again deletes mine2")
            assert shelf.saved()
            await pilot.press("delete")
            await until(pilot, lambda: not shelf.saved())


async def test_more_hits_come_as_the_cursor_comes_near_the_end_of_those_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "_MOST", 300)
    file = tmp_path / "h.db"
    with closing(History(file, Redactor(b"a key for tests"))) as history:
        for _ in range(700):
            history.begin(Exchange(0, "", Outgoing("request"), WireRequest("http://h/", (), b"needle"), ""))
    with demo() as target:
        async with running(app_on(target, file), NARROW) as pilot:
            app = pilot.app
            app.main.go("history")
            rows = app.main.query_one(HistoryList)
            await until(pilot, lambda: rows.count > 0)
            await pilot.press("slash", *"needle")
            await until(pilot, lambda: "more at the end" in str(app.main.history.border_title))
            assert rows.count < 700
            await pilot.press("tab")
            while rows.count < 700:
                await pilot.press("G")
            assert "700 found" in str(app.main.history.border_title)
