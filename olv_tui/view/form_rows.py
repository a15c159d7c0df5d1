"""A form as rows: what stands on each, in words and marks, and what is said of the one under the cursor.

Rules of this file:

* Pure. A form and what the reader opened in it go in, rows come out; a row is dressed only when it is painted.
* Names, titles, descriptions and values are server text or typed text: all of it passes view/safe.py here.
* The three states look different: `-` for absent, `null`, and a value, texts in quotes so that the empty one is seen.
* Nothing here grows with a long value: containers over `LARGE` characters begin folded, and of an opened one
  `ITEMS` members are laid out until more are asked for.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from olv_tui import jsontext
from olv_tui.model import Object
from olv_tui.schema.entry import as_typed
from olv_tui.schema.equal import same
from olv_tui.schema.fields import CONTAINERS, Field, Kind
from olv_tui.schema.form import Form, State
from olv_tui.schema.text import below, parent, steps
from olv_tui.view.arguments import type_words
from olv_tui.view.safe import one_line, visible
from olv_tui.view.words import counted

LARGE = 20_000
"""Characters from which a value is neither opened nor counted by itself."""

ITEMS = 200
"""Items of one array that are laid out at first, and how many more each time; of members five times as many."""

_DEEP = 4
_SHOWN = 160
_NAME = 60

Part = tuple[str, str]
"""A piece of text and its kind: plain, strong, dim, success, warning, error, primary or accent."""


class What(StrEnum):
    """What a row is: a place, or a row that adds or shows something."""

    PLACE = "place"
    ITEM = "item"
    NAME = "name"
    MORE = "more"


@dataclass(frozen=True, slots=True)
class Row:
    """One row. `pointer` is its place; of a row that adds an item the place it will have, of one that adds a name
    or shows more the container. `opened` None: nothing can be opened there.
    """

    what: What
    pointer: str
    depth: int
    field: Field
    opened: bool | None = None

    @property
    def key(self) -> tuple[str, str]:
        """What stays the same while values change."""
        return (str(self.what), self.pointer)


@dataclass(slots=True)
class Look:
    """What the reader opened and added, by pointer.

    `folds` is what was opened (True) or closed by hand, `shown` how many members are laid out, `names` the names
    that were added to a container and have no value yet, `secrets` whether secrets are shown.
    """

    folds: dict[str, bool] = field(default_factory=dict)
    shown: dict[str, int] = field(default_factory=dict)
    names: dict[str, tuple[str, ...]] = field(default_factory=dict)
    secrets: bool = False


@dataclass(frozen=True, slots=True)
class Cells:
    """A row as it is painted: a mark, the name with what stands before it, the value, a remark on the right."""

    mark: Part
    name: tuple[Part, ...]
    value: tuple[Part, ...]
    remark: Part


@dataclass(frozen=True, slots=True)
class Found:
    """What is known of faults: sentences by pointer, of the schema and of texts that could not be taken."""

    findings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    drafts: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    def inside(self, pointer: str) -> int:
        """How many places below one have a fault."""
        start = pointer + "/"
        return sum(place.startswith(start) for place in (*self.findings, *self.drafts))


# --------------------------------------------------------------------------- layout


def lay(form: Form, look: Look) -> tuple[Row, ...]:
    """All rows of a form, from top to bottom."""
    root = form.chain("")
    if len(root) > 1 or root[-1].kind is Kind.UNION:
        return tuple(_place(form, look, root[-1], 0))
    return tuple(_below(form, look, "", root[-1], 0))


def _place(form: Form, look: Look, of: Field, depth: int) -> Iterator[Row]:
    here = form.field(of.pointer)
    can = is_container(form, of.pointer, here)
    opened = is_open(form, look, here, depth) if can else None
    yield Row(What.PLACE, of.pointer, depth, here, opened)
    if opened:
        yield from _below(form, look, of.pointer, here, depth + 1)


def _below(form: Form, look: Look, pointer: str, here: Field, depth: int) -> Iterator[Row]:
    limit = look.shown.get(pointer, ITEMS if here.kind is Kind.ARRAY else 5 * ITEMS)
    if here.kind is Kind.ARRAY:
        holder = form.document.container(pointer)
        many = len(holder.members) if holder is not None else 0
        for index in range(min(many, limit)):
            yield from _place(form, look, here.item(index), depth)
        if many > limit:
            yield Row(What.MORE, pointer, depth, here)
        yield Row(What.ITEM, f"{pointer}/{many}", depth, form.field(f"{pointer}/{many}"))
        return
    fields = list(form.children(pointer))
    there = {one.name for one in fields}
    fields += [here.entry(name) for name in look.names.get(pointer, ()) if name not in there]
    fields.sort(key=lambda one: not one.required)  # stable: else their order
    for one in fields[:limit]:
        yield from _place(form, look, one, depth)
    if len(fields) > limit:
        yield Row(What.MORE, pointer, depth, here)
    if _takes_names(here):
        yield Row(What.NAME, pointer, depth, here)


def _takes_names(here: Field) -> bool:
    """Whether a row offers names of the reader's own: where the schema speaks of such names, and in an open whole."""
    if here.kind is not Kind.OBJECT:
        return here.kind is Kind.MAP
    speaks = here.shape.patterns or any(isinstance(place.schema, Object) for place in here.shape.additional)
    return bool(speaks) or (not here.pointer and here.is_open)


def is_container(form: Form, pointer: str, here: Field) -> bool:
    """Whether rows can stand below a place now."""
    if here.kind not in CONTAINERS:
        return False
    place = form.span(pointer)
    if place is None:
        return True
    return form.text[place[0]] == ("[" if here.kind is Kind.ARRAY else "{")


def is_empty(form: Form, pointer: str) -> bool:
    """Whether a container has no members, or is absent."""
    holder = form.document.container(pointer)
    return holder is None or not holder.members


def is_open(form: Form, look: Look, here: Field, depth: int) -> bool:
    """Whether what is in a container is laid out: as the reader wished, else where it is there or required."""
    wished = look.folds.get(here.pointer)
    if wished is not None:
        return wished
    place = form.span(here.pointer)
    if place is None:
        return (here.required or not here.pointer) and depth < _DEEP
    return place[1] - place[0] < LARGE and depth < _DEEP


# --------------------------------------------------------------------------- a row in words


def name_of(row: Row) -> str:
    """The name of a place, safe; odd ones in quotes. An item is its index, counted from 0 as in a JSON pointer."""
    if row.what is What.ITEM:
        return "+ add an item"
    if row.what is What.NAME:
        return "+ add a name"
    if row.what is What.MORE:
        return "… show more"
    if not row.pointer:
        return "arguments"
    return plain_name(row.field.name)


def plain_name(name: str) -> str:
    """A name as it is shown: in quotes where it is empty or has blanks at its ends."""
    return one_line(name if name and name == name.strip() else json.dumps(name, ensure_ascii=False), _NAME)


def path_words(pointer: str) -> str:
    """A place in plain words: `filter › tags › 2`, the arguments as a whole where it is the root."""
    return " › ".join(plain_name(step) for step in steps(pointer)) or "the arguments"


def cells(form: Form, row: Row, look: Look, found: Found) -> Cells:
    """A row as it is painted."""
    indent = "  " * row.depth
    fold = {None: "  ", True: "▾ ", False: "▸ "}[row.opened]
    if row.what is not What.PLACE:
        return Cells(("  ", ""), ((indent + fold, "dim"), (name_of(row), "accent")), _adding(form, row), ("", ""))
    here, pointer = row.field, row.pointer
    told = found.findings.get(pointer, ())
    draft = found.drafts.get(pointer)
    state = form.state(pointer)
    mark: Part = ("  ", "")
    if told or draft:
        mark = ("✗ ", "error" if draft else "warning")
    elif here.required:
        mark = ("* ", "warning" if state is State.ABSENT else "dim")
    kind = "strong" if here.required else "plain"
    name = ((indent + fold, "dim"), (name_of(row), "dim" if here.deprecated and not here.required else kind))
    remark: Part = (one_line(_type(form, row), 40), "dim")
    if draft:
        remark = (one_line(draft[1], 60), "error")
    elif told:
        remark = (one_line(told[0], 60), "warning")
    elif row.opened is False and (many := found.inside(pointer)):
        mark, remark = ("✗ ", "warning"), (f"{counted(many, 'finding')} inside", "warning")
    if draft:
        shown: tuple[Part, ...] = ((_hidden(here, look) or one_line(draft[0], _SHOWN), "error"),)
    else:
        shown = value_parts(form, row, look, state)
    return Cells(mark, name, shown, remark)


def _adding(form: Form, row: Row) -> tuple[Part, ...]:
    if row.what is What.ITEM:
        return ((one_line(type_words(row.field), 60), "dim"),)
    if row.what is What.NAME:
        unlisted = " the schema does not list" if row.field.names else ""
        return ((f"a name{unlisted}: {one_line(type_words(row.field.entry('name')), 60)}", "dim"),)
    holder = form.document.container(row.pointer)
    return ((f"{len(holder.members):,} in all" if holder is not None else "", "dim"),)


def _type(form: Form, row: Row) -> str:
    """The kind of value, with the alternative that was picked where there are several."""
    chain = form.chain(row.pointer)
    number = form.pick(row.pointer)
    words = "secret" if row.field.secret else type_words(row.field)
    if number is None:
        return f"one of: {words}" if chain[-1].kind is Kind.UNION else words
    return chain[0].branches[number].name


def value_parts(form: Form, row: Row, look: Look, state: State) -> tuple[Part, ...]:
    """The value of a place, or what stands for its absence."""
    here, pointer = row.field, row.pointer
    if state is State.NULL:
        return (("null", "accent"),)
    if state is State.ABSENT:
        above, name = parent(pointer)
        own = pointer and name in look.names.get(above, ())
        return (("-", "dim"), ("  no value yet: not sent", "dim")) if own else _absent(here)
    if hidden := _hidden(here, look):
        return ((hidden, "primary"),)
    place = form.span(pointer)
    assert place is not None
    start, end = place
    first = form.text[start]
    if row.opened is True:
        return ((_count(form, row, end - start), "dim"),)
    if first in "{[" and row.opened is False:
        return ((_count(form, row, end - start) + "  ", "dim"), (_piece(form.text, start, end), "dim"))
    kind = {'"': "success", "t": "accent", "f": "accent"}.get(first, "plain" if first in "{[" else "primary")
    return ((_piece(form.text, start, end), kind),)


def _absent(here: Field) -> tuple[Part, ...]:
    parts: list[Part] = [("-", "warning" if here.required else "dim")]
    if here.required:
        parts.append(("  required", "warning"))
    if here.kind is Kind.CONST and here.option_labels:
        parts.append((f"  always {one_line(here.option_labels[0], 40)}", "dim"))
    elif here.has_default:
        parts.append((f"  default {_json(here.default)}", "dim"))
    elif here.examples:
        parts.append((f"  such as {_json(here.examples[0])}", "dim"))
    return tuple(parts)


def _json(value: object, limit: int = 60) -> str:
    return one_line(jsontext.opening(value, 2 * limit)[0], limit)  # type: ignore[arg-type]


def _hidden(here: Field, look: Look) -> str:
    return "••••••" if here.secret and not look.secrets else ""


def _piece(text: str, start: int, end: int) -> str:
    """The beginning of a value, on one line."""
    lines = text[start : min(end, start + 4 * _SHOWN)].split("\n")  # no text holds a line end as it is
    return one_line(" ".join(line.strip(" \t\r") for line in lines), _SHOWN)


def _count(form: Form, row: Row, size: int) -> str:
    if size > LARGE and row.opened is False:
        return f"{size:,} characters"
    holder = form.document.container(row.pointer)
    many = len(holder.members) if holder is not None else 0
    return counted(many, "item") if row.field.kind is Kind.ARRAY else f"{many:,} given"


# --------------------------------------------------------------------------- the place under the cursor


def about(form: Form, row: Row, found: Found) -> tuple[tuple[Part, ...], ...]:
    """Lines on the place under the cursor: faults, what it is and may be, what it is for."""
    lines: list[tuple[Part, ...]] = []
    here, pointer = row.field, row.pointer
    if row.what in (What.NAME, What.MORE):
        closed = (
            ""
            if here.is_open or here.shape.patterns
            else " The schema does not know other names; they are sent all the same."
        )
        return (((f"{path_words(pointer)}: {_free(here)}{closed}", "dim"),),)
    if (draft := found.drafts.get(pointer)) is not None:
        lines.append(((f"not taken: {one_line(draft[1], 300)}", "error"),))
    lines += [((f"✗ {one_line(told, 300)}", "warning"),) for told in found.findings.get(pointer, ())[:2]]
    head = [one_line(type_words(here), 80), *("required" for _ in "x" if here.required)]
    head += [one_line(one, 100) for one in here.constraints[:4]]
    head += ["secret"] if here.secret else []
    head += [word for word, on in (("deprecated", here.deprecated), ("read-only", here.read_only)) if on]
    if here.has_default:
        fits = "" if here.default_fits else " (its own schema refuses it)"
        head.append(f"default {_json(here.default)}{fits}")
    if here.examples:
        head.append("such as " + ", ".join(_json(one) for one in here.examples[:3]))
    where = path_words(pointer)
    title = one_line(here.label, 60) if here.label != here.name else ""
    lines.append(((where, "strong"), (f"  {title}" if title else "", ""), (f"  {' · '.join(head)}", "dim")))
    told = form.chain(pointer)[0].description or here.description
    if told:
        lines.append(((" ".join(visible(told[:600]).split()), ""),))
    lines += [((one_line(note, 200), "accent"),) for note in here.notes[:2]]
    if here.reason:
        lines.append(((f"Edited as JSON: {one_line(here.reason, 200)}.", "dim"),))
    return tuple(lines)


def _free(here: Field) -> str:
    return f"names of your own, each {one_line(type_words(here.entry('name')), 60)}"


# --------------------------------------------------------------------------- editing


def needs_json(form: Form, pointer: str) -> bool:
    """Whether the value at a place can only be edited as JSON: of another type, or a text with characters that a
    line of text would lose or hide.
    """
    here = form.field(pointer)
    if here.kind is not Kind.STRING:
        return False
    text = form.get(pointer)
    if text is None:
        return False
    return text[0] != '"' or is_unfit(as_typed(here, text))


def is_unfit(text: str) -> bool:
    """Whether an editor of plain text would lose or hide characters of it."""
    return visible(text) != text or any(mark in text for mark in "\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029")


def is_listed(here: Field, text: str) -> bool:
    """Whether a JSON text is one of the choices of a field."""
    value = jsontext.loads(text)
    return (value is None and here.nullable) or any(same(value, option) for option in here.options)


def is_standing(form: Form, pointer: str) -> bool:
    """Whether a place is there on the reader's own word: an item, or a name that the schema does not list. Emptied,
    it holds the empty text; any other place is absent then.
    """
    if not pointer or form.state(pointer) is State.ABSENT:
        return False
    above, name = parent(pointer)
    holder = form.field(above)
    return holder.kind is Kind.ARRAY or name not in holder.names


def new_place(pointer: str, name: str) -> str:
    """The place of a member."""
    return below(pointer, name)
