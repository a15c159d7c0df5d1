"""When two requests are the same, and how an answer to the one becomes an answer to the other.

Rules of this file:

* The same: method, path, and a body that is equal as JSON, the order of members aside, except the ids of its
  requests. Numbers are compared by their text. A body that is no JSON is compared byte for byte.
* Nearly the same (`loose`) are two messages that differ in what a client tells of itself: `_meta`, clientInfo and
  capabilities of initialize, what a cancellation names. It counts only where nothing is the same.
* A mask counts as any other mask, so a cassette of another installation can be played.
* Iterative: a body may be nested to any depth.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field

from olv_tui import jsonrpc, jsontext
from olv_tui.model import Object, Value, WireRequest
from olv_tui.redact import MASK
from olv_tui.reports.values import raw, shown

_DIGITS = 16
_OF_THE_CLIENT = {"initialize": ("clientInfo", "capabilities"), "notifications/cancelled": ("requestId", "reason")}
_SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"


@dataclass(frozen=True, slots=True)
class Key:
    """What a request is found by: hex digits for the same and for nearly the same, and its name for the reader."""

    exact: str
    loose: str
    what: str


def key_of(request: WireRequest) -> Key:
    """The key of a request whose secrets are masked already."""
    start = f"{request.method}\n{_path(request.url)}\n"
    parsed = jsontext.parse(request.body)
    if not parsed.has_value:
        exact = _digest(start, MASK.sub("‹hidden›", shown(request.body)))
        return Key(exact, exact, _what(request))
    exact = _digest(start, _canonical(_without(parsed.value, is_loose=False)))
    return Key(exact, _digest(start, _canonical(_without(parsed.value, is_loose=True))), _what(request))


def _what(request: WireRequest) -> str:
    """A request in words: method and tool, else how it was sent."""
    outgoing = jsonrpc.read_request(request.body)
    if outgoing.kind == "batch":
        return f"a batch of {len(outgoing.ids)}"
    if outgoing.method is None:
        return f"{request.method} {_path(request.url)}"[:80]
    return (f"{outgoing.method} {outgoing.tool}" if outgoing.tool else outgoing.method)[:80]


def _path(url: str) -> str:
    """The path of an address without its query; the address itself where it cannot be read."""
    from urllib.parse import urlsplit

    try:
        return urlsplit(url).path or "/"
    except ValueError:
        return url


def _digest(start: str, text: str) -> str:
    return hashlib.sha256(raw(start + text)).hexdigest()[:_DIGITS]


def _without(value: Value, *, is_loose: bool) -> Value:
    """A body without what does not count: the ids of its requests and, loosely, what a client tells of itself."""
    if isinstance(value, list):
        return [_message(item, is_loose) for item in value]
    return _message(value, is_loose)


def _message(value: Value, is_loose: bool) -> Value:
    if not isinstance(value, Object) or "method" not in value:
        return value  # an answer to the server's own question keeps its id: the server chose it
    kept = [(name, member) for name, member in value.members() if name != "id"]
    params = value.get("params")
    if is_loose and isinstance(params, Object):
        method = value.get("method")
        gone = ("_meta", *(_OF_THE_CLIENT.get(method, ()) if isinstance(method, str) else ()))
        rest = Object([(name, member) for name, member in params.members() if name not in gone])
        # No params, and params that hold nothing else, are the same to a server.
        kept = [item for item in kept if item[0] != "params"] + ([("params", rest)] if rest else [])
    return Object(kept)


@dataclass(frozen=True, slots=True)
class _Text:
    """A piece of the canonical text that is made already."""

    text: str


def _canonical(root: Value) -> str:
    """A value as one text: members in order of their names, masks as one and the same."""
    done: list[str] = []
    todo: list[Value | _Text] = [root]
    while todo:
        item = todo.pop()
        if isinstance(item, _Text):
            done.append(item.text)
        elif isinstance(item, Object):
            parts: list[Value | _Text] = [_Text("{")]
            for name, child in sorted(item.members(), key=lambda member: member[0]):
                parts += [_Text(jsontext.dumps(name) + ":"), child, _Text(",")]
            todo += reversed([*parts, _Text("}")])
        elif isinstance(item, list):
            parts = [_Text("[")]
            for child in item:
                parts += [child, _Text(",")]
            todo += reversed([*parts, _Text("]")])
        else:
            done.append(MASK.sub("‹hidden›", jsontext.dumps(item)))
    return "".join(done)


# --------------------------------------------------------------------------- ids


@dataclass(frozen=True, slots=True)
class Ids:
    """What stands in an answer for what: ids and progress tokens of the recorded request (as compact JSON) and those
    of the present one (as written).
    """

    ids: dict[str, str] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """Whether the answer is right as it was recorded."""
        return not self.ids and not self.tokens

    @classmethod
    def between(cls, recorded: bytes, present: bytes) -> Ids:
        """The changes from a recorded request to the present one, which are the same but for these."""
        told = cls()
        for mine, theirs in zip(_told(recorded), _told(present), strict=False):
            for kind, changes in ((0, told.ids), (1, told.tokens)):
                old, new = mine[kind], theirs[kind]
                if old is not None and new is not None and old != new:
                    changes[_compact(old)] = new
        return told

    def put(self, text: str) -> str:
        """The text of an answer with the present ids; the same object where it holds none of the recorded ones."""
        if self.is_empty or not any(old in text for old in (*self.ids, *self.tokens)):
            return text
        value = jsontext.parse(raw(text)).value
        if isinstance(value, list):
            places = [item for at in range(len(value)) for item in self._places(f"/{at}")]
        else:
            places = list(self._places(""))
        edits = []
        for pointer, changes in places:
            span = jsontext.span(text, pointer)
            if span is not None and (new := changes.get(_compact(text[span[0] : span[1]]))) is not None:
                edits.append((*span, new))
        for start, end, new in sorted(edits, reverse=True):
            text = text[:start] + new + text[end:]
        return text

    def _places(self, at: str) -> Iterator[tuple[str, dict[str, str]]]:
        yield f"{at}/id", self.ids
        yield f"{at}/params/progressToken", self.tokens
        for parent in ("params", "result"):
            yield at + jsontext.pointer([parent, "_meta", _SUBSCRIPTION]), self.ids


def _told(body: bytes) -> list[tuple[str | None, str | None]]:
    """Id and progress token of each message of a body, as written."""
    text = shown(body)
    value = jsontext.parse(body).value
    places = [f"/{at}" for at in range(len(value))] if isinstance(value, list) else [""]
    return [(_at(text, f"{place}/id"), _at(text, f"{place}/params/_meta/progressToken")) for place in places]


def _at(text: str, pointer: str) -> str | None:
    span = jsontext.span(text, pointer)
    return None if span is None else text[span[0] : span[1]]


def _compact(text: str) -> str:
    parsed = jsontext.parse(raw(text))
    return jsontext.dumps(parsed.value) if parsed.has_value else text
