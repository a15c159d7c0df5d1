"""Secrets that are typed into the body of a call: texts under names that say so, `"password": "..."`.

Rules of this file:

* A name has to be a plain one: `page_token`, `tokenizer`, `secret_name` and `session_id` are what a call is about; kept
  without them it could not be sent again.
* What is found is masked where it stands, however short. Elsewhere (in the answer) only what is surely a secret is
  looked for: a word under `token` may be any word.
* It works on the bytes, so that a body which is no sound JSON is masked as well, and nothing else of it changes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator

from .names import SHORTEST

_NAME = re.compile(rb'"([^"\\]{1,64})"\s{0,64}:\s{0,64}"')
_VALUE = re.compile(rb'([^"\\]*+(?:\\.[^"\\]*+)*+)"', re.DOTALL)
_HINT = re.compile(rb"pass|pwd|pin|secret|token|key|auth|jwt|otp|bearer|credential", re.IGNORECASE)
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_]+")
_VARIABLE = re.compile(r"\s*(?:\$\{[^{}]*\}|\{\{[^{}]*\}\}|‹hidden [0-9a-f]{6}›)\s*")

_WHOLE = frozenset({"pass", "pin", "otp", "auth", "authorization", "bearer", "apikey", "accesskey", "privatekey"})
_SURE = frozenset({"password", "passwd", "passphrase", "passcode", "pwd", "secret"})
_LAST = frozenset({"jwt", "credential", "credentials", "apikey"})
_KEYS = frozenset({"api", "access", "private", "secret", "auth", "signing", "encryption"})
_PLAIN_TOKENS = frozenset({
    "page", "next", "prev", "previous", "continuation", "continue", "sync", "resume", "progress", "start", "end",
    "stop", "max", "min", "eos", "bos", "pad", "unk", "cursor", "pagination", "delta", "first", "last", "total",
    "input", "output", "completion", "prompt", "change", "position", "mask", "sep", "cls", "design", "collection",
    "watermark", "scroll", "offset", "list", "batch", "task", "word", "text", "special",
})  # fmt: skip


def is_secret_argument(name: str) -> bool:
    """Whether a text under this name in the arguments of a call is a secret."""
    words = [word.lower() for word in _WORDS.findall(name)]
    if not words:
        return False
    last, before = words[-1], words[-2] if len(words) > 1 else ""
    if last == "token":
        return before not in _PLAIN_TOKENS
    if last in ("confirmation", "confirm", "again", "repeat"):
        return before in _SURE
    return last in _SURE or last in _LAST or "".join(words) in _WHOLE or (last == "key" and before in _KEYS)


def typed(body: bytes, names: Collection[str] = ()) -> Iterator[tuple[str, bool]]:
    """The secrets in a body, and whether each is surely one; `names` are further names, that a schema tells."""
    for name, match in _members(body, names):
        value, words = _text(match[1]), {word.lower() for word in _WORDS.findall(name)}
        is_mixed = len(value) >= 12 and bool(re.search(r"\d", value)) and bool(re.search(r"[^\W\d]", value))
        yield value, len(value) >= SHORTEST and (name in names or bool(words & _SURE) or is_mixed)


def masked(body: bytes, mask: Callable[[str], str], names: Collection[str] = ()) -> bytes:
    """The body with these texts masked; the same object where there are none."""
    done, end = [], 0
    for _, match in _members(body, names):
        done += [body[end : match.start(1)], mask(_text(match[1])).encode()]
        end = match.end(1)
    return b"".join([*done, body[end:]]) if done else body


def _members(body: bytes, names: Collection[str]) -> Iterator[tuple[str, re.Match[bytes]]]:
    if not names and not _HINT.search(body):
        return
    at = 0
    while found := _NAME.search(body, at):
        at, name = found.end(), found[1].decode("utf-8", "replace")
        if name not in names and not is_secret_argument(name):
            continue
        value = _VALUE.match(body, at)
        if value is None:
            return  # it does not end, and nothing behind it is another member
        at = value.end()
        if value[1] and not _VARIABLE.fullmatch(_text(value[1])):
            yield name, value


def _text(inside: bytes) -> str:
    """The text of a JSON string, as it stands where it is none."""
    text = inside.decode("utf-8", "replace")
    try:
        return str(json.loads(f'"{text}"', strict=False)) if "\\" in text else text
    except ValueError:
        return text
