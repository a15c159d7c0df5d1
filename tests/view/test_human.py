from __future__ import annotations

from dataclasses import dataclass

import pytest

from olv_tui.model import Exchange, Object, Severity, Tool, Verdict, Violation
from olv_tui.view.human import exchange_text, history_text, listing_text
from olv_tui.view.safe import UNSAFE
from tests.view.exchanges import members, not_linked, rpc_error

HOSTILE = "\x1b]52;c;eA==\x07\u202e\nnext"


@dataclass
class FakeListing:
    verdict: Verdict
    tools: tuple[Tool, ...] = ()
    violations: tuple[Violation, ...] = ()
    pages: int = 1
    failed: Exchange | None = None


@dataclass
class FakeRow:
    serial: int = 3
    id_text: str | None = "42"
    started: str = "2026-12-02T08:00:00.000Z"
    method: str | None = "tools/call"
    tool: str | None = "olv_list_worlds"
    verdict: Verdict = Verdict.TOOL_ERROR
    status: int | None = 200
    total_ms: float | None = 12.0
    summary: str = "not_linked"
    automatic: bool = False
    target: str = "t"
    starred: bool = False
    note: str = ""


def tool(name: str, description: str = "", definition: str = "{}", violations: tuple[Violation, ...] = ()) -> Tool:
    return Tool(name, "", description, members(definition), violations)


def test_an_exchange_is_told_verdict_first() -> None:
    lines = exchange_text(not_linked()).splitlines()
    assert lines[0] == "▲ tool error: not_linked, site helpbless.com"
    assert lines[1].strip().startswith("HTTP 200 OK · 4.1 ms")
    assert "helpbless.com" in lines[2]
    assert "The tool reports an error" in "\n".join(lines)


def test_a_json_rpc_error_is_told_as_one() -> None:
    assert exchange_text(rpc_error()).startswith("✗ JSON-RPC error: -32602 Invalid params")


def test_tools_are_told_by_name_badges_description_and_arguments() -> None:
    described = tool(
        "olv_get_world",
        "Shows one world.\nSecond line.",
        '{"inputSchema":{"type":"object","required":["world_id"],"properties":{"world_id":{"type":"string"}}},"annotations":{"readOnlyHint":true}}',
    )
    text = listing_text(FakeListing(Verdict.RESULT, (described,), pages=1))  # type: ignore[arg-type]
    assert text.startswith("1 tool in 1 page\n\nolv_get_world  [read-only")
    assert "\n  Shows one world.⏎Second line.\n    world_id  string, required" in text


def test_a_listing_that_failed_is_told_as_its_exchange() -> None:
    assert listing_text(FakeListing(Verdict.RPC_ERROR, failed=rpc_error())).startswith("✗ JSON-RPC error")  # type: ignore[arg-type]


def test_history_is_one_line_for_each() -> None:
    text = history_text([FakeRow(), FakeRow(4, None, tool=None, method=None, status=None, total_ms=None)])  # type: ignore[list-item]
    first, second = text.splitlines()
    assert " ".join(first.split()) == (
        "@3 42 2026-12-02T08:00:00 olv_list_worlds HTTP 200 12 ms ▲ tool error: not_linked"
    )
    assert second.startswith(" @4      -")
    marked = history_text([FakeRow(starred=True, note="as \x1b[1m reported")]).splitlines()  # type: ignore[list-item]
    assert marked[0].startswith("★@3")
    assert marked[1].strip() == "as \\u001b[1m reported"
    assert history_text([]) == "No exchange is in the history yet."


@pytest.mark.parametrize("name", [HOSTILE, ""])
def test_hostile_names_stay_on_one_safe_line(name: str) -> None:
    found = Violation("T01", Severity.ERROR, name, at=name)
    listing = FakeListing(Verdict.RESULT, (Tool(name, name, name, Object(), (found,)),), (found,))
    texts = [listing_text(listing), history_text([FakeRow(tool=name or None, summary=name, id_text=name)])]  # type: ignore[arg-type,list-item]
    for text in texts:
        assert not UNSAFE.search(text)
        assert "\nnext" not in text
