"""Whether a value looks like what a schema describes, at a glance and without a validator.

Used to choose the alternative that a value belongs to, and to tell a default of the wrong type.

Rules of this file:

* A glance: types, constants, names. One level deep. The findings are what jsonschema says, not this.
"""

from __future__ import annotations

from olv_tui.model import Number, Object, Value
from olv_tui.schema.equal import decimal, same
from olv_tui.schema.fields import Branch
from olv_tui.schema.shape import Shape

_MARK = 100  # a constant that tells alternatives apart outweighs any number of names


def type_of(value: Value) -> str:
    """The JSON Schema type of a value; a number without a fraction is an integer, also as `1.0`."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, str):
        return "string"
    if isinstance(value, Number):
        number = None if value.is_integer else decimal(value.text)
        return "integer" if value.is_integer or (number is not None and number == number.to_integral()) else "number"
    return "object" if isinstance(value, Object) else "array"


def fits_type(value: Value, shape: Shape) -> bool:
    """Whether a value is of a type, or one of the options, that a shape asks for."""
    if shape.options is not None:
        return any(same(value, option) for option in shape.options)
    kind = type_of(value)
    if kind == "null" and shape.annotations.get("nullable") is True:
        return True
    return shape.types is None or kind in shape.types or (kind == "integer" and "number" in shape.types)


def best(branches: tuple[Branch, ...], value: Value) -> int | None:
    """The index of the alternative that a value fits best; None where it fits none, or is an object that holds nothing
    and could become any of those that constants tell apart.
    """
    scores = [_score(branch, value) for branch in branches]
    known = [score for score in scores if score is not None]
    if not known:
        return None
    meant = [branch for branch, score in zip(branches, scores, strict=True) if score == max(known)]
    if isinstance(value, Object) and not value and len(meant) > 1 and all(branch.marks for branch in meant):
        return None
    return scores.index(max(known))


def _score(branch: Branch, value: Value) -> int | None:
    shape = branch.field.shape
    if branch.field.nullable and value is None:
        return 0
    if not fits_type(value, shape):
        return None
    if not isinstance(value, Object):
        return 1 if shape.types is not None or shape.options is not None else 0
    score = 0
    for name, mark in branch.marks:
        if name in value:
            if not same(value[name], mark):
                return None
            score += _MARK
    score += sum(2 if name in value else -2 for name in shape.required)
    return score + sum(1 if name in shape.properties else -1 for name in value)
