"""Event streams over real sockets: frames as they arrive, and the end where the answer is complete."""

from __future__ import annotations

import asyncio
import zlib

import pytest

from olv_tui.model import Frame, Reply
from olv_tui.transport.http import HttpTransport
from tests.transport.wire import Peer, Wire, always, once, post, transport


def data(reply: Reply) -> list[str | None]:
    assert reply.response is not None
    return [frame.data for frame in reply.response.frames]


async def test_frames_are_told_as_they_arrive_and_not_at_the_end() -> None:
    heard: list[Frame] = []
    first_heard = asyncio.Event()

    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.stream_head()
        await peer.chunk(b"data: 1\n\n")
        await first_heard.wait()
        await peer.chunk(b"data: 2\n\n")
        await peer.chunk(b"")

    def on_frame(frame: Frame) -> bool:
        heard.append(frame)
        first_heard.set()
        return False

    reply = await once(script, on_frame=on_frame)
    assert reply.error is None
    assert reply.response is not None
    assert tuple(heard) == reply.response.frames
    assert data(reply) == ["1", "2"]
    assert 0 <= heard[0].at_ms <= heard[1].at_ms


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
async def test_chunk_borders_anywhere_change_nothing(size: int, end: bytes) -> None:
    stream = b"\xef\xbb\xbf" + end.join([b": hi", b"", "data: é日".encode(), b"data: 2", b"", b""])

    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.stream_head()
        for at in range(0, len(stream), size):
            await peer.chunk(stream[at : at + size])
        await peer.chunk(b"")

    reply = await once(script)
    assert data(reply) == [None, "é日\n2"]
    assert reply.response is not None
    assert reply.response.body == stream == b"".join(frame.raw for frame in reply.response.frames)


async def test_a_stream_that_stays_open_ends_with_the_answer_and_the_server_sees_it() -> None:
    left = asyncio.Event()

    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.stream_head()
        await peer.chunk(b"data: working\n\n")
        await peer.chunk(b"data: answer\n\n")
        await peer.left()
        left.set()

    async with Wire(script) as wire, transport() as client:
        reply = await post(client, wire.url, on_frame=lambda frame: frame.data == "answer")
        await asyncio.wait_for(left.wait(), 5)
    assert (reply.error, reply.cancelled) == (None, False)
    assert data(reply) == ["working", "answer"]


async def test_the_time_of_an_answer_is_that_of_its_last_byte_and_not_of_the_wait_for_more() -> None:
    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.stream_head()
        await peer.chunk(b"data: answer\n\n")
        await peer.left()

    ticks = iter(range(1000))
    async with Wire(script) as wire:
        client = HttpTransport(timer=lambda: float(next(ticks)))
        reply = await post(client, wire.url, on_frame=lambda _: True)
        after = next(ticks)
        await client.aclose()
    assert reply.timing.total_ms is not None
    assert reply.timing.first_byte_ms is not None
    # The clock was read again for the frame, after the last byte had come.
    assert reply.timing.first_byte_ms <= reply.timing.total_ms < (after - 3) * 1000


async def test_what_is_already_there_after_the_answer_is_read_too() -> None:
    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.stream_head()
        await peer.chunk(b"data: answer\n\ndata: second\n\n")
        await peer.chunk(b"data: third\n\n")
        await peer.left()

    reply = await once(script, on_frame=lambda frame: frame.data is not None)
    assert reply.error is None
    assert data(reply)[:2] == ["answer", "second"]


async def test_a_stream_that_ends_with_its_answer_keeps_the_connection() -> None:
    async def script(peer: Peer) -> None:
        for _ in range(2):
            await peer.request()
            await peer.stream_head()
            await peer.chunk(b"data: answer\n\n")
            await peer.chunk(b"")

    async with Wire(script) as wire, transport() as client:
        for _ in range(2):
            reply = await post(client, wire.url, on_frame=lambda frame: frame.data == "answer")
            assert data(reply) == ["answer"]
        assert wire.connections == 1


async def test_a_stream_that_breaks_off_after_its_answer_is_no_failure() -> None:
    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.stream_head()
        await peer.chunk(b"data: answer\n\n")

    reply = await once(script, on_frame=lambda frame: frame.data == "answer")
    assert reply.error is None
    assert data(reply) == ["answer"]


async def test_a_stream_that_breaks_off_before_its_answer_is_truncated() -> None:
    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.stream_head()
        await peer.chunk(b"data: working\n\n")

    reply = await once(script, on_frame=lambda frame: frame.data == "answer")
    assert reply.error is not None
    assert reply.error.kind == "truncated"
    assert data(reply) == ["working"]


@pytest.mark.parametrize("name", [b"text/event-stream", b"Text/Event-Stream; charset=UTF-8", b"TEXT/EVENT-STREAM ;x"])
async def test_the_media_type_is_read_without_case_and_parameters(name: bytes) -> None:
    reply = await once(always(b"HTTP/1.1 200 OK\r\nContent-Type: " + name + b"\r\n\r\ndata: 1\n\n", close=True))
    assert data(reply) == ["1"]


async def test_no_other_media_type_has_frames() -> None:
    heard: list[Frame] = []
    answer = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\ndata: 1\n\n"

    def on_frame(frame: Frame) -> bool:
        heard.append(frame)
        return False

    reply = await once(always(answer, close=True), on_frame=on_frame)
    assert (data(reply), heard) == ([], [])


async def test_a_gzip_stream_is_decoded_while_it_runs() -> None:
    heard = asyncio.Event()
    squeeze = zlib.compressobj(wbits=31)
    start = squeeze.compress(b"data: working\n\n") + squeeze.flush(zlib.Z_SYNC_FLUSH)
    rest = squeeze.compress(b"data: answer\n\n") + squeeze.flush()

    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.stream_head(b"Content-Encoding: gzip")
        await peer.chunk(start)
        await heard.wait()
        await peer.chunk(rest)
        await peer.chunk(b"")

    def on_frame(frame: Frame) -> bool:
        heard.set()
        return frame.data == "answer"

    reply = await once(script, on_frame=on_frame)
    assert reply.error is None
    assert data(reply) == ["working", "answer"]
    assert reply.response is not None
    assert reply.response.wire == start + rest


async def test_a_gzip_stream_left_after_its_answer_is_not_called_incomplete() -> None:
    squeeze = zlib.compressobj(wbits=31)

    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.stream_head(b"Content-Encoding: gzip")
        await peer.chunk(squeeze.compress(b"data: answer\n\n") + squeeze.flush(zlib.Z_SYNC_FLUSH))
        await peer.left()

    reply = await once(script, on_frame=lambda frame: frame.data == "answer")
    assert reply.error is None
    assert data(reply) == ["answer"]


async def test_a_stream_in_an_unknown_coding_is_given_up_at_once() -> None:
    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.stream_head(b"Content-Encoding: br")
        await peer.chunk(b"\x0b\x01")
        await peer.left()

    reply = await once(script)
    assert reply.error is not None
    assert (reply.error.kind, '"br"' in reply.error.message) == ("coding", True)
    assert reply.response is not None
    assert reply.response.wire == b"\x0b\x01"


async def test_an_unfinished_event_at_the_end_is_there_and_marked() -> None:
    answer = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: answer\n"
    reply = await once(always(answer, close=True))
    assert reply.response is not None
    assert [(frame.data, frame.complete) for frame in reply.response.frames] == [("answer", False)]
