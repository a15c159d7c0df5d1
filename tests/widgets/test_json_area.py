"""The editor's text area: completion by keys, layout of the text, findings at their place."""

from __future__ import annotations

import json

import pytest
from textual.app import App, ComposeResult
from textual.events import Paste
from textual.pilot import Pilot

from olv_tui import jsontext
from olv_tui.widgets.json_area import JsonArea, findings_in
from olv_tui.widgets.json_offers import OffersList
from olv_tui.widgets.json_source import Source
from tests.screen import screen_text

SCHEMA = jsontext.loads(
    json.dumps(
        {
            "type": "object",
            "required": ["query"],
            "properties": {
                "query": {"type": "string", "minLength": 1, "description": "\x1b[31mwhat\u202e"},
                "order": {"enum": ["up", "down"]},
                "limit": {"type": "integer", "default": 10},
            },
        }
    )
)

SOURCE = Source(SCHEMA)


class Desk(App[None]):
    """An area with a source, and all that it tells."""

    def __init__(self, source: Source | None = SOURCE) -> None:
        super().__init__()
        self.told: list[str] = []
        self.found: list[tuple[str, int]] = []
        self.area = JsonArea(id="area")
        self.area.source = lambda: source

    def compose(self) -> ComposeResult:
        yield self.area

    def on_json_area_found(self, event: JsonArea.Found) -> None:
        self.found.append((event.sentence, event.count))

    def on_completing_area_told(self, event: JsonArea.Told) -> None:
        self.told.append(event.sentence)


async def begin(pilot: Pilot[None], app: Desk, marked: str) -> None:
    """Give the area a text with the cursor at `|`."""
    at = marked.index("|")
    app.area.give(marked.replace("|", ""))
    app.area.focus()
    await pilot.pause()
    app.area.move_cursor(app.area.document.location(at))
    await pilot.pause()


def completing(app: Desk) -> bool:
    return app.area.is_completing


async def until(pilot: Pilot[None], app: Desk, sentence: str, count: int) -> None:
    for _ in range(400):
        await pilot.pause(0.01)
        if app.found and app.found[-1] == (sentence, count):
            return
    raise AssertionError(app.found)


async def test_keys_and_values_are_completed_by_the_schema_and_undone_in_one_step() -> None:
    app = Desk()
    async with app.run_test(size=(60, 12)) as pilot:
        await begin(pilot, app, "{|}")
        await pilot.press("ctrl+@")
        await pilot.pause()
        screen = screen_text(app)
        assert "query  string, required" in screen
        assert r"\u001b[31mwhat\u202e" in screen, "what a server wrote is shown safe"
        await pilot.press("down", "down", "up", "enter")
        assert app.area.text == '{"order": "up"}'
        assert completing(app), "a choice of values follows"
        await pilot.press("down", "tab")
        assert app.area.text == '{"order": "down"}'
        await pilot.press("ctrl+z")
        assert app.area.text == '{"order": "up"}'
        await pilot.press("ctrl+z")
        assert app.area.text == "{}"


async def test_a_quote_opens_the_list_typing_narrows_it_and_esc_closes_it() -> None:
    app = Desk()
    async with app.run_test(size=(60, 12)) as pilot:
        await begin(pilot, app, '{"limit": 5|}')
        await pilot.press("comma", "space", *'"')
        assert completing(app)
        await pilot.press("o")
        await pilot.pause()
        assert "query" not in screen_text(app)
        await pilot.press("escape")
        assert not completing(app)
        assert app.area.text == '{"limit": 5, "o}'
        await pilot.press("r", "ctrl+@", "enter")
        assert app.area.text == '{"limit": 5, "order": "up"}'
        await pilot.press("escape", "end", "left", "comma", *'"zz')
        await pilot.pause()
        assert not completing(app), "nothing of that name"
        await begin(pilot, app, '{"query": |}')
        await pilot.press(*'"')
        assert not completing(app), "a quote that begins a value asks for nothing"


async def test_values_sent_before_are_offered_and_without_a_schema_it_says_so() -> None:
    app = Desk(Source(SCHEMA, lambda: ('{"query": "tide tables"}',)))
    async with app.run_test(size=(60, 12)) as pilot:
        await begin(pilot, app, '{"query": "ti|"}')
        await pilot.press("ctrl+@", "enter")
        assert app.area.text == '{"query": "tide tables"}'
        app.area.source = lambda: None
        await pilot.press("ctrl+@")
        await pilot.pause()
        assert "no schema" in app.told[-1]


async def test_the_list_stays_on_the_screen_and_a_click_takes() -> None:
    app = Desk()
    async with app.run_test(size=(60, 12)) as pilot:
        await begin(pilot, app, "{" + "\n" * 9 + "|}")
        await pilot.press("ctrl+@")
        await pilot.pause()
        offers = app.screen.query_one(OffersList)
        assert offers.region.bottom <= app.area.cursor_screen_offset.y
        assert offers.region.y >= 0
        await pilot.click(OffersList, offset=(3, 2))
        assert json.loads(app.area.text) == {"limit": 10}


@pytest.mark.parametrize(
    ("before", "formatted"),
    [
        (
            '{"b":1.0e2,"a":[1,|{}],"b":"\\u00e9 é"}',
            '{\n  "b": 1.0e2,\n  "a": [\n    1,|\n    {}\n  ],\n  "b": "\\u00e9 é"\n}',
        ),
        ('{ "a" : |12345678901234567890.10 }', '{\n  "a":| 12345678901234567890.10\n}'),
        ("[[[[|]]]]", "[\n  [\n    [\n      [|]\n    ]\n  ]\n]"),
    ],
)
async def test_formatting_changes_white_space_only_and_compacting_takes_it_out(before: str, formatted: str) -> None:
    app = Desk(None)
    async with app.run_test() as pilot:
        await begin(pilot, app, before)
        await pilot.press("alt+i")
        assert app.area.text == formatted.replace("|", "")
        assert app.area.document.offset(app.area.cursor_location) == formatted.index("|")
        await pilot.press("alt+c")
        plain = before.replace("|", "")
        assert app.area.text == (plain.replace(" ", "") if '" ' in plain else plain)
        await pilot.press("ctrl+z", "ctrl+z")
        assert app.area.text == plain
        assert app.area.is_untouched


async def test_what_is_no_json_is_not_laid_out() -> None:
    app = Desk(None)
    async with app.run_test() as pilot:
        await begin(pilot, app, '{"a": |')
        await pilot.press("alt+i", "alt+c")
        await pilot.pause()
        assert app.area.text == '{"a": '
        assert len(app.told) == 2


async def test_what_the_schema_refuses_is_marked_at_its_place_and_told_at_the_cursor() -> None:
    app = Desk()
    async with app.run_test() as pilot:
        await begin(pilot, app, '|{\n  "order": "left",\n  "limit": "x"\n}')
        await until(pilot, app, "/query: must be given and is missing", 3)
        marked = {row: [(mark.start, mark.end) for mark in marks] for row, marks in app.area.faults.items()}
        assert marked == {0: [(0, 1)], 1: [(11, 17)], 2: [(11, 14)]}
        rows = [app.area.render_line(y) for y in range(4)]
        assert [row.text[0] for row in rows] == ["!", "!", "!", " "]
        underlined = [segment.text for row in rows for segment in row if segment.style and segment.style.underline]
        assert underlined == ["{", '"left"', '"x"']
        await pilot.press("down", "down")
        await until(pilot, app, '/limit: "x" is a text, and an integer is due', 3)
        await pilot.press("home", "enter")
        assert sorted(app.area.faults) == [0, 1, 3], "marks move with the text"
        app.area.give('{"query": "a"}')
        await until(pilot, app, "", 0)


def test_a_finding_has_the_place_of_what_is_wrong_or_of_what_it_is_missing_in() -> None:
    text = '{"order": {"a": 1}}'
    assert [(start, end) for start, end, _ in findings_in(text, SCHEMA)] == [(0, 1), (10, 11)]
    assert findings_in("{", SCHEMA) == []
    assert findings_in("[]", SCHEMA)[0][:2] == (0, 1)


async def test_what_is_pasted_keeps_the_characters_that_a_text_area_takes_for_line_ends() -> None:
    app = Desk()
    async with app.run_test() as pilot:
        app.area.focus()
        await pilot.pause()
        await pilot.press("ctrl+a", "delete")
        app.post_message(Paste('{"a": "x\u2028\x85",\n "b": "é\u202e"}'))
        await pilot.pause()
        assert jsontext.loads(app.area.kept) == jsontext.loads('{"a": "x\u2028\x85", "b": "é\u202e"}')
        assert app.told == ["Characters that break lines stand here as escapes, such as \\u2028."]
