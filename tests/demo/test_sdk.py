"""The official SDK as a client of the demo, in both eras: what it lists, calls and is asked is what the demo means."""

from __future__ import annotations

import mcp_types
import pytest
from mcp import Client as SdkClient
from mcp import MCPError
from mcp.client.context import ClientRequestContext

from olv_tui.demo.catalogue import tools
from olv_tui.demo.server import DemoServer

MODES = {"legacy": "2025-11-25", "auto": "2026-07-28", "2026-07-28": "2026-07-28"}


@pytest.fixture(params=list(MODES))
def mode(request: pytest.FixtureRequest) -> str:
    return str(request.param)


async def every_tool(client: SdkClient) -> list[str]:
    names, cursor = [], None
    while True:
        page = await client.list_tools(cursor=cursor)
        names += [tool.name for tool in page.tools]
        cursor = page.next_cursor
        if cursor is None:
            return names


async def test_the_sdk_lists_and_calls_in_each_era(server: DemoServer, mode: str) -> None:
    async with SdkClient(server.url, mode=mode) as client:
        assert client.protocol_version == MODES[mode]
        assert await every_tool(client) == list(tools())
        worlds = await client.call_tool("olv_list_worlds", {})
        assert worlds.is_error is False
        assert worlds.structured_content is not None
        assert worlds.structured_content["total"] == 3
        failed = await client.call_tool("olv_site_status", {"site": "helpbless.com"})
        assert failed.is_error is True
        assert failed.structured_content == {"error": "not_linked", "site": "helpbless.com"}


async def test_the_sdk_raises_for_a_protocol_error(server: DemoServer, mode: str) -> None:
    async with SdkClient(server.url, mode=mode) as client:
        with pytest.raises(MCPError) as raised:
            await client.call_tool("olv_diagnose", {"code": 4001})
        assert (raised.value.error.code, raised.value.error.message) == (4001, "World is asleep")


async def test_the_sdk_sees_progress(server: DemoServer, mode: str) -> None:
    seen: list[tuple[float, float | None, str | None]] = []

    async def told(progress: float, total: float | None, message: str | None) -> None:
        seen.append((progress, total, message))

    async with SdkClient(server.url, mode=mode) as client:
        arguments = {"world_id": "w_lantern", "steps": 2, "seconds": 0.02}
        result = await client.call_tool("olv_export_world", arguments, progress_callback=told)
    assert seen == [(1, 2, "pages 1 to 6"), (2, 2, "pages 7 to 12")]
    assert result.content[0].type == "text"


async def test_the_sdk_answers_the_question_of_olv_link_site(server: DemoServer, mode: str) -> None:
    asked: list[str] = []

    async def elicit(context: ClientRequestContext, params: mcp_types.ElicitRequestParams) -> mcp_types.ElicitResult:
        asked.append(params.message)
        return mcp_types.ElicitResult(action="accept", content={"code": "123456"})

    async with SdkClient(server.url, mode=mode, elicitation_callback=elicit) as client:
        result = await client.call_tool("olv_link_site", {"site": "helpbless.com"})
    assert asked == ["Enter the six digits shown on helpbless.com"]
    assert result.structured_content == {"site": "helpbless.com", "linked": True, "scopes": ["read"]}


async def test_a_demo_of_sessions_is_a_legacy_server_to_the_sdk() -> None:
    with DemoServer("sessions") as server:
        async with SdkClient(server.url, mode="auto") as client:
            assert client.protocol_version == "2025-11-25"
            assert await every_tool(client) == list(tools())
