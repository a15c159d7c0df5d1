"""HTTP messages as text (RFC 9112), as proxies, `http -v` and our own report show them.

Rules of this file:

* The body is the JSON value behind the head where there is one, cut out by parsing; else what follows up to the
  next message.
* A target without a scheme gets one: http for this machine, else https; that is told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from olv_tui.model import Header, header
from olv_tui.reports.jsonfind import value_end
from olv_tui.reports.pieces import Answer, Call, Piece, message_in
from olv_tui.reports.values import Notes, Refusal, ReportedCall, raw

START = re.compile(
    r"(?:^[ \t]*|(?<=[}\]]))(?:(?P<method>POST|PUT|PATCH|GET|DELETE) (?P<target>\S+) HTTP/[\d.]+"
    r"|(?P<bare>POST) (?P<address>https?://\S+)(?=[ \t]*\r?\n(?:[A-Za-z][\w-]*:[^\n]*\n){0,60}\s*[{\[])"
    r"|HTTP/[\d.]+ (?P<status>\d{3})(?P<reason>[^\r\n]*))[ \t]*\r?$",
    re.MULTILINE,
)
_FIELD = re.compile(r"[ \t]*([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[ \t]*([^\r\n]*?)[ \t]*\r?(?:\n|$)")
PSEUDO = re.compile(r"^[ \t]*:method:?[ \t]", re.MULTILINE)
"""HTTP/2 has fields in the place of a start line."""

_PSEUDO = re.compile(r"^[ \t]*:(method|path|authority|scheme|status)(?::[ \t]*|[ \t]+)(\S+)[ \t]*\r?\n", re.MULTILINE)
_CHUNK = re.compile(r"[0-9A-Fa-f]{1,8}[ \t]*\r?\n")
_CHUNK_SIZE = re.compile(rb"\s*([0-9A-Fa-f]{1,8})[ \t]*\r?\n")
_COUNTED = re.compile(r"^[{}] \[\d+ bytes data\][ \t]*\r?$", re.MULTILINE)  # curl -v where the data went to a file
_BLANK = re.compile(r"[ \t]*\r?(?:\n|$)")
_LOCAL = re.compile(r"(?:localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0)(?::|$)")
_UNSENT = frozenset({"host", "content-length", "connection"})


def pieces(text: str, notes: Notes) -> Iterator[Piece]:
    """The requests and answers of a text in their order. Raises Refusal."""
    text = _with_start_line(text)
    starts = list(START.finditer(text))
    request = b""
    for number, match in enumerate(starts):
        stop = starts[number + 1].start() if number + 1 < len(starts) else len(text)
        headers, at = fields(text, match.end(), stop)
        body = _body(text, at, stop, is_chunked="chunked" in (header(headers, "transfer-encoding") or ""))
        if match["status"]:
            media = (header(headers, "content-type") or "").split(";")[0].strip().lower()
            if body:
                yield Answer(message_in(body, media, request), int(match["status"]))
            continue
        if not body and (header(headers, "content-length") or "0") != "0":
            raise Refusal("The head of the request stands in it, and the body that belongs to it does not.")
        request = body
        url = match["address"] or _url(match["target"], headers, notes)
        kept = tuple(item for item in headers if item[0].lower() not in _UNSENT)
        yield Call(ReportedCall(match["method"] or match["bare"], url, kept, body, form="HTTP text"))


def fields(text: str, at: int, stop: int) -> tuple[tuple[Header, ...], int]:
    """The header fields behind a start line that ends at `at`, and where the body begins."""
    found: list[Header] = []
    line = _BLANK.match(text, at)
    at = line.end() if line else at
    while at < stop:
        blank = _BLANK.match(text, at)
        if blank:
            return tuple(found), blank.end()
        match = _FIELD.match(text, at)
        if match is None:
            break
        found.append((match[1], match[2]))
        at = match.end()
    return tuple(found), at


def _with_start_line(text: str) -> str:
    """The text with the fields of HTTP/2 (`:method: POST`) as the start line that they stand for."""
    if PSEUDO.search(text) is None:
        return text
    told = {match[1]: match[2] for match in _PSEUDO.finditer(text)}
    if not {"method", "path", "authority"} <= told.keys():
        return text
    line = f"{told['method']} {told.get('scheme', 'https')}://{told['authority']}{told['path']} HTTP/2\n"
    first = min(match.start() for match in _PSEUDO.finditer(text))
    return text[:first] + line + _PSEUDO.sub("", text[first:])


def _body(text: str, at: int, stop: int, *, is_chunked: bool = False) -> bytes:
    inside = _COUNTED.sub("", text[at:stop])
    if is_chunked and _CHUNK.match(inside):
        return _unchunked(inside)
    stripped = inside.lstrip()
    if stripped.startswith(("{", "[")):
        end = value_end(stripped, 0)
        if end is not None:
            return raw(stripped[:end])
    return raw(inside.strip())


def _unchunked(text: str) -> bytes:
    """A body without the sizes of its chunks (RFC 9112, 7.1), which count bytes."""
    data, out, at = raw(text), bytearray(), 0
    while match := _CHUNK_SIZE.match(data, at):
        size = int(match[1], 16)
        out += data[match.end() : match.end() + size]
        at = match.end() + size
        if not size:
            break
    return bytes(out).strip()


def _url(target: str, headers: tuple[Header, ...], notes: Notes) -> str:
    if "://" in target:
        return target
    host = header(headers, "host")
    if not host:
        return ""
    scheme = "http" if _LOCAL.match(host) else "https"
    notes.remark(f"The report does not tell the scheme; {scheme} was taken.")
    return f"{scheme}://{host}{target if target.startswith('/') else ''}"
