"""Any report read back to the call it tells of (design, section 8): one reader per form, tried by evidence.

Rules of this file:

* Nothing is sent, evaluated, opened or fetched. Any input ends in an outcome.
* A repair is tried only where the text as it came tells no call, and every repair is told.
* Of several calls none is chosen in silence: they are all given, and the reader is asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace

from olv_tui import jsonrpc, jsontext
from olv_tui.redact import MASK
from olv_tui.reports import commands, httptext, markdown, pycode, snippet
from olv_tui.reports.jsonfind import broken, cut_off, fault, value_end
from olv_tui.reports.mend_codes import literals
from olv_tui.reports.mends import MENDS
from olv_tui.reports.pieces import Answer, Arguments, Call, Piece, in_text, in_value, paired
from olv_tui.reports.values import Import, Notes, Refusal, ReportedCall

__all__ = ["Import", "ReportedCall", "read_report"]

_CANDIDATES = 6
_LONGEST = 300_000  # characters; a longer text is mended in one way and not in two
_LISTED = 9
_WORK = 30_000_000  # characters of mended texts that are read
_READING = 300_000  # what reading one costs besides
_ADDRESS = re.compile(
    r"(?:\b(?:POST|Request URL:?|POST URL:?)\s+(?:to\s+)?|\b(?:url|endpoint|uri)[\"']?\s*[:=]\s*)[\"'<`]?(https?://[^\s\"'<>`]+)",
    re.IGNORECASE,
)
_ANY_ADDRESS = re.compile(r"https?://|^\W{0,9}host:|^:authority", re.IGNORECASE | re.MULTILINE)
_NO_ADDRESS = re.compile(r"\s|^https?://(?!localhost)[^./:]{0,40}$")


def read_report(text: str | bytes, without: Collection[str] = ()) -> Import:
    """Read a report in any form. Never raises; the same text always gives the same outcome.

    Bytes are taken for UTF-8, or UTF-16 with a byte order mark; bytes that are neither come back unchanged in the
    body that holds them. `without` are mends (phrases of `Import.mended`) that are not to be made.
    """
    given = _decoded(text)
    if not given.strip():
        return Import("refused", message="There is nothing in it.")
    best, worth = _read(given, Notes(without))
    if worth == _SOUND or (worth == _UNADDRESSED and len(given) > _LONGEST // 10):
        return best
    # A text may need two mends: the marks of a mail around the colours of a terminal.
    candidates: list[tuple[str, Notes]] = [(given, Notes(without))]
    work = _WORK
    for mend in MENDS:
        for base, before in candidates[: _CANDIDATES if len(given) < _LONGEST else 1]:
            notes = Notes(without)
            notes.take(before)
            changed = mend(base, notes)
            if changed is None or changed == base or not notes.mended.keys().isdisjoint(without):
                continue
            if (work := work - len(changed) - _READING) < 0:
                return best
            tried = Notes(without)
            tried.take(notes)
            found, value = _read(changed, tried)
            candidates.append((changed, notes))
            if value > worth and _is_better(found, best, worth):
                best, worth = found, value
                if worth == _SOUND:
                    return best
    return best


_NOTHING, _REASON, _ARGUMENTS, _TORN, _UNADDRESSED, _SOUND = range(6)
"""How much a reading tells. `_REASON`: why a call cannot be had; `_UNADDRESSED`: of calls, not where they go."""


def _is_better(found: Import, best: Import, worth: int) -> bool:
    """Whether a mended text tells it better, and not otherwise."""
    if worth == _UNADDRESSED:
        # White space between values may be of a line that was broken.
        bodies, others = ([re.sub(rb"\s", b"", call.body) for call in one.calls] for one in (found, best))
        return bodies == others
    return not best.calls or all(map(_is_message, found.calls))


def _worth(calls: tuple[ReportedCall, ...], text: str) -> int:
    if any(map(_is_torn, calls)):
        return _TORN
    return _SOUND if all(call.url for call in calls) or not _ANY_ADDRESS.search(text) else _UNADDRESSED


_EXACT = frozenset({"a report of olv-tui", "a record of olv-tui", "HAR", "Postman"})
"""Forms that say themselves what the body is."""

_QUOTING = frozenset({"curl", "HTTPie", "wget", "PowerShell", "Python"})
"""Forms whose quotes say what the body is, unless a line was broken inside of them."""


def _is_torn(call: ReportedCall) -> bool:
    """Whether a call has a line break where none can be, or no message, so that a mended text may tell it better."""
    if call.form in _EXACT:
        return False
    if _NO_ADDRESS.search(MASK.sub("", call.url)) or any("\n" in value for _, value in call.headers):
        return True
    if call.form in _QUOTING and call.body and b"\n" not in call.body:
        return False
    return call.method not in ("GET", "DELETE") and not jsontext.parse(call.body).has_value


def _is_message(call: ReportedCall) -> bool:
    """Whether a mend made sense of a call that was told without it already."""
    return call.method in ("GET", "DELETE") or jsontext.parse(call.body).has_value


def _decoded(text: str | bytes) -> str:
    if isinstance(text, bytes):
        if text[:2] in (b"\xff\xfe", b"\xfe\xff"):
            text = text.decode("utf-16", "replace")
        else:
            text = text.decode("utf-8", "surrogateescape")
    return text.removeprefix("\ufeff")


# --------------------------------------------------------------------------- forms


def _read(text: str, notes: Notes) -> tuple[Import, int]:
    """The outcome for one text, and how much it tells."""
    try:
        pieces = _pieces(text, notes)
    except Refusal as refusal:
        return Import("refused", (), tuple(notes.mended), _message(notes, str(refusal))), _REASON
    if unwanted := [phrase for phrase in notes.mended if phrase in notes.without]:
        return Import("refused", message=f"No call can be read in it without this mend: {unwanted[0]}."), _NOTHING
    calls = tuple(paired(pieces, notes))
    mended = tuple(notes.mended)
    if len(calls) == 1:
        return Import("imported", calls, mended, _message(notes, _scheme(calls[0]))), _worth(calls, text)
    if calls:
        return Import("asked", calls, mended, _message(notes, _listed(calls))), _worth(calls, text)
    arguments = [piece for piece in pieces if isinstance(piece, Arguments)]
    is_lone = len(arguments) == 1 and not any(isinstance(piece, Answer) for piece in pieces)
    if is_lone and broken(text, arguments[0].text) is None:
        asking = "It is a JSON object and no message: are these the arguments of a tool, and of which?"
        return Import("asked", (), mended, _message(notes, asking), arguments[0].text), _ARGUMENTS
    return Import("refused", (), mended, _message(notes, _why_not(text, pieces))), _NOTHING


def _pieces(text: str, notes: Notes) -> list[Piece]:
    """Requests and answers, found by the reader that the evidence speaks for. Raises Refusal."""
    stripped = text.strip()
    if stripped.startswith(("{", "[")) and value_end(stripped, 0) == len(stripped):
        return list(in_value(stripped, notes))
    if command := commands.whole(text, notes):
        return command
    if markdown.FENCE.search(text):
        found = markdown.pieces(text, notes, _unfenced)
    else:
        found = markdown.spans(text, notes, _unfenced)
    calls = [piece for piece in found if isinstance(piece, Call)]
    # What looks like a code span may be a string of JavaScript.
    is_code = all(piece.is_bare for piece in calls) and not markdown.FENCE.search(text) and snippet.LOOKS.search(text)
    return found if calls and not is_code else _unfenced(text, notes)


def _unfenced(text: str, notes: Notes) -> list[Piece]:
    """The same for text without fences. Raises Refusal."""
    readers: list[Callable[[str, Notes], list[Piece]]] = [commands.pieces]
    if pycode.LOOKS.search(text):
        readers.insert(0, _python)
    if httptext.START.search(text) or httptext.PSEUDO.search(text):
        readers.append(_http)
    refusal: Refusal | None = None
    answers: list[Piece] = []
    for reader in readers:
        own = Notes(notes.without)
        try:
            found = reader(text, own)
        except Refusal as told:
            refusal = refusal or told
            continue
        if any(isinstance(piece, Call) for piece in found):
            notes.take(own)
            return found
        answers = answers or found
    own = Notes(notes.without)
    is_code = snippet.LOOKS.search(text) is not None
    inside: Iterable[Piece] = in_text(literals(text, own, is_code=is_code), own)
    if is_code:
        inside = snippet.dressed(text, list(inside))
    found = list(_with_addresses(text, inside))
    if refusal is not None and not any(isinstance(piece, Call) for piece in found):
        raise refusal
    notes.take(own)
    if refusal is not None:
        notes.remark(str(refusal))
    if found and text.lstrip()[:1] in ("{", "[") and (why := cut_off(text)) is not None:
        notes.remark(f"What it stands in is cut off or broken: {why}.")
    return answers if answers and not any(isinstance(piece, Call) for piece in found) else found


def _http(text: str, notes: Notes) -> list[Piece]:
    """HTTP messages; an answer without a head of its own is one all the same."""
    found = list(httptext.pieces(text, notes))
    if any(isinstance(piece, Answer) for piece in found):
        return found
    return [*found, *(piece for piece in in_text(text, Notes()) if isinstance(piece, Answer))]


def _python(text: str, notes: Notes) -> list[Piece]:
    calls: list[Piece] = [Call(replace(call, form="Python")) for call in pycode.calls(text, notes)]
    return [*calls, *(piece for piece in in_text(text, Notes()) if isinstance(piece, Answer) and calls)]


def _with_addresses(text: str, pieces: Iterable[Piece]) -> Iterator[Piece]:
    """A lone envelope with the address that stands behind POST in a log line, where there is exactly one."""
    addresses = set(_ADDRESS.findall(text))
    address = addresses.pop() if len(addresses) == 1 else ""
    for piece in pieces:
        if isinstance(piece, Call) and piece.is_bare and address:
            call = piece.call
            yield Call(replace(call, url=address))
        else:
            yield piece


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
    if (why := broken(text)) is not None:
        return f"It holds a message that is cut off or broken: {why}."
    if re.search("[“”‘’]", text):
        return "No call was found in it; its quotes are typographic (“ ” ‘ ’), which no program reads as quotes."
    return "No call was found in it: no JSON-RPC message, no curl or HTTPie command, no HAR, no report of olv-tui."
