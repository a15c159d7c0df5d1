"""The explorer in a real pseudo-terminal: whole bursts of keys in one write."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.app.recorded import Screen

LIMIT = 30.0
"""Seconds after which something that did not come never will."""


class Terminal:
    """A program behind a pseudo-terminal; `output` is every byte it wrote, `screen` what they come to."""

    def __init__(self, process: subprocess.Popen[bytes], master: int, size: tuple[int, int]) -> None:
        self.process = process
        self.output = bytearray()
        self.screen = Screen(*size)
        self._master = master

    def write(self, keys: bytes) -> None:
        """Press keys, all of them in one write."""
        os.write(self._master, keys)

    def until(self, came: bytes | Callable[[], bool]) -> None:
        """Read on until bytes have come, or something holds."""
        end = time.monotonic() + LIMIT
        while not (came in self.output if isinstance(came, bytes) else came()):
            assert time.monotonic() < end, f"never came: {came!r}\n{self.screen.text}"
            assert self.process.poll() is None, f"it ended before {came!r} came\n{self.output[-2000:]!r}"
            self._read(0.02)

    def is_busy(self) -> bool:
        """Read what comes within a moment; whether anything did."""
        return self._read(0.2)

    def ends(self) -> int:
        """Read on until the program has ended; its exit code."""
        end = time.monotonic() + LIMIT
        while self.process.poll() is None:
            assert time.monotonic() < end, "it never ended"
            self._read(0.02)
        while self._read(0.05):
            pass
        return self.process.returncode

    def _read(self, seconds: float) -> bool:
        ready, _, _ = select.select([self._master], [], [], seconds)
        if ready:
            with contextlib.suppress(OSError):  # the other end is closed
                data = os.read(self._master, 1 << 16)
                self.output += data
                self.screen.feed(data)
                return bool(data)
        return False


@contextmanager
def terminal(
    words: Sequence[str], folder: Path, size: tuple[int, int] = (140, 42), **environ: str
) -> Iterator[Terminal]:
    """Run olv-tui with these words in a terminal of its own, in `folder`, where its data lies as well."""
    pty = pytest.importorskip("pty", reason="there are no pseudo-terminals here")
    import fcntl
    import termios

    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
    # A size in the environment goes before that of the terminal.
    left = ("EDITOR", "VISUAL", "COLUMNS", "LINES")
    kept = {name: value for name, value in os.environ.items() if name not in left}
    paths = os.pathsep.join((str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")))
    home = {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "PYTHONPATH": paths}
    env = {**kept, "TERM": "xterm-256color", **home, **environ}
    process = subprocess.Popen(
        [sys.executable, "-m", "olv_tui", *words],
        stdin=slave, stdout=slave, stderr=slave, env=env, start_new_session=True, cwd=folder,
    )  # fmt: skip
    os.close(slave)
    try:
        yield Terminal(process, master, size)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            process.wait()
        os.close(master)
