"""Server-sent events: WHATWG's rules, any cut of the stream, and every byte kept."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from olv_tui.model import Frame
from olv_tui.transport.sse import SseDecoder
from tests.search import examples


def decode(*chunks: bytes) -> list[Frame]:
    decoder = SseDecoder()
    frames = [frame for chunk in chunks for frame in decoder.feed(chunk, 0.0)]
    return frames + decoder.end(0.0)


def events(*chunks: bytes) -> list[tuple[str | None, str | None, str | None]]:
    """What counts: (event, id, data) of the finished blocks that have a data field."""
    return [
        (frame.event, frame.id, frame.data) for frame in decode(*chunks) if frame.complete and frame.data is not None
    ]


def by_the_book(stream: bytes) -> list[tuple[str | None, str | None, str | None]]:
    """The algorithm of WHATWG HTML 9.2.6 on the whole stream at once, written from the text."""
    text = stream.decode("utf-8", "replace").removeprefix("\ufeff")
    lines = re.split("\r\n|\r|\n", text)[:-1]
    found: list[tuple[str | None, str | None, str | None]] = []
    event: str | None = None
    identity: str | None = None
    data: list[str] = []
    for line in lines:
        if line == "":
            if data:
                found.append((event, identity, "\n".join(data)))
            event, identity, data = None, None, []
            continue
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "event":
            event = value
        elif name == "data":
            data.append(value)
        elif name == "id" and "\0" not in value:
            identity = value
    return found


PIECES = st.sampled_from(
    [
        *(b"data", b"event", b"id", b"retry", b":", b" ", b"\n", b"\r", b"\r\n", b"\n\n", b"\r\n\r\n", b"\r\r"),
        *(b"\xef\xbb\xbf", b"\xef\xbb", b"\0", b"7", b"-5", b"x", b"\xc3\xa9", b"\xff", b"data: {}", b"message", b""),
    ]
)

STREAMS = st.one_of(st.lists(PIECES, max_size=30).map(b"".join), st.binary(max_size=60))


@st.composite
def cut_streams(draw: st.DrawFn) -> list[bytes]:
    stream = draw(STREAMS)
    places = sorted(draw(st.lists(st.integers(0, len(stream)), max_size=12)))
    return [stream[start:stop] for start, stop in itertools.pairwise([0, *places, len(stream)])]


@settings(max_examples=examples(500))
@given(cut_streams())
def test_any_cut_of_any_bytes_gives_the_same_frames_and_keeps_every_byte(chunks: list[bytes]) -> None:
    stream = b"".join(chunks)
    frames = decode(*chunks)
    assert frames == decode(stream)
    assert frames == decode(*(stream[at : at + 1] for at in range(len(stream))))
    assert b"".join(frame.raw for frame in frames) == stream


@settings(max_examples=examples(500))
@given(STREAMS)
def test_the_dispatched_events_are_those_of_the_standard(stream: bytes) -> None:
    assert events(stream) == by_the_book(stream)


@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n"])
def test_each_kind_of_line_end_ends_lines_and_blocks(end: bytes) -> None:
    stream = end.join([b"event: message", b"data: 1", b"", b"data: 2", b"", b""])
    assert events(stream) == [("message", None, "1"), (None, None, "2")]
    assert [frame.raw for frame in decode(stream)] == [
        end.join([b"event: message", b"data: 1", b"", b""]),
        end.join([b"data: 2", b"", b""]),
    ]


def test_cr_in_one_chunk_and_lf_in_the_next_is_one_line_end() -> None:
    chunks = [b"event: message\r", b"\ndata: {\r", b"\ndata: }\r", b"\n\r", b"\n"]
    assert events(*chunks) == [("message", None, "{\n}")]
    assert [frame.raw for frame in decode(*chunks)] == [b"".join(chunks)]


def test_an_event_with_lone_cr_line_ends_is_there_without_waiting_for_another_byte() -> None:
    (frame,) = SseDecoder().feed(b"data: answer\r\r", 0.0)
    assert frame.data == "answer"


def test_a_crlf_event_waits_for_its_last_lf_so_that_its_bytes_stay_together() -> None:
    decoder = SseDecoder()
    assert decoder.feed(b"data: answer\r\n\r", 0.0) == []
    (frame,) = decoder.feed(b"\n", 7.0)
    assert (frame.raw, frame.at_ms) == (b"data: answer\r\n\r\n", 7.0)


def test_a_stream_that_ends_between_cr_and_lf_still_has_its_event() -> None:
    (frame,) = decode(b"data: answer\r\n\r")
    assert (frame.data, frame.complete) == ("answer", True)


def test_frames_carry_the_time_of_the_chunk_that_completed_them() -> None:
    decoder = SseDecoder()
    first = decoder.feed(b"data: 1\n\ndata: 2\n", 1.0)
    second = decoder.feed(b"\n", 2.5)
    assert [frame.at_ms for frame in first + second] == [1.0, 2.5]


def test_one_byte_order_mark_is_dropped_and_stays_in_the_raw_bytes() -> None:
    frames = decode(b"\xef", b"\xbb", b"\xbfdata: 1\n\n", b"\xef\xbb\xbfdata: 2\n\n")
    assert [frame.data for frame in frames] == ["1", None]
    assert frames[0].raw == b"\xef\xbb\xbfdata: 1\n\n"


def test_exactly_one_blank_after_the_colon_is_dropped() -> None:
    assert events(b"data:1\n\ndata: 2\n\ndata:  3\n\ndata:\t4\n\n") == [
        (None, None, "1"),
        (None, None, "2"),
        (None, None, " 3"),
        (None, None, "\t4"),
    ]


def test_a_field_without_a_colon_is_a_field_with_an_empty_value() -> None:
    assert events(b"data\n\ndata\ndata\n\n") == [(None, None, ""), (None, None, "\n")]


def test_comments_and_blank_lines_are_frames_without_data() -> None:
    frames = decode(b": ping\n\n\n:\r\n\r\ndata: x\n\n")
    assert [(frame.raw, frame.data) for frame in frames] == [
        (b": ping\n\n", None),
        (b"\n", None),
        (b":\r\n\r\n", None),
        (b"data: x\n\n", "x"),
    ]


def test_a_priming_event_has_an_id_and_empty_data() -> None:
    (frame,) = decode(b"id: 17\nretry: 500\ndata:\n\n")
    assert (frame.id, frame.retry, frame.data) == ("17", 500, "")


@pytest.mark.parametrize("value", [b"-5", b"5s", b"", b"+5", b"\xd9\xa3", b"1.5", b"9" * 5000])
def test_a_retry_that_is_not_a_sensible_row_of_digits_is_ignored(value: bytes) -> None:
    (frame,) = decode(b"retry: " + value + b"\ndata: x\n\n")
    assert frame.retry is None


def test_an_id_with_nul_is_ignored() -> None:
    (frame,) = decode(b"id: 1\nid: 2\x003\ndata: x\n\n")
    assert frame.id == "1"


def test_field_names_are_case_sensitive_and_unknown_ones_are_ignored() -> None:
    assert events(b"Data: no\nDATA: no\n data: no\nfoo: no\ndata: yes\n\n") == [(None, None, "yes")]


def test_bytes_that_are_no_utf8_become_marks_and_stay_in_the_raw_bytes() -> None:
    (frame,) = decode(b"data: \xff\xfe!\n\n")
    assert (frame.data, frame.raw) == ("��!", b"data: \xff\xfe!\n\n")


@pytest.mark.parametrize("rest", [b"data: {}\n", b"data: {}", b"event: message\ndata: {}"])
def test_an_unfinished_event_at_the_end_comes_back_as_incomplete(rest: bytes) -> None:
    *before, last = decode(b"data: 1\n\n" + rest)
    assert [frame.data for frame in before] == ["1"]
    assert (last.raw, last.data, last.complete) == (rest, "{}", False)


def test_a_rest_of_comments_loses_nothing_and_is_complete() -> None:
    assert decode(b": bye\n") == [Frame(raw=b": bye\n")]


def test_json_that_is_labelled_an_event_stream_is_one_incomplete_frame_without_data() -> None:
    (frame,) = decode(b'{"jsonrpc":"2.0","id":1,"result":{}}\n')
    assert (frame.data, frame.complete) == (None, False)


def test_an_empty_stream_has_no_frames() -> None:
    assert decode() == []
    assert decode(b"", b"") == []


def test_a_large_event_in_small_chunks_is_put_together_exactly() -> None:
    data = b"x" * 2_000_000
    stream = b"data: " + data + b"\n\n"
    frames = decode(*(stream[at : at + 4096] for at in range(0, len(stream), 4096)))
    assert [replace(frame, raw=b"") for frame in frames] == [Frame(raw=b"", data=data.decode())]
