"""A report in whatever form it is pasted: the call in it is found, with its address, headers and answer."""

from __future__ import annotations

import json

import pytest

from olv_tui.reports.read import read_report
from tests.reports.pastes import PLAIN, Paste
from tests.reports.pastes_a import p as first
from tests.reports.pastes_b import p as second
from tests.reports.pastes_c import p as third


@pytest.mark.parametrize("one", [*first, *second, *third], ids=lambda one: one.name)
def test_the_call_in_a_paste_is_found(one: Paste) -> None:
    found = read_report(one.text)
    assert found.outcome == one.outcome, found.message
    if one.outcome != "imported":
        assert found.message
        return
    call = found.calls[0]
    assert json.loads(call.body) == json.loads(one.body)
    assert not one.url or call.url == one.url
    headers = {name.lower(): value for name, value in call.headers}
    assert {name: headers.get(name) for name in one.headers} == one.headers
    if one.expected:
        assert call.expected is not None
        assert json.loads(call.expected) == json.loads(one.expected)


@pytest.mark.parametrize(
    "text",
    ["{" * 200_000, "> " * 300_000, "%7B" * 200_000, '{\\"jsonrpc\\"' * 20_000, "=3D\n" * 100_000],
    ids=["braces", "marks", "percent", "escapes", "soft ends"],
)
def test_a_text_that_only_looks_like_a_report_ends_soon(text: str) -> None:
    assert read_report(text).outcome in ("refused", "asked")


def test_what_was_mended_is_named() -> None:
    lines = PLAIN.replace(",", ",\n").split("\n")
    found = read_report("\n".join(f"olv-api-1  | \x1b[32m{line}\x1b[0m" for line in lines))
    assert found.outcome == "imported"
    assert found.mended == (
        "the colours of a terminal were taken out",
        "what a log or a frame puts before each line was taken out",
    )


def test_a_body_that_was_sent_broken_stays_broken() -> None:
    found = read_report('curl https://a.example/mcp -d \'{"jsonrpc":"2.0",,}\'')
    assert found.calls[0].body == b'{"jsonrpc":"2.0",,}'
