"""Several processes at one file: killed in the middle, writing at once, living on."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from olv_tui.history import History, process
from olv_tui.model import Verdict

from .test_store import REDACTOR, answered, request

REPOSITORY = Path(__file__).resolve().parents[2]

WRITE_FOR_EVER = """
import sys
from pathlib import Path
from tests.history.test_store import REDACTOR, History, keep, request
history = History(Path(sys.argv[1]), REDACTOR)
while True:
    serial = keep(history, request(str(history.next_id()))).serial
    print(serial, flush=True)
"""

WRITE_SOME = """
import sys
from pathlib import Path
from tests.history.test_store import REDACTOR, History, keep, request
history = History(Path(sys.argv[1]), REDACTOR)
print("ready", flush=True)
sys.stdin.readline()
ids = []
for _ in range(150):
    ids.append(history.next_id())
    keep(history, request(str(ids[-1])))
history.close()
print(*ids)
"""

BEGIN_AND_WAIT = """
import sys
from pathlib import Path
from tests.history.test_store import REDACTOR, History, request
history = History(Path(sys.argv[1]), REDACTOR)
print(history.begin(request(tool="slow")), flush=True)
sys.stdin.readline()
"""


def started(code: str, path: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", code, str(path)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=REPOSITORY)


def line_of(running: subprocess.Popen[str]) -> str:
    assert running.stdout is not None
    return running.stdout.readline().strip()


def ended(running: subprocess.Popen[str]) -> None:
    running.kill()
    running.communicate(timeout=30)


@pytest.mark.parametrize("finished", [1, 7, 40])
def test_a_kill_in_the_middle_of_writing_loses_nothing_that_was_finished(tmp_path: Path, finished: int) -> None:
    path = tmp_path / "h.sqlite3"
    running = started(WRITE_FOR_EVER, path)
    told = [int(line_of(running)) for _ in range(finished)]
    running.kill()
    assert running.stdout is not None
    told += [int(line) for line in running.stdout.read().split("\n")[:-1] if line]
    running.communicate(timeout=30)
    with closing(History(path, REDACTOR)) as history:
        assert history.notice is None
        rows = {row.serial: row.verdict for row in history.recent(0)}
        assert all(rows[serial] is Verdict.RESULT for serial in told)
        rest = [verdict for serial, verdict in rows.items() if serial not in told]
        assert len(rest) <= 1
        assert set(rest) <= {Verdict.RESULT, Verdict.LOST}
        assert history.next_id() > max(int(row.id_text or 0) for row in history.recent(0))


def test_what_a_killed_process_left_pending_is_lost_and_says_why(tmp_path: Path) -> None:
    path = tmp_path / "h.sqlite3"
    running = started(BEGIN_AND_WAIT, path)
    serial = int(line_of(running))
    ended(running)
    with closing(History(path, REDACTOR)) as history:
        kept = history.get(serial)
        (row,) = history.recent(0)
    assert kept is not None
    assert kept.judgement is not None
    assert (kept.verdict, kept.reply) == (Verdict.LOST, None)
    assert kept.judgement.summary == "the program ended before the answer came" == row.summary
    assert kept.request.body == request().request.body


def test_what_a_living_process_is_waiting_for_stays_pending(tmp_path: Path) -> None:
    path = tmp_path / "h.sqlite3"
    running = started(BEGIN_AND_WAIT, path)
    serial = int(line_of(running))
    try:
        with closing(History(path, REDACTOR)) as history:
            kept = history.get(serial)
            assert kept is not None
            assert kept.verdict is Verdict.PENDING
    finally:
        ended(running)


def test_a_stopped_process_is_alive(tmp_path: Path) -> None:
    if not hasattr(signal, "SIGSTOP"):
        pytest.skip("no SIGSTOP here")
    path = tmp_path / "h.sqlite3"
    running = started(BEGIN_AND_WAIT, path)
    line_of(running)
    os.kill(running.pid, signal.SIGSTOP)
    try:
        with closing(History(path, REDACTOR)) as history:
            assert [row.verdict for row in history.recent(0)] == [Verdict.PENDING]
    finally:
        ended(running)


def test_what_another_history_of_this_process_waits_for_stays_pending(tmp_path: Path) -> None:
    path = tmp_path / "h.sqlite3"
    with closing(History(path, REDACTOR)) as first:
        first.begin(request())
        with closing(History(path, REDACTOR)) as second:
            assert [row.verdict for row in second.recent(0)] == [Verdict.PENDING]


def test_an_answer_that_comes_after_it_was_called_lost_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "h.sqlite3"
    with closing(History(path, REDACTOR)) as history:
        serial = history.begin(request())
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("UPDATE exchange SET owner = '0 nobody'")
            connection.commit()
        with closing(History(path, REDACTOR)) as other:
            assert [row.verdict for row in other.recent(0)] == [Verdict.LOST]
        done = answered(replace(request(), serial=serial))
        history.finish(done)
        assert history.get(serial) == done


def test_processes_that_write_at_once_lose_nothing_and_share_no_id(tmp_path: Path) -> None:
    path = tmp_path / "h.sqlite3"
    running = [started(WRITE_SOME, path) for _ in range(3)]
    assert [line_of(one) for one in running] == ["ready"] * 3
    for one in running:
        assert one.stdin is not None
        one.stdin.write("go\n")
        one.stdin.flush()
    taken = [int(word) for one in running for word in one.communicate(timeout=60)[0].split()]
    assert sorted(taken) == list(range(1, 451))
    with closing(History(path, REDACTOR)) as history:
        rows = history.recent(0)
        assert sorted(int(row.id_text or 0) for row in rows) == sorted(taken)
        assert {row.verdict for row in rows} == {Verdict.RESULT}


# --------------------------------------------------------------------------- who lives


def test_this_process_lives() -> None:
    assert process.lives(process.this_process())


def test_a_later_process_with_the_same_number_is_another_one() -> None:
    number, _, start = process.this_process().partition(" ")
    if not start:
        pytest.skip("the system does not tell when a process started")
    assert not process.lives(f"{number} 1@{start.partition('@')[2]}")


def test_without_start_times_a_number_in_use_counts_as_alive(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(process, "_PROC", tmp_path)
    parent = os.getppid()
    assert process.this_process() == str(os.getpid())
    assert process.lives(str(os.getpid()))
    assert process.lives(str(parent))
    assert process.lives(f"{parent} 5@boot")
    with subprocess.Popen([sys.executable, "-c", ""]) as ended_already:
        ended_already.wait(30)
    assert not process.lives(str(ended_already.pid))


@pytest.mark.parametrize("owner", ["", "x", "-1", "1.5 2@boot"])
def test_an_owner_that_is_no_process_is_dead(owner: str) -> None:
    assert not process.lives(owner)


def test_a_program_name_with_brackets_does_not_move_the_start_time(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fields = " ".join(str(number) for number in range(4, 40))
    folder = tmp_path / str(os.getpid())
    folder.mkdir()
    (folder / "stat").write_text(f"{os.getpid()} (a) b (c) S {fields}\n")
    (tmp_path / "sys" / "kernel" / "random").mkdir(parents=True)
    (tmp_path / "sys" / "kernel" / "random" / "boot_id").write_text("boot\n")
    monkeypatch.setattr(process, "_PROC", tmp_path)
    assert process.this_process() == f"{os.getpid()} 22@boot"
