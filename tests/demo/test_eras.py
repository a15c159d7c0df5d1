"""The eras of the demo: 2026-07-28 with its headers, the 2025 versions with their sessions, and bare requests."""

from __future__ import annotations

from typing import Any

import pytest

from olv_tui import __version__
from olv_tui.demo.catalogue import tools
from olv_tui.demo.server import DemoServer
from tests.demo.client import DEMO_META, META, MODERN, SERVER_INFO, Client, call_message

LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
INFO = {"name": "olv-demo", "title": "OneLifeVibe demo (invented data)", "version": __version__}
EVERY_VERSION = [MODERN, "2025-11-25", "2025-06-18", "2025-03-26"]


# --------------------------------------------------------------------------- 2026-07-28


def test_discover_tells_versions_and_that_the_data_is_invented(demo: Client) -> None:
    answer = demo.modern("server/discover")
    assert answer.status == 200
    result = answer.json["result"]
    assert result["supportedVersions"] == EVERY_VERSION
    assert (result["resultType"], result["cacheScope"], type(result["ttlMs"])) == ("complete", "public", int)
    assert result["_meta"] == {**DEMO_META, SERVER_INFO: INFO}
    assert "Invented data" in result["instructions"]


def test_modern_results_add_their_type_and_the_server(demo: Client) -> None:
    result = demo.modern("tools/call", {"name": "olv_list_worlds", "arguments": {}}).json["result"]
    assert result["resultType"] == "complete"
    assert result["_meta"] == {**DEMO_META, SERVER_INFO: INFO}
    listing = demo.modern("tools/list").json["result"]
    assert {"ttlMs", "cacheScope", "resultType"} <= set(listing)


def test_bare_results_add_nothing_but_the_mark(demo: Client) -> None:
    result = demo.call("olv_today").json["result"]
    assert set(result) == {"content", "_meta"}
    assert result["_meta"] == DEMO_META


@pytest.mark.parametrize(
    ("headers", "name"),
    [
        ({"MCP-Protocol-Version": None}, "MCP-Protocol-Version"),
        ({"MCP-Protocol-Version": "2025-11-25"}, "MCP-Protocol-Version"),
        ({"Mcp-Method": None}, "Mcp-Method"),
        ({"Mcp-Method": "tools/list"}, "Mcp-Method"),
        ({"Mcp-Name": None}, "Mcp-Name"),
        ({"Mcp-Name": "olv_search"}, "Mcp-Name"),
        ({"Mcp-Name": "=?base64?!?="}, "Mcp-Name"),
    ],
)
def test_a_header_that_differs_from_the_body_is_32020(demo: Client, headers: dict[str, str | None], name: str) -> None:
    answer = demo.modern("tools/call", {"name": "olv_today", "arguments": {}}, headers=headers)
    assert (answer.status, answer.json["error"]["code"]) == (400, -32020)
    assert answer.json["error"]["data"]["header"] == name
    assert answer.json["id"] == 1


def test_a_header_value_in_base64_is_read(demo: Client) -> None:
    headers: dict[str, str | None] = {"Mcp-Name": "=?base64?b2x2X3RvZGF5?="}
    assert demo.modern("tools/call", {"name": "olv_today", "arguments": {}}, headers=headers).status == 200


def test_an_unknown_version_is_32022_with_those_that_are_known(demo: Client) -> None:
    answer = demo.modern(
        "tools/list", headers={"MCP-Protocol-Version": "2099-01-01"}, meta={f"{META}protocolVersion": "2099-01-01"}
    )
    assert (answer.status, answer.json["error"]["code"]) == (400, -32022)
    assert answer.json["error"]["data"] == {"supported": EVERY_VERSION, "requested": "2099-01-01"}
    bare = demo.post(LIST, {"MCP-Protocol-Version": "2099-01-01"})
    assert (bare.status, bare.json["error"]["code"]) == (400, -32022)


@pytest.mark.parametrize("member", ["protocolVersion", "clientCapabilities"])
def test_a_missing_member_of_meta_is_32602(demo: Client, member: str) -> None:
    answer = demo.modern("tools/list", meta={f"{META}{member}": None})
    assert (answer.status, answer.json["error"]["code"]) == (400, -32602)
    assert member in answer.json["error"]["message"]


@pytest.mark.parametrize("method", ["initialize", "ping", "logging/setLevel", "olv/nothing"])
def test_methods_that_2026_does_not_have_are_32601_at_404(demo: Client, method: str) -> None:
    answer = demo.modern(method)
    assert (answer.status, answer.json["error"]["code"]) == (404, -32601)


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("tools/list", {"cursor": "wrong"}),
        ("tools/call", {"name": "olv_nothing", "arguments": {}}),
        ("tools/call", {"name": "olv_get_world", "arguments": {"world_id": "Lantern Bay"}}),
        ("tools/call", {"name": "olv_today", "arguments": []}),
        ("tools/call", {"arguments": {}}),
    ],
)
def test_bad_params_are_400_in_2026(demo: Client, method: str, params: dict[str, Any]) -> None:
    answer = demo.modern(method, params)
    assert (answer.status, answer.json["error"]["code"]) == (400, -32602)


def test_an_error_that_was_asked_for_is_200_in_2026_too(demo: Client) -> None:
    answer = demo.modern("tools/call", {"name": "olv_diagnose", "arguments": {"code": -32601}})
    assert (answer.status, answer.json["error"]["code"]) == (200, -32601)


def test_a_session_header_means_nothing_in_2026(demo: Client) -> None:
    assert demo.modern("tools/list", headers={"Mcp-Session-Id": "never-given"}).status == 200


# --------------------------------------------------------------------------- 2025 versions


@pytest.mark.parametrize(
    ("asked", "given"),
    [
        ("2025-11-25", "2025-11-25"),
        ("2025-06-18", "2025-06-18"),
        ("2025-03-26", "2025-03-26"),
        ("2024-11-05", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
    ],
)
def test_initialize_negotiates_the_version_and_gives_a_session(demo: Client, asked: str, given: str) -> None:
    params = {"protocolVersion": asked, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    answer = demo.post({"jsonrpc": "2.0", "id": "i", "method": "initialize", "params": params})
    assert answer.status == 200
    result = answer.json["result"]
    assert (result["protocolVersion"], result["serverInfo"], result["_meta"]) == (given, INFO, DEMO_META)
    assert "tools" in result["capabilities"]
    assert answer.headers["mcp-session-id"] == "demo-session-1"


def test_initialize_without_a_version_is_refused(demo: Client) -> None:
    answer = demo.post({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}})
    assert answer.json["error"]["code"] == -32602
    assert "mcp-session-id" not in answer.headers


def test_a_session_answers_until_it_is_deleted(demo: Client) -> None:
    session = demo.initialize()
    assert demo.post(LIST, session).status == 200
    ended = demo.http("DELETE", headers=session)
    assert (ended.status, ended.body) == (200, b"")
    gone = demo.post(LIST, session)
    assert gone.status == 404
    assert gone.body == b'{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}'
    assert demo.http("DELETE", headers=session).status == 404
    assert demo.http("DELETE").status == 400


def test_two_sessions_have_two_ids_and_one_outlives_the_other(demo: Client) -> None:
    one, two = demo.initialize(), demo.initialize()
    assert one != two
    demo.http("DELETE", headers=one)
    assert demo.post(LIST, two).status == 200


def test_the_version_header_of_a_session_is_checked(demo: Client) -> None:
    session = demo.initialize("2025-06-18")
    assert demo.post(LIST, {**session, "MCP-Protocol-Version": "2025-06-18"}).status == 200
    wrong = demo.post(LIST, {**session, "MCP-Protocol-Version": "2025-11-25"})
    assert (wrong.status, wrong.json["error"]["code"]) == (400, -32000)
    assert "2025-06-18" in wrong.json["error"]["message"]


def test_ping_and_log_levels_belong_to_the_2025_versions(demo: Client) -> None:
    session = demo.initialize()
    ping = demo.post({"jsonrpc": "2.0", "id": 1, "method": "ping"}, session)
    assert ping.json["result"] == {}, "2025-11-25 wants an empty result"
    level = {"jsonrpc": "2.0", "id": 1, "method": "logging/setLevel", "params": {"level": "error"}}
    assert demo.post(level, session).json["result"] == {}
    export = call_message("olv_export_world", {"world_id": "w_lantern", "steps": 1, "seconds": 0.01})
    assert len(demo.post(export, session).events) == 1, "no log line below the level asked for"
    wrong = {**level, "params": {"level": "loud"}}
    assert demo.post(wrong, session).json["error"]["code"] == -32602


def test_the_session_of_olv_flaky_expires_once_and_a_new_handshake_mends_it(demo: Client) -> None:
    session = demo.initialize()
    flaky = call_message("olv_flaky", {"mode": "session"})
    assert demo.post(flaky, session).status == 404
    assert demo.post(LIST, session).status == 404, "the session is forgotten for every request"
    assert demo.post(flaky, demo.initialize()).json["result"]["content"][0]["text"] == "Fine."


# --------------------------------------------------------------------------- bare


def test_the_documented_request_is_answered_without_a_handshake(demo: Client) -> None:
    body = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"olv_list_worlds","arguments":{}}}'
    assert demo.http("POST", body).json["result"]["structuredContent"]["total"] == 3


def test_a_demo_of_sessions_refuses_whatever_has_no_session() -> None:
    with DemoServer("sessions") as server:
        demo = Client(server)
        for answer in (demo.post(LIST), demo.call("olv_today"), demo.modern("server/discover")):
            assert (answer.status, answer.json["error"]["code"]) == (400, -32000)
            assert answer.json["id"] == 1
        assert demo.post({"jsonrpc": "2.0", "method": "notifications/initialized"}).status == 400
        assert demo.post(LIST, demo.initialize()).status == 200


def test_there_is_no_other_mode() -> None:
    with pytest.raises(ValueError, match="no mode 'offline'; it has unlinked, sessions"):
        DemoServer("offline")


# --------------------------------------------------------------------------- listing


def test_the_list_comes_in_three_pages_of_five(demo: Client) -> None:
    pages: list[list[str]] = []
    params: dict[str, str] = {}
    while True:
        page = demo.post({**LIST, "params": params}).json["result"]
        pages.append([tool["name"] for tool in page["tools"]])
        if "nextCursor" not in page:
            break
        params = {"cursor": page["nextCursor"]}
    assert [len(page) for page in pages] == [5, 5, 2]
    assert len({name for page in pages for name in page}) == 12
    assert pages[0][0] == "olv_list_worlds"
    assert pages[2][-1] == "olv_flaky"


def test_a_session_gets_output_schemas_whose_root_is_an_object(demo: Client) -> None:
    """The 2025 versions want it so; 2026-07-28 takes any schema, and there the definitions are the catalogue's own."""
    own = tools()["olv_site_status"]["outputSchema"]
    assert "type" not in own
    listed = demo.post(LIST, demo.initialize()).json["result"]["tools"]
    assert [tool["outputSchema"]["type"] for tool in listed if "outputSchema" in tool] == ["object"] * 4
    assert listed[2]["outputSchema"] == {"type": "object", **own}
    for answer in (demo.post(LIST), demo.modern("tools/list")):
        assert answer.json["result"]["tools"] == list(tools().values())[:5]


@pytest.mark.parametrize("cursor", ["", "wrong", "demo-page-0", "demo-page-1", 5, None])
def test_a_cursor_that_was_not_given_is_32602(demo: Client, cursor: object) -> None:
    answer = demo.post({**LIST, "params": {"cursor": cursor}})
    assert (answer.status, answer.json["error"]["code"]) == (200, -32602)
