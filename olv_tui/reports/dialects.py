"""One command list in the dialect it was written in: a POSIX shell, fish, cmd.exe or PowerShell.

Rules of this file:

* Where the dialect is not certain, it is the one in which the body is JSON; where none is, the first.
* Nothing is run, and what a command prints is known only of `echo`, `printf` and `cat` with its text beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from olv_tui import jsontext
from olv_tui.reports import curl, httpie, inspector, invoke, wget
from olv_tui.reports.cmdexe import cmd_words
from olv_tui.reports.printing import printed
from olv_tui.reports.shell import Command, Shell
from olv_tui.reports.values import Notes, Refusal, ReportedCall, raw, shown

CARET_FIRST = re.compile(r"[^\"'\n]*(\^\"|\^[ \t]*\r?\n)")
"""A caret at the end of the first line, or before the first quote: sure signs of cmd.exe."""

_CMD = re.compile(r"\^[ \t]*\r?$|\^\^?\\?\^?\"|\"\{\"\"", re.MULTILINE)
_POWERSHELL = re.compile(r"\\\"|`\"")
_FISH = re.compile(r"\\'")
_CARETS = re.compile(r"\^(?:(?:\r?\n)+|(.))")
_SET = re.compile(r"^[^\n]{0,200}?\bset[ \t]+\"?(\w{1,60})=([^\"\r\n]{0,2000})", re.MULTILINE | re.IGNORECASE)
_VARIABLE = re.compile(rb"%(\w{1,60})%")
_LINE = 5000  # characters in which the dialect shows
_NESTING = frozenset({"bash", "sh", "zsh", "ssh", "watch", "eval"})
_NESTED = re.compile(rb"\b(?:curl|wget|https?|xhs?)[ \t]")
_DEPTH = 3

Read = tuple[list[ReportedCall], int]


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a command list begins, and what the text tells of variables and files."""

    text: str
    start: int
    known: dict[str, bytes]

    def shows(self, sign: re.Pattern[str]) -> bool:
        """Whether a sign of a dialect stands in the command."""
        return sign.search(self.text, self.start, self.start + _LINE) is not None


def read(text: str, start: int, notes: Notes, known: dict[str, bytes]) -> Read:
    """The calls of the command list at a place, and its end, in the dialect that fits. Raises Refusal."""
    chosen: tuple[list[ReportedCall], int, Notes] | None = None
    refusal: Refusal | None = None
    for reader in (_sure_cmd, _posix, _cmd, _carets, _fish, _powershell):
        own = Notes()
        try:
            found = reader(_Place(text, start, known), own)
        except Refusal as told:
            refusal = refusal or told
            continue
        if found is None:
            continue
        if chosen is None or (_is_json(found[0]) and not _is_json(chosen[0])):
            chosen = *found, own
        if _is_json(chosen[0]):
            break
    if chosen is None:
        raise refusal or Refusal("The command could not be read.")
    if chosen[0]:
        notes.take(chosen[2])
    return chosen[0], chosen[1]


def alone(text: str, start: int, notes: Notes) -> ReportedCall | None:
    """The call of a text that is one command of a POSIX shell up to its end; None where it is none, or in doubt."""
    shell = Shell(text, start, notes)
    try:
        calls = _calls(shell, notes, {})
    except Refusal:
        return None
    is_whole = len(calls) == 1 and shell.at >= len(text) and not shell.is_open
    return calls[0] if is_whole and (shell.is_continued or _is_json(calls)) else None


def _is_json(calls: list[ReportedCall]) -> bool:
    return bool(calls) and all(jsontext.parse(call.body).has_value for call in calls)


# --------------------------------------------------------------------------- dialects: None where nothing speaks for it


def _sure_cmd(here: _Place, notes: Notes) -> Read | None:
    return _cmd(here, notes) if CARET_FIRST.match(here.text[here.start : here.start + _LINE]) else None


def _posix(here: _Place, notes: Notes) -> Read:
    shell = Shell(here.text, here.start, notes, here.known)
    try:
        return _calls(shell, notes, here.known), shell.at
    except Refusal as told:
        told.reach = shell.at
        raise


def _cmd(here: _Place, notes: Notes) -> Read | None:
    if not here.shows(_CMD):
        return None
    words, end = cmd_words(here.text, here.start)
    if any(_VARIABLE.search(word) for word in words):
        told = {match[1].lower(): raw(match[2].strip()) for match in _SET.finditer(here.text[: here.start])}
        words = [_VARIABLE.sub(lambda one: told.get(shown(one[1]).lower(), one[0]), word) for word in words]
    calls = _requests(Command(words), notes, {})
    if calls:
        notes.mend("the quoting of cmd.exe (carets, doubled quotes) was undone")
    return calls, end


def _carets(here: _Place, notes: Notes) -> Read | None:
    """Carets inside of quotes as well, which cmd.exe does not take away: so browsers wrote them for years."""
    line = here.text[here.start : _line_end(here.text, here.start)]
    if "^" not in line:
        return None
    calls = _requests(Command(cmd_words(_CARETS.sub(lambda one: one[1] or "", line), 0)[0]), notes, {})
    notes.mend("the quoting of cmd.exe (carets, doubled quotes) was undone")
    return calls, here.start + len(line)


def _fish(here: _Place, notes: Notes) -> Read | None:
    if not here.shows(_FISH):
        return None
    shell = Shell(here.text, here.start, notes, here.known, is_fish=True)
    calls = _calls(shell, notes, here.known)
    notes.mend("the quotes were read as fish reads them")
    return calls, shell.at


def _powershell(here: _Place, notes: Notes) -> Read | None:
    if not here.shows(_POWERSHELL):
        return None
    end = _line_end(here.text, here.start)
    while end < len(here.text) and here.text[max(end - 9, here.start) : end].rstrip().endswith("`"):
        end = _line_end(here.text, end + 1)
    calls = [replace(call, form="curl") for call in invoke.calls(here.text[here.start : end], notes)]
    notes.mend("the quotes were read as PowerShell reads them")
    return calls, end


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


# --------------------------------------------------------------------------- commands


def _calls(shell: Shell, notes: Notes, known: dict[str, bytes], depth: int = 0) -> list[ReportedCall]:
    """The requests of a command list; what a pipe brings is the body of the next. Raises Refusal."""
    calls: list[ReportedCall] = []
    before: Command | None = None
    for command in shell.read():
        if command.is_piped and command.stdin is None and before is not None:
            command.stdin = printed(before, _named(known))
        made = _requests(command, notes, known) or list(_nested(command, notes, known, depth))
        for call in made:
            if call.body.strip() in shell.unknown:
                told = shown(call.body.strip())[:80]
                raise Refusal(f"The body is what {told} stands for, and the report does not hold it.")
        calls += made
        before = command
    return calls


def _nested(command: Command, notes: Notes, known: dict[str, bytes], depth: int) -> Iterator[ReportedCall]:
    """The requests of a command in a command: `bash -c "curl ..."`, `ssh host '...'`. Raises Refusal."""
    if depth >= _DEPTH or not command.words or shown(command.words[0]).rpartition("/")[2] not in _NESTING:
        return
    for word in command.words[1:]:
        if _NESTED.search(word):
            yield from _calls(Shell(shown(word), 0, notes, known), notes, known, depth + 1)


def _named(known: dict[str, bytes]) -> dict[str, bytes]:
    return {name[1:]: data for name, data in known.items() if name.startswith("@")}


def _requests(command: Command, notes: Notes, known: dict[str, bytes]) -> list[ReportedCall]:
    """The requests of one simple command; none where it makes none. Raises Refusal."""
    words = list(command.words)
    while words and (words[0] in (b"time", b"sudo", b"command", b"env") or re.match(rb"[A-Za-z_]\w*=", words[0])):
        words.pop(0)
    if not words:
        return []
    name = shown(words[0]).lower().rpartition("/")[2]
    if name in ("curl", "curl.exe"):
        found = curl.calls(words[1:], command.stdin, notes, _named(known))
        return [replace(call, form="curl") for call in found]
    if inspector.is_command(words):
        return [replace(inspector.call(words, notes), form="the MCP Inspector")]
    if name == "wget":
        return [replace(wget.call(words[1:], command.stdin, notes, _named(known)), form="wget")]
    if name in ("http", "https", "xh", "xhs") and httpie.is_command(words[1:]):
        call = httpie.call(name, words[1:], command.stdin, notes)
        if not call.body and command.stdin is None and (command.file or command.is_piped):
            where = f"in the file {command.file}" if command.file else "on standard input"
            raise Refusal(f"The body stands {where}, and the report does not hold it.")
        return [replace(call, form="HTTPie")]
    return []
