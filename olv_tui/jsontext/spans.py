"""Where a value stands in a JSON text.

Rules of this file:

* Values on the way are skipped by the C scanner, so a place in an editor's text is found between two keys.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from olv_tui.jsontext.tokens import JsonError, end_of, space, unquote

_SKIP = json.JSONDecoder(parse_int=lambda _: 0, parse_float=lambda _: 0.0)  # int() refuses 5,000 digits


def span(text: str, pointer: str) -> tuple[int, int] | None:
    """The (start, end) characters of the value at a JSON pointer (RFC 6901), without the space around it.

    Of a member that stands more than once the last is meant, as in `model.Object`. None where there is
    no such value, and where the text is not JSON as far as it had to be read.
    """
    if pointer and not pointer.startswith("/"):
        return None
    at = space(text, 0)
    try:
        for step in pointer.split("/")[1:]:
            wanted = step.replace("~1", "/").replace("~0", "~")
            members = _members(text, at) if text.startswith("{", at) else _items(text, at)
            at = -1
            for name, start in members:
                if name == wanted:
                    at = start
            if at < 0:
                return None
        return at, _end(text, at)
    except (JsonError, ValueError):
        return None


Steps = tuple[str | int, ...]
"""The way to a value: member names and item numbers."""


def spans(text: str, ways: Iterable[Steps]) -> dict[Steps, tuple[int, int]]:
    """The (start, end) characters of the values at several places, found in one walk; those not there are left out.

    The text is sound JSON. Of a member that stands more than once the last is meant.
    """
    root: _Branch = {}
    for way in ways:
        branch = root
        for step in way:
            branch = branch.setdefault(str(step), {})
        branch[None] = way
    found: dict[Steps, tuple[int, int]] = {}
    pending = [(space(text, 0), root)]
    try:
        while pending:
            at, branch = pending.pop()
            if None in branch:
                found[branch[None]] = at, _end(text, at)
            if len(branch) == (None in branch):
                continue
            members = _members(text, at) if text.startswith("{", at) else _items(text, at)
            places = {name: start for name, start in members if name in branch}
            pending += [(start, branch[name]) for name, start in places.items()]
    except (JsonError, ValueError):
        pass
    return found


_Branch = dict[Any, Any]
"""A tree of ways: by step as text what goes on there, by None the way that ends there."""


def _end(text: str, at: int) -> int:
    try:
        return _SKIP.raw_decode(text, at)[1]
    except RecursionError:
        return end_of(text, at)


def _members(text: str, at: int) -> Iterator[tuple[str, int]]:
    """Name and start of each member of the object at `at`. Raises ValueError."""
    at = space(text, at + 1)
    while not text.startswith("}", at):
        if not text.startswith('"', at):
            raise ValueError
        name, at = unquote(text, at)
        at = space(text, at)
        if not text.startswith(":", at):
            raise ValueError
        at = space(text, at + 1)
        yield name, at
        at = _separator(text, _end(text, at), "}")


def _items(text: str, at: int) -> Iterator[tuple[str, int]]:
    """Index and start of each item of the array at `at`; nothing where there is no array. Raises ValueError."""
    if not text.startswith("[", at):
        return
    at, number = space(text, at + 1), 0
    while not text.startswith("]", at):
        yield str(number), at
        number += 1
        at = _separator(text, _end(text, at), "]")


def _separator(text: str, at: int, closer: str) -> int:
    """The next item's place after the comma at `at`, or the closing bracket's."""
    at = space(text, at)
    if text.startswith(closer, at):
        return at
    if not text.startswith(",", at):
        raise ValueError
    at = space(text, at + 1)
    if text.startswith(closer, at):
        raise ValueError
    return at
