"""Building blocks of the decoded views: headings, fields, sentences, text and JSON, joined to lines.

Rules of this file:

* Text of a server goes through `visible` or `one_line` here, so a page cannot hold anything else.
* JSON is shown from the bytes of the answer where they are at hand: digits, duplicates and order stay, and
  50 MB take a tenth of parsing them. The value is written out only where there are no bytes for it.
* A page for a printout has a limit: a longer block is cut, with a line that says so, before anything of its
  size is made. 100 MB of text are then printed in the memory that holds the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from olv_tui import jsontext
from olv_tui.courtesy import give_way
from olv_tui.model import Number, Object, Value
from olv_tui.view.fold import JsonLines
from olv_tui.view.fold_page import Block, PageLines
from olv_tui.view.ink import Ink
from olv_tui.view.json_colour import Span
from olv_tui.view.lines import FixedLines, Line, Lines
from olv_tui.view.outline import Steps
from olv_tui.view.safe import normal_breaks, one_line, visible
from olv_tui.view.text_lines import TextLines

_LABEL = 12
_SHORT = 2_000
_STEP = 1 << 20
_BLOCKS = 10  # as many blocks of the full length go on a page with a limit
_EACH = 100  # what a line or block of its own counts for at least: they take memory however short they are
_ELSEWHERE = "--json gives it in full"


class Page:
    """Lines put together from above to below. Every method takes text as it came.

    With a `limit`, a text or JSON block of more characters is cut there, and ten times as many go on the page.
    `is_head`: it stands in for the whole page while that is made, so no more is said of what is left out.
    """

    def __init__(self, limit: int | None = None, *, is_head: bool = False) -> None:
        self.limit = limit
        self.is_head = is_head
        self._room = None if limit is None else _BLOCKS * limit
        self._parts: list[Lines] = []
        self._lines: list[Line] = []
        self._count = 0
        self._headings: list[int] = []
        self._blocks: list[Block] = []
        self._steps: dict[int, Steps] = {}
        self.here: Steps | None = None
        """The node of the message that the next lines show, None for our own words."""

    def lines(self) -> PageLines:
        """Everything so far, as one."""
        self.end_of_answer()
        self._flush()
        return PageLines(self._parts, self._headings, self._blocks, self._steps)

    @property
    def is_empty(self) -> bool:
        """Whether nothing has been put in."""
        return not self._parts and not self._lines

    def end_of_answer(self) -> None:
        """Say so where the page was full; what follows is put on it whatever its length."""
        full = self._room is not None and self._room <= 0
        self._room = None
        if full:
            self._left_out("the rest of the answer is")

    @property
    def is_full(self) -> bool:
        """Whether nothing more goes on it before `end_of_answer`."""
        return self._room is not None and self._room <= 0

    def _put(self, line: Line) -> None:
        if self._room is not None:
            if self._room <= 0:
                return
            self._room -= len(line.text) + _EACH
        if self.here is not None and line.text:
            self._steps[self._count] = self.here
        self._lines.append(line)
        self._count += 1

    def _flush(self) -> None:
        if self._lines:
            self._parts.append(FixedLines(self._lines))
            self._lines = []

    def heading(self, text: str, note: str = "", kind: str = "heading") -> None:
        """A heading, an empty line above it unless it is the first, and a note in muted colour beside it."""
        if not self.is_empty:
            self._put(Line(""))
        text = one_line(text, 200)
        spans = [Span(0, len(text), kind)]
        if note:
            note = one_line(note, 200)
            spans.append(Span(len(text) + 2, len(text) + 2 + len(note), "muted"))
            text = f"{text}  {note}"
        if not self.is_full:
            self._headings.append(self._count)
        self._put(Line(text, tuple(spans)))

    def field(self, label: str, value: str, kind: str = "") -> None:
        """A name and what it is. A value of several lines goes on below, indented."""
        name = one_line(label, 60)
        head = f"{name:<{_LABEL}}  " if value else name
        shown = visible(normal_breaks(value[:_SHORT])).replace("\t", "    ")
        for number, part in enumerate(shown.split("\n")):
            text = head + part if number == 0 else " " * (_LABEL + 2) + part
            spans = [Span(0, len(name), "label")] if number == 0 else []
            if kind and part:
                spans.append(Span(len(text) - len(part), len(text), kind))
            self._put(Line(text, tuple(spans)))
        if len(value) > _SHORT:
            more = f"{len(value) - _SHORT:,} more characters"
            if self.limit is None:
                self.say(f"... {more}: see the raw answer", "muted")
            else:
                self._left_out(f"{more} are")

    def value(self, label: str, value: Value) -> None:
        """A field of any JSON value: text as text, the rest as JSON, objects and lists below the name.

        Where the page shows a node of the message, the field is its member of that name.
        """
        around = self.here
        self.here = None if around is None else (*around, label)
        self._value(label, value)
        self.here = around

    def _value(self, label: str, value: Value) -> None:
        if isinstance(value, str):
            self.field(label, value or '""')
        elif isinstance(value, (Object, list)) and value:
            self.field(label, "")
            self.json(value)
        else:
            self.field(label, jsontext.dumps(value), "number" if isinstance(value, Number) else "keyword")

    def say(self, text: str, kind: str = "") -> None:
        """A sentence or a few of our own words, or a short text of the server in them."""
        for part in visible(normal_breaks(text)).replace("\t", "    ").split("\n"):
            self._put(Line(part, (Span(0, len(part), kind),) if kind and part else ()))

    def text(self, text: str) -> None:
        """A text as it stands, with its line breaks."""
        if self.is_full:
            return
        self._add_block(TextLines(normal_breaks(text[: self.limit]), words=True))
        if self.limit is not None and len(text) > self.limit:
            self._left_out(f"{len(text) - self.limit:,} more characters of this text are")

    def large_text(self, text: bytes) -> None:
        """The same of a large text in UTF-8, all of it, or on a page that is a head its beginning."""
        self._add_block(
            TextLines(text.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in text else text, words=True)
        )
        if self.is_head:
            self._left_out("")

    def json(self, value: Value) -> None:
        """A value as JSON, indented."""
        if self.is_full:
            return
        if self.limit is None:
            self._add_block(JsonLines(jsontext.dumps(value, indent=2)))
            return
        if self.is_head and isinstance(value, jsontext.LateObject | jsontext.LateList):
            self._add(JsonLines(jsontext.beginning(value, self.limit)))
            self._left_out("")
            return
        shown, whole = jsontext.opening(value, self.limit, indent=2)
        self._add(TextLines(shown, "json"))
        if not whole:
            self._left_out("the rest of this JSON is")

    def json_text(self, data: bytes, *, inner: bool = False, ink: int | None = None) -> None:
        """JSON text that is indented already. `inner`: it stands in a text. `ink`: see `Block`."""
        if self.limit is None:
            self._add_block(JsonLines(data), inner=inner, ink=ink)
            return
        self._cut(data, "json")

    def _add_block(self, lines: Lines, *, inner: bool = False, ink: int | None = None) -> None:
        """Lines of a value, told apart where the page shows a node of the message."""
        if self.here is not None and not self.is_full:
            self._blocks.append(Block(self._count, lines, self.here, inner, ink))
        self._add(lines)

    def body(self, body: bytes, lines: Callable[[bytes], Lines]) -> None:
        """A body as `lines` shows it, or the beginning of it as text."""
        if self.limit is None or len(body) <= self.limit:
            self._add(lines(body))
        elif not self.is_full:
            self._cut(body)

    def _cut(self, data: bytes, language: str = "") -> None:
        """Text in bytes, cut between two characters."""
        if self.limit is None or len(data) <= self.limit:
            self._add(TextLines(data, language))
            return
        end = self.limit
        while end > self.limit - 3 and data[end] & 0xC0 == 0x80:
            end -= 1
        self._add(TextLines(data[:end], language))
        self._left_out(f"{len(data) - end:,} more bytes are")

    def _left_out(self, what: str) -> None:
        self.say("…" if self.is_head else f"... {what} left out here: {_ELSEWHERE}", "muted")

    def marked(self, parts: Sequence[tuple[str, str]]) -> None:
        """One line of parts, each with its kind ("" for none)."""
        text, spans = "", []
        for given, kind in parts:
            part = one_line(given, _SHORT)
            if kind and part:
                spans.append(Span(len(text), len(text) + len(part), kind))
            text += part
        self._put(Line(text, tuple(spans)))

    def add(self, lines: Lines) -> None:
        """Lines that are made already."""
        self._add(lines)

    def _add(self, lines: Lines) -> None:
        if self.is_full:
            return
        if self._room is not None:
            self._room -= lines.weight + _EACH
        self._flush()
        self._parts.append(lines)
        self._count += len(lines)


def pretty_member(pretty: bytes, path: Sequence[str]) -> tuple[bytes, int] | None:
    """The member at a path of object keys, cut out of JSON indented by 2, or None where it is not found as written.

    With it comes how many bytes that are no blanks stand before it.

    JSON that is indented holds no line break inside a string, so a line that starts with a key at its depth
    is that member, and ends before the next line of that depth. Of two members of one name the last counts.
    """
    start, end, indent = 0, len(pretty), b""
    for key in path:
        indent += b"  "
        mark = b"\n" + indent + jsontext.dumps(key).encode("utf-8", "replace") + b": "
        found, later = -1, pretty.find(mark, start, end)
        while later >= 0:  # rfind takes twenty times as long as find
            found, later = later, pretty.find(mark, later + 1, end)
        if found < 0:
            return None
        start = found + len(mark)
        if pretty[start : start + 1] in {b"{", b"["} and pretty[start + 1 : start + 2] == b"\n":
            close = b"\n" + indent + (b"}" if pretty[start : start + 1] == b"{" else b"]")
            last = pretty.find(close, start, end)
            if last < 0:
                return None
            end = last + len(close)
        else:
            stop = pretty.find(b"\n", start, end)
            end = (end if stop < 0 else stop) - (pretty[stop - 1 : stop] == b",")
    if not path:
        return pretty, 0
    ink = Ink(pretty[:start]).total
    # A megabyte at a time, cut at line ends: one step over 50 MB would hold up the screen from any thread.
    parts = []
    while start < end:
        give_way()
        stop = pretty.find(b"\n", min(start + _STEP, end), end)
        stop = end if stop < 0 else stop
        parts.append(pretty[start:stop].replace(b"\n" + indent, b"\n"))
        start = stop
    return b"".join(parts), ink
