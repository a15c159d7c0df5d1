"""Servers for tests, each a program of its own on loopback."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.caselib import HERE, shared_folder


@contextmanager
def program(*command: str) -> Iterator[str]:
    """Run a program that prints its address first; gives the address."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.wait(10)


@contextmanager
def sdk_server() -> Iterator[str]:
    """The official SDK's server with the tools of tests/sdk_server.py; gives its address."""
    with program(sys.executable, str(HERE / "sdk_server.py")) as url:
        yield url


def recorded_servers() -> list[Path]:
    """The folders of recorded servers, where there are recordings."""
    shared = shared_folder()
    root = shared / "fixtures" / "real" if shared else None
    if root is None or not root.is_dir():
        return []
    return sorted(path for path in root.iterdir() if (path / "index.json").is_file())


@contextmanager
def replay(folder: Path) -> Iterator[str]:
    """A recorded server, answering with its recorded bytes at once; gives its address."""
    recorder = folder.parents[2] / "tools" / "record.py"
    with program(sys.executable, str(recorder), "serve", str(folder), "--speed", "0") as url:
        yield url
