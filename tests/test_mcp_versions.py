"""What a 2026-07-28 request carries: `_meta` at the end of its params, and headers derived from its body."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.shared import inbound

from olv_tui import __version__, jsontext
from olv_tui.jsonrpc import build
from olv_tui.mcp import versions
from olv_tui.mcp.tools import read_tool
from olv_tui.mcp.versions import decode_header_value, encode_header_value, modern_headers, modern_params
from olv_tui.model import Object, RequestId, Tool

META = (
    '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",'
    f'"io.modelcontextprotocol/clientInfo":{{"name":"olv-tui","version":"{__version__}"}},'
    '"io.modelcontextprotocol/clientCapabilities":{}}'
)


def tool(schema: str) -> Tool:
    definition = jsontext.loads(f'{{"name":"t","inputSchema":{schema}}}')
    assert isinstance(definition, Object)
    return read_tool(definition, "", versions.MODERN)


def headers(params: str | None, method: str = "tools/call", known: Tool | None = None) -> dict[str, str]:
    return dict(modern_headers(build(RequestId("1"), method, params), known))


# --------------------------------------------------------------------------- params


@pytest.mark.parametrize(
    ("params", "whole"),
    [
        (None, f"{{{META}}}"),
        ("{}", f"{{{META}}}"),
        ("{ }", f"{{{META} }}"),
        ('{"n":1.0}', f'{{"n":1.0,{META}}}'),
        ('{"n":"}"}', f'{{"n":"}}",{META}}}'),
        (' {"a": 1\n} ', f' {{"a": 1,{META}\n}} '),
    ],
)
def test_meta_is_added_last_and_the_rest_stays_as_written(params: str | None, whole: str) -> None:
    assert modern_params(params) == whole


def test_a_meta_that_is_there_keeps_its_members_and_gets_what_it_lacks() -> None:
    own = '{"_meta":{"progressToken":1e0,"io.modelcontextprotocol/protocolVersion":"2099-01-01"},"name":"x"}'
    written = modern_params(own)
    assert written.startswith('{"_meta":{"progressToken":1e0,"io.modelcontextprotocol/protocolVersion":"2099-01-01",')
    assert written.endswith('},"name":"x"}')
    meta = json.loads(written)["_meta"]
    assert meta["io.modelcontextprotocol/protocolVersion"] == "2099-01-01"
    assert meta["io.modelcontextprotocol/clientCapabilities"] == {}
    assert modern_params(written) == written


@pytest.mark.parametrize("params", ["[1,2]", "nonsense", '{"a":1,}', '{"_meta":3}', '"x"', "{}{}"])
def test_what_cannot_take_a_meta_is_sent_as_it_is(params: str) -> None:
    assert modern_params(params) == params


def test_capabilities_and_version_can_be_others() -> None:
    meta = json.loads(modern_params(None, "2025-11-25", '{"elicitation":{}}'))["_meta"]
    assert meta["io.modelcontextprotocol/protocolVersion"] == "2025-11-25"
    assert meta["io.modelcontextprotocol/clientCapabilities"] == {"elicitation": {}}


@given(st.dictionaries(st.text(max_size=5), st.text(max_size=5) | st.integers() | st.none(), max_size=3))
def test_every_object_gets_a_meta_and_loses_nothing(params: dict[str, object]) -> None:
    read = json.loads(modern_params(json.dumps(params)))
    if isinstance(params.get("_meta", {}), dict):
        assert set(read.pop("_meta")) >= {
            f"io.modelcontextprotocol/{word}" for word in ("protocolVersion", "clientInfo")
        }
    assert read == params


# --------------------------------------------------------------------------- headers


def test_a_call_is_headed_with_version_method_and_name() -> None:
    assert headers(modern_params('{"name":"olv_list_worlds"}')) == {
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": "tools/call",
        "Mcp-Name": "olv_list_worlds",
    }


def test_the_name_is_the_uri_of_a_resource_and_absent_elsewhere() -> None:
    assert headers('{"uri":"file:///a"}', "resources/read")["Mcp-Name"] == "file:///a"
    assert headers('{"name":"p"}', "prompts/get")["Mcp-Name"] == "p"
    assert "Mcp-Name" not in headers('{"name":"p"}', "tools/list")
    assert "Mcp-Name" not in headers('{"name":7}')


def test_the_version_header_is_that_of_the_body() -> None:
    params = '{"name":"t","_meta":{"io.modelcontextprotocol/protocolVersion":"2099-01-01"}}'
    assert headers(params)["MCP-Protocol-Version"] == "2099-01-01"
    odd = '{"_meta":{"io.modelcontextprotocol/protocolVersion":"a\\r\\nX: y"}}'
    assert headers(odd)["MCP-Protocol-Version"] == "2026-07-28"


@pytest.mark.parametrize("body", [b"", b"no json", b"[]", b'{"id":1}', b'{"method":1}'])
def test_a_body_that_is_no_message_has_the_version_alone(body: bytes) -> None:
    assert modern_headers(body, None) == (("MCP-Protocol-Version", "2026-07-28"),)


SCHEMA = """{"type":"object","properties":{
  "region":{"type":"string","x-mcp-header":"Region"},
  "dry":{"type":"boolean","x-mcp-header":"Dry-Run"},
  "count":{"type":"integer","x-mcp-header":"Count"},
  "plain":{"type":"integer"},
  "deep":{"type":"object","properties":{"in":{"type":"string","x-mcp-header":"Deep"}}}}}"""


def test_annotated_arguments_are_mirrored_each_in_its_form() -> None:
    sent = headers(
        '{"name":"t","arguments":{"region":" padded ","dry":false,"count":42,"plain":1,"deep":{"in":"a b"}}}',
        known=tool(SCHEMA),
    )
    assert {name: value for name, value in sent.items() if name.startswith("Mcp-Param-")} == {
        "Mcp-Param-Region": "=?base64?IHBhZGRlZCA=?=",
        "Mcp-Param-Dry-Run": "false",
        "Mcp-Param-Count": "42",
        "Mcp-Param-Deep": "a b",
    }


@pytest.mark.parametrize(
    "arguments", ["{}", '{"region":null,"deep":null}', '{"region":["x"],"deep":[1]}', "null", "[]"]
)
def test_absent_null_and_structured_arguments_are_not_mirrored(arguments: str) -> None:
    sent = headers(f'{{"name":"t","arguments":{arguments}}}', known=tool(SCHEMA))
    assert not [name for name in sent if name.startswith("Mcp-Param-")]


def test_an_empty_string_is_an_empty_header() -> None:
    assert headers('{"name":"t","arguments":{"region":""}}', known=tool(SCHEMA))["Mcp-Param-Region"] == ""


def test_an_annotation_that_is_not_allowed_mirrors_nothing() -> None:
    known = tool('{"type":"object","properties":{"n":{"type":"number","x-mcp-header":"N"}}}')
    assert "Mcp-Param-N" not in headers('{"name":"t","arguments":{"n":1}}', known=known)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("eu", "eu"),
        ("", ""),
        ("a b", "a b"),
        (" a", "=?base64?IGE=?="),
        ("é", "=?base64?w6k=?="),
        ("a\r\nX-Evil: 1", "=?base64?YQ0KWC1FdmlsOiAx?="),
        ("=?base64?YQ==?=", "=?base64?PT9iYXNlNjQ/WVE9PT89?="),
    ],
)
def test_a_header_value_is_plain_or_base64(value: str, written: str) -> None:
    assert encode_header_value(value) == written
    assert decode_header_value(written) == value


@given(st.text(st.characters(codec="utf-8")))
def test_header_values_are_those_of_the_official_sdk(value: str) -> None:
    assert encode_header_value(value) == inbound.encode_header_value(value)
    assert decode_header_value(encode_header_value(value)) == value


@given(st.text())
def test_every_value_can_be_sent_in_a_header(value: str) -> None:
    assert encode_header_value(value).isascii()
    assert "\n" not in encode_header_value(value)


@pytest.mark.parametrize("broken", ["=?base64?a?=", "=?base64?____?=", "=?base64?/w==?="])
def test_a_broken_encoding_is_left_as_it_is(broken: str) -> None:
    assert decode_header_value(broken) == broken


def test_the_versions_are_known_newest_first() -> None:
    assert versions.KNOWN == ("2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
    assert list(versions.CLIENT_INFO.items()) == [("name", "olv-tui"), ("version", __version__)]
