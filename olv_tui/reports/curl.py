"""The words of a curl command as the request that curl makes of them (curl 8 manual page).

Rules of this file:

* What curl adds by itself and a server looks at is added here too: `Accept: */*`, and the content type of a form
  where `-d` is given without one. A 406 or 415 that a user reports comes from there.
* A body or header that stands in a file or comes from somewhere else is not guessed: the report is refused.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import quote_from_bytes

from olv_tui.model import Header
from olv_tui.reports.values import Notes, Refusal, ReportedCall, address, raw, shown

_SHORT_WITH_VALUE = frozenset("AbcCdDeEFhHKmoPQrtTuUwxXyYz")
_LONG_WITH_VALUE = frozenset(
    re.findall(
        r"\S+",
        """
    abstract-unix-socket alt-svc aws-sigv4 cacert capath cert cert-type ciphers config connect-timeout connect-to
    continue-at cookie cookie-jar create-file-mode crlfile curves data data-ascii data-binary data-raw
    data-urlencode delegation dns-interface dns-ipv4-addr dns-ipv6-addr dns-servers doh-url dump-header ech
    egd-file engine etag-compare etag-save expect100-timeout form form-string ftp-account ftp-alternative-to-user
    ftp-method ftp-port ftp-ssl-ccc-mode happy-eyeballs-timeout-ms haproxy-clientip header hostpubmd5 hostpubsha256
    hsts interface ip-tos ipfs-gateway json keepalive-cnt keepalive-time key key-type krb libcurl limit-rate
    local-port login-options mail-auth mail-from mail-rcpt max-filesize max-redirs max-time netrc-file noproxy
    oauth2-bearer output output-dir parallel-max pass pinnedpubkey preproxy proto proto-default proto-redir proxy
    proxy-cacert proxy-capath proxy-cert proxy-cert-type proxy-ciphers proxy-crlfile proxy-header proxy-key
    proxy-key-type proxy-pass proxy-pinnedpubkey proxy-service-name proxy-tls13-ciphers proxy-tlsauthtype
    proxy-tlspassword proxy-tlsuser proxy-user proxy1.0 pubkey quote random-file range rate referer request
    request-target resolve retry retry-delay retry-max-time sasl-authzid service-name socks4 socks4a socks5
    socks5-gssapi-service socks5-hostname speed-limit speed-time stderr telnet-option tftp-blksize time-cond tls-max
    tls13-ciphers tlsauthtype tlspassword tlsuser trace trace-ascii trace-config unix-socket upload-file url
    url-query user user-agent variable vlan-priority write-out
    """,
    )
)
_NAMES = {
    "A": "user-agent", "b": "cookie", "e": "referer", "F": "form", "G": "get", "H": "header", "I": "head",
    "K": "config", "T": "upload-file", "u": "user", "X": "request", "d": "data", "data-ascii": "data",
}  # fmt: skip
_CONFIGURED = re.compile(r"[ \t]*-{0,2}([\w-]+)[ \t]*[=:]?[ \t]*(.*?)[ \t\r]*$")
_CONFIG_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*+)"')
_CONFIG_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "v": "\v"}


@dataclass(slots=True)
class _Request:
    """What the options have said so far."""

    method: str | None = None
    urls: list[str] = field(default_factory=list)
    headers: list[Header] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    data: list[bytes] = field(default_factory=list)
    has_data: bool = False
    is_json: bool = False
    is_get: bool = False
    is_head: bool = False
    user: str | None = None
    cookies: list[str] = field(default_factory=list)
    query: list[str] = field(default_factory=list)
    scheme: str = "http"


def calls(
    words: list[bytes], stdin: bytes | None, notes: Notes, files: dict[str, bytes] | None = None
) -> list[ReportedCall]:
    """The requests of `curl WORDS` (without the name): one for each address, and for each part behind `--next`.

    `files` are those whose content the report tells. Raises Refusal.
    """
    source = _Source(stdin, files or {})
    found: list[ReportedCall] = []
    request = _Request()
    for name, value in (*_options(words), ("next", b"")):
        if name != "next":
            _apply(request, name, value, source, notes)
            continue
        if not request.urls and not found:
            raise Refusal("The curl command names no address.")
        found += [_made(request, address(url, notes, request.scheme)) for url in request.urls]
        request = _Request()
    return found


@dataclass(frozen=True, slots=True)
class _Source:
    """Where `@name` is looked up."""

    stdin: bytes | None
    files: dict[str, bytes]

    def knows(self, name: str) -> bool:
        """Whether the content is told."""
        return self.stdin is not None if name == "-" else self._key(name) in self.files

    @staticmethod
    def _key(name: str) -> str:
        return name.lstrip("$").removeprefix("./").lower()

    def read(self, name: str) -> bytes:
        """The content. Raises Refusal."""
        if name == "-":
            if self.stdin is None:
                raise Refusal("The body came from standard input, and the report does not hold it.")
            return self.stdin
        known = self.files.get(self._key(name))
        if known is None:
            raise Refusal(f"The body stands in the file {name}, and the report does not hold it.")
        return known


def _options(words: list[bytes]) -> list[tuple[str, bytes]]:
    """Options by their long names with their values; an address is the option `url`."""
    found: list[tuple[str, bytes]] = []
    rest = list(reversed(words))
    while rest:
        word = rest.pop()
        text = shown(word)
        if text == "--":
            found += [("url", one) for one in reversed(rest)]
            break
        if text.startswith("--"):
            name, mark, inline = text[2:].partition("=")  # curl itself takes no `--name=value`
            value = raw(inline) if mark else rest.pop() if name in _LONG_WITH_VALUE and rest else b""
            found.append((_NAMES.get(name, name), value))
        elif text.startswith("-") and len(text) > 1:
            letters = text[1:]
            for at, letter in enumerate(letters):
                if letter in _SHORT_WITH_VALUE:
                    value = raw(letters[at + 1 :]) or (rest.pop() if rest else b"")
                    found.append((_NAMES.get(letter, letter), value))
                    break
                found.append((_NAMES.get(letter, letter), b""))
        elif word:
            found.append(("url", word))
    return found


def _apply(request: _Request, name: str, value: bytes, source: _Source, notes: Notes) -> None:
    """Take one option over. Raises Refusal."""
    text = shown(value)
    match name:
        case "url":
            request.urls.append(text)
        case "request":
            request.method = text
        case "header" if text.startswith("@") and source.knows(text[1:]):
            for line in shown(source.read(text[1:])).splitlines():
                _header(request, line, notes)
        case "header":
            _header(request, text, notes)
        case "data" | "data-binary" | "data-raw" | "json" | "data-urlencode":
            _data(request, name, value, source)
        case "get":
            request.is_get = True
        case "head":
            request.is_head = True
        case "user":
            request.user = text
        case "user-agent":
            _header(request, f"User-Agent: {text}" if text else "User-Agent:", notes)
        case "referer":
            _header(request, f"Referer: {text}", notes)
        case "oauth2-bearer":
            _header(request, f"Authorization: Bearer {text}", notes)
        case "cookie" if "=" in text:
            request.cookies.append(text)
        case "cookie":
            notes.remark(f"The cookies stand in the file {text}, and the report does not hold it.")
        case "form" | "form-string" | "upload-file":
            raise Refusal(f"The curl command sends a form or a file (--{name}), which is no JSON-RPC.")
        case "config" if source.knows(text):
            for key, told in _config(shown(source.read(text))):
                _apply(request, key, told, source, notes)
        case "config":
            notes.remark(f"More of the command stands in the file {text}, and the report does not hold it.")
        case "proto-default":
            request.scheme = text
        case "url-query":
            data = value[1:] if value.startswith(b"+") else _encoded(value, source)
            request.query.append(shown(data))
        case _:
            pass  # says how to send or what to show, not what


def _header(request: _Request, text: str, notes: Notes) -> None:
    """`Name: value`, `Name;` for an empty value, `Name:` to send none."""
    if text.startswith("@"):
        notes.remark(f"Headers stand in the file {text[1:]}, and the report does not hold it.")
        return
    name, colon, value = text.partition(":")
    if not colon:
        if text.endswith(";"):
            request.headers.append((text[:-1].strip(), ""))
        return
    value = value.strip(" \t\r\n")
    if value:
        request.headers.append((name.strip(), value))
    else:
        request.gone.append(name.strip().lower())


def _data(request: _Request, name: str, value: bytes, source: _Source) -> None:
    """One piece of the body; pieces are joined by `&`, those of --json by nothing. Raises Refusal."""
    request.has_data = True
    text = shown(value)
    if name == "data-urlencode":
        data = _encoded(value, source)
    elif name == "data-raw" or not text.startswith("@"):
        data = value
    else:
        data = source.read(text[1:])
        if name == "data":
            data = re.sub(rb"[\r\n\0]", b"", data)
    if name == "json":
        request.is_json = True
    elif request.data:
        request.data.append(b"&")
    request.data.append(data)


def _encoded(value: bytes, source: _Source) -> bytes:
    """--data-urlencode: `content`, `=content`, `name=content`, `@file`, `name@file`. Raises Refusal."""
    mark = re.search(rb"[=@]", value)
    if mark is None:
        return _quoted(value)
    name, content = value[: mark.start()], value[mark.end() :]
    content = source.read(shown(content)) if mark[0] == b"@" else content
    return (name + b"=" if name else b"") + _quoted(content)


def _quoted(data: bytes) -> bytes:
    return quote_from_bytes(data, safe="").replace("%20", "+").encode()


def _config(text: str) -> Iterator[tuple[str, bytes]]:
    """The options of a configuration file: `name = value`, `name: value`, `name "value"`, `# comment`."""
    for line in text.splitlines():
        match = _CONFIGURED.match(line)
        if match is None:
            continue
        value = match[2]
        if value.startswith('"'):
            end = _CONFIG_QUOTED.match(value)
            inside = end[1] if end else value[1:]
            value = re.sub(r"\\(.)", lambda one: _CONFIG_ESCAPES.get(one[1], one[1]), inside)
        yield _NAMES.get(match[1], match[1]), raw(value)


def _made(request: _Request, url: str) -> ReportedCall:
    for query in request.query:
        url += ("&" if "?" in url else "?") + query
    headers, body = list(request.headers), b"".join(request.data)
    names = {name.lower() for name, _ in headers} | set(request.gone)
    has_body = request.has_data and not request.is_get
    if request.is_get and request.data:
        url += ("&" if "?" in url else "?") + shown(body)
        body = b""
    if request.user is not None and "authorization" not in names:
        headers.append(("Authorization", f"Basic {base64.b64encode(raw(request.user)).decode('ascii')}"))
    if request.cookies and "cookie" not in names:
        headers.append(("Cookie", "; ".join(request.cookies)))
    if has_body and "content-type" not in names:
        headers.append(("Content-Type", "application/json" if request.is_json else "application/x-www-form-urlencoded"))
    if "accept" not in names:
        headers.append(("Accept", "application/json" if request.is_json else "*/*"))
    implied = "HEAD" if request.is_head else "POST" if has_body else "GET"
    gone = [name for name in request.gone if not any(name == other.lower() for other, _ in headers)]
    if not has_body and not any(name.lower() == "content-type" for name, _ in headers):
        gone.append("content-type")
    return ReportedCall(request.method or implied, url, tuple(headers), body, without=tuple(dict.fromkeys(gone)))
