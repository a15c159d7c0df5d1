"""Regular expressions out of schemas and searches, tried only where they cannot hang.

Rules of this file:

* Python's matcher backtracks and cannot be stopped, so what could run wild is not tried: that is an answer too.
* How wild is reckoned from the pattern: in how many ways it could be laid over a text, at most. Repeats, options and
  branches count, bounded ones as well: `(a|a)` thirty times over is as bad as `(a+)+`.
* A pattern that Python does not know (they are ECMA-262 in JSON Schema) is not tried either.
"""

from __future__ import annotations

import re
from functools import lru_cache

_MOST = 4_000_000
"""Ways to lay a pattern over a text, counted from every character of it: a few hundredths of a second."""

_BOUNDS = re.compile(r"\{(\d*)(,?)(\d*)\}")
_CLASS = re.compile(r"\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL)
_GROUP = re.compile(r"\(\?(?:P?<\w+>|<?[=!]|>|[aiLmsu]*(?:-[ims]+)?:|:)")
_WHOLE = re.compile(r"\(\?([aiLmsu]+)\)")
_COMMENT = re.compile(r"\(\?#[^)]*\)")
_DEEPEST = 50


def is_tame(pattern: str, length: int) -> bool:
    """Whether a pattern can be tried on a text of this length without fear."""
    return _cost(pattern, length) <= _MOST


def found(pattern: str, text: str) -> bool | None:
    """Whether the pattern occurs in the text; None where it cannot be told."""
    if not is_tame(pattern, len(text)):
        return None
    try:
        return re.search(pattern, text) is not None
    except (re.error, OverflowError, RecursionError):
        return None


def why(pattern: str) -> str:
    """Why a pattern could not be tried."""
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError):
        return "the schema is not usable: a pattern in it is none that can be read here"
    return "a pattern in it may take too long"


class _UnknownError(Exception):
    """What a part of a pattern may cost is not known: it refers back, asks a condition, or is no pattern."""


@lru_cache(maxsize=256)
def _cost(pattern: str, length: int) -> int:
    """The most ways there are to lay a pattern over a text of this length; more than `_MOST` where that is unknown."""
    length = max(length, 1)
    flags = _WHOLE.match(pattern)
    at = flags.end() if flags else 0
    try:
        reader = _Reader(pattern, at, length)
        ways = reader.branches(0)
        if reader.at < len(pattern):
            return _MOST + 1
    except _UnknownError:
        return _MOST + 1
    # What begins with the begin of the text is tried there alone.
    is_fixed = (
        not reader.has_branches and pattern.startswith(("^", r"\A"), at) and "m" not in (flags[1] if flags else "")
    )
    return ways if is_fixed else ways * length


class _Reader:
    """Walks once over a pattern. Ways are counted up to `_MOST` + 1, which stands for all that is more."""

    def __init__(self, pattern: str, at: int, length: int) -> None:
        self.pattern = pattern
        self.at = at
        self.length = length
        self.has_branches = False  # of the whole pattern

    def branches(self, depth: int) -> int:
        """Branches up to the end of a group or of the pattern: the ways of one add to those of the others."""
        if depth > _DEEPEST:
            raise _UnknownError
        ways = self._row(depth)
        while self.pattern.startswith("|", self.at):
            self.at += 1
            self.has_branches = self.has_branches or depth == 0
            ways = min(ways + self._row(depth), _MOST + 1)
        return ways

    def _row(self, depth: int) -> int:
        """One thing after another: each way of one with each of the next."""
        ways = 1
        while self.at < len(self.pattern) and self.pattern[self.at] not in "|)":
            ways = min(ways * self._repeated(self._one(depth)), _MOST + 1)
        return ways

    def _one(self, depth: int) -> int:
        """A character, a class or a group."""
        pattern, at = self.pattern, self.at
        if pattern[at] == "\\":
            if at + 1 >= len(pattern) or pattern[at + 1] in "123456789gk":  # what it refers to, may be of any length
                raise _UnknownError
            self.at += 2
        elif pattern[at] == "[":
            self._skip(_CLASS)
        elif pattern.startswith("(?#", at):
            self._skip(_COMMENT)
        elif pattern[at] == "(":
            if pattern.startswith("(?", at):
                self._skip(_GROUP)
            else:
                self.at += 1
            ways = self.branches(depth + 1)
            if not pattern.startswith(")", self.at):
                raise _UnknownError
            self.at += 1
            return ways
        else:
            self.at += 1
        return 1

    def _skip(self, kind: re.Pattern[str]) -> None:
        found = kind.match(self.pattern, self.at)
        if found is None:
            raise _UnknownError
        self.at = found.end()

    def _repeated(self, ways: int) -> int:
        """The ways of what a quantifier stands behind, by how often that may stand there."""
        pattern, length = self.pattern, self.length
        sign = pattern[self.at : self.at + 1]
        bounds = _BOUNDS.match(pattern, self.at) if sign == "{" else None
        if sign and sign in "?*+":
            least, most = (1 if sign == "+" else 0), (1 if sign == "?" else length)
            self.at += 1
        elif bounds is not None and bounds[0] != "{}":
            least = _number(bounds[1], 0)
            most = max(_number(bounds[3], length) if bounds[2] else least, least)
            self.at = bounds.end()
        else:
            return ways
        if pattern[self.at : self.at + 1] in ("?", "+"):  # lazy or possessive
            self.at += 1
        choices = min(most, length) - min(least, length) + 1 + min(least, length) // 64
        if ways == 1 or most == 0:
            return choices
        return _MOST + 1 if most > 64 else min(ways**most * choices, _MOST + 1)


def _number(digits: str, other: int) -> int:
    return other if not digits else min(int(digits[:9]), 1 << 30)
