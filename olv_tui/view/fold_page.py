"""A page of sections, texts and JSON blocks that fold, each line knowing which part of the message it shows.

Rules of this file: places are asked for one at a time and found by searching (view/outline.py); none is kept.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from olv_tui.jsontext.tokens import unquote
from olv_tui.view.fold import Folding, JsonLines
from olv_tui.view.ink import Ink
from olv_tui.view.lines import JoinedLines, Lines
from olv_tui.view.text_lines import TextLines

if TYPE_CHECKING:
    from olv_tui.view.outline import Steps

_LONG_STRING = 1 << 16
"""Bytes of a string above which its characters are not counted."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A node of the message: the way to it; in a text that is JSON itself also the way inside of that.

    `kind` tells what it is ("object {4}", "string, 12 characters"). `ink` are the bytes that are no blanks before it
    and before its end, in the message as it came, where the view knows them.
    """

    steps: Steps
    inner: Steps | None = None
    kind: str = ""
    ink: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """Lines of one value on a page. `ink`: what is counted before it in the message where it was cut out of that.

    `is_inner`: JSON that stands in the text at `steps`.
    """

    first: int
    lines: Lines
    steps: Steps
    is_inner: bool = False
    ink: int | None = None


class PageLines(JoinedLines, Folding):
    """The lines of a page. Sections fold from their heading, JSON in them by its brackets."""

    def __init__(
        self,
        parts: Iterable[Lines],
        headings: Sequence[int] = (),
        blocks: Sequence[Block] = (),
        steps: Mapping[int, Steps] | None = None,
    ) -> None:
        super().__init__(parts)
        self._headings = headings
        self.blocks_shown = blocks
        self._firsts = [block.first for block in blocks]
        self._steps = dict(steps or {})
        self._inks: dict[int, Ink] = {}

    def _json(self, index: int) -> tuple[JsonLines, int] | None:
        """The JSON that a line belongs to, and its line there."""
        part, inner = self._find(index)
        return (part, inner) if isinstance(part, JsonLines) else None

    # ----------------------------------------------------------------------- folding

    def is_head(self, index: int) -> bool:
        """A heading with something below it, or a line that opens a bracket."""
        if self._is_heading(index):
            return self.last(index) > index
        found = self._json(index)
        return found is not None and found[0].is_head(found[1])

    def _is_heading(self, index: int) -> bool:
        at = bisect_left(self._headings, index)
        return at < len(self._headings) and self._headings[at] == index

    def last(self, index: int) -> int:
        """The last line of a section without the empty one below it, or the line of the closing bracket."""
        if self._is_heading(index):
            at = bisect_right(self._headings, index)
            return self._headings[at] - 2 if at < len(self._headings) else len(self) - 1
        found = self._json(index)
        return index if found is None else index - found[1] + found[0].last(found[1])

    def head(self, index: int) -> int | None:
        """The line of the bracket around a line, or the heading above it."""
        found = self._json(index)
        inner = found[0].head(found[1]) if found is not None else None
        if found is not None and inner is not None:
            return index - found[1] + inner
        at = bisect_right(self._headings, index) - 1
        return self._headings[at] if at >= 0 and self._headings[at] < index else None

    def tally(self, index: int) -> str:
        """The lines of a section, or what stands in a bracket."""
        if self._is_heading(index):
            count = self.last(index) - index
            return f"{count:,} line" + ("" if count == 1 else "s")
        found = self._json(index)
        return "" if found is None else found[0].tally(found[1])

    def levels(self) -> int:
        """The sections and the levels of the deepest JSON."""
        return 1 + max((part.levels() for part in self._parts if isinstance(part, JsonLines)), default=0)

    def blocks(self, level: int) -> Iterator[tuple[int, int]]:
        """The sections at level 0, then the blocks of all JSON."""
        if level == 0:
            yield from ((head, last) for head in self._headings if (last := self.last(head)) > head)
            return
        for first, part in self._shifted():
            if isinstance(part, JsonLines):
                for head, last in part.blocks(level - 1):
                    yield first + head, first + last

    # ----------------------------------------------------------------------- places

    def block_at(self, index: int) -> Block | None:
        """The block that a line belongs to."""
        at = bisect_right(self._firsts, index) - 1
        if at < 0:
            return None
        block = self.blocks_shown[at]
        return block if index < block.first + len(block.lines) else None

    def ink_of(self, block: Block) -> Ink:
        """The counts of a block of JSON or text."""
        found = self._inks.get(block.first)
        if found is None:
            assert isinstance(block.lines, TextLines)
            found = self._inks[block.first] = Ink(block.lines.data)
        return found

    def spot(self, index: int) -> Spot | None:
        """What a line shows of the message; None for our own words."""
        block = self.block_at(index)
        if block is None:
            steps = self._steps.get(index)
            return None if steps is None else Spot(steps)
        lines = block.lines
        if not isinstance(lines, JsonLines):
            return Spot(block.steps)
        start = lines.outline.node(lines.start(index - block.first))
        begin, end = lines.outline.value(start)
        steps, ink = lines.outline.steps(start), None
        if block.is_inner or block.ink is not None:
            counted = self.ink_of(block)
            base = block.ink or 0
            ink = (base + counted.before(begin), base + counted.before(end))
        kind = kind_of(lines, start)
        if block.is_inner:
            return Spot(block.steps, steps, kind, ink)
        return Spot((*block.steps, *steps), None, kind, ink)

    def value(self, index: int) -> tuple[JsonLines, int] | None:
        """The JSON that a line belongs to and the byte at which the line of its node starts there."""
        found = self._json(index)
        return None if found is None else (found[0], found[0].outline.node(found[0].start(found[1])))

    def first_of(self, index: int) -> int:
        """The line at which the part that holds a line begins."""
        return index - self._find(index)[1]

    def place(self, spot: Spot) -> tuple[int, int] | None:
        """First and last line of what is shown of a node, or of the nearest thing that holds it."""
        best: tuple[int, tuple[int, int]] | None = None
        for index, steps in self._steps.items():
            if spot.steps[: len(steps)] == steps and (best is None or len(steps) > best[0]):
                best = len(steps), (index, index)
        for block in self.blocks_shown:
            length = len(block.steps)
            if spot.steps[:length] != block.steps or (best is not None and length < best[0]):
                continue
            inside = self._inside(block, spot)
            best = (len(spot.steps) if inside[1] else length), inside[0]
        return None if best is None else best[1]

    def _inside(self, block: Block, spot: Spot) -> tuple[tuple[int, int], bool]:
        """The lines of a node in a block, and whether that is the node itself."""
        lines = block.lines
        whole = (block.first, block.first + len(lines) - 1)
        if not isinstance(lines, JsonLines):
            return whole, spot.steps == block.steps
        if block.ink is not None and spot.ink is not None and not block.is_inner:
            counted = self.ink_of(block)
            start = lines.outline.line_start(counted.place(spot.ink[0] - block.ink))
        else:
            way = spot.inner if block.is_inner else spot.steps[len(block.steps) :]
            found = lines.outline.find(way or ())
            if found is None:
                return whole, False
            start = found
        first = lines.line_at(start)
        return (block.first + first, block.first + lines.line_at(lines.outline.close(start))), True


def kind_of(lines: JsonLines, start: int) -> str:
    """What the value on a line is, in words: "array [1,203]", "string, 12 characters", "number"."""
    bracket = lines.outline.bracket(start)
    if bracket:
        count = lines.outline.tally(start)
        told = "" if count is None else f" {{{count:,}}}" if bracket == "{" else f" [{count:,}]"
        return ("object" if bracket == "{" else "array") + told
    begin, end = lines.outline.value(start)
    data = lines.data
    match data[begin : begin + 1]:
        case b'"':
            if end - begin > _LONG_STRING:
                return f"string, {end - begin - 2:,} bytes"
            count = len(unquote(data[begin:end].decode("utf-8", "replace"), 0)[0])
            return f"string, {count:,} character" + ("" if count == 1 else "s")
        case b"{":
            return "object {0}"
        case b"[":
            return "array [0]"
        case b"t" | b"f":
            return "boolean"
        case b"n":
            return "null"
    return "number"
