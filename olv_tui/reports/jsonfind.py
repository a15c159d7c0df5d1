"""JSON values in the middle of other text, exact where they are sound and mended where they are not.

Rules of this file:

* A value is cut out by parsing, never by looking for the last brace.
* What is sound is given verbatim. A mend is named, with its line, and changes nothing inside strings.
* The work is bounded: text of any size and any brackets is looked through once, give or take a factor.
"""

from __future__ import annotations

import json
import re
import string
from collections.abc import Iterator
from dataclasses import dataclass

from olv_tui import jsontext
from olv_tui.jsontext.tokens import end_of
from olv_tui.reports.lenient import mend

_SKIP = json.JSONDecoder(parse_int=lambda _: 0, parse_float=lambda _: 0.0)  # int() refuses 5,000 digits
_TELLING = re.compile(r"\bjsonrpc\\?[\"']?\s*:")
_NEAR = 2_000  # characters before `jsonrpc` in which the message begins
_START = re.compile(r"\{|\[(?=\s*\{)")
_SOUND = re.compile(r"(?:\[\s*)?\{\s*[\"}]")
_STRICT_WORK = 10_000_000  # characters of failed attempts by the C scanner, a second or so
_LONG = 10_000  # characters that were sound before a fault: what cannot be mended there is not tried
_MENDABLE = frozenset("'“”‘’„‟‚‛«»/:=%}]\t\xa0\u2007\u202f\u200b\ufeff\u2060" + string.ascii_letters)
_IN_VAIN = 4  # times as much does an attempt count that led to nothing
_MENDING_WORK = 1_000_000  # the same by the mender, which is Python
# The scanner counts the lines before each fault, so it is given a text that begins near the place: 200,000 braces
# took 7 s without this and take 1.6 s with it.
_WINDOW = 16_384
_ATTEMPT = 500  # what beginning to mend costs, as characters


@dataclass(frozen=True, slots=True)
class Found:
    """A JSON value in a text: its place, its (strict) JSON text, and what was mended in it."""

    start: int
    end: int
    text: str
    mends: tuple[str, ...] = ()


def value_end(text: str, at: int) -> int | None:
    """Where the sound JSON value that begins at `at` ends, or None."""
    return _attempt(text, at)[0]


def find(text: str, start: int = 0, stop: int | None = None) -> Iterator[Found]:
    """Every object, and every array of objects, that is not inside another one found."""
    end_of_text = len(text) if stop is None else stop
    text = text[:end_of_text] if end_of_text < len(text) else text
    strict, mending = _STRICT_WORK, _MENDING_WORK
    at = base = start
    window = text[base:]
    while strict > 0 and (match := _START.search(text, at)) is not None:
        at = match.start()
        if at - base > _WINDOW:
            base, window = at, text[at:]
        # A failed attempt costs the scanner an exception, so what cannot be is not tried.
        end, work = _attempt(window, at - base) if _SOUND.match(window, at - base) else (None, 0)
        strict -= work + 16
        if end is not None:
            yield Found(at, base + end, window[at - base : end])
            at = base + end
            continue
        is_hopeless = work > _LONG and text[at + work : at + work + 1] not in _MENDABLE
        mended = mend(text, at) if mending > 0 and not is_hopeless else None
        if mended is not None:
            mending -= (mended.end - at + _ATTEMPT) * (1 if mended.text is not None else _IN_VAIN)
            if mended.text is not None:
                yield Found(at, mended.end, mended.text, mended.mends)
                at = mended.end
                continue
        at += 1


def fault(text: str) -> str | None:
    """Why a text that begins like JSON is none, with line and column; None where it does not begin so."""
    stripped = text.strip()
    if not stripped.startswith(("{", "[")):
        return None
    try:
        jsontext.loads(stripped)
    except jsontext.JsonError as error:
        line = error.line + text[: len(text) - len(text.lstrip())].count("\n")
        return f"{error} (line {line}, column {error.column})"
    return None


def cut_off(text: str) -> str | None:
    """Why the value that a text begins with is none; None where it is one, whatever stands behind it."""
    start = len(text) - len(text.lstrip())
    return fault(text) if value_end(text, start) is None and mend(text, start).text is None else None


def broken(text: str, besides: str = "") -> str | None:
    """Why the message whose beginning stands in a text is no JSON; None where there is none (`besides` is left out)."""
    match = _TELLING.search(text.replace(besides, " ", 1) if besides else text)
    if match is None:
        return None
    start = text.rfind("{", max(0, match.start() - _NEAR), match.start())
    why = fault(text[max(start, 0) :])
    return f"{why}, counted from where it begins" if why and start > 0 else why or "its brackets do not match"


def _attempt(text: str, at: int) -> tuple[int | None, int]:
    """The end of the value at `at`, or None; and how many characters were read up to the fault."""
    try:
        return _SKIP.raw_decode(text, at)[1], 0
    except RecursionError:
        pass
    except json.JSONDecodeError as error:
        # A string that is never closed is one that was cut off: nothing is behind it.
        return None, (len(text) if error.msg.startswith("Unterminated") else error.pos) - at
    try:
        return end_of(text, at), 0
    except jsontext.JsonError as error:
        return None, error.offset - at
