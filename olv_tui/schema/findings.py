"""What the schema of a tool has against arguments, in plain words and at the place.

Rules of this file:

* Findings speak beside a call and never stop it: reproducing an error needs wrong input.
* The check is `mcp.validation`: bounded, fetching nothing, never raising. What it could not try is said as well.
* Import it late: it loads jsonschema.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from jsonschema.exceptions import ValidationError

from olv_tui import jsontext
from olv_tui.mcp.formats import example
from olv_tui.mcp.validation import Outcome, validate
from olv_tui.model import Object, Value
from olv_tui.schema.text import steps
from olv_tui.schema.usable import usable

_MOST = 100
_LONG = 80
_DEPTH = 6
_DOUBTFUL = {"not", "oneOf", "if", "then", "else"}  # what an untried pattern taken as matching could turn round


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that the schema has against a value.

    `pointer` is the place in the arguments, of what is missing too. `keyword` is the schema's word, `unchecked`
    where nothing can be said. `schema_pointer` leads to it as jsonschema walked: references are no steps in it.
    """

    pointer: str
    words: str
    keyword: str
    schema_pointer: str

    @property
    def sentence(self) -> str:
        """Place and words: `/limit: 9999 is more than 2000`."""
        return f"{self.pointer or 'the arguments'}: {self.words}"

    @property
    def is_fault(self) -> bool:
        """Whether something is wrong, or only could not be checked."""
        return self.keyword != "unchecked"


def check(arguments: Value, schema: Value) -> tuple[Finding, ...]:
    """What an inputSchema has against arguments. Never raises.

    Nothing for what is no schema object: the tool's definition is at fault then, not the arguments.
    """
    if not isinstance(schema, Object):
        return ()
    read = usable(schema)
    outcome = validate(arguments, read.schema, _MOST, ours=True)
    if outcome.unsaid:
        return (Finding("", f"not checked: {outcome.unsaid}", "unchecked", ""),)
    doubts = bool(outcome.untried or read.omitted)
    errors = [error for error in outcome.errors if not (doubts and _is_doubtful(error))]
    found = [one for error in errors for one in _told(error, 0)]
    found += _untried(outcome, arguments)
    found += (
        Finding(one.pointer, f"not checked here: {one.why}", "unchecked", one.at)
        for one in read.omitted
        if _is_given(arguments, one.pointer)
    )
    return tuple(dict.fromkeys(found))


def _is_given(value: Value, pointer: str) -> bool:
    for step in steps(pointer):
        if not isinstance(value, Object) or step not in value:
            return False
        value = value[step]
    return True


def _is_doubtful(error: ValidationError) -> bool:
    """Whether an error could come of something that was taken as right, turned round."""
    return any(step in _DOUBTFUL for step in error.absolute_schema_path)


def _untried(outcome: Outcome, arguments: Value) -> Iterator[Finding]:
    for pattern, text, why in outcome.untried:
        words = f"not checked against the pattern {_shown(pattern)}: {why}"
        yield Finding(_where(arguments, text), words, "unchecked", "")


def _where(root: Value, text: str) -> str:
    """The first place of a string in a value."""
    stack: list[tuple[str, Value]] = [("", root)]
    while stack:
        pointer, value = stack.pop()
        if value == text:
            return pointer
        inner: list[tuple[str | int, Value]] = []
        if isinstance(value, Object):
            inner += value.items()
        elif isinstance(value, list):
            inner += enumerate(value)
        stack += [(pointer + jsontext.pointer([step]), item) for step, item in reversed(inner)]
    return ""


# --------------------------------------------------------------------------- words


def _told(error: ValidationError, depth: int) -> Iterator[Finding]:
    """An error as findings: one for each name that is missing or not known, those of the nearest alternative."""
    pointer = jsontext.pointer(error.absolute_path)
    keyword = str(error.validator)
    where = jsontext.pointer(error.absolute_schema_path)
    if keyword in ("anyOf", "oneOf") and error.context and depth < _DEPTH:
        nearest = _nearest(error)
        if nearest:
            for inner in nearest:
                yield from _told(inner, depth + 1)
            return
        if due := _types_due(error):
            yield Finding(pointer, _type_words("", due, error), keyword, where)
            return
    if "propertyNames" in error.absolute_schema_path and isinstance(error.instance, str):
        place = pointer + jsontext.pointer([error.instance])
        yield Finding(place, f"not right as a name: {_words(error)}", keyword, where)
    elif keyword == "required":
        name = _missing(error)
        yield Finding(pointer + jsontext.pointer([name]), "must be given and is missing", keyword, where)
    elif keyword in ("dependentRequired", "dependencies") and isinstance(error.validator_value, dict):
        yield from _dependent(error, pointer, keyword, where)
    elif keyword in ("additionalProperties", "unevaluatedProperties") and error.validator_value is False:
        extras = list(_extras(error))
        for name in extras:
            yield Finding(pointer + jsontext.pointer([name]), "is a name that the schema does not know", keyword, where)
        if not extras:
            yield Finding(pointer, _words(error), keyword, where)
    else:
        yield Finding(pointer, _words(error), keyword, where)


def _missing(error: ValidationError) -> str:
    """Which name a `required` error is about: jsonschema tells it in its message only."""
    wanted: Any = error.validator_value
    instance: Any = error.instance
    names = [name for name in wanted if isinstance(name, str) and name not in instance]
    return next((name for name in names if error.message.startswith(repr(name) + " ")), names[0] if names else "")


def _dependent(error: ValidationError, pointer: str, keyword: str, where: str) -> Iterator[Finding]:
    wanted: Any = error.validator_value
    instance: Any = error.instance
    for given, names in wanted.items():
        if given in instance and isinstance(names, list):
            for name in names:
                if isinstance(name, str) and name not in instance:
                    place = pointer + jsontext.pointer([name])
                    yield Finding(place, f"must be given too where {_shown(given)} is", keyword, where)


def _extras(error: ValidationError) -> Iterator[str]:
    """The names that are one too many. Of unevaluatedProperties jsonschema tells them in its message only."""
    schema = error.schema if isinstance(error.schema, dict) else {}
    instance: Any = error.instance
    patterns = [one for one in schema.get("patternProperties", {}) if isinstance(one, str)]
    for name in instance:
        if error.validator == "unevaluatedProperties":
            if repr(name) in error.message:
                yield name
        elif name not in schema.get("properties", {}) and not any(re.search(one, name) for one in patterns):
            yield name


def _nearest(error: ValidationError) -> list[ValidationError]:
    """The errors of the alternative that was meant: the only one whose type and constants are right.

    Nothing where several could be meant, or none.
    """
    groups: dict[Any, list[ValidationError]] = {}
    for inner in error.context or ():
        if inner.schema_path:  # an alternative `false` has none, and is never meant
            groups.setdefault(inner.schema_path[0], []).append(inner)
    meant = [errors for errors in groups.values() if not any(_excludes(inner) for inner in errors)]
    return meant[0] if len(meant) == 1 else []


def _types_due(error: ValidationError) -> list[str]:
    """The types of the alternatives, where the type is what is wrong with each of them."""
    due: list[str] = []
    for inner in error.context or ():
        if inner.validator != "type" or inner.path:
            return []
        wanted: Any = inner.validator_value
        due += wanted if isinstance(wanted, list) else [wanted]
    return list(dict.fromkeys(due))


def _excludes(error: ValidationError) -> bool:
    """Whether an error says that another alternative was meant: a type at the top, a constant one step below."""
    steps = len(error.path)
    return (error.validator == "type" and steps == 0) or (error.validator in ("const", "enum") and steps <= 1)


def _words(error: ValidationError) -> str:
    words = _WORDS.get(str(error.validator))
    if error.schema is False or error.validator is None:
        return "nothing is right here, the schema says"
    if words is None:
        return error.message[:200]
    return words(_shown(error.instance), error.validator_value, error)


def _shown(value: object) -> str:
    """A plain value as JSON on one line, its numbers as they were written."""
    text = _written(value)
    return text if len(text) <= _LONG else text[: _LONG - 1] + "…"


def _written(value: object) -> str:
    if isinstance(value, str):
        return jsontext.dumps(value[: _LONG + 1])
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_written(name)}: {_written(one)}" for name, one in list(value.items())[:9]) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_written(one) for one in value[:9]) + "]"
    return repr(value)


def _listed(values: Iterable[object]) -> str:
    shown = [_shown(value) for value in values]
    return ", ".join(shown[:8]) + (f" and {len(shown) - 8} others" if len(shown) > 8 else "")


def _counted(instance: Any, many: str) -> str:
    return f"{len(instance)} {many}" if len(instance) != 1 else f"1 {many.removesuffix('s')}"


def _type_words(_shown_value: str, wanted: Any, error: ValidationError) -> str:
    names = wanted if isinstance(wanted, list) else [wanted]
    due = " or ".join(_TYPES.get(str(name), str(name)) for name in names)
    schema = error.schema
    if error.instance is None and isinstance(schema, dict) and schema.get("nullable") is True:
        return f"null is given, and {due} is due: `nullable` is no word of JSON Schema, the server may know it"
    if error.instance is None or isinstance(error.instance, bool):
        return f"{_shown(error.instance)} is given, and {due} is due"
    return f"{_shown(error.instance)} is {_TYPES[_type_of(error.instance)]}, and {due} is due"


def _type_of(value: object) -> str:
    if value is None or isinstance(value, bool):
        return "null" if value is None else "boolean"
    if isinstance(value, int):
        return "integer"
    for kind, name in ((float, "number"), (str, "string"), (list, "array")):
        if isinstance(value, kind):
            return name
    return "object"


_TYPES = {
    "string": "a text",
    "integer": "an integer",
    "number": "a number",
    "boolean": "true or false",
    "null": "null",
    "array": "a list",
    "object": "an object",
}

_WORDS: dict[str, Callable[[str, Any, ValidationError], str]] = {
    "type": _type_words,
    "enum": lambda shown, wanted, _: f"{shown} is none of {_listed(wanted)}",
    "const": lambda shown, wanted, _: f"{shown} is not {_shown(wanted)}",
    "minimum": lambda shown, wanted, _: f"{shown} is less than {_shown(wanted)}",
    "maximum": lambda shown, wanted, _: f"{shown} is more than {_shown(wanted)}",
    "exclusiveMinimum": lambda shown, wanted, _: f"{shown} is not more than {_shown(wanted)}",
    "exclusiveMaximum": lambda shown, wanted, _: f"{shown} is not less than {_shown(wanted)}",
    "multipleOf": lambda shown, wanted, _: f"{shown} is no multiple of {_shown(wanted)}",
    "minLength": lambda _, n, error: f"{_counted(error.instance, 'characters')}, and at least {_shown(n)} are due",
    "maxLength": lambda _, n, error: f"{_counted(error.instance, 'characters')}, and at most {_shown(n)} are allowed",
    "minItems": lambda _, n, error: f"{_counted(error.instance, 'items')}, and at least {_shown(n)} are due",
    "maxItems": lambda _, n, error: f"{_counted(error.instance, 'items')}, and at most {_shown(n)} are allowed",
    "minProperties": lambda _, n, error: f"{_counted(error.instance, 'members')}, and at least {_shown(n)} are due",
    "maxProperties": lambda _, n, error: f"{_counted(error.instance, 'members')}, at most {_shown(n)} are allowed",
    "pattern": lambda shown, wanted, _: f"{shown} does not match {wanted}",
    "format": lambda shown, wanted, _: f"{shown} is not in the format {wanted}, such as {example(wanted)}",
    "uniqueItems": lambda *_: "an item stands in it twice",
    "contains": lambda *_: "no item, or the wrong number of them, is of the kind that must be in it",
    "propertyNames": lambda shown, *_: f"{shown} is not right as a name",
    "items": lambda *_: "there are more items in it than the schema knows",
    "dependentRequired": lambda *_: "another argument is missing that goes with one of these",
    "not": lambda shown, wanted, _: f"{shown} is what is excluded: {_shown(wanted)}",
    "anyOf": lambda shown, wanted, _: f"{shown} fits none of the {len(wanted)} alternatives",
    "oneOf": lambda shown, wanted, error: (
        f"{shown} fits none of the {len(wanted)} alternatives"
        if error.context
        else f"{shown} fits more than one of the {len(wanted)} alternatives, and one is due"
    ),
    "additionalItems": lambda *_: "there are more items in it than the schema knows",
    "unevaluatedItems": lambda *_: "there are more items in it than the schema knows",
}
