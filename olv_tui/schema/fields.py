"""The fields of a form, as a schema describes them.

Rules of this file:

* A field is a value. What stands below it is made when it is asked for, so a schema that contains itself costs
  nothing until somebody opens it, and then one level.
* Names, titles and descriptions are the server's text: made safe where they are shown, never here.
* A field never changes what may be sent. What it does not know is a field of the kind `json`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Protocol

from olv_tui.model import Value
from olv_tui.schema.refs import Place
from olv_tui.schema.shape import Opened, Shape


class Kind(StrEnum):
    """What a field is edited as."""

    OBJECT = "object"
    ARRAY = "array"
    STRING = "string"
    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"
    NULL = "null"
    ENUM = "enum"
    CONST = "const"
    UNION = "union"
    MAP = "map"
    JSON = "json"
    NEVER = "never"


CONTAINERS = (Kind.OBJECT, Kind.MAP, Kind.ARRAY)
"""Kinds whose value holds fields of its own."""


_KEPT = 5_000


class Opener(Protocol):
    """Who makes the fields below a field."""

    def item(self, of: Field, index: int) -> Field:
        """The item of an array at an index."""

    def entry(self, of: Field, name: str) -> Field:
        """The member of an object or map, known or not."""

    def branches(self, of: Field) -> tuple[Branch, ...]:
        """The alternatives of a union."""


@dataclass(frozen=True)
class Field:
    """One place in the arguments.

    `pointer` is its JSON pointer there ("" is the whole object), `name` its last step as text. `required`: the
    schema of the object around it asks for it. `nullable`: the schema allows null beside `kind`. `options` are
    the values of an enum or const, `option_labels` tell them apart in words. `default` means something only
    where `has_default`; it is a hint and may break its own schema (`default_fits` says whether its type is
    right). `constraints` and `notes` are plain words: what binds the value, and what holds under conditions.
    `reason` says why the kind is `json` or `never` (empty: any value is right). `secret`: to be masked.
    """

    kind: Kind
    pointer: str
    name: str
    required: bool
    nullable: bool
    label: str
    description: str
    constraints: tuple[str, ...]
    notes: tuple[str, ...]
    options: tuple[Value, ...]
    option_labels: tuple[str, ...]
    default: Value
    has_default: bool
    default_fits: bool
    examples: tuple[Value, ...]
    format: str
    media_type: str
    secret: bool
    deprecated: bool
    read_only: bool
    write_only: bool
    reason: str
    shape: Shape = field(repr=False, compare=False)
    opener: Opener = field(repr=False, compare=False)
    opened: Opened = field(default=frozenset(), repr=False, compare=False)
    """Unions already opened at this very pointer; a branch that is one of them leads in a circle."""
    made: dict[str, Field] = field(default_factory=dict, init=False, repr=False, compare=False)
    """Fields below that were made already: typing asks for the same ones at every key."""

    @property
    def schema(self) -> Value:
        """The fragment as it stands in the properties or items around it, references not followed."""
        return self.shape.sources[0].schema if self.shape.sources else True

    @property
    def sources(self) -> tuple[Place, ...]:
        """Every fragment that has a say here, targets of references and parts of allOf included."""
        return tuple(self.shape.sources)

    @property
    def is_open(self) -> bool:
        """Whether names are allowed that `children` does not have (objects and maps)."""
        return self.kind in (Kind.OBJECT, Kind.MAP) and not self.shape.is_closed

    @property
    def names(self) -> tuple[str, ...]:
        """The names of `children` of an object or map, in their order."""
        if self.kind not in (Kind.OBJECT, Kind.MAP):
            return ()
        shape = self.shape
        return tuple(dict.fromkeys((*shape.properties, *shape.required, *shape.extras)))

    def children(self) -> tuple[Field, ...]:
        """What stands below whatever the value is.

        Of an object the properties in schema order, then what is only required, then what a condition brings;
        of a tuple the fixed items; else nothing.
        """
        if self.kind is Kind.ARRAY:
            return tuple(self.item(index) for index in sorted(self.shape.prefix))
        return tuple(self.entry(name) for name in self.names)

    def item(self, index: int) -> Field:
        """The field of the item at an index of an array."""
        return self._kept(str(index)) or self._keep(self.opener.item(self, index))

    def entry(self, name: str) -> Field:
        """The field of a member by name: a property, or what the schema says of names it does not list."""
        return self._kept(name) or self._keep(self.opener.entry(self, name))

    @cached_property
    def branches(self) -> tuple[Branch, ...]:
        """The alternatives of a union, null left out; else nothing."""
        return self.opener.branches(self) if self.kind is Kind.UNION else ()

    def _kept(self, step: str) -> Field | None:
        return self.made.get(step)

    def _keep(self, made: Field) -> Field:
        if len(self.made) < _KEPT:
            self.made[made.name] = made
        return made


@dataclass(frozen=True)
class Branch:
    """An alternative of a union.

    `name` is unique in the union: its title, the constant that tells it apart, or its type. `marks` are those
    constants: (property, value).
    """

    name: str
    field: Field
    marks: tuple[tuple[str, Value], ...] = ()
