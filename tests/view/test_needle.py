"""What is searched for: texts, patterns, and patterns that are not tried."""

from __future__ import annotations

import pytest

from olv_tui.view.lines import FixedLines, Hit, Line
from olv_tui.view.needle import is_pattern, read
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
    [("/(/", "no regular expression"), ("/(a+)+$/", "may take too long"), ("/.*.*.*=.*/", "may take too long")],
)
def test_what_is_no_pattern_or_could_run_wild_is_said_and_not_tried(needle: str, words: str) -> None:
    assert words in read(needle).problem
    assert hits(needle) == []


def test_a_long_line_is_searched_to_its_end_window_by_window() -> None:
    line = FixedLines([Line("x" * 1_000_000 + "needle 7 here")])
    assert list(line.hits(r"/needle \d+/")) == [Hit(0, 1_000_000, 8)]


def test_a_hit_over_the_end_of_a_step_is_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "xabABabab\naab" * 9
    whole = list(TextLines(text).hits("ab"))
    monkeypatch.setattr("olv_tui.view.text_lines._BLOCK", 3)
    assert list(TextLines(text).hits("ab")) == whole
    assert len(whole) == 9 * 5
    assert list(TextLines("aaaaa").hits("aa")) == [Hit(0, 0, 2), Hit(0, 2, 2)]
