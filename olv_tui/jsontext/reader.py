"""Text to exact values: numbers by their text, duplicates kept, any depth, every oddity named with its place.

Rules of this file:

* `parse` never raises, whatever the bytes. What can be recovered of a value is recovered.
* The standard library's C scanner does the work (10 MB: 1.1 times json.loads, the collector being off
  meanwhile; with it on it would be 2.0). Only what it cannot do, depth, goes through `tokens`.
* Places are looked for only where the fast path has said that there is something to find.
"""

from __future__ import annotations

import gc
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import isinf
from typing import Any, cast

from olv_tui.jsontext.places import locate
from olv_tui.jsontext.tokens import HALF_PAIR, JsonError, space, tokens, translated, unexpected, unquote
from olv_tui.model import Number, Object, Rule, Severity, Value, Violation

_RFC = "RFC 8259"
RULES: dict[str, Rule] = {
    rule.code: rule
    for rule in (
        Rule("J01", Severity.ERROR, "The body is not JSON", f"{_RFC} 2; JSON-RPC 2.0, 4 and 5"),
        Rule("J02", Severity.WARNING, "A byte order mark before the JSON", f"{_RFC} 8.1"),
        Rule("J03", Severity.ERROR, "NaN or Infinity, which are not JSON", f"{_RFC} 6"),
        Rule("J04", Severity.WARNING, "A number that overflows to infinity", f"{_RFC} 6"),
        Rule("J05", Severity.WARNING, "The same member name twice in one object", f"{_RFC} 4"),
        Rule("J06", Severity.WARNING, "Text that is not Unicode: bad UTF-8 or half a surrogate pair", f"{_RFC} 8"),
        Rule("J09", Severity.INFO, "Text with invisible or bidirectional characters", "UTS #39, 3.1; UAX #9, 3.1"),
    )
}

_BOM = b"\xef\xbb\xbf"
_COLLECTOR_OFF = 65_536  # characters; below it the collector costs less than switching it
_SMALL = 262_144  # characters that the token machine reads in well under half a second, for exact words
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


@dataclass(frozen=True, slots=True)
class Parsed:
    """What came of reading bytes as JSON (RFC 8259).

    `value` means something only where `has_value`. `valid` is False where the bytes are not JSON, also
    where the value could be recovered (trailing text, NaN, bad UTF-8). Offsets in `violations` count bytes of the
    input. `source` is the text, or the bytes of it where nobody has decoded them yet.
    """

    value: Value
    has_value: bool
    valid: bool
    source: str | bytes
    violations: tuple[Violation, ...] = ()

    @property
    def text(self) -> str:
        """The decoded text without byte order mark, bad UTF-8 as U+FFFD."""
        return self.source if isinstance(self.source, str) else self.source.decode()


@dataclass(slots=True)
class _Seen:
    """How many oddities the fast path met, by code."""

    counts: dict[str, int] = field(default_factory=dict)

    def note(self, code: str) -> None:
        self.counts[code] = self.counts.get(code, 0) + 1


def loads(text: str) -> Value:
    """The value of a JSON text, exact. Strict: raises JsonError for anything that RFC 8259 does not allow.

    Duplicate members and lone surrogate escapes are allowed there and kept.
    """
    seen = _Seen()
    value, end = _read(text, seen)
    if end < len(text):
        raise unexpected(text, end, "the end of the text")
    if "J03" in seen.counts:
        for kind, start, stop in tokens(text):
            if kind == "c":
                raise JsonError(f"{text[start:stop]} is not JSON", start, text)
    return value


def parse(data: bytes) -> Parsed:
    """Read bytes as JSON and name what is wrong with them (rules J01 to J06). Never raises."""
    start = len(_BOM) if data.startswith(_BOM) else 0
    found: list[Violation] = []
    if start:
        found.append(_violation("J02", "a byte order mark stands before the JSON; it was skipped", 0))
    try:
        text, sound = str(memoryview(data)[start:], "utf-8"), True
    except UnicodeDecodeError as error:
        text, sound = data[start:].decode("utf-8", "replace"), False
        byte = data[start + error.start]
        message = f"the byte 0x{byte:02X} is not UTF-8; it is shown as U+FFFD"
        found.append(Violation("J06", Severity.ERROR, message, None, start + error.start))
    seen = _Seen()
    try:
        value, end = _read(text, seen)
    except JsonError as error:
        at = _byte_offset(data, start, text, error.offset, sound)
        found.append(_violation("J01", _not_json(data, error, at), at))
        return Parsed(None, False, False, text, tuple(found))
    if end < len(text):
        at = _byte_offset(data, start, text, end, sound)
        found.append(_violation("J01", f"there is more after the JSON value, at byte {at}: {text[end : end + 40]}", at))
    if _has_lone_surrogate(text, end):
        seen.note("J06")
    if seen.counts:
        severities = {code: RULES[code].severity for code in seen.counts}
        found += locate(data, start, severities)
    valid = sound and end == len(text) and "J03" not in seen.counts
    return Parsed(value, True, valid, text, tuple(found))


def is_even(text: str) -> bool:
    """Whether a text is sound JSON without oddities (rules J01 and J03 to J05). Half surrogate pairs are not sought.

    The same scanner reads it, and what it reads is dropped at once: memory holds no value.
    """
    seen = _Seen()

    def members(pairs: list[tuple[str, Any]]) -> None:
        if len(dict(pairs)) != len(pairs):
            seen.note("J05")

    def fraction(written: str) -> None:
        if isinf(float(written)):
            seen.note("J04")

    # Of an integer nothing can be odd; `len` is the cheapest function that takes its text.
    skimmer = json.JSONDecoder(
        object_pairs_hook=members, parse_int=len, parse_float=fraction, parse_constant=lambda _: seen.note("J03")
    )
    try:
        with _without_collector(text):
            end = space(text, skimmer.raw_decode(text, space(text, 0))[1])
    except (json.JSONDecodeError, RecursionError):
        return False
    return end == len(text) and not seen.counts


# --------------------------------------------------------------------------- reading


@contextmanager
def _without_collector(text: str) -> Iterator[None]:
    """Keep the collector off while many values are made: it would double the time."""
    collecting = len(text) > _COLLECTOR_OFF and gc.isenabled()
    if collecting:
        gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _read(text: str, seen: _Seen) -> tuple[Value, int]:
    """The value at the start of `text`, and where what follows it begins. Raises JsonError."""
    try:
        with _without_collector(text):
            value, end = _scanner(seen).raw_decode(text, space(text, 0))
    except json.JSONDecodeError as error:
        if len(text) <= _SMALL:
            for _ in tokens(text):  # raises with the exact words: which bracket was due
                pass
        raise translated(text, error) from None
    except RecursionError:
        seen.counts.clear()
        with _without_collector(text):
            value, end = _build(text, seen)
    return cast("Value", value), space(text, end)


def _scanner(seen: _Seen) -> json.JSONDecoder:
    """A decoder to exact values that counts oddities. Its hooks see each number and object once."""

    def members(pairs: list[tuple[str, Any]]) -> Object:
        made = Object(pairs)
        if made.pairs is not None:
            seen.note("J05")
        return made

    return json.JSONDecoder(
        object_pairs_hook=members,
        parse_int=cast("Callable[[str], int]", Number),
        parse_float=cast("Callable[[str], float]", lambda text: _fraction(text, seen)),
        parse_constant=lambda text: _constant(text, seen),
    )


def _fraction(text: str, seen: _Seen) -> Number:
    if isinf(float(text)):
        seen.note("J04")
    return Number(text)


def _constant(text: str, seen: _Seen) -> Number:
    seen.note("J03")
    return Number(text)


_LITERALS: dict[str, Value] = {"true": True, "false": False, "null": None}


def _build(text: str, seen: _Seen) -> tuple[Value, int]:
    """The same as the scanner, for a depth that the interpreter's stack does not hold."""
    holders: list[list[Any]] = [[]]  # of values, or of members, innermost last
    names: list[str] = []
    owners: list[bool] = []  # per open bracket: an object?
    end = 0
    for kind, start, end in tokens(text):
        value: Value
        if kind == "k":
            names.append(unquote(text, start)[0])
            continue
        if kind in "[{":
            owners.append(kind == "{")
            holders.append([])
            continue
        if kind in "]}":
            inner = holders.pop()
            value = Object(inner) if owners.pop() else inner
            if isinstance(value, Object) and value.pairs is not None:
                seen.note("J05")
        elif kind == "s":
            value = unquote(text, start)[0]
        elif kind == "l":
            value = _LITERALS[text[start:end]]
        elif kind == "c":
            value = _constant(text[start:end], seen)
        else:
            value = _number(text[start:end], seen)
        holders[-1].append((names.pop(), value) if owners and owners[-1] else value)
    return holders[0][0], end


def _number(text: str, seen: _Seen) -> Number:
    number = Number(text)
    return number if number.is_integer else _fraction(text, seen)


# --------------------------------------------------------------------------- findings


def _violation(code: str, message: str, offset: int | None) -> Violation:
    return Violation(code, RULES[code].severity, message, None, offset)


def _not_json(data: bytes, error: JsonError, at: int) -> str:
    if not data:
        return "the body is empty"
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or data[1:4:2] == b"\0\0" or data[0:3:2] == b"\0\0":
        return f"this looks like UTF-16, and JSON is sent as UTF-8 ({error} at byte {at})"
    return f"{error} at byte {at}"


def _byte_offset(data: bytes, start: int, text: str, at: int, sound: bool) -> int:
    """The byte of a character. In unsound text the same fault is looked up in the bytes themselves."""
    if sound:
        return start + len(text[:at].encode("utf-8", "surrogatepass"))
    try:
        _, end = _read(data[start:].decode("latin-1"), _Seen())
    except JsonError as error:
        return start + error.offset
    return start + end


def _has_lone_surrogate(text: str, end: int) -> bool:
    if "\\u" not in text or _SURROGATE.search(text, 0, end) is None:
        return False
    return any(match[1] for match in HALF_PAIR.finditer(text, 0, end))
