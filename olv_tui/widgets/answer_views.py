"""The views of the answer pane: raw beside decoded, one for the other tabs, and the search line.

Rules of this file:

* A view is filled when it is looked at. What fills it is imported with the first answer, so start-up does
  without it; a large one is made off the event loop (widgets/lines_view.py).
* A server that streams for ever must not slow the screen down: of a running call the last ones show.
* A line that is being typed in stays, whatever comes meanwhile: the rest of a word would be taken for keys.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from textual.containers import Horizontal

from olv_tui.courtesy import aside
from olv_tui.view.beside import Beside
from olv_tui.view.latest import Latest
from olv_tui.view.lines import FixedLines
from olv_tui.widgets.answer_filter import FilterLine
from olv_tui.widgets.answer_link import PathLine
from olv_tui.widgets.answer_live import FindingsView
from olv_tui.widgets.answer_makers import bytes_of, head_maker, is_same_answer, maker
from olv_tui.widgets.answer_search import SearchedViews
from olv_tui.widgets.lines_view import HEAVY, LinesView
from olv_tui.widgets.node_view import NodeView
from olv_tui.widgets.table_view import TableView
from olv_tui.widgets.verdict import FindLine

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult

    from olv_tui.model import Exchange, Violation
    from olv_tui.transport.base import Arrived
    from olv_tui.view.lines import Lines
    from olv_tui.view.table import TableLines

_HALVES = ("both", "raw", "decoded")
_MIN_BOTH = 56


class AnswerViews(SearchedViews):
    """Shows one tab of an exchange. Without room for both halves of the answer it shows one of them."""

    DEFAULT_CSS = """
    AnswerViews {
        height: 1fr;
        #views { height: 1fr; }
        #other, #findings, #table { display: none; }
        #decoded { margin-left: 1; }
        &.-single #decoded { margin-left: 0; }
        &.-raw #decoded, &.-decoded #raw { display: none; }
        &.-other #raw, &.-other #decoded { display: none; }
        &.-other #other { display: block; }
        &.-findings #raw, &.-findings #decoded { display: none; }
        &.-findings #findings { display: block; }
        &.-table #raw, &.-table #decoded { display: none; }
        &.-table #table { display: block; }
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self._live = Latest()
        self._arrived: Arrived | None = None
        self._beside = Beside()
        self._finding = 0
        self._tab = "answer"
        self._halves = "both"
        self._bytes = self._has_table = False
        self._table_rows = 0
        self._stale: set[str] = set()
        self._same: set[str] = set()  # of the stale views those that show the same answer, with more known of it
        self._active = "raw"
        self._filtered: Callable[[], Lines] | None = None

    def compose(self) -> ComposeResult:
        """The two halves of an answer, one view for the other tabs, the search line."""
        with Horizontal(id="views"):
            yield NodeView("raw", id="raw")
            yield NodeView("decoded", id="decoded")
            yield NodeView(id="other")
            yield FindingsView(id="findings")
            yield TableView(id="table")
        yield PathLine()
        yield FindLine()
        yield FilterLine()

    def show(
        self,
        exchange: Exchange | None,
        tab: str,
        live: Latest,
        beside: Beside = Beside(),  # noqa: B008
    ) -> None:
        """Show a tab of an exchange; `live` are the frames of a call that runs, `beside` what is known besides."""
        if exchange is not None and is_same_answer(self._exchange, exchange):
            self._take_findings(exchange)
        elif exchange is not self._exchange:
            self._same.clear()
            self._stale = {"raw", "decoded", "other", "findings"}
            self._finding = 0
            self._arrived = None
            self._has_table = False
            self.other_answer()
            self.forget_places()
        elif tab != self._tab:
            self._stale.add("other")
        line = self.query_one(FindLine)
        if not line.has_focus or (tab != self._tab and self._exchange is exchange):
            self._close_find()
        self._exchange, self._tab, self._live, self._beside = exchange, tab, live, beside
        self._arrange()
        if line.is_open and line.value and self.active.needle != line.value:
            self.when_shown(lambda: self._find_typed(line.value))

    def _take_findings(self, exchange: Exchange) -> None:
        """The answer that is shown was looked at again: what is told of it changes, what is looked at stays."""
        before = self._exchange.judgement if self._exchange is not None else None
        if before is not None and exchange.judgement is not None and before.violations != exchange.judgement.violations:
            self._stale |= {"decoded", "findings"}
            self._same.add("decoded")
        if self._linked is not None:
            self._linked.exchange = exchange

    def when_shown(self, done: Callable[[], None]) -> None:
        """Call when the views in front are made, at once where they are."""
        waiting = {key for key in self._shown() if self._view(key).is_making}
        if not waiting:
            done()

        def one(key: str) -> None:
            waiting.discard(key)
            if not waiting:
                done()

        for key in tuple(waiting):
            self._view(key).when_made(partial(one, key))

    def frames_came(self) -> None:
        """The live frames have grown: show them, the view staying where it is."""
        self._stale |= {"raw", "other"} if self._tab in {"answer", "frames"} else {"raw"}
        self._fill(follow=True)

    def more_came(self, arrived: Arrived) -> None:
        """More of an answer that is no stream has come: show its beginning, the view staying where it is."""
        before, self._arrived = self._arrived, arrived
        if before is not None and before.response.body is arrived.response.body:
            return
        self._stale |= {"raw", "decoded", "other"} if before is None else {"raw"}
        if before is None:
            self._arrange()
        else:
            self._fill(follow=True)

    def _view(self, key: str) -> LinesView:
        return self.query_one(f"#{key}", LinesView)

    @property
    def _is_single(self) -> bool:
        """Whether the halves are shown one at a time for want of room."""
        return self.app.size.width < 100 or 0 < self.size.width < _MIN_BOTH

    def _shown(self) -> tuple[str, ...]:
        """The views in front."""
        if self._exchange is None:
            return ("decoded",)
        if self._tab != "answer":
            return ("findings",) if self._tab == "findings" else ("other",)
        if self._has_table:
            return ("table",)
        if self._halves == "both":
            alone = "decoded" if self._arrived is None else "raw"
            return (alone,) if self._is_single else ("raw", "decoded")
        return (self._halves,)

    @property
    def active(self) -> LinesView:
        """The view that keys act on: the one that had the focus last, if it is in front."""
        shown = self._shown()
        return self._view(self._active if self._active in shown else shown[0])

    def _arrange(self) -> None:
        """Put the right views in front and fill them."""
        shown = self._shown()
        had_focus = any(view.has_focus for view in self.query(LinesView))
        self.set_class(shown == ("other",), "-other")
        self.set_class(shown == ("findings",), "-findings")
        self.set_class(shown == ("table",), "-table")
        self.set_class(shown == ("raw",), "-raw")
        self.set_class(shown == ("decoded",), "-decoded")
        self.set_class(len(shown) == 1, "-single")
        self.refresh_bindings()
        if had_focus and not self.active.has_focus:
            self.active.focus()
        for key in shown:
            self._view(key).set_label(self._title(key))
        self._fill()

    def _fill(self, *, follow: bool = False) -> None:
        """Fill the views in front that do not show the exchange yet."""
        exchange = self._exchange
        if exchange is None:
            self._view("decoded").show(FixedLines([]))
            return
        for key in self._shown():
            if key not in self._stale:
                continue
            self._stale.discard(key)
            view = self._view(key)
            if isinstance(view, FindingsView):
                from olv_tui.view.wire import findings_lines

                view.show_findings(findings_lines(exchange), self._finding)
                continue
            what = self._tab if key == "other" else key
            make, heavy = maker(
                what,
                exchange,
                self._live,
                pretty=self._pretty,
                beside=self._beside,
                linked=self.linked,
                arrived=self._arrived,
            )
            head = head_maker(what, exchange, pretty=self._pretty, beside=self._beside) if heavy else None
            if what == "raw" and self._bytes and self._arrived is None:
                make, head = partial(bytes_of, exchange), None
            elif what == "decoded" and self._filtered is not None:
                make, head = self._filtered, None
            if follow:
                at_top = self._arrived is not None and view.scroll_offset.y == 0
                view.show(make(), follow=True)
                if at_top:  # its beginning is looked at, and not what came last
                    view.scroll_home(animate=False, immediate=True)
            else:
                view.load(make, heavy=heavy, head=head, stay=key in self._same)
                self._same.discard(key)

    def _title(self, key: str) -> str:
        if self._exchange is None:
            return ""
        single = ", b: the other half" if len(self._shown()) == 1 else ""
        match key:
            case "raw":
                if self._arrived is not None:
                    return f"what has come so far{single}"
                form = "bytes" if self._bytes else "indented for reading" if self._pretty else "as received"
                return f"raw, {form}{single}"
            case "decoded":
                return f"decoded{self.filter_told or single}"
            case "table":
                return f"table of {self._table_rows:,}, Enter: to its row in the answer, t: back"
            case "findings":
                return "findings, Enter: to its place"
            case _:
                return "request as sent" if self._tab == "request" else self._tab

    def on_resize(self, event: events.Resize) -> None:  # noqa: ARG002
        """One half or both, by the room there is."""
        if self._exchange is not None:
            self._arrange()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Keys that act on a view act on the one that had the focus last."""
        if isinstance(event.widget, LinesView) and event.widget.id and event.widget.id != "table":
            self._active = event.widget.id
        if isinstance(event.widget, NodeView):
            self.look(event.widget)

    def toggle_halves(self) -> None:
        """Raw, decoded, or both where there is room."""
        self._has_table = False
        now = self._shown()[0] if self._is_single else self._halves
        choices = _HALVES[1:] if self._is_single else _HALVES
        self._halves = choices[(choices.index(now) + 1) % len(choices)] if now in choices else "raw"
        self._arrange()

    @property
    def has_table(self) -> bool:
        """Whether a table is in front."""
        return self._has_table and self._tab == "answer"

    def toggle_table(self) -> None:
        """The array under the cursor as a table, or the answer again."""
        view = self.active
        if self._has_table:
            self._close_table()
        elif isinstance(view, NodeView) and self._tab == "answer":
            self.find_table(view)

    def show_table(self, table: TableLines) -> None:
        """Put a table in front."""
        view = self.query_one(TableView)
        self._has_table = True
        self._table_rows = len(table)  # the view shows a large one later
        view.show(table)
        self._arrange()
        view.focus()

    def _close_table(self) -> None:
        self._has_table = False
        self._arrange()
        if self._back_to is not None:
            self._back_to.focus()

    def on_table_view_chosen(self, event: TableView.Chosen) -> None:
        """Back to a row in the answer."""
        event.stop()
        place, view = self._back(event.row), self._back_to
        self._close_table()
        if place is not None and view is not None:
            view.move_to(*place)

    def toggle_bytes(self) -> None:
        """The raw answer as a hex dump, or as text again."""
        self._bytes, self._has_table = not self._bytes, False
        self._stale.add("raw")
        if self._halves == "decoded" or self._is_single:
            self._halves = "raw"
        self._arrange()

    def toggle_pretty(self) -> None:
        """Indent the raw answer and the request, or show them as they went."""
        self._pretty, self._bytes, self._has_table = not self._pretty, False, False
        self._stale |= {"raw", "other"}
        self._arrange()

    # ----------------------------------------------------------------------- the places of findings

    def find_place(self, violation: Violation, found: Callable[[tuple[int, int] | None], None]) -> None:
        """Look for the bytes that a finding is about, beside the event loop in a large answer."""
        from olv_tui.view.places import byte_range

        exchange = self._exchange
        response = exchange.reply.response if exchange is not None and exchange.reply is not None else None
        if exchange is None or response is None or len(response.body) <= HEAVY:
            found(None if exchange is None else byte_range(exchange, violation))
            return

        async def work() -> None:
            found(await aside(partial(byte_range, exchange, violation), lambda: exchange is self._exchange))

        self.run_worker(work(), group="place", exclusive=True)

    def show_place(self, number: int, place: tuple[int, int] | None) -> None:
        """Mark the bytes of a finding in the raw answer as received; where it has none, the finding itself."""
        exchange = self._exchange
        if exchange is None or exchange.judgement is None:
            return
        self._finding, self._has_table = number, False
        if place is None:
            view = self.query_one(FindingsView)
            view.go_to(number)
            view.set_label(f"finding {number + 1} is about no place in the body")
            return
        if self._pretty or self._bytes:
            self._pretty = self._bytes = False
            self._stale |= {"raw", "other"}
        if self._is_single or self._halves == "decoded":
            self._halves = "raw" if self._is_single else "both"
        self._active = "raw"
        self._arrange()
        found = exchange.judgement.violations
        what = f"{found[number].code} ({number + 1} of {len(found)}) at {found[number].place}"
        self._view("raw").mark(*place, what)

    def line_under_cursor(self) -> str:
        """The line of the cursor as it is shown, "" where there is none."""
        view = self.active
        return view.lines.text(view.cursor[0]) if isinstance(view, NodeView) and view.is_ready else ""

    # ----------------------------------------------------------------------- filter

    def refill(self, make: Callable[[], Lines] | None) -> None:
        """Show other lines in the decoded view; None: the whole answer."""
        self._filtered = make
        self._stale.add("decoded")
        self.forget_places()
        if self._exchange is None:
            return
        if make is not None and "decoded" not in self._shown():
            self._halves = "decoded" if self._is_single else "both"
        self._arrange()

    def refill_title(self) -> None:
        """What is said of the filter has changed."""
        self._view("decoded").set_label(self._title("decoded"))

    def after_filter(self) -> None:
        """The line was left: on to the decoded view."""
        if "decoded" in self._shown():
            self._active = "decoded"
        self.active.focus()
