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
    Reply,
    RequestId,
    Value,
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

    def learn(self, secrets: Iterable[str]) -> None:
        """Know further secrets from now on, such as those of another target that is turned to."""
        self._secrets |= frozenset(_long_enough(secrets))
        self._known = _Search(self._secrets, self.mask)

    def mask(self, secret: str) -> str:
        """The mask of a secret; a mask is its own mask, and nothing needs none."""
        if not secret or MASK.fullmatch(secret):
            return secret
        import hmac  # loads OpenSSL, 5 ms that a run without secrets need not spend

        digest = hmac.digest(self._key, secret.encode("utf-8", "surrogatepass"), "sha256")
        return f"‹hidden {digest.hex()[:6]}›"

    def knowing(self, exchange: Exchange) -> Redactor:
        """A redactor that also knows the secrets this exchange carries in its headers and its URL.

        What is shown of it while it runs (frames as they come) is masked by that one.
        """
        own = frozenset(_long_enough(_secrets_of(exchange)))
        return self if own <= self._secrets else Redactor(self._key, self._secrets | own)

    def headers(self, headers: Iterable[Header]) -> tuple[Header, ...]:
        """Headers with the values of secret names masked; of `Bearer xyz` the scheme stays."""
        return tuple((name, self._header(name, value)) for name, value in headers)

    def url(self, url: str) -> str:
        """A URL, however broken, without userinfo, secret parameters and known values."""
        userinfo = _USERINFO.match(url) or _ODD_USERINFO.match(url)
        if userinfo:
            url = f"{userinfo[1]}{self.mask(userinfo[2])}{url[userinfo.end(2) :]}"
        return self.text(_PARAMETER.sub(self._parameter, url))

    def text(self, text: str) -> str:
        """Text without known values; the same object where there is none."""
        return self._known.text(text)

    def data(self, data: bytes) -> bytes:
        """Bytes without known values; the same object where there is none."""
        return self._known.data(data)

    def value(self, value: Value) -> Value:
        """A JSON value without known values in names, strings and numbers, of any depth.

        A number that held a secret becomes the string that its mask is.
        """
        return map_leaves(value, self._leaf)

    def frame(self, frame: Frame) -> Frame:
        """An SSE frame without known values; the same object where there is none."""
        raw = self.data(frame.raw)
        if raw is frame.raw:
            return frame
        return replace(
            frame,
            raw=raw,
            event=frame.event and self.text(frame.event),
            id=frame.id and self.text(frame.id),
            data=frame.data and self.text(frame.data),
        )

    def exchange(self, exchange: Exchange) -> Exchange:
        """An exchange that may be stored, shown and exported.

        Known are here also the secrets that this very exchange carries in its headers and its URL.
        Where the body held one, the bytes of a content coding are dropped: they would give it back.
        """
        return self.knowing(exchange)._exchange(exchange)

    # ----------------------------------------------------------------------- parts

    def _header(self, name: str, value: str) -> str:
        if not is_secret_name(name):
            return self.url(value) if name.lower() in _LINKS else self.text(value)
        kind = name.strip().lower()
        if kind == "cookie":
            return ";".join(self._cookie(part) for part in value.split(";"))
        if kind == "set-cookie":
            first, mark, attributes = value.partition(";")
            return self._cookie(first) + mark + self.text(attributes)
        scheme = _SCHEME.fullmatch(value)
        return scheme[1] + self.mask(scheme[2].rstrip()) if scheme else self.mask(value)

    def _cookie(self, part: str) -> str:
        name, mark, value = part.partition("=")
        return name + mark + self.mask(value) if mark else self.mask(part)

    def _parameter(self, match: re.Match[str]) -> str:
        return f"{match[1]}={self.mask(_unquote(match[2]))}" if is_secret_parameter(match[1]) else match[0]

    def _leaf(self, leaf: str | Number) -> Value:
        if isinstance(leaf, str):
            return self.text(leaf)
        told = self.text(leaf.text)
        return leaf if told == leaf.text else told

    def _exchange(self, exchange: Exchange) -> Exchange:
        outgoing, request, reply = exchange.outgoing, exchange.request, exchange.reply
        kept = reply and self._reply(reply)
        hit = reply is not None and kept is not None and is_changed(reply, kept)
        return replace(
            exchange,
            target=self.url(exchange.target),
            outgoing=replace(
                outgoing,
                id=outgoing.id and RequestId(self.text(outgoing.id.text)),
                method=outgoing.method and self.text(outgoing.method),
                tool=outgoing.tool and self.text(outgoing.tool),
                ids=tuple(RequestId(self.text(item.text)) for item in outgoing.ids),
                asks=Object(),  # of use to the judge only, who has spoken
            ),
            request=replace(
                request,
                url=self.url(request.url),
                headers=self.headers(request.headers),
                body=self.data(request.body),
                method=self.text(request.method),
            ),
            protocol_version=exchange.protocol_version and self.text(exchange.protocol_version),
            reply=kept,
            judgement=exchange.judgement and self._judgement(exchange.judgement, hit),
        )

    def _reply(self, reply: Reply) -> Reply:
        error = reply.error and replace(reply.error, message=self.text(reply.error.message))
        return replace(reply, error=error, response=reply.response and self._response(reply.response))

    def _response(self, response: WireResponse) -> WireResponse:
        body = self.data(response.body)
        wire = response.wire and self.data(response.wire)
        return replace(
            response,
            reason=self.text(response.reason),
            headers=self.headers(response.headers),
            body=body,
            coding=response.coding and self.text(response.coding),
            wire=wire if body is response.body else None,
            frames=_same_or(response.frames, tuple(self.frame(frame) for frame in response.frames)),
            surplus=self.data(response.surplus),
        )

    def _judgement(self, judgement: Judgement, hit: bool) -> Judgement:
        """A judgement masked; the values read from the answer only where the answer held a secret."""
        tool, rpc = judgement.tool_error, judgement.rpc_error
        if hit and tool is not None:
            site = tool.site and self.text(tool.site)
            details = cast(Object, self.value(tool.details))
            tool = replace(tool, error=self.text(tool.error), site=site, details=details)
        if hit and rpc is not None:
            code = Number(self.text(rpc.code.text))
            rpc = replace(rpc, code=code, message=self.text(rpc.message), data=self.value(rpc.data))
        return replace(
            judgement,
            summary=self.text(judgement.summary),
            violations=tuple(
                replace(item, message=self.text(item.message), at=item.at and self.text(item.at))
                for item in judgement.violations
            ),
            message=self.value(judgement.message) if hit else judgement.message,
            tool_error=tool,
            rpc_error=rpc,
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


# --------------------------------------------------------------------------- values


def is_changed(old: Reply, new: Reply) -> bool:
    """Whether redaction changed bytes that the answer was read from."""
    if old.response is None or new.response is None:
        return False
    return old.response.body is not new.response.body or old.response.frames is not new.response.frames


def _same_or(old: _T, new: _T) -> _T:
    """The old object where the new one is equal to it."""
    return old if new == old else new


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
