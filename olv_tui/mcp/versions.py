"""Protocol versions and what a request of each carries: `_meta` and the `MCP-*` headers.

Follows MCP 2026-07-28, basic ("Request metadata") and Streamable HTTP ("Request headers").

Rules of this file:

* Text that a person wrote stays as written; what is added is added at its end.
* Headers are derived from the body that will be sent, so that the two cannot disagree.
* Versions are opaque words, compared by membership and never as dates.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable

from olv_tui import __version__, jsontext
from olv_tui.mcp.headers import mirrored
from olv_tui.model import Header, Number, Object, Tool, Value

MODERN = "2026-07-28"
"""The stateless revision: no handshake, no session."""

LEGACY = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
"""Revisions that begin with initialize, newest first."""

KNOWN = (MODERN, *LEGACY)
"""Every revision this program knows, newest first."""

WITHOUT_VERSION_HEADER = frozenset({"2025-03-26", "2024-11-05"})
"""Revisions that know no `MCP-Protocol-Version` header."""

CLIENT_INFO: dict[str, str] = {"name": "olv-tui", "version": __version__}
"""How this program names itself to servers."""

_PREFIX = "io.modelcontextprotocol/"
_PLAIN = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?|")
_SENTINEL = re.compile(r"=\?base64\?(.*)\?=", re.DOTALL)
_NAMED_BY = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}


def modern_params(params: str | None, version: str = MODERN, capabilities: str = "{}") -> str:
    """The params text with the `_meta` that every modern request carries as its last member.

    Everything else stays verbatim. A `_meta` that is there already keeps its members and gets those it
    lacks. Text that is no object, or whose `_meta` is none, is returned as it is: sending what is wrong
    must stay possible. `capabilities` is JSON text.
    """
    due = {
        f"{_PREFIX}protocolVersion": jsontext.dumps(version),
        f"{_PREFIX}clientInfo": jsontext.dumps(Object(CLIENT_INFO.items())),
        f"{_PREFIX}clientCapabilities": capabilities,
    }
    text = params if params is not None else "{}"
    value = jsontext.parse(text.encode("utf-8", "surrogatepass"))
    if not value.valid or not isinstance(value.value, Object):
        return text
    if "_meta" not in value.value:
        return _appended(text, f'"_meta":{{{_members(due)}}}', empty=not value.value)
    theirs = value.value["_meta"]
    place = jsontext.span(text, "/_meta")
    if not isinstance(theirs, Object) or place is None:
        return text
    missing = {name: written for name, written in due.items() if name not in theirs}
    if not missing:
        return text
    meta = _appended(text[place[0] : place[1]], _members(missing), empty=not theirs)
    return text[: place[0]] + meta + text[place[1] :]


def _members(members: dict[str, str]) -> str:
    return ",".join(f"{jsontext.dumps(name)}:{written}" for name, written in members.items())


def _appended(text: str, member: str, *, empty: bool) -> str:
    """An object's text with one more member before its closing brace."""
    close = text.rindex("}")
    body = text[:close].rstrip(" \t\r\n")
    return body + ("" if empty else ",") + member + text[len(body) :]


def modern_headers(body: bytes, tool: Tool | None, version: str = MODERN) -> tuple[Header, ...]:
    """The headers that 2026-07-28 demands beside this body: version, method, name, mirrored arguments.

    `tool` is the definition of the called tool where it is known; its `x-mcp-header` annotations say
    which arguments are mirrored as `Mcp-Param-*`. A body that is no single JSON-RPC message gets the
    version alone.
    """
    message = jsontext.parse(body).value
    params = message.get("params") if isinstance(message, Object) else None
    meta = params.get("_meta") if isinstance(params, Object) else None
    told = meta.get(f"{_PREFIX}protocolVersion") if isinstance(meta, Object) else None
    if isinstance(told, str) and _PLAIN.fullmatch(told):
        version = told  # the header MUST equal the body, also where a person wrote another version there
    headers: list[Header] = [("MCP-Protocol-Version", version)]
    method = message.get("method") if isinstance(message, Object) else None
    if not isinstance(method, str):
        return tuple(headers)
    headers.append(("Mcp-Method", encode_header_value(method)))
    if not isinstance(params, Object):
        return tuple(headers)
    name = params.get(_NAMED_BY.get(method, ""))
    if method in _NAMED_BY and isinstance(name, str):
        headers.append(("Mcp-Name", encode_header_value(name)))
    if method == "tools/call" and tool is not None:
        headers += _mirrors(tool, params.get("arguments"))
    return tuple(headers)


def _mirrors(tool: Tool, arguments: Value) -> Iterable[Header]:
    for path, token in mirrored(tool.definition.get("inputSchema")):
        value = arguments
        for step in path:
            value = value.get(step) if isinstance(value, Object) else None
        written = _scalar(value)
        if written is not None:
            yield f"Mcp-Param-{token}", encode_header_value(written)


def _scalar(value: Value) -> str | None:
    """A string, number or boolean as header text; None for what is not mirrored, null included."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Number):
        return value.text
    return value if isinstance(value, str) else None


def encode_header_value(value: str) -> str:
    """A value for `Mcp-Name` and `Mcp-Param-*`: as it is, else `=?base64?<base64 of UTF-8>?=`.

    Encoded are values that a header cannot carry (anything but printable ASCII, space at an end) and
    those that look encoded already.
    """
    if _PLAIN.fullmatch(value) and not _SENTINEL.fullmatch(value):
        return value
    return f"=?base64?{base64.b64encode(value.encode('utf-8', 'surrogatepass')).decode('ascii')}?="


def decode_header_value(text: str) -> str:
    """The value that `encode_header_value` made `text` of; text with a broken encoding is returned as it is."""
    match = _SENTINEL.fullmatch(text)
    if match is None:
        return text
    try:
        return base64.b64decode(match[1], validate=True).decode("utf-8", "surrogatepass")
    except (binascii.Error, ValueError):
        return text
