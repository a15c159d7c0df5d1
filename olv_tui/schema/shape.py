"""What schemas that hold at one place ask for together: `$ref` followed, `allOf` merged.

Follows JSON Schema 2020-12 and draft-07 (where the words beside a `$ref` are only notes).

Rules of this file:

* A shape is a sum of demands, never a guess at a value. What cannot be summed up is `trouble`, in words.
* Only this place is read: what stands in properties, items and branches stays a place, to be opened on demand.
* Nothing raises: a keyword whose value makes no sense is left out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from olv_tui import jsontext
from olv_tui.model import Number, Object, Value
from olv_tui.schema.equal import same
from olv_tui.schema.refs import Place, References

TYPES = ("object", "array", "string", "integer", "number", "boolean", "null")
NOTES = (
    "title", "description", "default", "examples", "example", "deprecated", "readOnly", "writeOnly", "format",
    "contentMediaType", "contentEncoding", "nullable",
)  # fmt: skip
"""Keywords that describe and do not bind; the first place that has one wins. All descriptions are kept."""

LIMITS = (
    "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern",
    "minItems", "maxItems", "uniqueItems", "contains", "minContains", "maxContains", "minProperties",
    "maxProperties", "propertyNames", "unevaluatedProperties", "unevaluatedItems", "not",
)  # fmt: skip
"""Keywords that bind and that are told in words."""

_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")

Places = tuple[Place, ...]

Opened = frozenset[tuple[int, str]]
"""Unions left out of account because one of their branches is being read: id of the schema, keyword."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A `oneOf` or `anyOf`: which keyword, in which place, and its branches."""

    word: str
    holder: Place
    branches: Places


@dataclass(slots=True)
class Shape:
    """The demands at one place. `places` hold there, `sources` are all that they lead to.

    `types` None: any; `options` None: any value, else the only ones, with the titles that some have.

    `extras` are properties that only conditions ask for, each with its condition in words; `notes` are
    conditions in words, `asks` those of them that an object with nothing in it does not meet; `trouble` says
    why this cannot be a form; `never` that no value is right.
    """

    places: Places = ()
    sources: list[Place] = field(default_factory=list)
    types: frozenset[str] | None = None
    options: list[Value] | None = None
    option_titles: list[tuple[Value, str]] = field(default_factory=list)
    is_const: bool = False
    properties: dict[str, Places] = field(default_factory=dict)
    required: list[str] = field(default_factory=list)
    patterns: list[tuple[str, Place]] = field(default_factory=list)
    additional: list[Place] = field(default_factory=list)
    prefix: dict[int, Places] = field(default_factory=dict)
    items: list[Place] = field(default_factory=list)
    choices: list[Choice] = field(default_factory=list)
    extras: dict[str, list[tuple[str, Place]]] = field(default_factory=dict)
    limits: dict[str, list[Value]] = field(default_factory=dict)
    annotations: dict[str, Value] = field(default_factory=dict)
    descriptions: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    asks: list[str] = field(default_factory=list)
    trouble: str = ""
    never: bool = False

    @property
    def is_closed(self) -> bool:
        """Whether names that the schema does not know are refused."""
        closed = any(place.schema is False for place in self.additional)
        return closed or False in self.limits.get("unevaluatedProperties", ())

    def narrow(self, types: frozenset[str]) -> None:
        """Allow only these types beside what was asked before; an integer is a number."""
        if self.types is None:
            self.types = types
            return
        both = self.types & types
        if ("integer" in self.types and "number" in types) or ("integer" in types and "number" in self.types):
            both |= {"integer"}
        if not both and not self.trouble:
            self.trouble = f"it asks for {_either(self.types)} and for {_either(types)} at once"
        self.types = both

    def restrict(self, options: list[Value]) -> None:
        """Allow only these values beside what was asked before."""
        if self.options is None:
            self.options = list(options)
            return
        self.options = [one for one in self.options if any(same(one, other) for other in options)]
        if not self.options and not self.trouble:
            self.trouble = "it asks for values that exclude one another"


def gather(places: Places, references: References, opened: Opened = frozenset()) -> Shape:
    """What all these places ask for together. Terminates on any circle of references."""
    shape = Shape(places)
    stack = list(places)[::-1]
    seen: set[int] = set()
    in_circle = False
    while stack:
        place = stack.pop()
        schema = place.schema
        if isinstance(schema, bool):
            shape.never |= not schema
            shape.sources.append(place)
            continue
        if not isinstance(schema, Object):
            shape.trouble = shape.trouble or "what stands in the place of its schema is none"
            shape.sources.append(place)
            continue
        if id(schema) in seen:
            in_circle = True
            continue
        seen.add(id(schema))
        shape.sources.append(place)
        found, only_notes = _next(place, shape, references)
        _read(shape, place, only_notes, opened)
        stack += found[::-1]
    if in_circle and _is_bare(shape):
        shape.trouble = shape.trouble or "its reference leads in a circle"
    return shape


def _next(place: Place, shape: Shape, references: References) -> tuple[list[Place], bool]:
    """Where the references and allOf of a place lead; and whether its other words are only notes."""
    schema, found = place.schema, []
    assert isinstance(schema, Object)
    for word in _REFERENCES:
        if word in schema:
            target = references.resolve(place, schema[word])
            if isinstance(target, Place):
                found.append(target)
            else:
                shape.trouble = shape.trouble or target
    only_notes = references.draft7 and "$ref" in schema
    parts = schema.get("allOf")
    if isinstance(parts, list) and not only_notes:
        found += [place.inner("allOf", number, schema=part) for number, part in enumerate(parts)]
    return found, only_notes


def _is_bare(shape: Shape) -> bool:
    return shape.types is None and shape.options is None and not (shape.properties or shape.choices or shape.items)


def _either(types: frozenset[str]) -> str:
    return " or ".join(sorted(types)) or "nothing"


# --------------------------------------------------------------------------- keywords


def _read(shape: Shape, place: Place, only_notes: bool, opened: Opened) -> None:
    """Add the demands of one schema object."""
    schema = place.schema
    assert isinstance(schema, Object)
    for word in NOTES:
        if word in schema:
            shape.annotations.setdefault(word, schema[word])
    told = schema.get("description")
    if isinstance(told, str) and told and told not in shape.descriptions:
        shape.descriptions.append(told)
    if only_notes:
        return
    for word, value in schema.items():
        if (id(schema), word) in opened:
            continue
        if word in LIMITS:
            shape.limits.setdefault(word, []).append(value)
        elif (reader := _READERS.get(word)) is not None:
            reader(shape, place, value)


def _type(shape: Shape, _place: Place, value: Value) -> None:
    names = value if isinstance(value, list) else [value]
    known = frozenset(name for name in names if isinstance(name, str) and name in TYPES)
    if not known and names:
        shape.trouble = shape.trouble or f"the type {jsontext.dumps(value)[:60]} is not one of JSON Schema"
    else:
        shape.narrow(known)


def _const(shape: Shape, _place: Place, value: Value) -> None:
    shape.restrict([value])
    shape.is_const = True


def _enum(shape: Shape, _place: Place, value: Value) -> None:
    if isinstance(value, list) and value:
        shape.restrict(value)


def _properties(shape: Shape, place: Place, value: Value) -> None:
    if isinstance(value, Object):
        for name, inner in value.items():
            one = place.inner("properties", name, schema=inner)
            shape.properties[name] = (*shape.properties.get(name, ()), one)


def _required(shape: Shape, _place: Place, value: Value) -> None:
    for name in value if isinstance(value, list) else ():
        if isinstance(name, str) and name not in shape.required:
            shape.required.append(name)


def _patterns(shape: Shape, place: Place, value: Value) -> None:
    if isinstance(value, Object):
        shape.patterns += [
            (pattern, place.inner("patternProperties", pattern, schema=inner)) for pattern, inner in value.items()
        ]


def _additional(shape: Shape, place: Place, value: Value) -> None:
    shape.additional.append(place.inner("additionalProperties", schema=value))


def _prefix(shape: Shape, place: Place, value: Value, word: str = "prefixItems") -> None:
    for number, inner in enumerate(value if isinstance(value, list) else ()):
        shape.prefix[number] = (*shape.prefix.get(number, ()), place.inner(word, number, schema=inner))


def _items(shape: Shape, place: Place, value: Value) -> None:
    if isinstance(value, list):
        _prefix(shape, place, value, "items")
    else:
        shape.items.append(place.inner("items", schema=value))


def _additional_items(shape: Shape, place: Place, value: Value) -> None:
    schema = place.schema
    if isinstance(schema, Object) and isinstance(schema.get("items"), list):
        shape.items.append(place.inner("additionalItems", schema=value))


def _choice(word: str) -> Callable[[Shape, Place, Value], None]:
    def read(shape: Shape, place: Place, value: Value) -> None:
        if isinstance(value, list) and value:
            branches = tuple(place.inner(word, number, schema=inner) for number, inner in enumerate(value))
            shape.choices.append(Choice(word, place, branches))

    return read


def _dependencies(shape: Shape, place: Place, value: Value) -> None:
    """dependentRequired, and draft-07's dependencies, which may also hold schemas."""
    for name, inner in value.items() if isinstance(value, Object) else ():
        if isinstance(inner, Object | bool):
            _extra(shape, place.inner("dependencies", name, schema=inner), f"where {name} is given")
        elif names := _names(inner):
            shape.notes.append(f"where {name} is given, {names} must be given too")


def _dependent_schemas(shape: Shape, place: Place, value: Value) -> None:
    for name, inner in value.items() if isinstance(value, Object) else ():
        _extra(shape, place.inner("dependentSchemas", name, schema=inner), f"where {name} is given")


def _condition(shape: Shape, place: Place, value: Value) -> None:
    """if, then and else: the condition in words, and the properties that only it brings."""
    schema = place.schema
    assert isinstance(schema, Object)
    asked = _asked(value)
    for word, where in (("then", f"where {asked}"), ("else", f"unless {asked}")):
        if word in schema:
            _extra(shape, place.inner(word, schema=schema[word]), where)


def _extra(shape: Shape, place: Place, where: str) -> None:
    schema = place.schema
    if not isinstance(schema, Object):
        if schema is False:
            shape.notes.append(f"{where}, nothing is right")
        return
    names = _names(schema.get("required"))
    if names:
        shape.notes.append(f"{where}, {names} must be given")
    told = _properties_of(schema)
    for name, inner in told.items():
        shape.extras.setdefault(name, []).append((where, place.inner("properties", name, schema=inner)))
    if not names and not told:
        shape.notes.append(f"{where}, more is asked for: see the schema")


def _asked(condition: Value) -> str:
    """The condition of an `if` in words, as far as it is about constants of properties."""
    words = []
    for name, inner in _properties_of(condition).items():
        options = _options_of(inner)
        if not options:
            return "a condition of the schema holds"
        words.append(f"{name} is {' or '.join(jsontext.dumps(one)[:40] for one in options[:4])}")
    return " and ".join(words) or "a condition of the schema holds"


def _options_of(schema: Value) -> list[Value]:
    if not isinstance(schema, Object):
        return []
    if "const" in schema:
        return [schema["const"]]
    options = schema.get("enum")
    return options if isinstance(options, list) else []


def _properties_of(schema: Value) -> Object:
    found = schema.get("properties") if isinstance(schema, Object) else None
    return found if isinstance(found, Object) else Object()


def _names(value: Value) -> str:
    return ", ".join(name for name in value if isinstance(name, str)) if isinstance(value, list) else ""


_READERS: dict[str, Callable[[Shape, Place, Value], None]] = {
    "type": _type,
    "const": _const,
    "enum": _enum,
    "properties": _properties,
    "required": _required,
    "patternProperties": _patterns,
    "additionalProperties": _additional,
    "prefixItems": _prefix,
    "items": _items,
    "additionalItems": _additional_items,
    "oneOf": _choice("oneOf"),
    "anyOf": _choice("anyOf"),
    "if": _condition,
    "dependentRequired": _dependencies,
    "dependencies": _dependencies,
    "dependentSchemas": _dependent_schemas,
}


def count(shape: Shape, word: str) -> int | None:
    """The strictest of a lower (`min…`) or upper bound that counts, None where there is none."""
    found = [
        int(value.text)
        for value in shape.limits.get(word, ())
        if isinstance(value, Number) and value.is_integer and len(value.text) < 10
    ]
    if not found:
        return None
    return max(found) if word.startswith("min") else min(found)
