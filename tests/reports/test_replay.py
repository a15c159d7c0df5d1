"""replay: what is sent, where to, how the answer is compared, and which exit code tells it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from olv_tui.__main__ import main
from tests.reports.listener import Listener, listening
from tests.reports.made import BODY

RESULT = b'{"jsonrpc":"2.0","id":7,"result":{"content":[],"at":"09:00"}}'
LATER = RESULT.replace(b"09:00", b"09:01")
FAILED = b'{"jsonrpc":"2.0","id":7,"error":{"code":-32000,"message":"gone"}}'
Captured = pytest.CaptureFixture[bytes]


@pytest.fixture
def server() -> Iterator[Listener]:
    with listening() as running:
        yield running


class Replay:
    """Runs replay with a history of its own; `err` is what was said beside the answer."""

    def __init__(self, captured: Captured, folder: Path) -> None:
        self.captured = captured
        self.folder = folder
        self.err = ""

    def run(self, report: str | bytes, *words: str) -> tuple[int, str]:
        file = self.folder / "report.txt"
        file.write_bytes(report.encode() if isinstance(report, str) else report)
        code = main(["replay", str(file), *words, "--history", str(self.folder / "history.sqlite3")])
        out = self.captured.readouterr()
        self.err = out.err.decode()
        return code, out.out.decode()

    def json(self, report: str | bytes, *words: str) -> tuple[int, dict[str, Any]]:
        code, out = self.run(report, *words, "--json")
        told: dict[str, Any] = json.loads(out)
        assert out.count("\n") == 1, "one JSON object and nothing else"
        return code, told


@pytest.fixture
def replay(capfdbinary: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Replay:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return Replay(capfdbinary, tmp_path)


def curl(url: str, *headers: str, body: bytes = BODY, answer: bytes = b"") -> str:
    options = "".join(f" -H '{header}'" for header in ("Content-Type: application/json", *headers))
    return f"$ curl {url}{options} -d '{body.decode()}'\n{answer.decode()}\n"


BARE = ("--era", "bare")

# --------------------------------------------------------------------------- compare and exit


def test_the_reported_answer_came_exits_0(server: Listener, replay: Replay) -> None:
    server.answers = [RESULT]
    code, told = replay.json(curl(server.url, answer=RESULT), *BARE)
    assert (code, told["verdict"], told["comparison"]["outcome"]) == (0, "result", "same")


def test_the_reported_error_came_exits_0_as_well(server: Listener, replay: Replay) -> None:
    server.answers = [FAILED]
    code, out = replay.run(curl(server.url, answer=FAILED), *BARE)
    assert code == 0
    assert "reproduced" in out


def test_another_answer_exits_9_with_the_difference(server: Listener, replay: Replay) -> None:
    server.answers = [RESULT]
    code, told = replay.json(curl(server.url, answer=FAILED), *BARE)
    assert (code, told["comparison"]["outcome"]) == (9, "different")
    assert {item["at"] for item in told["comparison"]["differences"]} == {"/error", "/result"}


def test_other_values_of_the_same_kind_exit_9_and_are_told_so(server: Listener, replay: Replay) -> None:
    server.answers = [LATER]
    code, told = replay.json(curl(server.url, answer=RESULT), *BARE)
    difference = {"at": "/result/at", "kind": "value", "expected": "09:00", "actual": "09:01"}
    assert (code, told["comparison"]["outcome"], told["comparison"]["differences"]) == (9, "same kind", [difference])
    code, out = replay.run(curl(server.url, answer=RESULT), *BARE)
    assert "/result/at" in out
    assert "09:00" in out


def test_ignored_places_do_not_count(server: Listener, replay: Replay) -> None:
    server.answers = [LATER]
    assert replay.run(curl(server.url, answer=RESULT), *BARE, "--ignore", "/result/at")[0] == 0


def test_without_a_reported_answer_the_verdict_decides(server: Listener, replay: Replay) -> None:
    server.answers = [FAILED]
    code, told = replay.json(curl(server.url), *BARE)
    assert (code, told["verdict"]) == (4, "rpc_error")
    assert "comparison" not in told


def test_another_http_status_is_another_answer(server: Listener, replay: Replay) -> None:
    server.answers = [FAILED]
    host = server.url.split("/")[2]
    report = f"POST /mcp HTTP/1.1\nHost: {host}\n\n{BODY.decode()}\n\nHTTP/1.1 500 Oops\n\n{FAILED.decode()}\n"
    code, told = replay.json(report, *BARE)
    assert (code, told["comparison"]["differences"][0]["at"]) == (9, "HTTP status")


def test_repeating_tells_how_often_and_how_long(server: Listener, replay: Replay) -> None:
    server.answers = [RESULT, LATER, RESULT]
    code, told = replay.json(curl(server.url, answer=RESULT), *BARE, "--repeat", "4")
    assert len(server.got) == 4
    assert (code, told["runs"]["count"], told["runs"]["outcomes"]) == (9, 4, {"same": 3, "same kind": 1})
    assert told["runs"]["verdicts"] == {"result": 4}
    assert told["runs"]["ms"]["min"] <= told["runs"]["ms"]["median"] <= told["runs"]["ms"]["max"]
    server.answers = [RESULT]
    assert replay.run(curl(server.url, answer=RESULT), *BARE, "--repeat", "2")[0] == 0


def test_nothing_that_comes_is_a_transport_error_and_no_reproduction(replay: Replay) -> None:
    code, told = replay.json(curl("http://127.0.0.1:9/mcp", answer=RESULT), *BARE)
    assert (code, told["verdict"]) == (9, "transport_error")


# --------------------------------------------------------------------------- what is sent


def test_the_body_and_the_headers_go_out_as_reported(server: Listener, replay: Replay) -> None:
    body = b'{"jsonrpc" :"2.0","id":7.0,"method":"ping","n":1e400}'
    replay.run(curl(server.url, "X-A: b", "Accept: text/plain", body=body), *BARE)
    headers = {name.lower(): value for name, value in server.got[0].headers}
    assert server.got[0].body == body
    assert (headers["x-a"], headers["accept"]) == ("b", "text/plain")


def test_headers_given_now_win_over_the_reported_ones(server: Listener, replay: Replay) -> None:
    replay.run(curl(server.url, "X-A: old", "X-B: kept"), *BARE, "-H", "x-a: new")
    sent = [(name.lower(), value) for name, value in server.got[0].headers if name.lower() in ("x-a", "x-b")]
    assert sorted(sent) == [("x-a", "new"), ("x-b", "kept")]


def test_a_session_of_the_report_is_left_out_and_told(replay: Replay) -> None:
    code, told = replay.json(
        curl("http://h.test/", "Mcp-Session-Id: old-session-1"), "--demo", "sessions", "--with-secrets"
    )
    sent = dict(map(tuple, told["request"]["headers"]))
    assert "old-session-1" not in json.dumps(sent)
    assert "Mcp-Session-Id" in replay.err
    assert code in (0, 4, 3)


def test_a_report_of_the_modern_era_is_sent_as_such_without_asking(server: Listener, replay: Replay) -> None:
    version = "io.modelcontextprotocol/protocolVersion"
    body = json.dumps({"jsonrpc": "2.0", "id": 7, "method": "ping", "params": {"_meta": {version: "2026-07-28"}}})
    replay.run(curl(server.url, "MCP-Protocol-Version: 2026-07-28", body=body.encode()))
    assert [got.body for got in server.got] == [body.encode()]


def test_the_same_call_comes_out_of_every_export(replay: Replay, server: Listener, capfdbinary: Captured) -> None:
    server.answers = [RESULT]
    history = ("--history", str(replay.folder / "history.sqlite3"))
    replay.run(curl(server.url), *BARE)
    for form in ("curl", "httpie", "python", "har", "report", "json"):
        main(["history", "export", "@1", "--as", form, *history])
        exported = capfdbinary.readouterr().out
        assert replay.run(exported, *BARE)[0] == 0
        assert server.got[-1].body == server.got[0].body


# --------------------------------------------------------------------------- where to, and secrets


def test_another_address_can_be_given(server: Listener, replay: Replay) -> None:
    replay.run(curl("http://h.test/mcp"), *BARE, "--url", server.url)
    assert len(server.got) == 1


TOKEN = "Authorization: Bearer tok-of-another-origin"


def test_a_credential_of_another_origin_is_not_sent_unasked(server: Listener, replay: Replay) -> None:
    code, out = replay.run(curl("http://h.test/mcp", TOKEN), *BARE, "--url", server.url)
    assert (code, out, server.got) == (2, "", [])
    assert "Authorization" in replay.err
    assert "tok-of-another-origin" not in replay.err
    replay.run(curl("http://h.test/mcp", TOKEN), *BARE, "--url", server.url, "--with-secrets")
    assert ("Authorization", "Bearer tok-of-another-origin") in server.got[0].headers


def test_a_credential_given_now_stands_in_for_the_reported_one(server: Listener, replay: Replay) -> None:
    replay.run(curl("http://h.test/mcp", TOKEN), *BARE, "--url", server.url, "-H", "Authorization: Bearer mine")
    assert [value for name, value in server.got[0].headers if name == "Authorization"] == ["Bearer mine"]


def test_a_credential_goes_to_its_own_origin_and_into_no_file(server: Listener, replay: Replay, tmp_path: Path) -> None:
    _, out = replay.run(curl(server.url, TOKEN), *BARE, "--json")
    assert ("Authorization", "Bearer tok-of-another-origin") in server.got[0].headers
    (tmp_path / "report.txt").unlink()
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()) + out.encode()
    assert b"tok-of-another-origin" not in kept


@pytest.mark.parametrize("value", ["Bearer $TOKEN", "Bearer ‹hidden 3f9a1c›", "Bearer <token>", "Bearer ***"])
def test_a_credential_that_is_not_in_the_report_is_left_out_and_told(
    value: str, server: Listener, replay: Replay
) -> None:
    replay.run(f"curl {server.url} -H \"Authorization: {value}\" -d '{BODY.decode()}'", *BARE)
    assert "Authorization" not in dict(server.got[0].headers)
    assert "--bearer-env" in replay.err


def test_a_target_of_the_settings_with_the_same_origin_lends_its_headers(
    server: Listener, replay: Replay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = tmp_path / "settings.toml"
    origin = server.url.removesuffix("/mcp")
    settings.write_text(
        f'[targets.mine]\nurl = "{origin}/other"\nheaders = {{ Authorization = "Bearer ${{MY_TOKEN}}" }}\n'
    )
    monkeypatch.setenv("MY_TOKEN", "value-of-mine")
    replay.run(curl(server.url), *BARE, "--config", str(settings))
    assert server.got[0].target == "/mcp"
    assert ("Authorization", "Bearer value-of-mine") in server.got[0].headers


# --------------------------------------------------------------------------- dry run


def test_a_dry_run_sends_nothing_and_prints_the_promised_members(server: Listener, replay: Replay) -> None:
    code, told = replay.json(curl(server.url, TOKEN, answer=RESULT), "--dry-run")
    assert (code, server.got) == (0, [])
    assert list(told) == ["outcome", "request", "expected", "mended", "message", "why"]
    assert list(told["request"]) == ["method", "url", "headers", "body"]
    assert told["expected"] == json.loads(RESULT)
    assert told["request"]["body"] == BODY.decode()


def test_a_dry_run_masks_what_the_report_holds_unless_it_is_asked_for(replay: Replay) -> None:
    _, masked = replay.json(curl("http://h.test/?token=query-secret", TOKEN), "--dry-run")
    _, plain = replay.json(curl("http://h.test/?token=query-secret", TOKEN), "--dry-run", "--with-secrets")
    assert "tok-of-another-origin" not in json.dumps(masked)
    assert "query-secret" not in json.dumps(masked)
    assert ["Authorization", "Bearer tok-of-another-origin"] in plain["request"]["headers"]


def test_no_secret_of_an_address_stands_in_what_is_said(replay: Replay) -> None:
    report = "curl http://me:pass-of-mine@h.test/?token=query-secret -d x\n"
    report += "curl http://me:pass-of-mine@h.test/?token=query-secret -d y\n"
    _, told = replay.json(report, "--dry-run")
    assert told["outcome"] == "asked"
    assert replay.run(report)[0] == 2
    for secret in ("pass-of-mine", "query-secret"):
        assert secret not in json.dumps(told) + replay.err


def test_a_dry_run_puts_in_the_values_given_anew(replay: Replay) -> None:
    _, masked = replay.json(curl("http://h.test/", TOKEN), "--dry-run")
    _, plain = replay.json(json.dumps(masked), "--dry-run", "--with-secrets", "-H", TOKEN)
    assert ["Authorization", "Bearer tok-of-another-origin"] in plain["request"]["headers"]


def test_a_dry_run_of_bytes_that_are_no_text_gives_them_in_base64(replay: Replay) -> None:
    _, told = replay.json(b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"\xff"}}', "--dry-run")
    assert told["request"]["body"] is None
    assert told["request"]["body_base64"]


@pytest.mark.parametrize(("text", "outcome"), [("hello", "refused"), ('{"a":1}', "asked"), ("", "refused")])
def test_a_dry_run_of_no_call_exits_0_with_the_reason(text: str, outcome: str, replay: Replay) -> None:
    code, told = replay.json(text, "--dry-run")
    assert (code, told["outcome"], told["request"], told["expected"]) == (0, outcome, None, None)
    assert told["message"]
    assert replay.run(text)[0] == 2
    assert replay.err.startswith("olv-tui: ")


def test_a_dry_run_for_reading_is_safe_for_a_terminal(replay: Replay) -> None:
    report = '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"\x9b31m\u202e"}}'
    code, out = replay.run(report, "--dry-run")
    assert code == 0
    assert not [char for char in out if char != "\n" and not char.isprintable()]


def test_one_of_several_calls_is_chosen_by_its_number(server: Listener, replay: Replay) -> None:
    other = BODY.replace(b'"id":7', b'"id":8')
    report = curl(server.url) + curl(server.url, body=other)
    assert replay.run(report, *BARE)[0] == 2
    assert "--call N" in replay.err
    replay.run(report, *BARE, "--call", "2")
    assert [got.body for got in server.got] == [other]
    assert replay.run(report, *BARE, "--call", "3")[0] == 2


WRONG = {
    "a pointer without slash": ["--ignore", "result"],
    "no repetition": ["--repeat", "0"],
    "call number nought": ["--call", "0"],
}


@pytest.mark.parametrize("words", WRONG.values(), ids=WRONG)
def test_wrong_usage_exits_2(words: list[str], replay: Replay) -> None:
    assert replay.run(BODY, *words)[0] == 2
    assert replay.err.count("\n") == 1


def test_a_get_is_not_sent(server: Listener, replay: Replay) -> None:
    assert replay.run(f"curl {server.url}", *BARE)[0] == 2
    assert server.got == []


@pytest.mark.parametrize(
    "words", [["history", "export", "1"], ["history", "export"], ["history", "search"], ["history", "search", "a", "b"],
              ["history", "export", "1", "--as", "pdf"], ["history", "search", ""]],
)  # fmt: skip
def test_wrong_usage_of_history_exits_2(words: list[str], replay: Replay, capfdbinary: Captured) -> None:
    assert main([*words, "--history", str(replay.folder / "h.sqlite3")]) == 2
    assert capfdbinary.readouterr().err.count(b"\n") == 1


def test_search_prints_the_rows_it_finds(server: Listener, replay: Replay, capfdbinary: Captured) -> None:
    history = ("--history", str(replay.folder / "history.sqlite3"))
    replay.run(curl(server.url), *BARE)
    assert main(["history", "search", "HELPBLESS", *history]) == 0
    assert b"@1" in capfdbinary.readouterr().out
    assert main(["history", "search", "helpbless", "--json", *history]) == 0
    assert json.loads(capfdbinary.readouterr().out)["serial"] == 1
    assert main(["history", "search", "nowhere", *history]) == 0
    assert b"No exchange" in capfdbinary.readouterr().out
