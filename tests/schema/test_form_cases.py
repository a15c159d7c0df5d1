"""Failure cases of arguments and schemas, carried out on the form alone: exactly the arguments that they name."""

from __future__ import annotations

import json
from typing import Any

import pytest

from olv_tui import jsontext
from olv_tui.model import Object
from olv_tui.schema import Field, Form, Problem, open_form, tree, typed
from olv_tui.schema.findings import check
from tests.caselib import Case, cases
from tests.schema.material import done, exact, opened, shown_options

ARGS = cases("args")
SCHEMAS = [
    pytest.param(definition.get("inputSchema"), wanted, id=case["id"])
    for case in cases("schema")
    for definition in [
        (
            json.loads(case["on"]["tools/list"]["body"])
            if "body" in case["on"]["tools/list"]
            else case["on"]["tools/list"]
        )["result"]["tools"][0]
    ]
    for wanted in case["expect"].get("sendable", [])
]


def schema_of(case: Case) -> Any:
    return jsontext.loads(json.dumps(case["on"]["tools/list"]["result"]["tools"][0]["inputSchema"]))


def carried_out(form: Form, step: dict[str, Any]) -> Form | Problem:
    """One step of a case, as a person at the form does it."""
    name = step["field"]
    pointer = jsontext.pointer([name])
    field = form.field(pointer)
    match step["do"]:
        case "leave":
            return form
        case "type":
            return enter(form, field, step["text"])
        case "clear":
            entered = enter(form, field, step.get("text", "x"))
            return entered.remove(pointer) if isinstance(entered, Form) else entered
        case "empty":
            return form.set(pointer, '""')
        case "null":
            return form.set_null(pointer)
        case "set":
            return form.set(pointer, json.dumps(step["value"]))
        case "choose":
            return enter(form, field, shown_options(field)[step["text"]])
        case "json":
            return form.set(pointer if name else "", step["text"])
    raise AssertionError(step)


def enter(form: Form, field: Field, text: str) -> Form | Problem:
    made = typed(field, text)
    return made if isinstance(made, Problem) else form.set(field.pointer, made)


@pytest.mark.parametrize("case", ARGS, ids=lambda case: case["id"])
def test_the_steps_of_a_case_come_to_exactly_its_arguments(case: Case) -> None:
    form = opened(tree(schema_of(case)), "{}")
    problem: Problem | None = None
    for step in case["input"]["steps"]:
        result = carried_out(form, step)
        if isinstance(result, Problem):
            problem = result
        else:
            form = result
    wanted = case["expect"]["arguments"]
    if wanted is None:
        assert problem is not None
        assert problem.line == 1
        assert "the text ends" in problem.sentence
        assert form.text == "{}"
        return
    assert problem is None
    assert exact(form.text) == exact(json.dumps(wanted, ensure_ascii=False))
    assert all(token in form.text for token in case["expect"].get("exact_tokens", []))


def test_a_draft_that_is_put_right_is_what_is_set() -> None:
    case = next(case for case in ARGS if case["id"].startswith("251"))
    form = opened(tree(schema_of(case)), "{}")
    assert isinstance(form.set("/o", '{"a": 1,'), Problem)
    assert json.loads(done(form.set("/o", '{"a": 1}')).text) == {"o": {"a": 1}}


@pytest.mark.parametrize(("schema", "wanted"), SCHEMAS)
def test_arguments_that_a_case_sends_can_be_opened_and_built_and_stay_as_they_are(schema: Any, wanted: Any) -> None:
    root = tree(jsontext.loads(json.dumps(schema)), given=schema is not None)
    text = json.dumps(wanted, ensure_ascii=False)
    assert opened(root, text).text == text
    form = opened(root, "{}")
    for name, value in wanted.items():
        form = done(form.add("", name, json.dumps(value)))
    assert json.loads(form.text) == wanted


def test_a_schema_that_is_none_is_named_and_any_arguments_can_be_given() -> None:
    missing = tree(None, given=False)
    assert "missing" in missing.reason
    text = tree(jsontext.loads('{"type":"string","description":"the title"}'))
    assert "string" in text.reason
    assert "object" in text.reason
    assert text.description == "the title"
    assert isinstance(open_form(text, '"bare"'), Problem)


@pytest.mark.parametrize("case", ARGS, ids=lambda case: case["id"])
def test_what_a_case_sends_has_findings_only_where_its_schema_refuses_it(case: Case) -> None:
    wanted = case["expect"]["arguments"]
    schema = schema_of(case)
    assert isinstance(schema, Object)
    found = {finding.pointer for finding in check(jsontext.loads(json.dumps(wanted or {})), schema)}
    assert found == ({"/zz", "/A"} if case["id"].startswith("257") else set())
