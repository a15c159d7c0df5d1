"""Code that sends a request (JavaScript, Go, Java, C#, PHP, Ruby), looked over for the address and the headers.

Rules of this file:

* Nothing is run, and no language is parsed: the message is found as JSON (reports/pieces.py), and what stands in
  the well-known places around it is put to it.
* Where an address is not certain there is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from olv_tui import jsontext
from olv_tui.model import Header, Object
from olv_tui.reports.lenient import mend
from olv_tui.reports.pieces import Call, Piece
from olv_tui.reports.values import raw

LOOKS = re.compile(
    r"\bfetch\s*\(|\baxios\b|XMLHttpRequest|\b(?:ky|got|superagent|\$)\.(?:post|ajax)\b|http\.NewRequest|HttpRequest"
    r"|Request\.Builder|RequestBody|OkHttp|Net::HTTP|CURLOPT_|curl_setopt|RestClient|RestRequest|HttpClient|reqwest"
    r"|https?\.request\s*\(|URLRequest|new Request\s*\(|JSON\.stringify|HTTParty|Faraday|Guzzle|StringContent"
    r"|\b(?:requests|httpx|aiohttp)\.\w|urllib\.request|[pP]ost\w{0,20}!?\s*\(\s*[\"'`]https?:"
)
_TEXT = r"[\"'`](https?://[^\"'`\s]{1,2000})[\"'`]"
_ADDRESSED = (
    re.compile(
        r"(?:fetch|axios(?:\.\w+)?|[pP]ost\w{0,20}!?(?:<\w{1,40}>)?|\.ajax|\.url|Uri|URI|new Request|setUrl|RestClient)"
        r"\s*\(\s*" + _TEXT
    ),
    re.compile(r"(?:\.open|NewRequest|HttpRequestMessage|\.request)\s*\(\s*[^\n]{0,60}?,\s*" + _TEXT),
    re.compile(r"\b(?:url|uri|endpoint|URL|CURLOPT_URL|Url|baseURL)[\"']?\s*(?::=|=>|[:=,])\s*" + _TEXT),
)
_ANY = re.compile(r"(?P<before>[\w\"'-]{0,20})\s*[:=,(]*\s*" + _TEXT)
_HOSTED = re.compile(r"\bhost(?:name)?[\"']?\s*[:=]\s*[\"'`]([\w.-]{1,200})[\"'`]")
_PORTED = re.compile(r"\bport[\"']?\s*[:=]\s*[\"'`]?(\d{1,5})\b")
_PATHED = re.compile(r"\bpath(?:name)?[\"']?\s*[:=]\s*[\"'`](/[^\"'`\s]{0,500})[\"'`]")
_NO_ADDRESS = re.compile(r"refer|origin|schema|xmlns", re.IGNORECASE)
_PAIR = re.compile(
    r"(?:append|[Aa]dd(?:Header|RequestHeader|WithoutValidation)?|[Ss]et(?:RequestHeader|Header)?|[Hh]eader|addValue"
    r"|setValue|TryAddWithoutValidation)\s*\(\s*[\"']([\w-]{2,60})[\"']\s*,\s*[\"']([^\"'\n]{0,2000})[\"']"
)
_SWIFT = re.compile(r"(?:addValue|setValue)\s*\(\s*\"([^\"\n]*)\"\s*,\s*forHTTPHeaderField:\s*\"([\w-]+)\"")
_LINE = re.compile(r"[\"']([A-Za-z][\w-]{1,60}):[ ]?([^\"'\n]{0,2000})[\"']")
_INDEXED = re.compile(r"\[\s*[\"']([A-Z][\w-]{1,60})[\"']\s*\]\s*=\s*[\"']([^\"'\n]{0,2000})[\"']")
_OBJECT = re.compile(r"[Hh]eaders[\"']?\s*(?:[:=]|=>)\s*(?:new Headers\s*\(\s*)?(?=\{)")
_INTERPOLATED = re.compile(r"\$\{([^{}\n]{0,200})\}")
_MEMBER = re.compile(r"[\"']?([A-Za-z][\w-]{0,60})[\"']?\s*:\s*([\"'`])([^\"'`\n]{0,2000})\2")
_LONGEST = 4000  # characters of an object that holds headers
_UNSENT = frozenset({"host", "content-length", "connection"})


def dressed(text: str, pieces: list[Piece]) -> Iterator[Piece]:
    """The same pieces; a lone envelope gets the address and the headers of the code around it."""
    url, headers = address(text), tuple(_headers(text))
    is_compact = "JSON.stringify" in text
    for piece in pieces:
        if not isinstance(piece, Call) or not piece.is_bare:
            yield piece
            continue
        call = piece.call
        body = raw(jsontext.dumps(jsontext.parse(call.body).value)) if is_compact else call.body
        yield Call(
            replace(call, url=url or call.url, headers=call.headers or headers, body=body, form="code"), is_bare=not url
        )


def address(text: str) -> str:
    """The address that code sends to, "" where it is not certain."""
    for pattern in _ADDRESSED:
        found = dict.fromkeys(pattern.findall(text))
        if len(found) == 1:
            return str(next(iter(found)))
    if host := _HOSTED.search(text):
        port = _PORTED.search(text)
        scheme = "http" if re.search(r"\bhttp\.request\s*\(", text) else "https"
        path = _PATHED.search(text)
        return f"{scheme}://{host[1]}{':' + port[1] if port else ''}{path[1] if path else '/'}"
    left = {match[2] for match in _ANY.finditer(text) if not _NO_ADDRESS.search(match["before"])}
    return left.pop() if len(left) == 1 else ""


def _headers(text: str) -> Iterator[Header]:
    found: dict[str, Header] = {}
    for match in _OBJECT.finditer(text):
        value = _object(text, match.end())
        for name, told in value.items():
            if isinstance(told, str):
                found.setdefault(name.lower(), (name, told))
    for pattern in (_PAIR, _INDEXED) if not found else (_PAIR,):
        for match in pattern.finditer(text):
            found.setdefault(match[1].lower(), (match[1], match[2]))
    for match in _SWIFT.finditer(text):
        found[match[2].lower()] = (match[2], match[1])
        found.pop(match[1].lower(), None)
    if "HTTPHEADER" in text:
        for match in _LINE.finditer(text):
            found.setdefault(match[1].lower(), (match[1], match[2].strip()))
    return (one for name, one in found.items() if name not in _UNSENT)


def _object(text: str, at: int) -> Object:
    """The headers in an object of code; of those that an expression makes, the ones that stand in quotes."""
    mended = mend(text, at)
    if mended.text is not None:
        value = jsontext.parse(raw(mended.text)).value
        return value if isinstance(value, Object) else Object()
    inside = _INTERPOLATED.sub(lambda one: f"$\1{one[1]}\2", text[at : at + _LONGEST])
    inside = inside[: inside.find("}")]
    found = [(match[1], match[3]) for match in _MEMBER.finditer(inside)]
    return Object([(name, told.replace("$\1", "${").replace("\2", "}")) for name, told in found])
