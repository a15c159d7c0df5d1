"""How far a running call is, and the last lines of its log; a list of findings to walk through.

Rules of this file: texts are safe already (view/live.py, view/wire.py); painted as content, never as markup.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from olv_tui.view.lines import Hit
from olv_tui.view.live import GRAVE, Live
from olv_tui.widgets.lines_view import LinesView

if TYPE_CHECKING:
    from olv_tui.view.wire import FindingLines

_BAR = 24


class LiveLines(Static):
    """Progress as a bar where a total is known, else as the count alone; log lines below it."""

    DEFAULT_CSS = """
    LiveLines { height: auto; max-height: 6; padding: 0 1; display: none; background: $boost; }
    LiveLines.-told { display: block; }
    """

    def tell(self, live: Live) -> None:
        """Show what was said so far; nothing where nothing was."""
        self.set_class(not live.is_empty, "-told")
        lines: list[Content] = []
        progress = live.progress
        if progress is not None:
            parts: list[str | tuple[str, str]] = []
            if progress.share is not None:
                done = round(progress.share * _BAR)
                parts += [("█" * done, "$text-primary"), ("░" * (_BAR - done), "$foreground 40%"), "  "]
            parts.append((progress.count, "bold"))
            if progress.share is not None:
                parts.append((f"  {progress.share:.0%}", "$foreground 70%"))
            if progress.message:
                parts.append(f"  {progress.message}")
            lines.append(Content.assemble(*parts))
        for line in live.logs:
            style = f"$text-{GRAVE[line.level]}" if line.level in GRAVE else "$foreground 60%"
            lines.append(Content.assemble((f"{line.level}  ", style), line.text))
        self.update(Content("\n").join(lines))


class FindingsView(LinesView):
    """The findings with one of them marked; Enter goes to its place."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j,down", "step(1)", "Next finding", show=False),
        Binding("k,up", "step(-1)", "Previous finding", show=False),
        Binding("enter", "place", "To its place", id="answer.place"),
    ]

    class Chosen(Message):
        """The place of this finding is wanted; they count from 0."""

        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002  Textual's name
        super().__init__("findings, Enter: to its place", id=id)
        self._heads: tuple[int, ...] = ()
        self._number = 0

    def show_findings(self, lines: FindingLines, number: int) -> None:
        """Show findings, one of them marked."""
        self.show(lines)
        self._heads = lines.heads
        self.go_to(number)

    def go_to(self, number: int) -> None:
        """Mark a finding."""
        if not self._heads:
            return
        self._number = min(max(number, 0), len(self._heads) - 1)
        hits = [Hit(head, 0, len(self.lines.line(head).text)) for head in self._heads]
        self.mark_hits([hits[self._number]], 0, f"{self._number + 1:,} of {len(hits):,}")

    def action_step(self, step: int) -> None:
        """Mark the next or previous finding."""
        self.go_to(self._number + step)

    def action_place(self) -> None:
        """Go to the place of the marked finding."""
        if self._heads:
            self.post_message(self.Chosen(self._number))
