"""Which protocol era a request is in, and whether its headers and `_meta` keep to it.

Rules of this file: it follows protocol 2026-07-28 (basic/index, basic/versioning, transports/streamable-http)
and 2025-11-25 (lifecycle, transports); every refusal carries the status that the specification gives.

* modern: `_meta` names a protocol version, or the header names 2026-07-28;
* legacy: the session header names a session that initialize made;
* bare: neither; answered as well, except with `--demo sessions`, which answers nothing without a session.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
from dataclasses import dataclass, field
from typing import Final, Literal

from .exact import JsonObject
from .messages import (
    HEADER_MISMATCH,
    INVALID_PARAMS,
    NULL,
    SERVER_ERROR,
    SESSION_NOT_FOUND,
    UNSUPPORTED_VERSION,
    Message,
    RefusedError,
)

MODERN: Final = "2026-07-28"
LEGACY: Final = ("2025-11-25", "2025-06-18", "2025-03-26")
SUPPORTED: Final = (MODERN, *LEGACY)

_PREFIX: Final = "io.modelcontextprotocol/"
_NAMED: Final = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
"""Methods whose Mcp-Name header repeats a member of params."""

LEVELS: Final = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")


@dataclass(slots=True)
class Session:
    """A session made by initialize. `questions` are elicitations under way, by the id of their request."""

    id: str
    version: str
    capabilities: JsonObject
    log_level: str = "info"
    questions: dict[str, asyncio.Future[JsonObject]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Context:
    """What a request is answered by. `log_level` None: no log messages are wanted."""

    era: Literal["modern", "legacy", "bare"]
    session: Session | None = None
    capabilities: JsonObject = field(default_factory=dict)
    log_level: str | None = "info"

    @property
    def can_answer_forms(self) -> bool:
        """Whether the client declared elicitation in form mode (an empty object means form)."""
        declared = self.capabilities.get("elicitation")
        return isinstance(declared, dict) and (not declared or "form" in declared)

    def wants_log(self, level: str) -> bool:
        """Whether messages of that level are wanted."""
        if self.log_level is None or self.log_level not in LEVELS:
            return False
        return LEVELS.index(level) >= LEVELS.index(self.log_level)


class Sessions:
    """The sessions of the server. Ids count up, so that the same steps give the same bytes."""

    def __init__(self, *, required: bool = False) -> None:
        self._known: dict[str, Session] = {}
        self._count = 0
        self._required = required

    def open(self, version: str, capabilities: JsonObject) -> Session:
        """A new session."""
        self._count += 1
        session = Session(f"demo-session-{self._count}", version, capabilities)
        self._known[session.id] = session
        return session

    def end(self, session_id: str) -> bool:
        """Forget a session; False where there is none. Its id gets 404 from now on."""
        return self._known.pop(session_id, None) is not None

    def is_handshake(self, message: Message) -> bool:
        """Whether a message is the initialize of a legacy era; 2026-07-28 has no such method."""
        return message.method == "initialize" and (self._required or not _names_version(message))

    def context(self, message: Message, headers: dict[str, str]) -> Context:
        """The era of a message. Raises RefusedError."""
        named = headers.get("mcp-protocol-version")
        if not self._required and (_names_version(message) or named == MODERN):
            return _modern(message, headers)
        session_id = headers.get("mcp-session-id")
        if session_id is not None:
            session = self._known.get(session_id)
            if session is None:
                raise RefusedError(SESSION_NOT_FOUND, "Session not found", status=404, answer_id=NULL)
            if named is not None and named != session.version:
                text = f"Bad Request: MCP-Protocol-Version {named} is not the negotiated {session.version}"
                raise RefusedError(SERVER_ERROR, text, status=400)
            return Context("legacy", session, session.capabilities, session.log_level)
        if self._required:
            raise RefusedError(SERVER_ERROR, "Bad Request: no Mcp-Session-Id; send initialize first", status=400)
        if named is not None and named not in SUPPORTED:
            raise unsupported(named)
        return Context("bare")


def unsupported(requested: str) -> RefusedError:
    """The refusal of a protocol version (2026-07-28, basic/versioning)."""
    data = {"supported": list(SUPPORTED), "requested": requested}
    return RefusedError(UNSUPPORTED_VERSION, f"Unsupported protocol version: {requested}", data, status=400)


def _names_version(message: Message) -> bool:
    return f"{_PREFIX}protocolVersion" in message.meta


def _modern(message: Message, headers: dict[str, str]) -> Context:
    """Check the `_meta` and the headers of a modern request."""
    if not message.is_request:
        return Context("modern")
    named = headers.get("mcp-protocol-version")
    version = message.meta.get(f"{_PREFIX}protocolVersion")
    if not isinstance(version, str):
        raise _missing("protocolVersion")
    if named != version:
        raise _mismatch("MCP-Protocol-Version", named, version)
    if version != MODERN:
        raise unsupported(version)
    capabilities = message.meta.get(f"{_PREFIX}clientCapabilities")
    if not isinstance(capabilities, dict):
        raise _missing("clientCapabilities")
    if headers.get("mcp-method") != message.method:
        raise _mismatch("Mcp-Method", headers.get("mcp-method"), message.method)
    member = _NAMED.get(message.method or "")
    name = message.params.get(member) if member else None
    if isinstance(name, str):
        header = headers.get("mcp-name")
        if header is None or _decode(header) != name:
            raise _mismatch("Mcp-Name", header, name)
    level = message.meta.get(f"{_PREFIX}logLevel")
    return Context("modern", None, capabilities, level if isinstance(level, str) else None)


def _missing(name: str) -> RefusedError:
    path = f"/params/_meta/{_PREFIX.replace('/', '~1')}{name}"
    return RefusedError(INVALID_PARAMS, f"Invalid params: _meta needs {_PREFIX}{name}", {"path": path}, status=400)


def _mismatch(header: str, got: str | None, wanted: str | None) -> RefusedError:
    said = f"is {got}" if got is not None else "is missing"
    text = f"Header mismatch: {header} {said}, the body says {wanted}"
    return RefusedError(HEADER_MISMATCH, text, {"header": header, "got": got, "body": wanted}, status=400)


def _decode(value: str) -> str | None:
    """A header value without its base64 form (transports page of 2026-07-28); None where that is broken."""
    if not (value.startswith("=?base64?") and value.endswith("?=")):
        return value
    try:
        return base64.b64decode(value[9:-2], validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError):
        return None


def negotiate(requested: str) -> str:
    """The version that initialize answers: the one asked for where it is known, else the newest legacy one."""
    return requested if requested in LEGACY else LEGACY[0]
