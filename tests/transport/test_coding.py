"""Content codings, undone from any cut of the bytes."""

from __future__ import annotations

import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from olv_tui.transport.coding import ACCEPTED, CodingError, Decoder, codings
from tests.transport.coded import gzipped

TEXT = b'{"jsonrpc":"2.0","id":1,"result":{}}' * 20


def raw_deflate(data: bytes) -> bytes:
    squeeze = zlib.compressobj(wbits=-15)
    return squeeze.compress(data) + squeeze.flush()


def undo(names: tuple[str, ...], data: bytes, size: int = 7, limit: int = 1_000_000) -> bytes:
    decoder = Decoder(names, limit)
    out = b"".join(piece for at in range(0, len(data), size) for piece in decoder.feed(data[at : at + size]))
    decoder.finish()
    return out


@pytest.mark.parametrize(
    ("names", "data"),
    [
        (("gzip",), gzipped(TEXT)),
        (("x-gzip",), gzipped(TEXT)),
        (("deflate",), zlib.compress(TEXT)),
        (("deflate",), raw_deflate(TEXT)),
        (("deflate", "gzip"), gzipped(zlib.compress(TEXT))),
        (("gzip", "gzip"), gzipped(gzipped(TEXT))),
    ],
)
@pytest.mark.parametrize("size", [1, 7, 100_000])
def test_every_offered_coding_and_any_stack_of_them_is_undone(names: tuple[str, ...], data: bytes, size: int) -> None:
    assert undo(names, data, size) == TEXT


@given(st.binary(max_size=200), st.integers(1, 50), st.integers(0, 9))
def test_raw_and_wrapped_deflate_are_told_apart_for_any_content(content: bytes, size: int, level: int) -> None:
    squeeze = zlib.compressobj(level, wbits=-15)
    raw = squeeze.compress(content) + squeeze.flush()
    assert undo(("deflate",), raw, size) == content
    assert undo(("deflate",), zlib.compress(content, level), size) == content


def test_gzip_members_that_follow_each_other_are_one_body() -> None:
    assert undo(("gzip",), gzipped(b"one ") + gzipped(b"two")) == b"one two"


def test_what_is_flushed_comes_out_before_the_coding_is_over() -> None:
    squeeze = zlib.compressobj(wbits=31)
    first = squeeze.compress(b"data: 1\n\n") + squeeze.flush(zlib.Z_SYNC_FLUSH)
    assert list(Decoder(("gzip",), 1000).feed(first)) == [b"data: 1\n\n"]


def test_plain_bytes_that_are_labelled_gzip_are_named() -> None:
    with pytest.raises(CodingError, match="labelled gzip but does not decode as gzip"):
        undo(("gzip",), TEXT)


def test_a_coding_that_was_cut_is_named() -> None:
    with pytest.raises(CodingError, match="gzip body ends too soon"):
        undo(("gzip",), gzipped(TEXT)[:-4])


def test_a_single_byte_of_deflate_is_too_short() -> None:
    with pytest.raises(CodingError, match="deflate body ends too soon"):
        undo(("deflate",), b"\x78")


def test_an_empty_body_needs_no_coding() -> None:
    assert undo(("gzip",), b"") == b""


def test_zero_padding_after_the_coding_is_let_pass_and_anything_else_is_not() -> None:
    assert undo(("gzip",), gzipped(TEXT) + b"\0\0\0") == TEXT
    with pytest.raises(CodingError, match="4 bytes after the end"):
        undo(("deflate",), zlib.compress(TEXT) + b"tail", size=100_000)


def test_a_body_that_grows_without_measure_is_given_up() -> None:
    with pytest.raises(CodingError, match="grows beyond 1,000,000 bytes"):
        undo(("gzip",), gzipped(b"\0" * 2_000_000), size=512)


def test_a_body_of_exactly_the_limit_is_kept() -> None:
    assert len(undo(("gzip",), gzipped(b"\0" * 1000), limit=1000)) == 1000


def test_a_small_bomb_inside_a_second_coding_is_given_up_as_well() -> None:
    bomb = gzipped(gzipped(b"\0" * 2_000_000))
    with pytest.raises(CodingError, match="grows beyond"):
        undo(("gzip", "gzip"), bomb)


@pytest.mark.parametrize("name", ["br", "zstd", "compress", "aes128gcm"])
def test_a_coding_that_is_not_known_is_named_at_once(name: str) -> None:
    assert f'"{name}"' in (Decoder((name,), 1000).problem or "")


def test_only_what_can_be_undone_is_asked_for() -> None:
    assert all(Decoder((name.strip(),), 1000).problem is None for name in ACCEPTED.split(","))


def test_codings_are_read_from_every_header_in_order_and_identity_is_none() -> None:
    headers = (("content-encoding", "identity, Deflate"), ("X", "gzip"), ("CONTENT-ENCODING", " GZIP ,"))
    assert codings(headers) == ("deflate", "gzip")
    assert codings((("Content-Encoding", "identity"),)) == ()
