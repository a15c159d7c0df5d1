"""Why a form cannot take a text: the reason in words and the place.

Rules of this file:

* Nothing raises; a text is either sound or has one problem, the first.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from olv_tui import jsontext
from olv_tui.jsontext.tokens import space
from olv_tui.schema.text import below, parent, steps

_DEPTH = 50  # levels down to which a value edited as one piece is looked for


@dataclass(frozen=True, slots=True)
class Problem:
    """What stands in the way. `pointer` is the place in the arguments.

    `offset` counts characters in the text that was given, `line` and `column` count from 1; None where the
    fault is none of the text.
    """

    reason: str
    pointer: str = ""
    offset: int | None = None
    line: int | None = None
    column: int | None = None

    @property
    def sentence(self) -> str:
        """Reason and place in words."""
        return self.reason if self.line is None else f"line {self.line}, column {self.column}: {self.reason}"


def sound(text: str, pointer: str, is_opaque: Callable[[str], bool]) -> Problem | None:
    """The problem of a JSON text that is to stand at a pointer, None where there is none.

    A name that stands twice is one only where fields are shown: inside a value that is edited as one piece
    (`is_opaque`, asked for pointers in the arguments) duplicates are kept.
    """
    if _is_plainly_sound(text):
        return None
    data = text.encode("utf-8", "surrogatepass")
    read = jsontext.parse(data)
    try:
        if not read.valid:
            jsontext.loads(text)
    except jsontext.JsonError as error:
        return Problem(error.message, pointer, error.offset, error.line, error.column)
    for found in read.violations:
        if found.code == "J05":
            problem = _twice(found.at, found.offset, data, pointer, is_opaque)
            if problem:
                return problem
        elif found.code == "J02":
            return Problem("a byte order mark stands before the JSON", pointer, 0, 1, 1)
    return None


def _is_plainly_sound(text: str) -> bool:
    """Whether the text is JSON without duplicates; False is no answer yet.

    The common case without making exact values: 1 MB of numbers in 12 ms instead of 55, at every key typed in it.
    """
    try:
        _, end = _QUICK.raw_decode(text, space(text, 0))
    except (ValueError, RecursionError):
        return False
    return space(text, end) == len(text)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError
    return made


def _refuse(_constant: str) -> float:
    raise ValueError


_QUICK = json.JSONDecoder(object_pairs_hook=_once, parse_int=float, parse_constant=_refuse)


def _twice(
    at: str | None, offset: int | None, data: bytes, pointer: str, is_opaque: Callable[[str], bool]
) -> Problem | None:
    if at is None or offset is None:
        return Problem("names stand more than once in it; a form shows each name once", pointer)
    around, name = parent(pointer + at)
    place, rest = pointer, steps(around[len(pointer) :])
    for step in (*rest[:_DEPTH], None):
        if is_opaque(place):
            return None
        place = place if step is None else below(place, step)
    before = data[:offset].decode("utf-8", "surrogatepass")
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    reason = f'the name "{name}" stands more than once in one object; a form shows each name once'
    return Problem(reason, pointer + at, len(before), line, column)
