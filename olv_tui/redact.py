"""What is a secret, and the mask that stands in its place: `‹hidden 3f9a1c›`.

Rules of this file:

* One list of names decides (`is_secret_name`, `is_secret_parameter`): screen, history, records and exports use it.
* The mask carries six hex digits of an HMAC of the secret with the key of the installation, so equal secrets
  look equal and none can be guessed back. A mask is never masked again: redacting twice is redacting once.
* Known values are found wherever they occur, also with JSON or percent escapes and in base64.
* What holds no secret comes back as the same object. An answer of 50 MB is searched (about 10 ms for each value
  looked for) and not copied.
* Nothing raises, whatever stands in a URL, a header or a body.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import AnyStr, TypeVar, cast

from .model import (
    Exchange,
    Frame,
    Header,
    Judgement,
    Number,
    Object,
    Outgoing,
    Reply,
    RequestId,
    Value,
    Violation,
    WireRequest,
    WireResponse,
)

_T = TypeVar("_T")

MASK = re.compile("‹hidden [0-9a-f]{6}›")
"""How a masked secret looks."""

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
_LINKS = frozenset({"location", "content-location", "referer", "origin", "link", "refresh"})

_SCHEME = re.compile(
    r"(\s*(?:bearer|basic|digest|token|negotiate|ntlm|dpop|apikey|oauth|hawk|jwt|aws4-hmac-sha256)\s+)(\S.*)",
    re.IGNORECASE | re.DOTALL,
)
# Userinfo by pattern and not by a URL parser: broken addresses are masked too, and nothing can raise.
_USERINFO = re.compile(r"(\s*(?:[a-z][a-z0-9+.\-]*:)?[/\\]+|)([^/\\?#]+)@", re.IGNORECASE)
# A password with a slash in it ends the authority too early: known by a "port" that is no number.
_ODD_USERINFO = re.compile(r"(\s*[a-z][a-z0-9+.\-]*://)([^/?#@:\[\]]*:(?!\d*(?:[/?#]|$))[^@]+)@", re.IGNORECASE)
_PARAMETER = re.compile(r"(?<=[?&;#])([^=&;#?]*)=([^&;#]+)")
_PERCENT = re.compile(r"(?:%[0-9a-f]{2})+", re.IGNORECASE)
_PLAIN = re.compile(r"[A-Za-z0-9._~\-]+")


def is_secret_name(name: str) -> bool:
    """Whether a header of this name holds a secret."""
    return name.strip().lower() in _HEADERS or _WORD.search(name) is not None


def is_secret_parameter(name: str) -> bool:
    """Whether a parameter of this name in the query or fragment of a URL holds a secret."""
    plain = _unquote(name).strip().lower()
    return plain in _PARAMETERS or plain.endswith("signature") or _WORD.search(plain) is not None


class Redactor:
    """Masks secrets: those of secret names, and known values wherever they occur.

    `key` is the key of the installation; `secrets` are values that must appear nowhere (from `${VAR}`,
    --bearer-env, keyring). May be used from several threads.
    """

    def __init__(self, key: bytes, secrets: Iterable[str] = ()) -> None:
        self._key = key
        self._secrets = frozenset(_long_enough(secrets))
        self._known = _Search(self._secrets, self.mask)

    def mask(self, secret: str) -> str:
        """The mask of a secret; a mask is its own mask, and nothing needs none."""
        if not secret or MASK.fullmatch(secret):
            return secret
        import hmac  # loads OpenSSL, 5 ms that a run without secrets need not spend

        digest = hmac.digest(self._key, secret.encode("utf-8", "surrogatepass"), "sha256")
        return f"‹hidden {digest.hex()[:6]}›"

    def headers(self, headers: Iterable[Header]) -> tuple[Header, ...]:
        """Headers with the values of secret names masked; of `Bearer xyz` the scheme stays."""
        return self._headers(headers, self._known)

    def url(self, url: str) -> str:
        """A URL, however broken, without userinfo, secret parameters and known values."""
        return self._url(url, self._known)

    def text(self, text: str) -> str:
        """Text without known values; the same object where there is none."""
        return self._known.text(text)

    def data(self, data: bytes) -> bytes:
        """Bytes without known values; the same object where there is none."""
        return self._known.data(data)

    def value(self, value: Value) -> Value:
        """A JSON value without known values in names, strings and numbers, of any depth."""
        return _map_texts(value, self._known.text)

    def exchange(self, exchange: Exchange) -> Exchange:
        """An exchange that may be stored, shown and exported.

        Known are here also the secrets that this very exchange carries in its headers and its URL.
        Where the body held one, the bytes of a content coding are dropped: they would give it back.
        """
        own = frozenset(_long_enough(_secrets_of(exchange)))
        search = self._known if own <= self._secrets else _Search(self._secrets | own, self.mask)
        reply = exchange.reply and self._reply(exchange.reply, search)
        hit = reply is not None and exchange.reply is not None and _holds_other_bytes(exchange.reply, reply)
        return replace(
            exchange,
            target=self._url(exchange.target, search),
            outgoing=_outgoing(exchange.outgoing, search.text),
            request=self._request(exchange.request, search),
            protocol_version=exchange.protocol_version and search.text(exchange.protocol_version),
            reply=reply,
            judgement=exchange.judgement and _judgement(exchange.judgement, search.text, hit),
        )

    # ----------------------------------------------------------------------- parts

    def _headers(self, headers: Iterable[Header], search: _Search) -> tuple[Header, ...]:
        return tuple((name, self._header(name, value, search)) for name, value in headers)

    def _header(self, name: str, value: str, search: _Search) -> str:
        if not is_secret_name(name):
            return self._url(value, search) if name.lower() in _LINKS else search.text(value)
        kind = name.strip().lower()
        if kind in ("cookie", "set-cookie"):
            first, mark, rest = value.partition(";") if kind == "set-cookie" else (value, "", "")
            return ";".join(self._cookie(part) for part in first.split(";")) + mark + search.text(rest)
        scheme = _SCHEME.fullmatch(value)
        return scheme[1] + self.mask(scheme[2].rstrip()) if scheme else self.mask(value)

    def _cookie(self, part: str) -> str:
        name, mark, value = part.partition("=")
        return name + mark + self.mask(value) if mark else self.mask(part)

    def _url(self, url: str, search: _Search) -> str:
        userinfo = _USERINFO.match(url) or _ODD_USERINFO.match(url)
        if userinfo:
            url = f"{userinfo[1]}{self.mask(userinfo[2])}{url[userinfo.end(2) :]}"
        return search.text(_PARAMETER.sub(self._parameter, url))

    def _parameter(self, match: re.Match[str]) -> str:
        return f"{match[1]}={self.mask(_unquote(match[2]))}" if is_secret_parameter(match[1]) else match[0]

    def _request(self, request: WireRequest, search: _Search) -> WireRequest:
        return replace(
            request,
            url=self._url(request.url, search),
            headers=self._headers(request.headers, search),
            body=search.data(request.body),
            method=search.text(request.method),
        )

    def _reply(self, reply: Reply, search: _Search) -> Reply:
        error = reply.error and replace(reply.error, message=search.text(reply.error.message))
        return replace(reply, error=error, response=reply.response and self._response(reply.response, search))

    def _response(self, response: WireResponse, search: _Search) -> WireResponse:
        body = search.data(response.body)
        wire = response.wire and search.data(response.wire)
        return replace(
            response,
            reason=search.text(response.reason),
            headers=self._headers(response.headers, search),
            body=body,
            coding=response.coding and search.text(response.coding),
            wire=wire if body is response.body else None,
            frames=_same_or(response.frames, tuple(_frame(frame, search) for frame in response.frames)),
            surplus=search.data(response.surplus),
        )


class _Search:
    """Finds known values in text and bytes.

    A plain search for the longest unescaped part of each value comes first; only where that is found, one
    pattern of all values and their escaped forms does the work.
    """

    def __init__(self, secrets: Iterable[str], mask: Callable[[str], str]) -> None:
        # The longest first: a secret that contains another one is to be masked whole.
        ordered = sorted(secrets, key=lambda secret: (-len(secret), secret))
        self._forms = [(form, secret) for secret in ordered for form in (secret, *_base64_forms(secret))]
        self._anchors = [max(_PLAIN.findall(form), key=len, default="") for form, _ in self._forms]
        self._byte_anchors = [anchor.encode() for anchor in self._anchors]
        self._mask = mask
        self._text_pattern: re.Pattern[str] | None = None
        self._byte_pattern: re.Pattern[bytes] | None = None

    def text(self, text: str) -> str:
        """`text` masked, or the same object."""
        if not any(anchor in text for anchor in self._anchors):
            return text
        self._text_pattern = self._text_pattern or re.compile(self._pattern(), re.DOTALL)
        return _same_or(text, self._text_pattern.sub(lambda match: self._put(match) or match[0], text))

    def data(self, data: bytes) -> bytes:
        """`data` masked, or the same object."""
        if not any(anchor in data for anchor in self._byte_anchors):
            return data
        if self._byte_pattern is None:
            self._byte_pattern = re.compile(self._pattern().encode("utf-8", "surrogatepass"), re.DOTALL)
        return _same_or(data, self._byte_pattern.sub(lambda match: self._put(match).encode() or match[0], data))

    def _pattern(self) -> str:
        """Masks first, so that nothing is found inside them; then every form as a group of its own."""
        forms = (f"({''.join(_escapes(char, form is not secret) for char in form)})" for form, secret in self._forms)
        return "|".join((MASK.pattern, *forms))

    def _put(self, match: re.Match[AnyStr]) -> str:
        """The mask for what was found; nothing where it was a mask."""
        return self._mask(self._forms[match.lastindex - 1][1]) if match.lastindex else ""


# --------------------------------------------------------------------------- forms of a value


def _escapes(char: str, in_base64: bool) -> str:
    """A pattern for one character: itself or what JSON, percent or base64url encoding make of it."""
    if _PLAIN.fullmatch(char):
        return re.escape(char)
    units = char.encode("utf-16-be", "surrogatepass")
    code = "".join(rf"\\u(?i:{units[at : at + 2].hex()})" for at in range(0, len(units), 2))
    percent = "".join(f"%(?i:{byte:02x})" for byte in char.encode("utf-8", "surrogatepass"))
    forms = [re.escape(char), code, percent]
    if char in '/"\\':
        forms.insert(0, rf"\\{re.escape(char)}")
    if char == " ":
        forms.append(r"\+")
    if in_base64:
        forms.append({"+": "-", "/": "_"}.get(char, re.escape(char)))
    return f"(?:{'|'.join(forms)})"


def _base64_forms(secret: str) -> Iterator[str]:
    """What any base64 text that contains the secret holds of it, at its three possible alignments."""
    raw = secret.encode("utf-8", "surrogatepass")
    for shift, start in ((0, 0), (1, 2), (2, 3)):
        stop = (shift + len(raw)) * 8 // 6
        if stop - start >= 8:
            yield binascii.b2a_base64(bytes(shift) + raw).decode("ascii")[start:stop]


def _unquote(text: str) -> str:
    return _PERCENT.sub(lambda match: bytes.fromhex(match[0].replace("%", "")).decode("utf-8", "replace"), text)


# --------------------------------------------------------------------------- secrets of an exchange


def _secrets_of(exchange: Exchange) -> Iterator[str]:
    """The secret values that an exchange carries openly."""
    for url in {exchange.target, exchange.request.url}:
        userinfo = _USERINFO.match(url) or _ODD_USERINFO.match(url)
        if userinfo:
            user, mark, password = userinfo[2].partition(":")
            yield _unquote(password if mark else user)
        yield from (_unquote(value) for name, value in _PARAMETER.findall(url) if is_secret_parameter(name))
    for name, value in exchange.request.headers:
        if is_secret_name(name):
            yield from _secrets_in_header(name.strip().lower(), value)
    if exchange.reply and exchange.reply.response:
        for name, value in exchange.reply.response.headers:
            if name.strip().lower() == "mcp-session-id":
                yield value


def _secrets_in_header(kind: str, value: str) -> Iterator[str]:
    if kind == "cookie":
        parts = (part.partition("=")[2].strip().strip('"') for part in value.split(";"))
        yield from (part for part in parts if len(part) >= _SHORTEST_COOKIE)
        return
    scheme = _SCHEME.fullmatch(value)
    secret = scheme[2] if scheme else value
    yield secret
    if scheme and scheme[1].strip().lower() == "basic":
        try:
            pair = binascii.a2b_base64(secret)
        except ValueError:
            return
        yield pair.partition(b":")[2].decode("utf-8", "replace")


def _long_enough(secrets: Iterable[str]) -> Iterator[str]:
    for secret in secrets:
        plain = secret.strip()
        if len(plain) >= SHORTEST and not MASK.search(plain):
            yield plain


# --------------------------------------------------------------------------- parts of an exchange


def _same_or(old: _T, new: _T) -> _T:
    """The old object where the new one is equal to it."""
    return old if new == old else new


def _outgoing(outgoing: Outgoing, text: Callable[[str], str]) -> Outgoing:
    return replace(
        outgoing,
        id=outgoing.id and RequestId(text(outgoing.id.text)),
        method=outgoing.method and text(outgoing.method),
        tool=outgoing.tool and text(outgoing.tool),
        ids=tuple(RequestId(text(item.text)) for item in outgoing.ids),
    )


def _frame(frame: Frame, search: _Search) -> Frame:
    raw = search.data(frame.raw)
    if raw is frame.raw:
        return frame
    return replace(
        frame,
        raw=raw,
        event=frame.event and search.text(frame.event),
        id=frame.id and search.text(frame.id),
        data=frame.data and search.text(frame.data),
    )


def _holds_other_bytes(old: Reply, new: Reply) -> bool:
    if old.response is None or new.response is None:
        return False
    return old.response.body is not new.response.body or old.response.frames is not new.response.frames


def _judgement(judgement: Judgement, text: Callable[[str], str], hit: bool) -> Judgement:
    """A judgement masked; the values read from the answer only where the answer held a secret."""
    tool, rpc = judgement.tool_error, judgement.rpc_error
    if hit and tool is not None:
        site = tool.site and text(tool.site)
        details = cast(Object, _map_texts(tool.details, text))
        tool = replace(tool, error=text(tool.error), site=site, details=details)
    if hit and rpc is not None:
        code = Number(text(rpc.code.text))
        rpc = replace(rpc, code=code, message=text(rpc.message), data=_map_texts(rpc.data, text))
    return replace(
        judgement,
        summary=text(judgement.summary),
        violations=tuple(_violation(item, text) for item in judgement.violations),
        message=_map_texts(judgement.message, text) if hit else judgement.message,
        tool_error=tool,
        rpc_error=rpc,
    )


def _violation(violation: Violation, text: Callable[[str], str]) -> Violation:
    return replace(violation, message=text(violation.message), at=violation.at and text(violation.at))


def map_leaves(root: Value, leaf: Callable[[str | Number], Value]) -> Value:
    """A value with `leaf` applied to every string and number and to every member name; iterative, so of any depth.

    `leaf` gives a string for a string. true, false and null stay.
    """
    done: list[Value] = []
    todo: list[tuple[Value, bool]] = [(root, False)]
    while todo:
        item, ready = todo.pop()
        if isinstance(item, str | Number):
            done.append(leaf(item))
        elif isinstance(item, Object | list):
            members = list(item.members()) if isinstance(item, Object) else [("", child) for child in item]
            if not ready:
                todo.append((item, True))
                todo.extend((child, False) for _, child in reversed(members))
                continue
            start = len(done) - len(members)
            values = done[start:]
            del done[start:]
            if isinstance(item, Object):
                names = (cast(str, leaf(name)) for name, _ in members)
                done.append(Object(list(zip(names, values, strict=True))))
            else:
                done.append(values)
        else:
            done.append(item)
    return done[0]


def _map_texts(root: Value, text: Callable[[str], str]) -> Value:
    """A value with `text` applied to every name, string and number; a number that held a secret becomes its mask."""

    def leaf(item: str | Number) -> Value:
        if isinstance(item, str):
            return text(item)
        told = text(item.text)
        return item if told == item.text else told

    return map_leaves(root, leaf)
