"""TLS: what is trusted, what is not, and that nothing is ever sent unchecked."""

from __future__ import annotations

import ssl
from pathlib import Path

import pytest

from olv_tui.model import Reply
from tests.transport.wire import Peer, Wire, always, post, server_context, transport

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tls")


@pytest.fixture(scope="module")
def secure(folder: Path) -> ssl.SSLContext:
    pytest.importorskip("cryptography", reason="the cryptography package makes the certificate")
    return server_context(folder)


def tls_failure(reply: Reply, *words: str) -> None:
    assert reply.error is not None, reply
    assert reply.error.kind == "tls", reply.error
    for word in ("TLS", *words):
        assert word in reply.error.message
    assert reply.response is None


async def test_a_certificate_that_nobody_signed_is_refused_before_anything_is_sent(secure: ssl.SSLContext) -> None:
    requests: list[bytes] = []

    async def script(peer: Peer) -> None:
        requests.append(await peer.request())

    async with Wire(script, tls=secure) as wire, transport() as client:
        tls_failure(await post(client, wire.url), "not trusted", "self-signed", f"127.0.0.1:{wire.port}")
    assert requests == []


async def test_insecure_takes_any_certificate(secure: ssl.SSLContext) -> None:
    async with Wire(always(ANSWER), tls=secure) as wire, transport(insecure=True) as client:
        replies = [await post(client, wire.url) for _ in range(2)]
        assert wire.connections == 1
    assert [reply.error for reply in replies] == [None, None]
    assert replies[0].timing.connect_ms is not None
    assert replies[1].timing.connect_ms is None


async def test_a_certificate_that_the_environment_names_is_trusted(
    secure: ssl.SSLContext, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(folder / "cert.pem"))
    async with Wire(always(ANSWER), tls=secure) as wire, transport() as client:
        reply = await post(client, wire.url)
    assert reply.error is None
    assert reply.response is not None
    assert reply.response.body == b"{}"


async def test_a_certificate_for_another_host_is_refused(
    secure: ssl.SSLContext, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(folder / "cert.pem"))
    async with Wire(always(ANSWER), tls=secure) as wire, transport() as client:
        tls_failure(await post(client, wire.url.replace("127.0.0.1", "localhost")), "not trusted", "localhost")


@pytest.mark.parametrize("insecure", [False, True])
async def test_https_to_a_port_that_speaks_http_says_tls(insecure: bool) -> None:
    async def script(peer: Peer) -> None:
        await peer.reader.read(100)
        await peer.send(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
        await peer.left()

    async with Wire(script) as wire, transport(insecure=insecure) as client:
        tls_failure(await post(client, wire.url.replace("http", "https")), "does not seem to speak TLS")


async def test_a_handshake_that_the_server_ends_says_tls() -> None:
    async def closing(peer: Peer) -> None:
        await peer.reader.read(100)

    async def resetting(peer: Peer) -> None:
        await peer.reader.read(100)
        peer.reset()

    for script in (closing, resetting):
        async with Wire(script) as wire, transport() as client:
            tls_failure(await post(client, wire.url.replace("http", "https")))


@pytest.mark.parametrize("insecure", [False, True])
async def test_the_connections_for_http_can_never_be_used_for_https(secure: ssl.SSLContext, insecure: bool) -> None:
    requests: list[bytes] = []

    async def script(peer: Peer) -> None:
        requests.append(await peer.request())
        await peer.answer()

    async with Wire(script, tls=secure) as wire, transport(insecure=insecure) as client:
        await post(client, wire.url.replace("https", "http"))  # makes the pool for http; the server drops it
        (plain,) = client._routes.values()
        client._routes["https", "127.0.0.1", wire.port] = plain
        tls_failure(await post(client, wire.url))
    assert requests == []


async def test_bytes_beyond_an_answer_are_never_read_as_the_next_answer(secure: ssl.SSLContext) -> None:
    forged = b'HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n"forged"'

    async def script(peer: Peer) -> None:
        await peer.request()
        peer.writer.write(ANSWER)  # two records, normally in one packet
        peer.writer.write(forged)
        await peer.writer.drain()
        await peer.left()

    async with Wire(script, tls=secure) as wire, transport(insecure=True) as client:
        replies = [await post(client, wire.url) for _ in range(3)]
        assert wire.connections == 3
    assert [reply.response and reply.response.body for reply in replies] == [b"{}"] * 3
