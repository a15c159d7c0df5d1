"""Values and bytes to text: exact to the token, at any depth.

Rules of this file:

* Numbers are written as they were read, duplicates and order stay, characters stay what they are.
  Only a lone surrogate becomes an escape, since no encoding can carry it.
* Iterative: depth costs memory, never the interpreter's stack.
* Indentation stops growing at `INDENTED` levels, and deeper lines keep it: else 20 kB nested 10,000 deep
  would be written as 200 MB.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from json.encoder import encode_basestring
from typing import Any

from olv_tui.jsontext.late import STEP, LateList, LateObject, trimmed
from olv_tui.jsontext.steps import indented
from olv_tui.jsontext.tokens import JsonError, space, tokens
from olv_tui.model import Number, Object, Value

_SURROGATE = re.compile("[\ud800-\udfff]")
_BOM = b"\xef\xbb\xbf"
_END = object()

INDENTED = 40
"""Levels that are told by indentation; no line is indented further."""

_ROUND = bytes.maketrans(b"[]{}", b"()()")
_NO_BRACKET = bytes(byte for byte in range(256) if byte not in b'[]{}"')
_QUOTED = re.compile(rb'"[^"]*+"?')
_DEEP = b"(" * (INDENTED + 1)


def dumps(value: Value, *, indent: int | None = None) -> str:
    """The JSON text of a value: compact, or indented by `indent` spaces a level, down to `INDENTED` levels.

    Raises TypeError for what is no Value.
    """
    if isinstance(value, LateObject | LateList):
        text = _as_it_came(value, indent)
        if text is not None:
            return text
    return "".join(_pieces(value, indent, None))


def _as_it_came(value: LateObject | LateList, indent: int | None) -> str | None:
    """The text of a value that is read late, without reading it; None where it holds escapes, which `dumps` undoes."""
    source = value.source[value.start : value.end]
    if b"\\" in source or indent not in (None, 2):
        return None
    made = compact(source) if indent is None else pretty(source)
    return None if made is None else made.decode()


def opening(value: Value, limit: int, *, indent: int | None = None) -> tuple[str, bool]:
    """The first `limit` characters of what `dumps` writes, and whether that is all; the rest is never written."""
    parts: list[str] = []
    written = 0
    for piece in _pieces(value, indent, limit + 1):
        parts.append(piece)
        written += len(piece)
        if written > limit:
            return "".join(parts)[:limit], False
    return "".join(parts), True


def _pieces(value: Value, indent: int | None, longest: int | None) -> Iterator[str]:
    """The text of a value piece by piece; of strings and numbers only the first `longest` characters."""
    comma, colon = ",", ":" if indent is None else ": "
    # Per open bracket: what is left in it, its closing text, whether anything stands in it yet.
    stack: list[tuple[Iterator[Any], str, bool]] = []
    fresh = True

    def line(depth: int) -> str:
        return "" if indent is None else "\n" + " " * (indent * min(depth, INDENTED))

    node: Any = value
    while True:
        opened = _opened(node)
        if opened is None:
            yield _scalar(node, longest)
        elif not opened[1]:
            yield opened[0] + opened[2]
        else:
            yield opened[0]
            stack.append((iter(opened[1]), opened[2], opened[0] == "{"))
            fresh = True
        while stack:
            rest, closer, is_object = stack[-1]
            item: Any = next(rest, _END)
            if item is _END:
                stack.pop()
                yield line(len(stack)) + closer
                fresh = False
                continue
            yield ("" if fresh else comma) + line(len(stack))
            fresh = False
            if is_object:
                yield _string(item[0][:longest]) + colon
                node = item[1]
            else:
                node = item
            break
        else:
            return


def _opened(node: object) -> tuple[str, Any, str] | None:
    """Bracket, content and bracket of a container, None for anything else."""
    if isinstance(node, Object):
        return "{", node.members(), "}"
    if isinstance(node, dict):
        return "{", node.items(), "}"
    if isinstance(node, list):
        return "[", node, "]"
    return None


def _scalar(node: object, longest: int | None) -> str:
    if isinstance(node, str):
        return _string(node[:longest])
    if isinstance(node, Number):
        return node.text[:longest]
    if node is None:
        return "null"
    if isinstance(node, bool):
        return "true" if node else "false"
    raise TypeError(f"{type(node).__name__} is no JSON value")


def _string(text: str) -> str:
    written: str = encode_basestring(text)
    if written.isascii():
        return written
    return _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", written)


def pretty(data: bytes) -> bytes | None:
    """The JSON in `data` indented by two a level down to `INDENTED` levels, every token as it came; None for no JSON.

    Trailing text is kept, on a line of its own. msgspec does it (10 MB with the look for depth: 0.2 times
    json.loads); what it refuses (NaN, half surrogate pairs, a byte order mark, trailing text) and what is
    nested more deeply goes through `tokens`. Large JSON is indented in steps, so other threads go on meanwhile.
    """
    import msgspec  # 45 ms that start-up does without

    if len(data) > STEP:
        made = indented(data, *trimmed(data), _is_deep)
        if made is not None:
            return made
    elif not _is_deep(data):
        try:
            return msgspec.json.format(data, indent=2)
        except (msgspec.DecodeError, RecursionError):
            pass
    text = data.removeprefix(_BOM).decode("latin-1")
    try:
        pieces = list(_indented(text))
    except JsonError:
        return None
    out = [piece for piece, _ in pieces]
    end = pieces[-1][1]
    rest = text[space(text, end) :]
    return "".join((*out, "\n" + rest if rest else "")).encode("latin-1")


def _indented(text: str) -> Iterator[tuple[str, int]]:
    """The value in `text` token by token, each with what separates it from the one before, and the end of each.

    Raises JsonError where it is no JSON.
    """
    depth = 0
    before = ""  # the token before this one: what separates them
    for kind, start, end in tokens(text):
        if kind in "]}":
            depth -= 1
            between = "" if before in "[{" else "\n" + "  " * min(depth, INDENTED)
        elif before == "k":
            between = ": "
        elif before:
            between = ("" if before in "[{" else ",") + "\n" + "  " * min(depth, INDENTED)
        else:
            between = ""
        yield between + text[start:end], end
        depth += kind in "[{"
        before = kind


def beginning(value: LateObject | LateList, most: int) -> bytes:
    """What `written` begins with, from the first `most` bytes of the value; no more of it is looked at."""
    text = value.source[value.start : min(value.start + most, value.end)].decode("latin-1")
    out: list[str] = []
    with contextlib.suppress(JsonError):
        for piece, _ in _indented(text):
            out.append(piece)
    return "".join(out).encode("latin-1")


def written(value: LateObject | LateList) -> bytes | None:
    """What `pretty` makes of the text of a value that is read late."""
    if value.end - value.start > STEP:
        made = indented(value.source, value.start, value.end, _is_deep, value.known)
        if made is not None:
            return made
    return pretty(value.source[value.start : value.end])


def compact(data: bytes) -> bytes | None:
    """The JSON in `data` without the white space between its tokens, each of them as it came; None for no JSON."""
    import msgspec

    if not _is_deep(data):
        try:
            return msgspec.json.format(data, indent=-1)
        except (msgspec.DecodeError, RecursionError):
            pass
    text = data.removeprefix(_BOM).decode("latin-1")
    out: list[str] = []
    before, end = "", 0
    try:
        for kind, start, end in tokens(text):
            if before == "k":
                out.append(":")
            elif before and before not in "[{" and kind not in "]}":
                out.append(",")
            out.append(text[start:end])
            before = kind
    except JsonError:
        return None
    if text[space(text, end) :]:
        return None
    return "".join(out).encode("latin-1")


def _is_deep(data: bytes) -> bool:
    """Whether brackets are nested deeper than `INDENTED`, in any JSON or the sound beginning of any other text.

    Only brackets and quotes are kept, strings are taken out, then the innermost pairs, level by level: 8 MB
    take 8 ms, 26 where many strings hold brackets. Two quotes beside each other close and open, or hold nothing.
    """
    if b"\\" in data:
        data = data.replace(rb"\\", b"").replace(rb"\"", b"")
    left = data.translate(_ROUND, _NO_BRACKET).replace(b'"' * 8, b"").replace(b'""', b"")
    if b'"' in left:
        left = _QUOTED.sub(b"", left)
    for _ in range(INDENTED):
        if not left:
            return False
        if _DEEP in left:
            return True
        left = left.replace(b"()", b"")
    return bool(left)
