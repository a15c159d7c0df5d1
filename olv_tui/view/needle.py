"""What is searched for: a text, or between slashes a regular expression; `key:` or `value:` before it keeps to one.

Rules of this file:

* A text is found as it stands; ASCII letters in either case, unless it has a capital.
* Python's matcher cannot be stopped and holds up the screen from any thread. So a pattern is tried on a window of
  characters that it cannot run wild in (mcp/patterns.py), and the next window begins in the middle of this one: every
  hit of up to half a window is found. Where a window is short, that is said. What could run wild in the shortest one
  is not tried, and said.
* Whether a hit is in a key or a value is told by the colours of its line, so it is told of what is shown. The name of
  a field is a key; headings and our own words are neither.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from olv_tui.courtesy import pieces
from olv_tui.mcp.patterns import is_tame
from olv_tui.view.json_colour import Span

_PREFIXES = {"key:": "keys", "value:": "values"}
_NEITHER = ("heading", "muted")
_WINDOWS = (20_000, 5_000, 2_000, 1_000, 150, 40)
_SHORT = 150  # a window of so many characters is worth telling: words that somebody looks for are longer than its half


@dataclass(frozen=True, slots=True)
class Needle:
    """A search that was read. `window` is the number of characters it is tried on at once, 0 for any number.

    `problem` says why nothing can be sought. `plain` is the text where it is no pattern; `where` is "keys", "values"
    or "" for both.
    """

    pattern: re.Pattern[str] | None
    window: int = 0
    problem: str = ""
    plain: str = ""
    where: str = ""

    @property
    def note(self) -> str:
        """What to know of the hits, "" for nothing."""
        if not 0 < self.window <= _SHORT:
            return ""
        return f"in long lines those of up to {self.window // 2} characters"

    def within(self, text: str, is_over: Callable[[], bool] = lambda: False) -> Iterator[tuple[int, int]]:
        """Start and length of every hit in a line; a hit of no characters is none. `is_over` ends it early."""
        if self.pattern is None:
            return
        if not self.window or len(text) <= self.window:
            for found in self.pattern.finditer(text):
                if found[0]:
                    yield found.start(), len(found[0])
            return
        step, done = self.window // 2, 0
        for at in pieces(len(text), step):
            if is_over():
                return
            end = at + self.window
            for hit in self.pattern.finditer(text, max(at, done), end):
                if hit.start() >= at + step and end < len(text):
                    break  # the next window sees more of it
                # What ends with the window may go on behind it, or be none: `$` takes the end of a window for that of
                # the line.
                whole = hit if hit.end() < end else self.pattern.match(text, hit.start(), end + step)
                if whole is not None and whole[0]:
                    done = whole.end()
                    yield whole.start(), len(whole[0])


def is_pattern(text: str) -> bool:
    """Whether a search is written as a regular expression: `/worlds?/`."""
    return len(text) > 2 and text[0] == text[-1] == "/"


@lru_cache(maxsize=8)
def read(text: str) -> Needle:
    """A search as it was typed."""
    where = next((prefix for prefix in _PREFIXES if text.startswith(prefix)), "")
    return replace(_read(text[len(where) :]), where=_PREFIXES.get(where, ""))


def part_of(spans: Sequence[Span], length: int) -> str:
    """What the first `length` characters of some text belong to by its spans: "keys", "values" or "" for neither."""
    is_seen = in_escape = False
    for span in spans:
        if span.start >= length and not in_escape:
            break
        is_seen = True
        if span.kind == "escape":  # of a key or of a text: the rest of the string tells
            in_escape = True
        elif span.kind in ("key", "label"):
            return "keys"
        elif span.kind != "punctuation":
            return "" if span.kind in _NEITHER else "values"
    return "values" if in_escape or not is_seen else ""


def _read(text: str) -> Needle:
    either_case = re.IGNORECASE if text == text.lower() else 0
    if not is_pattern(text):
        return Needle(re.compile(re.escape(text), either_case), plain=text)
    inner = text[1:-1]
    try:
        # Escapes such as \\S are no capitals that somebody means.
        has_capital = any(letter.isupper() for letter in re.sub(r"\\.", "", inner))
        pattern = re.compile(inner, 0 if has_capital else re.IGNORECASE)
    except (re.error, OverflowError, RecursionError) as error:
        return Needle(None, problem=f"no regular expression: {error}")
    window = next((size for size in _WINDOWS if is_tame(inner, size)), 0)
    if not window:
        return Needle(None, problem="this pattern may take too long: use fewer repeats and branches")
    return Needle(pattern, window)
