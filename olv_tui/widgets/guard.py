"""The backstop against terminal control in text: a filter over every painted line.

Display text is made safe by view/safe.py where it is made. Textual itself lets ESC, C1 and bidi
controls through to the terminal from nearly every widget, so one forgotten call would hand a server
the user's clipboard. 60 microseconds per frame of 40 lines buy that this cannot happen.

The second thing it guards is the width of a line. rich lays out what is joined to one character (an emoji family, a
sign in its coloured form) as two cells; a terminal may draw one, two or eight of them, and every border to the right
is then in another place. Such a text (the user's own, in the editor) is painted as its first character alone, in the
cells that the layout gave it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rich import cells
from rich.cells import cell_len, get_character_cell_size
from rich.segment import Segment
from textual.filter import LineFilter

from olv_tui.view.safe import UNSAFE

if TYPE_CHECKING:
    from textual.color import Color


_JOINED = re.compile("[\u200d\ufe0e\ufe0f\U0001f3fb-\U0001f3ff]")

# Before rich 14.3 every character counted for itself, and nothing was joined.
_split = getattr(cells, "split_graphemes", None)


class ControlGuard(LineFilter):
    """Takes every character of `UNSAFE` out of painted lines; the width of the line stays, in any terminal.

    Install it with `App.get_line_filters`.
    """

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002  the name is Textual's
        """The segments, the same list where nothing unsafe is in them."""
        if not any(_ODD.search(segment.text) for segment in segments):
            return segments
        return [Segment(UNSAFE.sub(_stand_in, _apart(text)), style, control) for text, style, control in segments]


_ODD = re.compile(f"{_JOINED.pattern}|{UNSAFE.pattern}")


def _apart(text: str) -> str:
    """Joined characters as the first of them, in as many cells as rich counts for all."""
    if _split is None or not _JOINED.search(text):
        return text
    return "".join(_first(text[start:end], room) for start, end, room in _split(text)[0])


def _first(joined: str, room: int) -> str:
    if not _JOINED.search(joined):
        return joined
    kept = ""
    for character in joined:
        wide = get_character_cell_size(character)
        if not _JOINED.match(character) and wide <= room:
            kept += character
            room -= wide
    return kept + " " * room


def _stand_in(match: re.Match[str]) -> str:
    """As many replacement characters as the layout gave the character cells: mostly none, fillers two."""
    return "\N{REPLACEMENT CHARACTER}" * cell_len(match[0])
