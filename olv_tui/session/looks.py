"""A first look at a large answer: its verdict is told before all of it is read and journalled.

Rules of this file:

* What is told here is no more than the envelope says; the exchange that the call returns has all findings.
* Nobody has to look: headless verbs do not, and wait for all of it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from olv_tui.courtesy import aside
from olv_tui.judge import first_look
from olv_tui.model import Era, Exchange, Reply, header

Look: TypeAlias = Callable[[Exchange], Awaitable[None]]

LOOK: ContextVar[Look | None] = ContextVar("first look", default=None)
"""Who is told of the exchange that is made in this context; the reading of the rest begins when it returns."""


async def look(pending: Exchange, reply: Reply) -> None:
    """Tell what a large answer comes to, where somebody wants to know and its envelope says it."""
    told = LOOK.get()
    if told is None or pending.automatic:
        return
    judgement = await aside(
        partial(
            first_look,
            pending.outgoing,
            reply,
            era=pending.era or Era.BARE,
            version=pending.protocol_version,
            session_id=header(pending.request.headers, "mcp-session-id"),
        )
    )
    if judgement is not None:
        await told(replace(pending, reply=reply, judgement=judgement))
