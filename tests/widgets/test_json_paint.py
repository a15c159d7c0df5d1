"""The text area of JSON: it does what Textual's does, at any size, in colours."""

from __future__ import annotations

import json
import random

import pytest
from textual.app import App, ComposeResult
from textual.widgets import TextArea

from olv_tui.widgets.json_document import LONG, Lines, Wrapped
from olv_tui.widgets.json_paint import PaintedArea

START = '{\n  "name": "tide \\" tables 日本語",\n\t"tab": [1, 2],\n  "deep": {"a": [{}, []]}\n}'
WORDS = ["x", '"', "{", "}", "[1]", "\n", "日本", "\t", "word " * 12, "a,\nb\n", "\r\n", "é", "", "😀", "w" * 70]
MOVES = (
    "cursor_left", "cursor_right", "cursor_up", "cursor_down", "cursor_word_left", "cursor_word_right",
    "cursor_line_start", "cursor_line_end", "cursor_page_up", "cursor_page_down",
)  # fmt: skip
EDITS = (
    "delete_left", "delete_right", "delete_line", "delete_word_left", "delete_word_right", "delete_to_end_of_line",
    "delete_to_start_of_line", "undo", "redo", "cut", "paste", "select_all",
)  # fmt: skip


class Both(App[None]):
    """Textual's area beside ours, as wide and as high, one column of ours being the sign's."""

    CSS = """
    TextArea { border: none; padding: 0; height: 12; scrollbar-size-vertical: 1; }
    #theirs { width: 40; } #ours { width: 41; }
    """

    def compose(self) -> ComposeResult:
        theirs = TextArea(START, id="theirs", soft_wrap=True, highlight_cursor_line=False)
        theirs.cursor_blink = False
        yield theirs
        yield PaintedArea(START, id="ours")

    @property
    def theirs(self) -> TextArea:
        return self.query_one("#theirs", TextArea)

    @property
    def ours(self) -> PaintedArea:
        return self.query_one("#ours", PaintedArea)


def rows(area: TextArea) -> list[str]:
    return [area.render_line(y).text for y in range(area.size.height)]


def compared(app: Both) -> None:
    theirs, ours = app.theirs, app.ours
    assert ours.text == theirs.text
    assert ours.selection == theirs.selection
    assert ours.selected_text == theirs.selected_text
    assert ours.wrapped_document._wrap_offsets == theirs.wrapped_document._wrap_offsets
    assert ours.wrapped_document.height == theirs.wrapped_document.height
    assert ours._cursor_offset == theirs._cursor_offset
    assert ours.navigator.last_x_offset == theirs.navigator.last_x_offset
    assert ours.scroll_offset == theirs.scroll_offset
    assert [row[1:] for row in rows(ours)] == rows(theirs)
    for y in (0, 3, ours.wrapped_document.height + 2):
        for x in (0, 7, 99):
            at = type(ours.scroll_offset)(x, y)
            assert ours.wrapped_document.offset_to_location(at) == theirs.wrapped_document.offset_to_location(at)


async def act(app: Both, chance: random.Random) -> str:
    """The same thing done to both."""
    what = chance.random()
    if what < 0.45:
        text = chance.choice(WORDS)
        for area in (app.theirs, app.ours):
            area._replace_via_keyboard(text, *area.selection)
        return f"type {text!r}"
    if what < 0.75:
        name, select = chance.choice(MOVES), chance.random() < 0.4
        for area in (app.theirs, app.ours):
            move = getattr(area, f"action_{name}")
            move() if "page" in name else move(select)
        return name
    if what < 0.9:
        name = chance.choice(EDITS)
        app.copy_to_clipboard("pasted\ntext")
        for area in (app.theirs, app.ours):
            done = getattr(area, f"action_{name}")()
            if done is not None:
                await done
        return name
    row = chance.randrange(app.theirs.document.line_count)
    place = (row, chance.randrange(len(app.theirs.document.get_line(row)) + 1))
    for area in (app.theirs, app.ours):
        area.move_cursor(place, select=what > 0.95)
    return f"to {place}"


@pytest.mark.parametrize("seed", range(6))
async def test_random_edits_do_what_they_do_in_textuals_own_area(seed: int) -> None:
    chance = random.Random(seed)
    app = Both()
    async with app.run_test(size=(60, 30)) as pilot:
        done = []
        compared(app)
        for step in range(120):
            done.append(await act(app, chance))
            if step % 40 == 20:
                app.theirs.styles.width = 24 + step % 16
                app.ours.styles.width = 25 + step % 16
                await pilot.pause()
            try:
                compared(app)
            except AssertionError as error:
                raise AssertionError(f"after {done[-6:]}: {error}") from error


# --------------------------------------------------------------------------- long lines


def long_line(chance: random.Random) -> str:
    parts = ['"a\\\\"', '"q\\"{["', "{", "}", "[", "]", ",", ":", "12.5", "true", "é", "日本", "\t", " ", "\\\\", '"x"']
    return "".join(chance.choice(parts) for _ in range(LONG))


@pytest.mark.parametrize("seed", range(4))
def test_a_long_line_is_folded_so_that_every_row_fits_and_no_character_is_lost(seed: int) -> None:
    from rich.cells import cell_len

    line = long_line(random.Random(seed)) if seed else "日本" * LONG
    wrapped = Wrapped(Lines(line), 37)
    sections = wrapped.get_sections(0)
    assert "".join(sections) == line
    assert all(0 < cell_len(section.replace("\t", " ")) <= 37 for section in sections)
    for column in range(0, len(line), 97):
        offset = wrapped.location_to_offset((0, column))
        assert wrapped.offset_to_location(offset) == (0, column)
        assert wrapped.row(offset.y) == (0, offset.y)


@pytest.mark.parametrize("seed", range(4))
def test_whether_a_string_is_open_is_right_after_any_edits(seed: int) -> None:
    chance = random.Random(seed)
    document = Lines("{\n" + long_line(chance) + "\n" + long_line(chance) + "\n}")
    for _ in range(150):
        row = chance.randrange(document.line_count)
        line = document.get_line(row)
        column = chance.randrange(len(line) + 1)
        if chance.random() < 0.3:
            end = (row, min(column + 3, len(line)))
            document.replace_range((row, column), end, chance.choice(['"', "\\", "x", "", '"\n"', '{"a": 1}']))
            continue
        while column and line[column - 1] == "\\":
            column -= 1
        assert document.in_string(row, column) == is_open(line[:column])
    for row, line in enumerate(document.lines):
        assert document.location(document.offset((row, len(line)))) == (row, len(line))
        assert document.text[document.offset((row, 0)) :].startswith(line)


def is_open(text: str) -> bool:
    """As slowly and surely as can be; a backslash outside of a string counts as one inside."""
    opened, at = False, 0
    while at < len(text):
        if text[at] == "\\":
            at += 1
        elif text[at] == '"':
            opened = not opened
        at += 1
    return opened


async def test_the_rows_of_a_long_line_are_coloured_as_the_line_is() -> None:
    app = Both()
    async with app.run_test(size=(60, 30)) as pilot:
        line = json.dumps([{'key \\ "quoted"': "text " * 30, "n": [1, 2.5, True, None]}] * 40)
        app.ours.load_text(line)
        await pilot.pause()
        assert len(line) > LONG
        whole = app.ours._style("key").color, app.ours._style("string").color
        seen: dict[object, str] = {}
        for y in range(app.ours.size.height):
            for segment in app.ours.render_line(y)._segments:
                if segment.style is not None and segment.style.color is not None:
                    seen[segment.style.color] = seen.get(segment.style.color, "") + segment.text
        assert seen[whole[0]].startswith('"key  quoted""n""key  quoted"')
        assert seen[whole[1]].replace('"', "").replace(" ", "").strip("tex") == ""


# --------------------------------------------------------------------------- brackets


@pytest.mark.parametrize(
    ("text", "at", "partner"),
    [
        ('{"a": [1, {"b": 2}]}', (0, 0), (0, 19)),
        ('{"a": [1, {"b": 2}]}', (0, 19), (0, 0)),
        ('{"a": [1, {"b": 2}]}', (0, 6), (0, 18)),
        ('{"a": "}]",\n "b": {}}', (0, 0), (1, 8)),
        ('{"a": "}]",\n "b": {}}', (1, 8), (0, 0)),
        ('{"a": "}]"}', (0, 7), None),
        ('{"a": [', (0, 6), None),
        ('{"a": 1}}', (0, 8), None),
        ('{"a": 1}', (0, 1), None),
    ],
)
async def test_a_bracket_finds_its_partner_outside_of_strings(
    text: str, at: tuple[int, int], partner: tuple[int, int] | None
) -> None:
    app = Both()
    async with app.run_test():
        app.ours.load_text(text)
        app.ours.move_cursor(at)
        assert app.ours.matching_bracket_location == partner


async def test_a_bracket_in_a_long_line_finds_its_partner() -> None:
    app = Both()
    async with app.run_test():
        line = json.dumps([{"a": "x}]" * 10, "b": [n]} for n in range(2000)])
        app.ours.load_text(line)
        at = line.index("{", 50_000)
        end = line.index("]}", line.index('"b"', at)) + 1
        app.ours.move_cursor((0, at))
        assert app.ours.matching_bracket_location == (0, end)
        app.ours.move_cursor((0, end))
        assert app.ours.matching_bracket_location == (0, at)
        app.ours.move_cursor((0, 0))
        assert app.ours.matching_bracket_location is None, "farther than anything on the screen"
