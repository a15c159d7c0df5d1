"""Messages that stand in a text in some code: escaped in a string, in base64, as the repr of Python's SDK.

Rules of this file: what is decoded has to be JSON or begin like it; everything else stays as it is.
"""

from __future__ import annotations

import ast
import binascii
import json
import re
from typing import Any

from olv_tui import jsontext
from olv_tui.reports.values import Notes

_TELLING = re.compile(r'(?<!\\)\\++"(?:jsonrpc|method|result|error)\\++"')
_LITERAL = re.compile(r'(?<!\\)"((?:[^"\\\n]|\\.){8,}+)"')
_BEGINNING = re.compile(r'\{(?:\s|\\{1,9}[nrt])*+\\+"')
_HEXED = re.compile(r"\\x(?:22|7[bB])")
_HEX = re.compile(r"(?:\\x[0-9a-fA-F]{2})+")
_BASE64 = re.compile(r"(?<![A-Za-z0-9+/_-])(?:e[wy]|W3|W1)[A-Za-z0-9+/_-]{30,}={0,2}(?![A-Za-z0-9+/=_-])")
_REPR = re.compile(r"\bJSONRPC(?:Request|Response|Error|Notification)\(")
_DOUBLED = re.compile(r'\{\s*""(?:jsonrpc|method|id|result|error)""')
_FIELD = re.compile(r'"((?:[^"]|"")*+)"')
_LONGEST_REPR = 200_000
_REPR_WORK = 1_000_000  # characters that are looked through in vain
_DEPTH = 4  # strings in strings
_BYTES = re.compile(r"\bb'(?=[{\[])((?:[^'\\\n]|\\.)*+)'")
_IN_CODE = re.compile(r"(?<![\w\\])(['`])(?=\s*[{\[])((?:(?!\1)[^\\]|\\.)*+)\1", re.DOTALL)
_CODE_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_CODE_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": ""}


def unescaped(text: str, notes: Notes) -> str | None:
    """With JSON that stands in a string, `{\\"jsonrpc\\"...`, or as nginx logs it, `{\\x22jsonrpc\\x22`, as itself."""
    found = _unhexed(text) if _HEXED.search(text) else text
    for _ in range(_DEPTH):
        if _TELLING.search(found) is None:
            break
        before = found
        found = "\n".join(_opened(line) for line in found.split("\n"))
        if found == before:
            break
    if found == text:
        return None
    notes.mend("the escapes of a string that holds JSON were undone")
    return found


def _opened(line: str) -> str:
    """A line with its string literals that hold JSON, or what is escaped without quotes around it, as text."""
    if _TELLING.search(line) is None:
        return line

    def put(match: re.Match[str]) -> str:
        inside = _loaded(match[0]) if _TELLING.search(match[0]) else None
        return match[0] if inside is None else inside

    opened = _LITERAL.sub(put, line)
    if opened != line:
        return opened
    start = _BEGINNING.search(line)
    if start is None:
        return line
    end = line.rfind("}") + 1
    inside = _loaded(f'"{line[start.start() : end]}"')
    return line if inside is None else line[: start.start()] + inside + line[end:]


def _loaded(literal: str) -> str | None:
    try:
        value = jsontext.loads(literal)
    except jsontext.JsonError:
        return None
    return value if isinstance(value, str) and value.lstrip().startswith(("{", "[")) else None


def _unhexed(text: str) -> str:
    def put(match: re.Match[str]) -> str:
        return bytes.fromhex(match[0].replace("\\x", "")).decode("utf-8", "surrogateescape")

    return _HEX.sub(put, text)


def undoubled(text: str, notes: Notes) -> str | None:
    """With a field of a table (CSV, RFC 4180) that holds a message as itself: its quotes are doubled there."""
    if _DOUBLED.search(text) is None:
        return None

    def put(match: re.Match[str]) -> str:
        return match[1].replace('""', '"') if _DOUBLED.search(match[1]) else match[0]

    notes.mend("the doubled quotes of a table were undone")
    return _FIELD.sub(put, text)


# --------------------------------------------------------------------------- literals of programs


def literals(text: str, notes: Notes, *, is_code: bool) -> str:
    """With JSON in literals that have escapes as itself: bytes as Python shows them, and strings of code (`is_code`).

    Unlike a mend this is done to what reads as JSON as well: `b'{"a": "x\\\\ny"}'` holds one backslash and not two.
    """

    def put(match: re.Match[str]) -> str:
        inside = _escaped(match) if "\\" in match[0] else ""
        if not jsontext.parse(inside.encode("utf-8", "surrogatepass")).has_value:
            return match[0]
        notes.mend("the escapes of a string that holds JSON were undone")
        return inside

    text = _BYTES.sub(put, text) if "b'" in text else text
    return _IN_CODE.sub(put, text) if is_code else text


def _escaped(match: re.Match[str]) -> str:
    if match[0].startswith("b"):
        try:
            data = ast.literal_eval(match[0])
        except (ValueError, SyntaxError):
            return ""
        return data.decode("utf-8", "replace") if isinstance(data, bytes) else ""

    def one(escape: re.Match[str]) -> str:
        code = escape[1] or escape[2]
        return chr(int(code, 16)) if code else _CODE_LETTERS.get(escape[3], escape[3])

    inside = _CODE_ESCAPE.sub(one, match[2])
    return inside.encode("utf-16", "surrogatepass").decode("utf-16", "replace")  # pairs of \\u become one


# --------------------------------------------------------------------------- base64


def bases(text: str, notes: Notes) -> str | None:
    """With the messages that stand in base64 decoded; a token (`eyJhbGciOi...`) is none of them."""

    def put(match: re.Match[str]) -> str:
        message = _message(match[0])
        if message is None:
            return match[0]
        is_inside = text[match.start() - 1 : match.start()] == '"' == text[match.end() : match.end() + 1]
        return json.dumps(message)[1:-1] if is_inside else message

    found = _BASE64.sub(put, text)
    if found == text:
        return None
    notes.mend("base64 was decoded")
    return found


def _message(word: str) -> str | None:
    """The JSON in a word of base64 that speaks of a method, a result or an error."""
    plain = word.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        data = binascii.a2b_base64(plain + "=" * (-len(plain) % 4))
        message = data.decode("utf-8")
    except ValueError:
        return None
    is_telling = any(f'"{name}"' in message for name in ("method", "result", "error"))
    return message if is_telling and jsontext.parse(data).has_value else None


# --------------------------------------------------------------------------- Python's SDK


def reprs(text: str, notes: Notes) -> str | None:
    """With `JSONRPCRequest(method='tools/call', ...)`, as the logs of Python's SDK show messages, as JSON."""
    out: list[str] = []
    at = 0
    work = _REPR_WORK
    for match in _REPR.finditer(text):
        if match.start() < at:
            continue
        if work <= 0:
            break
        end = _closed(text, match.end())
        work -= _LONGEST_REPR if end is None else end - match.start()
        written = None if end is None else _from_repr(text[match.start() : end])
        if end is None or written is None:
            continue
        out += [text[at : match.start()], written]
        at = end
    if not at:
        return None
    notes.mend("messages as Python's SDK logs them became JSON")
    return "".join((*out, text[at:]))


def _closed(text: str, at: int) -> int | None:
    """Behind the bracket that closes the one before `at`; quotes are heeded."""
    depth, quote = 1, ""
    stop = min(len(text), at + _LONGEST_REPR)
    while at < stop:
        char = text[at]
        if quote:
            if char == "\\":
                at += 1
            elif char == quote:
                quote = ""
        elif char in "'\"":
            quote = char
        elif char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
            if not depth:
                return at + 1
        at += 1
    return None


def _from_repr(source: str) -> str | None:
    try:
        return json.dumps(_plain(ast.parse(source, mode="eval").body), ensure_ascii=False, separators=(",", ":"))
    except (SyntaxError, ValueError, RecursionError, MemoryError, TypeError):
        return None


def _plain(node: ast.expr) -> Any:
    """A literal, or a call with keywords as an object without its None members. Raises ValueError for else."""
    if isinstance(node, ast.Call):
        members = {one.arg: _plain(one.value) for one in node.keywords if one.arg is not None}
        return {name: value for name, value in members.items() if value is not None}
    if isinstance(node, ast.Dict):
        pairs = zip(node.keys, node.values, strict=True)
        return {_plain(key): _plain(value) for key, value in pairs if key is not None}
    if isinstance(node, ast.List | ast.Tuple):
        return [_plain(one) for one in node.elts]
    value = ast.literal_eval(node)
    if not isinstance(value, str | int | float | bool | None):
        raise ValueError("no JSON")
    return value
