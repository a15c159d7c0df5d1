"""Telling a server of the older eras that nobody waits for its answer any more.

Rules of this file (2025-11-25 basic/utilities/cancellation, lifecycle "Timeouts"):

* A request that was stopped or timed out is followed by notifications/cancelled with its id, never initialize.
  In the modern era the closed stream is the cancellation; in the bare era nobody agreed on the notification.
* Best effort: nobody waits for it but the end of the session, and that for `_PATIENCE` at most.
"""

from __future__ import annotations

import asyncio

from olv_tui import jsonrpc
from olv_tui.model import Era, Exchange, Verdict
from olv_tui.session.wire import Wire

_SECONDS = 5.0
_PATIENCE = 0.5


class Farewells:
    """The notifications under way."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._under_way: set[asyncio.Task[Exchange]] = set()

    def take(self, exchange: Exchange) -> None:
        """Tell the server, where the exchange ended without it."""
        if not _is_due(exchange):
            return
        assert exchange.id is not None
        body = jsonrpc.build(None, "notifications/cancelled", f'{{"requestId":{exchange.id.text}}}')
        seconds = min(_SECONDS, self._wire.target.timeout)
        task = asyncio.create_task(self._wire.exchange(body, automatic=True, seconds=seconds))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)

    async def finish(self) -> None:
        """Let what is under way go out, and end what takes long."""
        tasks = list(self._under_way)
        if tasks:
            await asyncio.wait(tasks, timeout=_PATIENCE)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _is_due(exchange: Exchange) -> bool:
    error = exchange.reply.error if exchange.reply else None
    left = exchange.verdict is Verdict.CANCELLED or (error is not None and error.kind == "timeout")
    outgoing = exchange.outgoing
    return left and exchange.era is Era.LEGACY and outgoing.id is not None and outgoing.method != "initialize"
