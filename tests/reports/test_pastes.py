"""A report in whatever form it is pasted: the call in it is found, with its address, headers and answer."""

from __future__ import annotations

import json

import pytest

from olv_tui.model import Era
from olv_tui.reports.aim import era_of
from olv_tui.reports.read import read_report
from tests.reports.pastes import PING, PLAIN, Paste
from tests.reports.pastes_a import p as first
from tests.reports.pastes_b import p as second
from tests.reports.pastes_c import p as third
from tests.reports.pastes_d import p as fourth
from tests.reports.pastes_e import p as fifth
from tests.reports.pastes_f import p as sixth


@pytest.mark.parametrize("one", [*first, *second, *third, *fourth, *fifth, *sixth], ids=lambda one: one.name)
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
    [
        "{" * 200_000,
        "> " * 300_000,
        "%7B" * 200_000,
        '{\\"jsonrpc\\"' * 20_000,
        "=3D\n" * 100_000,
        "\\" * 400_000,
        'curl -d "' * 30_000,
        "cat > a <<E\n" * 30_000,
        "JSONRPCRequest(" * 30_000,
    ],
    ids=["braces", "marks", "percent", "escapes", "soft ends", "backslashes", "commands", "documents", "reprs"],
)
def test_a_text_that_only_looks_like_a_report_ends_soon(text: str) -> None:
    assert read_report(text).outcome in ("refused", "asked")


def test_a_log_of_thousands_of_calls_is_read_once_over() -> None:
    lines = (
        f'--> {{"jsonrpc":"2.0","id":{n},"method":"ping"}}\n<-- {{"jsonrpc":"2.0","id":{n},"result":{{}}}}'
        for n in range(4000)
    )
    found = read_report("\n".join(lines))
    assert len(found.calls) == 4000
    assert all(call.expected is not None for call in found.calls)


@pytest.mark.parametrize("cut", [1, 2, 3, 20, 40, 70])
def test_a_message_that_is_cut_off_is_refused_with_the_place_and_never_completed(cut: int) -> None:
    for text in (PLAIN[:-cut], f"12:00 DEBUG sent {PLAIN[:-cut]}"):
        found = read_report(text)
        assert found.outcome == "refused"
        assert "line 1, column" in found.message


def test_every_address_and_every_part_behind_next_is_a_call_of_its_own() -> None:
    found = read_report(f"curl -d '{PLAIN}' a.example/mcp b.example/mcp --next -H 'X-A: 1' -d '{PING}' c.example")
    told = [(call.url, call.body.decode(), dict(call.headers).get("X-A")) for call in found.calls]
    assert told == [
        ("http://a.example/mcp", PLAIN, None),
        ("http://b.example/mcp", PLAIN, None),
        ("http://c.example", PING, "1"),
    ]


def test_quotes_that_do_not_match_make_no_address_of_half_the_command() -> None:
    found = read_report("curl https://a.example -H 'A: b -d '{\"jsonrpc\" x' https://b.example' c")
    assert found.outcome == "refused"
    assert "quotes" in found.message


def test_powershell_makes_texts_of_what_lies_deeper_than_its_depth() -> None:
    table = "@{ jsonrpc='2.0'; id=1; method='m'; params=@{ a=@{ b=@{ c=1 } } } }"
    found = read_report(f"irm https://a.example -Method Post -Body ({table} | ConvertTo-Json)")
    assert json.loads(found.calls[0].body)["params"] == {"a": {"b": "System.Collections.Hashtable"}}
    assert "-Depth" in found.message


def test_the_escapes_of_bytes_that_python_shows_are_undone_once() -> None:
    body = '{"jsonrpc":"2.0","id":1,"method":"m","params":{"t":"a\\nb \\"c\\" it\'s é"}}'
    found = read_report(f"recv {body.encode()!r}")
    assert found.calls[0].body.decode() == body
    assert found.mended == ("the escapes of a string that holds JSON were undone",)


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


@pytest.mark.parametrize(
    ("command", "era"),
    [
        (f"curl https://a.example/mcp -d '{PLAIN}'", Era.BARE),
        (f"curl https://a.example/mcp -H 'Mcp-Session-Id: x' -d '{PLAIN}'", Era.AUTO),
        (f"curl https://a.example/mcp -H 'MCP-Protocol-Version: 2026-07-28' -d '{PLAIN}'", Era.MODERN),
        (PLAIN, Era.AUTO),
    ],
)
def test_a_whole_request_without_session_and_version_is_sent_as_bare_as_it_was(command: str, era: Era) -> None:
    assert era_of(read_report(command).calls[0]) is era


def test_a_mask_in_an_address_has_a_blank_and_is_no_quote_that_does_not_match() -> None:
    found = read_report(f"curl 'https://a.example/mcp?key=‹hidden 3f9a1c›' -d '{PLAIN}'")
    assert found.calls[0].url == "https://a.example/mcp?key=‹hidden 3f9a1c›"


@pytest.mark.parametrize(
    "text",
    [
        f"{PING[:-1]},}}",
        f"curl “https://a.example” -d ‘{PING}’",
        f"$ curl https://a.example -d '{PING}'",
        "> " + PING.replace(",", ",\n> "),
    ],
    ids=["in JSON", "of quotes", "of prompts", "of the text"],
)
def test_a_mend_that_is_taken_back_is_not_made(text: str) -> None:
    made = read_report(text).mended
    assert made
    left = read_report(text, made)
    assert not set(left.mended) & set(made)
    assert left.message


def test_a_mend_taken_back_leaves_the_calls_that_need_none() -> None:
    text = f"{PING[:-1]},}}\n{PLAIN}"
    found = read_report(text, read_report(text).mended)
    assert [call.body.decode() for call in found.calls] == [PLAIN]
