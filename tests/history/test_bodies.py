"""Files of bodies too large for memory go with their exchanges, and what is carried of them elsewhere is told."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from olv_tui.__main__ import main
from olv_tui.demo.server import DemoServer
from olv_tui.history import History, Keep
from olv_tui.model import Judgement, Reply, Spill, Verdict, WireResponse

from .test_store import REDACTOR, request


@pytest.fixture
def history(tmp_path: Path) -> Iterator[History]:
    with closing(History(tmp_path / "h.sqlite3", REDACTOR)) as opened:
        yield opened


def spilled(history: History, size: int = 1000, *, ended: bool = True) -> tuple[int, Path]:
    """An exchange with a file of so many bytes."""
    serial = history.begin(request("1"))
    assert history.bodies is not None
    history.bodies.mkdir(exist_ok=True)
    file = history.bodies / f"20261202-080000-{serial}.json"
    file.write_bytes(b"x" * size)
    if ended:
        response = WireResponse(200, "OK", (), b"x" * 10, spill=Spill(size, 10, str(file)))
        ending = replace(request("1"), serial=serial, reply=Reply(response), judgement=Judgement(Verdict.RESULT, "ok"))
        history.finish(ending)
    return serial, file


def test_a_file_goes_with_its_exchange_and_counts_in_its_size(history: History) -> None:
    (_, oldest), (starred, spared), (_, newest) = (spilled(history, 900_000) for _ in range(3))
    history.star(starred, True)
    planned = history.compact(Keep(megabytes=1), dry_run=True)
    assert oldest.exists()
    assert (planned.exchanges, planned.size > 900_000) == (1, True)
    history.compact(Keep(megabytes=1))
    assert (oldest.exists(), spared.exists(), newest.exists()) == (False, True, True)
    assert history.delete(starred) == ""
    assert not spared.exists()
    assert history.get(starred) is None


def test_what_is_deleted_is_not_in_the_file_any_more(history: History) -> None:
    serial = history.begin(replace(request("1"), target="needle-in-the-history"))
    assert history.path is not None
    held = [history.path, Path(f"{history.path}-wal")]
    assert any(b"needle-in-the-history" in file.read_bytes() for file in held)
    history.delete(serial)
    assert not any(b"needle-in-the-history" in file.read_bytes() for file in held)


def test_files_of_no_exchange_are_found_and_those_that_may_be_somebodys_stay(history: History) -> None:
    _, kept = spilled(history)
    _, pending = spilled(history, ended=False)
    folder = kept.parent
    lost, ahead, old = (folder / f"20261202-080000-{name}.json" for name in ("1-7", "1000001", "1000002"))
    foreign = folder / "notes.txt"
    for file in (lost, ahead, old, foreign):
        file.touch()
    os.utime(old, (0, 0))
    assert history.compact(Keep(), dry_run=True).orphans == 2
    assert lost.exists()
    assert history.compact(Keep(), thrifty=True).orphans == 0
    assert history.compact(Keep()).orphans == 2
    assert sorted(file.name for file in folder.iterdir()) == sorted([kept.name, pending.name, ahead.name, foreign.name])
    lost.touch()
    assert history.path is not None
    aside = Path(f"{history.path}.damaged-20261202T080000Z")
    aside.touch()
    told = history.compact(Keep())
    assert (told.orphans, str(aside) in told.notice, lost.exists()) == (0, True, True)


def test_a_row_that_names_a_file_elsewhere_deletes_none(history: History, tmp_path: Path) -> None:
    elsewhere = tmp_path / "20261202-080000-1.json"
    elsewhere.touch()
    for path in (str(elsewhere), "..", "/", "", "\0"):
        response = WireResponse(200, "OK", (), b"x", spill=Spill(5, 1, path))
        serial = history.begin(request("1"))
        history.finish(replace(request("1"), serial=serial, reply=Reply(response)))
    spilled(history)
    assert history.compact(Keep(count=0)).exchanges == 6
    assert elsewhere.exists()


def test_exports_and_cassettes_carry_all_of_it_or_tell_that_it_is_cut(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    file, tape, har, report = (tmp_path / name for name in ("h.sqlite3", "c.jsonl", "h.har", "r.md"))
    with DemoServer() as server:
        target = ["--url", server.url, "--era", "bare", "--history", str(file)]
        main(["call", "olv_list_worlds", *target, "--max-body", "200", "--record", str(tape)])
        assert main(["replay", "--all", str(tape), *target]) == 0
    (body,) = (tmp_path / "h.sqlite3-bodies").iterdir()
    whole = body.read_bytes()
    assert json.loads(tape.read_text().splitlines()[1])["response"]["body"].encode() == whole
    cut = f"The answer is cut here: the first 200 of its {len(whole):,} bytes"
    capfd.readouterr()
    main(["history", "export", "@1", "--as", "har", "--history", str(file)])
    har.write_text(capfd.readouterr().out)
    assert json.loads(har.read_text())["log"]["entries"][0]["response"]["content"]["text"].encode() == whole
    main(["history", "export", "@1", "--as", "report", "--history", str(file)])
    out, err = capfd.readouterr()
    report.write_text(out)
    assert cut in out
    assert str(tmp_path) not in out
    assert cut in err
    main(["replay", str(report), "--dry-run", "--json"])
    assert json.loads(capfd.readouterr().out)["expected"] is None
    assert main(["history", "delete", "@1", "--history", str(file)]) == 0
    assert not body.exists()


def test_a_body_whose_file_is_gone_is_played_as_one_that_breaks_off(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    file, tape = tmp_path / "h.sqlite3", tmp_path / "c.jsonl"
    with DemoServer() as server:
        target = ["--url", server.url, "--era", "bare", "--history", str(file)]
        main(["call", "olv_list_worlds", *target, "--max-body", "200"])
        (body,) = (tmp_path / "h.sqlite3-bodies").iterdir()
        body.unlink()
        main(["history", "export", "@1", "--as", "har", "--history", str(file)])
        assert "cut: the beginning of a body" in capfd.readouterr().out
        main(["cassette", "--from-history", "-o", str(tape), "--history", str(file)])
        assert main(["replay", "--all", str(tape), *target]) == 0
        assert "only the beginning of its answer was recorded" in capfd.readouterr().out
    assert main(["call", "olv_list_worlds", "--cassette", str(tape), "--era", "bare", "--no-history"]) == 7
    assert "it breaks off there" in capfd.readouterr().err
