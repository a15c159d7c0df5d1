"""A hash table of PowerShell piped into ConvertTo-Json, as the JSON it becomes.

Rules of this file: nothing is evaluated; a member that is no plain value makes the whole unknown. PowerShell keeps the
order of `[ordered]@{}` alone, so the order written is the one taken, and its white space is not imitated.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from olv_tui.reports.windows import Token

_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?")
_WORDS = {"true": True, "false": False, "null": None}


class _Unknown(Exception):  # noqa: N818  a way out of the reader, caught below
    """Here it is no plain value."""


def as_json(tokens: list[Token], text: Callable[[Token], bytes]) -> str | None:
    """The JSON of a hash table that is piped into ConvertTo-Json; None where the tokens are something else."""
    at = next((number for number, token in enumerate(tokens) if token.text.lower() == "convertto-json"), None)
    if at is None or at < 2 or tokens[at - 1].text != "|":
        return None
    reader = _Reader([token for token in tokens[: at - 1] if token.text.lower() != "[ordered]"], text)
    try:
        value = reader.value()
    except (_Unknown, IndexError, RecursionError):
        return None
    return json.dumps(value, ensure_ascii=False) if reader.at == len(reader.tokens) else None


class _Reader:
    def __init__(self, tokens: list[Token], text: Callable[[Token], bytes]) -> None:
        self.tokens = tokens
        self.text = text
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
