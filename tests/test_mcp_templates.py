"""Ready requests: each is one of its method, with the params that the method wants, dressed as the era wants it."""

from __future__ import annotations

import json

import pytest

from olv_tui import jsonrpc
from olv_tui.mcp.templates import PLAIN, TEMPLATES, Template, template
from olv_tui.mcp.versions import modern_params
from olv_tui.model import Era, RequestId


def plain(method: str, params: str | None, identity: str | None) -> str:
    return jsonrpc.build(None if identity is None else RequestId(identity), method, params).decode()


def modern(method: str, params: str | None, identity: str | None) -> str:
    return plain(method, modern_params(params), identity)


BY_KEY = {one.key: one for one in TEMPLATES}
EACH = pytest.mark.parametrize("one", TEMPLATES, ids=lambda one: one.key)

WANTED = {
    "tools/call": {"name", "arguments"},
    "resources/read": {"uri"},
    "prompts/get": {"name", "arguments"},
    "completion/complete": {"ref", "argument"},
    "logging/setLevel": {"level"},
    "initialize": {"protocolVersion", "capabilities", "clientInfo"},
    "notifications/cancelled": {"requestId", "reason"},
}


def test_every_method_of_the_specification_that_is_sent_by_hand_is_there() -> None:
    assert set(BY_KEY) >= {
        "resources/list", "resources/read", "resources/templates/list", "prompts/list", "prompts/get",
        "completion/complete", "ping", "logging/setLevel", "tools/list", "server/discover", "initialize",
        "notifications/initialized", "notifications/cancelled",
    }  # fmt: skip
    assert len(BY_KEY) == len(TEMPLATES), "keys are unique: drafts are kept by them"


@EACH
def test_each_is_sound_json_with_the_id_it_is_given_or_none(one: Template) -> None:
    value = json.loads(one.text("7", plain, plain))
    for at, message in enumerate(value if isinstance(value, list) else [value]):
        assert message["jsonrpc"] == "2.0"
        assert message.get("id") == (None if one.notification else 7 + at)
    read = jsonrpc.read_request(one.text("7", plain, plain).encode())
    assert [identity.text for identity in read.ids] == one.ids("7")


@EACH
def test_each_has_the_params_that_its_method_wants(one: Template) -> None:
    value = json.loads(one.text("7", plain, plain))
    if one.key in WANTED:
        assert set(value["params"]) == WANTED[one.key]


@EACH
def test_in_the_modern_era_all_but_the_handshake_carry_meta(one: Template) -> None:
    value = json.loads(one.text("7", modern, plain))
    for message in value if isinstance(value, list) else [value]:
        params = message.get("params")
        legacy = one.key in ("initialize", "notifications/initialized")
        assert (isinstance(params, list) or legacy) != (isinstance(params, dict) and "_meta" in params)


def test_discover_carries_meta_in_every_era_and_asks_for_the_headers() -> None:
    one = BY_KEY["server/discover"]
    assert "_meta" in json.loads(one.text("7", plain, plain))["params"]
    assert one.header_change(Era.LEGACY) == (True, ())
    assert one.header_change(Era.MODERN) == (False, ())


def test_the_handshake_goes_without_the_headers_of_the_modern_era() -> None:
    assert BY_KEY["initialize"].header_change(Era.MODERN) == (False, ("MCP-Protocol-Version", "Mcp-Method"))
    assert BY_KEY["initialize"].header_change(Era.LEGACY) == (False, ())


def test_cancelling_names_the_request_before() -> None:
    assert json.loads(BY_KEY["notifications/cancelled"].text("7", plain, plain))["params"]["requestId"] == 6


def test_plain_calls_are_by_name_by_position_and_without_an_id() -> None:
    assert json.loads(PLAIN.text("7", plain, plain)) == {"jsonrpc": "2.0", "id": 7, "method": "", "params": {}}
    by_position = BY_KEY["JSON-RPC call, params by position"]
    assert json.loads(by_position.text("7", modern, plain))["params"] == []
    assert "id" not in json.loads(BY_KEY["JSON-RPC notification"].text("7", plain, plain))


def test_a_batch_counts_its_ids_on() -> None:
    value = json.loads(BY_KEY["batch of two"].text("9", plain, plain))
    assert [message["id"] for message in value] == [9, 10]


def test_any_text_is_a_method_and_notifications_are_told_by_their_name() -> None:
    assert template("ping") is BY_KEY["ping"]
    assert json.loads(template("a/b").text("7", plain, plain)) == {"jsonrpc": "2.0", "id": 7, "method": "a/b"}
    assert json.loads(template("notifications/x").text("7", plain, plain)) == {
        "jsonrpc": "2.0",
        "method": "notifications/x",
    }
