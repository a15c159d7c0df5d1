"""What the bytes that a program wrote to its terminal come to: a screen, and what is wrong with them.

It knows what Textual writes and nothing more: text, cursor positions, and sequences that paint nothing. Whatever else
reached the terminal is a fault, since it can only have come out of what a server sent.
"""

from __future__ import annotations

import codecs
import re
import unicodedata

from rich.cells import get_character_cell_size

_SEQUENCE = re.compile(
    "\x1b(?:"
    r"\[(?P<private>[<-?]?)(?P<numbers>[0-9;:]*)(?P<between>[ -/]*)(?P<final>[@-~])"  # CSI
    "|[\\]P_^X](?P<string>[^\x07\x1b]*)(?:\x07|\x1b\\\\)"  # OSC, DCS, APC, PM, SOS
    "|[ -/]*[0-OQ-WYZ\\\\`-~])"
)
_BEGUN = re.compile("\x1b(?:\\[[<-?]?[0-9;:]*[ -/]*|[\\]P_^X][^\x07\x1b]*\x1b?|[ -/]*)?")

_WRITTEN = {"H", "m", "?h", "?l", "?p", "?u", ">u", "<u", "c", "t"}
"""The kinds of control sequences that Textual writes by itself."""

_POINTER = re.compile("\x1b\\]22;[a-z-]+\x07")
"""The shape of the mouse pointer."""

_LARGEST = 999
"""No colour and no place on a screen has a larger number; payloads have."""

_INVISIBLE = frozenset(
    chr(code)
    for first, last in (
        (0xAD, 0xAD), (0x34F, 0x34F), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x200B, 0x200F),
        (0x2028, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0),
        (0xFFF0, 0xFFFB), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
    )
    for code in range(first, last + 1)
)  # fmt: skip
"""Default_Ignorable_Code_Point of Unicode 15, and the line and paragraph separators."""

_SIGNS = frozenset("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd")
"""Format characters with a glyph of their own: number signs of Arabic, Syriac and Kaithi."""


def is_forbidden(character: str) -> bool:
    """Whether a character may not stand on a screen: obeyed, reordering, or invisible."""
    if character in _SIGNS:
        return False
    return character in _INVISIBLE or unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp")


class Screen:
    """A screen of cells; `faults` are what no program of ours would have written."""

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.faults: list[str] = []
        self._painted: list[str] = []
        self._rows = [[" "] * width for _ in range(height)]
        self._x = self._y = 0
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._left = ""
        self._text: str | None = None

    @property
    def text(self) -> str:
        """The rows as they stand."""
        if self._text is None:
            self._text = "\n".join("".join(row).rstrip() for row in self._rows)
        return self._text

    @property
    def painted(self) -> str:
        """Every text that was ever painted, in its order."""
        return "".join(self._painted)

    def feed(self, data: bytes) -> None:
        """Take in bytes, which may end in the middle of a character or sequence."""
        self._text = None
        text = self._left + self._decoder.decode(data)
        at = 0
        while (escape := text.find("\x1b", at)) >= 0:
            self._write(text[at:escape])
            found = _SEQUENCE.match(text, escape)
            if found is None:
                if _BEGUN.fullmatch(text, escape):
                    self._left = text[escape:]
                    return
                self._fault("a broken sequence", text[escape : escape + 20])
                at = escape + 1
                continue
            self._obey(found)
            at = found.end()
        self._write(text[at:])
        self._left = ""

    def _obey(self, found: re.Match[str]) -> None:
        if found["final"] is None:
            if not _POINTER.fullmatch(found[0]):
                self._fault("a sequence", found[0])
            return
        if found["private"] + found["between"].replace("$", "") + found["final"] not in _WRITTEN:
            self._fault("a control sequence", found[0])
        numbers = [int(one or 0) for one in re.split("[;:]", found["numbers"])]
        if not found["private"] and max(numbers) > _LARGEST:
            self._fault("a control sequence", found[0])
        if found["final"] == "H":
            self._y, self._x = (max(one - 1, 0) for one in (*numbers, 1)[:2])

    def _write(self, text: str) -> None:
        self._painted.append(text)
        if text.isascii() and text.isprintable() and self._y < len(self._rows):
            room = text[: max(self.width - self._x, 0)]
            self._rows[self._y][self._x : self._x + len(room)] = room
            self._x += len(text)
            return
        for character in text:
            if character == "\r":
                self._x = 0
            elif character == "\n":
                self._y += 1
            elif is_forbidden(character):
                self._fault("a character", character)
            else:
                self._put(character)

    def _put(self, character: str) -> None:
        wide = get_character_cell_size(character)
        if self._y < len(self._rows) and self._x + wide <= self.width:
            row = self._rows[self._y]
            if wide:
                row[self._x : self._x + wide] = [character, *[""] * (wide - 1)]
            elif self._x:
                row[self._x - 1] += character
        self._x += wide

    def _fault(self, what: str, text: str) -> None:
        if len(self.faults) < 20:
            self.faults.append(
                f"{what} {text!r} at row {self._y}, column {self._x}, behind {''.join(self._painted[-3:])[-60:]!r}"
            )
