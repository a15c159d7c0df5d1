"""The nodes of indented JSON, found in its bytes: what a line begins, where that ends, what holds it, its path.

Rules of this file:

* No node is an object. `jsontext.pretty` puts each member, item and closing bracket on a line of its own and tells the
  level by two blanks; strings hold no line break. So a node is a line, and its neighbours are a search away.
* Searches go in steps of `_STEP` bytes. A thread that searches 50 MB then never holds up the screen.
* Below `INDENTED` levels the blanks stop growing. There brackets are counted, from the last line that blanks tell.
* Offsets are those of the first byte of a line. Every method may walk over the whole text: not on the event loop
  for a large one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import islice

from olv_tui import jsontext
from olv_tui.courtesy import give_way
from olv_tui.jsontext.tokens import unquote
from olv_tui.jsontext.writer import INDENTED

Steps = tuple[str | int, ...]
"""The way to a node: member names and item numbers."""

_STEP = 1 << 18
_BLANKS = re.compile(rb" *")
_KEY = re.compile(rb'"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+": ')
_OPENERS = (ord("{"), ord("["))
_CLOSERS = (ord("}"), ord("]"))
_FIRSTS = (b'"', b"{", b"[")
_BRACKETS = re.compile(rb"^ *[\]}]|[\[{]$", re.MULTILINE)


class Outline:
    """The nodes of one JSON text indented by `jsontext.pretty`."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self._index: tuple[int, int, int] | None = None  # array, item, number of the item: the last one counted

    # ----------------------------------------------------------------------- one line

    def line_start(self, at: int) -> int:
        """The first byte of the line that holds an offset."""
        return self.data.rfind(b"\n", 0, at) + 1

    def line_end(self, at: int) -> int:
        """Behind the last byte of the line that holds an offset, its line end left out."""
        end = self.data.find(b"\n", at)
        return len(self.data) if end < 0 else end

    def first(self, start: int) -> int:
        """The first byte of a line that is no blank."""
        found = _BLANKS.match(self.data, start)
        return found.end() if found else start

    def level(self, start: int) -> int:
        """How deep a line stands; `INDENTED` for all that is as deep or deeper."""
        return (self.first(start) - start) // 2

    def opens(self, start: int) -> bool:
        """Whether a line begins an object or an array that goes on below."""
        end = self.line_end(start)
        return end > start and end < len(self.data) and self.data[end - 1] in _OPENERS

    def closes(self, start: int) -> bool:
        """Whether a line ends an object or an array."""
        at = self.first(start)
        return at < len(self.data) and self.data[at] in _CLOSERS

    def bracket(self, start: int) -> str:
        """The bracket that a line opens, or ""."""
        return chr(self.data[self.line_end(start) - 1]) if self.opens(start) else ""

    # ----------------------------------------------------------------------- blocks

    def close(self, start: int) -> int:
        """The line that closes what a line opens; the line itself where it opens nothing."""
        if not self.opens(start):
            return start
        level, end = self.level(start), self.line_end(start)
        if level >= INDENTED:
            return self._deep_close(end)
        closer = b"}" if self.data[end - 1] == _OPENERS[0] else b"]"
        found = self._find(b"\n" + b"  " * level + closer, end)
        return start if found < 0 else found + 1

    def _deep_close(self, end: int) -> int:
        depth = 1
        for found in _BRACKETS.finditer(self.data, end):
            give_way()
            depth += 1 if self.data[found.end() - 1] in _OPENERS else -1
            if depth == 0:
                return self.line_start(found.start())
        return self.line_start(end)

    def holder(self, start: int) -> int | None:
        """The line that opens what holds this one; of a closing line that what it closes. None for the outermost."""
        if start == 0:
            return None
        level = self.level(start)
        if level >= INDENTED:
            stack = self._deep_stack(start)
            return stack[-1] if stack else None
        if self.closes(start):
            return 0 if level == 0 else self._before(start, level)
        return None if level == 0 else self._before(start, level - 1)

    def _before(self, start: int, level: int) -> int:
        """The last line of a level before another, closing lines left out."""
        if level == 0:
            return 0
        marks = tuple(b"\n" + b"  " * level + first for first in _FIRSTS)
        reach = 2 * level + 2
        stop = start
        while stop > 0:
            give_way()
            base = max(stop - _STEP, 0)
            best = -1
            for mark in marks:
                if self.data.find(mark, base, stop) >= 0:  # a look forwards is twenty times as fast
                    best = max(best, self.data.rfind(mark, base, stop))
            if best >= 0:
                return best + 1
            stop = base + reach - 1 if base else 0
        return 0

    def _deep_stack(self, start: int) -> list[int]:
        """What is open at a line, counted from the last line above it that is told by its blanks."""
        top = self._before(start, INDENTED - 1)
        stack: list[int] = []
        for found in _BRACKETS.finditer(self.data, top, start):
            give_way()
            if self.data[found.end() - 1] in _OPENERS:
                stack.append(self.line_start(found.start()))
            elif stack:
                stack.pop()
        return stack

    def node(self, start: int) -> int:
        """The line that begins the node shown by a line: of a closing line the one that opens it."""
        if not self.closes(start):
            return start
        holder = self.holder(start)
        return start if holder is None else holder

    def tally(self, start: int) -> int | None:
        """How many members or items stand in what a line opens; None where it opens nothing, or deeper than told."""
        level = self.level(start) + 1
        if not self.opens(start) or level > INDENTED - 1:
            return None
        return self._children(self.line_end(start), self.close(start) - 1, level)

    def children(self, start: int) -> Iterator[int]:
        """The lines that begin the members or items of what a line opens."""
        level = self.level(start) + 1
        if not self.opens(start) or level > INDENTED - 1:
            return
        stop = self.close(start)
        pattern = re.compile(rb"\n {%d}(?=[^ \]}])" % (2 * level))
        for found in self._matches(pattern, self.line_end(start), stop):
            yield found.start() + 1

    def _matches(self, pattern: re.Pattern[bytes], start: int, stop: int) -> Iterator[re.Match[bytes]]:
        """`finditer` in steps that end with a line; a pattern begins with a line end and stays on one line."""
        while start < stop:
            give_way()
            end = self.data.find(b"\n", start + _STEP, stop)
            yield from pattern.finditer(self.data, start, stop if end < 0 else end + 1)
            if end < 0:
                return
            start = end

    def levels(self) -> int:
        """How many levels of brackets there are."""
        deepest = 0
        while deepest < INDENTED and self._find(b"\n" + b"  " * (deepest + 1), 0) >= 0:
            deepest += 1
        return deepest

    def blocks(self, level: int) -> Iterator[tuple[int, int]]:
        """The opening and closing line of every object and array of a level, in order."""
        if level >= INDENTED:
            return
        if level == 0:
            if self.opens(0):
                yield 0, self.close(0)
            return
        blanks = 2 * level
        pattern = re.compile(rb"\n {%d}(?:[\]}]|[^ \n\]}](?:[^\n]*[\[{])?(?=\n))" % blanks)
        opened = -1
        for found in self._matches(pattern, 0, len(self.data)):
            at = found.start() + 1
            if self.data[at + blanks] in _CLOSERS:
                if opened >= 0:
                    yield opened, at
                opened = -1
            elif self.data[found.end() - 1] in _OPENERS:
                opened = at

    # ----------------------------------------------------------------------- paths

    def key(self, start: int) -> str | None:
        """The member name on a line, None where there is none."""
        at = self.first(start)
        found = _KEY.match(self.data, at)
        if found is None:
            return None
        text = self.data[at : found.end() - 2].decode("utf-8", "replace")
        try:
            return unquote(text, 0)[0]
        except json.JSONDecodeError:
            return text[1:-1]

    def steps(self, start: int) -> Steps:
        """The way from the top to the node of a line."""
        at: int | None = self.node(start)
        found: list[str | int] = []
        while at is not None:
            if self.level(at) >= INDENTED:
                deep = self._deep_steps(at)
                found += reversed(deep[1])
                at = deep[0]
                continue
            holder = self.holder(at)
            if holder is not None:
                name = self.key(at) if self.bracket(holder) == "{" else None
                found.append(self._number(holder, at) if name is None else name)
            at = holder
        return tuple(reversed(found))

    def _number(self, holder: int, item: int) -> int:
        """The number of an item, counted from the one asked for before where that is in the same array."""
        level = self.level(item)
        known = self._index
        if known is not None and known[0] == holder:
            if known[1] <= item:
                number = known[2] + self._children(known[1], item, level)
            else:
                number = known[2] - self._children(item, known[1], level)
        else:
            number = self._children(self.line_end(holder), item, level) - 1
        self._index = (holder, item, number)
        return number

    def _children(self, start: int, end: int, level: int) -> int:
        """The lines of exactly one level that begin behind `start` up to and with `end`, closing lines left out."""
        mark = b"\n" + b"  " * level
        total = 0
        while start < end:
            give_way()
            # A mark counts where its line end stands; looking past the step finds those that lie across it.
            stop = min(start + _STEP, end)
            reach = stop + len(mark)
            total += self.data.count(mark, start, reach - 1)
            total -= self.data.count(mark + b" ", start, reach)
            total -= self.data.count(mark + b"}", start, reach) + self.data.count(mark + b"]", start, reach)
            start = stop
        return total

    def _deep_steps(self, item: int) -> tuple[int, list[str | int]]:
        """The steps to an item from the last line above it that is told by blanks, and that line."""
        top = self._before(item, INDENTED - 1)
        stack: list[tuple[bool, list[str | int]]] = []
        at = top
        while at <= item:
            if self.closes(at):
                if stack:
                    stack.pop()
            else:
                if stack:
                    is_object, step = stack[-1]
                    name = self.key(at) if is_object else None
                    step[0] = int(step[0]) + 1 if name is None else name
                if at < item and self.opens(at):
                    is_object = self.bracket(at) == "{"
                    stack.append((is_object, [-1 if not is_object else ""]))
            at = self.line_end(at) + 1
        return top, [step[0] for _, step in stack]

    def find(self, steps: Steps) -> int | None:
        """The line of the node at the end of a way; of two members of one name the last. None where there is none."""
        at = 0
        for step in steps:
            if not self.opens(at) or self.level(at) >= INDENTED - 1:
                return None
            found = self._member(at, step) if self.bracket(at) == "{" else self._item(at, step)
            if found is None:
                return None
            at = found
        return at

    def _item(self, start: int, step: str | int) -> int | None:
        return next(islice(self.children(start), step, None), None) if isinstance(step, int) and step >= 0 else None

    def _member(self, start: int, step: str | int) -> int | None:
        name = str(step)
        begin, stop = self.line_end(start), self.close(start)
        blanks = b"\n" + b"  " * (self.level(start) + 1)
        mark = blanks + jsontext.dumps(name).encode("utf-8", "replace") + b": "
        last, found = -1, self._find(mark, begin, stop)
        while found >= 0:
            last, found = found, self._find(mark, found + 1, stop)
        if last >= 0:
            return last + 1
        for at in self.children(start):  # the name may be written with escapes
            if self.key(at) == name:
                last = at
        return last if last >= 0 else None

    def value(self, start: int) -> tuple[int, int]:
        """The bytes of the value that begins on a line: its name, the blanks and the comma left out."""
        first = self.first(start)
        key = _KEY.match(self.data, first)
        begin = key.end() if key else first
        end = self.line_end(self.close(start))
        if end > begin and self.data[end - 1] == 0x2C:
            end -= 1
        return begin, end

    def _find(self, mark: bytes, start: int, stop: int | None = None) -> int:
        """`bytes.find` in steps."""
        end = len(self.data) if stop is None else stop
        while start < end:
            give_way()
            found = self.data.find(mark, start, min(start + _STEP + len(mark) - 1, end))
            if found >= 0:
                return found
            start += _STEP
        return -1


def json_path(steps: Steps) -> str:
    """A way as JSONPath (RFC 9535): `$.worlds[3].name`, names that are no identifiers in brackets and quotes.

    So are names with blanks of any kind, and beyond U+FFFF, which many libraries take in quotes alone.
    """
    return "$" + "".join(_written(step) for step in steps)


def _written(step: str | int) -> str:
    if isinstance(step, int):
        return f"[{step}]"
    if step.isidentifier() and max(step) <= "\uffff":
        return f".{step}"
    return "['" + json.dumps(step, ensure_ascii=False)[1:-1].replace('\\"', '"').replace("'", "\\'") + "']"
