"""Text that reads otherwise than it is: characters that reorder it or that cannot be seen (UAX #9, UTS #39).

Rules of this file:

* A finding is worth knowing and no fault: JSON may hold any character. Where it is shown it is shown as an escape.
* What languages and emoji need is none: joiners between letters or pictures, marks beside right-to-left letters, one
  selector behind a character, flags of regions, combining marks.
* Most answers are looked at once, as bytes, and their values never.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from olv_tui.courtesy import PIECE, give_way, pieces
from olv_tui.jsontext.places import pointer
from olv_tui.model import Object, Severity, Value, Violation

_LISTED = 10  # texts that are told one by one; an answer that is full of them is known by then

_IN_BYTES = re.compile(
    rb"\xc2\xad|\xcd\x8f|\xd8\x9c|\xe1\x85[\x9f\xa0]|\xe1\x9e[\xb4\xb5]|\xe1\xa0[\x8b-\x8f]|\xe2\x80[\x8b-\x8f\xaa-\xae]"
    rb"|\xe2\x81[\xa0-\xaf]|\xe3\x85\xa4|\xef\xb8[\x80-\x8f]|\xef\xbb\xbf|\xef\xbe\xa0|\xef\xbf[\xb0-\xbb]"
    rb"|\xf0\x9b\xb2[\xa0-\xa3]|\xf0\x9d\x85[\xb3-\xba]|\xf3\xa0[\x80-\xbf]"
    rb"|\\u(?i:00ad|034f|061c|115f|1160|17b[45]|180[b-f]|200[b-f]|202[a-e]|206[0-9a-f]|3164|fe0[0-9a-f]|feff|ffa0"
    rb"|fff[0-9ab]|d82f|d834|db4[0-3])"
)
_SUSPECT = re.compile(
    "[\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_FLAG = re.compile("\U0001f3f4[\U000e0020-\U000e007e]{1,7}\U000e007f")
_JOINERS = "\u200c\u200d"
_MARKS = "\u200e\u200f\u061c"
_SELECTORS = re.compile("[\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")


def may_hide(data: bytes) -> bool:
    """Whether JSON in UTF-8 can hold such a character at all: 100 MB that are not ASCII take 0.7 s."""
    if data.isascii() and b"\\u" not in data:
        return False
    # In steps, that a thread which looks does not hold up the others; no form is longer than the overlap.
    return any(_IN_BYTES.search(data, at, at + PIECE + 8) for at in pieces(len(data)))


def hidden(value: Value, at: str = "") -> Iterator[Violation]:
    """J09 for each text in a value, names of members included, that hides something; `at` is the place of the value.

    At most `_LISTED` of them.
    """
    count = 0
    stack: list[tuple[str, Value]] = [(at, value)]
    while stack and count < _LISTED:
        give_way()
        place, item = stack.pop()
        if isinstance(item, Object):
            members = [(place + pointer([name]), name, member) for name, member in item.members()]
            stack += [(below, member) for below, _, member in reversed(members)]
            texts = [(below, name, "the name") for below, name, _ in members]
        elif isinstance(item, list):
            stack += [(f"{place}/{index}", member) for index, member in reversed(list(enumerate(item)))]
            continue
        else:
            texts = [(place, item, "the text")] if isinstance(item, str) else []
        for below, text, what in texts:
            found = hides(text)
            if found and count < _LISTED:
                count += 1
                yield Violation("J09", Severity.INFO, f"{what} holds {_told(found)}", below)


def hides(text: str) -> str:
    """The characters of a text that hide something, in their order."""
    if not _SUSPECT.search(text):
        return ""
    text = _FLAG.sub("", text)
    return "".join(one[0] for one in _SUSPECT.finditer(text) if not _is_needed(text, one.start()))


def _is_needed(text: str, at: int) -> bool:
    """Whether a language or a picture needs the character at a place."""
    character = text[at]
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    if character in _JOINERS:
        return _joins(before) and _joins(after)
    if character in _MARKS:
        # The marks are of these kinds themselves.
        return any(unicodedata.bidirectional(one) in ("R", "AL") and one not in _MARKS for one in text)
    if _SELECTORS.match(character):
        letter = before.isascii() and before not in set("0123456789#*")
        return bool(before) and not letter and not _SUSPECT.match(before)
    return False


def _joins(character: str) -> bool:
    """Whether a joiner beside this character can mean something: letters and marks that join, and pictures."""
    if not character or ord(character) < 0x300:
        return False
    return character == "\ufe0f" or unicodedata.category(character) in ("Lo", "Mn", "Mc", "So", "Sk", "Nd")


def _told(found: str) -> str:
    name = unicodedata.name(found[0], "a character without a glyph")
    more = f" and {len(found) - 1} more" if len(found) > 1 else ""
    return f"invisible or bidirectional characters: U+{ord(found[0]):04X} {name}{more}; they are shown as escapes"
