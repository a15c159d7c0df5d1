"""What a session is given and what it gives back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol, TypeAlias

from olv_tui.model import Exchange, Frame, Tool, Verdict, Violation

FrameHook: TypeAlias = Callable[[Frame], None]
StartHook: TypeAlias = Callable[[Exchange], None]


def utc_now() -> str:
    """Now as ISO 8601 UTC with milliseconds, such as `2026-12-02T08:00:00.000Z`."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Journal(Protocol):
    """Where exchanges are kept; history.History is one."""

    def peek_id(self) -> int:
        """The id that the next request will get, without taking it."""

    def next_id(self) -> int:
        """A request id never given out before in this history."""

    def begin(self, exchange: Exchange) -> int:
        """Keep a pending exchange; it is safe on disk when this returns its serial."""

    def keep(self, exchange: Exchange) -> None:
        """Keep what came of a large one that nobody has judged yet; `finish` follows, unless the program ends."""

    def finish(self, exchange: Exchange) -> None:
        """Keep what came of it."""


@dataclass(frozen=True, slots=True)
class Listing:
    """What tools/list gave. `failed` is the exchange that ended it early; `tools` is what came before."""

    verdict: Verdict
    tools: tuple[Tool, ...] = ()
    violations: tuple[Violation, ...] = ()
    pages: int = 0
    failed: Exchange | None = None
