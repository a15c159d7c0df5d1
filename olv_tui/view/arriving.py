"""An answer that is still coming: its head and the beginning of its body, and how much of how much there is.

Rules of this file: nothing is read into what has come. A body is text up to its last whole character; whether it is
JSON is seen when it is complete.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from olv_tui.model import Reply
from olv_tui.view.words import size

if TYPE_CHECKING:
    from olv_tui.model import Exchange
    from olv_tui.transport.base import Arrived
    from olv_tui.view.lines import Lines

PLACES = ("raw", "decoded", "headers")
"""The views that show something of an answer before it is complete."""


def so_far(arrived: Arrived) -> str:
    """`12.3 MB of 48.0 MB (25%)`, or `12.3 MB so far` where no length was promised."""
    came, total = size(arrived.size), arrived.total
    if not total:
        return f"{came} so far"
    return f"{came} of {size(total)} ({min(arrived.size / total, 1.0):.0%})"


def arriving_lines(place: str, exchange: Exchange, arrived: Arrived) -> Lines:
    """What one of `PLACES` shows; `exchange` is the pending one."""
    from olv_tui.view.page import Page  # the banner counts without it
    from olv_tui.view.wire import body_lines, headers_lines

    page = Page()
    if place == "decoded":
        page.say("It is read when all of it is here. Esc stops it and keeps what came.", "muted")
        return page.lines()
    response = arrived.response
    page.add(headers_lines(replace(exchange, reply=Reply(response))))
    if place == "raw":
        page.heading("Body", "its beginning, as far as it came")
        if response.body:
            page.add(body_lines(_whole_characters(response.body), response.media_type))
        else:
            page.say("Nothing of it has come yet.", "muted")
    return page.lines()


def _whole_characters(body: bytes) -> bytes:
    """A body without the beginning of a UTF-8 character at its end, whose rest is still to come."""
    try:
        body.decode()
    except UnicodeDecodeError as error:
        if error.reason == "unexpected end of data":
            return body[: error.start]
    return body
