"""What the explorer is started with.

Rules of this file: the first paint needs the target and nothing else. Everything that costs imports or
touches the disk (HTTP, history, redactor, demo server) comes from `Launch.prepare`, which is called off the
event loop after that paint: httpx alone takes as long to import as a third of the screen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from olv_tui.history import History
    from olv_tui.model import Target
    from olv_tui.redact import Redactor
    from olv_tui.session import Journal, Session
    from olv_tui.transport.base import Transport
    from olv_tui.transport.keeping import Keeping


class LaunchError(Exception):
    """The explorer cannot go on; its text is one sentence for the user."""


@dataclass(frozen=True, slots=True)
class Core:
    """What is there once the explorer is prepared. `notice` is something the user should know of the history.

    `known` are the targets of the settings by name, their `${VAR}` not filled in.
    `tape` is the history recorded to a cassette, where there is a recording.
    `keeping` says how much of an answer is kept in memory, None for what is usual.
    `close` gives back what was started beside these (the demo server); it may block for a moment.
    """

    target: Target
    session: Session
    history: History
    redactor: Redactor
    notice: str = ""
    close: Callable[[], None] | None = None
    known: Mapping[str, Target] = field(default_factory=dict)
    tape: Journal | None = None
    keeping: Keeping | None = None

    @property
    def journal(self) -> Journal:
        """Where sessions keep their exchanges."""
        return self.tape or self.history

    def transport(self, target: Target) -> Transport:
        """A transport of its own for a target that is turned to."""
        from olv_tui.transport.http import HttpTransport
        from olv_tui.transport.keeping import Keeping

        kept = self.keeping or Keeping()
        return HttpTransport(insecure=target.insecure, keeping=kept.capped(target.max_body))


def local_time(started: str) -> str:
    """`10:31:05` local for a UTC time of an exchange; the text itself where it is no time."""
    try:
        return datetime.fromisoformat(started).astimezone().strftime("%H:%M:%S")
    except ValueError:
        return started[:8]


@dataclass(frozen=True, slots=True)
class Launch:
    """The target to show at once, and the way to the rest.

    `prepare` may block; it is called in a thread, once. Raises LaunchError. `local_time` turns the UTC time
    of an exchange into the text of the history; pictures give one that does not depend on the machine. `keymap`
    gives other keys to commands, such as `{"send": "f6"}`. `secrets` are values that must appear nowhere.
    `mode` is the mode of the editor that the reader wants: form, json or envelope.
    """

    target: Target
    prepare: Callable[[], Core]
    theme: str | None = None
    secrets: tuple[str, ...] = field(default=(), repr=False)
    keymap: Mapping[str, str] = field(default_factory=dict)
    local_time: Callable[[str], str] = local_time
    mode: str | None = None
