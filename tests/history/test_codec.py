"""Columns: what comes back is equal to what was stored, whatever it was."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from olv_tui import jsontext
from olv_tui.history import codec
from olv_tui.model import (
    Era,
    Exchange,
    Frame,
    Judgement,
    Number,
    Object,
    Outgoing,
    Reply,
    RequestId,
    RpcError,
    Severity,
    Timing,
    ToolError,
    TransportError,
    Value,
    Verdict,
    Violation,
    WireRequest,
    WireResponse,
)
from olv_tui.transport.sse import SseDecoder
from tests.search import examples

# Any text, lone surrogates too; no two of them that would make a pair, as no JSON text can tell those from the pair.
surrogates = st.sampled_from(["\ud800", "\udfff", "a\udc80b"])
texts = st.one_of(st.text(max_size=12), surrogates)
some_text = st.none() | texts
headers = st.lists(st.tuples(texts, texts), max_size=4).map(tuple)
times = st.none() | st.floats(allow_nan=False, min_value=0, max_value=1e9)
numbers = st.one_of(
    st.integers().map(str),
    st.sampled_from(["1.0", "1e0", "-0", "1E+2", "0.10", "9" * 5000, "12345678901234567890.5"]),
).map(Number)
values: st.SearchStrategy[Value] = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=3) | st.lists(st.tuples(texts, inner), max_size=3).map(Object),
    max_leaves=8,
)

objects = st.lists(st.tuples(texts, values), max_size=3).map(Object)
frames = st.builds(
    Frame,
    raw=st.binary(max_size=20),
    event=some_text,
    id=some_text,
    data=some_text,
    retry=st.none() | st.integers(0, 10**15),
    at_ms=st.floats(0, 1e6),
    complete=st.booleans(),
)


@st.composite
def responses(draw: st.DrawFn) -> WireResponse:
    body = draw(st.binary(max_size=60) | objects.map(lambda value: jsontext.dumps(value).encode()))
    shape = draw(st.sampled_from(["none", "decoded", "any"]))
    kept: tuple[Frame, ...] = ()
    if shape == "decoded":
        decoder = SseDecoder()
        kept = (*decoder.feed(body, draw(st.floats(0, 9))), *decoder.end(draw(st.floats(10, 19))))
    elif shape == "any":
        kept = tuple(draw(st.lists(frames, max_size=3)))
    return WireResponse(
        status=draw(st.integers(100, 999)),
        reason=draw(texts),
        headers=draw(headers),
        body=body,
        http_version=draw(st.sampled_from(["1.0", "1.1"])),
        coding=draw(some_text),
        wire=draw(st.none() | st.binary(max_size=20)),
        frames=kept,
        surplus=draw(st.binary(max_size=5)),
    )


@st.composite
def judgements(draw: st.DrawFn, response: WireResponse | None) -> Judgement:
    message: Value = None
    frame = draw(st.none() | st.integers(0, 3))
    if draw(st.booleans()) and response is not None and frame is None:
        message = jsontext.parse(response.body).value
    else:
        message = draw(values)
    return Judgement(
        verdict=draw(st.sampled_from([verdict for verdict in Verdict if verdict is not Verdict.LOST])),
        summary=draw(texts),
        violations=tuple(
            draw(
                st.lists(
                    st.builds(
                        Violation,
                        code=texts,
                        severity=st.sampled_from(list(Severity)),
                        message=texts,
                        at=some_text,
                        offset=st.none() | st.integers(0, 10**9),
                        frame=st.none() | st.integers(0, 9),
                    ),
                    max_size=2,
                )
            )
        ),
        message=message,
        has_message=draw(st.booleans()),
        frame=frame,
        tool_error=draw(st.none() | st.builds(ToolError, texts, some_text, texts, objects)),
        rpc_error=draw(st.none() | st.builds(RpcError, numbers, texts, values, st.booleans())),
    )


@st.composite
def exchanges(draw: st.DrawFn) -> Exchange:
    ids = st.builds(RequestId, texts)
    reply = draw(
        st.none()
        | st.builds(
            Reply,
            response=st.none() | responses(),
            error=st.none() | st.builds(TransportError, texts, texts),
            timing=st.builds(Timing, times, times, times),
            cancelled=st.booleans(),
        )
    )
    judgement = draw(st.none() | judgements(reply.response if reply else None))
    return Exchange(
        serial=draw(st.integers(1, 10**6)),
        target=draw(texts),
        outgoing=draw(
            st.builds(Outgoing, texts, st.none() | ids, some_text, some_text, st.lists(ids, max_size=2).map(tuple))
        ),
        request=draw(st.builds(WireRequest, texts, headers, st.binary(max_size=40), texts)),
        started=draw(st.sampled_from(["2026-12-02T08:00:00.000Z"])),
        era=draw(st.none() | st.sampled_from([Era.MODERN, Era.LEGACY, Era.BARE])),
        protocol_version=draw(some_text),
        automatic=draw(st.booleans()),
        demo=draw(st.booleans()),
        reply=reply,
        judgement=judgement,
    )


def told(exchange: Exchange) -> str:
    """All of an exchange, duplicates of objects included: equality of dicts looks at neither order nor duplicates."""
    judgement = exchange.judgement
    if judgement is None:
        return ""
    parts = [judgement.message]
    if judgement.rpc_error is not None:
        parts.append(judgement.rpc_error.data)
    if judgement.tool_error is not None:
        parts.append(judgement.tool_error.details)
    return "\n".join(jsontext.dumps(part) for part in parts)


@settings(deadline=None, max_examples=examples(300))
@given(exchanges())
def test_what_was_packed_comes_back_equal(exchange: Exchange) -> None:
    back = codec.unpack(exchange.serial, codec.pack(exchange))
    assert back == exchange
    assert told(back) == told(exchange)
    back = codec.unpack(exchange.serial, codec.pack(exchange, changed=True))
    assert back == exchange


@settings(deadline=None)
@given(exchanges())
def test_list_columns_can_be_written_and_are_short(exchange: Exchange) -> None:
    row = codec.row((exchange.serial, *codec.listed(exchange)))
    repr(row).encode("utf-8")
    assert row.serial == exchange.serial
    assert row.verdict is exchange.verdict
    assert row.automatic is exchange.automatic


def answer(body: bytes, message: Value, **more: object) -> Exchange:
    request = WireRequest("http://h/", (), b"{}")
    exchange = Exchange(1, "http://h/", Outgoing("raw"), request, "2026-12-02T08:00:00.000Z")
    response = replace(WireResponse(200, "OK", (), body), **more)  # type: ignore[arg-type]
    judgement = Judgement(Verdict.RESULT, "", message=message, has_message=True)
    return replace(exchange, reply=Reply(response), judgement=judgement)


def stored(exchange: Exchange) -> int:
    return sum(len(column or b"") for column in codec.pack(exchange))


def test_a_message_that_is_the_body_is_not_stored_twice() -> None:
    body = b'{"a":"' + b"x" * 10_000 + b'"}'
    exchange = answer(body, jsontext.parse(body).value)
    assert stored(exchange) < len(body) + 1000


def test_a_message_out_of_a_batch_comes_back_as_the_one_it_was() -> None:
    body = b'[{"id":1},{"id":2}]'
    exchange = answer(body, Object([("id", Number("2"))]))
    assert codec.unpack(1, codec.pack(exchange)) == exchange


def test_a_message_out_of_a_large_batch_comes_back_as_the_one_it_was() -> None:
    body = b'[{"id":1},"' + b"x" * 300_000 + b'"]'
    exchange = answer(body, Object([("id", Number("1"))]))
    assert codec.unpack(1, codec.pack(exchange)) == exchange


def test_a_large_message_comes_back_from_the_body() -> None:
    body = b'{"n":1.0,"n":1.00,"x":"' + b"x" * 300_000 + b'"}'
    exchange = answer(body, jsontext.parse(body).value)
    back = codec.unpack(1, codec.pack(exchange))
    assert told(back) == told(exchange)
    assert stored(exchange) < len(body) + 1000


def test_a_large_message_whose_bytes_were_masked_into_no_json_is_kept() -> None:
    body = '{"n":‹hidden 3f9a1c›,"x":"'.encode() + b"x" * 300_000 + b'"}'
    exchange = answer(body, Object([("n", "‹hidden 3f9a1c›")]))
    assert codec.unpack(1, codec.pack(exchange, changed=True)) == exchange


def test_frames_that_the_decoder_finds_again_are_not_stored_twice() -> None:
    body = b"".join(b"event: message\ndata: %d %s\n\n" % (n, b"x" * 1000) for n in range(10))
    decoder = SseDecoder()
    frames = tuple(frame for at in range(0, len(body), 700) for frame in decoder.feed(body[at : at + 700], at / 7))
    exchange = answer(body, None, frames=frames)
    assert stored(exchange) < len(body) + 1000
    assert codec.unpack(1, codec.pack(exchange)) == exchange


def test_a_message_out_of_a_frame_is_read_from_the_frame() -> None:
    body = b'data: {"a":\ndata: 1.0}\n\n'
    frames = tuple(SseDecoder().feed(body, 1.5))
    exchange = answer(body, Object([("a", Number("1.0"))]), frames=frames)
    assert exchange.judgement is not None
    exchange = replace(exchange, judgement=replace(exchange.judgement, frame=0))
    back = codec.unpack(1, codec.pack(exchange))
    assert back == exchange


def test_huge_headers_come_back() -> None:
    exchange = answer(b"", None, headers=tuple((f"X-{n}", "v" * 10_000) for n in range(100)))
    assert codec.unpack(1, codec.pack(exchange)) == exchange


def test_a_deep_message_comes_back() -> None:
    body = b"[" * 500 + b"]" * 500
    exchange = answer(body, jsontext.parse(body).value)
    assert codec.unpack(1, codec.pack(exchange)) == exchange


@pytest.mark.parametrize("columns", [(b"{}", None, None, b""), (b"nope", None, None, b""), (b"[]", None, None, b"")])
def test_columns_of_somebody_else_raise_what_is_promised(columns: tuple[bytes, None, None, bytes]) -> None:
    with pytest.raises((ValueError, KeyError, TypeError)):
        codec.unpack(1, (*columns, None, None, None))
