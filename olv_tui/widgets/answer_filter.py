"""The filter of the decoded answer: a JSONPath, what it finds, and the queries of before.

Rules of this file:

* The whole answer is one Esc away; another exchange is never shown through the filter of this one.
* A query is run when the typing pauses, in a thread; what comes late is dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Input

from olv_tui.courtesy import aside
from olv_tui.view.safe import one_line
from olv_tui.widgets.answer_link import LinkedViews

if TYPE_CHECKING:
    from textual.timer import Timer

    from olv_tui.view.filtering import Filtered
    from olv_tui.view.lines import Lines

_PAUSE = 0.15
_KEPT = 50


class FilterLine(Input):
    """The line of the query: hidden until it is opened, no stop of tab. Up and down go through `queries`."""

    DEFAULT_CSS = """
    FilterLine { display: none; height: 1; border: none; padding: 0 1; background: $boost; }
    FilterLine.-open, FilterLine.-open:focus { display: block; border: none; height: 1; }
    FilterLine.-wrong, FilterLine.-wrong:focus { color: $text-error; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Whole answer", id="answer.filter_end"),
        Binding("up", "earlier(1)", "Earlier", id="answer.filter_earlier"),
        Binding("down", "earlier(-1)", "Later", show=False, id="answer.filter_later"),
    ]

    class Closed(Message):
        """The whole answer is wanted again."""

    def __init__(self) -> None:
        super().__init__(placeholder="JSONPath, such as $.result.structuredContent.worlds[*].name", id="filter")
        self.cursor_blink = False
        self.can_focus = False
        self.queries: list[str] = []
        self._tool = ""
        self._kept: list[tuple[str, str]] = []
        self._at = -1
        self._typed = ""

    def open(self, tool: str) -> None:
        """Show it and take the focus. Queries made of answers of this tool come before those of others."""
        self._tool = tool
        self.queries = queries_for(tool, self._kept)
        self.add_class("-open")
        self.can_focus = True
        self._at, self._typed = -1, self.value
        self.focus()

    def close(self) -> bool:
        """Hide it. True where it had the focus, which then belongs elsewhere."""
        had_focus = self.has_focus
        self.remove_class("-open")
        self.can_focus = False
        return had_focus

    def keep(self) -> None:
        """Remember the query with its tool, the newest first."""
        one = (self._tool, self.value.strip())
        if one[1]:
            self._kept = [one, *(other for other in self._kept if other != one)][:_KEPT]

    def action_close(self) -> None:
        """End the filter."""
        self.post_message(self.Closed())

    def action_earlier(self, step: int) -> None:
        """A query of before, and back to what was typed."""
        if self._at < 0:
            self._typed = self.value
        self._at = min(max(self._at + step, -1), len(self.queries) - 1)
        self.value = self._typed if self._at < 0 else self.queries[self._at]
        self.cursor_position = len(self.value)


def queries_for(tool: str, kept: Sequence[tuple[str, str]]) -> list[str]:
    """Queries kept with their tools, each once: those of a tool first, else in the order they are kept in."""
    ordered = sorted(kept, key=lambda one: one[0] != tool)
    return list(dict.fromkeys(query for _, query in ordered))


class FilteredViews(LinkedViews):
    """The part of the views that filters the decoded answer."""

    def __init__(self) -> None:
        super().__init__()
        self._query = ""
        self._sought = ""
        self._told = ""
        self._pause: Timer | None = None

    @property
    def is_filtered(self) -> bool:
        """Whether a part of the answer is shown."""
        return bool(self._query)

    def refill(self, make: Callable[[], Lines] | None) -> None:
        """Show other lines in the decoded view; None: the whole answer."""
        raise NotImplementedError

    def filter(self) -> None:
        """Open the line of the query."""
        if self.linked is not None:
            self.query_one(FilterLine).open(self.linked.exchange.outgoing.tool or "")

    def end_filter(self) -> None:
        """Show the whole answer again."""
        self._sought = ""
        line = self.query_one(FilterLine)
        line.keep()
        line.value = ""
        line.close()
        if self._query:
            self._query = self._told = ""
            self.refill(None)

    def other_answer(self) -> None:
        """Another answer comes: it is shown whole, unless a query is being typed, which is then run on it."""
        line = self.query_one(FilterLine)
        if not line.has_focus:
            self.end_filter()
            return
        if self._query:
            self._query = self._told = self._sought = ""
            self.refill(None)
        self.filter_typed(line.value)

    def on_filter_line_closed(self, event: FilterLine.Closed) -> None:
        """Esc in the line."""
        event.stop()
        had_focus = self.query_one(FilterLine).has_focus
        self.end_filter()
        if had_focus:
            self.after_filter()

    def after_filter(self) -> None:
        """The line was left."""
        raise NotImplementedError

    def filter_typed(self, query: str) -> None:
        """The query has changed: run it when the typing pauses."""
        if self._pause is not None:
            self._pause.stop()
        self._pause = self.set_timer(_PAUSE, lambda: self.run_filter(query))

    def filter_taken(self, query: str) -> None:
        """Enter: keep the query, and give the view the focus."""
        if not query.strip():
            self.end_filter()
        else:
            line = self.query_one(FilterLine)
            line.keep()
            line.close()
            self.run_filter(query)
        self.after_filter()

    def run_filter(self, query: str) -> None:
        """Find what a query finds, and show it."""
        if self._pause is not None:
            self._pause.stop()
            self._pause = None
        linked = self.linked
        if linked is None:
            return
        if not query.strip():
            self._sought = ""
            self.query_one(FilterLine).remove_class("-wrong")
            if self._query:
                self._query = self._told = ""
                self.refill(None)
            return

        self._sought = query

        def is_over() -> bool:
            # A thread cannot be stopped, and the program waits for threads when it ends.
            return linked is not self.linked or self._sought != query or not self.is_running

        async def work() -> None:
            from olv_tui.view.filtering import filtered

            found = await aside(lambda: filtered(linked.text, query, is_over))
            if not is_over():
                self._show_found(query, found)

        self.run_worker(work(), group="filter", exclusive=True)

    def _show_found(self, query: str, found: Filtered) -> None:
        """Show what was found; of a query that is not sound yet the reason alone, what is shown stays."""
        self.query_one(FilterLine).set_class(bool(found.problem), "-wrong")
        self._told = one_line(found.told, 100)
        if found.problem:
            self.refill_title()
            return
        from olv_tui.view.filtered_page import filtered_lines

        self._query = query
        self.refill(lambda: filtered_lines(found))

    def refill_title(self) -> None:
        """What is said of the filter has changed."""
        raise NotImplementedError

    @property
    def filter_told(self) -> str:
        """What is said of the filter beside the name of the view, "" without one."""
        return f" · {self._told} · Esc: whole answer" if self._told else ""
