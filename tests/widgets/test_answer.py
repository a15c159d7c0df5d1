from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from textual.app import App, ComposeResult
from textual.filter import LineFilter
from textual.widgets import Input

from olv_tui.model import Exchange, Frame, Number, RpcError, Severity, ToolError, TransportError, Verdict, Violation
from olv_tui.view.safe import UNSAFE
from olv_tui.view.words import WORDS
from olv_tui.widgets.answer import EMPTY, AnswerPane
from olv_tui.widgets.guard import ControlGuard
from olv_tui.widgets.lines_view import LinesView
from olv_tui.widgets.verdict import AnswerTabs, VerdictBanner
from tests.screen import holds, screen_text, settled
from tests.view.exchanges import FOUND, exchange, not_linked, pending, rpc_error, streamed

WIDE, NARROW = (140, 42), (80, 24)
SIZES = pytest.mark.parametrize("size", [WIDE, NARROW])
START = datetime(2026, 12, 2, 8, 0, 0, tzinfo=UTC)


class AnswerApp(App[None]):
    """The pane alone; `clock` is what it takes for the time."""

    def __init__(self) -> None:
        super().__init__()
        self.clock = START + timedelta(seconds=1.5)
        self.pane = AnswerPane(now=lambda: self.clock)
        self.copies: list[tuple[str, Exchange]] = []
        self.escaped = False

    def get_line_filters(self) -> list[LineFilter]:
        return [*super().get_line_filters(), ControlGuard()]

    def compose(self) -> ComposeResult:
        yield self.pane

    def on_answer_pane_copy_requested(self, event: AnswerPane.CopyRequested) -> None:
        self.copies.append((event.kind, event.exchange))

    def key_escape(self) -> None:
        self.escaped = True


async def show(app: AnswerApp, one: Exchange, note: str = "") -> str:
    from textual.pilot import Pilot

    app.pane.show(one, note)
    app.pane.focus_target().focus()
    await settled(Pilot(app))
    return screen_text(app)


def in_order(text: str, *parts: str) -> bool:
    at = -1
    for part in parts:
        at = text.find(part, at + 1)
        if at < 0:
            return False
    return True


@SIZES
async def test_the_empty_pane_names_the_next_key(size: tuple[int, int]) -> None:
    app = AnswerApp()
    async with app.run_test(size=size, notifications=True, tooltips=True) as pilot:
        app.pane.show_nothing()
        await pilot.pause()
        assert EMPTY in screen_text(app)
        assert "Headers" not in screen_text(app)
        app.pane.focus_target().focus()
        await pilot.press("slash", "p", "b", "2", "right_square_bracket", "y", "n")
        assert app.copies == []
        assert app.pane.exchange is None


async def test_raw_stands_beside_decoded_where_there_is_room() -> None:
    app = AnswerApp()
    async with app.run_test(size=WIDE, notifications=True, tooltips=True):
        text = await show(app, not_linked())
        assert in_order(text, "▲ tool error: not_linked, site helpbless.com", "HTTP 200 OK · 4.1 ms", "1 Answer")
        assert in_order(text, "raw, as received", "decoded")
        assert in_order(text, '{"jsonrpc":"2.0"', "The tool reports an error")
        assert in_order(text, "error         not_linked", "site          helpbless.com", "What to do next")


async def test_a_narrow_screen_shows_one_half_and_b_the_other() -> None:
    app = AnswerApp()
    async with app.run_test(size=NARROW, notifications=True, tooltips=True) as pilot:
        text = await show(app, not_linked())
        assert "tool error: not_linked, site helpbless.com" in text
        assert "The tool reports an error" in text
        assert '"jsonrpc"' not in text
        await pilot.press("b")
        assert '{"jsonrpc":"2.0"' in screen_text(app)
        assert "The tool reports an error" not in screen_text(app)
        assert isinstance(app.focused, LinesView)
        assert app.focused.id == "raw"
        await pilot.press("b")
        assert "The tool reports an error" in screen_text(app)


async def test_b_goes_through_both_raw_and_decoded_where_there_is_room() -> None:
    app = AnswerApp()
    async with app.run_test(size=WIDE) as pilot:
        await show(app, not_linked())
        await pilot.press("b")
        assert "decoded" not in screen_text(app).replace("decoded, b", "")
        await pilot.press("b")
        assert "as received" not in screen_text(app)
        await pilot.press("b")
        assert in_order(screen_text(app), "raw, as received", "decoded")


async def test_the_halves_follow_a_resize() -> None:
    app = AnswerApp()
    async with app.run_test(size=WIDE) as pilot:
        await show(app, not_linked())
        await pilot.resize_terminal(*NARROW)
        await holds(pilot, lambda: '"jsonrpc"' not in screen_text(app))
        await pilot.resize_terminal(*WIDE)
        await holds(pilot, lambda: in_order(screen_text(app), '{"jsonrpc":"2.0"', "The tool reports an error"))


BANNERS = {
    Verdict.RESULT: exchange(Verdict.RESULT, '{"jsonrpc":"2.0","id":5,"result":{}}'),
    Verdict.TOOL_ERROR: not_linked(),
    Verdict.RPC_ERROR: rpc_error(),
    Verdict.HTTP_ERROR: exchange(Verdict.HTTP_ERROR, "no", status=502, reason="Bad Gateway", has_message=False),
    Verdict.INVALID_RESPONSE: exchange(Verdict.INVALID_RESPONSE, '{"id":"5"}', violations=(FOUND,)),
    Verdict.TRANSPORT_ERROR: exchange(
        Verdict.TRANSPORT_ERROR, error=TransportError("timeout", "x"), response=False, has_message=False
    ),
    Verdict.INPUT_REQUIRED: exchange(Verdict.INPUT_REQUIRED, '{"result":{"resultType":"input_required"}}'),
    Verdict.ACCEPTED: exchange(Verdict.ACCEPTED, status=202, has_message=False),
    Verdict.CANCELLED: exchange(Verdict.CANCELLED, response=False, has_message=False),
    Verdict.LOST: exchange(Verdict.LOST, response=False, has_message=False),
}


async def test_no_two_verdicts_look_alike_on_the_screen() -> None:
    app = AnswerApp()
    looks: dict[tuple[object, ...], Verdict] = {}
    async with app.run_test(size=WIDE) as pilot:
        for verdict, one in BANNERS.items():
            text = await show(app, one)
            assert f"{WORDS[verdict].symbol} {WORDS[verdict].label}" in text
            assert ("JSON-RPC error" in text) is (verdict is Verdict.RPC_ERROR)
            banner = app.query_one(VerdictBanner)
            look = (banner.styles.background, banner.styles.color)
            assert look not in looks, (verdict, looks.get(look))
            looks[look] = verdict
        app.pane.show_pending(pending())
        await pilot.pause()
        assert "running" in screen_text(app)
        assert (app.query_one(VerdictBanner).styles.background, app.query_one(VerdictBanner).styles.color) not in looks


@SIZES
async def test_a_running_call_shows_its_time_its_frames_and_how_to_stop_it(size: tuple[int, int]) -> None:
    app = AnswerApp()
    async with app.run_test(size=size) as pilot:
        app.pane.show_pending(pending())
        await pilot.pause()
        assert in_order(screen_text(app), "running: olv_list_worlds", "Esc cancels · 1.5 s")
        assert "Frames" not in screen_text(app)
        app.clock += timedelta(seconds=70)
        app.pane.add_frame(Frame(b"event: progress\ndata: {}\n\n", "progress", None, "{}", at_ms=5))
        await pilot.pause(0.3)
        text = screen_text(app)
        assert in_order(text, "Esc cancels · 1 min 12 s · 1 SSE frame", "Frames 1")
        await pilot.press("3")
        app.pane.focus_target().focus()
        await pilot.press("3")
        await settled(pilot)
        assert "event: progress" in screen_text(app)


async def test_an_answer_ends_the_clock_and_the_live_frames() -> None:
    app = AnswerApp()
    async with app.run_test(size=WIDE) as pilot:
        app.pane.show_pending(pending())
        app.pane.add_frame(Frame(b"data: live\n\n", data="live"))
        await pilot.pause(0.3)
        assert "data: live" in screen_text(app)
        await show(app, streamed())
        app.clock += timedelta(hours=1)
        await pilot.pause(0.3)
        assert "Esc cancels" not in screen_text(app)
        assert "data: live" not in screen_text(app)
        assert "Frames 2" in screen_text(app)


async def test_a_stream_without_end_shows_its_last_frames_only() -> None:
    app = AnswerApp()
    async with app.run_test(size=WIDE) as pilot:
        app.pane.show_pending(pending())
        for number in range(5_000):
            app.pane.add_frame(Frame(f": beat {number}\n\n".encode(), at_ms=float(number)))
        await pilot.pause(0.3)
        text = screen_text(app)
        assert "4800 earlier frames" in text or ": beat 4999" in text
        assert "Frames 5000" in text
        assert len(app.query_one("#raw", LinesView).lines) < 1000


async def test_what_is_told_before_the_pane_is_there_is_shown_when_it_is() -> None:
    app = AnswerApp()
    app.pane.show(not_linked(), "from history")
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        assert in_order(screen_text(app), "tool error", "from history · HTTP 200 OK")


TABS = {
    "2": ("HTTP/1.1 200 OK", "Content-Type: application/json"),
    "4": ("POST http://127.0.0.1:8000/mcp", "Accept: application/json", '{"jsonrpc":"2.0","id":5}'),
    "5": ("started", "first byte", "3.0 ms"),
    "6": ("R07 error", "The id comes back as a string"),
}


@SIZES
@pytest.mark.parametrize("digit", list(TABS))
async def test_each_tab_is_a_key_away(size: tuple[int, int], digit: str) -> None:
    app = AnswerApp()
    async with app.run_test(size=size) as pilot:
        await show(app, exchange(Verdict.RESULT, '{"jsonrpc":"2.0","id":5,"result":{}}', violations=(FOUND,)))
        await pilot.press(digit)
        await settled(pilot)
        assert in_order(screen_text(app), "Findings 1", *TABS[digit])
        assert isinstance(app.focused, LinesView)
        await pilot.press("1")
        assert "decoded" in screen_text(app)


async def test_brackets_go_round_the_tabs_and_frames_are_there_only_for_a_stream() -> None:
    app = AnswerApp()
    async with app.run_test(size=WIDE) as pilot:
        assert "Frames" not in await show(app, not_linked())
        await pilot.press("3")
        assert app.query_one(AnswerTabs).front == "answer"
        fronts = []
        for _ in range(5):
            await pilot.press("right_square_bracket")
            fronts.append(app.query_one(AnswerTabs).front)
        assert fronts == ["headers", "request", "timing", "findings", "answer"]
        await pilot.press("left_square_bracket")
        assert app.query_one(AnswerTabs).front == "findings"
        await show(app, streamed())
        await pilot.press("3")
        await settled(pilot)
        assert "event: message\\r" in screen_text(app)
        await show(app, not_linked())
        assert app.query_one(AnswerTabs).front == "answer"


async def test_a_tab_can_be_clicked() -> None:
    app = AnswerApp()
    async with app.run_test(size=WIDE) as pilot:
        await show(app, not_linked())
        await pilot.click(AnswerTabs, offset=(14, 0))
        await settled(pilot)
        assert "Content-Type: application/json" in screen_text(app)


async def test_p_indents_the_raw_answer_and_says_so() -> None:
    app = AnswerApp()
    async with app.run_test(size=WIDE) as pilot:
        await show(app, rpc_error())
        await pilot.press("p")
        await settled(pilot)
        assert in_order(screen_text(app), "raw, indented for reading", '  "jsonrpc": "2.0"')
        await pilot.press("p")
        await settled(pilot)
        assert in_order(screen_text(app), "raw, as received", '{"jsonrpc":"2.0","id":5,"error"')


async def test_copies_are_asked_for() -> None:
    app = AnswerApp()
    async with app.run_test(size=WIDE) as pilot:
        one = not_linked()
        await show(app, one)
        await pilot.press("y", "Y")
        assert app.copies == [("value", one), ("as", one)]


@SIZES
async def test_search_marks_hits_in_the_view_that_has_the_focus(size: tuple[int, int]) -> None:
    app = AnswerApp()
    async with app.run_test(size=size) as pilot:
        await show(app, not_linked())
        await pilot.press("slash")
        assert isinstance(app.focused, Input)
        await pilot.press(*"helpbless")
        await pilot.press("enter")
        await settled(pilot)
        assert isinstance(app.focused, LinesView)
        assert app.focused.search_state.startswith("1 of ")
        assert f"{app.focused.search_state}" in screen_text(app)
        await pilot.press("n")
        assert not app.focused.search_state.startswith("1 of ") or app.focused.search_state == "1 of 1"


async def test_escape_ends_the_search_and_nothing_else() -> None:
    app = AnswerApp()
    async with app.run_test(size=WIDE) as pilot:
        await show(app, not_linked())
        await pilot.press("slash", *"site", "escape")
        await settled(pilot)
        assert not app.escaped
        assert isinstance(app.focused, LinesView)
        assert app.focused.needle == ""
        await pilot.press("slash", *"site", "enter")
        await settled(pilot)
        assert app.focused.needle == "site"
        await pilot.press("escape")
        assert app.focused.needle == ""
        assert not app.escaped
        await pilot.press("escape")
        assert app.escaped


async def test_keys_of_the_pane_do_nothing_while_a_search_is_typed() -> None:
    app = AnswerApp()
    async with app.run_test(size=WIDE) as pilot:
        await show(app, not_linked())
        await pilot.press("slash", *"ypb2")
        assert app.copies == []
        assert app.query_one(Input).value == "ypb2"
        assert app.query_one(AnswerTabs).front == "answer"


@SIZES
async def test_a_long_advice_and_a_long_summary_leave_room_for_the_answer(size: tuple[int, int]) -> None:
    app = AnswerApp()
    async with app.run_test(size=size):
        one = not_linked()
        assert one.judgement is not None
        long = replace(one, judgement=replace(one.judgement, summary="word " * 200))
        text = await show(app, long)
        assert "decoded" in text
        assert "The tool reports an error" in text


async def test_a_large_answer_is_made_off_the_loop_and_shown_in_both_halves() -> None:
    body = json.dumps(
        {
            "jsonrpc": "2.0",
            "id": 5,
            "result": {"content": [], "structuredContent": {"rows": [{"n": n, "t": "x" * 50} for n in range(20_000)]}},
        }
    )
    one = exchange(Verdict.RESULT, body)
    app = AnswerApp()
    async with app.run_test(size=WIDE) as pilot:
        text = await show(app, one)
        assert in_order(text, '{"jsonrpc": "2.0"', '"rows": [')
        await pilot.press("p")
        await settled(pilot)
        await pilot.press("G")
        assert screen_text(app).rstrip().splitlines()[-2].lstrip().startswith("}")


HOSTILE = "\x1b]52;c;cHduZWQ=\x07\x1b[2J\x9b31m\u202e[/red] [/ [@click=app.quit]x[/]\x00\U000e0041日本\ud800"


@SIZES
@pytest.mark.parametrize(
    "one",
    [
        exchange(
            Verdict.TOOL_ERROR,
            json.dumps({"id": 5, "result": {"content": [{"type": "text", "text": HOSTILE}], HOSTILE: HOSTILE}}),
            summary=HOSTILE,
            reason=HOSTILE.encode("utf-8", "replace").decode(),
            tool_error=ToolError(HOSTILE, HOSTILE, "text"),
            violations=(Violation("R01", Severity.ERROR, HOSTILE, at=HOSTILE),),
        ),
        exchange(
            Verdict.RPC_ERROR,
            json.dumps({"id": 5, "error": {"code": 1, "message": HOSTILE}}, ensure_ascii=False).replace("\ud800", ""),
            summary=HOSTILE,
            rpc_error=RpcError(Number("1"), HOSTILE, HOSTILE, has_data=True),
        ),
        exchange(Verdict.HTTP_ERROR, HOSTILE.replace("\ud800", ""), status=500, summary=HOSTILE, has_message=False),
    ],
)
async def test_hostile_text_is_harmless_in_every_tab(size: tuple[int, int], one: Exchange) -> None:
    app = AnswerApp()
    app.pane.show(one)
    async with app.run_test(size=size, notifications=True, tooltips=True) as pilot:
        app.pane.focus_target().focus()
        for key in ("1", "b", "p", "2", "4", "5", "6"):
            await pilot.press(key)
            await settled(pilot)
            rows = app.screen._compositor.render_strips()
            assert not any(UNSAFE.search(segment.text) for strip in rows for segment in strip), key
            assert not any(
                "@click" in (segment.style.meta or {}) for strip in rows for segment in strip if segment.style
            )
        assert app.is_running


@pytest.mark.parametrize("theme", ["textual-light", "ansi-dark", "nord"])
async def test_it_can_be_painted_in_every_kind_of_theme(theme: str) -> None:
    app = AnswerApp()
    async with app.run_test(size=WIDE):
        app.theme = theme
        for one in BANNERS.values():
            assert WORDS[one.verdict].label in await show(app, one)
