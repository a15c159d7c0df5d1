"""Any JSON text, however it is written: the indented view, folding, search and places agree with it.

Texts are made as texts and not from values, so that names stand twice, characters are escaped in every way, numbers
keep odd forms, and blanks stand wherever they may.
"""

from __future__ import annotations

import json
import re

from hypothesis import given
from hypothesis import strategies as st

from olv_tui import jsontext
from olv_tui.model import Verdict
from olv_tui.view.fold import FoldedRows, JsonLines
from olv_tui.view.lines import WrappedLines
from olv_tui.view.linked import Linked
from tests.view.exchanges import exchange

_BLANKS = st.sampled_from(["", " ", "\n", "\t\r\n ", "  "])
_ODD = [
    r"\u0041",
    r"\"",
    r"\\",
    r"\/",
    r"\n",
    r"\ud83d\ude00",
    r"\ud800",
    r"\u202e",
    "é",
    "😀",
    "\u202e",
    *"ab ,:{}[]",
    "\x7f",
]
_CHARACTERS = st.sampled_from(_ODD) | st.characters(
    min_codepoint=32, exclude_categories=["Cs"], exclude_characters='"\\'
)
_STRINGS = st.lists(_CHARACTERS, max_size=8).map(lambda parts: '"' + "".join(parts) + '"')
_NUMBERS = st.sampled_from(["0", "-0", "1.0", "1.50", "1E+5", "-1.2e-3", "9007199254740993", "1" * 40, "1e999"])
_NAMES = _STRINGS | st.sampled_from(['"a"', '"b"'])


def _nested(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    items = st.lists(st.tuples(_BLANKS, inner, _BLANKS).map("".join), max_size=4)
    member = st.tuples(_BLANKS, _NAMES, _BLANKS, st.just(":"), _BLANKS, inner, _BLANKS).map("".join)
    members = st.lists(member, max_size=4)
    return items.map(lambda parts: f"[{','.join(parts)}]") | members.map(lambda parts: "{" + ",".join(parts) + "}")


_LEAVES = _STRINGS | _NUMBERS | st.sampled_from(["true", "false", "null", "{}", "[ ]"])
_TEXTS = st.tuples(_BLANKS, st.recursive(_LEAVES, _nested, max_leaves=20), _BLANKS).map("".join)


def ink(text: str) -> str:
    """A text without the blanks outside of its strings."""
    return "".join(re.findall(r'"(?:[^"\\]|\\.)*"|[^ \t\r\n"]+', text, re.DOTALL))


@given(_TEXTS, st.sampled_from([3, 11, 40]))
def test_the_indented_view_is_the_text_but_for_blanks_whatever_is_folded(text: str, width: int) -> None:
    pretty = jsontext.pretty(text.encode())
    assert pretty is not None
    assert ink(pretty.decode()) == ink(text)
    lines = JsonLines(pretty)
    rows = FoldedRows(WrappedLines(lines, width))
    whole = rows.text(0, len(rows) - 1)
    assert whole == lines.plain()
    for index in range(len(lines)):
        if lines.is_head(index) and rows.hiding(index) is None:
            rows.fold(index, lines.last(index))
    assert rows.text(0, len(rows) - 1) == whole
    for hit in lines.hits("a"):
        assert lines.text(hit.line)[hit.start : hit.start + hit.length] in "aA"


@given(_TEXTS)
def test_every_byte_belongs_to_a_node_and_the_node_to_its_bytes(text: str) -> None:
    raw = text.encode()
    linked = Linked(exchange(Verdict.RESULT, raw, has_message=False))
    for offset in range(0, len(raw), 3):
        spot = linked.at_body(offset)
        assert spot is not None
        place = linked.body_range(spot)
        assert place is not None
        json.loads(raw[slice(*place)])  # one whole value
        again = linked.at_body(place[0])
        assert again is not None
        assert again.steps == spot.steps
