"""What becomes of a body that is larger than is kept in memory: its first part stays, all of it goes into a file.

Rules of this file:

* Memory is bounded by the cap, whatever comes; the file by `MOST` and by what is free on its disk less `RESERVE`.
* The file holds the body with its content coding undone, byte for byte, but for secrets: known values are masked as
  the bytes come, since a credential is never in a file. What is no known value is not touched.
* It is readable by the user alone. Its name comes from the time and the serial of the exchange, never from a server.
* A file is finished by whoever made it and never deleted here: it belongs to an exchange of the history.
* Nothing raises: a full disk is a sentence in `problem`.
* The writes are made on the event loop: they go to the cache of the system, a chunk at a time.
"""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import time
from contextvars import ContextVar
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING

from olv_tui.courtesy import PIECE
from olv_tui.model import Spill

if TYPE_CHECKING:
    from collections.abc import Callable

    from olv_tui.redact import Redactor

CAP = 256_000_000
"""Bytes of one body that are kept in memory where nothing else was said."""

MOST = 4_000_000_000
"""Bytes that one file may grow to."""

RESERVE = 500_000_000
"""Bytes that stay free on the disk."""

_LOOK_EVERY = 64_000_000  # Others write to the disk as well: what is free is looked at again after so many bytes.
_SUFFIXES = {"application/json": ".json", "text/html": ".html", "text/plain": ".txt", "text/event-stream": ".sse"}
_OTHERS = 1000
_AT_ONCE = 2 * PIECE  # of what is kept when its file begins, with each piece that comes

SERIAL: ContextVar[int] = ContextVar("olv_tui.transport.serial", default=0)
"""The serial of the exchange that is made in this context; it gives a file its name."""


@dataclass(frozen=True, slots=True)
class Keeping:
    """How much of a body is kept, and where the rest goes.

    `cap` are the bytes kept in memory, 0 for all of them. `folder` is where files go, None where there are none
    (`--no-history` keeps nothing). `redactor` knows the secrets that must not stand in a file.
    """

    cap: int = CAP
    folder: Path | None = None
    redactor: Redactor | None = None
    most: int = MOST
    reserve: int = RESERVE

    def capped(self, cap: int | None) -> Keeping:
        """The same with another cap; None changes nothing."""
        return self if cap is None else replace(self, cap=cap)


class Body:
    """Collects one body.

    `spills`: what is beyond the cap goes to a file; else it is let go. `redactor` gives what the file is masked with,
    None for nothing; it is asked for when there is a file to be made.
    """

    def __init__(
        self, keeping: Keeping, redactor: Callable[[], Redactor | None] = lambda: None, *, spills: bool = True
    ) -> None:
        self.size = 0
        self.problem = ""
        """Why no more can be taken in, in words that follow "because"; reading on is of no use then."""
        self.media_type = ""
        self._keeping = keeping
        self._spills = spills
        self._ask = redactor
        self._redactor: Redactor | None = None
        self._reach = 0
        self._kept = io.BytesIO()  # gives all of it without a copy, however it grew
        self._start: bytes | None = None
        self._file: _File | None = None
        self._copied = 0  # bytes of what is kept that the file has
        self._later: list[bytes] = []  # what came behind them

    @property
    def is_over(self) -> bool:
        """Whether more came than is kept in memory."""
        return bool(self._keeping.cap) and self.size > self._keeping.cap

    def add(self, chunk: bytes) -> None:
        """Take a piece."""
        if self.problem or not chunk:
            return
        self.size += len(chunk)
        if not self.is_over:
            self._kept.write(chunk)
            return
        if self._redactor is None and self._spills:
            self._redactor = self._ask()
            self._reach = 0 if self._redactor is None else self._redactor.reach
        # A little more than the cap stays until the end: it tells whether the cut would go through a secret.
        room = self._keeping.cap + self._reach - self._kept.tell()
        if room > 0:
            self._kept.write(chunk[:room])
        if not self._spills:
            return
        rest = chunk[max(room, 0) :]
        if self._file is None:
            self._open()
        if self._file is not None:
            self._later.append(rest)
            self._catch_up(_AT_ONCE)

    def beginning(self, most: int) -> bytes:
        """The first `most` bytes, as far as they came."""
        if self._start is None or (len(self._start) < most and len(self._start) < self._kept.tell()):
            with self._kept.getbuffer() as held:
                self._start = bytes(held[:most])
        return self._start

    def kept(self) -> bytes:
        """What is kept in memory."""
        whole = self._kept.getvalue()
        if not self.is_over:
            return whole
        cap, redactor = self._keeping.cap, self._redactor
        return whole[: cap if redactor is None else redactor.uncut(whole, cap)]

    def close(self) -> None:
        """No more will come."""
        if self._file is not None:
            self._catch_up(self._kept.tell())
            self.problem = self._file.close() or self.problem

    def spill(self) -> Spill | None:
        """What became of the rest, None where there is none."""
        if not self.is_over:
            return None
        path = "" if self._file is None else str(self._file.path)
        return Spill(self.size, self._keeping.cap, path, self.problem)

    def _open(self) -> None:
        keeping = self._keeping
        if keeping.folder is None:
            self.problem = "nothing is kept in files in this run"
            return
        try:
            self._file = _File(keeping, self._redactor, _SUFFIXES.get(self.media_type, ".body"))
        except OSError as error:
            self.problem = f"no file for it can be made in {keeping.folder} ({error.strerror or error})"
            return

    def _catch_up(self, most: int) -> None:
        """Write so much of what is kept to the file, and what came behind it once all of that is written.

        All at once would hold up the screen for as long as a disk takes for the cap.
        """
        end = min(self._copied + most, self._kept.tell())
        while self._copied < end:
            stop = min(self._copied + PIECE, end)
            with self._kept.getbuffer() as held:
                part = bytes(held[self._copied : stop])
            self._write(part)
            self._copied = stop
        if self._copied == self._kept.tell():
            for part in self._later:
                self._write(part)
            self._later.clear()

    def _write(self, chunk: bytes) -> None:
        if self._file is not None and not self.problem:
            self.problem = self._file.write(chunk)


class _File:
    """A file that a body is written to, masked on the way. Raises OSError where it cannot be made."""

    def __init__(self, keeping: Keeping, redactor: Redactor | None, suffix: str) -> None:
        assert keeping.folder is not None
        keeping.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._keeping = keeping
        self._mask = None if redactor is None else StreamMask(redactor)
        self._written = self._looked = 0
        self._room = self._free()
        self.path, self._stream = _made(keeping.folder, suffix)

    def write(self, chunk: bytes) -> str:
        """Write a piece; "" or why it could not be written."""
        return self._put(chunk if self._mask is None else self._mask.feed(chunk))

    def close(self) -> str:
        """Write what was held back; "" or why it could not be written."""
        problem = "" if self._mask is None else self._put(self._mask.end())
        try:
            self._stream.close()
        except OSError as error:
            return problem or _failed(self.path, error)
        return problem

    def _put(self, data: bytes) -> str:
        if self._written - self._looked >= _LOOK_EVERY:
            self._looked, self._room = self._written, self._written + self._free()
        if self._written + len(data) > self._keeping.most:
            return f"a file of it may have {self._keeping.most:,} bytes"
        if self._written + len(data) > self._room:
            return f"the disk of {self.path.parent} is nearly full"
        try:
            self._stream.write(data)
        except OSError as error:
            return _failed(self.path, error)
        self._written += len(data)
        return ""

    def _free(self) -> int:
        assert self._keeping.folder is not None
        return shutil.disk_usage(self._keeping.folder).free - self._keeping.reserve


def _failed(path: Path, error: OSError) -> str:
    return f"{path} cannot be written ({error.strerror or error})"


def _made(folder: Path, suffix: str) -> tuple[Path, IO[bytes]]:
    """A new file with a name of ours. Raises OSError."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    stem = f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}-{SERIAL.get()}"
    for number in range(_OTHERS):
        path = folder / (stem + (f"-{number}" if number else "") + suffix)
        # A name that exists is another exchange's of the same second; a link in its place is not followed.
        with contextlib.suppress(FileExistsError):
            return path, os.fdopen(os.open(path, flags, 0o600), "wb")
    raise FileExistsError(f"every name like {stem} is taken")


class StreamMask:
    """Masks known values in bytes that come in pieces, wherever the cuts fall."""

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor
        self._held = b""

    def feed(self, chunk: bytes) -> bytes:
        """What is certain by now, masked; the last bytes wait, as a value may go on in the next piece."""
        data = self._held + chunk
        cut = self._redactor.uncut(data, max(len(data) - self._redactor.reach, 0))
        self._held = data[cut:]
        return self._redactor.data(data[:cut])

    def end(self) -> bytes:
        """The rest."""
        rest, self._held = self._redactor.data(self._held), b""
        return rest
