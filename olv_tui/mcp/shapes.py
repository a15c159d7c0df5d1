"""Schemas held against the shape that their dialect gives to its keywords, without a validator.

Follows JSON Schema 2020-12 (core and validation) and draft-07. jsonschema would do the same with its metaschemas,
but takes 115 ms to load, which no listing should cost.

Rules of this file:

* Only what no reading of either dialect allows is named, so that nothing sound is called wrong.
* Keywords that are not known here are left alone: a schema may hold anything else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from olv_tui import jsontext
from olv_tui.mcp.headers import Position
from olv_tui.model import Number, Object, Value

_TYPES = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})
_Fits = Callable[[Value], bool]


def _is_schema(value: Value) -> bool:
    return isinstance(value, Object | bool)


def _is_text(value: Value) -> bool:
    return isinstance(value, str)


def _is_number(value: Value) -> bool:
    return isinstance(value, Number)


def _is_count(value: Value) -> bool:
    # 3.0 and 30e-1 are integers to JSON Schema; telling them from 3.5 is not worth a power of ten.
    return isinstance(value, Number) and not (value.text.startswith("-") and value.text.strip("-0.eE+"))


def _is_flag(value: Value) -> bool:
    return isinstance(value, bool)


def _are_texts(value: Value) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _are_schemas(value: Value) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_is_schema, value))


def _is_map(value: Value) -> bool:
    return isinstance(value, Object) and all(map(_is_schema, value.values()))


def _is_type(value: Value) -> bool:
    words = value if isinstance(value, list) else [value]
    return bool(words) and all(isinstance(word, str) and word in _TYPES for word in words)


_SHAPES: dict[str, tuple[_Fits, str]] = {
    **dict.fromkeys(("properties", "patternProperties", "definitions", "$defs"), (_is_map, "an object of schemas")),
    **dict.fromkeys(("allOf", "anyOf", "oneOf"), (_are_schemas, "an array of schemas")),
    **dict.fromkeys(
        ("additionalProperties", "propertyNames", "contains", "not", "if", "then", "else"), (_is_schema, "a schema")
    ),
    **dict.fromkeys(
        ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"), (_is_number, "a number")
    ),
    **dict.fromkeys(
        ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"),
        (_is_count, "an integer from 0 up"),
    ),
    **dict.fromkeys(("title", "description", "pattern", "format", "$comment"), (_is_text, "a string")),
    **dict.fromkeys(("uniqueItems", "readOnly", "writeOnly"), (_is_flag, "true or false")),
    "required": (_are_texts, "an array of names"),
    "enum": (lambda value: isinstance(value, list), "an array"),
    "items": (lambda value: _is_schema(value) or _are_schemas(value), "a schema"),
    "type": (_is_type, "a type of JSON Schema, or an array of them"),
}


def faults(nodes: Iterable[Position]) -> Iterator[tuple[str, str]]:
    """(JSON pointer, what is wrong there) of every keyword that has not its shape, in these positions of a schema.

    Never raises.
    """
    for _, where, node in nodes:
        for word, value in node.items():
            shape = _SHAPES.get(word)
            if shape is None or shape[0](value):
                continue
            came = "an array" if isinstance(value, list) else "an object" if isinstance(value, Object) else None
            shown = came or jsontext.dumps(value)[:60]
            yield where + jsontext.pointer([word]), f"{word} is {shown}; {shape[1]} is due"
