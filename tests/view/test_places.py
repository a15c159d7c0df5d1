"""Where findings stand in the bytes that came: exact in bodies and in events, nearest where nothing is there."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from olv_tui.model import Exchange, Frame, Severity, Verdict, Violation
from olv_tui.transport.sse import SseDecoder
from olv_tui.view.places import byte_range
from olv_tui.view.text_lines import LONG, TextLines
from olv_tui.view.wire import HexLines, findings_lines
from tests.view.exchanges import exchange, pending


def at(pointer: str | None = None, offset: int | None = None, frame: int | None = None) -> Violation:
    return Violation("R07", Severity.ERROR, "x", pointer, offset, frame)


def with_body(body: bytes) -> Exchange:
    return exchange(Verdict.RESULT, body, has_message=False)


def found(body: bytes, violation: Violation) -> bytes | None:
    place = byte_range(with_body(body), violation)
    return None if place is None else body[slice(*place)]


BODY = '{"jsonrpc":"2.0","é":"日本","id": "7" ,"result":{"content":[{"type":"text"},{}],"a/b":null}}'.encode()


@pytest.mark.parametrize(
    ("pointer", "text"),
    [
        ("/id", b'"7"'),
        ("/é", '"日本"'.encode()),
        ("/result/content/1", b"{}"),
        ("/result/content/0/type", b'"text"'),
        ("/result/a~1b", b"null"),
        ("/result/content/0/text", b'{"type":"text"}'),
        ("/error/code", BODY),
        ("", BODY),
    ],
)
def test_a_pointer_leads_to_its_value_or_to_what_would_hold_it(pointer: str, text: bytes) -> None:
    assert found(BODY, at(pointer)) == text


def test_a_byte_order_mark_is_counted() -> None:
    assert found(b"\xef\xbb\xbf" + BODY, at("/id")) == b'"7"'


def test_of_two_members_of_one_name_the_last_is_meant() -> None:
    assert found(b'{"id":1,"id":22}', at("/id")) == b"22"


@pytest.mark.parametrize(
    ("offset", "text"),
    [(12, b"NaN"), (5, b'"a\\"b"'), (4, b":"), (10**9, b"}"), (-5, b"{")],
)
def test_an_offset_leads_to_the_token_that_begins_there(offset: int, text: bytes) -> None:
    assert found(b'{"x":"a\\"b",NaN}', at(offset=offset)) == text


def test_an_offset_inside_a_character_leads_to_the_character() -> None:
    body = "«é»".encode()
    assert found(body, at(offset=3)) == "é".encode()


def test_findings_about_a_head_have_no_place() -> None:
    assert byte_range(with_body(b"{}"), at()) is None
    assert byte_range(with_body(b""), at("/id")) is None
    assert byte_range(pending(), at("/id")) is None


def test_a_body_that_is_no_json_is_meant_as_a_whole() -> None:
    assert found(b"<html>", at("/id")) == b"<html>"


# --------------------------------------------------------------------------- events


def stream(raw: bytes, answer: int | None = None) -> Exchange:
    decoder = SseDecoder()
    frames = (*decoder.feed(raw, 1.0), *decoder.end(2.0))
    one = exchange(Verdict.RESULT, raw, frames=frames, has_message=False)
    assert one.judgement is not None
    return replace(one, judgement=replace(one.judgement, frame=answer))


def in_stream(raw: bytes, violation: Violation, answer: int | None = None) -> bytes | None:
    place = byte_range(stream(raw, answer), violation)
    return None if place is None else raw[slice(*place)]


TWO = b': hello\n\ndata: {"id":1}\n\nevent: message\r\ndata: {"id":\r\ndata:"2",\r\ndata: "x":NaN}\r\n\r\n'


def test_a_place_in_an_event_is_a_place_in_the_body() -> None:
    assert in_stream(TWO, at("/id", frame=1)) == b"1"
    assert in_stream(TWO, at("/id", frame=2)) == b'"2"'
    assert in_stream(TWO, at("/id"), answer=2) == b'"2"', "the finding is about the answer"


def test_an_offset_counts_in_the_data_of_the_event() -> None:
    data = '{"id":\n"2",\n"x":NaN}'
    assert in_stream(TWO, at(offset=data.index("NaN"), frame=2)) == b"NaN"


def test_a_value_over_several_data_lines_is_marked_from_its_first_to_its_last_byte() -> None:
    assert in_stream(TWO, at("", frame=2)) == b'{"id":\r\ndata:"2",\r\ndata: "x":NaN}'


def test_a_finding_about_an_event_marks_the_event() -> None:
    assert in_stream(TWO, at(frame=0)) == b": hello"
    assert in_stream(TWO, at(frame=1)) == b'data: {"id":1}'
    assert in_stream(TWO, at("/id", frame=0)) == b": hello", "no data is in it"


def test_equal_events_are_told_apart() -> None:
    raw = b"data: {}\n\n" * 3
    place = byte_range(stream(raw), at("", frame=2))
    assert place == (26, 28)


def test_an_event_that_is_not_there_has_no_place() -> None:
    assert in_stream(TWO, at("", frame=9)) is None
    one = stream(TWO)
    assert one.reply is not None
    assert one.reply.response is not None
    other = replace(one.reply.response, frames=(Frame(b"data: other\n\n", data="other"),))
    assert byte_range(replace(one, reply=replace(one.reply, response=other)), at("", frame=0)) is None


@given(st.binary(max_size=60), st.integers(-5, 80), st.sampled_from([None, "", "/a", "/0", "a", "/~"]), st.booleans())
def test_no_bytes_and_no_place_raise(body: bytes, offset: int, pointer: str | None, by_offset: bool) -> None:
    place = byte_range(with_body(body), at(pointer, offset if by_offset else None))
    assert place is None or 0 <= place[0] <= place[1] <= len(body)
    for number in (None, 0, 1):
        place = byte_range(stream(b"data: " + body), at(pointer, offset if by_offset else None, number))
        assert place is None or 0 <= place[0] <= place[1] <= len(body) + 6


# --------------------------------------------------------------------------- as shown


def shown(data: bytes, start: int, end: int) -> str:
    lines = TextLines(data, "json")
    return "|".join(lines.line(hit.line).text[hit.start : hit.start + hit.length] for hit in lines.places(start, end))


def test_bytes_are_marked_where_they_show() -> None:
    data = 'ab\n\t"é\u202e"x\n\nzz'.encode()
    assert shown(data, data.index(b'"'), data.index(b"x")) == '"é\\u202e"'
    assert shown(data, 1, len(data)) == 'b|    "é\\u202e"x|zz'
    assert shown(data, 0, 0) == ""


def test_a_place_deep_in_one_long_line_is_found_in_its_piece() -> None:
    data = b'{"a":"' + "é".encode() * LONG * 2 + b'","here":NaN}'
    start = data.index(b"NaN")
    assert shown(data, start, start + 3) == "NaN"
    plain = b'{"a":"' + b"x" * LONG * 4 + b'","here":NaN}'
    start = plain.index(b"NaN")
    assert shown(plain, start, start + 3) == "NaN"


@given(st.text(st.sampled_from("a\n\té\r\u202e日 "), max_size=40), st.data())
def test_each_part_of_a_text_shows_as_itself(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    raw = text.encode()
    marked = shown(raw, len(text[:start].encode()), len(text[:end].encode())).replace("|", "")
    expected = "".join(
        {"\t": "    ", "\u202e": "\\u202e", "\r": "\\u000d", "\n": ""}.get(c, c) for c in text[start:end]
    )
    assert marked.replace("\\r", "\\u000d") == expected


def test_a_dump_marks_the_digits_of_the_bytes() -> None:
    lines = HexLines(bytes(range(40)))
    marks = [lines.line(hit.line).text[hit.start : hit.start + hit.length] for hit in lines.places(6, 18)]
    assert marks == ["06 07  08 09 0a 0b 0c 0d 0e 0f", "10 11"]


def test_findings_name_code_place_sentence_and_the_source_of_the_rule() -> None:
    one = exchange(Verdict.RESULT, "{}", violations=(at("/id"), Violation("X99", Severity.INFO, "\x1b", "\x1b")))
    lines = findings_lines(one)
    text = lines.plain()
    assert "✗ R07 error  at /id\n  x\n  rule: " in text
    assert "· X99 note  at \\u001b\n  \\u001b" in text, "a rule that is not known has no source"
    assert [lines.line(head).text[:5] for head in lines.heads] == ["✗ R07", "· X99"]
    assert findings_lines(exchange()).plain() == "No rule is broken."
    assert findings_lines(pending()).plain() == "Nothing to judge yet."
