"""What the schema of a tool has against arguments, looked for while the reader pauses.

Rules of this file:

* Off the event loop, and of the newest text only: what was found for an older one is dropped.
* Findings speak; nothing here keeps a call from being sent.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from textual.css.query import NoMatches

if TYPE_CHECKING:
    from textual.timer import Timer
    from textual.widget import Widget

    from olv_tui.model import Value
    from olv_tui.schema.findings import Finding

_PAUSE = 0.25
"""Seconds without a key after which arguments are checked."""

_LONG_PAUSE = 1.0
_LARGE = 200_000
"""Characters from which the pause is the longer one: reading them takes the interpreter from the keys."""


class Checker:
    """Checks texts for a widget and tells it what was found."""

    def __init__(self, owner: Widget, tell: Callable[[tuple[Finding, ...]], None]) -> None:
        self._owner = owner
        self._tell = tell
        self._timer: Timer | None = None
        self._last: tuple[str, int] | None = None

    def want(self, text: str, schema: Value) -> None:
        """Check this text when no other comes for a moment."""
        self.stop()
        self._last = (text, id(schema))
        pause = _PAUSE if len(text) < _LARGE else _LONG_PAUSE
        self._timer = self._owner.set_timer(pause, lambda: self._start(text, schema))

    def stop(self) -> None:
        """What was wanted is wanted no more."""
        self._last = None
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def _start(self, text: str, schema: Value) -> None:
        self._timer = None
        wanted = self._last

        async def work() -> None:
            found = await asyncio.to_thread(_found, text, schema)
            if self._last == wanted:
                # While the program ends its widgets go one by one, and there is nobody left to tell.
                with suppress(NoMatches):
                    self._tell(found)

        self._owner.run_worker(work(), group="findings", exclusive=True)


def _found(text: str, schema: Value) -> tuple[Finding, ...]:
    from olv_tui import jsontext
    from olv_tui.schema.findings import check

    try:
        return check(jsontext.loads(text), schema)
    except jsontext.JsonError:
        return ()
