"""What the arguments of a tool can be filled with: templates, its own examples, what was sent before, what was saved.

Rules of this file:

* Offered, never put in unasked. Texts of earlier calls and of saved sets stand as they were sent, to the character.
* One text is offered once, under the first name it has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from olv_tui import jsontext
from olv_tui.model import Object, Value
from olv_tui.schema.checked import checked
from olv_tui.schema.drafts import Draft
from olv_tui.schema.fields import Field

_EXAMPLES = 20
_GAPS = 3


@dataclass(frozen=True, slots=True)
class Filling:
    """Arguments to begin with. `text` is a JSON text, `origin` says in words where it comes from; `name` is unique."""

    name: str
    text: str
    origin: str


@dataclass(frozen=True, slots=True)
class Known:
    """Arguments that are known besides the schema, as (name, text): saved sets; and texts sent before, newest first.

    `worked` is the newest text that gave a result.
    """

    saved: tuple[tuple[str, str], ...] = ()
    sent: tuple[str, ...] = ()
    worked: str | None = None


def fillings(root: Field, known: Known = Known()) -> tuple[Filling, ...]:
    """Everything that is offered for a tool, the likeliest first."""
    seen: set[str] = set()
    names: set[str] = set()
    made = []
    for filling in (*_known(known), *_from_schema(root)):
        if filling.text in seen or filling.name in names:
            continue
        seen.add(filling.text)
        names.add(filling.name)
        made.append(filling)
    return tuple(made)


def _known(known: Known) -> Iterator[Filling]:
    for name, text in known.saved:
        yield Filling(name, text, "saved")
    if known.worked is not None:
        same = " and last used" if known.sent[:1] == (known.worked,) else ""
        yield Filling("Last that worked", known.worked, f"the newest call that gave a result{same}")
    for number, text in enumerate(known.sent):
        yield Filling("Last used" if number == 0 else f"Used before, {number + 1}", text, "from the history")


def _from_schema(root: Field) -> Iterator[Filling]:
    yield _made("Required only", checked(root), "what the schema requires")
    yield _made("With defaults", checked(root, defaults=True), "what is required, and the defaults of the schema")
    for number, value in enumerate(_objects(root.examples), 1):
        yield Filling(f"Example {number}", _written(value), "an example in the schema")
    yield _made("Everything", checked(root, full=True), "every property of the schema")
    yield Filling("Nothing", "{}", "an empty object")


def _objects(values: Iterable[Value]) -> list[Object]:
    return [value for value in values if isinstance(value, Object)][:_EXAMPLES]


def _written(value: Object) -> str:
    return jsontext.dumps(value, indent=2) if value else "{}"


def _made(name: str, made: Draft, origin: str) -> Filling:
    if not made.gaps:
        return Filling(name, made.text, origin)
    places = ", ".join(gap.pointer or "the arguments" for gap in made.gaps[:_GAPS])
    more = f" and {len(made.gaps) - _GAPS} more" if len(made.gaps) > _GAPS else ""
    return Filling(name, made.text, f"{origin}; still to be filled in: {places}{more}")
