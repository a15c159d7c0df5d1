"""Answers made up for the judge, and their judgement."""

from __future__ import annotations

from dataclasses import replace

from olv_tui.jsonrpc import read_request
from olv_tui.judge import judge
from olv_tui.model import Era, Judgement, Reply, Tool, WireResponse
from olv_tui.transport.sse import SseDecoder

CALL = b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"probe","arguments":{}}}'
HELLO = '{"content":[{"type":"text","text":"hello"}]}'
PHRASES = {200: "OK", 202: "Accepted", 204: "No Content", 400: "Bad Request", 404: "Not Found", 502: "Bad Gateway"}


def answer(result: str = HELLO, identity: str = "7") -> str:
    return f'{{"jsonrpc":"2.0","id":{identity},"result":{result}}}'


def refusal(members: str = '{"code":-32601,"message":"Method not found"}', identity: str = "7") -> str:
    return f'{{"jsonrpc":"2.0","id":{identity},"error":{members}}}'


def judged(
    body: str | bytes,
    *,
    status: int = 200,
    media: str | None = "application/json",
    sent: bytes = CALL,
    era: Era = Era.BARE,
    version: str | None = None,
    tool: Tool | None = None,
    headers: tuple[tuple[str, str], ...] = (),
) -> Judgement:
    data = body.encode() if isinstance(body, str) else body
    named = headers if media is None else (("Content-Type", media), *headers)
    response = WireResponse(status, PHRASES.get(status, "Status"), named, data)
    if response.media_type == "text/event-stream":
        decoder = SseDecoder()
        frames = (*decoder.feed(data, 0.0), *decoder.end(0.0))
        response = replace(response, frames=frames)
    return judge(read_request(sent), Reply(response), era=era, version=version, tool=tool)


def codes(one: Judgement) -> list[str]:
    return [violation.code for violation in one.violations]


def request(method: str, identity: str = "7") -> bytes:
    return f'{{"jsonrpc":"2.0","id":{identity},"method":"{method}"}}'.encode()
