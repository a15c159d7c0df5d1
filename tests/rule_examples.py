"""For each rule of the catalogue the smallest answers that break it (used by test_rules.py).

An example says what comes and where the finding has to point.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from olv_tui import jsontext
from olv_tui.history import History
from olv_tui.jsonrpc import read_request
from olv_tui.judge import judge
from olv_tui.mcp.tools import duplicate_names, read_listing, read_tool
from olv_tui.model import (
    Era,
    Header,
    Object,
    Reply,
    Severity,
    Target,
    Tool,
    TransportError,
    Violation,
    WireRequest,
    WireResponse,
)
from olv_tui.redact import Redactor
from olv_tui.session import Session
from olv_tui.transport.base import OnFrame, OnProgress
from olv_tui.transport.sse import SseDecoder
from tests.judging import CALL, answer, refusal, request

MODERN = "2026-07-28"
LEGACY = "2025-11-25"
NOTE = b'{"jsonrpc":"2.0","method":"notifications/initialized"}'
BATCH = b'[{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","id":2,"method":"b"}]'
COMPLETE = '{"resultType":"complete","content":[]}'
E, W, I = Severity.ERROR, Severity.WARNING, Severity.INFO  # noqa: E741

Found = Callable[[], tuple[Iterable[Violation], tuple[str, ...]]]
"""What is found, and the messages that pointers can lead into: the one judged, then the data of each event."""


@dataclass(frozen=True)
class Example:
    """What comes, the place that the finding names (as `Violation.place`), and its severity if not the rule's."""

    code: str
    found: Found
    place: str
    severity: Severity | None = None


# --------------------------------------------------------------------------- ways to make an answer


def said(
    body: str | bytes,
    *,
    sent: bytes = CALL,
    era: Era = Era.LEGACY,
    version: str | None = LEGACY,
    tool: Tool | None = None,
    media: str | None = "application/json",
    status: int = 200,
    headers: tuple[Header, ...] = (),
    session_id: str | None = None,
    error: TransportError | None = None,
    surplus: bytes = b"",
) -> Found:
    """What is found in one answer."""
    data = body.encode() if isinstance(body, str) else body
    named = headers if media is None else (("Content-Type", media), *headers)
    response = WireResponse(status, "Status", named, data, surplus=surplus)
    if response.media_type == "text/event-stream":
        decoder = SseDecoder()
        response = replace(response, frames=(*decoder.feed(data, 0.0), *decoder.end(0.0)))

    def find() -> tuple[Iterable[Violation], tuple[str, ...]]:
        reply = Reply(response, error)
        one = judge(read_request(sent), reply, era=era, version=version, tool=tool, session_id=session_id)
        return one.violations, (jsontext.dumps(one.message), *(frame.data or "" for frame in response.frames))

    return find


def modern(result: str, method: str = "tools/call", sent: bytes | None = None) -> Found:
    """What is found in a result of the modern era."""
    sent = sent or (CALL if method == "tools/call" else request(method))
    return said(answer(result), sent=sent, era=Era.MODERN, version=MODERN)


def streamed(*events: str, era: Era = Era.LEGACY, sent: bytes = CALL) -> Found:
    """What is found in a stream of these messages; one that names a field is taken as it is."""
    text = "".join(one if one.startswith(("event:", "data:")) else f"data: {one}\n\n" for one in events)
    version = MODERN if era is Era.MODERN else LEGACY
    return said(text, sent=sent, era=era, version=version, media="text/event-stream")


def listed(tool: str, version: str = LEGACY) -> Found:
    """What is found in a listing with this one tool."""
    return in_list(f'{{"tools":[{tool}]}}', version)


def in_list(result: str, version: str = LEGACY) -> Found:
    """What is found in the result of tools/list."""
    return lambda: (read_listing(jsontext.loads(result), version).violations, (answer(result),))


def note(method: str, params: str) -> str:
    return f'{{"jsonrpc":"2.0","method":"notifications/{method}","params":{params}}}'


def subscribed(*events: str) -> Found:
    """What is found in the stream of a subscription to changes of the tools; its request has the id 7."""
    params = '"params":{"notifications":{"toolsListChanged":true},"_meta":{}}'
    sent = request("subscriptions/listen")[:-1] + b"," + params.encode() + b"}"
    return streamed(*events, era=Era.MODERN, sent=sent)


def about(subscription: str = "7", more: str = "") -> str:
    return f'{{"_meta":{{"io.modelcontextprotocol/subscriptionId":{subscription}}}{more}}}'


ACKNOWLEDGED = note("subscriptions/acknowledged", about(more=',"notifications":{"toolsListChanged":true}'))
GIVING_A_TOKEN = CALL.replace(b'"arguments":{}', b'"arguments":{},"_meta":{"progressToken":"t"}')
DECLARING_NOTHING = CALL.replace(
    b'"arguments":{}', b'"arguments":{},"_meta":{"io.modelcontextprotocol/clientCapabilities":{}}'
)
WAITING = '"resultType":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":{}}}'
NEEDS_A = read_tool(
    Object([("name", "probe"), ("outputSchema", jsontext.loads('{"type":"object","required":["a"]}'))]), "", LEGACY
)


def progressed(*values: str, token: str = '"t"') -> Found:
    notes = [note("progress", f'{{"progressToken":{token},"progress":{value}}}') for value in values]
    return streamed(*notes, answer(), sent=GIVING_A_TOKEN)


class Paging:
    """A transport whose every page of tools/list leads to itself."""

    async def exchange(
        self,
        request: WireRequest,
        *,
        timeout: float,
        cancel: asyncio.Event | None = None,
        on_frame: OnFrame | None = None,
        on_progress: OnProgress | None = None,
    ) -> Reply:
        body = answer('{"tools":[],"nextCursor":"same"}', read_request(request.body).id.text)  # type: ignore[union-attr]
        return Reply(WireResponse(200, "OK", (("Content-Type", "application/json"),), body.encode()))

    async def aclose(self) -> None:
        """Nothing is open."""


def paged() -> tuple[Iterable[Violation], tuple[str, ...]]:
    history = History(None, Redactor(b"k" * 32))
    session = Session(Target("", "http://127.0.0.1/", era=Era.BARE), Paging(), history)
    found = asyncio.run(session.list_tools()).violations
    history.close()
    return found, (answer('{"tools":[],"nextCursor":"same"}'),)


# --------------------------------------------------------------------------- the examples

BODY = [
    Example("J01", said("{broken"), "byte 1"),
    Example("J01", said(answer() + "tail"), f"byte {len(answer())}"),
    Example("J02", said(b"\xef\xbb\xbf" + answer().encode()), "byte 0"),
    Example("J03", said(answer('{"content":[],"x":NaN}')), "/result/x, byte 51"),
    Example("J03", said(answer('{"content":[],"x":-Infinity}')), "/result/x, byte 51"),
    Example("J04", said(answer('{"content":[],"x":1e400}')), "/result/x, byte 51"),
    Example("J05", said(answer('{"content":[],"x":1,"x":2}')), "/result/x, byte 53"),
    Example("J06", said(answer('{"content":[],"x":"\\ud800"}')), "/result/x, byte 52"),
    Example("J06", said(answer('{"content":[],"x":"?"}').encode().replace(b"?", b"\xff")), "byte 52", E),
    Example("J07", said(f"[{answer()}]"), "the whole message"),
    Example("J07", streamed(f"[{answer()}]"), "frame 1, the whole message"),
    Example("J09", said(answer('{"content":[],"x":"\\u202e"}')), "/result/x"),
    Example("J09", said(answer('{"content":[],"x\u200b":1}')), "/result/x\u200b"),
    Example("J09", streamed(answer('{"content":[],"x":["\U000e0041"]}')), "frame 1, /result/x/0"),
    Example("J09", listed('{"name":"a","inputSchema":{"type":"object"},"title":"\\u2066"}'), "/result/tools/0/title"),
    Example("J08", said('"text"'), "the whole message"),
    Example("J08", said(f"[1,{answer('{}', '1')},{answer('{}', '2')}]", sent=BATCH), "/0"),
    Example("J08", streamed("7", answer()), "frame 1, the whole message"),
]
ENVELOPE = [
    Example("R01", said('{"id":7,"result":{"content":[]}}'), "the whole message"),
    Example("R01", streamed('{"method":"notifications/message"}', answer()), "frame 1, the whole message"),
    Example("R02", said('{"jsonrpc":2.0,"id":7,"result":{"content":[]}}'), "/jsonrpc"),
    Example("R02", said('{"jsonrpc":"1.0","id":7,"result":{"content":[]}}'), "/jsonrpc"),
    Example("R03", said('{"jsonrpc":"2.0","result":{"content":[]}}'), "the whole message"),
    Example("R04", said('{"jsonrpc":"2.0","error":{"code":1,"message":"m"}}'), "the whole message"),
    Example("R05", said(answer(identity="null")), "/id"),
    Example("R06", said(refusal(identity="null")), "/id"),
    Example("R07", said(answer(identity="8")), "/id"),
    Example("R07", streamed(answer(identity="8")), "frame 1, /id"),
    Example("R08", said(answer(identity='"7"')), "/id"),
    Example("R09", said(answer(identity="7.0")), "/id"),
    Example("R09", said(answer(identity="70e-1")), "/id"),
    *(Example("R10", said(answer(identity=odd)), "/id") for odd in ("true", "[7]", '{"id":7}')),
    Example("R11", said('{"jsonrpc":"2.0","id":7,"result":{},"error":{"code":1,"message":"m"}}'), "/error"),
    Example("R11", said('{"jsonrpc":"2.0","id":7,"result":{},"error":null}'), "/error"),
    Example("R11", said('{"jsonrpc":"2.0","id":7,"result":null,"error":{"code":1,"message":"m"}}'), "/error"),
    Example("R12", said('{"jsonrpc":"2.0","id":7}'), "the whole message"),
    *(Example("R13", said(answer(odd)), "/result") for odd in ("null", "[]", '"x"', "1", "false")),
    *(Example("R14", said(refusal(odd)), "/error") for odd in ('"x"', "null", "[]")),
    Example("R15", said(refusal('{"message":"m"}')), "/error"),
    *(
        Example("R16", said(refusal(f'{{"code":{odd},"message":"m"}}')), "/error/code")
        for odd in ('"-32600"', "true", "1.0", "1.5", '"E_FAIL"', "null")
    ),
    Example("R17", said(refusal('{"code":1}')), "/error"),
    Example("R17", said(refusal('{"code":1,"message":["m"]}')), "/error/message"),
    Example("R18", said(refusal('{"code":1,"message":"first\\nsecond"}')), "/error/message"),
    Example("R19", said('{"jsonrpc":"2.0","id":7,"result":{"content":[]},"took":1}'), "/took"),
    Example("R19", said(refusal('{"code":1,"message":"m","hint":"h"}')), "/error/hint"),
    Example("R20", said('{"jsonrpc":"2.0","id":7,"method":"tools/call","result":{"content":[]}}'), "/method"),
    Example("R20", streamed('{"jsonrpc":"2.0","id":7,"method":"m","result":{"content":[]}}'), "frame 1, /method"),
    Example("R21", said(refusal('{"code":-32604,"message":"m"}')), "/error/code"),
    Example("R21", said(refusal('{"code":-32002,"message":"m"}'), era=Era.MODERN, version=MODERN), "/error/code", E),
]
PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
CONVERSATION = [
    Example("C01", said(answer(), sent=NOTE), "the whole message"),
    Example("C02", streamed(answer(), answer()), "frame 2, /id"),
    Example("C03", said(f"[{answer('{}', '1')}]", sent=BATCH), ""),
    Example("C03", said("", sent=b"{broken"), ""),
    Example("C04", streamed(answer(identity="8"), answer()), "frame 1, /id"),
    Example("C04", streamed('{"jsonrpc":"2.0","result":{}}', answer(), answer("{}", "8")), "frame 3, /id"),
    Example("C04", streamed('{"jsonrpc":"2.0","result":{}}', answer()), "frame 1, the whole message"),
    Example("C05", streamed(answer(), note("message", "{}")), "frame 2, the whole message"),
    Example("C06", streamed(PING, answer(COMPLETE), era=Era.MODERN), "frame 1, the whole message"),
]
PROTOCOL = [
    Example("M01", modern('{"content":[]}'), "/result"),
    Example("M02", modern('{"resultType":"later","content":[]}'), "/result/resultType"),
    Example("M03", modern(f"{{{WAITING}}}", "tools/list"), "/result/resultType"),
    Example("M03", modern('{"resultType":"input_required"}'), "/result"),
    Example(
        "M03",
        modern(f"{{{WAITING}}}", sent=DECLARING_NOTHING),
        "/result/inputRequests/who",
    ),
    Example("M04", modern('{"resultType":"complete","tools":[],"cacheScope":"public"}', "tools/list"), "/result"),
    *(
        Example(
            "M04",
            modern(f'{{"resultType":"complete","tools":[],"ttlMs":{odd},"cacheScope":"public"}}', "tools/list"),
            "/result/ttlMs",
        )
        for odd in ("-1", "1.5", '"1"')
    ),
    Example(
        "M04",
        modern('{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"mine"}', "tools/list"),
        "/result/cacheScope",
    ),
    *(Example("M05", in_list(f'{{"tools":[],"nextCursor":{odd}}}'), "/result/nextCursor") for odd in ("null", "7")),
    Example("M06", progressed("1", "1"), "frame 2, /params/progress"),
    Example("M06", progressed("1", token='"u"'), "frame 1, /params/progressToken", W),
    Example(
        "M06",
        streamed(note("progress", '{"progressToken":"t","progress":1}'), answer(COMPLETE), era=Era.MODERN),
        "frame 1, /params/progressToken",
    ),
    Example("M06", progressed('"half"'), "frame 1, /params/progress"),
    Example(
        "M06",
        streamed(answer(), note("progress", '{"progressToken":"t","progress":1}'), sent=GIVING_A_TOKEN),
        "frame 2, /params",
    ),
    Example("M07", streamed(note("message", "{}"), answer(COMPLETE), era=Era.MODERN), "frame 1, /method"),
    Example("M08", subscribed(note("tools/list_changed", about()), ACKNOWLEDGED), "frame 1, /method"),
    Example("M08", subscribed(ACKNOWLEDGED, note("tools/list_changed", "{}")), "frame 2, /params"),
    Example("M08", subscribed(ACKNOWLEDGED, note("tools/list_changed", about('"7"'))), "frame 2, /params"),
    Example("M08", subscribed(ACKNOWLEDGED, note("prompts/list_changed", about())), "frame 2, /method"),
    Example("M08", subscribed(ACKNOWLEDGED, note("resources/updated", about())), "frame 2, /method"),
    Example("M08", subscribed(ACKNOWLEDGED, note("message", about())), "frame 2, /method"),
    Example(
        "M08",
        subscribed(note("subscriptions/acknowledged", about(more=',"notifications":{"promptsListChanged":true}'))),
        "frame 1, /params/notifications/promptsListChanged",
    ),
    Example("M08", subscribed(ACKNOWLEDGED, answer('{"resultType":"complete"}')), "frame 2, /result"),
    Example("M09", paged, "/result/nextCursor"),
]
TEXT = '"content":[{"type":"text","text":"{}"}]'
RESULTS = [
    Example("T01", said(answer("{}")), "/result"),
    Example("T01", said(answer('{"content":"text"}')), "/result/content"),
    *(
        Example("T02", said(answer(f'{{"content":[{odd}]}}')), "/result/content/0")
        for odd in ('{"text":"t"}', '{"type":"json"}', '{"type":"text"}', '{"type":"image","data":"AAAA"}', '"text"')
    ),
    Example("T02", said(answer('{"content":[{"type":"resource","resource":{"uri":"u"}}]}')), "/result/content/0"),
    Example("T03", said(answer('{"content":[],"structuredContent":[]}')), "/result/structuredContent"),
    Example(
        "T03", said(answer(f'{{{TEXT},"structuredContent":{{}}}}'), version="2025-03-26"), "/result/structuredContent"
    ),
    Example("T04", said(answer(), tool=NEEDS_A), "/result"),
    Example("T04", said(answer(f'{{{TEXT},"structuredContent":{{}}}}'), tool=NEEDS_A), "/result/structuredContent"),
    Example("T05", said(answer('{"content":[],"structuredContent":{"a":1}}')), "/result/content"),
    *(
        Example("T06", said(answer(f'{{"content":[],"isError":{odd}}}')), "/result/isError")
        for odd in ('"true"', "1", "null")
    ),
    Example("T07", said(answer('{"content":[{"type":"text","text":"{\\"error\\":1}"}]}')), "/result/content"),
    Example("T07", said(answer('{"content":[],"structuredContent":{"error":"e"}}')), "/result/structuredContent/error"),
]
SOUND = '"inputSchema":{"type":"object"}'


def with_header(token: str, more: str = '"type":"string"') -> str:
    return f'{{"type":"object","properties":{{"a":{{{more},"x-mcp-header":{token}}}}}}}'


DEFINITIONS = [
    Example("D01", listed('{"name":"a"}'), "/result/tools/0"),
    Example("D01", listed('{"name":"a","inputSchema":null}'), "/result/tools/0/inputSchema"),
    Example("D01", listed('{"name":"a","inputSchema":{}}'), "/result/tools/0/inputSchema"),
    Example("D01", listed('{"name":"a","inputSchema":{"type":"string"}}'), "/result/tools/0/inputSchema"),
    Example("D02", listed(f'{{"name":"a b",{SOUND}}}'), "/result/tools/0/name"),
    Example("D02", listed(f'{{"name":"{"a" * 129}",{SOUND}}}'), "/result/tools/0/name"),
    Example("D02", listed(f"{{{SOUND}}}"), "/result/tools/0", E),
    Example("D02", lambda: (duplicate_names([NEEDS_A, NEEDS_A]), ()), ""),
    Example("D03", listed('{"name":"a","inputSchema":{"type":"object","$schema":"urn:x"}}'), ".../inputSchema/$schema"),
    Example(
        "D03",
        listed('{"name":"a","inputSchema":{"type":"object","properties":{"b":{"$ref":"https://a.example/s"}}}}'),
        ".../inputSchema/properties/b/$ref",
    ),
    Example(
        "D03",
        listed('{"name":"a","inputSchema":{"type":"object","properties":{"b":{"type":"string","required":true}}}}'),
        ".../inputSchema/properties/b/required",
        E,
    ),
    *(
        Example("D04", listed(f'{{"name":"a","inputSchema":{schema}}}', MODERN), f"/result/tools/0/inputSchema{where}")
        for schema, where in (
            (with_header('""'), "/properties/a"),
            (with_header('"a b"'), "/properties/a"),
            (with_header("7"), "/properties/a"),
            (with_header('"A"', '"type":"number"'), "/properties/a"),
            ('{"type":"object","x-mcp-header":"A"}', ""),
        )
    ),
    Example("D05", listed(f'{{"name":"a",{SOUND},"title":7}}'), "/result/tools/0/title"),
    Example("D05", listed(f'{{"name":"a",{SOUND},"outputSchema":false}}'), "/result/tools/0/outputSchema"),
]
HTTP = [
    Example("H01", said("", status=202, media=None), ""),
    Example("H01", said("", status=204, media=None), ""),
    Example("H01", said(""), ""),
    Example("H02", said("<html>", media="text/html"), ""),
    Example("H03", said(answer(), media="text/plain"), ""),
    Example("H03", said(answer(), media=None), ""),
    Example("H04", streamed(note("message", "{}")), ""),
    Example("H05", streamed("{broken", answer()), "frame 1"),
    Example("H06", streamed(f"event: result\ndata: {answer()}\n\n", answer()), "frame 1"),
    Example("H07", said(answer(), headers=(("Mcp-Session-Id", "a b"),)), ""),
    Example("H07", said(answer(), headers=(("Mcp-Session-Id", "b"),), session_id="a"), ""),
    Example("H07", said(answer(COMPLETE), era=Era.MODERN, version=MODERN, headers=(("Mcp-Session-Id", "a"),)), ""),
    Example("H08", said("", status=404, session_id="a"), ""),
    Example("H09", said("", status=401), ""),
    Example("H10", said(answer(), headers=(("MCP-Protocol-Version", "2025-06-18"),)), ""),
    Example("H11", said("no", status=400, media="text/plain", era=Era.MODERN, version=MODERN), ""),
    Example("H12", said(answer(), status=500), ""),
    Example("H12", said(f"data: {answer()}\n\n", media="text/event-stream", status=500), ""),
    Example("H12", said("thanks", sent=NOTE, media="text/plain"), ""),
    Example("H13", said(answer(), media="application/json; charset=iso-8859-1"), ""),
    Example("H14", said(answer()[:-9], error=TransportError("truncated", "the body broke off")), ""),
    Example("H15", said("", status=307, headers=(("Location", "/mcp/"),)), ""),
    Example("H16", said(answer(), surplus=b"HTTP/1.1 200 OK"), ""),
]
EXAMPLES = [*BODY, *ENVELOPE, *CONVERSATION, *PROTOCOL, *RESULTS, *DEFINITIONS, *HTTP]
