"""The smallest JSON text for which something still holds: delta debugging on the text itself.

After Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input" (2002), applied to the tree of a
text from the outside in (Misherghi and Su, "HDD", 2006).

Rules of this file:

* Exact text: what stays, stays to the character, with its digits, escapes, order and duplicates. Only whole members,
  items, characters and digits go.
* Every question costs a call of somebody's server: the largest pieces are tried first, no text twice, and never more
  than was agreed.
* What holds for a text is asked and never concluded; the text that is given back was asked about.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field

from olv_tui.jsontext.tokens import tokens

MOST = 60
"""Calls that are asked for where nothing else is said."""

_UNIT = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|[^\\]", re.DOTALL)
_INTEGER = re.compile(r"-?\d{1,18}")

_PARTS = 16
"""Of a long string no smaller part than this is tried until nothing else can go: character by character, it would use
up the calls.
"""

Path = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Progress:
    """So many calls were made of at most so many; characters of the text at first and of the smallest so far."""

    calls: int
    most: int
    before: int
    now: int


@dataclass(frozen=True, slots=True)
class Minimum:
    """The smallest text found. `is_least`: nothing more could be taken out; else the calls were used up."""

    text: str
    calls: int
    is_least: bool


class _SpentError(Exception):
    """The calls that were agreed on are used up."""


async def minimise(
    text: str,
    same: Callable[[str], Awaitable[bool]],
    *,
    most: int = MOST,
    tell: Callable[[Progress, str], None] | None = None,
) -> Minimum:
    """The smallest text for which `same` still says yes, found with at most `most` questions.

    `text` is sound JSON for which it does. `tell` hears of every question, with the smallest text so far. Whatever
    `same` raises comes through.
    """
    search = _Search(text, same, most, tell)
    try:
        for parts in (_PARTS, 0):
            before = ""
            while before != search.text:
                before = search.text
                await search.round(parts)
    except _SpentError:
        return Minimum(search.text, search.calls, is_least=False)
    return Minimum(search.text, search.calls, is_least=True)


@dataclass(slots=True)
class _Search:
    text: str
    same: Callable[[str], Awaitable[bool]]
    most: int
    tell: Callable[[Progress, str], None] | None
    before: int = 0
    calls: int = 0
    tried: set[str] = field(default_factory=set)
    read: tuple[str, _Node] | None = None

    @property
    def root(self) -> _Node:
        """The tree of the present text, read once."""
        if self.read is None or self.read[0] is not self.text:
            self.read = self.text, _tree(self.text)
        return self.read[1]

    def __post_init__(self) -> None:
        self.before = len(self.text)
        self.tried.add(self.text)

    async def holds(self, candidate: str) -> bool:
        """Whether it holds for a candidate, which is the text from then on."""
        if candidate in self.tried:
            return False
        if self.calls >= self.most:
            raise _SpentError
        self.tried.add(candidate)
        self.calls += 1
        holds = await self.same(candidate)
        if holds:
            self.text = candidate
        if self.tell is not None:
            self.tell(Progress(self.calls, self.most, self.before, len(self.text)), self.text)
        return holds

    async def round(self, parts: int) -> None:
        """Containers from the outside in, then the plain values, the longest first; of a string no smaller part than
        one of so many, or (0) each character.
        """
        level: list[Path] = [()]
        while level:
            for path in level:
                await self._thin_container(path)
            level = [child for path in level for child in _children(self.root, path)]
        paths = [path for path, node in _walk(self.root) if node.kind in "sn"]
        sizes = {path: _at(self.root, path).size for path in paths}
        for path in sorted(paths, key=lambda one: -sizes[one]):
            node = _at(self.root, path)
            await (self._thin_string(path, parts) if node.kind == "s" else self._lower(path))

    async def _thin_container(self, path: Path) -> None:
        def count() -> int:
            return len(_at(self.root, path).members)

        await self._thin(count, lambda start, end: _without(self.text, _at(self.root, path), start, end))

    async def _thin_string(self, path: Path, parts: int) -> None:
        def units() -> list[str]:
            node = _at(self.root, path)
            return _UNIT.findall(self.text[node.start + 1 : node.end - 1])

        def without(start: int, end: int) -> str:
            node, left = _at(self.root, path), units()
            del left[start:end]
            return self.text[: node.start + 1] + "".join(left) + self.text[node.end - 1 :]

        await self._thin(lambda: len(units()), without, len(units()) // parts if parts else 0)

    async def _thin(self, count: Callable[[], int], without: Callable[[int, int], str], least: int = 0) -> None:
        """Take out pieces, first all, then halves, down to one (or `least`) at a time."""
        size = count()
        while size and size >= least:
            at = 0
            while at < (number := count()):
                if not await self.holds(without(at, min(at + size, number))):
                    at += size
            size = min(size // 2, count())

    async def _lower(self, path: Path) -> None:
        """Put a smaller number in place, the smallest first."""
        lowered = True
        while lowered:
            lowered = False
            node = _at(self.root, path)
            for number in _lower_than(self.text[node.start : node.end]):
                if await self.holds(self.text[: node.start] + number + self.text[node.end :]):
                    lowered = True
                    break


def _lower_than(number: str) -> Iterator[str]:
    """Smaller and shorter numbers, the smallest first."""
    if number in ("0", "1"):
        return
    yield "0"
    yield "1"
    if number.startswith("-"):
        yield number[1:]
    whole = re.match(r"-?\d+", number)
    assert whole is not None
    if whole[0] != number:
        yield whole[0]
    if _INTEGER.fullmatch(number):
        half = int(int(number) / 2) if abs(int(number)) < 2**52 else int(number) // 2
        if half not in (0, 1):
            yield str(half)
    else:
        digits = whole[0][: max(len(whole[0]) // 2, 1)]
        if digits not in ("-", whole[0]):
            yield digits


# --------------------------------------------------------------------------- the tree of a text


@dataclass(slots=True)
class _Node:
    """A value in a text: its kind as `tokens` has it, where it stands, its members and where each begins."""

    kind: str
    start: int
    end: int = 0
    members: list[tuple[int, _Node]] = field(default_factory=list)

    @property
    def size(self) -> int:
        """Characters."""
        return self.end - self.start


def _tree(text: str) -> _Node:
    root: _Node | None = None
    stack: list[_Node] = []
    key: int | None = None
    for kind, start, end in tokens(text):
        if kind == "k":
            key = start
            continue
        if kind in "]}":
            stack.pop().end = end
            continue
        node = _Node(kind, start, end)
        if stack:
            stack[-1].members.append((start if key is None else key, node))
        key = None
        root = root or node
        if kind in "[{":
            stack.append(node)
    assert root is not None
    return root


def _at(root: _Node, path: Path) -> _Node:
    for index in path:
        root = root.members[index][1]
    return root


def _children(root: _Node, path: Path) -> list[Path]:
    """The containers in a container, the largest first."""
    members = _at(root, path).members
    inner = [(node.size, index) for index, (_, node) in enumerate(members) if node.kind in "[{"]
    return [(*path, index) for _, index in sorted(inner, reverse=True)]


def _walk(root: _Node) -> Iterator[tuple[Path, _Node]]:
    stack: list[tuple[Path, _Node]] = [((), root)]
    while stack:
        path, node = stack.pop()
        yield path, node
        stack += [((*path, index), inner) for index, (_, inner) in enumerate(node.members)]


def _without(text: str, node: _Node, start: int, end: int) -> str:
    """A text without some members of a container, and without the commas that go with them."""
    members = node.members
    if end - start == len(members):
        return text[: node.start + 1] + text[node.end - 1 :]
    if end < len(members):
        return text[: members[start][0]] + text[members[end][0] :]
    return text[: members[start - 1][1].end] + text[members[-1][1].end :]
