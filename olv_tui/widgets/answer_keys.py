"""The keys of the answer pane: what they do to its views, and what they ask of others.

Rules of this file: it holds the exchange that keys act on and paints nothing; the pane (widgets/answer.py) does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.actions import SkipAction
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message

from olv_tui.model import Verdict
from olv_tui.view.spilled import spill_of
from olv_tui.widgets.answer_live import FindingsView
from olv_tui.widgets.answer_views import AnswerViews

if TYPE_CHECKING:
    from olv_tui.model import Exchange


class AnswerKeys(Vertical):
    """The part of the answer pane that takes keys."""

    BINDINGS: ClassVar[list[BindingType]] = [
        # First what only some answers have: a narrow footer shows what is in front.
        Binding("i", "input", "Answer it", id="answer.input"),
        Binding("o", "open_file", "Whole body", id="answer.file"),
        Binding("slash", "find", "Search", key_display="/", id="answer.find"),
        Binding("vertical_line", "filter", "Filter", key_display="|", id="answer.filter"),
        # Of these the first that applies: what was opened last is closed before the pane is left.
        Binding("escape", "untable", "Close table", id="answer.untable"),
        Binding("escape", "unfind", "End search", id="answer.unfind"),
        Binding("escape", "unfilter", "Whole answer", id="answer.unfilter"),
        Binding("escape", "leave", "To the tools", id="answer.leave"),
        Binding("b", "halves", "Raw/decoded", id="answer.halves"),
        Binding("p", "pretty", "Indent raw", id="answer.pretty"),
        Binding("f", "finding(1)", "Next finding", show=False, id="answer.finding"),
        Binding("F", "finding(-1)", "Previous finding", show=False, id="answer.previous_finding"),
        *(Binding(str(number), f"tab({number})", f"Tab {number}", show=False) for number in range(1, 7)),
        Binding("right_square_bracket", "turn(1)", "Next tab", key_display="]", id="answer.next_tab"),
        Binding("left_square_bracket", "turn(-1)", "Previous tab", show=False, id="answer.previous_tab"),
        Binding("t", "table", "Table", show=False, id="answer.table"),
        Binding("B", "bytes", "Raw as bytes", show=False, id="answer.bytes"),
        Binding("P", "copy_path", "Copy the path", show=False, id="answer.copy_path"),
        Binding("equals_sign", "link", "Link the views", show=False, key_display="=", id="answer.link"),
        Binding("y", "copy('value')", "Copy the value", show=False, id="answer.copy_value"),
        Binding("Y", "copy('as')", "Copy as …", show=False, id="answer.copy_as"),
    ]

    class CopyRequested(Message, namespace="answer_pane"):
        """A part of the answer is wanted on the clipboard: `kind` is "value" (under the cursor) or "as" (to choose)."""

        def __init__(self, kind: str, exchange: Exchange) -> None:
            super().__init__()
            self.kind = kind
            self.exchange = exchange

    class InputWanted(Message, namespace="answer_pane"):
        """The user wants to give the input that the server asks for (2026-07-28, input_required)."""

        def __init__(self, exchange: Exchange) -> None:
            super().__init__()
            self.exchange = exchange

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002  Textual's name
        super().__init__(id=id)
        self._exchange: Exchange | None = None
        self._finding = -1

    def _go(self, key: str) -> None:
        """Put a tab in front."""
        raise NotImplementedError

    def action_halves(self) -> None:
        """Raw, decoded, or both where there is room."""
        self.query_one(AnswerViews).toggle_halves()

    def action_pretty(self) -> None:
        """Indent the raw answer and the request, or show them as they went."""
        self.query_one(AnswerViews).toggle_pretty()

    def action_find(self) -> None:
        """Open the search line."""
        if self._exchange is not None:
            self.query_one(AnswerViews).find()

    def action_filter(self) -> None:
        """Open the line of the filter: on the tab of the answer."""
        if self._exchange is not None:
            self._go("answer")
            self.query_one(AnswerViews).filter()

    def action_unfilter(self) -> None:
        """Show the whole answer again."""
        self.query_one(AnswerViews).end_filter()
        self.refresh_bindings()

    def action_unfind(self) -> None:
        """No hits any more."""
        self.query_one(AnswerViews).end_find()
        self.refresh_bindings()

    def action_untable(self) -> None:
        """The answer again instead of its table."""
        self.query_one(AnswerViews).toggle_table()
        self.refresh_bindings()

    def action_leave(self) -> None:
        """Only named here, for the line of keys: what leaves this pane is the screen's matter."""
        raise SkipAction

    def action_input(self) -> None:
        """Ask for the form of what the server asks."""
        if self._exchange is not None and self._exchange.verdict is Verdict.INPUT_REQUIRED:
            self.post_message(self.InputWanted(self._exchange))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """The key that answers is there only where something is asked; Esc ends what there is to end."""
        if action in ("untable", "unfind", "unfilter", "leave"):
            return action == self._end_of()
        if action == "input" and (self._exchange is None or self._exchange.verdict is not Verdict.INPUT_REQUIRED):
            return False
        if action == "open_file" and spill_of(self._exchange) is None:
            return False
        return super().check_action(action, parameters)

    def _end_of(self) -> str:
        """What Esc ends; "" where it is a call that runs, which is not the matter of this pane."""
        views = self.query_one(AnswerViews) if self.is_mounted else None
        if views is not None and views.active.needle:
            return "unfind"
        if views is not None and views.has_table:
            return "untable"
        if views is not None and views.is_filtered:
            return "unfilter"
        return "" if self._exchange is not None and self._exchange.judgement is None else "leave"

    async def action_open_file(self) -> None:
        """Open the file of a body that is too large for memory: the screen knows the pager."""
        await self.run_action("screen.open_file")

    def action_finding(self, step: int) -> None:
        """Go to the place of the next finding, round the ends."""
        judgement = self._exchange.judgement if self._exchange is not None else None
        if judgement is not None and judgement.violations:
            first = self._finding if self._finding >= 0 or step > 0 else 0
            self._go_to_finding((first + step) % len(judgement.violations))

    def on_findings_view_chosen(self, event: FindingsView.Chosen) -> None:
        """Enter on a finding."""
        event.stop()
        self._go_to_finding(event.number)

    def _go_to_finding(self, number: int) -> None:
        """Show where a finding stands in the raw answer, or the finding where it stands nowhere."""
        exchange = self._exchange
        if exchange is None or exchange.judgement is None:
            return
        self._finding = number

        def found(place: tuple[int, int] | None) -> None:
            if exchange is self._exchange:
                self._go("answer" if place is not None else "findings")
                self.query_one(AnswerViews).show_place(number, place)

        self.query_one(AnswerViews).find_place(exchange.judgement.violations[number], found)

    def action_table(self) -> None:
        """The array under the cursor as a table, or the answer again."""
        if self._exchange is not None:
            self.query_one(AnswerViews).toggle_table()

    def action_bytes(self) -> None:
        """The raw answer as a hex dump, or as text again."""
        if self._exchange is not None:
            self.query_one(AnswerViews).toggle_bytes()

    def action_copy_path(self) -> None:
        """Copy the path of the node under the cursor."""
        self.query_one(AnswerViews).copy_path()

    def action_link(self) -> None:
        """Scroll raw and decoded together, or each alone."""
        self.query_one(AnswerViews).toggle_link()

    def action_copy(self, kind: str) -> None:
        """Ask for a copy."""
        if self._exchange is not None:
            self.post_message(self.CopyRequested(kind, self._exchange))
