"""What is searched for: texts, patterns, and patterns that are not tried."""

from __future__ import annotations

import pytest

from olv_tui.view.json_colour import Span
from olv_tui.view.lines import FixedLines, Hit, Line
from olv_tui.view.needle import is_pattern, part_of, read
from olv_tui.view.text_lines import TextLines

TEXT = '{\n  "Name": "Öl",\n  "id": 42,\n  "other_id": 4711\n}'


def hits(needle: str, text: str = TEXT) -> list[tuple[int, str]]:
    found = []
    for lines in (TextLines(text), FixedLines([Line(one) for one in text.split("\n")])):
        places = list(lines.hits(needle))
        found.append([(hit.line, lines.text(hit.line)[hit.start : hit.start + hit.length]) for hit in places])
    assert found[0] == found[1]
    return found[0]


def test_a_text_is_found_in_either_case_unless_it_has_a_capital() -> None:
    assert hits("name") == hits("Name") == [(1, "Name")]
    assert hits("NAME") == []


def test_a_pattern_stands_between_slashes() -> None:
    assert hits(r"/\d+/") == [(2, "42"), (3, "4711")]
    assert hits(r"/^\s+\"\w*id\"/") == [(2, '  "id"'), (3, '  "other_id"')]
    assert hits("/name/") == [(1, "Name")]
    assert hits(r"/\S+:/")[0] == (1, '"Name":')
    assert hits("/NAME/") == []
    assert not is_pattern("//")
    assert hits("/", "a/b") == [(0, "/")]


def test_a_pattern_of_no_characters_hits_nothing() -> None:
    assert hits("/x*/") == []


@pytest.mark.parametrize(
    ("needle", "words"),
    [
        ("/(/", "no regular expression"),
        ("/(a+)+$/", "may take too long"),
        ("/.*.*.*=.*/", "may take too long"),
        ("/" + "(a|a)" * 24 + "b/", "may take too long"),
        ("/" + "a{0,30}" * 6 + "b/", "may take too long"),
        ("/(?x)(a+) +b/", "may take too long"),
        (r"/(a*)*\1b/", "may take too long"),
    ],
)
def test_what_is_no_pattern_or_could_run_wild_is_said_and_not_tried(needle: str, words: str) -> None:
    assert words in read(needle).problem
    assert hits(needle) == []


def test_a_long_line_is_searched_to_its_end_window_by_window() -> None:
    line = FixedLines([Line("x" * 1_000_000 + "needle 7 here")])
    assert list(line.hits(r"/needle \d+/")) == [Hit(0, 1_000_000, 8)]


@pytest.mark.parametrize("pattern", ["/needle.*7/", r"/needle \d+/", "/n.*d.*7/", "/z$/", "/(needle|7)/", "/[a-z]+ 7/"])
def test_what_lies_over_the_end_of_a_window_is_found_once(pattern: str) -> None:
    text = "-" * 5 + ("needle 7 z" + "-" * 33) * 3_000
    whole = read(pattern).pattern
    assert whole is not None
    near = [(hit.start(), len(hit[0])) for hit in whole.finditer(text) if len(hit[0]) <= 20]
    found = list(read(pattern).within(text))
    assert [hit for hit in near if hit not in found] == []
    ends = [start + length for start, length in found]
    assert all(end <= start for end, (start, _) in zip(ends, found[1:], strict=False))
    assert pattern != "/z$/" or found == []


def test_a_search_that_nobody_waits_for_ends() -> None:
    asked = iter([False, False, True])
    line = "a" * 40_000
    assert len(list(FixedLines([Line(line)]).hits("/a+b|x/", lambda: next(asked)))) == 0
    assert next(asked, None) is None


def test_a_hit_over_the_end_of_a_step_is_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "xabABabab\naab" * 9
    whole = list(TextLines(text).hits("ab"))
    monkeypatch.setattr("olv_tui.view.text_lines._BLOCK", 3)
    assert list(TextLines(text).hits("ab")) == whole
    assert len(whole) == 9 * 5
    assert list(TextLines("aaaaa").hits("aa")) == [Hit(0, 0, 2), Hit(0, 2, 2)]


JSON = '{\n  "name": "a name",\n  "a\\tname": ["name", 5, true],\n  "x": {"name": 5}\n}'


def sought(needle: str, text: str = JSON) -> list[tuple[int, int]]:
    return [(hit.line, hit.start) for hit in TextLines(text, "json").hits(needle)]


def test_keys_or_values_alone_are_searched() -> None:
    assert sought("key:name") == [(1, 3), (2, 6), (3, 9)]
    assert sought("value:name") == [(1, 13), (2, 15)]
    assert sorted(sought("key:name") + sought("value:name")) == sought("name")
    assert sought("value:5") == [(2, 22), (3, 16)]
    assert sought("key:5") == []
    assert sought(r"key:/\\t/") == [(2, 4)]
    assert sought("value:/tru./") == [(2, 25)]
    assert sought("key:") == sought("value:") == []
    assert read("value:/(/").problem


def test_keys_are_told_in_a_long_line_as_well() -> None:
    text = '{"first": "' + "x" * 40_000 + ' here", "here": "' + "y" * 40_000 + '"}'
    at = text.index("here"), text.rindex("here")
    assert sought("value:here", text) == [(0, at[0])]
    assert sought("key:here", text) == [(0, at[1])]


def test_the_name_of_a_field_is_a_key_and_our_own_words_are_neither() -> None:
    line = Line("type  image", (Span(0, 4, "label"),))
    lines = FixedLines([line, Line("type of us", (Span(0, 10, "muted"),)), Line("type in a text")])
    assert list(lines.hits("key:type")) == [Hit(0, 0, 4)]
    assert list(lines.hits("value:type")) == [Hit(2, 0, 4)]
    assert list(lines.hits("value:image")) == [Hit(0, 6, 5)]
    assert part_of((Span(0, 1, "punctuation"),), 1) == ""
