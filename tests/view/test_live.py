"""Progress and log lines, read from the events of a running call."""

from __future__ import annotations

import json
from typing import Any

import pytest

from olv_tui.model import Frame, Verdict
from olv_tui.view.beside import Beside, add_beside
from olv_tui.view.live import LOG_LINES, Live, LogLine, Progress, message_of
from olv_tui.view.page import Page
from tests.view.exchanges import exchange


def event(method: str, params: Any = None, **members: Any) -> Frame:
    data = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **members})
    return Frame(b"data: " + data.encode() + b"\n\n", data=data)


def told(*params: Any) -> Progress | None:
    live = Live()
    for one in params:
        live.take(event("notifications/progress", one))
    return live.progress


@pytest.mark.parametrize(
    ("params", "progress"),
    [
        ({"progress": 3, "total": 4}, Progress("3 of 4", 0.75, "")),
        ({"progress": 3}, Progress("3", None, "")),
        ({"progress": 1.50, "total": 3.0, "message": "a\nb"}, Progress("1.5 of 3.0", 0.5, "a⏎b")),
        ({"progress": 9, "total": 4}, Progress("9 of 4", 1.0, "")),
        ({"progress": -1, "total": 4}, Progress("-1 of 4", 0.0, "")),
        ({"progress": 1, "total": 0}, Progress("1 of 0", None, "")),
        ({"progress": 1, "total": "4"}, Progress("1", None, "")),
        ({"progress": "1"}, None),
        ({}, None),
        ([], None),
        (None, None),
    ],
)
def test_progress_is_a_share_where_the_total_is_known(params: Any, progress: Progress | None) -> None:
    assert told(params) == progress


def test_the_newest_progress_counts_and_a_wrong_one_takes_nothing_away() -> None:
    assert told({"progress": 1}, {"progress": 2}, {"progress": None}) == Progress("2", None, "")


def test_a_number_of_any_length_is_cut_and_not_computed() -> None:
    number = "9" * 5000
    data = f'{{"method":"notifications/progress","params":{{"progress":{number},"total":{number}}}}}'
    live = Live()
    live.take(Frame(b"", data=data))
    found = live.progress
    assert found is not None
    assert found.share is None
    assert len(found.count) < 100


def test_log_lines_are_safe_short_and_few() -> None:
    live = Live()
    for number in range(50):
        params = {"level": "info", "logger": "a\x1b", "data": f"line {number}\n\u202e" + "x" * 1000}
        assert live.take(event("notifications/message", params))
    assert len(live.logs) == LOG_LINES
    line = live.logs[-1]
    assert line.text.startswith("a\\u001b: line 49⏎\\u202e")
    assert len(line.text) < 400


def test_log_data_of_any_kind_is_shown() -> None:
    live = Live()
    live.take(event("notifications/message", {"level": 7, "data": {"a": [1, None]}}))
    live.take(event("notifications/message", {}))
    assert list(live.logs) == [LogLine("log", '{"a":[1,null]}'), LogLine("log", "null")]


def test_what_is_no_notification_is_left_alone() -> None:
    live = Live()
    for frame in (
        Frame(b""), Frame(b"", data=""), Frame(b"", data='"method"'), Frame(b"", data='{"method": 7}'),
        Frame(b"", data='{"method": '), Frame(b"", data='{"method":"' + "x" * 70_000 + '"}'),
    ):  # fmt: skip
        assert not live.take(frame)
        assert message_of(frame) is None
    assert live.is_empty


# --------------------------------------------------------------------------- beside the answer


def section(*frames: Frame, beside: Beside = Beside()) -> str:  # noqa: B008
    last = Frame(b"data: {}\n\n", data='{"jsonrpc":"2.0","id":5,"result":{}}')
    page = Page()
    add_beside(page, exchange(Verdict.RESULT, b"", frames=(*frames, last)), beside)
    return page.lines().plain()


def test_questions_stand_with_what_became_of_them_where_that_is_known() -> None:
    asks = [event("elicitation/create", {}, id="q"), event("roots/list", id=1), event("ping", id="1")]
    text = section(*asks, beside=Beside((), {'"q"': "answered accept", "1": "refused (-32601)"}))
    assert "The server asked: elicitation/create, answered accept\n" in text
    assert "The server asked: roots/list, refused (-32601)\n" in text
    assert text.endswith("The server asked: ping"), '1 and "1" are two ids'


def test_changes_are_sentences_and_the_rest_is_counted() -> None:
    text = section(
        event("notifications/tools/list_changed"),
        event("notifications/progress", {}),
        event("notifications/message", {}),
        event("notifications/message", {}),
        event("notifications/odd\x1b[2J"),
    )
    assert "The server says that its list of tools changed." in text
    assert "1 progress message, 2 log messages, 1 x notifications/odd\\u001b[2J: see Frames." in text


def test_an_answer_alone_has_nothing_beside_it() -> None:
    assert section() == ""


def test_a_flood_of_questions_is_cut() -> None:
    text = section(*(event("ping", id=number) for number in range(500)))
    assert text.count("The server asked") == 50
