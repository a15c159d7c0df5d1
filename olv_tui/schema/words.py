"""Schemas in plain words: what binds a value, what an alternative is called, how options are told apart.

Rules of this file:

* Numbers are told with the digits the schema has.
* The words are for a person who does not know JSON Schema; the fragment itself is one key away.
"""

from __future__ import annotations

from collections.abc import Iterator

from olv_tui import jsontext
from olv_tui.model import Number, Object, Value
from olv_tui.schema.equal import same
from olv_tui.schema.shape import Shape

_LONG = 80
_BOUNDS = (
    ("minimum", "at least {}"),
    ("exclusiveMinimum", "more than {}"),
    ("maximum", "at most {}"),
    ("exclusiveMaximum", "less than {}"),
    ("multipleOf", "a multiple of {}"),
)
_COUNTS = (
    ("minLength", "maxLength", "character", "characters"),
    ("minItems", "maxItems", "item", "items"),
    ("minProperties", "maxProperties", "member", "members"),
)
_TEXTS = (("format", "format {}"), ("contentMediaType", "holds {}"), ("contentEncoding", "encoded as {}"))


def constraints(shape: Shape) -> tuple[str, ...]:
    """What binds the value here, one phrase each."""
    return tuple(_constraints(shape))


def _constraints(shape: Shape) -> Iterator[str]:
    limits = shape.limits
    for word, phrase in _BOUNDS:
        for value in limits.get(word, ()):
            if isinstance(value, Number):
                yield phrase.format(value.text)
            elif value is True:  # draft-04's flag beside minimum and maximum
                yield "the bound itself left out"
    for least, most, one, many in _COUNTS:
        yield from _count(limits.get(least, []), limits.get(most, []), one, many)
    for value in limits.get("pattern", ()):
        yield f"matches {shown(value)}"
    for word, phrase in _TEXTS:
        told = shape.annotations.get(word)
        if isinstance(told, str):
            yield phrase.format(told)
    if True in limits.get("uniqueItems", ()):
        yield "no item twice"
    for value in limits.get("contains", ()):
        yield _contains(limits, value)
    for value in limits.get("propertyNames", ()):
        yield f"names {_fitting(value)}"
    for value in limits.get("not", ()):
        yield f"not {_fitting(value)}"
    if shape.is_closed and (shape.properties or shape.patterns):
        yield "no other names"
    for word, what in (("unevaluatedProperties", "other members"), ("unevaluatedItems", "other items")):
        for value in limits.get(word, ()):
            if value is False and what == "other items":
                yield "no other items"
            elif isinstance(value, Object):
                yield f"{what} {_fitting(value)}"


def _count(least: list[Value], most: list[Value], one: str, many: str) -> Iterator[str]:
    low = next((value.text for value in least if isinstance(value, Number)), None)
    high = next((value.text for value in most if isinstance(value, Number)), None)
    if low is not None and low == high:
        yield f"exactly {low} {one if low == '1' else many}"
    elif low is not None and high is not None:
        yield f"{low} to {high} {many}"
    elif low is not None:
        yield f"at least {low} {one if low == '1' else many}"
    elif high is not None:
        yield f"at most {high} {one if high == '1' else many}"


def _contains(limits: dict[str, list[Value]], value: Value) -> str:
    least = next((one.text for one in limits.get("minContains", ()) if isinstance(one, Number)), "1")
    most = next((one.text for one in limits.get("maxContains", ()) if isinstance(one, Number)), None)
    return f"at least {least}{f' and at most {most}' if most else ''} of the items {_fitting(value)}"


def _fitting(schema: Value) -> str:
    """A schema inside a phrase."""
    if isinstance(schema, Object) and len(schema) == 1:
        ((word, value),) = schema.items()
        told: dict[str, str] = {
            "type": f"of the type {shown(value)}",
            "pattern": f"matching {shown(value)}",
            "const": f"equal to {shown(value, quoted=True)}",
            "enum": f"one of {shown(value)}",
            "maxLength": f"of at most {shown(value)} characters",
            "minLength": f"of at least {shown(value)} characters",
        }
        if word in told:
            return told[word]
    return f"fitting {shown(schema)}"


def shown(value: Value, *, quoted: bool = False) -> str:
    """A value on one line and not long; a text without quotes unless they are wanted."""
    text = value if isinstance(value, str) and not quoted else jsontext.dumps(value)
    return text if len(text) <= _LONG else text[: _LONG - 1] + "…"


def option_labels(options: list[Value], titles: list[tuple[Value, str]]) -> tuple[str, ...]:
    """A label for each option, all different: a text as it is where nothing else could be meant by it.

    The empty text, a text with blanks around it and one that reads like another type stand in quotes. An
    option that has a title of its own carries it behind.
    """
    labels = []
    for option in options:
        label = option if isinstance(option, str) and _is_plain(option) else jsontext.dumps(option)
        title = next((told for value, told in titles if same(value, option)), None)
        labels.append(label if title in (None, label) else f"{label} ({title})")
    return tuple(labels)


def _is_plain(text: str) -> bool:
    if not text or text != text.strip() or text[0] in '"[{' or text in ("true", "false", "null"):
        return False
    return not (text[0] in "-0123456789" and text.lstrip("-")[:1].isdigit() and _is_number(text))


def _is_number(text: str) -> bool:
    try:
        return isinstance(jsontext.loads(text), Number)
    except jsontext.JsonError:
        return False


def type_name(shape: Shape) -> str:
    """What kind of value this is, for an alternative that has no better name."""
    types = shape.types or frozenset()
    if shape.options is not None:
        return " or ".join(shown(option) for option in shape.options[:3]) + ("…" if len(shape.options) > 3 else "")
    if types == {"array"} or (not types and shape.items):
        inner = next((place.schema for place in shape.items), None)
        of = inner.get("type") if isinstance(inner, Object) else None
        return f"array of {of}" if isinstance(of, str) else "array"
    if types == {"object"} or (not types and shape.properties):
        names = shape.required or list(shape.properties)
        return f"object with {', '.join(names[:3])}" if names else "object"
    return " or ".join(sorted(types)) if types else "any value"
