"""What of a URL stands on the request line.

Rules of this file: pure; as it was written, but for what HTTP cannot carry there. What is known of a URL by its text (a
preview, an export) is what is sent.
"""

from __future__ import annotations

import re
from urllib.parse import quote

from olv_tui.redact import MASK

_VISIBLE = "".join(map(chr, range(0x21, 0x7F)))
_PLAIN = re.compile(r"(?:[A-Za-z0-9_~!$&'()*+,;=:@/?.-]|%[0-9A-Fa-f]{2})*")
_AUTHORITY = re.compile(r"[^:/?#]+://[^/?#]*")


def target_of(url: str) -> str:
    """Path and query, never empty.

    Blanks, control characters and what is no ASCII are percent-encoded (RFC 3987 3.1); a fragment is not sent.
    """
    start = _AUTHORITY.match(url)
    path = encoded(url[start.end() if start else 0 :].partition("#")[0])
    return path if path.startswith("/") else f"/{path}"


def encoded(text: str) -> str:
    """Text with all that is not visible ASCII percent-encoded; the same where there is none of that."""
    return quote(text, safe=_VISIBLE, errors="surrogatepass")


def has_dots(url: str) -> bool:
    """Whether a client would shorten its path (/a/../b), written out or percent-encoded."""
    return re.search(r"/(?:\.|%2e){1,2}(?:[/?#]|$)", url, re.IGNORECASE) is not None


def is_plain(target: str) -> bool:
    """Whether every client writes it as it stands: nothing to be escaped (RFC 3986), shortened or left out in it."""
    return _PLAIN.fullmatch(target) is not None and not target.endswith("?") and not has_dots(target)


def sendable(url: str) -> str:
    """A URL whose path and query can be given to any client as they are sent; the host stays as it is written.

    So do masks of secrets: they are put in by the reader, and have to be seen for that.
    """
    start = _AUTHORITY.match(url)
    at = start.end() if start else 0
    parts, done = [], at
    for mask in MASK.finditer(url, at):
        parts += [encoded(url[done : mask.start()]), mask[0]]
        done = mask.end()
    return "".join((url[:at], *parts, encoded(url[done:])))
