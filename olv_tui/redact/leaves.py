"""Every string and number of a JSON value replaced."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from olv_tui.model import Number, Object, Value


def map_leaves(root: Value, leaf: Callable[[str | Number], Value]) -> Value:
    """A value with `leaf` applied to every string and number and to every member name; iterative, so of any depth.

    `leaf` gives a string for a string. true, false and null stay.
    """
    done: list[Value] = []
    todo: list[tuple[Value, bool]] = [(root, False)]
    while todo:
        item, ready = todo.pop()
        if isinstance(item, str | Number):
            done.append(leaf(item))
        elif isinstance(item, Object | list):
            members = list(item.members()) if isinstance(item, Object) else [("", child) for child in item]
            if not ready:
                todo.append((item, True))
                todo.extend((child, False) for _, child in reversed(members))
                continue
            start = len(done) - len(members)
            values = done[start:]
            del done[start:]
            if isinstance(item, Object):
                names = (cast(str, leaf(name)) for name, _ in members)
                done.append(Object(list(zip(names, values, strict=True))))
            else:
                done.append(values)
        else:
            done.append(item)
    return done[0]
