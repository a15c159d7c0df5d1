"""Whole texts made readable again: what copying, quoting, logging and mailing put around and into a report.

Rules of this file:

* A mend is tried only where a text tells no sound call as it is (reports/read.py), and what it did is named.
* Each one looks for its own evidence and gives None without it; nothing is guessed inside of sound JSON.
* Linear: every pattern is bounded, or reads a line at a time.
"""

from __future__ import annotations

import html
import itertools
import re
from collections.abc import Callable
from urllib.parse import unquote_plus

from olv_tui.reports.mend_codes import bases, reprs, undoubled, unescaped
from olv_tui.reports.mend_envelopes import enveloped
from olv_tui.reports.values import Notes

_GUTTER = re.compile(r"[ \t]*(\d{1,6})(?:[ \t]*[|:│]|[ \t]{1,4}|\t)[ \t]?")
_QUOTED = re.compile(r"[ \t]*(?:>[ \t]?)+")
_VERBOSE = re.compile(r"^[<>] (?:[A-Z]+ /|HTTP/)", re.MULTILINE)
_SPOKEN = re.compile(r"[<>|](?: |\r?$)")
_WIDTHS = frozenset({72, 76, 78, 79, 80, 100, 120, 132, 160, 200})
_NARROWEST = 40

_ESCAPES = re.compile(
    "(?:\x1b|\\^\\[|␛|\\\\(?:u001[bB]|x1[bB]|033|e))\\[[0-9;?]{0,40}[A-Za-z]"
    "|\x1b\\][^\x07\x1b]{0,2000}(?:\x07|\x1b\\\\)|\x1b[()][A-Z0-9]|\x1b[=>78]"
)
_BARE_ESCAPES = re.compile(r"\[(?:\d{1,3}(?:;\d{1,3}){0,4})?m")
_STAMP = r"\d{4}-\d\d-\d\d[T ][\d:.,]{5,20}(?:Z|[+-]\d\d:?\d\d)?"
_PREFIXES = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\[?{_STAMP}\]?[ \t]+(?:std(?:out|err) [FP] )",
        r"[\w.-]{1,80}[ \t]*\|[ \t]?",  # docker compose
        r"\[pod/[^\]\n]{1,200}\][ \t]?",  # kubectl logs --prefix
        r"[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d [\w.-]{1,80} [\w./@-]{1,80}(?:\[\d+\])?:[ \t]?",  # syslog
        rf"\[?{_STAMP}\]?(?:[ \t]+[\w.\[\]-]{{1,60}}:?)?[ \t](?=[ \t{{}}\[\]\"])",
        rf"\[?{_STAMP}\]?[ \t]?",
        r"\[[\w :.-]{1,60}\][ \t]?",
        r"[ \t]*[│┃|][ \t]?",  # a box, or a table
        r"[+-][ \t]?(?![+-])",  # a diff
        r"[ \t]*(?:#|//|;|--|\*|REM)[ \t]?",  # a comment
    )
)
_BOX_END = re.compile(r"[ \t]*[│┃|][ \t]*$")
_PART = re.compile(r"((?:^[ \t]*(?:`{3,}|~{3,})[^\n]*(?:\n|$)|\n[ \t]*\n)+)", re.MULTILINE)
_RULE = re.compile(r"[ \t]*[╭╮╰╯┌┐└┘├┤─━═╔╗╚╝+=-]{3,}[ \t]*")
_ENTITY = re.compile(r"&(?:quot|apos|amp|lt|gt|nbsp|#0?3[49]|#x2[27]|#123|#125);")
_TAG = re.compile(r"</?(?:span|code|pre|div|font|p|b|i|em|strong|td|tr|li|mark)\b[^<>]{0,500}>", re.IGNORECASE)
_BREAK = re.compile(r"<br ?/?>", re.IGNORECASE)
_PERCENT = re.compile(r'%(?:7[Bb]|5[Bb])[^\s"<>&]{20,}')
_SOFT = re.compile(r"=[ \t]*\r?\n")
_HEX = re.compile(r"(?:=[0-9A-F]{2})+")
_DUMPED = re.compile(r"^(?:0x)?[0-9a-f]{4,8}: ?(.*?)\r?$")
_SECTION = re.compile(r"^(?:=>|<=|==) ?(?:Send|Recv|Info)")
_MORE = re.compile(r"^More\? ?", re.MULTILINE)

Mend = Callable[[str, Notes], "str | None"]


def colourless(text: str, notes: Notes) -> str | None:
    """Without the escapes by which a terminal colours, also where the escape character itself was lost."""
    plain = _ESCAPES.sub("", text)
    if plain == text:
        if len(_BARE_ESCAPES.findall(text)) < 3:
            return None
        plain = _BARE_ESCAPES.sub("", text)
    notes.mend("the colours of a terminal were taken out")
    return plain


def unmarked(text: str, notes: Notes) -> str | None:
    """Without the `> ` of a quoted mail or issue, wherever lines have it."""
    lines = text.split("\n")
    mark = _QUOTED
    if _VERBOSE.search(text):  # curl -v marks what it sent, what came, and its own words
        mark, lines = _SPOKEN, [line for line in lines if not line.startswith("* ")]
    marks = [mark.match(line) for line in lines]
    if not any(marks):
        return None
    notes.mend("quote marks before lines were taken out")
    return "\n".join(line[mark.end() :] if mark else line for mark, line in zip(marks, lines, strict=True))


def unguttered(text: str, notes: Notes) -> str | None:
    """Without line numbers, where every line has one and they count up."""
    lines = text.strip("\n").split("\n")
    numbered = [re.fullmatch(r"\s*(\d{1,6})\s*", line) for line in lines[::2]]
    if len(lines) > 3 and len(lines) % 2 == 0 and _counts_up(numbered):
        notes.mend("line numbers before lines were taken out")
        return "\n".join(lines[1::2])
    matches = [_GUTTER.match(line) or re.match(r"[ \t]*(\d{1,6})[ \t]*$", line) for line in lines]
    if len(lines) < 2 or not _counts_up(matches):
        return None
    notes.mend("line numbers before lines were taken out")
    return "\n".join(line[match.end() :] for line, match in zip(lines, matches, strict=True) if match)


def _counts_up(matches: list[re.Match[str] | None]) -> bool:
    numbers = [int(match[1]) for match in matches if match]
    return len(numbers) == len(matches) and all(later - one == 1 for one, later in itertools.pairwise(numbers))


def undiffed(text: str, notes: Notes) -> str | None:
    """The new side of a diff: what it takes out is left out, and the marks before lines."""
    lines = text.strip("\n").replace("\r\n", "\n").split("\n")
    marks = {line[:1] for line in lines}
    if not marks <= set(" +-@\\") | {""} or "+" not in marks or not marks & set(" -@"):
        return None
    notes.mend("of a diff its new side was taken")
    return "\n".join(line[1:] for line in lines if line[:1] not in ("-", "@", "\\"))


def unprefixed(text: str, notes: Notes) -> str | None:
    """Without what a log, a box or a diff puts before its lines: nearly all of several lines have it."""
    lines = text.replace("\r\n", "\n").split("\n")
    lines = [line for line in lines if not _RULE.fullmatch(line)]
    told = [line for line in lines if line.strip()]
    if len(told) < 2:
        return None
    for prefix in _PREFIXES:
        if sum(prefix.match(line) is not None for line in told) * 10 < len(told) * 9:
            continue
        notes.mend("what a log or a frame puts before each line was taken out")
        cut = [line[match.end() :] if (match := prefix.match(line)) else line for line in lines]
        if all(_BOX_END.search(line) for line in cut if line.strip()):
            cut = [_BOX_END.sub("", line) for line in cut]
        return "\n".join(cut)
    same = told[0][:200]
    while not all(line.startswith(same) for line in told):
        same = same[:-1]
    same = same[: min((at for at in map(same.find, '{["') if at >= 0), default=len(same))]
    if len(same.strip()) < 2:
        return None
    notes.mend("what a log or a frame puts before each line was taken out")
    return "\n".join(line.removeprefix(same) for line in lines)


def unwrapped(text: str, notes: Notes) -> str | None:
    """With lines joined that were broken at the width of a window: all but the last are equally long."""
    lines = text.strip("\r\n").replace("\r\n", "\n").split("\n")
    widths = {len(line) for line in lines[:-1]}
    if len(lines) < 2 or len(widths) != 1:
        return None
    width = widths.pop()
    is_sure = width in _WIDTHS if len(lines) == 2 else width >= _NARROWEST
    if not is_sure or len(lines[-1]) > width or lines[0].rstrip().endswith(("\\", "^", "`", ",", "{", "=")):
        return None
    notes.mend(f"lines broken at {width} characters were joined")
    return "".join(lines)


def unfolded(text: str, notes: Notes) -> str | None:
    """With lines joined that were broken between words: none of them had room for the next word."""
    lines = [line.rstrip() for line in text.strip().replace("\r\n", "\n").split("\n")]
    # A word that is longer than the width stands on a line of its own.
    width = max((len(line) for line in lines[:-1] if " " in line), default=0)
    if len(lines) < 2 or width < 60 or any(not line or line.endswith(("\\", "^", "`")) for line in lines):
        return None
    if any(len(one) + 1 + len(later.split(None, 1)[0]) <= width for one, later in itertools.pairwise(lines)):
        return None
    notes.mend(f"lines broken between words at {width} characters were joined")
    return " ".join(line.strip() for line in lines)


def unmarkup(text: str, notes: Notes) -> str | None:
    """With the entities of HTML as characters, and without its tags."""
    tags = len(_TAG.findall(text))
    if _ENTITY.search(text) is None and tags < 3:
        return None
    notes.mend("HTML entities and tags were taken out")
    return html.unescape(_TAG.sub("", _BREAK.sub("\n", text)) if tags else text)


def unpercented(text: str, notes: Notes) -> str | None:
    """With JSON that is percent-encoded, as in a form or an address, decoded."""
    if _PERCENT.search(text) is None:
        return None
    notes.mend("percent-encoding was undone")
    return _PERCENT.sub(lambda match: unquote_plus(match[0]), text)


def unprintable(text: str, notes: Notes) -> str | None:
    """With the quoted-printable of a mail undone (RFC 2045, 6.7)."""
    if "=3D" not in text and "=22" not in text and "=7B" not in text and _SOFT.search(text) is None:
        return None
    notes.mend("the quoted-printable of a mail was undone")

    def put(match: re.Match[str]) -> str:
        return bytes.fromhex(match[0].replace("=", "")).decode("utf-8", "surrogateescape")

    return _HEX.sub(put, _SOFT.sub("", text))


def undumped(text: str, notes: Notes) -> str | None:
    """curl --trace-ascii as HTTP text: `0000: ` before lines that were broken, and lines about them."""
    out: list[str] = []
    section = ""
    for line in text.split("\n"):
        found = _DUMPED.match(line)
        if _SECTION.match(line):
            section = line
            out.append("")
        elif found and section.startswith(("=>", "<=")):
            is_data = " data" in section
            out[-1] = out[-1] + found[1] if is_data else f"{out[-1]}\n{found[1]}" if out[-1] else found[1]
    if not section or not any(out):
        return None
    notes.mend("the lines of a curl trace were joined")
    return "\n".join(out)


def unprompted(text: str, notes: Notes) -> str | None:
    """Without the `More? ` by which cmd.exe asks for the rest of a command."""
    if _MORE.search(text) is None:
        return None
    notes.mend("prompts were taken out")
    return _MORE.sub("", text)


def in_parts(text: str, notes: Notes) -> str | None:
    """With each fenced block and each paragraph mended for itself, where its lines say what was done to them."""
    parts = _PART.split(text)
    changed = [_mended_part(part, notes) if "\n" in part.strip("\n") else part for part in parts]
    return None if changed == parts or len(parts) == 1 else "".join(changed)


def _mended_part(part: str, notes: Notes) -> str:
    for mend in (unguttered, undiffed, unprefixed, unwrapped, unfolded):
        changed = mend(part, notes)
        if changed is not None:
            return f"{changed}\n" if part.endswith("\n") and not changed.endswith("\n") else changed
    return part


MENDS: tuple[Mend, ...] = (
    colourless, unmarked, unguttered, undiffed, unprefixed, unprompted, unwrapped, unfolded, unescaped, undoubled,
    unmarkup, unpercented, bases, unprintable, undumped, reprs, enveloped, in_parts,
)  # fmt: skip
"""In the order in which they are tried."""
