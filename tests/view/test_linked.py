from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from olv_tui import jsontext
from olv_tui.model import Frame, Verdict
from olv_tui.view.decoded import LARGE, decoded_lines
from olv_tui.view.fold_page import PageLines, Spot
from olv_tui.view.ink import Ink, in_string, of_string
from olv_tui.view.linked import Linked
from tests.view.exchanges import exchange
from tests.view.test_fold import VALUES, nodes

BLANKS = b" \t\r\n"


def page_of(body: str) -> tuple[PageLines, Linked, bytes]:
    one = exchange(Verdict.RESULT, body)
    page = decoded_lines(one)
    assert isinstance(page, PageLines)
    return page, Linked(one), body.encode()


def line_with(page: PageLines, text: str) -> int:
    return next(index for index in range(len(page)) if text in page.text(index))


@given(st.binary(max_size=300))
def test_counting_finds_every_byte_that_is_no_blank(data: bytes) -> None:
    ink = Ink(data)
    for offset, byte in enumerate(data):
        if byte not in BLANKS:
            assert ink.place(ink.before(offset)) == offset
    assert ink.total == len(data.translate(None, BLANKS))


@given(VALUES, st.sampled_from([None, 1, 3]), st.booleans(), st.sampled_from([(",", ":"), (" , ", "  :\t")]))
def test_the_place_of_every_node_is_the_same_in_every_layout(
    value: object, indent: int | None, ascii_only: bool, separators: tuple[str, str]
) -> None:
    body = json.dumps(value, indent=indent, ensure_ascii=ascii_only, separators=separators)
    linked = Linked(exchange(Verdict.RESULT, body.encode("utf-8", "surrogatepass"), has_message=False))
    raw = body.encode("utf-8", "surrogatepass")
    document = linked.document
    assert document is not None
    assert document.data.translate(None, BLANKS) == raw.translate(None, BLANKS)
    for steps, inner in nodes(value):
        place = linked.body_range(Spot(steps))
        assert place is not None
        token = raw[slice(*place)]
        assert json.loads(token) == inner
        expected = jsontext.span(raw.decode("utf-8", "surrogatepass"), jsontext.pointer(steps))
        if expected is not None:
            assert token == raw.decode("utf-8", "surrogatepass")[slice(*expected)].encode("utf-8", "surrogatepass")
        spot = linked.at_body(place[0])
        assert spot is not None
        assert spot.steps == steps
        assert linked.body_range(spot) == place


def test_a_field_and_a_member_of_the_structured_content_are_placed() -> None:
    body = '{"jsonrpc":"2.0","id":5,"result":{"structuredContent":{"w":[{"name":"caf\\u00e9"},2.50]},"isError":false}}'
    page, linked, raw = page_of(body)
    spot = page.spot(line_with(page, "café"))
    assert spot is not None
    assert spot.steps == ("result", "structuredContent", "w", 0, "name")
    place = linked.body_range(spot)
    assert place is not None
    assert raw[slice(*place)] == b'"caf\\u00e9"'
    flag = page.spot(line_with(page, "isError"))
    assert flag == Spot(("result", "isError"))
    assert raw[slice(*(linked.body_range(flag) or (0, 0)))] == b"false"
    back = linked.at_body(raw.index(b"2.50"))
    assert back is not None
    found = page.place(back)
    assert found is not None
    assert page.text(found[0]) == "    2.50"


def test_json_in_a_text_is_placed_in_the_escaped_text() -> None:
    inner = json.dumps({"a": "x\ny é", "b": [1, {"c": "é\t😀"}], "z": "end"})
    body = json.dumps({"jsonrpc": "2.0", "id": 5, "result": {"content": [{"type": "text", "text": inner}]}})
    page, linked, raw = page_of(body)
    spot = page.spot(line_with(page, '"z"'))
    assert spot is not None
    assert (spot.steps, spot.inner) == (("result", "content", 0, "text"), ("z",))
    assert raw[slice(*(linked.body_range(spot) or (0, 0)))] == rb"\"end\""
    back = linked.at_body(raw.index(b"end"))
    assert back is not None
    assert back.inner == ("z",)
    found = page.place(back)
    assert found is not None
    assert '"z": "end"' in page.text(found[0])


@given(st.text(max_size=40).map(lambda text: text.encode("utf-8", "replace").decode()), st.booleans())
def test_a_byte_of_a_text_is_found_in_its_escapes(text: str, ascii_only: bool) -> None:
    token = json.dumps(text, ensure_ascii=ascii_only).encode()
    total = Ink(text.encode()).total
    assert of_string(token, len(token) - 1) == total
    for count in range(total):
        assert of_string(token, in_string(token, count)) <= count


def test_a_large_answer_is_placed_by_counting_alone() -> None:
    rows = [{"id": number, "name": f"world {number}"} for number in range(12_000)]
    body = json.dumps({"jsonrpc": "2.0", "id": 5, "result": {"structuredContent": {"rows": rows}, "content": []}})
    assert len(body) > LARGE
    page, linked, raw = page_of(body)
    spot = page.spot(line_with(page, "world 11000"))
    assert spot is not None
    assert spot.steps == ("result", "structuredContent", "rows", 11_000, "name")
    assert raw[slice(*(linked.body_range(spot) or (0, 0)))] == b'"world 11000"'
    back = linked.at_body(raw.index(b'"world 4000"'))
    assert back is not None
    found = page.place(back)
    assert found is not None
    assert "world 4000" in page.text(found[0])


def test_a_message_in_an_event_stream_is_placed_in_the_stream() -> None:
    data = '{"jsonrpc":"2.0","id":5,\n"result":{"content":[],"n":12.00}}'
    raw = b"data: " + data.replace("\n", "\ndata: ").encode() + b"\n\n"
    one = exchange(Verdict.RESULT, b": ping\n\n" + raw, frames=(Frame(raw, None, None, data, at_ms=1.0),))
    linked = Linked(one)
    place = linked.body_range(Spot(("result", "n")))
    assert place is not None
    assert (b": ping\n\n" + raw)[slice(*place)] == b"12.00"
    spot = linked.at_body(place[0])
    assert spot is not None
    assert spot.steps == ("result", "n")
