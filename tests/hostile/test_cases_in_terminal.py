"""The failure cases of text and of tool results, through the real program in one recorded terminal."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from urllib.request import Request, urlopen

from olv_tui.model import Verdict
from olv_tui.view.words import WORDS
from tests import local_http
from tests.app.terminal import Terminal, terminal
from tests.caselib import Case, CaseServer, case_server, cases, squeeze

# 303 is about runs without a terminal: below, and with the words of the command line.
SHOWN = [case for case in cases("render", "toolresult", "terminal") if case["id"][:3] != "303"]


@contextmanager
def all_cases(server: CaseServer) -> Iterator[str]:
    """A server with a tool for each case, which gives what the case server gives at its address; its own address."""
    known = {case["id"]: case for case in SHOWN}

    class Handler(local_http.Quiet, BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.0"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            asked = json.loads(body)
            if asked["method"] == "tools/list":
                tools = [{"name": name, "inputSchema": {"type": "object"}} for name in known]
                answer = json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": {"tools": tools}}).encode()
                media = "application/json"
            else:
                address = server.url(known[asked["params"]["name"]])
                with urlopen(Request(address, body, dict(self.headers))) as given:
                    answer, media = given.read(), given.headers["content-type"]
            self.send_response(200)
            self.send_header("content-type", media)
            self.send_header("content-length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

    with local_http.served(Handler) as host:
        yield f"http://{host}/rpc"


def test_each_case_shows_what_it_must_and_lets_nothing_through(tmp_path: Path) -> None:
    never: list[str] = []
    options = ("--no-history", "--era", "bare")
    with case_server() as server, all_cases(server) as url:  # noqa: SIM117  the address goes into the words
        with terminal([url, *options], tmp_path, (112, 32)) as run:
            run.until(lambda: "Tools " in run.screen.text and SHOWN[0]["id"] in run.screen.text)
            for case in SHOWN:
                run.write(b"\x0ft" if case is SHOWN[0] else b"\x0ftj")
                run.until(lambda: f"Editor · {case['id']}" in run.screen.text)  # noqa: B023
                run.write(b"\n")
                told = WORDS[Verdict(case["expect"]["verdict"])]
                ends = f"Answer · {case['id']} #"
                run.until(lambda: ends in run.screen.text and f" {told.symbol} {told.label}" in run.screen.text)  # noqa: B023
                run.write(b"\x0faz")
                run.until(lambda: "Editor ·" not in run.screen.text)
                never += [f"{case['id']}: {text}" for text in unseen(case, run)]
                run.write(b"z")
                run.until(lambda: "Editor ·" in run.screen.text)
            run.write(b"\x11")
            assert run.ends() == 0
            assert run.screen.faults == []
            assert [text for case in SHOWN for text in case["expect"]["must_not"] if text in run.screen.painted] == []
    assert never == []


def unseen(case: Case, run: Terminal) -> list[str]:
    """What must be found and stands in neither half of the answer, side by side and alone, when all is painted."""
    wanted = {squeeze(text) for text in case["expect"]["must_show"]}
    for label in ("decoded", "raw", "decoded"):
        if not wanted:
            break
        wanted -= {text for text in wanted if text in shown(run)}
        while wanted and run.is_busy():
            wanted -= {text for text in wanted if text in shown(run)}
        run.write(b"b")
        run.until(lambda: f"─{label}" in run.screen.text)  # noqa: B023
    return sorted(wanted)


def shown(run: Terminal) -> str:
    return squeeze(run.screen.text.replace("│", "").replace("▇", ""))


def test_a_terminal_that_cannot_paint_is_refused_in_one_sentence_and_left_as_it_was(tmp_path: Path) -> None:
    with terminal(["--demo"], tmp_path, TERM="dumb") as run:
        assert run.ends() == 2
        assert b"\x1b" not in run.output
        assert bytes(run.output).startswith(b"olv-tui: the explorer paints, and TERM=dumb")
