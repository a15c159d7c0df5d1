"""What stands for a `$` of a POSIX shell where the text tells it: variables, defaults, files and here-documents.

Follows POSIX.1-2024, Shell Command Language 2.6.2 (parameters), 2.6.3 (commands) and 2.7.4 (here-documents).

Rules of this file: nothing is run or looked up. What the text does not tell stays as it is written, and is told.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from olv_tui.reports.values import Notes, raw, shown

_VARIABLE = re.compile(r"\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))")
_DEFAULT = re.compile(r"\$\{([A-Za-z_]\w*):?[-=]([^{}\n]{0,500})\}")
_FILE = re.compile(r"\$\((?:cat[ \t]+|<[ \t]*)([\w./~-]{1,200})[ \t]*\)|`cat[ \t]+([\w./~-]{1,200})[ \t]*`")
_DOCUMENT = re.compile(r"\$\(\s{0,20}cat[ \t]*<<(-?)[ \t]*(?:(['\"])(\w{1,60})\2|(\\?)(\w{1,60}))[ \t]*\r?\n")
_CLOSE = re.compile(r"\s*\)")
_SUBSTITUTION = re.compile(r"\$\([^()\n]{0,999}\)|`[^`\n]{0,999}`")
_IN_DOCUMENT = re.compile(r"\\([$`\\])|" + _VARIABLE.pattern)


@dataclass(frozen=True, slots=True)
class Expansion:
    """What is put in the place of a text that ends at `end`; `is_known`: the text tells it."""

    data: bytes
    end: int
    is_known: bool = True


def expansion(text: str, at: int, known: Mapping[str, bytes], notes: Notes) -> Expansion:
    """What stands for the `$` or backtick at `at`. `known` are variables by name, and files by `@` and name."""
    if match := _VARIABLE.match(text, at):
        value = known.get(match[1] or match[2])
        if value is not None:
            return Expansion(value, match.end())
        notes.remark(f"The value of the variable {match[0]} is not in the report; it stands as written.")
        return Expansion(match[0].encode(), match.end(), is_known=False)
    if match := _DEFAULT.match(text, at):
        value = known.get(match[1])
        if value is None:
            notes.remark(f"The value of the variable {match[1]} is not in the report; its default was taken.")
        return Expansion(raw(match[2]) if value is None else value, match.end())
    if match := _DOCUMENT.match(text, at):
        inside, end = document(text, match.end(), match[3] or match[5], strips=bool(match[1]))
        close = _CLOSE.match(text, end)
        data = raw(inside) if match[2] or match[4] else expanded(inside, known, notes)
        return Expansion(data.rstrip(b"\n"), close.end() if close else end)
    if (match := _FILE.match(text, at)) and (value := known.get(file_key(match[1] or match[2]))) is not None:
        return Expansion(value.rstrip(b"\n"), match.end())
    if match := _SUBSTITUTION.match(text, at):
        notes.remark("A command inside the command was not run; it stands as written.")
        return Expansion(raw(match[0]), match.end(), is_known=False)
    return Expansion(raw(text[at]), at + 1)


def file_key(name: str) -> str:
    """The name under which the content of a file is known."""
    return f"@{name.removeprefix('./').lower()}"


def document(text: str, at: int, delimiter: str, *, strips: bool) -> tuple[str, int]:
    """The here-document that begins at `at`, and where its delimiter ends; one that is never closed is all the rest."""
    lines: list[str] = []
    while at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        line = text[at:end].lstrip("\t") if strips else text[at:end]
        if line.rstrip(" \t\r") == delimiter:
            return "".join(lines), end
        lines.append(line + "\n")
        at = end + 1
    return "".join(lines), len(text)


def expanded(inside: str, known: Mapping[str, bytes], notes: Notes) -> bytes:
    """A here-document whose delimiter is not quoted: backslashes and known variables count in it."""

    def put(match: re.Match[str]) -> str:
        value = known.get(match[2] or match[3] or "")
        if match[1] is None and value is None:
            notes.remark(f"The value of the variable {match[0]} is not in the report; it stands as written.")
        return match[1] if match[1] is not None else match[0] if value is None else shown(value)

    return raw(_IN_DOCUMENT.sub(put, inside))
