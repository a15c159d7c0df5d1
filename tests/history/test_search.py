"""Text in the history is found wherever it stands, newest first, and piece by piece."""

from __future__ import annotations

from pathlib import Path

import pytest

from olv_tui.history import History
from olv_tui.history.search import PIECE
from olv_tui.redact import Redactor
from tests.reports.made import BODY, exchange


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(tmp_path / "history.sqlite3", Redactor(b"k" * 32))


def put(history: History, body: bytes = BODY, answer: bytes | None = b"{}", *, automatic: bool = False) -> int:
    from dataclasses import replace

    one = replace(exchange(body, answer=answer), serial=0, automatic=automatic)
    serial = history.begin(replace(one, reply=None, judgement=None))
    history.finish(replace(one, serial=serial))
    return serial


def serials(history: History, text: str, limit: int = 0, **more: bool) -> list[int]:
    return [row.serial for row in history.search(text, limit, **more)]


WANTED = {
    "the tool": "probe",
    "the method": "tools/call",
    "the body of the request": "helpbless.com",
    "the body of the answer": "lantern",
    "the verdict": "invalid_response",
    "the summary": "NEITHER a result",
}


@pytest.mark.parametrize("text", WANTED.values(), ids=WANTED)
def test_a_text_is_found_in(text: str, history: History) -> None:
    serial = put(history, answer=b'{"jsonrpc":"2.0","id":7,"x":"Lantern Bay"}')
    put(history, b'{"jsonrpc":"2.0","id":1,"method":"ping"}', b'{"jsonrpc":"2.0","id":1,"result":{}}')
    assert serials(history, text) == [serial]


@pytest.mark.parametrize("text", ["LANTERN bay", "lantern BAY"])
def test_letters_are_found_in_either_case(text: str, history: History) -> None:
    assert serials(history, text) == [] if not put(history) else True
    serial = put(history, answer=b'{"x":"Lantern Bay"}')
    assert serials(history, text) == [serial]


@pytest.mark.parametrize("text", ["100%", "a_b", "it's", 'say "hi"', "back\\slash", "é世🙂", "line\nbreak"])
def test_a_text_is_taken_literally_and_found_as_json_writes_it(text: str, history: History) -> None:
    import json

    put(history, answer=b'{"x":"100 a-b its say hi backslash"}')
    first = put(history, answer=json.dumps({"x": text}).encode())
    second = put(history, answer=json.dumps({"x": text}, ensure_ascii=False).encode())
    assert serials(history, text) == [second, first]


def test_bytes_behind_a_nul_and_bad_utf_8_are_searched_as_well(history: History) -> None:
    serial = put(history, answer=b"\0\xff\xfe needle \xff")
    assert serials(history, "needle") == [serial]


def test_what_the_program_sent_for_itself_is_found_only_where_it_is_asked_for(history: History) -> None:
    own = put(history, automatic=True)
    mine = put(history)
    assert serials(history, "probe") == [mine]
    assert serials(history, "probe", automatic=True) == [mine, own]


def test_hits_come_from_every_piece_and_the_limit_ends_the_search(history: History) -> None:
    made = [put(history, answer=f'{{"n":"hit{number % 100}"}}'.encode()) for number in range(PIECE * 2 + 20)]
    wanted = [serial for number, serial in enumerate(made) if number % 100 == 7][::-1]
    assert serials(history, '"hit7"') == wanted
    assert serials(history, '"hit7"', 2) == wanted[:2]


def test_a_search_may_be_left_and_the_history_written_meanwhile(history: History) -> None:
    first = put(history)
    rows = history.search("probe")
    assert next(rows).serial == first
    assert put(history) > first
    rows.close() if hasattr(rows, "close") else None
    assert len(serials(history, "probe")) == 2


def test_nothing_is_found_in_an_empty_history(history: History) -> None:
    assert serials(history, "x") == []
