"""A server that is only a socket: a test says, byte by byte, what goes out and sees what comes in."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import ipaddress
import socket
import ssl
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Self

from olv_tui.model import Header, Reply, WireRequest
from olv_tui.transport.base import OnFrame
from olv_tui.transport.http import HttpTransport
from olv_tui.transport.keeping import Keeping

LIMIT = 5.0
"""Seconds after which a test that waits for something fails: far beyond what anything here takes."""


class Peer:
    """One accepted connection, seen from the server."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def request(self) -> bytes:
        """The next request with its body, as it came. Raises IncompleteReadError where none comes."""
        head = await self.reader.readuntil(b"\r\n\r\n")
        length = 0
        for line in head.split(b"\r\n"):
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        return head + await self.reader.readexactly(length)

    async def send(self, data: bytes) -> None:
        """Send exactly this."""
        self.writer.write(data)
        await self.writer.drain()

    async def answer(self, body: bytes = b"{}", *headers: bytes, status: bytes = b"200 OK") -> None:
        """Send a well-formed answer of known length."""
        lines = [b"HTTP/1.1 " + status, *headers, b"Content-Length: %d" % len(body), b"", body]
        await self.send(b"\r\n".join(lines))

    async def chunk(self, data: bytes) -> None:
        """Send one chunk of a chunked body."""
        await self.send(b"%x\r\n%b\r\n" % (len(data), data))

    async def stream_head(self, *headers: bytes) -> None:
        """The head of a chunked event stream."""
        lines = [b"HTTP/1.1 200 OK", b"Content-Type: text/event-stream", b"Transfer-Encoding: chunked"]
        await self.send(b"\r\n".join([*lines, *headers, b"", b""]))

    async def left(self) -> None:
        """Wait until the client has closed the connection; what it sends until then is dropped."""
        with contextlib.suppress(ConnectionError):
            async with asyncio.timeout(LIMIT):
                while await self.reader.read(65536):
                    pass

    def close(self) -> None:
        """End the connection in an orderly way."""
        self.writer.close()

    def reset(self) -> None:
        """End the connection with RST."""
        sock: socket.socket = self.writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()


Script = Callable[[Peer], Awaitable[None]]


class Wire:
    """A loopback server that runs `script` on every connection.

    `async with Wire(script) as wire:` listens on `wire.url`; leaving it ends every connection, and an
    exception in a script fails the test.
    """

    def __init__(self, script: Script, *, tls: ssl.SSLContext | None = None) -> None:
        self.connections = 0
        self._script = script
        self._tls = tls
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._faults: list[BaseException] = []

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, ssl=self._tls)
        self.port: int = self._server.sockets[0].getsockname()[1]
        self.url = f"{'https' if self._tls else 'http'}://127.0.0.1:{self.port}/mcp"
        return self

    async def __aexit__(self, *exc: object) -> None:
        assert self._server is not None
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._faults and exc[0] is None:
            raise self._faults[0]

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        task = asyncio.create_task(self._serve(Peer(reader, writer)))
        self._tasks.add(task)

    async def _serve(self, peer: Peer) -> None:
        try:
            await self._script(peer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass  # The client went away between two requests.
        except Exception as fault:
            self._faults.append(fault)
        finally:
            peer.writer.close()


def always(data: bytes, *, close: bool = False) -> Script:
    """A script that answers every request with the same bytes."""

    async def script(peer: Peer) -> None:
        while True:
            await peer.request()
            await peer.send(data)
            if close:
                return

    return script


@contextlib.asynccontextmanager
async def transport(
    *,
    insecure: bool = False,
    handshake: float = 10.0,
    keeping: Keeping = Keeping(),  # noqa: B008  a value
) -> AsyncIterator[HttpTransport]:
    """A transport that is closed at the end."""
    made = HttpTransport(insecure=insecure, handshake=handshake, keeping=keeping)
    try:
        yield made
    finally:
        await made.aclose()


async def post(
    wire: HttpTransport,
    url: str,
    *headers: Header,
    body: bytes = b'{"jsonrpc":"2.0","id":1,"method":"ping"}',
    timeout: float = LIMIT,
    cancel: asyncio.Event | None = None,
    on_frame: OnFrame | None = None,
) -> Reply:
    """One exchange with what most tests need."""
    return await wire.exchange(WireRequest(url, headers, body), timeout=timeout, cancel=cancel, on_frame=on_frame)


async def once(script: Script, *headers: Header, timeout: float = LIMIT, on_frame: OnFrame | None = None) -> Reply:
    """One exchange with a fresh transport against a fresh server."""
    async with Wire(script) as wire, transport() as client:
        return await post(client, wire.url, *headers, timeout=timeout, on_frame=on_frame)


def unused_port() -> int:
    """A port on which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def server_context(folder: Path) -> ssl.SSLContext:
    """TLS with a certificate for 127.0.0.1 that nobody signed but itself; `folder` gets `cert.pem`.

    Raises ImportError where the cryptography package is missing.
    """
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    (folder / "cert.pem").write_bytes(certificate.public_bytes(pem))
    (folder / "key.pem").write_bytes(
        key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    return context
