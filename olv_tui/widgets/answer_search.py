"""The search of the answer pane: its line, and the view that is searched.

Rules of this file: the view that has the focus is searched, while typing where its text is small. The line of the
filter is an input as well, so what is typed in either comes here first.
"""

from __future__ import annotations

from olv_tui.widgets.answer_filter import FilteredViews, FilterLine
from olv_tui.widgets.lines_view import HEAVY, LinesView
from olv_tui.widgets.verdict import FindLine


class SearchedViews(FilteredViews):
    """The part of the views that searches."""

    @property
    def active(self) -> LinesView:
        """The view that keys act on."""
        raise NotImplementedError

    def find(self) -> None:
        """Open the search line."""
        if self._exchange is None:
            return
        self.query_one(FindLine).open()

    def on_input_changed(self, event: FindLine.Changed) -> None:
        """Search while typing where the text is small; filter when the typing pauses."""
        event.stop()
        if isinstance(event.input, FilterLine):
            self.filter_typed(event.value)
            return
        self._find_typed(event.value)

    def _find_typed(self, text: str) -> None:
        """Search for what stands in the line, where that is quick."""
        if self.query_one(FindLine).is_open and self.active.lines.weight <= HEAVY:
            self.active.search(text)

    def on_input_submitted(self, event: FindLine.Submitted) -> None:
        """Search, and give the view the focus for `n` and `N`; or keep the filter."""
        event.stop()
        if isinstance(event.input, FilterLine):
            self.filter_taken(event.value)
            return
        view = self.active
        if event.value != view.needle:
            view.search(event.value)
        self._close_find()

    def on_find_line_closed(self, event: FindLine.Closed) -> None:
        """Escape: no search any more."""
        event.stop()
        self.end_find()

    def end_find(self) -> None:
        """No search any more."""
        self.active.search("")
        self._close_find()

    def _close_find(self) -> None:
        if self.query_one(FindLine).close():
            self.active.focus()
        self.refresh_bindings()
