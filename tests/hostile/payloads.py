"""Text made to do harm: what a terminal obeys, what reorders or hides text, and what reads like markup.

Every control sequence in it carries a number above 7000, which no sequence of ours has.
"""

from __future__ import annotations

import random

CONTROLS = (
    "\x1b[7001;1H",
    "\x1b[7002m",
    "\x1b[7003J",
    "\x1b[?7004h",
    "\x1b]0;title\x07",
    "\x1b]52;c;aGk=\x1b\\",
    "\x1b]8;;http://evil.example\x1b\\link\x1b]8;;\x1b\\",
    "\x1bP7005q\x1b\\",
    "\x1b_apc\x1b\\",
    "\x1bc",
    "\x1b(0",
    "\x1b",
    "\x9b7006m",
    "\x9d52;c;aGk=\x9c",
    "\x90q\x9c",
    "\x85",
    "\x84",
    "\x7f",
    "\x00",
    "\x05",
    "\x07",
    "\x08\x08",
    "\x0b",
    "\x0c",
    "\x0e",
    "\x0f",
    "\x1a",
    "\r",
    "\rover",
    "\r\n",
    "\n",
    "\t",
    "\u2028",
    "\u2029",
)
REORDERING = (
    "\u202e",
    "\u202d",
    "\u202a",
    "\u202b",
    "\u202c",
    "\u2066",
    "\u2067",
    "\u2068",
    "\u2069",
    "\u200e",
    "\u200f",
    "\u061c",
)
INVISIBLE = (
    "\u200b",
    "\u200c",
    "\u200d",
    "\u2060",
    "\u2062",
    "\ufeff",
    "\xad",
    "\u034f",
    "\u180e",
    "\u3164",
    "\u115f",
    "\uffa0",
    "\ufff9",
    "\ufe00\ufe0b\ufe0f\ufe0f\ufe0e",
    "\U000e0100\U000e01ef",
    "\U000e0068\U000e0069\U000e007f",
    "\U0001d173",
    "\U0001bca0",
    "\u206a",
    "\u17b4",
    "\u180b",
    "a\u0300\ufe0f\ufe0f",
)
HALVES = ("\ud800", "\udfff", "\udc9b")
MARKUP = (
    "[/]",
    "[/foo",
    "[/foo]",
    "[",
    "[[",
    "[bold",
    "[red]r[/red]",
    "[@click=app.quit]x[/]",
    "[@click='app.exit']y[/]",
    "[link=http://evil.example]l[/link]",
    "[$text]",
    "[$primary on $error]",
    "\\[",
    "\\[/]",
    "{0}",
    "%s",
    "$name",
    ":boom:",
    "<b>&amp;</b>",
    "[l](javascript:x)",
    "`",
    "'\"",
    "]]>",
    "<!--",
    "--",
    "-->",
)
WIDE = ("日本", "👩\u200d🚀", "❤\ufe0f", "👍\U0001f3fd", "🇫🇷", "e\u0301\u0302\u0303", "ﷺ", "שלום", "مرحبا", "क्‍ष")
KINDS = (CONTROLS, CONTROLS, REORDERING, INVISIBLE, MARKUP, MARKUP, WIDE)


class Payloads:
    """Hostile texts from a seed; the same seed gives the same texts in the same order.

    `halves`: with lone surrogates, which JSON can carry as escapes and nothing else can carry at all.
    """

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def text(self, word: str, *, halves: bool = True) -> str:
        """A plain word to be found by, and hostile text on both sides of what follows it."""
        return f"{word} {self.some(halves=halves)}{word}"

    def some(self, *, halves: bool = True) -> str:
        """One to four hostile pieces, with or without something between them."""
        kinds = (*KINDS, HALVES) if halves else KINDS
        pieces = [self._random.choice(self._random.choice(kinds)) for _ in range(self._random.randint(1, 4))]
        if self._random.random() < 0.3:
            pieces.append(self._any(halves=halves))
        return self._random.choice(("", "", "x", " ")).join(pieces)

    def latin(self, word: str) -> bytes:
        """The same for the head of an HTTP message, where neither line ends nor NUL may stand."""
        text = "".join(one for one in self.text(word, halves=False) if one not in "\r\n\x00\x0b\x0c\x1c\x1d\x1e\x85")
        return text.encode("latin-1" if self._random.random() < 0.5 else "utf-8", "ignore")

    def _any(self, *, halves: bool) -> str:
        """Three characters out of all there are."""
        codes = (self._random.choice((0x100, 0x3000, 0x10000, 0x110000)) for _ in range(3))
        drawn = [chr(self._random.randrange(limit)) for limit in codes]
        return "".join(one for one in drawn if halves or not 0xD800 <= ord(one) <= 0xDFFF)
