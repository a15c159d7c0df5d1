"""A key in a field of a form against the same key in Textual's own area with a short text.

Run it as `python tests/bench/form_typing.py [KEYS]`. An app of its own for each, headless, one after another: Textual's
own area, the form of a small schema, that of the real schema with the most fields (all opened; a made one of 90
fields where the real ones are not here), and a form whose arguments hold a megabyte of JSON beside the field that is
typed into: over many lines, in one line, and as one text. Keys are typed in turns (letters, digits, backspace), and
each is timed from the event to the paint that follows it. Printed: best, median and 95th percentile in milliseconds.
Compare best with best.

A frame is 16.7 ms: exit code 1 where the median of a form is above it and above 3 times that of the bare area.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from textual.app import App, ComposeResult
from textual.pilot import Pilot
from textual.widgets import TextArea

from olv_tui import jsontext
from olv_tui.model import Object, Tool
from olv_tui.schema import Kind, tree
from olv_tui.view.form_rows import What, lay
from olv_tui.widgets.document import Document
from olv_tui.widgets.editor import Dresser, EditorPane
from tests.bench.json_typing import FRAME, ROWS, SIZE, key
from tests.schema.material import real_tools, walk

KEYS = ["x", "y", "1", "z", "backspace", "backspace", "2", "3", "a", "b"]
SMALL: dict[str, Any] = {
    "type": "object",
    "properties": {
        "query": {"type": "string"},
        "limit": {"type": "integer"},
        "data": {},
        "rows": {"type": "array", "items": {"type": "object", "properties": {"id": {"type": "integer"}}}},
    },
}


def tool_of(schema: Any) -> Tool:
    """A tool that has this schema."""
    definition = jsontext.loads(json.dumps({"name": "bench", "inputSchema": schema}))
    assert isinstance(definition, Object)
    return Tool("bench", "", "", definition)


def largest() -> Any:
    """The real schema with the most fields as plain data."""
    found = real_tools()
    if not found:
        print("no real schemas here: a made one of 90 fields")
        return {"type": "object", "properties": {f"field_{n}": {"type": "string"} for n in range(90)}}
    name, schema = max(found, key=lambda one: sum(1 for _ in walk(tree(one[1]), 6)))
    print(f"largest real schema: {name}, {sum(1 for _ in walk(tree(schema), 6))} fields")
    return json.loads(jsontext.dumps(schema))


class Bench(App[None]):
    """One area or editor; `painted` is set by every paint."""

    def __init__(self, shown: TextArea | EditorPane) -> None:
        super().__init__()
        self.shown = shown
        self.painted = asyncio.Event()

    def compose(self) -> ComposeResult:
        yield self.shown

    def _display(self, screen: Any, renderable: Any) -> None:
        super()._display(screen, renderable)
        if renderable is not None:
            self.painted.set()


def load(editor: EditorPane, tool: Tool, arguments: str) -> None:
    """Show the form of a tool."""
    dresser = Dresser(lambda _, text, __: text, lambda *_: (), lambda: "1", lambda *_: "", lambda: tool)
    editor.set_dresser(dresser)
    editor.load(Document("bench", arguments=arguments))


def open_all(editor: EditorPane) -> None:
    """Open what can be opened, four levels deep."""
    state = editor.form.state
    for _ in range(4):
        for row in lay(state.form, state.look):
            if row.opened is False:
                state.look.folds[row.pointer] = True
    editor.form.show(state)


def to_text(editor: EditorPane) -> None:
    """The cursor to the last field of text that is painted at first."""
    rows = [row for row in editor.form.rows[:20] if row.what is What.PLACE and row.field.kind is Kind.STRING]
    editor.form.go_to(rows[-1].pointer)


def arguments() -> dict[str, tuple[Any, str]]:
    """What is typed into: the schema and the arguments of each."""
    big = {"query": "tide", "data": ROWS}
    return {
        "form, small": (SMALL, '{"query": "tide"}'),
        "form, largest": (largest(), "{}"),
        "form, 1 MB of lines": (SMALL, json.dumps(big, indent=2)),
        "form, 1 MB in a line": (SMALL, json.dumps(big)),
        "form, 1 MB of items": (SMALL, json.dumps({"query": "tide", "rows": ROWS})),
        "form, a text of 1 MB": (SMALL, json.dumps({"query": "tide", "data": "tide " * 200_000})),
    }


async def typed(app: Bench, pilot: Pilot[None], rounds: int) -> list[float]:
    """Milliseconds of each key; those of the first round are not counted."""
    found = []
    for number in range(rounds + 1):
        for letter in KEYS:
            took = await key(app, letter)  # type: ignore[arg-type]
            await pilot.pause()
            if number:
                found.append(took)
    return found


async def measure(rounds: int) -> dict[str, list[float]]:
    area = TextArea("tide tables")
    area.cursor_blink = False
    app = Bench(area)
    async with app.run_test(size=SIZE) as pilot:
        area.focus()
        found = {"Textual's area": await typed(app, pilot, rounds)}
    for name, (schema, text) in arguments().items():
        editor = EditorPane("form")
        app = Bench(editor)
        async with app.run_test(size=SIZE) as pilot:
            load(editor, tool_of(schema), text)
            await pilot.pause()
            if name == "form, largest":
                open_all(editor)
            to_text(editor)
            editor.focus_target().focus()
            await pilot.pause()
            found[name] = await typed(app, pilot, rounds)
    return found


def main() -> int:
    rounds = next((int(word) for word in sys.argv[1:] if word.isdigit()), 100) // len(KEYS)
    found = asyncio.run(measure(max(rounds, 1)))
    for name, times in found.items():
        high = statistics.quantiles(times, n=20)[-1]
        print(f"{name:22} best {min(times):7.2f}  median {statistics.median(times):7.2f}  p95 {high:7.2f} ms")
    limit = max(FRAME, 3 * statistics.median(found["Textual's area"]))
    return int(any(statistics.median(times) > limit for times in found.values()))


if __name__ == "__main__":
    sys.exit(main())
