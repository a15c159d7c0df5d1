"""The arguments of a tool in lines: name, type in words, whether it is required, default, what it is for.

Rules of this file:

* One line an argument, whatever its schema: a level below is named and not opened, long lists are cut and counted.
* A schema that cannot be read as arguments is told in words; the tool can be called all the same.
* Everything in a schema is server text: it passes view/safe.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from olv_tui import jsontext
from olv_tui.model import Tool
from olv_tui.schema.build import tree
from olv_tui.schema.fields import Field, Kind
from olv_tui.view.json_colour import Span
from olv_tui.view.lines import Line
from olv_tui.view.safe import one_line
from olv_tui.view.words import counted

_LONG = 30
_LISTED = 8
_ABOUT = 160
_SENTENCE = re.compile(r"[.!?。](?=\s|$)|\n\s*\n")
_PLURAL = {Kind.OBJECT: "objects", Kind.ARRAY: "arrays", Kind.MAP: "objects", Kind.JSON: "any values"}


def arguments_lines(tool: Tool, limit: int | None = None) -> tuple[Line, ...]:
    """The arguments of a tool, one a line: `site  string, required: Host name without scheme`.

    At most `limit` of them, the required ones first then, and a line that counts the others; a sentence in their
    place where there are none. The spans are of the kinds of view/json_colour.py.
    """
    root = tree(tool.definition.get("inputSchema"), given="inputSchema" in tool.definition)
    lines: list[Line] = []
    if root.reason:
        lines.append(_said(one_line(root.reason, _ABOUT), "warning"))
    if root.kind is Kind.UNION:
        lines += [_said(f"one of these: {_some([branch.name for branch in root.branches], ' | ')}")]
    names = root.names
    if limit is not None and len(names) > limit:
        names = tuple(sorted(names, key=lambda name: name not in root.shape.required))  # stable: else their order
    lines += [_line(root.entry(name)) for name in names[:limit]]
    if len(names) > (len(names) if limit is None else limit):
        lines.append(_said(f"... and {counted(len(names) - (limit or 0), 'more argument')}"))
    if not lines:
        lines.append(_said("no arguments are described, any can be given" if root.is_open else "no arguments"))
    return tuple(lines)


def _line(field: Field) -> Line:
    name = one_line(field.name, 60) or '""'
    head = f"{name}  {type_words(field)}"
    marks = []
    if field.required:
        marks.append("required")
    if field.deprecated:
        marks.append("deprecated")
    if field.has_default:
        marks.append(f"default {one_line(jsontext.opening(field.default, 2 * _LONG)[0], _LONG)}")
    told = head + "".join(f", {mark}" for mark in marks)
    about = _first_sentence(field.description)
    spans = [Span(0, len(name), "key"), Span(len(name) + 2, len(told), "muted")]
    return Line(f"{told}: {about}" if about else told, tuple(spans))


def _said(text: str, kind: str = "muted") -> Line:
    return Line(text, (Span(0, len(text), kind),))


def _first_sentence(text: str) -> str:
    text = text[: 4 * _ABOUT].strip()
    end = _SENTENCE.search(text)
    return one_line(" ".join((text[: end.start()] if end else text).split()), _ABOUT)


def type_words(field: Field) -> str:
    """The type in words, `or null` where null is allowed beside it."""
    told = _kind(field)
    return f"{told} or null" if field.nullable and None not in field.options else told


def _kind(field: Field) -> str:
    match field.kind:
        case Kind.CONST:
            return f"always {_some(field.option_labels, ', ')}"
        case Kind.ENUM:
            return f"one of {_some(field.option_labels, ', ')}"
        case Kind.UNION:
            return _some([branch.name for branch in field.branches], " or ") or "any value"
        case Kind.ARRAY:
            return _array(field)
        case Kind.OBJECT:
            return f"object with {_some(field.names, ', ')}" if field.names else "object"
        case Kind.MAP:
            return "object of any names"
        case Kind.JSON:
            return "any value"
        case Kind.NEVER:
            return "no value is right"
        case _:
            return f"{field.kind} ({one_line(field.format, _LONG)})" if field.format else str(field.kind)


def _array(field: Field) -> str:
    """What is in an array; what is in that is not told."""
    if field.shape.prefix:
        return f"array of {counted(len(field.shape.prefix), 'fixed item')}"
    if not field.shape.items:
        return "array"
    item = field.item(0)
    if item.kind in (Kind.ENUM, Kind.CONST, Kind.OBJECT):
        return f"array of {_kind(item)}"
    return f"array of {_PLURAL.get(item.kind, f'{item.kind}s')}"


def _some(words: Iterable[str], between: str) -> str:
    """The first few words and how many more there are."""
    words = tuple(words)
    told = between.join(one_line(word, _LONG) for word in words[:_LISTED])
    return f"{told} and {len(words) - _LISTED:,} more" if len(words) > _LISTED else told
