"""Equality of JSON values as JSON Schema has it (2020-12, Core 4.2.2): by value, `1` and `1.0` are one number.

Rules of this file:

* `true` is never 1, and digits are never lost: numbers are compared as decimals.
"""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

from olv_tui.model import Number, Object, Value

_EXPONENT = 100_000  # beyond it two numbers are equal only by their text


def same(one: Value, other: Value) -> bool:
    """Whether two values are equal. Iterative, so of any depth."""
    todo = [(one, other)]
    while todo:
        left, right = todo.pop()
        if isinstance(left, Number) and isinstance(right, Number):
            if not _same_number(left.text, right.text):
                return False
        elif isinstance(left, Object) and isinstance(right, Object):
            if left.keys() != right.keys():
                return False
            todo += [(value, right[name]) for name, value in left.items()]
        elif isinstance(left, list) and isinstance(right, list):
            if len(left) != len(right):
                return False
            todo += zip(left, right, strict=True)
        elif type(left) is not type(right) or left != right:
            return False
    return True


def decimal(text: str) -> Decimal | None:
    """A number as a decimal, None where its exponent is out of all bounds or it is none."""
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return number if number.is_finite() and abs(number.adjusted()) < _EXPONENT else None


def _same_number(one: str, other: str) -> bool:
    if one == other:
        return True
    left, right = decimal(one), decimal(other)
    return left is not None and right is not None and left == right
