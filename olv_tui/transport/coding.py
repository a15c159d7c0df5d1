"""Content codings undone as the bytes come: gzip, deflate (zlib and raw) and any stack of them.

Follows RFC 9110 8.4 and RFC 1950 to 1952.

Rules of this file:

* Only what stands in `ACCEPTED` is asked for, and everything asked for is undone here.
* What came out before a failure is kept; a failure is a sentence in a `CodingError`, caught in
  `incoming.py`.
* The growth of a body is bounded, because a megabyte of gzip can stand for a gigabyte.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from olv_tui.model import Header

ACCEPTED = "gzip, deflate"

LIMIT = 256 * 1024 * 1024
"""Bytes that one body may grow to. Bodies without a coding have no limit: they cost the sender as much."""

_GZIP_WBITS = 31
_ZLIB_WBITS = 15
_RAW_WBITS = -15


class CodingError(Exception):
    """A body that cannot be undone; the text is one sentence that names the coding."""


def codings(headers: Iterable[Header]) -> tuple[str, ...]:
    """The codings in the order they were applied, in lower case, `identity` left out."""
    values = (value for name, value in headers if name.lower() == "content-encoding")
    names = (part.strip().lower() for value in values for part in value.split(","))
    return tuple(name for name in names if name not in {"", "identity"})


class Decoder:
    """Undoes a stack of codings.

    `problem` is None, or the sentence why these codings cannot be undone at all.
    """

    def __init__(self, names: tuple[str, ...], limit: int = LIMIT) -> None:
        self.problem: str | None = None
        self._limit = limit
        self._left = limit
        unknown = [name for name in names if name not in {"gzip", "x-gzip", "deflate"}]
        if unknown:
            self.problem = f'The body has the content coding "{unknown[0]}", which cannot be undone here.'
        # The coding applied last is undone first.
        self._steps = [] if unknown else [_Inflate(name) for name in reversed(names)]

    def feed(self, data: bytes) -> bytes:
        """What `data` adds to the body. Raises CodingError."""
        for step in self._steps:
            data = step.feed(data, self._left + 1)
            if len(data) > self._left:
                raise CodingError(
                    f"The {step.name} body grows beyond {self._limit:,} bytes when it is undone; it was given up."
                )
        self._left -= len(data)
        return data

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

    def feed(self, data: bytes, most: int) -> bytes:
        """At most `most` bytes of what `data` stands for. Raises CodingError."""
        self._begun = self._begun or bool(data)
        if self._inflator is None:
            data = self._held + data
            if len(data) < 2:
                self._held = data
                return b""
            self._inflator = zlib.decompressobj(_deflate_wbits(data))
        out: list[bytes] = []
        while data:
            if self._inflator.eof:
                if not self._gzip or data[:1] != b"\x1f":
                    self._check_padding(data)
                    break
                self._inflator = zlib.decompressobj(_GZIP_WBITS)  # RFC 1952 2.2: members follow each other
            try:
                out.append(self._inflator.decompress(data, most))
            except zlib.error as error:
                raise CodingError(
                    f"The body is labelled {self.name} but does not decode as {self.name} ({error})."
                ) from error
            most -= len(out[-1])
            if most <= 0:
                break
            data = self._inflator.unused_data
        return b"".join(out)

    def _check_padding(self, data: bytes) -> None:
        if data.strip(b"\0"):
            raise CodingError(f"The {self.name} body has {len(data):,} bytes after the end of its content coding.")


def _deflate_wbits(start: bytes) -> int:
    # RFC 9110 says that "deflate" is zlib, and some servers send it raw. A zlib header is CM 8 and a check
    # sum; no raw stream starts so, as its low bits would be a stored block with padding that is not zero.
    is_zlib = start[0] & 0x0F == 8 and int.from_bytes(start[:2], "big") % 31 == 0
    return _ZLIB_WBITS if is_zlib else _RAW_WBITS
