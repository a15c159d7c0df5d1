"""Long work beside the screen: it waits for the event loop, ends when it is not wanted, spares the collector."""

from __future__ import annotations

import asyncio
import gc
import threading
import weakref
from itertools import pairwise

import pytest

from olv_tui import courtesy
from olv_tui.courtesy import Unwanted, aside, give_way, pieces, screen_is, spared


@pytest.fixture
def _at_every_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(courtesy, "_TURN", 0.0)


@pytest.mark.usefixtures("_at_every_piece")
async def test_the_loop_comes_round_between_any_two_pieces_of_work() -> None:
    turns: list[str] = []

    def tick() -> None:
        turns.append("screen")
        if turns.count("work") < 50:
            asyncio.get_running_loop().call_soon(tick)

    def work() -> None:
        turns.extend("work" for _ in pieces(50, 1))

    with screen_is(asyncio.get_running_loop()):
        tick()
        await aside(work)
    assert turns.count("work") == 50
    assert not any(one == two == "work" for one, two in pairwise(turns))


@pytest.mark.usefixtures("_at_every_piece")
async def test_work_that_is_not_wanted_any_more_ends_at_its_next_piece() -> None:
    done: list[int] = []

    def work() -> None:
        done.extend(pieces(1_000, 1))

    with pytest.raises(asyncio.CancelledError):
        await aside(work, lambda: len(done) < 3)
    assert done == [0, 1, 2]


@pytest.mark.usefixtures("_at_every_piece")
async def test_work_whose_waiter_was_cancelled_ends_at_its_next_piece() -> None:
    begun, go_on, over = threading.Event(), threading.Event(), threading.Event()
    faults: list[BaseException] = []

    def work() -> None:
        begun.set()
        go_on.wait(10)
        try:
            give_way()
        except BaseException as fault:
            faults.append(fault)
            raise
        finally:
            over.set()

    task = asyncio.create_task(aside(work))
    await asyncio.to_thread(begun.wait, 10)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    go_on.set()
    await asyncio.to_thread(over.wait, 10)
    assert [type(fault) for fault in faults] == [Unwanted]


async def test_the_collector_is_off_while_any_work_goes_on_and_on_afterwards() -> None:
    assert gc.isenabled()
    with spared():
        assert await aside(gc.isenabled) is False
        assert not gc.isenabled()
    assert gc.isenabled()


async def test_what_a_piece_of_work_raises_is_raised_where_it_is_waited_for() -> None:
    with pytest.raises(ZeroDivisionError):
        await aside(lambda: 1 // 0)
    assert gc.isenabled()


def test_outside_of_such_work_nothing_waits_for_a_screen() -> None:
    loop = asyncio.new_event_loop()  # it never runs: whoever asked it would wait for ever
    with screen_is(loop):
        for _ in pieces(10_000, 1):
            pass
    loop.close()


class _Circle:
    """Holds on to itself, as a widget does."""

    def __init__(self) -> None:
        self.me = self


@pytest.mark.parametrize("crowd", [0, 1_000_000], ids=["many values", "few values"])
async def test_what_is_shown_while_work_is_done_can_still_be_let_go(
    crowd: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(courtesy, "_CROWD", crowd - 1)
    with screen_is(asyncio.get_running_loop()):
        circle = _Circle()
        seen = weakref.ref(circle)
        await aside(lambda: None)
        del circle
        await aside(lambda: gc.collect())  # the next work takes back what was kept from the collector
        assert seen() is None
