"""What a query finds: the same with an index, without one, and while the index is behind."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from olv_tui.history import History, codec, index
from olv_tui.history.query import Query, parse_query, text_query
from olv_tui.model import Exchange, Judgement, Reply, Timing, Verdict, WireRequest, WireResponse
from olv_tui.redact import Redactor

from .test_store import REDACTOR, SECRET, request

NOW = datetime(2026, 12, 2, 14, 0, tzinfo=UTC)


def put(
    history: History, body: bytes = b"{}", answer: bytes = b"{}", *, identity: str = "1", tool: str = "olv_today",
    verdict: Verdict = Verdict.RESULT, status: int = 200, started: str = "2026-12-02T08:00:00.000Z",
    headers: tuple[tuple[str, str], ...] = (), automatic: bool = False,
) -> int:  # fmt: skip
    asked = replace(request(identity, tool=tool, automatic=automatic), started=started)
    asked = replace(asked, request=WireRequest("http://h/mcp", headers, body))
    serial = history.begin(asked)
    reply = Reply(WireResponse(status, "OK", (("X-Node", "node-nine"),), answer), timing=Timing(None, 1.0, 2.0))
    history.finish(replace(asked, serial=serial, reply=reply, judgement=Judgement(verdict, "said so")))
    return serial


def indexed(history: History) -> History:
    while history.index_piece():
        pass
    return history


@pytest.fixture(params=["indexed", "behind", "half", "without"])
def history(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[History]:
    """A history whose index is complete at each look, was never begun, lags, or cannot be made."""
    with closing(History(tmp_path / "h.sqlite3", REDACTOR)) as opened:
        if request.param == "without":
            monkeypatch.setattr(index, "_MAKE", "CREATE VIRTUAL TABLE gram USING nothing_of_that_kind(text)")
        opened.kind = request.param  # type: ignore[attr-defined]
        yield opened


def found(history: History, text: str, **more: bool) -> list[int]:
    kind = getattr(history, "kind", "")
    if kind in ("indexed", "without"):
        indexed(history)
    query = parse_query(text, NOW)
    assert query.faults == ()
    rows = [row.serial for row in history.find(query, **more)]
    search = history.searching(query, **more)
    quick: list[int] = []
    while not search.is_done:
        quick += [row.serial for row in search.take(2, 1.0)]
    assert sorted(quick, reverse=True) == rows, "a search that is gone on with finds the same"
    return rows


def half(history: History) -> None:
    """Index what is there now, where the index is to lag."""
    if getattr(history, "kind", "") == "half":
        indexed(history)


def test_every_term_finds_its_own(history: History) -> None:
    add = put(history, b'{"site":"Lantern Bay"}', identity="41", tool="olv_add", verdict=Verdict.TOOL_ERROR)
    half(history)
    gone = put(history, answer=b"<html>gone</html>", identity='"abc"', verdict=Verdict.HTTP_ERROR, status=404)
    late = put(history, identity="42", status=503, started="2026-11-30T23:59:59.000Z", verdict=Verdict.HTTP_ERROR)
    own = put(history, identity="43", automatic=True)
    history.star(add, True)
    history.annotate(gone, "Ask Ana about this")
    for text, serials in {
        "": [late, gone, add],
        "tool:add": [add],
        "-tool:add": [late, gone],
        "verdict:tool_error": [add],
        'verdict:"tool error"': [add],
        "is:failed": [late, gone, add],
        "5xx": [late],
        "status:404,503": [late, gone],
        "#42": [late],
        "id:42": [late],
        "42": [late],
        'id:"abc"': [gone],
        "#abc": [gone],
        "target:h/mcp": [late, gone, add],
        "target:other": [],
        "is:starred": [add],
        "-is:starred": [late, gone],
        "has:note": [gone],
        "ana": [gone],
        "ana -about": [],
        "today": [gone, add],
        "before:2026-12-01": [late],
        ">2026-12-01": [gone, add],
        "lantern": [add],
        "LANTERN bay": [add],
        "lantern tool:today": [],
        "-lantern": [late, gone],
        "gone html": [gone],
        "node-nine": [late, gone, add],
        "X-Node": [late, gone, add],
        "is:automatic": [own],
        "tool_error is:starred lantern": [add],
        "ba": [add],
    }.items():
        assert found(history, text) == serials, text
    assert found(history, "olv_today", automatic=True) == [own, late, gone]


def test_a_body_beyond_the_index_is_found_by_looking_through(history: History, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "SIZE", 200)
    long = put(history, answer=b"x" * 5000 + b"needle at the end")
    half(history)
    short = put(history, answer=b"needle")
    assert found(history, "needle") == [short, long]
    assert found(history, "needle -end") == [short]


def test_a_word_over_the_edge_of_two_pieces_is_found(history: History, monkeypatch: pytest.MonkeyPatch) -> None:
    from olv_tui.history import text

    monkeypatch.setattr(text, "PIECE", 64)
    serial = put(history, answer=b"x" * 60 + b"needle" + b"y" * 100)
    assert found(history, "needle") == [serial]


def test_what_was_called_lost_and_then_answered_is_found_by_its_answer(history: History) -> None:
    serial = history.begin(request())
    assert history.path is not None
    with closing(sqlite3.connect(history.path)) as connection:
        connection.execute("UPDATE exchange SET owner = NULL, verdict = 'lost'")
        connection.commit()
    half(history)
    assert found(history, "latecomer") == []
    reply = Reply(WireResponse(200, "OK", (), b"latecomer"), timing=Timing(None, 1.0, 2.0))
    history.finish(replace(request(), serial=serial, reply=reply, judgement=Judgement(Verdict.RESULT, "")))
    assert found(history, "latecomer") == [serial]


def test_no_secret_is_in_the_index(tmp_path: Path) -> None:
    path = tmp_path / "h.sqlite3"
    with closing(History(path, Redactor(b"k" * 32, (SECRET,)))) as history:
        put(history, f'{{"token":"{SECRET}"}}'.encode(), headers=(("Authorization", f"Bearer {SECRET}"),))
        history.annotate(1, f"Authorization: Bearer {SECRET}")
        indexed(history)
        assert list(history.search(SECRET)) == []
        assert history.index_piece() == 0
    with closing(sqlite3.connect(path)) as connection:
        terms = connection.execute('SELECT rowid FROM gram WHERE gram MATCH \'"5d0" AND "d0e" AND "0e9"\'')
        assert terms.fetchall() == []


def test_an_index_is_filled_in_the_background_and_ends_with_the_history(tmp_path: Path) -> None:
    import threading

    def waiting(history: History) -> int:
        return int(history._database.read("SELECT count(*) FROM unindexed WHERE indexed = 0")[0][0])

    with closing(History(tmp_path / "h.sqlite3", REDACTOR)) as history:
        for _ in range(5):
            put(history)
        history.start_indexing()
        put(history)
        for _ in range(2000):
            if not waiting(history):
                break
            threading.Event().wait(0.005)
        assert waiting(history) == 0
        (thread,) = [one for one in threading.enumerate() if "history index" in one.name]
    assert not thread.is_alive()


def test_an_older_file_is_indexed_step_by_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from olv_tui.history import database, schema

    path = tmp_path / "h.sqlite3"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in schema.MIGRATIONS[0]:
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
        connection.execute("PRAGMA user_version = 1")
    with monkeypatch.context() as patch:
        patch.setattr(database, "MIGRATIONS", schema.MIGRATIONS[:1])
        patch.setattr(database, "PROBES", schema.PROBES[:5])
        patch.setattr("olv_tui.history.store._insert", _insert_as_before)
        with closing(History(path, REDACTOR)) as old:
            serials = [put(old, answer=b"needle %d" % number) for number in range(150)]
    with closing(History(path, REDACTOR)) as history:
        assert history.notice is None
        assert 0 < history.index_piece() <= 100
        assert [row.serial for row in history.search("needle")] == serials[::-1]
        assert [row.serial for row in indexed(history).search("needle 149")] == serials[-1:]


def _insert_as_before(
    connection: sqlite3.Connection,
    serial: int | None,
    exchange: Exchange,
    content: tuple[object, ...],
    owner: str | None,
    **_: object,
) -> int:
    from olv_tui.history import store

    columns = (serial, *codec.listed(exchange), owner)
    marks = ",".join("?" * 12)
    done = connection.execute(f"INSERT OR REPLACE INTO exchange ({store._LISTED}, owner) VALUES ({marks})", columns)
    key = serial or done.lastrowid or 0
    connection.execute("INSERT OR REPLACE INTO content VALUES (?,?,?,?,?,?,?,?)", (key, *content))
    return key


def test_an_index_of_another_program_on_the_same_file_is_not_filled_twice(tmp_path: Path) -> None:
    path = tmp_path / "h.sqlite3"
    with closing(History(path, REDACTOR)) as one, closing(History(path, REDACTOR)) as two:
        serials = [put(one if number % 2 else two, answer=b"needle") for number in range(20)]
        while one.index_piece() + two.index_piece():
            pass
        assert [row.serial for row in two.search("needle")] == serials[::-1]


def test_an_empty_query_finds_everything(tmp_path: Path) -> None:
    with closing(History(tmp_path / "h.sqlite3", REDACTOR)) as history:
        serials = [put(history) for _ in range(3)]
        assert [row.serial for row in history.find(Query(), 2)] == serials[:0:-1]
        assert [row.serial for row in history.find(text_query("fine-no"), 2)] == []
