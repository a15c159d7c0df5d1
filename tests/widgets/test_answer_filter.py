"""The queries of before, in the line of the filter."""

from __future__ import annotations

from olv_tui.widgets.answer_filter import queries_for


def test_queries_of_the_same_tool_come_first_and_each_comes_once() -> None:
    kept = [("b", "$.new"), ("a", "$.mid"), ("b", "$.shared"), ("a", "$.shared"), ("a", "$.old")]
    assert queries_for("a", kept) == ["$.mid", "$.shared", "$.old", "$.new"]
    assert queries_for("b", kept) == ["$.new", "$.shared", "$.mid", "$.old"]
    assert queries_for("c", kept) == ["$.new", "$.mid", "$.shared", "$.old"]
    assert queries_for("a", []) == []
