"""What changes between calls: the demo account with its worlds, linked sites and counters.

Rules of this file: everything here lives as long as the server and starts the same every time.
"""

from __future__ import annotations

from .catalogue import catalogue
from .exact import JsonObject

MODES = ("", "unlinked", "sessions")
"""How the demo can be started: see `protocol.Endpoint`."""

DOCUMENTED_SITE = "helpbless.com"
"""The one site that OneLifeVibe's own documentation names."""

KNOWN_SITES = ("lantern.example", DOCUMENTED_SITE)
LATENCIES = {"lantern.example": 182.4}


class Account:
    """The demo account. `unlinked` starts it with no site linked."""

    def __init__(self, *, unlinked: bool = False) -> None:
        self.worlds: list[JsonObject] = list(catalogue()["worlds"])
        self.linked: set[str] = set() if unlinked else {"lantern.example"}
        self._missed: dict[str, int] = {}

    def world(self, world_id: str) -> JsonObject | None:
        """The world of that id, or None."""
        return next((world for world in self.worlds if world["id"] == world_id), None)

    def delete(self, world_id: str) -> JsonObject | None:
        """Forget a world and give it, or None where there is none."""
        world = self.world(world_id)
        if world is not None:
            self.worlds.remove(world)
        return world

    def goes_wrong(self, mode: str, times: int) -> bool:
        """Whether this call of olv_flaky fails: `times` in a row do, then one succeeds and the count begins anew."""
        missed = self._missed.get(mode, 0)
        fails = missed < times
        self._missed[mode] = missed + 1 if fails else 0
        return fails
