"""Lists of any length, texts of any size, and secrets that are not there any more."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from olv_tui.history import History
from olv_tui.model import Exchange, Judgement, Outgoing, Reply, RequestId, Timing, Verdict, WireRequest
from olv_tui.redact import Redactor
from olv_tui.widgets.history import PAGE
from olv_tui.widgets.history_list import HistoryList
from olv_tui.widgets.json_area import LARGE
from olv_tui.widgets.tools import ToolList
from tests.app.helper import OlvPilot, app_on, demo, pick, running, send, shown, small_server, until
from tests.screen import settled, widget_text


def filled(path: Path, count: int, tool: str = "olv_list_worlds") -> None:
    """A history file with `count` ended calls, ids 1 to `count`."""
    history = History(path, Redactor(b"a key for tests", ("hunter2-hunter2",)))
    for number in range(1, count + 1):
        identity = RequestId(str(history.next_id()))
        body = (
            f'{{"jsonrpc":"2.0","id":{identity},"method":"tools/call","params":{{"name":"{tool}","arguments":{{}}}}}}'
        )
        exchange = Exchange(
            0, "http://t.example", Outgoing("request", identity, "tools/call", tool, (identity,)),
            WireRequest("http://t.example", (), body.encode()), f"2026-12-02T08:00:{number % 60:02d}.000Z",
            reply=Reply(timing=Timing(total_ms=float(number))),
            judgement=Judgement(Verdict.CANCELLED, f"number {number}"),
        )  # fmt: skip
        serial = history.begin(exchange)
        history.finish(replace(exchange, serial=serial))
    history.close()


async def test_older_pages_of_the_history_come_as_the_cursor_goes_down(tmp_path: Path) -> None:
    count = 2 * PAGE + 50
    filled(tmp_path / "h.db", count)
    with demo() as target:
        async with running(app_on(target, tmp_path / "h.db")) as pilot:
            pilot.app.main.go("history")
            rows = pilot.app.main.query_one(HistoryList)
            assert rows.count == PAGE
            assert f"#{count}" in widget_text(rows)
            for _ in range(4):
                await pilot.press("G")
                await pilot.pause()
            assert rows.count == count
            assert "#1 " in widget_text(rows)
            await pilot.press("g")
            await pilot.pause()
            assert f"#{count}" in widget_text(rows)


async def test_an_id_is_found_however_old_it_is(tmp_path: Path) -> None:
    filled(tmp_path / "h.db", PAGE + 20)
    with demo() as target:
        async with running(app_on(target, tmp_path / "h.db")) as pilot:
            pilot.app.main.go("history")
            rows = pilot.app.main.query_one(HistoryList)
            await pilot.press("slash", "number_sign", "3")
            await pilot.pause()
            assert [row.id_text for row in rows.rows] == ["3"]


async def test_a_call_under_way_keeps_the_cursor_of_the_history_on_its_row(tmp_path: Path) -> None:
    filled(tmp_path / "h.db", 30)
    with demo() as target:
        async with running(app_on(target, tmp_path / "h.db")) as pilot:
            pilot.app.main.go("history")
            await pilot.press(*["down"] * 5)
            rows = pilot.app.main.query_one(HistoryList)
            held = rows.rows[rows.cursor].serial
            await send(pilot)
            assert rows.count == 31
            assert rows.rows[rows.cursor].serial == held


async def test_five_thousand_tools_are_listed_and_filtered_and_only_rows_on_the_screen_are_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: set[int] = set()
    row = ToolList.row

    def counting(self: ToolList, index: int) -> object:
        made.add(index)
        return row(self, index)

    monkeypatch.setattr(ToolList, "row", counting)
    tools = [{"name": f"tool_{n:04}", "description": "d" * 300, "inputSchema": {"type": "object"}} for n in range(5000)]
    with small_server(lambda _: {"content": []}, tools=tools) as target:
        async with running(app_on(target)) as pilot:
            await until(pilot, "Tools 5000")
            rows = pilot.app.main.query_one(ToolList)
            await pilot.press("G")
            await pilot.pause()
            assert "tool_4999" in widget_text(rows)
            assert pilot.app.main.state.selected == "tool_4999"
            await pilot.press("slash", *"4321")
            await pilot.pause()
            assert "tool_4321" in widget_text(rows)
            assert rows.count == 1
            assert len(made) < 300, "the first screen, the last one and those of the hits"


async def load_text(pilot: OlvPilot, text: str) -> None:
    pilot.app.main.editor.replace_text(text)
    await pilot.pause()


async def test_a_text_too_large_for_the_editor_is_held_and_sent_character_for_character() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            await pick(pilot, "olv_search")
            text = json.dumps({"query": "tide", "extra": {"filler": "x" * (LARGE + 10)}})
            await load_text(pilot, text)
            await until(pilot, "too much to edit here")
            await pilot.press(*"zyq")
            assert pilot.app.main.editor.text == text, "typing changes nothing in it"
            await send(pilot)
            sent = shown(pilot.app)
            assert sent is not None
            assert text.encode() in sent.request.body


async def test_characters_that_a_text_area_takes_for_line_ends_are_sent_as_they_came() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            await pick(pilot, "olv_search")
            text = '{"query":\r\n"a\u2028b\u0085c"}'
            await load_text(pilot, text)
            await send(pilot)
            sent = shown(pilot.app)
            assert sent is not None
            assert text.encode() in sent.request.body
            await pilot.press("ctrl+o", "e", "ctrl+end", "space")
            await pilot.pause()
            assert json.loads(pilot.app.main.editor.text)["query"] == "a\u2028b\u0085c", "edited, it means the same"


async def test_a_call_with_a_masked_secret_is_loaded_and_not_sent_again(tmp_path: Path) -> None:
    with demo() as target:
        async with running(app_on(target, tmp_path / "h.db")) as pilot:
            app = pilot.app
            await pick(pilot, "olv_search")
            await load_text(pilot, '{"query": "‹hidden 0a1b2c›"}')  # of a secret that is not known here
            await send(pilot)
            count = len(app.main.shelf.recent(50, automatic=True, before=None)) if app.main.shelf else 0
            await pilot.press("ctrl+r")
            await settled(pilot)
            screen = await until(pilot, "a secret is masked")
            assert "Not sent" in screen
            assert app.main.shelf is not None
            assert len(app.main.shelf.recent(50, automatic=True, before=None)) == count
