"""The judge on failure cases, on recorded servers, and on anything at all."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from olv_tui import jsontext
from olv_tui.judge import advice, all_rules
from olv_tui.model import Era, Judgement, Verdict, header
from tests.caselib import Case, cases, shared_folder
from tests.judging import CALL, answer, codes, judged, refusal

# --------------------------------------------------------------------------- the failure cases, without a socket


def rendered(parts: Any) -> bytes:
    """The bytes of a text, or of the parts of one."""
    if isinstance(parts, list):
        return b"".join(rendered(part) for part in parts)
    if isinstance(parts, dict):
        if "base64" in parts:
            return base64.b64decode(parts["base64"])
        repeated = parts.get("repeat", {"text": parts.get("text", ""), "count": 1})
        return rendered(repeated["text"]) * int(repeated["count"])
    text = str(parts)
    for mark, value in (
        ('"$ID_FLIP"', '"7"'),
        ('"$ID_FLOAT"', "7.0"),
        ('"$ID_OTHER"', "8"),
        ('"$ID"', "7"),
        ('"$PTOKEN"', "7"),
    ):
        text = text.replace(mark, value)
    return text.encode()


NEEDS_A_SOCKET = {"encode", "content_length", "truncate", "end", "head", "raw"}
OFFLINE = [
    case
    for case in cases("envelope", "body", "http", "sse", "stream", "toolresult")
    if isinstance(case.get("response"), dict)
    and not NEEDS_A_SOCKET & set(case["response"])
    and "Content-Encoding" not in case["response"].get("headers", {})
]


def judged_case(case: Case) -> Judgement:
    """The judgement on the answer of a case."""
    given = case["response"]
    key = next((name for name in ("body", "body_parts", "sse_chunks") if name in given), None)
    body = rendered(given[key]) if key else b""
    if "error" in given:
        body = refusal(json.dumps(given["error"])).encode()
    headers = given.get("headers", {})
    headers = tuple(map(tuple, headers)) if isinstance(headers, list) else tuple(headers.items())
    default = "text/event-stream" if key == "sse_chunks" else "application/json" if body else None
    media = next((value for name, value in headers if name.lower() == "content-type"), default)
    sent = CALL.replace(b'"id":7', b'"id":1') if case["id"].startswith("009") else CALL
    return judged(body, status=given.get("status", 200), media=media, sent=sent, headers=headers)


@pytest.mark.parametrize("case", OFFLINE, ids=lambda case: case["id"])
def test_a_failure_case_gets_its_verdict_and_keeps_what_must_show(case: Case) -> None:
    one = judged_case(case)
    assert one.verdict == case["expect"]["verdict"], one
    if one.has_message and one.verdict is not Verdict.HTTP_ERROR and case["id"][:3] not in ("043", "081", "093"):
        text = jsontext.dumps(one.message)
        for wanted in case["expect"]["must_show"]:
            if wanted.startswith("K") and wanted not in ("K-logline", "K-frag"):
                assert json.dumps(wanted, ensure_ascii=False)[1:-1] in text


def test_a_summary_is_one_line_whatever_follows_the_answer() -> None:
    told(judged(answer() + "}\nDEBUG: done"))
    assert "} DEBUG: done" in judged(answer() + "}\nDEBUG: done").summary


def test_every_rule_is_listed_once_under_its_code() -> None:
    rules = all_rules()
    assert {"J01", "R01", "C01", "M01", "T07", "D01", "H16"} <= set(rules)
    assert all(rule.code == code and rule.title and rule.source for code, rule in rules.items())


# --------------------------------------------------------------------------- recorded servers

SHARED = shared_folder()
REAL = sorted((SHARED / "fixtures" / "real").glob("*/index.json")) if SHARED is not None else []


def text_of(body: dict[str, str] | None) -> bytes:
    if body is None:
        return b""
    return body["text"].encode() if "text" in body else base64.b64decode(body["base64"])


def expected(outcome: str, status: int) -> set[Verdict]:
    """The verdicts that the recorder's note on an exchange allows."""
    if outcome.startswith("result isError"):
        return {Verdict.TOOL_ERROR}
    if outcome.startswith("result input"):
        return {Verdict.INPUT_REQUIRED}
    if outcome.startswith("result"):
        return {Verdict.RESULT, Verdict.INVALID_RESPONSE}
    if outcome.startswith("error"):
        return {Verdict.RPC_ERROR, Verdict.HTTP_ERROR, Verdict.RESULT}
    if status >= 300:
        return {Verdict.HTTP_ERROR}
    return {Verdict.ACCEPTED, Verdict.INVALID_RESPONSE, Verdict.RESULT}


@pytest.mark.skipif(not REAL, reason="the recordings are not beside this checkout")
@pytest.mark.parametrize("index", REAL, ids=lambda path: path.parent.name)
def test_what_a_real_server_answered_is_judged_as_the_recorder_noted_it(index: Path) -> None:
    for entry in json.loads(index.read_text("utf-8"))["exchanges"]:
        recorded = json.loads((index.parent / entry["file"]).read_text("utf-8"))
        response = recorded.get("response")
        if response is None or recorded["request"]["method"] != "POST" or response["end"] != "complete":
            continue
        headers = tuple((name, value) for name, value in response["headers"])
        if header(headers, "content-encoding") is not None:
            continue
        one = judged(
            text_of(response["body"]),
            status=response["status"],
            media=None,
            sent=text_of(recorded["request"].get("body")),
            headers=headers,
        )
        assert one.verdict in expected(entry["outcome"], response["status"]), (entry["file"], one)
        if one.verdict is Verdict.RPC_ERROR and entry["outcome"].startswith("error"):
            assert one.summary.split()[0].startswith(("batch", entry["outcome"].split()[1].rstrip(",")))


# --------------------------------------------------------------------------- anything at all

MEMBERS = ["jsonrpc", "id", "result", "error", "code", "message", "data", "content", "type", "text", "isError"]
MORE = ["structuredContent", "resultType", "inputRequests", "method", "params", "tools", "nextCursor", "elicitations"]
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3) | st.sampled_from(["2.0", "input_required"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(MEMBERS + MORE), inner, max_size=5),
    max_leaves=25,
)
BODIES = st.binary(max_size=60) | JUNK.map(lambda value: json.dumps(value).encode())
TWO = b'[{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","id":7,"method":"tools/call"}]'
NOTE = b'{"jsonrpc":"2.0","method":"n"}'
SENT = st.sampled_from([CALL, CALL.replace(b"7", b"null"), b"", b"[]", NOTE, b'{"id":1,"result":2}', TWO])
MEDIA = st.sampled_from([None, "application/json", "text/html", "text/event-stream", ";;;", "Text/Event-Stream; x=y"])


def told(one: Judgement) -> None:
    """What holds of every judgement."""
    assert one.verdict is not Verdict.PENDING
    assert set(codes(one)) <= set(all_rules())
    assert (one.verdict is Verdict.TOOL_ERROR) == (one.tool_error is not None)
    assert (one.verdict is Verdict.RPC_ERROR) == (one.rpc_error is not None)
    assert "\n" not in one.summary
    advice(one)


@given(BODIES, st.sampled_from([200, 202, 204, 307, 400, 404, 500]), MEDIA, SENT, st.sampled_from(list(Era)))
def test_no_answer_makes_the_judge_raise(body: bytes, status: int, media: str | None, sent: bytes, era: Era) -> None:
    told(judged(body, status=status, media=media, sent=sent, era=era, version="2026-07-28"))


@given(st.lists(BODIES, max_size=4), st.sampled_from(["data: ", "event: x\ndata: ", "data:"]), SENT)
def test_no_stream_makes_the_judge_raise(bodies: list[bytes], before: str, sent: bytes) -> None:
    stream = b"".join(before.encode() + body.replace(b"\n", b"") + b"\n\n" for body in bodies)
    told(judged(stream, media="text/event-stream", sent=sent, era=Era.MODERN))


@given(st.data())
def test_a_sound_answer_with_any_bytes_changed_never_raises_and_never_gains_an_error(data: st.DataObject) -> None:
    body = bytearray(answer('{"content":[{"type":"text","text":"hello"}],"isError":false}').encode())
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(body) - 1))
        body[place : place + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=2))
        body = body or bytearray(b" ")
    told(judged(bytes(body)))


@pytest.mark.parametrize("depth", [500, 3000])
def test_a_nest_in_any_place_is_judged(depth: int) -> None:
    nest = "[" * depth + "]" * depth
    objects = '{"error":' * depth + "1" + "}" * depth
    for deep in (nest, objects):
        for body in (
            answer(deep),
            answer(f'{{"content":{deep}}}'),
            answer(f'{{"content":[{{"type":"text","text":{json.dumps(deep)}}}],"structuredContent":{deep}}}'),
            answer(f'{{"content":[],"isError":{deep}}}'),
            answer(f'{{"content":[],"isError":true,"structuredContent":{{"error":{deep}}}}}'),
            answer(identity=deep),
            refusal(deep),
            refusal(f'{{"code":{deep},"message":{deep},"data":{deep}}}'),
            f'{{"jsonrpc":{deep},"id":7,"result":1}}',
            deep,
        ):
            for era in (Era.BARE, Era.MODERN):
                told(judged(body, era=era, version="2026-07-28"))
