"""A comparison as rows, and the tally of several sendings."""

from __future__ import annotations

import json
from collections import Counter

from olv_tui.model import Exchange, Judgement, Outgoing, Reply, Timing, Verdict, WireRequest, WireResponse
from olv_tui.reports.compare import compare, with_status
from olv_tui.reports.runs import Runs
from olv_tui.view import compare_lines
from olv_tui.view.runs_lines import tally_lines


def answer(**members: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": 1, "result": members}).encode()


def test_differences_stand_before_what_only_is_written_differently() -> None:
    found = compare(b'{"a":1,"b":2,"c":{"x":1,"y":1.0}}', b'{"a":3,"c":{"y":1,"x":1},"d":4}')
    told = [(one.symbol, one.place, one.before, one.after) for one in compare_lines.rows(found)]
    assert told == [
        ("-", "/b", "2", ""),
        ("+", "/d", "", "4"),
        ("!", "/a", "1", "3"),
        ("~", "/c", "[2 items]", "[2 items]"),
        ("~", "/c/y", "1.0", "1"),
    ]


def test_what_is_ignored_in_every_item_does_not_count() -> None:
    first, second = (
        answer(items=[{"t": 1, "n": 1}, {"t": 2, "n": 2}]),
        answer(items=[{"t": 8, "n": 1}, {"t": 9, "n": 2}]),
    )
    pointer = compare_lines.any_index("/result/items/0/t")
    assert pointer == "/result/items/*/t"
    assert compare(first, second, [pointer]).outcome == "same"


def test_another_status_is_a_difference_of_its_own() -> None:
    found = with_status(compare(answer(a=1), answer(a=1)), 200, 503)
    assert (found.outcome, found.total, found.differences[0].at) == ("different", 1, "HTTP status")


def test_hostile_values_are_safe_and_huge_ones_short() -> None:
    found = compare(answer(a="\x1b[2J" + "x" * 1_000_000), answer(a="ok"))
    row = compare_lines.rows(found)[0]
    assert "\x1b" not in row.before
    assert len(row.before) < 300


def ended(number: int, n: int, ms: float) -> Exchange:
    body = json.dumps({"jsonrpc": "2.0", "id": number, "result": {"n": n}}).encode()
    reply = Reply(WireResponse(200, "OK", (), body), timing=Timing(total_ms=ms))
    request = WireRequest("http://a.example/", (), b"")
    return Exchange(number, "", Outgoing("request"), request, "", reply=reply, judgement=Judgement(Verdict.RESULT, ""))


def test_a_tally_counts_answers_by_their_content_and_not_by_their_ids() -> None:
    runs = Runs()
    for number, n in enumerate([1, 1, 2, 1], 1):
        runs.add(ended(number, n, number * 10.0))
    assert sorted(runs.answers.values()) == [1, 3]
    assert sorted(runs.examples.values()) == [1, 3]
    assert runs.ms() == (10.0, 25.0, 40.0, 40.0)
    told = "\n".join(text for text, _ in tally_lines(runs, 5, Counter({"same": 3})))
    assert "4 of 5 sent" in told
    assert "2 different answers, the most frequent 3 times" in told
    assert "3 same" in told


def test_members_in_another_order_are_the_same_answer_and_ignored_places_do_not_count() -> None:
    runs = Runs(("/result/n",))
    assert runs.add(ended(1, 1, 1.0)) == runs.add(ended(2, 2, 1.0))
