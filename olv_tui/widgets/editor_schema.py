"""What the editor hears of its text areas, and what keeps a text from being JSON.

Rules of this file: it only speaks; nothing here keeps a call from being sent.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from olv_tui.view.safe import one_line
from olv_tui.widgets.document import finding
from olv_tui.widgets.pane import Pane

if TYPE_CHECKING:
    from olv_tui.widgets.json_area import JsonArea
    from olv_tui.widgets.json_source import Source

_OFF_LOOP = 200_000
"""Characters from which a text is read in a thread: a megabyte takes 40 ms."""


class SchemaPane(Pane):
    """The pane that the editor is, with what it knows of the schema."""

    refused = ""
    """What the schema has against the arguments, at the cursor or first of all: safe, on one line."""

    def __init__(self, *, id: str) -> None:  # noqa: A002 (Textual's own name for it)
        super().__init__(id=id)
        self.source: Callable[[str | None], Source | None] = lambda _: None
        """What is known of the arguments of a tool: for completion, and for what its schema refuses."""

    @property
    def text(self) -> str:
        """The text that is edited."""
        raise NotImplementedError

    def tell(self, sentence: str) -> None:
        """Say something of the text."""
        raise NotImplementedError

    def _check(self) -> None:
        """Look at the text again, and say what is found."""
        raise NotImplementedError

    def _show_finding(self, found: str) -> None:
        """Say what keeps the text from being JSON; "" for nothing."""
        raise NotImplementedError

    def find(self, text: str) -> None:
        """Look for what keeps a text from being JSON, and say it where it is still the text."""

        async def apart() -> None:
            found = await asyncio.to_thread(finding, text)
            if text == self.text:
                self._show_finding(found)

        if len(text) > _OFF_LOOP:
            self.run_worker(apart(), group="finding", exit_on_error=False)
        else:
            self._show_finding(finding(text))

    def on_json_area_found(self, event: JsonArea.Found) -> None:
        """The schema was asked, or the cursor came to what it refuses."""
        event.stop()
        more = f" ({event.count} findings)" if event.count > 1 else ""
        self.refused = one_line(event.sentence, 300) + more
        self._check()

    def on_completing_area_told(self, event: JsonArea.Told) -> None:
        """The text area has something to say."""
        event.stop()
        self.tell(event.sentence)
