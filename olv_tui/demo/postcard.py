"""olv_render_postcard: pictures, links, resources and sound, made with the standard library.

Rules of this file: what is drawn depends on the world and the size only.
"""

from __future__ import annotations

import base64
import math
import struct
import zlib

from .calls import Call
from .catalogue import catalogue
from .exact import JsonObject
from .tools import no_world

_SIZES = {"small": (24, 16), "large": (640, 400)}
_UNKNOWN_CONTENT = "w_orchard"
"""The world whose postcard is a content type that nobody knows."""


def render_postcard(call: Call, arguments: JsonObject) -> JsonObject:
    """Tool 6."""
    world_id, size = arguments["world_id"], arguments.get("size", "small")
    world = call.account.world(world_id)
    if world is None:
        return no_world(call.account, world_id)
    data = catalogue()["postcard"]
    if world_id == _UNKNOWN_CONTENT:
        return {"content": [data["unknown"]]}
    content: list[JsonObject] = []
    for kind in arguments.get("as", ["image", "link"]):
        if kind == "image":
            width, height = _SIZES[size]
            content.append({"type": "text", "text": f"Postcard of {world['name']}, {width}×{height}"})
            content.append({"type": "image", "data": _picture(world_id, size), "mimeType": "image/png"})
        elif kind == "link":
            name = f"{world_id}.svg"
            content.append({**data["link"], "uri": f"olv://postcards/{name}", "name": name})
        elif kind == "embedded":
            uri = f"olv://postcards/{world_id}.svg"
            resource = {"uri": uri, "mimeType": "image/svg+xml", "text": data["svg"]}
            content.append({"type": "resource", "resource": resource})
        else:
            content.append({"type": "audio", "data": _base64(_bell()), "mimeType": "audio/wav"})
    return {"content": content}


def _picture(world_id: str, size: str) -> str:
    if (world_id, size) == ("w_lantern", "small"):
        small: str = catalogue()["postcard"]["png"]
        return small
    return _base64(_png(*_SIZES[size], shade=sum(world_id.encode()) % 64))


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _png(width: int, height: int, shade: int) -> bytes:
    """A PNG of a lantern over water, 8-bit RGB, `shade` (0 to 63) the blue of its night."""
    cx, cy, radius = width / 2, height / 3, height / 6
    rows = bytearray()
    for y in range(height):
        night = bytes((17 + 40 * y // height, 34 + 60 * y // height, 70 + shade))
        rows.append(0)  # no filter on this line
        half = math.sqrt(max(0.0, radius**2 - (y - cy) ** 2))
        left, right = int(cx - half), int(cx + half)
        rows += night * left + bytes((255, 204, 102)) * (right - left) + night * (width - right)
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(bytes(rows), 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts
    )


def _bell() -> bytes:
    """A WAV of a bell, 8-bit mono at 8 kHz, a quarter of a second."""
    rate, count = 8000, 2000
    samples = bytes(
        128 + round(90 * math.exp(-4 * n / count) * math.sin(2 * math.pi * 660 * n / rate)) for n in range(count)
    )
    form = struct.pack("<IHHIIHH", 16, 1, 1, rate, rate, 1, 8)  # plain PCM, one channel of one byte
    head = struct.pack("<4sI8s", b"RIFF", 36 + count, b"WAVEfmt ") + form
    return head + struct.pack("<4sI", b"data", count) + samples
