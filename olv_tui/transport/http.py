"""HTTP over httpx: the bytes of a `WireRequest` go out, whatever comes back is a `Reply`.

Rules of this file:

* It is the only importer of httpx, and imports it when the first request is made: httpx costs 109 ms,
  which neither the first paint nor `--help` should pay. The import runs beside the event loop.
* Header names, their order, their case and the body leave as they stand in the request. Added are Host,
  Content-Length and Accept-Encoding, where the request has none of its own; nothing else.
* Nothing is sent twice, no redirect is followed, no cookie is kept, and no header or URL is logged.
* A connection is used again only where it is certain that nothing of the last answer is left on it.

httpx's transport is used without the client around it. The client would add headers, put credentials of
the URL into a header that the preview does not show, keep cookies, and log every URL; and the time that it
takes for this (0.1 ms a call) pays for the timeline and the cancellation here.
"""

from __future__ import annotations

import asyncio
import re
import ssl
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

from olv_tui.model import Reply, header
from olv_tui.transport.address import is_plain, target_of
from olv_tui.transport.coding import ACCEPTED
from olv_tui.transport.failures import NotSendable, classify, timed_out
from olv_tui.transport.incoming import Incoming
from olv_tui.transport.keeping import Keeping
from olv_tui.transport.patience import first_of
from olv_tui.transport.proxies import proxy_for
from olv_tui.transport.tap import CURRENT, HANDSHAKE, Progress, TappedBackend, TappedStream

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    import httpx

    from olv_tui.model import TransportError, WireRequest
    from olv_tui.transport.base import OnFrame, OnProgress

_CONNECTIONS = 20  # Fifty at once in one pool are 57 times slower than raw sockets.
_KEEPALIVE = 4.0  # Seconds. Below the 5 s after which common servers drop an idle connection.
_GRACE = 0.05  # Seconds for what is already there, once the answer is complete.
_ROUTES = 64

_TOKEN = re.compile(r"[-!#$%&'*+.^_`|~0-9A-Za-z]+")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")


class HttpTransport:
    """Exchanges over HTTP/1.1, with kept connections. One instance serves one event loop."""

    def __init__(
        self,
        *,
        insecure: bool = False,
        timer: Callable[[], float] = time.perf_counter,
        handshake: float = HANDSHAKE,
        keeping: Keeping = Keeping(),  # noqa: B008  a value
    ) -> None:
        """`insecure` turns off certificate checks; `timer` (seconds) is where the timings come from.

        `handshake` is how long TLS may take, in seconds; the timeout of an exchange still holds. `keeping` says how
        much of a body is kept in memory and where the rest goes.
        """
        self._keeping = keeping
        self._insecure = insecure
        self._handshake = handshake
        self._timer = timer
        self._pools: dict[tuple[str, str | None], httpx.AsyncHTTPTransport] = {}
        self._routes: dict[tuple[str, str, int | None], tuple[httpx.AsyncHTTPTransport, str | None]] = {}
        self._building = asyncio.Lock()

    async def exchange(
        self,
        request: WireRequest,
        *,
        timeout: float,  # noqa: ASYNC109  the partial answer has to survive
        cancel: asyncio.Event | None = None,
        on_frame: OnFrame | None = None,
        on_progress: OnProgress | None = None,
    ) -> Reply:
        """Send once, return what came of it; see `Transport.exchange`. Raises nothing of its own.

        `Timing` counts from the first byte sent; `connect_ms` includes the name look-up and TLS.
        """
        if cancel is not None and cancel.is_set():
            return Reply(cancelled=True)
        progress = Progress(self._timer, peer_of(request.url), self._handshake)
        incoming = Incoming(progress, on_frame, on_progress, request=request, keeping=self._keeping)
        task = asyncio.create_task(self._run(request, progress, incoming))
        watch = asyncio.create_task(cancel.wait()) if cancel is not None else None
        error, cancelled = None, False
        try:
            pending = [task] if watch is None else [task, watch]
            await first_of(pending, timeout)
            finished = task.done()
            if not finished:
                cancelled = watch is not None and watch.done()
                error = None if cancelled else timed_out(timeout, progress)
            # Taken here: the times are those of the decision, not of the closing that follows; and where the
            # answer came, those of its last byte and not of the wait for more.
            timing = progress.timing(complete=finished and task.result() is None)
        finally:
            if watch is not None:
                watch.cancel()
            if not task.done():
                task.cancel()
                await asyncio.wait([task])
            incoming.finish()
        if finished:
            error = task.result()
        return Reply(incoming.response(), error or incoming.error, timing, cancelled)

    async def aclose(self) -> None:
        """Close the kept connections; the next exchange makes new ones."""
        pools = list(self._pools.values())
        self._pools.clear()
        self._routes.clear()
        for pool in pools:
            await pool.aclose()

    async def _run(self, request: WireRequest, progress: Progress, incoming: Incoming) -> TransportError | None:
        CURRENT.set(progress)
        try:
            headers = _wire_headers(request)
            pool = await self._pool(request.url, progress)
            # httpx resolves /a/../b and escapes more than it has to. In a tunnel it would call the tunnel by this name.
            target = target_of(request.url)
            own = progress.proxy is not None or is_plain(target)
            await _converse(pool, request, headers, incoming, {} if own else {"target": target.encode("ascii")})
        except Exception as error:  # the border: whatever the library raises becomes a value
            return classify(error, progress, incoming)
        return None

    async def _pool(self, url: str, progress: Progress) -> httpx.AsyncHTTPTransport:
        """The pool for a URL, made beside the event loop when it is the first. Raises NotSendable."""
        try:
            parts = urlsplit(url)
            scheme, host, port = parts.scheme.lower(), parts.hostname or "", parts.port
        except ValueError as error:
            raise NotSendable(f"The address is not a URL that can be used ({error}).") from error
        if scheme not in {"http", "https"} or not host:
            raise NotSendable("The address must begin with http:// or https:// and name a host.")
        route = self._routes.get((scheme, host, port))
        if route is None:
            async with self._building:
                proxy = await asyncio.to_thread(proxy_for, scheme, host)
                pool = self._pools.get((scheme, proxy))
                if pool is None:
                    pool = await asyncio.to_thread(_make_pool, scheme, proxy, self._insecure)
                    self._pools[scheme, proxy] = pool
                if len(self._routes) >= _ROUTES:
                    self._routes.clear()
                route = self._routes[scheme, host, port] = (pool, None if proxy is None else peer_of(proxy))
        pool, progress.proxy = route
        return pool


def peer_of(url: str) -> str:
    """`host:port` of a URL for sentences, without anything else that stands in it."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or "an address without a host"
        port = parts.port or {"https": 443, "http": 80}.get(parts.scheme.lower())
    except ValueError:
        return "an unusable address"
    host = f"[{host}]" if ":" in host else host
    return host if port is None else f"{host}:{port}"


def _wire_headers(request: WireRequest) -> list[tuple[bytes, bytes]]:
    """The headers as bytes. Raises NotSendable; values are not quoted in it, they may be secrets."""
    wire: list[tuple[bytes, bytes]] = []
    for name, value in request.headers:
        if not _TOKEN.fullmatch(name):
            raise NotSendable(
                f"The header name {name!a} cannot be sent: HTTP allows letters, digits and !#$%&'*+-.^_`|~."
            )
        if _CONTROL.search(value):
            raise NotSendable(
                f"The header {name} cannot be sent: its value has a line break or another control character."
            )
        if value != value.strip(" \t"):
            raise NotSendable(f"The header {name} cannot be sent: HTTP drops blanks at the ends of a value.")
        try:
            wire.append((name.encode("ascii"), value.encode("utf-8")))
        except UnicodeEncodeError as error:
            raise NotSendable(f"The header {name} cannot be sent: its value is not valid text.") from error
    if header(request.headers, "transfer-encoding") is not None:
        raise NotSendable("The header Transfer-Encoding cannot be sent: the body goes out whole, with its length.")
    length = header(request.headers, "content-length")
    if length is not None and length != str(len(request.body)):
        raise NotSendable(f"The header Content-Length cannot be sent: the body has {len(request.body)} bytes.")
    if header(request.headers, "accept-encoding") is None:
        wire.append((b"Accept-Encoding", ACCEPTED.encode("ascii")))
    return wire


async def _converse(
    pool: httpx.AsyncHTTPTransport,
    request: WireRequest,
    headers: list[tuple[bytes, bytes]],
    incoming: Incoming,
    extensions: dict[str, Any],
) -> None:
    """Send, and read what comes. Raises what httpx raises."""
    import httpx

    outgoing = httpx.Request(
        request.method, request.url, headers=headers, content=request.body or None, extensions=extensions
    )
    response = await pool.handle_async_request(outgoing)
    try:
        extensions = response.extensions
        incoming.start(
            response.status_code,
            extensions.get("reason_phrase", b""),
            extensions.get("http_version", b"HTTP/1.1"),
            response.headers.raw,
        )
        pieces = aiter(cast("httpx.AsyncByteStream", response.stream))
        ended = await _read(pieces, incoming)
        if not ended and incoming.error is None:
            # The answer is complete; a failure of what follows it is none of the exchange.
            with suppress(Exception):
                async with asyncio.timeout(_GRACE):
                    while not ended:
                        ended = await _read(pieces, incoming)
        if ended:
            incoming.ended = True
            await _retire(response, incoming)
    finally:
        # Where the end was not reached, this closes the connection.
        await response.aclose()


async def _read(pieces: AsyncIterator[bytes], incoming: Incoming) -> bool:
    """Read on; False where the answer says that it is complete, True at the end of the body."""
    async for piece in pieces:
        at, is_over = 0, False
        while at < len(piece):  # all of it, as it is here
            if at:
                await asyncio.sleep(0)
            step = incoming.step or len(piece)
            if await incoming.take(piece[at : at + step] if at or step < len(piece) else piece):
                is_over = True
            at += step
        if is_over:
            return False
    return True


async def _retire(response: httpx.Response, incoming: Incoming) -> None:
    """Close the connection at the end of an answer where bytes beyond it are (or may be) left.

    They would be read as the start of the next answer: the parser keeps its buffer from one answer to
    the next.
    """
    connection = response.extensions["network_stream"]
    unparsed = _unparsed(response)
    incoming.surplus = unparsed or b""
    if isinstance(connection, TappedStream):
        incoming.surplus += connection.leftover()
    if unparsed is None or incoming.surplus:
        await connection.aclose()


def _unparsed(response: httpx.Response) -> bytes | None:
    """What the HTTP parser holds beyond the end of the answer, None where it cannot be told.

    httpx has no way to ask. The path through its layers is that of httpx 0.28 over httpcore 1; where it
    is no more, connections are not used again, which is slow but never wrong (a test would show it).
    """
    with suppress(AttributeError):
        stream: Any = response.stream
        return bytes(stream._httpcore_stream._stream._connection._h11_state.trailing_data[0])
    return None


def _make_pool(scheme: str, proxy: str | None, insecure: bool) -> httpx.AsyncHTTPTransport:
    """A tapped pool of connections. Blocks for the import of httpx and the trust store. Raises NotSendable."""
    # Where click and rich are installed httpx imports its own command line with them: 30 ms, and a terminal
    # toolkit in verbs that must not know one. A None in sys.modules makes that import fail, as httpx expects.
    sys.modules.setdefault("httpx._main", None)  # type: ignore[arg-type]
    import httpx

    limits = httpx.Limits(
        max_connections=_CONNECTIONS, max_keepalive_connections=_CONNECTIONS, keepalive_expiry=_KEEPALIVE
    )
    try:
        pool = httpx.AsyncHTTPTransport(verify=_context(scheme, insecure), limits=limits, proxy=proxy)
    except (ImportError, ValueError, httpx.InvalidURL) as error:
        if proxy is None:
            raise
        # The error is not quoted: it may hold the URL of the proxy, and that a password.
        raise NotSendable(f"The proxy {peer_of(proxy)} cannot be used ({type(error).__name__}).", "proxy") from error
    inner: Any = pool._pool  # httpx passes no network backend on; httpcore below takes one
    inner._network_backend = TappedBackend(inner._network_backend)
    return pool


def _context(scheme: str, insecure: bool) -> ssl.SSLContext:
    """The TLS context of a pool. For http:// it is one that trusts nobody, made in 0.1 ms instead of 28.

    Should an https:// request ever reach the pool for http://, it fails: nothing is sent unchecked.
    """
    import httpx

    if scheme == "http":
        return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    if insecure:
        return httpx.create_ssl_context(verify=False)
    context = httpx.create_ssl_context()
    context.load_default_certs()  # What the system trusts as well: a company's own authority is only there.
    return context
