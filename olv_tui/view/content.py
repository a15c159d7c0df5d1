"""Content blocks of tool results (MCP: text, image, audio, resource_link, resource), each as a reader wants it.

Rules of this file:

* Nothing is fetched, opened or drawn here. A link is text, an image is its type, size and dimensions, and the key
  that shows it (view/picture.py).
* A kind that is not known, or a block that is no object, is shown as the JSON it is.
"""

from __future__ import annotations

import base64
import binascii

from olv_tui import jsontext
from olv_tui.model import Number, Object, Value
from olv_tui.view.page import Page
from olv_tui.view.words import size

_LOOKS_LIKE_JSON = ("{", "[")
_HEAD = 65_536
_READ = 1_000_000  # characters of a text that are read as JSON where only its beginning is shown
_LINK_FIELDS = ("uri", "name", "title", "description", "mimeType", "size")
_MIME_TYPES = {"text/markdown": "Markdown, shown as text", "text/html": "HTML, shown as text"}


def add_content(page: Page, result: Object) -> None:
    """The `content` of a result: every block with a heading of its own."""
    if "content" not in result:
        page.heading("content")
        page.say("not in the result", "muted")
        return
    content = result["content"]
    page.here = ("result", "content")
    _add_blocks(page, content)
    page.here = None


def _add_blocks(page: Page, content: Value) -> None:
    if not isinstance(content, list):
        page.heading("content", "not a list")
        page.json(content)
        return
    if not content:
        page.heading("content")
        page.say("content: empty list", "muted")
    for number, block in enumerate(content):
        page.here = ("result", "content", number)
        _add_block(page, block, f"content {number + 1} of {len(content)}" if len(content) > 1 else "content")


def _add_block(page: Page, block: Value, title: str) -> None:
    kind = block.get("type") if isinstance(block, Object) else None
    if not isinstance(block, Object) or not isinstance(kind, str):
        page.heading(title, "no type")
        page.json(block)
        return
    shown = {"type"}
    match kind:
        case "text" if jsontext.has_text(block, "text"):
            page.heading(title, kind)
            _add_text_of(page, block, "text")
            shown.add("text")
        case "image" | "audio" if isinstance(block.get("data"), str):
            page.heading(title, kind)
            _add_blob(page, block.get("mimeType"), str(block["data"]))
            shown |= {"data", "mimeType"}
        case "resource_link":
            page.heading(title, "resource link, not opened")
            shown |= _add_fields(page, block, _LINK_FIELDS)
        case "resource" if isinstance(block.get("resource"), Object):
            page.heading(title, "embedded resource")
            around = page.here
            page.here = None if around is None else (*around, "resource")
            _add_resource(page, block["resource"])
            page.here = around
            shown.add("resource")
        case _:
            page.heading(title, f"{kind}: shown as it is")
            page.json(block)
            return
    _add_rest(page, block, shown)


def _add_text_of(page: Page, holder: Object, name: str) -> None:
    """A text member of what the page shows."""
    around = page.here
    page.here = None if around is None else (*around, name)
    large = jsontext.text_of(holder, name, page.limit) if page.limit is None or page.is_head else None
    if large is None:
        add_text(page, str(holder[name]))
    else:
        _add_large_text(page, large)
    page.here = around


def _add_large_text(page: Page, text: bytes) -> None:
    """The same for a text that was not read: in UTF-8, or its beginning."""
    pretty = jsontext.pretty(text) if text[:_HEAD].lstrip()[:1] in (b"{", b"[") and not page.is_head else None
    if pretty is None:
        page.large_text(text)
    else:
        page.say("text, JSON inside:", "muted")
        page.json_text(pretty, inner=True)


def add_text(page: Page, text: str) -> None:
    """A text with its line breaks; where it is JSON, indented JSON."""
    if not text:
        page.say("(empty text)", "muted")
        return
    if text[:_HEAD].lstrip()[:1] in _LOOKS_LIKE_JSON and (page.limit is None or len(text) <= _READ):
        pretty = jsontext.pretty(text.encode("utf-8", "surrogatepass"))
        if pretty is not None:
            page.say("text, JSON inside:", "muted")
            page.json_text(pretty, inner=True)
            return
    page.text(text)


def _add_resource(page: Page, resource: Value) -> None:
    if not isinstance(resource, Object):
        page.json(resource)
        return
    shown = _add_fields(page, resource, ("uri", "mimeType"))
    blob = resource.get("blob")
    if jsontext.has_text(resource, "text"):
        _add_text_of(page, resource, "text")
        shown.add("text")
    if isinstance(blob, str):
        _add_blob(page, None, blob)
        shown.add("blob")
    _add_rest(page, resource, shown)


def _add_fields(page: Page, block: Object, names: tuple[str, ...]) -> set[str]:
    shown: set[str] = set()
    for name in names:
        if name not in block:
            continue
        value = block[name]
        if name == "size" and isinstance(value, Number) and value.is_integer and 0 < len(value.text) < 18:
            page.field(name, f"{value.text} bytes ({size(int(value.text))})" if int(value.text) > 999 else value.text)
        else:
            page.value(name, value)
        shown.add(name)
    return shown


def _add_rest(page: Page, block: Object, shown: set[str]) -> None:
    """Annotations, _meta and whatever else a block has."""
    for name in block:  # not by items: of a large answer that would read what is shown already
        if name not in shown:
            page.value(name, block[name])


def _add_blob(page: Page, mime_type: Value, data: str) -> None:
    """Bytes in base64: type, size and, for a picture whose head says so, its dimensions."""
    if isinstance(mime_type, str):
        page.field("type", f"{mime_type}  {_MIME_TYPES[mime_type]}" if mime_type in _MIME_TYPES else mime_type)
    elif mime_type is not None:
        page.value("type", mime_type)
    if data[:5].lower() == "data:":
        page.say("A data URI stands here where plain base64 is due.", "warning")
        data = data.partition(",")[2]
    try:
        head = base64.b64decode(data[:_HEAD], validate=True) if data else b""
    except (binascii.Error, ValueError) as error:
        page.field("base64", f"cannot be decoded: {error}", "error")
        page.field("starts with", data[:60])
        return
    count = len(data) * 3 // 4 - data[-2:].count("=")
    page.field("size", f"{size(count)}" + (f" ({count:,} bytes)" if count > 999 else ""))
    found = dimensions(head)
    if found:
        page.field("dimensions", f"{found[0]} x {found[1]} pixels")
        if page.limit is None:  # a printout has no keys
            page.say("v shows it", "muted")


def dimensions(head: bytes) -> tuple[int, int] | None:
    """Width and height of a PNG, GIF, WebP or JPEG by its first bytes, None where they do not tell."""
    if head[:8] == b"\x89PNG\r\n\x1a\n" and len(head) >= 24:
        return int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big")
    if head[:6] in {b"GIF87a", b"GIF89a"} and len(head) >= 10:
        return int.from_bytes(head[6:8], "little"), int.from_bytes(head[8:10], "little")
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return _webp(head[12:])
    at = 2 if head[:2] == b"\xff\xd8" else len(head)
    while at + 9 <= len(head) and head[at] == 0xFF:
        marker = head[at + 1]
        if 0xC0 <= marker <= 0xCF and marker not in {0xC4, 0xC8, 0xCC}:  # a start of frame
            return int.from_bytes(head[at + 7 : at + 9], "big"), int.from_bytes(head[at + 5 : at + 7], "big")
        at += 2 + int.from_bytes(head[at + 2 : at + 4], "big")
    return None


def _webp(chunk: bytes) -> tuple[int, int] | None:
    """Width and height by the first chunk of a WebP (RFC 9649): extended, lossless or lossy."""
    if len(chunk) < 18:
        return None
    match chunk[:4]:
        case b"VP8X":
            return int.from_bytes(chunk[12:15], "little") + 1, int.from_bytes(chunk[15:18], "little") + 1
        case b"VP8L" if chunk[8] == 0x2F:
            bits = int.from_bytes(chunk[9:13], "little")
            return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        case b"VP8 " if chunk[11:14] == b"\x9d\x01\x2a":
            return int.from_bytes(chunk[14:16], "little") & 0x3FFF, int.from_bytes(chunk[16:18], "little") & 0x3FFF
        case _:
            return None
