"""Words of PowerShell, without running anything (about_Quoting_Rules, about_Special_Characters, about_Hash_Tables).

Rules of this file: nothing is evaluated. A variable is known where the text sets it to a plain value; else it stays
as written, and is told.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from olv_tui.reports.pstable import as_json
from olv_tui.reports.values import Notes, Refusal, raw, shown

_HERE = re.compile(r"@(['\"])[ \t]*\r?\n(.*?)\r?\n\1@", re.DOTALL)
_GAP = re.compile("(?:[ \t\r\xa0]|`[ \t]*\r?\n(?P<prompt>[ \t]*>>[ \t])?)+")
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
        if match := _GAP.match(text, at):
            # `>>` is the prompt of a continued line, as it is copied from a window.
            if match["prompt"]:
                notes.mend("prompts were taken out")
            at = match.end()
            is_joined = False
        elif text[at] == "#" and not is_joined:
            end = text.find("\n", at)
            at = size if end < 0 else end
        else:
            token, at = _token(text, at, notes)
            token.is_joined = is_joined and token.text != "\n"
            out.append(token)
            is_joined = True
    return out


def _token(text: str, at: int, notes: Notes) -> tuple[Token, int]:
    """The token that begins at a place, and where it ends."""
    char = text[at]
    if match := _HERE_EMPTY.match(text, at) or _HERE.match(text, at):
        inside = match[2] if match.re is _HERE else ""
        return Token("text", inside if match[1] == "'" else _expanded(inside, notes)), match.end()
    if text.startswith("@{", at):
        return Token("op", "@{"), at + 2
    if char in "\n;|(){}=,":
        return Token("op", char), at + 1
    if char in _SINGLES:
        word, end = _single(text, at)
        return Token("text", word), end
    if char in _DOUBLES:
        word, end = _double(text, at)
        return Token("double", word), end
    if match := _NAME.match(text, at):
        return Token("variable", match[1] or match[2]), match.end()
    if char == "`":
        return Token("bare", text[at + 1 : at + 2]), at + 2
    match = _BARE.match(text, at)
    return Token("bare", match[0] if match else char), match.end() if match else at + 1


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
        self.shapes: dict[str, list[Token]] = {}
        """Hash tables as they stand in the text, for ConvertTo-Json and for `@name`."""
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
            if token.text.lower() in self.shapes:
                raise Refusal(f"{name} is a hash table, and stands where a text is needed.")
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
            is_table = rest[0].text == "@{" or (rest[0].text.lower() == "[ordered]" and rest[1:])
            if (written := self.json(rest)) is not None:
                self.plain[name] = written
                self.shapes.pop(name, None)
            elif is_table:
                self.tables[name] = self.table(rest)[0]
                self.shapes[name] = rest
            elif rest[0].text.lower() == "new-temporaryfile":
                self.files[name] = b""
            else:
                value = self.value(rest)
                if value is not None:
                    self.plain[name] = value
                    self.shapes.pop(name, None)
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
        written = as_json(inside, self)
        if written is None:
            return None
        self.notes.mend("a hash table of PowerShell became the JSON that ConvertTo-Json makes of it")
        return raw(written)

    def value(self, tokens: list[Token]) -> bytes | None:
        """A plain expression: a string, bytes of a string, bytes in base64, JSON of a hash table is not one."""
        words = [token for token in tokens if token.kind != "op"]
        if len(words) > 2 and all(one.text == "+" and one.kind == "bare" for one in words[1::2]):
            return b"".join(map(self.text, words[::2]))
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

    def is_known(self, token: Token) -> bool:
        """Whether the text tells the value of a token."""
        name = token.text.lower()
        return token.kind != "variable" or name in self.plain or name in self.shapes or name in self.files

    def members(self, tokens: list[Token]) -> Iterator[tuple[str, list[Token]]]:
        """The members of a hash table with the tokens of their values."""
        depth, part = 0, list[Token]()
        for token in (*tokens, Token("op", ";")):
            closes = token.kind == "op" and token.text in (")", "}")
            depth -= closes
            if (depth == 1 and token.kind == "op" and token.text in (";", "\n")) or (closes and not depth):
                if len(part) > 2 and part[1].text == "=":
                    yield shown(self.text(part[0])), part[2:]
                part = []
            elif depth:
                part.append(token)
            depth += token.kind == "op" and token.text in ("(", "{", "@{")

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
