"""Exports run by real programs: what they send is what the exchange sent, body byte for byte, header for header."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
from collections.abc import Iterator

import pytest

from olv_tui.model import Exchange, Header
from olv_tui.reports.values import Written
from olv_tui.reports.write import as_curl, as_httpie, as_python
from olv_tui.transport.coding import ACCEPTED
from olv_tui.transport.http import HttpTransport
from tests.reports.listener import Got, Listener, listening
from tests.reports.made import BODY, SENT, exchange

BODIES = {
    "an ordinary call": BODY,
    "a single quote": b'{"a":"it\'s"}',
    "everything a shell looks at": rb"""{"b":"say \"hi\" $HOME `id` $(id) !! \\ \\n"""
    rb""" ~ * ? # & | ; < > ( ) { } [ ] ^ %PATH% %s %%"}""",
    "line breaks": b'{"a":\n1}\n\n',
    "carriage returns and tabs": b'{"a":\r\n\t1}\r\n',
    "a NUL": b'{"a":"\0"}',
    "control characters": b"\x1b[2J\x07\x7f\x08",
    "bad UTF-8": b'{"a":"\xff\xfe\x80"}',
    "words in many scripts": '{"d":"é世🙂 ‘quotes’ “too”"}'.encode(),
    "hidden characters": '{"d":"\u202eabc\u200b\ufeff"}'.encode(),
    "an at sign first": b"@/etc/passwd",
    "a hyphen first": b"-X DELETE",
    "a hyphen first and a control character": b"-n\x07",
    "percent signs and backslashes with a NUL": b"%s %d \\101 \\x41 \\ % '\0'",
    "nothing": b"",
    "more than one argument can hold": b'{"a":"' + b"x" * 200_000 + b"'\"}",
    "more than a megabyte": b'{"a":"' + b"y" * 1_100_000 + b'"}',
    "every byte": bytes(range(256)),
}
HEADERS: dict[str, tuple[Header, ...]] = {
    "those of a call": SENT,
    "none at all": (),
    "twice the same name": (*SENT, ("X-Two", "one"), ("X-Two", "two")),
    "an empty value": (*SENT, ("X-Empty", "")),
    "quotes and dollars": (*SENT, ("X-Odd", "a'b\"c $HOME `id` \\ ;,:=@")),
    "words in many scripts": (*SENT, ("X-Word", "é世🙂")),
    "what HTTPie takes for separators": (*SENT, ("X-A", "=1"), ("X-B", "@file"), ("X-C", ":=2"), ("X-D", ";")),
    "a mask": (*SENT, ("Authorization", "Bearer ‹hidden 3f9a1c›")),
    "an own coding": (*SENT, ("Accept-Encoding", "identity")),
}


@pytest.fixture(scope="module")
def server() -> Iterator[Listener]:
    with listening() as running:
        yield running


def sent(server: Listener, written: Written, *program: str) -> Got:
    """What a program sends when it is given an export on standard input."""
    before = len(server.got)
    done = subprocess.run([*program], input=written.text.encode(), capture_output=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr.decode()
    assert len(server.got) == before + 1, done.stderr.decode()
    return server.got[-1]


def faults(given: Exchange, got: Got) -> list[str]:
    """What was sent otherwise than the exchange did; Host, Content-Length and Connection are the client's own."""
    request = given.request
    wanted = list(request.headers)
    if not any(name.lower() == "accept-encoding" for name, _ in wanted):
        wanted.append(("Accept-Encoding", ACCEPTED))
    own = {"host", "content-length", "connection"}
    came = sorted((name.lower(), value) for name, value in got.headers if name.lower() not in own)
    due = sorted((name.lower(), value) for name, value in wanted)
    told = [] if got.body == request.body else [f"body {got.body[:200]!r}"]
    told += [] if got.method == request.method else [got.method]
    return told + ([] if came == due else [f"headers {came}", f"wanted  {due}"])


needs_curl = pytest.mark.skipif(not (shutil.which("curl") and shutil.which("bash")), reason="needs bash and curl")
needs_http = pytest.mark.skipif(not (shutil.which("http") and shutil.which("bash")), reason="needs HTTPie")


@needs_curl
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_curl_sends_the_same_body_from_bash(body: bytes, server: Listener) -> None:
    given = exchange(body, url=server.url)
    assert faults(given, sent(server, as_curl(given), "bash")) == []


@needs_curl
@pytest.mark.parametrize("headers", HEADERS.values(), ids=HEADERS)
def test_curl_sends_the_same_headers_from_bash(headers: tuple[Header, ...], server: Listener) -> None:
    given = exchange(headers=headers, url=server.url)
    assert faults(given, sent(server, as_curl(given), "bash")) == []


@needs_curl
@pytest.mark.parametrize("name", ["every byte", "everything a shell looks at", "line breaks", "bad UTF-8"])
def test_curl_sends_the_same_body_from_a_plain_posix_shell(name: str, server: Listener) -> None:
    given = exchange(BODIES[name], url=server.url)
    assert faults(given, sent(server, as_curl(given), "sh")) == []


@needs_curl
@pytest.mark.parametrize(
    ("end", "target"),
    [
        *((end, end) for end in ["?a=[1]&b={x,y}", "/a/../b", "?q=it's&x=$HOME", "?x=%20%27", "?a|b^c`d<e>", "/.?"]),
        ("/é?世#frag", "/%C3%A9?%E4%B8%96"),
    ],
)
async def test_curl_and_python_ask_for_the_address_that_we_do(end: str, target: str, server: Listener) -> None:
    given = exchange(url=server.url + end)
    assert (await asyncio.to_thread(sent, server, as_curl(given), "bash")).target == "/mcp" + target
    assert (await asyncio.to_thread(sent, server, as_python(given), sys.executable, "-")).target == "/mcp" + target
    transport = HttpTransport()
    await transport.exchange(given.request, timeout=10)
    await transport.aclose()
    assert server.got[-1].target == "/mcp" + target


@needs_curl
def test_curl_uses_the_same_method(server: Listener) -> None:
    given = exchange(url=server.url, method="PUT")
    assert faults(given, sent(server, as_curl(given), "bash")) == []


@pytest.mark.parametrize(
    "body", [body for body in BODIES.values() if body], ids=[name for name, body in BODIES.items() if body]
)
def test_python_sends_the_same_body(body: bytes, server: Listener) -> None:
    given = exchange(body, url=server.url)
    assert faults(given, sent(server, as_python(given), sys.executable, "-")) == []


@pytest.mark.parametrize("headers", HEADERS.values(), ids=HEADERS)
def test_python_sends_the_same_headers(headers: tuple[Header, ...], server: Listener) -> None:
    given = exchange(headers=headers, url=server.url)
    assert faults(given, sent(server, as_python(given), sys.executable, "-")) == []


@needs_http
@pytest.mark.parametrize("body", [BODIES["everything a shell looks at"], BODIES["every byte"]], ids=["text", "bytes"])
def test_httpie_sends_the_same_body(body: bytes, server: Listener) -> None:
    given = exchange(body, url=server.url)
    assert faults(given, sent(server, as_httpie(given), "bash")) == []


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_nothing_that_a_terminal_obeys_or_hides_stands_in_a_command(body: bytes) -> None:
    for written in (as_curl(exchange(body)), as_curl(exchange(body), "powershell"), as_httpie(exchange(body))):
        hidden = [char for char in written.text if not char.isprintable() and char not in "\n "]
        assert hidden == []
