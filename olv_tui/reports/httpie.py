"""The words of an HTTPie (or xh) command as the request it makes of them (HTTPie 3 documentation, "Request items").

Rules of this file: what HTTPie adds and a server looks at is added here too (`Accept`, the content type of JSON).
What stands in a file is not guessed.
"""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass, field
from typing import Any

from olv_tui import jsontext
from olv_tui.model import Header
from olv_tui.reports.values import Notes, Refusal, ReportedCall, address, raw, shown

_WITH_VALUE = frozenset(
    re.findall(
        r"\S+",
        """
    --auth -a --auth-type -A --raw --session --session-read-only --timeout --proxy --verify --cert --cert-key --ssl
    --ciphers --style -s --pretty --print -p --output -o --max-redirects --max-headers --boundary --format-options
    --response-charset --response-mime --default-scheme --path-as-is= --bearer --cert-key-pass
    """,
    )
)
_SWITCH = re.compile(r"-[A-Za-z0-9]{1,9}|--[a-z][a-z-]*")
_SEPARATORS = (":=@", ":=", "==", "=@", ":@", ":", ";", "=", "@")
_ESCAPABLE = frozenset(":;=@")
_METHOD = re.compile(r"[A-Z]{3,10}|(?:get|post|put|patch|delete|head|options)")
_PATH = re.compile(r"\[([^\[\]]{0,200})\]")
_ADDRESS = re.compile(r"(?:https?://|:|localhost\b|[\w-]+(?:\.[\w-]+)+|\[[0-9a-fA-F:]+\]|\$\w)", re.IGNORECASE)


@dataclass(slots=True)
class _Items:
    """What the request items have said so far."""

    headers: list[Header] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    members: list[tuple[str, str]] = field(default_factory=list)  # name and JSON text
    query: list[str] = field(default_factory=list)


def is_command(words: list[bytes]) -> bool:
    """Whether words after `http` are a command and no prose: an address comes first, or a method and one."""
    plain = _parted(words)[1]
    if not plain:
        return False
    at = 1 if _METHOD.fullmatch(plain[0]) and len(plain) > 1 else 0
    return _ADDRESS.match(plain[at]) is not None


def call(name: str, words: list[bytes], stdin: bytes | None, notes: Notes) -> ReportedCall:
    """The request of `http WORDS`. Raises Refusal."""
    options, plain = _parted(words)
    if any(option in ("--form", "-f", "--multipart") for option, _ in options):
        raise Refusal("The HTTPie command sends a form, which is no JSON-RPC.")
    items = _Items()
    told = dict(options)
    login = told.get("--auth", told.get("-a"))
    bearer = told.get("--bearer")
    if login is not None and told.get("--auth-type", told.get("-A")) == "bearer":
        login, bearer = None, login
    if login is not None:
        items.headers.append(("Authorization", f"Basic {base64.b64encode(raw(login)).decode('ascii')}"))
    if bearer is not None:
        items.headers.append(("Authorization", f"Bearer {bearer}"))
    method = plain.pop(0).upper() if len(plain) > 1 and _METHOD.fullmatch(plain[0]) else None
    if not plain:
        raise Refusal("The HTTPie command names no address.")
    scheme = "https" if name in ("https", "xhs") else "http"
    url = address(_url(plain.pop(0), scheme), notes, scheme)
    for text in plain:
        _item(items, text)
    if items.query:
        url += ("&" if "?" in url else "?") + "&".join(items.query)
    body = raw(told["--raw"]) if "--raw" in told else raw(_nested(items.members)) if items.members else stdin
    return _made(items, method, url, body)


def _parted(words: list[bytes]) -> tuple[list[tuple[str, str]], list[str]]:
    """The options with their values, and the words that are none; they may stand in any order."""
    options: list[tuple[str, str]] = []
    plain: list[str] = []
    rest = [shown(word) for word in reversed(words)]
    while rest:
        text = rest.pop()
        if text == "--":
            return options, plain + rest[::-1]
        name, mark, value = text.partition("=")
        if text in _WITH_VALUE:
            options.append((text, rest.pop() if rest else ""))
        elif text.startswith("--") and mark and name in _WITH_VALUE:
            options.append((name, value))
        elif _SWITCH.fullmatch(text):
            options.append((text, ""))
        elif text:
            plain.append(text)
    return options, plain


def _nested(members: list[tuple[str, str]]) -> str:
    """The members as one object; `a[b]=1` makes an object in it, `a[]=1` or `a[0]=1` a list (HTTPie 3, nested JSON)."""
    if not any(_PATH.search(name) for name, _ in members):
        return "{" + ", ".join(f"{jsontext.dumps(one)}: {text}" for one, text in members) + "}"
    root: dict[str, Any] = {}
    for name, text in members:
        first = name.partition("[")[0]
        steps = [*([first] if first else []), *(step and f"[{step}" for step in _PATH.findall(name))]
        here = root
        for step in steps[:-1]:
            inner = here.setdefault(step or f"[{len(here)}", {})
            if not isinstance(inner, dict):
                raise Refusal(f"The HTTPie command gives {name[:40]!r} where there is a plain value already.")
            here = inner
        here[steps[-1] or f"[{len(here)}"] = text
    return _written(root)


def _written(value: Any) -> str:
    """An object of JSON texts as text; members in brackets that are counted up from 0 make a list."""
    if isinstance(value, str):
        return value
    if value and sorted(value) == sorted(f"[{number}" for number in range(len(value))):
        return "[" + ", ".join(_written(value[f"[{number}"]) for number in range(len(value))) + "]"
    members = (f"{jsontext.dumps(name.removeprefix('['))}: {_written(one)}" for name, one in value.items())
    return "{" + ", ".join(members) + "}"


def _made(items: _Items, method: str | None, url: str, body: bytes | None) -> ReportedCall:
    headers = list(items.headers)
    names = {name.lower() for name, _ in headers} | set(items.gone)
    if body is not None and "content-type" not in names:
        headers.append(("Content-Type", "application/json"))
    if "accept" not in names:
        headers.append(("Accept", "*/*" if body is None else "application/json, */*;q=0.5"))
    without = list(items.gone)
    if body is None and not any(name.lower() == "content-type" for name, _ in headers):
        without.append("content-type")
    implied = "GET" if body is None else "POST"
    return ReportedCall(method or implied, url, tuple(headers), body or b"", without=tuple(dict.fromkeys(without)))


def _url(text: str, scheme: str) -> str:
    """An address with HTTPie's shorthand: `:3000/mcp`, `host/path`, `://host`."""
    if "://" in text:
        return text if not text.startswith("://") else scheme + text
    if re.match(r":(?:\d|/|$)", text):
        port, slash, path = text[1:].partition("/")
        return f"{scheme}://localhost{':' + port if port else ''}{slash}{path}"
    return text


def _item(items: _Items, text: str) -> None:
    """One request item. Raises Refusal."""
    key, separator, value = _split(text)
    match separator:
        case ":" if value.strip():
            items.headers.append((key, value.strip(" \t")))
        case ":":
            items.gone.append(key.lower())
        case ";":
            items.headers.append((key, ""))
        case "==":
            items.query.append(f"{key}={value}")
        case "=":
            items.members.append((key, jsontext.dumps(value)))
        case ":=":
            items.members.append((key, value))
        case "":
            raise Refusal(f"The HTTPie command holds {key[:40]!r}, which is no request item.")
        case _:
            raise Refusal(f"A part of the command stands in the file {value[:80]}, and the report does not hold it.")


def _split(text: str) -> tuple[str, str, str]:
    """Key, separator and value: the earliest separator counts, the longest there; a backslash takes its meaning."""
    key: list[str] = []
    at = 0
    while at < len(text):
        if text[at] == "\\" and text[at + 1 : at + 2] in _ESCAPABLE:
            key.append(text[at + 1])
            at += 2
            continue
        found = next((one for one in _SEPARATORS if text.startswith(one, at)), None)
        if found is not None and not (found == ";" and at + 1 < len(text)):
            value = re.sub(r"\\([:;=@])", r"\1", text[at + len(found) :])
            return "".join(key), found, value
        key.append(text[at])
        at += 1
    return "".join(key), "", ""
