"""A comparison as rows to walk through: what differs, what only is written differently, what is ignored.

Rules of this file:

* Pure. A row is cut from the values when it is asked for; values of megabytes cost what their first line costs.
* Order and spelling stand apart, below what differs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from olv_tui import jsontext
from olv_tui.model import Number, Object, Value
from olv_tui.reports.compare import Comparison, Difference
from olv_tui.view.safe import one_line

SYMBOLS = {"missing": "-", "added": "+", "order": "~", "spelling": "~", "type": "!", "value": "!"}
_STYLES = {"missing": "error", "added": "success", "order": "muted", "spelling": "muted"}
_WORDS = {
    "missing": "only in the first",
    "added": "only in the second",
    "order": "the same in another order",
    "spelling": "the same, written differently",
    "type": "of another type",
    "value": "another value",
}
_PREVIEW = 200


@dataclass(frozen=True, slots=True)
class Row:
    """One row: symbol, its style, place, both values short, and what stands behind it."""

    symbol: str
    style: str
    place: str
    before: str
    after: str
    difference: Difference


def rows(found: Comparison) -> list[Row]:
    """The rows of a comparison: what differs first, then what only is written differently."""
    return [row(one) for one in (*found.differences, *found.written)]


def row(one: Difference) -> Row:
    """A difference as a row."""
    return Row(
        SYMBOLS.get(one.kind, "!"),
        _STYLES.get(one.kind, "warning"),
        one_line(one.at or "(the whole answer)", 120),
        "" if one.kind == "added" else short(one.expected),
        "" if one.kind == "missing" else short(one.actual),
        one,
    )


def short(value: Value) -> str:
    """A value on one line, safe and short; of a list or an object how many there are."""
    if isinstance(value, Object):
        return f"{{{len(value)} members}}" if value else "{}"
    if isinstance(value, list):
        return f"[{len(value)} items]" if value else "[]"
    if isinstance(value, Number):
        return one_line(value.text, _PREVIEW)
    return one_line(jsontext.dumps(value[:_PREVIEW] if isinstance(value, str) else value), _PREVIEW)


def full(one: Difference) -> tuple[str, str]:
    """Both values in full as indented JSON, "" for the one that is not there. Heavy for large values."""
    before = "" if one.kind == "added" else _pretty(one.expected)
    after = "" if one.kind == "missing" else _pretty(one.actual)
    return before, after


def _pretty(value: Value) -> str:
    text = jsontext.dumps(value)
    if not isinstance(value, Object | list):
        return text
    import msgspec

    try:
        return msgspec.json.format(text.encode(), indent=2).decode()
    except (msgspec.DecodeError, UnicodeEncodeError):
        return text


def headline(found: Comparison, ignored: int) -> tuple[str, str]:
    """The comparison in a sentence, and its style."""
    if found.outcome == "same":
        told = "same" + (", written differently" if found.written else "")
        return _with(told, 0, len(found.written), ignored), "success"
    word = "same kind, other values" if found.outcome == "same kind" else "different"
    return _with(word, found.total, len(found.written), ignored), "warning" if found.outcome == "same kind" else "error"


def _with(word: str, total: int, written: int, ignored: int) -> str:
    parts = [word]
    if total:
        parts.append(f"{total:,} difference{'s' if total != 1 else ''}")
    if written:
        parts.append(f"{written:,} of order or spelling only")
    if ignored:
        parts.append(f"{ignored} place{'s' if ignored != 1 else ''} ignored")
    return " · ".join(parts)


def likeness(found: Comparison) -> str:
    """The comparison with a reported answer in a few words, for beside a verdict; those of `replay` and its exit code:
    only the same answer is reproduced.
    """
    if found.outcome == "same":
        return "reproduced: same answer"
    told = "not the same: of the same kind" if found.outcome == "same kind" else "different"
    return f"{told}; d in this pane compares"


def about(one: Difference) -> str:
    """What a kind of difference means."""
    return _WORDS.get(one.kind, one.kind)


def any_index(pointer: str) -> str:
    """A pointer with each number of an item as `*`: the same member of every item."""
    return re.sub(r"/\d+(?=/|$)", "/*", pointer)


def as_text(found: Comparison, names: tuple[str, str], ignore: Sequence[str]) -> str:
    """The comparison as text to hand on, a line a difference."""
    lines = [f"--- {names[0]}", f"+++ {names[1]}", headline(found, len(ignore))[0]]
    for one in rows(found):
        if one.symbol == "-":
            lines.append(f"- {one.place}: {one.before}")
        elif one.symbol == "+":
            lines.append(f"+ {one.place}: {one.after}")
        else:
            lines.append(f"{one.symbol} {one.place}: {one.before} -> {one.after}")
    if found.total > len(found.differences):
        lines.append(f"... {found.total:,} differences in all")
    return "\n".join(lines) + "\n"
