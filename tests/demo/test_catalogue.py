"""The catalogue: sound definitions, plainly marked, the same as the reference; and what a start must not import."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from olv_tui.demo.catalogue import catalogue, tools
from olv_tui.demo.server import DemoServer
from tests.demo.client import Client, unmarked

SHARED = Path(os.environ.get("OLV_SHARED") or Path(__file__).resolve().parents[2] / ".." / "shared")
REFERENCE = SHARED / "reference" / "demo-catalogue.json"

NAMES = [
    "olv_list_worlds",
    "olv_get_world",
    "olv_site_status",
    "olv_today",
    "olv_search",
    "olv_render_postcard",
    "olv_export_world",
    "olv_delete_world",
    "olv_link_site",
    "olv_forecast",
    "olv_diagnose",
    "olv_flaky",
]


def test_there_are_twelve_tools_in_their_order_each_marked_as_a_demo() -> None:
    assert list(tools()) == NAMES
    assert all(tool["title"].endswith("(demo)") for tool in tools().values())


def test_every_schema_is_sound() -> None:
    for tool in tools().values():
        for schema in (tool["inputSchema"], tool.get("outputSchema", {})):
            jsonschema.Draft202012Validator.check_schema(schema)
        assert tool["inputSchema"]["type"] == "object"


def test_only_one_tool_is_destructive_and_one_reaches_out() -> None:
    notes = {name: tool["annotations"] for name, tool in tools().items()}
    assert [name for name, note in notes.items() if note.get("destructiveHint")] == ["olv_delete_world"]
    assert [name for name, note in notes.items() if note["openWorldHint"]] == ["olv_link_site"]


def test_sites_are_examples_but_for_the_documented_one() -> None:
    sites = {world["site"] for world in catalogue()["worlds"]} - {None}
    assert {site for site in sites if not site.endswith(".example")} == {"helpbless.com"}


def reference() -> dict[str, Any]:
    if not REFERENCE.exists():
        pytest.skip(f"the reference catalogue is not here ({REFERENCE})")
    loaded: dict[str, Any] = json.loads(REFERENCE.read_text(encoding="utf-8"))
    return loaded


def test_the_tools_are_those_of_the_reference() -> None:
    assert list(tools().values()) == reference()["tools"]


def test_every_example_of_the_reference_gives_its_result() -> None:
    """In the order of the reference, which deletes a world twice; the rest of the examples need a second round."""
    checked = 0
    with DemoServer(slow_seconds=0.01) as server:
        demo = Client(server)
        for name, cases in reference()["cases"].items():
            for case in cases:
                if name == "olv_link_site" or "unlinked" in case["about"] or not ({"result", "error"} & set(case)):
                    continue
                arguments = case["arguments"]
                if name == "olv_export_world":
                    arguments = {**arguments, "seconds": 0.01}
                message = demo.call(name, arguments).message
                if "error" in case:
                    assert message["error"] == case["error"], (name, case["about"])
                else:
                    assert unmarked(message["result"]) == case["result"], (name, case["about"])
                checked += 1
    assert checked >= 25


def test_starting_imports_no_slow_module_and_only_bad_arguments_need_jsonschema() -> None:
    program = """
import sys
from olv_tui.demo.server import DemoServer
with DemoServer() as server:
    slow = {"http.server", "http.client", "email", "jsonschema", "referencing", "httpx", "textual", "pydantic"}
    found = slow & set(sys.modules)
    assert not found, found
    import urllib.request
    def post(body):
        return urllib.request.urlopen(urllib.request.Request(server.url, body.encode()), timeout=10).read()
    call = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"%s","arguments":%s}}'
    assert b"w_lantern" in post(call % ("olv_list_worlds", "{}"))
    assert "jsonschema" not in sys.modules, "empty arguments need no schema"
    assert b"greater than 2000" in post(call % ("olv_search", '{"query":"a","limit":2001}'))
    assert "jsonschema" in sys.modules
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60, cwd=Path(__file__).resolve().parents[2])
