"""The command line: wrong usage is one sentence and exit code 2, arguments are used as they are written."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from olv_tui.__main__ import main
from olv_tui.cli import read_arguments
from olv_tui.config import UsageError

WRONG = {
    "an unknown verb": ["frobnicate"],
    "an address without scheme": ["localhost:3000/mcp"],
    "an address of another scheme": ["ftp://example.test/mcp"],
    "an address without host": ["call", "t", "--url", "http://"],
    "a port out of range": ["call", "t", "--url", "http://127.0.0.1:99999/mcp"],
    "arguments that are a list": ["call", "t", "[1]", "--demo"],
    "arguments that are no JSON": ["call", "t", "{nope}", "--demo"],
    "arguments that are a bare word": ["call", "t", "nope", "--demo"],
    "a pair without name": ["call", "t", "=x", "--demo"],
    "a pair whose JSON is broken": ["call", "t", "a:=[1,", "--demo"],
    "a header without colon": ["call", "t", "--demo", "-H", "nocolon"],
    "a header with a line end": ["call", "t", "--demo", "-H", "X-A: a\r\nX-B: b"],
    "a header variable that is not set": ["call", "t", "--demo", "-H", "X-A: ${OLV_NOT_SET_HERE}"],
    "a bearer variable that is not set": ["call", "t", "--demo", "--bearer-env", "OLV_NOT_SET_HERE"],
    "an id that is no JSON": ["call", "t", "--demo", "--id", "abc"],
    "an era nobody knows": ["tools", "--demo", "--era", "stone"],
    "a timeout of nothing": ["tools", "--demo", "--timeout", "0"],
    "two places to send to": ["tools", "--demo", "--url", "http://127.0.0.1/mcp"],
    "a file that is not there": ["send", "/nowhere/at/all.json", "--demo"],
    "call without a tool": ["call"],
    "a history verb nobody knows": ["history", "burn"],
    "an unknown option": ["tools", "--demo", "--frob"],
    "a size that is none": ["tools", "--demo", "--max-body", "lots"],
    "an explorer without a terminal": ["--demo"],
}


@pytest.mark.parametrize("words", WRONG.values(), ids=WRONG.keys())
def test_wrong_usage_is_told_in_one_sentence_and_exits_2(
    words: list[str], capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert main(words) == 2
    told = capfd.readouterr()
    assert told.out == ""
    assert told.err.startswith("olv-tui: ")
    assert told.err.count("\n") == 1


def test_the_suggestion_for_an_address_without_scheme_is_the_address_with_one(
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert main(["localhost:3000/mcp"]) == 2
    assert "http://localhost:3000/mcp" in capfd.readouterr().err


def test_a_json_object_is_used_as_it_is_written() -> None:
    text = '{"n": 1.0, "big": 12345678901234567890, "n": 1e400}'
    assert read_arguments([text]) == text


def test_pairs_are_texts_and_json_values() -> None:
    assert read_arguments(["site=helpbless.com", "n:=1.50", "a=x=y"]) == '{"site":"helpbless.com","n":1.50,"a":"x=y"}'


def test_arguments_come_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "args.json"
    file.write_text('\ufeff{"a": 1}\n', "utf-8")
    assert read_arguments([f"@{file}"]) == '{"a": 1}'


def test_arguments_in_a_file_that_are_no_object_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "args.json"
    file.write_text("3", "utf-8")
    with pytest.raises(UsageError, match="no JSON object"):
        read_arguments([f"@{file}"])


def olv(*words: str, home: Path, stdin: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
    """Run the program as a user does, with a home of its own."""
    environment = {**os.environ, "HOME": str(home), "XDG_DATA_HOME": str(home / "data")}
    command = [sys.executable, "-m", "olv_tui", *words]
    return subprocess.run(command, input=stdin, capture_output=True, env=environment, timeout=60, check=False)


def test_call_on_the_demo_prints_the_decoded_result_and_exits_0(tmp_path: Path) -> None:
    done = olv("call", "olv_list_worlds", "--demo", home=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Lantern Bay" in done.stdout.decode()


def test_not_linked_is_a_tool_error_that_names_the_site_and_exits_3(tmp_path: Path) -> None:
    done = olv("call", "olv_site_status", "site=helpbless.com", "--demo", home=tmp_path)
    text = done.stdout.decode()
    assert done.returncode == 3, done.stderr
    assert "tool error" in text
    assert "not_linked" in text
    assert "helpbless.com" in text
    assert "JSON-RPC error" not in text


def test_the_record_holds_id_request_and_answer_exactly(tmp_path: Path) -> None:
    done = olv("call", "olv_diagnose", '{"code":4001}', "--id", '"mine"', "--demo", "--json", home=tmp_path)
    record = json.loads(done.stdout)
    assert done.returncode == 4
    assert list(record) == [
        "id", "serial", "verdict", "summary", "violations", "request", "response", "message", "tool_error",
        "rpc_error", "transport_error", "era", "protocol_version", "timing", "demo",
    ]  # fmt: skip
    assert record["id"] == "mine"
    assert record["rpc_error"] == {
        "code": 4001,
        "message": "World is asleep",
        "data": {"wakes": "2026-12-02T06:00:00Z"},
    }
    assert record["transport_error"] is None
    assert json.loads(record["request"]["body"])["id"] == "mine"


def test_tools_lists_all_pages(tmp_path: Path) -> None:
    done = olv("tools", "--demo", "--json", home=tmp_path)
    listing = json.loads(done.stdout)
    assert (done.returncode, listing["verdict"], listing["pages"], len(listing["tools"])) == (0, "result", 3, 12)


def test_send_posts_the_bytes_of_standard_input(tmp_path: Path) -> None:
    body = b'{"jsonrpc":"2.0" , "id":1.0,"method":"tools/call","params":{"name":"olv_today","arguments":{}}}'
    done = olv("send", "-", "--demo", "--era", "bare", "--json", home=tmp_path, stdin=body)
    record = json.loads(done.stdout)
    assert record["request"]["body"] == body.decode()
    assert record["verdict"] == "result"


def test_a_body_that_is_no_json_is_sent_and_answered(tmp_path: Path) -> None:
    done = olv("send", "-", "--demo", "--era", "bare", "--json", home=tmp_path, stdin=b"{nope")
    assert json.loads(done.stdout)["rpc_error"]["code"] == -32700
    assert done.returncode == 4


def test_nothing_listening_is_a_transport_error_and_exits_7(tmp_path: Path) -> None:
    done = olv("call", "t", "--url", "http://127.0.0.1:9/mcp", home=tmp_path)
    assert done.returncode == 7
    assert b"refused" in done.stdout


def test_the_history_finds_an_exchange_by_its_id_after_the_program_ended(tmp_path: Path) -> None:
    olv("call", "olv_today", "--demo", "--id", '"abc"', home=tmp_path)
    olv("call", "olv_list_worlds", "--demo", home=tmp_path)
    listed = olv("history", "list", "--demo", "--json", home=tmp_path)
    assert [json.loads(line)["verdict"] for line in listed.stdout.splitlines()] == ["result", "result"]
    shown = olv("history", "show", '"abc"', "--demo", "--json", home=tmp_path)
    assert json.loads(shown.stdout)["id"] == "abc"
    assert olv("history", "show", "777777", "--demo", home=tmp_path).returncode == 2


def test_ctrl_c_cancels_the_call_tells_so_and_exits_130(tmp_path: Path) -> None:
    environment = {**os.environ, "HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
    command = [
        sys.executable,
        "-m",
        "olv_tui",
        "call",
        "olv_export_world",
        "world_id=w_lantern",
        "seconds:=60",
        "--json",
    ]
    demo = subprocess.Popen([sys.executable, "-m", "olv_tui", "demo-server"], stdout=subprocess.PIPE, env=environment)
    assert demo.stdout is not None
    url = demo.stdout.readline().decode().split(" at ")[1].split(";")[0]
    call = subprocess.Popen([*command, "--url", url, "--era", "bare"], stdout=subprocess.PIPE, env=environment)
    try:
        wait_for_row(tmp_path, environment)
        call.send_signal(signal.SIGINT)
        out, _ = call.communicate(timeout=20)
    finally:
        call.kill()
        demo.terminate()
        demo.wait(10)
    assert json.loads(out)["verdict"] == "cancelled"
    assert call.returncode == 130


def wait_for_row(home: Path, environment: dict[str, str]) -> None:
    """Until the call stands in the history: it is written before its first byte leaves."""
    for _ in range(100):
        command = [sys.executable, "-m", "olv_tui", "history", "list", "--json"]
        if subprocess.run(command, capture_output=True, env=environment, check=False).stdout.strip():
            return
    raise AssertionError(f"no call appeared in the history below {home}")


def test_the_demo_server_answers_a_request_of_another_client(tmp_path: Path) -> None:
    environment = {**os.environ, "HOME": str(tmp_path)}
    command = [sys.executable, "-m", "olv_tui", "demo-server", "--port", "0"]
    demo = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment)
    assert demo.stdout is not None
    line = demo.stdout.readline().decode()
    url = line.split(" at ")[1].split(";")[0]
    body = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"olv_list_worlds","arguments":{}}}'
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    try:
        with urlopen(Request(url, data=body, headers=headers), timeout=10) as answer:
            assert json.load(answer)["id"] == 1
    finally:
        demo.terminate()
        code = demo.wait(10)
    assert "DEMO" in line
    assert code == 0
