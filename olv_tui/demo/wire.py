"""HTTP/1.1 for the demo server: one request read, one answer written, on asyncio streams.

Rules of this file: it knows no JSON-RPC; sizes of what a client sends are bounded; an answer is either
complete (Content-Length), a chunked event stream, or broken on purpose (`drop`, `cut`).
No Date header is sent, so that the same call shows the same bytes every time (screenshots, tests).
"""

from __future__ import annotations

import asyncio
import re
import socket
import struct
from collections.abc import Iterable
from dataclasses import dataclass, field

MAX_HEAD = 64 * 1024
"""Bytes of request line and headers; more is answered with 431."""

MAX_BODY = 16 * 1024 * 1024
"""Bytes of a request body; more is answered with 413."""

_LINE_END = re.compile(r"\r\n|\r|\n")

_REASONS = {
    200: "OK",
    202: "Accepted",
    308: "Permanent Redirect",
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    413: "Content Too Large",
    429: "Too Many Requests",
    431: "Request Header Fields Too Large",
    501: "Not Implemented",
    502: "Bad Gateway",
    503: "Service Unavailable",
    505: "HTTP Version Not Supported",
}

Headers = Iterable[tuple[str, str]]


class BadRequestError(Exception):
    """What came is no HTTP request that can be served; `status` is the answer."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True, slots=True)
class Request:
    """One HTTP request. Header names are in lower case; of repeated headers the values are joined by ", "."""

    method: str
    path: str
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    keep_alive: bool = True


class Reader(asyncio.StreamReader):
    """A stream reader that tells at once when the peer has gone, also while nobody reads.

    `gone` is how a waiting tool learns that its caller hung up (2026-07-28: that is the cancellation).
    """

    def __init__(self) -> None:
        super().__init__(limit=MAX_HEAD)
        self.gone = asyncio.Event()

    def feed_eof(self) -> None:
        """The peer sends nothing more."""
        super().feed_eof()
        self.gone.set()

    def set_exception(self, exc: BaseException) -> None:
        """The connection broke."""
        super().set_exception(exc)  # type: ignore[arg-type]  # typeshed says Exception, asyncio passes any
        self.gone.set()


async def read_request(reader: Reader, writer: asyncio.StreamWriter) -> Request | None:
    """The next request, or None at the end of the connection. Raises BadRequestError and ConnectionError."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return None
    except asyncio.LimitOverrunError:
        raise BadRequestError(431, f"the head is longer than {MAX_HEAD} bytes") from None
    first, *lines = head.decode("latin-1").strip("\r\n").split("\r\n")
    words = first.split(" ")
    if len(words) != 3 or not words[2].startswith("HTTP/"):
        raise BadRequestError(400, "the first line is no HTTP request line")
    if words[2] not in ("HTTP/1.1", "HTTP/1.0"):
        raise BadRequestError(505, "this server speaks HTTP/1.1")
    headers: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon or not name or name != name.strip():
            raise BadRequestError(400, "a header line has no name")
        key, value = name.lower(), value.strip(" \t")
        headers[key] = f"{headers[key]}, {value}" if key in headers else value
    keep_alive = words[2] == "HTTP/1.1" and headers.get("connection", "").lower() != "close"
    if headers.get("expect", "").lower() == "100-continue":
        writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
    try:
        body = await _read_body(reader, headers)
    except asyncio.IncompleteReadError:
        return None
    except asyncio.LimitOverrunError:
        raise BadRequestError(400, "a chunk has no size") from None
    return Request(words[0], words[1].partition("?")[0], headers, body, keep_alive)


async def _read_body(reader: Reader, headers: dict[str, str]) -> bytes:
    """The request body, by Content-Length or in chunks."""
    coding = headers.get("transfer-encoding", "").lower()
    if coding:
        if coding != "chunked":
            raise BadRequestError(400, f"transfer coding {coding!r} is not known here")
        return await _read_chunks(reader)
    length = headers.get("content-length", "0")
    if not (length.isascii() and length.isdigit()):
        raise BadRequestError(400, "Content-Length is no number")
    if len(length) > 12 or int(length) > MAX_BODY:
        raise BadRequestError(413, f"the body is longer than {MAX_BODY} bytes")
    return await reader.readexactly(int(length))


async def _read_chunks(reader: Reader) -> bytes:
    body = bytearray()
    while True:
        size = (await reader.readuntil(b"\r\n")).split(b";")[0].strip()
        try:
            count = int(size, 16)
        except ValueError:
            raise BadRequestError(400, "a chunk has no size") from None
        if count < 0 or len(body) + count > MAX_BODY:
            raise BadRequestError(413, f"the body is longer than {MAX_BODY} bytes")
        if count == 0:
            while (await reader.readuntil(b"\r\n")) != b"\r\n":
                pass  # trailers are read and not used
            return bytes(body)
        body += await reader.readexactly(count)
        await reader.readexactly(2)


class Wire:
    """The answering side of one connection."""

    def __init__(self, reader: Reader, writer: asyncio.StreamWriter) -> None:
        self.gone = reader.gone
        self.streaming = False
        self.closed = False
        self._writer = writer

    async def answer(
        self, status: int, headers: Headers = (), body: bytes = b"", *, keep: bool = True, empty: bool = False
    ) -> None:
        """One complete answer. `empty` leaves the body out and keeps its length (HEAD)."""
        lines = [*headers, ("Content-Length", str(len(body)))]
        if not keep:
            lines.append(("Connection", "close"))
            self.closed = True
        self._writer.write(_head(status, lines) + (b"" if empty else body))
        await self._writer.drain()

    async def open_stream(self, headers: Headers = ()) -> None:
        """The head of an event stream."""
        # X-Accel-Buffering keeps proxies from holding events back (transports page of 2026-07-28).
        ours = [("Content-Type", "text/event-stream"), ("Cache-Control", "no-cache"), ("X-Accel-Buffering", "no")]
        self._writer.write(_head(200, [*ours, *headers, ("Transfer-Encoding", "chunked")]))
        self.streaming = True
        await self._writer.drain()

    async def event(self, data: str) -> None:
        """One event of type message, in a chunk of its own."""
        lines = "".join(f"data: {line}\n" for line in _LINE_END.split(data))
        await self.chunk(f"event: message\n{lines}\n".encode())

    async def chunk(self, data: bytes) -> None:
        """A piece of the stream, sent at once."""
        self._writer.write(b"%x\r\n%b\r\n" % (len(data), data))
        await self._writer.drain()

    async def end_stream(self) -> None:
        """The last chunk: the stream is over and the connection can be used again."""
        self._writer.write(b"0\r\n\r\n")
        self.streaming = False
        await self._writer.drain()

    def drop(self) -> None:
        """Hang up, whatever the answer was at."""
        self.closed = True
        self._writer.close()

    async def raw(self, data: bytes) -> None:
        """Bytes as they are: whoever sends them answers for their framing."""
        self._writer.write(data)
        await self._writer.drain()

    def reset(self) -> None:
        """End the connection with a reset instead of an end."""
        self.closed = True
        connection = self._writer.get_extra_info("socket")
        if connection is not None:
            # Lingering for no time at all is how a socket is told to reset.
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._writer.transport.abort()

    async def cut(self, headers: Headers, data: bytes) -> None:
        """Begin a chunked answer, send `data` and hang up without the last chunk."""
        self._writer.write(_head(200, [*headers, ("Transfer-Encoding", "chunked")]))
        await self.chunk(data)
        self.drop()


def _head(status: int, headers: Headers) -> bytes:
    """Status line and headers. Values hold latin-1 only: all of them are ours."""
    lines = [f"HTTP/1.1 {status} {_REASONS.get(status, '')}", *(f"{name}: {value}" for name, value in headers)]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")
