"""What holds the views of an answer together: the node under the cursor, its path, its place in the other view.

Rules of this file:

* One search runs at a time, in a thread where the answer is large; the cursor may move on meanwhile, and the newest
  place is looked up when it is done. So a held key never piles up work.
* Both views tell their places as bytes of the body or nodes of the message (view/linked.py), never to each other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from olv_tui.courtesy import aside
from olv_tui.view.safe import one_line
from olv_tui.view.text_lines import TextLines
from olv_tui.widgets.lines_view import HEAVY
from olv_tui.widgets.node_view import NodeView

if TYPE_CHECKING:
    from olv_tui.model import Exchange, Value
    from olv_tui.view.fold import JsonLines
    from olv_tui.view.fold_page import Spot
    from olv_tui.view.lines import Lines
    from olv_tui.view.linked import Linked
    from olv_tui.view.table import TableLines

_Range = tuple[tuple[int, int], tuple[int, int]]
_SHOWN = 300


@dataclass(frozen=True, slots=True)
class NodeInfo:
    """The node under the cursor: JSON pointer and JSONPath in the message, its text as it came.

    `inner` is the JSON pointer inside of a text that is JSON itself, None elsewhere. `text` is the token as shown in
    the raw answer (of an inner node as written in that text), `value` what it means.
    """

    pointer: str
    path: str
    inner: str | None
    text: str
    value: Value


@dataclass(frozen=True, slots=True)
class _Found:
    """What was found of a place: its node and where the other view shows it."""

    spot: Spot | None
    other: _Range | None
    here: _Range | None


class PathLine(Static):
    """The path of the node under the cursor."""

    DEFAULT_CSS = "PathLine { height: 1; padding: 0 1; color: $foreground 70%; display: none; text-wrap: nowrap; }"

    def tell(self, text: str) -> None:
        """Show a path; nothing hides the line."""
        self.display = bool(text)
        self.update(Content(text))


class LinkedViews(Vertical):
    """The part of the views that knows where their cursors are."""

    class CopyWanted(Message):
        """Something is wanted on the clipboard; `what` names it."""

        def __init__(self, text: str, what: str) -> None:
            super().__init__()
            self.text = text
            self.what = what

    def __init__(self) -> None:
        super().__init__()
        self._exchange: Exchange | None = None
        self._pretty = False
        self._linked: Linked | None = None
        self._scrolls = True
        self._wanted: NodeView | None = None
        self._is_looking = False
        self._spot: Spot | None = None
        self._back: Callable[[int], tuple[int, int] | None] = lambda _: None
        self._back_to: NodeView | None = None

    @property
    def linked(self) -> Linked | None:
        """The places of the answer that is shown."""
        exchange = self._exchange
        if exchange is None or exchange.judgement is None:
            return None
        if self._linked is None or self._linked.exchange is not exchange:
            from olv_tui.view.linked import Linked

            self._linked = Linked(exchange)
        return self._linked

    @property
    def _is_large(self) -> bool:
        response = self._exchange.reply.response if self._exchange is not None and self._exchange.reply else None
        return response is not None and len(response.body) > HEAVY

    # ----------------------------------------------------------------------- the node under the cursor

    def on_node_view_moved(self, event: NodeView.Moved) -> None:
        """Tell the path, and mark the same place in the other view."""
        event.stop()
        if event.view.has_focus:
            self.look(event.view)

    def look(self, view: NodeView) -> None:
        """Find what is under the cursor of a view."""
        if view.id in {"raw", "decoded"}:
            self._wanted = view
            self._look()

    def _look(self) -> None:
        view, linked = self._wanted, self.linked
        if view is None or linked is None or self._is_looking or not view.is_ready:
            return
        self._wanted = None
        find = self._finder(view, linked)
        if not self._is_large:
            self._found(view, find())
            return
        self._is_looking = True

        async def work() -> None:
            try:
                found = await aside(find)
            finally:
                self._is_looking = False
            if linked is self.linked and self._wanted is None:
                self._found(view, found)
            self._look()

        self.run_worker(work(), group="link")

    def _finder(self, view: NodeView, linked: Linked) -> Callable[[], _Found]:
        """What looks up a cursor."""
        from olv_tui.view.fold import JsonLines
        from olv_tui.view.fold_page import PageLines

        lines, (line, column) = view.lines, view.cursor
        other = self.query_one("#decoded" if view.id == "raw" else "#raw", NodeView)
        shown = other.lines if other.display and other.is_ready else None

        def spot() -> Spot | None:
            if isinstance(lines, PageLines):
                return lines.spot(line)
            if isinstance(lines, JsonLines):
                return linked.at_document(lines.start(line)) if linked.document is not None else None
            return linked.at_body(lines.offset(line, column)) if isinstance(lines, TextLines) else None

        def place(shown: object, at: Spot) -> _Range | None:
            if isinstance(shown, PageLines):
                found = shown.place(at)
            elif isinstance(shown, JsonLines):
                found = linked.in_document(at)
            elif isinstance(shown, TextLines):
                part = linked.body_range(at)
                return None if part is None else (shown.spot(part[0]), shown.spot(part[1]))
            else:
                return None
            return None if found is None else ((found[0], 0), (found[1], 1 << 30))

        def find() -> _Found:
            at = spot()
            if at is None:
                return _Found(None, None, None)
            is_plain = not isinstance(lines, (PageLines, JsonLines))
            return _Found(at, place(shown, at), place(lines, at) if is_plain else None)

        return find

    def _found(self, view: NodeView, found: _Found) -> None:
        self._spot = found.spot
        self.query_one(PathLine).tell("" if found.spot is None else told(found.spot, linked=self._scrolls))
        other = self.query_one("#decoded" if view.id == "raw" else "#raw", NodeView)
        start, end = found.other or (None, (0, 0))
        other.mark_range(start, end, scroll=self._scrolls)
        start, end = found.here or (None, (0, 0))
        view.mark_range(start, end, scroll=False)

    def forget_places(self) -> None:
        """Something else is shown: no node is under the cursor."""
        self._spot = None
        self.query_one(PathLine).tell("")

    def node(self) -> NodeInfo | None:
        """The node under the cursor, None where there is none. Takes a while in a large answer."""
        from olv_tui import jsontext
        from olv_tui.view.outline import json_path

        spot, linked = self._spot, self.linked
        if spot is None or linked is None:
            return None
        text = linked.text_of(spot)
        return NodeInfo(
            jsontext.pointer(spot.steps),
            json_path(spot.steps),
            None if spot.inner is None else jsontext.pointer(spot.inner),
            text,
            jsontext.parse(text.encode("utf-8", "surrogatepass")).value,
        )

    # ----------------------------------------------------------------------- tables

    def find_table(self, view: NodeView) -> None:
        """Make a table of the array under the cursor of a view, or around it, and put it in front."""
        linked, lines, cursor, at = self.linked, view.lines, view.cursor, self._spot
        if linked is None or not view.is_ready:
            return

        def find() -> tuple[TableLines, Callable[[int], tuple[int, int] | None]] | None:
            found = _node_of(lines, cursor[0]) or _node_in(linked, at)
            table = None if found is None else _table_of(*found)
            if table is None or found is None:
                return None
            return table, partial(_row_place, lines, cursor[0], table, linked)

        async def work() -> None:
            found = await aside(find, lambda: linked is self.linked)
            if linked is not self.linked:
                return
            if found is None:
                self.query_one(PathLine).tell("No array of items here: a table shows one.")
            else:
                self._back, self._back_to = found[1], view
                self.show_table(found[0])

        self.run_worker(work(), group="table", exclusive=True)

    def show_table(self, table: TableLines) -> None:
        """Put a table in front."""
        raise NotImplementedError

    # ----------------------------------------------------------------------- keys

    def toggle_link(self) -> bool:
        """Scroll the other view along, or leave it where it is; gives whether it does now."""
        self._scrolls = not self._scrolls
        if self._spot is not None:
            self.query_one(PathLine).tell(told(self._spot, linked=self._scrolls))
        return self._scrolls

    def copy_path(self) -> None:
        """Ask for the path under the cursor on the clipboard."""
        if self._spot is not None:
            self.post_message(self.CopyWanted(path_of(self._spot), "path"))


def _node_of(lines: object, index: int) -> tuple[JsonLines, int] | None:
    """The JSON of a line and the byte at which the line of its node begins."""
    from olv_tui.view.fold import JsonLines
    from olv_tui.view.fold_page import PageLines

    if isinstance(lines, PageLines):
        return lines.value(index)
    return (lines, lines.outline.node(lines.start(index))) if isinstance(lines, JsonLines) else None


def _node_in(linked: Linked, spot: Spot | None) -> tuple[JsonLines, int] | None:
    """A node in the indented message."""
    document = linked.document
    start = None if document is None or spot is None else document.outline.find(spot.steps)
    return None if document is None or start is None else (document, start)


def _table_of(lines: JsonLines, start: int) -> TableLines | None:
    """The table of the array that begins on a line, or of the nearest around it."""
    from olv_tui.view.table import TableLines, can_be_table

    at: int | None = start
    while at is not None and not can_be_table(lines, at):
        at = lines.outline.holder(at)
    return None if at is None else TableLines(lines, at)


def _row_place(lines: Lines, index: int, table: TableLines, linked: Linked, row: int) -> tuple[int, int] | None:
    """Where a row of a table stands in the lines that it was made from."""
    from olv_tui.view.fold_page import PageLines

    found = _node_of(lines, index)
    if found is not None:
        first = lines.first_of(index) if isinstance(lines, PageLines) else 0
        return first + found[0].line_at(table.items[row]), 0
    spot = linked.at_document(table.items[row])
    place = None if spot is None else linked.body_range(spot)
    return lines.spot(place[0]) if place is not None and isinstance(lines, TextLines) else None


def path_of(spot: Spot) -> str:
    """The path of a node; of one in a text that is JSON both paths."""
    from olv_tui.view.outline import json_path

    return json_path(spot.steps) + ("" if spot.inner is None else f" » {json_path(spot.inner)}")


def told(spot: Spot, *, linked: bool) -> str:
    """The path line: path, kind, keys. Of a path longer than a screen its end."""
    path = path_of(spot)
    path = path if len(path) <= _SHOWN else "…" + path[-_SHOWN:]
    parts = [one_line(path), *([spot.kind] if spot.kind else []), "P copies the path"]
    if spot.kind.startswith("array ["):
        parts.append("t: as a table")
    return " · ".join([*parts, "= links the views" if not linked else "= unlinks"])
