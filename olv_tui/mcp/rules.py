"""The M, T and D rules: what MCP demands of results and tool definitions.

Rules of this file:

* One entry a rule; the code that finds its violations is in `tools` and `results`.
"""

from __future__ import annotations

from olv_tui.model import Rule, Severity, Violation

_E, _W, _I = Severity.ERROR, Severity.WARNING, Severity.INFO
RULES: dict[str, Rule] = {
    rule.code: rule
    for rule in (
        Rule("M01", _E, "A modern result without resultType", "MCP 2026-07-28, Results"),
        Rule("M02", _E, "A resultType that is not known", "MCP 2026-07-28, Results"),
        Rule("M03", _E, "A request for input that may not be made, or that asks nothing", "MCP 2026-07-28, MRTR"),
        Rule("M04", _E, "ttlMs or cacheScope is missing or malformed", "MCP 2026-07-28, Caching"),
        Rule("M05", _W, "nextCursor is no string", "MCP, Pagination"),
        Rule("M06", _E, "Progress that does not increase, or that nobody asked for", "MCP, Progress"),
        Rule("M07", _E, "A log message although the request named no level", "MCP 2026-07-28, Logging"),
        Rule("M08", _E, "A message that the stream of a subscription may not carry", "MCP 2026-07-28, Subscriptions"),
        Rule("M09", _E, "Paging that does not end", "MCP, Pagination"),
        Rule("T01", _E, "A tool result without a content array", "MCP, Tools, Tool Result"),
        Rule("T02", _E, "A content block that is malformed or of an unknown type", "MCP, Tools, Tool Result"),
        Rule("T03", _E, "structuredContent that this version does not allow", "MCP, Tools, Structured Content"),
        Rule("T04", _E, "structuredContent does not conform to the outputSchema", "MCP, Tools, Output Schema"),
        Rule("T05", _W, "structuredContent and the text blocks do not agree", "MCP, Tools, Structured Content"),
        Rule("T06", _E, "isError is no boolean", "MCP, Tools, Error Handling"),
        Rule("T07", _I, "A success that looks like an error object", "MCP, Tools, Error Handling"),
        Rule("D01", _E, "The inputSchema is missing or is not that of an object", "MCP, Tools, Data Types"),
        Rule("D02", _W, "A tool name that is malformed or given twice", "MCP 2025-11-25, Tools, Tool Names"),
        Rule(
            "D03",
            _W,
            "A schema that is malformed, or of a foreign dialect or reference",
            "MCP 2025-11-25, JSON Schema Usage",
        ),
        Rule("D04", _E, "An x-mcp-header that is not allowed", "MCP 2026-07-28, Custom Headers from Tool Parameters"),
        Rule("D05", _W, "A member of the definition has the wrong type", "MCP, Tools, Data Types"),
    )
}


def violation(code: str, message: str, at: str | None = None, severity: Severity | None = None) -> Violation:
    """A violation of one of `RULES`, with the severity of the rule unless another is given."""
    return Violation(code, severity or RULES[code].severity, message, at)
