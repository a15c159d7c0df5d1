"""What a history file lives through: kills, damage anywhere, a full disk, a folder that takes nothing.

Each kind of trouble is made for real, in processes of its own.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from olv_tui.history import History, HistoryError
from olv_tui.model import Exchange, Verdict

from .test_store import REDACTOR, answered, keep, request

REPOSITORY = Path(__file__).resolve().parents[2]
KILLS = 200

KILL_WRITERS = """
import os, random, select, signal, sys
from pathlib import Path
from tests.history.test_store import REDACTOR, History, keep, request

def write_for_ever(path, pipe):
    history = History(path, REDACTOR)
    while True:
        serial = keep(history, request(str(history.next_id()), tool="x" * random.choice((3, 3_000)))).serial
        os.write(pipe, b"%d\\n" % serial)

path, kills, luck = Path(sys.argv[1]), int(sys.argv[2]), random.Random(int(sys.argv[3]))
History(path, REDACTOR).close()
told = set()
for _ in range(kills // 2):
    writers = []
    for _ in range(2):  # two programs at one file
        ours, theirs = os.pipe()
        if (child := os.fork()) == 0:
            write_for_ever(path, theirs)
        os.close(theirs)
        writers.append((child, ours))
    # A moment that nobody chose: after some lines of the first, and a little more.
    for _ in range(luck.randrange(3)):
        told.add(int(os.read(writers[0][1], 1 << 16).split()[0]))
    select.select([writers[1][1]], [], [], luck.random() * 0.02)
    for child, _ in writers:
        os.kill(child, signal.SIGKILL)
    for child, pipe in writers:
        os.waitpid(child, 0)
        rest = b""
        while piece := os.read(pipe, 1 << 16):
            rest += piece
        told.update(int(line) for line in rest.split(b"\\n")[:-1])
        os.close(pipe)
print(*sorted(told))
"""


def run(code: str, *arguments: object) -> str:
    command = [sys.executable, "-c", code, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=REPOSITORY, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.skipif(not hasattr(os, "fork"), reason="writers are forked")
def test_two_hundred_kills_lose_nothing_that_was_finished(tmp_path: Path) -> None:
    path = tmp_path / "h.sqlite3"
    told = [int(word) for word in run(KILL_WRITERS, path, KILLS, random.randrange(1 << 30)).split()]
    assert len(told) > KILLS / 4, "writers got to finish something before they were killed"
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    with closing(History(path, REDACTOR)) as history:
        rows = {row.serial: row.verdict for row in history.recent(0)}
        assert {serial: rows.get(serial) for serial in told} == dict.fromkeys(told, Verdict.RESULT)
        assert set(rows.values()) <= {Verdict.RESULT, Verdict.LOST}, "what was under way is told as lost"
        assert all(history.get(serial) is not None for serial in told)
        ids = [row.id_text for row in history.recent(0)]
        assert len(ids) == len(set(ids)), "no id was given twice"


# --------------------------------------------------------------------------- damage


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[int, Exchange]]:
    """A closed file of 60 exchanges, and what is in it."""
    path = tmp_path_factory.mktemp("sound") / "h.sqlite3"
    with closing(History(path, REDACTOR)) as history:
        kept = [keep(history, request(str(number), tool=f"tool {number}" * 40)) for number in range(1, 61)]
    return path, {one.serial: one for one in kept}


@pytest.mark.parametrize("seed", range(25))
def test_damage_anywhere_is_told_and_what_can_be_read_is_there(
    seed: int, sound: tuple[Path, dict[int, Exchange]], tmp_path: Path
) -> None:
    path, kept = sound
    luck = random.Random(seed)
    data = bytearray(path.read_bytes())
    start = luck.randrange(0 if seed % 5 == 0 else 4096, len(data))
    data[start : start + luck.choice([1, 100, 4096])] = luck.randbytes(luck.choice([1, 100, 4096]))
    hurt = tmp_path / "h.sqlite3"
    hurt.write_bytes(data)
    with closing(History(hurt, REDACTOR)) as history:
        wrong = [serial for serial, one in kept.items() if got(history, serial) not in (one, None)]
        gone = [serial for serial in kept if got(history, serial) is None]
        # A changed byte inside of a text cannot be told from the text by anybody; whole pages can.
        assert len(wrong) <= 2
        told = history.notice is not None
        assert told or len(gone) <= 30
        if told and "set aside" in str(history.notice):
            assert any(one.name != hurt.name and one.stat().st_size == len(data) for one in tmp_path.iterdir())
        new = keep(history, request("4711"))
        assert history.get(new.serial) == new, "it goes on"


def got(history: History, serial: int) -> Exchange | None:
    """An exchange, None where it is gone or told as damaged."""
    try:
        return history.get(serial)
    except HistoryError:
        return None


# --------------------------------------------------------------------------- no room, no permission, no clock

FILL_THE_DISK = """
import json, resource, sys
from pathlib import Path
from tests.history.test_store import REDACTOR, History, keep, request
history = History(Path(sys.argv[1]), REDACTOR)
first = [keep(history, request(str(history.next_id()))).serial for _ in range(5)]
resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))  # no file of this process grows beyond
later = [keep(history, request(str(history.next_id()), tool="x" * 50_000)).serial for _ in range(20)]
print(json.dumps({
    "first": first, "later": later, "notice": history.notice,
    "there": [serial for serial in [*first, *later] if history.get(serial) is not None],
    "ids": [row.id_text for row in history.recent(0)],
}))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no limit of file sizes")
def test_where_the_disk_is_full_the_run_goes_on_in_memory_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "h.sqlite3"
    told = json.loads(run(FILL_THE_DISK, path))
    assert told["there"] == [*told["first"], *told["later"]], "nothing of this run is lost while it runs"
    assert "kept in memory" in told["notice"] or "not in the history file" in told["notice"]
    assert len(set(told["ids"])) == len(told["ids"]) == 25
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    with closing(History(path, REDACTOR)) as history:
        assert all(history.get(serial) is not None for serial in told["first"])


IN_A_CLOSED_FOLDER = """
import json, os, sys
from pathlib import Path
from tests.history.test_store import REDACTOR, History, HistoryError, keep, request
import olv_tui.history.database, olv_tui.history.saved, olv_tui.history.index, sqlite3, tempfile
if os.geteuid() == 0:  # permissions are nothing to root
    os.setgid(65534)
    os.setuid(65534)
try:
    history = History(Path(sys.argv[1]), REDACTOR)
    serial = keep(history, request(str(history.next_id()))).serial
    print(json.dumps({"notice": history.notice, "there": history.get(serial) is not None}))
except HistoryError as error:
    print(json.dumps({"error": str(error)}))
"""


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that everybody can go through."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are those of Unix")
@pytest.mark.parametrize("has_file", [False, True])
def test_a_folder_that_takes_nothing_is_a_clear_sentence(has_file: bool, open_folder: Path) -> None:
    closed = open_folder / "closed"
    closed.mkdir()
    path = closed / "h.sqlite3"
    if has_file:
        with closing(History(path, REDACTOR)) as history:
            keep(history, request("1"))
        path.chmod(0o444)
    closed.chmod(0o555)
    try:
        told = json.loads(run(IN_A_CLOSED_FOLDER, path))
    finally:
        closed.chmod(0o755)
    sentence = told.get("error") or told["notice"]
    assert str(path) in sentence or path.name in sentence
    assert "Traceback" not in sentence
    assert "error" in told or told["there"]


def test_a_clock_that_goes_back_changes_no_order(tmp_path: Path) -> None:
    with closing(History(tmp_path / "h.sqlite3", REDACTOR)) as history:
        serials = []
        for year in (2031, 2026, 1999):
            sent = replace(request(str(year)), started=f"{year}-01-01T00:00:00.000Z")
            serial = history.begin(sent)
            history.finish(answered(replace(sent, serial=serial)))
            serials.append(serial)
        assert [row.serial for row in history.recent(0)] == serials[::-1]
        assert history.next_id() > 0
