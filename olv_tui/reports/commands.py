"""Commands in a text: curl, HTTPie and PowerShell, with the prompts, pipes and dialects they come in.

Rules of this file:

* A text that is one command from its first character to its last is that command: what else its quoted body looks
  like (another command, a fence, a here-string) says nothing about the text.
* Nothing is run. Which dialect of which shell a command is in, dialects.py decides.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import replace

from olv_tui.reports import dialects, httptext, invoke
from olv_tui.reports.expansions import document, file_key
from olv_tui.reports.jsonfind import value_end
from olv_tui.reports.pieces import Answer, Call, Piece, in_text
from olv_tui.reports.values import Notes, Refusal, raw

_COMMANDS = 300
"""Commands that are read in one text."""

_WORK = 1_000_000  # characters that are read in vain, since commands that are none may each go on to the end

_PROMPT = (
    r"(?:PS(?: [^>\n]{0,200})?>+|[A-Za-z]:\\[^>\n]{0,200}>"
    r"|\[?[\w.-]{1,64}@[\w.-]{1,64}[^$%#\n]{0,200}[$%#]|[$%❯»➜])[ \t]*"
)
_NAMES = r"(?:curl(?:\.exe)?|wget|npx|mcp-inspector|https?|xhs?|Invoke-RestMethod|Invoke-WebRequest|irm|iwr)"
_LEAD = r"(?:(?:echo|printf|cat|time|sudo|command|env|export|set|read|bash|sh|zsh|ssh|watch|eval)\b|[A-Za-z_]\w*=\S*\s)"
_START = re.compile(
    rf"^[ \t\xa0]*(?P<prompt>{_PROMPT})?(?P<command>{_NAMES}(?=[ \t\xa0\\^`])|{_LEAD}|\$\w+ *=|\[IO\.File)"
    r"|(?<![\w./-])(?P<inline>curl(?:\.exe)?)[ \t]+(?=-|['\"^“‘—–$]|https?:)",
    re.MULTILINE | re.IGNORECASE,
)
_POWERSHELL = re.compile(
    r"^[ \t]*(?:PS [^\n]*> *)?(?:\$\w+ *= *)?(?:Invoke-(?:RestMethod|WebRequest)|irm|iwr)\b"
    r"|^[ \t]*(?:PS [^\n]*> *)?\$\w+ *=|`[ \t]*\r?$|@['\"][ \t]*\r?$",
    re.MULTILINE | re.IGNORECASE,
)
_PS_PROMPT = re.compile(r"^[ \t]*PS [^>\n]{0,200}>+[ \t]*", re.MULTILINE)
_MADE = re.compile(
    r"\bcat[ \t]*>[ \t]*(?P<name>[\w./-]{1,200})[ \t]*<<(?P<strips>-?)[ \t]*['\"\\]?(?P<end>\w{1,60})['\"]?[ \t]*\r?\n"
)
_FILES = 50  # that a text makes
_SHOWN = re.compile(r"\bcat[ \t]+(?P<name>[\w./-]{1,200})[ \t]*\r?\n\s*(?=[{\[])")
_CONTINUED = re.compile(r"^(?:>{1,2})[ \t]", re.MULTILINE)


def pieces(text: str, notes: Notes) -> list[Piece]:
    """The calls of all commands in a text, and the answers that stand behind them. Raises Refusal.

    Empty where there is no command.
    """
    text = _unprompted(text, notes)
    starts = list(_starts(text))
    known = _files(text)
    if not starts:
        return []
    if _POWERSHELL.search(text) and (found := _powershell(text, notes)):
        return found
    out: list[Piece] = []
    refusal: Refusal | None = None
    at = 0
    work = _WORK
    for start in starts:
        if start < at or work <= 0:
            continue
        try:
            calls, end = dialects.read(text, start, notes, known)
        except Refusal as told:
            refusal = refusal or told
            work -= told.reach - start
            continue
        if not calls:
            work -= end - start
            continue
        out += _answers(text, at, start, out)
        out += [Call(call) for call in calls]
        at = end
    if not out and refusal is not None:
        raise refusal
    out += _answers(text, at, len(text), out)
    return out


def whole(text: str, notes: Notes) -> list[Piece]:
    """The call of a text that is one command of a POSIX shell and nothing more; empty where it is none, or in doubt.

    The lines of a text with a prompt may have marks of their own, so it is none. Certain is a body that is
    JSON, and a command whose lines a backslash joins.
    """
    text = text.strip()
    match = _START.match(text)
    is_other = _POWERSHELL.match(text) or dialects.CARET_FIRST.match(text)
    if match is None or not match["command"] or match["prompt"] or is_other:
        return []
    own = Notes()
    found = dialects.alone(text, match.start("command"), own)
    if found is None:
        return []
    notes.take(own)
    return [Call(found)]


def _files(text: str) -> dict[str, bytes]:
    """The files that a text shows or makes with `cat`, under `@` and their names; variables will stand beside them."""
    found: dict[str, bytes] = {}
    for match in itertools.islice(_MADE.finditer(text), _FILES):
        inside, _ = document(text, match.end(), match["end"], strips=bool(match["strips"]))
        found[file_key(match["name"])] = raw(inside)
    for match in _SHOWN.finditer(text):
        if (end := value_end(text, match.end())) is not None:
            found[file_key(match["name"])] = raw(text[match.end() : end])
    return found


def _starts(text: str) -> Iterator[int]:
    for number, match in enumerate(_START.finditer(text)):
        if number >= _COMMANDS:
            return
        yield match.start("command") if match["command"] else match.start("inline")


def _unprompted(text: str, notes: Notes) -> str:
    """The text with the `> ` of continued lines taken out, where a prompt stands before their command."""
    lines = text.split("\n")
    is_command = False
    for number, line in enumerate(lines):
        match = _START.match(line)
        if match is not None and match["command"]:
            is_command = bool(match["prompt"])
            if is_command:
                notes.mend("prompts were taken out")
        elif is_command and (continued := _CONTINUED.match(line)):
            lines[number] = line[continued.end() :]
        else:
            is_command = False
    return "\n".join(lines)


def _answers(text: str, start: int, end: int, before: list[Piece]) -> list[Piece]:
    """What a command printed: the answers between it and the next one."""
    if not before or not text[start:end].strip():
        return []
    told = text[start:end]
    if httptext.START.search(told):  # curl -i, http -v
        heads: list[Piece] = [piece for piece in httptext.pieces(told, Notes()) if isinstance(piece, Answer)]
        if heads:
            return heads
    return [piece for piece in in_text(told, Notes()) if isinstance(piece, Answer)]


def _powershell(text: str, notes: Notes) -> list[Piece]:
    """The text read as PowerShell; nothing where it makes no call."""
    own = Notes()
    calls = list(invoke.calls(_PS_PROMPT.sub("", text), own))
    if not calls:
        return []
    notes.take(own)
    answers = [piece for piece in in_text(text, Notes()) if isinstance(piece, Answer)]
    return [*(Call(replace(call, form="PowerShell")) for call in calls), *answers]
