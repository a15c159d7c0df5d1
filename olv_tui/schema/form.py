"""The document behind a form: JSON text on one side, three-state places on the other.

Every place is absent, null or a value (the empty text is one), and stays so until somebody changes it.

Rules of this file:

* The text is the document. A change touches the characters of its own place and no others, so digits, order,
  white space and duplicates elsewhere survive.
* Nothing is put in that was not set. Containers that a set place needed go again with the last place in them.
* What a form cannot hold is answered with a `Problem`, and nothing is changed then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from olv_tui import jsontext
from olv_tui.model import Value
from olv_tui.schema import fit
from olv_tui.schema.drafts import first_value
from olv_tui.schema.fields import CONTAINERS, Field, Kind
from olv_tui.schema.problems import Problem, sound
from olv_tui.schema.text import JsonText, below, parent, steps

_UNIONS = 8  # alternatives within alternatives at one place


class State(StrEnum):
    """The three states of a place."""

    ABSENT = "absent"
    NULL = "null"
    VALUE = "value"


@dataclass(frozen=True)
class Form:
    """A form over a JSON text. Immutable: every operation gives a new one, or the problem why not.

    `chosen` holds, by pointer, the alternatives picked there (of a union, and of unions within it); places
    not in it follow the value. `implied` are containers that exist only because something in them was set.
    """

    root: Field
    document: JsonText
    chosen: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    implied: frozenset[str] = frozenset()

    # ----------------------------------------------------------------------- reading

    @property
    def text(self) -> str:
        """The JSON text of the whole arguments."""
        return self.document.text

    def get(self, pointer: str) -> str | None:
        """The text at a place exactly as it stands, None where it is absent."""
        return self.document.get(pointer)

    def value(self, pointer: str) -> Value:
        """The exact value at a place; null also where it is absent (see `state`)."""
        text = self.get(pointer)
        return None if text is None else jsontext.loads(text)

    def state(self, pointer: str) -> State:
        """Whether a place is absent, null or holds a value."""
        text = self.get(pointer)
        if text is None:
            return State.ABSENT
        return State.NULL if text == "null" else State.VALUE

    def span(self, pointer: str) -> tuple[int, int] | None:
        """Start and end of a value in `text`, None where it is absent."""
        return self.document.place(pointer)

    def chain(self, pointer: str) -> tuple[Field, ...]:
        """The fields at a place: one, or a union followed by its alternative, and that one's if it is a union."""
        fields = self._opened(self.root)
        for step in steps(pointer):
            here = fields[-1]
            is_item = here.kind is Kind.ARRAY and step.isascii() and step.isdecimal() and len(step) < 10
            fields = self._opened(here.item(int(step)) if is_item else here.entry(step))
        return fields

    def field(self, pointer: str) -> Field:
        """The field that a place is edited as: of a union the alternative, where one is picked or fits."""
        return self.chain(pointer)[-1]

    def children(self, pointer: str) -> tuple[Field, ...]:
        """The fields that stand below a place now.

        Of an object its properties, then the other members that are in the text; of a map its members; of an
        array its items. Nothing where the value is of another type than the form expects.
        """
        here = self.field(pointer)
        if here.kind not in CONTAINERS:
            return ()
        holder = self.document.container(pointer)
        if holder is None:
            return here.children() if self.state(pointer) is State.ABSENT and here.kind is Kind.OBJECT else ()
        if here.kind is Kind.ARRAY:
            return () if holder.is_object else tuple(here.item(index) for index in range(len(holder.members)))
        if not holder.is_object:
            return ()
        known = here.names
        seen = set(known)
        return (*here.children(), *(here.entry(one.name) for one in holder.members if one.name not in seen))

    def is_apart(self, pointer: str) -> bool:
        """Whether the value is of a type that the field does not edit: shown and edited as JSON then."""
        here = self.field(pointer)
        if self.state(pointer) is not State.VALUE or here.kind in (Kind.JSON, Kind.NEVER):
            return False
        if here.kind is Kind.UNION:
            return True
        return not fit.fits_type(self.document.glance(pointer), here.shape)

    def pick(self, pointer: str, level: int = 0) -> int | None:
        """Which alternative of the union at a place is open, None where neither a choice nor the value says."""
        chain = self.chain(pointer)
        if level + 1 >= len(chain):
            return None
        return next(number for number, one in enumerate(chain[level].branches) if one.field is chain[level + 1])

    def _opened(self, of: Field) -> tuple[Field, ...]:
        chain = [of]
        picks = self.chosen.get(of.pointer, ())
        while chain[-1].kind is Kind.UNION and len(chain) <= _UNIONS:
            level, branches = len(chain) - 1, chain[-1].branches
            if level < len(picks) and picks[level] < len(branches):
                number: int | None = picks[level]
            else:
                there = self.document.place(of.pointer) is not None
                number = fit.best(branches, self.document.glance(of.pointer)) if there else None
            if number is None:
                break
            chain.append(branches[number].field)
        return tuple(chain)

    # ----------------------------------------------------------------------- one place

    def set(self, pointer: str, text: str) -> Form | Problem:
        """Set a place to a JSON text, which is kept as it is; containers around it are made where there are none."""
        text = text.strip(" \t\n\r")
        problem = sound(text, pointer, self._is_opaque)
        if problem:
            return problem
        if not pointer:
            return open_form(self.root, text)
        picks = {place: kept for place, kept in self.chosen.items() if not _is_in(place, pointer)}
        kept = self.chosen.get(pointer)
        if kept and self._suits(pointer, text):
            picks[pointer] = kept
        implied = frozenset(place for place in self.implied if not _is_in(place, pointer))
        form = replace(self, chosen=picks, implied=implied)
        if self.document.place(pointer) is not None:
            return replace(form, document=self.document.replaced(pointer, text))
        return form._added(pointer, text)

    def set_null(self, pointer: str) -> Form | Problem:
        """Set a place to null."""
        return self.set(pointer, "null")

    def remove(self, pointer: str) -> Form | Problem:
        """Make a place absent; an item of an array goes, and those behind it move up.

        Choices that were made at the place stay, so that it can be filled again as it was.
        """
        if not pointer:
            return Problem("the arguments as a whole cannot be absent", pointer)
        above, name = parent(pointer)
        holder = self.document.container(above)
        index = holder.index(name) if holder else None
        if holder is None or index is None:
            return self
        form = replace(self, document=self.document.removed(above, index))
        if not holder.is_object:
            form = form._renumbered(above, lambda old: None if old == index else old - (old > index))
        else:
            form = replace(form, implied=frozenset(one for one in form.implied if not _is_in(one, pointer)))
        if above in form.implied and len(holder.members) == 1:
            return form.remove(above)
        return form

    def choose(self, pointer: str, number: int, level: int = 0) -> Form | Problem:
        """Open another alternative of the union at a place.

        What the alternative is told apart by is set (a constant, null, the constant members of an object), and
        members that only the old alternative knows go. A value of another type goes; else it stays.
        """
        chain = self.chain(pointer)
        if level >= len(chain) or not 0 <= number < len(chain[level].branches):
            return Problem("there is no such alternative here", pointer)
        branch = chain[level].branches[number]
        old = chain[level + 1] if level + 1 < len(chain) else None
        picks = (*self.chosen.get(pointer, ())[:level], number)
        while len(picks) <= level:
            picks = (*picks[:-1], 0, number)
        form: Form | Problem = self._cleared(pointer, branch.field)
        if isinstance(form, Form) and branch.field.kind is Kind.CONST:
            form = form.set(pointer, jsontext.dumps(branch.field.options[0]))
        elif isinstance(form, Form) and branch.field.kind is Kind.NULL:
            form = form.set_null(pointer)
        if isinstance(form, Form) and old is not None and form.document.container(pointer) is not None:
            for name in set(old.names) - set(branch.field.names):
                form = form.remove(below(pointer, name)) if isinstance(form, Form) else form
        for name, value in branch.marks:
            form = form.set(below(pointer, name), jsontext.dumps(value)) if isinstance(form, Form) else form
        return replace(form, chosen={**form.chosen, pointer: picks}) if isinstance(form, Form) else form

    def _cleared(self, pointer: str, wanted: Field) -> Form | Problem:
        """Without the value at a place where it is not of the type that is wanted; an item gets a new one."""
        if self.state(pointer) is State.ABSENT or fit.fits_type(self.value(pointer), wanted.shape):
            return self
        above, _ = parent(pointer)
        holder = self.document.container(above) if pointer else None
        if holder is not None and holder.is_object:
            return self.remove(pointer)
        return self.set(pointer, first_value(wanted))

    # ----------------------------------------------------------------------- arrays

    def insert(self, pointer: str, index: int, text: str) -> Form | Problem:
        """A new item of an array before the one that is `index` now; the array is made where there is none."""
        text = text.strip(" \t\n\r")
        problem = sound(text, below(pointer, index), self._is_opaque)
        if problem:
            return problem
        if self.document.place(pointer) is None:
            made = self.set(pointer, "[]")
            if isinstance(made, Problem):
                return made
            return replace(made, implied=made.implied | {pointer}).insert(pointer, index, text)
        holder = self.document.container(pointer)
        if holder is None or holder.is_object:
            return Problem("what stands here is no array", pointer)
        if not 0 <= index <= len(holder.members):
            return Problem(f"the array has {len(holder.members)} items", pointer)
        form = self._renumbered(pointer, lambda old: old + (old >= index))
        return replace(form, document=self.document.inserted(pointer, index, None, text))

    def move(self, pointer: str, index: int, to: int) -> Form | Problem:
        """An item of an array to another index."""
        holder = self.document.container(pointer)
        if holder is None or holder.is_object:
            return Problem("what stands here is no array", pointer)
        many = len(holder.members)
        if not (0 <= index < many and 0 <= to < many):
            return Problem(f"the array has {many} items", pointer)
        order = list(range(many))
        order.insert(to, order.pop(index))
        form = self._renumbered(pointer, lambda old: order.index(old) if old < many else old)
        return replace(form, document=self.document.moved(pointer, index, to))

    # ----------------------------------------------------------------------- maps

    def add(self, pointer: str, name: str, text: str) -> Form | Problem:
        """A new member of an object or map, at its end or where the schema has it."""
        place = below(pointer, name)
        if self.document.place(place) is not None:
            return Problem(f'the name "{name}" is there already', place)
        return self.set(place, text)

    def rename(self, pointer: str, name: str) -> Form | Problem:
        """Another name for a member; its value and its place stay."""
        above, old = parent(pointer)
        holder = self.document.container(above) if pointer else None
        index = holder.index(old) if holder else None
        if holder is None or index is None or not holder.is_object:
            return Problem("there is no member to rename here", pointer)
        if name == old:
            return self
        if holder.index(name) is not None:
            return Problem(f'the name "{name}" is there already', below(above, name))
        new = below(above, name)

        def renamed(place: str) -> str | None:
            return new + place[len(pointer) :] if _is_in(place, pointer) else place

        return replace(self._at(renamed), document=self.document.renamed(above, index, name))

    # ----------------------------------------------------------------------- parts

    def _is_opaque(self, pointer: str) -> bool:
        """Whether a place is edited as one piece of JSON, so that its inside may hold anything."""
        return self.field(pointer).kind not in (*CONTAINERS, Kind.UNION)

    def _suits(self, pointer: str, text: str) -> bool:
        """Whether a value still belongs to the alternative that was picked."""
        chain = self.chain(pointer)
        value = jsontext.loads(text)
        for number, union in enumerate(chain[:-1]):
            branch = next(one for one in union.branches if one.field is chain[number + 1])
            if fit.best((branch,), value) is None:
                return False
        return True

    def _added(self, pointer: str, text: str) -> Form | Problem:
        """With a member that was absent, its containers with it."""
        above, name = parent(pointer)
        form = self
        if self.document.place(above) is None:
            made = self._added(above, "[]" if self.field(above).kind is Kind.ARRAY else "{}")
            if isinstance(made, Problem):
                return made
            form = replace(made, implied=made.implied | {above})
        holder = form.document.container(above)
        if holder is None:
            return Problem("what stands around it is neither an object nor an array", above)
        if not holder.is_object:
            if name != str(len(holder.members)):
                return Problem(f"the array has {len(holder.members)} items", above)
            return replace(form, document=form.document.inserted(above, len(holder.members), None, text))
        index = _slot([one.name for one in holder.members], form.field(above).names, name)
        return replace(form, document=form.document.inserted(above, index, name, text))

    def _renumbered(self, pointer: str, new: Callable[[int], int | None]) -> Form:
        """With what is remembered of the items of an array moved to their new indexes."""

        def moved(place: str) -> str | None:
            if place == pointer or not _is_in(place, pointer):
                return place
            step, slash, rest = place[len(pointer) + 1 :].partition("/")
            index = new(int(step)) if step.isdecimal() else None
            return None if index is None else f"{pointer}/{index}{slash}{rest}"

        return self._at(moved)

    def _at(self, moved: Callable[[str], str | None]) -> Form:
        chosen = {place: picks for old, picks in self.chosen.items() if (place := moved(old)) is not None}
        implied = frozenset(place for old in self.implied if (place := moved(old)) is not None)
        return replace(self, chosen=chosen, implied=implied)


def open_form(root: Field, text: str = "{}") -> Form | Problem:
    """The form of a JSON text, or why a form cannot hold it: no JSON, no object, a name twice where fields are."""
    if not text.lstrip(" \t\n\r").startswith("{"):
        broken = sound(text, "", lambda _: True)
        return broken or Problem("arguments are an object: the text must begin with {", "", *_start(text))
    form = Form(root, JsonText(text))
    return sound(text, "", form._is_opaque) or form


def _start(text: str) -> tuple[int, int, int]:
    offset = len(text) - len(text.lstrip(" \t\n\r"))
    return offset, text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def _is_in(place: str, pointer: str) -> bool:
    """Whether a place is another one or below it."""
    return place == pointer or place.startswith(pointer + "/")


def _slot(present: list[str], names: tuple[str, ...], name: str) -> int:
    """Where among the members a new one goes: behind the last that the schema has before it."""
    order = {one: number for number, one in enumerate(names)}
    if name not in order:
        return len(present)
    ranks = list(_ranks(present, order))
    before = [at for at, rank in ranks if rank < order[name]]
    if before:
        return before[-1] + 1
    return next((at for at, rank in ranks if rank > order[name]), len(present))


def _ranks(present: list[str], order: dict[str, int]) -> Iterator[tuple[int, int]]:
    return ((at, order[one]) for at, one in enumerate(present) if one in order)
