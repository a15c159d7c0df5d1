"""Python that calls httpx or requests, read without being run; and the Python that olv-tui exports.

Rules of this file:

* The text is parsed to a syntax tree and looked at. Literals are read, nothing is called or imported.
* What is exported sends exactly the headers listed and no others but Host and Content-Length: a `Request` of its
  own goes past the defaults of the client.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator

from olv_tui import jsontext
from olv_tui.model import Exchange, Header
from olv_tui.reports.pieces import absent
from olv_tui.reports.values import Refusal, ReportedCall, Written, raw
from olv_tui.transport.coding import ACCEPTED

LOOKS = re.compile(r"\b(?:httpx|requests|client|session|Request|http)\s*\.\s*(?:post|request|put|get|Request)\s*\(")
_METHODS = frozenset({"post", "put", "patch", "get", "delete"})
_LONGEST = 2_000_000  # characters; ast takes a hundred times the memory


def calls(text: str) -> Iterator[ReportedCall]:
    """The requests that a Python text makes. Raises Refusal."""
    tree = _parsed(text)
    if tree is None:
        return
    known: dict[str, object] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            value = _value(node.value, known)
            if value is not _UNKNOWN:
                known[node.targets[0].id] = value
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            call = _call(node, node.func.attr, known)
            if call is not None:
                yield call


def _parsed(text: str) -> ast.Module | None:
    import textwrap
    import warnings

    if len(text) > _LONGEST:
        return None
    plain = re.sub(r"^(?:>>>|\.\.\.) ?", "", textwrap.dedent(text), flags=re.MULTILINE)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # odd escapes in it are not ours
            return ast.parse(plain)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


_UNKNOWN = object()


def _value(node: ast.expr, known: dict[str, object]) -> object:
    """A literal, a name set to one before, `'..'.encode()`, or base64 of a literal."""
    if isinstance(node, ast.Name):
        return known.get(node.id, _UNKNOWN)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr == "encode" and not node.args:
            text = _value(node.func.value, known)
            return raw(text) if isinstance(text, str) else _UNKNOWN
        if node.func.attr == "dumps" and node.args:
            data = _value(node.args[0], known)
            return _UNKNOWN if data is _UNKNOWN else _dumped(data, compact=False)
        return _UNKNOWN
    if isinstance(node, ast.List | ast.Tuple):
        items = [_value(item, known) for item in node.elts]
        return _UNKNOWN if any(item is _UNKNOWN for item in items) else items
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return _UNKNOWN


def _dumped(data: object, *, compact: bool) -> object:
    try:
        separators = (",", ":") if compact else None
        return json.dumps(data, ensure_ascii=not compact, separators=separators)
    except (TypeError, ValueError, RecursionError):
        return _UNKNOWN


def _call(node: ast.Call, name: str, known: dict[str, object]) -> ReportedCall | None:
    """The request of a call, None where it is none. Raises Refusal."""
    positional = [_value(item, known) for item in node.args]
    named = {item.arg: _value(item.value, known) for item in node.keywords if item.arg}
    is_explicit = name in ("Request", "request")
    if is_explicit:
        method = named.get("method", positional.pop(0) if positional else _UNKNOWN)
    elif name in _METHODS:
        method = name.upper()
    else:
        return None
    url = named.get("url", positional.pop(0) if positional else _UNKNOWN)
    if not isinstance(url, str) or not isinstance(method, str) or "://" not in url:
        return None
    told = named.get("headers", [])
    headers = _headers(told)
    if told is _UNKNOWN:
        raise Refusal("The headers are made by an expression of Python, which is not evaluated.")
    body = next((named[key] for key in ("content", "data", "json") if key in named), b"")
    if "json" in named and body is named["json"] and body is not _UNKNOWN:
        body = _dumped(body, compact=True)
        if not any(one.lower() == "content-type" for one, _ in headers):
            headers = (*headers, ("Content-Type", "application/json"))
    data = raw(body) if isinstance(body, str) else body
    if not isinstance(data, bytes):
        raise Refusal("The body is made by an expression of Python, which is not evaluated.")
    return ReportedCall(method.upper(), url, headers, data, without=absent(headers) if name == "Request" else ())


def _headers(told: object) -> tuple[Header, ...]:
    pairs = told.items() if isinstance(told, dict) else told if isinstance(told, list) else ()
    headers = []
    for pair in pairs:
        if isinstance(pair, list | tuple) and len(pair) == 2:
            name, value = (item.decode("utf-8", "replace") if isinstance(item, bytes) else item for item in pair)
            if isinstance(name, str) and isinstance(value, str):
                headers.append((name, value))
    # Written into every export, since every client sends one; it is not of the request.
    return tuple(item for item in headers if item != ("Accept-Encoding", ACCEPTED))


# --------------------------------------------------------------------------- writing


def as_python(exchange: Exchange) -> Written:
    """An exchange, redacted before, as a Python program that sends it with httpx and prints the answer."""
    request = exchange.request
    headers = request.headers
    if not any(name.lower() == "accept-encoding" for name, _ in headers):
        headers = (*headers, ("Accept-Encoding", ACCEPTED))
    lines = [
        "import httpx",
        "",
        f"url = {_literal(request.url)}",
        "headers = [",
        *(f"    ({_literal(name)}, {_header_literal(value)})," for name, value in headers),
        "]",
        f"body = {_body_literal(request.body)}",
        "",
        f"request = httpx.Request({_literal(request.method)}, url, headers=headers, content=body)",
        "with httpx.Client(timeout=30) as client:",
        "    response = client.send(request)",
        "print(response.status_code, response.reason_phrase)",
        "print(response.text)",
    ]
    return Written("\n".join(lines) + "\n")


def _literal(text: str) -> str:
    """A text as a Python literal in double quotes; what is not printable is escaped by repr."""
    written = repr(text)
    return written if written.startswith('"') or '"' in written else f'"{_double(written)}"'


def _double(written: str) -> str:
    return written[1:-1].replace("\\'", "'")


def _header_literal(value: str) -> str:
    # httpx takes texts in headers for ASCII.
    return _literal(value) if value.isascii() else f"{_literal(value)}.encode()"


def _body_literal(body: bytes) -> str:
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        return repr(body)
    pretty = text.isascii() and jsontext.parse(body).valid
    return repr(body) if pretty else f"{text!r}.encode()"
