"""A JSON text that is edited by places: one value changes, every other character stays.

Rules of this file:

* The text is sound JSON and holds no name twice in the containers that are opened; the form has seen to that.
* Where members stand is read when it is needed and kept over edits, so a key typed into one field does not read a
  megabyte that stands in another again (1 MB of numbers: 0.05 ms against 15 ms).
* New members are laid out as their neighbours are.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from olv_tui import jsontext
from olv_tui.jsontext.tokens import end_of, space, unquote
from olv_tui.model import Object, Value

_SKIP = json.JSONDecoder(parse_int=lambda _: 0, parse_float=lambda _: 0.0)  # int() refuses 5,000 digits
_INDENT = "  "
_SHORT = 2_000  # characters


class Member(NamedTuple):
    """A member or item: its name (its index as text in an array), where it begins, where its value stands."""

    name: str
    at: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Container:
    """An object or array in the text, from the place of its opening to that of its closing bracket."""

    start: int
    close: int
    is_object: bool
    members: tuple[Member, ...]

    def index(self, name: str) -> int | None:
        """Which member has this name."""
        if not self.is_object:
            sound = name.isascii() and name.isdecimal() and (name == "0" or name[0] != "0") and len(name) < 10
            return int(name) if sound and int(name) < len(self.members) else None
        return next((number for number, member in enumerate(self.members) if member.name == name), None)


def steps(pointer: str) -> list[str]:
    """The steps of a JSON pointer (RFC 6901)."""
    return [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]


def parent(pointer: str) -> tuple[str, str]:
    """The pointer of what holds a place, and the last step as a name."""
    above, _, step = pointer.rpartition("/")
    return above, step.replace("~1", "/").replace("~0", "~")


def below(pointer: str, step: str | int) -> str:
    """The pointer of a member."""
    return pointer + jsontext.pointer([step])


class JsonText:
    """A sound JSON text. Every edit gives a new one."""

    def __init__(self, text: str, known: dict[str, Container] | None = None) -> None:
        self.text = text
        self._known: dict[str, Container] = known or {}

    # ----------------------------------------------------------------------- reading

    def place(self, pointer: str) -> tuple[int, int] | None:
        """Start and end of the value at a pointer, None where there is none."""
        start, end = space(self.text, 0), len(self.text.rstrip(" \t\n\r"))
        above = ""
        for name in steps(pointer):
            holder = self._container(above, start)
            index = holder.index(name) if holder else None
            if holder is None or index is None:
                return None
            _, _, start, end = holder.members[index]
            above = below(above, name)
        return start, end

    def get(self, pointer: str) -> str | None:
        """The text of a value as it stands, None where there is none."""
        place = self.place(pointer)
        return None if place is None else self.text[place[0] : place[1]]

    def glance(self, pointer: str) -> Value:
        """The value at a place where one stands; of a long one the containers in it are empty.

        To tell alternatives apart. Reading all of it at each level of a nested value would be quadratic.
        """
        place = self.place(pointer)
        assert place is not None
        start, end = place
        if end - start < _SHORT or self.text[start] not in "{[":
            return jsontext.loads(self.text[start:end])
        holder = self._container(pointer, start)
        assert holder is not None
        if not holder.is_object:
            return []
        return Object([(member.name, self._short(member)) for member in holder.members])

    def _short(self, member: Member) -> Value:
        if member.end - member.start < _SHORT or self.text[member.start] not in "{[":
            return jsontext.loads(self.text[member.start : member.end])
        return Object() if self.text[member.start] == "{" else []

    def container(self, pointer: str) -> Container | None:
        """The object or array at a pointer, None where there is none."""
        found = self._known.get(pointer)
        if found is None:
            place = self.place(pointer)
            found = self._container(pointer, place[0]) if place else None
        return found

    def _container(self, pointer: str, start: int) -> Container | None:
        """The object or array that begins at a place, read once."""
        found = self._known.get(pointer)
        if found is None and self.text[start] in "{[":
            found = self._known[pointer] = _container(self.text, start)
        return found

    # ----------------------------------------------------------------------- editing

    def replaced(self, pointer: str, value: str) -> JsonText:
        """With another value at a place where one stands."""
        place = self.place(pointer)
        assert place is not None
        return self._spliced(*place, value, pointer)

    def inserted(self, pointer: str, index: int, name: str | None, value: str) -> JsonText:
        """With a new member (or item, `name` None) before the one that is `index` now."""
        holder = self.container(pointer)
        assert holder is not None
        item = value if name is None else jsontext.dumps(name) + self._colon(holder) + value
        if not holder.members:
            return self._spliced(holder.start + 1, holder.close, self._framed(holder, item), pointer)
        gap = self._gap(holder)
        if index < len(holder.members):
            at = holder.members[index].at
            return self._spliced(at, at, item + "," + gap, pointer)
        at = holder.members[-1].end
        return self._spliced(at, at, "," + gap + item, pointer)

    def removed(self, pointer: str, index: int) -> JsonText:
        """Without a member or item; the comma goes along."""
        holder = self.container(pointer)
        assert holder is not None
        members = holder.members
        if len(members) == 1:
            return self._spliced(holder.start + 1, holder.close, "", pointer)
        if index + 1 < len(members):
            return self._spliced(members[index].at, members[index + 1].at, "", pointer)
        return self._spliced(members[index - 1].end, members[index].end, "", pointer)

    def moved(self, pointer: str, index: int, to: int) -> JsonText:
        """With an item of an array at another index; what stands between the items stays where it is."""
        holder = self.container(pointer)
        assert holder is not None
        members = holder.members
        values = [self.text[member.start : member.end] for member in members]
        values.insert(to, values.pop(index))
        low, high = min(index, to), max(index, to)
        pieces = [values[low]]
        for number in range(low + 1, high + 1):
            pieces += [self.text[members[number - 1].end : members[number].start], values[number]]
        return self._spliced(members[low].start, members[high].end, "".join(pieces), pointer)

    def renamed(self, pointer: str, index: int, name: str) -> JsonText:
        """With another name for a member."""
        holder = self.container(pointer)
        assert holder is not None
        at = holder.members[index].at
        return self._spliced(at, unquote(self.text, at)[1], jsontext.dumps(name), pointer)

    def _spliced(self, start: int, end: int, new: str, changed: str) -> JsonText:
        """With other text from start to end; what is known of containers outside `changed` moves along."""
        shift = len(new) - (end - start)
        text = self.text[:start] + new + self.text[end:]

        def moved(place: int) -> int:
            return place + shift if place >= end and place > start else place

        known = {
            pointer: _moved(container, moved) if container.close >= start else container
            for pointer, container in self._known.items()
            if pointer != changed and not pointer.startswith(changed + "/")
        }
        return JsonText(text, known)

    # ----------------------------------------------------------------------- layout

    def _colon(self, holder: Container) -> str:
        root = self.container("")
        for near in (holder, root):
            if near is not None and near.is_object and near.members:
                first = near.members[0]
                return self.text[unquote(self.text, first.at)[1] : first.start]
        return ": "

    def _gap(self, holder: Container) -> str:
        """What stands after a comma in a container that has members."""
        members = holder.members
        if len(members) > 1:
            return self.text[members[0].end : members[1].at].partition(",")[2]
        first = self.text[holder.start + 1 : members[0].at]
        if "\n" in first:
            return first
        return "" if self._colon(holder) == ":" else " "

    def _framed(self, holder: Container, item: str) -> str:
        """The first thing in an empty container: on a line of its own where the whole text is written so."""
        root = self.container("")
        assert root is not None
        unit = _INDENT
        if root.members:
            lead = self.text[root.start + 1 : root.members[0].at]
            if "\n" not in lead:
                return item
            unit = lead.rpartition("\n")[2] or _INDENT
        line = self.text[self.text.rfind("\n", 0, holder.start) + 1 : holder.start]
        indent = line[: len(line) - len(line.lstrip(" \t"))]
        return f"\n{indent}{unit}{item}\n{indent}"


def _container(text: str, start: int) -> Container:
    is_object = text[start] == "{"
    closer = "}" if is_object else "]"
    members: list[Member] = []
    at = space(text, start + 1)
    while text[at] != closer:
        name, value = str(len(members)), at
        if is_object:
            name, value = unquote(text, at)
            value = space(text, space(text, value) + 1)
        end = _end(text, value)
        members.append(Member(name, at, value, end))
        at = space(text, end)
        if text[at] == ",":
            at = space(text, at + 1)
    return Container(start, at, is_object, tuple(members))


def _end(text: str, at: int) -> int:
    try:
        return _SKIP.raw_decode(text, at)[1]
    except RecursionError:
        return end_of(text, at)


def _moved(container: Container, move: Callable[[int], int]) -> Container:
    members = tuple(Member(name, move(at), move(start), move(end)) for name, at, start, end in container.members)
    return Container(move(container.start), move(container.close), container.is_object, members)
