"""Answering a server that asks for input, telling it that nobody waits, and asking it how far it is."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from olv_tui.demo.server import DemoServer
from olv_tui.history import History
from olv_tui.model import Era, Exchange, Number, Object, RequestId, Target, Verdict
from olv_tui.redact import Redactor
from olv_tui.session import Session, input_requests
from olv_tui.transport.http import HttpTransport
from tests.test_session_repairs import LEGACY_HELLO, event
from tests.transport.wire import LIMIT, Peer, Wire

LINK = '{"site":"helpbless.com","scopes":["read"]}'
FORM = '{"elicitation":{"form":{}}}'


@pytest.fixture
def history() -> Iterator[History]:
    kept = History(None, Redactor(b"k" * 32))
    yield kept
    kept.close()


@pytest.fixture
def demo() -> Iterator[DemoServer]:
    with DemoServer("unlinked") as server:
        yield server


@asynccontextmanager
async def session(url: str, history: History, era: Era, timeout: float = 10) -> AsyncIterator[Session]:
    opened = Session(Target("", url, era=era, timeout=timeout), HttpTransport(), history)
    try:
        yield opened
    finally:
        await opened.close()


def structured(exchange: Exchange) -> object:
    assert exchange.judgement is not None
    message = exchange.judgement.message
    assert isinstance(message, Object), exchange.judgement.summary
    result = message["result"]
    assert isinstance(result, Object)
    return result.get("structuredContent")


# --------------------------------------------------------------------------- rounds


async def test_a_question_is_read_and_its_answer_ends_the_call(demo: DemoServer, history: History) -> None:
    async with session(demo.url, history, Era.MODERN) as one:
        one.hear(None, None, FORM)
        asked = await one.call("olv_link_site", LINK)
        assert asked.verdict is Verdict.INPUT_REQUIRED
        (question,) = input_requests(asked)
        assert (question.key, question.method) == ("code", "elicitation/create")
        assert question.params["message"] == "Enter the six digits shown on helpbless.com"
        done = await one.answer_input(asked, {"code": '{"action":"accept","content":{"code":"123456"}}'})
    assert done.verdict is Verdict.RESULT
    assert structured(done) == Object([("site", "helpbless.com"), ("linked", True), ("scopes", ["read"])])
    assert done.id != asked.id
    assert not done.automatic


async def test_a_person_who_declines_is_told_so_by_the_tool(demo: DemoServer, history: History) -> None:
    async with session(demo.url, history, Era.MODERN) as one:
        one.hear(None, None, FORM)
        asked = await one.call("olv_link_site", LINK)
        done = await one.answer_input(asked, {"code": '{"action":"decline"}'})
    assert done.verdict is Verdict.TOOL_ERROR


class Rounds:
    """Gives `results` (JSON text) one after the other, and keeps the bodies that came."""

    def __init__(self, *results: str, stream: bool = False) -> None:
        self.results = list(results)
        self.stream = stream
        self.bodies: list[bytes] = []

    async def script(self, peer: Peer) -> None:
        while True:
            body = (await peer.request()).partition(b"\r\n\r\n")[2]
            self.bodies.append(body)
            answer = f'{{"jsonrpc":"2.0","id":{json.loads(body)["id"]},"result":{self.results.pop(0)}}}'
            if self.stream:
                await peer.stream_head()
                await peer.chunk(f"data: {answer}\n\n".encode())
                await peer.chunk(b"")
            else:
                await peer.answer(answer.encode(), b"Content-Type: application/json")


def asks(*members: str) -> str:
    return "{" + ",".join(('"resultType":"input_required"', *members)) + "}"


DONE = '{"resultType":"complete","content":[]}'
QUESTION = '"inputRequests":{"who":{"method":"elicitation/create","params":{"message":"?"}}}'
YES = {"who": '{"action":"accept","content":{"n":1.50}}'}


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("state", [r'"a\u00e9\/é \ud83d"', r'""', r'"1"', '{"b": 1.0, "a":1}'])
async def test_the_state_goes_back_byte_for_byte(history: History, state: str, stream: bool) -> None:
    server = Rounds(asks(QUESTION, f'"requestState" : {state}'), DONE, stream=stream)
    async with Wire(server.script) as wire, session(wire.url, history, Era.MODERN) as one:
        done = await one.answer_input(await one.call("probe", '{"a" : 1.0}'), YES)
    assert done.verdict is Verdict.RESULT
    assert f'"requestState":{state}}}'.encode() in server.bodies[1]
    assert b'"inputResponses":{"who":{"action":"accept","content":{"n":1.50}}}' in server.bodies[1]
    assert b'"arguments":{"a" : 1.0}' in server.bodies[1], "the arguments keep their text"


async def test_where_no_state_was_given_none_is_sent(history: History) -> None:
    server = Rounds(asks(QUESTION), asks(QUESTION, '"requestState":null'), DONE)
    async with Wire(server.script) as wire, session(wire.url, history, Era.MODERN) as one:
        second = await one.answer_input(await one.call("probe", "{}"), YES)
        await one.answer_input(second, YES)
    assert all(b"requestState" not in body for body in server.bodies)


async def test_a_state_without_questions_goes_back_alone(history: History) -> None:
    server = Rounds(asks('"requestState":"s1"'), DONE)
    async with Wire(server.script) as wire, session(wire.url, history, Era.MODERN) as one:
        asked = await one.call("probe", "{}")
        assert input_requests(asked) == ()
        await one.answer_input(asked, {})
    assert b'"requestState":"s1"' in server.bodies[1]
    assert b"inputResponses" not in server.bodies[1]


async def test_a_later_round_forgets_the_answers_and_the_state_of_the_one_before(history: History) -> None:
    other = QUESTION.replace("who", "why")
    server = Rounds(asks(QUESTION, '"requestState":"s1"'), asks(other, '"requestState":"s2"'), asks(QUESTION), DONE)
    async with Wire(server.script) as wire, session(wire.url, history, Era.MODERN) as one:
        exchange = await one.answer_input(await one.call("probe", '{"x":1}'), YES)
        exchange = await one.answer_input(exchange, {"why": "{}"})
        exchange = await one.answer_input(exchange, YES)
    last = [json.loads(body)["params"] for body in server.bodies]
    assert "inputResponses" not in last[0]
    assert (last[2]["inputResponses"], last[2]["requestState"]) == ({"why": {}}, "s2")
    assert list(last[3]["inputResponses"]) == ["who"]
    assert "requestState" not in last[3]
    assert all(params["arguments"] == {"x": 1} and "_meta" in params for params in last)
    assert len({json.loads(body)["id"] for body in server.bodies}) == 4


async def test_a_call_beside_it_carries_neither(history: History) -> None:
    server = Rounds(asks(QUESTION, '"requestState":"s1"'), DONE, DONE)
    async with Wire(server.script) as wire, session(wire.url, history, Era.MODERN) as one:
        asked = await one.call("probe", "{}")
        await one.call("other", "{}")
        await one.answer_input(asked, YES)
    assert [b"requestState" in body for body in server.bodies] == [False, False, True]


@pytest.mark.parametrize("odd", ['"inputRequests":[1]', '"inputRequests":{"a":1,"b":{"method":2}}', '"requestState":7'])
async def test_questions_that_are_none_raise_nothing(history: History, odd: str) -> None:
    server = Rounds(asks(odd), DONE)
    async with Wire(server.script) as wire, session(wire.url, history, Era.MODERN) as one:
        asked = await one.call("probe", "{}")
        assert input_requests(asked) == ()
        assert (await one.answer_input(asked, {})).verdict is Verdict.RESULT


# --------------------------------------------------------------------------- cancelling


class Slow:
    """A legacy server that answers no tools/call, and no cancellation either unless `polite`."""

    def __init__(self, *, polite: bool = True) -> None:
        self.polite = polite
        self.called = asyncio.Event()
        self.told: list[bytes] = []
        self.heard = asyncio.Event()

    async def script(self, peer: Peer) -> None:
        while True:
            body = (await peer.request()).partition(b"\r\n\r\n")[2]
            asked = json.loads(body)
            if asked["method"] == "initialize":
                hello = {"jsonrpc": "2.0", "id": asked["id"], "result": LEGACY_HELLO}
                await peer.answer(json.dumps(hello).encode(), b"Content-Type: application/json")
                continue
            if asked["method"] == "notifications/cancelled":
                self.told.append(body)
                self.heard.set()
                if not self.polite:
                    await peer.left()
                    return
            if "id" in asked:
                self.called.set()
                await peer.left()
                return
            await peer.answer(b"", status=b"202 Accepted")


async def stopped(server: Slow, one: Session, identity: str) -> Exchange:
    """A call that is cancelled once it has reached the server."""
    cancel = asyncio.Event()
    call = asyncio.create_task(one.call("probe", "{}", request_id=RequestId(identity), cancel=cancel))
    await asyncio.wait_for(server.called.wait(), LIMIT)
    cancel.set()
    return await call


@pytest.mark.parametrize("identity", ["17", '"a\\u0062c"'])
async def test_a_legacy_call_that_is_stopped_is_cancelled_at_the_server(history: History, identity: str) -> None:
    server = Slow()
    async with Wire(server.script) as wire, session(wire.url, history, Era.LEGACY) as one:
        exchange = await stopped(server, one, identity)
        await asyncio.wait_for(server.heard.wait(), LIMIT)
    assert exchange.verdict is Verdict.CANCELLED
    params = f'"params":{{"requestId":{identity}}}'.encode()
    assert [params in body for body in server.told] == [True]
    rows = [row for row in history.recent(0, automatic=True) if row.method == "notifications/cancelled"]
    assert [(row.automatic, row.verdict) for row in rows] == [(True, Verdict.ACCEPTED)]


async def test_a_session_that_is_closed_at_once_still_cancels(history: History) -> None:
    server = Slow()
    async with Wire(server.script) as wire:
        async with session(wire.url, history, Era.LEGACY) as one:
            await stopped(server, one, "17")
        assert len(server.told) == 1


async def test_a_server_that_does_not_take_the_cancellation_keeps_nobody(history: History) -> None:
    server = Slow(polite=False)
    async with (
        asyncio.timeout(LIMIT),
        Wire(server.script) as wire,
        session(wire.url, history, Era.LEGACY, timeout=60) as one,
    ):
        exchange = await stopped(server, one, "17")
    assert exchange.verdict is Verdict.CANCELLED


async def test_a_call_that_timed_out_is_cancelled_as_well(history: History) -> None:
    server = Slow()
    async with Wire(server.script) as wire, session(wire.url, history, Era.LEGACY, timeout=0.3) as one:
        exchange = await one.call("probe", "{}")
        await asyncio.wait_for(server.heard.wait(), LIMIT)
    assert exchange.verdict is Verdict.TRANSPORT_ERROR


@pytest.mark.parametrize("era", [Era.MODERN, Era.BARE])
async def test_in_the_other_eras_the_closed_connection_is_the_cancellation(history: History, era: Era) -> None:
    server = Slow()
    async with Wire(server.script) as wire:
        async with session(wire.url, history, era) as one:
            exchange = await stopped(server, one, "17")
        assert exchange.verdict is Verdict.CANCELLED
        assert server.told == []


# --------------------------------------------------------------------------- progress


@pytest.mark.parametrize("era", [Era.MODERN, Era.LEGACY, Era.BARE])
async def test_progress_is_told_where_it_was_asked_for(history: History, era: Era) -> None:
    with DemoServer() as linked:
        async with session(linked.url, history, era) as one:
            told: list[Object] = []
            one.hear(told.append)
            arguments = '{"world_id":"w_lantern","steps":3,"seconds":0.03}'
            asked = await one.call("olv_export_world", arguments, request_id=RequestId('"p-1"'), progress=True)
            silent = await one.call("olv_export_world", arguments)
    assert (asked.verdict, silent.verdict) == (Verdict.RESULT, Verdict.RESULT)
    params = [message["params"] for message in told if message["method"] == "notifications/progress"]
    assert [(one["progressToken"], one["progress"]) for one in params if isinstance(one, Object)] == [
        ("p-1", Number("1")),
        ("p-1", Number("2")),
        ("p-1", Number("3")),
    ]


@pytest.mark.parametrize(
    ("identity", "token"), [("7", "7"), ('"\\u0041"', '"\\u0041"'), ("1.0", '"1.0"'), ("null", '"null"'), ("x", '"x"')]
)
async def test_the_token_is_the_id_or_its_text_where_an_id_is_no_token(
    demo: DemoServer, history: History, identity: str, token: str
) -> None:
    async with session(demo.url, history, Era.BARE) as one:
        body = one.call_body("probe", '{"a":1}', RequestId(identity), progress=True)
        assert body.endswith(f'"arguments":{{"a":1}},"_meta":{{"progressToken":{token}}}}}}}'.encode())
        assert b"progressToken" not in one.call_body("probe", "{}", RequestId(identity))


async def test_in_the_modern_era_the_token_stands_beside_the_version(demo: DemoServer, history: History) -> None:
    async with session(demo.url, history, Era.MODERN) as one:
        meta = json.loads(one.call_body("probe", "{}", RequestId("7"), progress=True))["params"]["_meta"]
    assert meta["progressToken"] == 7
    assert meta["io.modelcontextprotocol/protocolVersion"] == "2026-07-28"


async def test_an_event_of_progress_reaches_the_frame_hook_too(history: History) -> None:
    async def script(peer: Peer) -> None:
        asked = json.loads((await peer.request()).partition(b"\r\n\r\n")[2])
        token: Any = asked["params"]["_meta"]["progressToken"]
        await peer.stream_head()
        params = {"progressToken": token, "progress": 1}
        await peer.chunk(event({"jsonrpc": "2.0", "method": "notifications/progress", "params": params}))
        await peer.chunk(event({"jsonrpc": "2.0", "id": asked["id"], "result": json.loads(DONE)}))
        await peer.chunk(b"")

    frames: list[str | None] = []
    async with Wire(script) as wire, session(wire.url, history, Era.MODERN) as one:
        done = await one.call("probe", "{}", progress=True, on_frame=lambda frame: frames.append(frame.data))
    assert done.verdict is Verdict.RESULT
    assert len(frames) == 2
