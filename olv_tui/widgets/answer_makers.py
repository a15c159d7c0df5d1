"""What fills the views of the answer pane: lines by the key of a view, made when it is looked at.

Rules of this file: what makes lines is imported with the first answer, so start-up does without it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from olv_tui.courtesy import is_long_work
from olv_tui.widgets.lines_view import HEAVY

if TYPE_CHECKING:
    from olv_tui.model import Exchange
    from olv_tui.transport.base import Arrived
    from olv_tui.view.beside import Beside
    from olv_tui.view.latest import Latest
    from olv_tui.view.lines import Lines
    from olv_tui.view.linked import Linked


def maker(
    key: str,
    exchange: Exchange,
    live: Latest,
    *,
    pretty: bool,
    beside: Beside,
    linked: Linked | None = None,
    arrived: Arrived | None = None,
) -> tuple[Callable[[], Lines], bool]:
    """What makes the lines of a view (raw, decoded, or a tab by its key), and whether that is heavy work.

    `live` and `arrived` are what has come of a call that runs.
    """
    from olv_tui.view import decoded, wire

    response = exchange.reply.response if exchange.reply is not None else None
    heavy = response is not None and is_long_work(response.body)
    if arrived is not None and key in {"raw", "decoded", "headers"}:
        from olv_tui.view.arriving import arriving_lines

        return partial(arriving_lines, key, exchange, arrived), False
    if exchange.judgement is None and live.count and key in {"raw", "frames"}:
        return partial(wire.frames_lines, exchange, live.frames, first=live.earlier), False
    match key:
        case "decoded":
            return partial(decoded.decoded_lines, exchange, beside), heavy
        case "raw":
            if pretty and linked is not None and linked.frame is None and not (response and response.frames):
                return partial(_document_of, linked, exchange), heavy
            return partial(wire.raw_lines, exchange, pretty=pretty), heavy
        case "headers":
            return partial(wire.headers_lines, exchange), False
        case "frames":
            return partial(wire.frames_lines, exchange), heavy
        case "request":
            return partial(wire.request_lines, exchange, pretty=pretty), len(exchange.request.body) > HEAVY
        case _:
            return partial(wire.timing_lines, exchange), False


def head_maker(key: str, exchange: Exchange, *, pretty: bool, beside: Beside) -> Callable[[], Lines] | None:
    """What makes the beginning of a view while all of it is made; None where there is no need."""
    from olv_tui.view import decoded, wire

    match key:
        case "decoded":
            return partial(decoded.head_lines, exchange, beside)
        case "raw" if not pretty:
            return partial(wire.head_of_body, exchange, decoded.HEAD)
    return None


def _document_of(linked: Linked, exchange: Exchange) -> Lines:
    """The indented message, shared with what finds places in it; what is no JSON as it came."""
    from olv_tui.view.wire import raw_lines

    return linked.document or raw_lines(exchange, pretty=True)


def bytes_of(exchange: Exchange) -> Lines:
    """The raw answer as a hex dump."""
    from olv_tui.view.wire import raw_lines

    return raw_lines(exchange, hexadecimal=True)


def is_same_answer(shown: Exchange | None, other: Exchange) -> bool:
    """Whether a large answer is the one that is shown, read in full by now: all but the findings is the same."""
    if shown is None or shown is other or shown.serial != other.serial:
        return False
    one, two = shown.judgement, other.judgement
    came, comes = (each.reply.response if each.reply is not None else None for each in (shown, other))
    if one is None or two is None or came is None or comes is None or len(came.body) <= HEAVY:
        return False
    return replace(one, violations=(), message=None) == replace(two, violations=(), message=None) and came == comes
