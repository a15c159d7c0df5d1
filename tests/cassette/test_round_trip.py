"""Recorded from real servers, played, and every call sent again: all is reproduced, or told where it is not."""

from __future__ import annotations

import asyncio
import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from olv_tui.__main__ import main
from olv_tui.demo.server import DemoServer
from olv_tui.model import Era, Exchange, Target, Verdict
from tests.cassette.made import Told, converse, playing, request, response, write
from tests.servers import sdk_server

CALLS = (
    ("olv_list_worlds", "{}"),
    ("olv_site_status", '{"site":"helpbless.com"}'),
    ("olv_diagnose", "{}"),
    ("olv_flaky", '{"mode":"html"}'),
    ("olv_export_world", '{"world_id":"lantern-row","format":"json"}'),
    ("no_such_tool", "{}"),
)


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


async def session_of(session: Any, calls: tuple[tuple[str, str], ...] = CALLS) -> list[Exchange]:
    await session.list_tools()
    return [await session.call(name, arguments) for name, arguments in calls]


def seen(found: list[Exchange]) -> list[tuple[Any, ...]]:
    """What counts of exchanges: verdict, status and the answer without its id."""
    told = []
    for one in found:
        message = one.judgement.message if one.judgement else None
        rest = {name: value for name, value in message.items() if name != "id"} if isinstance(message, dict) else None
        told.append((one.verdict, one.status, rest))
    return told


@pytest.mark.parametrize("era", [Era.AUTO, Era.LEGACY, Era.BARE])
async def test_the_demo_is_played_as_it_was(era: Era, tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    with DemoServer(slow_seconds=0) as server:
        recorded = await converse(Target("demo", server.url, era=era, timeout=10), session_of, path)
    told = Told()
    with playing(path, told) as target:
        played = await converse(target, session_of)
    assert seen(played) == seen(recorded)
    assert {one.verdict for one in recorded} >= {Verdict.RESULT, Verdict.TOOL_ERROR, Verdict.RPC_ERROR}
    assert told == []


async def test_the_official_sdk_is_played_as_it_was_and_every_call_is_reproduced(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "c.jsonl"
    calls = (("add", '{"a":1,"b":2}'), ("shout", '{"text":"hey"}'), ("site_status", '{"site":"a.b"}'), ("fail", "{}"))
    with sdk_server() as url:
        recorded = await converse(Target("sdk", url, timeout=10), lambda session: session_of(session, calls), path)
    with playing(path) as target:
        played = await converse(target, lambda session: session_of(session, calls))
    assert seen(played) == seen(recorded)
    assert await asyncio.to_thread(main, ["replay", "--all", str(path), "--cassette", str(path), "--speed", "0"]) == 0
    assert "4 calls: 4 same" in capfd.readouterr().out


def record(path: Path, calls: tuple[tuple[str, str], ...] = CALLS, era: str = "auto") -> None:
    for name, arguments in calls:
        main(["call", name, arguments, "--demo", "--era", era, "--record", str(path), "--append"])


@pytest.mark.parametrize("era", ["auto", "legacy"])
def test_what_was_recorded_is_reproduced_by_the_cassette_and_by_the_server(
    era: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path, junit = tmp_path / "c.jsonl", tmp_path / "junit.xml"
    record(path, era=era)
    capfd.readouterr()
    words = ["replay", "--all", str(path), "--json", "--junit", str(junit)]
    assert main([*words, "--cassette", str(path), "--speed", "0"]) == 0
    results = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    assert [one["outcome"] for one in results] == ["same"] * len(CALLS)
    suite = ET.parse(junit).getroot().find("testsuite")
    assert suite is not None
    assert (suite.get("tests"), suite.get("failures")) == (str(len(CALLS)), "0")
    assert main([*words, "--demo"]) == 0


def test_an_answer_that_changed_is_told_with_its_place_in_every_form(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    answer = '{"jsonrpc":"2.0","id":1,"result":{"content":[],"word":"\\u0000\\ud800\\u001b]<&\\"\'"}}'
    then = write(tmp_path / "then", {"request": request(1), "response": response(answer)})
    now = write(tmp_path / "now", {"request": request(1), "response": response(answer.replace("word", "name"))})
    junit = tmp_path / "junit.xml"
    words = ["replay", "--all", str(then), "--cassette", str(now)]
    assert main([*words, "--junit", str(junit)]) == 9
    out = capfd.readouterr().out
    assert "≠ different" in out
    assert "/result/word" in out
    failure = ET.parse(junit).getroot().find("testsuite/testcase/failure")
    assert failure is not None
    assert "/result/name" in (failure.text or "")
    assert main([*words, "--ignore", "/result/word", "--ignore", "/result/name"]) == 0
    assert main([*words, "--json"]) == 9
    told = json.loads(capfd.readouterr().out.splitlines()[-1])
    assert (told["outcome"], told["line"], told["total"]) == ("different", 2, 2)


def test_a_server_that_is_not_there_ends_with_the_code_of_its_verdict(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path / "c", {"request": request(1), "response": response("{}")})
    assert main(["replay", "--all", str(path), "--url", "http://127.0.0.1:9/mcp", "--era", "bare"]) == 7
    assert main(["replay", "--all", str(path), "--url", "http://127.0.0.1:9/mcp", "--era", "legacy"]) == 7
    assert "the handshake failed, so it was not sent" in capfd.readouterr().out


def test_a_recorded_failure_is_reproduced_by_the_same_failure(tmp_path: Path) -> None:
    reset = {"request": request(1), "response": None, "transport_error": {"kind": "reset", "message": ""}}
    path = write(tmp_path / "c", reset)
    assert main(["replay", "--all", str(path), "--cassette", str(path)]) == 0


def test_a_dry_run_sends_nothing_and_tells_what_destroys(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "c.jsonl"
    main(["tools", "--demo", "--record", str(path)])
    record(path, (("olv_delete_world", '{"world_id":"x"}'), ("olv_list_worlds", "{}")))
    capfd.readouterr()
    assert main(["replay", "--all", str(path), "--dry-run", "--json"]) == 0
    told = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    assert [(one["what"].split()[1], one["destructive"]) for one in told] == [
        ("olv_delete_world", True),
        ("olv_list_worlds", False),
    ]


def test_a_har_and_the_history_become_cassettes_that_play(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for name, arguments in CALLS[:2]:
        main(["call", name, arguments, "--demo"])
    capfd.readouterr()
    main(["history", "export", "@2", "--as", "har", "--demo"])
    har = tmp_path / "one.har"
    har.write_text(capfd.readouterr().out)
    made = str(tmp_path / "har.jsonl")
    assert main(["cassette", str(har), "-o", made]) == 0
    results = tmp_path / "results.xml"
    assert main(["replay", "--all", str(har), "--cassette", made, "--junit", str(results)]) == 0
    assert [one.get("name") for one in ET.parse(results).iter("testcase")] == [
        "call 1: tools/call olv_list_worlds (id 2)"
    ]
    kept = str(tmp_path / "history.jsonl")
    assert main(["cassette", "--from-history", "-o", kept, "--demo"]) == 0
    assert main(["replay", "--all", kept, "--cassette", kept]) == 0
    capfd.readouterr()
    assert main(["cassette", kept, "--json"]) == 0
    told = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    assert [one["tool"] for one in told if not one["automatic"]] == ["olv_list_worlds", "olv_site_status"]
    assert main(["cassette", kept]) == 0
    assert "tools/call olv_site_status" in capfd.readouterr().out


def test_what_cannot_become_a_cassette_is_told(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    curl = tmp_path / "curl.txt"
    curl.write_text("""curl http://a.test/mcp -d '{"jsonrpc":"2.0","id":1,"method":"m"}'""")
    assert main(["cassette", str(curl), "-o", str(tmp_path / "x")]) == 2
    assert "not what was answered" in capfd.readouterr().err
    assert not (tmp_path / "x").exists()


def test_the_verbs_take_a_cassette_in_place_of_a_server(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "c.jsonl")
    assert main(["tools", "--demo", "--record", path]) == 0
    listed = capfd.readouterr().out
    assert main(["tools", "--cassette", path]) == 0
    assert capfd.readouterr().out == listed
    assert main(["call", "olv_today", "--cassette", path]) == 5
    assert "Not on the cassette c.jsonl: tools/call olv_today" in capfd.readouterr().err
    assert not (tmp_path / "data" / "olv-tui" / "history.sqlite3").exists(), "it has a history of its own"


def test_a_line_that_cannot_be_read_is_among_the_results(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    tape, results = tmp_path / "c.jsonl", tmp_path / "results.xml"
    record(tape, CALLS[:1], "bare")
    with tape.open("a") as file:
        file.write('{"request": <\x1b]&\n')
    command = ["replay", "--all", str(tape), "--cassette", str(tape), "--junit", str(results)]
    assert main(command) == 0
    cases = [(one.get("name"), [child.tag for child in one]) for one in ET.parse(results).iter("testcase")]
    assert cases == [
        ("line 3: a line that cannot be read", ["skipped"]),
        ("line 2: tools/call olv_list_worlds (id 1)", []),
    ]
    capfd.readouterr()
    tape.write_text(tape.read_text().replace('"cassette": 1', '"cassette": 9'))
    assert main(command) == 2
    assert "it is of format 9" in capfd.readouterr().err
