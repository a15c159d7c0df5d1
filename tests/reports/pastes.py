"""What the pastes of the tests have in common, and the value of one."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

PLAIN = '{"jsonrpc":"2.0","id":42,"method":"tools/call","params":{"name":"olv_get_world","arguments":{"id":"lantern"}}}'
ANS = (
    '{"jsonrpc":"2.0","id":42,"result":{"content":[{"type":"text","text":"not linked"}],'
    '"structuredContent":{"error":"not_linked","site":"helpbless.com"},"isError":true}}'
)
ERR = '{"jsonrpc":"2.0","id":42,"error":{"code":-32602,"message":"Invalid params"}}'
PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
URL = "https://onelifevibe.com/mcp"
PRETTY = json.dumps(json.loads(PLAIN), indent=2)
CALL_IN_CMD = PLAIN.replace('"', '\\"')
CALL_IN_HTML = PLAIN.replace('"', "&quot;")


@dataclass(frozen=True)
class Paste:
    """A text, and what is to be read in it: bodies and answers are compared as JSON."""

    name: str
    text: str
    body: str = PLAIN
    url: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    expected: str = ""
    outcome: str = "imported"


class Pastes(list[Paste]):
    """A list of them with a short way to add one."""

    def __call__(self, name: str, text: str, body: str = PLAIN, **wanted: Any) -> None:
        self.append(Paste(name, text, body, **wanted))


def har(creator: str) -> str:
    """A HAR as browsers save it: the preflight, then the call."""
    return json.dumps(
        {
            "log": {
                "version": "1.2",
                "creator": {"name": creator, "version": "1"},
                "entries": [
                    {
                        "startedDateTime": "2025-11-03T12:00:00Z",
                        "request": {
                            "method": "OPTIONS",
                            "url": URL,
                            "httpVersion": "HTTP/2",
                            "headers": [],
                            "cookies": [],
                            "queryString": [],
                            "headersSize": -1,
                            "bodySize": 0,
                        },
                        "response": {
                            "status": 204,
                            "statusText": "",
                            "httpVersion": "HTTP/2",
                            "headers": [],
                            "cookies": [],
                            "content": {"size": 0, "mimeType": ""},
                            "redirectURL": "",
                            "headersSize": -1,
                            "bodySize": 0,
                        },
                        "cache": {},
                        "timings": {},
                    },
                    {
                        "startedDateTime": "2025-11-03T12:00:00Z",
                        "time": 12,
                        "request": {
                            "bodySize": 112,
                            "method": "POST",
                            "url": URL,
                            "httpVersion": "HTTP/2",
                            "headers": [
                                {"name": "Host", "value": "onelifevibe.com"},
                                {"name": "Content-Type", "value": "application/json"},
                                {"name": "Content-Length", "value": "112"},
                            ],
                            "cookies": [],
                            "queryString": [],
                            "headersSize": 443,
                            "postData": {"mimeType": "application/json", "params": [], "text": PLAIN},
                        },
                        "response": {
                            "status": 200,
                            "statusText": "OK",
                            "httpVersion": "HTTP/2",
                            "headers": [{"name": "content-type", "value": "application/json"}],
                            "cookies": [],
                            "content": {"mimeType": "application/json", "size": 200, "text": ANS},
                            "redirectURL": "",
                            "headersSize": 10,
                            "bodySize": 200,
                        },
                        "cache": {},
                        "timings": {"send": 0, "wait": 1, "receive": 0},
                    },
                ],
            }
        },
        indent=2,
    )
