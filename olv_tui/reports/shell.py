"""Words of a POSIX shell, as bash reads them, without running anything.

Follows POSIX.1-2024, Shell Command Language 2.2 (quoting) and 2.7.4 (here-documents), and bash's `$'..'` and `<<<`.

Rules of this file:

* Nothing is evaluated: a command substitution, and a variable that the text does not set itself, stays as it is
  written, and is told.
* Words are bytes, since `$'\\xff'` is one.
* Typographic quotes and dashes are mended where they stand for quotes and options, and nowhere else.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from olv_tui.reports.expansions import document, expanded, expansion, file_key
from olv_tui.reports.jsonfind import value_end
from olv_tui.reports.lenient import mend
from olv_tui.reports.printing import unescaped
from olv_tui.reports.values import LINK, Notes, raw, shown, unlinked

_PLAIN = re.compile("[^\\s'\"\\\\$`|&;<>()#“”„‟‘’‚‛—–\xa0\u200b\u2007\u202f]+")
_IN_DOUBLE = re.compile(r'[^"\\$`]+')
_ASSIGNED = re.compile(rb"[A-Za-z_][A-Za-z0-9_]*=")
_HEREDOC = re.compile(r"<<(-?)[ \t]*(?:(['\"])([^'\"\n]{1,99})\2|(\\?)([^\s'\"|;&<>]{1,99}))")
_FISH = re.compile(r"'((?:[^'\\]|\\.)*+)'", re.DOTALL)
_REDIRECTION = re.compile(r"(?:[0-9]|&)?>>?(?:&[0-9-])?[ \t]*")
_CONTINUED = re.compile(r"\\(?:[ \t]*)\r?\n")
_BLANK = re.compile("[ \t\r\xa0\u200b\u2007\u202f]+")
_PLACEHOLDER = re.compile(r"<[A-Za-z][\w -]{0,60}>")  # and no redirection: `https://<host>/mcp`
_DASHES = re.compile("(?:[—–]-?|-[—–])(?=[A-Za-z])")
_CURLIES = 200  # typographic quotes of one command that are looked up to their end
_LEFT = "“”„‟"
_SINGLE_LEFT = "‘’‚‛"
_ENDS = re.compile("[”“‟](?=\\s|$|[;|&])")
_SINGLE_ENDS = re.compile("[’‘‛](?=\\s|$|[;|&])")


@dataclass(slots=True)
class Command:
    """One simple command: its words, and what stands on its standard input where the text tells it."""

    words: list[bytes] = field(default_factory=list)
    stdin: bytes | None = None
    is_piped: bool = False
    file: str = ""
    """The file that is its standard input."""


class Shell:
    """Reads commands from a text, from `at` on; stops at the line end that ends the command list.

    `known` are the variables that the text sets itself, and the files it shows, by `@` and name; what it sets further
    on is put in. Read, it tells whether a backslash joined lines (`is_continued`), whether a quote was never closed
    (`is_open`), and what stands as written since its value is not told (`unknown`). In fish (`is_fish`) a backslash
    counts inside of single quotes.
    """

    def __init__(
        self, text: str, at: int, notes: Notes, known: dict[str, bytes] | None = None, *, is_fish: bool = False
    ) -> None:
        self.text = text
        self.known = {} if known is None else known
        self.at = at
        self.notes = notes
        self.commands: list[Command] = []
        self._command = Command()
        self._word: bytearray | None = None
        self._heredocs: list[tuple[Command, re.Match[str]]] = []
        self._skip_word = self._is_input = False
        self._curlies = _CURLIES
        self.is_continued = False
        self.is_open = False
        self.unknown: set[bytes] = set()
        self._is_fish = is_fish

    def read(self) -> list[Command]:
        """The commands of one line, with everything that continues it. Never raises."""
        text, size = self.text, len(self.text)
        while self.at < size:
            char = text[self.at]
            if char == "\n":
                self.at += 1
                if self._heredocs:
                    self._end_word()
                    self._take_heredocs()
                if self._command.words or not self._command.is_piped:
                    break
            elif match := _CONTINUED.match(text, self.at):
                if match[0].strip("\\\r\n"):
                    self.notes.mend("blanks behind a backslash at a line end were taken out")
                self.is_continued = True
                self.at = match.end()
            elif match := _BLANK.match(text, self.at):
                if match[0].strip(" \t\r"):
                    self.notes.mend("no-break and invisible spaces between words became plain ones")
                self._end_word()
                self.at = match.end()
            elif char == "#" and self._word is None:
                end = text.find("\n", self.at)
                self.at = size if end < 0 else end
            elif char in "|&;()":
                self._operator(char)
            elif char in "<>" or (char.isdigit() and self._word is None and text[self.at + 1 : self.at + 2] == ">"):
                self._redirection()
            else:
                self._part(char)
        self._end_command()
        return self.commands

    # ----------------------------------------------------------------------- parts of words

    def _part(self, char: str) -> None:
        if self._word is None and (match := _DASHES.match(self.text, self.at)):
            rest = re.compile(r"[A-Za-z][\w-]*").match(self.text, match.end())
            dashes = "--" if rest is not None and len(rest[0]) > 1 else "-"
            self.notes.mend("typographic dashes before options became hyphens")
            self._add(dashes.encode(), match.end())
        elif char == "'":
            self._single()
        elif char == '"':
            self._double()
        elif char in _LEFT or char in _SINGLE_LEFT:
            self._curly(char)
        elif char == "\\" and self.at + 1 == len(self.text):
            self.at += 1  # a continuation whose next line was not copied
        elif char == "\\":
            self._add(raw(self.text[self.at + 1 : self.at + 2]), self.at + 2)
        elif char in "$`":
            self._dollar()
        elif self._word is None and (match := LINK.match(self.text, self.at)):
            self._add(raw(unlinked(match[0], self.notes)), match.end())
        elif match := _PLAIN.match(self.text, self.at):
            self._add(raw(match[0]), match.end())
        else:
            self._add(raw(char), self.at + 1)

    def _add(self, data: bytes, at: int) -> None:
        self._word = bytearray() if self._word is None else self._word
        self._word += data
        self.at = at

    def _single(self) -> None:
        if self._is_fish and (match := _FISH.match(self.text, self.at)):
            self._add(raw(re.sub(r"\\(['\\])", r"\1", match[1])), match.end())
            return
        end = self.text.find("'", self.at + 1)
        if end < 0:
            self._unclosed("single")
            end = len(self.text)
        self._add(raw(self.text[self.at + 1 : end]), end + 1)

    def _double(self) -> None:
        self._add(b"", self.at + 1)
        text = self.text
        while self.at < len(text):
            char = text[self.at]
            if char == '"':
                self.at += 1
                return
            if char == "\\":
                following = text[self.at + 1 : self.at + 2]
                if following in ("$", "`", '"', "\\"):
                    self._add(following.encode(), self.at + 2)
                elif following == "\n":
                    self.at += 2
                else:
                    self._add(b"\\", self.at + 1)
            elif char in "$`":
                self._dollar(is_quoted=True)
            elif match := _IN_DOUBLE.match(text, self.at):
                self._add(raw(match[0]), match.end())
        self._unclosed("double")

    def _unclosed(self, which: str) -> None:
        self.is_open = True
        self.notes.remark(f"A {which} quote in it is never closed.")

    def _dollar(self, *, is_quoted: bool = False) -> None:
        text, at = self.text, self.at
        if not is_quoted and text.startswith("$'", at):
            self._ansi()
        elif not is_quoted and text.startswith('$"', at):
            self.at += 1
            self._double()
        else:
            found = expansion(text, at, self.known, self.notes)
            if not found.is_known:
                self.unknown.add(found.data)
            self._add(found.data, found.end)

    def _ansi(self) -> None:
        """bash's `$'..'`."""
        start = self.at + 2
        end = start
        while end < len(self.text) and self.text[end] != "'":
            end += 2 if self.text[end] == "\\" else 1
        if end >= len(self.text):
            self._unclosed("single")
        self._add(unescaped(self.text[start:end]), end + 1)

    def _curly(self, char: str) -> None:
        """Typographic quotes where quotes are due: closed behind the JSON in them, else at a word's end."""
        is_single = char in _SINGLE_LEFT
        closing = "’‘‛'" if is_single else '”“‟"'
        start = self.at + 1
        end, content = self._json_in(start)
        if end is None or self.text[end : end + 1] not in tuple(closing):
            match = None
            if self._word is None and self._curlies > 0:
                match = (_SINGLE_ENDS if is_single else _ENDS).search(self.text, start)
                self._curlies -= 1
            if match is None:
                self._add(raw(char), start)
                return
            end, content = match.start(), self.text[start : match.start()]
        self.notes.mend("typographic quotes around words became straight ones")
        self._add(raw(content), end + 1)

    def _json_in(self, start: int) -> tuple[int | None, str]:
        if self.text[start : start + 1] not in ("{", "[") or self._curlies <= 0:
            return None, ""
        end = value_end(self.text, start)
        if end is not None:
            return end, self.text[start:end]
        mended = mend(self.text, start)
        if mended.text is None:
            return None, ""
        for phrase in mended.mends:
            self.notes.mend(phrase)
        return mended.end, mended.text

    # ----------------------------------------------------------------------- between words

    def _end_word(self) -> None:
        if self._word is not None:
            if not self._skip_word:
                self._command.words.append(bytes(self._word))
            elif self._is_input:
                self._command.file = shown(bytes(self._word))
                self._command.stdin = self.known.get(file_key(self._command.file))
            self._skip_word = self._is_input = False
            self._word = None

    def _end_command(self) -> None:
        self._end_word()
        words = self._command.words[1:] if self._command.words[:1] == [b"export"] else self._command.words
        if words and all(_ASSIGNED.match(word) for word in words):
            for word in words:
                name, _, value = word.partition(b"=")
                self.known[name.decode("ascii")] = value
        elif len(words) > 2 and words[0] == b"set" and not words[-2].startswith(b"-"):  # fish
            self.known[shown(words[-2])] = words[-1]
        if self._command.words:
            self.commands.append(self._command)
        self._command = Command()

    def _operator(self, char: str) -> None:
        self._end_command()
        is_pipe = char == "|" and not self.text.startswith("||", self.at)
        self.at += 2 if self.text[self.at : self.at + 2] in ("||", "&&", "|&", ";;") else 1
        self._command.is_piped = is_pipe

    def _redirection(self) -> None:
        text = self.text
        if match := LINK.match(text, self.at):
            # A chat puts marks around an address; a mail puts the address behind itself once more.
            address = raw(unlinked(match[0], self.notes)) if self._word is None else b""
            self._add(address, match.end())
            return
        if match := _PLACEHOLDER.match(text, self.at):
            self.notes.remark(f"{match[0]} stands for something that the report does not hold.")
            self._add(raw(match[0]), match.end())
            return
        self._end_word()
        if text.startswith("<<<", self.at):
            self.at = self.at + 3
            while text[self.at : self.at + 1] in (" ", "\t"):
                self.at += 1
            before = len(self._command.words)
            while self.at < len(text) and not text[self.at].isspace() and text[self.at] not in "|&;<>()":
                self._part(text[self.at])
            self._end_word()
            self._command.stdin = b"".join(self._command.words[before:]) + b"\n"
            del self._command.words[before:]
        elif match := _HEREDOC.match(text, self.at):
            self._heredocs.append((self._command, match))
            self.at = match.end()
        elif match := _REDIRECTION.match(text, self.at):
            self.at = match.end()
            self._skip_word = not match[0].rstrip().endswith(("0", "1", "2", "-"))
        else:
            self.at += 1
            self._skip_word = self._is_input = True

    def _take_heredocs(self) -> None:
        """The lines up to each delimiter."""
        for command, match in self._heredocs:
            inside, end = document(self.text, self.at, match[3] or match[5], strips=bool(match[1]))
            self.at = min(end + 1, len(self.text))
            command.stdin = raw(inside) if match[2] or match[4] else expanded(inside, self.known, self.notes)
            if command.words[:1] == [b"read"] and len(command.words) > 1:
                self.known[shown(command.words[-1])] = command.stdin.strip()
        self._heredocs = []
