"""`x-mcp-header`: which arguments of a tool are mirrored into headers, and which annotations are not allowed.

Follows MCP 2026-07-28, Streamable HTTP, "Custom Headers from Tool Parameters".

Rules of this file:

* Every schema position of 2020-12 is walked, iteratively: a schema may be as deep as it likes.
* An illegal annotation is named and mirrors nothing. The tool stays in the list: it can still be called by hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from olv_tui import jsontext
from olv_tui.mcp.rules import violation
from olv_tui.model import Object, Value, Violation

KEY = "x-mcp-header"

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_TYPES = ("string", "integer", "boolean")
_SINGLE = frozenset(
    {
        "additionalProperties", "contains", "contentSchema", "else", "if", "items", "not", "propertyNames", "then",
        "unevaluatedItems", "unevaluatedProperties", "additionalItems",
    }
)  # fmt: skip
_LISTS = frozenset({"allOf", "anyOf", "oneOf", "prefixItems", "items"})
_MAPS = frozenset({"$defs", "definitions", "dependentSchemas", "patternProperties", "properties"})

Path = tuple[str, ...]

Position = tuple[Path | None, str, Object]
"""Chain of property names that leads to a schema (None: none does), its JSON pointer, the schema."""


def mirrored(schema: Value) -> list[tuple[Path, str]]:
    """(path of property names, header token) of every legal annotation, in the order of the schema."""
    return [(path, str(node[KEY])) for path, _, node, fault in _annotated(schema) if not fault and path is not None]


def faults(schema: Value, at: str) -> list[Violation]:
    """A D04 for every illegal annotation; `at` is the JSON pointer of the schema."""
    return [violation("D04", fault, at + where) for _, where, _, fault in _annotated(schema) if fault]


def _annotated(schema: Value) -> Iterator[tuple[Path | None, str, Object, str]]:
    """(path or None, pointer, node, what is wrong with it) of every annotated schema position."""
    taken: dict[str, str] = {}
    for path, where, node in positions(schema):
        if KEY not in node:
            continue
        fault = _fault(path, node)
        if not fault:
            token = str(node[KEY]).lower()
            if token in taken:
                fault = f'the header "{node[KEY]}" is already that of {taken[token]}'
            else:
                taken[token] = where
        yield path, where, node, fault


def _fault(path: Path | None, node: Object) -> str:
    token, kind = node[KEY], node.get("type")
    if not path:
        return f"{KEY} stands where no chain of properties leads"
    if not isinstance(token, str) or not _TOKEN.fullmatch(token):
        return f"{KEY} is {jsontext.dumps(token)[:80]}, which is no header token"
    if kind not in _TYPES:
        return f"{KEY} is allowed on strings, integers and booleans, not on {jsontext.dumps(kind)[:80]}"
    return ""


def positions(schema: Value) -> Iterator[Position]:
    """Every schema in a schema (2020-12), itself included."""
    stack: list[tuple[Path | None, str, Value]] = [((), "", schema)]
    while stack:
        path, where, node = stack.pop()
        if not isinstance(node, Object):
            continue
        yield path, where, node
        inner: list[tuple[Path | None, str, Value]] = []
        for word, value in node.items():
            below = where + jsontext.pointer([word])
            if word in _MAPS and isinstance(value, Object):
                for name, sub in value.items():
                    chain = (*path, name) if word == "properties" and path is not None else None
                    inner.append((chain, below + jsontext.pointer([name]), sub))
            elif word in _LISTS and isinstance(value, list):
                inner += [(None, f"{below}/{number}", sub) for number, sub in enumerate(value)]
            elif word in _SINGLE:
                inner.append((None, below, value))
        stack += reversed(inner)
