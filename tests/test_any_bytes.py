"""Whatever bytes come, a call ends in a verdict in time, every byte is kept, and no answer goes to another call.

All of it over real sockets: one server that sends what it is told to, one session in the bare era.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import random
from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from olv_tui import jsontext
from olv_tui.history import History
from olv_tui.judge import all_rules
from olv_tui.model import Era, Exchange, RequestId, Target, Verdict, WireResponse
from olv_tui.redact import Redactor
from olv_tui.reports.record import record
from olv_tui.session import Session
from olv_tui.transport.http import HttpTransport
from tests.judging import answer
from tests.search import examples
from tests.transport.wire import LIMIT, Peer, Wire

SEVEN = RequestId("7")
JSON = answer('{"content":[{"type":"text","text":"grüße 𝄞"}],"n":1.50}').encode()
NOTE = b'{"jsonrpc":"2.0","method":"notifications/message","params":{}}'
LINES = b": a comment\n\nevent: message\nid: 1\ndata: " + NOTE + b"\n\nid: 2\ndata: " + JSON + b"\n\n"
STREAMS = {"LF": LINES, "CRLF": LINES.replace(b"\n", b"\r\n"), "CR": LINES.replace(b"\n", b"\r")}
MEDIA = {"json": b"application/json", "stream": b"text/event-stream"}
BOUNDED = settings(max_examples=examples(300), suppress_health_check=[HealthCheck.too_slow], deadline=None)


@dataclass
class Plan:
    """What the server sends next: the parts one after the other, then it closes or keeps the connection."""

    parts: list[bytes] = field(default_factory=list)
    closes: bool = False


def whole(body: bytes, media: bytes, *headers: bytes, promised: int | None = None) -> Plan:
    """A body with its length; where more is promised the connection is closed too early."""
    size = len(body) if promised is None else promised
    head = [b"HTTP/1.1 200 OK", b"Content-Type: " + media, b"Content-Length: %d" % size, *headers, b"", b""]
    return Plan([b"\r\n".join(head), body], closes=size > len(body))


def chunked(pieces: list[bytes], media: bytes, *headers: bytes, breaks: bool = False) -> Plan:
    """A body in these chunks; `breaks` leaves out its end."""
    head = [b"HTTP/1.1 200 OK", b"Content-Type: " + media, b"Transfer-Encoding: chunked", *headers, b"", b""]
    parts = [b"\r\n".join(head), *(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces if piece)]
    return Plan([*parts, b"" if breaks else b"0\r\n\r\n"], closes=breaks)


class Bench:
    """A server that sends plans and a session that calls it, on an event loop of their own."""

    def __init__(self) -> None:
        self.runner = asyncio.Runner()
        self.history = History(None, Redactor(b"k" * 32))
        self.plan = Plan()
        self.stack = AsyncExitStack()
        self.runner.run(self._open())

    async def _open(self) -> None:
        wire = await self.stack.enter_async_context(Wire(self._serve))
        target = Target("", wire.url, era=Era.BARE, timeout=LIMIT)
        self.session = Session(target, HttpTransport(), self.history)

    async def _serve(self, peer: Peer) -> None:
        while True:
            await peer.request()
            plan = self.plan
            for part in plan.parts:
                await peer.send(part)
            if plan.closes:
                return

    def call(self, plan: Plan) -> Exchange:
        """One call that the plan answers, and what holds of every call."""
        self.plan = plan
        exchange = self.runner.run(self.session.call("probe", "{}", request_id=SEVEN))
        assert exchange.judgement is not None
        assert exchange.reply is not None
        assert exchange.verdict is not Verdict.PENDING
        assert exchange.reply.error is None or exchange.reply.error.kind != "timeout", "nothing hangs"
        assert {one.code for one in exchange.judgement.violations} <= set(all_rules())
        json.loads(record(exchange))
        kept = self.history.get(exchange.serial)
        assert kept is not None
        assert (kept.verdict, body_of(kept)) == (exchange.verdict, body_of(exchange))
        return exchange

    def close(self) -> None:
        """End everything."""
        self.runner.run(self.session.close())
        self.runner.run(self.stack.aclose())
        self.runner.close()
        self.history.close()


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    made = Bench()
    yield made
    made.close()


def response_of(exchange: Exchange) -> WireResponse:
    assert exchange.reply is not None
    assert exchange.reply.response is not None, exchange.reply.error
    return exchange.reply.response


def body_of(exchange: Exchange) -> bytes | None:
    return exchange.reply.response.body if exchange.reply and exchange.reply.response else None


def came(exchange: Exchange, body: bytes) -> None:
    """Every byte is there, and in the frames again where there are any."""
    response = response_of(exchange)
    assert response.body == body
    if response.media_type == "text/event-stream":
        assert b"".join(frame.raw for frame in response.frames) == body


# --------------------------------------------------------------------------- random bytes

MEDIA_TYPES = st.sampled_from([*MEDIA.values(), b"text/html", b"application/json; charset=utf-16", b"", b"\xff/;;"])
EVENTS = st.lists(st.sampled_from([b"data:", b"\n", b"\r", b"\r\n", b"id:", b"\xef\xbb\xbf", JSON, NOTE, b"{", b"\0"]))
BODIES = st.binary(max_size=200) | EVENTS.map(b"".join)


@BOUNDED
@given(body=BODIES, media=MEDIA_TYPES, cuts=st.lists(st.integers(0, 200), max_size=4))
def test_any_body_ends_in_a_verdict_and_is_kept(bench: Bench, body: bytes, media: bytes, cuts: list[int]) -> None:
    edges = [0, *sorted(min(cut, len(body)) for cut in cuts), len(body)]
    pieces = [body[start:end] for start, end in pairwise(edges)]
    came(bench.call(chunked(pieces, media)), body)
    came(bench.call(whole(body, media)), body)


@BOUNDED
@given(data=st.binary(max_size=200), head=st.sampled_from([b"", b"HTTP/1.1 ", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200"]))
def test_any_bytes_in_the_place_of_http_end_in_a_verdict(bench: Bench, data: bytes, head: bytes) -> None:
    exchange = bench.call(Plan([head + data], closes=True))
    assert exchange.judgement is not None
    assert exchange.judgement.summary


@BOUNDED
@given(body=st.binary(max_size=100), coding=st.sampled_from([b"gzip", b"deflate", b"br", b"gzip, gzip", b"\xff"]))
def test_any_bytes_with_any_coding_end_in_a_verdict_and_are_kept(bench: Bench, body: bytes, coding: bytes) -> None:
    for media in MEDIA.values():
        exchange = bench.call(whole(body, media, b"Content-Encoding: " + coding))
        assert response_of(exchange).wire == body


# --------------------------------------------------------------------------- a sound answer, cut and spliced


def test_a_json_answer_cut_at_every_byte_is_never_a_success(bench: Bench) -> None:
    for size in range(len(JSON) + 1):
        part = JSON[:size]
        ended = bench.call(whole(part, MEDIA["json"]))
        broken = bench.call(whole(part, MEDIA["json"], promised=len(JSON)))
        came(ended, part)
        came(broken, part)
        if size == len(JSON):
            assert ended.verdict is broken.verdict is Verdict.RESULT
        else:
            assert ended.verdict is Verdict.INVALID_RESPONSE, size
            assert broken.verdict is Verdict.TRANSPORT_ERROR, size
            assert broken.reply is not None
            assert broken.reply.error is not None
            assert broken.reply.error.kind == "truncated"


@pytest.mark.parametrize("ends", STREAMS)
def test_an_event_stream_cut_at_every_byte_is_a_success_as_soon_as_the_answer_is_dispatched(
    bench: Bench, ends: str
) -> None:
    body = STREAMS[ends]
    # The event is over with its blank line, the last line end being one byte or two.
    needed = len(body) - (1 if ends == "CRLF" else 0)
    verdicts = []
    for size in range(1, len(body) + 1):
        ended = bench.call(chunked([body[:size]], MEDIA["stream"]))
        broken = bench.call(chunked([body[:size]], MEDIA["stream"], breaks=True))
        came(ended, body[:size])
        came(broken, body[:size])
        verdicts.append((ended.verdict, broken.verdict))
    assert verdicts[: needed - 1] == [(Verdict.INVALID_RESPONSE, Verdict.TRANSPORT_ERROR)] * (needed - 1)
    assert [ended for ended, _ in verdicts[needed - 1 :]] == [Verdict.RESULT] * (len(body) - needed + 1)
    assert verdicts[-1] == (Verdict.RESULT, Verdict.RESULT)


def test_a_zipped_answer_cut_at_every_byte_is_never_a_success_and_kept_as_it_travelled(bench: Bench) -> None:
    zipped = gzip.compress(JSON, mtime=0)
    for size in range(len(zipped) + 1):
        exchange = bench.call(whole(zipped[:size], MEDIA["json"], b"Content-Encoding: gzip"))
        assert response_of(exchange).wire == zipped[:size]
        wanted = (
            Verdict.RESULT if size == len(zipped) else Verdict.TRANSPORT_ERROR if size else Verdict.INVALID_RESPONSE
        )
        assert exchange.verdict is wanted, size


@pytest.mark.parametrize("name", ["json", *STREAMS])
def test_an_answer_spliced_at_every_border_is_the_same_answer(bench: Bench, name: str) -> None:
    body, media = (JSON, MEDIA["json"]) if name == "json" else (STREAMS[name], MEDIA["stream"])
    raws = [frame.raw for frame in response_of(bench.call(chunked([body], media))).frames]
    for at in range(1, len(body)):
        exchange = bench.call(chunked([body[:at], body[at:]], media))
        came(exchange, body)
        assert exchange.verdict is Verdict.RESULT, at
        assert [frame.raw for frame in response_of(exchange).frames] == raws, at


@pytest.mark.parametrize("name", ["json", "gzip", *STREAMS])
def test_an_answer_that_comes_byte_by_byte_is_the_same_answer(bench: Bench, name: str) -> None:
    media = MEDIA["json"] if name in ("json", "gzip") else MEDIA["stream"]
    headers = (b"Content-Encoding: gzip",) if name == "gzip" else ()
    body = STREAMS.get(name, JSON)
    wire = gzip.compress(JSON, mtime=0) if name == "gzip" else body
    exchange = bench.call(chunked([wire[at : at + 1] for at in range(len(wire))], media, *headers))
    came(exchange, body)
    assert exchange.verdict is Verdict.RESULT


@pytest.mark.parametrize("after", [b"X", b"HTTP/1.1 200 OK\r\n", JSON, b"\r\n"])
def test_bytes_after_an_answer_are_kept_and_are_not_the_next_answer(bench: Bench, after: bytes) -> None:
    plan = whole(JSON, MEDIA["json"])
    first = bench.call(Plan([b"".join(plan.parts) + after]))
    came(first, JSON)
    assert first.verdict is Verdict.RESULT
    assert response_of(first).surplus in (after, b"")
    second = bench.call(whole(answer('{"content":[],"which":"second"}').encode(), MEDIA["json"]))
    assert second.verdict is Verdict.RESULT
    assert b"second" in response_of(second).body


# --------------------------------------------------------------------------- many answers at once


class Gathering:
    """A server that answers nobody until it is told whom: answers leave in any order that is asked for."""

    def __init__(self, expected: int) -> None:
        self.waiting: dict[str, asyncio.Future[bytes]] = {}
        self.full = asyncio.Event()
        self._expected = expected

    async def script(self, peer: Peer) -> None:
        """Take a request, wait for its answer, send it."""
        while True:
            body = (await peer.request()).partition(b"\r\n\r\n")[2]
            told: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
            self.waiting[json.loads(body)["params"]["arguments"]["key"]] = told
            if len(self.waiting) == self._expected:
                self.full.set()
            answer_text = await told
            await peer.send(answer_text)


def own(key: str, identity: str) -> bytes:
    return answer(f'{{"content":[{{"type":"text","text":"{key}"}}]}}', identity).encode()


def text_in(exchange: Exchange) -> str:
    """The text of the content that the judge took for the answer."""
    assert exchange.judgement is not None
    message = json.loads(jsontext.dumps(exchange.judgement.message))
    return str(message["result"]["content"][0]["text"])


def framed(key: str, identity: str, style: str, foreign: list[str]) -> bytes:
    """The answer to a call, as JSON or as a stream in which the answers to other calls come first."""
    if style == "json":
        return b"".join(whole(own(key, identity), MEDIA["json"]).parts)
    events = [b"data: " + own("foreign", other) + b"\n\n" for other in foreign] + [
        b"data: " + own(key, identity) + b"\n\n"
    ]
    return b"".join(chunked(events, MEDIA["stream"]).parts)


@pytest.mark.parametrize("style", ["json", "stream"])
@pytest.mark.parametrize("identity", [None, SEVEN], ids=["own ids", "one id for all"])
async def test_answers_that_come_in_any_order_reach_the_call_they_belong_to(
    style: str, identity: RequestId | None
) -> None:
    keys = [f"call-{number}" for number in range(20)]
    gathering = Gathering(len(keys))
    history = History(None, Redactor(b"k" * 32))
    async with Wire(gathering.script) as wire:
        session = Session(Target("", wire.url, era=Era.BARE, timeout=LIMIT), HttpTransport(), history)
        started: dict[str, str] = {}  # key -> id
        calls: dict[str, asyncio.Task[Exchange]] = {}
        for key in keys:

            def note_id(exchange: Exchange, key: str = key) -> None:
                started[key] = str(exchange.id)

            made = session.call("probe", f'{{"key":"{key}"}}', request_id=identity, on_start=note_id)
            calls[key] = asyncio.create_task(made)
        async with asyncio.timeout(LIMIT):
            await gathering.full.wait()
        random.Random(7).shuffle(keys)
        for number, key in enumerate(keys):
            others = [other for other in started.values() if other != started[key]][:3]
            gathering.waiting[key].set_result(framed(key, started[key], style, others))
            exchange = await calls[key]
            assert exchange.verdict is Verdict.RESULT
            assert text_in(exchange) == key
            assert exchange.judgement is not None
            strays = [one.code for one in exchange.judgement.violations]
            assert strays == ["C04"] * (len(others) if style == "stream" else 0)
            assert {other for other in calls if calls[other].done()} == set(keys[: number + 1])
        await session.close()
    history.close()
