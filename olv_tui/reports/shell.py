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

from olv_tui.reports.jsonfind import value_end
from olv_tui.reports.lenient import mend
from olv_tui.reports.values import Notes, raw, shown

_PLAIN = re.compile("[^\\s'\"\\\\$`|&;<>()#“”„‟‘’‚‛—–\xa0\u200b\u2007\u202f]+")
_IN_DOUBLE = re.compile(r'[^"\\$`]+')
_VARIABLE = re.compile(r"\$(?:\{[A-Za-z_]\w*\}|[A-Za-z_]\w*)")
_ASSIGNED = re.compile(rb"[A-Za-z_][A-Za-z0-9_]*=")
_SUBSTITUTION = re.compile(r"\$\([^()\n]{0,999}\)|`[^`\n]{0,999}`")
_ANSI = re.compile(
    r"\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|c(.)|(.))", re.DOTALL
)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "v": "\v"}
_HEREDOC = re.compile(r"<<(-?)[ \t]*(?:'([^'\n]+)'|\"([^\"\n]+)\"|\\?([^\s'\"|;&<>]+))")
_REDIRECTION = re.compile(r"(?:[0-9]|&)?>>?(?:&[0-9-])?[ \t]*")
_CONTINUED = re.compile(r"\\(?:[ \t]*)\r?\n")
_BLANK = re.compile("[ \t\r\xa0\u200b\u2007\u202f]+")
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


class Shell:
    """Reads commands from a text, from `at` on; stops at the line end that ends the command list.

    `known` are the variables that the text sets itself; what it sets further on is put in. Read, it tells whether a
    backslash joined lines (`is_continued`) and whether a quote was never closed (`is_open`).
    """

    def __init__(self, text: str, at: int, notes: Notes, known: dict[str, bytes] | None = None) -> None:
        self.text = text
        self.known = {} if known is None else known
        self.at = at
        self.notes = notes
        self.commands: list[Command] = []
        self._command = Command()
        self._word: bytearray | None = None
        self._heredocs: list[tuple[Command, str, bool]] = []
        self._skip_word = False
        self._curlies = _CURLIES
        self.is_continued = False
        self.is_open = False

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
        elif char == "$":
            self._dollar()
        elif char == "`":
            self._substitution()
        elif match := _PLAIN.match(self.text, self.at):
            self._add(raw(match[0]), match.end())
        else:
            self._add(raw(char), self.at + 1)

    def _add(self, data: bytes, at: int) -> None:
        self._word = bytearray() if self._word is None else self._word
        self._word += data
        self.at = at

    def _single(self) -> None:
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
            elif char == "$":
                self._dollar(is_quoted=True)
            elif char == "`":
                self._substitution()
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
        elif (match := _VARIABLE.match(text, at)) and (known := self.known.get(match[0].strip("${}"))) is not None:
            self._add(known, match.end())
        elif match:
            self.notes.remark(f"The value of the variable {match[0]} is not in the report; it stands as written.")
            self._add(match[0].encode(), match.end())
        elif text.startswith("$(", at):
            self._substitution()
        else:
            self._add(b"$", at + 1)

    def _substitution(self) -> None:
        match = _SUBSTITUTION.match(self.text, self.at)
        if match is None:
            self._add(self.text[self.at].encode(), self.at + 1)
            return
        self.notes.remark("A command inside the command was not run; it stands as written.")
        self._add(raw(match[0]), match.end())

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
            self._skip_word = False
            self._word = None

    def _end_command(self) -> None:
        self._end_word()
        words = self._command.words[1:] if self._command.words[:1] == [b"export"] else self._command.words
        if words and all(_ASSIGNED.match(word) for word in words):
            for word in words:
                name, _, value = word.partition(b"=")
                self.known[name.decode("ascii")] = value
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
            self._heredocs.append((self._command, match[2] or match[3] or match[4], bool(match[1])))
            self.at = match.end()
        elif match := _REDIRECTION.match(text, self.at):
            self.at = match.end()
            self._skip_word = not match[0].rstrip().endswith(("0", "1", "2", "-"))
        else:
            self.at += 1
            self._skip_word = True

    def _take_heredocs(self) -> None:
        """The lines up to each delimiter. Variables in them stay as written."""
        for command, delimiter, strips in self._heredocs:
            lines: list[str] = []
            while self.at < len(self.text):
                end = self.text.find("\n", self.at)
                end = len(self.text) if end < 0 else end
                line = self.text[self.at : end]
                self.at = end + 1
                line = line.lstrip("\t") if strips else line
                if line.rstrip("\r") == delimiter:
                    break
                lines.append(line + "\n")
            command.stdin = raw("".join(lines))
        self._heredocs = []
        self.at = min(self.at, len(self.text))


# --------------------------------------------------------------------------- what commands print


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


def printed(command: Command) -> bytes | None:
    """What `echo`, `printf` or `cat` with a here-document print, where that is certain."""
    name, *words = command.words
    if name == b"cat" and command.stdin is not None and all(word == b"-" for word in words):
        return command.stdin
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
