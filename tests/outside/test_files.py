"""Files of the reader's: safe names, nothing written over, nothing half written."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from olv_tui.outside.files import FileError, copy_to, free_name, safe_name, typed_path, write_at, write_new


@pytest.mark.parametrize(
    ("wanted", "name"),
    [
        ("olv_get_world-42", "olv_get_world-42.json"),
        ("../../etc/passwd", "etc-passwd.json"),
        ("C:\\Windows\\x", "C-Windows-x.json"),
        (".bashrc", "bashrc.json"),
        ("con", "con-.json"),
        ("LPT1.x", "LPT1.x-.json"),
        ("", "answer.json"),
        ("...", "answer.json"),
        ("a\x1b]52;c;x\x07b\u202e", "a-52-c-x-b.json"),
        ("x" * 500, "x" * 80 + ".json"),
        ("häß/lich", "h-lich.json"),
    ],
)
def test_a_name_of_a_server_becomes_one_plain_name(wanted: str, name: str) -> None:
    assert safe_name(wanted, ".json") == name


@pytest.mark.parametrize(("end", "kept"), [(".x/y", ".xy"), (".\x1b[m", ".m"), (".sse.txt", ".sse.txt"), (".", "")])
def test_the_end_of_a_name_may_come_from_a_server_as_well(end: str, kept: str) -> None:
    assert safe_name("a", end) == f"a{kept}"


def test_a_file_is_copied_whole_and_never_over_another_unasked(tmp_path: Path) -> None:
    source, path = tmp_path / "body.json", tmp_path / "copy.json"
    source.write_bytes(b"x" * 3_000_000)
    assert copy_to(path, source) == 3_000_000
    assert path.read_bytes() == source.read_bytes()
    path.write_bytes(b"mine")
    with pytest.raises(FileExistsError):
        copy_to(path, source)
    assert path.read_bytes() == b"mine"
    copy_to(path, source, over=True)
    assert path.stat().st_size == 3_000_000
    source.unlink()
    with pytest.raises(FileError, match="no longer there"):
        copy_to(path, source)


@given(st.text(), st.text(max_size=8))
def test_whatever_the_text_the_name_stays_in_its_folder(wanted: str, end: str) -> None:
    name = safe_name(wanted, end)
    assert Path(name).name == name
    assert name.isascii()
    assert name.isprintable()
    assert not name.startswith(".")
    assert len(name) < 100


def test_a_typed_path_is_taken_as_typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/reader")
    monkeypatch.setenv("WHERE", "/srv")
    assert typed_path("a/b.json", tmp_path) == tmp_path / "a/b.json"
    assert typed_path("~/x.json ", tmp_path) == Path("/home/reader/x.json")
    assert typed_path("$WHERE/x.json", tmp_path) == Path("/srv/x.json")


def test_a_file_that_is_there_stays_and_the_next_number_is_taken(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(b"mine")
    os.symlink("nowhere", tmp_path / "a-2.json")
    path = write_new(tmp_path, "a.json", b"new")
    assert path.name == "a-3.json"
    assert (tmp_path / "a.json").read_bytes() == b"mine"
    assert not (tmp_path / "nowhere").exists()
    assert free_name(tmp_path, "a.json") == "a-4.json"
    with pytest.raises(FileExistsError):
        write_at(tmp_path / "a.json", b"new")
    write_at(tmp_path / "a.json", b"new", over=True)
    assert (tmp_path / "a.json").read_bytes() == b"new"
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a-2.json", "a-3.json", "a.json"]


def test_the_mode_is_that_of_any_file_unless_it_is_private(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        assert write_new(tmp_path, "a", b"").stat().st_mode & 0o777 == 0o644
        assert write_new(tmp_path, "b", b"", private=True).stat().st_mode & 0o777 == 0o600
    finally:
        os.umask(before)


def test_what_cannot_be_written_is_a_sentence_and_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="No such file or directory"):
        write_new(tmp_path / "gone", "a", b"x")
    with pytest.raises(FileError, match="is a folder"):
        write_at(tmp_path, b"x")
    full = Path("/dev/full")
    if full.exists():
        with pytest.raises((FileError, FileExistsError)):
            write_at(full, b"x")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "typed", ["x" * 300, "x" * 5_000, "~no-such-user/x", "no/such/folder", "\0x", "\ud800", ".", "/dev/null", "loop/x"]
)
@pytest.mark.parametrize("over", [False, True])
def test_whatever_is_typed_is_written_or_refused_in_a_sentence(typed: str, over: bool, tmp_path: Path) -> None:
    os.symlink("loop", tmp_path / "loop")
    with pytest.raises(FileError):
        write_at(typed_path(typed, tmp_path), b"data", over=over)
    assert [path.name for path in tmp_path.iterdir()] == ["loop"]
    assert Path("/dev/null").is_char_device()


def test_a_link_that_is_there_is_taken_away_and_never_followed(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_bytes(b"mine")
    os.symlink(target, link)
    with pytest.raises(FileExistsError):
        write_at(link, b"new")
    write_at(link, b"new", over=True)
    assert (target.read_bytes(), link.read_bytes(), link.is_symlink()) == (b"mine", b"new", False)
