"""An exchange as a command: curl for POSIX shells, curl for PowerShell, HTTPie.

Rules of this file:

* The command sends the same method, address, headers and body bytes, and no header more but Host and
  Content-Length. What the program would add by itself is switched off.
* Bytes that are no plain text (NUL, control and invisible characters, bad UTF-8) go through printf (POSIX) or
  base64 (PowerShell), so that nothing a terminal obeys or hides stands in a command.
* Text in single quotes is the same for sh, dash, bash, zsh and fish.
"""

from __future__ import annotations

import binascii
import re

from olv_tui.model import Exchange, Header, WireRequest
from olv_tui.reports.values import Written
from olv_tui.transport.address import has_dots, is_plain, sendable, target_of
from olv_tui.transport.coding import ACCEPTED

_DEFAULTS = ("Content-Type", "Accept", "User-Agent")
_HIDDEN = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\ud800-\udfff]"
)
_PLAIN_WORD = re.compile(r"[A-Za-z0-9_@%+=:,./-]+")
_LONGEST_WORD = 100_000
"""Bytes of one argument; Linux takes 131,072. printf is part of the shell and has no such limit."""

_EXPECTS = 1_000_000
"""Bytes from which curl asks with `Expect: 100-continue` first."""


def as_curl(exchange: Exchange, shell: str = "posix") -> Written:
    """An exchange, redacted before, as a curl command; `shell` is posix or powershell."""
    return _powershell(exchange.request) if shell == "powershell" else _posix(exchange.request)


def _posix(request: WireRequest) -> Written:
    warnings = _unsendable(request)
    url = sendable(request.url)
    options = [_quoted(url)]
    if _needs_globoff(url):
        options.insert(0, "--globoff")
    if has_dots(url):
        options.insert(0, "--path-as-is")
    has_body = request.method == "POST" or bool(request.body)
    if request.method != "POST":
        options.append(f"-X {_quoted(request.method)}")
    options += [f"-H {_quoted(line)}" for line in _curl_headers(request, has_body=has_body)]
    options.append("--compressed")
    before = ""
    if has_body:
        plain = _plain(request.body)
        if plain is not None:
            options.append(f"--data-raw {_quoted(plain)}")
        else:
            before = f"printf {_printf(request.body)} | "
            options.append("--data-binary @-")
    return Written(before + "curl " + " \\\n  ".join(options) + "\n", warnings)


def _curl_headers(request: WireRequest, *, has_body: bool) -> list[str]:
    """Header lines as curl takes them: `Name;` is empty, `Name:` none."""
    lines = [f"{name}: {value}" if value.strip() else f"{name};" for name, value in _with_coding(request.headers)]
    names = {name.lower() for name, _ in request.headers}
    lines += [f"{name}:" for name in _DEFAULTS if name.lower() not in names and (has_body or name != "Content-Type")]
    if len(request.body) >= _EXPECTS and "expect" not in names:
        lines.append("Expect:")
    return lines


def _with_coding(headers: tuple[Header, ...]) -> tuple[Header, ...]:
    """The headers with the one that the transport adds."""
    if any(name.lower() == "accept-encoding" for name, _ in headers):
        return headers
    return (*headers, ("Accept-Encoding", ACCEPTED))


def _needs_globoff(url: str) -> bool:
    return re.search(r"[\[\]{}]", url) is not None


# --------------------------------------------------------------------------- PowerShell


def _powershell(request: WireRequest) -> Written:
    """curl.exe in PowerShell 5.1 and later: body and headers come from files, since 5.1 breaks quotes in arguments."""
    warnings = _unsendable(request)
    has_body = request.method == "POST" or bool(request.body)
    lines = _curl_headers(request, has_body=has_body)
    url = sendable(request.url)
    script, options = [], [_ps_quoted(url)]
    if _needs_globoff(url):
        options.insert(0, "--globoff")
    if has_dots(url):
        options.insert(0, "--path-as-is")
    if request.method != "POST":
        options.append(f"-X {_ps_quoted(request.method)}")
    if any(_HIDDEN.search(line) or '"' in line or line.endswith("\\") or not line.isascii() for line in lines):
        script += _ps_file("headerFile", "".join(f"{line}\n" for line in lines).encode("utf-8", "replace"))
        options.append('-H "@$headerFile"')
    else:
        options += [f"-H {_ps_quoted(line)}" for line in lines]
    options.append("--compressed")
    if has_body:
        script += _ps_file("bodyFile", request.body)
        options.append('--data-binary "@$bodyFile"')
    return Written("\n".join((*script, "curl.exe " + " `\n  ".join(options))) + "\n", warnings)


def _ps_file(name: str, data: bytes) -> list[str]:
    plain = _plain(data, longest=len(data))
    if plain is None or "\n" in plain:
        value = f"[Convert]::FromBase64String('{binascii.b2a_base64(data, newline=False).decode('ascii')}')"
    else:
        value = f"[Text.Encoding]::UTF8.GetBytes({_ps_quoted(plain)})"
    content = name.removesuffix("File")
    return [f"${content} = {value}", f"${name} = New-TemporaryFile", f"[IO.File]::WriteAllBytes(${name}, ${content})"]


def _ps_quoted(text: str) -> str:
    # PowerShell takes the typographic single quotes for quotes as well.
    return "'" + re.sub("['‘’‚‛]", lambda match: match[0] * 2, text) + "'"


# --------------------------------------------------------------------------- HTTPie


def as_httpie(exchange: Exchange) -> Written:
    """An exchange, redacted before, as an HTTPie command (HTTPie 3 or later, for `--raw`)."""
    request = exchange.request
    warnings = list(_unsendable(request))
    has_body = bool(request.body)
    items: list[str] = []
    for name, value in _with_coding(request.headers):
        if re.search(r"\\[:;=@]", value) or re.search(r"[;=@\\]", name):
            warnings.append(
                f"HTTPie cannot be given this value of the header {name} exactly: a backslash in it is lost."
            )
        items.append(f"{name};" if not value.strip() else f"{name}:{_httpie_value(value)}")
    names = {name.lower() for name, _ in request.headers}
    items += [f"{name}:" for name in _DEFAULTS if name.lower() not in names and (has_body or name != "Content-Type")]
    url = sendable(request.url)
    words = [f"http {_quoted(request.method)} {_quoted(url)}", *(_quoted(item) for item in items)]
    if has_dots(url):
        words[0] = words[0].replace("http ", "http --path-as-is ", 1)
    if not is_plain(re.sub(r"/\.{1,2}(?=[/?]|$)", "/", target_of(url))):
        warnings.append("HTTPie escapes characters of this address in its own way; a server may tell the difference.")
    plain = _plain(request.body)
    before = ""
    if not has_body:
        words[0] = words[0].replace("http ", "http --ignore-stdin ", 1)
    elif plain is not None:
        words[0] = words[0].replace("http ", "http --ignore-stdin ", 1)
        words.append(f"--raw {_quoted(plain)}" if not plain.startswith("-") else f"--raw={_quoted(plain)}")
    else:
        before = f"printf {_printf(request.body)} | "
    return Written(before + " \\\n  ".join(words) + "\n", tuple(warnings))


def _httpie_value(value: str) -> str:
    """A header value for an item: what would make another separator of the colon is escaped."""
    return f"\\{value}" if value[:1] in ("=", "@") else value


# --------------------------------------------------------------------------- quoting


def _quoted(text: str) -> str:
    """A word for a POSIX shell."""
    if _PLAIN_WORD.fullmatch(text):
        return text
    return "'" + text.replace("'", "'\\''") + "'"


def _plain(body: bytes, longest: int = _LONGEST_WORD) -> str | None:
    """A body as text for an argument, None where it is no plain text or too long for one."""
    if len(body) > longest:
        return None
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return None if _HIDDEN.search(text) else text


def _printf(body: bytes) -> str:
    """Bytes as the format of printf, in single quotes; octal escapes are in POSIX, hexadecimal ones are not."""
    text = body.decode("utf-8", "surrogateescape").replace("\\", "\\\\").replace("%", "%%").replace("'", "'\\''")
    # A hyphen at the beginning would be an option.
    text = _HIDDEN.sub(_octal, text)
    return f"'\\055{text[1:]}'" if text.startswith("-") else f"'{text}'"


def _octal(match: re.Match[str]) -> str:
    data = match[0].encode("utf-8", "surrogateescape")
    return "".join(f"\\{byte:03o}" for byte in data)


def _unsendable(request: WireRequest) -> tuple[str, ...]:
    """Warnings for headers that no command can hold."""
    return tuple(
        f"The header {name} holds a control character, which no program sends."
        for name, value in request.headers
        if re.search(r"[\x00-\x08\x0a-\x1f\x7f]", value)
    )
