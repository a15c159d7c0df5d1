"""A timeout that stands still while a person is asked.

Rules of this file:

* A server may ask something before it answers (elicitation). The time that a person thinks is none of the
  server's, so it does not count: the limit is raised by exactly as long as the question stood.
* Whoever sends sets `PATIENCE` in the context of the exchange; without it a timeout is a timeout.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any


class Patience:
    """How long an exchange was held up by questions to the person, in seconds of the event loop."""

    def __init__(self) -> None:
        self._holds = 0
        self._since = 0.0
        self._spent = 0.0
        self._released = asyncio.Event()

    @property
    def is_held(self) -> bool:
        """Whether a question stands now."""
        return self._holds > 0

    @property
    def released(self) -> asyncio.Event:
        """Set when the last question is gone."""
        return self._released

    def spent(self) -> float:
        """Seconds that do not count, the question that stands now included."""
        return self._spent + (asyncio.get_running_loop().time() - self._since if self._holds else 0.0)

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Stop the clock while a question stands; holds may overlap."""
        clock = asyncio.get_running_loop().time
        if not self._holds:
            self._since = clock()
            self._released.clear()
        self._holds += 1
        try:
            yield
        finally:
            self._holds -= 1
            if not self._holds:
                self._spent += clock() - self._since
                self._released.set()


PATIENCE: ContextVar[Patience | None] = ContextVar("patience", default=None)
"""The patience of the exchange that is made in this context."""


async def first_of(tasks: Collection[asyncio.Task[Any]], seconds: float) -> None:
    """Wait until one of the tasks is done or the time is up, the time of questions not counted."""
    patience = PATIENCE.get()
    clock = asyncio.get_running_loop().time
    begun = clock()
    while True:
        if patience is not None and patience.is_held:
            released = asyncio.ensure_future(patience.released.wait())
            try:
                await asyncio.wait([*tasks, released], return_when=asyncio.FIRST_COMPLETED)
            finally:
                released.cancel()
        else:
            left = seconds + (patience.spent() if patience is not None else 0.0) - (clock() - begun)
            if left <= 0:
                return
            await asyncio.wait(tasks, timeout=left, return_when=asyncio.FIRST_COMPLETED)
        if any(task.done() for task in tasks):
            return
