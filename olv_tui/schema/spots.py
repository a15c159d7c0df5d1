"""The place in a JSON text at which something is being typed: what is open around it, and what is missing there.

Rules of this file:

* The text is broken, for it is being typed: it is read token by token, and nothing is refused.
* What comes after the place is read as far as the container goes, for the members that it has.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from olv_tui import jsontext
from olv_tui.jsontext.tokens import space

_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*+"?|[{}\[\]:,]|[^\s{}\[\]:,"]+')
_STRUCTURE = re.compile(r"[:,{}\[\]]")
_WORD = re.compile(r"[\w]")
_AFTER = 20_000  # tokens


@dataclass(slots=True)
class Open:
    """An open container around the place: the member being written, and the names and plain values that it has."""

    is_object: bool
    at: int
    key: str | None = None
    index: int = 0
    has_colon: bool = False
    has_value: bool = False
    members: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Spot:
    """A place: what is open around it, what is typed there (`start` to `end`), and what is missing around it."""

    stack: list[Open]
    start: int
    end: int
    prefix: str = ""
    in_string: bool = False
    before: str = ""
    after: str = ""
    has_colon: bool = False


def read_spot(text: str, at: int) -> Spot | None:
    """Read up to the place. None in the middle of what has to be a colon."""
    stack: list[Open] = []
    spot = Spot(stack, at, at)
    last = 0
    for token in _TOKEN.finditer(text):
        start, end = token.span()
        word = token[0]
        plain = word[0] not in '{}[]:,"'
        if start >= at:
            break
        inside = end > at or (end == at and (plain or (word[0] == '"' and not _is_closed(word))))
        if inside and word[0] not in "{}[]:,":
            spot.start, spot.end = start, _end(text, start, end, at, quoted=not plain)
            spot.prefix, spot.in_string = text[start + (not plain) : at], not plain
            break
        _step(stack, word, start)
        last = end
    if stack and stack[-1].is_object and stack[-1].key is not None and not stack[-1].has_colon:
        return None
    _around(text, spot, last)
    return spot


def _is_closed(word: str) -> bool:
    slashes = len(word) - 1 - len(word[:-1].rstrip("\\"))
    return len(word) > 1 and word[-1] == '"' and not slashes % 2


def _end(text: str, start: int, end: int, at: int, *, quoted: bool) -> int:
    """Where what is typed ends: a string that swallowed what comes after it ends at the cursor."""
    if not quoted:
        return end
    rest = text[at:end]
    swallowed = not _is_closed(text[start:end]) or _STRUCTURE.search(rest) or _WORD.match(text[end : end + 1])
    return at if swallowed else end


def _step(stack: list[Open], word: str, at: int) -> None:
    """Take one token."""
    here = stack[-1] if stack else None
    if word in "{[":
        stack.append(Open(word == "{", at))
    elif word in "}]":
        if stack:
            stack.pop()
        if stack:
            stack[-1].has_value = True
    elif here is None:
        pass  # before or behind the arguments
    elif word == ":":
        here.has_colon = here.key is not None
    elif word == ",":
        here.index += 1
        here.key, here.has_colon, here.has_value = None, False, False
    elif here.is_object and (here.key is None or here.has_value) and word[0] == '"':
        # A comma was forgotten where a value stands before it.
        here.key, here.has_colon, here.has_value = _unquoted(word), False, False
        here.members.setdefault(here.key, "")
    else:
        here.has_value = True
        if here.key is not None:
            here.members[here.key] = word


def _unquoted(word: str) -> str:
    try:
        value = jsontext.loads(word)
    except jsontext.JsonError:
        return word.strip('"')
    return value if isinstance(value, str) else word


def _around(text: str, spot: Spot, last: int) -> None:
    """What is missing before and after the place, and the members that come after it."""
    if not spot.stack:
        return
    holder = spot.stack[-1]
    if holder.has_value:  # the comma goes directly behind what stands before
        spot.before = "," + text[last : spot.start]
        if not spot.before[1:].strip() and "\n" not in spot.before:
            spot.before = ", "
        spot.start = last
        holder.key, holder.has_colon = None, False
        holder.index += 1
    elif text[spot.start - 1 : spot.start] == ":" and '": ' in text:
        spot.before = " "
    following = space(text, spot.end)
    next_one = text[following : following + 1]
    spot.has_colon = next_one == ":"
    if next_one and next_one not in ":,}]":
        spot.after = ", " if following == spot.end else ","
    _members_after(text, spot, holder)


def _members_after(text: str, spot: Spot, holder: Open) -> None:
    if not holder.is_object:
        return
    shadow_name = holder.key or ""
    shadow = Open(is_object=True, at=holder.at, key=shadow_name, has_colon=True, has_value=True)
    stack = [shadow]
    for number, token in enumerate(_TOKEN.finditer(text, spot.end)):
        _step(stack, token[0], token.start())
        if not stack or number > _AFTER:
            break
    for name, value in shadow.members.items():
        if name != shadow_name:
            holder.members.setdefault(name, value)
