"""Marks, saved calls, what was sent before, and how much is kept."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from olv_tui.history import Compacted, History, Keep, SavedCall
from olv_tui.history.retention import compact
from olv_tui.history.variables import fill, filled, unknown_sentence
from olv_tui.model import Era, Verdict
from olv_tui.redact import MASK, Redactor

from .test_find import indexed, put
from .test_store import REDACTOR, SECRET


@pytest.fixture
def history(tmp_path: Path) -> Iterator[History]:
    with closing(History(tmp_path / "h.sqlite3", REDACTOR)) as opened:
        yield opened


def call(arguments: str, tool: str = "olv_today") -> bytes:
    params = f'{{"name":"{tool}","arguments":{arguments}}}'
    return f'{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}'.encode()


# --------------------------------------------------------------------------- marks


def test_a_star_and_a_note_are_kept_with_the_row_and_taken_away_again(history: History) -> None:
    serial = put(history)
    history.star(serial, True)
    history.annotate(serial, "why is this?")
    row = history.row(serial)
    assert row is not None
    assert (row.starred, row.note) == (True, "why is this?")
    assert history.recent(1) == [row]
    history.star(serial, False)
    history.annotate(serial, "")
    row = history.row(serial)
    assert row is not None
    assert (row.starred, row.note) == (False, "")


def test_marks_stay_where_an_exchange_ends_after_them(history: History) -> None:
    from .test_store import answered, request

    serial = history.begin(request())
    history.star(serial, True)
    history.finish(answered(replace(request(), serial=serial)))
    row = history.row(serial)
    assert row is not None
    assert (row.starred, row.verdict) == (True, Verdict.RESULT)


def test_a_mark_on_what_is_not_there_is_nothing(history: History) -> None:
    history.star(7, True)
    assert history.row(7) is None
    put(history)
    assert [row.starred for row in history.recent(0)] == [False]


def test_a_secret_in_a_note_is_masked(history: History) -> None:
    serial = put(history)
    knowing = History(history.path, Redactor(b"k" * 32, (SECRET,)))
    with closing(knowing):
        knowing.annotate(serial, f"sent with {SECRET}")
    row = history.row(serial)
    assert row is not None
    assert row.note.startswith("sent with ")
    assert MASK.search(row.note)


# --------------------------------------------------------------------------- saved calls

FULL = SavedCall("mine", "olv_add", None, '{"a":1, "a":2,"s":"${site}"}', None, (("X-Own", "${key}"),), Era.BARE, "n")
BODY = SavedCall("odd", None, "ping", None, '{"method" : "ping"}\n')


def test_a_saved_call_comes_back_to_the_character(history: History) -> None:
    history.save_call(FULL)
    history.save_call(BODY)
    assert history.saved() == [FULL, BODY]
    assert history.saved("olv_add") == [FULL]
    assert history.saved("") == [BODY]


def test_a_name_is_for_one_call_of_a_tool(history: History) -> None:
    history.save_call(FULL)
    history.save_call(replace(FULL, arguments="{}"))
    history.save_call(replace(FULL, tool="other"))
    assert [one.arguments for one in history.saved("olv_add")] == ["{}"]
    assert len(history.saved()) == 2


def test_a_saved_call_is_renamed_and_forgotten(history: History) -> None:
    history.save_call(FULL)
    history.save_call(replace(FULL, name="taken"))
    assert not history.rename_call(FULL, "taken")
    assert history.rename_call(FULL, "new")
    assert sorted(one.name for one in history.saved()) == ["new", "taken"]
    assert history.forget_call("new", "olv_add")
    assert not history.forget_call("new", "olv_add")
    assert not history.forget_call("taken", None)


def test_a_saved_call_holds_no_secret(history: History, tmp_path: Path) -> None:
    history.save_call(replace(FULL, headers=(("Authorization", f"Bearer {SECRET}"),)))
    (kept,) = history.saved()
    assert MASK.search(kept.headers[0][1])
    history.close()
    assert SECRET.encode() not in b"".join(file.read_bytes() for file in tmp_path.iterdir())


def test_variables_are_put_in_and_unknown_ones_stay_and_are_told() -> None:
    done, unknown = filled(FULL, {"site": 'a "b"\n'})
    assert done.arguments == '{"a":1, "a":2,"s":"a \\"b\\"\\n"}'
    assert done.headers == (("X-Own", "${key}"),)
    assert unknown == ("key",)
    sentence = unknown_sentence(unknown, "staging")
    assert sentence.startswith("${key} is not known for this target and stays as written")
    assert "[targets.staging.variables]" in sentence
    assert fill("$x ${} ${ x}", {"x": "1"}) == ("$x ${} ${ x}", ())


def test_what_was_sent_to_a_tool_is_told_newest_first_each_once(history: History) -> None:
    for text in ('{"n":1}', '{"n": 2}', '{"n":1}', '{"n":3}'):
        put(history, call(text))
    put(history, call("{}", "other"), tool="other")
    put(history, b"no JSON")
    put(history, b'{"params":{"name":"olv_today"}}')
    assert history.last_used("olv_today", 10) == ['{"n":3}', '{"n":1}', '{"n": 2}']
    assert history.last_used("olv_today", 1) == ['{"n":3}']
    assert history.last_used("nobody", 5) == []


def test_the_last_that_worked_is_one_with_a_result(history: History) -> None:
    assert history.last_that_worked("olv_today") is None
    put(history, call('{"good":1}'))
    put(history, call('{"bad":1}'), verdict=Verdict.TOOL_ERROR)
    assert history.last_that_worked("olv_today") == '{"good":1}'


# --------------------------------------------------------------------------- how much is kept


def many(history: History, number: int = 10) -> list[int]:
    made = [put(history, answer=b"needle" + b"x" * 100_000, started=f"2026-11-{day + 10}T00:00:00.000Z")
            for day in range(number)]  # fmt: skip
    history.star(made[0], True)
    history.annotate(made[1], "keep me")
    return made


LIMITS = {
    "a count": (Keep(count=3), [0, 1, 7, 8, 9]),
    "nothing": (Keep(count=0), [0, 1]),
    "an age": (Keep(days=10), [0, 1, 6, 7, 8, 9]),
    "a size": (Keep(megabytes=0.25), [0, 1, 8, 9]),
    "the tighter of two": (Keep(count=1, days=10), [0, 1, 9]),
}
AT = datetime(2026, 11, 26, tzinfo=UTC)


@pytest.mark.parametrize(("keep", "left"), LIMITS.values(), ids=LIMITS)
def test_what_is_beyond_a_limit_goes_but_what_is_marked_stays(history: History, keep: Keep, left: list[int]) -> None:
    made = many(history)
    indexed(history)
    told = compact(history._database, None, keep, now=AT, dry_run=True)
    assert len(history.recent(0)) == 10
    done = compact(history._database, None, keep, now=AT)
    assert done == told
    assert (done.exchanges, done.left, done.spared) == (10 - len(left), len(left), 2)
    assert done.size > done.exchanges * 100_000
    assert sorted(row.serial for row in history.recent(0)) == [made[at] for at in left]
    assert sorted(row.serial for row in history.search("needle")) == [made[at] for at in left]
    assert sorted(row.serial for row in indexed(history).search("needle")) == [made[at] for at in left]
    assert history._database.read("PRAGMA integrity_check") == [("ok",)]


def test_the_file_is_smaller_afterwards_and_serials_and_ids_are_not_given_out_again(history: History) -> None:
    assert history.path is not None
    made = many(history)
    identity = history.next_id()
    history._database.read("PRAGMA wal_checkpoint")
    size = history.path.stat().st_size
    history.compact(Keep(count=0))
    assert history.path.stat().st_size < size / 2
    assert put(history) > made[-1]
    assert history.next_id() > identity


def test_what_is_still_waited_for_stays(history: History) -> None:
    from .test_store import request

    serial = history.begin(request())
    assert history.compact(Keep(count=0)) == Compacted(0, 0, 1, 1)
    assert history.get(serial) is not None


def test_a_thrifty_run_deletes_without_writing_the_whole_file_anew(history: History) -> None:
    assert history.path is not None
    made = many(history)
    history._database.read("PRAGMA wal_checkpoint")
    size = history.path.stat().st_size
    history.compact(Keep(count=6), thrifty=True)
    assert history.path.stat().st_size == size
    indexed(history)
    history.compact(Keep(count=5), thrifty=True)
    assert [row.serial for row in history.search("needle")] == [*made[5:][::-1], made[1], made[0]]


def test_another_program_that_reads_keeps_the_file_large_and_nothing_is_lost(
    history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sqlite3

    from olv_tui.history import database

    many(history)
    assert history.path is not None
    history.close()
    monkeypatch.setattr(database, "BUSY_MS", 50)
    with closing(History(history.path, REDACTOR)) as again, closing(sqlite3.connect(history.path)) as other:
        other.execute("BEGIN")
        other.execute("SELECT * FROM exchange").fetchone()
        done = again.compact(Keep(count=0))
        assert done.exchanges == 8
        assert done.notice == "" or "could not be made smaller" in done.notice
        assert len(again.recent(0)) == 2
        other.execute("ROLLBACK")
