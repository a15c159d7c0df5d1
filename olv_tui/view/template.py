r"""The first text of an arguments editor, and JSON text made fit for a text area.

Rules of this file:

* Pure. The schema of a server is read with every shape in mind: what is no schema gives `{}`.
* Only required properties are put in: the rest is the reader's to add. What stands in them is made by `schema`.
"""

from __future__ import annotations

import re

from olv_tui.model import Tool
from olv_tui.schema import template as make
from olv_tui.schema import tree

_UNFIT = re.compile(
    "[\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff\U000e0000-\U000e0fff]"
)
_BREAKS = re.compile("[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")


def template(tool: Tool) -> str:
    """The arguments to begin with: `{}`, or the required properties, two blanks an indent."""
    return make(tree(tool.definition.get("inputSchema")))


def editable(text: str) -> str:
    r"""JSON text with the characters that a text area would lose or hide written as `\uXXXX`.

    In JSON these stand in strings only, where the escape means the same. A text area takes U+2028 and
    U+0085 for line ends, and nobody can edit around a character that is not seen.
    """
    return _UNFIT.sub(_escape, text) if _UNFIT.search(text) else text


def unbroken(text: str) -> str:
    r"""A text with the characters written as `\uXXXX` that a text area takes for line ends and JSON does not."""
    return _BREAKS.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code <= 0xFFFF:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
