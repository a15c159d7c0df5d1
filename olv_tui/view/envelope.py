"""The text of an envelope, edited member by member.

Rules of this file:

* Pure. Only the member that is meant changes; everything else stays as it was typed: digits, order, blanks,
  duplicates. A member that is added is laid out like the one before it.
* Text that is no JSON cannot be edited by member: the functions give None for it.
* Bytes that are no UTF-8 stand in a text as lone surrogates (view/bytetext.py).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from olv_tui import jsontext
from olv_tui.jsontext.tokens import tokens, unquote
from olv_tui.model import Header, Object, Value

OWN = ("jsonrpc", "id", "method", "params")
"""The members that JSON-RPC 2.0 (4) knows of a request."""


@dataclass(frozen=True, slots=True)
class Member:
    """One member of an object and its places in the text: `start` of its name, `value` and `end` of its value."""

    name: str
    start: int
    value: int
    end: int


def value_in(text: str, pointer: str) -> str | None:
    """The text of the value at a JSON pointer, the last one of duplicates; None where there is none."""
    place = jsontext.span(text, pointer)
    return None if place is None else text[place[0] : place[1]]


def members(text: str, pointer: str = "") -> list[Member] | None:
    """The members of the object at a JSON pointer as they stand, duplicates included; None where there is no object."""
    place = jsontext.span(text, pointer)
    if place is None or not text.startswith("{", place[0]):
        return None
    found: list[Member] = []
    depth, name, start, value = 0, "", 0, -1
    try:
        for kind, begin, end in tokens(text, place[0]):
            if kind in "]}":
                depth -= 1
            if depth == 1 and kind == "k":
                name, start, value = unquote(text, begin)[0], begin, -1
            elif depth == 1 and value < 0:
                value = begin
            if depth == 1 and value >= 0 and kind not in "[{k":
                found.append(Member(name, start, value, end))
            if kind in "[{":
                depth += 1
    except jsontext.JsonError:
        return None
    return found


def with_value(text: str, pointer: str, value: str) -> str | None:
    """The text with another value at a place; None where there is no such place."""
    place = jsontext.span(text, pointer)
    return None if place is None else text[: place[0]] + value + text[place[1] :]


def with_member(text: str, parent: str, name: str, value: str, *, after: str | None = None) -> str | None:
    """The text with one more member in the object at `parent`: after the member called so, else at its end.

    An `after` that is not there, and "", put it at the beginning. `value` is JSON text and not looked at.
    """
    return with_text(text, parent, jsontext.dumps(name), value, after=after)


def with_text(text: str, parent: str, name: str, value: str, *, after: str | None = None) -> str | None:
    """The same with the name as it will stand there, in its quotes."""
    listed, place = members(text, parent), jsontext.span(text, parent)
    if listed is None or place is None:
        return None
    if not listed:
        return f"{text[: place[0]]}{{{name}:{value}}}{text[place[1] :]}"
    model = listed[-1]
    before = listed[-2].end if len(listed) > 1 else place[0]
    gap = text[text.index("," if len(listed) > 1 else "{", before) + 1 : model.start]
    colon = text[unquote(text, model.start)[1] : model.value]
    if after is None:
        return f"{text[: model.end]},{gap}{name}{colon}{value}{text[model.end :]}"
    found = next((one for one in listed if one.name == after), None)
    if found is None:
        return f"{text[: place[0] + 1]}{gap}{name}{colon}{value},{text[place[0] + 1 :]}"
    return f"{text[: found.end]},{gap}{name}{colon}{value}{text[found.end :]}"


def without_member(text: str, parent: str, name: str) -> str | None:
    """The text without the members called so in the object at `parent`; None where there is none."""
    found = False
    while (at := _last(members(text, parent), name)) is not None:
        text, found = _cut(text, *at), True
    return text if found else None


def _last(listed: list[Member] | None, name: str) -> tuple[list[Member], int] | None:
    """Where the last member called so stands in the list."""
    places = [at for at, one in enumerate(listed or ()) if one.name == name]
    return (listed, places[-1]) if listed is not None and places else None


def _cut(text: str, listed: list[Member], at: int) -> str:
    """The text without one member and the comma that went with it."""
    if at + 1 < len(listed):
        return text[: listed[at].start] + text[listed[at + 1].start :]
    start = listed[at - 1].end if at else listed[at].start
    return text[:start] + text[listed[at].end :]


def set_member(text: str, name: str, value: str | None) -> str | None:
    """The envelope with this member at its root set to a JSON text, or taken out (None); None where it is no object.

    Members that are new go where they are looked for: jsonrpc first, the id after it, others at the end.
    """
    if value is None:
        taken = without_member(text, "", name)
        return text if taken is None and members(text) is not None else taken
    changed = with_value(text, jsontext.pointer([name]), value)
    if changed is not None and members(text) is not None:
        return changed
    after = {"jsonrpc": "", "id": "jsonrpc"}.get(name)
    return with_member(text, "", name, value, after=after)


def extras(text: str) -> str:
    """The members of an envelope that JSON-RPC does not know, as they stand there: `"a":1,"b":2`."""
    return ",".join(text[one.start : one.end] for one in members(text) or () if one.name not in OWN)


def with_extras(text: str, wanted: str) -> str | None:
    """The envelope with these members, as they are typed, in place of those that JSON-RPC does not know."""
    for one in members(text) or ():
        if one.name not in OWN:
            text = without_member(text, "", one.name) or text
    listed, place = members(text), jsontext.span(text, "")
    if listed is None or place is None:
        return None
    if not wanted.strip():
        return text
    end = listed[-1].end if listed else place[0] + 1
    return f"{text[:end]}{',' if listed else ''}{wanted}{text[end:]}"


def own_headers(
    sent: Iterable[Header], usual: Iterable[Header], moving: Iterable[str]
) -> tuple[tuple[Header, ...], tuple[str, ...]]:
    """What a request carried besides the usual headers, and the names of usual ones it went without.

    `moving` are names, in lower case, that differ from day to day and say nothing.
    """
    sent, usual, still = tuple(sent), tuple(usual), set(moving)
    names = {name.lower() for name, _ in sent}
    own = tuple(one for one in sent if one not in usual and one[0].lower() not in still)
    return own, tuple(name for name, _ in usual if name.lower() not in names | still)


def message(text: str) -> Object | None:
    """The envelope as a value; None where it is no JSON or no object."""
    try:
        value: Value = jsontext.loads(text)
    except jsontext.JsonError:
        return None
    return value if isinstance(value, Object) else None
