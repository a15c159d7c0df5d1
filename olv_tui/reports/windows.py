"""Words of the two shells of Windows, without running anything.

`cmd.exe` has two layers: cmd takes carets away, then the program's start-up code reads quotes and backslashes
(Microsoft C runtime, "Parsing C++ command-line arguments"). PowerShell follows about_Quoting_Rules,
about_Special_Characters and about_Hash_Tables.

Rules of this file: nothing is evaluated. A PowerShell variable is known where the text sets it to a plain value;
else it stays as written, and is told.
"""

from __future__ import annotations

import binascii
import re
from dataclasses import dataclass, field

from olv_tui.reports.pstable import as_json
from olv_tui.reports.values import Notes, raw, shown

# --------------------------------------------------------------------------- cmd.exe


def cmd_words(text: str, at: int) -> tuple[list[bytes], int]:
    """The words of a cmd.exe command from `at` on, and where it ends. Never raises."""
    line: list[str] = []
    is_quoted, size = False, len(text)
    while at < size:
        char = text[at]
        if char == "^" and not is_quoted:
            at += 1
            match = re.compile(r"\r?\n").match(text, at)
            if match:
                # The line end goes, and what follows it loses its meaning: a second one is a line end in the data.
                at = match.end()
                if match := re.compile(r"\r?\n").match(text, at):
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


# --------------------------------------------------------------------------- PowerShell

_HERE = re.compile(r"@(['\"])[ \t]*\r?\n(.*?)\r?\n\1@", re.DOTALL)
_HERE_EMPTY = re.compile(r"@(['\"])[ \t]*\r?\n\1@")
_SINGLES = "'‘’‚‛"
_DOUBLES = '"“”„'
_BARE = re.compile("[^\\s'\"‘’‚‛“”„`$;|(){}=,@&\xa0]+|@")
_NAME = re.compile(r"\$(?:\{([^}\n]{1,99})\}|((?:env:)?[A-Za-z_][\w:]*(?:\.[A-Za-z]\w*)*))")
_TICKED = {"n": "\n", "r": "\r", "t": "\t", "0": "\0", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "e": "\x1b"}


@dataclass(slots=True)
class Token:
    """`kind` is text (quoted), bare, variable, op (one of `; | ( ) { } @{ = ,` and line ends) or file."""

    kind: str
    text: str
    is_joined: bool = False  # no blank before it


@dataclass(slots=True)
class Statement:
    """Tokens up to a line end or semicolon that is in no brackets."""

    tokens: list[Token] = field(default_factory=list)


def statements(text: str, notes: Notes) -> list[Statement]:
    """A PowerShell text as statements. Never raises."""
    found = [Statement()]
    depth = 0
    for token in _tokens(text, notes):
        if token.kind == "op":
            depth += (token.text in ("(", "{", "@{")) - (token.text in (")", "}"))
            if token.text in (";", "\n"):
                if depth <= 0:
                    depth = 0
                    if found[-1].tokens:
                        found.append(Statement())
                    continue
                found[-1].tokens.append(Token("op", ";"))
                continue
        found[-1].tokens.append(token)
    return [one for one in found if one.tokens]


def _tokens(text: str, notes: Notes) -> list[Token]:
    out: list[Token] = []
    at, size = 0, len(text)
    is_joined = False
    while at < size:
        char = text[at]
        before = at
        if char in " \t\r\xa0":
            at += 1
            is_joined = False
            continue
        if match := re.compile(r"`[ \t]*\r?\n").match(text, at):
            at = match.end()
            # The prompt of a continued line, as it is copied from a window.
            if prompt := re.compile(r"[ \t]*>>[ \t]").match(text, at):
                notes.mend("prompts were taken out")
                at = prompt.end()
            is_joined = False
            continue
        if char == "#" and not is_joined:
            end = text.find("\n", at)
            at = size if end < 0 else end
            continue
        if char == "\n":
            out.append(Token("op", "\n"))
            at += 1
        elif match := _HERE_EMPTY.match(text, at) or _HERE.match(text, at):
            inside = match[2] if match.re is _HERE else ""
            out.append(Token("text", inside if match[1] == "'" else _expanded(inside, notes), is_joined))
            at = match.end()
        elif text.startswith("@{", at):
            out.append(Token("op", "@{", is_joined))
            at += 2
        elif char in ";|(){}=,":
            out.append(Token("op", char, is_joined))
            at += 1
        elif char in _SINGLES:
            word, at = _single(text, at)
            out.append(Token("text", word, is_joined))
        elif char in _DOUBLES:
            word, at = _double(text, at)
            out.append(Token("double", word, is_joined))
        elif match := _NAME.match(text, at):
            out.append(Token("variable", match[1] or match[2], is_joined))
            at = match.end()
        elif char == "`":
            out.append(Token("bare", text[at + 1 : at + 2], is_joined))
            at += 2
        else:
            match = _BARE.match(text, at)
            out.append(Token("bare", match[0] if match else char, is_joined))
            at = match.end() if match else at + 1
        is_joined = at > before
    return out


def _single(text: str, at: int) -> tuple[str, int]:
    """A verbatim string: a doubled quote is one, and PowerShell takes the typographic ones for the same."""
    out: list[str] = []
    at += 1
    start = at
    while at < len(text):
        if text[at] in _SINGLES:
            out.append(text[start:at])
            if text[at + 1 : at + 2] not in tuple(_SINGLES):
                return "".join(out), at + 1
            out.append(text[at])
            at += 2
            start = at
            continue
        at += 1
    return "".join((*out, text[start:])), len(text)


def _double(text: str, at: int) -> tuple[str, int]:
    """The inside of an expandable string, its doubled quotes undone; backticks and variables stay for `_expanded`."""
    out: list[str] = []
    at += 1
    while at < len(text):
        char = text[at]
        if char == "`":
            out.append(text[at : at + 2])
            at += 2
        elif char in _DOUBLES:
            if text[at + 1 : at + 2] not in tuple(_DOUBLES):
                return "".join(out), at + 1
            out.append(char)
            at += 2
        else:
            out.append(char)
            at += 1
    return "".join(out), at


def _expanded(text: str, notes: Notes, variables: dict[str, bytes] | None = None) -> str:
    """An expandable string with its escapes undone, and the variables that are known."""

    def put(match: re.Match[str]) -> str:
        if match[1] is not None:
            return _TICKED.get(match[1], match[1])
        name = (match[2] or match[3]).lower()
        if variables is not None and name in variables:
            return shown(variables[name])
        notes.remark(f"The value of the variable {match[0]} is not in the report; it stands as written.")
        return match[0]

    return re.sub(r"`(.)|\$(?:\{([^}\n]{1,99})\}|((?:env:)?[A-Za-z_]\w*))", put, text, flags=re.DOTALL)


class Variables:
    """What a PowerShell text sets: plain texts, bytes, files written, hash tables."""

    def __init__(self, notes: Notes) -> None:
        self.notes = notes
        self.plain: dict[str, bytes] = {}
        self.tables: dict[str, list[tuple[str, bytes]]] = {}
        self.files: dict[str, bytes] = {}

    def text(self, token: Token) -> bytes:
        """The value of one token as bytes."""
        if token.kind == "double":
            return raw(_expanded(token.text, self.notes, self.plain | self._names()))
        if token.kind == "variable":
            name = f"${token.text}"
            known = self.plain.get(token.text.lower())
            if known is not None:
                return known
            if token.text.lower() not in self.files:
                self.notes.remark(f"The value of the variable {name} is not in the report; it stands as written.")
            return raw(name)
        return raw(token.text)

    def _names(self) -> dict[str, bytes]:
        return {name: raw(f"${name}") for name in self.files}

    def take(self, tokens: list[Token]) -> bool:
        """Take over what a statement sets; False where it sets nothing."""
        if len(tokens) > 2 and tokens[0].kind == "variable" and tokens[1].text == "=" and tokens[1].kind == "op":
            name, rest = tokens[0].text.lower(), tokens[2:]
            if (written := self.json(rest)) is not None:
                self.plain[name] = written
            elif rest[0].text == "@{" and rest[0].kind == "op":
                self.tables[name] = self.table(rest)[0]
            elif rest[0].text.lower() == "new-temporaryfile":
                self.files[name] = b""
            else:
                value = self.value(rest)
                if value is not None:
                    self.plain[name] = value
            return True
        if len(tokens) > 4 and tokens[0].kind == "variable" and tokens[0].text.lower().endswith(".add"):
            words = [token for token in tokens[1:] if token.kind in ("text", "double", "variable")]
            if len(words) == 2:
                pairs = self.tables.setdefault(tokens[0].text.lower()[:-4], [])
                pairs.append((shown(self.text(words[0])), self.text(words[1])))
            return True
        if tokens and "writeallbytes" in tokens[0].text.lower():
            names = [token.text.lower() for token in tokens if token.kind == "variable"]
            if len(names) == 2 and names[0] in self.files and names[1] in self.plain:
                self.files[names[0]] = self.plain[names[1]]
            return True
        return False

    def json(self, tokens: list[Token]) -> bytes | None:
        """A hash table that is piped into ConvertTo-Json, brackets around it or not; None for anything else."""
        inside = tokens[1:-1] if len(tokens) > 2 and tokens[0].text == "(" and tokens[-1].text == ")" else tokens
        written = as_json(inside, self.text)
        if written is None:
            return None
        self.notes.mend("a hash table of PowerShell became the JSON that ConvertTo-Json makes of it")
        return raw(written)

    def value(self, tokens: list[Token]) -> bytes | None:
        """A plain expression: a string, bytes of a string, bytes in base64, JSON of a hash table is not one."""
        words = [token for token in tokens if token.kind != "op"]
        if len(words) == 1 and words[0].kind in ("text", "double", "variable", "bare"):
            return self.text(words[0])
        if len(words) == 2 and words[0].kind == "bare" and words[1].kind in ("text", "double", "variable"):
            what, inside = words[0].text.lower(), self.text(words[1])
            if "utf8.getbytes" in what:
                return inside
            if "frombase64string" in what:
                try:
                    return binascii.a2b_base64(inside)
                except ValueError:
                    return None
        return None

    def table(self, tokens: list[Token]) -> tuple[list[tuple[str, bytes]], int]:
        """A hash table that begins at the first token: its pairs, and how many tokens it takes."""
        pairs: list[tuple[str, bytes]] = []
        depth, at = 0, 0
        while at < len(tokens):
            token = tokens[at]
            if token.kind == "op":
                depth += (token.text in ("{", "@{", "(")) - (token.text in ("}", ")"))
                at += 1
                if depth <= 0:
                    break
                continue
            end = at + 1
            if depth == 1 and end < len(tokens) and tokens[end].kind == "op" and tokens[end].text == "=":
                value, start = b"", end + 1
                end = start
                while end < len(tokens) and tokens[end].kind != "op":
                    value += self.text(tokens[end])
                    end += 1
                pairs.append((shown(self.text(token)), value))
            at = end
        return pairs, at
