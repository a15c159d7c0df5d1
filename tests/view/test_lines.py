from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from olv_tui.view.json_colour import clip, odd_quotes, spans_of
from olv_tui.view.lines import FixedLines, JoinedLines, Line, Lines, WrappedLines, cells, fold
from olv_tui.view.safe import UNSAFE, visible
from olv_tui.view.text_lines import LONG, TextLines

MIXED = st.text(st.sampled_from(list('ab "\\:,{}[]\n\t\r1é日👍\u200d\ufe0f\x1b\x00\u202e\ud800\u0301')), max_size=80)


def all_text(lines: Lines) -> list[str]:
    return [lines.line(index).text for index in range(len(lines))]


def rows(lines: Lines, width: int | None) -> list[str]:
    wrapped = WrappedLines(lines, width)
    return [wrapped.row(row).text for row in range(len(wrapped))]


# ------------------------------------------------------------------ colours


def kinds(text: str, *, in_string: bool = False) -> list[tuple[str, str]]:
    return [(text[start:end], kind) for start, end, kind in spans_of(text, in_string=in_string)]


def test_json_is_coloured_by_kind() -> None:
    assert kinds('  "a": [1, -2.5e3, "x", true, null],') == [
        ('"a"', "key"),
        (":", "punctuation"),
        ("[", "punctuation"),
        ("1", "number"),
        (",", "punctuation"),
        ("-2.5e3", "number"),
        (",", "punctuation"),
        ('"x"', "string"),
        (",", "punctuation"),
        ("true", "keyword"),
        (",", "punctuation"),
        ("null", "keyword"),
        ("],", "punctuation"),
    ]


def test_escapes_in_strings_are_set_apart() -> None:
    assert kinds('"a\\n\\u001bz"') == [('"a', "string"), ("\\n", "escape"), ("\\u001b", "escape"), ('z"', "string")]


def test_a_part_that_starts_inside_a_string_is_coloured_as_one() -> None:
    assert kinds('end of text", "b": 1', in_string=True)[:2] == [('end of text"', "string"), (",", "punctuation")]
    assert kinds('ey": 1', in_string=True)[0] == ('ey"', "key")
    assert kinds("all of it is text 1 true", in_string=True) == [("all of it is text 1 true", "string")]


def test_an_open_string_is_coloured_to_its_end() -> None:
    assert kinds('"never closed') == [('"never closed', "string")]
    assert kinds('"cut in an escape\\')[0][1] == "string"


@given(MIXED, st.booleans())
def test_spans_are_in_order_and_inside_the_text(text: str, inside: bool) -> None:
    line = visible(text).replace("\n", " ")
    at = 0
    for start, end, _ in spans_of(line, in_string=inside):
        assert at <= start < end <= len(line)
        at = end


@given(MIXED, st.integers(0, 90), st.integers(0, 90))
def test_clipped_spans_fit_their_part(text: str, one: int, other: int) -> None:
    line = visible(text).replace("\n", " ")
    start, end = sorted((min(one, len(line)), min(other, len(line))))
    for first, last, kind in clip(spans_of(line), start, end):
        assert 0 <= first < last <= end - start
        assert any(s.kind == kind and s.start <= start + first and s.end >= start + last for s in spans_of(line))


@given(st.text(st.sampled_from(list('a"\\')), max_size=20))
def test_open_strings_are_known_by_their_quotes(value: str) -> None:
    data = json.dumps(value).encode()
    assert odd_quotes(data, 0, len(data)) is False
    assert odd_quotes(data, 0, len(data) - 1) is True


# ------------------------------------------------------------------ text lines


@given(MIXED)
def test_lines_are_the_safe_text(text: str) -> None:
    expected = visible(text.replace("\r\n", "\\r\n")).replace("\t", "    ")
    if expected.endswith("\\u000d"):
        expected = expected[:-6] + "\\r"
    parts = expected.split("\n")
    if parts[-1] == "":
        parts.pop()
    assert all_text(TextLines(text)) == parts


@given(MIXED, st.integers(2, 30), st.sampled_from(["", "json", "sse"]))
def test_rows_hold_all_the_text_and_fit(text: str, width: int, language: str) -> None:
    lines = TextLines(text, language)
    wrapped = WrappedLines(lines, width)
    shown: dict[int, str] = {}
    for row in range(len(wrapped)):
        place = wrapped.at(row)
        part = wrapped.row(row).text
        assert cells(part) <= width
        assert cell_len(part) <= width
        assert not UNSAFE.search(part)
        assert wrapped.row_of(place.line, place.start) == row
        shown[place.line] = shown.get(place.line, "") + part
    assert [shown[index] for index in range(len(lines))] == all_text(lines)


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
def test_cells_are_never_fewer_than_are_painted(text: str) -> None:
    line = visible(text).replace("\n", "").replace("\t", "")
    assert cells(line) >= cell_len(line)


def test_no_character_is_counted_narrower_than_it_is_painted() -> None:
    wrong = [
        hex(code)
        for code in range(0x20, 0x110000)
        if not UNSAFE.match(chr(code)) and cells(chr(code)) < cell_len(chr(code))
    ]
    assert wrong == []


@given(MIXED, st.integers(2, 30))
def test_wrapping_the_default_way_and_by_offsets_agree(text: str, width: int) -> None:
    lines = TextLines(text, words=True)
    fixed = FixedLines(Line(part) for part in all_text(lines))
    assert rows(fixed, width) == rows(lines, width)
    assert list(fixed.tall(width)) == list(lines.tall(width))


@given(st.text(st.sampled_from("ab é日"), max_size=60), st.integers(2, 20))
def test_rows_of_words_fit_and_hold_all_the_text(text: str, width: int) -> None:
    shown = rows(FixedLines([Line(text)]), width)
    assert "".join(shown) == text
    assert all(cells(row) <= width for row in shown)


def test_rows_end_between_words_unless_a_word_is_long() -> None:
    assert rows(FixedLines([Line("Link the site, then send again.")]), 12) == [
        "Link the ",
        "site, then ",
        "send again.",
    ]
    assert rows(FixedLines([Line("a " + "x" * 30)]), 12) == ["a xxxxxxxxxx", "x" * 12, "x" * 8]


@given(MIXED, st.integers(2, 30))
def test_copied_text_has_no_wrapping_in_it(text: str, width: int) -> None:
    lines = TextLines(text)
    wrapped = WrappedLines(lines, width)
    assert wrapped.text(0, len(wrapped)) == "\n".join(all_text(lines)) == lines.plain()


def test_bytes_that_are_not_utf_8_do_not_stop_it() -> None:
    assert all_text(TextLines(b"a\xffb\n\xf0\x9f\n")) == ["a\ufffdb", "\ufffd"]


def test_an_empty_text_has_no_lines_and_an_empty_line_is_one() -> None:
    assert len(TextLines("")) == 0
    assert all_text(TextLines("\n\n")) == ["", ""]
    assert rows(TextLines("\n\n"), 5) == ["", ""]


def test_lines_outside_are_refused() -> None:
    lines = JoinedLines([TextLines("a\nb")])
    for index in (-1, 2):
        with pytest.raises(IndexError):
            lines.line(index)
        with pytest.raises(IndexError):
            WrappedLines(lines, 5).at(index)


def test_200_000_lines_are_found_by_offset() -> None:
    text = "\n".join(f'  "key{n}": {n}, "日本{n}"' if n % 1000 == 0 else f'  "key{n}": {n},' for n in range(200_000))
    lines = TextLines(text, "json")
    assert len(lines) == 200_000
    assert lines.line(199_999).text == '  "key199999": 199999,'
    assert lines.line(150_000).text == '  "key150000": 150000, "日本150000"'
    wrapped = WrappedLines(lines, 22)
    last = wrapped.at(len(wrapped) - 1)
    assert (last.line, last.start) == (199_999, 0)
    assert wrapped.at(wrapped.row_of(150_000, 23)) == (150_000, 22, lines.length(150_000))


def test_a_long_plain_line_is_cut_by_arithmetic_and_coloured_in_the_middle() -> None:
    body = ('{"key":"' + "x" * 5_000_000 + '","last":17}').encode()
    lines = TextLines(body, "json")
    wrapped = WrappedLines(lines, 100)
    assert len(wrapped) == -(-len(body) // 100)
    assert wrapped.row(25_000).spans == ((0, 100, "string"),)
    end = wrapped.row(len(wrapped) - 1)
    assert end.text.endswith('","last":17}')
    assert (end.text.index("17"), end.text.index("17") + 2, "number") in end.spans
    assert wrapped.row(10).spans == ((0, 100, "string"),)


def test_a_long_line_with_wide_text_is_kept_in_pieces_and_copied_whole() -> None:
    text = '{"k":"' + "日本語ab\x1b" * 30_000 + '"}\nnext'
    lines = TextLines(text, "json")
    assert lines.continues(0)
    assert max(lines.length(index) for index in range(len(lines))) <= LONG * 6
    assert lines.plain() == visible(text)
    assert "".join(all_text(lines)) == visible(text).replace("\n", "")
    assert {span.kind for span in lines.line(5).spans} == {"string", "escape"}
    wrapped = WrappedLines(lines, 40)
    assert wrapped.text(0, len(wrapped)) == visible(text)
    assert max(cell_len(wrapped.row(row).text) for row in range(0, len(wrapped), 97)) <= 40


def test_pieces_are_never_cut_inside_a_character() -> None:
    for lead in range(4):
        text = "x" * lead + "日本語" * 20_000
        assert "".join(all_text(TextLines(text))) == text


def test_field_names_of_an_event_stream_are_labels() -> None:
    lines = TextLines(b'event: message\ndata: {"a":1}\n\n', "sse")
    assert lines.line(0).spans[0] == (0, 6, "label")
    assert [span.kind for span in lines.line(1).spans] == [
        "label",
        "punctuation",
        "key",
        "punctuation",
        "number",
        "punctuation",
    ]


# ------------------------------------------------------------------ search


def test_search_finds_text_in_every_line_in_either_case() -> None:
    lines = TextLines("Alpha\nbeta alpha\n日本 ALPHA\n\x1balpha")
    assert list(lines.hits("alpha")) == [(0, 0, 5), (1, 5, 5), (2, 3, 5), (3, 6, 5)]
    assert list(lines.hits("Alpha")) == [(0, 0, 5)]
    assert list(lines.hits("")) == []


@given(MIXED, st.text(st.sampled_from(list("ab1é日")), min_size=1, max_size=3))
def test_search_by_bytes_and_by_lines_agree(text: str, needle: str) -> None:
    lines = TextLines(text.replace("\r", ""))
    fixed = FixedLines(Line(part) for part in all_text(lines))
    shown = [lines.line(hit.line).text[hit.start : hit.start + hit.length] for hit in lines.hits(needle)]
    assert [part.lower() for part in shown] == [needle] * len(shown)
    assert {(hit.line, hit.start) for hit in lines.hits(needle)} <= {
        (hit.line, hit.start) for hit in fixed.hits(needle)
    }


# ------------------------------------------------------------------ joined


def test_joined_lines_are_one_text() -> None:
    wide = TextLines("日本語" * 10_000)
    parts: list[Lines] = [FixedLines([Line("head")]), TextLines(""), wide, TextLines("x\ny")]
    joined = JoinedLines(parts)
    assert joined.line(0).text == "head"
    assert joined.line(len(joined) - 1).text == "y"
    assert joined.plain() == "head\n" + "日本語" * 10_000 + "\nx\ny"
    assert "".join(rows(joined, 7)) == "head" + "日本語" * 10_000 + "xy"
    assert [hit.line for hit in joined.hits("y")] == [len(joined) - 1]
    assert joined.widest() >= 16_000
    assert joined.weight > 90_000


def test_rows_without_wrapping_are_lines() -> None:
    assert rows(TextLines("abc\n" + "d" * 50), None) == ["abc", "d" * 50]


def test_fold_keeps_wide_characters_whole() -> None:
    assert fold("a日b日c", 3) == [0, 2, 4]
    assert list(fold("abcdef", 2)) == [0, 2, 4]
    assert list(fold("", 4)) == [0]
