"""The filter of the history is read as its users write it, and a fault is a sentence."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from olv_tui.history.query import Term, completion, parse_query, text_query

NOW = datetime(2026, 12, 2, 14, 30, tzinfo=timezone(timedelta(hours=1)))
FAILED = ("tool_error", "rpc_error", "http_error", "invalid_response", "transport_error", "input_required", "cancelled",
          "lost")  # fmt: skip

READ = {
    "": [],
    "  ": [],
    "-": [],
    "lantern bay": [Term("text", ("lantern",)), Term("text", ("bay",))],
    '"lantern bay"': [Term("text", ("lantern bay",))],
    '"it is \\"so\\""': [Term("text", ('it is "so"',))],
    '"unfinished here': [Term("text", ("unfinished here",))],
    "-quiet": [Term("text", ("quiet",), True)],
    "#42": [Term("id", ("42",))],
    '#"abc"': [Term("id", ('"abc"',))],
    "id:42": [Term("id", ("42",))],
    "42": [Term("text", ("42",))],
    "#": [Term("text", ("#",))],
    "tool:add": [Term("tool", ("add",))],
    'tool:"add it",sub': [Term("tool", ("add it", "sub"))],
    "TOOL:add": [Term("tool", ("add",))],
    "-method:ping": [Term("method", ("ping",), True)],
    "verdict:tool_error": [Term("verdict", ("tool_error",))],
    'verdict:"tool error",rpc': [Term("verdict", ("tool_error", "rpc_error"))],
    'verdict:"JSON-RPC error"': [Term("verdict", ("rpc_error",))],
    "tool error": [Term("verdict", ("tool_error",))],
    "a JSON-RPC error b": [Term("text", ("a",)), Term("verdict", ("rpc_error",)), Term("text", ("b",))],
    "-http_error": [Term("verdict", ("http_error",), True)],
    '"a tool error"': [Term("text", ("a tool error",))],
    "error tool": [Term("text", ("error",)), Term("text", ("tool",))],
    "status:404,5xx": [Term("status", ("404", "5xx"))],
    "5XX": [Term("status", ("5xx",))],
    "target:helpbless": [Term("target", ("helpbless",))],
    "is:starred has:note": [Term("starred"), Term("note")],
    "is:failed": [Term("verdict", FAILED)],
    "is:pending": [Term("verdict", ("pending",))],
    "text:today": [Term("text", ("today",))],
    "http://h/x": [Term("text", ("http://h/x",))],
    "X-Name:v": [Term("text", ("X-Name:v",))],
    "tool: x": [Term("text", ("x",))],
}


@pytest.mark.parametrize(("text", "terms"), READ.items(), ids=[repr(text) for text in READ])
def test_a_filter_is_read_into_terms(text: str, terms: list[Term]) -> None:
    query = parse_query(text, NOW)
    assert list(query.terms) == terms
    assert query.faults == ()


TIMES = {
    "today": ("2026-12-01T23:00:00.000Z", "2026-12-02T23:00:00.000Z"),
    "yesterday": ("2026-11-30T23:00:00.000Z", "2026-12-01T23:00:00.000Z"),
    "on:2026-12-01": ("2026-11-30T23:00:00.000Z", "2026-12-01T23:00:00.000Z"),
    ">2026-12-01": ("2026-12-01T23:00:00.000Z", ""),
    ">=2026-12-01": ("2026-11-30T23:00:00.000Z", ""),
    "<2026-12-01": ("", "2026-11-30T23:00:00.000Z"),
    "<=2026-12-01": ("", "2026-12-01T23:00:00.000Z"),
    "since:2h": ("2026-12-02T11:30:00.000Z", ""),
    "before:2026-12-01T10:30": ("", "2026-12-01T09:30:00.000Z"),
    "on:2026-12-01T10:30:05Z": ("2026-12-01T10:30:05.000Z", "2026-12-01T10:30:06.000Z"),
}


@pytest.mark.parametrize(("text", "bounds"), TIMES.items())
def test_days_are_days_where_the_reader_is(text: str, bounds: tuple[str, str]) -> None:
    assert parse_query(text, NOW).terms == (Term("time", bounds),)


FAULTS = {
    "verdict:wrong": "verdict:wrong is not known; it may be result, tool_error",
    "status:abc": "status:abc is no HTTP status: write status:404 or status:5xx",
    "status:600": "status:600 is no HTTP status",
    "is:star wars is:new": "is:new is not known; it may be is:starred, is:failed, is:pending or is:automatic",
    "has:x": "has:x is not known; it may be has:note",
    "since:soon": "soon is no time: write today",
    ">2026-13-01": ">2026-13-01 is no time",
    "verdit:result": "verdit: is no key of the filter; did you mean verdict: ?",
}


@pytest.mark.parametrize(("text", "sentence"), FAULTS.items())
def test_a_fault_is_a_sentence_and_the_rest_still_counts(text: str, sentence: str) -> None:
    query = parse_query(f"{text} kept", NOW)
    assert query.faults[0].startswith(sentence)
    assert Term("text", ("kept",)) in query.terms


def test_a_text_is_taken_as_it_is() -> None:
    assert text_query('tool:x "y').terms == (Term("text", ('tool:x "y',)),)
    assert text_query("").is_empty


COMPLETIONS = {
    "ver": "verdict:",
    "x ver": "x verdict:",
    "verdict:tool": "verdict:tool_error",
    "verdict:result,rp": "verdict:result,rpc_error",
    "-is:st": "-is:starred",
    "has:": "has:note",
    "tool:olv_a": "tool:olv_add",
    "tod": "today",
    "": None,
    "x ": None,
    "is:starred": None,
    "nothing": None,
}


@pytest.mark.parametrize(("text", "completed"), COMPLETIONS.items())
def test_the_last_word_is_completed(text: str, completed: str | None) -> None:
    assert completion(text, ("olv_list", "olv_add")) == completed
