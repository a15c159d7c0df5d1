"""Playing: which recording answers, with whose id, with what bytes, and how failures are played."""

from __future__ import annotations

import base64
import gzip
import itertools
import json
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from olv_tui.model import Era, Exchange, RequestId, Verdict
from tests.cassette.made import Told, converse, playing, request, response, write

JSON = ("Content-Type", "application/json")
SSE = ("Content-Type", "text/event-stream")
CHUNKED = ("Transfer-Encoding", "chunked")


def result(number: int = 1, word: str = "x") -> str:
    return f'{{"jsonrpc":"2.0","id":{number},"result":{{"content":[],"word":"{word}"}}}}'


async def ask(
    path: Path, *bodies: dict[str, Any] | bytes, told: Told | None = None, seconds: float = 5
) -> list[Exchange]:
    """What the cassette answers to each of these bodies."""

    async def work(session: Any) -> list[Exchange]:
        raw = [one if isinstance(one, bytes) else one["body"].encode() for one in bodies]
        return [await session.send(body) for body in raw]

    with playing(path, told) as target:
        found: list[Exchange] = await converse(replace(target, timeout=seconds), work)
    return found


def body_of(exchange: Exchange) -> bytes:
    assert exchange.reply
    assert exchange.reply.response
    return exchange.reply.response.body


async def test_the_id_that_is_asked_now_stands_in_the_answer(tmp_path: Path) -> None:
    path = write(tmp_path / "c", {"request": request(1), "response": response(result(1), JSON)})
    seven, text = await ask(path, request(7), request(1)["body"].replace('"id": 1', '"id": "a\\"b"').encode())
    assert body_of(seven) == result(7).encode()
    assert seven.verdict is Verdict.RESULT
    assert json.loads(body_of(text))["id"] == 'a"b'


async def test_an_answer_with_another_id_keeps_it_byte_for_byte(tmp_path: Path) -> None:
    wrong = '{ "id" : "9", "jsonrpc":"2.0","result":{} }'
    path = write(tmp_path / "c", {"request": request(1), "response": response(wrong, JSON)})
    (one,) = await ask(path, request(7))
    assert body_of(one) == wrong.encode()
    assert one.verdict is Verdict.INVALID_RESPONSE


async def test_the_order_of_members_does_not_count_and_their_values_do(tmp_path: Path) -> None:
    path = write(tmp_path / "c", {"request": request(1, params={"a": 1, "b": [1]}), "response": response(result())})
    told = Told()
    same, spelled, other = await ask(
        path,
        b'{"method":"tools/call","params":{"b":[1],"a":1},"jsonrpc":"2.0","id":1}',
        request(1, params={"a": 1.0, "b": [1]}),
        request(1, params={"a": 1, "b": [2]}),
        told=told,
    )
    assert (same.status, spelled.status, other.status) == (200, 501, 501)
    assert b"with these parameters; with others it was recorded once" in body_of(other)
    assert len(told) == 2


async def test_recordings_of_one_request_are_played_in_order_and_the_last_repeats(tmp_path: Path) -> None:
    made = [{"request": request(n), "response": response(result(n, word))} for n, word in ((1, "a"), (2, "b"))]
    found = await ask(write(tmp_path / "c", *made), *[request(n) for n in (5, 6, 7)])
    assert [json.loads(body_of(one))["result"]["word"] for one in found] == ["a", "b", "b"]


async def test_a_client_that_tells_something_else_of_itself_is_answered_all_the_same(tmp_path: Path) -> None:
    params = {"name": "t", "arguments": {}, "_meta": {"client": "old"}}
    path = write(tmp_path / "c", {"request": request(1, params=params), "response": response(result())})
    (one,) = await ask(path, request(1, params={**params, "_meta": {"client": "new"}}))
    assert one.status == 200


async def test_what_is_missing_is_told_with_what_is_there(tmp_path: Path) -> None:
    path = write(tmp_path / "tape.jsonl", {"request": request(1), "response": response(result())})
    told = Told()
    missing, shake = await ask(path, request(1, params={"name": "u"}), request(1, "initialize"), told=told)
    assert body_of(missing) == b"Not on the cassette tape.jsonl: tools/call u. It holds tools/call t.\n"
    assert (missing.status, shake.status) == (501, 404)
    assert told[0] == body_of(missing).decode().strip()


async def test_a_body_that_is_no_json_is_found_by_its_bytes(tmp_path: Path) -> None:
    sent = {**request(), "body": '{"broken'}
    path = write(tmp_path / "c", {"request": sent, "response": response("no", status=400)})
    same, other = await ask(path, b'{"broken', b'{"broken ')
    assert (same.status, other.status) == (400, 501)


async def test_a_batch_is_answered_with_the_ids_of_the_present_one(tmp_path: Path) -> None:
    def batch(*ids: int) -> dict[str, Any]:
        return {**request(), "body": json.dumps([{"jsonrpc": "2.0", "id": n, "method": "m"} for n in ids])}

    answer = '[{"jsonrpc":"2.0","id":2,"result":2}, {"jsonrpc":"2.0","id":1,"result":1}]'
    (one,) = await ask(write(tmp_path / "c", {"request": batch(1, 2), "response": response(answer)}), batch(8, 9))
    assert [(item["id"], item["result"]) for item in json.loads(body_of(one))] == [(9, 2), (8, 1)]


async def test_events_come_with_the_present_id_and_progress_token(tmp_path: Path) -> None:
    meta = {"name": "t", "arguments": {}, "_meta": {"progressToken": 1}}
    events = (
        'data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}\r\n\r\n'
        f"id: 1\r\ndata: {result(1)[:17]}\r\ndata: {result(1)[17:]}\r\n\r\n"
    )
    sizes = [events.index("id: 1"), len(events) - events.index("id: 1")]
    answer = response(events, SSE, CHUNKED, frames=[[1.0, sizes[0]], [2.0, sizes[1]]])
    path = write(tmp_path / "c", {"request": request(1, params=meta), "response": answer})
    (one,) = await ask(path, request(30, params={**meta, "_meta": {"progressToken": 30}}))
    assert body_of(one).decode() == events.replace('"progressToken":1', '"progressToken":30').replace(
        '"id":1', '"id":30'
    )
    assert one.verdict is Verdict.RESULT
    assert not one.judgement or not one.judgement.violations or one.judgement.violations[0].code != "M06"


async def test_coded_bytes_are_the_recorded_ones_where_the_id_is_and_coded_again_where_it_is_not(
    tmp_path: Path,
) -> None:
    wire = gzip.compress(result(1).encode(), mtime=12345)
    headers = (JSON, ("Content-Encoding", "gzip"), ("Content-Length", str(len(wire))))
    answer = response(result(1), *headers, coding="gzip", wire_base64=base64.b64encode(wire).decode())
    path = write(tmp_path / "c", {"request": request(1), "response": answer})
    same, other = await ask(path, request(1), request(2))
    assert same.reply
    assert same.reply.response
    assert same.reply.response.wire == wire
    assert body_of(other) == result(2).encode()
    assert other.reply
    assert other.reply.response
    assert other.reply.response.coding == "gzip"


@pytest.mark.parametrize(
    ("kind", "answer", "played"),
    [
        ("reset", None, "reset"),
        ("closed", None, "closed"),
        ("timeout", None, "timeout"),
        ("framing", None, "framing"),
        ("truncated", response("half", ("Content-Length", "400")), "truncated"),
        ("truncated", response("half", CHUNKED), "truncated"),
        ("timeout", response("half", CHUNKED), "timeout"),
        ("reset", response("half", CHUNKED), "reset"),
        ("framing", response("half", CHUNKED), "framing"),
    ],
)
async def test_a_failure_is_played_as_the_same_failure(
    kind: str, answer: dict[str, Any] | None, played: str, tmp_path: Path
) -> None:
    line = {"request": request(), "response": answer, "transport_error": {"kind": kind, "message": "so"}}
    (one,) = await ask(write(tmp_path / "c", line), request(), seconds=0.5)
    assert one.reply
    assert one.reply.error
    assert one.reply.error.kind == played
    if answer is not None:
        assert body_of(one) == b"half"


async def test_a_failure_that_has_no_bytes_is_told_in_words(tmp_path: Path) -> None:
    line = {"request": request(), "response": None, "transport_error": {"kind": "name", "message": "No such host."}}
    (one,) = await ask(write(tmp_path / "c", line), request())
    assert body_of(one) == b"Recorded of tools/call t is a failure that cannot be played here (No such host.).\n"


async def test_bytes_after_the_end_of_the_answer_come_as_well(tmp_path: Path) -> None:
    line = {"request": request(), "response": response(result(), JSON, surplus_base64="T09QUw==")}
    (one,) = await ask(write(tmp_path / "c", line), request())
    assert one.reply
    assert one.reply.response
    assert one.reply.response.surplus == b"OOPS"


async def test_masks_in_headers_are_sent_as_plain_words_and_masked_bodies_with_their_own_length(tmp_path: Path) -> None:
    headers = (JSON, ("Mcp-Session-Id", "‹hidden 3f9a1c›"), ("Content-Length", "9"))
    line = {"request": request(), "response": response(result(1, "‹hidden 3f9a1c›"), *headers)}
    (one,) = await ask(write(tmp_path / "c", line), request())
    assert one.reply
    assert one.reply.response
    assert one.reply.response.header("mcp-session-id") == "hidden-3f9a1c"
    assert "‹hidden 3f9a1c›" in body_of(one).decode()


async def test_a_request_whose_secret_was_masked_is_found_by_one_with_another_mask(tmp_path: Path) -> None:
    sent = request(1, params={"token": "‹hidden 3f9a1c›"})
    path = write(tmp_path / "c", {"request": sent, "response": response(result())})
    (one,) = await ask(path, request(2, params={"token": "‹hidden aaaaaa›"}))
    assert one.status == 200


async def test_the_recorded_delays_are_kept(tmp_path: Path) -> None:
    events = f"data: 1\n\ndata: {result(1)}\n\n"
    answer = response(events, SSE, CHUNKED, frames=[[40.0, 9], [160.0, len(events) - 9]])
    line = {"request": request(), "response": answer, "timing": {"first_byte_ms": 40.0, "total_ms": 160.0}}
    path = write(tmp_path / "c", line)

    async def work(session: Any) -> Exchange:
        found: Exchange = await session.send(request()["body"].encode())
        return found

    with playing(path, speed=1) as target:
        one = await converse(target, work)
    assert one.reply.response.frames[1].at_ms >= 155
    assert one.reply.response.frames[0].at_ms < one.reply.response.frames[1].at_ms - 50


async def test_the_era_of_the_recording_is_spoken_and_a_call_finds_it(tmp_path: Path) -> None:
    path = write(tmp_path / "c", {"request": request(1), "response": response(result(1), JSON)}, era=Era.BARE)

    async def work(session: Any) -> Exchange:
        found: Exchange = await session.call("t", "{}", request_id=RequestId("44"))
        return found

    with playing(path) as target:
        one = await converse(target, work)
    assert (one.verdict, one.era) == (Verdict.RESULT, Era.BARE)


@pytest.mark.parametrize("number", [1, 2], ids=["the recorded id", "another id"])
async def test_a_coded_stream_comes_event_by_event(number: int, tmp_path: Path) -> None:
    events = [f": {'x' * 300}{n}\n\n" for n in range(3)] + [f"data: {result(1)}\n\n"]
    maker = zlib.compressobj(wbits=31)
    wire = b"".join(maker.compress(one.encode()) + maker.flush(zlib.Z_SYNC_FLUSH) for one in events) + maker.flush()
    times = [0.0, 60.0, 120.0, 180.0]
    frames = [[at, len(one)] for at, one in zip(times, events, strict=True)]
    headers = (SSE, CHUNKED, ("Content-Encoding", "gzip"))
    coded: dict[str, Any] = {"coding": "gzip", "wire_base64": base64.b64encode(wire).decode()}
    line = {"request": request(1), "response": response("".join(events), *headers, frames=frames, **coded)}
    path = write(tmp_path / "c", line)

    async def work(session: Any) -> Exchange:
        found: Exchange = await session.send(request(number)["body"].encode())
        return found

    with playing(path, speed=1) as target:
        one = await converse(target, work)
    came = one.reply.response
    assert one.verdict is Verdict.RESULT
    assert came.body.decode() == "".join(events).replace('"id":1', f'"id":{number}')
    assert (came.wire == wire) is (number == 1)
    gaps = [later.at_ms - before.at_ms for before, later in itertools.pairwise(came.frames)]
    assert sum(gap > 20 for gap in gaps) >= 2, gaps
