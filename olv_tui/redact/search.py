"""Known values found in text and bytes, as they are and as JSON, HTML, URLs and base64 write them."""

from __future__ import annotations

import binascii
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import AnyStr, TypeVar

from olv_tui.courtesy import PIECE, pieces

from .names import SHORTEST

_T = TypeVar("_T")

MASK = re.compile("‹hidden [0-9a-f]{6}›")
"""How a masked secret looks."""

_PLAIN = re.compile(r"[A-Za-z0-9._~\-]+")
_ESCAPE = r"\\u00(3[0-9]|[46][1-9a-fA-F]|[57][0-9aA])"
"""A letter or digit as JSON may write it and hardly any writer does: such a text is looked at once more without."""
_LOOK, _LOOK_BYTES = re.compile(_ESCAPE), re.compile(_ESCAPE.encode())
_ESCAPED, _ESCAPED_BYTES = re.compile(r"\\*" + _ESCAPE), re.compile((r"\\*" + _ESCAPE).encode())
_LETTERS = re.compile(r"[A-Za-z0-9]+")
_ENTITIES = {"&": "|amp", "<": "|lt", ">": "|gt", '"': "|quot", "'": "|apos"}
_SHORTEST_PART = 4
"""Of a value that was cut, so much is known by sight."""

_PARTS = 4
_MOST_PATTERNS = 64


def same_or(old: _T, new: _T) -> _T:
    """The old object where the new one is equal to it."""
    return old if new == old else new


class _Form:
    """A way that a secret is written; its characters may be escaped further."""

    def __init__(self, text: str, secret: str, *, in_base64: bool) -> None:
        self.text, self.secret = text, secret
        self._in_base64 = in_base64
        self.starts = _starts(text[0])
        # Hardly any writer escapes letters: all of these stand in a text that holds the form.
        self._parts = sorted(set(_LETTERS.findall(text)), key=lambda part: (-len(part), part))[:_PARTS]
        self._byte_parts = [part.encode() for part in self._parts]
        self._signs = (text[0], "\\u", "%", "&")  # Without a letter in it, it is found by how it may begin.
        self._byte_signs = [sign.encode("utf-8", "surrogatepass") for sign in self._signs]

    @cached_property
    def pattern(self) -> str:
        """The pattern that finds it; most runs meet none of their secrets and never make it."""
        return "".join(_escapes(char, self._in_base64) for char in self.text)

    def may_be_in(self, text: str) -> bool:
        """Whether it is worth looking closer."""
        return all(part in text for part in self._parts) if self._parts else any(sign in text for sign in self._signs)

    def may_be_in_bytes(self, data: bytes) -> bool:
        """The same of bytes."""
        if self._byte_parts:
            return all(_is_in(part, data) for part in self._byte_parts)
        return any(_is_in(sign, data) for sign in self._byte_signs)


class Search:
    """Finds known values in text and bytes.

    A plain search for the letters and digits of each form comes first; then one pattern of those forms alone that may
    be there does the work, since a pattern of all would take seconds for a megabyte.
    """

    def __init__(self, secrets: Iterable[str], mask: Callable[[str], str]) -> None:
        # The longest first: a secret that contains another one is to be masked whole.
        self._ordered = sorted(secrets, key=lambda secret: (-len(secret), secret))
        self._forms = [
            _Form(text, secret, in_base64=in_base64)
            for secret in self._ordered
            for text, in_base64 in dict.fromkeys(_forms(secret))
        ]
        self._mask = mask
        self._patterns: dict[tuple[_Form, ...], re.Pattern[str]] = {}
        self._byte_patterns: dict[tuple[_Form, ...], re.Pattern[bytes]] = {}

    def text(self, text: str) -> str:
        """`text` masked, or the same object."""
        found = self._masked(text)
        if found is text and self._forms and _LOOK.search(text):
            plain = _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text)
            return text if (again := self._masked(plain)) is plain else again
        return found

    def _masked(self, text: str) -> str:
        likely = tuple(form for form in self._forms if form.may_be_in(text))
        if not likely:
            return text
        return same_or(text, self._pattern(likely).sub(lambda match: self._put(match, likely) or match[0], text))

    def data(self, data: bytes) -> bytes:
        """`data` masked, or the same object."""
        found = self._masked_bytes(data)
        if found is data and self._forms and _LOOK_BYTES.search(data):
            plain = _ESCAPED_BYTES.sub(lambda match: bytes((int(match[1], 16),)), data)
            return data if (again := self._masked_bytes(plain)) is plain else again
        return found

    def _masked_bytes(self, data: bytes) -> bytes:
        likely = tuple(form for form in self._forms if form.may_be_in_bytes(data))
        if not likely:
            return data
        pattern = self._byte_pattern(likely)
        return same_or(data, pattern.sub(lambda match: self._put(match, likely).encode() or match[0], data))

    @property
    def reach(self) -> int:
        """Bytes of the longest form there may be: 12 for each byte, an escape (`\\u002f`) of seven backslashes."""
        return max((12 * len(form.encode("utf-8", "surrogatepass")) for form in self._texts()), default=0)

    def uncut(self, data: bytes, at: int) -> int:
        """`at`, or the beginning of the value that a cut there would leave in two parts."""
        likely = tuple(form for form in self._forms if form.may_be_in_bytes(data))
        if not likely:
            return at
        for match in self._byte_pattern(likely).finditer(data, max(at - 2 * self.reach, 0)):
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

    def reveal(self, text: str, others: Mapping[str, str]) -> str:
        """`text` of JSON with the masks of the known values, and of `others` by their masks, filled in."""
        if not MASK.search(text):
            return text
        values = {**others, **{self._mask(secret): secret for secret in self._ordered}}
        by_mask = {mask: json.dumps(value)[1:-1] for mask, value in values.items()}
        return MASK.sub(lambda match: by_mask.get(match[0], match[0]), text)

    def _pattern(self, forms: tuple[_Form, ...]) -> re.Pattern[str]:
        return _kept(self._patterns, forms, lambda: re.compile(_pattern(forms), re.DOTALL))

    def _byte_pattern(self, forms: tuple[_Form, ...]) -> re.Pattern[bytes]:
        return _kept(
            self._byte_patterns,
            forms,
            lambda: re.compile(_pattern(forms).encode("utf-8", "surrogatepass"), re.DOTALL),
        )

    def _put(self, match: re.Match[AnyStr], forms: tuple[_Form, ...]) -> str:
        """The mask for what was found; nothing where it was a mask."""
        return self._mask(forms[match.lastindex - 1].secret) if match.lastindex else ""


def _is_in(part: bytes, data: bytes) -> bool:
    """`part in data` in pieces, so that a thread which looks through an answer does not hold up the others."""
    return any(data.find(part, at, at + PIECE + len(part) - 1) >= 0 for at in pieces(len(data)))


# --------------------------------------------------------------------------- forms of a value


def _pattern(forms: tuple[_Form, ...]) -> str:
    """Masks first, so that nothing is found inside them; then every form as a group of its own.

    The set of possible first characters in front lets most places be passed over at once.
    """
    starts = sorted({start for form in forms for start in form.starts} | {MASK.pattern[0]})
    every = "|".join((MASK.pattern, *(f"({form.pattern})" for form in forms)))
    return f"(?=[{''.join(map(re.escape, starts))}])(?:{every})"


def _kept(
    patterns: dict[tuple[_Form, ...], re.Pattern[AnyStr]],
    forms: tuple[_Form, ...],
    make: Callable[[], re.Pattern[AnyStr]],
) -> re.Pattern[AnyStr]:
    """The pattern of these forms, made once; all go where many are kept."""
    found = patterns.get(forms)
    if found is None:
        found = make()
        if len(patterns) >= _MOST_PATTERNS:
            patterns.clear()
        patterns[forms] = found
    return found


def _forms(secret: str) -> Iterator[tuple[str, bool]]:
    """The texts that it is written as, and whether they are in base64."""
    yield secret, False
    digits = secret.encode("utf-8", "surrogatepass").hex()
    yield from ((digits, False), (digits.upper(), False))
    yield from ((text, True) for text in _base64_forms(secret))
    if not secret.isascii():
        # What becomes of it where a server reads a header as Latin-1, as most do.
        by_byte = secret.encode("utf-8", "surrogatepass").decode("latin-1")
        yield by_byte, False
        yield from ((text, True) for text in _at_alignments(by_byte.encode()))


def _starts(char: str) -> frozenset[str]:
    """What a character, escaped or not, may begin with."""
    return frozenset(char) if _LETTERS.fullmatch(char) else frozenset((char, *"\\%&+-_"))


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
