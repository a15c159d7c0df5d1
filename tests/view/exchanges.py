"""Exchanges for the tests of views: made by hand, so that no other layer can hide a fault of a view."""

from __future__ import annotations

from olv_tui import jsontext
from olv_tui.model import (
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

JSON_TYPE = (("Content-Type", "application/json"),)
FOUND = Violation("R07", Severity.ERROR, "The id comes back as a string", at="/id")


def value(text: str) -> Value:
    return jsontext.loads(text)


def members(text: str) -> Object:
    read = jsontext.loads(text)
    assert isinstance(read, Object)
    return read


def exchange(
    verdict: Verdict = Verdict.RESULT,
    body: str | bytes = "",
    *,
    summary: str = "",
    status: int = 200,
    reason: str = "OK",
    headers: tuple[tuple[str, str], ...] = JSON_TYPE,
    method: str = "tools/call",
    request_id: str | None = "5",
    tool_error: ToolError | None = None,
    rpc_error: RpcError | None = None,
    error: TransportError | None = None,
    response: bool = True,
    violations: tuple[Violation, ...] = (),
    frames: tuple[Frame, ...] = (),
    has_message: bool = True,
) -> Exchange:
    """An ended exchange; the message is read from `body`, or from the last frame."""
    raw = body if isinstance(body, bytes) else body.encode()
    source = (frames[-1].data or "") if frames else body
    message = value(source) if has_message and isinstance(source, str) and source else None
    identity = RequestId(request_id) if request_id is not None else None
    return Exchange(
        serial=12,
        target="test",
        outgoing=Outgoing("request", identity, method, "olv_list_worlds", (identity,) if identity else ()),
        request=WireRequest(
            "http://127.0.0.1:8000/mcp", (("Accept", "application/json"),), b'{"jsonrpc":"2.0","id":5}'
        ),
        started="2026-12-02T08:00:00.000Z",
        reply=Reply(
            WireResponse(status, reason, headers, raw, frames=frames) if response else None,
            error,
            Timing(1.0, 3.0, 4.1),
            cancelled=verdict is Verdict.CANCELLED,
        ),
        judgement=Judgement(
            verdict,
            summary,
            violations,
            message=message,
            has_message=has_message and message is not None,
            frame=len(frames) - 1 if frames else None,
            tool_error=tool_error,
            rpc_error=rpc_error,
        ),
    )


def pending() -> Exchange:
    """A call that runs."""
    identity = RequestId("5")
    return Exchange(
        serial=12,
        target="test",
        outgoing=Outgoing("request", identity, "tools/call", "olv_list_worlds", (identity,)),
        request=WireRequest("http://127.0.0.1:8000/mcp", (), b"{}"),
        started="2026-12-02T08:00:00.000Z",
    )


def not_linked(extra: str = "") -> Exchange:
    """The documented tool error of OneLifeVibe."""
    body = (
        '{"jsonrpc":"2.0","id":5,"result":{"isError":true,"structuredContent":'
        '{"error":"not_linked","site":"helpbless.com"},"content":[{"type":"text","text":"Not linked."}]' + extra + "}}"
    )
    failed = ToolError("not_linked", "helpbless.com", "structuredContent", Object([("hint", "link it first")]))
    return exchange(Verdict.TOOL_ERROR, body, summary="not_linked, site helpbless.com", tool_error=failed)


def rpc_error(code: str = "-32602", message: str = "Invalid params") -> Exchange:
    """A JSON-RPC error with data."""
    error = f'{{"code":{code},"message":"{message}","data":{{"field":"name"}}}}'
    body = '{"jsonrpc":"2.0","id":5,"error":' + error + "}"
    failed = RpcError(Number(code), message, members('{"field":"name"}'), has_data=True)
    return exchange(Verdict.RPC_ERROR, body, summary=f"{code} {message}", rpc_error=failed)


def streamed() -> Exchange:
    """An answer in an event stream, CRLF lines, after a notification."""
    first = '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}'
    last = '{"jsonrpc":"2.0","id":5,"result":{"content":[{"type":"text","text":"done"}]}}'
    frames = tuple(
        Frame(f"event: message\r\ndata: {data}\r\n\r\n".encode(), "message", None, data, at_ms=float(number))
        for number, data in enumerate((first, last), 1)
    )
    body = b"".join(frame.raw for frame in frames)
    return exchange(Verdict.RESULT, body, frames=frames, headers=(("Content-Type", "text/event-stream"),))
