"""Recorded exchanges, and the verdict that each of them implies.

Nothing of it is computed with our own code, so that our code can be held against it: bodies are read with `json`,
event streams with a regular expression.
"""

from __future__ import annotations

import base64
import gzip
import json
import re
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from olv_tui.model import Era, Header, Verdict, header

MODERN = "2026-07-28"
INPUT_METHODS = {"tools/call", "prompts/get", "resources/read"}
BROKEN = ("truncated", "reset", "timeout")
"""Ends of a recording that are kinds of transport errors as well."""
EVENTS = re.compile(rb"(?:[^\r\n]+(?:\r\n|\n|\r))+(?:\r\n|\n|\r)")


def bytes_of(body: dict[str, str] | None) -> bytes:
    if body is None:
        return b""
    return body["text"].encode() if "text" in body else base64.b64decode(body["base64"])


@dataclass(frozen=True, eq=False)
class Recorded:
    """One recorded exchange."""

    path: Path
    file: dict[str, Any]

    @property
    def name(self) -> str:
        return f"{self.path.parent.name}/{self.path.stem}"

    @cached_property
    def sent(self) -> bytes:
        return bytes_of(self.file["request"]["body"])

    @cached_property
    def asked(self) -> Any:
        """The request body as plain json, None where it is none."""
        try:
            return json.loads(self.sent)
        except ValueError:
            return None

    @property
    def sent_headers(self) -> tuple[Header, ...]:
        return tuple((name, value) for name, value in self.file["request"]["headers"])

    @property
    def headers(self) -> tuple[Header, ...]:
        return tuple((name, value) for name, value in self.file["response"]["headers"])

    @cached_property
    def wire(self) -> bytes:
        """The bytes of the response body as they travelled."""
        return bytes_of(self.file["response"]["body"])

    @cached_property
    def body(self) -> bytes:
        """The same, unzipped where they were zipped."""
        return gzip.decompress(self.wire) if header(self.headers, "content-encoding") == "gzip" else self.wire

    @property
    def media(self) -> str:
        return (header(self.headers, "content-type") or "").split(";")[0].strip().lower()

    @cached_property
    def messages(self) -> list[Any]:
        """Every JSON value that came: the body, or the data of each finished event."""
        if self.media != "text/event-stream":
            return [value for value in [loaded(self.body)] if value is not NOTHING]
        found = []
        for event in EVENTS.findall(self.body):
            lines = re.split(rb"\r\n|\n|\r", event)
            data = b"\n".join(line[5:].removeprefix(b" ") for line in lines if line.startswith(b"data:"))
            found.append(loaded(data))
        return [value for value in found if value is not NOTHING]

    @property
    def messages_of_batch(self) -> list[Any]:
        """The same, with arrays taken apart."""
        return [item for message in self.messages for item in (message if isinstance(message, list) else [message])]

    @property
    def era(self) -> tuple[Era, str | None]:
        """Era and version as the request shows them."""
        message = self.asked if isinstance(self.asked, dict) else {}
        params = message.get("params")
        meta = params.get("_meta") if isinstance(params, dict) else None
        named = meta.get("io.modelcontextprotocol/protocolVersion") if isinstance(meta, dict) else None
        version = header(self.sent_headers, "mcp-protocol-version") or named
        if version == MODERN or named is not None:
            return Era.MODERN, version
        if message.get("method") == "initialize":
            return Era.LEGACY, None
        return (Era.LEGACY, version) if version is not None else (Era.BARE, None)


NOTHING = object()


def loaded(data: bytes) -> Any:
    try:
        return json.loads(data)
    except ValueError:
        return NOTHING


@cache
def recordings(folder: Path) -> list[Recorded]:
    paths = sorted(folder.glob("[0-9]*.json"))
    return [Recorded(path, json.loads(path.read_text("utf-8"))) for path in paths]


# --------------------------------------------------------------------------- what the recording implies


def same(one: Any, other: Any) -> bool:
    """The same id: `1` is not `"1"` and `true` is not 1."""
    return type(one) is type(other) and bool(one == other)


def is_response(message: Any) -> bool:
    return isinstance(message, dict) and "method" not in message and ("result" in message or "error" in message)


def is_error_without_id(message: Any) -> bool:
    return is_response(message) and "error" in message and message.get("id") is None


def kind_of(message: Any) -> str:
    """request, notification, response, batch or raw."""
    if isinstance(message, list):
        return "batch" if message else "raw"
    if not isinstance(message, dict):
        return "raw"
    if isinstance(message.get("method"), str):
        return "request" if "id" in message else "notification"
    return "response" if is_response(message) else "raw"


def answer_of(one: Recorded) -> Any:
    """The first message that answers what was sent, None where there is none."""
    for message in one.messages:
        match kind_of(one.asked):
            case "request":
                mine = is_response(message) and same(message.get("id", NOTHING), one.asked["id"])
            case "raw":
                mine = is_response(message)
            case _:
                mine = False
        if mine or is_error_without_id(message):
            return message
    return None


def implied(one: Recorded) -> Verdict:
    """The verdict that the recording implies."""
    response = one.file["response"]
    if response is None or response["end"] in BROKEN:
        return Verdict.TRANSPORT_ERROR
    answer = answer_of(one)
    if response["end"] == "client-closed" and answer is None:
        return Verdict.CANCELLED
    success = 200 <= response["status"] < 300
    kind = kind_of(one.asked)
    if kind == "batch":
        return of_batch(one, success)
    if kind in ("notification", "response") and success:
        return Verdict.ACCEPTED
    if answer is None or ("result" in answer and not success):
        return Verdict.INVALID_RESPONSE if success else Verdict.HTTP_ERROR
    return Verdict.RPC_ERROR if "error" in answer else of_result(one, answer["result"])


def of_result(one: Recorded, result: Any) -> Verdict:
    method = one.asked.get("method") if isinstance(one.asked, dict) else None
    if not isinstance(result, dict):
        return Verdict.RESULT
    kind = result.get("resultType")
    if kind == "input_required" and method in INPUT_METHODS:
        return Verdict.INPUT_REQUIRED
    if one.era[0] is Era.MODERN and "resultType" in result and kind not in ("complete", "input_required"):
        return Verdict.INVALID_RESPONSE
    return Verdict.TOOL_ERROR if method == "tools/call" and result.get("isError") is True else Verdict.RESULT


def of_batch(one: Recorded, success: bool) -> Verdict:
    """One response for each request, in any order, and an error with the id null for each item that is none."""
    ids = [item["id"] for item in one.asked if kind_of(item) == "request"]
    malformed = [item for item in one.asked if kind_of(item) == "raw"]
    responses = [item for item in one.messages_of_batch if is_response(item)]
    if len(one.messages) == 1 and is_error_without_id(one.messages[0]):
        return Verdict.RPC_ERROR
    if not success:
        return Verdict.HTTP_ERROR
    matched = [item for item in responses if any(same(item.get("id"), asked) for asked in ids)]
    unread = [item for item in responses if is_error_without_id(item)]
    if (len(matched), len(unread)) != (len(ids), len(malformed)) or len(responses) != len(matched) + len(unread):
        return Verdict.INVALID_RESPONSE
    if not ids:
        return Verdict.ACCEPTED
    return Verdict.RPC_ERROR if all("error" in item for item in responses) else Verdict.RESULT
