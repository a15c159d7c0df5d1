"""What of an exchange can be saved, under which name, and that it is exactly the bytes."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from olv_tui.model import Frame
from olv_tui.outside.files import safe_name
from olv_tui.view.savable import Part, end_of, parts
from tests.view.exchanges import exchange


def found(result: dict[str, Any]) -> dict[str, Part]:
    body = json.dumps({"jsonrpc": "2.0", "id": 5, "result": result})
    return {part.label: part for part in parts(exchange(body=body))}


def test_each_block_is_its_bytes_under_a_name_by_its_type() -> None:
    blocks = [
        {"type": "text", "text": "häß"},
        {"type": "image", "mimeType": "image/png", "data": base64.b64encode(b"\x89PNG").decode()},
        {"type": "resource", "resource": {"uri": "file:///a/../../b%2Fc.csv", "text": "1,2"}},
        {"type": "resource", "resource": {"uri": "x:y", "blob": "AAE=", "mimeType": "audio/wav"}},
        {"type": "resource_link", "uri": "https://example.com"},
        "no block",
    ]
    made = found({"content": blocks})
    assert made["Content 1, text"].data() == "häß".encode()
    assert made["Content 1, text"].end == ".txt"
    assert made["Content 2, image, decoded"].data() == b"\x89PNG"
    assert made["Content 2, image, decoded"].end == ".png"
    resource = made["Content 3, resource"]
    assert safe_name(resource.stem, resource.end) == "b-c.csv"
    assert made["Content 4, resource, decoded"].data() == b"\x00\x01"
    assert made["Content 4, resource, decoded"].end == ".wav"
    assert not any(label.startswith(("Content 5", "Content 6")) for label in made)


def test_base64_that_is_none_is_a_sentence() -> None:
    made = found({"content": [{"type": "image", "data": "no base64!"}]})
    with pytest.raises(ValueError, match="base64 cannot be decoded"):
        made["Content 1, image, decoded"].data()


def test_the_body_is_saved_as_it_came_and_indented() -> None:
    made = found({"structuredContent": {"n": 1}})
    body = made["The body as it came"].data()
    assert json.loads(made["The body, indented"].data()) == json.loads(body)
    assert made["structuredContent, indented"].data() == b'{\n  "n": 1\n}\n'
    assert json.loads(made["The record: request, answer, verdict, findings"].data())["id"] == 5
    assert made["The request body"].data()


@pytest.mark.parametrize(
    ("mime", "end"),
    [("application/json", ".json"), ("application/problem+json", ".json"), ("text/html", ".html"), ("nonsense", "")],
)
def test_the_end_of_a_name_follows_the_type(mime: str, end: str) -> None:
    assert end_of(mime) == end


def test_a_stream_is_saved_a_line_for_each_frame() -> None:
    frames = (Frame(b"data: {}\n\n", data="{}", at_ms=1.5), Frame(b": x\n\n", event="\u2028 ä"))
    made = {part.label: part for part in parts(exchange(body="data: {}\n\n: x\n\n", frames=frames))}
    lines = made["The stream: 2 frames, JSON Lines"].data().split(b"\n")
    assert json.loads(lines[0]) == {"at_ms": 1.5, "event": None, "id": None, "retry": None, "data": "{}"}
    assert json.loads(lines[1])["event"] == "\u2028 ä"
    assert lines[2:] == [b""]
    assert not any("frame" in part.label for part in parts(exchange(body="{}")))
