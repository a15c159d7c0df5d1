"""Envelope mode: the whole body of a request, and the id in it that follows the counter.

Rules of this file: what is shown is what is sent. An envelope that nobody touched follows id, era and arguments; one
of the reader's own changes only where the program's own id stands in it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from olv_tui.widgets.document import Document, arguments_in, arguments_place, id_in, same_call, with_arguments, with_id

if TYPE_CHECKING:
    from collections.abc import Callable

    from olv_tui.widgets.editor import Dresser
    from olv_tui.widgets.json_area import JsonArea


class EnvelopeMode:
    """The text area of the envelope and what the program put into it. The area is made when it is first wanted."""

    def __init__(self, area: Callable[[], JsonArea], dresser: Callable[[], Dresser | None]) -> None:
        self._area = area
        self._dresser = dresser
        self._laid: str | None = None

    @property
    def text(self) -> str:
        """The envelope as it stands."""
        return self._area().kept

    def load(self, document: Document) -> Document:
        """Show the envelope of a document; gives the document with the id that was put in."""
        area = self._area()
        if document.frame is not None:
            # Edited arguments go into the reader's own envelope, if that has a place for them.
            now, _ = arguments_in(document.frame, document.tool)
            same = now is None or now == document.arguments
            area.give(document.frame if same else with_arguments(document.frame, document.arguments))
            self._laid = None
            return document
        dresser = self._dresser()
        document = replace(document, auto_id=dresser.next_id() if dresser else "1")
        self._laid = self.plain(document, document.auto_id)
        area.give(self._laid)
        if document.template is not None:
            area.to_gap()
        return document

    def document(self, held: Document) -> Document:
        """The document with the envelope as it stands; no frame where that says no more than the plain call."""
        envelope = self.text
        now = held.framed(envelope)
        if now.broken is not None:
            now = replace(now, broken=replace(now.broken, edited=self.is_edited(held)))
        plain = self.plain(now, held.auto_id)
        if envelope == plain or same_call(envelope, plain, auto_id=held.auto_id):
            return replace(now, frame=None)
        return now

    def around(self, held: Document) -> str | None:
        """What stands in the place of the arguments where it is no JSON and all else is as it was laid out."""
        base = held.frame or self.plain(replace(held, arguments="{}"), held.auto_id)
        place = arguments_place(base)
        if place is None:
            return None
        before, after, text = base[: place[0]], base[place[1] :], self.text
        fits = len(text) >= len(before) + len(after) and text.startswith(before) and text.endswith(after)
        return text[len(before) : len(text) - len(after)] if fits else None

    def is_edited(self, held: Document) -> bool:
        """Whether the broken request was changed by the reader."""
        broken = held.broken
        return broken is not None and (broken.edited or not self._area().is_untouched)

    def is_stale(self, held: Document) -> bool:
        """Whether nobody touched the envelope and it would be dressed differently now."""
        untouched = self._laid is not None and self.text == self._laid
        return untouched and self.plain(held, held.auto_id) != self._laid

    def renumber(self, held: Document, identity: str) -> bool:
        """Put the next id into the envelope shown, where the last one of the program stands. Whether it did."""
        area, envelope = self._area(), self.text
        laid = envelope == self._laid
        if not laid and id_in(envelope) != held.auto_id:
            return False
        cursor = area.cursor_location
        following = self.plain(held, identity) if laid else with_id(envelope, identity)
        area.give(following)
        area.cursor_location = cursor
        self._laid = following if laid else None
        return True

    def plain(self, document: Document, identity: str | None) -> str:
        """The envelope of the plain call or template."""
        dresser = self._dresser()
        if dresser is None:
            return ""
        identity = identity or dresser.next_id()
        if document.template is not None:
            return dresser.request(document.template, identity)
        return "" if document.tool is None else dresser.body(document.tool, document.arguments, identity)
