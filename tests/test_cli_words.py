"""What is said of wrong usage and of an output that takes nothing: plain words, one sentence, the right exit code."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from olv_tui.__main__ import main

SAID = {
    "seconds": (["tools", "--demo", "--timeout", "x"], "--timeout: 'x' is no number of seconds"),
    "no time": (["tools", "--demo", "--timeout", "0"], "--timeout: 0 is not more than 0 and at most 86400 seconds"),
    "no number at all": (["tools", "--demo", "--timeout", "nan"], "nan is not more than 0"),
    "a port": (["demo-server", "--port", "x"], "--port: 'x' is no whole number"),
    "a limit": (["history", "list", "--limit", "many"], "--limit: 'many' is no whole number"),
    "a demo": (["tools", "--demo", "sessoins"], "--demo: 'sessoins' is no mode of the demo: it may be unlinked or"),
    "an era": (["tools", "--demo", "--era", "x"], "--era: 'x' (choose from"),
    "no value": (["tools", "--demo", "--timeout"], "--timeout: a value has to follow"),
    "nothing": (["call", "--demo"], "something is missing: TOOL [ARGS]"),
    "no option": (["tools", "--demo", "--frob"], "not known here: --frob"),
    "settings": (["tools", "--demo", "--config", "/nowhere/x.toml"], "the settings file /nowhere/x.toml is not there"),
    "settings of the explorer": (
        ["--demo", "--config", "/nowhere/x.toml"],
        "the settings file /nowhere/x.toml is not there",
    ),
}


@pytest.mark.parametrize(("words", "said"), SAID.values(), ids=SAID.keys())
def test_wrong_usage_is_told_in_plain_words(words: list[str], said: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    told = capfd.readouterr()
    assert said in told.err
    assert "argument" not in told.err
    assert "invalid" not in told.err
    assert (told.out, told.err.count("\n")) == ("", 1)


def test_a_folder_is_no_history(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["tools", "--demo", "--history", str(tmp_path)]) == 2
    assert f"--history names the folder {tmp_path}; it takes a file" in capfd.readouterr().err


def test_the_number_of_older_exchanges_is_told_in_grammar(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    where = ["--history", str(tmp_path / "h.sqlite3")]
    for times, said in ((2, "1 older exchange has the id 7: @1"), (3, "2 older exchanges have the id 7: @2, @1")):
        for _ in range(times - (times == 3) * 2):
            main(["call", "olv_list_worlds", "--id", "7", "--demo", "--era", "bare", *where])
        capfd.readouterr()
        assert main(["history", "show", "7", *where]) == 0
        assert said in capfd.readouterr().err


def olv(words: list[str], home: Path, stdout: str) -> tuple[int, str]:
    """The exit code and stderr of a run whose standard output is this file, or closed ("")."""
    environment = {**os.environ, "XDG_DATA_HOME": str(home), "XDG_CONFIG_HOME": str(home)}
    command = ["sh", "-c", f'exec "$0" -m olv_tui "$@" {f">{stdout}" if stdout else ">&-"}', sys.executable, *words]
    ended = subprocess.run(command, stderr=subprocess.PIPE, env=environment, timeout=60, check=False)
    return ended.returncode, ended.stderr.decode()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("words", [["tools", "--demo"], ["call", "olv_list_worlds", "--demo", "--json"], ["--help"]])
def test_a_full_disk_is_told_in_one_sentence_and_exits_1(words: list[str], tmp_path: Path) -> None:
    code, told = olv(words, tmp_path, "/dev/full")
    assert (code, told) == (1, "olv-tui: the output cannot be written: No space left on device\n")


def test_a_closed_output_is_told_in_one_sentence_and_exits_1(tmp_path: Path) -> None:
    code, told = olv(["tools", "--demo"], tmp_path, "")
    assert (code, told) == (1, "olv-tui: the output is closed, so nothing can be written to it\n")


def test_an_explorer_without_any_output_is_wrong_usage(tmp_path: Path) -> None:
    code, told = olv(["--demo"], tmp_path, "")
    assert code == 2
    assert "needs a terminal" in told
