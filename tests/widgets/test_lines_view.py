from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from textual.app import App, ComposeResult
from textual.geometry import Offset
from textual.pilot import Pilot
from textual.selection import Selection

from olv_tui.view.lines import FixedLines, Line, Lines
from olv_tui.view.safe import UNSAFE
from olv_tui.view.text_lines import TextLines
from olv_tui.widgets.lines_view import HEAVY, LinesView
from tests.screen import screen_text, settled

BIG = "\n".join(f'  "key{number}": {number},' for number in range(200_000))


class ViewApp(App[None]):
    def compose(self) -> ComposeResult:
        yield LinesView("view", id="view")

    @property
    def view(self) -> LinesView:
        return self.query_one(LinesView)


def rows(app: ViewApp) -> list[str]:
    return [row.rstrip(" ▁▂▃▄▅▆▇█") for row in screen_text(app).split("\n")[1:]]


async def shown(pilot: Pilot[None], lines: Lines) -> ViewApp:
    app = pilot.app
    assert isinstance(app, ViewApp)
    app.view.focus()
    app.view.show(lines)
    await settled(pilot)
    return app


def text_of(app: ViewApp) -> str:
    return "".join(rows(app))


@pytest.mark.parametrize("size", [(140, 42), (80, 24)])
async def test_200_000_lines_are_shown_and_scrolled_to_the_end(size: tuple[int, int]) -> None:
    async with ViewApp().run_test(size=size, notifications=True, tooltips=True) as pilot:
        app = await shown(pilot, TextLines(BIG, "json"))
        assert rows(app)[0] == '  "key0": 0,'
        await pilot.press("G")
        assert rows(app)[-1] == '  "key199999": 199999,'
        await pilot.press("pageup", "pagedown", "k")
        assert rows(app)[-1] == '  "key199998": 199998,'
        await pilot.press("home")
        assert rows(app)[0] == '  "key0": 0,'


async def test_only_rows_on_the_screen_are_looked_at() -> None:
    class Counted(FixedLines):
        asked: set[int]

        def cut(self, index: int, start: int, end: int) -> Line:
            self.asked.add(index)
            return super().cut(index, start, end)

    lines = Counted(Line(f"line {number}") for number in range(10_000))
    lines.asked = set()
    async with ViewApp().run_test(size=(60, 20)) as pilot:
        await shown(pilot, lines)
        assert 0 < len(lines.asked) < 50


@pytest.mark.parametrize("size", [(140, 42), (80, 24)])
async def test_one_line_of_5_mb_is_wrapped_and_scrolled(size: tuple[int, int]) -> None:
    body = '{"key":"' + "x" * 5_000_000 + '","last":17}'
    async with ViewApp().run_test(size=size) as pilot:
        app = await shown(pilot, TextLines(body, "json"))
        assert text_of(app).startswith('{"key":"xxxx')
        await pilot.press("end")
        assert text_of(app).endswith('xxx","last":17}')
        await pilot.press("w")
        await settled(pilot)
        assert not app.view.wraps
        assert len([row for row in rows(app) if row]) == 1
        for _ in range(3):
            await pilot.press("l")
        assert rows(app)[0].startswith("xxx")


async def test_long_lines_wrap_to_a_new_width_and_the_top_stays() -> None:
    text = "\n".join(f"{number:04d} " + "word " * 30 for number in range(300))
    async with ViewApp().run_test(size=(80, 24)) as pilot:
        app = await shown(pilot, TextLines(text))
        app.view.scroll_to(y=100, animate=False, immediate=True)
        await pilot.pause()
        number = next(row[:4] for row in rows(app) if row[:4].isdigit())
        await pilot.resize_terminal(50, 24)
        await settled(pilot)
        assert any(row.startswith(number) for row in rows(app)[:4])


async def test_wide_characters_stay_inside_the_view() -> None:
    async with ViewApp().run_test(size=(41, 12)) as pilot:
        app = await shown(pilot, TextLines("日本語" * 40 + "👍👍"))
        assert text_of(app) == "日本語" * 40 + "👍👍"


async def test_hostile_text_is_shown_as_escapes() -> None:
    async with ViewApp().run_test(size=(80, 12)) as pilot:
        app = await shown(pilot, TextLines("\x1b]52;c;eA==\x07 [red]x[/] [/ \u202eabc\x9b\ud800"))
        assert "\\u001b]52;c;eA==\\u0007 [red]x[/] [/ \\u202eabc\\u009b\\ud800" in text_of(app)
        assert not UNSAFE.search(screen_text(app).replace("\n", ""))


async def test_hits_beyond_a_thousand_are_counted_in_one_format() -> None:
    async with ViewApp().run_test(size=(60, 12)) as pilot:
        app = await shown(pilot, TextLines("needle\n" * 1144))
        app.view.search("needle")
        await settled(pilot)
        await pilot.press("N")
        assert app.view.search_state == "1,144 of 1,144"


async def test_search_goes_from_hit_to_hit_and_round() -> None:
    text = "\n".join(f"line {number}" + (" needle" if number % 100 == 50 else "") for number in range(1000))
    async with ViewApp().run_test(size=(60, 12)) as pilot:
        app = await shown(pilot, TextLines(text))
        app.view.search("NEEDLE".lower())
        await settled(pilot)
        assert "line 50 needle" in rows(app)
        assert "view · 1 of 10" in screen_text(app)
        await pilot.press("n", "n")
        assert "line 250 needle" in rows(app)
        await pilot.press("N", "N", "N")
        assert "line 950 needle" in rows(app)
        assert app.view.search_state == "10 of 10"
        app.view.search("nowhere")
        assert app.view.search_state == "no hit"
        app.view.search("")
        assert app.view.search_state == ""


async def test_search_in_a_large_text_leaves_the_loop_and_finds_the_last_line() -> None:
    async with ViewApp().run_test(size=(60, 12)) as pilot:
        app = await shown(pilot, TextLines(BIG, "json"))
        app.view.search("key199999")
        await settled(pilot)
        assert app.view.search_state == "1 of 1"
        assert '  "key199999": 199999,' in rows(app)


async def test_selected_text_has_no_wrapping_in_it() -> None:
    async with ViewApp().run_test(size=(30, 12)) as pilot:
        app = await shown(pilot, TextLines("first\n" + "x" * 70 + "\nlast"))
        whole = app.view.get_selection(Selection(None, None))
        assert whole == ("first\n" + "x" * 70 + "\nlast", "\n")
        part = app.view.get_selection(Selection(Offset(2, 0), Offset(2, 4)))
        assert part == ("rst\n" + "x" * 70 + "\nla", "\n")


async def test_a_drag_selects_and_copies() -> None:
    async with ViewApp().run_test(size=(40, 12)) as pilot:
        app = await shown(pilot, TextLines("hello world\nsecond"))
        await pilot.mouse_down(LinesView, offset=(0, 1))
        await pilot.hover(LinesView, offset=(5, 1))
        await pilot.mouse_up(LinesView, offset=(5, 1))
        await pilot.pause()
        assert app.screen.get_selected_text() in {"hello", "hello "}


async def test_work_on_a_large_text_happens_off_the_loop_and_is_said() -> None:
    go = threading.Event()
    threads: list[int] = []

    def make() -> Lines:
        threads.append(threading.get_ident())
        go.wait(10)
        return TextLines("ready " + "x" * HEAVY)

    async with ViewApp().run_test(size=(60, 12)) as pilot:
        app = pilot.app
        assert isinstance(app, ViewApp)
        app.view.load(make, heavy=True)
        await pilot.pause()
        assert "Preparing" in screen_text(app)
        await pilot.resize_terminal(50, 12)
        go.set()
        await settled(pilot)
        assert rows(app)[0].startswith("ready xxx")
        assert len(rows(app)[1]) == len(rows(app)[2])
        assert threads == [threads[0]]
        assert threads[0] != threading.get_ident()


async def test_a_late_text_never_replaces_a_newer_one() -> None:
    go = threading.Event()

    def slow() -> Lines:
        go.wait(10)
        return TextLines("old")

    async with ViewApp().run_test(size=(60, 12)) as pilot:
        app = pilot.app
        assert isinstance(app, ViewApp)
        app.view.load(slow, heavy=True)
        await pilot.pause()
        app.view.show(TextLines("new"))
        go.set()
        await settled(pilot)
        assert rows(app)[0] == "new"


@pytest.mark.parametrize("heavy", [False, True])
async def test_a_view_that_cannot_be_made_says_why(heavy: bool) -> None:
    def broken() -> Lines:
        raise RecursionError("too\x1b deep")

    make: Callable[[], Lines] = broken
    async with ViewApp().run_test(size=(80, 12)) as pilot:
        app = pilot.app
        assert isinstance(app, ViewApp)
        app.view.load(make, heavy=heavy)
        await settled(pilot)
        assert "could not be made: RecursionError: too\\u001b deep" in screen_text(app)


async def test_following_keeps_the_end_in_sight_only_where_it_was() -> None:
    async with ViewApp().run_test(size=(60, 12)) as pilot:
        app = await shown(pilot, TextLines("\n".join(map(str, range(100)))))
        await pilot.press("G")
        app.view.show(TextLines("\n".join(map(str, range(120)))), follow=True)
        await pilot.pause()
        assert rows(app)[-1] == "119"
        await pilot.press("g", "j")
        app.view.show(TextLines("\n".join(map(str, range(140)))), follow=True)
        await pilot.pause()
        assert rows(app)[0] == "1"


async def test_colours_follow_the_theme() -> None:
    async with ViewApp().run_test(size=(60, 12)) as pilot:
        app = await shown(pilot, TextLines('{"a": 1}', "json"))
        dark = app.view.render_line(0)
        app.theme = "textual-light"
        await pilot.pause()
        light = app.view.render_line(0)
        assert light.text == dark.text
        assert [segment.style for segment in light] != [segment.style for segment in dark]
        assert len({segment.style.color for segment in light if segment.style}) > 2


@pytest.mark.parametrize("theme", ["ansi-dark", "ansi-light", "nord"])
async def test_every_kind_of_theme_can_paint_it(theme: str) -> None:
    async with ViewApp().run_test(size=(60, 12)) as pilot:
        pilot.app.theme = theme
        app = await shown(pilot, TextLines('{"a": [1, true, "x\\n"]}', "json"))
        app.view.search("a")
        assert '{"a": [1, true, "x\\n"]}' in rows(app)
