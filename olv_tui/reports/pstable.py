"""A hash table of PowerShell piped into ConvertTo-Json, as the JSON it becomes.

Rules of this file: nothing is evaluated; a member that is no plain value makes the whole unknown. PowerShell keeps the
order of `[ordered]@{}` alone, so the order written is the one taken, and its white space is not imitated.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from olv_tui.reports.values import Notes
    from olv_tui.reports.windows import Token, Variables

_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?")
_CASTS = frozenset({"[ordered]", "[pscustomobject]", "[hashtable]"})
_SWITCHES = frozenset({"-compress", "-inputobject", "-asarray", "-enumsasstrings"})
_DEPTH = 2  # of ConvertTo-Json where none is given
_NESTED = 20  # tables in variables in tables
_WORDS = {"true": True, "false": False, "null": None}


class _Unknown(Exception):  # noqa: N818  a way out of the reader, caught below
    """Here it is no plain value."""


def as_json(tokens: list[Token], variables: Variables) -> str | None:
    """The JSON of what is piped into ConvertTo-Json or given to it; None where the tokens are something else."""
    tokens = [token for token in tokens if token.text.lower() not in _CASTS]
    at = next((number for number, token in enumerate(tokens) if token.text.lower() == "convertto-json"), None)
    if at is None or (at and tokens[at - 1].text != "|"):
        return None
    values: list[Any] = []
    depth = _DEPTH
    try:
        if at:
            reader = _Reader(tokens[: at - 1], variables)
            values.append(reader.value())
            if reader.at != len(reader.tokens):
                return None
        while (at := at + 1) < len(tokens):
            name = tokens[at].text.lower() if tokens[at].kind == "bare" else ""
            if name == "-depth":
                at += 1
                depth = int(tokens[at].text)
            elif name not in _SWITCHES:
                reader = _Reader(tokens[at:], variables)
                values.append(reader.value())
                at += reader.at - 1
    except (_Unknown, IndexError, ValueError, RecursionError):
        return None
    return json.dumps(_cut(values[0], depth, variables.notes), ensure_ascii=False) if len(values) == 1 else None


def _cut(value: Any, depth: int, notes: Notes) -> Any:
    """A value as ConvertTo-Json writes it: what lies deeper becomes a text, as its documentation warns."""
    if depth >= 0 and isinstance(value, dict):
        return {name: _cut(one, depth - 1, notes) for name, one in value.items()}
    if depth >= 0 and isinstance(value, list):
        return [_cut(one, depth - 1, notes) for one in value]
    if not isinstance(value, dict | list):
        return value
    notes.remark("ConvertTo-Json made texts of what lies deeper than its -Depth, which is 2 where none is given.")
    if isinstance(value, dict):
        return "System.Collections.Hashtable"
    return " ".join("System.Collections.Hashtable" if isinstance(one, dict) else str(one) for one in value)


class _Reader:
    """Reads one value of an expression."""

    def __init__(self, tokens: list[Token], variables: Variables, depth: int = 0) -> None:
        self.tokens = [token for token in tokens if token.text.lower() not in _CASTS]
        self.variables = variables
        self.text = variables.text
        self.depth = depth
        self.at = 0

    def value(self) -> Any:
        """One value. Raises _Unknown, IndexError."""
        token = self.tokens[self.at]
        self.at += 1
        if token.kind == "op" and token.text == "@{":
            return self.table()
        if token.text == "@" and self.tokens[self.at].text == "(":
            self.at += 1
            return self.items()
        if token.kind == "variable" and token.text.lower() in _WORDS:
            return _WORDS[token.text.lower()]
        if token.kind == "variable" and token.text.lower() in self.variables.shapes and self.depth < _NESTED:
            return _Reader(self.variables.shapes[token.text.lower()], self.variables, self.depth + 1).value()
        if token.kind == "variable" and token.text.lower() not in self.variables.plain:
            raise _Unknown
        if token.kind == "bare" and _NUMBER.fullmatch(token.text):
            return float(token.text) if "." in token.text else int(token.text)
        if token.kind in ("text", "double", "variable"):
            return self.text(token).decode("utf-8", "replace")
        raise _Unknown

    def table(self) -> dict[str, Any]:
        """Members up to the bracket that closes."""
        members: dict[str, Any] = {}
        while True:
            token = self.tokens[self.at]
            self.at += 1
            if token.kind == "op" and token.text == "}":
                return members
            if token.kind == "op" and token.text in (";", "\n"):
                continue
            if token.kind == "op" or self.tokens[self.at].text != "=":
                raise _Unknown
            self.at += 1
            members[self.text(token).decode("utf-8", "replace")] = self.value()

    def items(self) -> list[Any]:
        """Items up to the bracket that closes."""
        found: list[Any] = []
        while True:
            token = self.tokens[self.at]
            if token.kind == "op" and token.text in (")", ",", ";", "\n"):
                self.at += 1
                if token.text == ")":
                    return found
                continue
            found.append(self.value())
