"""tools/list read: every definition exact, every fault named, no tool hidden by another.

Follows MCP, server/tools ("Listing Tools", "Data Types"), and its JSON Schema usage since 2025-11-25.

Rules of this file:

* Nothing a list holds can raise. An entry that is no object cannot become a tool and is named instead.
* Annotations are hints of the server and no promises; where they are silent the defaults of MCP hold, so a
  tool without annotations counts as possibly destructive.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from olv_tui import jsontext
from olv_tui.mcp import headers, shapes
from olv_tui.mcp.rules import violation
from olv_tui.mcp.versions import MODERN
from olv_tui.model import Object, Severity, Tool, Value, Violation

_NAME = re.compile(r"[A-Za-z0-9_.-]{1,128}")
_DIALECTS = ("https://json-schema.org/draft/2020-12/schema", "http://json-schema.org/draft-07/schema")
_LISTED = 20
_TYPES: tuple[tuple[str, type, str], ...] = (
    ("title", str, "a string"),
    ("description", str, "a string"),
    ("annotations", Object, "an object"),
    ("icons", list, "an array"),
    ("_meta", Object, "an object"),
)


@dataclass(frozen=True, slots=True)
class ListingPage:
    """One page of tools/list. `has_cursor` is False on the last page; `""` is a cursor like any other.

    `violations` holds everything found on the page, the faults of single tools included; pointers lead
    into the response message.
    """

    tools: tuple[Tool, ...]
    next_cursor: str | None
    has_cursor: bool
    violations: tuple[Violation, ...] = ()


def read_listing(result: Value, version: str | None) -> ListingPage:
    """Read the `result` of tools/list in the given protocol version (None: unknown). Never raises."""
    if not isinstance(result, Object):
        return ListingPage(
            (), None, False, (violation("D01", "the result is no object and lists no tools", "/result"),)
        )
    found: list[Violation] = []
    entries = result.get("tools")
    if not isinstance(entries, list):
        what, at = ("is no array", "/result/tools") if "tools" in result else ("is missing", "/result")
        found.append(violation("D01", f"the list of tools {what}", at, Severity.ERROR))
        entries = []
    tools: list[Tool] = []
    for number, entry in enumerate(entries):
        at = f"/result/tools/{number}"
        if not isinstance(entry, Object):
            found.append(violation("D01", f"entry {number + 1} of the list is no object and so no tool", at))
            continue
        tool = read_tool(entry, at, version)
        tools.append(tool)
        found += tool.violations
    cursor = result.get("nextCursor")
    if "nextCursor" in result and not isinstance(cursor, str):
        what = "null" if cursor is None else "no string"
        found.append(violation("M05", f"nextCursor is {what}; it ends the list by being absent", "/result/nextCursor"))
    text = cursor if isinstance(cursor, str) else None
    return ListingPage(tuple(tools), text, text is not None, tuple(found))


def read_tool(definition: Object, at: str, version: str | None) -> Tool:
    """One definition; `at` is its JSON pointer in the message. Never raises."""
    return Tool(
        name=_text(definition, "name"),
        title=_text(definition, "title"),
        description=_text(definition, "description"),
        definition=definition,
        violations=(*_faults(definition, at, version), *jsontext.hidden(definition, at)),
    )


def _text(definition: Object, member: str) -> str:
    value = definition.get(member)
    return value if isinstance(value, str) else ""


def _faults(definition: Object, at: str, version: str | None) -> Iterator[Violation]:
    schema = definition.get("inputSchema")
    if not isinstance(schema, Object):
        what, place = ("is no object", "/inputSchema") if "inputSchema" in definition else ("is missing", "")
        yield violation("D01", f"the inputSchema {what}", at + place)
    elif schema.get("type") != "object":
        what = f"has the type {jsontext.dumps(schema['type'])[:60]}" if "type" in schema else "has no type"
        yield violation("D01", f'the inputSchema {what}; "object" is due', f"{at}/inputSchema")
    name = definition.get("name")
    if not isinstance(name, str):
        what, place = ("is no string", "/name") if "name" in definition else ("is missing", "")
        yield violation("D02", f"the name {what}, so the tool cannot be called", at + place, Severity.ERROR)
    elif not _NAME.fullmatch(name):
        yield violation("D02", "the name should be 1 to 128 letters, digits, _, . or -", f"{at}/name")
    for member, kind, due in _TYPES:
        if member in definition and not isinstance(definition[member], kind):
            yield violation("D05", f"{member} is not {due}", f"{at}/{member}")
    yield from _output(definition, at, version)
    for member in ("inputSchema", "outputSchema"):
        yield from _schema_faults(definition.get(member), f"{at}/{member}")
    if version == MODERN:
        yield from headers.faults(schema, f"{at}/inputSchema")


def _output(definition: Object, at: str, version: str | None) -> Iterator[Violation]:
    """outputSchema: an object schema until 2025-11-25, any schema (booleans too) since."""
    if "outputSchema" not in definition:
        return
    schema = definition["outputSchema"]
    if isinstance(schema, Object) or (isinstance(schema, bool) and version in (MODERN, None)):
        return
    yield violation("D05", "outputSchema is not a schema", f"{at}/outputSchema")


def _schema_faults(schema: Value, at: str) -> Iterator[Violation]:
    """D03 as it shows without a validator: unknown dialects, malformed keywords, references that lead outside."""
    if not isinstance(schema, Object):
        return
    nodes = list(headers.positions(schema))
    dialect = schema.get("$schema")
    if "$schema" in schema and (not isinstance(dialect, str) or dialect.rstrip("#") not in _DIALECTS):
        shown = jsontext.dumps(dialect)[:100]
        yield violation("D03", f"the dialect {shown} is not one that is checked here", f"{at}/$schema")
    else:
        for where, fault in islice(shapes.faults(nodes), _LISTED):
            yield violation("D03", fault, at + where, Severity.ERROR)
    own = {node["$id"] for _, _, node in nodes if isinstance(node.get("$id"), str)}
    for _, where, node in nodes:
        target = node.get("$ref")
        if not isinstance(target, str) or target.startswith("#") or target.partition("#")[0] in own:
            continue
        yield violation("D03", f"the reference to {target[:100]} leads outside and is not fetched", f"{at}{where}/$ref")


def duplicate_names(tools: Iterable[Tool]) -> tuple[Violation, ...]:
    """A D02 for every name that more than one tool of a server has."""
    counts: dict[str, int] = {}
    for tool in tools:
        counts[tool.name] = counts.get(tool.name, 0) + 1
    return tuple(
        violation("D02", f'{count} tools have the name "{name}"; a server decides which one is called')
        for name, count in counts.items()
        if count > 1 and name
    )


def required_arguments(tool: Tool) -> tuple[str, ...]:
    """The names in `inputSchema.required`, in the order of the schema, each once."""
    schema = tool.definition.get("inputSchema")
    names = schema.get("required") if isinstance(schema, Object) else None
    if not isinstance(names, list):
        return ()
    return tuple(dict.fromkeys(name for name in names if isinstance(name, str)))


def badges(tool: Tool) -> tuple[str, ...]:
    """What the annotations come to, in words: `read-only`, or `destructive`, `possibly destructive` (the
    default, nothing being said) or `additive`; `idempotent`; `open-world` unless denied. Hints, not promises.
    """
    given = tool.definition.get("annotations")
    hints = given if isinstance(given, Object) else Object()
    words: list[str] = []
    if hints.get("readOnlyHint") is True:
        words.append("read-only")
    else:
        match hints.get("destructiveHint"):
            case True:
                words.append("destructive")
            case False:
                words.append("additive")
            case _:
                words.append("possibly destructive")
        if hints.get("idempotentHint") is True:
            words.append("idempotent")
    if hints.get("openWorldHint") is not False:
        words.append("open-world")
    return tuple(words)


def password_names(tool: Tool) -> frozenset[str]:
    """The names of arguments, at any depth, that the inputSchema marks as secrets: `"format": "password"`."""
    found: set[str] = set()
    todo: list[Value] = [tool.definition.get("inputSchema")]
    while todo:
        item = todo.pop()
        if isinstance(item, Object):
            named = item.get("properties")
            for name, schema in named.items() if isinstance(named, Object) else ():
                if isinstance(schema, Object) and schema.get("format") == "password":
                    found.add(name)
            todo += item.values()
        elif isinstance(item, list):
            todo += item
    return frozenset(found)
