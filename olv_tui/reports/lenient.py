"""JSON as people paste it, made strict: trailing commas, typographic and single quotes, Python's words.

Rules of this file:

* What cannot be mended for certain is not mended: a line break inside a string, a missing bracket.
* Strings that are sound are copied verbatim; so is white space. Every mend is named with its line.
* Iterative. What is searched for without knowing whether it comes (a closing quote, the end of a comment) is
  searched for in ten thousand characters, so that no text costs its length squared.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from olv_tui import jsontext

_SOUND = re.compile(r'"[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*+"')
_TABBED = re.compile(r'"[^"\\\x00-\x08\x0a-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x08\x0a-\x1f]*+)*+"')
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?(?![\w.])")
_WORD = re.compile(r"(?:true|false|null|NaN|-?Infinity|True|False|None|nil)(?!\w)")
_NAME = re.compile(r":?([A-Za-z_$][\w$]{0,99})")  # with the colon of a symbol in Ruby
_UNDEFINED = re.compile(r"undefined(?!\w)")
_SPACE = re.compile(r"[ \t\r\n]+")
_ODD_SPACE = re.compile("[\xa0\u2007\u202f\u200b\ufeff\u2060]+")
_COMMENT = re.compile(r"//[^\n]{0,9999}|/\*.{0,9999}?\*/", re.DOTALL)
_SINGLE = re.compile(r"'((?:[^'\\\n\r]|\\[^\n\r])*+)'")
_CURLY = re.compile("[“”„‟«»]([^\n\r]{0,9999}?)[“”‟«»](?=\\s*(?:[,:}\\]]|$))")
_CURLY_SINGLE = re.compile("[‘’‚‛]([^\n\r]{0,9999}?)[‘’‛](?=\\s*(?:[,:}\\]]|$))")
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|.)", re.DOTALL)
_PYTHON = {"True": "true", "False": "false", "None": "null", "nil": "null"}


@dataclass(frozen=True, slots=True)
class Mended:
    """What came of mending: the strict text, or None; `end` is how far it was read."""

    text: str | None
    end: int
    mends: tuple[str, ...] = ()


class _Fault(Exception):  # noqa: N818  a way out of a loop, caught below
    """Here it cannot go on."""


class _Mender:
    """Reads one value from `at` on and writes it strictly."""

    def __init__(self, text: str, at: int) -> None:
        self.text = text
        self.at = at
        self.out: list[str] = []
        self.mends: dict[str, None] = {}
        self.member = 0
        """Where the last member begins in `out`."""
        self.is_left_out = False

    def run(self) -> None:
        """Read the value. Raises _Fault."""
        open_: list[str] = []
        while True:
            self.space()
            if self.text.startswith("%{", self.at):
                self.note("maps of Elixir became objects")
                self.put("", 1)
            found = self.text[self.at : self.at + 1]
            if found in ("{", "["):
                open_.append("}" if found == "{" else "]")
                self.put(found, 1)
                self.space()
                if not self.text.startswith(open_[-1], self.at):
                    if open_[-1] == "}":
                        self.name()
                    continue
            elif open_[-1:] == ["}"] and (match := _UNDEFINED.match(self.text, self.at)):
                self.note("members that are undefined were left out")
                del self.out[self.member :]
                self.at = match.end()
                self.is_left_out = True
            else:
                self.scalar()
            if not self.closed(open_):
                return

    def closed(self, open_: list[str]) -> bool:
        """Close what ends here; True where a further value is due, False where all is read."""
        while open_:
            self.space()
            found = self.text[self.at : self.at + 1]
            if found == open_[-1]:
                if self.is_left_out:
                    self.uncomma()
                self.put(found, 1)
                open_.pop()
                continue
            if found != ",":
                raise _Fault
            if self.is_left_out:
                self.at += 1
                self.space()
                if not self.text.startswith(open_[-1], self.at):
                    self.is_left_out = False
                    self.name()
                    return True
                continue
            comma, place = len(self.out), self.at
            self.put(",", 1)
            self.space()
            if self.text.startswith(open_[-1], self.at):
                self.out[comma] = ""
                line = self.text.count("\n", 0, place) + 1
                self.note(f"a comma with nothing after it was taken out (line {line})")
                continue
            if open_[-1] == "}":
                self.name()
            return True
        return False

    def uncomma(self) -> None:
        """Take out the comma before a last member that was left out."""
        self.is_left_out = False
        at = next((at for at in reversed(range(len(self.out))) if self.out[at].strip()), 0)
        self.out[at] = "" if self.out[at] == "," else self.out[at]

    def name(self) -> None:
        """A member name and its colon."""
        self.member = len(self.out)
        word = _NAME.match(self.text, self.at)
        if word is not None:
            self.note("member names were put in quotes")
            self.put(f'"{word[1]}"', len(word[0]))
        else:
            self.string()
        self.space()
        if self.text.startswith("=>", self.at):
            self.note("the arrows of Ruby became colons")
            self.put(":", 2)
            return
        if not self.text.startswith(":", self.at):
            raise _Fault
        self.put(":", 1)

    def scalar(self) -> None:
        """A string, number or word."""
        match = _NUMBER.match(self.text, self.at) or _WORD.match(self.text, self.at)
        if match is None:
            self.string()
            return
        if match[0] in _PYTHON:
            self.note("True, False, None and nil became true, false and null")
        self.put(_PYTHON.get(match[0], match[0]), len(match[0]))

    def string(self) -> None:
        """A string in whichever quotes."""
        text, at = self.text, self.at
        if match := _SOUND.match(text, at):
            self.put(match[0], len(match[0]))
        elif match := _TABBED.match(text, at):
            self.note(f"tabs inside a string became \\t (line {self.line()})")
            self.put(match[0].replace("\t", "\\t"), len(match[0]))
        elif match := _SINGLE.match(text, at):
            self.note("single quotes around names and strings became double ones")
            self.put(_quoted(match[1]), len(match[0]))
        elif match := _CURLY.match(text, at) or _CURLY_SINGLE.match(text, at):
            self.note("typographic quotes around names and strings became straight ones")
            self.put(_quoted(match[1]), len(match[0]))
        else:
            raise _Fault

    def space(self) -> None:
        """White space as it is; what only looks like it, and comments, mended."""
        while True:
            if match := _SPACE.match(self.text, self.at):
                self.put(match[0], len(match[0]))
            elif match := _ODD_SPACE.match(self.text, self.at):
                self.note("no-break and invisible spaces between values became plain ones")
                self.put(" ", len(match[0]))
            elif self.text.startswith("/", self.at) and (match := _COMMENT.match(self.text, self.at)):
                self.note("comments were left out")
                self.put("", len(match[0]))
            else:
                return

    def put(self, written: str, read: int) -> None:
        """Write, and go on behind what was read."""
        self.out.append(written)
        self.at += read

    def line(self) -> int:
        """The line of the present place, counted from 1."""
        return self.text.count("\n", 0, self.at) + 1

    def note(self, phrase: str) -> None:
        """Name a mend."""
        self.mends.setdefault(phrase)


def mend(text: str, at: int) -> Mended:
    """The value that begins at `at`, made strict. `text` is None where it cannot be mended for certain."""
    mender = _Mender(text, at)
    try:
        mender.run()
        strict = "".join(mender.out)
        jsontext.loads(strict)
    except (_Fault, jsontext.JsonError):
        return Mended(None, mender.at + 1)
    return Mended(strict, mender.at, tuple(mender.mends))


def _quoted(inside: str) -> str:
    """What stood between other quotes, as a JSON string: escapes of JSON stay, those of Python are told in JSON's."""

    def put(match: re.Match[str]) -> str:
        word = match[1]
        if word in ('"', "\\", "/", "b", "f", "n", "r", "t", "u"):
            return match[0]
        if word.startswith("x") and len(word) == 3:
            return f"\\u00{word[1:]}"
        return word if word in "'‘’“”" else f"\\\\{word}"

    bare = re.sub(r'(?<!\\)((?:\\\\)*)"', r"\1" + r"\\" + '"', inside)
    return '"' + _ESCAPE.sub(put, bare).replace("\t", "\\t") + '"'
