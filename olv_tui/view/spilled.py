"""The file that holds a body which is too large for memory, for a reader: that it is there, and its text in pieces.

Rules of this file: what goes to a pager is safe text, piece by piece; the file itself is never changed and never read
as a whole.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from olv_tui.view.safe import one_line, visible

if TYPE_CHECKING:
    from olv_tui.model import Exchange, Spill

_STEP = 1 << 16


def spill_of(exchange: Exchange | None) -> Spill | None:
    """The file of an exchange, None where its body is all there or went into none."""
    response = exchange.reply.response if exchange is not None and exchange.reply is not None else None
    spill = response.spill if response is not None else None
    return spill if spill is not None and spill.path else None


def gone(spill: Spill) -> str:
    """Why the file cannot be used, or ""."""
    path = Path(spill.path)
    if path.is_file():
        return ""
    return f"The file with the whole body is no longer there: {one_line(spill.path, 200)}. Sending again makes another."


def safe_pieces(path: Path) -> Iterator[bytes]:
    """The text of a file for a terminal, a piece at a time. A file that cannot be read says so in its last line."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    try:
        with path.open("rb") as stream:
            while data := stream.read(_STEP):
                yield _safe(decoder.decode(data))
    except OSError as error:
        yield f"\n[{one_line(str(error), 300)}]\n".encode("utf-8", "replace")
    yield _safe(decoder.decode(b"", final=True))


def _safe(text: str) -> bytes:
    return visible(text).encode("utf-8", "replace")
