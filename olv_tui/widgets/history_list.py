"""The rows of the history: an exchange on one line, or on two where the pane is narrow.

Rules of this file: all texts of a row may come from a server: they pass view/safe.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType

from olv_tui.view.safe import one_line
from olv_tui.view.words import duration, word
from olv_tui.widgets.rows import Part, RowList

if TYPE_CHECKING:
    from olv_tui.history import HistoryRow

_WIDE = 64
"""From this many cells on a row takes one line instead of two."""


class HistoryList(RowList):
    """Rows of two lines where the pane is small, else of one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,l", "choose", "Load", key_display="⏎", id="history.load"),
    ]

    row_height = 2

    def __init__(self, local_time: Callable[[str], str]) -> None:
        super().__init__(id="history-list")
        self.rows: list[HistoryRow] = []
        self.elsewhere: Callable[[str], str] = lambda _: ""
        self._local_time = local_time

    def on_resize(self) -> None:
        """Choose the height of a row by the room there is."""
        height = 1 if self.size.width >= _WIDE else 2
        if height != self.row_height:
            self.row_height = height
            self.set_rows(self.count, self.cursor)

    def row(self, index: int) -> Sequence[tuple[Sequence[Part], Sequence[Part]]]:
        """`#42 olv_get_world  10:31:05` and below it `✓ result  200  12 ms`."""
        row = self.rows[index]
        told = word(row.verdict)
        name: list[Part] = [
            (f"{_id(row):<4}", "accent"),
            ("★ " if row.starred else "  ", "warning"),
            (one_line(row.tool or row.method or "(raw body)", 80), "dim" if row.automatic else "plain"),
        ]
        when: list[Part] = [(f" {self._local_time(row.started)}", "dim")]
        verdict: list[Part] = [(f"{told.symbol} {told.label}", told.style)]
        facts: list[Part] = [(f" {row.status or '':>3} {duration(row.total_ms):>7}", "dim")]
        where = self.elsewhere(row.target)
        if self.row_height == 2:
            if where:  # instead of status and time, for which there is no room then
                facts = [(f" at {one_line(where, 22)}", "dim")]
            if row.note:
                facts = []
            return [(name, when), ([("    ", "plain"), *verdict, *_note(row)], facts)]
        summary = one_line(row.summary, 200)
        if where:
            verdict.append((f"  at {where}", "dim"))
        verdict += _note(row)
        if summary and summary != told.label:
            verdict.append((f"  {summary}", "dim"))
        head = "".join(text for text, _ in name)[:30]
        return [([*_cut(name, head), *verdict], [*facts, *when])]


def _cut(parts: list[Part], head: str) -> list[Part]:
    """Id, star and name as one column of 32 cells."""
    *first, last = parts
    before = sum(len(text) for text, _ in first)
    return [*first, (head[before:].ljust(32 - before), last[1])]


def _note(row: HistoryRow) -> list[Part]:
    """The note of the reader, as far as it fits."""
    return [(f"  ✎ {one_line(row.note, 120)}", "accent")] if row.note else []


def _id(row: HistoryRow) -> str:
    return f"#{one_line(row.id_text, 12)}" if row.id_text else "·"
