"""What the alternatives of a union are called, and the constants that tell them apart.

Rules of this file:

* A name is unique in its union. Title first, then the telling constant, then the type.
"""

from __future__ import annotations

from collections.abc import Iterable

from olv_tui.model import Value
from olv_tui.schema import words
from olv_tui.schema.equal import same
from olv_tui.schema.refs import References
from olv_tui.schema.shape import Shape, gather

Marks = tuple[tuple[str, Value], ...]


def marks_of(shapes: list[Shape], references: References) -> list[Marks]:
    """For each alternative the constant properties that it has and in which the alternatives differ."""
    found: list[dict[str, Value]] = []
    for shape in shapes:
        constants: dict[str, Value] = {}
        for name, places in shape.properties.items():
            options = gather(places, references).options
            if options is not None and len(options) == 1:
                constants[name] = options[0]
        found.append(constants)
    telling = [name for name in _in_order(found) if _tells(name, found)]
    return [tuple((name, one[name]) for name in telling if name in one) for one in found]


def _in_order(found: Iterable[dict[str, Value]]) -> list[str]:
    return list(dict.fromkeys(name for constants in found for name in constants))


def _tells(name: str, found: list[dict[str, Value]]) -> bool:
    """A constant tells where two alternatives have it with different values."""
    values = [constants[name] for constants in found if name in constants]
    return len(values) > 1 and any(not same(values[0], value) for value in values[1:])


def branch_names(shapes: list[Shape], marks: list[Marks]) -> list[str]:
    """A name for each alternative, all different."""
    names: list[str] = []
    for shape, mark in zip(shapes, marks, strict=True):
        title = shape.annotations.get("title")
        if isinstance(title, str) and title:
            name = title
        elif mark:
            name = ", ".join(f"{property_}: {words.shown(value)}" for property_, value in mark[:2])
        else:
            name = words.type_name(shape)
        number, plain = 2, name
        while name in names:
            name, number = f"{plain} ({number})", number + 1
        names.append(name)
    return names
