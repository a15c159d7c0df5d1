"""What has come of an answer while the rest comes, masked on its way to the screen.

Rules of this file: nothing goes on that may be half of a secret; the beginning of one at the end of what has come waits
until its rest is there.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from olv_tui.model import Reply
from olv_tui.screens import events

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.message import Message

    from olv_tui.model import Exchange
    from olv_tui.redact import Redactor
    from olv_tui.screens.calls import Running
    from olv_tui.transport.base import Arrived


class Arriving:
    """The hook for one call: tells the screen how far its answer is."""

    def __init__(self, post: Callable[[Message], object], redactor: Redactor, running: Running) -> None:
        self._post = post
        self._redactor = redactor
        self._running = running
        self._exchange: Exchange | None = None
        self._body = self._shown = b""

    def begin(self, exchange: Exchange) -> None:
        """The call was journalled, or is sent again: nothing of its answer is here. `exchange` is as it is sent."""
        self._exchange = exchange
        self._running.arrived = None

    def tell(self, arrived: Arrived) -> None:
        """So much has come."""
        if self._exchange is None:
            return
        response = arrived.response
        redactor = self._redactor.knowing(replace(self._exchange, reply=Reply(response)))
        if response.body is not self._body:
            self._body = response.body
            whole = len(response.body) - redactor.open_end(response.body)
            self._shown = redactor.data(response.body[:whole])
        shown = replace(
            response,
            reason=redactor.text(response.reason),
            headers=redactor.headers(response.headers),
            body=self._shown,
        )
        self._running.arrived = replace(arrived, response=shown)
        self._post(events.MoreCame(self._running))
