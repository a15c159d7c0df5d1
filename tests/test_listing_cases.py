"""Failure cases of schemas and lists of tools: everything is listed as it came, and anything can be sent to it."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from olv_tui.__main__ import main
from olv_tui.cli import EXIT_CODES
from olv_tui.model import Verdict
from tests.caselib import Case, CaseServer, case_server, cases, log_faults, missing, texts, words_of

LISTINGS = [case for case in cases("schema", "toollist") if "response" not in case]
CALLS = [case for case in cases("schema", "toollist") if "response" in case]
SENDABLE = [
    pytest.param(case, arguments, id=f"{case['id']}-{number}")
    for case in LISTINGS
    for number, arguments in enumerate(case["expect"].get("sendable", []))
]
CALLABLE = [
    pytest.param(case, name, id=f"{case['id']}-{number}")
    for case in LISTINGS
    for number, name in enumerate(case["expect"].get("callable", []))
]
ERAS = ("auto", "modern", "legacy", "bare")
Captured = pytest.CaptureFixture[bytes]


@pytest.fixture(scope="module")
def running() -> Iterator[CaseServer]:
    with case_server() as server:
        yield server


@pytest.fixture
def server(running: CaseServer) -> CaseServer:
    """The case server, with nothing in its log."""
    running.reset()
    return running


def run(captured: Captured, *words: str) -> tuple[int, bytes]:
    """Exit code and everything that was told of a run of the program."""
    code = main([*words])
    out = captured.readouterr()
    return code, out.out + out.err


def exact(text: str) -> Any:
    """Decoded with number texts, order and duplicates kept."""
    return json.loads(text, object_pairs_hook=list, parse_int=str, parse_float=str)


def scripted(case: Case, server: CaseServer) -> list[Any]:
    """The definitions on every page that a case scripts, exactly, pages in the order they are asked for."""
    given = case["on"]["tools/list"]
    pages = sorted(given, key=lambda page: "nextCursor" not in page["result"]) if isinstance(given, list) else [given]
    found: list[Any] = []
    for page in pages:
        body = json.loads(server.fill(page["body"], case["id"])) if "body" in page else page
        found += exact(json.dumps(body["result"].get("tools", [])))
    return found


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("case", LISTINGS, ids=lambda case: case["id"])
def test_a_list_of_tools_is_shown_as_it_came(
    case: Case, era: str, server: CaseServer, capfdbinary: Captured, tmp_path: Path
) -> None:
    where = ["--url", server.url(case), "--era", era, "--history", str(tmp_path / "history.sqlite3"), "--timeout", "20"]
    code, record = run(capfdbinary, "tools", *where, "--json")
    text = record.decode("utf-8")
    assert len(text.splitlines()) == 1, "stdout holds the listing and nothing else"
    listing = json.loads(text)
    assert listing["verdict"] == case["expect"]["verdict"]
    assert code == EXIT_CODES[Verdict(listing["verdict"])]
    # Where no list came, the record of that exchange stands in its place, its raw answer with it.
    assert dict(exact(text)).get("tools", []) == scripted(case, server)
    assert ("tools" in listing) != ("response" in listing)
    faults = log_faults(case, server)

    _, human = run(capfdbinary, "tools", *where)
    _, kept = run(capfdbinary, "history", "list", "--all", "--json", *where[4:6])
    told = record + human + kept
    shown = "\n".join([texts(listing), human.decode("utf-8"), *(texts(json.loads(line)) for line in kept.splitlines())])
    faults += [f"cannot be found: {wanted}" for wanted in missing(case["expect"]["must_show"], shown)]
    told += b"".join(path.read_bytes() for path in tmp_path.iterdir())
    faults += [f"must not appear: {one}" for one in case["expect"]["must_not"] if one.encode() in told]
    faults += ["a traceback"] * (b"Traceback" in told)
    assert not faults


@pytest.mark.parametrize(
    ("number", "code", "at"),
    [
        ("171", "D01", "/result/tools/0"),
        ("173", "D01", "/result/tools/0/inputSchema"),
        ("177", "D03", "/result/tools/0/inputSchema/properties/x/$ref"),
        ("185", "M09", "/result/nextCursor"),
        ("189", "D02", None),
        ("191", "D02", "/result/tools/3/name"),
        ("193", "D05", "/result/tools/2/annotations"),
        ("195", "D01", "/result"),
    ],
)
def test_what_is_wrong_with_a_list_is_named(
    number: str, code: str, at: str | None, server: CaseServer, capfdbinary: Captured
) -> None:
    case = next(case for case in LISTINGS if case["id"].startswith(number))
    _, record = run(capfdbinary, "tools", "--url", server.url(case), "--no-history", "--json")
    named = [(item["code"], item["at"]) for item in json.loads(record)["violations"]]
    assert (code, at) in named


@pytest.mark.parametrize("case", CALLS, ids=lambda case: case["id"])
def test_a_call_beside_an_odd_list_has_its_right_outcome(case: Case, server: CaseServer, capfdbinary: Captured) -> None:
    code, record = run(capfdbinary, *words_of(case, server), "--no-history", "--json")
    line = json.loads(record.splitlines()[0])
    assert (line["verdict"], code) == (case["expect"]["verdict"], EXIT_CODES[Verdict(line["verdict"])])
    assert not missing(case["expect"]["must_show"], texts(line))
    assert not log_faults(case, server)


def test_a_list_that_is_not_supported_is_told_as_the_error_it_is(server: CaseServer, capfdbinary: Captured) -> None:
    case = next(case for case in CALLS if case["id"].startswith("197"))
    code, record = run(capfdbinary, "tools", "--url", server.url(case), "--no-history", "--json")
    failed = json.loads(record)
    assert (code, failed["verdict"], failed["rpc_error"]["code"]) == (4, "rpc_error", -32601)


# --------------------------------------------------------------------------- what is sent


def tool_of(case: Case, server: CaseServer) -> str:
    """The name of the tool that a case is about: the first in its list."""
    name = dict(scripted(case, server)[0])["name"]
    assert isinstance(name, str)
    return name


def sent(case: Case, server: CaseServer) -> dict[str, Any]:
    """The one tools/call in the server's log for a case."""
    calls = [entry for entry in server.log(case) if entry.get("json_method") == "tools/call"]
    assert len(calls) == 1, "sent once"
    return calls[0]


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(("case", "arguments"), SENDABLE)
def test_arguments_are_sent_as_they_were_given(
    case: Case, arguments: object, era: str, server: CaseServer, capfdbinary: Captured
) -> None:
    text = json.dumps(arguments, ensure_ascii=False)
    where = ["--url", server.url(case), "--era", era, "--no-history", "--json"]
    code, record = run(capfdbinary, "call", *where, "--", tool_of(case, server), text)
    assert code == 0, record
    body = sent(case, server)["body"]
    assert json.loads(body)["params"]["arguments"] == arguments
    assert f'"arguments":{text}' in body
    assert json.loads(record)["request"]["body"] == body


@pytest.mark.parametrize(
    "text",
    ['{"n": 1.50, "m":1e2 ,"big":12345678901234567890123}', '{"a":1,"a":2}', '{"é":"\\u00e9","n":-0.0}', "{ }"],
)
def test_digits_order_and_duplicates_of_arguments_reach_the_server(
    text: str, server: CaseServer, capfdbinary: Captured
) -> None:
    case = LISTINGS[0]
    where = ["--url", server.url(case), "--no-history", "--json"]
    code, _ = run(capfdbinary, "call", *where, "--", tool_of(case, server), text)
    assert code == 0
    assert f'"arguments":{text}' in sent(case, server)["body"]


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(("case", "name"), CALLABLE)
def test_a_tool_of_any_name_is_called_by_it(
    case: Case, name: str, era: str, server: CaseServer, capfdbinary: Captured
) -> None:
    where = ["--url", server.url(case), "--era", era, "--no-history", "--json"]
    code, record = run(capfdbinary, "call", *where, "--", name, "{}")
    assert code == 0, record
    call = sent(case, server)
    assert json.loads(call["body"])["params"]["name"] == name
    mirrored = [value for header, value in call["headers"] if header.lower() == "mcp-name"]
    right = {"modern": [[encoded(name)]], "auto": [[encoded(name)], []]}.get(era, [[]])
    assert mirrored in right


def encoded(name: str) -> str:
    """A name as 2026-07-28 wants it in a header."""
    if name.isascii() and name.isprintable() and name == name.strip():
        return name
    return f"=?base64?{base64.b64encode(name.encode()).decode()}?="
