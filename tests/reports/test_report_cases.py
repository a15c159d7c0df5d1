"""The cases of imports, exports and the history, each carried out on the command line."""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from olv_tui.__main__ import main
from olv_tui.options import FORMS
from tests.caselib import Case, CaseServer, case_server, cases, missing, squeeze

ON_SCREEN = {"285-clipboard-over-ssh": "the clipboard is a matter of the terminal"}
Captured = pytest.CaptureFixture[bytes]


@pytest.fixture(scope="module")
def running() -> Iterator[CaseServer]:
    with case_server() as server:
        yield server


@pytest.fixture
def server(running: CaseServer) -> CaseServer:
    running.reset()
    return running


def case(name: str) -> Case:
    return next(one for one in cases("export", "history") if one["id"].startswith(name))


def logged_bodies(server: CaseServer, one: Case) -> list[bytes]:
    """The bodies that the server saw for a case, in order."""
    log = server.log(one)
    return [entry["body"].encode() if "body" in entry else base64.b64decode(entry["body_base64"]) for entry in log]


class Program:
    """The program with a history of its own; keeps all it ever told."""

    def __init__(self, captured: Captured, folder: Path) -> None:
        self.captured = captured
        self.folder = folder
        self.told = b""

    def run(self, *words: str) -> tuple[int, bytes]:
        code = main([*words, "--history", str(self.folder / "history.sqlite3")])
        out = self.captured.readouterr()
        self.told += out.out + out.err
        return code, out.out

    def call(self, server: CaseServer, one: Case, *words: str) -> dict[str, Any]:
        arguments = json.dumps(one["input"].get("arguments", {}), ensure_ascii=False)
        asked = ("call", "probe", *(words or (arguments,)), "--url", server.url(one), "--era", "bare", "--json")
        headers = [word for name, text in one["input"].get("headers", {}).items() for word in ("-H", f"{name}: {text}")]
        _, out = self.run(*asked, *headers)
        record: dict[str, Any] = json.loads(out)
        return record

    def files(self) -> bytes:
        return b"".join(path.read_bytes() for path in sorted(self.folder.rglob("*")) if path.is_file())


@pytest.fixture
def program(capfdbinary: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return Program(capfdbinary, tmp_path)


# --------------------------------------------------------------------------- import


def import_faults(one: Case, told: dict[str, Any], server: CaseServer) -> list[str]:
    """What a dry run tells otherwise than a case wants it."""
    expect = one["expect"]
    outcome = told["outcome"]
    also = expect.get("also", {})
    if outcome != expect["outcome"] and outcome not in also:
        return [f"outcome {outcome}: {told['message']}"]
    wanted = expect.get("request") if outcome == expect["outcome"] else also[outcome]
    if outcome != "imported" or not isinstance(wanted, dict):
        return [] if told["message"] else ["nothing is said"]
    request = told["request"]
    headers = [(name.lower(), value) for name, value in request["headers"]]
    faults = [f"{name}: {headers}" for name, value in wanted.get("headers", {}).items() if (name, value) not in headers]
    faults += [
        f"values of {name}: {headers}"
        for name, values in wanted.get("header_values", {}).items()
        if [value for key, value in headers if key == name] != values
    ]
    faults += [f"{name} is there" for name in wanted.get("no_headers", []) if name in dict(headers)]
    if "url" in wanted and request["url"] != server.fill(wanted["url"], one["id"]):
        faults.append(request["url"])
    if wanted.get("method", "POST") != request["method"]:
        faults.append(request["method"])
    if json.loads(request["body"]) != wanted["body_json"]:
        faults.append(request["body"])
    return faults + [token for token in expect.get("exact_tokens", []) if token not in request["body"]]


@pytest.mark.parametrize("one", cases("import"), ids=lambda one: one["id"])
def test_an_import_case_gives_the_request_it_names(
    one: Case, server: CaseServer, program: Program, tmp_path: Path
) -> None:
    report = tmp_path / "report.txt"
    report.write_bytes(server.fill(one["input"]["text"], one["id"]).encode())
    # One of them holds a cookie, which is masked unless it is asked for.
    code, out = program.run("replay", str(report), "--dry-run", "--json", "--with-secrets")
    assert code == 0
    assert import_faults(one, json.loads(out), server) == []
    assert server.log(one) == [], "an import never sends"


@pytest.mark.parametrize("name", ["267", "275"])
def test_a_mended_import_says_what_was_mended(name: str, server: CaseServer, program: Program, tmp_path: Path) -> None:
    one = next(one for one in cases("import") if one["id"].startswith(name))
    report = tmp_path / "report.txt"
    report.write_text(server.fill(one["input"]["text"], one["id"]), "utf-8")
    told = json.loads(program.run("replay", str(report), "--dry-run", "--json")[1])
    assert ("typographic" if name == "267" else "line 4") in told["message"]
    assert told["mended"]


@pytest.mark.parametrize(
    "one", [one for one in cases("import") if one["expect"].get("request", {}).get("url")], ids=lambda one: one["id"]
)
def test_an_imported_case_is_sent_as_it_was_reported(
    one: Case, server: CaseServer, program: Program, tmp_path: Path
) -> None:
    report = tmp_path / "report.txt"
    report.write_bytes(server.fill(one["input"]["text"], one["id"]).encode())
    program.run("replay", str(report), "--era", "bare")
    logged = server.log(one)
    assert len(logged) == 1
    assert json.loads(logged_bodies(server, one)[0]) == one["expect"]["request"]["body_json"]
    sent = [(name.lower(), value) for name, value in logged[0]["headers"]]
    assert [name for name, value in one["expect"]["request"]["headers"].items() if (name, value) not in sent] == []


# --------------------------------------------------------------------------- export


@pytest.mark.skipif(not (shutil.which("bash") and shutil.which("curl")), reason="needs bash and curl")
def test_279_the_exported_curl_sends_the_logged_body_again(server: CaseServer, program: Program) -> None:
    one = case("279")
    record = program.call(server, one)
    _, command = program.run("history", "export", f"@{record['serial']}", "--as", "curl")
    done = subprocess.run(["bash"], input=command, capture_output=True, timeout=30, check=False)
    assert done.returncode == 0, done.stderr
    first, second = server.log(one)
    assert first["body"] == second["body"] == record["request"]["body"]
    unsent = {"host", "content-length", "connection"}
    headers = [
        sorted((n.lower(), v) for n, v in entry["headers"] if n.lower() not in unsent) for entry in (first, second)
    ]
    assert headers[0] == headers[1]


@pytest.mark.parametrize("form", [*FORMS, "powershell"])
def test_281_the_token_is_in_no_export_and_no_file(form: str, server: CaseServer, program: Program) -> None:
    one = case("281")
    record = program.call(server, one)
    shell = ("--as", "curl", "--shell", "powershell") if form == "powershell" else ("--as", form)
    _, text = program.run("history", "export", f"@{record['serial']}", *shell)
    assert "‹hidden" in text.decode() or "\\u2039hidden" in text.decode() or "hidden" in decoded(text)
    kept = program.told + program.files()
    assert [secret for secret in one["expect"]["must_not"] if secret.encode() in kept] == []


def decoded(text: bytes) -> str:
    """The base64 texts in a command, decoded."""
    return " ".join(
        base64.b64decode(word).decode("utf-8", "replace") for word in re.findall(r"'([\w+/]{40,}=*)'", text.decode())
    )


def test_281_the_token_given_anew_is_put_in_where_it_is_asked_for(server: CaseServer, program: Program) -> None:
    one = case("281")
    record = program.call(server, one)
    given = ("-H", "Authorization: Bearer tok-SECRET-5d0e9")
    export = ("history", "export", f"@{record['serial']}", "--as", "curl")
    _, with_it = program.run(*export, "--with-secrets", *given)
    _, other = program.run(*export, "--with-secrets", "-H", "Authorization: Bearer another-token")
    assert b"-H 'Authorization: Bearer tok-SECRET-5d0e9'" in with_it
    assert b"another-token" not in other
    assert "‹hidden" in other.decode()


@pytest.mark.parametrize("form", ["json", "har", "report"])
def test_283_bytes_that_are_no_text_can_be_had_from_an_export(form: str, server: CaseServer, program: Program) -> None:
    one = case("283")
    record = program.call(server, one)
    _, out = program.run("history", "export", f"@{record['serial']}", "--as", form)
    text = out.decode("utf-8")
    if form != "report":
        json.loads(text)
    coded = re.findall(r"[A-Za-z0-9+/]{40,}={0,2}", text)
    assert any(b"\xff\xfe\x80" in base64.b64decode(word) for word in coded)
    assert b"UnicodeEncodeError" not in program.told


def test_283_the_history_as_json_lines_is_sound(server: CaseServer, program: Program) -> None:
    program.call(server, case("283"))
    _, out = program.run("history", "list", "--json")
    body = json.loads(out.decode("utf-8"))["response"]["body_base64"]
    assert b"\xff\xfe\x80" in base64.b64decode(body)


def test_287_a_fence_is_longer_than_any_inside(server: CaseServer, program: Program, tmp_path: Path) -> None:
    one = case("287")
    record = program.call(server, one)
    _, out = program.run("history", "export", f"@{record['serial']}", "--as", "report")
    text = out.decode()
    report = tmp_path / "report.md"
    report.write_bytes(out)
    told = json.loads(program.run("replay", str(report), "--dry-run", "--json")[1])
    assert told["request"]["body"] == record["request"]["body"]
    outside = re.sub(r"^(`{3,})[^\n]*\n.*?^\1$", "", text, flags=re.MULTILINE | re.DOTALL)
    outside = re.sub(r"(`+).+?\1", "", outside)
    assert not re.search(r"<details>|@someone|#12", outside)


# --------------------------------------------------------------------------- history


def test_289_three_calls_with_one_id_are_three_entries(server: CaseServer, program: Program, tmp_path: Path) -> None:
    one = case("289")
    program.call(server, {**one, "input": {}}, "{}", "--id", "1")
    program.call(server, {**one, "input": {}}, "{}", "--id", '"1"')
    report = tmp_path / "report.json"
    report.write_text('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"probe","arguments":{}}}')
    program.run("replay", str(report), "--url", server.url(one), "--era", "bare")
    _, out = program.run("history", "list", "--json")
    entries = [json.loads(line) for line in out.splitlines()]
    assert [entry["id"] for entry in entries] == [1, "1", 1]
    texts = [entry["message"]["result"]["content"][0]["text"] for entry in entries]
    assert texts == one["expect"]["must_show"][::-1]
    before = len(program.told)
    program.run("history", "show", "1")
    assert b"1 older exchange has the id 1" in program.told[before:]


def test_291_answers_out_of_order_stay_with_their_calls(server: CaseServer, program: Program, tmp_path: Path) -> None:
    one = case("291")
    words = ["call", "probe", "note=slow", "--url", server.url(one), "--era", "bare", "--json"]
    words += ["--history", str(tmp_path / "history.sqlite3")]
    slow = subprocess.Popen([sys.executable, "-m", "olv_tui", *words], stdout=subprocess.PIPE, env=dict(os.environ))
    arrived = threading.Event()
    while not server.log(one):
        arrived.wait(0.02)
    program.call(server, {**one, "input": {}}, "note=quick")
    out, _ = slow.communicate(timeout=30)
    assert json.loads(out)["message"]["result"]["content"][0]["text"] == "K-slow-answer"
    entries = [json.loads(line) for line in program.run("history", "list", "--json")[1].splitlines()]
    pairs = {
        json.loads(entry["request"]["body"])["params"]["arguments"]["note"]: entry["message"]["result"]["content"][0][
            "text"
        ]
        for entry in entries
    }
    assert pairs == {"slow": "K-slow-answer", "quick": "K-quick-answer"}


def test_293_an_entry_sent_again_keeps_its_bytes_and_its_own_answer(
    server: CaseServer, program: Program, tmp_path: Path
) -> None:
    one = case("293")
    first = program.call(server, {**one, "input": {}}, r'{"note":"a\u0062 7205759403792793601"}')
    _, record = program.run("history", "export", f"@{first['serial']}", "--as", "json")
    report = tmp_path / "report.json"
    report.write_bytes(record)
    code, out = program.run("replay", str(report), "--json")
    assert code == 9, "another answer came than the first time"
    assert json.loads(out)["comparison"]["differences"][0]["at"] == "/result/content/0/text"
    logged = logged_bodies(server, one)
    assert logged[0] == logged[1]
    assert rb"a\u0062 7205759403792793601" in logged[1]
    _, old = program.run("history", "show", f"@{first['serial']}", "--json")
    assert json.loads(old)["message"]["result"]["content"][0]["text"] == "K-run-1"


def test_295_a_request_of_the_server_is_inside_one_finished_entry(server: CaseServer, program: Program) -> None:
    one = case("295")
    record = program.call(server, {**one, "input": {}}, "{}")
    _, out = program.run("history", "list", "--json")
    entries = [json.loads(line) for line in out.splitlines()]
    assert [(entry["serial"], entry["verdict"]) for entry in entries] == [(record["serial"], "result")]
    assert missing(one["expect"]["must_show"], squeeze(out.decode())) == []


def test_every_case_is_carried_out_here_or_named_as_a_matter_of_the_screen() -> None:
    source = Path(__file__).read_text("utf-8")
    left = [one["id"] for one in cases("export", "history") if f"test_{one['id'][:3]}_" not in source]
    assert left == list(ON_SCREEN)
