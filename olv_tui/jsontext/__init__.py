"""JSON kept exact (RFC 8259): spans, duplicates, number text, NaN, depth.

`parse` reads what came over the wire and never raises; `loads` reads what a person typed and says what is
wrong with it; `dumps` and `pretty` write without losing a digit; `span` and `pointer` find places; `hidden`
finds text that reads otherwise than it is. A large object that `parse` or `value` gives is read when somebody
looks into it; `glance` gives one at once, or nothing.
"""

from olv_tui.jsontext.hidden import hidden, may_hide
from olv_tui.jsontext.late import LateList, LateObject, glance, is_utf8, parse, value
from olv_tui.jsontext.longtext import has_text, size_of_text, text_of
from olv_tui.jsontext.places import pointer
from olv_tui.jsontext.reader import RULES, Parsed, loads
from olv_tui.jsontext.spans import span
from olv_tui.jsontext.tokens import JsonError
from olv_tui.jsontext.writer import beginning, compact, dumps, opening, pretty, written

__all__ = [
    "RULES",
    "JsonError",
    "LateList",
    "LateObject",
    "Parsed",
    "beginning",
    "compact",
    "dumps",
    "glance",
    "has_text",
    "hidden",
    "is_utf8",
    "loads",
    "may_hide",
    "opening",
    "parse",
    "pointer",
    "pretty",
    "size_of_text",
    "span",
    "text_of",
    "value",
    "written",
]
