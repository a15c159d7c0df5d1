"""Proxies of the environment: followed for other machines, never for this one."""

from __future__ import annotations

import pytest

from olv_tui.transport.proxies import is_loopback, proxy_for
from tests.transport.wire import Peer, Wire, always, post, transport, unused_port

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"


@pytest.fixture(autouse=True)
def _no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http", "https", "all", "no"):
        monkeypatch.delenv(f"{name}_proxy", raising=False)
        monkeypatch.delenv(f"{name}_proxy".upper(), raising=False)


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST.", "api.localhost", "127.0.0.1", "127.8.9.1", "::1"])
def test_this_machine_is_known_by_all_its_names(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("all_proxy", "http://proxy.invalid:3128")
    assert is_loopback(host)
    assert proxy_for("http", host) is None


@pytest.mark.parametrize("host", ["localhost.example.com", "10.0.0.1", "128.0.0.1", "example.com", "::2", ""])
def test_another_machine_is_not_taken_for_this_one(host: str) -> None:
    assert not is_loopback(host)


def test_each_scheme_has_its_proxy_and_exceptions_are_honoured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("https_proxy", "proxy.invalid:3128")
    monkeypatch.setenv("no_proxy", "intern.example.com")
    assert proxy_for("https", "example.com") == "http://proxy.invalid:3128"
    assert proxy_for("https", "a.intern.example.com") is None
    assert proxy_for("http", "example.com") is None


async def test_a_request_goes_through_the_proxy_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    got: list[bytes] = []

    async def script(peer: Peer) -> None:
        got.append(await peer.request())
        await peer.answer()

    async with Wire(script) as wire, transport() as client:
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{wire.port}")
        reply = await post(client, "http://far.invalid:8080/mcp", ("X-A", "1"))
    assert reply.error is None
    assert got[0].startswith(b"POST http://far.invalid:8080/mcp HTTP/1.1\r\n")
    assert b"\r\nHost: far.invalid:8080\r\nX-A: 1\r\n" in got[0]


async def test_a_request_to_this_machine_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{unused_port()}")
    async with Wire(always(ANSWER)) as wire, transport() as client:
        assert (await post(client, wire.url)).error is None


async def test_a_proxy_that_cannot_be_reached_is_named_without_its_password(monkeypatch: pytest.MonkeyPatch) -> None:
    port = unused_port()
    monkeypatch.setenv("http_proxy", f"http://user:tok-secret@127.0.0.1:{port}")
    async with transport() as client:
        reply = await post(client, "http://far.invalid/")
    assert reply.error is not None
    assert reply.error.kind == "proxy"
    assert f"127.0.0.1:{port}" in reply.error.message
    assert "tok-secret" not in reply.error.message


async def test_a_proxy_that_refuses_the_way_is_an_error_of_kind_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    async def script(peer: Peer) -> None:
        assert (await peer.request()).startswith(b"CONNECT far.invalid:443 HTTP/1.1\r\n")
        await peer.answer(b"", status=b"407 Proxy Authentication Required")

    async with Wire(script) as wire, transport(insecure=True) as client:
        monkeypatch.setenv("https_proxy", f"http://127.0.0.1:{wire.port}")
        reply = await post(client, "https://far.invalid/")
    assert reply.error is not None
    assert (reply.error.kind, "407" in reply.error.message) == ("proxy", True)


@pytest.mark.parametrize("proxy", ["gopher://user:tok-secret@p.invalid:70", "http://user:tok-secret@p.invalid:x"])
async def test_a_proxy_that_cannot_be_used_is_an_error_of_kind_proxy(
    proxy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", proxy)
    async with transport() as client:
        reply = await post(client, "http://far.invalid/")
    assert reply.error is not None
    assert reply.error.kind == "proxy"
    assert "tok-secret" not in reply.error.message
