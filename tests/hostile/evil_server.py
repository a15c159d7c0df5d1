"""An MCP server that puts hostile text into every place that a server can fill.

Each place begins with a plain word by which it can be found on a screen. One tool for each kind of answer: the n-th
tool is answered by the n-th of `KINDS`.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any

from olv_tui.model import Era, Target
from tests import local_http
from tests.hostile.payloads import Payloads

KINDS = ("contents", "failure", "refusal", "status", "stream", "garbage", "question", "broken")

_META = "io.modelcontextprotocol/serverInfo"


@dataclass
class EvilServer:
    """Where it listens. `waiting` is set by the answer to what it asks in the middle of a call (2025-11-25)."""

    payloads: Payloads
    target: Target
    modern: bool
    answered: threading.Event = field(default_factory=threading.Event)

    def text(self, word: str) -> str:
        """A hostile text that begins with a word."""
        return self.payloads.text(word)

    # ----------------------------------------------------------------------- what it says of itself

    def info(self) -> dict[str, Any]:
        """serverInfo."""
        return {
            "name": self.text("Wname"),
            "title": self.text("Wtitle"),
            "version": self.text("Wversion"),
            "websiteUrl": self.text("https://w"),
            "icons": self.icons(),
        }

    def icons(self) -> list[Any]:
        """Icons, whose parts are texts as well."""
        return [{"src": self.text("https://i"), "mimeType": self.text("Wmime"), "sizes": [self.text("Wsize")]}]

    def tools(self) -> list[Any]:
        """A tool for each kind of answer, hostile in all of its texts."""
        return [self._tool(number, kind) for number, kind in enumerate(KINDS)]

    def _tool(self, number: int, kind: str) -> dict[str, Any]:
        schema = {
            "type": "object",
            "title": self.text("Wschematitle"),
            "description": self.text("Wschema"),
            "properties": {
                self.text("Wproperty"): {
                    "type": "string",
                    "title": self.text("Wlabel"),
                    "description": self.text("Wabout"),
                    "default": self.text("Wdefault"),
                    "examples": [self.text("Wexample")],
                    "format": self.text("Wfmt"),
                    "enum": [self.text("Wenum"), self.text("Wenum2")],
                    "pattern": self.text("Wpattern"),
                },
                self.text("Wnumber"): {"type": self.text("Wtype"), "const": self.text("Wconst")},
            },
            "required": [self.text("Wrequired")],
            self.text("Wkeyword"): self.text("Wvalue"),
        }
        return {
            "name": self.text(f"W{number}{kind}"),
            "title": self.text(f"Wtooltitle{number}"),
            "description": self.text(f"Wdescription{number}"),
            "inputSchema": schema,
            "icons": self.icons(),
            "outputSchema": {
                "type": "object",
                "required": [self.text("Wmissing")],
                "properties": {self.text("Wout"): {"const": self.text("Wconst")}},
            },
            "annotations": {"title": self.text("Wannotation"), "readOnlyHint": True, self.text("Wx"): self.text("Wy")},
            "_meta": {self.text("Wmeta"): self.text("Wmeta")},
        }

    # ----------------------------------------------------------------------- what it answers

    def contents(self) -> dict[str, Any]:
        """A content block of each kind, and structuredContent that conforms to nothing."""
        text, notes = self.text, {"audience": [self.text("Waudience")], "priority": self.text("Wpriority")}
        blocks: list[Any] = [
            {"type": "text", "text": text("Wtext"), "annotations": notes, "_meta": {text("Wm"): text("Wm")}},
            {"type": "text", "text": json.dumps({text("Winner"): text("Winnervalue")})},
            {"type": "image", "data": text("Wdata"), "mimeType": text("Wimage")},
            {"type": "audio", "data": "aGk=", "mimeType": text("Waudio")},
            {
                "type": "resource_link",
                "uri": text("file:///Wlink"),
                "name": text("Wlinkname"),
                "title": text("Wlinktitle"),
                "description": text("Wlinkabout"),
                "mimeType": text("Wlinkmime"),
                "size": text("Wlinksize"),
                "icons": self.icons(),
            },
            {"type": "resource", "resource": {"uri": text("Wres"), "text": text("Wrestext"), "mimeType": text("Wr")}},
            {"type": "resource", "resource": {"uri": text("Wblob"), "blob": "aGk=", "mimeType": text("Wb")}},
            {"type": text("Wunknown"), text("Wkey"): text("Wvalue")},
            text("Wnoblock"),
        ]
        return {
            "content": blocks,
            "structuredContent": self.structured(),
            "_meta": {text("Wm"): [text("Wm")]},
            text("Wmember"): text("Wmember"),
        }

    def structured(self) -> dict[str, Any]:
        """Hostile keys and values, one inside the other."""
        return {self.text("Wkey"): self.text("Wvalue"), self.text("Wdeep"): {self.text("Win"): [self.text("Witem")]}}

    def failure(self) -> dict[str, Any]:
        """A tool error with a hostile error, site and details."""
        told = {"error": self.text("Werror"), "site": self.text("Wsite"), **self.structured()}
        return {"isError": True, "content": [{"type": "text", "text": self.text("Wtext")}], "structuredContent": told}

    def error(self) -> dict[str, Any]:
        """A JSON-RPC error."""
        return {"code": -32602, "message": self.text("Wmessage"), "data": self.structured(), self.text("Wm"): 1}

    def questions(self) -> dict[str, Any]:
        """What an elicitation asks."""
        text = self.text
        fields = {
            text("Wfield"): {
                "type": "string",
                "title": text("Wfieldtitle"),
                "description": text("Wfieldabout"),
                "default": text("Wfielddefault"),
                "format": text("Wformat"),
                "maxLength": text("Wx"),
            },
            text("Wchoice"): {
                "type": "string",
                "enum": [text("Wone"), text("Wtwo")],
                "enumNames": [text("Wa"), text("Wb")],
                "default": text("Wone"),
            },
            text("Wmany"): {"type": "array", "items": {"anyOf": [{"const": text("Wc"), "title": text("Wct")}]}},
            text("Wflag"): {"type": "boolean", "title": text("Wflagtitle")},
        }
        return {
            "mode": "form",
            "message": text("Wquestion"),
            "requestedSchema": {"type": "object", "properties": fields, "required": [text("Wq")]},
        }

    def notices(self, token: object) -> list[dict[str, Any]]:
        """Progress, logs, and notifications of no known kind."""
        text = self.text
        progress = {"progressToken": token, "progress": 1, "total": 2, "message": text("Wprogress")}
        log = {"level": text("Wlevel"), "logger": text("Wlogger"), "data": {text("Wlog"): text("Wlog")}}
        return [
            {"method": "notifications/progress", "params": progress},
            {"method": "notifications/message", "params": log},
            {"method": text("notifications/W"), "params": {text("Wp"): text("Wp")}},
            {"method": "notifications/tools/list_changed", "params": {text("Wp"): text("Wp")}},
        ]

    def garbage(self) -> bytes:
        """A body that is no JSON."""
        return b"Wgarbage " + "".join(self.payloads.some() for _ in range(9)).encode("utf-8", "surrogatepass") + b"\x9b"


@contextmanager
def evil_server(seed: int, *, modern: bool = False) -> Iterator[EvilServer]:
    """Run the server in this process, with the texts of one seed."""

    class Handler(local_http.Quiet, BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._send(405, b"")

        def do_DELETE(self) -> None:
            self._send(200, b"")

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
            match asked.get("method"):
                case None:
                    evil.answered.set()
                    self._send(202, b"")
                case "initialize" if not modern:
                    capabilities = {"tools": {evil.text("Wc"): evil.text("Wc")}, evil.text("Wc"): {}}
                    self._result(
                        asked,
                        {
                            "protocolVersion": "2025-11-25",
                            "capabilities": capabilities,
                            "serverInfo": evil.info(),
                            "instructions": evil.text("Winstructions"),
                        },
                    )
                case "server/discover" if modern:
                    self._result(
                        asked,
                        {
                            "supportedVersions": ["2026-07-28", evil.text("Wv")],
                            "capabilities": {"tools": {}},
                            "serverInfo": evil.info(),
                            "instructions": evil.text("Winstructions"),
                        },
                    )
                case "tools/list":
                    cursor = {} if "cursor" in asked.get("params", {}) else {"nextCursor": evil.text("Wcursor")}
                    self._result(asked, {"tools": [] if not cursor else evil.tools(), **cursor})
                case "tools/call":
                    self._call(asked)
                case method if method.startswith("notifications/"):
                    self._send(202, b"")
                case _:
                    self._error(asked, {"code": -32601, "message": evil.text("Wnomethod")}, 404 if modern else 200)

        def _call(self, asked: dict[str, Any]) -> None:
            name = asked["params"]["name"]
            number = int(name[1]) if name[:1] == "W" and name[1:2].isdigit() else 0
            answers: tuple[Callable[[dict[str, Any]], None], ...] = (
                lambda asked: self._result(asked, evil.contents()),
                lambda asked: self._result(asked, evil.failure()),
                lambda asked: self._error(asked, evil.error()),
                lambda asked: self._send(418, f"<p>{evil.text('Whtml')}".encode("utf-8", "replace"), b"text/html"),
                self._stream,
                lambda asked: self._send(200, evil.garbage()),
                self._ask,
                self._broken,
            )
            answers[number](asked)

        def _stream(self, asked: dict[str, Any]) -> None:
            """Hostile fields of events, notices, and then a result."""
            self._begin()
            fields = [
                f"{kind}: {evil.payloads.text(word, halves=False)}"
                for kind, word in (
                    ("", "Wcomment"),
                    ("event", "Wevent"),
                    ("id", "Wid"),
                    ("retry", "Wretry"),
                    ("Wnofield", "W"),
                )
            ]
            self._chunk("\n".join(fields) + "\n\n")
            self._chunk(f"event: {evil.payloads.text('Wevent', halves=False)}\ndata: Wbroken\n\n")
            for message in evil.notices(asked["params"].get("_meta", {}).get("progressToken")):
                self._event(message)
            self._event(
                {"id": asked["id"], "result": self._made({"content": [{"type": "text", "text": evil.text("Wend")}]})}
            )
            self.wfile.write(b"0\r\n\r\n")

        def _ask(self, asked: dict[str, Any]) -> None:
            if modern:
                requests = {evil.text("Wrequest"): {"method": "elicitation/create", "params": evil.questions()}}
                made = {"resultType": "input_required", "inputRequests": requests, "requestState": evil.text("Wstate")}
                self._result(asked, made)
                return
            self._begin()
            self._event({"id": evil.text("q"), "method": "elicitation/create", "params": evil.questions()})
            evil.answered.wait(20)
            self._event({"id": asked["id"], "result": {"content": [{"type": "text", "text": evil.text("Wthanks")}]}})
            self.wfile.write(b"0\r\n\r\n")

        def _broken(self, asked: dict[str, Any]) -> None:
            """An answer to another request, which ends too early."""
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", "100000")
            self.end_headers()
            body = json.dumps(
                {"jsonrpc": evil.text("W2.0"), "id": evil.text("Wotherid"), "result": evil.text("Wresult")}
            )
            self.wfile.write(body.encode())
            self.close_connection = True

        # ------------------------------------------------------------------- writing

        def _made(self, result: dict[str, Any]) -> dict[str, Any]:
            return {"resultType": "complete", **result} if modern else result

        def _result(self, asked: dict[str, Any], result: dict[str, Any]) -> None:
            message = {"jsonrpc": "2.0", "id": asked["id"], "result": self._made(result)}
            self._send(
                200, json.dumps(message, ensure_ascii=number_of(asked) % 2 == 0).encode("utf-8", "backslashreplace")
            )

        def _error(self, asked: dict[str, Any], error: dict[str, Any], status: int = 200) -> None:
            self._send(status, json.dumps({"jsonrpc": "2.0", "id": asked["id"], "error": error}).encode())

        def _send(self, status: int, body: bytes, media: bytes = b"application/json") -> None:
            made = evil.payloads
            head = [
                b"HTTP/1.1 %d " % status + made.latin("Wreason"),
                b"content-type: " + media,
                b"content-length: %d" % len(body),
                b"x-hostile: " + made.latin("Wheader"),
                b"server: " + made.latin("Wserver"),
                b"set-cookie: a=" + made.latin("Wcookie"),
                b"www-authenticate: " + made.latin("Wauth"),
                b"retry-after: " + made.latin("Wafter"),
            ]
            if not modern:
                head.append(b"mcp-session-id: [/][@click=app.quit]")
            self.wfile.write(b"\r\n".join(head) + b"\r\n\r\n" + body)

        def _begin(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.send_header("transfer-encoding", "chunked")
            self.end_headers()

        def _event(self, message: dict[str, Any]) -> None:
            self._chunk("data: " + json.dumps({"jsonrpc": "2.0", **message}) + "\n\n")

        def _chunk(self, text: str) -> None:
            data = text.encode("utf-8", "replace")
            self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))
            self.wfile.flush()

    era = Era.MODERN if modern else Era.LEGACY
    with local_http.served(Handler) as host:
        evil = EvilServer(Payloads(seed), Target("evil", f"http://{host}/mcp", era=era), modern)
        try:
            yield evil
        finally:
            evil.answered.set()


def number_of(asked: dict[str, Any]) -> int:
    """A number out of the id of a request: every second answer is written with escapes."""
    identity = asked.get("id")
    return identity if isinstance(identity, int) else 0
