"""One run with a secret in every place that can hold one: afterwards none is found anywhere, in any form.

The server is the worst one for this: it repeats everything it is sent, in its headers, its body and its errors.
"""

from __future__ import annotations

import asyncio
import base64
import html
import io
import json
import os
import socket
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any
from urllib.parse import quote, quote_plus

import pytest

from olv_tui import cli
from olv_tui.__main__ import main
from olv_tui.app import OlvApp
from olv_tui.options import FORMS, parse
from olv_tui.screens.export import FORMS as EXPORTS
from olv_tui.surroundings import launch
from tests import local_http
from tests.app.helper import OlvPilot, running, send, until
from tests.screen import screen_text

SECRETS = {
    "a header": "hdr-5f1c9a7e-Kx2",
    "the password in the address": "pw/5+d0=9e:ss!7",
    "the query": "qry 7b2d&81=e4?x",
    "a cookie": "ck-31c7f0a2b9d84e65",
    "the environment": 'env"ü\\4a9c-b8d7/+',
    "the bearer variable": "bearer-0d9f8e7c6b5a4932",
    "the session": "sess-c4b7a1d2e3f60987",
}
"""Long enough to be known by sight, and with characters that JSON, URLs and base64 write differently."""

ARGUMENTS = json.dumps({"note": SECRETS["the environment"], "again": SECRETS["a header"]})


def forms(secret: str) -> Iterator[bytes]:
    """Every way that a value may be written in a file."""
    raw = secret.encode()
    yield raw
    yield json.dumps(secret)[1:-1].encode()
    yield json.dumps(secret, ensure_ascii=False)[1:-1].encode()
    yield json.dumps(json.dumps(secret))[3:-3].encode()
    yield quote(secret, safe="").encode()
    yield quote(secret).encode()
    yield quote_plus(secret).encode()
    yield repr(secret)[1:-1].encode()
    yield html.escape(secret).encode()
    yield quote(quote(secret, safe=""), safe="").encode()
    yield raw.decode("latin-1").encode()
    yield secret.encode("utf-16-le")
    as_json, as_html, as_python, by_byte = json.dumps(secret)[1:-1], html.escape(secret), repr(secret)[1:-1], raw
    in_base64 = (secret, as_json, as_html, as_python, by_byte.decode("latin-1"), quote(secret), quote(secret, safe=""))
    for written in (text.encode() for text in in_base64):
        for shift in range(3):
            # What stays of it inside a longer text in base64, at each alignment.
            inside = slice((0, 2, 3)[shift], (shift + len(written)) * 8 // 6)
            yield base64.b64encode(b"\0" * shift + written)[inside]
            yield base64.urlsafe_b64encode(b"\0" * shift + written)[inside]


def found_in(data: bytes) -> list[str]:
    """Which of the secrets stand in some bytes, and how."""
    return [f"{where}: {form!r}" for where, secret in SECRETS.items() for form in forms(secret) if form in data]


def check(what: str, data: str | bytes) -> None:
    hits = found_in(data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data)
    assert not hits, f"{what} holds {hits}"


def check_files(folder: Path) -> None:
    """No file below a folder holds one, nor does its name."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert files
    for path in files:
        check(str(path), path.read_bytes())
        check("a file name", path.name)


@contextmanager
def echoing(log: list[str] | None = None, names: Iterable[str] = SECRETS) -> Iterator[str]:
    """A server of the 2025 versions that gives a session and repeats everything; gives its host and port.

    `log` gets every request as it came, line, headers and body in one text. `names` are the secrets that it tells in
    further forms, whatever it was sent.
    """
    every = [SECRETS[name] for name in names]

    class Handler(local_http.Quiet, BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            sent = self.rfile.read(int(self.headers.get("content-length") or 0))
            asked = json.loads(sent)
            method = asked.get("method")
            came = f"{self.requestline} {self.headers} {sent.decode()}"
            if log is not None:
                log.append(came)
            joined = " ".join(every)
            quoted = f"{html.escape(joined)} {quote(joined)} {quote(quote(joined))}"
            all_of_it = f"{came} {every} {quoted}"
            coded = base64.b64encode(all_of_it.encode()).decode()
            told: dict[str, Any] = {"jsonrpc": "2.0", "id": asked.get("id")}
            if method == "initialize":
                info = {"name": f"echo {every[0]}", "version": "1"}
                told["result"] = {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": info}
            elif method == "tools/list":
                schema = {"type": "object", "properties": {"note": {"type": "string", "default": all_of_it}}}
                told["result"] = {"tools": [{"name": "echo", "description": all_of_it, "inputSchema": schema}]}
            elif method == "tools/call" and asked["params"]["name"] == "echo":
                content = [{"type": "text", "text": all_of_it}, {"type": "text", "text": coded}]
                told["result"] = {"content": content, "structuredContent": {all_of_it: coded}}
            elif method == "tools/call":
                content = [{"type": "text", "text": all_of_it}]
                error = {"error": all_of_it, "site": every[-1]}
                told["result"] = {"content": content, "structuredContent": error, "isError": True}
            else:
                told["error"] = {"code": -32601, "message": all_of_it, "data": coded}
            body = json.dumps(told).encode()
            self.send_response(200 if "id" in asked else 202)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.send_header("mcp-session-id", SECRETS["the session"])
            self.send_header("set-cookie", f"sid={SECRETS['a cookie']}; HttpOnly")
            self.send_header("x-echo", coded)
            self.send_header("location", self.path)
            self.end_headers()
            self.wfile.write(body)

        def do_DELETE(self) -> None:
            self.send_response(200)
            self.send_header("content-length", "0")
            self.end_headers()

    with local_http.served(Handler) as host:
        yield host


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own, where everything that is written goes, the current folder included."""
    folder = tmp_path / "home"
    folder.mkdir()
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "OLV_TUI_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    for name in ("HOME", "APPDATA", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(folder))
    monkeypatch.setenv("OLV_SECRET", SECRETS["the environment"])
    monkeypatch.setenv("OLV_BEARER", SECRETS["the bearer variable"])
    monkeypatch.chdir(folder)
    return folder


def words(host: str) -> list[str]:
    """The options that carry all of them but the session, which the server gives."""
    password, query = quote(SECRETS["the password in the address"], safe=""), quote(SECRETS["the query"], safe="")
    return [
        "--url", f"http://ann:{password}@{host}/mcp?api_key={query}&x=1",
        "-H", f"X-Api-Key: {SECRETS['a header']}",
        "-H", "X-Note: ${OLV_SECRET}",
        "-H", f"Cookie: theme=dark; sid={SECRETS['a cookie']}",
        "--bearer-env", "OLV_BEARER",
    ]  # fmt: skip


Captured = pytest.CaptureFixture[bytes]


def told(captured: Captured) -> bytes:
    out = captured.readouterr()
    return out.out + out.err


def test_without_a_screen_none_is_printed_or_written(home: Path, capfdbinary: Captured) -> None:
    log: list[str] = []
    with echoing(log) as host:
        with_them = words(host)
        dead = f"127.0.0.1:{_closed_port()}"
        tape = str(home / "tape.jsonl")
        body = {"jsonrpc": "2.0", "id": 99, "method": "tools/call", "params": {"name": "other", "arguments": {}}}
        (home.parent / "body.json").write_text(json.dumps(body))
        runs = [
            ["call", "echo", ARGUMENTS, *with_them, "--record", tape],
            ["call", "echo", ARGUMENTS, *with_them, "--json"],
            ["call", "other", "{}", *with_them],
            ["tools", *with_them, "--record", tape, "--append"],
            ["tools", "--json", *with_them],
            ["send", str(home.parent / "body.json"), *with_them, "--json", "--record", tape, "--append"],
            ["call", "echo", ARGUMENTS, *with_them, "--max-body", "2KB"],
            ["call", "echo", ARGUMENTS, *with_them, "--max-body", "100", "--json"],
            ["call", "echo", ARGUMENTS, *words(dead)],
            ["call", "echo", ARGUMENTS, *words(dead), "--json", "--era", "bare"],
            ["history", "note", "@4", f"mine is {SECRETS['a header']}", *with_them],
            ["history", "show", "@4"],
            ["history", "show", "@4", "--json"],
            ["history", "saved", "--json"],
            ["history", "list", "--all", "--json"],
            ["history", "list", "--all"],
            ["history", "search", "echo", "--json"],
            *(["history", "export", f"@{serial}", "--as", form] for form in FORMS for serial in (1, 4, 6)),
            ["cassette", "--from-history", "-o", str(home / "history.jsonl")],
            ["cassette", tape],
            ["cassette", tape, "--json"],
            ["replay", "--all", tape, *with_them, "--junit", str(home / "junit.xml")],
            ["replay", "--all", tape, *with_them, "--json"],
            ["call", "echo", ARGUMENTS, "--cassette", tape, *with_them[2:], "--json"],
            ["call", "missing", ARGUMENTS, "--cassette", tape, *with_them[2:]],
        ]
        for run in runs:
            assert main(run) in (0, 3, 4, 5, 6, 7, 9), run
            check(f"what {run[:3]} prints", told(capfdbinary))
        check_files(home)
        assert any((home / ".local" / "share" / "olv-tui" / "history.sqlite3-bodies").iterdir())
        assert b"hidden" in Path(tape).read_bytes()
        assert main(["history", "export", "@4", "--as", "curl"]) == 0
        report = home.parent / "again.sh"
        report.write_bytes(told(capfdbinary))
        log.clear()
        assert main(["replay", str(report), "--era", "bare", *with_them]) in (0, 9)
        sent = next(request for request in log if '"tools/call"' in request)
        for where in ("the environment", "a header"):
            assert json.dumps(SECRETS[where]) in sent, f"{where} is sent again as it is"
    check("a replay", told(capfdbinary))


def test_none_of_the_settings_is_printed_or_written(home: Path, capfdbinary: Captured) -> None:
    settings = home / "settings.toml"
    with echoing(names=["the environment", "the session"]) as host:
        settings.write_text(
            f'[targets.mine]\nurl = "http://{host}/mcp"\nheaders = {{ "X-Note" = "${{OLV_SECRET}}" }}\n'
            f'variables = {{ site_password = "{SECRETS["a cookie"]}" }}\n'
        )
        mine = ["--config", str(settings), "--target", "mine"]
        arguments = json.dumps({"note": SECRETS["the environment"], "password": SECRETS["a cookie"]})
        assert main(["call", "echo", arguments, *mine]) == 0
        assert main(["call", "echo", arguments, *mine, "--json"]) == 0
        assert main(["tools", *mine]) == 0
    settings.unlink()  # there a value stands as the reader wrote it
    check("what is printed", told(capfdbinary))
    check_files(home)


def _closed_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def test_a_value_has_the_same_mask_wherever_it_stands_and_in_every_run(home: Path, capfdbinary: Captured) -> None:
    with echoing() as host:
        for _ in range(2):
            assert main(["call", "echo", ARGUMENTS, *words(host), "--json"]) == 0
    records = [json.loads(line) for line in capfdbinary.readouterr().out.decode().splitlines()]
    seen = []
    for record in records:
        headers = {name.lower(): value for name, value in record["request"]["headers"]}
        asked = json.loads(record["request"]["body"])["params"]["arguments"]
        assert headers["x-api-key"] == asked["again"]
        assert headers["x-note"] == asked["note"]
        assert headers["x-note"] != headers["x-api-key"]
        assert headers["x-api-key"] in record["response"]["body"]
        seen.append((headers["x-api-key"], headers["x-note"], headers["authorization"]))
    assert seen[0] == seen[1]


def test_a_pasted_report_shows_none_of_the_secrets_in_it(home: Path, capfdbinary: Captured) -> None:
    with echoing() as host:
        url, _, *headers = words(host)[1:]
        options = " ".join(f"-H '{word}'" for word in headers if ":" in word and "${" not in word)
        call = f'curl \'{url}\' {options} -d \'{{"jsonrpc":"2.0","id":1,"method":"tools/call"}}\''
        (home.parent / "report.txt").write_text(call)
        assert main(["replay", str(home.parent / "report.txt"), "--dry-run", "--json"]) == 0
        check("a dry run", told(capfdbinary))
        assert main(["replay", str(home.parent / "report.txt"), "--dry-run"]) == 0
        check("a dry run", told(capfdbinary))
        main(["replay", str(home.parent / "report.txt"), "--era", "bare"])
        check("a replay", told(capfdbinary))
    check_files(home)


@pytest.mark.parametrize("debug", [False, True])
def test_a_fault_of_a_verb_tells_none(
    debug: bool, home: Path, capfdbinary: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: object) -> int:
        text = " ".join(SECRETS[where] for where in SECRETS if where != "the session")
        try:
            raise ValueError(text)
        except ValueError as error:
            raise RuntimeError(f"it broke over {text}") from error

    monkeypatch.setattr(cli, "run", broken)
    if debug:
        monkeypatch.setenv("OLV_TUI_DEBUG", "1")
    assert main(["call", "echo", *words("127.0.0.1:9")]) == 1
    said = told(capfdbinary)
    check("the fault", said)
    assert b"RuntimeError: it broke over" in said
    assert (b"Traceback" in said) is debug


WRONG = [
    ["call", "t", "--url", f"ftp://ann:{quote(SECRETS['a cookie'])}@h/mcp"],
    ["call", "t", "--url", f"http://ann:{quote(SECRETS['a cookie'])}@h:99999/mcp"],
    ["call", "t", "--url", f"http://h/mcp?api_key={quote(SECRETS['a cookie'])} x"],
    ["call", "t", "-H", f"Authorization Bearer {SECRETS['a cookie']}"],
    ["call", "t", "-H", f"X-Api-Key: {SECRETS['a cookie']}\x01"],
    [f"http://ann:{SECRETS['a cookie']}@h/mcp", "--demo"],
]


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: wrong[-2][:8])
def test_wrong_usage_repeats_none(wrong: list[str], home: Path, capfdbinary: Captured) -> None:
    assert main(wrong) == 2
    check("the sentence", told(capfdbinary))


async def test_on_the_screen_none_is_shown_kept_or_left_by_a_crash(
    home: Path, capfdbinary: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    log: list[str] = []
    with echoing(log) as host:
        before = ["call", "echo", ARGUMENTS, *words(host)]
        assert await asyncio.to_thread(main, before) == 0
        log.clear()
        options = parse([*words(host), "--record", str(home / "tape.jsonl")], os.environ)
        app = OlvApp(launch(options))
        async with running(app, (100, 30)) as pilot:
            await until(pilot, "echo")
            check("the list", screen_text(app))
            for keys in (["f2"], ["f2"], ["f9"], ["f9"]):
                await pilot.press(*keys)
                check(f"the screen after {keys}", screen_text(app))
            await pilot.press("ctrl+o", "h", "r")
            await until(pilot, lambda: any('"tools/call"' in request for request in log))
            sent = next(request for request in log if '"tools/call"' in request)
            for where in ("the environment", "a header"):
                assert json.dumps(SECRETS[where]) in sent, f"{where} is sent again as it is"
            await until(pilot, lambda: not app.main.calls.running)
            check("the resent call", screen_text(app))
            await pilot.press("ctrl+o", "t", "enter")
            assert "result" in await send(pilot)
            await pilot.press("ctrl+o", "a")
            for key in ("p", "b", "b", "2", "4", "5", "6", "1", "G", "y"):
                await pilot.press(key)
                await pilot.pause()
                check(f"the answer after {key}", screen_text(app))
                check("the clipboard", app.clipboard)
            await _take_along(pilot)
            await pilot.press("f8")
            await until(pilot, lambda: any(home.glob("*.svg")))
            error_console = io.StringIO()
            app.error_console.file = error_console
            try:
                _crash(app)
            except RuntimeError as error:
                app._handle_exception(error)
            app._print_error_renderables()
            check("the crash", error_console.getvalue())
            assert "it broke over" in error_console.getvalue()
            assert "_crash" in error_console.getvalue()
            # Only this test knows that it was not real.
            app._exception = None
    check("what was printed", told(capfdbinary))
    check_files(home)


async def _take_along(pilot: OlvPilot) -> None:
    """Copy, save and export the answer in every form that is offered; files go to the current folder."""
    app = pilot.app
    for form in ("raw", "record", "curl"):
        app._clipboard = ""
        await pilot.press("Y")
        check("the list of forms", screen_text(app))
        await pilot.press(*form, "enter")
        await until(pilot, lambda: bool(app.clipboard))
        check(f"the copy as {form}", app.clipboard)
    await pilot.press("s", *"body as it came", "enter")
    check("the name for a file", await until(pilot, "Enter writes"))
    await pilot.press("enter")
    await until(pilot, lambda: len(app.screen_stack) == 1)
    for number in (1, 2, 7):  # a report, a command, a record: the others are told by the run without a screen
        await pilot.press(*("e" if number == 1 else ()), str(number))
        check(f"export {number}", await until(pilot, f"{EXPORTS[number - 1].name} ·"))
    await pilot.press("s", "enter")
    await until(pilot, lambda: len(app.screen_stack) == 1)
    app._clipboard = ""
    await pilot.press("e", "y")
    await until(pilot, lambda: bool(app.clipboard))
    check("the report", app.clipboard)


def _crash(app: OlvApp) -> None:
    """Raise with secrets in the message, in locals, and in the error before it."""
    every = list(SECRETS.values())
    target = app.main.launch.target
    try:
        raise KeyError(*every)
    except KeyError as error:
        raise RuntimeError(f"it broke over {every} {target}") from error
