"""olv-tui: terminal explorer for JSON-RPC 2.0 and MCP tools."""

__version__ = "0.1.0"
