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
from collections.abc import Callable, Iterator

from olv_tui import jsontext
from olv_tui.model import Exchange, Header
from olv_tui.redact import MASK
from olv_tui.reports.pieces import absent
from olv_tui.reports.values import Notes, Refusal, ReportedCall, Written, raw
from olv_tui.transport.address import is_plain, target_of
from olv_tui.transport.coding import ACCEPTED

LOOKS = re.compile(
    r"\b(?:httpx|requests|client|session|Request|http)\s*\.\s*(?:post|request|put|get|Request)\s*\("
    r"|\.\s*(?:post|request|put|Request)\s*\([^;{]{0,400}?\b(?:json|data|content|headers|method)\s*=(?![=>])"
)
_METHODS = frozenset({"post", "put", "patch", "get", "delete"})
_PROMPT = re.compile(r"[ \t]*(?:(?:>>>|\.\.\.)(?: |$)|In \[\d+\]: ?|\.{3,}: ?)")
_DEPTH = 50  # of expressions in expressions
_LONGEST = 2_000_000  # characters; ast takes a hundred times the memory


def calls(text: str, notes: Notes) -> Iterator[ReportedCall]:
    """The requests that a Python text makes. Raises Refusal."""
    tree = _parsed(text)
    if tree is None:
        return
    values = _Values(notes)
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            values.set(node.targets[0].id, node.value)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            call = _call(node, node.func.attr, values.of)
            if call is not None:
                yield call


def _parsed(text: str) -> ast.Module | None:
    import textwrap
    import warnings

    if len(text) > _LONGEST:
        return None
    prompted = [line[match.end() :] for line in text.split("\n") if (match := _PROMPT.match(line))]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # odd escapes in it are not ours
            return ast.parse("\n".join(prompted) if prompted else textwrap.dedent(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


_UNKNOWN = object()


class _Values:
    """What expressions stand for, where the text tells it."""

    def __init__(self, notes: Notes) -> None:
        self.notes = notes
        self._known: dict[str, object] = {}

    def set(self, name: str, node: ast.expr) -> None:
        """Take over an assignment."""
        value = self.of(node)
        if value is not _UNKNOWN:
            self._known[name] = value

    def of(self, node: ast.expr, depth: int = 0) -> object:
        """A literal, a name set to one before, texts put together, `'..'.encode()`, `json.dumps(..)`; else unknown."""
        if depth > _DEPTH:
            return _UNKNOWN
        if isinstance(node, ast.Name):
            return self._known.get(node.id, _UNKNOWN)
        if isinstance(node, ast.Call):
            return self._called(node, depth)
        if isinstance(node, ast.List | ast.Tuple):
            items = [self.of(item, depth + 1) for item in node.elts]
            return _UNKNOWN if any(item is _UNKNOWN for item in items) else items
        if isinstance(node, ast.Dict):
            return self._object(node, depth)
        if isinstance(node, ast.JoinedStr):
            return "".join(self._part(part, depth) for part in node.values)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            left, right = self.of(node.left, depth + 1), self.of(node.right, depth + 1)
            return left + right if isinstance(left, str) and isinstance(right, str) else _UNKNOWN
        try:
            return ast.literal_eval(node)
        except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
            return _UNKNOWN

    def _part(self, node: ast.expr, depth: int) -> str:
        """A part of an f-string; what is not told stands as a variable, as it would in a shell."""
        value = self.of(node.value if isinstance(node, ast.FormattedValue) else node, depth + 1)
        if value is not _UNKNOWN:
            return str(value)
        inside = node.value if isinstance(node, ast.FormattedValue) else node
        name = inside.id if isinstance(inside, ast.Name) else "value"
        self.notes.remark(f"The value of {name} is not in the report; ${name} stands for it.")
        return f"${name}"

    def _object(self, node: ast.Dict, depth: int) -> object:
        found: dict[object, object] = {}
        for key, inside in zip(node.keys, node.values, strict=True):
            value = self.of(inside, depth + 1)
            name = None if key is None else self.of(key, depth + 1)
            if key is None and isinstance(value, dict):
                found |= value
            elif value is _UNKNOWN or not isinstance(name, str | int | float | bool):
                return _UNKNOWN
            else:
                found[name] = value
        return found

    def _called(self, node: ast.Call, depth: int) -> object:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if name == "encode" and isinstance(node.func, ast.Attribute):
            text = self.of(node.func.value, depth + 1)
            return raw(text) if isinstance(text, str) else _UNKNOWN
        if name == "dumps" and node.args:
            data = self.of(node.args[0], depth + 1)
            return _UNKNOWN if data is _UNKNOWN else _dumped(data, compact=False)
        return _UNKNOWN


def _dumped(data: object, *, compact: bool) -> object:
    try:
        separators = (",", ":") if compact else None
        return json.dumps(data, ensure_ascii=not compact, separators=separators)
    except (TypeError, ValueError, RecursionError):
        return _UNKNOWN


def _call(node: ast.Call, name: str, value: Callable[[ast.expr], object]) -> ReportedCall | None:
    """The request of a call, None where it is none. Raises Refusal."""
    positional = [value(item) for item in node.args]
    named = {item.arg: value(item.value) for item in node.keywords if item.arg}
    is_urllib = name == "Request" and "data" in named  # its method is a keyword
    if is_urllib:
        method = named.get("method", "POST")
    elif name in ("Request", "request"):
        method = named.get("method", positional.pop(0) if positional else _UNKNOWN)
    elif name in _METHODS:
        method = name.upper()
    else:
        return None
    url = named.get("url", positional.pop(0) if positional else _UNKNOWN)
    if not isinstance(url, str) or not isinstance(method, str) or "://" not in url:
        return None
    told: object = named.get("headers", [])
    headers = _headers(told)
    if told is _UNKNOWN:
        raise Refusal("The headers are made by an expression of Python, which is not evaluated.")
    body: object = next((named[key] for key in ("content", "data", "json") if key in named), b"")
    if "json" in named and body is named["json"] and body is not _UNKNOWN:
        body = _dumped(body, compact=True)
        if not any(one.lower() == "content-type" for one, _ in headers):
            headers = (*headers, ("Content-Type", "application/json"))
    data = raw(body) if isinstance(body, str) else body
    if not isinstance(data, bytes):
        raise Refusal("The body is made by an expression of Python, which is not evaluated.")
    is_bare = name == "Request" and not is_urllib
    return ReportedCall(method.upper(), url, headers, data, without=absent(headers) if is_bare else ())


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
    arguments = ["url", "headers=headers", "content=body", *_target(request.url)]
    lines = [
        "import httpx",
        "",
        f"url = {_literal(request.url)}",
        "headers = [",
        *(f"    ({_literal(name)}, {_header_literal(value)})," for name, value in headers),
        "]",
        f"body = {_body_literal(request.body)}",
        "",
        f"request = httpx.Request({_literal(request.method)}, {', '.join(arguments)})",
        "with httpx.Client(timeout=30) as client:",
        "    response = client.send(request)",
        "print(response.status_code, response.reason_phrase)",
        "print(response.text)",
    ]
    return Written("\n".join(lines) + "\n")


def _target(url: str) -> list[str]:
    """The argument that keeps httpx from writing path and query in its own way."""
    target = target_of(url)
    return [] if is_plain(target) or MASK.search(url) else [f'extensions={{"target": {target.encode()!r}}}']


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
