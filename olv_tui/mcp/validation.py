"""A value held against a JSON Schema, whatever a server wrote into either.

Follows JSON Schema 2020-12 and draft-07, and MCP's usage of it ($ref Resolution: nothing is fetched).

Rules of this file:

* Nothing is fetched: the registry is empty. An unresolved reference means that nothing can be said.
* Nothing hangs: values, schemas and steps are bounded, and patterns that could run wild are not tried.
* Nothing raises. Where no answer can be had the outcome says so.
* Only this file loads jsonschema (115 ms); it is imported when there is something to check.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from math import isfinite
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend, validator_for
from referencing import Registry

from olv_tui.mcp import patterns
from olv_tui.mcp.formats import fits
from olv_tui.model import Number, Object, Value

_NODES = 20_000
_DEPTH = 200
_STEPS = 200_000  # keywords evaluated: about a second
_DIGITS = 20_000
_STR_DIGITS = 4_000  # str() and int() refuse more than 4,300
_SHOWN = 60


Untried = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a check came to.

    `errors` are jsonschema's, at most as many as were wanted; numbers in them are told with their own digits.
    `unsaid` is the reason why nothing can be said. `untried` are (pattern, text, why) that were taken as matching.
    """

    errors: tuple[ValidationError, ...] = ()
    unsaid: str = ""
    untried: tuple[Untried, ...] = ()


class _Unfit(Exception):  # noqa: N818  a sign between functions of this file
    """The check cannot be made; the text says why."""


class _Whole(int):
    """An integer that tells itself with the digits it came with, few of them where they are many."""

    text: str

    def __repr__(self) -> str:
        return self.text if len(self.text) <= _SHOWN else f"{self.text[:20]}… ({len(self.text)} digits)"

    __str__ = __repr__


class _Real(float):
    """A fraction that tells itself as it was written."""

    text: str

    def __repr__(self) -> str:
        return self.text

    __str__ = __repr__


def validate(value: Value, schema: Object, most: int, *, ours: bool = False) -> Outcome:
    """Up to `most` errors of a value. Never raises.

    `ours`: these are arguments. Numbers that no double holds are held against the schema exactly, and formats are
    checked. Of an answer nothing is said about such numbers, as most readers have lost their digits, nor about
    formats, which bind nobody.
    """
    try:
        instance, plain = _plain(value, ours), _plain(schema, ours)
        if "$schema" in schema and validator_for(plain, default=None) is None:  # type: ignore[arg-type]  # as documented
            return Outcome(unsaid="the dialect of the schema is not known")
        untried: list[Untried] = []
        return Outcome(tuple(_errors(instance, plain, most, untried, ours)), "", tuple(untried))
    except _Unfit as reason:
        return Outcome(unsaid=str(reason))
    except RecursionError:
        return Outcome(unsaid="the schema leads in circles or too deep")
    except Exception as fault:  # hostile schemas make jsonschema raise all kinds of things
        return Outcome(unsaid=_fault(fault))


def _fault(fault: Exception) -> str:
    name = type(fault).__name__
    if name == "_WrappedReferencingError":
        return "the schema is not usable: a reference in it leads outside or to nothing"
    return f"the schema is not usable ({name})"


def _errors(instance: Any, schema: Any, most: int, untried: list[Untried], formats: bool) -> Iterator[ValidationError]:
    base = validator_for(schema, default=Draft202012Validator)
    left = [_STEPS]
    bounded = {word: _bounded(function, left) for word, function in base.VALIDATORS.items()}
    bounded["pattern"] = _bounded(_pattern(untried), left)
    bounded["properties"] = _bounded(_properties(base.VALIDATORS["properties"]), left)
    _tame_names(schema, instance)
    if formats:
        bounded["format"] = _bounded(_format, left)
    validator = extend(base, bounded)(schema, registry=Registry())  # type: ignore[no-untyped-call]
    for number, error in enumerate(validator.iter_errors(instance)):
        if number >= most:
            return
        yield error


_Keyword = Callable[[Any, Any, Any, Any], "Iterable[ValidationError] | None"]


def _bounded(function: _Keyword, left: list[int]) -> _Keyword:
    def counted(validator: Any, value: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
        left[0] -= 1 + (len(value) if isinstance(value, list | dict) else 0)
        if value is True and isinstance(instance, list):  # uniqueItems compares each with each
            left[0] -= len(instance) ** 2 // 10
        if left[0] < 0:
            raise _Unfit("it takes too many steps")
        yield from function(validator, value, instance, schema) or ()

    return counted


def _properties(function: _Keyword) -> _Keyword:
    """jsonschema forgets the place of what a schema `false` refuses."""

    def properties(validator: Any, value: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
        for error in function(validator, value, instance, schema) or ():
            keyword: Any = error.validator  # None for the schema `false`, whatever the annotations say
            if keyword is None and not error.path and isinstance(value, dict):
                refused = (name for name in value if value[name] is False and instance.get(name) is error.instance)
                error.path.extend(list(refused)[:1])
            yield error

    return properties


def _pattern(untried: list[Untried]) -> _Keyword:
    def pattern(_validator: Any, pattern: Any, instance: Any, _schema: Any) -> Iterator[ValidationError]:
        if isinstance(instance, str) and isinstance(pattern, str):
            hit = patterns.found(pattern, instance)
            if hit is None:
                untried.append((pattern, instance, patterns.why(pattern)))
            elif not hit:
                yield ValidationError(f"{instance!r} does not match {pattern!r}")

    return pattern


def _format(_validator: Any, wanted: Any, instance: Any, _schema: Any) -> Iterator[ValidationError]:
    if isinstance(instance, str) and not fits(wanted, instance):
        yield ValidationError(f"{instance!r} is not a {wanted!r}")


def _tame_names(schema: Any, instance: Any) -> None:
    """Try no patternProperties, wherever in the schema, that could run wild on a name in the value."""
    wanted = [name for node in _dicts(schema) for name in _keys(node.get("patternProperties"))]
    if wanted:
        longest = max((len(name) for node in _dicts(instance) for name in node), default=0)
        if not all(patterns.is_tame(pattern, longest) for pattern in wanted):
            raise _Unfit("a pattern in it may take too long")


def _keys(node: Any) -> Iterable[str]:
    return node if isinstance(node, dict) else ()


def _dicts(node: Any) -> Iterator[dict[str, Any]]:
    stack = [node]
    while stack:
        node = stack.pop()
        if isinstance(node, dict):
            yield node
            stack += node.values()
        elif isinstance(node, list):
            stack += node


def _plain(value: Value, huge: bool) -> Any:
    """A value as jsonschema wants it: dict, list, int, float. Raises _Unfit where something would be lost."""
    left = [_NODES]

    def convert(node: Value, depth: int) -> Any:
        left[0] -= 1
        if left[0] < 0:
            raise _Unfit("it is too large")
        if depth > _DEPTH:
            raise _Unfit("it is nested too deep")
        if isinstance(node, Object):
            return {name: convert(inner, depth + 1) for name, inner in node.items()}
        if isinstance(node, list):
            if len(node) > left[0]:  # a large array need not be read for that
                raise _Unfit("it is too large")
            return [convert(inner, depth + 1) for inner in node]
        return _number(node.text, huge) if isinstance(node, Number) else node

    return convert(value, 0)


def _number(text: str, huge: bool) -> int | float:
    """A number that keeps its text. Beyond a double an integer is exact all the same: 1e400 is one."""
    is_integer = text.lstrip("-").isdigit()
    if len(text) > (_DIGITS if huge else _STR_DIGITS):
        raise _Unfit("a number has too many digits")
    if len(text) <= _STR_DIGITS and is_integer:
        return int(text)
    if not is_integer:
        number = _Real(text)
        number.text = text
        if isfinite(number):
            return number
    exact = Decimal(text)
    if not huge or not exact.is_finite() or exact.adjusted() > _DIGITS or exact != exact.to_integral_value():
        raise _Unfit(f"{text[:40]} has no value as a double")
    whole = _Whole(exact)
    whole.text = text
    return whole
