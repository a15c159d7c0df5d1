"""Known values found in text and bytes, as they are and as JSON, HTML, URLs and base64 write them."""

from __future__ import annotations

import binascii
import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import AnyStr, NamedTuple, TypeVar

from .names import SHORTEST

_T = TypeVar("_T")

MASK = re.compile("‹hidden [0-9a-f]{6}›")
"""How a masked secret looks."""

_PLAIN = re.compile(r"[A-Za-z0-9._~\-]+")
_LETTERS = re.compile(r"[A-Za-z0-9]+")
_ENTITIES = {"&": "|amp", "<": "|lt", ">": "|gt", '"': "|quot", "'": "|apos"}
_SHORTEST_PART = 4
"""What is shorter is no anchor, and no remainder of a value that was cut."""


def same_or(old: _T, new: _T) -> _T:
    """The old object where the new one is equal to it."""
    return old if new == old else new


class _Form(NamedTuple):
    """A way that a secret is written; its characters may be escaped further."""

    text: str
    secret: str
    in_base64: bool


class Search:
    """Finds known values in text and bytes.

    A plain search for the longest unescaped part of each value comes first; only where that is found, one
    pattern of all values and their escaped forms does the work.
    """

    def __init__(self, secrets: Iterable[str], mask: Callable[[str], str]) -> None:
        # The longest first: a secret that contains another one is to be masked whole.
        self._ordered = sorted(secrets, key=lambda secret: (-len(secret), secret))
        self._forms = [
            _Form(form, secret, coded)
            for secret in self._ordered
            for plain in dict.fromkeys((secret, _by_byte(secret)))
            for form, coded in ((plain, False), *((one, True) for one in _base64_forms(plain)))
        ]
        self._anchors = [_anchor(form.text) for form in self._forms]
        self._byte_anchors = [anchor.encode() for anchor in self._anchors]
        self._mask = mask
        self._text_pattern: re.Pattern[str] | None = None
        self._byte_pattern: re.Pattern[bytes] | None = None

    def text(self, text: str) -> str:
        """`text` masked, or the same object."""
        if not any(anchor in text for anchor in self._anchors):
            return text
        self._text_pattern = self._text_pattern or re.compile(self._pattern(), re.DOTALL)
        return same_or(text, self._text_pattern.sub(lambda match: self._put(match) or match[0], text))

    def data(self, data: bytes) -> bytes:
        """`data` masked, or the same object."""
        if not any(anchor in data for anchor in self._byte_anchors):
            return data
        return same_or(data, self._for_bytes().sub(lambda match: self._put(match).encode() or match[0], data))

    @property
    def reach(self) -> int:
        """Bytes of the longest form there may be: 12 for each byte, an escape (`\\u002f`) of seven backslashes."""
        return max((12 * len(form.encode("utf-8", "surrogatepass")) for form in self._texts()), default=0)

    def uncut(self, data: bytes, at: int) -> int:
        """`at`, or the beginning of the value that a cut there would leave in two parts."""
        if not any(anchor in data for anchor in self._byte_anchors):
            return at
        for match in self._for_bytes().finditer(data, max(at - 2 * self.reach, 0)):
            if match.end() > at:
                return min(match.start(), at)
        return at

    def open_end(self, data: bytes) -> int:
        """The longest end of `data` that begins a form, as it is written plainly; below `SHORTEST` it tells nothing."""
        found = 0
        for form in {form.encode("utf-8", "surrogatepass") for form in self._texts()}:
            ends = (count for count in range(len(form) - 1, SHORTEST - 1, -1) if data.endswith(form[:count]))
            found = max(found, next(ends, 0))
        return found

    def _texts(self) -> Iterator[str]:
        return (form.text for form in self._forms)

    def _for_bytes(self) -> re.Pattern[bytes]:
        if self._byte_pattern is None:
            self._byte_pattern = re.compile(self._pattern().encode("utf-8", "surrogatepass"), re.DOTALL)
        return self._byte_pattern

    def sentence(self, text: str) -> str:
        """`text` masked, also where a value was cut short by an ellipsis; or the same object."""
        text = self.text(text)
        at = text.find("…")
        while at >= 0:
            for secret in self._ordered:
                most = next((k for k in range(len(secret) - 1, 0, -1) if text.endswith(secret[:k], 0, at)), 0)
                if most >= _SHORTEST_PART:
                    mask = self._mask(secret)
                    text = f"{text[: at - most]}{mask}{text[at:]}"
                    at += len(mask) - most
                    break
            at = text.find("…", at + 1)
        return text

    def reveal(self, text: str) -> str:
        """`text` of JSON with the masks of the known values filled in."""
        if not MASK.search(text):
            return text
        by_mask = {self._mask(secret): json.dumps(secret)[1:-1] for secret in self._ordered}
        return MASK.sub(lambda match: by_mask.get(match[0], match[0]), text)

    def _pattern(self) -> str:
        """Masks first, so that nothing is found inside them; then every form as a group of its own."""
        forms = (f"({''.join(_escapes(char, form.in_base64) for char in form.text)})" for form in self._forms)
        return "|".join((MASK.pattern, *forms))

    def _put(self, match: re.Match[AnyStr]) -> str:
        """The mask for what was found; nothing where it was a mask."""
        return self._mask(self._forms[match.lastindex - 1].secret) if match.lastindex else ""


# --------------------------------------------------------------------------- forms of a value


def _anchor(text: str) -> str:
    """The part of a form that is looked for first: hardly any writer escapes letters, few escape `-`."""
    letters = max(_LETTERS.findall(text), key=len, default="")
    if len(letters) >= _SHORTEST_PART:
        return letters
    plain = max(_PLAIN.findall(text), key=len, default="")
    return plain if len(plain) >= _SHORTEST_PART else ""


def _escapes(char: str, in_base64: bool) -> str:
    """A pattern for one character: itself or what JSON, HTML, percent or base64url encoding make of it."""
    if _LETTERS.fullmatch(char):
        return char
    units = char.encode("utf-16-be", "surrogatepass")
    # Text with escapes in it may stand in another text that is escaped: then each backslash is there more than once.
    code = "".join(rf"\\+u(?i:{units[at : at + 2].hex()})" for at in range(0, len(units), 2))
    percent = "".join(f"%(?:25){{0,2}}(?i:{byte:02x})" for byte in char.encode("utf-8", "surrogatepass"))
    entity = rf"&(?i:#0{{0,2}}{ord(char)}|#x0{{0,2}}{ord(char):x}{_ENTITIES.get(char, '')});"
    forms = [entity, re.escape(char), code, percent]
    if char in "/\"'\\":
        forms.insert(0, r"\\+" if char == "\\" else rf"\\+{re.escape(char)}")
    if char == " ":
        forms.append(r"\+")
    if in_base64:
        forms.append({"+": "-", "/": "_"}.get(char, re.escape(char)))
    return f"(?:{'|'.join(forms)})"


def _base64_forms(secret: str) -> Iterator[str]:
    """What any base64 text that contains the secret, as it is or escaped, holds of it, at its three alignments."""
    if _PLAIN.fullmatch(secret):
        written = {secret: None}
    else:
        from html import escape
        from urllib.parse import quote, quote_plus

        inside, ascii_only = json.dumps(secret, ensure_ascii=False)[1:-1], json.dumps(secret)[1:-1]
        coded = [write(secret, safe=safe, errors="replace") for write in (quote, quote_plus) for safe in ("", "/")]
        others = (json.dumps(inside)[1:-1], escape(secret), repr(secret)[1:-1], secret.replace("\\", "\\\\"))
        written = dict.fromkeys((secret, inside, ascii_only, *coded, *others))
    for text in written:
        yield from _at_alignments(text.encode("utf-8", "surrogatepass"))


def _by_byte(secret: str) -> str:
    """What becomes of it where a server reads a header as Latin-1, as most do."""
    return secret if secret.isascii() else secret.encode("utf-8", "surrogatepass").decode("latin-1")


def _at_alignments(raw: bytes) -> Iterator[str]:
    for shift, start in ((0, 0), (1, 2), (2, 3)):
        stop = (shift + len(raw)) * 8 // 6
        if stop - start >= 8:
            yield binascii.b2a_base64(bytes(shift) + raw).decode("ascii")[start:stop]


def long_enough(secrets: Iterable[str]) -> Iterator[str]:
    """Those that are no words and no masks, without blanks at their ends."""
    for secret in secrets:
        plain = secret.strip()
        if len(plain) >= SHORTEST and not MASK.search(plain):
            yield plain
