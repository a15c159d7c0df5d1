"""PowerShell texts: Invoke-RestMethod and Invoke-WebRequest, and curl.exe with variables and here-strings.

Rules of this file: nothing is evaluated (windows.py). Windows PowerShell takes quotes inside the arguments of a
program for its own unless a backslash stands before them, so `\\"` counts as `"` there.
"""

from __future__ import annotations

from collections.abc import Iterator

from olv_tui.model import Header
from olv_tui.reports import curl
from olv_tui.reports.values import Notes, Refusal, ReportedCall, shown
from olv_tui.reports.windows import Token, Variables, statements

_INVOKE = frozenset({"invoke-restmethod", "invoke-webrequest", "irm", "iwr"})
_CURL = frozenset({"curl", "curl.exe"})
_SWITCHES = frozenset(
    {"-usebasicparsing", "-skipcertificatecheck", "-passthru", "-resume", "-verbose", "-skiphttperrorcheck",
     "-disablekeepalive", "-usedefaultcredentials", "-skipheadervalidation", "-allowunencryptedauthentication"}
)  # fmt: skip


def calls(text: str, notes: Notes) -> Iterator[ReportedCall]:
    """The requests that a PowerShell text makes. Raises Refusal."""
    variables = Variables(notes)
    for statement in statements(text, notes):
        tokens = statement.tokens
        # `$response = Invoke-RestMethod ...` asks as well.
        if len(tokens) > 2 and tokens[0].kind == "variable" and tokens[2].text.lower() in _INVOKE | _CURL:
            tokens = tokens[2:]
        if variables.take(tokens):
            continue
        start = next((at for at, one in enumerate(tokens) if one.text.lower() in _INVOKE | _CURL), None)
        if start is None or tokens[start].kind != "bare":
            continue
        rest = tokens[start + 1 :]
        if tokens[start].text.lower() in _CURL and not _is_alias(tokens[start].text, rest):
            yield _curl(rest, variables, notes, tokens[:start])
        else:
            yield _invoke(rest, variables)


def _is_alias(name: str, rest: list[Token]) -> bool:
    """In Windows PowerShell `curl` without .exe is Invoke-WebRequest; its parameters tell the two apart."""
    words = {one.text.lower() for one in rest if one.kind == "bare"}
    return name.lower() == "curl" and bool(words & {"-uri", "-headers", "-body", "-method", "-contenttype"})


# --------------------------------------------------------------------------- curl.exe


def _curl(rest: list[Token], variables: Variables, notes: Notes, before: list[Token]) -> ReportedCall:
    """curl with the words of PowerShell. Raises Refusal."""
    words: list[bytes] = []
    for token in rest:
        if token.kind == "op" and token.text in ("|", "\n"):
            break
        value = variables.text(token)
        if token.kind in ("text", "double", "variable"):
            value = value.replace(b'\\"', b'"')
        # A comma or equals sign is a token of its own only to PowerShell's expressions.
        if token.is_joined and words:
            words[-1] += value
        else:
            words.append(value)
    stdin: bytes | None = None
    if before and before[-1].text == "|":
        # PowerShell ends what it pipes into a program with a line end.
        told = variables.value(before[:-1])
        stdin = None if told is None else told + b"\r\n"
    return curl.call(words, stdin, notes, variables.files)


# --------------------------------------------------------------------------- Invoke-RestMethod


def _invoke(rest: list[Token], variables: Variables) -> ReportedCall:
    """Parameters by name (any case, any unambiguous start), the address also by place. Raises Refusal."""
    method, url, kind, agent = "", "", "", ""
    body: bytes | None = None
    headers: list[Header] = []
    at = 0
    while at < len(rest):
        token = rest[at]
        name = token.text.lower().rstrip(":") if token.kind == "bare" and token.text.startswith("-") else ""
        if token.kind == "op" and token.text in ("|", "\n"):
            break
        if not name:
            if not url and token.kind in ("text", "double", "bare", "variable"):
                url = shown(variables.text(token))
            at += 1
            continue
        if name in _SWITCHES or at + 1 >= len(rest):
            at += 1
            continue
        values, used = _value(rest, at + 1)
        at += 1 + used
        if "-headers".startswith(name) and len(name) > 2:
            headers += _headers(values, variables)
        elif "-body".startswith(name):
            body = variables.json(values) or variables.value(values)
            if body is None:
                raise Refusal("The body is made by an expression of PowerShell, which is not evaluated.")
        else:
            told = shown(variables.value(values) or b"")
            method = told.upper() if "-method".startswith(name) and len(name) > 2 else method
            url = told if "-uri".startswith(name) else url
            kind = told if "-contenttype".startswith(name) and len(name) > 2 else kind
            agent = told if "-useragent".startswith(name) and len(name) > 4 else agent
    if not url:
        raise Refusal("The PowerShell command names no address.")
    if agent and not any(one.lower() == "user-agent" for one, _ in headers):
        headers.append(("User-Agent", agent))
    return _made(method or "GET", url, headers, body, kind)


def _made(method: str, url: str, headers: list[Header], body: bytes | None, kind: str) -> ReportedCall:
    names = {name.lower() for name, _ in headers}
    if body is not None and "content-type" not in names:
        headers.append(("Content-Type", kind or "application/x-www-form-urlencoded"))
    without = () if body is not None or "content-type" in names else ("content-type",)
    return ReportedCall(method, url if "://" in url else f"http://{url}", tuple(headers), body or b"", without=without)


def _value(rest: list[Token], at: int) -> tuple[list[Token], int]:
    """The tokens of one value: a token, or everything up to the bracket that closes."""
    depth, end = 0, at
    while end < len(rest):
        token = rest[end]
        if token.kind == "op" and token.text in ("(", "{", "@{"):
            depth += 1
        elif token.kind == "op" and token.text in (")", "}"):
            depth -= 1
        end += 1
        following_joins = end < len(rest) and rest[end].is_joined and rest[end].text in ("(", "{")
        if depth <= 0 and not following_joins:
            break
    return rest[at:end], end - at


def _headers(values: list[Token], variables: Variables) -> list[Header]:
    """A hash table, written there or in a variable before."""
    if len(values) == 1 and values[0].kind == "variable":
        pairs = variables.tables.get(values[0].text.lower(), [])
    else:
        pairs = variables.table(values)[0]
    return [(name, shown(value)) for name, value in pairs]
