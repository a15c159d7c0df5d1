"""Every recorded exchange, judged: the verdict is held against what plain json reads in the recording."""

from __future__ import annotations

import asyncio
import base64
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from olv_tui import jsontext
from olv_tui.jsonrpc import read_request
from olv_tui.judge import all_rules, is_answer, judge
from olv_tui.mcp.tools import read_tool
from olv_tui.model import (
    Era,
    Exchange,
    Frame,
    Judgement,
    Object,
    Reply,
    Tool,
    TransportError,
    Value,
    Verdict,
    WireRequest,
    WireResponse,
    header,
)
from olv_tui.reports.record import record
from olv_tui.transport.http import HttpTransport
from olv_tui.transport.sse import SseDecoder
from tests.caselib import shared_folder
from tests.recordings import (
    BROKEN,
    Recorded,
    answer_of,
    implied,
    is_response,
    kind_of,
    recordings,
    same,
)
from tests.servers import recorded_servers
from tests.transport.wire import LIMIT, Peer, Script, Wire, transport

pytestmark = pytest.mark.skipif(shared_folder() is None, reason="the recordings are not beside this checkout")

# --------------------------------------------------------------------------- the recording, judged


def reply_of(one: Recorded) -> Reply:
    """The recording as the transport would have brought it home, its events cut as its pieces came."""
    recorded = one.file["response"]
    if recorded is None:
        return Reply(error=TransportError(one.file["failed"], "no answer came"))
    frames: list[Frame] = []
    if one.media == "text/event-stream":
        decoder, at = SseDecoder(), 0
        for moment, size in recorded["pieces"]:
            frames += decoder.feed(one.body[at : at + size], moment)
            at += size
        frames += decoder.end(recorded["pieces"][-1][0] if recorded["pieces"] else 0.0)
    zipped = one.body != one.wire
    response = WireResponse(
        recorded["status"],
        recorded["reason"],
        one.headers,
        one.body,
        coding="gzip" if zipped else None,
        wire=one.wire if zipped else None,
        frames=tuple(frames),
    )
    end = recorded["end"]
    error = TransportError(end, f"the recording ends with {end}") if end in BROKEN else None
    return Reply(response, error, cancelled=end == "client-closed" and answer_of(one) is None)


def judged(one: Recorded, reply: Reply, tool: Tool | None = None) -> Judgement:
    era, version = one.era
    session_id = header(one.sent_headers, "mcp-session-id")
    return judge(read_request(one.sent), reply, era=era, version=version, tool=tool, session_id=session_id)


def decoded(value: Value) -> Any:
    """One of our exact values as plain json reads it."""
    return json.loads(jsontext.dumps(value))


FOLDERS = recorded_servers()
by_server = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)


@by_server
def test_a_recorded_exchange_gets_the_verdict_that_the_recording_implies(folder: Path) -> None:
    wrong = []
    for one in recordings(folder):
        found = judged(one, reply_of(one))
        wanted = implied(one)
        if found.verdict is not wanted:
            wrong.append(f"{one.name}: {found.verdict}, the recording implies {wanted}: {found.summary}")
        assert "\n" not in found.summary
        assert {item.code for item in found.violations} <= set(all_rules())
    assert not wrong, "\n".join(wrong)


@by_server
def test_what_is_decoded_of_a_recorded_answer_is_what_plain_json_reads(folder: Path) -> None:
    whole = [one for one in recordings(folder) if one.file["response"] and one.file["response"]["end"] not in BROKEN]
    for one in whole:
        found, answer = judged(one, reply_of(one)), answer_of(one)
        if answer is None or kind_of(one.asked) == "batch":
            continue
        assert found.has_message, one.name
        assert decoded(found.message) == answer, one.name
        assert (found.rpc_error is not None) is ("error" in answer), one.name
        if found.rpc_error is not None:
            told = {"code": int(found.rpc_error.code.text), "message": found.rpc_error.message}
            if found.rpc_error.has_data:
                told["data"] = decoded(found.rpc_error.data)
            assert told == answer["error"], one.name
        if found.tool_error is not None and found.tool_error.source == "structuredContent":
            structured = answer["result"]["structuredContent"]
            assert found.tool_error.site == structured.get("site"), one.name
            assert found.tool_error.error in (structured.get("error"), ""), one.name


@by_server
def test_the_record_of_a_recorded_exchange_holds_its_exact_bytes(folder: Path) -> None:
    for one in recordings(folder):
        reply = reply_of(one)
        era, version = one.era
        request = WireRequest(one.file["url"], one.sent_headers, one.sent, one.file["request"]["method"])
        exchange = Exchange(
            1, one.file["url"], read_request(one.sent), request, "2026-12-02T08:00:00.000Z", era, version
        )
        text = record(replace(exchange, reply=reply, judgement=judged(one, reply)))
        assert "\n" not in text
        kept = json.loads(text)
        assert body_in(kept["request"]) == one.sent, one.name
        assert kept["request"]["headers"] == [list(item) for item in one.sent_headers], one.name
        if reply.response is None:
            assert kept["response"] is None
            continue
        assert body_in(kept["response"]) == one.body, one.name
        assert kept["response"]["headers"] == [list(item) for item in one.headers], one.name
        wire = kept["response"].get("wire_base64")
        assert (one.body if wire is None else base64.b64decode(wire)) == one.wire, one.name
        if one.media == "text/event-stream":
            assert b"".join(body_in(frame, "raw") for frame in kept["response"]["frames"]) == one.body, one.name


def body_in(part: dict[str, Any], name: str = "body") -> bytes:
    """The exact bytes that a part of a record holds."""
    text = part[name]
    return base64.b64decode(part[f"{name}_base64"]) if text is None else bytes(text, "utf-8")


# --------------------------------------------------------------------------- which rules are named


def is_readable(one: Recorded) -> bool:
    return kind_of(one.asked) == "request" and one.file["response"]["end"] not in BROKEN


def lone(one: Recorded) -> Any:
    """The one object that came, where there is just one."""
    return one.messages[0] if len(one.messages) == 1 and isinstance(one.messages[0], dict) else {}


def has_unreadable_code(message: dict[str, Any]) -> bool:
    """Whether the server says that it could not read the request, so that it could not know the id."""
    return message["error"]["code"] in (-32700, -32600)


Fact = Callable[[Recorded], bool]
FACTS: dict[str, Fact] = {
    "R04": lambda one: (
        is_readable(one) and "error" in lone(one) and "id" not in lone(one) and not has_unreadable_code(lone(one))
    ),
    "R06": lambda one: (
        is_readable(one)
        and "error" in lone(one)
        and lone(one).get("id", 0) is None
        and one.asked["id"] is not None
        and not has_unreadable_code(lone(one))
    ),
    "R07": lambda one: (
        is_readable(one)
        and is_response(lone(one))
        and {type(lone(one).get("id")), type(one.asked["id"])} <= {int, float}
        and lone(one)["id"] != one.asked["id"]
    ),
    "R08": lambda one: (
        is_readable(one)
        and is_response(lone(one))
        and lone(one).get("id") is not None
        and isinstance(lone(one)["id"], str) is not isinstance(one.asked["id"], str)
    ),
    "H01": lambda one: (
        kind_of(one.asked) in ("request", "batch")
        and (one.file["response"]["status"] in (202, 204) or (one.file["response"]["status"] == 200 and not one.wire))
    ),
    "H06": lambda one: re.search(rb"^event:(?! ?message\s)", one.body, re.MULTILINE) is not None,
    "H08": lambda one: (
        one.file["response"]["status"] == 404
        and header(one.sent_headers, "mcp-session-id") is not None
        and lone(one).get("error", {}).get("code") != -32601
    ),
    "H09": lambda one: one.file["response"]["status"] == 401 and header(one.headers, "www-authenticate") is None,
    "H14": lambda one: one.file["response"]["end"] == "truncated",
    "H15": lambda one: 300 <= one.file["response"]["status"] < 400,
    "M01": lambda one: (
        one.era[0] is Era.MODERN
        and isinstance(answer_of(one), dict)
        and "result" in answer_of(one)
        and "resultType" not in answer_of(one)["result"]
    ),
}


@pytest.mark.parametrize("code", FACTS)
def test_a_rule_is_named_for_the_recordings_that_break_it_and_for_no_other(code: str) -> None:
    named, broken = set(), set()
    for one in (item for folder in FOLDERS for item in recordings(folder) if item.file["response"] is not None):
        if any(found.code == code for found in judged(one, reply_of(one)).violations):
            named.add(one.name)
        if FACTS[code](one):
            broken.add(one.name)
    assert named == broken
    assert broken, "the recordings show this rule broken somewhere"


@by_server
def test_a_recorded_answer_with_a_sound_envelope_breaks_no_rule_of_envelopes(folder: Path) -> None:
    for one in (item for item in recordings(folder) if item.file["response"] is not None):
        answer = answer_of(one)
        if answer is None or kind_of(one.asked) != "request" or not same(answer.get("id"), one.asked["id"]):
            continue
        assert set(answer) in ({"jsonrpc", "id", "result"}, {"jsonrpc", "id", "error"}), one.name
        named = {item.code for item in judged(one, reply_of(one)).violations if item.code[0] in "JRC"}
        assert named <= {"R18"}, (one.name, named)


@by_server
def test_a_recorded_result_is_held_against_the_output_schema_of_its_tool(folder: Path) -> None:
    definitions: dict[str, Any] = {}
    for one in recordings(folder):
        answer = answer_of(one) if one.file["response"] is not None else None
        if answer is None or "result" not in answer or not isinstance(one.asked, dict):
            continue
        if one.asked.get("method") == "tools/list":
            definitions.update((tool["name"], tool) for tool in answer["result"]["tools"])
        if one.asked.get("method") != "tools/call":
            continue
        definition, result = definitions.get(one.asked["params"].get("name")), answer["result"]
        if definition is None or result.get("isError") or "task" in result:
            continue
        given = jsontext.loads(json.dumps(definition))
        assert isinstance(given, Object)
        found = judged(one, reply_of(one), read_tool(given, "", None)).violations
        schema = definition.get("outputSchema")
        conforms = schema is None or (
            "structuredContent" in result and Draft202012Validator(schema).is_valid(result["structuredContent"])
        )
        waits = result.get("resultType") == "input_required"
        assert any(item.code == "T04" for item in found) is not (conforms or waits), one.name


# --------------------------------------------------------------------------- over real sockets


def on_the_wire(one: Recorded) -> list[bytes]:
    """Head and pieces of the recorded answer, framed as it was."""
    response = one.file["response"]
    head = [f"HTTP/1.1 {response['status']} {response['reason']}", *(f"{name}: {value}" for name, value in one.headers)]
    parts = ["\r\n".join([*head, "", ""]).encode()]
    at = 0
    for _, size in response["pieces"]:
        piece = one.wire[at : at + size]
        at += size
        parts.append(b"%x\r\n%b\r\n" % (size, piece) if response["framing"] == "chunked" else piece)
    if response["framing"] == "chunked" and response["end"] == "complete":
        parts.append(b"0\r\n\r\n")
    return parts


def server_of(all_of_them: list[Recorded]) -> Script:
    """Answers a request for /N with the Nth recording, and ends the connection as it was ended."""

    async def script(peer: Peer) -> None:
        while True:
            target = (await peer.request()).split(b" ", 2)[1]
            one = all_of_them[int(target.removeprefix(b"/"))]
            for part in on_the_wire(one):
                await peer.send(part)
            end = one.file["response"]["end"]
            if hangs(one):
                await peer.left()
            if end != "complete":
                return

    return script


def hangs(one: Recorded) -> bool:
    """Whether the recorded server did not end its answer while the recorder waited."""
    return one.file["response"]["end"] in ("timeout", "client-closed")


async def fetched(client: HttpTransport, base: str, number: int, one: Recorded) -> Reply:
    """One recorded exchange carried out again. A server that never ends its answer is left after a while."""
    request = WireRequest(f"{base}/{number}", (), one.sent, one.file["request"]["method"])
    outgoing = read_request(one.sent)

    def is_over(frame: Frame) -> bool:
        return is_answer(outgoing, (frame.data or "").encode())

    return await client.exchange(request, timeout=0.5 if hangs(one) else LIMIT, on_frame=is_over)


async def test_recorded_answers_come_through_real_sockets_as_they_were_recorded() -> None:
    everything = [one for folder in FOLDERS for one in recordings(folder) if one.file["response"] is not None]
    # Those that are left waiting come first and together: they cost one timeout then.
    everything.sort(key=lambda one: not hangs(one))
    async with Wire(server_of(everything)) as wire, transport() as client:
        base = wire.url.removesuffix("/mcp")
        numbered = list(enumerate(everything))
        for start in range(0, len(numbered), 16):
            some = numbered[start : start + 16]
            replies = await asyncio.gather(*(fetched(client, base, number, one) for number, one in some))
            for (_, one), reply in zip(some, replies, strict=True):
                came_through(one, reply)


def came_through(one: Recorded, reply: Reply) -> None:
    response = reply.response
    assert response is not None, (one.name, reply)
    recorded = one.file["response"]
    assert (response.status, response.reason) == (recorded["status"], recorded["reason"]), one.name
    assert response.headers == one.headers, one.name
    assert response.body == one.body, one.name
    assert (response.wire or response.body) == one.wire, one.name
    assert response.surplus == b"", one.name
    stream = reply_of(one).response
    assert stream is not None
    assert [replace(frame, at_ms=0.0) for frame in response.frames] == [
        replace(frame, at_ms=0.0) for frame in stream.frames
    ], one.name
    ends = {"truncated": "truncated", "timeout": "timeout", "client-closed": "timeout"}
    kind = ends.get(recorded["end"]) if answer_of(one) is None else None
    assert (reply.error.kind if reply.error else None) == kind, (one.name, reply.error)
    wanted = implied(one) if kind is None else Verdict.TRANSPORT_ERROR
    assert judged(one, reply).verdict is wanted, one.name
