from __future__ import annotations

from olv_tui import jsontext
from olv_tui.view.fold import JsonLines
from olv_tui.view.safe import UNSAFE
from olv_tui.view.table import TableLines, can_be_table


def table(text: str) -> TableLines:
    return TableLines(JsonLines(jsontext.pretty(text.encode()) or b""), 0)


def rows(made: TableLines) -> list[str]:
    return [made.text(index) for index in range(len(made))]


def test_columns_come_in_the_order_in_which_names_first_appear() -> None:
    made = table('[{"b":1,"a":2},{"c":3,"b":4},{}]')
    assert made.columns == ("b", "a", "c")
    assert made.head().text.split() == ["b", "a", "c"]
    assert [row.split() for row in rows(made)] == [["1", "2", "–"], ["4", "–", "3"], ["–", "–", "–"]]


def test_missing_null_empty_and_text_that_looks_like_them_are_told_apart() -> None:
    made = table('[{"x":null},{"x":""},{},{"x":"null"},{"x":"–"},{"x":"12"},{"x":12},{"x":" a"},{"x":"2026-12-02"}]')
    assert [row.rstrip() for row in rows(made)] == [
        "null",
        '""',
        "–",
        '"null"',
        '"–"',
        '"12"',
        "12",
        '" a"',
        "2026-12-02",
    ]


def test_numbers_keep_their_digits_and_containers_tell_their_size() -> None:
    made = table('[{"n":1.50e+10,"big":12345678901234567890123,"o":{"a":1,"b":2},"l":[1],"e":{},"f":[]}]')
    assert rows(made)[0].split() == ["1.50e+10", "12345678901234567890123", "{2}", "[1]", "{}", "[]"]


def test_items_that_are_no_objects_have_a_column_of_their_own() -> None:
    made = table('[{"a":1},7,[1,2],"text"]')
    assert made.columns == ("a", "(value)")
    assert [row.split() for row in rows(made)] == [["1", "–"], ["–", "7"], ["–", "[2]"], ["–", "text"]]


def test_cells_are_safe_one_line_and_cut_to_their_column() -> None:
    made = table('[{"a":"one\\ntwo \\u001b[2J\\u202e","b":"' + "日" * 100 + '"}]')
    assert not UNSAFE.search(rows(made)[0])
    assert "one⏎two" in rows(made)[0]
    assert rows(made)[0].endswith("…")


def test_a_name_that_only_the_last_of_many_items_has_is_a_column() -> None:
    items = ",".join(f'{{"id":{number}}}' for number in range(50_000))
    made = table(f'[{items},{{"id":1,"late":true}}]')
    assert made.columns == ("id", "late")
    assert rows(made)[-1].split() == ["1", "true"]


def test_only_arrays_with_items_can_be_tables() -> None:
    for text, expected in (("[1]", True), ("[]", False), ("{}", False), ('{"a":1}', False), ("7", False)):
        assert can_be_table(JsonLines(jsontext.pretty(text.encode()) or b""), 0) is expected
