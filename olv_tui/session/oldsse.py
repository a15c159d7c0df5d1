"""The HTTP+SSE transport of 2024-11-05: recognised and named, not spoken.

Rules of this file (2024-11-05 basic/transports; 2025-11-25 basic/transports "Backwards Compatibility"):

* It is looked for only where a POST of initialize was refused with 400, 404 or 405 and no JSON-RPC error: one GET
  of the same address, whose first event is `endpoint` on such a server.
* The GET ends with its first event, or after `_SECONDS`, and stands in the history.
"""

from __future__ import annotations

import asyncio
from urllib.parse import urljoin, urlsplit

from olv_tui.model import Exchange, Frame, Verdict
from olv_tui.session.wire import Wire

_STATUSES = frozenset({400, 404, 405})
_SECONDS = 3.0
_LONGEST_URL = 200


def may_be_old(refused: Exchange) -> bool:
    """Whether this answer to initialize leaves it open that the address wants GET."""
    return (
        refused.outgoing.method == "initialize"
        and refused.verdict is Verdict.HTTP_ERROR
        and refused.status in _STATUSES
    )


async def find_endpoint(wire: Wire, cancel: asyncio.Event | None) -> str:
    """The address for messages that a server of this transport names; empty where it is none.

    Its query is left out: it holds the session id, which is a secret.
    """
    first: list[Frame] = []

    def saw(frame: Frame) -> bool:
        if frame.event is not None or frame.data is not None:
            first.append(frame)
        return bool(first)

    await wire.get(wire.stream_request(), min(_SECONDS, wire.target.timeout), saw, cancel)
    if not first or first[0].event != "endpoint" or not first[0].data:
        return ""
    try:
        return urlsplit(urljoin(wire.url, first[0].data))._replace(query="", fragment="").geturl()[:_LONGEST_URL]
    except ValueError:
        return first[0].data.partition("?")[0][:_LONGEST_URL]
