"""What `echo`, `printf` and `cat` print, where that is certain, and bash's ANSI-C quotes undone.

Rules of this file: nothing is run; None for what is not known here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from olv_tui.reports.values import raw, shown

if TYPE_CHECKING:
    from olv_tui.reports.shell import Command

_ANSI = re.compile(
    r"\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|c(.)|(.))", re.DOTALL
)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "v": "\v"}


def unescaped(text: str) -> bytes:
    """The bytes of an ANSI-C quoted text."""
    out = bytearray()
    at = 0
    for match in _ANSI.finditer(text):
        out += raw(text[at : match.start()])
        at = match.end()
        hexadecimal, short, long, octal, control, other = match.groups()
        if hexadecimal is not None:
            out.append(int(hexadecimal, 16))
        elif short is not None or long is not None:
            code = int(short or long, 16)
            out += chr(code).encode("utf-8", "surrogatepass") if code <= 0x10FFFF else raw(match[0])
        elif octal is not None:
            out.append(int(octal, 8) & 0xFF)
        elif control is not None:
            out.append(ord(control) & 0x1F)
        else:
            out += raw(_ESCAPED.get(other, other if other in "\\'\"?" else match[0]))
    return bytes(out + raw(text[at:]))


def printed(command: Command, files: Mapping[str, bytes]) -> bytes | None:
    """What `echo`, `printf` or `cat` print, where that is certain. `files` are those that the text shows, by name."""
    name, *words = command.words
    if name == b"cat" and command.stdin is not None and all(word == b"-" for word in words):
        return command.stdin
    if name == b"cat" and len(words) == 1:
        return files.get(shown(words[0]).removeprefix("./").lower())
    if name == b"printf" and words:
        return _printf(words[1:] if words[0] == b"--" else words)
    if name != b"echo":
        return None
    end, escapes = b"\n", False
    while words and re.fullmatch(rb"-[neE]+", words[0]):
        flags = words.pop(0)
        end = b"" if b"n" in flags else end
        escapes = escapes or b"e" in flags
    line = b" ".join(words)
    return (unescaped(shown(line)) if escapes else line) + end


def _printf(words: list[bytes]) -> bytes | None:
    """printf with %s, %b and %%; None for the conversions that are not known here."""
    form, rest = words[0], list(words[1:])
    out = bytearray()
    at = 0
    for match in re.finditer(rb"\\(?:[0-7]{1,3}|x[0-9a-fA-F]{1,2}|.)|%(.)", form, re.DOTALL):
        out += form[at : match.start()]
        at = match.end()
        if match[1] is None:
            out += unescaped(shown(match[0]))
        elif match[1] == b"%":
            out += b"%"
        elif match[1] in b"sb":
            word = rest.pop(0) if rest else b""
            out += word if match[1] == b"s" else unescaped(shown(word))
        else:
            return None
    if rest:
        return None
    return bytes(out + form[at:])
