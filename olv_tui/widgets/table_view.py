"""An array as a table with its heads kept in sight; Enter goes back to the row in the answer.

Rules of this file: rows are made where they are looked at (view/table.py); heads scroll sideways with them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message
from textual.strip import Strip

from olv_tui.view.table import TableLines
from olv_tui.widgets.node_view import NodeView

if TYPE_CHECKING:
    from olv_tui.view.fold import FoldedRows


class TableView(NodeView):
    """Shows `TableLines`."""

    class Chosen(Message):
        """The item of this row is wanted in the answer; rows count from 0."""

        def __init__(self, row: int) -> None:
            super().__init__()
            self.row = row

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002  Textual's name
        super().__init__("table", id=id)
        self._wraps = False

    @property
    def _height(self) -> int:
        return max(super()._height - 1, 1)

    def _install(self, rows: FoldedRows, top: int) -> None:
        super()._install(rows, top)
        self.virtual_size = self.virtual_size.with_height(len(rows) + 1)

    def render_line(self, y: int) -> Strip:
        """The heads on top, the rows below."""
        if y:
            return super().render_line(y - 1)
        lines, x, width = self.lines, self.scroll_offset.x, self.size.width
        if not isinstance(lines, TableLines):
            return Strip.blank(width, self.rich_style)
        text, spans = lines.head()
        strip = Strip(
            self._segments(
                " " * self.GUTTER + text,
                tuple(span._replace(start=span.start + self.GUTTER, end=span.end + self.GUTTER) for span in spans),
                [],
            )
        )
        return strip.crop_extend(x, x + width, self.rich_style)

    def action_wrap(self) -> None:
        """A table is never wrapped."""

    def action_fold(self) -> None:
        """Go to the row in the answer."""
        if self.is_ready:
            self.post_message(self.Chosen(self.cursor[0]))
