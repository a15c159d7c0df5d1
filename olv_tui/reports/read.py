"""Any report read back to the call it tells of (design, section 8): one reader per form, tried by evidence.

Rules of this file:

* Nothing is sent, evaluated, opened or fetched. Any input ends in an outcome.
* A repair is tried only where the text as it came tells no call, and every repair is told.
* Of several calls none is chosen in silence: they are all given, and the reader is asked.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator

from olv_tui import jsonrpc, jsontext
from olv_tui.reports import commands, httptext, markdown, pycode
from olv_tui.reports.jsonfind import fault, value_end
from olv_tui.reports.pieces import Answer, Arguments, Call, Piece, in_text, in_value, paired
from olv_tui.reports.values import Import, Notes, Refusal, ReportedCall

__all__ = ["Import", "ReportedCall", "read_report"]

_GUTTER = re.compile(r"[ \t]*(\d{1,6})(?:[ \t]*[|:│]|[ \t]{1,4}|\t)[ \t]?")
_QUOTED = re.compile(r"[ \t]*>[ ]?")
_WIDTHS = frozenset({72, 76, 78, 79, 80, 100, 120, 132, 160, 200})
_LISTED = 9


def read_report(text: str | bytes) -> Import:
    """Read a report in any form. Never raises; the same text always gives the same outcome.

    Bytes are taken for UTF-8, or UTF-16 with a byte order mark; bytes that are neither come back unchanged in the
    body that holds them.
    """
    given = _decoded(text)
    if not given.strip():
        return Import("refused", message="There is nothing in it.")
    best: Import | None = None
    for mend in _MENDS:
        notes = Notes()
        changed = mend(given, notes)
        if changed is None:
            continue
        found = _read(changed, notes)
        if found.calls and (best is None or not best.calls or _is_better(found, best)):
            best = found
        best = best or found
        if best.calls and not _is_torn(best):
            break
    return best or Import("refused", message="No call was found in it.")


def _decoded(text: str | bytes) -> str:
    if isinstance(text, bytes):
        if text[:2] in (b"\xff\xfe", b"\xfe\xff"):
            text = text.decode("utf-16", "replace")
        else:
            text = text.decode("utf-8", "surrogateescape")
    return text.removeprefix("\ufeff")


# --------------------------------------------------------------------------- forms


def _read(text: str, notes: Notes) -> Import:
    """The outcome for one text."""
    try:
        pieces = _pieces(text, notes)
    except Refusal as refusal:
        return Import("refused", (), tuple(notes.mended), _message(notes, str(refusal)))
    calls = tuple(paired(pieces, notes))
    mended = tuple(notes.mended)
    if len(calls) == 1:
        return Import("imported", calls, mended, _message(notes, _scheme(calls[0])))
    if calls:
        return Import("asked", calls, mended, _message(notes, _listed(calls)))
    arguments = [piece for piece in pieces if isinstance(piece, Arguments)]
    if len(arguments) == 1 and not any(isinstance(piece, Answer) for piece in pieces):
        asking = "It is a JSON object and no message: are these the arguments of a tool, and of which?"
        return Import("asked", (), mended, _message(notes, asking), arguments[0].text)
    return Import("refused", (), mended, _message(notes, _why_not(text, pieces)))


def _pieces(text: str, notes: Notes) -> list[Piece]:
    """Requests and answers, found by the reader that the evidence speaks for. Raises Refusal."""
    stripped = text.strip()
    if stripped.startswith(("{", "[")) and value_end(stripped, 0) == len(stripped):
        return list(in_value(stripped, notes))
    if markdown.FENCE.search(text):
        found = markdown.pieces(text, notes, _unfenced)
    else:
        found = markdown.spans(text, notes, _unfenced)
    if any(isinstance(piece, Call) for piece in found):
        return found
    return _unfenced(text, notes)


def _unfenced(text: str, notes: Notes) -> list[Piece]:
    """The same for text without fences. Raises Refusal."""
    readers: list[Callable[[str, Notes], list[Piece]]] = [commands.pieces]
    if pycode.LOOKS.search(text):
        readers.insert(0, _python)
    if httptext.START.search(text):
        readers.append(lambda given, own: list(httptext.pieces(given, own)))
    refusal: Refusal | None = None
    answers: list[Piece] = []
    for reader in readers:
        own = Notes()
        try:
            found = reader(text, own)
        except Refusal as told:
            refusal = refusal or told
            continue
        if any(isinstance(piece, Call) for piece in found):
            notes.take(own)
            return found
        answers = answers or found
    own = Notes()
    found = list(_with_addresses(text, in_text(text, own)))
    if refusal is not None and not any(isinstance(piece, Call) for piece in found):
        raise refusal
    notes.take(own)
    if refusal is not None:
        notes.remark(str(refusal))
    return answers if answers and not any(isinstance(piece, Call) for piece in found) else found


def _python(text: str, _: Notes) -> list[Piece]:
    calls: list[Piece] = [Call(call) for call in pycode.calls(text)]
    return [*calls, *(piece for piece in in_text(text, Notes()) if isinstance(piece, Answer) and calls)]


def _with_addresses(text: str, pieces: Iterator[Piece]) -> Iterator[Piece]:
    """A lone envelope with the address that stands behind POST in a log line, where there is exactly one."""
    addresses = set(re.findall(r"\bPOST[ \t]+[\"']?(https?://[^\s\"'<>]+)", text))
    address = addresses.pop() if len(addresses) == 1 else ""
    for piece in pieces:
        if isinstance(piece, Call) and piece.is_bare and address:
            call = piece.call
            yield Call(ReportedCall(call.method, address, call.headers, call.body))
        else:
            yield piece


# --------------------------------------------------------------------------- mends of whole texts


def _as_it_is(text: str, _: Notes) -> str | None:
    return text


def _unquoted(text: str, notes: Notes) -> str | None:
    """Without the `> ` of a quoted mail or issue, where every line has it."""
    lines = text.strip("\n").split("\n")
    marks = [_QUOTED.match(line) for line in lines]
    if not all(mark or not line.strip() for mark, line in zip(marks, lines, strict=True)) or not any(marks):
        return None
    notes.mend("quote marks before lines were taken out")
    return "\n".join(line[mark.end() :] if mark else line for mark, line in zip(marks, lines, strict=True))


def _ungutter(text: str, notes: Notes) -> str | None:
    """Without line numbers, where every line has one and they count up."""
    lines = text.strip("\n").split("\n")
    matches = [_GUTTER.match(line) or re.match(r"[ \t]*(\d{1,6})[ \t]*$", line) for line in lines]
    numbers = [int(match[1]) for match in matches if match]
    counts_up = len(numbers) == len(lines) and all(later - one == 1 for one, later in itertools.pairwise(numbers))
    if len(lines) < 2 or not counts_up:
        return None
    notes.mend("line numbers before lines were taken out")
    return "\n".join(line[match.end() :] for line, match in zip(lines, matches, strict=True) if match)


def _unwrapped(text: str, notes: Notes) -> str | None:
    """With lines joined that were broken at the width of a window: all but the last are equally long."""
    lines = text.strip("\r\n").replace("\r\n", "\n").split("\n")
    widths = {len(line) for line in lines[:-1]}
    if len(lines) < 2 or len(widths) != 1:
        return None
    width = widths.pop()
    is_sure = width in _WIDTHS if len(lines) == 2 else width >= 40
    if not is_sure or len(lines[-1]) > width or lines[0].rstrip().endswith(("\\", "^", "`", ",", "{")):
        return None
    notes.mend(f"lines broken at {width} characters were joined")
    return "".join(lines)


_MENDS = (_as_it_is, _unquoted, _ungutter, _unwrapped)


def _is_torn(found: Import) -> bool:
    """Whether a call has a line break where none can be, so that a mended text may tell it better."""
    return any(
        "\n" in call.url
        or any("\n" in value for _, value in call.headers)
        or (b"\n" in call.body and not jsontext.parse(call.body).has_value)
        for call in found.calls
    )


def _is_better(found: Import, best: Import) -> bool:
    return _is_torn(best) and not _is_torn(found)


# --------------------------------------------------------------------------- words


def _message(notes: Notes, last: str) -> str:
    mended = f"Mended: {'; '.join(notes.mended)}." if notes.mended else ""
    return " ".join(part for part in (mended, *notes.remarks, last) if part)


def _scheme(call: ReportedCall) -> str:
    return "" if call.url else "The report names no address."


def _listed(calls: tuple[ReportedCall, ...]) -> str:
    told = "; ".join(f"{number} {described(call)}" for number, call in enumerate(calls[:_LISTED], 1))
    more = f"; and {len(calls) - _LISTED} more" if len(calls) > _LISTED else ""
    return f"There are {len(calls)} calls in it, which one is meant? {told}{more}."


def described(call: ReportedCall) -> str:
    """A call in a few words: method, tool and id."""
    outgoing = jsonrpc.read_request(call.body)
    if outgoing.kind == "batch":
        return f"a batch of {len(outgoing.ids)}"
    if outgoing.method is None:
        return f"{call.method} {call.url or 'without address'} with {len(call.body)} bytes"
    tool = f" {outgoing.tool}" if outgoing.tool else ""
    return f"{outgoing.method}{tool}" + (f" (id {outgoing.id})" if outgoing.id else "")


def _why_not(text: str, pieces: list[Piece]) -> str:
    if any(isinstance(piece, Answer) for piece in pieces):
        return "It holds an answer, and no request that led to it."
    if sum(isinstance(piece, Arguments) for piece in pieces) > 1:
        return "It holds several JSON objects, and none of them is a JSON-RPC message."
    if (why := fault(text)) is not None:
        return f"It looks like JSON and is none: {why}."
    if re.search("[“”‘’]", text):
        return "No call was found in it; its quotes are typographic (“ ” ‘ ’), which no program reads as quotes."
    return "No call was found in it: no JSON-RPC message, no curl or HTTPie command, no HAR, no report of olv-tui."
