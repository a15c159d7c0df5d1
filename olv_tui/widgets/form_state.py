"""A form while it is edited: the values, what could not be taken yet, what was opened, and the way back.

Rules of this file:

* Pure, no Textual. Every change is one step to undo; all letters typed into one field are one step.
* What was typed and is no value yet is kept beside the values as a draft and never lost: the place holds what it
  held before, and nothing is sent while there is one.
* Values change where the reader changes them and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from olv_tui import jsontext
from olv_tui.schema import Field, Form, Kind, Problem, State, as_typed, first_value, open_form, typed
from olv_tui.schema.fields import CONTAINERS
from olv_tui.schema.problems import sound
from olv_tui.schema.text import below, parent
from olv_tui.schema.words import shown
from olv_tui.view.form_rows import ITEMS, Look, is_standing, needs_json, path_words
from olv_tui.view.template import editable

_STEPS = 300
_PLAIN = (Kind.STRING, Kind.INTEGER, Kind.NUMBER, Kind.BOOLEAN)  # typed as they are, and not as JSON
_EDITED_HERE = 200_000
"""Characters from which a value is not edited in its row."""

_V = TypeVar("_V")


@dataclass(frozen=True, slots=True)
class Draft:
    """A text that is no value yet: as typed, why not, and whether it was typed as JSON."""

    text: str
    why: str
    as_json: bool


@dataclass(frozen=True, slots=True)
class Step:
    """What an undo goes back to, and where the cursor was."""

    form: Form
    drafts: Mapping[str, Draft]
    pointer: str


@dataclass(slots=True)
class Entry:
    """One place being typed into: as it was before, the text its editor began with, whether emptied means absent."""

    pointer: str
    as_json: bool
    before: Form
    first: str
    standing: bool
    had_draft: bool
    was: Draft | None
    text: str = ""
    is_step: bool = False
    drafts: Mapping[str, Draft] = field(default_factory=dict)


class FormState:
    """The values of one form and what belongs to them. Every change gives "" or a sentence why it was not made."""

    def __init__(self, form: Form) -> None:
        self.form = form
        self.drafts: dict[str, Draft] = {}
        self.look = Look()
        self.cursor: tuple[str, str] = ("", "")
        self._steps: list[Step] = []
        self._undone: list[Step] = []

    @property
    def text(self) -> str:
        """The arguments."""
        return self.form.text

    @property
    def waits(self) -> str:
        """Why nothing can be sent: the first text that is no value yet; "" where there is none."""
        for pointer, draft in self.drafts.items():
            return f"{path_words(pointer)}: {draft.why}"
        return ""

    # ----------------------------------------------------------------------- typing

    def begin(self, pointer: str, *, as_json: bool = False) -> Entry | str:
        """Begin to type into a place; a sentence where its value is too large for that."""
        form, draft = self.form, self.drafts.get(pointer)
        place = form.span(pointer)
        if place is not None and place[1] - place[0] > _EDITED_HERE:
            return f"{place[1] - place[0]:,} characters are too much to edit here: f4 opens them in your editor."
        here = form.field(pointer)
        as_json = as_json or (draft is not None and draft.as_json) or self.takes_json(pointer)
        value = form.get(pointer)
        if draft is not None:
            first = draft.text
        elif value is None:
            first = ""
        else:
            first = editable(value) if as_json else as_typed(here, value)
        drafts = dict(self.drafts)
        return Entry(pointer, as_json, form, first, is_standing(form, pointer), draft is not None, draft, first,
                     drafts=drafts)  # fmt: skip

    def takes_json(self, pointer: str) -> bool:
        """Whether a place is typed as JSON."""
        here = self.form.field(pointer)
        return needs_json(self.form, pointer) or here.kind not in _PLAIN

    def type(self, entry: Entry, text: str) -> str:
        """What stands in the editor of a place now; the arguments follow. The sentence says why it is no value yet."""
        if text == entry.text:
            return self._why(entry.pointer)
        entry.text = text
        if not entry.is_step:
            self._push(entry.before, entry.drafts, entry.pointer)
            entry.is_step = True
        pointer, before = entry.pointer, entry.before
        self.drafts.pop(pointer, None)
        if text == entry.first and not entry.had_draft:
            self.form = before
            return ""
        made = self._made(entry, text)
        if isinstance(made, Problem):
            self.form = before
            self.drafts[pointer] = Draft(text, made.sentence, entry.as_json)
            return made.sentence
        self.form = made
        return ""

    def _made(self, entry: Entry, text: str) -> Form | Problem:
        pointer, before = entry.pointer, entry.before
        here = before.field(pointer)
        if not text:
            if not entry.standing:
                return before.remove(pointer)
            if here.kind is not Kind.STRING or entry.as_json:
                return Problem("a value is due here; delete takes the place away", pointer)
        value = self._json(here, text) if entry.as_json else typed(here, text)
        return value if isinstance(value, Problem) else before.set(pointer, value)

    def _json(self, here: Field, text: str) -> str | Problem:
        problem = sound(text.strip(" \t\n\r"), here.pointer, lambda _: True)
        if problem is None:
            return text
        if here.kind is Kind.BOOLEAN:
            return Problem(
                f"{shown(text, quoted=True)} is neither true nor false (a text stands in quotes)", here.pointer
            )
        quote = ' (a text stands in quotes: "...")' if text[:1].isalpha() else ""
        return replace(problem, reason=problem.reason + quote)

    def _why(self, pointer: str) -> str:
        draft = self.drafts.get(pointer)
        return draft.why if draft is not None else ""

    # ----------------------------------------------------------------------- one place

    def remove(self, pointer: str) -> str:
        """Make a place absent; take an item away; forget a name that was added and a text that is no value."""
        above, name = parent(pointer)
        names = self.look.names.get(above, ())
        if name in names and pointer:
            self.look.names[above] = tuple(one for one in names if one != name)
        holder = self.form.document.container(above)
        is_item = holder is not None and not holder.is_object
        index = holder.index(name) if holder is not None and is_item else None
        done = self._do(pointer, self.form.remove(pointer), drop=True)
        if index is not None and not done:
            self._renumber(above, lambda old: None if old == index else old - (old > index))
        return done

    def set(self, pointer: str, text: str) -> str:
        """Set a place to a JSON text."""
        return self._do(pointer, self.form.set(pointer, text), drop=True)

    def empty(self, pointer: str) -> str:
        """The empty text, list or object."""
        here = self.form.field(pointer)
        return self.set(pointer, {Kind.ARRAY: "[]", Kind.OBJECT: "{}", Kind.MAP: "{}"}.get(here.kind, '""'))

    def toggle(self, pointer: str) -> str:
        """A boolean the other way round; true where it is absent. A constant or null is set, or made absent."""
        here, now = self.form.field(pointer), self.form.get(pointer)
        if here.kind is Kind.BOOLEAN:
            return self.set(pointer, "false" if now == "true" else "true")
        value = "null" if here.kind is Kind.NULL else jsontext.dumps(here.options[0])
        return self.set(pointer, value) if now is None or is_standing(self.form, pointer) else self.remove(pointer)

    def choose(self, pointer: str, number: int, level: int = 0) -> str:
        """Open an alternative of a union; what it is made of is set where it is an item or a place of its own."""
        form = self.form
        above, _ = parent(pointer)
        is_new = pointer and form.state(pointer) is State.ABSENT and form.field(above).kind is Kind.ARRAY
        branch = form.chain(pointer)[level].branches[number].field
        if is_new and branch.kind in CONTAINERS:
            made = form.set(pointer, "[]" if branch.kind is Kind.ARRAY else "{}")
            if isinstance(made, Problem):
                return made.sentence
            form = made
        done = self._do(pointer, form.choose(pointer, number, level), drop=True)
        if not done:
            self.look.folds[pointer] = True
        return done

    # ----------------------------------------------------------------------- items and names

    def add_item(self, pointer: str) -> str:
        """Put an item at a place of an array: an empty object or list, else the simplest value of its kind."""
        above, name = parent(pointer)
        here = self.form.field(pointer)
        empty = {Kind.ARRAY: "[]", Kind.OBJECT: "{}", Kind.MAP: "{}", Kind.STRING: '""', Kind.NULL: "null"}
        text = empty.get(here.kind) or first_value(here)
        index = int(name)
        done = self._do(pointer, self.form.insert(above, index, text))
        if not done:
            self._renumber(above, lambda old: old + (old >= index))
            self.look.folds[above] = True
            self.look.folds[pointer] = True
            self.look.shown[above] = max(self.look.shown.get(above, ITEMS), index + 1)
        return done

    def move(self, pointer: str, step: int) -> str:
        """An item up or down; the cursor goes along."""
        above, name = parent(pointer)
        if not name.isdecimal():
            return "Only items of a list can be moved."
        index, to = int(name), int(name) + step
        done = self._do(pointer, self.form.move(above, index, to))
        if not done:
            swap = {index: to, to: index}
            self._renumber(above, lambda old: swap.get(old, old))
            self.cursor = ("place", below(above, to))
        return done

    def add_name(self, pointer: str, name: str) -> str:
        """A name in a container, with no value yet."""
        place = below(pointer, name)
        names = self.look.names.get(pointer, ())
        if self.form.state(place) is not State.ABSENT or name in names or name in self.form.field(pointer).names:
            self.cursor = ("place", place)
            return f"The name {path_words(place)} is there already."
        self.look.names[pointer] = (*names, name)
        self.look.folds[pointer] = True
        self.cursor = ("place", place)
        return ""

    def rename(self, pointer: str, name: str) -> str:
        """Another name for a member, or for one that was added and has no value yet."""
        above, old = parent(pointer)
        place = below(above, name)
        if name == old:
            return ""
        names = self.look.names.get(above, ())
        if self.form.state(pointer) is State.ABSENT:
            if self.form.state(place) is not State.ABSENT or name in names:
                return f"The name {path_words(place)} is there already."
            done = ""
        else:
            done = self._do(pointer, self.form.rename(pointer, name))
        if not done:
            self.look.names[above] = tuple(name if one == old else one for one in names)
            self._move_all(
                lambda at: place + at[len(pointer) :] if at == pointer or at.startswith(pointer + "/") else at
            )
            self.cursor = ("place", place)
        return done

    # ----------------------------------------------------------------------- the whole

    def take(self, text: str) -> str:
        """Other arguments in place of these, as one step. Texts that are no value yet go; undo brings them back."""
        if text == self.form.text:
            return ""
        return self._do("", open_form(self.form.root, text), drop=True, all_drafts=True)

    def undo(self) -> bool:
        """One step back. False: there is none."""
        if not self._steps:
            return False
        self._back(self._steps, self._undone)
        return True

    def redo(self) -> bool:
        """What the last undo took back, done again. False: nothing was undone since the last change."""
        if not self._undone:
            return False
        self._back(self._undone, self._steps)
        return True

    def _back(self, steps: list[Step], others: list[Step]) -> None:
        step = steps.pop()
        others.append(Step(self.form, dict(self.drafts), step.pointer))
        self.form, self.drafts = step.form, dict(step.drafts)
        self.cursor = ("place", step.pointer)

    @property
    def is_untouched(self) -> bool:
        """Whether nothing was done here yet."""
        return not self._steps

    def _do(self, pointer: str, made: Form | Problem, *, drop: bool = False, all_drafts: bool = False) -> str:
        if isinstance(made, Problem):
            return made.sentence
        gone = [at for at in self.drafts if all_drafts or at == pointer or at.startswith(pointer + "/")] if drop else []
        if made is self.form and not gone:
            return ""
        self._push(self.form, self.drafts, pointer)
        self.form = made
        for at in gone:
            del self.drafts[at]
        return ""

    def _push(self, form: Form, drafts: Mapping[str, Draft], pointer: str) -> None:
        self._undone.clear()
        self._steps.append(Step(form, dict(drafts), pointer))
        del self._steps[:-_STEPS]

    def _renumber(self, above: str, new: Callable[[int], int | None]) -> None:
        """What is remembered of the items of an array goes to their new places."""

        def moved(place: str) -> str | None:
            if not place.startswith(above + "/"):
                return place
            step, slash, rest = place[len(above) + 1 :].partition("/")
            index = new(int(step)) if step.isdecimal() else None
            return None if index is None else f"{above}/{index}{slash}{rest}"

        self._move_all(moved)

    def _move_all(self, moved: Callable[[str], str | None]) -> None:
        look = self.look
        self.drafts = _moved(self.drafts, moved)
        look.folds, look.shown, look.names = (
            _moved(look.folds, moved),
            _moved(look.shown, moved),
            _moved(look.names, moved),
        )


def _moved(of: Mapping[str, _V], moved: Callable[[str], str | None]) -> dict[str, _V]:
    return {place: value for old, value in of.items() if (place := moved(old)) is not None}
