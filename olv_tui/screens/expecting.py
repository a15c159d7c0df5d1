"""What is expected of a call, and how the answer that came stands to it.

Rules of this file:

* An expectation belongs to the topic that the report was loaded into, until another report takes its place.
* Only what is sent after loading is compared, by itself and off the event loop where it is large.
* Answers compared are redacted ones: a secret is masked on both sides alike.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.widgets import Input

from olv_tui.screens.recall import RecallScreen
from olv_tui.screens.telling import owner

if TYPE_CHECKING:
    from collections.abc import Callable

    from olv_tui.model import Exchange
    from olv_tui.reports.compare import Comparison
    from olv_tui.screens import events
    from olv_tui.screens.launch import Launch
    from olv_tui.screens.state import Topic

_KEPT = 200
_HEAVY = 1 << 18


@dataclass(frozen=True, slots=True)
class Expected:
    """A reported answer: its bytes, its HTTP status where told, and its verdict in safe words."""

    answer: bytes
    status: int | None
    told: str


class ExpectingScreen(RecallScreen):
    """The part of the main screen that compares."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("d", "compare", "Compare", id="compare")]

    def __init__(self, launch: Launch) -> None:
        super().__init__(launch)
        self._expected: dict[Topic | None, Expected] = {}
        self._due: dict[int, Expected] = {}
        self._likeness: dict[int, str] = {}
        self._ignored: dict[str, list[str]] = {}
        self._marked: int | None = None

    # ----------------------------------------------------------------------- expecting

    def expect(self, topic: Topic | None, expected: Expected | None) -> None:
        """What the next answers of this topic are held against; None: nothing any more."""
        if expected is None:
            self._expected.pop(topic, None)
        else:
            self._expected[topic] = expected
        self.tell_owner()

    def expected_of(self, exchange: Exchange) -> Expected | None:
        """What was expected of this exchange."""
        return self._due.get(exchange.serial)

    def action_expect_nothing(self) -> None:
        """Forget the reported answer of the call in the editor."""
        gone = self.state.topic in self._expected
        self.expect(self.state.topic, None)
        self.say("The reported answer is forgotten." if gone else "No answer is expected here.")

    def tell_owner(self) -> None:
        """Say in the banner what is expected, while it was not compared yet."""
        super().tell_owner()
        expected, shown = self._expected.get(self.state.topic), self.state.shown
        if expected is not None and (shown is None or shown.serial not in self._due):
            self.answer_frame.answer.tell_owner(f"expected: {expected.told}; ctrl+j sends, then it is compared")

    def on_call_started(self, event: events.CallStarted) -> None:
        """A call of a topic with an expectation will be compared with it."""
        exchange = event.running.exchange
        if exchange is None or exchange.automatic:
            return
        expected = self._expected.get(self.state.owner(exchange))
        if expected is not None:
            self._due = {**dict(list(self._due.items())[1 - _KEPT :]), exchange.serial: expected}
            self.tell_owner()

    def on_call_ended(self, event: events.CallEnded) -> None:
        """Compare what came, and say so beside the verdict."""
        exchange = event.exchange
        expected = self._due.get(exchange.serial)
        if expected is None or exchange.reply is None or exchange.reply.cancelled:
            return
        response = exchange.reply.response
        if len(response.body if response is not None else b"") + len(expected.answer) <= _HEAVY:
            self._tell_likeness(exchange, self.held(exchange, expected))
            return

        async def work() -> None:
            self._tell_likeness(exchange, await asyncio.to_thread(self.held, exchange, expected))

        self.run_worker(work(), group="likeness")

    def held(self, exchange: Exchange, expected: Expected) -> Comparison:
        """An exchange held against what was expected of it."""
        from olv_tui.reports.compare import answer_of, compare, with_status

        found = compare(expected.answer, answer_of(exchange), self.ignored(exchange))
        return with_status(found, expected.status, exchange.status)

    def _tell_likeness(self, exchange: Exchange, found: Comparison) -> None:
        from olv_tui.view.compare_lines import likeness

        self._likeness = {**dict(list(self._likeness.items())[1 - _KEPT :]), exchange.serial: likeness(found)}
        shown = self.state.shown
        if shown is not None and shown.serial == exchange.serial:
            self.answer_frame.answer.tell_note(self._noted(exchange, ""))

    def _noted(self, exchange: Exchange, note: str) -> str:
        told = self._likeness.get(exchange.serial, "")
        return " · ".join(part for part in (told, note) if part)

    def show_exchange(self, exchange: Exchange, note: str, *, newest: bool = True) -> None:
        """Show an ended exchange, with how it stands to what was expected."""
        super().show_exchange(exchange, self._noted(exchange, note), newest=newest)

    # ----------------------------------------------------------------------- comparing

    def ignored(self, exchange: Exchange) -> list[str]:
        """The places that do not count for the tool of an exchange; the list is kept and may be changed."""
        out = exchange.outgoing
        name = out.tool or out.method or ""
        if name not in self._ignored:
            self._ignored[name] = self.shelf.ignored(name) if self.shelf is not None else []
        return self._ignored[name]

    def action_compare(self) -> None:
        """Compare: in the history two rows; else what was expected with what came, or with the call before."""
        if self.front == "history":
            self._compare_rows()
            return
        shown = self.state.shown
        if shown is None or shown.judgement is None:
            self.say("There is no answer to compare yet.")
        elif (expected := self.expected_of(shown)) is not None:
            self._compare_expected(expected, shown)
        else:
            self._compare_before(shown)

    def _compare_rows(self) -> None:
        row = self.history.current
        if row is None:
            self.say("There is no exchange to compare.")
        elif self._marked is None:
            self._marked = row.serial
            self.history.tell_corner(f"#{row.id_text or row.serial} marked: d on another compares")
            self.say("Marked. d on another row compares the two, d here again compares with the call before.")
        else:
            marked, self._marked = self._marked, None
            self.history.tell_corner("")
            one = self.shelf.get(row.serial) if self.shelf is not None else None
            other = self.shelf.get(marked) if self.shelf is not None else None
            if one is None or other is None:
                return
            if marked == row.serial:
                self._compare_before(one)
            else:
                older, newer = sorted((one, other), key=lambda exchange: exchange.serial)
                self.compare_two(older, newer)

    def _compare_before(self, exchange: Exchange) -> None:
        """With the exchange before it of the same tool, as far back as a page of the history."""
        rows = self.shelf.recent(1000, automatic=False, before=exchange.serial) if self.shelf is not None else ()
        out = exchange.outgoing
        found = next((row for row in rows if (row.tool, row.method) == (out.tool, out.method)), None)
        before = self.shelf.get(found.serial) if found is not None and self.shelf is not None else None
        if before is None:
            self.say("There is no earlier call of the same tool to compare with. In the history, d marks a row.")
        else:
            self.compare_two(before, exchange)

    def compare_two(self, first: Exchange, second: Exchange, names: tuple[str, str] | None = None) -> None:
        """Open the comparison of two exchanges; their ids do not count."""
        from olv_tui.reports.compare import answer_of
        from olv_tui.screens.comparing import Compared, CompareScreen

        names = names or (owner(first), owner(second))
        ignore = self.ignored(second)
        compared = Compared(
            names, lambda: answer_of(first), lambda: answer_of(second), ignore, ("/id",), self._keep(second, ignore)
        )
        self.app.push_screen(CompareScreen(compared, self.copy))

    def _compare_expected(self, expected: Expected, exchange: Exchange) -> None:
        from olv_tui.reports.compare import answer_of
        from olv_tui.screens.comparing import Compared, CompareScreen

        ignore = self.ignored(exchange)
        compared = Compared(
            (f"expected ({expected.told})", owner(exchange)),
            lambda: expected.answer,
            lambda: answer_of(exchange),
            ignore,
            changed=self._keep(exchange, ignore),
            status=(expected.status, exchange.status),
        )

        def closed(_: None) -> None:
            self._tell_likeness(exchange, self.held(exchange, expected))

        self.app.push_screen(CompareScreen(compared, self.copy), closed)

    def _keep(self, exchange: Exchange, ignore: list[str]) -> Callable[[], None]:
        name = exchange.outgoing.tool or exchange.outgoing.method or ""

        def keep() -> None:
            if self.shelf is not None:
                self.shelf.ignore(name, ignore)

        return keep

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """`d` belongs to the answer and the history, and is a letter in their filters."""
        if action in ("compare", "export"):
            return self.front in ("answer", "history") and not isinstance(self.focused, Input)
        return super().check_action(action, parameters)
