"""Words of cmd.exe, without running anything.

Two layers: cmd takes carets away, then the program's start-up code reads quotes and backslashes (Microsoft C runtime,
"Parsing C++ command-line arguments").
"""

from __future__ import annotations

import re

from olv_tui.reports.values import raw

_LINE_END = re.compile(r"\r?\n")


def cmd_words(text: str, at: int) -> tuple[list[bytes], int]:
    """The words of a cmd.exe command from `at` on, and where it ends. Never raises."""
    line: list[str] = []
    is_quoted, size = False, len(text)
    while at < size:
        char = text[at]
        if char == "^" and not is_quoted:
            at += 1
            match = _LINE_END.match(text, at)
            if match:
                # The line end goes, and what follows it loses its meaning: a second one is a line end in the data.
                at = match.end()
                if match := _LINE_END.match(text, at):
                    line.append("\n")
                    at = match.end()
            elif at < size:
                line.append(text[at])
                at += 1
            continue
        if char in "\r\n" or (char in "|&<>" and not is_quoted):
            break
        if char == '"':
            is_quoted = not is_quoted
        line.append(char)
        at += 1
    return _arguments("".join(line)), at


def _arguments(line: str) -> list[bytes]:
    """A command line as the C runtime splits it."""
    words: list[bytes] = []
    word: list[str] | None = None
    is_quoted, at = False, 0
    while at < len(line):
        char = line[at]
        if char in " \t" and not is_quoted:
            if word is not None:
                words.append(raw("".join(word)))
            word, at = None, at + 1
            continue
        word = [] if word is None else word
        if char == "\\":
            end = at
            while line[end : end + 1] == "\\":
                end += 1
            count = end - at
            at = end
            if line[end : end + 1] != '"':
                word.append("\\" * count)
                continue
            word.append("\\" * (count // 2))
            if count % 2:
                word.append('"')
                at += 1
        elif char == '"':
            if is_quoted and line[at + 1 : at + 2] == '"':
                word.append('"')
                at += 2
                continue
            is_quoted = not is_quoted
            at += 1
        else:
            word.append(char)
            at += 1
    if word is not None:
        words.append(raw("".join(word)))
    return words
