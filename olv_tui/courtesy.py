"""Long work in threads that lets the screen go first, and keeps the garbage collector out of its way.

Rules of this file:

* Python runs one thread at a time, and gives no way to say which of them matters: a thread that works without pause
  takes turns with the screen, and a frame takes twice as long. So work is made of pieces of a few milliseconds, and
  calls `give_way` between them: it waits until the event loop has come round, at once where that is idle.
* A piece is no larger than `PIECE` bytes where a single call holds on to the interpreter (msgspec, a search in bytes).
* The collector walks over every value there is and stops all threads for that: 0.2 s with a million of them. What is
  made by the million is no garbage: it is off while such work goes on, and what is left of so many is not looked at
  before the next such work. For good it is never taken from the collector: an answer that is shown holds widgets and
  tasks in circles, and with them its body (6 MB a call of 5 MB stayed for ever).
* Whoever does not want the work any more says so (`wanted`); it ends at the next `give_way`.
* Without an event loop that was named (`screen_is`) nothing waits for anything: headless verbs lose no time.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import threading
from collections.abc import Callable, Iterator
from time import perf_counter
from typing import TypeVar

PIECE = 1 << 20
"""Bytes that one call may take which lets no other thread run: a few milliseconds."""

_T = TypeVar("_T")
_TURN = 0.004
"""Seconds that a thread works before it lets the screen go first."""

_PATIENCE = 0.1
"""Seconds that a thread waits for its turn at most: a screen that is never done must not hold up an answer."""

_LOCK = threading.Lock()


_CROWD = 200_000
"""Values more than before, from which the collector is spared the look at them."""

_LARGE = 1 << 18
_MANY = 10_000


def is_long_work(data: bytes) -> bool:
    """Whether to read or to lay out this JSON takes longer than a frame: by its bytes, or by what stands in them.

    200 kB of brackets, one in another, make lines of 16 MB.
    """
    return len(data) > _LARGE or (len(data) > _MANY and sum(map(data.count, (b"[", b"{", b","))) > _MANY)


class Unwanted(BaseException):  # no Exception: nobody who turns faults into sentences is to tell of it
    """What is being made is not wanted any more."""


class _State(threading.local):
    """Of each thread: whether it works beside the screen, since when, and whether it still should."""

    is_working = False
    since = 0.0
    wanted: Callable[[], bool] | None = None


class _Collector:
    """How many want the collector to be off, and whether it was on before."""

    def __init__(self) -> None:
        self._users = 0
        self._was_on = False
        self._has_frozen = False

    def spare(self) -> None:
        with _LOCK:
            self._users += 1
            if self._users == 1:
                self._was_on = gc.isenabled()
                gc.disable()
                if self._has_frozen:
                    self._has_frozen = False
                    gc.unfreeze()

    def resume(self) -> None:
        with _LOCK:
            self._users -= 1
            if self._users == 0 and self._was_on:
                if _screens and gc.get_count()[0] > _CROWD:
                    gc.freeze()
                    self._has_frozen = True
                gc.enable()


_STATE = _State()
_COLLECTOR = _Collector()
_screens: list[asyncio.AbstractEventLoop] = []


@contextlib.contextmanager
def screen_is(loop: asyncio.AbstractEventLoop) -> Iterator[None]:
    """Within this, work beside the screen lets this event loop go first."""
    _screens.append(loop)
    gc.freeze()  # what the start has made, modules and classes, is no garbage: 0.1 s less for every whole collection
    try:
        yield
    finally:
        _screens.remove(loop)
        if not _screens:
            gc.unfreeze()


@contextlib.contextmanager
def spared() -> Iterator[None]:
    """Within this the collector is off, in all threads; after a great many new values it looks at none of them yet."""
    _COLLECTOR.spare()
    try:
        yield
    finally:
        _COLLECTOR.resume()


def give_way() -> None:
    """Between two pieces of work: let the screen go first where there is one. Raises Unwanted.

    Costs nothing but a look at the clock until `_TURN` is over. Not to be called while a lock is held that the event
    loop may wait for.
    """
    state = _STATE
    if not state.is_working or perf_counter() - state.since < _TURN:
        return
    if state.wanted is not None and not state.wanted():
        raise Unwanted
    if _screens:
        turn = threading.Lock()
        turn.acquire()
        with contextlib.suppress(RuntimeError):  # the loop is closed
            _screens[-1].call_soon_threadsafe(turn.release)
            turn.acquire(timeout=_PATIENCE)
    state.since = perf_counter()


def pieces(size: int, step: int = PIECE) -> Iterator[int]:
    """Where each piece of so many bytes begins, giving way before each of them. Raises Unwanted."""
    for at in range(0, size, step):
        give_way()
        yield at


async def aside(work: Callable[[], _T], wanted: Callable[[], bool] | None = None, *, lasts: bool = False) -> _T:
    """What `work` gives, done in a thread beside the screen.

    Raises what it raises, and CancelledError where it is not `wanted` any more: asked in the thread, now and then. A
    task that is cancelled while it waits here ends at once, and the work at its next piece, unless it `lasts`.
    """
    given_up = threading.Event()

    def is_wanted() -> bool:
        return not given_up.is_set() and (wanted is None or wanted())

    def run() -> _T:
        state = _STATE
        before = state.is_working, state.since, state.wanted
        state.is_working, state.since, state.wanted = True, perf_counter(), is_wanted
        try:
            with spared():
                return work()
        finally:
            state.is_working, state.since, state.wanted = before

    try:
        return await asyncio.to_thread(run)
    except Unwanted:
        raise asyncio.CancelledError from None
    except asyncio.CancelledError:
        if not lasts:
            given_up.set()
        raise
