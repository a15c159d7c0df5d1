"""Markdown read: issues with fenced blocks, and our own bug report (CommonMark 0.31, 4.5 and 5.1).

Rules of this file:

* A block is read by what is in it, never by its language alone.
* What an issue calls expected is not what came, so it is no answer to compare with where another one is there.
* Our own report says in the info strings of its fences what each block is, and reads back byte for byte.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from olv_tui.model import Era
from olv_tui.reports import httptext
from olv_tui.reports.pieces import Answer, Arguments, Call, Piece, absent
from olv_tui.reports.values import Notes, Refusal, ReportedCall, raw, shown

FENCE = re.compile(
    r"^(?P<before>[ \t]*(?:(?:>|[-*+]|\d{1,3}[.)])[ \t]*)*)(?P<mark>`{3,}|~{3,})(?P<info>[^\n]*)$", re.MULTILINE
)
_INLINE = re.compile(r"(?<!`)(`+)(?!`)([^`\n]{4,}?)(?<!`)\1(?!`)")
_TELLING = re.compile(r"\bcurl\b|\bhttps?\b|jsonrpc|Invoke-", re.IGNORECASE)
_EXPECTED = re.compile(r"\bexpect|\bshould\b|\bdesired", re.IGNORECASE)
_ACTUAL = re.compile(r"\bactual|\bgot\b|\bcame\b|\bobserved|\breceived|\bresponse\b|\banswer|\boutput\b", re.IGNORECASE)
_REQUEST_LINE = re.compile(r"(?P<method>\S+) (?P<target>[^\n]+) HTTP/1\.1(?:\n|\Z)")
"""The first line of a request in our own report; a blank stands in the mask of a secret."""
_OURS = "olv-tui"
_ERA = re.compile(r"^- Era: `(modern|legacy|bare)`", re.MULTILINE)
_STATUS = re.compile(r"^- HTTP: `(\d{3})", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: its info string, its text without the last line end, and the words before it."""

    info: str
    text: str
    before: str
    end: int


def blocks(text: str) -> list[Block]:
    """The fenced blocks of a text; one that is never closed goes on to the end."""
    found: list[Block] = []
    at = 0
    while (match := FENCE.search(text, at)) is not None:
        mark, indent = match["mark"], match["before"]
        if mark[0] == "`" and "`" in match["info"]:
            before = text[at : match.end()]
            at = match.end()
            continue
        start = min(match.end() + 1, len(text))
        close = re.compile(rf"^[ \t>]*{re.escape(mark[0])}{{{len(mark)},}}[ \t\r]*$", re.MULTILINE).search(text, start)
        inside = text[start : close.start() if close else len(text)]
        inside = inside[:-1] if close and inside.endswith("\n") else inside
        before = text[found[-1].end if found else 0 : match.start()]
        at = close.end() if close else len(text)
        found.append(Block(match["info"].strip(), _outdented(inside, indent), before, at))
    return found


def _outdented(inside: str, indent: str) -> str:
    """A block without the quote marks or the indent that its fence had."""
    if not indent:
        return inside
    marks = re.compile(r"[ \t]*(?:>[ \t]?)*" if ">" in indent else rf"[ \t]{{0,{len(indent)}}}")
    lines = []
    for line in inside.split("\n"):
        match = marks.match(line)
        lines.append(line[match.end() :] if match else line)
    return "\n".join(lines)


def pieces(text: str, notes: Notes, read: Callable[[str, Notes], list[Piece]]) -> list[Piece]:
    """What the blocks of a text tell, each read by `read`; blocks of our own report as they say. Raises Refusal."""
    found = blocks(text)
    ours = own_report(text, found)
    if ours is not None:
        return [ours]
    out: list[Piece] = []
    refusal: Refusal | None = None
    for block in found:
        try:
            inner = read(block.text, notes)
        except Refusal as told:
            refusal = refusal or told
            continue
        label = _label(block.before)
        if not any(isinstance(piece, Call | Answer) for piece in inner) and label == "actual":
            inner = [*inner, *_plain_answer(block, out)]
        out += [replace(piece, label=label) if isinstance(piece, Answer) else piece for piece in inner]
    if not any(isinstance(piece, Call) for piece in out):
        out += spans(_outside(text, found), notes, read)
    if refusal is not None:
        if not any(isinstance(piece, Call) for piece in out):
            raise refusal
        notes.remark(str(refusal))
    return out


def spans(text: str, notes: Notes, read: Callable[[str, Notes], list[Piece]]) -> list[Piece]:
    """What code spans tell, where one of them tells a call; nothing else. Raises Refusal."""
    out: list[Piece] = []
    for match in _INLINE.finditer(text):
        if _TELLING.search(match[2]):
            out += [piece for piece in read(match[2], notes) if not isinstance(piece, Arguments)]
    return out if any(isinstance(piece, Call) for piece in out) else []


def _label(before: str) -> str:
    """What the nearest words before a block call it."""
    for line in reversed([line for line in before.split("\n") if line.strip()][-3:]):
        is_expected, is_actual = _EXPECTED.search(line), _ACTUAL.search(line)
        if is_expected and not is_actual:
            return "expected"
        if is_actual and not is_expected:
            return "actual"
    return ""


def _plain_answer(block: Block, before: list[Piece]) -> Iterator[Piece]:
    """An answer that is no JSON-RPC (an HTML page), where the words say so and a call stands before it."""
    if block.text.strip() and any(isinstance(piece, Call) for piece in before):
        yield Answer(raw(block.text))


def _outside(text: str, found: list[Block]) -> str:
    return "\n".join((*(block.before for block in found), text[found[-1].end if found else 0 :]))


# --------------------------------------------------------------------------- our own report


def own_report(text: str, found: list[Block]) -> Call | None:
    """The call of our own report, None where the text is none."""
    parts: dict[str, Block] = {}
    for block in found:
        form, _, what = block.info.partition(" ")
        if what.startswith(_OURS):
            parts.setdefault(what[len(_OURS) :].strip(), replace(block, info=form))
    if "request" not in parts or "body" not in parts:
        return None
    head = shown(_bytes(parts["request"]))
    match = _REQUEST_LINE.match(head)
    if match is None:
        return None
    headers, _ = httptext.fields(head, match.end(), len(head))
    answer = parts.get("answer")
    era, status = _ERA.search(text), _STATUS.search(text)
    return Call(
        ReportedCall(
            match["method"],
            match["target"],
            headers,
            _bytes(parts["body"]),
            None if answer is None else _bytes(answer),
            int(status[1]) if status else None,
            without=absent(headers),
            era=Era(era[1]) if era else None,
            form="a report of olv-tui",
        )
    )


def _bytes(block: Block) -> bytes:
    if block.info != "base64":
        return raw(block.text)
    try:
        return binascii.a2b_base64(block.text)
    except ValueError:
        return raw(block.text)
