"""structuredContent held against a tool's outputSchema, whatever the server wrote into either.

Follows MCP, server/tools ("Output Schema").

Rules of this file:

* Nothing raises. Where no answer can be had a T04 of severity info says so.
"""

from __future__ import annotations

from collections.abc import Iterator

from olv_tui import jsontext
from olv_tui.mcp.rules import violation
from olv_tui.mcp.validation import validate
from olv_tui.model import Object, Severity, Value, Violation

_TOLD = 3


def check(value: Value, schema: Object, at: str) -> Iterator[Violation]:
    """T04 for each of the first faults of `value`, whose JSON pointer in the message is `at`. Never raises."""
    outcome = validate(value, schema, _TOLD)
    unsaid = outcome.unsaid or "; ".join(why for _, _, why in outcome.untried[:1])
    if unsaid:
        yield violation("T04", f"the outputSchema was not checked: {unsaid}", at, Severity.INFO)
        return
    for error in outcome.errors:
        path = at + jsontext.pointer(error.absolute_path)
        yield violation("T04", f"against the outputSchema: {error.message[:200]}", path)
