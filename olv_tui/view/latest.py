"""The events of a running call, of which the last ones are kept.

Rules of this file: it imports nothing that start-up does without.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from olv_tui.model import Frame

LATEST = 200
"""Events of a running call that are kept for looking at; all of them are there when it ends."""


class Latest:
    """The last events of a running call; `count` is how many came, whatever a server floods."""

    def __init__(self) -> None:
        self.count = 0
        self._frames: deque[Frame] = deque(maxlen=LATEST)

    def add(self, frame: Frame) -> None:
        """One more came."""
        self.count += 1
        self._frames.append(frame)

    def clear(self) -> None:
        """It begins anew."""
        self.count = 0
        self._frames.clear()

    @property
    def frames(self) -> tuple[Frame, ...]:
        """Those that are kept, the newest last."""
        return tuple(self._frames)

    @property
    def earlier(self) -> int:
        """How many came before them."""
        return self.count - len(self._frames)
