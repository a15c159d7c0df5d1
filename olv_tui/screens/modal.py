"""The base of all small screens over the main one.

Rules of this file: a screen goes once. Two quick keys are two events, and the second one finds the first one's
screen still there for a moment; Textual would then take another screen off the stack, or end the program.
"""

from __future__ import annotations

from textual.await_complete import AwaitComplete
from textual.screen import ModalScreen, ScreenResultType


class Modal(ModalScreen[ScreenResultType]):
    """A screen over the main one that gives its result at most once."""

    _is_gone = False

    def dismiss(self, result: ScreenResultType | None = None) -> AwaitComplete:
        """Give the result and go; nothing where it has gone, or where another screen lies over it."""
        if self._is_gone or not self.is_active:
            return AwaitComplete()
        self._is_gone = True
        return super().dismiss(result)
