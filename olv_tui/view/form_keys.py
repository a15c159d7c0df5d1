"""What can be done with a field, in words: the line of keys below a form, and the menu of f7.

Rules of this file: pure, safe text only; a command that makes no sense at a place is not offered there.
"""

from __future__ import annotations

from dataclasses import dataclass

from olv_tui import jsontext
from olv_tui.schema import Field, Form, Kind, State
from olv_tui.schema.fields import CONTAINERS
from olv_tui.schema.text import parent
from olv_tui.view.form_rows import Look, Row, What, is_empty
from olv_tui.view.safe import one_line

_EXAMPLES = 5
_TOGGLED = (Kind.BOOLEAN, Kind.CONST, Kind.NULL)


@dataclass(frozen=True, slots=True)
class Command:
    """A line of the menu: the letter that takes it, its key, what it does. A key with `=` sets the JSON text behind."""

    letter: str
    key: str
    words: str


def is_item(form: Form, row: Row) -> bool:
    """Whether a place is an item of an array."""
    return row.what is What.PLACE and bool(row.pointer) and form.field(parent(row.pointer)[0]).kind is Kind.ARRAY


def is_free_name(form: Form, row: Row) -> bool:
    """Whether a place has a name that the schema does not list, so that it can have another."""
    if row.what is not What.PLACE or not row.pointer or is_item(form, row):
        return False
    return row.field.name not in form.field(parent(row.pointer)[0]).names


def key_words(form: Form, row: Row, mode: str, *, waits: bool = False) -> list[tuple[str, str]]:
    """Keys and what they do now. `mode`: rows, line, text (several lines) or name; `waits`: a text stands at the place
    that is no value yet.
    """
    if mode == "name":
        return [("Enter", "takes the name"), ("Esc", "leaves it")]
    if mode == "line":
        return [("Enter", "next field"), ("Esc", "back, text kept"), ("f7", "more"), ("ctrl+j", "sends")]
    if mode == "text":
        return [
            ("Tab", "next field"),
            ("Enter", "new line"),
            ("Esc", "back, text kept"),
            ("ctrl+a", "selects all"),
            ("f4", "$EDITOR"),
        ]
    if waits:
        return [("Enter", "puts it right"), ("del", "takes it away"), ("f7", "more")]
    keys = [(key, words) for key, words in _keys(form, row) if words]
    return [*keys, ("f7", "more"), ("ctrl+j", "sends")]


def _keys(form: Form, row: Row) -> list[tuple[str, str]]:
    here, kind = row.field, row.field.kind
    if row.what is What.MORE:
        return [("Enter", "shows more")]
    if row.what is What.NAME:
        return [("Enter", "types a name")]
    chain = form.chain(row.pointer)
    state = form.state(row.pointer)
    is_union = len(chain) > 1 or kind is Kind.UNION
    if row.what is What.ITEM:
        return [("Enter", "lists what it can be" if is_union or kind is Kind.ENUM else "adds an item")]
    gone = "" if state is State.ABSENT else "takes the item away" if is_item(form, row) else "not sent"
    if not row.pointer:
        gone = "takes all away" if form.text.strip() != "{}" else ""
    more = [("del", gone)]
    if is_item(form, row):
        more.append(("ctrl+↑↓", "moves it"))
    if is_union and (kind is Kind.UNION or kind in CONTAINERS):
        opens = [("→", "opens" if not row.opened else "")] if row.opened is not None else []
        return [("Enter", "lists what it can be"), *opens, *more]
    if kind is Kind.ENUM:
        return [("Enter", "or a letter lists the choices"), *more]
    if kind is Kind.BOOLEAN:
        return [("t", "true"), ("f", "false"), ("Enter", "the other way round"), *more]
    if kind in _TOGGLED:
        return [("Enter", f"sets {one_line(_constant(here), 30)}" if state is State.ABSENT else ""), *more]
    if kind is Kind.ARRAY and row.opened is not None and is_empty(form, row.pointer):
        return [("Enter", "adds an item"), *more]
    if row.opened is not None:
        return [("Enter", "closes" if row.opened else "opens"), *more]
    if state is State.ABSENT:
        return [("type", "a value"), ("f7 n", "null" if here.nullable else ""), *_default(here)]
    return [("Enter", "edits"), ("type", "a new one") if not is_union else ("f7 b", "another kind"), *more]


def _default(here: Field) -> list[tuple[str, str]]:
    return [("f7 d", "takes the default")] if here.has_default else []


def _constant(here: Field) -> str:
    return "null" if here.kind is Kind.NULL else here.option_labels[0]


def commands(form: Form, row: Row, look: Look, *, waits: bool = False) -> list[Command]:
    """The menu of a row; `waits` as for `key_words`."""
    if row.what is not What.PLACE and row.what is not What.ITEM:
        return [Command("m", "name", "add a name of your own"), Command("s", "schema", "show the schema")]
    here = row.field
    chain, state = form.chain(row.pointer), form.state(row.pointer)
    found: list[Command] = []
    if (waits or state is not State.ABSENT) and row.pointer:
        found.append(Command("a", "absent", "take the item away" if is_item(form, row) else "absent: not sent"))
    if row.pointer and state is not State.NULL:
        told = "" if here.nullable or here.kind is Kind.NULL else " (the schema does not allow it)"
        found.append(Command("n", "null", f"null{told}"))
    if here.kind in (Kind.STRING, Kind.ENUM, Kind.JSON, Kind.UNION) and form.get(row.pointer) != '""':
        found.append(Command("e", "empty", 'the empty text ""'))
    if here.kind in CONTAINERS and row.pointer:
        found.append(Command("e", "empty", "an empty list []" if here.kind is Kind.ARRAY else "an empty object {}"))
    if here.has_default:
        text = jsontext.dumps(here.default)
        told = "" if here.default_fits else " (its own schema refuses it)"
        found.append(Command("d", f"={text}", f"the default: {one_line(text, 60)}{told}"))
    for number, example in enumerate(here.examples[:_EXAMPLES], 1):
        text = jsontext.dumps(example)
        found.append(Command(str(number), f"={text}", f"the example {one_line(text, 60)}"))
    if here.kind is Kind.ENUM:
        found.append(Command("o", "options", "list the choices"))
    if len(chain) > 1 or chain[-1].kind is Kind.UNION:
        found.append(Command("b", "branches", "list what it can be"))
    found.append(Command("j", "json", "edit as JSON: any value can be sent"))
    if here.kind in (Kind.STRING, Kind.JSON):
        found.append(Command("l", "lines", "edit on several lines"))
    if is_free_name(form, row):
        found.append(Command("r", "rename", "another name"))
    if here.kind in (Kind.OBJECT, Kind.MAP):
        found.append(Command("m", "name", "add a name of your own in it"))
    if is_item(form, row):
        found.append(Command("i", "insert", "insert an item before it (key: insert)"))
    if here.secret:
        found.append(Command("v", "secrets", "hide secrets" if look.secrets else "show secrets"))
    found.append(Command("s", "schema", "show the schema (key: ctrl+s)"))
    found.append(Command("w", "findings", "list what is wrong (key: ctrl+f goes through it)"))
    return found
