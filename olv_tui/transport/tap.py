"""A tap on the connection: when bytes went out and came in, and what came where no HTTP came.

The HTTP library tells neither when the first byte was read nor what was received when it is not HTTP,
and it keeps surplus bytes to itself. The tap sits between the library and the socket and sees all.

Rules of this file:

* It changes no byte, and it knows no HTTP.
* The stream and the backend answer to httpcore's network interface by shape; httpcore is not imported.
* The exchange that a call belongs to is found by a context variable, as each exchange is a task of its own
  and the connection outlives it.
"""

from __future__ import annotations

import ssl
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from olv_tui.model import Timing

if TYPE_CHECKING:
    from collections.abc import Callable

HANDSHAKE = 10.0
"""Seconds for TLS. A server of plain HTTP may wait for the end of a request line for ever, and says nothing."""

_OPENING = 512  # Of what came first, enough to tell HTTP from something else and to quote it.


class Progress:
    """The timeline of one exchange, by the clock it was given (seconds).

    `handshake` is the time that TLS may take, in seconds. `peer` and `proxy` are host:port;
    `proxy` is None where there is none.
    """

    def __init__(self, timer: Callable[[], float], peer: str, handshake: float = HANDSHAKE) -> None:
        self.timer = timer
        self.handshake = handshake
        self.peer = peer
        self.proxy: str | None = None
        self.opening = b""
        self.connecting = False
        self.handshaking = False
        self._connect_from: float | None = None
        self._connect_to: float | None = None
        self._sent: float | None = None
        self._first: float | None = None
        self._last: float | None = None

    def connect_begins(self) -> None:
        """A connection is being made for this exchange."""
        self.connecting = True
        self._connect_from = self.timer()

    def handshake_begins(self) -> None:
        """TLS is being made on the connection; it counts as connecting."""
        self.handshaking = True
        self._connect_to = None

    def connect_ends(self) -> None:
        """The connection stands (after TLS once more). What a proxy was asked and answered is forgotten."""
        self.connecting = self.handshaking = False
        self._connect_to = self.timer()
        self._sent = self._first = self._last = None
        self.opening = b""

    def sending(self) -> None:
        """Bytes of the request are about to leave."""
        if self._sent is None:
            self._sent = self.timer()

    def received(self, data: bytes) -> None:
        """Bytes came in."""
        self._last = self.timer()
        if self._first is None:
            self._first = self._last
        if len(self.opening) < _OPENING:
            self.opening = (self.opening + data)[:_OPENING]

    @property
    def kept(self) -> bool:
        """True where the request went out on a connection that had been used before."""
        return self._sent is not None and self._connect_from is None

    @property
    def phase(self) -> str:
        """What is going on, in words that a host follows."""
        if self.connecting:
            return "connecting to"
        if self._sent is None:
            return "waiting for a free connection to"
        return "waiting for the answer of" if self._first is None else "reading the answer of"

    def at_ms(self) -> float:
        """Milliseconds since the first byte was sent."""
        return 0.0 if self._sent is None else (self.timer() - self._sent) * 1000

    def timing(self, *, complete: bool) -> Timing:
        """The times so far. `complete`: the last byte read was the end; else now is."""
        end = self._last if complete and self._last is not None else self.timer()
        connect = None
        if self._connect_from is not None:
            connect = (end if self._connect_to is None else self._connect_to) - self._connect_from
        return Timing(
            connect_ms=_ms(connect),
            first_byte_ms=_ms(self._first - self._sent) if self._first is not None and self._sent is not None else None,
            total_ms=_ms(end - self._sent) if self._sent is not None else None,
        )


CURRENT: ContextVar[Progress] = ContextVar("olv_tui.transport.progress")


def _ms(seconds: float | None) -> float | None:
    return None if seconds is None else seconds * 1000


class TappedStream:
    """A connection that reports to the exchange which uses it."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109
        """Read and report."""
        data: bytes = await self._stream.read(max_bytes, timeout)
        if data:
            CURRENT.get().received(data)
        return data

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109
        """Report and write."""
        if buffer:
            CURRENT.get().sending()
        await self._stream.write(buffer, timeout)

    async def aclose(self) -> None:
        """Close the connection."""
        await self._stream.aclose()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109
    ) -> TappedStream:
        """The same connection with TLS on it."""
        progress = CURRENT.get()
        progress.handshake_begins()
        try:
            secure = await self._stream.start_tls(ssl_context, server_hostname, timeout or progress.handshake)
        except BaseException:
            # httpcore closes the connection for an error, and leaves it open for a cancellation.
            await self._stream.aclose()
            raise
        progress.connect_ends()
        return TappedStream(secure)

    def get_extra_info(self, info: str) -> Any:
        """What the connection below says of itself."""
        return self._stream.get_extra_info(info)

    def leftover(self) -> bytes:
        """Decrypted bytes that came but were not asked for.

        Without TLS they are still in the socket, where the pool's own check for readability finds them
        before the connection is used again. With TLS that check cannot see them.
        """
        secure = self._stream.get_extra_info("ssl_object")
        if secure is None:
            return b""
        parts: list[bytes] = []
        try:
            while part := secure.read(65536):
                parts.append(part)
        except ssl.SSLError:
            pass  # SSLWantReadError: there is no more; anything else ends the connection at its next use.
        return b"".join(parts)


class TappedBackend:
    """Makes connections that are tapped."""

    def __init__(self, backend: Any) -> None:
        self._backend = backend

    async def connect_tcp(self, *args: Any, **options: Any) -> TappedStream:
        """Connect and report."""
        progress = CURRENT.get()
        progress.connect_begins()
        stream = await self._backend.connect_tcp(*args, **options)
        progress.connect_ends()
        return TappedStream(stream)

    async def connect_unix_socket(self, *args: Any, **options: Any) -> TappedStream:
        """Connect without a report: no URL leads here."""
        return TappedStream(await self._backend.connect_unix_socket(*args, **options))

    async def sleep(self, seconds: float) -> None:
        """Sleep as the backend does."""
        await self._backend.sleep(seconds)
