"""Hostile text below the screen: no view and no verb lets it out, and what is printed as JSON is JSON."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from olv_tui.__main__ import main
from olv_tui.history import History
from olv_tui.mcp.tools import read_tool
from olv_tui.model import Exchange, Object, Tool
from olv_tui.redact import Redactor
from olv_tui.session import Session, input_requests
from olv_tui.transport.http import HttpTransport
from olv_tui.view.arguments import arguments_lines
from olv_tui.view.decoded import decoded_lines
from olv_tui.view.human import exchange_text
from olv_tui.view.lines import Lines
from olv_tui.view.safe import one_line, visible
from olv_tui.view.wire import findings_lines, frames_lines, headers_lines, raw_lines, request_lines, timing_lines
from olv_tui.view.words import banner
from tests.app.recorded import is_forbidden
from tests.hostile.evil_server import KINDS, EvilServer, evil_server

SELECTORS = "\ufe0e\ufe0f"
"""One of them behind a character makes it a picture or a letter; plain output keeps it."""


def leaks(text: str) -> list[str]:
    """What a terminal would obey or swallow in a text of several lines."""
    found = [character for character in text if is_forbidden(character) and character not in "\n\t" + SELECTORS]
    return found + re.findall(f"[{SELECTORS}]{{2,}}", text)


def shown(lines: Lines) -> str:
    """All lines, each of which has to be one."""
    texts = [lines.line(index).text for index in range(len(lines))]
    assert not [text for text in texts if "\n" in text or "\t" in text]
    return "\n".join(texts)


async def answers(evil: EvilServer) -> tuple[list[Exchange], tuple[Tool, ...]]:
    """The list of tools, and the answer to a call of each."""
    history = History(None, Redactor(b"a key for tests"))
    session = Session(evil.target, HttpTransport(), history)
    try:
        listing = await session.list_tools()
        made = [await session.call(tool.name, "{}") for tool in listing.tools]
        kept = [history.get(row.serial) for row in history.recent(99, automatic=True)]
    finally:
        await session.close()
    return [*made, *(one for one in kept if one is not None)], listing.tools


@pytest.mark.parametrize("modern", [False, True], ids=["legacy", "modern"])
@pytest.mark.parametrize("seed", range(3))
def test_no_view_of_an_answer_lets_hostile_text_out(seed: int, modern: bool) -> None:
    with evil_server(seed, modern=modern) as evil:
        exchanges, tools = asyncio.run(answers(evil))
    assert len(tools) == len(KINDS)
    for exchange in exchanges:
        told = banner(exchange)
        views = [
            decoded_lines(exchange), raw_lines(exchange), raw_lines(exchange, pretty=True), headers_lines(exchange),
            frames_lines(exchange), request_lines(exchange), request_lines(exchange, pretty=True),
            timing_lines(exchange), findings_lines(exchange),
        ]  # fmt: skip
        texts = [*map(shown, views), exchange_text(exchange), told.headline, told.facts, told.advice]
        assert [found for text in texts for found in leaks(text)] == []
        for request in input_requests(exchange):
            assert leaks(visible(request.key)) == []
    for tool in tools:
        assert [found for line in arguments_lines(tool) for found in leaks(line.text)] == []
        assert leaks(one_line(tool.name)) == []


@pytest.mark.parametrize("modern", [False, True], ids=["legacy", "modern"])
@pytest.mark.parametrize("seed", [11, 12])
def test_no_verb_prints_hostile_text(
    seed: int, modern: bool, capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path
) -> None:
    with evil_server(seed, modern=modern) as evil:
        common = ["--url", evil.target.url, "--era", "modern" if modern else "legacy", "--history", str(tmp_path / "h")]
        for words in verbs(evil):
            main([*words, *common])
            plain = capfdbinary.readouterr()
            assert leaks(plain.out.decode()) == [], words
            assert leaks(plain.err.decode()) == [], words
            main([*words, *common, "--json"])
            lines = capfdbinary.readouterr()
            for line in lines.out.decode().splitlines():
                assert isinstance(json.loads(line), dict)
                assert leaks(line) == [], words
            assert leaks(lines.err.decode()) == [], words
        for form in ("curl", "httpie", "python", "har", "json", "report"):
            assert main(["history", "export", "@4", "--as", form, "--history", str(tmp_path / "h")]) == 0
            assert leaks(capfdbinary.readouterr().out.decode()) == [], form


def verbs(evil: EvilServer) -> Iterator[list[str]]:
    """The list, a call of every kind, and the history of them."""
    yield ["tools"]
    for number, kind in enumerate(KINDS):
        evil.answered.set()
        yield ["call", f"W{number}{kind}"]
    yield ["history", "list", "--all"]
    yield ["history", "search", "W"]
    yield ["history", "show", "@4"]


@pytest.mark.parametrize(
    ("text", "is_told"),
    [
        ("user\u202etxt.exe", True),
        ("\u2066x\u2069", True),
        ("a\u200bb", True),
        ("a\u200cb", True),
        ("x\u2060y", True),
        ("\ufeffx", True),
        ("so\xadft", True),
        ("\u180e", True),
        ("\u3164", True),
        ("\U000e0068\U000e0069", True),
        ("x\ufe00\ufe0b", True),
        ("a\U000e0101", True),
        ("\u200eabc", True),
        ("abc\u200f", True),
        ("a\u061cb", True),
        ("❤\ufe0f\ufe0f", True),
        ("x\u200d", True),
        ("👨\u200d👩\u200d👧", False),
        ("🏳\ufe0f\u200d🌈", False),
        ("👍\U0001f3fd", False),
        ("1\ufe0f\u20e3", False),
        ("🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", False),
        ("می\u200cخواهم", False),
        ("क्\u200dष", False),
        ("שלום\u200f!", False),
        ("مرحبا", False),
        ("e\u0301\u0302", False),
        ("葛\U000e0100", False),
    ],
)
def test_what_reorders_or_hides_text_is_told_and_what_a_language_needs_is_not(text: str, is_told: bool) -> None:
    tool = read_tool(
        Object([("name", "a"), ("inputSchema", Object([("type", "object")])), ("title", text)]), "/t", None
    )
    told = [(one.code, one.at) for one in tool.violations if one.code == "J09"]
    assert told == ([("J09", "/t/title")] if is_told else [])
