"""A failure told by the tool: its word and its site, out of whichever form the server put them in.

Forms met: structuredContent; JSON in a text block; a bare word; a word behind the prefix of an SDK.

Rules of this file:

* Where it was read is always said. structuredContent comes before text, JSON before words.
* Words are the server's, shown as they came; unknown members are kept in their order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from olv_tui import jsontext
from olv_tui.mcp.rules import violation
from olv_tui.model import Object, ToolError, Value, Violation

STRUCTURED = "structuredContent"
PARSED = "parsed from text"
TEXT = "text"

# `Error executing tool X: not_linked`, `ToolError: not_linked`: the word behind the prefixes of SDKs. Only
# behind the word error: in `Unknown tool: x` the last word is no error.
_PREFIXED = re.compile(r"(?:[\w.]*[Ee]rror\b[^:]*:\s*)+([A-Za-z][A-Za-z0-9_.-]*)")
_READ = 1_000_000  # characters of a text block that are read as JSON


def blocks_of_text(result: Object, most: int | None = None) -> Iterator[str]:
    """The text of every text block of a result, in order; a large one of more than `most` characters is passed over."""
    content = result.get("content")
    for block in content if isinstance(content, list) else ():
        if isinstance(block, Object) and block.get("type") == "text":
            if most is not None and jsontext.size_of_text(block, "text") > most:
                continue
            text = block.get("text")
            if isinstance(text, str):
                yield text


def longest_text(result: Object) -> int:
    """How many characters a text block of a result has at least that is so large that it was not read yet, else 0."""
    content = result.get("content")
    blocks = [block for block in content if isinstance(block, Object)] if isinstance(content, list) else []
    return max((jsontext.size_of_text(block, "text") for block in blocks), default=0)


def read_tool_error(result: Object) -> tuple[ToolError, tuple[Violation, ...]]:
    """The error that a result with isError tells, and a T05 where two places tell different ones. Never raises."""
    structured = result.get("structuredContent")
    texts = [text for text in blocks_of_text(result) if text.strip()]
    parsed = next((value for value in map(_parsed, texts) if _has_error(value)), None)
    if isinstance(structured, Object) and _has_error(structured):
        failed = _from_members(structured, STRUCTURED)
        other = _from_members(parsed, PARSED) if isinstance(parsed, Object) else None
        if other is not None and (other.error, other.site) != (failed.error, failed.site):
            message = f"structuredContent says {_told(failed)}, the text says {_told(other)}; the former is taken"
            return failed, (violation("T05", message, "/result/content"),)
        return failed, ()
    if isinstance(parsed, Object):
        return _from_members(parsed, PARSED), ()
    details = structured if isinstance(structured, Object) else Object()
    return _from_text(texts, details), ()


def looks_like_error(result: Object) -> tuple[str, str] | None:
    """(pointer, word) of an error told inside a result that is no error, or None."""
    structured = result.get("structuredContent")
    if isinstance(structured, Object):
        return ("/result/structuredContent/error", _word(structured["error"])) if _has_error(structured) else None
    for text in blocks_of_text(result, _READ):
        value = _parsed(text)
        if isinstance(value, Object) and _has_error(value):
            return "/result/content", _word(value["error"])
    return None


def _parsed(text: str) -> Value:
    """The JSON value that a text is, None where it is none."""
    if text.lstrip()[:1] not in {"{", '"'} or len(text) > _READ:
        return None
    return jsontext.parse(text.encode("utf-8", "surrogatepass")).value


def _has_error(value: Value) -> bool:
    """Whether an object has an `error` that says something: `"error": null` and its like say nothing."""
    if not isinstance(value, Object):
        return False
    error = value.get("error")
    return error is not None and error is not False and error not in ("", [], {})


def _from_members(value: Object, source: str) -> ToolError:
    site = value.get("site")
    taken = {"error", "site"} if isinstance(site, str) else {"error"}
    details = Object([(name, member) for name, member in value.members() if name not in taken])
    return ToolError(_word(value["error"]), site if isinstance(site, str) else None, source, details)


def _word(error: Value) -> str:
    """The error as a word: itself, the code or message of an error object, else its JSON text."""
    if isinstance(error, str):
        return error
    if isinstance(error, Object):
        for name in ("code", "message"):
            inner = error.get(name)
            if isinstance(inner, str) and inner:
                return inner
    return jsontext.dumps(error)


def _from_text(texts: list[str], structured: Object) -> ToolError:
    site = structured.get("site")
    place = site if isinstance(site, str) else None
    details = Object([(name, member) for name, member in structured.members() if place is None or name != "site"])
    if not texts:
        return ToolError("", place, STRUCTURED if structured else TEXT, details)
    whole = _parsed(texts[0])
    if isinstance(whole, str) and whole.strip():
        return ToolError(whole.strip(), place, PARSED, details)
    line = texts[0].strip().splitlines()[0].strip()
    word = _PREFIXED.fullmatch(line[:500]) if len(texts[0]) < 2000 else None
    return ToolError(word[1] if word is not None else line, place, TEXT, details)


def _told(failed: ToolError) -> str:
    return f'"{failed.error[:60]}"' + (f" for {failed.site[:60]}" if failed.site is not None else "")
