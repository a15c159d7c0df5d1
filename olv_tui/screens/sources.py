"""What is known of the arguments in the editor: the schema of their tool, and what this tool was called with before.

Rules of this file: reads only, and only what is small; an exchange is read once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from olv_tui.view.bytetext import as_text
from olv_tui.widgets.document import arguments_in
from olv_tui.widgets.json_source import Source

if TYPE_CHECKING:
    from collections.abc import Callable

    from olv_tui.screens.shelf import Shelf
    from olv_tui.screens.state import State

_ROWS = 500  # of the history that are looked through
_CALLS = 25
_BYTES = 50_000


class Sources:
    """Sources by tool, of the listed tools and the history of this run and the ones before.

    `is_here` tells whether the target of an exchange is the present one: a tool of that name elsewhere is another.
    """

    def __init__(self, state: State, shelf: Shelf, is_here: Callable[[str], bool]) -> None:
        self._state = state
        self._is_here = is_here
        self._shelf = shelf
        self._sources: dict[str, Source] = {}
        self._sent: dict[int, str | None] = {}

    def of(self, tool: str | None) -> Source | None:
        """What is known of a tool, the same value as long as its definition is the same; None for no listed tool."""
        listed = self._state.tools.get(tool) if tool is not None else None
        if listed is None or tool is None:
            return None
        schema = listed.definition.get("inputSchema")
        held = self._sources.get(tool)
        if held is None or held.schema is not schema:
            held = Source(schema, lambda: self._earlier(tool), given="inputSchema" in listed.definition)
            self._sources[tool] = held
        return held

    def _earlier(self, tool: str) -> tuple[str, ...]:
        rows = self._shelf.recent(_ROWS, automatic=False, before=None)
        serials = [row.serial for row in rows if row.tool == tool and self._is_here(row.target)][:_CALLS]
        return tuple(text for serial in serials if (text := self._arguments(serial, tool)) is not None)

    def _arguments(self, serial: int, tool: str) -> str | None:
        if serial not in self._sent:
            exchange = self._shelf.get(serial)
            body = exchange.request.body if exchange is not None else b""
            self._sent[serial] = arguments_in(as_text(body), tool)[0] if len(body) <= _BYTES else None
        return self._sent[serial]
