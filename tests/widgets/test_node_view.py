from __future__ import annotations

import json

from textual.pilot import Pilot

from olv_tui.model import Exchange, Verdict
from olv_tui.view.fold import JsonLines
from olv_tui.widgets.answer_link import LinkedViews, PathLine
from olv_tui.widgets.answer_views import AnswerViews
from olv_tui.widgets.node_view import NodeView
from tests.screen import screen_text, settled, widget_text
from tests.view.exchanges import exchange
from tests.widgets.test_answer import WIDE, AnswerApp

WORLDS = [{"id": f"w{number}", "tags": ["a", "b"], "pages": number} for number in range(30)]


def answer(rows: list[dict[str, object]]) -> Exchange:
    result = {"structuredContent": {"worlds": rows}, "content": []}
    return exchange(Verdict.RESULT, json.dumps({"jsonrpc": "2.0", "id": 5, "result": result}))


class LinkApp(AnswerApp):
    def __init__(self) -> None:
        super().__init__()
        self.copied: list[str] = []

    def on_linked_views_copy_wanted(self, event: LinkedViews.CopyWanted) -> None:
        self.copied.append(event.text)

    @property
    def decoded(self) -> NodeView:
        return self.query_one("#decoded", NodeView)

    @property
    def raw(self) -> NodeView:
        return self.query_one("#raw", NodeView)

    @property
    def path(self) -> str:
        return widget_text(self.query_one(PathLine)).strip()


async def opened(app: LinkApp, pilot: Pilot[None], one: Exchange) -> None:
    app.pane.show(one)
    await settled(pilot)
    app.decoded.focus()
    await settled(pilot)


async def test_folding_leaves_the_head_with_its_count_and_opens_again() -> None:
    app = LinkApp()
    async with app.run_test(size=WIDE) as pilot:
        await opened(app, pilot, answer([dict(row) for row in WORLDS]))
        await pilot.press("down", "down", "enter")
        assert '▸   "worlds": [ … ]  [30]' in screen_text(app)
        assert '"w1"' not in widget_text(app.decoded)
        assert "$.result.structuredContent.worlds · array [30]" in app.path
        await pilot.press("right", "right", "left")
        assert "▸     { … }  {3}" in screen_text(app)
        await pilot.press("left", "left", "P")
        assert app.decoded.cursor[0] == 2
        assert app.copied == ["$.result.structuredContent.worlds"]


async def test_levels_fold_and_unfold_everywhere() -> None:
    app = LinkApp()
    async with app.run_test(size=WIDE) as pilot:
        await opened(app, pilot, answer([dict(row) for row in WORLDS]))
        await pilot.press("minus")
        assert '"tags": [ … ]  [2]' in screen_text(app)
        await pilot.press("minus")
        assert "{ … }  {3}" in screen_text(app)
        await pilot.press("plus", "plus")
        assert "…" not in widget_text(app.decoded)
        await pilot.press("underscore")
        assert "▸ structuredContent …" in screen_text(app)
        await pilot.press("asterisk")
        assert '"w1"' in widget_text(app.decoded)


async def test_the_cursor_marks_the_same_node_in_the_raw_answer_and_back() -> None:
    app = LinkApp()
    async with app.run_test(size=WIDE) as pilot:
        await opened(app, pilot, answer([dict(row) for row in WORLDS]))
        line = next(index for index in range(len(app.decoded.lines)) if '"w29"' in app.decoded.lines.text(index))
        app.decoded.move_to(line)
        await settled(pilot)
        assert "worlds[29].id · string, 3 characters" in app.path
        start, end = app.raw.marked or ((0, 0), (0, 0))
        assert app.raw.lines.text(0)[start[1] : end[1]] == '"w29"'
        assert 'w29"' in widget_text(app.raw)
        await pilot.press("p")
        await settled(pilot)
        assert isinstance(app.raw.lines, JsonLines)
        app.raw.focus()
        await pilot.press("G", "up", "up")
        await settled(pilot)
        assert "content" in app.path


async def test_a_search_opens_what_hides_its_hit() -> None:
    app = LinkApp()
    async with app.run_test(size=WIDE) as pilot:
        await opened(app, pilot, answer([dict(row) for row in WORLDS]))
        await pilot.press("underscore")
        app.decoded.search("w17")
        await settled(pilot)
        assert '"id": "w17"' in widget_text(app.decoded)
        assert app.decoded.lines.text(app.decoded.cursor[0]).strip() == '"id": "w17",'


async def test_the_node_under_the_cursor_is_told_to_others() -> None:
    app = LinkApp()
    async with app.run_test(size=WIDE) as pilot:
        await opened(app, pilot, answer([dict(row) for row in WORLDS]))
        app.decoded.move_to(4)
        await settled(pilot)
        node = app.query_one(AnswerViews).node()
        assert node is not None
        assert (node.pointer, node.text, node.value) == ("/result/structuredContent/worlds/0/id", '"w0"', "w0")


async def test_any_body_is_shown_as_bytes() -> None:
    app = LinkApp()
    async with app.run_test(size=WIDE) as pilot:
        await opened(app, pilot, answer([dict(row) for row in WORLDS]))
        await pilot.press("B")
        assert "raw, bytes" in screen_text(app)
        assert "00000000  7b 22 6a 73" in screen_text(app)
        await pilot.press("B")
        assert '{"jsonrpc"' in screen_text(app)


async def test_an_array_is_shown_as_a_table_and_enter_goes_to_its_row() -> None:
    app = LinkApp()
    async with app.run_test(size=WIDE) as pilot:
        await opened(app, pilot, answer([dict(row) for row in WORLDS]))
        app.decoded.move_to(4)
        await pilot.press("t")
        await settled(pilot)
        text = screen_text(app)
        assert "id   tags  pages" in text
        assert "w0   [2]   0" in text
        assert "table of 30" in text
        await pilot.press("G")
        assert "w29  [2]   29" in screen_text(app)
        await pilot.press("enter")
        await settled(pilot)
        assert "worlds[29] · object {3}" in app.path
        assert '"w29"' in widget_text(app.decoded)
        await pilot.press("b")
        app.raw.focus()
        app.raw.move_to(0, app.raw.lines.text(0).index('"worlds"'))
        await settled(pilot)
        await pilot.press("t")
        await settled(pilot)
        await pilot.press("down", "enter")
        await settled(pilot)
        assert app.raw.lines.text(0)[app.raw.cursor[1] :].startswith('{"id": "w1"')
