"""Ways to break a request on purpose, for those who test how a server takes it.

Rules of this file:

* Pure: a request (bytes and headers) in, one that is broken in exactly one way out, or why that cannot be done
  to this one. Everything else of the request stays as it was.
* Each entry names the rule it breaks and what a right server answers. Where revisions differ, both are told.
* The sentences of section 4 and 5 of JSON-RPC 2.0 and of MCP (Base Protocol, Streamable HTTP, Tools) stand
  behind `answer`; they are ours in wording.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from olv_tui import jsontext
from olv_tui.judge import all_rules
from olv_tui.mcp.tools import required_arguments
from olv_tui.model import Era, Header, Number, Object, Tool, Value, header
from olv_tui.view import envelope
from olv_tui.view.bytetext import as_bytes, as_text

DEPTH = 5_000
"""Levels of the deep value: past what common parsers take (.NET 64, PHP 512, Python 1,000)."""

NO_JSON = "the body is no JSON as it stands"
_NO_TOOL = "the body calls no tool"


@dataclass(frozen=True, slots=True)
class Parts:
    """A request as it can be broken: its body, headers of its own, and names of headers it goes without."""

    body: bytes
    headers: tuple[Header, ...] = ()
    without: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ground:
    """What is known around a request: era, the headers that go with it unbroken, the definition of its tool."""

    era: Era | None = None
    headers: tuple[Header, ...] = ()
    tool: Tool | None = None


Make = Callable[[Parts, Ground], "Parts | str"]


@dataclass(frozen=True, slots=True)
class Breakage:
    """One way to break a request: what it does, the rule it breaks, what a right server answers.

    `code` is a rule of the catalogue, "" where it has none for requests; `source` names the specification.
    """

    key: str
    name: str
    does: str
    code: str
    source: str
    answer: str
    make: Make

    @property
    def rule(self) -> str:
        """The rule in words: code and source."""
        if not self.code:
            return self.source
        source = self.source or all_rules()[self.code].source
        return f"{self.code} · {source}"

    @property
    def phrase(self) -> str:
        """Its name within a sentence."""
        return self.name if self.name[:2].isupper() else self.name[:1].lower() + self.name[1:]

    def apply(self, parts: Parts, ground: Ground) -> Parts | str:
        """The broken request, or why this one cannot be broken so."""
        return self.make(parts, ground)


# --------------------------------------------------------------------------- ways to make one


def _edited(change: Callable[[str], str | None], why: str = NO_JSON) -> Make:
    def make(parts: Parts, _: Ground) -> Parts | str:
        changed = change(as_text(parts.body))
        return why if changed is None else replace(parts, body=as_bytes(changed))

    return make


def _taken(name: str) -> Make:
    return _edited(lambda text: envelope.without_member(text, "", name), f"the body has no {name}")


def _set(name: str, value: str) -> Make:
    return _edited(lambda text: envelope.set_member(text, name, value))


def _sent(name: str, value: str) -> Make:
    def make(parts: Parts, _: Ground) -> Parts | str:
        return _with_header(parts, name, value)

    return make


def _with_header(parts: Parts, name: str, value: str) -> Parts:
    others = tuple(item for item in parts.headers if item[0].lower() != name.lower())
    left = tuple(item for item in parts.without if item.lower() != name.lower())
    return replace(parts, headers=(*others, (name, value)), without=left)


def _inserted(name: str, value: str) -> Make:
    """One more member: in the arguments, else in the params, else beside them."""

    def change(text: str) -> str | None:
        for parent in ("/params/arguments", "/params", ""):
            changed = envelope.with_member(text, parent, name, value)
            if changed is not None:
                return changed
        return None

    return _edited(change)


def _fraction(text: str) -> str | None:
    now = envelope.value_in(text, "/id")
    whole = now if now is not None and now.lstrip("-").isdigit() else "1"
    return envelope.set_member(text, "id", f"{whole}.5")


def _twice(text: str) -> str | None:
    name = "id" if envelope.value_in(text, "/id") is not None else "jsonrpc"
    value = '"the second of two"' if name == "id" else '"2.0"'
    return envelope.with_member(text, "", name, value)


def _comma(text: str) -> str | None:
    if not envelope.members(text):
        return None
    end = text.rindex("}")
    body = text[:end].rstrip(" \t\r\n")
    return f"{body},{text[len(body) :]}"


def _half(parts: Parts, _: Ground) -> Parts | str:
    body = parts.body.rstrip()
    return replace(parts, body=body[: len(body) // 2]) if len(body) > 1 else "the body is empty"


def _no_utf8(text: str) -> str | None:
    r"""`café` in Latin-1, as a program without an encoding writes it: the byte E9 alone is no UTF-8."""
    made = _inserted("no_utf8", '"caf\udce9"')(Parts(as_bytes(text)), Ground())
    return None if isinstance(made, str) else as_text(made.body)


# --------------------------------------------------------------------------- arguments of a tool


def _arguments(text: str) -> Object | None:
    params = (envelope.message(text) or Object()).get("params")
    arguments = params.get("arguments") if isinstance(params, Object) else None
    return arguments if isinstance(arguments, Object) else None


def _missing(parts: Parts, ground: Ground) -> Parts | str:
    text = as_text(parts.body)
    arguments = _arguments(text)
    if arguments is None:
        return _NO_TOOL
    needed = required_arguments(ground.tool) if ground.tool is not None else tuple(arguments)
    name = next((one for one in needed if one in arguments), None)
    if name is None:
        return "the tool requires no argument" if not needed else "no required argument is there to be dropped"
    changed = envelope.without_member(text, "/params/arguments", name)
    return NO_JSON if changed is None else replace(parts, body=as_bytes(changed))


def _mistyped(parts: Parts, ground: Ground) -> Parts | str:
    text = as_text(parts.body)
    arguments = _arguments(text)
    if arguments is None:
        return _NO_TOOL
    properties = _properties(ground.tool)
    name = next((one for one in arguments if one in properties), None) or next(iter(arguments or properties), None)
    if name is None:
        return "the tool takes no argument"
    value = _wrong(arguments.get(name), properties.get(name))
    if name in arguments:
        changed = envelope.with_value(text, f"/params/arguments{jsontext.pointer([name])}", value)
    else:
        changed = envelope.with_member(text, "/params/arguments", name, value)
    return NO_JSON if changed is None else replace(parts, body=as_bytes(changed))


def _properties(tool: Tool | None) -> Object:
    schema = tool.definition.get("inputSchema") if tool is not None else None
    properties = schema.get("properties") if isinstance(schema, Object) else None
    return properties if isinstance(properties, Object) else Object()


def _wrong(now: Value, schema: Value) -> str:
    """A value of a type that is neither the present one nor allowed by the schema."""
    told = schema.get("type") if isinstance(schema, Object) else None
    allowed = set(told) if isinstance(told, list) else {told}
    kinds = {str: "string", Number: "number", bool: "boolean", Object: "object", list: "array"}
    present = next((word for kind, word in kinds.items() if isinstance(now, kind)), "")
    for word, value in (("object", '{"of":"the wrong type"}'), ("array", '["of the wrong type"]'), ("boolean", "true")):
        if word != present and word not in allowed:
            return value
    return '"of the wrong type"'


def _listed(text: str) -> str | None:
    listed = envelope.members(text, "/params/arguments")
    if listed is None:
        return None
    return envelope.with_value(text, "/params/arguments", f"[{','.join(text[one.value : one.end] for one in listed)}]")


# --------------------------------------------------------------------------- headers and eras


def _no_session(parts: Parts, ground: Ground) -> Parts | str:
    if header(ground.headers, "mcp-session-id") is None:
        return "there is no session"
    kept = tuple(item for item in parts.headers if item[0].lower() != "mcp-session-id")
    return replace(parts, headers=kept, without=(*parts.without, "Mcp-Session-Id"))


def _mismatch(parts: Parts, ground: Ground) -> Parts | str:
    if ground.era is not Era.MODERN:
        return "the headers of this era say nothing of the body"
    told = header(ground.headers, "mcp-method")
    return _with_header(parts, "Mcp-Method", "tools/list" if told != "tools/list" else "tools/call")


def _no_meta(parts: Parts, _: Ground) -> Parts | str:
    changed = envelope.without_member(as_text(parts.body), "/params", "_meta")
    if changed is None:
        return "there is no _meta, which is 2026-07-28"
    return replace(parts, body=as_bytes(changed))


# --------------------------------------------------------------------------- the list

_INVALID = "HTTP 400 and -32600; plain JSON-RPC: -32600 with the id null"
_PARSE = "-32700, the id null or absent, over MCP with HTTP 400"
_FIRM = "in time: an argument error, -32600, -32602 or -32700; never a crash, a 500 or silence"

BREAKAGES: tuple[Breakage, ...] = (
    Breakage(
        "no-id", "Drop the id", "Takes the id out: the request becomes a notification.",
        "C01", "", "202 with an empty body; nothing may answer a notification", _taken("id"),
    ),
    Breakage(
        "id-null", "Id null", "Sets the id to null.",
        "", "MCP, Base Protocol, Requests; discouraged in JSON-RPC 2.0, 4",
        "MCP: HTTP 400 and -32600; plain JSON-RPC: an answer with the id null", _set("id", "null"),
    ),
    Breakage(
        "id-fraction", "Fractional id", "Puts .5 behind the id.",
        "", "MCP, Base Protocol, Requests; discouraged in JSON-RPC 2.0, 4",
        "MCP: HTTP 400 and -32600; plain JSON-RPC: an answer with the very same id", _edited(_fraction),
    ),
    Breakage(
        "version", "Wrong jsonrpc version", 'Sets jsonrpc to "1.0".', "R02", "JSON-RPC 2.0, 4", _INVALID,
        _set("jsonrpc", '"1.0"'),
    ),
    Breakage(
        "no-version", "No jsonrpc", "Takes jsonrpc out, as in JSON-RPC 1.0.", "R01", "JSON-RPC 2.0, 4", _INVALID,
        _taken("jsonrpc"),
    ),
    Breakage(
        "method-type", "Method of the wrong type", "Sets the method to the number 1.", "", "JSON-RPC 2.0, 4", _INVALID,
        _set("method", "1"),
    ),
    Breakage(
        "method", "Unknown method", "Names a method that no server has.", "", "JSON-RPC 2.0, 5.1",
        "-32601 with our id; 2026-07-28 with HTTP 404", _set("method", '"no/such/method"'),
    ),
    Breakage(
        "tool", "Unknown tool", "Names a tool that no server has.", "", "MCP, Tools, Error Handling",
        "-32602 with our id, no result with isError",
        _edited(lambda text: None if _arguments(text) is None else
                envelope.with_value(text, "/params/name", '"no_such_tool"'), _NO_TOOL),
    ),
    Breakage(
        "argument-missing", "Missing required argument", "Takes the first required argument out.",
        "", "MCP, Tools, Error Handling",
        "a result with isError that names the argument (-32602 before 2025-11-25)", _missing,
    ),
    Breakage(
        "argument-type", "Argument of the wrong type", "Gives one argument a value of another type.",
        "", "MCP, Tools, Error Handling",
        "a result with isError that names the argument (-32602 before 2025-11-25)", _mistyped,
    ),
    Breakage(
        "argument-extra", "Extra argument", "Adds an argument that no schema has.", "", "JSON Schema 2020-12, 10.3.2.3",
        "as without it; an argument error where the schema says additionalProperties: false",
        _edited(lambda text: envelope.with_member(text, "/params/arguments", "no_such_argument", "true"), _NO_TOOL),
    ),
    Breakage(
        "arguments-list", "Arguments as a list", "Makes the arguments a list of their values.",
        "", "MCP, Tools, Calling Tools", "-32602 with our id; 2026-07-28 with HTTP 400", _edited(_listed, _NO_TOOL),
    ),
    Breakage(
        "no-params", "No params", "Takes the params out.", "", "JSON-RPC 2.0, 4.2; MCP, Base Protocol",
        "-32602 with our id, unless the method needs none", _taken("params"),
    ),
    Breakage(
        "duplicate", "Duplicate key", "Adds the id a second time, with another value.", "J05", "",
        "-32700 or -32600, or an answer that shows which of the two it took", _edited(_twice),
    ),
    Breakage(
        "comma", "Trailing comma", "Puts a comma before the last brace.", "J01", "", _PARSE, _edited(_comma),
    ),
    Breakage("cut", "Cut body", "Sends the first half of the body as if it were all.", "J01", "", _PARSE, _half),
    Breakage(
        "no-json", "Not JSON at all", "Sends a sentence.", "J01", "", _PARSE,
        lambda parts, _: replace(parts, body=b"This is a sentence and no JSON."),
    ),
    Breakage(
        "bom", "BOM in front", "Puts a byte order mark (EF BB BF) before the body.", "J02", "",
        "-32700, or as without it: a parser may ignore the mark",
        lambda parts, _: replace(parts, body=b"\xef\xbb\xbf" + parts.body),
    ),
    Breakage(
        "batch-one", "Batch of one", "Puts the body into a list.", "J07", "",
        "MCP from 2025-06-18 on: HTTP 400 and -32600; plain JSON-RPC: a list with one answer",
        lambda parts, _: replace(parts, body=b"[" + parts.body + b"]"),
    ),
    Breakage(
        "batch-empty", "Empty batch", "Sends a list of nothing.", "J07", "JSON-RPC 2.0, 6",
        "one -32600 with the id null, not a list; over MCP with HTTP 400",
        lambda parts, _: replace(parts, body=b"[]"),
    ),
    Breakage(
        "accept", "Wrong Accept header", "Says that only plain text is taken.",
        "", "MCP Streamable HTTP, Sending Messages; RFC 9110, 15.5.7", "HTTP 406", _sent("Accept", "text/plain"),
    ),
    Breakage(
        "content-type", "Wrong Content-Type", "Says that the body is plain text.",
        "", "MCP Streamable HTTP, Sending Messages; RFC 9110, 15.5.16", "HTTP 415, some say 400",
        _sent("Content-Type", "text/plain"),
    ),
    Breakage(
        "no-session", "No session id", "Leaves the Mcp-Session-Id header out.",
        "", "MCP Streamable HTTP 2025-11-25, Session Management", "HTTP 400", _no_session,
    ),
    Breakage(
        "session", "Wrong session id", "Sends a session id that no server gave.", "H08", "",
        "HTTP 404; 2026-07-28 knows no sessions and pays no heed", _sent("Mcp-Session-Id", "no-such-session"),
    ),
    Breakage(
        "version-header", "Wrong protocol version header", "Sends MCP-Protocol-Version: 1999-01-01.",
        "", "MCP Streamable HTTP, Protocol Version Header",
        "HTTP 400; 2026-07-28: -32020, as header and body differ, or -32022",
        _sent("MCP-Protocol-Version", "1999-01-01"),
    ),
    Breakage(
        "mismatch", "Header not equal to body", "Names another method in Mcp-Method than in the body.",
        "", "MCP 2026-07-28, Streamable HTTP, Request Headers", "HTTP 400 and -32020", _mismatch,
    ),
    Breakage(
        "no-meta", "No _meta", "Takes _meta out of the params.", "", "MCP 2026-07-28, Base Protocol, Request Metadata",
        "HTTP 400 and -32602", _no_meta,
    ),
    Breakage(
        "huge-number", "Huge number", "Adds the number 1e400 to the arguments: no double holds it.", "J04", "", _FIRM,
        _inserted("huge_number", "1e400"),
    ),
    Breakage(
        "deep", "Deep nesting", f"Adds a list {DEPTH:,} lists deep to the arguments.", "", "RFC 8259 9", _FIRM,
        _inserted("deep", "[" * DEPTH + "]" * DEPTH),
    ),
    Breakage(
        "utf8", "Invalid UTF-8", "Adds a text with the byte E9 in it, which is é in Latin-1.", "J06", "RFC 8259 8.1",
        _PARSE, _edited(_no_utf8),
    ),
)  # fmt: skip
"""Every way, in the order of the menu."""
