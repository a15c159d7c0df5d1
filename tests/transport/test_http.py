"""What leaves and what comes back, byte for byte, over real sockets."""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
import zlib

import pytest

from olv_tui.model import Reply, WireRequest, WireResponse
from olv_tui.transport.http import HttpTransport
from tests.transport.coded import gzipped
from tests.transport.wire import Peer, Wire, always, once, post, transport


def response(reply: Reply) -> WireResponse:
    assert reply.error is None, reply.error
    assert reply.response is not None
    return reply.response


async def seen(*headers: tuple[str, str], body: bytes = b"{}", method: str = "POST") -> bytes:
    """The request as the server got it."""
    got: list[bytes] = []

    async def script(peer: Peer) -> None:
        got.append(await peer.request())
        await peer.answer()

    async with Wire(script) as wire, transport() as client:
        reply = await client.exchange(WireRequest(wire.url, headers, body, method), timeout=5)
        assert reply.error is None, reply.error
        return got[0].replace(str(wire.port).encode(), b"PORT")


# --------------------------------------------------------------------------- going out


async def test_the_request_leaves_byte_for_byte_with_only_the_framing_added() -> None:
    headers = (("X-Zeta", "1"), ("accept", "application/json"), ("CoNtEnT-type", "text/plain"), ("x-zeta", "2"))
    assert await seen(*headers, body=b"\xef\xbb\xbf{ not json \xff\x00") == (
        b"POST /mcp HTTP/1.1\r\n"
        b"Host: 127.0.0.1:PORT\r\n"
        b"X-Zeta: 1\r\n"
        b"accept: application/json\r\n"
        b"CoNtEnT-type: text/plain\r\n"
        b"x-zeta: 2\r\n"
        b"Accept-Encoding: gzip, deflate\r\n"
        b"Content-Length: 16\r\n\r\n"
        b"\xef\xbb\xbf{ not json \xff\x00"
    )


async def test_no_user_agent_or_accept_is_made_up() -> None:
    request = (await seen()).lower()
    assert b"user-agent" not in request
    assert b"accept:" not in request
    assert b"cookie" not in request


async def test_a_header_of_the_users_own_replaces_the_one_that_would_be_added() -> None:
    request = await seen(("Host", "elsewhere"), ("accept-encoding", "identity"), ("content-length", "2"))
    assert (
        request == b"POST /mcp HTTP/1.1\r\nHost: elsewhere\r\naccept-encoding: identity\r\ncontent-length: 2\r\n\r\n{}"
    )


async def test_header_values_that_are_not_ascii_leave_as_utf8() -> None:
    assert "x-owner: Zoë 日本\r\n".encode() in await seen(("x-owner", "Zoë 日本"))


async def test_an_empty_header_value_is_sent() -> None:
    assert b"\r\nMcp-Param-City: \r\n" in await seen(("Mcp-Param-City", ""))


async def test_the_body_may_be_empty_and_the_method_another() -> None:
    assert b"\r\nContent-Length: 0\r\n" in await seen(body=b"")
    request = await seen(body=b"", method="DELETE")
    assert request.startswith(b"DELETE /mcp HTTP/1.1\r\n")
    assert b"content-length" not in request.lower()


async def test_credentials_in_the_url_are_not_put_into_a_header_behind_the_preview() -> None:
    got: list[bytes] = []

    async def script(peer: Peer) -> None:
        got.append(await peer.request())
        await peer.answer()

    async with Wire(script) as wire, transport() as client:
        await post(client, wire.url.replace("://", "://user:secret@"))
    assert b"authorization" not in got[0].lower()


async def test_cookies_that_a_server_sets_do_not_come_back() -> None:
    got: list[bytes] = []

    async def script(peer: Peer) -> None:
        for _ in range(2):
            got.append(await peer.request())
            await peer.answer(b"{}", b"Set-Cookie: a=b")

    async with Wire(script) as wire, transport() as client:
        await post(client, wire.url)
        await post(client, wire.url)
    assert got[0] == got[1]


@pytest.mark.parametrize(
    ("headers", "word"),
    [
        ((("X-Evil", "a\r\nX-More: b"),), "line break"),
        ((("X-Evil", "a\x00"),), "control character"),
        ((("X Evil", "a"),), "header name 'X Evil'"),
        ((("", "a"),), "header name ''"),
        ((("X-É", "a"),), "header name"),
        ((("X-Evil", " a"),), "blanks"),
        ((("X-Evil", "\ud800"),), "not valid text"),
        ((("Content-Length", "3"),), "Content-Length"),
        ((("transfer-encoding", "chunked"),), "Transfer-Encoding"),
    ],
)
async def test_a_header_that_cannot_be_sent_is_named_and_nothing_is_sent(
    headers: tuple[tuple[str, str], ...], word: str
) -> None:
    async with Wire(always(b"")) as wire, transport() as client:
        reply = await post(client, wire.url, *headers)
        assert wire.connections == 0
    assert reply.error is not None
    assert reply.error.kind == "request"
    assert word in reply.error.message


async def test_the_value_of_a_header_that_cannot_be_sent_is_not_told() -> None:
    async with transport() as client:
        reply = await post(client, "http://127.0.0.1:1/", ("Authorization", "Bearer tok-secret\n"))
    assert reply.error is not None
    assert "tok-secret" not in reply.error.message


@pytest.mark.parametrize(
    "url",
    [
        "",
        "127.0.0.1/mcp",
        "ftp://127.0.0.1/",
        "http://",
        "http:///mcp",
        "http://[::1/",
        "http://h:99999/",
        "http://h:x/",
    ],
)
async def test_an_address_that_is_no_http_url_is_an_error_of_kind_request(url: str) -> None:
    async with transport() as client:
        reply = await post(client, url)
    assert reply.error is not None
    assert reply.error.kind == "request"
    assert reply.timing.total_ms is None


# --------------------------------------------------------------------------- coming back


async def test_the_head_comes_back_as_it_was_sent() -> None:
    head = (
        b"HTTP/1.1 203 Rather Odd\r\nX-B: 1\r\nx-a: 2\r\nX-B: 3\r\nX-Owner: Zo\xc3\xab\r\nX-Old: Zo\xeb\r\n"
        b"CONTENT-LENGTH: 2\r\n\r\n{}"
    )
    got = response(await once(always(head)))
    assert (got.status, got.reason, got.http_version, got.body) == (203, "Rather Odd", "1.1", b"{}")
    assert got.headers == (
        ("X-B", "1"),
        ("x-a", "2"),
        ("X-B", "3"),
        ("X-Owner", "Zoë"),
        ("X-Old", "Zoë"),
        ("CONTENT-LENGTH", "2"),
    )
    assert (got.coding, got.wire, got.frames, got.surplus) == (None, None, (), b"")


async def test_an_answer_that_ends_with_the_connection_is_whole() -> None:
    got = response(await once(always(b'HTTP/1.0 200 OK\r\n\r\n{"a": 1}', close=True)))
    assert (got.http_version, got.body) == ("1.0", b'{"a": 1}')


async def test_a_chunked_body_is_put_together() -> None:
    chunked = (
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;x=y\r\n{}\r\n3\r\n \r\n\r\n0\r\nTrailer: 1\r\n\r\n"
    )
    got = response(await once(always(chunked)))
    assert (got.body, got.surplus) == (b"{} \r\n", b"")


async def test_a_provisional_answer_is_passed_over() -> None:
    early = b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
    assert response(await once(always(early))).status == 200


async def test_a_redirect_is_brought_home_and_not_followed() -> None:
    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.answer(b"", b"Location: /elsewhere", status=b"307 Temporary Redirect")

    async with Wire(script) as wire, transport() as client:
        got = response(await post(client, wire.url))
        assert (got.status, got.header("location"), wire.connections) == (307, "/elsewhere", 1)


@pytest.mark.parametrize(
    ("coding", "wire"),
    [("gzip", gzipped(b"[1]")), ("X-GZip", gzipped(b"[1]")), ("deflate", zlib.compress(b"[1]"))],
)
async def test_a_coded_body_is_undone_and_its_wire_bytes_are_kept(coding: str, wire: bytes) -> None:
    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.answer(wire, b"Content-Encoding: " + coding.encode())

    got = response(await once(script))
    assert (got.body, got.wire, got.coding) == (b"[1]", wire, coding.lower())


@pytest.mark.parametrize(
    ("coding", "body"),
    [("zstd", b"\x28\xb5\x2f\xfd"), ("br", b"\x0b\x01"), ("gzip", b'{"a":1}'), ("gzip", gzipped(b"[1]")[:-3])],
)
async def test_a_coding_that_cannot_be_undone_is_named_and_everything_is_kept(coding: str, body: bytes) -> None:
    async def script(peer: Peer) -> None:
        while True:
            await peer.request()
            await peer.answer(body, b"Content-Encoding: " + coding.encode())

    async with Wire(script) as wire, transport() as client:
        reply = await post(client, wire.url)
        await post(client, wire.url)
        assert wire.connections == 1  # the framing was sound, so the connection is too
    assert reply.error is not None
    assert reply.error.kind == "coding"
    assert coding in reply.error.message
    assert reply.response is not None
    assert (reply.response.status, reply.response.wire) == (200, body)
    assert reply.response.body in {body, b"[1]"}


async def test_a_large_body_comes_back_exactly_and_is_held_once() -> None:
    body = bytes(range(256)) * 40_000

    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.answer(body)

    got = response(await once(script))
    assert got.body == body
    assert got.wire is None


# --------------------------------------------------------------------------- connections


async def test_a_connection_is_used_again_and_the_timing_says_so() -> None:
    async with Wire(always(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")) as wire, transport() as client:
        first = await post(client, wire.url)
        second = await post(client, wire.url)
        assert wire.connections == 1
    assert first.timing.connect_ms is not None
    assert second.timing.connect_ms is None
    for timing in (first.timing, second.timing):
        assert timing.first_byte_ms is not None
        assert timing.total_ms is not None
        assert 0 <= timing.first_byte_ms <= timing.total_ms


async def test_a_connection_that_the_server_closed_meanwhile_is_not_used_again() -> None:
    closed = asyncio.Event()

    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.answer()
        peer.close()
        await peer.writer.wait_closed()
        closed.set()

    async with Wire(script) as wire, transport() as client:
        response(await post(client, wire.url))
        await closed.wait()
        response(await post(client, wire.url))
        assert wire.connections == 2


@pytest.mark.parametrize(
    "framed",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
        b"HTTP/1.1 204 No Content\r\n\r\n",
    ],
)
async def test_bytes_beyond_an_answer_are_kept_and_never_read_as_the_next_answer(framed: bytes) -> None:
    forged = b'HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n"forged"'
    async with Wire(always(framed + forged)) as wire, transport() as client:
        first = response(await post(client, wire.url))
        second = response(await post(client, wire.url))
        assert wire.connections == 2
    assert first.surplus == second.surplus == forged
    assert first.body == second.body
    assert b"forged" not in second.body


async def test_bytes_beyond_an_answer_that_come_late_end_the_connection() -> None:
    sent = asyncio.Event()

    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.answer(b"1")
        await peer.answer(b'"forged"')
        sent.set()
        await peer.left()

    async with Wire(script) as wire, transport() as client:
        response(await post(client, wire.url))
        await sent.wait()
        assert response(await post(client, wire.url)).body == b"1"
        assert wire.connections == 2


async def test_two_exchanges_in_flight_never_swap_their_answers() -> None:
    second_is_in = asyncio.Event()

    async def script(peer: Peer) -> None:
        request = await peer.request()
        if request.endswith(b"first"):
            await second_is_in.wait()
        else:
            second_is_in.set()
        await peer.answer(request.rpartition(b"\r\n")[2])

    async with Wire(script) as wire, transport() as client:
        replies = await asyncio.gather(post(client, wire.url, body=b"first"), post(client, wire.url, body=b"second"))
    assert [response(reply).body for reply in replies] == [b"first", b"second"]


async def test_more_exchanges_than_connections_wait_for_each_other() -> None:
    async with Wire(always(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")) as wire, transport() as client:
        replies = await asyncio.gather(*(post(client, wire.url) for _ in range(60)))
        assert wire.connections <= 20
    assert {response(reply).body for reply in replies} == {b"{}"}


async def test_a_closed_transport_has_let_go_of_its_connections_and_can_be_used_again() -> None:
    gone = asyncio.Event()

    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.answer()
        await peer.left()
        gone.set()

    async with Wire(script) as wire:
        client = HttpTransport()
        response(await post(client, wire.url))
        await client.aclose()
        await asyncio.wait_for(gone.wait(), 5)
        response(await post(client, wire.url))
        await client.aclose()


# --------------------------------------------------------------------------- promises of the module


async def test_nothing_that_is_logged_holds_a_url_or_a_header(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    async with Wire(always(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")) as wire, transport() as client:
        await post(client, wire.url + "?key=tok-secret", ("Authorization", "Bearer tok-secret"))
    assert "tok-secret" not in caplog.text


def test_the_module_and_an_unused_transport_load_no_httpx() -> None:
    code = (
        "import sys; from olv_tui.transport.http import HttpTransport; HttpTransport();"
        "sys.exit(any(name in sys.modules for name in ('httpx', 'httpcore', 'anyio')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


async def test_the_clock_that_is_given_is_the_one_that_is_read() -> None:
    ticks = iter(range(1000))
    async with Wire(always(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")) as wire:
        client = HttpTransport(timer=lambda: float(next(ticks)))
        reply = await post(client, wire.url)
        await client.aclose()
    # connecting: 0 to 1; the first byte leaves at 2; what comes in is stamped from 3 on.
    assert (reply.timing.connect_ms, reply.timing.first_byte_ms) == (1000.0, 1000.0)
