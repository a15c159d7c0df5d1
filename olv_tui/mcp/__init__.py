"""MCP on top of JSON-RPC: versions and their dress, tool definitions, tool results.

`versions` says what a request of an era carries; `tools` reads tools/list; `results` reads what a call gave.
"""

from olv_tui.mcp.rules import RULES

__all__ = ["RULES"]
