"""What the session reads from an exchange that is over (pure functions)."""

from __future__ import annotations

from olv_tui.model import Exchange, Object, Value


def result_of(exchange: Exchange) -> Value:
    """The `result` member of the answer, or None."""
    message = exchange.judgement.message if exchange.judgement else None
    return message.get("result") if isinstance(message, Object) else None


def error_code(exchange: Exchange) -> str | None:
    """The code of the JSON-RPC error as text, None where the answer is none."""
    error = exchange.judgement.rpc_error if exchange.judgement else None
    return error.code.text if error is not None else None


def supported_versions(exchange: Exchange) -> tuple[str, ...]:
    """`data.supported` of a JSON-RPC error: what a server that refuses a version says it knows."""
    error = exchange.judgement.rpc_error if exchange.judgement else None
    data = error.data if error is not None else None
    supported = data.get("supported") if isinstance(data, Object) else None
    return tuple(word for word in supported if isinstance(word, str)) if isinstance(supported, list) else ()


def brief(exchange: Exchange) -> str:
    """An ending in a few words: an error code, a status, or the verdict."""
    code = error_code(exchange)
    if code is not None:
        return code
    return f"HTTP {exchange.status}" if exchange.status is not None else str(exchange.verdict)
