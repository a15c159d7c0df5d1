"""JSON-RPC messages of the demo server: a body read as one of them, and the refusals it can meet.

Rules of this file: an id is kept as its own text; what cannot be read is a `RefusedError` that carries the HTTP
status and the JSON-RPC error, with the id where it could be read and null where not (JSON-RPC 2.0, section 5).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from . import exact
from .exact import JsonObject, Raw

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
SERVER_ERROR: Final = -32000
SESSION_NOT_FOUND: Final = -32001
HEADER_MISMATCH: Final = -32020
MISSING_CAPABILITY: Final = -32021
UNSUPPORTED_VERSION: Final = -32022

ABSENT: Final = object()
"""Stands for an error without `data`, which is not the same as `"data": null`."""

NULL: Final = Raw("null")


class RefusedError(Exception):
    """A JSON-RPC error instead of a result. `status` None leaves the HTTP status to the era."""

    def __init__(
        self, code: int, message: str, data: Any = ABSENT, *, status: int | None = None, answer_id: Raw | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data
        self.status = status
        self.answer_id = answer_id

    def body(self, answer_id: Raw | None) -> str:
        """The error response; `answer_id` None leaves the id out."""
        error: JsonObject = {"code": self.code, "message": self.message}
        if self.data is not ABSENT:
            error["data"] = self.data
        return exact.dumps({"jsonrpc": "2.0", "error": error, **({} if answer_id is None else {"id": answer_id})})


@dataclass(frozen=True, slots=True)
class Message:
    """One message from a client: a request (id and method), a notification (method) or a response (id)."""

    method: str | None
    id: Raw | None
    params: JsonObject = field(default_factory=dict)
    meta: JsonObject = field(default_factory=dict)
    token: Raw | None = None
    content: JsonObject = field(default_factory=dict)

    @property
    def is_request(self) -> bool:
        """Whether it wants an answer."""
        return self.method is not None and self.id is not None


def read(body: bytes) -> Message:
    """Read a body. Raises RefusedError with status 400 for what is no message of 2025-06-18 or later (no batches)."""
    try:
        text = body.decode("utf-8")
        value = exact.loads(text)
    except UnicodeDecodeError:
        raise RefusedError(PARSE_ERROR, "Parse error: the body is not UTF-8", status=400) from None
    except ValueError as error:
        raise RefusedError(PARSE_ERROR, f"Parse error: {error}", status=400) from None
    except RecursionError:
        raise RefusedError(PARSE_ERROR, "Parse error: nested too deeply", status=400) from None
    if isinstance(value, list):
        raise RefusedError(INVALID_REQUEST, "Invalid Request: batches are not accepted", status=400)
    if not isinstance(value, dict):
        raise RefusedError(INVALID_REQUEST, "Invalid Request: the body is no object", status=400)
    parts = exact.members(text)
    message_id = _id(value, parts)
    if value.get("jsonrpc") != "2.0":
        raise RefusedError(
            INVALID_REQUEST, 'Invalid Request: jsonrpc must be "2.0"', status=400, answer_id=message_id or NULL
        )
    if "method" not in value and ("result" in value or "error" in value):
        return Message(None, message_id, content=value)
    method = value.get("method")
    if not isinstance(method, str):
        raise RefusedError(
            INVALID_REQUEST, "Invalid Request: method must be a string", status=400, answer_id=message_id or NULL
        )
    return _with_params(value, parts, method, message_id)


def _id(value: JsonObject, parts: dict[str, str]) -> Raw | None:
    """The id as it was written, None where there is none. JSON-RPC lets it be null; MCP does not."""
    if "id" not in value:
        return None
    found = value["id"]
    if isinstance(found, bool) or not isinstance(found, str | int | float | Raw):
        raise RefusedError(INVALID_REQUEST, "Invalid Request: id must be a string or a number", status=400)
    return Raw(parts["id"])


def _with_params(value: JsonObject, parts: dict[str, str], method: str, message_id: Raw | None) -> Message:
    params = value.get("params", {})
    if not isinstance(params, dict):
        if message_id is None:
            return Message(method, None)
        raise RefusedError(INVALID_PARAMS, "Invalid params: params must be an object", status=400, answer_id=message_id)
    meta = params.get("_meta", {})
    if not isinstance(meta, dict):
        meta = {}
    token = meta.get("progressToken")
    text = exact.members(exact.members(parts["params"])["_meta"])["progressToken"] if token is not None else ""
    usable = isinstance(token, str | int | float | Raw) and not isinstance(token, bool)
    return Message(method, message_id, params, meta, Raw(text) if usable else None)
