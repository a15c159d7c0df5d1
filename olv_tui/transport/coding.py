"""Content codings undone as the bytes come: gzip, deflate (zlib and raw) and any stack of them.

Follows RFC 9110 8.4 and RFC 1950 to 1952.

Rules of this file:

* Only what stands in `ACCEPTED` is asked for, and everything asked for is undone here.
* What came out before a failure is kept; a failure is a sentence in a `CodingError`, caught in
  `incoming.py`.
* A body is undone in steps of at most `STEP` bytes, so that whoever takes them can stop at any of them: a megabyte of
  gzip can stand for a gigabyte, and that once more gzipped for a terabyte.
* Beyond `limit` a body may not be more than `GROWTH` times as large as what came of it: that is a bomb.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from olv_tui.model import Header

ACCEPTED = "gzip, deflate"

STEP = 1 << 20
"""Bytes that one step undoes at most."""

GROWTH = 250
"""How many times as large as on the wire a body may be beyond the limit. Lists of like rows come to some 50 times,
zeros to 1,030; each further coding multiplies it.
"""

_GZIP_WBITS = 31
_ZLIB_WBITS = 15
_RAW_WBITS = -15


class CodingError(Exception):
    """A body that cannot be undone; the text is one sentence that names the coding."""


class BombError(CodingError):
    """A body that grows without measure."""


def codings(headers: Iterable[Header]) -> tuple[str, ...]:
    """The codings in the order they were applied, in lower case, `identity` left out."""
    values = (value for name, value in headers if name.lower() == "content-encoding")
    names = (part.strip().lower() for value in values for part in value.split(","))
    return tuple(name for name in names if name not in {"", "identity"})


class Decoder:
    """Undoes a stack of codings.

    `limit` is how many bytes may come of whatever was sent. `problem` is None, or the sentence why these codings
    cannot be undone at all.
    """

    def __init__(self, names: tuple[str, ...], limit: int) -> None:
        self.problem: str | None = None
        self._limit = limit
        self._taken = self._given = 0
        unknown = [name for name in names if name not in {"gzip", "x-gzip", "deflate"}]
        if unknown:
            self.problem = f'The body has the content coding "{unknown[0]}", which cannot be undone here.'
        # The coding applied last is undone first.
        self._steps = [] if unknown else [_Inflate(name) for name in reversed(names)]

    def feed(self, data: bytes) -> Iterator[bytes]:
        """What `data` adds to the body, in pieces of at most `STEP` bytes. Raises CodingError after the last."""
        self._taken += len(data)
        for piece in self._undo(data, 0):
            self._given += len(piece)
            yield piece
            if self._given > self._limit and self._given > GROWTH * self._taken:
                raise BombError(
                    f"The {self._steps[-1].name} body grows beyond {self._limit:,} bytes and {GROWTH} times what was"
                    f" sent when it is undone; it was given up."
                )

    def _undo(self, data: bytes, number: int) -> Iterator[bytes]:
        if number == len(self._steps):
            yield data
            return
        for piece in self._steps[number].feed(data):
            yield from self._undo(piece, number + 1)

    def finish(self) -> None:
        """The end of the bytes. Raises CodingError where a coding was not over."""
        for step in self._steps:
            if step.unfinished:
                raise CodingError(f"The {step.name} body ends too soon: its content coding is not complete.")


class _Inflate:
    """One coding of the zlib family."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._gzip = name != "deflate"
        self._held = b""
        self._inflator = zlib.decompressobj(_GZIP_WBITS) if self._gzip else None
        self._begun = False

    @property
    def unfinished(self) -> bool:
        """True where bytes came but not the end of the coding (no bytes at all is an empty body)."""
        return self._begun and (self._inflator is None or not self._inflator.eof)

    def feed(self, data: bytes) -> Iterator[bytes]:
        """What `data` stands for, in pieces of at most `STEP` bytes. Raises CodingError."""
        self._begun = self._begun or bool(data)
        if self._inflator is None:
            data = self._held + data
            if len(data) < 2:
                self._held = data
                return
            self._inflator = zlib.decompressobj(_deflate_wbits(data))
        more = bool(data)
        while more:
            if self._inflator.eof:
                if not self._gzip or data[:1] != b"\x1f":
                    self._check_padding(data)
                    return
                self._inflator = zlib.decompressobj(_GZIP_WBITS)  # RFC 1952 2.2: members follow each other
            try:
                piece = self._inflator.decompress(data, STEP)
            except zlib.error as error:
                raise CodingError(
                    f"The body is labelled {self.name} but does not decode as {self.name} ({error})."
                ) from error
            data = self._inflator.unused_data if self._inflator.eof else self._inflator.unconsumed_tail
            # A full piece may have left some behind in zlib although all the bytes are taken.
            more = bool(data) or (len(piece) == STEP and not self._inflator.eof)
            if piece:
                yield piece

    def _check_padding(self, data: bytes) -> None:
        if data.strip(b"\0"):
            raise CodingError(f"The {self.name} body has {len(data):,} bytes after the end of its content coding.")


def _deflate_wbits(start: bytes) -> int:
    # RFC 9110 says that "deflate" is zlib, and some servers send it raw. A zlib header is CM 8 and a check
    # sum; no raw stream starts so, as its low bits would be a stored block with padding that is not zero.
    is_zlib = start[0] & 0x0F == 8 and int.from_bytes(start[:2], "big") % 31 == 0
    return _ZLIB_WBITS if is_zlib else _RAW_WBITS
