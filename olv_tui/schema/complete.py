"""What can stand at a place of a JSON text that is being typed, by a schema and by what was sent before.

Rules of this file:

* Pure, and made for broken text: what stands before the place is read token by token and forgiven.
* What is put in is sound JSON: quotes, colon, a first value, and a comma before and after where one is missing.
* Labels and descriptions are the server's text: made safe where they are shown, never here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from olv_tui import jsontext
from olv_tui.model import Object, Value
from olv_tui.redact import MASK
from olv_tui.schema.drafts import first_value, template
from olv_tui.schema.fields import CONTAINERS, Branch, Field, Kind
from olv_tui.schema.spots import Open, Spot, read_spot

MOST = 200
"""Proposals at one place."""

_EARLIER = 20  # values of one place
_LONG = 200
_STEPS = 64
_VALUES = 2_000


@dataclass(frozen=True, slots=True)
class Proposal:
    """One thing that can stand there. `text` replaces the span; characters `select` of it are selected then.

    `label` is what is listed: a name, or a value as JSON. `about` tells what it is, `again`: a choice of values
    follows.
    """

    label: str
    text: str
    select: tuple[int, int]
    about: str
    again: bool = False


@dataclass(frozen=True, slots=True)
class Offers:
    """Proposals that replace characters `start` to `end`, the likeliest first. `is_key`: they are member names."""

    start: int
    end: int
    proposals: tuple[Proposal, ...]
    is_key: bool


Earlier = Mapping[str, Sequence[str]]
"""Values that were sent before as JSON texts, newest first, by pointer with `*` for every index."""


def complete(text: str, at: int, root: Field, earlier: Earlier | None = None) -> Offers | None:
    """What can stand at character `at` of a text, narrowed by what is typed there. None where nothing can."""
    spot = read_spot(text, at)
    if spot is None:
        return None
    if not spot.stack:
        made = [] if text.strip() else _whole(root)
        is_key = False
    else:
        holder = spot.stack[-1]
        fields = _fields(root, spot.stack)
        is_key = holder.is_object and holder.key is None
        if is_key:
            made = list(_keys(text, spot, fields))
        else:
            fields = _below(fields, holder)
            made = list(_values(text, spot, fields, (earlier or {}).get(_pattern(spot.stack), ())))
    found = _narrowed(made, spot, is_key=is_key)
    return Offers(spot.start, spot.end, tuple(found[:MOST]), is_key) if found else None


def earlier_values(texts: Iterable[str]) -> dict[str, list[str]]:
    """The plain values in arguments that were sent, newest first, as `complete` wants them; masked ones left out."""
    found: dict[str, list[str]] = {}
    for text in texts:
        try:
            value = jsontext.loads(text)
        except jsontext.JsonError:
            continue
        for number, (pointer, one) in enumerate(_scalars(value)):
            written = jsontext.dumps(one)
            kept = found.setdefault(pointer, [])
            if len(written) <= _LONG and written not in kept and len(kept) < _EARLIER and not MASK.search(written):
                kept.append(written)
            if number > _VALUES:
                break
    return found


def _scalars(root: Value) -> Iterator[tuple[str, Value]]:
    stack: list[tuple[str, Value]] = [("", root)]
    while stack:
        pointer, value = stack.pop()
        if isinstance(value, Object):
            stack += [(pointer + jsontext.pointer([name]), one) for name, one in reversed(value.items())]
        elif isinstance(value, list):
            stack += [(pointer + "/*", one) for one in reversed(value)]
        elif value is not None and value != "" and pointer:
            yield pointer, value


# --------------------------------------------------------------------------- the fields there


def _fields(root: Field, stack: list[Open]) -> list[Field]:
    """The fields that the innermost open container can be, alternatives opened."""
    fields = _opened([root], stack[0])
    for above, below in pairwise(stack[:_STEPS]):
        fields = _opened(_below(fields, above), below)
    return fields if len(stack) <= _STEPS else []


def _below(fields: list[Field], holder: Open) -> list[Field]:
    if holder.is_object:
        return [one.entry(holder.key or "") for one in fields if one.kind is not Kind.ARRAY]
    return [one.item(holder.index) for one in fields if one.kind is Kind.ARRAY]


def _opened(fields: list[Field], holder: Open) -> list[Field]:
    """Without unions: of their branches those that what is written leaves open, as long as one does."""
    kinds = (Kind.OBJECT, Kind.MAP, Kind.JSON) if holder.is_object else (Kind.ARRAY,)
    found: list[Field] = []
    for one in fields:
        if one.kind is Kind.UNION:
            fitting = [branch for branch in one.branches if _agrees(branch, holder)] or list(one.branches)
            found += _opened([branch.field for branch in fitting], holder)
        elif one.kind in kinds:
            found.append(one)
    return found


def _agrees(branch: Branch, holder: Open) -> bool:
    for name, value in branch.marks:
        written = holder.members.get(name, "")
        if written and written != jsontext.dumps(value):
            return False
    return True


def _pattern(stack: list[Open]) -> str:
    return "".join(jsontext.pointer([one.key or ""]) if one.is_object else "/*" for one in stack)


# --------------------------------------------------------------------------- proposals


def _whole(root: Field) -> list[Proposal]:
    text = template(root)
    return [Proposal(text if "\n" not in text else "{ … }", text, (1, 1), "what the tool requires")]


def _keys(text: str, spot: Spot, fields: list[Field]) -> Iterator[Proposal]:
    """The names that are not there yet, the required ones first."""
    holder = spot.stack[-1]
    offered: dict[str, list[Field]] = {}
    for one in fields:
        for name in one.names if one.kind in CONTAINERS else ():
            if name not in holder.members and (member := one.entry(name)).kind is not Kind.NEVER:
                offered.setdefault(name, []).append(member)

    def is_required(members: list[Field]) -> bool:
        return len(members) == len(fields) and all(member.required for member in members)

    for name, members in sorted(offered.items(), key=lambda pair: not is_required(pair[1])):
        written, member = jsontext.dumps(name), members[0]
        choices = {jsontext.dumps(option) for one in members for option in one.options}
        kind = "one of" if len(choices) > 1 or member.kind is Kind.UNION else str(member.kind)
        about = " · ".join(filter(None, (f"{kind}, required" if is_required(members) else kind, _told(member))))
        if spot.has_colon:
            made = spot.before + written
            yield Proposal(name, made, (len(made), len(made)), about)
            continue
        value = _first(text, spot, member)
        made = f"{spot.before}{written}: {value}"
        yield Proposal(
            name,
            made + spot.after,
            _selected(made, value),
            about,
            again=len(choices) > 1 or member.kind is Kind.BOOLEAN,
        )


def _told(member: Field) -> str:
    label = member.label if member.label != member.name else ""
    return " ".join(filter(None, (label, member.description))).strip()[: 2 * _LONG]


def _first(text: str, spot: Spot, of: Field) -> str:
    """The value to begin with, laid out as the text around it is."""
    value = first_value(of)
    if value[:1] in "{[" and len(value) > 2:
        line = text[text.rfind("\n", 0, spot.start) + 1 : spot.start]
        if "\n" in text[spot.stack[-1].at : spot.end]:
            indent = line[: len(line) - len(line.lstrip(" \t"))]
            return jsontext.dumps(jsontext.loads(value), indent=2).replace("\n", "\n" + indent)
    return value


def _selected(made: str, value: str) -> tuple[int, int]:
    """What is selected: the content of a string, any other plain value, the place in an empty container."""
    start = len(made) - len(value)
    if value[:1] in '"{[' and (value[0] == '"' or len(value) == 2):
        return start + 1, len(made) - 1
    return (len(made), len(made)) if value[:1] in "{[" else (start, len(made))


def _values(text: str, spot: Spot, fields: list[Field], earlier: Sequence[str]) -> Iterator[Proposal]:
    """The values that the schema names, then those sent before, then one made up for a container."""
    seen: set[str] = set()
    for written, about in (*_named(fields), *((one, "sent before") for one in earlier), *_made_up(text, spot, fields)):
        if written in seen:
            continue
        seen.add(written)
        made = spot.before + written
        label = written if len(written) <= _LONG and "\n" not in written else f"{written[:1]} … {written[-1:]}"
        select = _selected(made, written) if written in ("{}", "[]") else (len(made), len(made))
        yield Proposal(label, made + spot.after, select, about)


def _named(fields: list[Field]) -> Iterator[tuple[str, str]]:
    for of in _leaves(fields):
        labels = of.option_labels if len(of.option_labels) == len(of.options) else ("",) * len(of.options)
        for option, label in zip(of.options, labels, strict=True):
            written = jsontext.dumps(option)
            yield written, label if label not in (written, option) else "one of its values"
        if of.kind is Kind.BOOLEAN:
            yield from (("true", "boolean"), ("false", "boolean"))
        if of.has_default:
            yield jsontext.dumps(of.default), "default"
        for example in of.examples:
            yield jsontext.dumps(example), "example"
        if of.nullable or of.kind is Kind.NULL:
            yield "null", "null"


def _made_up(text: str, spot: Spot, fields: list[Field]) -> Iterator[tuple[str, str]]:
    for of in fields:
        for branch in of.branches if of.kind is Kind.UNION else ():
            yield _first(text, spot, branch.field), branch.name
        if of.kind in CONTAINERS:
            yield _first(text, spot, of), _told(of) or str(of.kind)


def _leaves(fields: list[Field]) -> Iterator[Field]:
    for one in fields:
        yield one
        if one.kind is Kind.UNION:
            for branch in one.branches:
                yield branch.field


def _narrowed(made: list[Proposal], spot: Spot, *, is_key: bool) -> list[Proposal]:
    """Those that begin with what is typed, then those that hold it; in a string value only strings."""
    wanted = spot.prefix.casefold()
    first, later = [], []
    for one in made:
        label = one.label
        if not is_key:
            if spot.in_string and not label.startswith('"'):
                continue
            label = label.strip('"')
        place = label.casefold().find(wanted)
        if place == 0:
            first.append(one)
        elif place > 0:
            later.append(one)
    return first + later
