"""Regular expressions out of schemas, tried only where they cannot hang.

Rules of this file:

* Python's matcher backtracks and cannot be stopped, so what could run wild is not tried: that is an answer too.
* A pattern that Python does not know (they are ECMA-262 in JSON Schema) is not tried either.
"""

from __future__ import annotations

import re

_GROUP_REPEATED = re.compile(r"\)[*+{]|\\[1-9]|\(\?P?[=(]")
_UNBOUNDED = re.compile(r"(?<!\\)[*+]|,\}")
_LENGTHS = {0: 100_000, 1: 2_000, 2: 200}  # characters by the number of loops: linear, square, cube of them


def is_tame(pattern: str, length: int) -> bool:
    """Whether a pattern can be tried on a text of this length without fear."""
    loops = len(_UNBOUNDED.findall(pattern))
    return length <= _LENGTHS.get(loops, 0) and not _GROUP_REPEATED.search(pattern)


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
