"""The text area of the editor: it keeps what it was given beside what it shows.

Rules of this file:

* A text area turns some characters into line ends, and bytes that are no text cannot be typed. So an untouched
  text is handed back as it was given, byte for byte; the first edit makes it the text that is seen.
* Texts over `LARGE` are held and not put into the area; all others are edited at the speed of a short one.
* The schema is checked when the typing pauses and off the event loop; what comes back for another text is dropped.
"""

from __future__ import annotations

import asyncio
import re
from bisect import bisect_left
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.document._document import Selection
from textual.message import Message

from olv_tui.widgets.json_complete import CompletingArea
from olv_tui.widgets.json_paint import Mark

if TYPE_CHECKING:
    from textual import events
    from textual.document._document import Location
    from textual.timer import Timer

    from olv_tui.model import Value

LARGE = 2_000_000
"""Characters from which a text is held and not edited. Keys in a megabyte take as long as in a short text
(tests/bench/json_typing.py); what else is done with arguments as they change is the limit."""

CHECKED = 200_000
"""Characters up to which the schema is checked as the text changes: a check in a thread slows the keys as well."""

_PAUSE = 0.25
_NO_TEXT = re.compile("^\ufeff|[\udc80-\udcff]")


class JsonArea(CompletingArea):
    """A text area that keeps what it was given beside what it shows, formats it, and marks what a schema refuses."""

    # Before the text: alt and a letter is a letter to Textual, and would be typed.
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("alt+i", "format", "Format JSON", show=False, priority=True, id="editor.format"),
        Binding("alt+c", "compact", "Compact JSON", show=False, priority=True, id="editor.compact"),
        Binding("ctrl+a", "select_all", "Select all", id="editor.select_all"),
    ]

    DEFAULT_CSS = """
    JsonArea, JsonArea:focus { border: none; padding: 0 1 0 0; height: 1fr; background: transparent; }
    """

    def __init__(self, *, id: str) -> None:  # noqa: A002 (Textual's own name for it)
        super().__init__("{}", id=id)
        self._given = self._shown = "{}"
        self._has_bytes = False
        self._pause: Timer | None = None
        self._said: tuple[str, int] = ("", 0)

    class NothingToUndo(Message):
        """Undo was pressed where no edit is left to take back."""

    class Found(Message):
        """What the schema has against the text at the cursor, or first of all; "" for nothing. `count` in all."""

        def __init__(self, sentence: str, count: int) -> None:
            super().__init__()
            self.sentence = sentence
            self.count = count

    def action_undo(self) -> None:
        """Take back the last edits; where there are none, say so."""
        before = self.text
        super().action_undo()
        if self.text == before:
            self.post_message(self.NothingToUndo())

    def give(self, text: str) -> None:
        """Put in a text; the undo history starts anew."""
        from olv_tui.view.template import editable

        self.close()
        self._given = text
        self._has_bytes = _NO_TEXT.search(text) is not None
        large = len(text) > LARGE
        self.read_only = large
        note = f"{len(text):,} characters: too much to edit here.\nf4 opens them in your editor, ctrl+j sends them."
        self.load_text(note if large else editable(text))
        self._shown = self.text

    def put(self, text: str) -> None:
        """Put in another text as one edit, which undo takes back."""
        from olv_tui.view.template import editable

        if self.read_only or len(text) > LARGE:
            self.give(text)
            return
        self.history.checkpoint()
        self.replace(editable(text), (0, 0), self.document.end, maintain_selection_offset=False)
        self.history.checkpoint()

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

    def on_paste(self, event: events.Paste) -> None:
        """Before Textual puts it in, which takes some characters of a text for line ends."""
        from olv_tui.view.template import unbroken

        text = unbroken(event.text)
        if text != event.text:
            event.text = text
            self.post_message(self.Told("Characters that break lines stand here as escapes, such as \\u2028."))

    async def _on_key(self, event: events.Key) -> None:
        if self.read_only and event.is_printable:
            event.stop()
            event.prevent_default()
            return
        await super()._on_key(event)

    # ----------------------------------------------------------------------- layout of the text

    def action_format(self) -> None:
        """Indent the text, every token as it is."""
        self._lay_out("formatted")

    def action_compact(self) -> None:
        """Take out the white space between the tokens."""
        self._lay_out("compact")

    def _lay_out(self, how: str) -> None:
        from olv_tui import jsontext

        if self.read_only:
            return
        text = self.text
        data = text.encode("utf-8", "surrogatepass")
        made = jsontext.pretty(data) if how == "formatted" else jsontext.compact(data)
        if made is None:
            self.post_message(self.Told("This is no JSON yet, so it cannot be laid out."))
            return
        new = made.decode("utf-8", "surrogatepass")
        if new == text:
            self.post_message(self.Told(f"It is {how} already."))
            return
        before = len("".join(text[: self.document.offset(self.cursor_location)].split()))
        self.put(new)
        self.move_cursor(self._behind(before))

    def _behind(self, count: int) -> Location:
        """The place behind so many characters that are no white space: what the cursor stood behind before."""
        for row, line in enumerate(self.document.lines):
            length = len("".join(line.split()))
            if count <= length:
                places = range(len(line) + 1)
                return row, bisect_left(places, count, key=lambda at: len("".join(line[:at].split())))
            count -= length
        return self.document.end

    # ----------------------------------------------------------------------- what the schema says

    def on_mount(self) -> None:
        """What was given before is checked now; a widget counts as mounted only after this."""
        self._want_check()

    def update_suggestion(self) -> None:
        """Textual's hook for another text: check it by the schema of the source when the typing pauses."""
        if self.is_mounted:
            self._want_check()

    def _want_check(self) -> None:
        if self._pause is not None:
            self._pause.stop()
        self._pause = self.set_timer(_PAUSE, self._check)

    def _check(self) -> None:
        self._pause = None
        source = self.source()
        if source is None or len(self.text) > CHECKED or self.read_only:
            self._install(self.document.edits, [])
            return
        document, edits, text = self.document, self.document.edits, self.text

        async def work() -> None:
            found = await asyncio.to_thread(findings_in, text, source.schema)
            if document is self.document:
                self._install(edits, found)

        self.run_worker(work(), group="check", exit_on_error=False)

    def _install(self, edits: int, found: list[tuple[int, int, str]]) -> None:
        """Mark what was found, unless the text is another one by now."""
        if edits != self.document.edits:
            return
        faults: dict[int, list[Mark]] = {}
        for start, end, sentence in found:
            row, column = self.document.location(start)
            last = self.document.location(end)
            stop = last[1] if last[0] == row else len(self.document.get_line(row))
            faults.setdefault(row, []).append(Mark(column, max(stop, column + 1), "fault", sentence))
        if faults != self.faults:
            self.faults = faults
            self.refresh()
        self._tell_finding()

    def _tell_finding(self) -> None:
        """Tell the finding at the cursor, else one of its line, else the first."""
        row, column = self.cursor_location
        here = self.faults.get(row, [])
        near = [mark for mark in here if mark.start <= column <= mark.end] or here
        if not near and self.faults:
            near = self.faults[min(self.faults)]
        count = sum(map(len, self.faults.values()))
        said = (near[0].sentence if near else "", count)
        if said != self._said:
            self._said = said
            self.post_message(self.Found(*said))

    def _watch_selection(self, previous_selection: Selection, selection: Selection) -> None:
        super()._watch_selection(previous_selection, selection)
        if self.is_mounted and (self.faults or self._said[1]):
            self._tell_finding()


def findings_in(text: str, schema: Value) -> list[tuple[int, int, str]]:
    """What a schema has against a text: (start, end, sentence), of what is missing the bracket it is missing in.

    Nothing for what is no JSON: that is told otherwise. Runs in a thread.
    """
    from olv_tui import jsontext
    from olv_tui.schema.findings import check

    try:
        value = jsontext.loads(text)
    except jsontext.JsonError:
        return []
    found = []
    for finding in check(value, schema):
        if finding.is_fault:
            place = jsontext.span(text, finding.pointer)
            if place is None:
                above = jsontext.span(text, finding.pointer.rpartition("/")[0])
                place = (above[0], above[0] + 1) if above is not None else (0, 1)
            elif text[place[0]] in "{[":
                place = (place[0], place[0] + 1)
            found.append((*place, finding.sentence))
    return sorted(found)
