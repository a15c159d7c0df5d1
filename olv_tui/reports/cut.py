"""Answers that are larger than is kept in memory: carried whole where that can be, and else told as what they are.

Rules of this file: the file of a body is masked already; what is read of it is all of it or nothing.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from olv_tui.model import Exchange

CARRIED = 64_000_000
"""Bytes of a body that is taken from its file into a cassette or an export."""


def whole(exchange: Exchange, most: int = CARRIED) -> Exchange:
    """The exchange with the body from its file, where that holds all of it and has at most so many bytes.

    The bytes of a content coding are dropped then, as only their beginning is known.
    """
    response = exchange.reply.response if exchange.reply is not None else None
    if exchange.reply is None or response is None or response.spill is None:
        return exchange
    spill = response.spill
    if not spill.path or spill.problem or spill.size > most:
        return exchange
    try:
        body = Path(spill.path).read_bytes()
    except OSError:
        return exchange
    if not body.startswith(response.body[: 1 << 16]):
        return exchange  # something else by now
    carried = replace(response, body=body, wire=None, spill=None)
    return replace(exchange, reply=replace(exchange.reply, response=carried))


def told(exchange: Exchange, *, for_others: bool = False) -> str:
    """A sentence for an answer of which only the beginning is carried, "" for any other; it names the file,
    unless it is `for_others`.
    """
    response = exchange.reply.response if exchange.reply is not None else None
    if response is None or response.spill is None:
        return ""
    spill = response.spill
    has_file = not for_others and spill.path and Path(spill.path).exists()
    where = f"; all that came of it is in {spill.path}" if has_file else ""
    return f"The answer is cut here: the first {len(response.body):,} of its {spill.size:,} bytes{where}."
