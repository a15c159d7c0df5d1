"""The time that a person thinks does not count: held up by events, over real sockets, without a stop-watch."""

from __future__ import annotations

import asyncio

from olv_tui.transport.patience import PATIENCE, Patience, first_of
from tests.transport.wire import LIMIT, Peer, Wire, post, transport

SHORT = 0.05


class Clock(asyncio.SelectorEventLoop):
    """A loop whose time jumps by what a test adds."""

    added = 0.0

    def time(self) -> float:
        return super().time() + self.added


async def test_a_call_outlives_its_timeout_while_a_question_stands() -> None:
    asked, answered = asyncio.Event(), asyncio.Event()

    async def script(peer: Peer) -> None:
        await peer.request()
        asked.set()
        await answered.wait()
        await peer.answer(b'{"late":true}')

    patience = Patience()
    PATIENCE.set(patience)
    async with Wire(script) as wire, transport() as client:
        call = asyncio.create_task(post(client, wire.url, timeout=SHORT))
        with patience.hold():
            await asyncio.wait_for(asked.wait(), LIMIT)
            done, _ = await asyncio.wait([call], timeout=SHORT * 4)
            assert not done, "the timeout has passed by far, and the call still waits"
        answered.set()
        reply = await asyncio.wait_for(call, LIMIT)
        assert reply.error is None
        assert reply.response is not None
        assert reply.response.body == b'{"late":true}'


async def test_after_the_question_the_rest_of_the_timeout_counts() -> None:
    async def silent(peer: Peer) -> None:
        await peer.request()
        await peer.left()

    patience = Patience()
    PATIENCE.set(patience)
    async with Wire(silent) as wire, transport() as client:
        call = asyncio.create_task(post(client, wire.url, timeout=SHORT))
        with patience.hold():
            done, _ = await asyncio.wait([call], timeout=SHORT * 4)
            assert not done
        reply = await asyncio.wait_for(call, LIMIT)
        assert reply.error is not None
        assert reply.error.kind == "timeout"


async def test_without_a_question_a_timeout_is_a_timeout() -> None:
    async def silent(peer: Peer) -> None:
        await peer.request()
        await peer.left()

    PATIENCE.set(Patience())
    async with Wire(silent) as wire, transport() as client:
        reply = await asyncio.wait_for(post(client, wire.url, timeout=SHORT), LIMIT)
        assert reply.error is not None
        assert reply.error.kind == "timeout"


async def test_a_call_can_be_stopped_while_a_question_stands() -> None:
    async def silent(peer: Peer) -> None:
        await peer.request()
        await peer.left()

    patience, cancel = Patience(), asyncio.Event()
    PATIENCE.set(patience)
    async with Wire(silent) as wire, transport() as client:
        call = asyncio.create_task(post(client, wire.url, timeout=SHORT, cancel=cancel))
        with patience.hold():
            cancel.set()
            reply = await asyncio.wait_for(call, LIMIT)
        assert reply.cancelled


def test_questions_that_overlap_count_once_and_the_one_that_stands_counts_already() -> None:
    loop = Clock()

    async def run() -> None:
        patience = Patience()
        with patience.hold():
            loop.added += 10
            with patience.hold():
                loop.added += 5
            assert patience.is_held
            assert 15 <= patience.spent() < 16
        assert patience.released.is_set()
        loop.added += 100
        with patience.hold():
            loop.added += 1
        assert 16 <= patience.spent() < 17

    try:
        loop.run_until_complete(run())
    finally:
        loop.close()


def test_a_hold_that_began_in_the_middle_moves_the_end_by_its_length() -> None:
    loop = Clock()

    async def run() -> None:
        patience = Patience()
        PATIENCE.set(patience)
        never = asyncio.create_task(asyncio.Event().wait())
        wait = asyncio.create_task(first_of([never], 30))
        await asyncio.sleep(0)
        loop.added += 29
        hold = patience.hold()
        hold.__enter__()
        loop.added += 1000
        hold.__exit__(None, None, None)
        done, _ = await asyncio.wait([wait], timeout=0.01)
        assert not done, "one second is left"
        loop.added += 2
        await asyncio.wait_for(wait, LIMIT)
        never.cancel()

    try:
        loop.run_until_complete(run())
    finally:
        loop.close()
