"""The answer pane: verdict on top, the raw envelope beside the decoded answer, and the rest behind tabs.

Rules of this file:

* It shows one exchange at a time, given from outside; it asks for nothing and sends nothing.
* What is below the banner fills itself when it is looked at (widgets/answer_views.py).
* While a call runs, frames (or the beginning of another answer) are kept as they come and painted with the clock, ten
  times a second at most.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from olv_tui.model import Verdict
from olv_tui.view.arriving import so_far
from olv_tui.view.beside import Beside
from olv_tui.view.latest import Latest
from olv_tui.view.live import Live
from olv_tui.view.safe import one_line
from olv_tui.view.words import banner, counted, duration
from olv_tui.widgets.answer_keys import AnswerKeys
from olv_tui.widgets.answer_live import LiveLines
from olv_tui.widgets.answer_views import AnswerViews
from olv_tui.widgets.verdict import AnswerTabs, Tab, VerdictBanner

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.timer import Timer
    from textual.widget import Widget

    from olv_tui.model import Exchange, Frame
    from olv_tui.transport.base import Arrived

_REMARKS = 3
"""Remarks that are shown: the last ones."""

EMPTY = "Nothing sent yet. Pick a tool, then ctrl+j sends."


def _utc() -> datetime:
    return datetime.now(UTC)


class AnswerPane(AnswerKeys):
    """Shows an exchange: pending, ended, or none yet.

    `now` tells the time for the elapsed seconds, `beside` what this run knows of an exchange.
    """

    DEFAULT_CSS = """
    AnswerPane {
        height: 1fr;
        &.-empty AnswerTabs { display: none; }
    }
    """

    def __init__(
        self,
        *,
        now: Callable[[], datetime] = _utc,
        beside: Callable[[Exchange], Beside] | None = None,
        id: str | None = None,  # noqa: A002  Textual's name
    ) -> None:
        super().__init__(id=id)
        self._now = now
        self._beside_of = beside
        self._live = Live()
        self._note = self._owner = ""
        self._frames = Latest()
        self._frames_changed = False
        self._arrived: Arrived | None = None
        self._has_more = False
        self._tab = "answer"
        self._clock: Timer | None = None
        self._started = self._now()

    def compose(self) -> ComposeResult:
        """Banner, tabs, views."""
        yield VerdictBanner()
        yield LiveLines()
        yield AnswerTabs()
        yield AnswerViews()

    def on_mount(self) -> None:
        """Begin with what was told before the pane was there."""
        self._clock = self.set_interval(0.1, self._tick, pause=True)
        self._tell()
        if self._exchange is not None and self._exchange.judgement is None:
            self._clock.resume()

    # ----------------------------------------------------------------------- what is shown

    @property
    def exchange(self) -> Exchange | None:
        """The exchange shown, None while nothing was sent."""
        return self._exchange

    def focus_target(self) -> Widget:
        """The view that takes the focus."""
        return self.query_one(AnswerViews).active

    def show_nothing(self) -> None:
        """Say that nothing was sent yet and how to begin."""
        self._set(None, "")

    def show_pending(self, exchange: Exchange) -> None:
        """Show that a call runs: what is asked, how long for, the frames so far, how to stop it."""
        self._set(exchange, "")
        try:
            self._started = datetime.fromisoformat(exchange.started)
        except ValueError:
            self._started = self._now()
        if self._started.tzinfo is None:
            self._started = self._started.replace(tzinfo=UTC)
        if self._clock is not None:
            self._clock.resume()
            self._tick()

    def add_frame(self, frame: Frame) -> None:
        """Show an event of the stream of the running call."""
        self._frames.add(frame)
        self._frames_changed = True
        self._live.take(frame)

    def add_frames(self, came: Latest) -> None:
        """Show events of the stream of the running call, and count those that are not kept."""
        self._frames.count += came.earlier
        for frame in came.frames:
            self.add_frame(frame)

    def tell_arrived(self, arrived: Arrived) -> None:
        """Show how far the answer of the running call is, where it is no stream."""
        self._arrived, self._has_more = arrived, True

    def show(self, exchange: Exchange, note: str = "") -> None:
        """Show an exchange that ended; `note` is safe text that leads the facts, such as "from history"."""
        self._set(exchange, note)

    def when_shown(self, done: Callable[[], None]) -> None:
        """Call when what is in front is made, at once where it is."""
        self.query_one(AnswerViews).when_shown(done)

    def tell_owner(self, text: str) -> None:
        """Say in the banner whose answer is shown, or whose is not there yet; safe text, "" for nothing to say."""
        if text != self._owner:
            self._owner = text
            self.retell()

    def tell_note(self, note: str) -> None:
        """Another note beside the verdict of the exchange shown; safe text."""
        if note != self._note:
            self._note = note
            self.retell()

    def retell(self) -> None:
        """What is known beside the exchange has changed."""
        if self._clock is not None:
            self._tell_banner()

    def _set(self, exchange: Exchange | None, note: str) -> None:
        if exchange is None or self._exchange is None or exchange.serial != self._exchange.serial:
            self._tab = "answer"  # what was looked at of another exchange says nothing of this one
        self._exchange, self._note = exchange, note
        self._frames, self._frames_changed = Latest(), False
        self._arrived, self._has_more = None, False
        self._live, self._finding = Live(), -1
        if self._clock is not None:  # else it is told when the pane is mounted
            self._clock.pause()
            self._tell()

    def _tell(self) -> None:
        """Everything on the screen by the state."""
        self.set_class(self._exchange is None, "-empty")
        numbered = tabs_of(self._exchange, self._frames.count)
        if self._tab not in {tab.key for _, tab in numbered}:
            self._tab = "answer"
        strip = self.query_one(AnswerTabs)
        strip.tabs, strip.front = numbered, self._tab
        self._tell_banner()
        self.query_one(LiveLines).tell(self._live)
        self.query_one(AnswerViews).show(self._exchange, self._tab, self._frames, self._beside())
        self.refresh_bindings()

    def _beside(self) -> Beside:
        if self._exchange is None or self._beside_of is None:
            return Beside()
        return self._beside_of(self._exchange)

    def _tell_banner(self) -> None:
        exchange, note = self._exchange, self._note
        told = None if exchange is None else banner(exchange)
        if exchange is None:
            note = self._owner or EMPTY
        elif exchange.judgement is None:
            elapsed = max((self._now() - self._started).total_seconds(), 0.0)
            parts = ["Esc cancels", f"{elapsed:.1f} s" if elapsed < 60 else duration(elapsed * 1000)]
            if self._frames.count:
                parts.append(counted(self._frames.count, "SSE frame"))
            if self._arrived is not None:
                parts.append(so_far(self._arrived))
            note = " · ".join(parts)
        elif exchange.verdict is Verdict.INPUT_REQUIRED:
            note = f"i answers it · {note}" if note else "i answers it"
        if exchange is not None and self._owner:
            note = f"{self._owner} · {note}" if note else self._owner
        remarks = [one_line(remark, 200) for remark in self._beside().remarks[-_REMARKS:]]
        self.query_one(VerdictBanner).tell(told, note, remarks)

    def _tick(self) -> None:
        """A tenth of a second of a running call."""
        if self._exchange is None or self._exchange.judgement is not None:
            return
        self._tell_banner()
        if self._has_more and self._arrived is not None:
            self._has_more = False
            self.query_one(AnswerViews).more_came(self._arrived)
        if self._frames_changed:
            self._frames_changed = False
            self.query_one(AnswerTabs).tabs = tabs_of(self._exchange, self._frames.count)
            self.query_one(LiveLines).tell(self._live)
            self.query_one(AnswerViews).frames_came()

    # ----------------------------------------------------------------------- keys

    def on_answer_tabs_picked(self, event: AnswerTabs.Picked) -> None:
        """A tab was clicked."""
        self._go(event.key)

    def _go(self, key: str) -> None:
        if key != self._tab and self._exchange is not None:
            self._tab = key
            self._tell()

    def action_tab(self, number: int) -> None:
        """The tab with this digit, if it is there."""
        found = dict(tabs_of(self._exchange, self._frames.count)).get(number)
        if found is not None:
            self._go(found.key)

    def action_turn(self, step: int) -> None:
        """The next or previous tab."""
        keys = [tab.key for _, tab in tabs_of(self._exchange, self._frames.count)]
        self._go(keys[(keys.index(self._tab) + step) % len(keys)])


def tabs_of(exchange: Exchange | None, live: int) -> tuple[tuple[int, Tab], ...]:
    """The tabs by their digits. `live` counts the frames of a running call; frames have a tab only where some came."""
    response = exchange.reply.response if exchange is not None and exchange.reply is not None else None
    frames = len(response.frames) if response is not None else live
    found = len(exchange.judgement.violations) if exchange is not None and exchange.judgement is not None else 0
    tabs = (
        Tab("answer", "Answer"),
        Tab("headers", "Headers"),
        Tab("frames", "Frames", frames),
        Tab("request", "Request"),
        Tab("timing", "Timing"),
        Tab("findings", "Findings", found),
    )
    return tuple((digit, tab) for digit, tab in enumerate(tabs, 1) if tab.key != "frames" or frames)
