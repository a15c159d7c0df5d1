"""The grammar of RFC 8259 as a stream of tokens, and the words for what breaks it.

Rules of this file:

* Iterative: depth costs memory, never the interpreter's stack.
* Nothing is decoded and nothing is thrown away: a token is a place in the text.
* It works on any text; given bytes decoded as latin-1 its places are byte offsets, since JSON's own
  characters are all ASCII.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import cast

_STRING = r'"[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*+"'
_NUMBER = r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?"

_VALUE = re.compile(rf"({_STRING})|({_NUMBER})|(true|false|null)|(NaN|-?Infinity)|(\[)|(\{{)")
_KINDS = " snlc[{"  # by the number of the group in _VALUE
_KEY = re.compile(_STRING)
_SPACE = re.compile(r"[ \t\n\r]*+")
HALF_PAIR = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)"
)
"""Every escape of a sound JSON text in turn; group 1 is set for one that is half of a surrogate pair."""

_WORD = re.compile(r"[A-Za-z_][A-Za-z_0-9]{0,19}")

_BRACKET = "a comma or a closing bracket"
_NAME = "a member name in double quotes"
_DUE = {  # json's words for what it expected, and ours
    "Expecting value": "a value",
    "Expecting ',' delimiter": _BRACKET,
    "Expecting ':' delimiter": "a colon",
    "Expecting property name enclosed in double quotes": _NAME,
}


class JsonError(ValueError):
    """Text that is not JSON. `str()` is the reason without the place.

    `offset` counts characters from 0; `line` and `column` count from 1, in characters.
    """

    def __init__(self, message: str, offset: int, text: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset
        self.line = text.count("\n", 0, offset) + 1
        self.column = offset - text.rfind("\n", 0, offset)


def space(text: str, at: int) -> int:
    """The first place from `at` on that is not JSON white space."""
    match = _SPACE.match(text, at)
    return match.end() if match else at


def tokens(text: str, at: int = 0) -> Iterator[tuple[str, int, int]]:
    """Every token of the value that begins at `at`, as (kind, start, end); the last one ends the value.

    Kinds: `k` a member name, `s` string, `n` number, `l` true/false/null, `c` NaN and the infinities
    (which are not JSON, and left to the caller to refuse), and the four brackets as themselves.
    Commas and colons are checked and not told. Raises JsonError at the first fault.
    """
    open_: list[str] = []
    at = space(text, at)
    while True:
        match = _VALUE.match(text, at)
        if match is None:
            raise unexpected(text, at, "a value")
        kind, end = _KINDS[match.lastindex or 0], match.end()
        yield kind, at, end
        at = space(text, end)
        if kind in "[{":
            closer = "]" if kind == "[" else "}"
            open_.append(closer)
            if not text.startswith(closer, at):
                if kind == "{":
                    yield "k", at, (end := _key(text, at))
                    at = _colon(text, end)
                continue
        while open_:
            found = text[at : at + 1]
            if found == open_[-1]:
                open_.pop()
                yield found, at, at + 1
                at = space(text, at + 1)
            elif found == ",":
                at = space(text, at + 1)
                if open_[-1] == "}":
                    yield "k", at, (end := _key(text, at))
                    at = _colon(text, end)
                break
            else:
                raise unexpected(text, at, f"a comma or {open_[-1]}")
        else:
            return


def end_of(text: str, at: int) -> int:
    """Where the value that begins at `at` ends. Raises JsonError."""
    return max(end for _, _, end in tokens(text, at))


def unquote(text: str, at: int) -> tuple[str, int]:
    """The string whose opening quote is at `at`, unescaped, and its end. Raises json.JSONDecodeError."""
    # The standard library's C scanner; typeshed does not know it.
    return cast("tuple[str, int]", json.decoder.scanstring(text, at + 1))  # type: ignore[attr-defined]


def _key(text: str, at: int) -> int:
    match = _KEY.match(text, at)
    if match is None:
        raise unexpected(text, at, _NAME)
    return match.end()


def _colon(text: str, at: int) -> int:
    at = space(text, at)
    if not text.startswith(":", at):
        raise unexpected(text, at, "a colon")
    return space(text, at + 1)


# --------------------------------------------------------------------------- words


def unexpected(text: str, at: int, due: str) -> JsonError:
    """The fault at `at`, where `due` should stand."""
    if at >= len(text):
        reason = (
            "there is nothing but white space" if not text.strip(" \t\n\r") else f"expected {due}, but the text ends"
        )
        return JsonError(reason, len(text), text)
    found = text[at]
    before = text[:at].rstrip(" \t\n\r") if found in "]}" else ""
    if before.endswith(","):
        return JsonError(f"a comma with nothing after it, before {found}", len(before) - 1, text)
    if found == '"' and not due.startswith(("a comma", "a colon", "the end")):
        try:
            unquote(text, at)
        except json.JSONDecodeError as error:
            return translated(text, error)
    return JsonError(f"expected {due}, found {_shown(text, at)}", at, text)


def translated(text: str, error: json.JSONDecodeError) -> JsonError:
    """An error of the standard library's scanner in the words used here."""
    at, words = error.pos, error.msg
    for theirs, due in _DUE.items():
        if words.startswith(theirs):
            return unexpected(text, at, due)
    if words.startswith("Illegal trailing comma"):  # Python 3.13 and later
        return unexpected(text, space(text, at + 1), "a value")
    if words.startswith("Unterminated string"):
        return JsonError("a string begins here that is never closed", at, text)
    if words.startswith("Invalid control character"):
        return JsonError(f"{_shown(text, at)} stands unescaped in a string", at, text)
    if words.startswith("Invalid \\"):
        at = max(text.rfind("\\", 0, at + 2), 0)
        return JsonError(f"{text[at : at + (6 if text[at + 1 : at + 2] == 'u' else 2)]} is no escape in JSON", at, text)
    return JsonError(words, at, text)


_NAMES = {
    "'": "a single quote (JSON strings stand in double quotes)",
    "\n": "a line break",
    "\r": "a carriage return",
    "\t": "a tab",
    "\ufeff": "a byte order mark",
}


def _shown(text: str, at: int) -> str:
    found = text[at]
    if found in _NAMES:
        return _NAMES[found]
    word = _WORD.match(text, at)
    if word is not None:
        return word[0]
    return found if found.isprintable() else f"U+{ord(found):04X}"
