"""Real tools, a walk over a tree of fields, and random values made from it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from hypothesis import strategies as st

from olv_tui import jsontext
from olv_tui.model import Number, Object, Value
from olv_tui.schema import Field, Form, Kind, Problem, open_form, tree
from tests.caselib import shared_folder


def field_of(schema: object) -> Field:
    """The tree of a schema given as Python data or as JSON text."""
    return tree(jsontext.loads(schema if isinstance(schema, str) else json.dumps(schema)))


def at(schema: object, name: str = "a") -> Field:
    """The field of the property `a` that has this schema."""
    return field_of({"type": "object", "properties": {name: schema}}).entry(name)


def form_of(schema: object, text: str = "{}") -> Form:
    return opened(field_of(schema), text)


def opened(root: Field, text: str) -> Form:
    form = open_form(root, text)
    assert isinstance(form, Form), form
    return form


def done(result: Form | Problem) -> Form:
    """The form that an operation gave."""
    assert isinstance(result, Form), result
    return result


def problem(result: Form | Problem) -> Problem:
    assert isinstance(result, Problem), result
    return result


MIXED = {
    "type": "object",
    "properties": {
        "s": {"type": "string"},
        "n": {"type": "number"},
        "o": {
            "type": "object",
            "properties": {"x": {"type": "string"}, "y": {"type": "object", "properties": {"z": {}}}},
        },
        "list": {"type": "array", "items": {"type": "object", "properties": {"q": {"type": "integer"}}}},
        "map": {"type": "object", "additionalProperties": {"type": "string"}},
        "j": {},
    },
}
"""A schema with something of everything."""


@cache
def real_tools() -> list[tuple[str, Object]]:
    """Every real tool as (server/name, inputSchema), the schema exact."""
    folder = shared_folder()
    if folder is None or not (folder / "fixtures" / "schemas").is_dir():
        return []
    found = []
    for path in sorted((folder / "fixtures" / "schemas").glob("*.json")):
        tools = jsontext.loads(path.read_text("utf-8"))
        if isinstance(tools, Object):
            tools = tools.get("tools")
        for tool in tools if isinstance(tools, list) else ():
            assert isinstance(tool, Object)
            schema = tool["inputSchema"]
            assert isinstance(schema, Object)
            found.append((f"{path.stem}/{tool['name']}", schema))
    return found


def needs_real_tools() -> list[tuple[str, Object]]:
    tools = real_tools()
    if not tools:
        pytest.skip("the folder of real schemas is not here")
    return tools


def walk(of: Field, deep: int = 12) -> Iterator[Field]:
    """Every field, alternatives and one item of each array and map included."""
    yield of
    if not deep:
        return
    below = [*(branch.field for branch in of.branches), *of.children()]
    if of.kind is Kind.ARRAY:
        below.append(of.item(len(of.shape.prefix)))
    if of.kind is Kind.MAP:
        below.append(of.entry("some name"))
    for child in below:
        yield from walk(child, deep - 1)


# --------------------------------------------------------------------------- random values

NAMES = ["user.id", "a b", "[x]", "", "🙂", "n" * 300, "a/b~c", "[/red]", "é", "É", "0", "\u202e", "a\nb"]
TEXTS = st.text(max_size=12)
NUMBERS = st.sampled_from(["0", "-0", "1.0", "1e400", "-7205759403792793601", "9" * 50, "0.10", "1E+2"])
ANY: st.SearchStrategy[Value] = st.recursive(
    st.none() | st.booleans() | TEXTS | NUMBERS.map(Number),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(st.tuples(TEXTS, inner), max_size=3, unique_by=lambda pair: pair[0]).map(Object)
    ),
    max_leaves=6,
)
SPACE = st.text(" \n\t\r", max_size=3)


@st.composite
def values(draw: st.DrawFn, of: Field, deep: int = 6) -> Value:
    """A value of the shape of a field: right types, right names, right constants, optional members at will."""
    if of.nullable and draw(st.integers(0, 5)) == 0:
        return None
    if of.options:
        return draw(st.sampled_from(list(of.options)))
    match of.kind:
        case Kind.STRING:
            return draw(TEXTS)
        case Kind.INTEGER:
            return Number(draw(st.integers().map(str)))
        case Kind.NUMBER:
            return Number(draw(NUMBERS))
        case Kind.BOOLEAN:
            return draw(st.booleans())
        case Kind.NULL:
            return None
        case Kind.UNION:
            return draw(values(draw(st.sampled_from(list(of.branches))).field, deep - 1))
        case Kind.ARRAY:
            many = draw(st.integers(0, 3)) if deep > 0 else 0
            return [draw(values(of.item(index), deep - 1)) for index in range(many)]
        case Kind.OBJECT | Kind.MAP:
            return draw(members(of, deep))
    return draw(ANY)


@st.composite
def members(draw: st.DrawFn, of: Field, deep: int) -> Object:
    """Members of an object in any order: all that are required, others at will, names of the user's in a map."""
    chosen = [
        child
        for child in of.children()
        if child.kind is not Kind.NEVER and (child.required or (deep > 0 and draw(st.booleans())))
    ]
    names = [child.name for child in chosen]
    if of.is_open and deep > 0:
        more = draw(st.lists(st.sampled_from(NAMES) | TEXTS, max_size=2, unique=True))
        chosen += [of.entry(name) for name in more if name not in names]
    pairs = [(child.name, draw(values(child, deep - 1))) for child in draw(st.permutations(chosen))]
    return Object(pairs)


@st.composite
def written(draw: st.DrawFn, value: Value) -> str:
    """A JSON text of a value with white space of any kind."""
    if isinstance(value, Object):
        inner = [
            f"{draw(SPACE)}{jsontext.dumps(name)}{draw(SPACE)}:{draw(SPACE)}{draw(written(item))}{draw(SPACE)}"
            for name, item in value.members()
        ]
        return "{" + (",".join(inner) or draw(SPACE)) + "}"
    if isinstance(value, list):
        inner = [f"{draw(SPACE)}{draw(written(item))}{draw(SPACE)}" for item in value]
        return "[" + (",".join(inner) or draw(SPACE)) + "]"
    return jsontext.dumps(value)


def plain(text: str) -> Any:
    """A text decoded by the standard library: for comparing with a reader that is not ours."""
    return json.loads(text)


def exact(text: str) -> Any:
    """The same with number texts, order and duplicates kept."""
    return json.loads(text, object_pairs_hook=list, parse_int=str, parse_float=str)


def shown_options(of: Field) -> dict[str, str]:
    """What a case calls an option, in words, to the label that the form has for it."""
    called = {}
    for option, label in zip(of.options, of.option_labels, strict=True):
        called[label] = label
        if isinstance(option, Number):
            called[f"{option.text} (the number)"] = label
        if option == "":
            called["the empty one"] = label
    return called
