"""When things go wrong around the history: kills, full disks, read-only folders, damage, clocks."""

from __future__ import annotations

import contextlib
import json
import os
import random
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from olv_tui.history import History, HistoryError, SavedCall, UnwritableError
from olv_tui.model import Verdict

from .test_find import indexed, put
from .test_store import REDACTOR, answered, keep, request

REPOSITORY = Path(__file__).resolve().parents[2]

KILL_MANY = """
import os, random, select, signal, sys, time
from contextlib import closing
from pathlib import Path
from tests.history.test_store import REDACTOR, History, keep, request

path, kills, together = Path(sys.argv[1]), int(sys.argv[2]), 8
History(path, REDACTOR).close()
chance = random.Random(7)
told = []

def write(out):
    # Everything is imported by now, so a child writes within a millisecond of its birth.
    history = History(path, REDACTOR)
    history.start_indexing()
    while True:
        serial = keep(history, request(str(history.next_id()))).serial
        os.write(out, b"%d\\n" % serial)

while kills > 0:
    batch = []
    for _ in range(min(together, kills)):
        read, out = os.pipe()
        child = os.fork()
        if not child:
            os.close(read)
            try:
                write(out)
            finally:
                os._exit(1)
        os.close(out)
        batch.append((child, read))
    kills -= len(batch)
    for child, read in batch:
        time.sleep(chance.uniform(0, 0.03))
        os.kill(child, signal.SIGKILL)
    for child, read in batch:
        os.waitpid(child, 0)
        with os.fdopen(read, "rb") as pipe:
            told += [int(line) for line in pipe.read().split(b"\\n")[:-1]]
print(*told)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_two_hundred_kills_under_load_lose_no_finished_exchange(tmp_path: Path) -> None:
    path = tmp_path / "h.sqlite3"
    command = [sys.executable, "-c", KILL_MANY, str(path), "200"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=REPOSITORY, timeout=120, check=True)
    told = [int(word) for word in done.stdout.split()]
    assert len(told) > 200, "they were killed while they worked"
    with closing(History(path, REDACTOR)) as history:
        assert history.notice is None
        assert history._database.read("PRAGMA integrity_check") == [("ok",)]
        rows = {row.serial: row.verdict for row in history.recent(0)}
        assert {rows[serial] for serial in told} == {Verdict.RESULT}
        assert {rows[serial] for serial in rows.keys() - set(told)} <= {Verdict.RESULT, Verdict.LOST}
        assert len(rows) - len(told) <= 200
        found = {row.serial for row in indexed(history).search('"result":1')}
        assert found == {serial for serial, verdict in rows.items() if verdict is Verdict.RESULT}


# --------------------------------------------------------------------------- no room, no right


def test_a_full_disk_ends_no_run_and_what_was_kept_is_still_read(tmp_path: Path) -> None:
    """Full by SQLite's max_page_count, which gives the same error as a disk does."""
    with closing(History(tmp_path / "h.sqlite3", REDACTOR)) as history:
        first = keep(history, request("1"))
        pages = history._database.read("PRAGMA page_count")[0][0]
        history._database._connection.execute(f"PRAGMA max_page_count = {pages}")
        big = replace(request("2"), request=replace(request().request, body=b"x" * 200_000))
        done = answered(replace(big, serial=history.begin(big)))
        history.finish(done)
        assert history.notice is not None
        assert "the disk is full; from here on this run is kept in memory" in history.notice
        assert history.get(first.serial) == first
        assert history.get(done.serial) == done
        assert [row.serial for row in history.recent(0)] == [done.serial, first.serial]
        assert [row.serial for row in history.recent(1, before=done.serial)] == [first.serial]
        assert [row.serial for row in history.search("tools/call")] == [done.serial, first.serial]
        assert [row.serial for row in history.rows_by_id("2")] == [done.serial]
        history.star(done.serial, True)
        history.save_call(SavedCall("kept", "t", arguments="{}"))
        assert [one.name for one in history.saved()] == ["kept"]
        assert history.next_id() > 2 - 1
        assert history.next_id() not in (1, 2)


@pytest.fixture
def small_disk(tmp_path: Path) -> Path:
    """A disk of 1 MB, where mounting is permitted."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "none", str(folder)]
    if os.name != "posix" or os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("mounting a small disk is not permitted here")
    return folder


def test_a_disk_that_fills_up_is_told_and_the_file_stays_sound(small_disk: Path) -> None:
    path = small_disk / "h.sqlite3"
    try:
        with closing(History(path, REDACTOR)) as history:
            kept = []
            for _ in range(60):
                one = replace(
                    request(str(history.next_id())), request=replace(request().request, body=os.urandom(40_000))
                )
                kept.append(answered(replace(one, serial=history.begin(one))))
                history.finish(kept[-1])
            assert "disk is full" in str(history.notice)
            assert [history.get(one.serial) for one in kept] == kept
            ids = [row.id_text for row in history.recent(0)]
            assert len(set(ids)) == 60
        with closing(sqlite3.connect(path)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    finally:
        subprocess.run(["umount", "-l", str(small_disk)], check=False)


@pytest.fixture
def fixed(tmp_path: Path) -> Iterator[Path]:
    """A folder with a history that takes nothing: by its mode, or for root, who may write anywhere, by its mount."""
    folder = tmp_path / "fixed"
    folder.mkdir()
    as_root = os.name == "posix" and os.geteuid() == 0
    mount = ["mount", "-t", "tmpfs", "none", str(folder)]
    if os.name != "posix" or (as_root and subprocess.run(mount, capture_output=True, check=False).returncode):
        pytest.skip("a folder cannot be made read-only here")
    with closing(History(folder / "h.sqlite3", REDACTOR)) as history:
        keep(history, request())
    if as_root:
        subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)
    else:
        folder.chmod(0o555)
        (folder / "h.sqlite3").chmod(0o444)
    yield folder
    if as_root:
        subprocess.run(["umount", "-l", str(folder)], check=False)
    else:
        folder.chmod(0o755)


@pytest.mark.parametrize("name", ["h.sqlite3", "new.sqlite3"])
def test_a_read_only_folder_is_told(fixed: Path, name: str) -> None:
    with pytest.raises(UnwritableError, match=f"{name} cannot be opened: (Read-only file system|Permission denied)"):
        History(fixed / name, REDACTOR)


def test_a_call_goes_on_where_the_history_cannot_be_opened(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    from olv_tui.__main__ import main

    (tmp_path / "file").write_text("in the way")
    where = ["--history", str(tmp_path / "file" / "h.sqlite3")]
    assert main(["call", "olv_today", "--demo", "--json", *where]) == 0
    told = capfd.readouterr()
    assert json.loads(told.out)["verdict"] == "result"
    assert "this run is kept in memory and is gone when it ends" in told.err
    assert main(["history", "list", *where]) == 1


# --------------------------------------------------------------------------- the clock


def test_a_clock_that_goes_back_changes_no_order(tmp_path: Path) -> None:
    with closing(History(tmp_path / "h.sqlite3", REDACTOR)) as history:
        late = put(history, started="2026-12-02T10:00:00.000Z")
        early = put(history, started="2026-12-01T10:00:00.000Z")
        assert [row.serial for row in history.recent(0)] == [early, late]
        assert [row.serial for row in indexed(history).search("olv_today")] == [early, late]


# --------------------------------------------------------------------------- damage


def filled(path: Path, count: int = 120) -> dict[int, object]:
    with closing(History(path, REDACTOR)) as history:
        made = {}
        for number in range(count):
            one = request(str(history.next_id()))
            done = answered(replace(one, serial=history.begin(one)), os.urandom(3000) if number % 4 == 0 else b"{}")
            history.finish(done)
            made[done.serial] = done
        history.star(7, True)
        history.save_call(SavedCall("mine", "t", arguments="{}"))
        history.remember("ignored", "t", "/a")
        return dict(made)


def test_a_file_with_one_bad_page_gives_all_the_others_to_a_new_one(tmp_path: Path) -> None:
    path = tmp_path / "h.sqlite3"
    made = filled(path)
    with closing(sqlite3.connect(path)) as connection:
        sql = "SELECT rootpage FROM sqlite_master WHERE name = 'exchange'"
        (page,) = connection.execute(sql).fetchone()
    spoil(path, (page - 1) * 4096, 4096)
    with closing(History(path, REDACTOR)) as history:
        assert history.notice is not None
        assert f"{len(made)} exchanges were taken over" in history.notice, "the list is made anew from the contents"
        assert {row.serial: history.get(row.serial) for row in history.recent(0)} == made
        row = history.row(7)
        assert row is not None
        assert row.starred
        assert [one.name for one in history.saved()] == ["mine"]
        assert history.remembered("ignored", "t") == "/a"
        assert history.next_id() > len(made)
        assert put(history) > max(made)


def spoil(path: Path, at: int, size: int) -> None:
    content = bytearray(path.read_bytes())
    content[at : at + size] = os.urandom(min(size, len(content) - at))
    path.write_bytes(content)


@pytest.mark.parametrize("seed", range(12))
def test_damage_at_any_place_is_salvaged_or_told_and_never_ends_the_program(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    path = tmp_path / "h.sqlite3"
    made = filled(path)
    pages = path.stat().st_size // 4096
    for _ in range(chance.choice((1, 1, 3))):
        spoil(path, chance.randrange(1, pages) * 4096 + chance.choice((0, 0, 1000)), chance.choice((4096, 500)))
    held, told = 0, ""
    for _ in range(3):
        with contextlib.suppress(HistoryError):  # what shows in the middle of a run is mended at the next start
            with closing(History(path, REDACTOR)) as history:
                told += history.notice or ""
                rows = history.recent(0)
                held = sum(history.get(row.serial) is not None for row in rows)
                list(history.search("nowhere"))
                assert history.next_id() > 0
                keep(history, request("999"))
            break
    else:
        pytest.fail("it never came to a sound file")
    # Where the page went that leads to all others, nothing can be read, which is told.
    assert held > len(made) * 0.5 or "no exchange could be read" in told
    aside = [one for one in tmp_path.iterdir() if ".damaged-" in one.name]
    assert not list(tmp_path.glob(".salvage*"))
    with closing(sqlite3.connect(path)) as connection:
        sound = connection.execute("PRAGMA quick_check(1)").fetchone() == ("ok",)
    assert sound or not aside


def test_two_programs_that_mark_save_and_delete_at_once_stay_out_of_each_others_way(tmp_path: Path) -> None:
    import threading

    from olv_tui.history import Keep

    path = tmp_path / "h.sqlite3"
    faults: list[Exception] = []

    def work(name: str) -> None:
        try:
            with closing(History(path, REDACTOR)) as history:
                history.start_indexing()
                for number in range(30):
                    one = request(str(history.next_id()))
                    serial = history.begin(one)
                    history.star(serial, number % 2 == 0)
                    history.finish(answered(replace(one, serial=serial)))
                    history.save_call(SavedCall(f"{name}{number % 3}", "t", arguments="{}"))
                    if number % 10 == 9:
                        history.compact(Keep(count=5))
                    list(history.search("result"))
        except Exception as error:
            faults.append(error)

    threads = [threading.Thread(target=work, args=(name,)) for name in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    with closing(History(path, REDACTOR)) as history:
        assert sum(row.starred for row in history.recent(0)) == 30
        assert len(history.saved()) == 6
        assert history._database.read("PRAGMA integrity_check") == [("ok",)]


def test_a_row_with_odd_columns_is_shown_as_damaged_among_the_others(tmp_path: Path) -> None:
    path = tmp_path / "h.sqlite3"
    filled(path, 6)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("UPDATE exchange SET verdict = x'ff' WHERE serial = 2")
        connection.execute("UPDATE exchange SET summary = CAST(x'fffe41' AS TEXT) WHERE serial = 3")
        connection.execute("UPDATE content SET request = 7 WHERE serial = 4")
        connection.execute("UPDATE content SET request = '[]' WHERE serial = 5")
    with closing(History(path, REDACTOR)) as history:
        rows = {row.serial: row for row in history.recent(0)}
        assert len(rows) == 6
        assert (rows[2].verdict, rows[2].summary) == (Verdict.LOST, "this row is damaged")
        assert rows[3].summary.endswith("A")
        for serial in (4, 5):
            with pytest.raises(HistoryError, match=f"@{serial} in the history .* is damaged"):
                history.get(serial)
        assert {row.serial for row in indexed(history).search("tools/call")} >= {1, 6}
