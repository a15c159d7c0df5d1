"""Of every kind of schema a thousand right texts through the form; templates; and every keyword that real tools use."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from jsonschema.validators import validator_for

from olv_tui import jsontext
from olv_tui.model import Object
from olv_tui.schema import Field, Form, open_form, tree
from olv_tui.schema.checked import checked
from olv_tui.schema.fields import CONTAINERS
from tests.schema.kinds import CONDITIONS, KINDS, Writer
from tests.schema.material import done, exact, field_of, opened

_TEXTS = 1_000
_BUILT = 60
"""So many of the texts are built anew as well, place by place in any order."""


def validator(schema: dict[str, Any]) -> Any:
    return validator_for(schema, default=validator_for({"$schema": "https://json-schema.org/draft/2020-12/schema"}))(
        schema
    )


def texts(kind: str) -> list[str]:
    """Right texts, the same in each run."""
    random = Random(kind)
    writer, judge = Writer(KINDS[kind], random), validator(KINDS[kind])
    found: list[str] = []
    tries = 0
    while len(found) < _TEXTS:
        text = writer.text()
        tries += 1
        if (kind in CONDITIONS or tries <= _BUILT) and not judge.is_valid(json.loads(text)):
            assert kind in CONDITIONS, f"no right text: {text}"
            assert tries < 20 * _TEXTS
            continue
        found.append(text)
    return found


def leaves(form: Form, pointer: str = "") -> list[tuple[str, str]]:
    """Every place that holds no fields, as the form has it, with its text."""
    found: list[tuple[str, str]] = []
    for child in form.children(pointer):
        text = form.get(child.pointer)
        if text is None:
            continue
        # Of an alternative the whole: before it is chosen there are no fields in it.
        has_fields = form.field(child.pointer).kind in CONTAINERS and len(form.chain(child.pointer)) == 1
        inside = leaves(form, child.pointer) if has_fields else []
        found += inside or [(child.pointer, text)]
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_a_thousand_right_texts_of_a_kind_stay_as_they_are_and_can_be_built_by_the_form(kind: str) -> None:
    root = field_of(KINDS[kind])
    for number, text in enumerate(texts(kind)):
        form = opened(root, text)
        assert form.text == text
        places = leaves(form)
        for pointer, own in places[:6]:
            assert done(form.set(pointer, own)).text == text, f"{pointer} was set to what it was"
        if number < _BUILT:
            assert sorted_value(build(root, places).text) == sorted_value(text)


def build(root: Field, places: list[tuple[str, str]]) -> Form:
    """The same arguments made from nothing: what is in one argument in its order, the arguments in any."""
    form = opened(root, "{}")
    names = sorted({pointer.split("/")[1] for pointer, _ in places}, key=len)
    order = [place for name in names for place in places if place[0].split("/")[1] == name]
    for pointer, text in order:
        form = done(form.set(pointer, text))
    return form


def sorted_value(text: str) -> str:
    """A text with its members in alphabetical order, the first of two of one name before the second."""
    return json.dumps(ordered(exact(text)))


def ordered(value: Any) -> Any:
    if isinstance(value, list) and value and all(isinstance(one, tuple) for one in value):
        return sorted(((name, ordered(inner)) for name, inner in value), key=lambda pair: pair[0])
    return [ordered(one) for one in value] if isinstance(value, list) else value


@pytest.mark.parametrize("full", [False, True], ids=["required", "full"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_template_of_a_kind_is_right_or_says_where_it_is_not(kind: str, full: bool) -> None:
    made = checked(field_of(KINDS[kind]), full=full)
    faults = {
        jsontext.pointer(error.absolute_path) for error in validator(KINDS[kind]).iter_errors(json.loads(made.text))
    }
    gaps = {gap.pointer for gap in made.gaps}
    assert all(any(gap == fault or gap.startswith(f"{fault}/") for gap in gaps) for fault in faults)
    assert not full or bool(faults) == bool(made.gaps), "a reason is told where there is one, and nowhere else"


def test_what_only_a_condition_asks_for_is_in_the_template() -> None:
    schema = {"type": "object", "properties": {"c": {"const": "us"}}, "required": ["c"],
              "if": {"properties": {"c": {"const": "us"}}},
              "then": {"properties": {"zip": {"type": "integer"}}, "required": ["zip"]},
              "dependentRequired": {"zip": ["street"]}}  # fmt: skip
    made = checked(field_of(schema))
    assert json.loads(made.text) == {"c": "us", "zip": 0, "street": ""}
    assert not made.gaps
    loop = {"$ref": "#/$defs/n", "$defs": {"n": {"type": "object", "properties": {"n": {"$ref": "#/$defs/n"}},
                                              "required": ["n"]}}}  # fmt: skip
    endless = checked(field_of(loop))
    assert "without end" in endless.gaps[0].reason
    assert isinstance(open_form(tree(Object()), endless.text), Form)
