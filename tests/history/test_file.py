"""The file: what is refused, what is set aside, what is brought up to date, and that nothing is deleted."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from olv_tui.history import History, HistoryError, schema
from olv_tui.model import Verdict

from .test_store import REDACTOR, keep, request


def opened(path: Path) -> History:
    return History(path, REDACTOR)


def set_aside(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if ".damaged-" in path.name)


def test_a_new_file_gives_no_notice(tmp_path: Path) -> None:
    with closing(opened(tmp_path / "h.sqlite3")) as history:
        assert history.notice is None


def test_a_file_without_content_is_a_new_one(tmp_path: Path) -> None:
    (tmp_path / "h.sqlite3").write_bytes(b"")
    with closing(opened(tmp_path / "h.sqlite3")) as history:
        keep(history, request())
        assert history.notice is None


def test_the_file_is_in_wal_mode_and_marked_as_ours(tmp_path: Path) -> None:
    path = tmp_path / "h.sqlite3"
    opened(path).close()
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
        assert connection.execute("PRAGMA application_id").fetchone()[0] == schema.APPLICATION_ID
        assert connection.execute("PRAGMA user_version").fetchone()[0] == len(schema.MIGRATIONS)


def test_a_file_of_a_newer_version_is_refused_and_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "h.sqlite3"
    opened(path).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    before = path.read_bytes()
    with pytest.raises(HistoryError, match=r"newer olv-tui \(format 99"):
        opened(path)
    assert path.read_bytes() == before
    assert set_aside(tmp_path) == []


def test_the_database_of_another_program_is_refused_and_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "places.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE places (name TEXT)")
    before = path.read_bytes()
    with pytest.raises(HistoryError, match="another program"):
        opened(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "content", [b"just some notes\n" * 100, b"SQLite format 3\0" + b"\xff" * 5000, b"\xfe\x1b\x0e"]
)
def test_a_file_that_is_no_database_is_kept_under_another_name(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "h.sqlite3"
    path.write_bytes(content)
    with closing(opened(path)) as history:
        assert history.notice is not None
        assert str(set_aside(tmp_path)[0]) in history.notice
        keep(history, request())
    assert [file.read_bytes() for file in set_aside(tmp_path)] == [content]
    with closing(opened(path)) as history:
        assert history.notice is None
        assert len(history.recent(0)) == 1


def damage(path: Path) -> bytes:
    """Overwrite the first page behind its header, and give what then stands in the file."""
    content = bytearray(path.read_bytes())
    content[100:4096] = b"\xa5" * 3996
    path.write_bytes(content)
    return bytes(content)


def test_a_damaged_database_is_set_aside(tmp_path: Path) -> None:
    path = tmp_path / "h.sqlite3"
    with closing(opened(path)) as history:
        for _ in range(50):
            keep(history, request())
    content = damage(path)
    with closing(opened(path)) as history:
        assert history.notice is not None
        assert history.recent(0) == []
    assert [file.read_bytes() for file in set_aside(tmp_path)] == [content]


def test_damage_behind_the_first_page_is_found_at_opening(tmp_path: Path) -> None:
    path = tmp_path / "h.sqlite3"
    with closing(opened(path)) as history:
        for _ in range(50):
            keep(history, request())
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\xa5" * (len(content) - 4096))
    with closing(opened(path)) as history:
        assert history.notice is not None
        assert history.recent(0) == []


def test_a_database_that_is_still_open_elsewhere_is_set_aside_with_its_log(tmp_path: Path) -> None:
    path = tmp_path / "h.sqlite3"
    with closing(opened(path)) as history:
        keep(history, request())
    with closing(sqlite3.connect(path)) as other:
        other.execute("SELECT count(*) FROM exchange").fetchone()
        damage(path)
        with closing(opened(path)) as history:
            assert history.recent(0) == []
        names = [file.name for file in set_aside(tmp_path)]
        assert [name[-4:] for name in names] == [names[0][-4:], "-shm", "-wal"]


def test_two_damaged_files_in_one_second_are_both_kept(tmp_path: Path) -> None:
    path = tmp_path / "h.sqlite3"
    for content in (b"first damaged file", b"second damaged file"):
        for end in ("", "-wal", "-shm"):
            Path(f"{path}{end}").unlink(missing_ok=True)
        path.write_bytes(content)
        opened(path).close()
    assert {file.read_bytes() for file in set_aside(tmp_path)} == {b"first damaged file", b"second damaged file"}


def test_a_folder_in_the_place_of_the_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(HistoryError, match="cannot be opened"):
        opened(tmp_path)


def test_a_file_in_the_place_of_the_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(HistoryError, match="cannot be opened"):
        opened(tmp_path / "file" / "h.sqlite3")


@pytest.mark.parametrize("name", ["a\0b", "\ud800", "x" * 5000])
def test_a_path_that_no_system_takes_is_told(tmp_path: Path, name: str) -> None:
    with pytest.raises(HistoryError):
        opened(tmp_path / name)


def test_a_file_that_somebody_else_holds_is_told_as_busy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from olv_tui.history import database

    monkeypatch.setattr(database, "BUSY_MS", 50)
    path = tmp_path / "h.sqlite3"
    with closing(opened(path)) as history, closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(HistoryError, match="is busy"):
            history.next_id()
        assert history.peek_id() == 1, "reading goes on"
        other.execute("ROLLBACK")
        assert history.next_id() == 1


# --------------------------------------------------------------------------- migrations

ADD_NOTE = ("ALTER TABLE exchange ADD COLUMN note TEXT", "UPDATE exchange SET note = tool")


def test_an_older_file_gets_what_it_lacks_and_keeps_what_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from olv_tui.history import database

    path = tmp_path / "h.sqlite3"
    with closing(opened(path)) as history:
        done = keep(history, request())
    monkeypatch.setattr(database, "MIGRATIONS", (*schema.MIGRATIONS, ADD_NOTE))
    with closing(opened(path)) as history:
        assert history.get(done.serial) == done
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT note FROM exchange").fetchall() == [("olv_today",)]
        assert connection.execute("PRAGMA user_version").fetchone()[0] == len(schema.MIGRATIONS) + 1


def test_a_migration_that_fails_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from olv_tui.history import database

    path = tmp_path / "h.sqlite3"
    with closing(opened(path)) as history:
        keep(history, request())
    with monkeypatch.context() as patch:
        patch.setattr(database, "MIGRATIONS", (*schema.MIGRATIONS, (*ADD_NOTE, "SELECT nonsense FROM nowhere")))
        with pytest.raises(HistoryError, match="nowhere"):
            opened(path)
    with closing(opened(path)) as history:
        assert [row.verdict for row in history.recent(0)] == [Verdict.RESULT]
    with closing(sqlite3.connect(path)) as connection:
        assert "note" not in [row[1] for row in connection.execute("PRAGMA table_info(exchange)")]


def test_many_may_open_a_new_file_at_the_same_moment(tmp_path: Path) -> None:
    path = tmp_path / "h.sqlite3"
    together = threading.Barrier(8)
    ids: list[int] = []
    faults: list[Exception] = []

    def work() -> None:
        together.wait()
        try:
            with closing(opened(path)) as history:
                ids.append(history.next_id())
        except Exception as error:
            faults.append(error)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    assert sorted(ids) == list(range(1, 9))
