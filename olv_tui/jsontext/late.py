"""Values that are read when somebody looks: an object or array of a large text that knows its bytes.

Rules of this file:

* They are made of sound JSON only (`glance` looks), and then are what `parse` would have given, member by member.
  A member name that stands twice, or a member that msgspec does not take, leaves that object to the exact reader.
* A level costs one walk of msgspec over its bytes, in which nothing is built: 10 MB take 5 ms. Small members are
  read with their level, large ones stay bytes. Large strings are read anew each time: nobody keeps a second copy.
* An object of thousands of members, or an array of thousands of items, is read as a whole by the exact reader.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from threading import Lock
from typing import Any, SupportsIndex, TypeAlias, cast

from olv_tui.courtesy import PIECE, give_way
from olv_tui.jsontext import reader
from olv_tui.jsontext.extent import (
    KEY,
    NEXT,
    SPACE,
    WINDOW,
    Known,
    Member,
    after_space,
    commas,
    members_of,
    value_end,
)
from olv_tui.jsontext.reader import Parsed
from olv_tui.jsontext.tokens import unquote
from olv_tui.model import Object, Value

LARGE = 1 << 18
"""Bytes above which a text is read late (256 kB: 5 ms of the exact reader)."""

STEP = PIECE
"""Bytes that are looked at in one go at most, where they can be cut: 1 MB takes a few milliseconds."""

_SMALL = 1 << 14  # bytes of a member that is read with its level
_MANY = 2_000  # members or items of one level that are told apart; of more the average one is small
_LOCK = Lock()

Span: TypeAlias = tuple[int, int]


def parse(data: bytes) -> Parsed:
    """Read bytes as JSON and name what is wrong with them (rules J01 to J06). Never raises.

    The value of a large sound object is read late; everything in it was looked at all the same.
    """
    if len(data) > LARGE:
        value = glance(data)
        if value is not None and _is_even(data, value.start, value.end, value.known):
            return Parsed(value, True, True, data)
    return reader.parse(data)


def value(data: bytes) -> Value:
    """The same value as that of `parse`, without looking at everything in it; None where there is none."""
    found = glance(data) if len(data) > LARGE else None
    return reader.parse(data).value if found is None else found


def exact(data: bytes) -> Value:
    """The value of a part of sound JSON, all of it read."""
    return reader.parse(data).value


def glance(data: bytes) -> LateObject | None:
    """The object in `data`, unread; None where it is no object, or where anything in it wants the exact reader.

    None for all that is no sound JSON in UTF-8 (RFC 8259), for half surrogate pairs, for a depth over about 1,000.
    Numbers that overflow and names that stand twice further down are not looked for here.
    """
    start, end = trimmed(data)
    if data[start : start + 1] != b"{" or not is_utf8(data):
        return None
    known: Known = {}
    found = members(data, start, end, known)
    return None if found is None else LateObject(data, start, end, known, found)


def is_utf8(data: bytes) -> bool:
    """Whether all of it is UTF-8, looked at in steps."""
    if data.isascii():
        return True
    at = 0
    while at < len(data):
        give_way()
        stop = min(at + STEP, len(data))
        while stop < len(data) and stop > at and data[stop] & 0xC0 == 0x80:  # not inside a character
            stop -= 1
        try:
            str(memoryview(data)[at : stop if stop > at else at + STEP], "utf-8")
        except UnicodeDecodeError:
            return False
        at = stop if stop > at else at + STEP
    return True


def members(data: bytes, start: int, end: int, known: Known, most: int = _MANY) -> list[Member] | None:
    """Name, place of the name, start and end of each member of the object from `start` to `end`, in order.

    None where it is no sound JSON, a name stands twice, or there are more than `most`. `known` is what is known of
    the places in `data`, and gets to know more.
    """
    import msgspec  # 45 ms that start-up does without

    if end - start > WINDOW:
        if start not in known:
            members_of(data, start, end, known)
        close, told = known.get(start, (0, None))
        return told if close == end and told is not None and len(told) <= most else None

    try:
        raws = msgspec.json.decode(memoryview(data)[start:end], type=dict[str, msgspec.Raw])
    except (msgspec.DecodeError, RecursionError):
        return None
    if len(raws) > most:
        return None
    found, at = [], start + 1
    while raws:
        key = KEY.match(data, at, end)
        name = None if key is None else unquote(key[1].decode("utf-8", "replace"), 0)[0]
        raw = None if name is None else raws.pop(name, None)
        if key is None or raw is None or name is None:
            return None
        stop = key.end() + memoryview(raw).nbytes
        comma = NEXT.match(data, stop, end)
        if comma is None or comma[1] != (b"," if raws else b"}"):
            return None
        found.append((name, key.start(1), key.end(), stop))
        at = comma.end()
    return found


def items(data: bytes, start: int, end: int, known: Known, most: int = _MANY) -> list[Span] | None:
    """Start and end of each item of the array from `start` to `end`; None as with `members`."""
    import msgspec

    if end - start > WINDOW:
        return _items_of(data, start, end, known, most)
    try:
        raws = msgspec.json.decode(memoryview(data)[start:end], type=list[msgspec.Raw])
    except (msgspec.DecodeError, RecursionError):
        return None
    if len(raws) > most:
        return None
    found, at = [], start + 1
    at = after_space(data, at)
    for raw in raws:
        stop = at + memoryview(raw).nbytes
        comma = NEXT.match(data, stop, end)
        if comma is None:
            return None
        found.append((at, stop))
        at = comma.end()
    return found


def _items_of(data: bytes, start: int, end: int, known: Known, most: int) -> list[Span] | None:
    """The same of a large array, in steps."""
    found: list[Span] = []
    at = after_space(data, start + 1)
    while len(found) <= most:
        stop = value_end(data, at, end, known)
        comma = None if stop is None else NEXT.match(data, stop, end)
        if stop is None or comma is None:
            return None
        found.append((at, stop))
        at = comma.end()
        if comma[1] != b",":
            return found if comma[1] == b"]" and at == end and len(found) <= most else None
    return None


def _is_even(data: bytes, start: int, end: int, known: Known) -> bool:
    """Whether the sound value from `start` to `end` has no oddity that `parse` would tell; looked at in pieces.

    Of long strings nothing is left to see: msgspec takes no half pair.
    """
    first = data[start : start + 1]
    give_way()
    if end - start <= STEP:
        return reader.is_even(data[start:end].decode())
    if first == b"{":
        found = members(data, start, end, known)
        if found is None:
            return reader.is_even(data[start:end].decode())
        return all(_is_even(data, begin, stop, known) for _, _, begin, stop in found)
    if first != b"[":
        return first == b'"' or reader.is_even(data[start:end].decode())
    at = begun = after_space(data, start + 1)
    while end - at > STEP:
        give_way()
        cut = next((cut for cut in commas(data, at, end) if reader.is_even(f"[{data[at:cut].decode()}]")), None)
        if cut is None:
            break
        at = after_space(data, cut + 1)
    if end - at <= STEP:
        return reader.is_even(f"[{data[at:end].decode()}")
    if at > begun:
        data, start, end, known = b"[" + data[at:end], 0, end - at + 1, {}
    rest = items(data, start, end, known)
    if rest is None:
        return reader.is_even(data[start:end].decode())
    return all(_is_even(data, begin, stop, known) for begin, stop in rest)


def count(data: bytes, start: int, end: int) -> int:
    """How many items the sound array from `start` to `end` has; none of them is read where msgspec takes it."""
    total, at = 0, after_space(data, start + 1)
    while end - at > WINDOW:
        give_way()
        guesses = ((cut, _count(b"[" + data[at:cut] + b"]")) for cut in commas(data, at, end))
        cut, number = next(((cut, number) for cut, number in guesses if number is not None), (at, None))
        if number is None:
            break
        total, at = total + number, after_space(data, cut + 1)
    number = _count(b"[" + data[at:end])
    return total + number if number is not None else len(cast("list[Value]", exact(data[start:end])))


def _count(data: bytes) -> int | None:
    import msgspec

    try:
        return len(msgspec.json.decode(data, type=list[msgspec.Raw]))
    except (msgspec.DecodeError, RecursionError):
        return None


def trimmed(data: bytes) -> Span:
    """The bytes without the blanks around them."""
    found = SPACE.match(data)
    start, end = found.end() if found is not None else 0, len(data)
    while end > start and data[end - 1] in b" \t\r\n":
        end -= 1
    return start, end


class _Unread:
    """A large string or number in a text."""

    __slots__ = ("end", "start")

    def __init__(self, start: int, end: int) -> None:
        self.start, self.end = start, end


def _value(data: bytes, start: int, end: int, known: Known) -> Any:
    """A member as a value, or as what stands for it."""
    if end - start <= _SMALL:
        return exact(data[start:end])
    match data[start : start + 1]:
        case b"{":
            return LateObject(data, start, end, known)
        case b"[":
            return LateList(data, start, end, known)
    return _Unread(start, end)


def _scalar(data: bytes, unread: _Unread) -> Value:
    import msgspec

    part = memoryview(data)[unread.start : unread.end]
    # Its strings are those of the exact reader, in half the time: half pairs, in which they differ, are not here.
    return msgspec.json.decode(part, type=str) if part[0] == 0x22 else exact(bytes(part))


class LateObject(Object):
    """A JSON object that is read when it is looked into. `source` from `start` to `end` is its text."""

    __slots__ = ("_found", "_is_read", "_pairs", "_unread", "end", "known", "source", "start")

    def __init__(self, source: bytes, start: int, end: int, known: Known, found: list[Member] | None = None) -> None:
        dict.__init__(self)
        self.source, self.start, self.end = source, start, end
        self.known = known
        self._found = found
        self._is_read = False
        self._unread = False
        self._pairs: tuple[tuple[str, Value], ...] | None = None

    def unread(self) -> LateObject:
        """The same object, nothing of it in memory."""
        return LateObject(self.source, self.start, self.end, self.known, self._found)

    def _read(self) -> None:
        if self._is_read:
            return
        found = self._found or members(self.source, self.start, self.end, self.known)
        if found is None:
            made = cast("Object", exact(self.source[self.start : self.end]))
            pairs, ready = made.pairs, dict(made)
        else:
            pairs, ready = None, {name: _value(self.source, start, end, self.known) for name, _, start, end in found}
        with _LOCK:
            if not self._is_read:
                dict.update(self, ready)
                self._pairs = pairs
                self._unread = any(isinstance(one, _Unread) for one in ready.values())
                self._is_read = True

    def unread_text(self, name: str) -> Span | None:
        """Where a large string stands in the text, its quotes left out; None for any other member."""
        self._read()
        found: Any = dict.get(self, name)
        if isinstance(found, _Unread) and self.source[found.start : found.start + 1] == b'"':
            return found.start + 1, found.end - 1
        return None

    def _known(self, value: Any) -> Any:
        return _scalar(self.source, value) if isinstance(value, _Unread) else value

    @property
    def pairs(self) -> tuple[tuple[str, Value], ...] | None:  # type: ignore[override]  # asked for late, as all of it
        """None for an object without duplicates, else every member as it came."""
        self._read()
        return self._pairs

    def members(self) -> Iterable[tuple[str, Value]]:
        """Every member as it came, duplicates included."""
        return self.items() if self.pairs is None else self._pairs or ()

    def _plain(self) -> dict[str, Value]:
        """What stands in it, as a dict of its own where some of it is read anew."""
        self._read()
        return {name: self._known(value) for name, value in dict.items(self)}

    def __getitem__(self, name: str) -> Value:
        self._read()
        return cast("Value", self._known(dict.__getitem__(self, name)))

    def get(self, name: str, default: Any = None) -> Any:  # Value or the default, as dict has it
        """The member of a name, or the default."""
        self._read()
        return self._known(dict.get(self, name, default))

    def __contains__(self, name: object) -> bool:
        self._read()
        return dict.__contains__(self, name)

    def __iter__(self) -> Iterator[str]:
        self._read()
        return dict.__iter__(self)

    def __reversed__(self) -> Iterator[str]:
        self._read()
        return dict.__reversed__(self)

    def __len__(self) -> int:
        self._read()
        return dict.__len__(self)

    def __bool__(self) -> bool:
        return len(self) > 0

    def keys(self) -> Any:
        """The names."""
        self._read()
        return dict.keys(self)

    def items(self) -> Any:
        """The members."""
        self._read()
        return self._plain().items() if self._unread else dict.items(self)

    def values(self) -> Any:
        """The values."""
        self._read()
        return self._plain().values() if self._unread else dict.values(self)

    def copy(self) -> dict[str, Value]:
        """What stands in it."""
        return self._plain()

    def __eq__(self, other: object) -> bool:
        return self._plain() == other

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None  # type: ignore[assignment]  # as dict has it

    def __repr__(self) -> str:
        return repr(self._plain())


class LateList(list[Value]):
    """A JSON array that is read when it is looked into. `source` from `start` to `end` is its text."""

    __slots__ = ("_is_read", "_unread", "end", "known", "source", "start")

    def __init__(self, source: bytes, start: int, end: int, known: Known) -> None:
        list.__init__(self)
        self.source, self.start, self.end = source, start, end
        self.known = known
        self._is_read = False
        self._unread = False

    def unread(self) -> LateList:
        """The same array, nothing of it in memory."""
        return LateList(self.source, self.start, self.end, self.known)

    def _read(self) -> None:
        if self._is_read:
            return
        found = items(self.source, self.start, self.end, self.known)
        ready: list[Any]
        if found is None:
            ready = cast("list[Any]", exact(self.source[self.start : self.end]))
        else:
            ready = [_value(self.source, start, end, self.known) for start, end in found]
        with _LOCK:
            if not self._is_read:
                list.extend(self, ready)
                self._unread = found is not None and any(isinstance(one, _Unread) for one in ready)
                self._is_read = True

    def _known(self, value: Any) -> Any:
        return _scalar(self.source, value) if isinstance(value, _Unread) else value

    def __getitem__(self, at: Any) -> Any:
        self._read()
        found = list.__getitem__(self, at)
        return [self._known(one) for one in found] if isinstance(at, slice) else self._known(found)

    def __iter__(self) -> Iterator[Value]:
        self._read()
        return map(self._known, list.__iter__(self)) if self._unread else list.__iter__(self)

    def __reversed__(self) -> Iterator[Value]:
        self._read()
        return map(self._known, list.__reversed__(self))

    def __len__(self) -> int:
        return list.__len__(self) if self._is_read else count(self.source, self.start, self.end)

    def __bool__(self) -> bool:
        return len(self) > 0

    def __contains__(self, value: object) -> bool:
        return any(one is value or one == value for one in self)

    def __eq__(self, other: object) -> bool:
        return list(self) == other

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None  # as list has it

    def __add__(self, other: Any) -> Any:
        return list(self) + other

    def copy(self) -> list[Value]:
        """What stands in it."""
        return list(self)

    def count(self, value: Any) -> int:
        """How often a value stands in it."""
        return list(self).count(value)

    def index(self, value: Any, start: SupportsIndex = 0, stop: SupportsIndex = 1 << 62) -> int:
        """Where a value stands first."""
        return list(self).index(value, start, stop)

    def __repr__(self) -> str:
        return repr(list(self))


Late: TypeAlias = LateObject | LateList
