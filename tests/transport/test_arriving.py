"""Progress of an answer, told by time: never for one that is there at once, else ten times a second at most."""

from __future__ import annotations

import asyncio

from olv_tui.model import Reply, WireRequest
from olv_tui.transport.base import Arrived
from olv_tui.transport.incoming import SHOWN, TELL_EVERY
from tests.transport.coded import gzipped
from tests.transport.wire import LIMIT, Peer, Wire, transport


class Told:
    """What was told, and when, by the clock of the loop."""

    def __init__(self) -> None:
        self.arrived: list[Arrived] = []
        self.times: list[float] = []
        self.came = asyncio.Event()

    def __call__(self, arrived: Arrived) -> None:
        self.arrived.append(arrived)
        self.times.append(asyncio.get_running_loop().time())
        self.came.set()

    async def again(self) -> Arrived:
        self.came.clear()
        await asyncio.wait_for(self.came.wait(), LIMIT)
        return self.arrived[-1]


async def exchanged(wire: Wire, told: Told, cancel: asyncio.Event | None = None) -> Reply:
    async with transport() as client:
        return await client.exchange(
            WireRequest(wire.url, (), b"{}"), timeout=LIMIT, cancel=cancel, on_progress=told, on_frame=lambda _: False
        )


async def time_for_a_report() -> None:
    """Until an exchange that begins now has told something: what was due before has been told by then."""

    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.send(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n")
        await peer.left()

    told, cancel = Told(), asyncio.Event()
    async with Wire(script) as wire:
        call = asyncio.create_task(exchanged(wire, told, cancel))
        await told.again()
        cancel.set()
        await call


async def test_an_answer_that_is_there_at_once_tells_nothing() -> None:
    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.answer(b"x" * 100)

    told = Told()
    async with Wire(script) as wire:
        await exchanged(wire, told)
        await time_for_a_report()
    assert told.arrived == []


async def test_the_head_is_told_before_there_is_a_body_and_then_what_came_of_how_much() -> None:
    more = asyncio.Event()

    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.send(b"HTTP/1.1 200 OK\r\nX: y\r\nContent-Length: 10\r\n\r\n")
        await more.wait()
        await peer.send(b"12345")
        await peer.left()

    told, cancel = Told(), asyncio.Event()
    async with Wire(script) as wire:
        call = asyncio.create_task(exchanged(wire, told, cancel))
        first = await told.again()
        assert (first.size, first.total, first.response.body) == (0, 10, b"")
        assert first.response.header("x") == "y"
        more.set()
        second = await told.again()
        assert (second.size, second.total, second.response.body) == (5, 10, b"12345")
        cancel.set()
        assert (await call).cancelled


async def test_a_flood_is_told_ten_times_a_second_at_most_and_its_beginning_stays_one_object() -> None:
    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        while len(told.arrived) < 4:
            await peer.chunk(b"x" * 20_000)
            await asyncio.sleep(0)
        await peer.send(b"0\r\n\r\n")

    told = Told()
    async with Wire(script) as wire:
        await exchanged(wire, told)
    gaps = [after - before for before, after in zip(told.times, told.times[1:], strict=False)]
    assert min(gaps) >= TELL_EVERY * 0.99
    assert [one.total for one in told.arrived] == [None] * len(told.arrived)
    assert told.arrived[-1].response.body == b"x" * SHOWN
    assert told.arrived[-1].response.body is told.arrived[-2].response.body


async def test_a_coded_body_shows_undone_and_counts_as_it_travels() -> None:
    data = gzipped(b'{"a":1}')

    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.send(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 99\r\n\r\n" + data)
        await peer.left()

    told, cancel = Told(), asyncio.Event()
    async with Wire(script) as wire:
        call = asyncio.create_task(exchanged(wire, told, cancel))
        arrived = await told.again()
        cancel.set()
        await call
    assert (arrived.size, arrived.total, arrived.response.body) == (len(data), 99, b'{"a":1}')


async def test_an_event_stream_is_told_by_its_frames() -> None:
    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.stream_head()
        await peer.chunk(b"data: 1\n\n")
        await time_for_a_report()
        await peer.send(b"0\r\n\r\n")

    told = Told()
    async with Wire(script) as wire:
        await exchanged(wire, told)
    assert told.arrived == []
