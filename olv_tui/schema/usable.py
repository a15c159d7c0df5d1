"""What of a schema can be checked: a copy without the words that make no sense, and which those are.

Follows the meta-schemas of JSON Schema 2020-12 and draft-07; draft-04's flags beside `minimum` and `maximum` are read.

Rules of this file:

* One word that makes no sense costs itself and not all the others. A sound schema comes back as it is.
* What was left out is told by its place and in words, so that nothing passes for checked that was not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from olv_tui import jsontext
from olv_tui.model import Number, Object, Value
from olv_tui.schema.equal import decimal
from olv_tui.schema.refs import Place, References
from olv_tui.schema.shape import TYPES

_DEPTH = 150
_LONG = 60

_SCHEMA = frozenset(
    ("additionalProperties", "contains", "propertyNames", "not", "if", "then", "else", "unevaluatedProperties",
     "unevaluatedItems", "additionalItems", "contentSchema")
)  # fmt: skip
_LIST = frozenset(("allOf", "anyOf", "oneOf", "prefixItems"))
_MAP = frozenset(("properties", "patternProperties", "$defs", "definitions", "dependentSchemas"))
_DEFINITIONS = ("$defs", "definitions")
_GONE: Value = Object()
"""Stands for a keyword that is left out."""

_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
_EDGES = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}


@dataclass(frozen=True, slots=True)
class Omission:
    """A word that was left out: where it stands in the schema, the place in the arguments ("" also where it holds for
    more than one), and why.
    """

    at: str
    pointer: str
    why: str


@dataclass(frozen=True, slots=True)
class Usable:
    """The schema that can be checked, and what is not in it."""

    schema: Object
    omitted: tuple[Omission, ...] = ()


def usable(schema: Object) -> Usable:
    """What of a schema can be checked. Never raises."""
    reader = _Reader(References(schema))
    read = reader.schema(reader.references.root, "", 0)
    return Usable(read if isinstance(read, Object) else Object(), tuple(reader.omitted))


@dataclass(slots=True)
class _Reader:
    references: References
    omitted: list[Omission] = field(default_factory=list)

    def schema(self, place: Place, pointer: str | None, depth: int) -> Value:
        """A schema without what makes no sense in it; anything goes for what is none."""
        here = place.schema
        if isinstance(here, bool):
            return here
        if not isinstance(here, Object):
            self._omit(place.at, pointer, f"the schema is not usable: {_shown(here)} is none")
            return True
        if depth > _DEPTH:
            return here
        members: list[tuple[str, Value]] = []
        changed = False
        for word, value in here.items():
            made = self._word(place, word, value, pointer, depth)
            changed |= made is not value
            if made is not _GONE:
                members.append((word, made))
        return Object(members) if changed else here

    def _word(self, place: Place, word: str, value: Value, pointer: str | None, depth: int) -> Value:
        """The value of a keyword as it can be used, _GONE for one that makes no sense. `pointer` None: in a
        definition, which may hold anywhere.
        """
        if word in _SCHEMA:
            return self._inner(place, (word,), value, pointer, depth)
        if word in _MAP or word == "dependencies":
            return self._map(place, word, value, pointer, depth)
        if word in _LIST or (word == "items" and isinstance(value, list)):
            if not isinstance(value, list) or (not value and word != "items"):
                return self._left(place, word, value, pointer, "no list of schemas")
            parts = [self._inner(place, (word, at), one, pointer, depth) for at, one in enumerate(value)]
            return value if all(one is other for one, other in zip(parts, value, strict=True)) else parts
        if word == "items":
            return self._inner(place, (word,), value, pointer, depth)
        if word in _REFERENCES:
            why = self._refused(place, value)
            return self._left(place, word, value, pointer, why) if why else value
        if word in _EDGES and isinstance(value, bool):
            bound = place.schema.get(_EDGES[word]) if isinstance(place.schema, Object) else None
            return bound if value and isinstance(bound, Number) else _GONE
        if word == "required" and isinstance(value, list) and not _is_names(value):
            self._left(place, word, value, pointer, "no list of names alone")
            return [name for name in value if isinstance(name, str)]
        is_right, due = _PLAIN.get(word, (_any, ""))
        if not is_right(value):
            return self._left(place, word, value, pointer, f"no {due}")
        return value

    def _inner(
        self, place: Place, steps: tuple[str | int, ...], value: Value, pointer: str | None, depth: int
    ) -> Value:
        return self.schema(place.inner(*steps, schema=value), pointer, depth + 1)

    def _map(self, place: Place, word: str, value: Value, pointer: str | None, depth: int) -> Value:
        if not isinstance(value, Object):
            return self._left(place, word, value, pointer, "no object")
        made: list[tuple[str, Value]] = []
        for name, inner in value.items():
            if word == "patternProperties" and not _is_pattern(name):
                self._omit(f"{place.at}/{word}", pointer, f"the schema is not usable: {_shown(name)} is no pattern")
                continue
            if word == "dependencies" and isinstance(inner, list):
                made.append((name, inner))
                continue
            below = None if word in _DEFINITIONS else pointer
            if word == "properties" and pointer is not None:
                below = pointer + jsontext.pointer([name])
            made.append((name, self._inner(place, (word, name), inner, below, depth)))
        same = len(made) == len(value) and all(inner is value[name] for name, inner in made)
        return value if same else Object(made)

    def _refused(self, place: Place, reference: Value) -> str:
        """Why a reference cannot be followed; "" where it can."""
        seen: set[int] = set()
        while True:
            target = self.references.resolve(place, reference)
            if not isinstance(target, Place):
                return target
            if id(target.schema) in seen:
                return "the reference leads in a circle"
            seen.add(id(target.schema))
            following = target.schema.get("$ref") if isinstance(target.schema, Object) else None
            if following is None:
                return ""
            place, reference = target, following

    def _left(self, place: Place, word: str, value: Value, pointer: str | None, why: str) -> Value:
        told = f"the schema is not usable: {word} is {_shown(value)}, {why}" if why.startswith("no ") else why
        self._omit(f"{place.at}/{word}", pointer, told)
        return _GONE

    def _omit(self, at: str, pointer: str | None, why: str) -> None:
        self.omitted.append(Omission(at, pointer or "", why))


# --------------------------------------------------------------------------- plain keywords


def _any(_value: Value) -> bool:
    return True


def _is_type(value: Value) -> bool:
    names = value if isinstance(value, list) else [value]
    return bool(names) and all(isinstance(name, str) and name in TYPES for name in names)


def _is_names(value: Value) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


def _is_count(value: Value) -> bool:
    return isinstance(value, Number) and value.is_integer and not value.text.startswith("-")


def _is_step(value: Value) -> bool:
    step = decimal(value.text) if isinstance(value, Number) else None
    return step is not None and step > 0


def _is_pattern(value: Value) -> bool:
    try:
        re.compile(value if isinstance(value, str) else "(")
    except (re.error, OverflowError, RecursionError):
        return False
    return True


def _is_map_of_names(value: Value) -> bool:
    return isinstance(value, Object) and all(_is_names(names) for names in value.values())


def _all(kind: type) -> Callable[[Value], bool]:
    return lambda value: isinstance(value, kind)


def _plain() -> Iterator[tuple[str, tuple[Callable[[Value], bool], str]]]:
    yield "type", (_is_type, "type of JSON Schema")
    yield "enum", (_all(list), "list")
    yield "required", (_is_names, "list of names")
    yield "pattern", (_is_pattern, "pattern that can be read here")
    yield "multipleOf", (_is_step, "number above zero")
    yield "uniqueItems", (_all(bool), "true or false")
    yield "dependentRequired", (_is_map_of_names, "object of lists of names")
    yield "$id", (_all(str), "text")
    yield "$anchor", (_all(str), "text")
    yield "$dynamicAnchor", (_all(str), "text")
    yield "format", (_all(str), "text")
    for word in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"):
        yield word, (_all(Number), "number")
    for what in ("Length", "Items", "Properties", "Contains"):
        for edge in ("min", "max"):
            yield edge + what, (_is_count, "number from zero up")


_PLAIN = dict(_plain())


def _shown(value: Value) -> str:
    return jsontext.opening(value, _LONG)[0][:_LONG]
