"""What of an exchange can be written to a file, each part with a safe name and exactly its bytes.

Rules of this file:

* Bytes are those of the answer: a text block is its text in UTF-8, a blob is decoded from base64, nothing is made
  safe or pretty but where the name of the part says so.
* A name that a server gave (a resource, a tool) goes through `outside.files.safe_name` by whoever writes.
"""

from __future__ import annotations

import base64
import binascii
import mimetypes
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.parse import unquote, urlsplit

from olv_tui import jsontext
from olv_tui.model import Exchange, Object, Value, WireResponse
from olv_tui.view.spilled import spill_of
from olv_tui.view.words import size

_ENDS = {
    "application/json": ".json",
    "text/event-stream": ".sse.txt",
    "text/plain": ".txt",
    "text/markdown": ".md",
    "image/jpeg": ".jpg",
    "image/webp": ".webp",
    "audio/wav": ".wav",
    "audio/mpeg": ".mp3",
    "application/octet-stream": ".bin",
}
"""File name ends by type: what `mimetypes` has differs between systems for these."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part that can be saved: its label, a name for the file and the end of it, and its bytes when asked for.

    `data` raises ValueError where the part cannot be decoded; it may take a while for a large one. `file` is the path
    of what is in a file already and too large for memory: it is copied, and `data` is not asked.
    """

    label: str
    stem: str
    end: str
    data: Callable[[], bytes]
    file: str = ""


def parts(exchange: Exchange) -> tuple[Part, ...]:
    """Everything of an exchange that can be saved, the likeliest first."""
    out = exchange.outgoing
    identity = exchange.id.text if exchange.id is not None else f"at{exchange.serial}"
    stem = f"{out.tool or out.method or 'request'}-{identity}"
    return tuple(_parts(exchange, stem))


def _parts(exchange: Exchange, stem: str) -> Iterator[Part]:
    response = exchange.reply.response if exchange.reply is not None else None
    message = exchange.judgement.message if exchange.judgement is not None else None
    result = message.get("result") if isinstance(message, Object) else None
    if isinstance(result, Object):
        yield from _contents(result, stem)
        if isinstance(result.get("structuredContent"), Object):
            written = partial(_pretty, result["structuredContent"])
            yield Part("structuredContent, indented", f"{stem}-structured", ".json", written)
    spill = spill_of(exchange)
    if spill is not None:
        told = (
            f"The whole body, {size(spill.size)}, from its file"
            if not spill.problem
            else "What is in the file of the body"
        )
        yield Part(told, stem, Path(spill.path).suffix, lambda: b"", spill.path)
    if response is not None:
        yield from _bodies(response, stem)
    yield Part("The request body", f"{stem}-request", ".json", lambda: exchange.request.body)
    yield Part("The record: request, answer, verdict, findings", f"{stem}-record", ".json", partial(_record, exchange))


def _contents(result: Object, stem: str) -> Iterator[Part]:
    """The content blocks that hold something a file can be made of."""
    content = result.get("content")
    for number, block in enumerate(content if isinstance(content, list) else (), 1):
        if not isinstance(block, Object):
            continue
        inner, name = block, f"{stem}-content-{number}"
        if block.get("type") == "resource" and isinstance(block.get("resource"), Object):
            inner = block["resource"]  # type: ignore[assignment]  # just checked
            name = _last_of(inner.get("uri")) or name
        mime, text = inner.get("mimeType"), inner.get("text")
        kind = block.get("type") if isinstance(block.get("type"), str) else "content"
        label = f"Content {number}, {kind}"
        if isinstance(text, str):
            yield Part(label, *_named(name, mime, ".txt"), partial(_encoded, text))
        for member in ("data", "blob"):
            blob = inner.get(member)
            if isinstance(blob, str):
                yield Part(f"{label}, decoded", *_named(name, mime, ".bin"), partial(decoded, blob))


def _bodies(response: WireResponse, stem: str) -> Iterator[Part]:
    end = end_of(response.media_type) or ".txt"
    name = "The body as it came" if response.spill is None else f"The first {size(len(response.body))} of the body"
    yield Part(name, stem, end, lambda: response.body)
    if response.body.lstrip()[:1] in (b"{", b"["):
        yield Part("The body, indented", f"{stem}-indented", ".json", partial(_indented, response.body))
    if response.frames:
        count = f"{len(response.frames):,} frame{'' if len(response.frames) == 1 else 's'}"
        yield Part(f"The stream: {count}, JSON Lines", f"{stem}-frames", ".jsonl", partial(_frames, response))
    wire = response.wire
    if wire is not None:
        yield Part("The body before its coding was undone", f"{stem}-wire", ".bin", lambda: wire)


def _named(stem: str, mime: Value, other: str) -> tuple[str, str]:
    """Stem and end of a file name: the end by the type, unless the name has one already."""
    if "." in stem[1:] and 1 < len(stem) - stem.rfind(".") < 7:
        return stem[: stem.rfind(".")], stem[stem.rfind(".") :]
    return stem, (end_of(mime) if isinstance(mime, str) else "") or other


def end_of(mime: str) -> str:
    """The end of a file name for a media type, "" where it is not known."""
    plain = mime.strip().lower()
    return _ENDS.get(plain) or mimetypes.guess_extension(plain) or (".json" if plain.endswith("+json") else "")


def _last_of(uri: Value) -> str:
    """The last step of an address, as the name of what it leads to."""
    if not isinstance(uri, str):
        return ""
    try:
        path = urlsplit(uri).path
    except ValueError:
        return ""
    return unquote(path.rstrip("/").rpartition("/")[2])


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def decoded(blob: str) -> bytes:
    """The bytes of a base64 text or of a data URI. Raises ValueError with the reason."""
    if blob[:5].lower() == "data:":
        blob = blob.partition(",")[2]
    try:
        return base64.b64decode(blob, validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError(f"its base64 cannot be decoded ({error})") from error


def _indented(body: bytes) -> bytes:
    made = jsontext.pretty(body)
    if made is None:
        raise ValueError("the body is no JSON")
    return made


def _frames(response: WireResponse) -> bytes:
    """A line for each frame, in the order they came; what a frame does not have is null."""
    import json

    lines = (
        {"at_ms": frame.at_ms, "event": frame.event, "id": frame.id, "retry": frame.retry, "data": frame.data}
        for frame in response.frames
    )
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def _pretty(value: Value) -> bytes:
    return _encoded(jsontext.dumps(value, indent=2) + "\n")


def _record(exchange: Exchange) -> bytes:
    from olv_tui.reports.record import record

    return _encoded(record(exchange) + "\n")
