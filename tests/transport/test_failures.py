"""Every way in which no complete answer comes: its kind, its sentence, and what is kept."""

from __future__ import annotations

import asyncio
import socket

import pytest

from olv_tui.model import Reply, TransportError, WireRequest
from olv_tui.transport.failures import classify
from olv_tui.transport.incoming import Incoming
from olv_tui.transport.keeping import Keeping
from olv_tui.transport.tap import Progress
from tests.transport.wire import Peer, Wire, always, once, post, transport, unused_port

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"


def failure(reply: Reply, kind: str, *words: str) -> TransportError:
    assert reply.error is not None, reply
    assert (reply.error.kind, reply.cancelled) == (kind, False), reply.error
    for word in words:
        assert word in reply.error.message
    return reply.error


def body(reply: Reply) -> bytes:
    assert reply.response is not None
    return reply.response.body


# --------------------------------------------------------------------------- no connection


async def test_a_refused_connection_names_the_port_and_says_refused() -> None:
    port = unused_port()
    async with transport() as client:
        reply = await post(client, f"http://127.0.0.1:{port}/mcp")
    failure(reply, "connect", "refused", f"127.0.0.1:{port}")
    assert reply.response is None
    assert reply.timing.total_ms is None
    assert reply.timing.connect_ms is not None


async def test_a_refused_connection_is_told_alike_where_a_name_has_several_addresses() -> None:
    async with transport() as client:
        failure(await post(client, f"http://localhost:{unused_port()}/"), "connect", "refused", "localhost:")


async def test_a_name_that_does_not_resolve_is_an_error_of_kind_name(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    async with transport() as client:
        failure(await post(client, "http://no.such.invalid/"), "name", "no.such.invalid:80", "not known")


async def test_a_host_that_can_be_no_name_is_an_error_and_no_exception() -> None:
    async with transport() as client:
        for host in ("a" * 70 + ".invalid", "a..invalid", "xn--\u20ac.invalid"):
            reply = await post(client, f"http://{host}/")
            assert reply.error is not None
            assert reply.error.kind in {"name", "request"}


# --------------------------------------------------------------------------- no answer


async def test_a_connection_closed_without_a_byte_is_closed() -> None:
    async def script(peer: Peer) -> None:
        await peer.request()

    failure(await once(script), "closed", "without any answer")


async def test_a_reset_before_any_byte_is_reset() -> None:
    async def script(peer: Peer) -> None:
        await peer.request()
        peer.reset()

    failure(await once(script), "reset", "before any answer")


async def test_a_kept_connection_that_fails_is_told_and_the_request_is_not_sent_again() -> None:
    requests: list[bytes] = []

    async def script(peer: Peer) -> None:
        requests.append(await peer.request())
        await peer.answer()
        requests.append(await peer.request())

    async with Wire(script) as wire, transport() as client:
        await post(client, wire.url)
        failure(await post(client, wire.url), "closed", "not sent again")
        assert wire.connections == 1
    assert len(requests) == 2


async def test_something_that_is_no_http_is_quoted() -> None:
    for close in (True, False):
        reply = await once(always(b"SSH-2.0-K_openssh_9.9\r\n\r\n", close=close))
        failure(reply, "framing", "does not speak HTTP", "SSH-2.0-K_openssh_9.9")


async def test_something_short_that_is_no_http_is_quoted_too() -> None:
    failure(await once(always(b"\x15\x03\x01\x00", close=True)), "framing", "does not speak HTTP", r"\x15\x03")


async def test_a_head_that_breaks_the_rules_is_framing() -> None:
    failure(await once(always(b"HTTP/1.1 abc OK\r\n\r\n")), "framing", "head")
    failure(await once(always(b"HTTP/1.1 200 OK\r\nno colon here\r\n\r\n")), "framing", "head")
    failure(await once(always(HEAD + b"X: " + b"y" * 200_000)), "framing", "head")


async def test_a_head_that_is_cut_is_truncated() -> None:
    failure(await once(always(b"HTTP/1.1 200 OK\r\nContent-Le", close=True)), "truncated", "middle of the head")
    failure(await once(always(b"HT", close=True)), "truncated", "middle of the head")


# --------------------------------------------------------------------------- a broken answer


async def test_a_body_shorter_than_promised_is_truncated_and_kept() -> None:
    reply = await once(always(HEAD + b'Content-Length: 100\r\n\r\n{"half":', close=True))
    failure(reply, "truncated", "8 bytes", "100")
    assert body(reply) == b'{"half":'


async def test_a_chunked_body_that_is_cut_is_truncated_and_kept() -> None:
    reply = await once(always(HEAD + b'Transfer-Encoding: chunked\r\n\r\n4\r\n{"ha\r\n9\r\nlf', close=True))
    failure(reply, "truncated", "before its end")
    assert body(reply) == b'{"half'


async def test_a_chunk_with_a_bad_length_is_framing_and_what_came_before_is_kept() -> None:
    reply = await once(always(HEAD + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\nxyz\r\n"))
    failure(reply, "framing", "body")
    assert body(reply) == b"{}"


async def test_a_reset_in_mid_body_keeps_what_came() -> None:
    got_some = asyncio.Event()

    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.stream_head()
        await peer.chunk(b"data: 1\n\ndata: 2")
        await got_some.wait()
        peer.reset()

    def on_frame(_: object) -> bool:
        got_some.set()
        return False

    reply = await once(script, on_frame=on_frame)
    failure(reply, "reset", "16 bytes")
    assert reply.response is not None
    assert [(frame.data, frame.complete) for frame in reply.response.frames] == [("1", True), ("2", False)]


async def test_a_cut_body_with_a_coding_keeps_what_was_undone() -> None:
    import zlib

    squeeze = zlib.compressobj(wbits=31)
    start = squeeze.compress(b'{"half"') + squeeze.flush(zlib.Z_SYNC_FLUSH)
    head = HEAD + b"Content-Encoding: gzip\r\nContent-Length: 999\r\n\r\n"
    reply = await once(always(head + start, close=True))
    failure(reply, "truncated")
    assert reply.response is not None
    assert (reply.response.body, reply.response.wire) == (b'{"half"', start)


async def test_a_server_that_answers_before_it_has_read_everything_is_heard() -> None:
    async def script(peer: Peer) -> None:
        await peer.reader.readuntil(b"\r\n\r\n")
        await peer.answer(b"too large", b"Connection: close", status=b"413 Content Too Large")
        await peer.left()

    async with Wire(script) as wire, transport() as client:
        reply = await post(client, wire.url, body=b"x" * 300_000)
    assert reply.error is None
    assert reply.response is not None
    assert (reply.response.status, reply.response.body) == (413, b"too large")


# --------------------------------------------------------------------------- timeout


async def silent(peer: Peer) -> None:
    await peer.request()
    await peer.left()


async def test_a_timeout_while_waiting_names_the_phase_and_the_seconds() -> None:
    reply = await once(silent, timeout=0.2)
    failure(reply, "timeout", "0.2 s", "waiting for the answer of 127.0.0.1:")
    assert reply.response is None
    assert reply.timing.first_byte_ms is None
    assert reply.timing.total_ms is not None


async def test_a_timeout_in_mid_body_keeps_what_came_and_closes_the_connection() -> None:
    left = asyncio.Event()

    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.send(HEAD + b'Content-Length: 100\r\n\r\n{"half":')
        await peer.left()
        left.set()

    async with Wire(script) as wire, transport() as client:
        reply = await post(client, wire.url, timeout=0.2)
        await asyncio.wait_for(left.wait(), 5)
    failure(reply, "timeout", "reading the answer of")
    assert body(reply) == b'{"half":'


async def test_bytes_that_keep_coming_do_not_put_the_timeout_off() -> None:
    heard = asyncio.Event()

    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.stream_head()
        while True:
            await peer.chunk(b": hb\n\n")
            await heard.wait()
            heard.clear()

    def on_frame(_: object) -> bool:
        heard.set()
        return False

    reply = await once(script, timeout=0.2, on_frame=on_frame)
    failure(reply, "timeout", "reading the answer of")
    assert reply.response is not None
    assert len(reply.response.frames) > 1
    assert all(frame.data is None and frame.complete for frame in reply.response.frames)


async def test_a_timeout_while_connecting_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    started = asyncio.Event()

    async def never(*_: object, **__: object) -> None:
        started.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", never)
    async with transport() as client:
        reply = await post(client, "http://slow.invalid/", timeout=0.5)
    assert started.is_set()
    failure(reply, "timeout", "connecting to slow.invalid:80")
    assert reply.timing.total_ms is None


@pytest.mark.parametrize(("handshake", "timeout"), [(0.2, 30.0), (30.0, 0.2)])
async def test_a_server_that_waits_in_the_tls_handshake_is_left_in_time(handshake: float, timeout: float) -> None:
    left = asyncio.Event()

    async def script(peer: Peer) -> None:
        await peer.left()
        left.set()

    async with Wire(script) as wire, transport(insecure=True, handshake=handshake) as client:
        reply = await post(client, wire.url.replace("http", "https"), timeout=timeout)
        await asyncio.wait_for(left.wait(), 5)
    failure(reply, "tls", "did not answer the TLS handshake in 0.2 s; it does not seem to speak TLS there")


async def test_a_cancel_in_the_tls_handshake_closes_the_connection() -> None:
    cancel, left = asyncio.Event(), asyncio.Event()

    async def script(peer: Peer) -> None:
        await peer.reader.read(1)
        cancel.set()
        await peer.left()
        left.set()

    async with Wire(script) as wire, transport(insecure=True) as client:
        reply = await post(client, wire.url.replace("http", "https"), cancel=cancel)
        await asyncio.wait_for(left.wait(), 5)
    assert (reply.cancelled, reply.error) == (True, None)


async def test_after_a_timeout_the_next_exchange_has_its_own_answer() -> None:
    answered = False

    async def script(peer: Peer) -> None:
        nonlocal answered
        await peer.request()
        if not answered:
            answered = True
            await peer.left()
        else:
            await peer.answer(b"second")

    async with Wire(script) as wire, transport() as client:
        failure(await post(client, wire.url, timeout=0.2), "timeout")
        assert body(await post(client, wire.url)) == b"second"


# --------------------------------------------------------------------------- cancel


async def test_a_cancel_while_waiting_closes_the_connection_at_once() -> None:
    cancel, left = asyncio.Event(), asyncio.Event()

    async def script(peer: Peer) -> None:
        await peer.request()
        cancel.set()
        await peer.left()
        left.set()

    async with Wire(script) as wire, transport() as client:
        reply = await post(client, wire.url, cancel=cancel)
        await asyncio.wait_for(left.wait(), 5)
    assert (reply.cancelled, reply.error, reply.response) == (True, None, None)
    assert reply.timing.total_ms is not None


async def test_a_cancel_in_mid_body_keeps_what_came() -> None:
    cancel, left = asyncio.Event(), asyncio.Event()

    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.stream_head()
        await peer.chunk(b"data: 1\n\ndata: tw")
        await peer.left()
        left.set()

    def on_frame(_: object) -> bool:
        cancel.set()
        return False

    async with Wire(script) as wire, transport() as client:
        reply = await post(client, wire.url, cancel=cancel, on_frame=on_frame)
        await asyncio.wait_for(left.wait(), 5)
    assert (reply.cancelled, reply.error) == (True, None)
    assert reply.response is not None
    assert reply.response.body == b"data: 1\n\ndata: tw"
    assert [(frame.data, frame.complete) for frame in reply.response.frames] == [("1", True), ("tw", False)]


async def test_a_cancel_while_connecting_ends_the_exchange(monkeypatch: pytest.MonkeyPatch) -> None:
    cancel = asyncio.Event()

    async def never(*_: object, **__: object) -> None:
        cancel.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", never)
    async with transport() as client:
        reply = await post(client, "http://slow.invalid/", cancel=cancel)
    assert (reply.cancelled, reply.error, reply.response) == (True, None, None)


async def test_a_cancel_that_came_first_sends_nothing() -> None:
    cancel = asyncio.Event()
    cancel.set()
    async with Wire(silent) as wire, transport() as client:
        reply = await post(client, wire.url, cancel=cancel)
        assert (reply.cancelled, wire.connections) == (True, 0)


async def test_a_cancelled_caller_closes_the_connection() -> None:
    asked, left = asyncio.Event(), asyncio.Event()

    async def script(peer: Peer) -> None:
        await peer.request()
        asked.set()
        await peer.left()
        left.set()

    async with Wire(script) as wire, transport() as client:
        task = asyncio.create_task(post(client, wire.url))
        await asked.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.wait_for(left.wait(), 5)


async def test_a_cancel_while_the_body_is_being_sent_closes_the_connection() -> None:
    cancel, left = asyncio.Event(), asyncio.Event()

    async def script(peer: Peer) -> None:
        await peer.reader.readuntil(b"\r\n\r\n")
        cancel.set()
        await peer.left()
        left.set()

    async with Wire(script) as wire, transport() as client:
        reply = await post(client, wire.url, body=b"x" * 20_000_000, cancel=cancel)
        await asyncio.wait_for(left.wait(), 5)
    assert reply.cancelled


# --------------------------------------------------------------------------- what has no name


def test_an_exception_that_nobody_foresaw_is_told_with_its_name() -> None:
    progress = Progress(lambda: 0.0, "h:1")
    error = classify(
        ZeroDivisionError("division by zero"),
        progress,
        Incoming(progress, None, request=WireRequest("", (), b""), keeping=Keeping()),
    )
    assert error == TransportError("other", "The exchange with h:1 failed: ZeroDivisionError (division by zero).")
