"""The words of a wget command as the request that wget makes of them (wget 1.24 manual page)."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping

from olv_tui.model import Header
from olv_tui.reports.values import Notes, Refusal, ReportedCall, address, raw, shown

_WITH_VALUE = frozenset(
    re.findall(
        r"\S+",
        """
    header method body-data body-file post-data post-file user-agent timeout tries output-document output-file user
    password http-user http-password referer load-cookies save-cookies ca-certificate certificate private-key
    connect-timeout read-timeout dns-timeout wait waitretry limit-rate max-redirect directory-prefix
    """,
    )
)
_SHORT_WITH_VALUE = frozenset("OoUTtPeiaQwl")


def call(words: list[bytes], stdin: bytes | None, notes: Notes, files: Mapping[str, bytes]) -> ReportedCall:
    """The request of `wget WORDS` (without the name). `files` are those whose content is told. Raises Refusal."""
    method, url, agent = "", "", ""
    login: dict[str, str] = {}
    is_first = False  # wget sends a login only when it is asked for one, unless told otherwise
    body: bytes | None = None
    headers: list[Header] = []
    for name, value in _options(words):
        text = shown(value)
        match name:
            case "url":
                url = url or text
            case "method":
                method = text.upper()
            case "header":
                key, colon, told = text.partition(":")
                headers += [(key.strip(), told.strip())] if colon else []
            case "post-data" | "body-data":
                body = value
            case "post-file" | "body-file":
                body = stdin if text in ("-", "/dev/stdin") else files.get(text.removeprefix("./").lower())
                if body is None:
                    raise Refusal(f"The body stands in the file {text}, and the report does not hold it.")
            case "user" | "http-user" | "password" | "http-password":
                login[name.removeprefix("http-")] = text
            case "auth-no-challenge":
                is_first = True
            case "user-agent" | "U":
                agent = text
            case _:
                pass  # says how to send or where to write
    if not url:
        raise Refusal("The wget command names no address.")
    names = {name.lower() for name, _ in headers}
    if body is not None and "content-type" not in names:
        headers.append(("Content-Type", "application/x-www-form-urlencoded"))
    if is_first and "user" in login and "authorization" not in names:
        pair = f"{login['user']}:{login.get('password', '')}"
        headers.append(("Authorization", f"Basic {base64.b64encode(raw(pair)).decode('ascii')}"))
    if agent and "user-agent" not in names:
        headers.append(("User-Agent", agent))
    if "accept" not in names:
        headers.append(("Accept", "*/*"))
    implied = "GET" if body is None else "POST"
    return ReportedCall(method or implied, address(url, notes), tuple(headers), body or b"")


def _options(words: list[bytes]) -> list[tuple[str, bytes]]:
    """Options by their long names with their values; an address is the option `url`."""
    found: list[tuple[str, bytes]] = []
    rest = list(reversed(words))
    while rest:
        word = rest.pop()
        if word.startswith(b"--"):
            name, equals, value = word[2:].partition(b"=")
            key = shown(name)
            if not equals and key in _WITH_VALUE and rest:
                value = rest.pop()
            found.append((key, value))
        elif word.startswith(b"-") and len(word) > 1:
            letters = shown(word[1:])
            at = next((number for number, letter in enumerate(letters) if letter in _SHORT_WITH_VALUE), None)
            if at is not None:
                value = word[at + 2 :] or (rest.pop() if rest else b"")
                found.append((letters[at], value))
        else:
            found.append(("url", word))
    return found
