"""The answer that was reported held against the one that came.

Rules of this file:

* Values are compared, not texts: white space and escapes do not count. What only is written differently (the order
  of members, `1.0` for `1`) is told apart from what is different.
* `same kind` is the same failure with other words (code or error word equal), or a result of the same shape with
  other values.
* Iterative, and bounded in what is told, not in what is compared.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from olv_tui import jsontext
from olv_tui.mcp.toolerror import read_tool_error
from olv_tui.model import Exchange, Number, Object, Value
from olv_tui.reports.values import raw, shown

Likeness: TypeAlias = Literal["same", "same kind", "different"]

MAX_DIFFERENCES = 200
"""Differences that are told; `Comparison.total` counts all."""

_ALIGNING_WORK = 4_000_000
"""Characters of array items that are written to see which belong together; beyond, items are compared by place."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One place that differs. `kind`: value, type, missing (only reported), added (only came), order, spelling.

    `expected` and `actual` are the values there, None for the one that is not there.
    """

    at: str
    kind: str
    expected: Value = None
    actual: Value = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """How an answer stands to the reported one. `written` are differences of order and spelling only."""

    outcome: Likeness
    differences: tuple[Difference, ...] = ()
    written: tuple[Difference, ...] = ()
    total: int = 0


def answer_of(exchange: Exchange) -> bytes | None:
    """What an exchange answers, for comparing: the message, else the body; None where nothing came."""
    if exchange.judgement is not None and exchange.judgement.has_message:
        return raw(jsontext.dumps(exchange.judgement.message))
    response = exchange.reply.response if exchange.reply else None
    return response.body if response is not None else None


def compare(
    expected: bytes, actual: bytes | None, ignore: Sequence[str] = (), *, limit: int = MAX_DIFFERENCES
) -> Comparison:
    """Hold an answer against the reported one, both JSON texts or any bytes.

    `limit` bounds the differences that are told. `ignore` are JSON pointers (RFC 6901) whose values do not count; a
    step `*` stands for any one step.
    """
    if actual is None:
        return Comparison("different", (Difference("", "missing", _value(expected)),), total=1)
    mine, theirs = jsontext.parse(expected), jsontext.parse(actual)
    if not mine.has_value or not theirs.has_value:
        if expected.strip() == actual.strip():
            return Comparison("same")
        return Comparison("different", (Difference("", "value", _value(expected), _value(actual)),), total=1)
    found = _Differ(ignore, limit)
    found.run(mine.value, theirs.value)
    real, written = tuple(found.real), tuple(found.written)
    if not real:
        return Comparison("same", (), written)
    alike = _is_kind(mine.value, theirs.value, found)
    return Comparison("same kind" if alike else "different", real, written, found.total)


def with_status(found: Comparison, expected: int | None, actual: int | None) -> Comparison:
    """The comparison with another HTTP status as one more difference; unchanged where one of them is not known."""
    if expected is None or actual is None or expected == actual:
        return found
    told = Difference("HTTP status", "value", Number(str(expected)), Number(str(actual)))
    return Comparison("different", (told, *found.differences), found.written, found.total + 1)


def _value(data: bytes) -> Value:
    parsed = jsontext.parse(data)
    return parsed.value if parsed.has_value else shown(data)


# --------------------------------------------------------------------------- differences


class _Differ:
    """Walks two values side by side."""

    def __init__(self, ignore: Sequence[str], limit: int) -> None:
        self._limit = limit
        self.real: list[Difference] = []
        self.written: list[Difference] = []
        self.total = 0
        self.is_shape_equal = True
        self._work = _ALIGNING_WORK
        self._ignored = [matcher(pointer) for pointer in ignore]

    def run(self, expected: Value, actual: Value) -> None:
        """Compare, filling `real` and `written`."""
        todo: list[tuple[str, Value, Value]] = [("", expected, actual)]
        while todo:
            at, mine, theirs = todo.pop()
            if self._is_ignored(at):
                continue
            if isinstance(mine, Object) and isinstance(theirs, Object):
                todo += reversed(self._members(at, mine, theirs))
            elif isinstance(mine, list) and isinstance(theirs, list):
                todo += reversed(self._items(at, mine, theirs))
            else:
                self._leaf(at, mine, theirs)

    def _leaf(self, at: str, mine: Value, theirs: Value) -> None:
        if type(mine) is not type(theirs):
            self.is_shape_equal = False
            self._tell(Difference(at, "type", mine, theirs))
        elif mine != theirs:
            is_equal = isinstance(mine, Number) and isinstance(theirs, Number) and _amount(mine) == _amount(theirs)
            if not is_equal:
                self._tell(Difference(at, "value", mine, theirs))
            elif len(self.written) < self._limit:
                self.written.append(Difference(at, "spelling", mine, theirs))

    def _members(self, at: str, mine: Object, theirs: Object) -> list[tuple[str, Value, Value]]:
        both = [name for name in mine if name in theirs]
        for name, value in mine.items():
            if name not in theirs:
                self._one_sided(at + jsontext.pointer([name]), "missing", value)
        for name, value in theirs.items():
            if name not in mine:
                self._one_sided(at + jsontext.pointer([name]), "added", value)
        if both != [name for name in theirs if name in mine] and len(self.written) < self._limit:
            self.written.append(Difference(at, "order", list(mine), list(theirs)))
        return [(at + jsontext.pointer([name]), mine[name], theirs[name]) for name in both]

    def _items(self, at: str, mine: list[Value], theirs: list[Value]) -> list[tuple[str, Value, Value]]:
        """Items by place; equal ones at both ends are put beside each other where the lengths differ."""
        head = tail = 0
        is_plain = len(mine) == len(theirs) == 1
        ones, others = ([], []) if is_plain else (self._texts(mine), self._texts(theirs))
        if not is_plain and len(ones) == len(mine) and len(others) == len(theirs):
            if ones != others and sorted(ones) == sorted(others):
                self._tell(Difference(at, "order", mine, theirs))
                return []
            shorter = min(len(ones), len(others)) if len(ones) != len(others) else 0
            while head < shorter and ones[head] == others[head]:
                head += 1
            while tail < shorter - head and ones[-1 - tail] == others[-1 - tail]:
                tail += 1
        middle, rest = mine[head : len(mine) - tail], theirs[head : len(theirs) - tail]
        count = min(len(middle), len(rest))
        for number, value in enumerate(middle[count:], head + count):
            self._one_sided(f"{at}/{number}", "missing", value)
        for number, value in enumerate(rest[count:], head + count):
            self._one_sided(f"{at}/{number}", "added", value)
        return [(f"{at}/{head + step}", middle[step], rest[step]) for step in range(count)]

    def _texts(self, items: list[Value]) -> list[str]:
        """The items as texts, which compare at any depth; fewer where the work set aside for it is spent."""
        texts: list[str] = []
        for item in items:
            if self._work <= 0:
                break
            texts.append(jsontext.dumps(item))
            self._work -= len(texts[-1]) + 1
        return texts

    def _one_sided(self, at: str, kind: str, value: Value) -> None:
        if self._is_ignored(at):
            return
        self.is_shape_equal = False
        self._tell(Difference(at, kind, value) if kind == "missing" else Difference(at, kind, None, value))

    def _tell(self, difference: Difference) -> None:
        self.total += 1
        if len(self.real) < self._limit:
            self.real.append(difference)

    def _is_ignored(self, at: str) -> bool:
        return any(matches(at) for matches in self._ignored)


def matcher(pointer: str) -> Callable[[str], bool]:
    """Whether a place is the one that a pointer names; a step `*` stands for any one step."""
    steps = [r"[^/]*" if step == "*" else re.escape(step) for step in pointer.split("/")]
    compiled = re.compile("/".join(steps))
    return lambda at: compiled.fullmatch(at) is not None


def _amount(number: Number) -> tuple[str, str, int]:
    """Sign, digits and exponent, so that equal numbers are equal tuples; done on the text, whatever its length."""
    sign = "-" if number.text.startswith("-") else ""
    mantissa, _, exponent = number.text.lstrip("-").lower().partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    short = digits.rstrip("0")
    if not short or len(exponent) > 18 or not digits.isdigit():
        return sign if short else "", short or mantissa.strip("0."), 0 if len(exponent) <= 18 else hash(exponent)
    return sign, short, int(exponent or "0") - len(fraction) + len(digits) - len(short)


# --------------------------------------------------------------------------- kinds


def _is_kind(mine: Value, theirs: Value, found: _Differ) -> bool:
    one, other = _kind(mine), _kind(theirs)
    if one is not None or other is not None:
        return one == other
    return found.is_shape_equal and all(item.kind != "type" for item in found.real)


def _kind(message: Value) -> tuple[str, str] | None:
    """What kind of failure a message tells, None where it tells none."""
    if not isinstance(message, Object):
        return None
    error, result = message.get("error"), message.get("result")
    if isinstance(error, Object):
        code = error.get("code")
        return "error", code.text if isinstance(code, Number) else ""
    if isinstance(result, Object) and result.get("isError") is True:
        return "tool", read_tool_error(result)[0].error
    return None


def tell(differences: Iterable[Difference], one_line: Callable[[str], str]) -> list[str]:
    """Differences as lines for reading; `one_line` makes text of a server safe and short."""
    lines = []
    for item in differences:
        at = one_line(item.at or "the whole answer")
        mine, theirs = (one_line(jsontext.dumps(value)) for value in (item.expected, item.actual))
        match item.kind:
            case "missing":
                lines.append(f"- {at}: reported {mine}, did not come")
            case "added":
                lines.append(f"+ {at}: came {theirs}, was not reported")
            case "order":
                lines.append(f"~ {at}: the same in another order")
            case _:
                lines.append(f"! {at}: reported {mine}, came {theirs}")
    return lines
