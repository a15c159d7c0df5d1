"""A server on the official Python SDK, as a program: prints its address and serves on loopback.

It speaks both eras. Its tools show a success with structured content, a text, a tool error in the documented
`not_linked` shape, and a handler that raises.
"""

from __future__ import annotations

import socket

import uvicorn
from mcp import types
from mcp.server import MCPServer

server = MCPServer("sdk-under-test")


@server.tool()
def add(a: int, b: int) -> dict[str, int]:
    """Adds two integers."""
    return {"sum": a + b}


@server.tool()
def shout(text: str) -> str:
    """Gives a text back in capitals."""
    return text.upper()


@server.tool()
def site_status(site: str) -> types.CallToolResult:
    """Tells that a site is not linked."""
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=f"{site} is not linked")],
        structured_content={"error": "not_linked", "site": site},
        is_error=True,
    )


@server.tool()
def fail() -> str:
    """Raises."""
    raise ValueError("the lantern went out")


if __name__ == "__main__":
    listener = socket.create_server(("127.0.0.1", 0))
    print(f"http://127.0.0.1:{listener.getsockname()[1]}/mcp", flush=True)
    config = uvicorn.Config(server.streamable_http_app(), log_level="error")
    uvicorn.Server(config).run([listener])
