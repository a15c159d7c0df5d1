"""What every transport promises.

Rules of this file:

* It knows the values of `model` and nothing of HTTP libraries.
* A failure is a value (`Reply.error`), never an exception: nothing that a server sends raises out
  of `exchange`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    import asyncio

    from olv_tui.model import Frame, Reply, WireRequest, WireResponse

OnFrame: TypeAlias = "Callable[[Frame], bool | Awaitable[bool]]"
"""Called for each complete SSE frame as it arrives; True says that the answer is complete. Of a large frame that may be
found out beside the event loop: then what it gives is waited for.
"""


@dataclass(frozen=True, slots=True)
class Arrived:
    """How far an answer is that is no event stream: its head, and in `response.body` the beginning of its body.

    `size` counts the bytes of the body so far as they travel, `total` is what Content-Length promises, None where it
    promises nothing. Two of them have the same object as body where the beginning did not grow.
    """

    response: WireResponse
    size: int
    total: int | None


OnProgress: TypeAlias = "Callable[[Arrived], None]"
"""Called while an answer comes slowly, ten times a second at most; never for one that is there at once."""


class Transport(Protocol):
    """Sends one request and brings home whatever came, in however bad a state."""

    async def exchange(
        self,
        request: WireRequest,
        *,
        timeout: float,  # noqa: ASYNC109  the partial answer has to survive, so a caller's asyncio.timeout will not do
        cancel: asyncio.Event | None = None,
        on_frame: OnFrame | None = None,
        on_progress: OnProgress | None = None,
    ) -> Reply:
        """Send `request` once and return what came of it.

        `timeout` is total, in seconds: name look-up, connecting, sending, waiting and reading together.
        When it is over the reply has an error of kind `timeout` beside what came so far. Setting
        `cancel` ends the exchange at once with `Reply.cancelled` and what came so far; the connection
        is closed. `on_frame` is called for each complete SSE frame; when it returns True, what is
        already there is read (50 ms at most) and the stream is closed. `on_progress` is told of an answer of
        another kind while it comes.

        Nothing is ever sent twice, and no redirect is followed.
        """
        ...

    async def aclose(self) -> None:
        """Close every kept connection. The transport may be used again afterwards."""
        ...
