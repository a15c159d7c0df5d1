"""The command line of the MCP Inspector (`npx @modelcontextprotocol/inspector --cli URL --method ...`) as a call.

Rules of this file: the command shows no message, so the one made of it is told as a mend.
"""

from __future__ import annotations

import json
from typing import Any

from olv_tui import jsontext
from olv_tui.model import Header
from olv_tui.reports.values import Notes, Refusal, ReportedCall, raw, shown

_PACKAGE = "@modelcontextprotocol/inspector"


def is_command(words: list[bytes]) -> bool:
    """Whether these words start the Inspector without its window."""
    return any(word.startswith(_PACKAGE.encode()) for word in words[:4]) and b"--cli" in words


def call(words: list[bytes], notes: Notes) -> ReportedCall:
    """The request that the Inspector makes. Raises Refusal."""
    method, tool, url = "", "", ""
    arguments: dict[str, Any] = {}
    headers: list[Header] = []
    rest = list(reversed([shown(word) for word in words]))
    while rest:
        word = rest.pop()
        if word == "--method":
            method = rest.pop() if rest else ""
        elif word == "--tool-name":
            tool = rest.pop() if rest else ""
        elif word == "--header" and rest:
            name, _, value = rest.pop().partition(":")
            headers.append((name.strip(), value.strip()))
        elif word == "--tool-arg":
            while rest and "=" in rest[-1] and not rest[-1].startswith("--"):
                name, _, text = rest.pop().partition("=")
                arguments[name] = _value(text)
        elif word.startswith(("http://", "https://")):
            url = word
    if not method or not url:
        raise Refusal("The command of the Inspector names no address or no method.")
    params = f',"params":{{"name":{jsontext.dumps(tool)},"arguments":{json.dumps(arguments)}}}' if tool else ""
    notes.mend("a message was made of the command of the Inspector, which shows none")
    headers += [("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream")]
    body = f'{{"jsonrpc":"2.0","id":1,"method":{jsontext.dumps(method)}{params}}}'
    return ReportedCall("POST", url, tuple(headers), raw(body))


def _value(text: str) -> Any:
    """A value as the Inspector reads it: JSON where it is some, else a text."""
    try:
        return json.loads(text)
    except ValueError:
        return text
