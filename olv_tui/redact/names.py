"""The names that secrets stand under, and the values found there."""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterable, Iterator, Mapping

from olv_tui.model import Header

SHORTEST = 6
"""Values shorter than this are masked in their header or parameter, but not looked for elsewhere: they are words."""

_SHORTEST_COOKIE = 12
"""Cookies hold settings beside sessions (`theme=darkmode`); session values are longer than that."""

_HEADERS = frozenset(
    {"authorization", "proxy-authorization", "cookie", "set-cookie", "set-cookie2", "mcp-session-id", "x-auth"}
)
_PARAMETERS = frozenset({"auth", "jwt", "key", "pass", "pwd", "sid", "sig"})
# `tokens` in the plural is an amount (x-ratelimit-remaining-tokens, max_tokens), not a secret.
_WORD = re.compile(
    r"token(?!s(?:$|[-_]))|secret|(?:api|access|auth|private)[-_]?key|passw(?:or)?d|passphrase|session[-_]?id",
    re.IGNORECASE,
)
LINKS = frozenset({"location", "content-location", "referer", "origin", "link", "refresh"})

SCHEME = re.compile(
    r"(\s*(?:bearer|basic|digest|token|negotiate|ntlm|dpop|apikey|oauth|hawk|jwt|aws4-hmac-sha256)\s+)(\S.*)",
    re.IGNORECASE | re.DOTALL,
)
# Userinfo by pattern and not by a URL parser: broken addresses are masked too, and nothing can raise.
USERINFO = re.compile(r"(\s*(?:[a-z][a-z0-9+.\-]*:)?[/\\]+|)([^/\\?#]+)@", re.IGNORECASE)
# A password with a slash in it ends the authority too early: known by a "port" that is no number.
ODD_USERINFO = re.compile(r"(\s*[a-z][a-z0-9+.\-]*://)([^/?#@:\[\]]*:(?!\d*(?:[/?#]|$))[^@]+)@", re.IGNORECASE)
PARAMETER = re.compile(r"(?<=[?&;#])([^=&;#?]*)=([^&;#]+)")
_PERCENT = re.compile(r"(?:%[0-9a-f]{2})+", re.IGNORECASE)


def is_secret_name(name: str) -> bool:
    """Whether a header of this name holds a secret."""
    return name.strip().lower() in _HEADERS or _WORD.search(name) is not None


def is_secret_parameter(name: str) -> bool:
    """Whether a parameter of this name in the query or fragment of a URL holds a secret."""
    plain = unquote(name).strip().lower()
    return plain in _PARAMETERS or plain.endswith("signature") or _WORD.search(plain) is not None


def unquote(text: str) -> str:
    """Text without percent-encoding, whatever the bytes are."""
    return _PERCENT.sub(lambda match: bytes.fromhex(match[0].replace("%", "")).decode("utf-8", "replace"), text)


def secrets_in(url: str, headers: Iterable[Header]) -> Iterator[str]:
    """The secret values that stand openly in an address and in the headers that go there."""
    userinfo = USERINFO.match(url) or ODD_USERINFO.match(url)
    if userinfo:
        user, mark, password = userinfo[2].partition(":")
        yield unquote(password if mark else user)
    for name, value in PARAMETER.findall(url):
        if is_secret_parameter(name):
            yield unquote(value)
            yield unquote(value.replace("+", " "))  # as forms are read
    for name, value in headers:
        if is_secret_name(name):
            yield from _secrets_in_header(name.strip().lower(), value)


def secret_variables(variables: Mapping[str, str]) -> Iterator[str]:
    """The values of those variables of a target whose names say that they are secrets."""
    return (value for name, value in variables.items() if is_secret_parameter(name))


def _secrets_in_header(kind: str, value: str) -> Iterator[str]:
    if kind == "cookie":
        parts = (part.partition("=")[2].strip().strip('"') for part in value.split(";"))
        yield from (part for part in parts if len(part) >= _SHORTEST_COOKIE)
        return
    scheme = SCHEME.fullmatch(value)
    secret = scheme[2] if scheme else value
    yield secret
    if scheme and scheme[1].strip().lower() == "basic":
        try:
            pair = binascii.a2b_base64(secret)
        except ValueError:
            return
        yield pair.partition(b":")[2].decode("utf-8", "replace")
