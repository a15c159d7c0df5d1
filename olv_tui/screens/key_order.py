"""Keys act in the order in which they were pressed, however fast they come.

Rules of this file:

* What a key does spreads by messages: to the focused widget, up from it, down into the panes. Textual looks at a
  priority key in the app before the widget has seen the keys that came before it, and gives a key to the old focus
  while the new one is still on its way. So a key waits until what the one before it set off is over.
* A key that comes to a program at rest is handled at once, and so is one more letter for the same text: typing
  and a single key pay nothing.
* Nothing waits for ever: where a program does not come to rest (a stream that never ends), the key goes on after
  `_LONGEST` seconds.
* This is the one place that looks into Textual's queues, which have no public face.
"""

from __future__ import annotations

import asyncio
from collections import deque
from time import monotonic
from typing import TYPE_CHECKING

from textual import events

if TYPE_CHECKING:
    from textual.app import App
    from textual.message_pump import MessagePump
    from textual.widget import Widget

_LONGEST = 0.25
"""Seconds that a key waits at most: no person sees two keys as one there, and no handler of ours takes as long."""

_FRESH = 0.05
"""Seconds after a key in which empty queues prove nothing yet: a handler may be at an await."""

_CALM_TURNS = 3
"""Turns of the event loop with all queues empty that count as rest."""


class KeyOrder:
    """Says of each key, paste and click whether it may be handled now; one that may not comes again by itself."""

    def __init__(self, app: App[int]) -> None:
        self._app = app
        self._held: deque[events.Event] = deque()
        self._next: events.Event | None = None
        self._waiting: asyncio.Task[None] | None = None
        self._typing: Widget | None = None
        self._last = 0.0

    def admits(self, event: events.Event) -> bool:
        """Whether the event is to be handled now. Where it is not, the app gets it again in its turn."""
        if event is self._next:
            self._next = self._waiting = None
        elif self._waiting is not None or not (self._goes_on_typing(event) or self._is_at_rest()):
            self._hold(event)
            return False
        self._last = monotonic()
        self._typing = self._text_for(event)
        if self._held:
            self._wait()
        return True

    def _hold(self, event: events.Event) -> None:
        self._held.append(event)
        if self._waiting is None:
            self._wait()

    def _wait(self) -> None:
        self._waiting = asyncio.create_task(self._release())

    async def _release(self) -> None:
        """Let the next event through when all is at rest."""
        end, calm = monotonic() + _LONGEST, 0
        while calm < _CALM_TURNS and monotonic() < end and not self._goes_on_typing(self._held[0]):
            await asyncio.sleep(0)
            calm = calm + 1 if self._is_calm() else 0
        # `_waiting` stays until the event comes back, so nothing overtakes it in the queue of the app.
        self._next = self._held.popleft()
        self._app.post_message(self._next)

    # ----------------------------------------------------------------------- what is known

    def _text_for(self, event: events.Event) -> Widget | None:
        """The widget that takes this key as a letter of its text."""
        if not self._app.screen_stack:  # a key that came while the program was ending
            return None
        focused = self._app.focused
        if isinstance(event, events.Key) and focused is not None:
            return focused if focused.check_consume_key(event.key, event.character) else None
        return None

    def _goes_on_typing(self, event: events.Event) -> bool:
        """Whether it is one more letter for the text that got the last one: one queue keeps their order."""
        return self._typing is not None and self._typing is self._text_for(event)

    def _is_at_rest(self) -> bool:
        return monotonic() - self._last > _FRESH and self._is_calm()

    def _is_calm(self) -> bool:
        """Whether nothing waits in any queue of the screen and the app, and everything on it is mounted."""
        if not self._app.screen_stack:
            return True
        return not any(map(_is_busy, (self._app, *self._app.screen.walk_children(with_self=True))))


def _is_busy(pump: MessagePump) -> bool:
    waits = pump.message_queue_size + len(pump._next_callbacks)
    return waits > 0 or not pump._is_mounted
