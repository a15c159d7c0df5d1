"""What a result says: complete or asking for input, success or the tool's own error, and which rules it breaks.

Follows MCP, server/tools ("Tool Result", "Error Handling", "Output Schema"), and for 2026-07-28 basic
("Results"), multi round-trip requests and caching.

Rules of this file:

* Only `isError` exactly true makes a tool error. Nothing is guessed from words.
* A tool error breaks no rule. Its word is the server's own and comes from no closed list.
* The outputSchema is not held against errors: the specification is silent and servers do not mean it so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from olv_tui import jsontext
from olv_tui.mcp.rules import violation
from olv_tui.mcp.toolerror import blocks_of_text, longest_text, looks_like_error, read_tool_error
from olv_tui.mcp.versions import MODERN
from olv_tui.model import Number, Object, Severity, Tool, ToolError, Value, Violation

INPUT_METHODS = frozenset({"tools/call", "prompts/get", "resources/read"})
"""The methods whose result may ask for input (2026-07-28, MRTR)."""

_CACHED = frozenset(
    {
        "server/discover", "tools/list", "prompts/list", "resources/list", "resources/templates/list", "resources/read",
    }
)  # fmt: skip
_NEEDED = {"elicitation/create": "elicitation", "sampling/createMessage": "sampling", "roots/list": "roots"}
_STRUCTURED_OBJECT = ("2025-11-25", "2025-06-18")
_UNSTRUCTURED = ("2025-03-26", "2024-11-05")
_LISTED = 20
_COMPARED = 1_000_000  # characters of text that are read to see whether they repeat structuredContent
_REQUIRED = {
    "text": ("text",),
    "image": ("data", "mimeType"),
    "audio": ("data", "mimeType"),
    "resource_link": ("uri", "name"),
}
_BASE64 = re.compile(r"[A-Za-z0-9+/\s]*={0,2}\s*")


@dataclass(frozen=True, slots=True)
class ResultReading:
    """What one tools/call result comes to. Pointers in `violations` lead into the response message."""

    is_error: bool = False
    input_required: bool = False
    tool_error: ToolError | None = None
    violations: tuple[Violation, ...] = ()


def read_result(
    result: Value, version: str | None, tool: Tool | None = None, *, briefly: bool = False
) -> ResultReading:
    """Read the `result` of a tools/call by the rules of a protocol version (None: unknown). Never raises.

    `tool` gives the outputSchema where it is known. `briefly` reads what it comes to and looks for no violations.
    """
    if not isinstance(result, Object):
        return ResultReading()
    if result.get("resultType") == "input_required":
        return ResultReading(input_required=True)
    flag = result.get("isError")
    is_error = flag is True
    if briefly:
        return ResultReading(is_error, False, read_tool_error(result)[0] if is_error else None)
    found = list(_content(result))
    if "isError" in result and not isinstance(flag, bool):
        found.append(
            violation(
                "T06", f"isError is {jsontext.dumps(flag)[:60]}, no boolean; it counts as false", "/result/isError"
            )
        )
    found += _structured(result, version)
    if is_error:
        failed, disagreement = read_tool_error(result)
        return ResultReading(True, False, failed, (*found, *disagreement))
    found += _mirror(result)
    found += _hint(result)
    found += _conformance(result, version, tool)
    return ResultReading(violations=tuple(found))


# --------------------------------------------------------------------------- T rules


def _content(result: Object) -> Iterator[Violation]:
    """T01 and T02. A result that is a task (2025-11-25) has its content later."""
    content = result.get("content")
    if not isinstance(content, list):
        if "content" in result or not isinstance(result.get("task"), Object):
            what = "is no array" if "content" in result else "is missing; an array is due, be it empty"
            yield violation("T01", f"content {what}", "/result/content" if "content" in result else "/result")
        return
    told = 0
    for number, block in enumerate(content):
        fault = _block_fault(block)
        if fault:
            told += 1
            if told <= _LISTED:
                yield violation("T02", f"content {number + 1} {fault}", f"/result/content/{number}")
    if told > _LISTED:
        yield violation("T02", f"{told - _LISTED} more content blocks are malformed", "/result/content")


def _block_fault(block: Value) -> str:
    """What is wrong with a content block, in words after its number; empty for a sound one."""
    if not isinstance(block, Object):
        return "is no object"
    kind = block.get("type")
    if not isinstance(kind, str):
        return "has no type"
    if kind == "resource":
        inner = block.get("resource")
        if not isinstance(inner, Object):
            return "is of type resource and has no resource object"
        if not isinstance(inner.get("uri"), str):
            return "embeds a resource without a uri"
        if not jsontext.has_text(inner, "text") and not jsontext.has_text(inner, "blob"):
            return "embeds a resource with neither text nor blob"
        return ""
    if kind not in _REQUIRED:
        return f'has the type "{kind[:60]}", which is not known'
    for member in _REQUIRED[kind]:
        if not jsontext.has_text(block, member):
            return f"is of type {kind} and has no string {member}"
    data = block.get("data") if kind in ("image", "audio") else None
    if isinstance(data, str):
        if data.startswith("data:"):
            return "holds a data: address where plain base64 is due"
        if not _BASE64.fullmatch(data[:4096]):
            return "holds data that is not base64"
    return ""


def _structured(result: Object, version: str | None) -> Iterator[Violation]:
    """T03: what each version allows structuredContent to be."""
    if "structuredContent" not in result:
        return
    at = "/result/structuredContent"
    if version in _UNSTRUCTURED:
        yield violation("T03", f"{version} knows no structuredContent", at)
    elif not isinstance(result["structuredContent"], Object) and version != MODERN:
        severity = None if version in _STRUCTURED_OBJECT else Severity.INFO
        yield violation("T03", f"structuredContent is no object, which only {MODERN} allows", at, severity)


def _mirror(result: Object) -> Iterator[Violation]:
    """T05: structuredContent SHOULD also stand in a text block, for clients that do not know it."""
    if "structuredContent" not in result or not isinstance(result.get("content"), list):
        return
    value = result["structuredContent"]
    if longest_text(result) > _COMPARED:
        return
    texts = list(blocks_of_text(result))
    if sum(map(len, texts)) > _COMPARED or any(_repeats(text, value) for text in texts):
        return
    yield violation("T05", "no text block repeats structuredContent, as one should", "/result/content")


def _repeats(text: str, value: Value) -> bool:
    # SDKs wrap what is no object as {"result": value} and put the bare value, or one item a block, into the text.
    wrapped = value["result"] if isinstance(value, Object) and list(value) == ["result"] else value
    if isinstance(wrapped, str) and wrapped == text:
        return True
    parsed = jsontext.parse(text.encode("utf-8", "surrogatepass"))
    if not parsed.has_value:
        return False
    try:
        if parsed.value in (value, wrapped):
            return True
        return isinstance(wrapped, list) and parsed.value in wrapped
    except RecursionError:
        return True  # too deep to compare: nothing is claimed


def _hint(result: Object) -> Iterator[Violation]:
    """T07: an error told inside a success. It stays a success."""
    where = looks_like_error(result)
    if where is not None:
        place, word = where
        message = f'this success looks like an error object: its error is "{word[:100]}", isError is not true'
        yield violation("T07", message, place)


def _conformance(result: Object, version: str | None, tool: Tool | None) -> Iterator[Violation]:
    """T04, where an outputSchema is declared and this version has them."""
    schema = tool.definition.get("outputSchema") if tool is not None else None
    if not isinstance(schema, Object) or version in _UNSTRUCTURED or isinstance(result.get("task"), Object):
        return
    if "structuredContent" not in result:
        yield violation("T04", "the tool declares an outputSchema and the result has no structuredContent", "/result")
        return
    from olv_tui.mcp.conformance import check  # jsonschema takes 115 ms to load

    yield from check(result["structuredContent"], schema, "/result/structuredContent")


# --------------------------------------------------------------------------- M rules


def find_modern(method: str | None, result: Object, asks: Object | None = None) -> tuple[Violation, ...]:
    """M01 to M04 of any result of a 2026-07-28 server. M02 makes the result invalid; the others do not.

    `asks` is that of the request (`Outgoing.asks`), which declares what the client can be asked for.
    """
    return (*_result_type(method, result, asks or Object()), *(_caching(result) if method in _CACHED else ()))


def _result_type(method: str | None, result: Object, asks: Object) -> Iterator[Violation]:
    kind = result.get("resultType")
    if "resultType" not in result:
        yield violation("M01", "resultType is missing; it counts as complete", "/result")
    elif kind == "input_required":
        if method not in INPUT_METHODS:
            yield violation("M03", f"{method} may not be answered with input_required", "/result/resultType")
        elif "inputRequests" not in result and "requestState" not in result:
            yield violation("M03", "it asks for input and has neither inputRequests nor requestState", "/result")
        yield from _undeclared(result.get("inputRequests"), asks.get("_meta"))
    elif kind != "complete":
        shown = jsontext.dumps(kind)[:60]
        yield violation("M02", f"the resultType {shown} is not known, so the result is not valid", "/result/resultType")


def _undeclared(requests: Value, meta: Value) -> Iterator[Violation]:
    """M03: a request for input that needs a capability which the client did not declare."""
    declared = meta.get("io.modelcontextprotocol/clientCapabilities") if isinstance(meta, Object) else None
    if not isinstance(declared, Object) or not isinstance(requests, Object):
        return
    for name, request in list(requests.items())[:_LISTED]:
        method = request.get("method") if isinstance(request, Object) else None
        needed = _NEEDED.get(method) if isinstance(method, str) else None
        if needed is not None and needed not in declared:
            at = "/result/inputRequests" + jsontext.pointer([name])
            yield violation("M03", f"{method} needs the capability {needed}, which was not declared", at)


def _caching(result: Object) -> Iterator[Violation]:
    if result.get("resultType") == "input_required":
        return
    time, scope = result.get("ttlMs"), result.get("cacheScope")
    if not isinstance(time, Number) or not time.text.isdigit():
        what = "is no integer from 0 up" if "ttlMs" in result else "is missing"
        yield violation("M04", f"ttlMs {what}", "/result/ttlMs" if "ttlMs" in result else "/result")
    if scope not in ("public", "private"):
        what = "is neither public nor private" if "cacheScope" in result else "is missing"
        yield violation("M04", f"cacheScope {what}", "/result/cacheScope" if "cacheScope" in result else "/result")
