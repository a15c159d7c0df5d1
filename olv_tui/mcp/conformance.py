"""structuredContent held against a tool's outputSchema, whatever the server wrote into either.

Follows MCP, server/tools ("Output Schema") and the JSON Schema usage of 2025-11-25 and later.

Rules of this file:

* Nothing is fetched: the registry is empty. An unresolved reference means that nothing can be said.
* Nothing hangs: values, schemas and steps are bounded, and patterns that could run wild are not tried.
* Nothing raises. Where no answer can be had a T04 of severity info says so.
* Only this file loads jsonschema (115 ms), and only when there is something to check.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from math import isfinite
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend, validator_for
from referencing import Registry

from olv_tui import jsontext
from olv_tui.mcp.rules import violation
from olv_tui.model import Number, Object, Severity, Value, Violation

_NODES = 20_000
_DEPTH = 200
_STEPS = 200_000  # keywords evaluated: about a second
_DIGITS = 4_000  # int() refuses more than 4,300
_TOLD = 3
_GROUP_REPEATED = re.compile(r"\)[*+{]|\\[1-9]|\(\?P?[=(]")
_UNBOUNDED = re.compile(r"(?<!\\)[*+]|,\}")


class _Unfit(Exception):  # noqa: N818  a sign between functions of this file
    """The check cannot be made; the text says why."""


def check(value: Value, schema: Object, at: str) -> Iterator[Violation]:
    """T04 for each of the first faults of `value`, whose JSON pointer in the message is `at`. Never raises."""
    try:
        instance, plain = _plain(value), _plain(schema)
        if "$schema" in schema and validator_for(plain, default=None) is None:  # type: ignore[arg-type]  # as documented
            raise _Unfit("the dialect of the schema is not known")
        errors = list(_errors(instance, plain))
    except _Unfit as reason:
        yield _unsaid(str(reason), at)
        return
    except RecursionError:
        yield _unsaid("the schema leads in circles or too deep", at)
        return
    except Exception as fault:  # hostile schemas make jsonschema raise all kinds of things
        yield _unsaid(f"the schema is not usable ({type(fault).__name__})", at)
        return
    for error in errors:
        path = at + jsontext.pointer(error.absolute_path)
        yield violation("T04", f"against the outputSchema: {error.message[:200]}", path)


def _unsaid(reason: str, at: str) -> Violation:
    return violation("T04", f"the outputSchema was not checked: {reason}", at, Severity.INFO)


def _errors(instance: Any, schema: Any) -> Iterator[ValidationError]:
    base = validator_for(schema, default=Draft202012Validator)
    left = [_STEPS]
    bounded = {word: _bounded(function, left) for word, function in base.VALIDATORS.items()}
    bounded["pattern"] = _bounded(_pattern, left)
    _tame_names(schema, instance)
    validator = extend(base, bounded)(schema, registry=Registry())  # type: ignore[no-untyped-call]
    for number, error in enumerate(validator.iter_errors(instance)):
        if number >= _TOLD:
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


def _pattern(_validator: Any, pattern: Any, instance: Any, _schema: Any) -> Iterator[ValidationError]:
    if isinstance(instance, str) and isinstance(pattern, str):
        _tame(pattern, len(instance))
        if not re.search(pattern, instance):
            yield ValidationError(f"{instance!r} does not match {pattern!r}")


def _tame_names(schema: Any, instance: Any) -> None:
    """Try no patternProperties, wherever in the schema, that could run wild on a name in the value."""
    patterns = [name for node in _dicts(schema) for name in _keys(node.get("patternProperties"))]
    if patterns:
        longest = max((len(name) for node in _dicts(instance) for name in node), default=0)
        for pattern in patterns:
            _tame(pattern, longest)


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


def _tame(pattern: str, length: int) -> None:
    """Raise _Unfit for a pattern that could take long: Python's matcher backtracks and cannot be stopped."""
    loops = len(_UNBOUNDED.findall(pattern))
    allowed = {0: 100_000, 1: 2_000, 2: 200}.get(loops, 0)
    if _GROUP_REPEATED.search(pattern) or length > allowed:
        raise _Unfit("a pattern in it may take too long")


def _plain(value: Value) -> Any:
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
            return [convert(inner, depth + 1) for inner in node]
        return _number(node.text) if isinstance(node, Number) else node

    return convert(value, 0)


def _number(text: str) -> int | float:
    if len(text) > _DIGITS:
        raise _Unfit("a number has too many digits")
    try:
        return int(text)
    except ValueError:
        pass
    number = float(text)
    if not isfinite(number):
        raise _Unfit(f"{text[:40]} has no value as a double")
    return number
