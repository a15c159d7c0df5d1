"""Large answers in the history: kept before they are judged, read in parts, and never in the way of whoever looks."""

from __future__ import annotations

import subprocess
import sys
import threading
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from olv_tui.courtesy import PIECE
from olv_tui.history import History
from olv_tui.judge import judge
from olv_tui.model import Era, Exchange, Reply, Severity, Timing, Verdict, Violation, WireResponse
from olv_tui.redact import Redactor

from .test_store import REDACTOR, request

REPOSITORY = Path(__file__).resolve().parents[2]
SECRET = "tok-SECRET-5d0e9"
BODY = b'{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"' + b"lorem ipsum " * 200_000 + b'"}]}}'


def answered(history: History, body: bytes = BODY) -> Exchange:
    """A pending exchange of the history, and what came of it."""
    pending = replace(request(), serial=history.begin(request()))
    response = WireResponse(200, "OK", (("Content-Type", "application/json"),), body)
    return replace(pending, reply=Reply(response, timing=Timing(None, 1.0, 2.5)))


def judged(exchange: Exchange) -> Exchange:
    assert exchange.reply is not None
    judgement = judge(exchange.outgoing, exchange.reply, era=Era.BARE, version=None)
    return replace(exchange, judgement=judgement)


@pytest.fixture(params=["file", "memory"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path | None:
    return tmp_path / "h.sqlite3" if request.param == "file" else None


def test_what_came_is_kept_before_it_is_judged_and_its_findings_later(path: Path | None) -> None:
    assert len(BODY) > 2 * PIECE
    with closing(History(path, REDACTOR)) as history:
        came = answered(history)
        history.keep(came)
        assert history.get(came.serial) == came
        assert history.recent(1)[0].verdict is Verdict.PENDING
        changes = history._database._connection.total_changes
        history.finish(judged(came))
        assert history.get(came.serial) == judged(came)
        assert history.recent(1)[0].verdict is Verdict.RESULT
        assert history.notice is None
        # An exchange, its ids, its place in the index; a content that is written again would count as well.
        assert history._database._connection.total_changes - changes <= 4


@pytest.mark.parametrize("count", [1, 10_000])
def test_findings_of_any_number_find_room(count: int, path: Path | None) -> None:
    with closing(History(path, REDACTOR)) as history:
        came = answered(history)
        history.keep(came)
        told = tuple(Violation("T05", Severity.WARNING, f"finding {number}", "/a") for number in range(count))
        done = judged(came)
        assert done.judgement is not None
        done = replace(done, judgement=replace(done.judgement, violations=told))
        history.finish(done)
        assert history.get(done.serial) == done


def test_a_secret_in_what_is_kept_at_once_is_masked(tmp_path: Path) -> None:
    path = tmp_path / "h.sqlite3"
    with closing(History(path, Redactor(b"k" * 32, (SECRET,)))) as history:
        came = answered(history, BODY.replace(b'"}]', SECRET.encode() + b'"}]'))
        history.keep(came)
        first = history.get(came.serial)
        history.finish(judged(came))
        last = history.get(came.serial)
    assert first is not None
    assert last is not None
    assert first.reply == last.reply
    assert b"hidden" in (last.reply.response.body if last.reply and last.reply.response else b"")
    written = b"".join(part.read_bytes() for part in tmp_path.iterdir())
    assert SECRET.encode() not in written


KILLED = """
import os, sys
from pathlib import Path
from tests.history.test_large import REDACTOR, History, answered

history = History(Path(sys.argv[1]), REDACTOR)
history.keep(answered(history))
os._exit(9)
"""


def test_what_was_kept_by_a_process_that_died_before_its_verdict_is_judged_and_not_lost(tmp_path: Path) -> None:
    path = tmp_path / "h.sqlite3"
    done = subprocess.run([sys.executable, "-c", KILLED, str(path)], cwd=REPOSITORY, timeout=60, check=False)
    assert done.returncode == 9
    with closing(History(path, REDACTOR)) as history:
        (row,) = history.recent(0)
        assert row.verdict is Verdict.RESULT
        kept = history.get(row.serial)
        assert kept is not None
        assert kept == judged(replace(kept, judgement=None))
        assert history._database.read("SELECT count(*) FROM exchange WHERE owner IS NOT NULL") == [(0,)]


def test_who_reads_waits_for_nobody_that_writes(tmp_path: Path) -> None:
    with closing(History(tmp_path / "h.sqlite3", REDACTOR)) as history:
        serial = history.begin(request())
        seen: list[int] = []
        with history._database.writing() as connection:
            connection.execute("UPDATE exchange SET summary = 'not yet'")
            reader = threading.Thread(target=lambda: seen.extend(row.serial for row in history.recent(0)))
            reader.start()
            reader.join(10)
            assert seen == [serial]
        assert history.recent(0)[0].summary == "not yet"


def test_a_part_of_a_body_is_read_without_the_rest_and_nothing_where_there_is_none(path: Path | None) -> None:
    with closing(History(path, REDACTOR)) as history:
        came = answered(history)
        database = history._database
        assert database.piece(came.serial, "response_body", 0, 10) == b""
        history.keep(came)
        assert database.piece(came.serial, "response_body", 0, 10) == BODY[:10]
        assert database.piece(came.serial, "response_body", len(BODY) - 5, 100) == BODY[-5:]
        assert database.piece(came.serial, "response_body", len(BODY) + 5, 100) == b""
        assert database.piece(came.serial + 1, "response_body", 0, 10) == b""
