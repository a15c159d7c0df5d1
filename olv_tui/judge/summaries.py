"""Verdicts in a phrase: what the banner, the history and the record say of an exchange.

Rules of this file:

* One line of plain words; numbers and words of the server as they came, cut where they are long.
* The name of the verdict is not repeated: it stands beside the phrase.
"""

from __future__ import annotations

from collections import Counter

from olv_tui import jsontext
from olv_tui.model import Object, Outgoing, RpcError, ToolError, Value, WireResponse

_LONG = 300
_OPENS_ADDRESS = "-32042"


def cut(text: str, limit: int = _LONG) -> str:
    """The text on one line, its end replaced by an ellipsis where it is longer than `limit`."""
    text = " ".join(text[: limit * 4].splitlines())
    return text if len(text) <= limit else text[: limit - 1] + "…"


def head(response: WireResponse) -> str:
    """`HTTP 202 Accepted`."""
    return f"HTTP {response.status} {response.reason}".rstrip()


def empty(response: WireResponse) -> str:
    """An answer without a body: to a request none is due."""
    if response.status == 202:
        return f"{head(response)} is the answer to a notification, and a request was sent"
    return f"{head(response)} with an empty body"


def beyond(response: WireResponse) -> str:
    """A body that is not in memory as a whole, and so was not read as JSON."""
    assert response.spill is not None
    return (
        f"the body of {response.spill.size:,} bytes was not read: no more than {response.spill.cap:,} of one are kept"
        " in memory (--max-body)"
    )


def http(response: WireResponse) -> str:
    """`HTTP 502 Bad Gateway, text/html`, and where a redirect leads or how long to wait."""
    parts = [head(response)]
    place, wait = response.header("location"), response.header("retry-after")
    if 300 <= response.status < 400 and place:
        parts.append(f"to {cut(place, 200)}")
    elif response.body:
        parts.append(response.media_type or "no Content-Type")
    else:
        parts.append("empty body")
    if wait and response.status in (429, 503):
        parts.append(f"retry after {cut(wait, 60)}{' s' if wait.strip().isdigit() else ''}")
    return ", ".join(parts)


def foreign(message: Object, error: RpcError, outgoing: Outgoing) -> str:
    """An error that is not for this request: its words must not disappear."""
    identity = jsontext.dumps(message.get("id"))
    asked = f", asked was {outgoing.id}" if outgoing.id is not None else ""
    return f"its error {cut(error.code.text, 30)} {cut(error.message, 120)} has the id {cut(identity, 60)}{asked}"


def tool_error(failed: ToolError) -> str:
    """`not_linked, site helpbless.com`."""
    word = failed.error or "the tool gives no word for it"
    return cut(word) + (f", site {cut(failed.site, 100)}" if failed.site is not None else "")


def rpc_error(error: RpcError) -> str:
    """`-32601 Method not found`, and what its data names: a tool's error and site, an address to open."""
    parts = [f"{cut(error.code.text, 40)} {cut(error.message)}".rstrip()]
    if isinstance(error.data, Object):
        word, site = error.data.get("error"), error.data.get("site")
        if isinstance(word, str) and word != error.message:
            parts.append(f"error {cut(word, 100)}")
        if isinstance(site, str):
            parts.append(f"site {cut(site, 100)}")
    if error.code.text == _OPENS_ADDRESS:
        parts.append(f"an address wants to be opened{_address(error.data)}")
    if error.code.text == "-32602" and "output schema" in error.message.lower():
        parts.append("the tool's own answer may be hidden behind its output schema")
    return ", ".join(parts)


def _address(data: Value) -> str:
    entries = data.get("elicitations") if isinstance(data, Object) else None
    for entry in entries if isinstance(entries, list) else ():
        url = entry.get("url") if isinstance(entry, Object) else None
        if isinstance(url, str):
            return f": {cut(url, 200)}"
    return ""


def input_required(result: Object) -> str:
    """`the server asks for elicitation/create (who)`, an address to open by its name."""
    requests = result.get("inputRequests")
    if not isinstance(requests, Object) or not requests:
        return "the server asks for the same request again, with its requestState"
    asked = []
    for name, request in list(requests.items())[:3]:
        params = request.get("params") if isinstance(request, Object) else None
        method = request.get("method") if isinstance(request, Object) else None
        what = cut(method, 40) if isinstance(method, str) else "something"
        if isinstance(params, Object) and params.get("mode") == "url" and isinstance(params.get("url"), str):
            what = f"to open {cut(str(params['url']), 200)}"
        asked.append(f"{what} ({cut(name, 40)})")
    more = f" and {len(requests) - 3} more" if len(requests) > 3 else ""
    return f"the server asks for {', '.join(asked)}{more}"


def result(method: str | None, value: Value) -> str:
    """What a result holds, in a few words: `structuredContent, 2 text`, `12 tools`, `false`."""
    if isinstance(value, list):
        return f"an array of {len(value)}"
    if not isinstance(value, Object):
        return cut(jsontext.dumps(value), 60)
    if method == "tools/call":
        return _content(value)
    for name in ("tools", "resources", "resourceTemplates", "prompts"):
        entries = value.get(name)
        if isinstance(entries, list):
            noun = "resource templates" if name == "resourceTemplates" else name
            return f"{len(entries)} {noun if len(entries) != 1 else noun[:-1]}"
    version = value.get("protocolVersion")
    return f"protocol {cut(version, 40)}" if isinstance(version, str) else ""


def _content(value: Object) -> str:
    content = value.get("content")
    parts = ["structuredContent"] if "structuredContent" in value else []
    if isinstance(content, list):
        kinds = Counter(
            str(block["type"]) if isinstance(block, Object) and isinstance(block.get("type"), str) else "odd"
            for block in content
        )
        parts += [cut(kind, 30) if count == 1 else f"{count} {cut(kind, 30)}" for kind, count in kinds.most_common(4)]
        if not content:
            parts.append("empty content")
    else:
        parts.append("no content")
    return ", ".join(parts)
