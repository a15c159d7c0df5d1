"""The text area of the editor: it keeps what it was given beside what it shows.

Rules of this file:

* A text area turns some characters into line ends, and bytes that are no text cannot be typed. So an untouched
  text is handed back as it was given, byte for byte; the first edit makes it the text that is seen.
* Texts over `LARGE` are held and not put into the area; all others are edited at the speed of a short one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from textual.message import Message

from olv_tui.widgets.json_paint import PaintedArea

if TYPE_CHECKING:
    from textual import events

LARGE = 2_000_000
"""Characters from which a text is held and not edited. Keys in a megabyte take as long as in a short text
(tests/bench/json_typing.py); what else is done with arguments as they change is the limit."""

_NO_TEXT = re.compile("^\ufeff|[\udc80-\udcff]")


class JsonArea(PaintedArea):
    """A text area that keeps what it was given beside what it shows."""

    DEFAULT_CSS = """
    JsonArea, JsonArea:focus { border: none; padding: 0 1 0 0; height: 1fr; background: transparent; }
    """

    def __init__(self, *, id: str) -> None:  # noqa: A002 (Textual's own name for it)
        super().__init__("{}", id=id)
        self._given = self._shown = "{}"
        self._has_bytes = False

    class NothingToUndo(Message):
        """Undo was pressed where no edit is left to take back."""

    def action_undo(self) -> None:
        """Take back the last edits; where there are none, say so."""
        before = self.text
        super().action_undo()
        if self.text == before:
            self.post_message(self.NothingToUndo())

    def give(self, text: str) -> None:
        """Put in a text; the undo history starts anew."""
        from olv_tui.view.template import editable

        self._given = text
        self._has_bytes = _NO_TEXT.search(text) is not None
        large = len(text) > LARGE
        self.read_only = large
        note = f"{len(text):,} characters: too much to edit here.\nf4 opens them in your editor, ctrl+j sends them."
        self.load_text(note if large else editable(text))
        self._shown = self.text

    @property
    def kept(self) -> str:
        """The text: as given while untouched, else as edited."""
        return self._given if self.is_untouched else self.text

    @property
    def is_untouched(self) -> bool:
        """Whether nothing was edited since the text was given."""
        return self.text == self._shown

    @property
    def holds_bytes(self) -> bool:
        """Whether what is kept holds bytes that are no text: a byte order mark in front, or no UTF-8."""
        return self._has_bytes and self.is_untouched

    def to_gap(self) -> None:
        """Put the cursor into the first empty string, which is there to be filled in."""
        for row, line in enumerate(self.text.split("\n")):
            if '""' in line:
                self.cursor_location = (row, line.index('""') + 1)
                return

    async def _on_key(self, event: events.Key) -> None:
        if self.read_only and event.is_printable:
            event.stop()
            event.prevent_default()
            return
        await super()._on_key(event)
