"""When two answers are the same failure."""

from __future__ import annotations

import json
from typing import Any

import pytest

from olv_tui import jsontext
from olv_tui.jsonrpc import read_request
from olv_tui.judge.likeness import is_failure, likeness
from olv_tui.model import Exchange, WireRequest
from tests.judging import CALL, judged


def came(body: Any, arguments: Any = None) -> tuple[str, ...]:
    return likeness(exchange(body), jsontext.loads(json.dumps(arguments)))


def exchange(body: Any) -> Exchange:
    text = json.dumps({**body, "id": 7})
    request = WireRequest("http://x/", (), CALL)
    return Exchange(1, "t", read_request(CALL), request, "", judgement=judged(text))


def rpc(code: int, message: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "error": {"code": code, "message": message}}


def tool(structured: Any = None, text: str = "") -> dict[str, Any]:
    result: dict[str, Any] = {"content": [{"type": "text", "text": text}], "isError": True}
    if structured is not None:
        result["structuredContent"] = structured
    return {"jsonrpc": "2.0", "id": 1, "result": result}


LINKED = {"error": "not_linked", "site": "helpbless.com"}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (rpc(-32602, "limit must be at most 2000, got 9999"), rpc(-32602, "limit must be at most 2000, got 5000")),
        (rpc(-32602, "no world 'abc'"), rpc(-32602, "no world 'a'")),
        (tool(LINKED, "one text"), tool(LINKED, "another text")),
        (tool(text="2 problems: /a 17"), tool(text="3 problems: /a 4")),
    ],
)
def test_what_an_error_repeats_of_numbers_and_quotes_does_not_count(one: Any, other: Any) -> None:
    assert came(one) == came(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (rpc(-32602, "limit"), rpc(-32603, "limit")),
        (rpc(-32602, "limit is wrong"), rpc(-32602, "query is missing")),
        (tool(LINKED), tool({**LINKED, "site": "elsewhere.com"})),
        (tool(LINKED), tool({**LINKED, "error": "expired"})),
        (tool(text="/limit: too large"), tool(text="/query: missing")),
        (tool(LINKED), rpc(-32602, "not_linked")),
    ],
)
def test_another_code_word_site_or_sentence_is_another_failure(one: Any, other: Any) -> None:
    assert came(one) != came(other)


def test_texts_of_the_arguments_in_an_error_do_not_count() -> None:
    long = came(rpc(-32602, "No world lantern in here"), {"world": "lantern"})
    assert long == came(rpc(-32602, "No world la in here"), {"world": "la"})
    assert long != came(rpc(-32602, "No world la in here"), {"world": "other"})


def test_a_sound_result_is_no_failure_and_one_that_breaks_a_rule_is() -> None:
    assert not is_failure(exchange({"jsonrpc": "2.0", "id": 1, "result": {"content": []}}))
    assert is_failure(exchange({"jsonrpc": "2.0", "id": 1, "result": {"content": 5}}))
    assert is_failure(exchange(tool(LINKED)))
