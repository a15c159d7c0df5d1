from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from olv_tui import jsontext
from olv_tui.jsontext.writer import INDENTED
from olv_tui.view.fold import FoldedRows, JsonLines
from olv_tui.view.lines import WrappedLines
from olv_tui.view.outline import Outline, Steps, json_path

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=25,
)


def lines_of(value: object) -> JsonLines:
    pretty = jsontext.pretty(json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass"))
    assert pretty is not None
    return JsonLines(pretty)


def nodes(value: object, steps: Steps = ()) -> list[tuple[Steps, object]]:
    found: list[tuple[Steps, object]] = [(steps, value)]
    if isinstance(value, dict):
        for name, inner in value.items():
            found += nodes(inner, (*steps, name))
    if isinstance(value, list):
        for number, inner in enumerate(value):
            found += nodes(inner, (*steps, number))
    return found


@given(VALUES)
def test_every_node_is_found_by_its_way_and_tells_its_way(value: object) -> None:
    lines = lines_of(value)
    for steps, inner in nodes(value):
        start = lines.outline.find(steps)
        assert start is not None
        assert lines.outline.steps(start) == steps
        begin, end = lines.outline.value(start)
        assert json.loads(lines.data[begin:end]) == inner
        if isinstance(inner, (dict, list)) and inner:
            assert lines.outline.tally(start) == len(inner)
            assert lines.outline.steps(lines.outline.close(start)) == steps


@given(VALUES, st.data())
def test_folded_rows_are_lines_of_the_text_and_unfolding_gives_it_back(value: object, data: st.DataObject) -> None:
    lines = lines_of(value)
    rows = FoldedRows(WrappedLines(lines, data.draw(st.sampled_from([None, 7, 30]))))
    everything = [rows.at(row) for row in range(len(rows))]
    heads = [index for index in range(len(lines)) if lines.is_head(index)]
    for head in data.draw(st.lists(st.sampled_from(heads), max_size=8)) if heads else []:
        if rows.hiding(head) is None:
            rows.unfold(head) if rows.is_folded(head) else rows.fold(head, lines.last(head))
        shown = [rows.at(row) for row in range(len(rows))]
        hidden = {line for first, last in rows.folds() for line in range(first + 1, last + 1)}
        folded = {first for first, _ in rows.folds()}
        expected = [
            place for place in everything if place.line not in hidden and (place.line not in folded or not place.start)
        ]
        assert shown == expected
        assert [rows.row_of(place.line, place.start) for place in shown] == list(range(len(rows)))
        assert rows.text(0, len(rows) - 1) == lines.plain()
        again = rows.rewrapped(rows.width)
        assert [again.at(row) for row in range(len(again))] == shown
    while rows.folds():
        rows.unfold(rows.folds()[0][0])
    assert [rows.at(row) for row in range(len(rows))] == everything


@given(VALUES)
def test_the_blocks_of_all_levels_are_the_objects_and_arrays_that_are_not_empty(value: object) -> None:
    lines = lines_of(value)
    found = sorted(block for level in range(lines.levels() + 1) for block in lines.blocks(level))
    assert found == [(index, lines.last(index)) for index in range(len(lines)) if lines.is_head(index)]


def test_a_thousand_levels_are_folded_and_told() -> None:
    depth = 1000
    lines = JsonLines(jsontext.pretty(b'{"a":[' * depth + b"7" + b"]}" * depth) or b"")
    middle = next(index for index in range(len(lines)) if "7" in lines.text(index))
    assert lines.outline.steps(lines.start(middle)) == ("a", 0) * depth
    deep = INDENTED + 101
    assert lines.last(deep) == len(lines) - 1 - deep
    assert lines.head(deep) == deep - 1
    assert lines.head(len(lines) - 1 - deep) == deep
    rows = FoldedRows(WrappedLines(lines, None))
    rows.fold(deep, lines.last(deep))
    assert len(rows) == 2 * deep + 1


def test_names_that_are_no_identifiers_stand_in_brackets_in_a_path() -> None:
    assert json_path(("worlds", 3, "größe", "a b", "it's", 'say "x"', "", "\\")) == (
        "$.worlds[3].größe['a b']['it\\'s']['say \"x\"']['']['\\\\']"
    )


def test_a_search_in_steps_finds_what_lies_across_two_of_them() -> None:
    items = ",\n  ".join(str(number) for number in range(200_000))
    outline = Outline(f"[\n  {items}\n]".encode())
    assert outline.tally(0) == 200_000
    start = outline.find((199_999,))
    assert start is not None
    assert outline.steps(start) == (199_999,)
    assert outline.steps(outline.line_start(start - 1)) == (199_998,)
    assert outline.holder(start) == 0
