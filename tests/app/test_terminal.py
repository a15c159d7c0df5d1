"""How the explorer leaves a terminal, and what it tells the shell."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from olv_tui.history import History
from olv_tui.model import Verdict
from olv_tui.redact import Redactor
from tests.app.terminal import terminal

LEFT = b"\x1b[?1049l"
"""The alternate screen is left."""


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_signal_to_end_gives_the_terminal_back_and_completes_the_history(
    number: signal.Signals, code: int, tmp_path: Path
) -> None:
    file = tmp_path / "history.db"
    with terminal(["--demo", "--history", str(file)], tmp_path) as run:
        run.until(b"olv_flaky")
        run.write(b"/export\rw_lantern\r50\r60\r\n")
        run.until(b"Esc cancels")
        run.process.send_signal(number)
        assert run.ends() == code
        assert LEFT in run.output
    history = History(file, Redactor(b"a key for tests"))
    (row,) = history.recent(10)
    history.close()
    assert row.verdict is Verdict.CANCELLED, "written down by the program that ended, not found lost by the next"


def test_a_crash_ends_with_code_one_and_a_plain_end_with_none(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import olv_tui.screens.panes as panes\n"
        "def broken(self):\n    raise RuntimeError('broken for a test')\n"
        "panes.PaneScreen.action_jump = broken\n"
    )
    for keys, code in ((b"\x0f", 1), (b"\x11", 0)):
        with terminal(["--demo"], tmp_path, PYTHONPATH=f"{tmp_path}:{Path(__file__).parents[2]}") as run:
            run.until(b"olv_flaky")
            run.write(keys)
            assert run.ends() == code
            assert LEFT in run.output


@pytest.mark.parametrize("size", [(140, 42), (80, 24)])
@pytest.mark.parametrize("editor", ["nosuch-editor", __file__])
def test_an_editor_that_cannot_be_started_is_told_and_keys_work_on(
    editor: str, size: tuple[int, int], tmp_path: Path
) -> None:
    with terminal(["--demo"], tmp_path, size, EDITOR=editor) as run:
        run.until(b"olv_flaky")
        run.write(b"\x1bOS")
        run.until(b"could not be run")
        run.write(b"\n")
        run.until(b"Lantern Bay")
        run.write(b"\x11")
        assert run.ends() == 0
