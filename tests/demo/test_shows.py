"""Every row of what the demo shows, by a bare call over HTTP: success, failures, errors, content, hard arguments."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

import jsonschema
import pytest

from olv_tui.demo.catalogue import tools
from olv_tui.demo.server import DemoServer
from tests.demo.client import Client, call_message, unmarked

NOT_LINKED = {
    "content": [{"type": "text", "text": "helpbless.com is not linked to this account."}],
    "structuredContent": {"error": "not_linked", "site": "helpbless.com"},
    "isError": True,
}


def test_a_success_says_the_same_in_text_and_structure(demo: Client) -> None:
    result = demo.result("olv_list_worlds")
    assert [world["id"] for world in result["structuredContent"]["worlds"]] == ["w_lantern", "w_orchard", "w_blessing"]
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
    assert result["isError"] is False


def test_bodies_are_compact_and_keep_letters_beyond_ascii(demo: Client) -> None:
    body = demo.call("olv_list_worlds").body
    assert "Ōkami Orchard 🍏".encode() in body
    assert body.startswith(b'{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{')


def test_the_documented_failure_is_a_normal_result_at_200(demo: Client) -> None:
    answer = demo.call("olv_site_status", {"site": "helpbless.com"})
    assert answer.status == 200
    assert unmarked(answer.json["result"]) == NOT_LINKED


def test_an_unlinked_demo_gives_the_documented_failure_for_its_worlds() -> None:
    with DemoServer("unlinked") as server:
        demo = Client(server)
        assert demo.result("olv_list_worlds") == NOT_LINKED
        lantern = demo.result("olv_site_status", {"site": "lantern.example"})
        assert lantern["structuredContent"] == {"error": "not_linked", "site": "lantern.example"}


@pytest.mark.parametrize(
    ("site", "structured", "text"),
    [
        (
            "lantern.example",
            {"site": "lantern.example", "linked": True, "checked": "2026-12-01T09:00:00Z", "latency_ms": 182.4},
            "lantern.example is linked (checked 2026-12-01 09:00 UTC).",
        ),
        ("nobody.example", {"error": "unknown_site", "site": "nobody.example"}, "unknown_site: nobody.example"),
    ],
)
def test_a_site_is_linked_or_unknown(demo: Client, site: str, structured: object, text: str) -> None:
    result = demo.result("olv_site_status", {"site": site})
    assert result["structuredContent"] == structured
    assert result["content"][0]["text"] == text
    assert result.get("isError", False) is ("error" in str(structured))


def test_text_comes_without_structure(demo: Client) -> None:
    result = demo.result("olv_today")
    assert set(result) == {"content"}
    assert result["content"][0]["text"].startswith("## Today in Lantern Bay\n\n- 06:12 low tide")
    plain = demo.result("olv_today", {"style": "plain"})["content"]
    assert [block["annotations"]["audience"] for block in plain] == [["user"], ["assistant"]]


def test_hostile_text_comes_with_its_controls(demo: Client) -> None:
    text = demo.result("olv_today", {"style": "hostile"})["content"][0]["text"]
    assert text == (
        "\x1b]0;owned\x07\x1b[31mred\x1b[0m [link=https://evil.example]markup[/link]"
        " \u202eesrever\u202c \x00nul\r\nnext"
    )


def test_a_world_is_shown_with_the_parts_asked_for(demo: Client) -> None:
    result = demo.result("olv_get_world", {"world_id": "w_lantern", "include": ["pages"]})
    assert result["content"] == [{"type": "text", "text": "Lantern Bay, public, 12 pages (2 shown)"}]
    pages = [{"path": "/", "title": "The lantern"}, {"path": "/tide", "title": "Tide table"}]
    assert result["structuredContent"]["pages"] == pages
    assert set(demo.result("olv_get_world", {"world_id": "w_lantern"})["structuredContent"]) == {"world"}


def test_an_unknown_world_is_a_failure_with_text_only(demo: Client) -> None:
    text = "No world w_nowhere in this account.\nKnown worlds: w_lantern, w_orchard, w_blessing."
    assert demo.result("olv_get_world", {"world_id": "w_nowhere"}) == {
        "content": [{"type": "text", "text": text}],
        "isError": True,
    }


def test_a_malformed_world_id_is_a_protocol_error_with_data(demo: Client) -> None:
    answer = demo.call("olv_get_world", {"world_id": "Lantern Bay"})
    assert answer.status == 200
    assert answer.json["error"] == {
        "code": -32602,
        "message": "Invalid params: world_id must match ^w_[a-z0-9]{3,20}$",
        "data": {"path": "/world_id", "keyword": "pattern", "value": "Lantern Bay"},
    }
    missing = demo.call("olv_get_world").json["error"]
    assert (missing["message"], missing["data"]["path"]) == ("Invalid params: world_id is required", "/world_id")


DIAGNOSES: list[tuple[dict[str, Any], dict[str, Any]]] = [
    (
        {},
        {
            "code": -32603,
            "message": "Internal error: the lantern went out",
            "data": {"trace_id": "demo-7f3a", "retryable": True},
        },
    ),
    ({"code": -32601, "with_data": False}, {"code": -32601, "message": "Method not found: olv_diagnose"}),
    ({"code": -32602}, {"code": -32602, "message": "Invalid params", "data": {"path": "/", "keyword": "demo"}}),
    ({"code": 4001}, {"code": 4001, "message": "World is asleep", "data": {"wakes": "2026-12-02T06:00:00Z"}}),
    ({"code": 0}, {"code": 0, "message": "No error, said as an error", "data": None}),
]


@pytest.mark.parametrize(("arguments", "error"), DIAGNOSES)
def test_an_error_that_was_asked_for_comes_at_200(demo: Client, arguments: object, error: object) -> None:
    answer = demo.call("olv_diagnose", arguments)
    assert answer.status == 200
    assert answer.json == {"jsonrpc": "2.0", "id": 1, "error": error}


def test_every_code_of_the_schema_has_its_error(demo: Client) -> None:
    codes = tools()["olv_diagnose"]["inputSchema"]["properties"]["code"]["enum"]
    assert [demo.call("olv_diagnose", {"code": code}).json["error"]["code"] for code in codes] == codes


@pytest.mark.parametrize(
    ("asked", "members"), [("other", {"id": "someone-else"}), ("null", {"id": None}), ("missing", {})]
)
def test_the_id_of_an_error_can_be_wrong(demo: Client, asked: str, members: dict[str, object]) -> None:
    answer = demo.call("olv_diagnose", {"id": asked}).json
    assert {key: value for key, value in answer.items() if key == "id"} == members
    assert answer["error"]["code"] == -32603


def test_an_unknown_tool_and_an_unknown_method_are_protocol_errors(demo: Client) -> None:
    unknown = demo.call("olv_nothing")
    assert (unknown.status, unknown.json["error"]["code"]) == (200, -32602)
    other = demo.post({"jsonrpc": "2.0", "id": 1, "method": "olv/nothing"})
    assert (other.status, other.json["error"]["code"]) == (200, -32601)


SMALL_SEARCH = {
    "query": "tide",
    "limit": 1,
    "filter": {
        "kind": "all",
        "of": [
            {"kind": "tag", "tag": "harbour"},
            {"kind": "not", "filter": {"kind": "created", "after": "2026-06-01"}},
        ],
    },
}


def test_a_search_with_a_recursive_filter_finds_one_hit(demo: Client) -> None:
    hit = {
        "rank": 1,
        "world_id": "w_lantern",
        "path": "/tide",
        "title": "Tide table",
        "score": 0.98,
        "snippet": "High tide 12:31, 3.1 m at the east door",
    }
    assert demo.result("olv_search", SMALL_SEARCH) == {
        "content": [{"type": "text", "text": "1 of 2000 hits"}],
        "structuredContent": {"hits": [hit], "total": 2000},
    }


def test_the_big_result_is_over_half_a_megabyte_and_always_the_same(demo: Client) -> None:
    first, second = (demo.call("olv_search", {"query": "tide", "limit": 2000}) for _ in range(2))
    assert len(first.body) > 512 * 1024
    assert first.body == second.body
    result = first.json["result"]
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
    jsonschema.validate(result["structuredContent"], tools()["olv_search"]["outputSchema"])
    assert len({hit["path"] for hit in result["structuredContent"]["hits"]}) == 2000


def test_bad_search_arguments_are_a_tool_failure_that_names_them(demo: Client) -> None:
    text = "2 problems with the arguments:\n/query: shorter than 1\n/limit: greater than 2000"
    assert demo.result("olv_search", {"query": "", "limit": 9999}) == {
        "content": [{"type": "text", "text": text}],
        "isError": True,
    }


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({}, "/query: is required"),
        ({"query": "a", "a/b": 1}, "/a~1b: is not known here"),
        ({"query": "a", "sort": ["score", "up"]}, "/sort/1: must be one of asc, desc"),
        ({"query": "a", "sort": ["score"]}, "/sort: fewer than 2 items"),
        ({"query": "a", "filter": {"kind": "tag"}}, "/filter: fits none of the alternatives"),
        ({"query": 1}, "/query: must be of type string"),
        ({"query": "a", "boost": {"night": 0}}, "/boost/night: must be more than 0"),
    ],
)
def test_each_kind_of_bad_argument_has_its_words(demo: Client, arguments: object, problem: str) -> None:
    result = demo.result("olv_search", arguments)
    assert result["content"][0]["text"] == f"1 problem with the arguments:\n{problem}"


def test_numbers_beyond_python_do_not_break_the_answer(demo: Client) -> None:
    body = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"olv_search","arguments":%s}}'
    for number in ("1e400", "9" * 5000):
        answer = demo.post(body % f'{{"query":"a","extra":{{"n":{number}}}}}')
        assert f'"extra":{{"n":{number}}}'.encode() in answer.body
        wrong = demo.post(body % f'{{"query":"a","limit":{number}}}').json["result"]
        assert wrong["isError"] is True


def test_a_lone_surrogate_comes_back_escaped(demo: Client) -> None:
    answer = demo.post(json.dumps(call_message("olv_site_status", {"site": "\ud800.example"})))
    assert b'"site":"\\ud800.example"' in answer.body
    assert answer.body.decode("utf-8")


def test_deep_arguments_are_refused_and_the_server_goes_on(demo: Client) -> None:
    deep: Any = {"kind": "tag", "tag": "x"}
    for _ in range(150):
        deep = {"kind": "not", "filter": deep}
    result = demo.result("olv_search", {"query": "a", "filter": deep})
    assert result["content"][0]["text"] in ("20 of 2000 hits", "1 problem with the arguments:\n/: nested too deeply")
    body = '{"jsonrpc":"2.0","id":1,"method":"ping","params":' + '{"a":' * 100_000 + "1" + "}" * 100_001
    assert demo.post(body).json["error"]["code"] == -32700
    assert demo.result("olv_today")


def test_a_postcard_has_a_picture_and_a_link(demo: Client) -> None:
    text, image, link = demo.result("olv_render_postcard", {"world_id": "w_lantern"})["content"]
    assert text == {"type": "text", "text": "Postcard of Lantern Bay, 24×16"}
    assert image["mimeType"] == "image/png"
    assert png_size(image["data"]) == (24, 16)
    assert link == {
        "type": "resource_link",
        "uri": "olv://postcards/w_lantern.svg",
        "name": "w_lantern.svg",
        "title": "Postcard, vector",
        "mimeType": "image/svg+xml",
        "size": 318,
    }


def test_a_large_postcard_is_640_by_400(demo: Client) -> None:
    arguments = {"world_id": "w_blessing", "size": "large", "as": ["image"]}
    text, image = demo.result("olv_render_postcard", arguments)["content"]
    assert text["text"] == "Postcard of Blessing Desk, 640×400"
    assert png_size(image["data"]) == (640, 400)


def png_size(data: str) -> tuple[int, int]:
    """Width and height of a PNG whose checksums and pixels are whole."""
    png = base64.b64decode(data, validate=True)
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    at, pixels, size = 8, b"", (0, 0)
    while at < len(png):
        length, kind = int.from_bytes(png[at : at + 4]), png[at + 4 : at + 8]
        part = png[at + 8 : at + 8 + length]
        assert int.from_bytes(png[at + 8 + length : at + 12 + length]) == zlib.crc32(kind + part)
        if kind == b"IHDR":
            size = (int.from_bytes(part[:4]), int.from_bytes(part[4:8]))
        pixels += part if kind == b"IDAT" else b""
        at += 12 + length
    assert len(zlib.decompress(pixels)) == size[1] * (1 + 3 * size[0])
    return size


def test_a_postcard_can_be_embedded_or_heard(demo: Client) -> None:
    embedded, audio = demo.result("olv_render_postcard", {"world_id": "w_lantern", "as": ["embedded", "audio"]})[
        "content"
    ]
    assert embedded["type"] == "resource"
    assert embedded["resource"]["mimeType"] == "image/svg+xml"
    assert embedded["resource"]["text"].startswith('<svg xmlns="http://www.w3.org/2000/svg" width="24" height="16">')
    sound = base64.b64decode(audio["data"], validate=True)
    assert (audio["type"], audio["mimeType"]) == ("audio", "audio/wav")
    assert (sound[:4], int.from_bytes(sound[4:8], "little")) == (b"RIFF", len(sound) - 8)


def test_content_of_an_unknown_type_is_sent(demo: Client) -> None:
    content = demo.result("olv_render_postcard", {"world_id": "w_orchard"})["content"]
    assert content == [{"type": "hologram", "uri": "olv://holo/1", "depth": 3}]


def test_a_forecast_breaks_its_own_schema_unless_asked_to_behave(demo: Client) -> None:
    schema = tools()["olv_forecast"]["outputSchema"]
    broken = demo.result("olv_forecast")
    assert broken["structuredContent"] == {"tide": "middling", "height_m": "3.1 m", "when": "12:31"}
    assert len(list(jsonschema.Draft202012Validator(schema).iter_errors(broken["structuredContent"]))) >= 3
    jsonschema.validate(demo.result("olv_forecast", {"behave": True})["structuredContent"], schema)
    assert demo.result("olv_forecast", {"days": 14}) == {
        "content": [{"type": "text", "text": "The forecast for 14 days is not ready."}]
    }


def test_a_deleted_world_stays_deleted_until_the_demo_is_restarted(demo: Client) -> None:
    assert demo.result("olv_delete_world", {"world_id": "w_orchard", "confirm": True}) == {
        "content": [{"type": "text", "text": "Deleted Ōkami Orchard 🍏."}],
        "structuredContent": {"deleted": "w_orchard", "remaining": 2},
    }
    assert demo.result("olv_delete_world", {"world_id": "w_orchard", "confirm": True}) == {
        "content": [{"type": "text", "text": "No world w_orchard in this account."}],
        "isError": True,
    }
    assert demo.result("olv_list_worlds")["structuredContent"]["total"] == 2
    with DemoServer() as restarted:
        assert Client(restarted).result("olv_list_worlds")["structuredContent"]["total"] == 3


def test_nothing_is_deleted_without_confirmation(demo: Client) -> None:
    result = demo.result("olv_delete_world", {"world_id": "w_orchard", "confirm": False})
    assert result["isError"] is True
    assert demo.result("olv_list_worlds")["structuredContent"]["total"] == 3
