"""Two answers held against each other, path by path.

Rules of this file:

* Comparing and writing out values is done in a thread; a screen shows a window of the rows, however many.
* What is ignored is remembered for the tool (`Compared.ignore` is the reader's own set, changed in place).
* Texts are safe from view/compare_lines.py, except the full values, which only `TextLines` shows.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content

from olv_tui.reports.compare import Comparison, compare, with_status
from olv_tui.screens.modal import Modal
from olv_tui.view import compare_lines
from olv_tui.view.lines import FixedLines, Line
from olv_tui.view.text_lines import TextLines
from olv_tui.widgets.lines_view import HEAVY, LinesView
from olv_tui.widgets.pane import Say
from olv_tui.widgets.rows import Part, RowList

if TYPE_CHECKING:
    from textual.app import ComposeResult

LISTED = 5_000
"""Differences that can be walked through; all are counted."""


@dataclass(slots=True)
class Compared:
    """What is compared: the names of both (safe), the answers (made in a thread; None: nothing came), what does not
    count for this tool, what never counts (ids of two exchanges), and both HTTP statuses where they do count.
    """

    names: tuple[str, str]
    first: Callable[[], bytes | None]
    second: Callable[[], bytes | None]
    ignore: list[str]
    always: Sequence[str] = ()
    changed: Callable[[], None] = lambda: None
    status: tuple[int | None, int | None] = (None, None)

    def found(self) -> Comparison:
        """The comparison; heavy for large answers."""
        found = compare(self.first() or b"", self.second(), self.ignored(), limit=LISTED)
        return with_status(found, *self.status)

    def ignored(self) -> tuple[str, ...]:
        """The pointers that do not count."""
        return (*self.always, *self.ignore)


class _Rows(RowList):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "move(1)", "Next", show=False),
        Binding("N,p", "move(-1)", "Previous", show=False),
    ]

    def __init__(self) -> None:
        super().__init__(id="differences")
        self.found: list[compare_lines.Row] = []

    def row(self, index: int) -> Sequence[tuple[Sequence[Part], Sequence[Part]]]:
        """`! /result/id   1 → 2`."""
        one = self.found[index]
        arrow = " → " if one.before and one.after else " "
        return [([(f"{one.symbol} ", one.style), (f"{one.place}  ", "plain"), (one.before, "error"), (arrow, "dim"),
                  (one.after, "success")], [])]  # fmt: skip


class CompareScreen(Modal[None]):
    """The differences as a list, the values of the one under the cursor beside each other below."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,d", "dismiss", "Close", id="compare.close"),
        Binding("x", "ignore(False)", "Ignore this place", id="compare.ignore"),
        Binding("X", "ignore(True)", "Ignore it in every item", id="compare.ignore_all"),
        Binding("u", "unignore", "Ignore nothing", id="compare.unignore"),
        Binding("y", "copy", "Copy the comparison", id="compare.copy"),
        Binding("tab", "app.focus_next", "Values", show=False),
    ]

    DEFAULT_CSS = """
    CompareScreen { align: center middle; background: $background 60%; }
    CompareScreen #compared { height: auto; max-height: 2; }
    CompareScreen #differences { height: 1fr; margin-top: 1; }
    CompareScreen #values { height: 1fr; min-height: 5; }
    CompareScreen #values LinesView { width: 1fr; height: 1fr; }
    CompareScreen #hint { height: auto; max-height: 2; }
    """

    def __init__(self, compared: Compared, copy: Callable[[str, str], None]) -> None:
        super().__init__()
        self._compared = compared
        self._copy = copy
        self._found: Comparison | None = None
        self._rows = _Rows()
        self._first, self._second = LinesView(compared.names[0]), LinesView(compared.names[1])
        self._generation = 0

    def compose(self) -> ComposeResult:
        """Headline, differences, both values, keys."""
        with Vertical(classes="box sheet") as box:
            box.border_title = Content(f"Compare · {self._compared.names[0]} ↔ {self._compared.names[1]}")
            box.border_subtitle = Content("Esc closes")
            yield Say(id="compared")
            yield self._rows
            with Horizontal(id="values"):
                yield self._first
                yield self._second
            yield Say(id="hint")

    def on_mount(self) -> None:
        """Compare, off the event loop."""
        for view, name in zip((self._first, self._second), self._compared.names, strict=True):
            view.set_label(name)
        self._rows.focus()
        keys = (("n N", "next, previous"), ("x", "ignore this place"), ("X", "in every item"),
                ("u", "ignore nothing"), ("y", "copy"), ("tab", "values"))  # fmt: skip
        parts = [Content.assemble((key, "bold $text-accent"), f" {what}") for key, what in keys]
        self.query_one("#hint", Say).say(Content("  ").join(parts))
        self._begin()

    def _begin(self) -> None:
        self.query_one("#compared", Say).say(Content.styled("Comparing …", "dim"))
        self._rows.set_note(("Comparing …", "dim"))

        async def work() -> None:
            found = await asyncio.to_thread(self._compared.found)
            rows = await asyncio.to_thread(compare_lines.rows, found)
            self._show(found, rows)

        self.run_worker(work(), group="compare", exclusive=True)

    def _show(self, found: Comparison, rows: list[compare_lines.Row]) -> None:
        self._found = found
        told, style = compare_lines.headline(found, len(self._compared.ignore))
        if found.total > len(found.differences):
            told += f" (the first {len(found.differences):,} are listed)"
        self.query_one("#compared", Say).say(Content.styled(told, f"bold $text-{style}"), layout=True)
        cursor = self._rows.cursor
        self._rows.found = rows
        self._rows.set_note(("Nothing differs.", "success"))
        self._rows.set_rows(len(rows), cursor)
        self._show_values()

    def on_row_list_moved(self, event: RowList.Moved) -> None:
        """Show the values of the difference under the cursor."""
        event.stop()
        self._show_values()

    def on_row_list_chosen(self, event: RowList.Chosen) -> None:
        """Enter goes into the values."""
        event.stop()
        self._first.focus()

    def _show_values(self) -> None:
        self._generation += 1
        if not self._rows.found:
            for view in (self._first, self._second):
                view.show(FixedLines([]))
            return
        one, generation = self._rows.found[self._rows.cursor].difference, self._generation
        first, second = self._compared.names
        self._first.set_label(f"{first} · {compare_lines.about(one)}")
        self._second.set_label(second)

        async def work() -> None:
            texts = await asyncio.to_thread(compare_lines.full, one)
            if generation != self._generation:
                return
            for view, text in zip((self._first, self._second), texts, strict=True):
                if text:
                    view.load(_lines_of(text), heavy=len(text) > HEAVY)
                else:
                    view.show(FixedLines([Line("(not there)")]))

        self.run_worker(work(), group="values", exclusive=True)

    # ----------------------------------------------------------------------- keys

    def action_ignore(self, everywhere: bool) -> None:
        """This place counts no more for this tool."""
        if not self._rows.found:
            return
        at = self._rows.found[self._rows.cursor].difference.at
        at = compare_lines.any_index(at) if everywhere else at
        if at not in self._compared.ignore:
            self._compared.ignore.append(at)
            self._compared.changed()
        self._begin()

    def action_unignore(self) -> None:
        """Everything counts again."""
        self._compared.ignore.clear()
        self._compared.changed()
        self._begin()

    def action_copy(self) -> None:
        """Copy the comparison as text."""
        if self._found is not None:
            text = compare_lines.as_text(self._found, self._compared.names, self._compared.ignore)
            self._copy(text, "the comparison")


def _lines_of(text: str) -> Callable[[], TextLines]:
    return lambda: TextLines(text, "json")
