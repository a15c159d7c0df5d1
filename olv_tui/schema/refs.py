"""Places in a schema, and where a reference in it leads.

Follows JSON Schema 2020-12, Core 8 ($id, $anchor, $ref), and draft-07, Core 8.

Rules of this file:

* Nothing is fetched. A reference that leads out of the schema is answered with the reason.
* Nothing raises, whatever stands in the schema. References are followed when somebody asks, one at a time.
* The index of `$id` and `$anchor` is made only for a schema that refers by something else than a pointer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote, urldefrag, urljoin

from olv_tui import jsontext
from olv_tui.model import Object, Value

_NODES = 50_000  # schemas looked at for the index
_MAPS = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies")
_DATA = ("const", "enum", "default", "examples", "example")


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """A schema at its place. Two places are equal only where they are the same object.

    `at` is the JSON pointer in the whole schema; `base` is the address that references in it start from.
    """

    schema: Value
    at: str = ""
    base: str = ""

    def inner(self, *steps: str | int, schema: Value) -> Place:
        """The schema below this one; a `$id` of its own is its base."""
        return Place(schema, self.at + jsontext.pointer(steps), _base(self.base, schema))


class References:
    """Everything that references of one schema can lead to. `root` is the schema itself."""

    def __init__(self, root: Value) -> None:
        self.root = Place(root, "", _base("", root))
        dialect = str(root.get("$schema", "")) if isinstance(root, Object) else ""
        self.draft7 = any(f"draft-0{number}" in dialect for number in (3, 4, 6, 7))
        self._resources: dict[str, Place] = {self.root.base: self.root, "": self.root}
        self._anchors: dict[tuple[str, str], Place] = {}
        self._indexed = False

    def resolve(self, place: Place, reference: Value) -> Place | str:
        """Where a reference leads that stands at `place`; a sentence where it leads to nothing."""
        if not isinstance(reference, str):
            return "the reference is no text"
        address, fragment = _split(place.base, reference)
        resource = self._resource(address)
        if resource is None:
            return f"the reference to {reference[:200]} leads outside the schema and is not fetched"
        if fragment and not fragment.startswith("/"):
            self._index()
            found = self._anchors.get((resource.base, fragment))
        else:
            found = _walk(resource, fragment)
        return found or f"the reference {reference[:200]} leads to nothing in the schema"

    def _resource(self, address: str) -> Place | None:
        if address not in self._resources:
            self._index()
        return self._resources.get(address)

    def _index(self) -> None:
        if self._indexed:
            return
        self._indexed = True
        for place in _schemas(self.root):
            schema = place.schema
            if not isinstance(schema, Object):
                continue
            own = schema.get("$id")
            if isinstance(own, str) and own.startswith("#"):
                self._anchors.setdefault((place.base, own[1:]), place)
            elif isinstance(own, str):
                self._resources.setdefault(place.base, place)
            for word in ("$anchor", "$dynamicAnchor"):
                anchor = schema.get(word)
                if isinstance(anchor, str):
                    self._anchors.setdefault((place.base, anchor), place)


def _base(base: str, schema: Value) -> str:
    """The base of a schema that stands where `base` holds."""
    own = schema.get("$id") if isinstance(schema, Object) else None
    if not isinstance(own, str) or own.startswith("#"):
        return base
    return _split(base, own)[0]


def _split(base: str, reference: str) -> tuple[str, str]:
    """Address and fragment of a reference. A fragment alone stays in its base, whatever the scheme."""
    if reference.startswith("#"):
        return base, unquote(reference[1:])
    try:
        address, fragment = urldefrag(urljoin(base, reference))
    except ValueError:
        return reference, ""
    return address, unquote(fragment)


def _walk(place: Place, fragment: str) -> Place | None:
    for step in fragment.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        here = place.schema
        if isinstance(here, Object) and name in here:
            place = place.inner(name, schema=here[name])
        elif isinstance(here, list) and name.isdecimal() and name.isascii() and len(name) < 7 and int(name) < len(here):
            place = place.inner(name, schema=here[int(name)])
        else:
            return None
    return place


def _schemas(root: Place) -> Iterator[Place]:
    """Every place where a schema stands. What stands in `const`, `default` and the like is data."""
    stack, left = [root], _NODES
    while stack and left:
        place, left = stack.pop(), left - 1
        yield place
        if not isinstance(place.schema, Object):
            continue
        for word, inner in place.schema.items():
            if word in _DATA:
                continue
            if isinstance(inner, list):
                stack += [place.inner(word, number, schema=item) for number, item in enumerate(inner)]
            elif isinstance(inner, Object) and word in _MAPS:
                stack += [place.inner(word, name, schema=item) for name, item in inner.items()]
            elif isinstance(inner, Object):
                stack.append(place.inner(word, schema=inner))
