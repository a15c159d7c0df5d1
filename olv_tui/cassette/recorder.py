"""Recording: every exchange to one file, as it ends.

Rules of this file:

* A file that is there is never written over: it is refused, or with `append` gone on in.
* Written is what is redacted, one line in one go, and flushed: a kill leaves whole lines and at most one cut one.
* The file is readable by the user alone.
* A disk that is full ends the recording with a sentence and never a call.
"""

from __future__ import annotations

import errno
import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from olv_tui.cassette import lines
from olv_tui.config import UsageError
from olv_tui.model import Exchange, Target
from olv_tui.redact import Redactor
from olv_tui.reports import cut
from olv_tui.session.values import utc_now

if TYPE_CHECKING:
    from collections.abc import Callable

    from olv_tui.history import History


_THERE = "{} is there already and is kept: give another name, or --append to go on in it"


class Recorder:
    """A cassette that is being written. Usable from several threads."""

    def __init__(self, path: Path, head: lines.Head, redactor: Redactor, *, append: bool = False) -> None:
        """Open the file and write the header. Raises UsageError where that cannot be."""
        self.path = path
        self._redactor = redactor
        self._lock = threading.Lock()
        self._file = _open(path, append=append)
        try:
            if not self._file.tell():
                self._put(lines.head_line(head))
        except OSError as error:
            self._file.close()
            raise UsageError(f"{path} cannot be written: {error.strerror}") from error

    def write(self, exchange: Exchange) -> None:
        """Add an exchange, masked here, with all of a body that is in a file. Raises OSError."""
        data = lines.line(self._redactor.exchange(cut.whole(exchange)))
        with self._lock:
            self._put(data)

    def close(self) -> None:
        """Close the file; nothing can be added any more."""
        self._file.close()

    def _put(self, data: bytes) -> None:
        if self._file.write(data) != len(data):  # the file is unbuffered: what is written is with the system
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


class Taping:
    """A history that is recorded as well. Implements session.Journal; `tell` hears once why a recording ended."""

    def __init__(self, history: History, recorder: Recorder, tell: Callable[[str], None]) -> None:
        self._history = history
        self._recorder = recorder
        self._tell = tell
        self._is_broken = False

    def peek_id(self) -> int:
        """As the history."""
        return self._history.peek_id()

    def next_id(self) -> int:
        """As the history."""
        return self._history.next_id()

    def begin(self, exchange: Exchange) -> int:
        """As the history: what has not ended is on no cassette."""
        return self._history.begin(exchange)

    def keep(self, exchange: Exchange) -> None:
        """As the history."""
        self._history.keep(exchange)

    def finish(self, exchange: Exchange) -> None:
        """Keep it in the history and on the cassette."""
        self._history.finish(exchange)
        if self._is_broken:
            return
        try:
            self._recorder.write(exchange)
        except (OSError, ValueError) as error:  # ValueError: closed
            self._is_broken = True
            reason = (isinstance(error, OSError) and error.strerror) or error
            self._tell(f"the recording to {self._recorder.path} ended before this exchange: {reason}")
            return
        if sentence := cut.told(cut.whole(exchange)):
            self._tell(f"{self._recorder.path}: {sentence[:1].lower()}{sentence[1:]}")


def head_of(target: Target, redactor: Redactor) -> lines.Head:
    """The header of a recording that begins now."""
    return lines.Head(redactor.text(target.name), redactor.url(target.url), target.era, utc_now())


def check(path: Path, *, append: bool) -> None:
    """See that a recording can begin there, without beginning it. Raises UsageError."""
    if not path.exists():
        if not path.parent.is_dir():
            raise UsageError(f"{path} cannot be written: there is no folder {path.parent}")
    elif not append:
        raise UsageError(_THERE.format(path))
    else:
        _open(path, append=True).close()


def _open(path: Path, *, append: bool) -> BinaryIO:
    """The file, at its end. Raises UsageError."""
    # 0o600 from the first moment: what tools answer is nobody else's business.
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
    try:
        file = os.fdopen(os.open(path, flags if append else flags | os.O_EXCL, 0o600), "a+b", buffering=0)
    except FileExistsError as error:
        raise UsageError(_THERE.format(path)) from error
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from error
    try:
        _make_ready(file)
    except lines.LineError as error:
        file.close()
        raise UsageError(f"{path} is no cassette and is kept as it is: {error}") from error
    return file


def _make_ready(file: BinaryIO) -> None:
    """See that an earlier file is a cassette, and end its last line where a kill cut it. Raises LineError."""
    end = file.seek(0, os.SEEK_END)
    if not end:
        return
    file.seek(0)
    with os.fdopen(os.dup(file.fileno()), "rb") as reader:
        lines.read_head(reader.readline())
    file.seek(end - 1)
    if file.read(1) != b"\n":
        file.write(b"\n")
    file.seek(0, os.SEEK_END)
