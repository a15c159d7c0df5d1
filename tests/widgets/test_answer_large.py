"""A large answer: its beginning at once, then all of it, then its findings, the reader's place staying."""

from __future__ import annotations

import gc
import json
import weakref
from dataclasses import replace

from textual.geometry import Offset

from olv_tui.judge import first_look, judge
from olv_tui.model import Era, Exchange, Outgoing, Reply, RequestId, Timing, WireRequest, WireResponse
from olv_tui.view.decoded import decoded_lines, head_lines
from olv_tui.view.wire import head_of_body, raw_lines
from olv_tui.widgets.node_view import NodeView
from tests.screen import holds, screen_text, settled
from tests.view.exchanges import not_linked
from tests.widgets.test_answer import WIDE, AnswerApp

SENT = Outgoing("request", RequestId("5"), "tools/call", "x", (RequestId("5"),))


def looked_at(**members: object) -> tuple[Exchange, Exchange]:
    """A large answer by a first look, and by all of it."""
    worlds = [{"id": number, "name": f"wörld {number}", "deep": {"a": [1, 2]}} for number in range(8_000)]
    result = {"content": [], "structuredContent": {"worlds": worlds}, **members}
    body = json.dumps({"jsonrpc": "2.0", "id": 5, "result": result}, ensure_ascii=False).encode()
    reply = Reply(WireResponse(200, "OK", (("Content-Type", "application/json"),), body), None, Timing(1.0, 3.0, 4.0))
    seen = first_look(SENT, reply, era=Era.BARE, version=None)
    full = judge(SENT, reply, era=Era.BARE, version=None)
    request = WireRequest("http://127.0.0.1/mcp", (), b"{}")
    one = Exchange(1, "t", SENT, request, "2026-12-02T08:00:00.000Z", reply=reply, judgement=seen)
    return one, replace(one, judgement=full)


def test_the_beginning_that_is_shown_first_is_the_beginning_of_all_of_it() -> None:
    text = [{"type": "text", "text": "lorem ipsum\n" * 40_000}]
    for first, _ in (looked_at(), looked_at(content=text), looked_at(structuredContent=[1], content=text)):
        head, whole = head_lines(first), decoded_lines(first)
        shown = [head.text(index) for index in range(len(head))]
        assert len(shown) > 60
        end = shown.index("…")
        assert shown[: min(end, 60)] == [whole.text(index) for index in range(min(end, 60))]
        assert raw_lines(first).text(0).startswith(head_of_body(first, 1_000).text(0))


async def test_findings_that_come_later_are_told_and_leave_the_place_as_it_is() -> None:
    first, full = looked_at()
    app = AnswerApp()
    async with app.run_test(size=WIDE, notifications=True, tooltips=True) as pilot:
        app.pane.show(first)
        decoded = app.query_one("#decoded", NodeView)
        made: list[bool] = []
        app.pane.when_shown(lambda: made.append(decoded.is_ready))
        await settled(pilot)
        await holds(pilot, lambda: bool(made))
        assert made == [True]
        decoded.focus()
        decoded.action_page(3)
        decoded.move_to(4)
        await pilot.press("minus")
        await settled(pilot)
        place, cursor, lines = decoded.scroll_offset, decoded.cursor, len(decoded.lines)
        assert "Findings 1" not in screen_text(app)
        app.pane.show(full)
        await settled(pilot)
        await holds(pilot, lambda: decoded.is_ready and len(decoded.lines) > lines)
        assert decoded.scroll_offset == place
        assert decoded.cursor == cursor
        assert place != Offset(0, 0) or cursor != (0, 0)
        assert "T05" in decoded.lines.text(len(decoded.lines) - 1)
        await pilot.press("6")
        await settled(pilot)
        await holds(pilot, lambda: "no text block repeats structuredContent" in screen_text(app))


async def test_an_answer_without_more_findings_is_not_made_again() -> None:
    first, full = looked_at()
    same = replace(full, judgement=replace(full.judgement, violations=first.judgement.violations))  # type: ignore[type-var, union-attr]
    app = AnswerApp()
    async with app.run_test(size=WIDE, notifications=True, tooltips=True) as pilot:
        app.pane.show(first)
        await settled(pilot)
        views = [app.query_one(f"#{key}", NodeView) for key in ("raw", "decoded")]
        before = [view.lines for view in views]
        app.pane.show(same)
        await settled(pilot)
        assert [view.lines for view in views] == before
        assert app.pane.exchange is same


async def test_what_a_large_answer_takes_is_given_back_without_the_collector() -> None:
    first, _ = looked_at()
    app = AnswerApp()
    async with app.run_test(size=WIDE) as pilot:
        app.pane.show(first)
        await settled(pilot)
        decoded = app.query_one("#decoded", NodeView)
        decoded.focus()
        await pilot.press("minus", "plus", "P")
        decoded.search("w")
        await settled(pilot)
        views = [app.query_one(name, NodeView) for name in ("#raw", "#decoded")]
        lines = [weakref.ref(view.lines) for view in views]
        assert all(one() is not None and one().weight > 300_000 for one in lines)  # type: ignore[union-attr]
        was_on = gc.isenabled()
        gc.disable()
        try:
            del first
            app.pane.show(not_linked())
            await settled(pilot)
            assert [one() for one in lines] == [None, None]
        finally:
            if was_on:
                gc.enable()


async def test_a_search_that_is_being_typed_stays_while_another_look_or_answer_comes() -> None:
    first, full = looked_at()
    app = AnswerApp()
    async with app.run_test(size=WIDE, notifications=True, tooltips=True) as pilot:
        app.pane.show(first)
        await settled(pilot)
        app.query_one("#decoded", NodeView).focus()
        await pilot.press("slash", *"wör")
        app.pane.show(full)
        await pilot.press(*"ld 7999", "enter")
        view = app.query_one("#decoded", NodeView)
        await holds(pilot, lambda: view.search_state == "1 of 1")
        await pilot.press("slash", "ctrl+u", *"not_l")
        app.pane.show(not_linked())
        await pilot.press(*"inked", "enter")
        await holds(pilot, lambda: view.search_state.startswith("1 of "))
        assert view.needle == "not_linked"
        await pilot.press("vertical_line", *"$.result.con")
        app.pane.show(full)
        await pilot.press(*"tent", "enter")
        await holds(pilot, lambda: "1 match" in screen_text(app))
