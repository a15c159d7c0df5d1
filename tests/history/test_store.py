"""The history as its users see it: kept, found, redacted, in order."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings

from olv_tui.history import History, HistoryError
from olv_tui.model import (
    Exchange,
    Judgement,
    Number,
    Object,
    Outgoing,
    Reply,
    RequestId,
    Timing,
    TransportError,
    Verdict,
    WireRequest,
    WireResponse,
)
from olv_tui.redact import Redactor
from tests.search import examples

from .test_codec import exchanges

REDACTOR = Redactor(b"k" * 32)
SECRET = "tok-SECRET-5d0e9"


def request(text: str = "1", *, tool: str = "olv_today", automatic: bool = False) -> Exchange:
    outgoing = Outgoing("request", RequestId(text), "tools/call", tool, (RequestId(text),))
    body = f'{{"jsonrpc":"2.0","id":{text},"method":"tools/call"}}'.encode("utf-8", "surrogatepass")
    wire = WireRequest("http://h/mcp", (("Content-Type", "application/json"),), body)
    return Exchange(0, "http://h/mcp", outgoing, wire, "2026-12-02T08:00:00.000Z", automatic=automatic)


def answered(exchange: Exchange, body: bytes = b'{"result":1}') -> Exchange:
    reply = Reply(WireResponse(200, "OK", (), body), timing=Timing(None, 1.0, 2.5))
    message = Object([("result", Number("1"))])
    return replace(
        exchange, reply=reply, judgement=Judgement(Verdict.RESULT, "fine", message=message, has_message=True)
    )


def keep(history: History, exchange: Exchange) -> Exchange:
    """Begin and finish an exchange."""
    done = answered(replace(exchange, serial=history.begin(exchange)))
    history.finish(done)
    return done


@pytest.fixture(params=["file", "memory"])
def history(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[History]:
    with closing(History(tmp_path / "h.sqlite3" if request.param == "file" else None, REDACTOR)) as opened:
        yield opened


# --------------------------------------------------------------------------- keeping


def test_a_finished_exchange_comes_back_equal(history: History) -> None:
    done = keep(history, request())
    assert history.get(done.serial) == done


def test_an_exchange_is_there_before_it_is_finished(history: History) -> None:
    serial = history.begin(request())
    kept = history.get(serial)
    assert kept == replace(request(), serial=serial)
    assert kept.verdict is Verdict.PENDING
    assert [row.verdict for row in history.recent(5)] == [Verdict.PENDING]


@settings(deadline=None, max_examples=examples(60))
@given(exchanges())
def test_any_exchange_comes_back_as_it_was_after_redaction(exchange: Exchange) -> None:
    with closing(History(None, REDACTOR)) as history:
        done = replace(exchange, serial=history.begin(exchange))
        history.finish(done)
        assert history.get(done.serial) == REDACTOR.exchange(done)
        assert len(history.recent(1, automatic=True)) == 1


def test_exchanges_outlive_the_history_object(tmp_path: Path) -> None:
    with closing(History(tmp_path / "h.sqlite3", REDACTOR)) as history:
        done = keep(history, request())
    with closing(History(tmp_path / "h.sqlite3", REDACTOR)) as history:
        assert history.get(done.serial) == done


def test_an_exchange_that_never_began_is_kept_as_a_new_one(history: History) -> None:
    history.finish(answered(request()))
    assert [row.verdict for row in history.recent(5)] == [Verdict.RESULT]


@pytest.mark.parametrize("serial", [0, -1, 7, 1 << 70])
def test_a_serial_that_is_not_there_gives_nothing(history: History, serial: int) -> None:
    assert history.get(serial) is None


def test_serials_are_never_used_again(tmp_path: Path) -> None:
    path = tmp_path / "h.sqlite3"
    with closing(History(path, REDACTOR)) as history:
        last = keep(history, request()).serial
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DELETE FROM exchange")
        connection.commit()
    with closing(History(path, REDACTOR)) as history:
        assert history.begin(request()) > last


# --------------------------------------------------------------------------- secrets


def test_no_secret_reaches_the_disk(tmp_path: Path) -> None:
    exchange = request()
    headers = (("Authorization", f"Bearer {SECRET}"),)
    exchange = replace(exchange, request=replace(exchange.request, headers=headers))
    history = History(tmp_path / "h.sqlite3", REDACTOR)
    serial = history.begin(exchange)
    response = WireResponse(200, "OK", (("Mcp-Session-Id", "k.Sess-ID_~42"),), f'{{"you":"{SECRET}"}}'.encode())
    judgement = Judgement(Verdict.RESULT, SECRET, message=Object([("you", SECRET)]), has_message=True)
    done = replace(exchange, serial=serial, reply=Reply(response), judgement=judgement)
    history.finish(done)
    assert history.get(serial) == REDACTOR.exchange(done)
    written = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    history.close()
    written += b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"olv_today" in written
    assert SECRET.encode() not in written
    assert b"k.Sess-ID_~42" not in written


@pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")
def test_file_and_folder_belong_to_the_user_alone(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        with closing(History(tmp_path / "deep" / "er" / "h.sqlite3", REDACTOR)) as history:
            keep(history, request())
            files = sorted((tmp_path / "deep" / "er").iterdir())
            assert [file.name for file in files] == ["h.sqlite3", "h.sqlite3-shm", "h.sqlite3-wal"]
            assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "deep" / "er").stat().st_mode) == 0o700


@pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")
def test_a_file_that_others_could_read_is_closed_to_them(tmp_path: Path) -> None:
    path = tmp_path / "h.sqlite3"
    History(path, REDACTOR).close()
    path.chmod(0o644)
    History(path, REDACTOR).close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


# --------------------------------------------------------------------------- ids


def test_ids_count_up_and_peeking_takes_none(history: History) -> None:
    assert (history.peek_id(), history.peek_id(), history.next_id()) == (1, 1, 1)
    assert (history.peek_id(), history.next_id()) == (2, 2)


def test_ids_go_on_after_a_restart(tmp_path: Path) -> None:
    with closing(History(tmp_path / "h.sqlite3", REDACTOR)) as history:
        last = [history.next_id() for _ in range(3)][-1]
    with closing(History(tmp_path / "h.sqlite3", REDACTOR)) as history:
        assert history.next_id() == last + 1


def test_an_id_that_was_typed_by_hand_is_passed_over(history: History) -> None:
    keep(history, request("1"))
    keep(history, request("2"))
    keep(history, request('"3"'))
    assert history.peek_id() == 3
    assert history.next_id() == 3


def test_threads_never_get_the_same_id(history: History) -> None:
    taken: list[int] = []

    def take() -> None:
        taken.extend(history.next_id() for _ in range(50))

    threads = [threading.Thread(target=take) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(taken) == list(range(1, 301))


def test_threads_write_side_by_side(history: History) -> None:
    def work(name: str) -> None:
        for _ in range(20):
            keep(history, request(tool=name))

    threads = [threading.Thread(target=work, args=(f"tool-{n}",)) for n in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    rows = history.recent(0)
    assert len(rows) == 100
    assert {row.verdict for row in rows} == {Verdict.RESULT}


# --------------------------------------------------------------------------- finding


def test_an_id_is_found_by_its_exact_text_newest_first(history: History) -> None:
    for text in ("42", '"42"', "42.0", "42"):
        keep(history, request(text))
    assert [exchange.serial for exchange in history.by_id("42")] == [4, 1]
    assert [exchange.serial for exchange in history.by_id('"42"')] == [2]
    assert [exchange.serial for exchange in history.by_id("42.0")] == [3]
    assert history.by_id("43") == []
    assert [row.serial for row in history.rows_by_id(" 42 ")] == [4, 1]


@pytest.mark.parametrize("asked", ["abc", '"abc"', " abc "])
def test_a_bare_word_is_a_text(history: History, asked: str) -> None:
    keep(history, request('"abc"'))
    assert len(history.by_id(asked)) == 1


@pytest.mark.parametrize("sent", ['"é"', '"\\u00e9"'])
@pytest.mark.parametrize("asked", ["é", '"é"', '"\\u00e9"'])
def test_a_text_is_found_with_and_without_escapes(history: History, sent: str, asked: str) -> None:
    keep(history, request(sent))
    assert len(history.by_id(asked)) == 1


@pytest.mark.parametrize("text", ["null", "true", '{"a":1}', '"' + "x" * 100_000 + '"', '"\ud800"', "9" * 5000])
def test_odd_ids_are_found(history: History, text: str) -> None:
    done = keep(history, request(text))
    assert [exchange.id for exchange in history.by_id(text)] == [done.id]


def test_every_id_of_a_batch_finds_it(history: History) -> None:
    ids = (RequestId("7"), RequestId('"x"'))
    keep(history, replace(request(), outgoing=Outgoing("batch", ids=ids)))
    assert [len(history.by_id(text)) for text in ("7", "x", "8")] == [1, 1, 0]
    assert history.recent(1)[0].id_text is None


@pytest.mark.parametrize("asked", ["", "\ud800", "{", "' OR 1=1 --", "%"])
def test_nothing_that_is_asked_for_raises(history: History, asked: str) -> None:
    keep(history, request())
    assert history.by_id(asked) == []


def test_rows_come_newest_first_in_pages_without_what_the_program_sent_itself(history: History) -> None:
    for number in range(1, 10):
        keep(history, request(str(number), automatic=number % 3 == 0))
    assert [row.serial for row in history.recent(3)] == [8, 7, 5]
    assert [row.serial for row in history.recent(3, before=5)] == [4, 2, 1]
    assert [row.serial for row in history.recent(3, automatic=True)] == [9, 8, 7]
    assert [row.serial for row in history.recent(0, automatic=True)] == list(range(9, 0, -1))


def test_a_row_says_what_the_list_shows(history: History) -> None:
    keep(history, request("5"))
    (row,) = history.recent(1)
    assert (row.id_text, row.method, row.tool, row.verdict) == ("5", "tools/call", "olv_today", Verdict.RESULT)
    assert (row.status, row.total_ms, row.summary, row.automatic) == (200, 2.5, "fine", False)
    assert (row.started, row.target) == ("2026-12-02T08:00:00.000Z", "http://h/mcp")


def test_a_row_without_an_answer_has_no_status(history: History) -> None:
    serial = history.begin(request())
    reply = Reply(error=TransportError("connect", "refused"))
    judgement = Judgement(Verdict.TRANSPORT_ERROR, "refused")
    history.finish(replace(request(), serial=serial, reply=reply, judgement=judgement))
    (row,) = history.recent(1)
    assert (row.status, row.total_ms, row.verdict) == (None, None, Verdict.TRANSPORT_ERROR)


def test_a_huge_name_is_cut_in_the_row_and_whole_in_the_exchange(history: History) -> None:
    done = keep(history, request(tool="t" * 100_000))
    assert len(history.recent(1)[0].tool or "") < 1000
    assert history.get(done.serial) == done


@pytest.mark.parametrize("automatic", [False, True])
def test_a_page_of_rows_is_found_by_an_index_and_not_by_reading_all(tmp_path: Path, automatic: bool) -> None:
    path = tmp_path / "h.sqlite3"
    with closing(History(path, REDACTOR)) as history, closing(sqlite3.connect(path)) as connection:
        history.recent(1)
        where = "" if automatic else "automatic = 0 AND "
        sql = f"EXPLAIN QUERY PLAN SELECT tool FROM exchange WHERE {where} serial < 9 ORDER BY serial DESC LIMIT 5"
        plan = " ".join(row[3] for row in connection.execute(sql))
    assert "SEARCH exchange USING" in plan
    assert "TEMP B-TREE" not in plan


# --------------------------------------------------------------------------- trouble


def test_an_answer_that_cannot_be_written_stays_in_memory_and_is_told(tmp_path: Path) -> None:
    path = tmp_path / "h.sqlite3"
    history = History(path, REDACTOR)
    done = answered(replace(request(), serial=history.begin(request())))
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(
            "CREATE TRIGGER full BEFORE INSERT ON content BEGIN SELECT RAISE(ABORT, 'disk is full'); END"
        )
    history.finish(done)
    assert history.get(done.serial) == done
    assert history.notice is not None
    assert "disk is full" in history.notice
    with pytest.raises(HistoryError, match="disk is full"):
        history.begin(request())
    assert len(history.recent(0)) == 1, "nothing of the refused exchange is left"
    history.close()


def test_a_closed_history_says_so(history: History) -> None:
    history.close()
    with pytest.raises(HistoryError):
        history.recent(1)
    history.finish(answered(replace(request(), serial=1)))


def test_columns_that_were_tampered_with_are_told(tmp_path: Path) -> None:
    path = tmp_path / "h.sqlite3"
    with closing(History(path, REDACTOR)) as history:
        done = keep(history, request())
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("UPDATE content SET request = x'7b7d'")
            connection.commit()
        with pytest.raises(HistoryError, match="is damaged"):
            history.get(done.serial)


def test_importing_the_history_loads_no_sqlite() -> None:
    code = "import sys, olv_tui.history; print(' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert "sqlite3" not in done.stdout.split()


def test_what_the_reader_set_is_remembered_over_restarts(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite3"
    redactor = Redactor(b"k" * 32)
    first = History(path, redactor)
    assert first.remembered("ignored", "probe") is None
    first.remember("ignored", "probe", "/result/a")
    first.remember("ignored", "probe", "/result/b")
    first.close()
    again = History(path, redactor)
    assert again.remembered("ignored", "probe") == "/result/b"
    again.close()
