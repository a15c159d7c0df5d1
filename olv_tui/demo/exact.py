"""JSON in and out for the demo server, with the parts that must be echoed to the letter kept as text.

Rules of this file: what is echoed (request ids, progress tokens) is never parsed and printed again, so `1.0`
and an id of 19 digits come back as they were sent; nothing that a client sends makes the output invalid JSON.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, TypeAlias

JsonObject: TypeAlias = dict[str, Any]

_SPACE = re.compile(r"[ \t\n\r]*")
_LONE = re.compile("[\ud800-\udfff]")
_MARK = re.compile('"\udfff(\\d+)\udfff"')
"""Where a Raw stands while json.dumps runs: two lone surrogates, which no text of the demo holds."""


class Raw:
    """JSON text that is written as it is."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def _integer(text: str) -> int | Raw:
    # Python refuses more than 4300 digits; such a number is no value the demo computes with.
    return int(text) if len(text) <= 4000 else Raw(text)


def _fraction(text: str) -> float | Raw:
    value = float(text)
    return value if math.isfinite(value) else Raw(text)


def _refuse(word: str) -> None:
    raise ValueError(f"{word} is not JSON")


_DECODER = json.JSONDecoder(parse_int=_integer, parse_float=_fraction, parse_constant=_refuse)


def loads(text: str) -> Any:
    """The value of a JSON text; numbers beyond Python's are Raw.

    Raises ValueError for what is not JSON and RecursionError for what is nested too deeply.
    """
    return _DECODER.decode(text)


def members(text: str) -> dict[str, str]:
    """The members of a JSON object, each value as its own text; empty for any other value.

    `text` is sound JSON (`loads` took it). Of duplicates the last one counts, as in `loads`.
    """
    found: dict[str, str] = {}
    at = _skip(text, 0)
    if text[at : at + 1] != "{":
        return found
    at = _skip(text, at + 1)
    while text[at] != "}":
        name, at = _DECODER.raw_decode(text, at)
        start = _skip(text, _skip(text, at) + 1)
        _, end = _DECODER.raw_decode(text, start)
        found[name] = text[start:end]
        at = _skip(text, end)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return found


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def dumps(value: object) -> str:
    """Compact JSON: no spaces, non-ASCII kept, lone surrogates escaped, Raw as it is."""
    raws: list[str] = []

    def keep(item: object) -> str:
        if not isinstance(item, Raw):
            raise TypeError(f"{type(item).__name__} is no JSON value")
        raws.append(item.text)
        return f"\udfff{len(raws) - 1}\udfff"

    def put_back(found: re.Match[str]) -> str:
        number = int(found[1])
        return raws[number] if number < len(raws) else found[0]

    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=keep)
    if raws:
        text = _MARK.sub(put_back, text)
    return _LONE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
