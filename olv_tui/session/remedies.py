"""What is mended by itself, once, before an exchange is given back: only where the server cannot have run the call.

Rules of this file:

* A remedy is tried for an answer that says that the request was refused unread, and never twice for one call.
* Every remedy is said aloud (`Wire.tell`), and every exchange it takes is in the history.
* A call that may have run is never sent again: timeouts, resets, 5xx and broken streams have no remedy.

The remedies: another era, where a server that claimed to be modern refuses modern requests (2026-07-28 transports,
"Backward Compatibility"); a version both know (-32022); a new session, where the old one is gone (404, 2025-11-25
basic/transports "Session Management"); the mirrored headers, where the tool was called before it was listed
(-32020, 2026-07-28 server/tools).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from olv_tui.mcp import versions
from olv_tui.model import Era, Exchange, header
from olv_tui.session.handshake import Handshake
from olv_tui.session.reading import error_code, supported_versions
from olv_tui.session.wire import Wire

_MODERN_WORDS = frozenset({"-32700", "-32600", "-32601", "-32602", "-32603", "-32020", "-32021", "-32022"})
"""Codes that a modern server uses for its refusals; any other code at 400 tells of an older server."""


class Remedies:
    """The remedies of one session. `relist` lists the tools again, for the definitions that headers mirror."""

    def __init__(self, wire: Wire, handshake: Handshake, relist: Callable[[], Awaitable[object]]) -> None:
        self._wire = wire
        self._handshake = handshake
        self._relist = relist

    async def apply(self, exchange: Exchange, tried: set[str], cancel: asyncio.Event | None) -> bool:
        """Mend what this answer complains of. True: send the call again. What was tried is not tried again."""
        for name, is_due, mend in (
            ("version", self._is_renegotiated, self._version),
            ("era", self._is_no_modern_server, self._era),
            ("session", self._is_expired, self._session),
            ("headers", self._is_mirrorless, self._headers),
        ):
            if name not in tried and is_due(exchange):
                tried.add(name)
                if await mend(exchange, cancel):
                    return True
        return False

    def _is_renegotiated(self, exchange: Exchange) -> bool:
        """Whether a modern server refused the version and names one that we know as well."""
        return (
            exchange.era is Era.MODERN
            and error_code(exchange) == "-32022"
            and versions.MODERN in supported_versions(exchange)
        )

    async def _version(self, _: Exchange, __: asyncio.Event | None) -> bool:
        self._wire.version = versions.MODERN
        self._wire.tell(f"The server refused the version and names {versions.MODERN}: sent again.")
        return True

    async def _era(self, _: Exchange, cancel: asyncio.Event | None) -> bool:
        if await self._handshake.fall_back(cancel) is not None:
            return False
        self._wire.tell(
            f"The server refuses {versions.MODERN} requests after all: shook hands as of {self._wire.version}."
        )
        return True

    async def _session(self, exchange: Exchange, cancel: asyncio.Event | None) -> bool:
        if await self._handshake.renew(header(exchange.request.headers, "mcp-session-id"), cancel) is not None:
            return False
        self._wire.tell("The session was gone (404): a new one was begun and the call sent again.")
        return True

    def _is_mirrorless(self, exchange: Exchange) -> bool:
        """Whether headers were refused for a tool whose definition, which names them, is not known yet."""
        outgoing = exchange.outgoing
        return (
            error_code(exchange) == "-32020"
            and outgoing.method == "tools/call"
            and outgoing.tool not in self._wire.tools
        )

    async def _headers(self, exchange: Exchange, _: asyncio.Event | None) -> bool:
        await self._relist()
        if exchange.outgoing.tool not in self._wire.tools:
            return False
        self._wire.tell("The server wants headers that the tool's definition names: listed the tools and sent again.")
        return True

    def _is_no_modern_server(self, exchange: Exchange) -> bool:
        """Whether a modern request was refused as only older servers do, and no modern result came before."""
        wire = self._wire
        if wire.target.era is not Era.AUTO or exchange.era is not Era.MODERN or wire.proven:
            return False
        code = error_code(exchange)
        if code == "-32022":
            supported = supported_versions(exchange)
            return bool(supported) and versions.MODERN not in supported
        if not 400 <= (exchange.status or 0) < 500 or exchange.status in (401, 403, 407, 429):
            return False
        return code not in _MODERN_WORDS

    def _is_expired(self, exchange: Exchange) -> bool:
        """Whether the server said of our session id that it knows none such; -32601 speaks of the method."""
        sent = header(exchange.request.headers, "mcp-session-id")
        return exchange.status == 404 and sent is not None and error_code(exchange) != "-32601"
