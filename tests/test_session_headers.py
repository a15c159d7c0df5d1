"""Headers of one request: in place of ours and the target's, for that request alone."""

from __future__ import annotations

from olv_tui.history import History
from olv_tui.model import Era, Target
from olv_tui.redact import Redactor
from olv_tui.session import Session
from olv_tui.transport.http import HttpTransport
from tests.transport.wire import Peer, Wire


async def test_headers_of_one_request_stand_in_place_of_ours_and_of_the_targets() -> None:
    target = Target("t", "http://127.0.0.1:9/mcp", era=Era.BARE, headers=(("X-Team", "a"), ("X-Kept", "1")))
    one = Session(target, HttpTransport(), History(None, Redactor(b"k" * 32)))
    request = one.dress(b"{}", (("accept", "text/plain"), ("x-team", "b"), ("x-team", "c")), ("User-Agent",))
    assert request.headers == (
        ("Content-Type", "application/json"),
        ("X-Kept", "1"),
        ("accept", "text/plain"),
        ("x-team", "b"),
        ("x-team", "c"),
    )
    await one.close()


async def test_headers_of_one_request_are_sent_and_the_next_request_is_without_them() -> None:
    async def script(peer: Peer) -> None:
        while True:
            seen.append(await peer.request())
            await peer.answer(b'{"jsonrpc":"2.0","id":1,"result":{}}', b"Content-Type: application/json")

    seen: list[bytes] = []
    body = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
    async with Wire(script) as wire:
        one = Session(Target("t", wire.url, era=Era.BARE), HttpTransport(), History(None, Redactor(b"k" * 32)))
        await one.send(body, headers=(("X-Once", "yes"),), without=("Accept",))
        await one.send(body)
        await one.close()
    assert b"X-Once: yes" in seen[0]
    assert b"accept:" not in seen[0].lower()
    assert b"X-Once" not in seen[1]
    assert b"Accept: application/json, text/event-stream" in seen[1]
