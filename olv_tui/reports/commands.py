"""Commands in a text: curl, HTTPie and PowerShell, with the prompts, pipes and dialects they come in.

Rules of this file:

* Where the dialect is not certain, it is the one in which the body is JSON; where none is, the first.
* A text that is one command from its first character to its last is that command: what else its quoted body looks
  like (another command, a fence, a here-string) says nothing about the text.
* Nothing is run, and what a command prints is known only of `echo`, `printf` and `cat` with its text beside it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from olv_tui import jsontext
from olv_tui.reports import curl, httpie, inspector, invoke, wget
from olv_tui.reports.jsonfind import value_end
from olv_tui.reports.pieces import Answer, Call, Piece, in_text
from olv_tui.reports.shell import Command, Shell, printed
from olv_tui.reports.values import Notes, Refusal, ReportedCall, raw, shown
from olv_tui.reports.windows import cmd_words

_COMMANDS = 300
"""Commands that are read in one text."""

_PROMPT = (
    r"(?:PS(?: [^>\n]{0,200})?>+|[A-Za-z]:\\[^>\n]{0,200}>"
    r"|\[?[\w.-]{1,64}@[\w.-]{1,64}[^$%#\n]{0,200}[$%#]|[$%❯»➜])[ \t]*"
)
_NAMES = r"(?:curl(?:\.exe)?|wget|npx|mcp-inspector|https?|xhs?|Invoke-RestMethod|Invoke-WebRequest|irm|iwr)"
_LEAD = r"(?:(?:echo|printf|cat|time|sudo|command|env|export)\b|[A-Za-z_]\w*=\S*\s)"
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
_CMD = re.compile(r"\^[ \t]*\r?$|\^\^?\\?\^?\"|\"\{\"\"", re.MULTILINE)
_CARET_FIRST = re.compile(r"[^\"'\n]*(\^\"|\^[ \t]*\r?\n)")
_PS_PROMPT = re.compile(r"^[ \t]*PS [^>\n]{0,200}>+[ \t]*", re.MULTILINE)
_MADE = re.compile(
    r"\bcat[ \t]*>[ \t]*(?P<name>[\w./-]{1,200})[ \t]*<<-?[ \t]*['\"\\]?(?P<end>\w+)['\"]?[ \t]*\r?\n"
    r"(?P<inside>.*?\n)(?P=end)[ \t]*\r?$",
    re.DOTALL | re.MULTILINE,
)
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
    for start in starts:
        if start < at:
            continue
        try:
            calls, end = _read(text, start, notes, known)
        except Refusal as told:
            refusal = refusal or told
            continue
        if not calls:
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
    is_other = _POWERSHELL.match(text) or _CARET_FIRST.match(text)
    if match is None or not match["command"] or match["prompt"] or is_other:
        return []
    own = Notes()
    shell = Shell(text, match.start("command"), own)
    try:
        calls = _calls(shell.read(), own, {})
    except Refusal:
        return []
    if len(calls) != 1 or shell.at < len(text) or shell.is_open or not (shell.is_continued or _is_json(calls)):
        return []
    notes.take(own)
    return [Call(calls[0])]


def _files(text: str) -> dict[str, bytes]:
    """The files that a text shows or makes with `cat`, under `@` and their names; variables will stand beside them."""
    found = {f"@{match['name'].lower()}": raw(match["inside"]) for match in _MADE.finditer(text)}
    for match in _SHOWN.finditer(text):
        if (end := value_end(text, match.end())) is not None:
            found[f"@{match['name'].lower()}"] = raw(text[match.end() : end])
    return found


def _named(known: dict[str, bytes]) -> dict[str, bytes]:
    return {name[1:]: data for name, data in known.items() if name.startswith("@")}


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
    return [piece for piece in in_text(text[start:end], Notes()) if isinstance(piece, Answer)]


# --------------------------------------------------------------------------- dialects


def _read(text: str, start: int, notes: Notes, known: dict[str, bytes]) -> tuple[list[ReportedCall], int]:
    """The calls of the command list at a place, and its end, in the dialect that fits. Raises Refusal."""
    line = text[start : start + 5000]

    def posix(text: str, start: int, notes: Notes) -> tuple[list[ReportedCall], int]:
        return _posix(text, start, notes, known)

    readers: list[Callable[[str, int, Notes], tuple[list[ReportedCall], int]]] = [posix]
    if _CMD.search(line):
        # A caret at the end of the first line, or before the first quote, is sure; doubled quotes are a guess.
        readers = [_cmd, posix] if _CARET_FIRST.match(line) else [posix, _cmd]
    chosen: tuple[list[ReportedCall], int, Notes] | None = None
    refusal: Refusal | None = None
    for reader in readers:
        own = Notes()
        try:
            calls, end = reader(text, start, own)
        except Refusal as told:
            refusal = refusal or told
            continue
        if chosen is None or (calls and not _is_json(chosen[0]) and _is_json(calls)):
            chosen = calls, end, own
        if _is_json(calls):
            break
    if chosen is None:
        raise refusal or Refusal("The command could not be read.")
    if chosen[0]:
        notes.take(chosen[2])
    return chosen[0], chosen[1]


def _is_json(calls: list[ReportedCall]) -> bool:
    return bool(calls) and all(jsontext.parse(call.body).has_value for call in calls)


def _posix(text: str, start: int, notes: Notes, known: dict[str, bytes]) -> tuple[list[ReportedCall], int]:
    shell = Shell(text, start, notes, known)
    return _calls(shell.read(), notes, known), shell.at


def _calls(commands: list[Command], notes: Notes, known: dict[str, bytes]) -> list[ReportedCall]:
    """The requests of a command list; what a pipe brings is the body of the next. Raises Refusal."""
    calls: list[ReportedCall] = []
    before: Command | None = None
    for command in commands:
        if command.is_piped and command.stdin is None and before is not None:
            command.stdin = printed(before)
        call = _call(command, notes, known)
        if call is not None:
            calls.append(call)
        before = command
    return calls


def _cmd(text: str, start: int, notes: Notes) -> tuple[list[ReportedCall], int]:
    words, end = cmd_words(text, start)
    call = _call(Command(words), notes, {})
    if call is None:
        return [], end
    notes.mend("the quoting of cmd.exe (carets, doubled quotes) was undone")
    return [call], end


def _call(command: Command, notes: Notes, known: dict[str, bytes]) -> ReportedCall | None:
    """The request of one simple command, None where it makes none. Raises Refusal."""
    words = list(command.words)
    while words and (words[0] in (b"time", b"sudo", b"command", b"env") or re.match(rb"[A-Za-z_]\w*=", words[0])):
        words.pop(0)
    if not words:
        return None
    name = shown(words[0]).lower().rpartition("/")[2]
    if name in ("curl", "curl.exe"):
        return replace(curl.call(words[1:], command.stdin, notes, _named(known)), form="curl")
    if inspector.is_command(words):
        return replace(inspector.call(words, notes), form="the MCP Inspector")
    if name == "wget":
        return replace(wget.call(words[1:], command.stdin), form="wget")
    if name in ("http", "https", "xh", "xhs") and httpie.is_command(words[1:]):
        return replace(httpie.call(name, words[1:], command.stdin), form="HTTPie")
    return None


def _powershell(text: str, notes: Notes) -> list[Piece]:
    """The text read as PowerShell; nothing where it makes no call."""
    own = Notes()
    calls = list(invoke.calls(_PS_PROMPT.sub("", text), own))
    if not calls:
        return []
    notes.take(own)
    answers = [piece for piece in in_text(text, Notes()) if isinstance(piece, Answer)]
    return [*(Call(replace(call, form="PowerShell")) for call in calls), *answers]
