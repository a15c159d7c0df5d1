"""A body as the text of an editor, and back, byte for byte.

Rules of this file: bytes that are no UTF-8 stand in a text as lone surrogates, one a byte, and become the same bytes
again. It imports nothing: the main screen needs it before its first paint.
"""

from __future__ import annotations


def as_text(body: bytes) -> str:
    """A body as text; bytes that are no UTF-8 become lone surrogates, which `as_bytes` turns back."""
    return body.decode("utf-8", "surrogateescape")


def as_bytes(text: str) -> bytes:
    """The bytes of a text from `as_text` or from an editor."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")
