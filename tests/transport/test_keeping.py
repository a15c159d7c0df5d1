"""Bodies that are larger than is kept in memory: real servers, real files."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from olv_tui.model import Header, Reply, Spill, WireResponse
from olv_tui.redact import Redactor
from olv_tui.transport import keeping as files
from olv_tui.transport.keeping import Keeping, StreamMask
from tests.transport.coded import gzipped
from tests.transport.wire import LIMIT, Peer, Script, Wire, post, transport

CAP = 100_000
SECRET = "tok-84c1f2 a/b+z"
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"


@pytest.fixture
def keeping(tmp_path: Path) -> Keeping:
    return Keeping(CAP, tmp_path / "bodies", Redactor(b"k" * 32, (SECRET,)), reserve=0)


def sized(body: bytes, *headers: bytes) -> Script:
    """A server that answers with this body."""

    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.answer(body, b"Content-Type: application/json", *headers)

    return script


def rows(count: int) -> bytes:
    """A JSON body that does not shrink to nothing when it is squeezed."""
    return json.dumps([{"n": n, "key": f"{n * 2654435761 % 2**32:08x}"} for n in range(count)]).encode()


async def fetched(script: Script, keeping: Keeping, *headers: Header) -> Reply:
    async with Wire(script) as wire, transport(keeping=keeping) as client:
        return await post(client, wire.url, *headers)


def spilled(reply: Reply) -> tuple[WireResponse, Spill]:
    assert reply.response is not None
    assert reply.response.spill is not None
    return reply.response, reply.response.spill


# --------------------------------------------------------------------------- the file


async def test_a_body_beyond_the_cap_is_whole_in_a_file_of_ours_and_its_first_part_stays(keeping: Keeping) -> None:
    body = rows(12_000)
    assert len(body) > 3 * CAP
    reply = await fetched(sized(body), keeping)
    response, spill = spilled(reply)
    assert reply.error is None
    assert response.body == body[:CAP]
    assert (spill.size, spill.cap, spill.problem) == (len(body), CAP, "")
    path = Path(spill.path)
    assert path.read_bytes() == body
    assert path.parent == keeping.folder
    assert path.suffix == ".json"
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


async def test_a_body_of_exactly_the_cap_needs_no_file(keeping: Keeping) -> None:
    reply = await fetched(sized(b"x" * CAP), keeping)
    assert reply.response is not None
    assert (reply.response.body, reply.response.spill) == (b"x" * CAP, None)
    assert keeping.folder is not None
    assert not keeping.folder.exists()


async def test_without_a_cap_everything_stays_in_memory() -> None:
    reply = await fetched(sized(b"x" * 3 * CAP), Keeping(0))
    assert reply.response is not None
    assert (len(reply.response.body), reply.response.spill) == (3 * CAP, None)


async def test_a_coded_body_goes_into_the_file_with_its_coding_undone(keeping: Keeping) -> None:
    body = rows(9000)
    reply = await fetched(sized(gzipped(body), b"Content-Encoding: gzip"), keeping)
    response, spill = spilled(reply)
    assert (reply.error, response.coding) == (None, "gzip")
    assert Path(spill.path).read_bytes() == body
    assert response.wire is not None
    assert gzipped(body).startswith(response.wire)


async def test_a_coding_that_cannot_be_undone_goes_into_the_file_as_it_came(keeping: Keeping) -> None:
    body = os.urandom(3 * CAP)
    for coding in (b"br", b"gzip"):
        reply = await fetched(sized(body, b"Content-Encoding: " + coding), keeping)
        assert reply.error is not None
        assert reply.error.kind == "coding"
        assert Path(spilled(reply)[1].path).read_bytes() == body


async def test_two_files_of_the_same_second_do_not_meet(keeping: Keeping) -> None:
    body = b"y" * 2 * CAP
    async with Wire(always_sized(body)) as wire, transport(keeping=keeping) as client:
        replies = await asyncio.gather(*(post(client, wire.url) for _ in range(4)))
    assert len({spilled(reply)[1].path for reply in replies}) == 4
    assert all(Path(spilled(reply)[1].path).read_bytes() == body for reply in replies)


def always_sized(body: bytes) -> Script:
    async def script(peer: Peer) -> None:
        while True:
            await peer.request()
            await peer.answer(body)

    return script


# --------------------------------------------------------------------------- secrets


async def test_known_secrets_are_masked_in_the_file_also_where_pieces_meet(keeping: Keeping) -> None:
    token = "Zx9-session-secret"
    plain = b"a" * (CAP - 7) + b'{"echo":"%s %s"}' % (SECRET.encode(), token.encode())
    plain += b"b" * CAP + SECRET.replace("/", "\\/").encode() + b"c" * 10

    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.send(HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
        for at in range(0, len(plain), 4999):
            await peer.chunk(plain[at : at + 4999])
        await peer.send(b"0\r\n\r\n")

    reply = await fetched(script, keeping, ("Authorization", f"Bearer {token}"))
    response, spill = spilled(reply)
    kept = Path(spill.path).read_bytes()
    masks = Redactor(b"k" * 32)
    for value in (SECRET, token):
        assert value.encode() not in kept
        assert masks.mask(value).encode() in kept
    expected = plain.replace(SECRET.encode(), masks.mask(SECRET).encode())
    expected = expected.replace(SECRET.replace("/", "\\/").encode(), masks.mask(SECRET).encode())
    assert kept == expected.replace(token.encode(), masks.mask(token).encode())
    # What stays in memory does not end in the middle of a secret either: half of one is masked by nobody.
    assert plain.startswith(response.body)
    assert CAP - 100 < len(response.body) <= CAP


async def test_the_first_part_ends_before_a_secret_that_lies_across_the_cap(keeping: Keeping) -> None:
    plain = b"a" * (CAP - 5) + SECRET.encode() + b"b" * CAP
    response, spill = spilled(await fetched(sized(plain), keeping))
    assert response.body == b"a" * (CAP - 5)
    assert SECRET[:5].encode() not in Path(spill.path).read_bytes()


@given(
    st.lists(st.sampled_from([b"tok-84c1f2 a/b+z", b"tok-84c1f2%20a%2Fb%2bz", b"tok-84c1f2", b"plain text ", b"\\/"])),
    st.integers(1, 40),
)
def test_a_mask_in_pieces_is_the_mask_of_the_whole(parts: list[bytes], size: int) -> None:
    redactor, text = Redactor(b"k" * 32, (SECRET,)), b"".join(parts)
    stream = StreamMask(redactor)
    pieces = [stream.feed(text[at : at + size]) for at in range(0, len(text), size)]
    assert b"".join([*pieces, stream.end()]) == redactor.data(text)


# --------------------------------------------------------------------------- what cannot be kept


@pytest.mark.parametrize("squeeze", [gzipped, lambda body: gzipped(gzipped(body))])
async def test_a_bomb_is_given_up_before_it_fills_memory_or_disk(
    squeeze: Callable[[bytes], bytes], keeping: Keeping
) -> None:
    bomb = squeeze(b"\0" * 60_000_000)
    coding = b"gzip" if squeeze is gzipped else b"gzip, gzip"
    reply = await fetched(sized(bomb, b"Content-Encoding: " + coding), keeping)
    assert reply.error is not None
    assert reply.error.kind == "size"
    assert "250 times" in reply.error.message
    assert reply.response is not None
    assert reply.response.body == b"\0" * CAP
    assert keeping.folder is not None
    assert "grows without measure" in spilled(reply)[1].problem
    assert sum(path.stat().st_size for path in keeping.folder.glob("*")) < 250 * 20_000


async def test_members_of_gzip_that_hold_nothing_do_not_fill_the_memory(keeping: Keeping) -> None:
    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.send(HEAD + b"Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n")
        while True:  # for ever, unless the client goes away
            await peer.chunk(gzipped(b"") * 500)

    reply = await fetched(script, keeping)
    assert reply.error is not None
    assert (reply.error.kind, "of which 0 came" in reply.error.message) == ("size", True)


@pytest.mark.parametrize(
    ("most", "reserve", "why"), [(2 * CAP, 0, "may have 200,000 bytes"), (10 * CAP, 1 << 62, "nearly full")]
)
async def test_a_file_has_its_bound_as_well(tmp_path: Path, most: int, reserve: int, why: str) -> None:
    keeping = Keeping(CAP, tmp_path, most=most, reserve=reserve)
    reply = await fetched(sized(b"z" * 30 * CAP), keeping)
    response, spill = spilled(reply)
    assert reply.error is not None
    assert (reply.error.kind, why in reply.error.message, why in spill.problem) == ("size", True, True)
    assert response.body == b"z" * CAP
    assert Path(spill.path).stat().st_size <= most


async def test_a_run_that_keeps_nothing_ends_the_reading_at_the_cap() -> None:
    reply = await fetched(sized(b"z" * 30 * CAP), Keeping(CAP))
    response, spill = spilled(reply)
    assert reply.error is not None
    assert reply.error.kind == "size"
    assert (spill.path, response.body) == ("", b"z" * CAP)
    assert spill.size < 30 * CAP


async def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    reply = await fetched(sized(b"z" * 30 * CAP), Keeping(CAP, tmp_path / "file" / "bodies"))
    response, spill = spilled(reply)
    assert reply.error is not None
    assert "no file for it can be made" in reply.error.message
    assert (spill.path, len(response.body)) == ("", CAP)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="/dev/full is a Linux device")
async def test_a_disk_that_is_full_in_the_middle_ends_the_reading_and_keeps_what_is_there(
    keeping: Keeping, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "_made", lambda *_: (Path("/dev/full"), open("/dev/full", "wb")))  # noqa: SIM115
    reply = await fetched(sized(b"z" * 30 * CAP), keeping)
    response, spill = spilled(reply)
    assert reply.error is not None
    assert reply.error.kind == "size"
    assert os.strerror(errno.ENOSPC) in spill.problem
    assert response.body == b"z" * CAP


async def test_cancelling_in_the_middle_keeps_what_came_and_closes_the_file(keeping: Keeping) -> None:
    cancel, go_on = asyncio.Event(), asyncio.Event()

    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.send(HEAD + b"Content-Length: 99999999\r\n\r\n" + b"z" * 2 * CAP)
        go_on.set()
        await peer.left()

    async with Wire(script) as wire, transport(keeping=keeping) as client:
        call = asyncio.create_task(post(client, wire.url, cancel=cancel))
        await asyncio.wait_for(go_on.wait(), LIMIT)
        while not list((keeping.folder or Path()).glob("*.json")):
            await asyncio.sleep(0)
        cancel.set()
        reply = await asyncio.wait_for(call, LIMIT)
    response, spill = spilled(reply)
    assert (reply.cancelled, reply.error) == (True, None)
    assert len(response.body) == CAP
    assert Path(spill.path).stat().st_size == spill.size > CAP


# --------------------------------------------------------------------------- event streams


async def test_the_answer_of_a_stream_that_is_beyond_the_cap_is_kept(keeping: Keeping) -> None:
    noise = b"data: " + b"n" * 20_000 + b"\n\n"
    answer = b'data: {"the":"answer"}\n\n'

    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.stream_head()
        for _ in range(20):
            await peer.chunk(noise)
        await peer.chunk(answer)
        await peer.left()

    async with Wire(script) as wire, transport(keeping=keeping) as client:
        reply = await post(client, wire.url, on_frame=lambda frame: frame.data == '{"the":"answer"}')
    response, spill = spilled(reply)
    assert reply.error is None
    assert response.frames[-1].raw == answer
    assert len(response.frames) < 10
    assert Path(spill.path).read_bytes() == noise * 20 + answer


async def test_an_event_that_never_ends_does_not_fill_the_memory(keeping: Keeping) -> None:
    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.stream_head()
        await peer.chunk(b"data: " + b"n" * 5 * CAP)
        await peer.send(b"0\r\n\r\n")

    reply = await fetched(script, keeping)
    response, spill = spilled(reply)
    assert reply.error is None
    assert response.frames == ()
    assert Path(spill.path).stat().st_size == 5 * CAP + 6
