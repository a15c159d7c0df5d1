"""Eras, handshakes, listing and calls against real servers on loopback: the SDK's, the demo and the case server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest

from olv_tui.demo.server import DemoServer
from olv_tui.history import History
from olv_tui.model import Era, Exchange, Frame, Object, RequestId, Target, Value, Verdict
from olv_tui.redact import Redactor
from olv_tui.session import Session
from olv_tui.transport.http import HttpTransport
from tests.caselib import CaseServer, case_server, cases
from tests.servers import sdk_server


@pytest.fixture(scope="module")
def sdk() -> Iterator[str]:
    with sdk_server() as url:
        yield url


@pytest.fixture(scope="module")
def served_cases() -> Iterator[CaseServer]:
    with case_server() as running:
        yield running


@pytest.fixture
def demo() -> Iterator[DemoServer]:
    with DemoServer() as server:
        yield server


@pytest.fixture
def history() -> Iterator[History]:
    kept = History(None, Redactor(b"k" * 32))
    yield kept
    kept.close()


@asynccontextmanager
async def session(url: str, history: History, era: Era = Era.AUTO, timeout: float = 10) -> AsyncIterator[Session]:
    opened = Session(Target("", url, era=era, timeout=timeout), HttpTransport(), history)
    try:
        yield opened
    finally:
        await opened.close()


def result(exchange: Exchange) -> Object:
    assert exchange.judgement is not None
    message: Value = exchange.judgement.message
    assert isinstance(message, Object), exchange.judgement.summary
    value = message["result"]
    assert isinstance(value, Object)
    return value


@pytest.mark.parametrize("era", [Era.AUTO, Era.MODERN, Era.LEGACY])
async def test_the_sdk_server_lists_and_answers_in_every_era(sdk: str, history: History, era: Era) -> None:
    async with session(sdk, history, era) as one:
        listing = await one.list_tools()
        assert [tool.name for tool in listing.tools] == ["add", "shout", "site_status", "fail"]
        sound = await one.call("add", '{"a": 2, "b": 40}')
        assert sound.verdict is Verdict.RESULT
        assert str(result(sound)["structuredContent"]) == "{'sum': Number('42')}"
        failed = await one.call("site_status", '{"site": "helpbless.com"}')
        assert failed.verdict is Verdict.TOOL_ERROR
        assert failed.judgement is not None
        assert failed.judgement.tool_error is not None
        assert (failed.judgement.tool_error.error, failed.judgement.tool_error.site) == ("not_linked", "helpbless.com")
        raised = await one.call("fail", "{}")
        assert raised.verdict is Verdict.TOOL_ERROR


async def test_auto_takes_the_modern_era_where_the_server_has_it(sdk: str, history: History) -> None:
    async with session(sdk, history) as one:
        assert await one.connect() is None
        assert (one.era, one.version) == (Era.MODERN, "2026-07-28")
        assert "2026-07-28" in one.evidence


async def test_the_legacy_era_has_a_session_that_later_requests_carry(sdk: str, history: History) -> None:
    async with session(sdk, history, Era.LEGACY) as one:
        assert await one.connect() is None
        assert one.has_session
        names = {name.lower() for name, _ in one.dress(b"{}").headers}
        assert {"mcp-session-id", "mcp-protocol-version"} <= names


async def test_a_server_that_knows_neither_era_ends_at_bare(served_cases: CaseServer, history: History) -> None:
    url = next(f"{served_cases.base}/case/{case['id']}" for case in cases("http") if case["id"].startswith("061"))
    async with session(url, history) as one:
        exchange = await one.call("probe", "{}")
        assert one.era is Era.BARE
        assert exchange.verdict is Verdict.INVALID_RESPONSE
        assert "initialize" in one.evidence


async def test_no_answer_to_the_handshake_is_what_the_caller_gets(history: History) -> None:
    async with session("http://127.0.0.1:9/mcp", history) as one:
        exchange = await one.call("probe", "{}")
        assert exchange.verdict is Verdict.TRANSPORT_ERROR
        assert exchange.outgoing.method == "server/discover"
        assert exchange.automatic
        assert one.era is None


async def test_what_dress_shows_is_what_is_sent(demo: DemoServer, history: History) -> None:
    async with session(demo.url, history) as one:
        await one.connect()
        body = one.call_body("olv_today", '{"style" : "plain"}', RequestId("1.0"))
        shown = one.dress(body)
        exchange = await one.send(body)
        assert exchange.request == shown
        assert b'"id":1.0' in exchange.request.body
        assert b'{"style" : "plain"}' in exchange.request.body


async def test_an_exchange_stands_in_the_history_before_it_is_sent(demo: DemoServer, history: History) -> None:
    seen: list[Verdict] = []

    def started(pending: Exchange) -> None:
        kept = history.get(pending.serial)
        assert kept is not None
        seen.append(kept.verdict)

    async with session(demo.url, history, Era.BARE) as one:
        done = await one.call("olv_list_worlds", "{}", on_start=started)
        assert seen == [Verdict.PENDING]
        kept = history.get(done.serial)
        assert kept is not None
        assert kept.verdict is Verdict.RESULT


async def test_cancelling_ends_the_call_and_keeps_what_came(demo: DemoServer, history: History) -> None:
    cancel = asyncio.Event()
    frames: list[Frame] = []

    def frame(one: Frame) -> None:
        frames.append(one)
        cancel.set()

    async with session(demo.url, history, Era.BARE, timeout=30) as one:
        arguments = b'{"world_id":"w_lantern","steps":50,"seconds":60}'
        params = b'{"name":"olv_export_world","arguments":%s,"_meta":{"progressToken":"p"}}' % arguments
        body = b'{"jsonrpc":"2.0","id":5,"method":"tools/call","params":%s}' % params
        exchange = await one.send(body, on_frame=frame, cancel=cancel)
        assert exchange.verdict is Verdict.CANCELLED
        assert frames
        assert exchange.reply is not None
        assert exchange.reply.response is not None
        assert frames[0].raw in exchange.reply.response.body


async def test_a_cancelled_task_leaves_a_completed_exchange(demo: DemoServer, history: History) -> None:
    started = asyncio.Event()
    async with session(demo.url, history, Era.BARE, timeout=30) as one:
        call = asyncio.create_task(one.call("olv_flaky", '{"mode":"slow"}', on_start=lambda _: started.set()))
        await started.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert [row.verdict for row in history.recent(10)] == [Verdict.CANCELLED]


async def test_two_calls_at_once_never_swap_their_answers(demo: DemoServer, history: History) -> None:
    async with session(demo.url, history, Era.BARE) as one:
        sites = [f"site-{number}.example" for number in range(12)]
        calls = [one.call("olv_site_status", f'{{"site":"{site}"}}') for site in sites]
        answers = await asyncio.gather(*calls)
        for site, answer in zip(sites, answers, strict=True):
            assert answer.judgement is not None
            assert answer.judgement.tool_error is not None
            assert answer.judgement.tool_error.site == site


async def test_a_cursor_that_leads_to_itself_ends_the_listing(served_cases: CaseServer, history: History) -> None:
    async with session(f"{served_cases.base}/case/185", history) as one:
        listing = await one.list_tools()
        assert [tool.name for tool in listing.tools] == ["K-healthy", "K-other"]
        assert "M09" in [violation.code for violation in listing.violations]


async def test_the_empty_string_is_a_cursor(served_cases: CaseServer, history: History) -> None:
    async with session(f"{served_cases.base}/case/187", history) as one:
        listing = await one.list_tools()
        assert [tool.name for tool in listing.tools] == ["K-page-one", "K-page-two"]


async def test_handshake_exchanges_are_kept_and_marked(demo: DemoServer, history: History) -> None:
    async with session(demo.url, history, Era.LEGACY) as one:
        await one.call("olv_today", "{}")
    assert [row.method for row in history.recent(10)] == ["tools/call"]
    methods = [row.method for row in history.recent(10, automatic=True)]
    assert methods == ["tools/call", "notifications/initialized", "initialize"]


async def test_headers_of_the_user_win_over_ours(demo: DemoServer, history: History) -> None:
    target = Target("", demo.url, headers=(("accept", "application/json"), ("X-Trace", "7")), era=Era.BARE)
    one = Session(target, HttpTransport(), history)
    headers = one.dress(b"{}").headers
    assert [value for name, value in headers if name.lower() == "accept"] == ["application/json"]
    assert ("X-Trace", "7") in headers
    await one.close()


async def test_without_the_handshake_a_body_goes_out_where_no_era_is_known(demo: DemoServer, history: History) -> None:
    async with session(demo.url, history) as one:
        body = one.call_body("olv_today", "{}", RequestId("77"))
        shown = one.dress(body)
        exchange = await one.send(body, handshake=False)
        assert exchange.request == shown
        assert exchange.era is Era.BARE
        assert exchange.verdict is not Verdict.TRANSPORT_ERROR
        assert one.era is None, "one request settles nothing"
        assert [row.id_text for row in history.recent(9, automatic=True)] == ["77"], "nothing went before it"
