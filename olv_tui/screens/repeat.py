"""One call sent several times: how often what comes, or until another answer comes.

Rules of this file:

* Bounded: at most `MOST` sendings, a second or more apart where it watches. Esc stops, a second Esc closes.
* Every exchange is in the history; here is only the tally.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input

from olv_tui.screens.modal import Modal
from olv_tui.view.safe import one_line
from olv_tui.view.words import word
from olv_tui.widgets.pane import Say

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from olv_tui.model import Exchange
    from olv_tui.reports.runs import Runs

MOST = 1000
"""Sendings of one series."""

SHORTEST = 1.0
"""Seconds between two sendings while it watches."""

_LONGEST = 3600.0


@dataclass(frozen=True, slots=True)
class Series:
    """What is sent again: its name (safe), `one` sends it once, `held` says how an answer stands to what was expected
    ("" where nothing was); `runs` is the empty tally. `start` runs the work with its cancel event until it ends.
    """

    name: str
    one: Callable[[asyncio.Event], Awaitable[Exchange]]
    held: Callable[[Exchange], str]
    runs: Runs
    start: Callable[[asyncio.Event, Callable[[], Awaitable[None]]], None]
    watches: bool = False


class RepeatScreen(Modal[tuple[int, int] | None]):
    """Asks how often, sends, tells. Gives the serials of two exchanges that are to be compared, or None."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "stop", "Stop, close", priority=True, id="repeat.stop"),
        Binding("d", "compare", "Compare", id="repeat.compare"),
    ]

    DEFAULT_CSS = """
    RepeatScreen { align: center middle; background: $background 60%; }
    RepeatScreen Input { height: 1; background: $foreground 8%; width: 20; }
    RepeatScreen #asks { height: auto; }
    RepeatScreen #tally { height: auto; margin-top: 1; }
    RepeatScreen #keys { height: auto; margin-top: 1; color: $foreground 60%; }
    """

    can_focus = True

    def __init__(self, series: Series) -> None:
        super().__init__()
        self._series = series
        self._cancel = asyncio.Event()
        self._count = Input("100" if series.watches else "10", id="count", compact=True)
        self._interval = Input("2", id="interval", compact=True)
        self._wanted = 0
        self._state = "asks"
        self._change = ""
        self._likeness: Counter[str] = Counter()
        self._pair: tuple[int, int] | None = None
        self._first = ""

    def compose(self) -> ComposeResult:
        """How often, how far, the keys."""
        with Vertical(classes="box") as box:
            what = "Watch until it changes" if self._series.watches else "Send several times"
            box.border_title = Content(f"{what} · {self._series.name}")
            yield Say(id="asks")
            yield self._count
            if self._series.watches:
                yield self._interval
            yield Say(id="tally")
            yield Say(id="keys")

    def on_mount(self) -> None:
        """Ask."""
        for line in (self._count, self._interval):
            line.cursor_blink = False
        self._count.focus()
        asked = f"How often at most (1 to {MOST})"
        asked += f", and every how many seconds ({SHORTEST:.0f} or more)?" if self._series.watches else "?"
        self.query_one("#asks", Say).say(Content(asked), layout=True)
        self._tell()

    # ----------------------------------------------------------------------- sending

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Begin."""
        event.stop()
        count, interval = _number(self._count.value), _number(self._interval.value)
        if not 1 <= count <= MOST or (self._series.watches and not SHORTEST <= interval <= _LONGEST):
            limits = f"1 to {MOST} times, {SHORTEST:.0f} to {_LONGEST:.0f} seconds apart"
            self.query_one("#tally", Say).say(Content.styled(f"Not begun: {limits}.", "$text-error"), layout=True)
            return
        if self._state != "asks":
            return
        self._state, self._wanted = "runs", int(count)
        self._count.disabled = self._interval.disabled = True
        pause = interval if self._series.watches else 0.0
        self._series.start(self._cancel, lambda: self._run(int(count), pause))
        self._tell()

    async def _run(self, count: int, pause: float) -> None:
        try:
            for number in range(count):
                if number and pause and await _waited(self._cancel, pause):
                    break
                if self._cancel.is_set() or not self._take(await self._series.one(self._cancel)):
                    break
        finally:
            self._state = "ended"
            if self.is_attached:
                self._tell()

    def _take(self, exchange: Exchange) -> bool:
        """Count one. False: the series is over."""
        if exchange.reply is not None and exchange.reply.cancelled:
            return False
        runs = self._series.runs
        key = runs.add(exchange)
        self._first = self._first or key
        if told := self._series.held(exchange):
            self._likeness[told] += 1
        if key != self._first and self._pair is None:
            self._pair = (runs.examples[self._first], exchange.serial)
            if self._series.watches:
                now = datetime.now().astimezone().strftime("%H:%M:%S")
                summary = one_line(exchange.judgement.summary, 120) if exchange.judgement is not None else ""
                label = word(exchange.verdict).label
                more = f", {summary}" if summary not in ("", label) else ""
                self._change = f"Changed at {now}, sending {runs.count}: {label}{more}. d shows what changed."
                self.app.bell()
        if self.is_attached:
            self._tell()
        return not self._change

    # ----------------------------------------------------------------------- telling

    def _tell(self) -> None:
        from olv_tui.view.runs_lines import tally_lines

        lines: list[Content] = []
        if self._series.runs.count:
            found = tally_lines(self._series.runs, self._wanted, self._likeness)
            lines = [Content.styled(text, style) for text, style in found]
        if self._change:
            lines.append(Content.styled(self._change, "bold $text-warning"))
        elif self._state == "ended" and self._series.watches:
            lines.append(Content.styled("It did not change.", "$text-success"))
        self.query_one("#tally", Say).say(Content("\n").join(lines), layout=True)
        keys = {
            "asks": "Enter begins · Esc goes back",
            "runs": "Esc stops",
            "ended": f"{'d compares · ' if self._pair else ''}Esc closes; all of it is in the history",
        }
        self.query_one("#keys", Say).say(Content(keys[self._state]), layout=True)

    # ----------------------------------------------------------------------- keys

    def action_stop(self) -> None:
        """Stop what runs, else close."""
        if self._state == "runs":
            self._cancel.set()
        else:
            self.dismiss(None)

    def action_compare(self) -> None:
        """Compare the first answer with the first that was another."""
        if self._pair is not None and self._state == "ended":
            self.dismiss(self._pair)


async def _waited(cancel: asyncio.Event, seconds: float) -> bool:
    """Wait. True: it was cancelled meanwhile."""
    try:
        await asyncio.wait_for(cancel.wait(), seconds)
    except TimeoutError:
        return False
    return True


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0
