"""A cassette that is played: found by key, read line by line.

Rules of this file:

* Opening reads where lines begin and what they begin with, never a body: 10,000 exchanges are there at once.
* A line that cannot be used is told by its number and passed over; the others count.
* The file is only read. It may grow while it is open; what comes later is not seen.
"""

from __future__ import annotations

import mmap
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from olv_tui.cassette import lines
from olv_tui.cassette.keys import Key, key_of
from olv_tui.config import UsageError
from olv_tui.model import Exchange

_START = 1024
"""Bytes at the start of a line that its key is looked for in."""


class Tape:
    """A cassette by its index. `tell` hears of each line that cannot be used. Raises UsageError where there is none.

    Lines are counted from 1, as editors do; the header is line 1.
    """

    def __init__(self, path: Path, tell: Callable[[str], None]) -> None:
        self.path = path
        self._tell = tell
        self._places: dict[int, tuple[int, int]] = {}
        self._keys: dict[int, Key] = {}
        self._exact: dict[str, list[int]] = {}
        self._loose: dict[str, list[int]] = {}
        self._turns: Counter[str] = Counter()
        self._is_checked = False
        self.damaged: dict[int, str] = {}
        """Why the lines that were passed over cannot be used, by their numbers."""
        try:
            self._file = path.open("rb")
        except OSError as error:
            raise UsageError(f"the cassette {path} cannot be read: {error.strerror}") from error
        if not self._file.seekable():
            self._file.close()
            raise UsageError(
                f"the cassette {path} is a pipe: only a file can be played, as lines are found by their place"
            )
        try:
            self.head = lines.read_head(self._file.readline())
            self._index(self._file.tell())
        except lines.LineError as error:
            self._file.close()
            raise UsageError(f"{path} is no cassette that can be played: {error}") from error
        except OSError as error:
            self._file.close()
            raise UsageError(f"the cassette {path} cannot be read: {error.strerror}") from error

    def __len__(self) -> int:
        return len(self._keys)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def names(self) -> Counter[str]:
        """How often each kind of request is on it, such as `tools/call olv_list_worlds`."""
        return Counter(key.what for key in self._keys.values())

    def exchanges(self) -> Iterator[Exchange]:
        """All of them in order; `serial` is the number of the line."""
        for number in list(self._places):
            found = self._load(number)
            if found is not None:
                yield found

    def next(self, key: Key) -> Exchange | None:
        """The next recording of a request: the same one, else one that is nearly the same; the last one repeats."""
        found = self._turn(self._exact, key.exact) or self._turn(self._loose, key.loose)
        if found is None and not self._is_checked:
            # A line changed by hand keeps the key that it had: looked at once, before anything is called missing.
            self._is_checked = True
            for _ in self.exchanges():
                pass
            return self._turn(self._exact, key.exact) or self._turn(self._loose, key.loose)
        return found

    def _turn(self, index: dict[str, list[int]], key: str) -> Exchange | None:
        while numbers := index.get(key):
            number = numbers[min(self._turns[key], len(numbers) - 1)]
            found = self._load(number)
            if found is not None and number in numbers:
                self._turns[key] += 1
                return found
        return None

    # ----------------------------------------------------------------------- index

    def _index(self, start: int) -> None:
        with mmap.mmap(self._file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            number = 1
            while start < len(data):
                number += 1
                end = data.find(b"\n", start)
                end = len(data) if end < 0 else end
                if data[start : min(end, start + _START)].strip():
                    self._place(number, start, end, data)
                start = end + 1

    def _place(self, number: int, start: int, end: int, data: mmap.mmap) -> None:
        try:
            first = data[start : min(end, start + _START)]
            is_whole = data[max(start, end - 2) : end].rstrip().endswith(b"}")
            key = lines.key_in(first if is_whole and lines.START.match(first) else data[start:end])
            if not is_whole:
                raise lines.LineError("it is not whole")
        except lines.LineError as error:
            self._damaged(number, error)
            return
        self._places[number] = (start, end)
        self._file_under(number, key)

    def _file_under(self, number: int, key: Key) -> None:
        self._keys[number] = key
        self._exact.setdefault(key.exact, []).append(number)
        self._loose.setdefault(key.loose, []).append(number)

    def _load(self, number: int) -> Exchange | None:
        """The exchange of a line; None where the line is damaged, which is told and taken out of the index."""
        start, end = self._places[number]
        self._file.seek(start)
        try:
            found = lines.exchange(self._file.read(end - start), number)
        except lines.LineError as error:
            self._forget(number)
            del self._places[number]
            self._damaged(number, error)
            return None
        key = key_of(found.request)
        if key != self._keys[number]:
            self._forget(number)
            self._file_under(number, key)
        return found

    def _forget(self, number: int) -> None:
        key = self._keys.pop(number)
        self._exact[key.exact].remove(number)
        self._loose[key.loose].remove(number)

    def _damaged(self, number: int, error: Exception) -> None:
        self.damaged[number] = str(error)
        self._tell(f"line {number} of {self.path.name} is passed over: {error}")
