"""The colours of JSON, for a piece of text at a time.

Rules of this file:

* Colour only what is asked for: a lexer over 10 MB costs 8 json.loads, 40 lines cost 0.2 ms.
* Whatever comes is coloured as well as it can be and never refused: the text may be cut anywhere,
  may start inside a string, may be no JSON at all.
* Spans are in order and do not overlap.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import AnyStr, NamedTuple


class Span(NamedTuple):
    """Characters `start` to `end` of a line are of this kind: see `KINDS`."""

    start: int
    end: int
    kind: str


KINDS = (
    "key",
    "string",
    "number",
    "keyword",
    "punctuation",
    "escape",
    "heading",
    "label",
    "muted",
    "success",
    "warning",
    "error",
)
"""Every kind of a span: those of JSON first, then those of the decoded views."""

_TOKEN = re.compile(
    r'(?P<string>"(?:[^"\\]|\\.)*(?:"|\\?$))(?P<key>(?=\s*:))?'
    r"|(?P<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)"
    r"|(?P<keyword>\b(?:true|false|null|NaN|-?Infinity)\b)"
    r"|(?P<punctuation>[{}\[\]:,]+)"
)
_REST_OF_STRING = re.compile(r'(?:[^"\\]|\\.)*(?:"|\\?$)')
_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)")
_COLON = re.compile(r"\s*:")


def spans_of(text: str, *, in_string: bool = False) -> tuple[Span, ...]:
    """The spans of one line of JSON or of a part of one, which may start inside a string."""
    spans: list[Span] = []
    at = 0
    if in_string:
        rest = _REST_OF_STRING.match(text)
        if rest is not None and rest.end():
            at = rest.end()
            _string(spans, text, 0, at, "key" if text[at - 1] == '"' and _COLON.match(text, at) else "string")
    for token in _TOKEN.finditer(text, at):
        kind = token.lastgroup or "string"
        start, end = token.span()
        if kind in {"string", "key"}:
            _string(spans, text, start, end, kind)
        else:
            spans.append(Span(start, end, kind))
    return tuple(spans)


def clip(spans: Sequence[Span], start: int, end: int) -> tuple[Span, ...]:
    """The spans of the part `start` to `end` of a line, counted from its start."""
    lo, hi = 0, len(spans)
    while lo < hi:
        middle = (lo + hi) // 2
        if spans[middle].end <= start:
            lo = middle + 1
        else:
            hi = middle
    found: list[Span] = []
    for index in range(lo, len(spans)):
        span = spans[index]
        if span.start >= end or start >= end:
            break
        found.append(Span(max(span.start, start) - start, min(span.end, end) - start, span.kind))
    return tuple(found)


def odd_quotes(data: AnyStr, start: int, end: int) -> bool:
    r"""Whether an odd number of unescaped quotes stands between two offsets: a string opens or closes there.

    A quote behind k backslashes is in the first k + 1 of the counts, so their alternating sum counts
    exactly the quotes behind an even number. Neither offset may stand behind a backslash.
    """
    total = 0
    quote, slash = ('"', "\\") if isinstance(data, str) else (b'"', b"\\")
    mark, sign = quote, 1
    while count := data.count(mark, start, end):
        total += sign * count
        mark, sign = slash + mark, -sign
    return bool(total & 1)


def _string(spans: list[Span], text: str, start: int, end: int, kind: str) -> None:
    """Add a string token, its escapes set apart."""
    if "\\" not in text[start:end]:
        spans.append(Span(start, end, kind))
        return
    at = start
    for escape in _ESCAPE.finditer(text, start, end):
        if escape.start() > at:
            spans.append(Span(at, escape.start(), kind))
        spans.append(Span(escape.start(), escape.end(), "escape"))
        at = escape.end()
    if at < end:
        spans.append(Span(at, end, kind))
