"""PowerShell texts: Invoke-RestMethod and Invoke-WebRequest, and curl.exe with variables and here-strings.

Rules of this file: nothing is evaluated (windows.py). Windows PowerShell takes quotes inside the arguments of a
program for its own unless a backslash stands before them, so `\\"` counts as `"` there.
"""

from __future__ import annotations

from collections.abc import Iterator

from olv_tui.model import Header
from olv_tui.reports import curl
from olv_tui.reports.values import Notes, Refusal, ReportedCall, address, shown
from olv_tui.reports.windows import Token, Variables, statements

_INVOKE = frozenset({"invoke-restmethod", "invoke-webrequest", "irm", "iwr"})
_BODY = frozenset({b"-d", b"--data", b"--data-raw", b"--data-binary", b"--json"})
_CURL = frozenset({"curl", "curl.exe"})
_NAMED = {"-uri": 2, "-method": 3, "-headers": 3, "-body": 2, "-contenttype": 4, "-useragent": 5}
"""Parameters that tell of the request, and how many characters name them for certain."""

_PSEUDO = frozenset({"authority", "method", "path", "scheme"})
"""Fields of HTTP/2 that browsers copy as headers."""

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
            yield from _curl(rest, variables, notes, tokens[:start])
        else:
            yield _invoke(rest, variables)


def _is_alias(name: str, rest: list[Token]) -> bool:
    """In Windows PowerShell `curl` without .exe is Invoke-WebRequest; its parameters tell the two apart."""
    words = {one.text.lower() for one in rest if one.kind == "bare"}
    return name.lower() == "curl" and bool(words & {"-uri", "-headers", "-body", "-method", "-contenttype"})


# --------------------------------------------------------------------------- curl.exe


def _curl(rest: list[Token], variables: Variables, notes: Notes, before: list[Token]) -> list[ReportedCall]:
    """curl with the words of PowerShell. Raises Refusal."""
    words: list[bytes] = []
    for token in rest:
        if token.kind == "op" and token.text in ("|", "\n"):
            break
        value = variables.text(token)
        if words and words[-1] in _BODY and not token.is_joined and not variables.is_known(token):
            raise Refusal(f"The body is the variable ${token.text}, whose value the report does not hold.")
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
    return curl.calls(words, stdin, notes, variables.files)


# --------------------------------------------------------------------------- Invoke-RestMethod


def _invoke(rest: list[Token], variables: Variables) -> ReportedCall:
    """Parameters by name (any case, any unambiguous start), the address also by place. Raises Refusal."""
    told: dict[str, str] = {}
    body: bytes | None = None
    headers: list[Header] = []
    for name, values in _parameters(_unsplatted(rest, variables)):
        if name == "-headers":
            headers += _headers(values, variables)
        elif name == "-body":
            body = _body(values, variables)
        elif name:
            told.setdefault(name, shown(variables.value(values) or b""))
    url = told.get("-uri", "")
    if not url:
        raise Refusal("The PowerShell command names no address.")
    if len(_PSEUDO & {name.lower() for name, _ in headers}) == len(_PSEUDO):
        headers = [item for item in headers if item[0].lower() not in _PSEUDO]
    if "-useragent" in told and not any(one.lower() == "user-agent" for one, _ in headers):
        headers.append(("User-Agent", told["-useragent"]))
    url = address(url, variables.notes)
    return _made(told.get("-method", "GET").upper(), url, headers, body, told.get("-contenttype", ""))


def _parameters(rest: list[Token]) -> Iterator[tuple[str, list[Token]]]:
    """Parameters by their whole names with their values; one that says nothing of the request has no name."""
    at = 0
    while at < len(rest):
        token = rest[at]
        if token.kind == "op" and token.text in ("|", "\n"):
            return
        name = token.text.lower().rstrip(":") if token.kind == "bare" and token.text.startswith("-") else ""
        if not name and token.kind != "op":
            yield "-uri", [token]
        if not name or name in _SWITCHES or at + 1 >= len(rest):
            at += 1
            continue
        values, used = _value(rest, at + 1)
        at += 1 + used
        yield next((one for one, least in _NAMED.items() if one.startswith(name) and len(name) >= least), ""), values


def _unsplatted(rest: list[Token], variables: Variables) -> list[Token]:
    """The tokens with `@name` as the parameters that the hash table of this name holds."""
    out: list[Token] = []
    at = 0
    while at < len(rest):
        name = rest[at + 1].text.lower() if rest[at].text == "@" and at + 1 < len(rest) else ""
        if name not in variables.shapes:
            out.append(rest[at])
            at += 1
            continue
        for key, values in variables.members(variables.shapes[name]):
            is_one = len(values) == 1 or values[0].text in ("(", "@{")
            out += [Token("bare", f"-{key}"), *(values if is_one else [Token("op", "("), *values, Token("op", ")")])]
        at += 2
    return out


def _body(values: list[Token], variables: Variables) -> bytes:
    """The value of -Body. Raises Refusal."""
    for token in values:
        if not variables.is_known(token):
            raise Refusal(f"The body is made of the variable ${token.text}, whose value the report does not hold.")
    body = variables.json(values)
    body = variables.value(values) if body is None else body
    if body is None:
        raise Refusal("The body is made by an expression of PowerShell, which is not evaluated.")
    return body


def _made(method: str, url: str, headers: list[Header], body: bytes | None, kind: str) -> ReportedCall:
    names = {name.lower() for name, _ in headers}
    if body is not None and "content-type" not in names:
        headers.append(("Content-Type", kind or "application/x-www-form-urlencoded"))
    without = () if body is not None or "content-type" in names else ("content-type",)
    return ReportedCall(method, url, tuple(headers), body or b"", without=without)


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
