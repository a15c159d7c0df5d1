"""A text in the reader's pager: `$PAGER`, else less, else more.

Rules of this file:

* The text is made safe by the caller: what a pager does with control characters is its own matter. less is told to
  open no other files and no shell (LESSSECURE).
* Whatever goes wrong comes back as a sentence. Nothing is raised while the screen is suspended.
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress


def page(
    data: bytes | Iterable[bytes],
    suspend: Callable[[], AbstractContextManager[None]],
    environ: Mapping[str, str] = os.environ,
) -> str:
    """Show a text, whole or in pieces, while the screen is `suspend`ed; what went wrong, or "".

    Pieces are made as the pager takes them: the beginning of a large file is there at once. What their making raises
    as an OSError is told.
    """
    command = environ.get("PAGER", "").strip()
    try:
        words = shlex.split(command)
    except ValueError as error:
        return f"The pager command {command!r} cannot be read: {error}."
    path = environ.get("PATH", os.defpath)
    if not words:
        words = next(([name] for name in ("less", "more") if shutil.which(name, path=path)), [])
        if not words:
            return "There is no pager: put its command into $PAGER."
    if shutil.which(words[0], path=path) is None:
        return f"The pager could not be run: there is no program {words[0]!r}. Look at $PAGER."
    with suspend():
        return _run(words, data, {**environ, "LESSSECURE": "1"})


@contextmanager
def _interrupts_are_its_own() -> Iterator[None]:
    """ctrl+c goes to every program of the terminal: in a pager it stops a search, and must not end what called it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, lambda *_: None)  # SIG_IGN would be handed on to the pager
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _run(words: list[str], data: bytes | Iterable[bytes], environ: Mapping[str, str]) -> str:
    try:
        # The text comes by a pipe: a reader who quits early closes it, and that is no fault.
        with (
            _interrupts_are_its_own(),
            suppress(BrokenPipeError),
            subprocess.Popen(words, stdin=subprocess.PIPE, env=dict(environ)) as pager,  # noqa: S603  the reader's own
        ):
            for piece in (data,) if isinstance(data, bytes) else data:
                assert pager.stdin is not None
                pager.stdin.write(piece)
        code = pager.returncode
    except (OSError, ValueError) as error:
        return f"The pager could not be run: {error}."
    return f"{words[0]} ended with exit code {code}." if code else ""
