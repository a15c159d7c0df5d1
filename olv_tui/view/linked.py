"""From a place in one view of an answer to the same place in another: the message, its bytes, its nodes.

Rules of this file:

* The body as it came is what places are told in: byte ranges of it. Everything is found by searching and counting when
  it is asked for; all of it may take a while for a large answer: not on the event loop.
* What cannot be placed exactly is led to the nearest thing that holds it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from olv_tui import jsontext
from olv_tui.view.fold import JsonLines
from olv_tui.view.fold_page import Spot, kind_of
from olv_tui.view.ink import Ink, in_string, of_string
from olv_tui.view.places import in_body, source_offset

if TYPE_CHECKING:
    from olv_tui.model import Exchange
    from olv_tui.view.outline import Steps

_BOM = b"\xef\xbb\xbf"


class Linked:
    """The message of one exchange by its places. `exchange` has ended with an answer, or nothing is found."""

    def __init__(self, exchange: Exchange) -> None:
        self.exchange = exchange  # another one of the same answer may take its place
        judgement = exchange.judgement
        response = exchange.reply.response if exchange.reply is not None else None
        self.frame = judgement.frame if judgement is not None else None
        self._body = response.body if response is not None else b""
        frames = response.frames if response is not None else ()
        if self.frame is None:
            self._source = self._body
        else:
            data = frames[self.frame].data if self.frame < len(frames) else None
            self._source = (data or "").encode("utf-8", "surrogatepass")
        self._skipped = len(_BOM) if self._source.startswith(_BOM) else 0
        self._ink: Ink | None = None
        self._document: JsonLines | None = None
        self._document_ink: Ink | None = None
        self._is_read = False

    @property
    def text(self) -> str:
        """The message as it came, as text."""
        return self._source[self._skipped :].decode("utf-8", "replace")

    @property
    def document(self) -> JsonLines | None:
        """The message indented, None where it is no JSON. Made when it is first asked for."""
        if not self._is_read:
            pretty = jsontext.pretty(self._source) if self._source else None
            self._document = None if pretty is None else JsonLines(pretty)
            self._is_read = True
        return self._document

    @property
    def ink(self) -> Ink:
        """The counts of the message as it came."""
        if self._ink is None:
            self._ink = Ink(self._source[self._skipped :])
        return self._ink

    # ----------------------------------------------------------------------- to the body

    def body_range(self, spot: Spot) -> tuple[int, int] | None:
        """The bytes of the body that a node is written in."""
        found = self._range(spot.steps, None if spot.inner is not None else spot.ink)
        if found is None:
            return None
        if spot.inner is not None and spot.ink is not None:
            token = self._source[found[0] : found[1]]
            if token.startswith(b'"'):
                start, end = (found[0] + in_string(token, count) for count in spot.ink)
                found = start, max(end, start + 1)
        return in_body(self.exchange, self.frame, found)

    def _range(self, steps: Steps, ink: tuple[int, int] | None) -> tuple[int, int] | None:
        """The bytes of the message that a node is written in."""
        if ink is None:
            document = self.document
            start = document.outline.find(steps) if document is not None else None
            if document is None or start is None:
                return self._range(steps[:-1], None) if steps else None
            ink = self._ink_of(document, start)
        return self._skipped + self.ink.place(ink[0]), self._skipped + self.ink.place(ink[1] - 1) + 1

    def _ink_of(self, document: JsonLines, start: int) -> tuple[int, int]:
        begin, end = document.outline.value(start)
        return self._counted(document).before(begin), self._counted(document).before(end)

    def _counted(self, document: JsonLines) -> Ink:
        if self._document_ink is None:
            self._document_ink = Ink(document.data)
        return self._document_ink

    def text_of(self, spot: Spot) -> str:
        """The text of a node as it came; of one in a text as it is written there, indented."""
        found = self._range(spot.steps, None if spot.inner is not None else spot.ink)
        if found is None:
            return ""
        token = self._source[found[0] : found[1]].decode("utf-8", "replace")
        if spot.inner is None:
            return token
        text = jsontext.parse(token.encode()).value
        pretty = jsontext.pretty(text.encode("utf-8", "surrogatepass")) if isinstance(text, str) else None
        lines = None if pretty is None else JsonLines(pretty)
        start = None if lines is None else lines.outline.find(spot.inner)
        if lines is None or start is None:
            return token
        begin, end = lines.outline.value(start)
        return lines.data[begin:end].decode("utf-8", "replace")

    # ----------------------------------------------------------------------- from the body

    def at_body(self, offset: int) -> Spot | None:
        """The node that is written around a byte of the body; of a text that is JSON the node in it."""
        inside = source_offset(self.exchange, self.frame, offset)
        document = self.document
        if inside is None or document is None:
            return None
        data = self._source
        while inside < len(data) and data[inside] in b" \t\r\n,:]}":  # what separates belongs to what follows
            inside += 1
        count = self.ink.before(max(inside - self._skipped, 0))
        if count >= self._counted(document).total:
            return Spot(())
        spot = self.at_document(self._counted(document).place(count))
        if spot is None or spot.ink is None:
            return spot
        first = self._skipped + self.ink.place(spot.ink[0])
        token = data[first : self._skipped + self.ink.place(spot.ink[1] - 1) + 1]
        if token.startswith(b'"') and inside > first:
            return self._in_text(spot, token, inside - first) or spot
        return spot

    def _in_text(self, spot: Spot, token: bytes, offset: int) -> Spot | None:
        """The node around a place in a text that is JSON itself."""
        if token[1:2] not in (b"{", b"["):
            return None
        text = jsontext.parse(token).value
        pretty = jsontext.pretty(text.encode("utf-8", "surrogatepass")) if isinstance(text, str) else None
        if pretty is None:
            return None
        lines, count = JsonLines(pretty), of_string(token, offset)
        counted = Ink(pretty)
        at = min(counted.place(count), len(pretty) - 1)
        start = lines.outline.node(lines.outline.line_start(at))
        begin, end = lines.outline.value(start)
        ink = counted.before(begin), counted.before(end)
        return Spot(spot.steps, lines.outline.steps(start), kind_of(lines, start), ink)

    def at_document(self, offset: int) -> Spot | None:
        """The node on the line of a byte of the indented message."""
        document = self.document
        if document is None:
            return None
        start = document.outline.node(document.outline.line_start(offset))
        return Spot(document.outline.steps(start), None, kind_of(document, start), self._ink_of(document, start))

    def in_document(self, spot: Spot) -> tuple[int, int] | None:
        """First and last line of a node in the indented message."""
        document = self.document
        if document is None:
            return None
        if spot.ink is not None and spot.inner is None:
            start: int | None = document.outline.line_start(self._counted(document).place(spot.ink[0]))
        else:
            steps = spot.steps
            start = document.outline.find(steps)
            while start is None and steps:
                steps = steps[:-1]
                start = document.outline.find(steps)
        if start is None:
            return None
        return document.line_at(start), document.line_at(document.outline.close(start))
