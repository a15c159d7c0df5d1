"""The one place where text of a server becomes text for a terminal.

Rules of this file:

* Show, do not hide: what a terminal would obey or swallow is written as its escape, `\\u001b`.
* Applied when text becomes display text. The bytes and values of the model stay as they came.
* U+200D and skin tones are written as escapes: a terminal draws the characters they join as one or as many, nobody
  can know how wide, and what stands behind them on the line would be shifted. U+FE0F and U+FE0E stay.
* `UNSAFE` is also what the line filter of the screen takes out as a backstop (widgets/guard.py).
"""

from __future__ import annotations

import re

UNSAFE = re.compile(
    "["
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 without tab and line feed, DEL, C1: what a terminal obeys
    "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"  # soft hyphen, joiners, fillers: no glyph
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f"  # zero width, joiner, bidi, line and paragraph separators
    "\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"  # fillers, variation selectors, BOM, annotations
    "\ud800-\udfff"  # lone surrogates: they cannot be encoded at all
    "\U0001f3fb-\U0001f3ff"  # skin tones: joined to the emoji before them, or drawn beside it
    "\U00013430-\U0001343f\U0001bca0-\U0001bca3"  # hieroglyph and shorthand formats: no glyph
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"  # musical and tag characters: carriers of hidden text
    "]"
)
"""Characters that never reach a terminal: controls, bidi, invisible format characters, joiners, surrogates."""

# A second selector says nothing of an emoji: a row of them carries hidden text. Part of `UNSAFE` it would make the
# search take twice as long.
_ROW = re.compile("(?<=[\ufe0e\ufe0f])[\ufe0e\ufe0f]")

_BREAKS = str.maketrans({"\n": "⏎", "\t": "→"})


def visible(text: str) -> str:
    r"""`text` with every unsafe character written as `\u001b` or `\U000e0041`; `\n` and `\t` stay.

    8.6 MB take 52 ms. Text without such characters is returned as it is, the same object.
    """
    if _has_row(text):
        text = _ROW.sub(_escape, text)
    return UNSAFE.sub(_escape, text) if UNSAFE.search(text) else text


def is_safe(text: str) -> bool:
    """Whether `visible` leaves a text as it is."""
    return UNSAFE.search(text) is None and not _has_row(text)


def _has_row(text: str) -> bool:
    return ("\ufe0f" in text or "\ufe0e" in text) and _ROW.search(text) is not None


def one_line(text: str, limit: int | None = None) -> str:
    """`text` safe and on one line: line breaks as ⏎, tabs as →, cut to `limit` characters with …

    Only the part that can be shown is looked at, so a value of megabytes costs nothing.
    """
    if limit is not None and len(text) > limit:
        text = text[: limit + 1]
    line = visible(text.replace("\r\n", "\n")).translate(_BREAKS)
    if limit is not None and len(line) > limit:
        line = line[: max(limit - 1, 0)].rstrip() + "…" if limit > 0 else ""
    return line


def normal_breaks(text: str) -> str:
    r"""`text` with `\r\n` and lone `\r` as `\n`: for decoded text, where a line end is only a line end."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
