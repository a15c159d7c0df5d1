"""The explorer as a Textual app: theme, guard, palette, quitting.

Rules of this file: the first paint comes before HTTP, history, schema and demo are imported; all of those
are behind `Launch.prepare`. The state and the work are in screens/.
"""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Iterable
from contextlib import ExitStack, suppress
from time import monotonic
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.screen import Screen

from olv_tui.courtesy import screen_is
from olv_tui.screens.key_order import KeyOrder
from olv_tui.screens.main import MainScreen
from olv_tui.widgets.guard import ControlGuard

if TYPE_CHECKING:
    from textual.filter import LineFilter
    from textual.notifications import SeverityLevel

    from olv_tui.screens.launch import Launch

_NOTE_SECONDS = 4.0
_END_SECONDS = 3.0


class OlvApp(App[int]):
    """The explorer on one target; `return_code` is the exit code after `run`, 1 after a crash.

    Raises UsageError for a theme, a command or a key that does not exist.
    """

    TITLE = "olv-tui"
    CSS_PATH = "app.tcss"
    ESCAPE_TO_MINIMIZE = False
    # Textual declares these two in a way that a ClassVar does not match.
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-low"), (30, "-high")]  # noqa: RUF012

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", "Quit", priority=True, id="quit"),
    ]

    def __init__(self, launch: Launch) -> None:
        super().__init__()
        self.launch = launch
        self._guard = ControlGuard()
        self._courtesy = ExitStack()
        self._order = KeyOrder(self)
        self._notes: list[tuple[str, str, SeverityLevel, bool, float]] = []
        self._notes_are_due = False
        if launch.theme is not None:
            if launch.theme not in self.available_themes:
                from olv_tui.config import UsageError

                names = ", ".join(sorted(self.available_themes))
                raise UsageError(f"there is no theme {launch.theme!r}; there are {names}")
            self.theme = launch.theme
        if launch.keymap:
            from olv_tui.screens.keymap import checked

            self.set_keymap(checked(launch.keymap, type(self)))

    def get_default_screen(self) -> Screen[None]:
        """The main screen is the first one, so nothing is painted before it."""
        self.main = MainScreen(self.launch)
        # Textual would set these after a first layout and style every widget once more for them.
        self.main.add_class("-wide" if self.size.width >= 100 else "-narrow", update=False)
        self.main.add_class("-high" if self.size.height >= 30 else "-low", update=False)
        return self.main

    def on_ready(self) -> None:
        """The first frame has been painted: on with what costs. A callback after the refresh comes 30 ms later."""
        self._courtesy.enter_context(screen_is(asyncio.get_running_loop()))
        self.main.calls.start(self.main.app)

    def on_unmount(self) -> None:
        """What still works in threads need not wait for a screen any more."""
        self._courtesy.close()

    def on_mount(self) -> None:
        """A signal to end leaves the terminal and the history as sound as ctrl+q does."""
        for name in ("SIGTERM", "SIGHUP"):
            # Elsewhere than on Unix, or off the main thread, there are no such handlers.
            with suppress(NotImplementedError, RuntimeError, ValueError, AttributeError):
                number = getattr(signal, name)
                asyncio.get_running_loop().add_signal_handler(number, self._told_to_end, number)

    def _told_to_end(self, number: int) -> None:
        # A terminal that is gone takes no more output, and Textual waits for ever to write its last. What was sent is
        # in the history by now.
        last = threading.Timer(_END_SECONDS, os._exit, (128 + number,))
        last.daemon = True
        last.start()
        self._ending = asyncio.ensure_future(self._end(128 + number))

    async def on_event(self, event: events.Event) -> None:
        """Keys, pastes and clicks one after the other, each when the one before it is over."""
        mine = isinstance(event, events.Key | events.Paste | events.MouseDown | events.MouseUp)
        if not mine or event.is_forwarded or self._order.admits(event):
            await super().on_event(event)

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = True,
    ) -> None:
        """Show a note in the corner: for a few seconds, and with one before it at most."""
        now = monotonic()
        new = (message, title, severity, markup, now + (timeout or _NOTE_SECONDS))
        self._notes = [*(note for note in self._notes if note[-1] > now and note[0] != message), new][-2:]
        if not self._notes_are_due:  # those of one turn come together: what is posted cannot be cleared yet
            self._notes_are_due = True
            self.call_later(self._show_notes)

    def _show_notes(self) -> None:
        self._notes_are_due = False
        self.clear_notifications()
        for text, head, grave, marked, end in self._notes:
            super().notify(text, title=head, severity=grave, timeout=max(end - monotonic(), 0.1), markup=marked)

    def copy_to_clipboard(self, text: str) -> None:
        """What Textual's widgets copy goes the same way as everything that is copied here."""
        from olv_tui.screens.clipboard import copy_out

        copy_out(self, text, "the selection")

    def get_line_filters(self) -> list[LineFilter]:
        """Textual's filters, and ours that lets no terminal control through."""
        return [*super().get_line_filters(), self._guard]

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """The palette: what the keys do, by name."""
        yield SystemCommand("Theme", "Choose other colours", self.action_change_theme)
        if isinstance(screen, MainScreen):
            from olv_tui.screens.commands import COMMANDS

            for command in COMMANDS:
                yield SystemCommand(command.name, command.about, getattr(screen, f"action_{command.action}"))
        yield SystemCommand("Quit", "Stop what runs and leave", self.action_quit)

    def _fatal_error(self) -> None:
        """Textual's own would print the values of all variables on the way, and among them are credentials."""
        from rich.text import Text

        from olv_tui.screens import fault

        self.bell()
        redactor = fault.redactor_of(self.main.core, self.launch)
        error = self._exception
        self.panic(Text(fault.crash_text(error, redactor) if error is not None else "olv-tui: it broke"))

    async def action_quit(self) -> None:
        """Stop calls, close session and history, leave."""
        await self._end(0)

    async def _end(self, code: int) -> None:
        await self.main.calls.close()
        self.exit(code, return_code=code)
