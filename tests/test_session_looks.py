"""A first look at a large answer is told before all of it is read; the call gives all of it."""

from __future__ import annotations

from typing import Any

from olv_tui.history import History
from olv_tui.model import Exchange, Verdict
from olv_tui.redact import Redactor
from olv_tui.session import Session
from olv_tui.session.looks import LOOK
from olv_tui.transport.http import HttpTransport
from tests.app.helper import small_server

TOOL = {"name": "list", "inputSchema": {"type": "object"}}


def large(params: dict[str, Any]) -> Any:
    worlds = [{"id": number, "name": f"world {number}"} for number in range(10_000)]
    return {"content": [], "structuredContent": {"worlds": worlds}}


def codes(exchange: Exchange) -> list[str]:
    assert exchange.judgement is not None
    return [one.code for one in exchange.judgement.violations]


async def test_a_first_look_comes_before_the_findings_and_before_the_history_is_completed() -> None:
    history = History(None, Redactor(b"k" * 32))
    seen: list[Exchange] = []

    async def look(exchange: Exchange) -> None:
        seen.append(exchange)
        kept = history.get(exchange.serial)
        assert kept is not None
        assert kept.judgement is None

    with small_server(large, tools=[TOOL]) as target:
        session = Session(target, HttpTransport(), history)
        token = LOOK.set(look)
        try:
            await session.list_tools()
            done = await session.call("list", "{}")
        finally:
            LOOK.reset(token)
            await session.close()
    (first,) = seen
    assert first.verdict is done.verdict is Verdict.RESULT
    assert "T05" not in codes(first)
    assert "T05" in codes(done)
    kept = history.get(done.serial)
    assert kept is not None
    assert codes(kept) == codes(done)
    assert first.judgement is not None
    assert kept.judgement is not None
    assert kept.judgement.message == first.judgement.message
    history.close()


async def test_a_look_that_fails_loses_no_answer() -> None:
    history = History(None, Redactor(b"k" * 32))

    async def look(exchange: Exchange) -> None:
        raise RuntimeError

    with small_server(large, tools=[TOOL]) as target:
        session = Session(target, HttpTransport(), history)
        token = LOOK.set(look)
        try:
            done = await session.call("list", "{}")
        except RuntimeError:
            done = None
        finally:
            LOOK.reset(token)
            await session.close()
    assert done is None
    (row,) = history.recent(1)
    assert row.verdict == Verdict.RESULT
    history.close()
