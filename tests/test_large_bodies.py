"""Answers beyond --max-body, from the option to the record, the history and the exit code."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from olv_tui.__main__ import main
from olv_tui.config import UsageError, load_max_body, load_targets, read_size
from olv_tui.history import History
from olv_tui.judge import advice, judge
from olv_tui.model import Era, Outgoing, Reply, RequestId, Spill, Verdict, WireResponse
from olv_tui.redact import Redactor

TOKEN = "tok-echoed-by-the-server"
CALL = Outgoing("request", RequestId("1"), "tools/call", "big", (RequestId("1"),))


@contextmanager
def server(answer: Callable[[Any], bytes], status: int = 200) -> Iterator[str]:
    """A JSON-RPC server whose whole body is made by `answer`, from the id."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
            body = answer(asked["id"])
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the base class's name)
            pass

    httpd = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    httpd.daemon_threads = True
    threading.Thread(target=lambda: httpd.serve_forever(0.02), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{httpd.server_address[1]}/rpc"
    finally:
        httpd.shutdown()
        httpd.server_close()


@pytest.fixture(autouse=True)
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setenv("TOKEN", TOKEN)


def large(identity: Any) -> bytes:
    """Three megabytes of answer, with the credential of the request in it."""
    text = "row " * 400_000 + TOKEN + " row" * 400_000
    result = {"content": [{"type": "text", "text": text}]}
    return json.dumps({"jsonrpc": "2.0", "id": identity, "result": result}).encode()


def call(url: str, *more: str) -> int:
    return main(["call", "big", "--url", url, "--era", "bare", "--json", "--bearer-env", "TOKEN", *more])


def test_an_answer_beyond_the_cap_is_told_with_its_file_in_the_record_on_stderr_and_in_the_history(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with server(large) as url:
        code = call(url, "--max-body", "1MB")
    told = capfd.readouterr()
    record = json.loads(told.out)
    assert (code, record["verdict"], record["violations"]) == (6, "invalid_response", [])
    response, whole = record["response"], large(record["id"])
    mask = Redactor((tmp_path / "olv-tui" / "key").read_bytes()).mask(TOKEN)
    assert response["body"] == whole[:1_000_000].decode()
    assert response["body_size"] == len(whole)
    file = Path(response["body_file"])
    assert file.parent == tmp_path / "olv-tui" / "history.sqlite3-bodies"
    assert file.read_text("utf-8") == whole.decode().replace(TOKEN, mask)
    assert str(file) in told.err
    assert "--max-body" in told.err
    history = History(tmp_path / "olv-tui" / "history.sqlite3", Redactor(b"k" * 32))
    kept = history.get(record["serial"])
    history.close()
    assert kept is not None
    assert kept.reply is not None
    assert kept.reply.response is not None
    assert kept.reply.response.spill == Spill(len(whole), 1_000_000, str(file))
    assert str(record["serial"]) in file.stem


def test_the_same_answer_is_read_where_the_cap_is_larger(capfd: pytest.CaptureFixture[str]) -> None:
    with server(large) as url:
        assert call(url, "--max-body", "4MB") == 0
        assert "body_file" not in json.loads(capfd.readouterr().out)["response"]
        assert call(url, "--max-body", "0") == 0


def test_a_run_without_history_writes_no_file_and_says_so(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with server(large) as url:
        assert call(url, "--max-body", "1MB", "--no-history") == 7
    told = capfd.readouterr()
    record = json.loads(told.out)
    assert (record["transport_error"]["kind"], record["response"]["body_file"]) == ("size", None)
    assert "nothing is kept in files in this run" in told.err
    assert not (tmp_path / "olv-tui" / "history.sqlite3-bodies").exists()


def test_for_a_reader_the_file_is_named_below_the_verdict(capfd: pytest.CaptureFixture[str]) -> None:
    with server(large) as url:
        main(["call", "big", "--url", url, "--era", "bare", "--max-body", "1MB"])
    shown = capfd.readouterr().out
    assert "invalid response: the body of 3,2" in shown
    assert "\nNot read\n" in shown  # nobody knows whether it is valid
    assert "all that came of it is in" in shown
    assert "3.2 MB" in shown


def test_a_cassette_holds_all_of_an_answer_whose_beginning_is_in_memory(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    tape = tmp_path / "tape.jsonl"
    with server(large) as url:
        call(url, "--max-body", "1MB", "--record", str(tape))
    record = json.loads(capfd.readouterr().out)
    mask = Redactor((tmp_path / "olv-tui" / "key").read_bytes()).mask(TOKEN)
    (taped,) = [json.loads(line) for line in tape.read_text("utf-8").splitlines()[1:]]
    assert taped["response"]["body"] == large(record["id"]).decode().replace(TOKEN, mask)


# --------------------------------------------------------------------------- the verdict


def judged(status: int = 200, outgoing: Outgoing = CALL, **more: Any) -> tuple[Verdict, set[str]]:
    headers = (("Content-Type", "application/json"),)
    response = WireResponse(status, "", headers, b'{"jsonrpc":"2.0","id":1,"resu', spill=Spill(99, 29), **more)
    found = judge(outgoing, Reply(response), era=Era.MODERN, version="2026-07-28")
    return found.verdict, {one.code for one in found.violations}


def test_a_body_that_was_not_read_breaks_no_rule_of_what_stands_in_it() -> None:
    assert judged() == (Verdict.INVALID_RESPONSE, set())
    assert judged(500) == (Verdict.HTTP_ERROR, set())
    assert judged(400) == (Verdict.HTTP_ERROR, set())
    batch = Outgoing("batch", ids=(RequestId("1"), RequestId("2")))
    assert judged(outgoing=batch) == (Verdict.INVALID_RESPONSE, set())
    assert judged(outgoing=Outgoing("notification", method="notifications/x"))[0] is Verdict.ACCEPTED


def test_the_advice_says_where_the_body_is_whatever_the_verdict() -> None:
    for spill, words in (
        (Spill(99, 29, "/data/bodies/x.json"), "all that came of it is in /data/bodies/x.json"),
        (
            Spill(99, 29, "/data/bodies/x.json", "the disk is full"),
            "The beginning of the body is in /data/bodies/x.json",
        ),
        (Spill(99, 29, "", "no file"), "Only the first 29 bytes of the body are here: no file."),
    ):
        reply = Reply(WireResponse(200, "", (), b"x" * 29, spill=spill), cancelled=True)
        told = advice(judge(CALL, reply, era=Era.BARE, version=None), reply)
        assert words in told
        assert "--max-body" in told


# --------------------------------------------------------------------------- the setting


@pytest.mark.parametrize(
    ("text", "count"),
    [("64MB", 64_000_000), ("1.5 gb", 1_500_000_000), ("64MiB", 64 << 20), ("500k", 500_000), ("0", 0), ("7 B", 7)],
)
def test_a_size_is_read_in_the_units_that_people_write(text: str, count: int) -> None:
    assert read_size(text) == count


@pytest.mark.parametrize("text", ["", "lots", "-1", "1TB", "1e9", "MB"])
def test_what_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no size"):
        read_size(text)


def test_the_settings_have_a_cap_for_all_targets_and_one_for_each(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text('max_body = "64MB"\n[targets.a]\nurl = "http://a.test/"\nmax_body = 1000\n', "utf-8")
    assert load_max_body(file) == 64_000_000
    assert load_targets(file)["a"].max_body == 1000
    file.write_text('max_body = "lots"\n', "utf-8")
    with pytest.raises(UsageError, match=r"config\.toml\.max_body: 'lots' is no size"):
        load_max_body(file)


def test_the_setting_counts_where_no_option_is_given(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "olv-tui").mkdir()
    (tmp_path / "olv-tui" / "config.toml").write_text('max_body = "1MB"\n', "utf-8")
    with server(large) as url:
        assert call(url) == 6
        assert call(url, "--max-body", "4MB") == 0
    assert capfd.readouterr().err.count("bodies") == 1
