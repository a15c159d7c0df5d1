from __future__ import annotations

import unicodedata

import pytest
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.app import App, ComposeResult
from textual.color import Color
from textual.content import Content
from textual.filter import LineFilter
from textual.widgets import OptionList, Static

from olv_tui.view.safe import UNSAFE
from olv_tui.widgets.guard import ControlGuard
from tests.screen import screen_text

BLACK = Color(0, 0, 0)
PAYLOADS = ["\x1b]52;c;cHduZWQ=\x1b\\", "\x1b[2J", "\x9b31m", "\u202eabc", "\x00\x0e", "\u200b", "\U000e0041", "\u3164"]


class HostileApp(App[None]):
    def __init__(self, payload: str) -> None:
        super().__init__()
        self.payload = payload
        self.guard = ControlGuard()

    def get_line_filters(self) -> list[LineFilter]:
        return [*super().get_line_filters(), self.guard]

    def compose(self) -> ComposeResult:
        static = Static(Content(f"static {self.payload} end"))
        static.border_title = Content(f"title {self.payload}")
        yield static
        yield OptionList(f"option {self.payload}", markup=False)


def test_safe_lines_pass_untouched() -> None:
    segments = [Segment("plain"), Segment("日本 👨👩👧", Style(bold=True))]
    assert ControlGuard().apply(segments, BLACK) is segments


@pytest.mark.parametrize("payload", PAYLOADS)
def test_unsafe_characters_go_and_the_width_stays(payload: str) -> None:
    style = Style(bold=True)
    (segment,) = ControlGuard().apply([Segment(f"a{payload}b", style)], BLACK)
    assert not UNSAFE.search(segment.text)
    assert segment.style == style
    assert cell_len(segment.text) == cell_len(f"a{payload}b")


@pytest.mark.parametrize("payload", PAYLOADS)
async def test_no_widget_lets_a_control_character_through(payload: str) -> None:
    app = HostileApp(payload)
    async with app.run_test(size=(60, 12), notifications=True, tooltips=True) as pilot:
        app.notify(f"toast {payload}", markup=False)
        await pilot.pause()
        filtered = [
            segment.text
            for y in range(12)
            for strip in [app.screen._compositor.render_strips()[y].apply_filter(app.guard, BLACK)]
            for segment in strip
        ]
        assert "static" in screen_text(app)
        assert not any(UNSAFE.search(text) for text in filtered)


JOINED = [
    "👨\u200d👩\u200d👧",
    "👍\U0001f3fd",
    "❤\ufe0f",
    "1\ufe0f\u20e3",
    "a\u200db" * 9,
    "\u200d",
    "\ufe0f",
    "e\u0301\u200dx",
    "🏳\ufe0f\u200d🌈",
]


@pytest.mark.parametrize("joined", JOINED)
def test_joined_characters_take_the_cells_of_the_layout_in_any_terminal(joined: str) -> None:
    """A terminal that joins nothing draws every character for itself."""
    (segment,) = ControlGuard().apply([Segment(f"[{joined}]")], BLACK)
    drawn = sum(wide(character) for character in segment.text)
    assert drawn == cell_len(f"[{joined}]") == cell_len(segment.text)
    assert segment.text.startswith("[")


def wide(character: str) -> int:
    """The cells of a character that stands for itself."""
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
