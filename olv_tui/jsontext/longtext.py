"""Large strings of values that are read late: their text in steps, or only its beginning.

Rules of this file: what is taken from here is UTF-8, as it goes into lines of a view; no step is over a megabyte.
"""

from __future__ import annotations

from collections.abc import Iterator

from olv_tui.courtesy import give_way
from olv_tui.jsontext import late
from olv_tui.jsontext.extent import cut_string
from olv_tui.model import Object

_ESCAPES = 12  # bytes of the longest: a pair of surrogates


def has_text(holder: Object, name: str) -> bool:
    """Whether a member is a string; a large one is not read for that."""
    if isinstance(holder, late.LateObject) and holder.unread_text(name) is not None:
        return True
    return isinstance(holder.get(name), str)


def size_of_text(holder: Object, name: str) -> int:
    """How many characters a large string that was not read yet has at least; 0 for any other member."""
    found = holder.unread_text(name) if isinstance(holder, late.LateObject) else None
    if found is None or not isinstance(holder, late.LateObject):
        return 0
    longest = 4 if holder.source.find(b"\\", *found) < 0 else _ESCAPES
    return (found[1] - found[0]) // longest


def text_of(holder: Object, name: str, most: int | None = None) -> bytes | None:
    """The text of a large string that was not read yet, or its first `most` bytes. None for any other."""
    found = holder.unread_text(name) if isinstance(holder, late.LateObject) else None
    if found is None or not isinstance(holder, late.LateObject):
        return None
    start, end = found
    if most is not None and end - start > most:
        end = cut_string(holder.source, start, start + most)
    if holder.source.find(b"\\", start, end) < 0:
        return holder.source[start:end]
    return b"".join(_pieces(holder.source, start, end))


def _pieces(data: bytes, start: int, end: int) -> Iterator[bytes]:
    import msgspec

    while start < end:
        stop = end if end - start <= late.STEP else cut_string(data, start, start + late.STEP)
        stop = end if stop <= start else stop  # nothing but backslashes
        yield msgspec.json.decode(b'"' + data[start:stop] + b'"', type=str).encode()
        start = stop
        give_way()
