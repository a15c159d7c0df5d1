"""Every real tool: a tree with nothing lost, a form that gives back what it got, a template or the reason why not."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from jsonschema.validators import validator_for

from olv_tui import jsontext
from olv_tui.model import Object, Value
from olv_tui.schema import Field, Form, Kind, open_form, template, tree
from olv_tui.schema.checked import checked
from tests.schema.material import done, needs_real_tools, opened, plain, real_tools, values, walk, written
from tests.search import examples

TOOLS = [pytest.param(schema, id=name) for name, schema in real_tools()] or [
    pytest.param(None, marks=pytest.mark.skip("the folder of real schemas is not here"))
]


# A reader of schemas of its own, so that the tree can be held against it.


def resolved(schema: Any, root: Any) -> Any:
    while isinstance(schema, dict) and "$ref" in schema:
        reference = schema["$ref"]
        found = root
        if reference.startswith("#/"):
            for step in reference[2:].split("/"):
                found = found[step.replace("~1", "/").replace("~0", "~")]
        elif reference != "#":
            found = next(one for one in root.get("$defs", {}).values() if one.get("$anchor") == reference[1:])
        schema = found
    return schema


def places(schema: Any, root: Any, path: str = "", deep: int = 9) -> Iterator[tuple[str, str]]:
    """(place, description) of every property and item in a schema."""
    schema = resolved(schema, root)
    if not isinstance(schema, dict) or not deep:
        return
    yield path, schema.get("description", "")
    for word in ("anyOf", "oneOf", "allOf"):
        for branch in schema.get(word, ()):
            yield from places(branch, root, path, deep - 1)
    for word in ("then", "else"):
        for name in schema.get(word, {}).get("properties", ()):
            yield f"{path}/{name}", ""
    for name, inner in schema.get("properties", {}).items():
        yield from places(inner, root, f"{path}/{name}", deep - 1)
    if isinstance(schema.get("items"), dict):
        yield from places(schema["items"], root, f"{path}/*", deep - 1)
    if isinstance(schema.get("additionalProperties"), dict):
        yield from places(schema["additionalProperties"], root, f"{path}/*", deep - 1)


def fields(of: Field, path: str = "", deep: int = 9) -> Iterator[tuple[str, Field]]:
    yield path, of
    if not deep:
        return
    for branch in of.branches:
        yield from fields(branch.field, path, deep - 1)
    for child in of.children():
        yield from fields(child, f"{path}/{child.name}", deep - 1)
    if of.kind is Kind.ARRAY:
        yield from fields(of.item(len(of.shape.prefix)), f"{path}/*", deep - 1)
    if of.kind in (Kind.MAP, Kind.OBJECT) and of.shape.additional:
        yield from fields(of.entry("some name"), f"{path}/*", deep - 1)


@pytest.mark.parametrize("schema", TOOLS)
def test_every_property_and_item_of_the_schema_is_a_field(schema: Object) -> None:
    root = plain(jsontext.dumps(schema))
    found = list(fields(tree(schema)))
    reached = {path for path, _ in found}
    assert {path for path, _ in places(root, root)} <= reached
    told: dict[str, str] = {}
    for path, field in found:
        told[path] = told.get(path, "") + field.description + "\n"
    assert all(text in told[path] for path, text in places(root, root))


@pytest.mark.parametrize("schema", TOOLS)
def test_no_field_of_a_real_schema_is_given_up(schema: Object) -> None:
    for field in walk(tree(schema)):
        assert not field.reason, f"{field.pointer}: {field.reason}"
        assert field.kind is not Kind.NEVER


@pytest.mark.parametrize("schema", TOOLS)
@pytest.mark.parametrize("full", [False, True], ids=["required", "full"])
def test_a_template_is_right_by_the_schema_or_says_where_it_is_not(schema: Object, full: bool) -> None:
    made = checked(tree(schema), full=full)
    root = plain(jsontext.dumps(schema))
    validator = validator_for(root, default=Draft202012Validator)(root)
    faults = {jsontext.pointer(error.absolute_path) for error in validator.iter_errors(plain(made.text))}
    gaps = {gap.pointer for gap in made.gaps}
    assert all(gap.reason for gap in made.gaps)
    # An alternative's fault is told at the place of the union around it.
    assert all(any(gap == fault or gap.startswith(f"{fault}/") for gap in gaps) for fault in faults)


@pytest.mark.parametrize("schema", TOOLS)
def test_a_template_holds_what_is_required_and_nothing_else(schema: Object) -> None:
    made = jsontext.loads(template(tree(schema)))
    assert isinstance(made, Object)
    required = schema.get("required", [])
    assert isinstance(required, list)
    assert list(made) == required


@pytest.mark.parametrize("schema", TOOLS)
def test_a_template_set_field_by_field_comes_to_the_same_arguments(schema: Object) -> None:
    root = tree(schema)
    text = template(root, full=True)
    assert opened(root, text).text == text
    form = opened(root, "{}")
    for pointer, value in leaves(jsontext.loads(text)):
        form = done(form.set(pointer, value))
    assert jsontext.loads(form.text) == jsontext.loads(text)


def leaves(value: Value, pointer: str = "") -> Iterator[tuple[str, str]]:
    """Every leaf (and empty container) as (pointer, JSON text), shuffled."""
    found: list[tuple[str, str]] = []
    stack = [(pointer, value)]
    while stack:
        here, item = stack.pop()
        if isinstance(item, Object) and item:
            stack += [(here + jsontext.pointer([name]), inner) for name, inner in item.items()]
        elif isinstance(item, list) and item:
            found += [(here, jsontext.dumps(item))]
        elif here:
            found.append((here, jsontext.dumps(item)))
    random.Random(7).shuffle(found)
    yield from found


@settings(max_examples=examples(600), deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_instances_of_real_schemas_pass_through_the_form_unchanged(data: st.DataObject) -> None:
    _, schema = data.draw(st.sampled_from(needs_real_tools()))
    root = tree(schema)
    text = data.draw(written(data.draw(values(root))))
    form = open_form(root, text)
    assert isinstance(form, Form)
    assert form.text == text
    for field in shown(form):
        there = form.get(field.pointer)
        if there is not None:
            assert done(form.set(field.pointer, there)).text == text


def shown(form: Form) -> list[Field]:
    """Every field that the form shows for its text."""
    found: list[Field] = []
    stack = [""]
    while stack:
        pointer = stack.pop()
        found.append(form.field(pointer))
        stack += [child.pointer for child in form.children(pointer) if form.get(child.pointer) is not None]
    return found
