"""Every way to break a request, sent to real servers: a verdict comes of each, and no fault of ours."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from olv_tui.demo.server import DemoServer
from olv_tui.history import History
from olv_tui.model import Era, RequestId, Target, Verdict
from olv_tui.redact import Redactor
from olv_tui.session import Session
from olv_tui.transport.http import HttpTransport
from olv_tui.view.breakage import BREAKAGES, Breakage, Ground, Parts
from tests.servers import sdk_server


@pytest.fixture(scope="module")
def urls() -> Iterator[dict[str, str]]:
    with DemoServer() as demo, DemoServer("sessions") as sessions, sdk_server() as sdk:
        yield {"demo": demo.url, "sessions": sessions.url, "sdk": sdk}


SERVERS = [
    ("demo", Era.MODERN, "olv_get_world", '{"world_id":"w_lantern"}'),
    ("sessions", Era.LEGACY, "olv_get_world", '{"world_id":"w_lantern"}'),
    ("sdk", Era.MODERN, "add", '{"a":1,"b":2}'),
    ("sdk", Era.LEGACY, "add", '{"a":1,"b":2}'),
]


@pytest.fixture(params=SERVERS, ids=lambda one: f"{one[0]}-{one[1]}")
async def opened(request: pytest.FixtureRequest, urls: dict[str, str]) -> AsyncIterator[tuple[Session, str, str]]:
    name, era, tool, arguments = request.param
    history = History(None, Redactor(b"k" * 32))
    session = Session(Target("", urls[name], era=era, timeout=5), HttpTransport(), history)
    assert await session.connect() is None
    yield session, tool, arguments
    await session.close()
    history.close()


@pytest.mark.parametrize("way", BREAKAGES, ids=lambda way: way.key)
async def test_each_gets_a_verdict(way: Breakage, opened: tuple[Session, str, str]) -> None:
    session, tool, arguments = opened
    listing = await session.list_tools()
    known = next(one for one in listing.tools if one.name == tool)
    body = session.call_body(tool, arguments, RequestId("77"))
    made = way.apply(Parts(body), Ground(session.era, session.dress(body).headers, known))
    if isinstance(made, str):
        assert way.key in ("no-session", "mismatch", "no-meta"), made
        return
    exchange = await session.send(made.body, headers=made.headers, without=made.without)
    assert exchange.request.body == made.body, "sent as broken, byte for byte"
    assert set(made.headers) <= set(exchange.request.headers)
    assert not {name.lower() for name in made.without} & {name.lower() for name, _ in exchange.request.headers}
    assert exchange.judgement is not None
    assert exchange.verdict not in (Verdict.PENDING, Verdict.LOST, Verdict.CANCELLED, Verdict.TRANSPORT_ERROR)


RIGHT = {
    "no-id": "accepted",
    "method": "rpc_error -32601",
    "tool": "rpc_error -32602",
    "comma": "rpc_error -32700",
    "cut": "rpc_error -32700",
    "no-json": "rpc_error -32700",
    "utf8": "rpc_error -32700",
    "version": "rpc_error -32600",
}


@pytest.mark.parametrize("key", RIGHT)
async def test_the_demo_answers_as_a_right_server_does(key: str, urls: dict[str, str]) -> None:
    history = History(None, Redactor(b"k" * 32))
    session = Session(Target("", urls["demo"], era=Era.MODERN, timeout=5), HttpTransport(), history)
    await session.connect()
    way = next(one for one in BREAKAGES if one.key == key)
    body = session.call_body("olv_get_world", '{"world_id":"w_lantern"}', RequestId("77"))
    made = way.apply(Parts(body), Ground(session.era, session.dress(body).headers))
    assert isinstance(made, Parts)
    exchange = await session.send(made.body, headers=made.headers, without=made.without)
    judgement = exchange.judgement
    assert judgement is not None
    code = f" {judgement.rpc_error.code.text}" if judgement.rpc_error is not None else ""
    assert f"{exchange.verdict}{code}" == RIGHT[key]
    assert RIGHT[key].split()[-1] in way.answer or key == "no-id"
    await session.close()
    history.close()
