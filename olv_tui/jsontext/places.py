"""Where the oddities of a JSON text stand: byte offset and JSON pointer of NaN, duplicates, overflows, half pairs.

Rules of this file:

* It runs only when the fast reader has said that there is something to find, and reads only as far as
  it must: a few findings of each kind, a few megabytes.
* It works on the bytes (as latin-1), so offsets are exact also where the UTF-8 is not sound.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import isinf

from olv_tui.jsontext.tokens import HALF_PAIR, JsonError, tokens, unquote
from olv_tui.model import Severity, Violation

_LISTED = 10  # findings of one kind that are told one by one
_BYTES = 2_000_000  # read at most: half a second of the token machine
_UNPLACED = {
    "J03": "NaN or Infinity stands in it, which are not JSON",
    "J04": "a number in it is too large for a double and becomes infinity in most readers",
    "J05": "a member name stands more than once in one object; readers differ in which they take",
    "J06": "a \\u escape in it is half of a surrogate pair, which is no character",
}


@dataclass(slots=True)
class _Container:
    """An open bracket: where in it the reader is, and which names it has had."""

    is_object: bool
    step: str | int = -1
    names: set[str] = field(default_factory=set)


def pointer(parts: Iterable[str | int]) -> str:
    """A JSON pointer (RFC 6901) of these steps."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)


def locate(data: bytes, start: int, wanted: dict[str, Severity]) -> list[Violation]:
    """A violation for each oddity of the wanted codes in the JSON value at `start`, with its place.

    Above ten of a code one more violation says that there are others; where none was met within the
    first megabytes one without a place stands for them.
    """
    found: dict[str, list[Violation]] = {code: [] for code in wanted}
    over: set[str] = set()
    try:
        for code, offset, path, message in _oddities(data.decode("latin-1"), start):
            if code not in wanted:
                continue
            if len(found[code]) < _LISTED:
                found[code].append(Violation(code, wanted[code], message, path, offset))
            else:
                over.add(code)
                if len(over) == len(wanted):
                    break
    except JsonError:
        pass  # what follows a sound value is told by the reader
    for code, severity in wanted.items():
        if code in over:
            found[code].append(Violation(code, severity, f"more than {_LISTED} in all: {_UNPLACED[code]}"))
        elif not found[code]:
            found[code].append(Violation(code, severity, _UNPLACED[code]))
    return [violation for code in sorted(found) for violation in found[code]]


def _oddities(text: str, at: int) -> Iterator[tuple[str, int, str, str]]:
    """(code, byte offset, pointer, sentence) in the order of the text."""
    stack: list[_Container] = []
    limit = at + _BYTES
    for kind, start, end in tokens(text, at):
        if start > limit:
            return
        if kind in "]}":
            stack.pop()
            continue
        if kind == "k":
            here = stack[-1]
            name = here.step = _decoded(text, start)
            if name in here.names:
                yield (
                    "J05",
                    start,
                    _path(stack),
                    f'the name "{name}" stands more than once in one object; readers differ in which they take',
                )
            here.names.add(name)
        elif stack and not stack[-1].is_object:
            stack[-1].step = int(stack[-1].step) + 1
        if kind in "[{":
            stack.append(_Container(kind == "{"))
        elif kind in "ks":
            for match in HALF_PAIR.finditer(text, start, end) if "\\u" in text[start:end] else ():
                if match[1]:
                    message = f"{match[0]} is half of a surrogate pair, which is no character"
                    yield "J06", match.start(), _path(stack), message
        elif kind == "c":
            yield "J03", start, _path(stack), f"{text[start:end]} is not JSON"
        elif kind == "n" and not text[start:end].lstrip("-").isdigit() and isinf(float(text[start:end])):
            message = f"{text[start:end][:40]} is too large for a double and becomes infinity in most readers"
            yield "J04", start, _path(stack), message


def _path(stack: list[_Container]) -> str:
    return pointer(container.step for container in stack)


def _decoded(text: str, start: int) -> str:
    """A member name as text: unescaped, and read as the UTF-8 that the bytes are."""
    end = unquote(text, start)[1]
    return unquote(text[start:end].encode("latin-1").decode("utf-8", "replace"), 0)[0]
