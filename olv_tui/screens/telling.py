"""Sentences of the main screen: failures to connect, and whose answer is shown.

Rules of this file: pure; server text passes view/safe.py; every sentence about a failure ends with what to do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from olv_tui.model import Verdict
from olv_tui.view.safe import one_line
from olv_tui.view.words import word

if TYPE_CHECKING:
    from collections.abc import Mapping

    from olv_tui.model import Exchange, Target, Tool
    from olv_tui.screens.launch import Core

_STEPS = {
    "name": "The name of the server could not be looked up",
    "connect": "No connection could be made",
    "tls": "The TLS handshake failed",
    "timeout": "The server did not answer in time",
    "proxy": "The proxy refused",
    "reset": "The connection was reset",
    "closed": "The connection was closed before an answer",
}


AGAIN = ("ctrl+l tries again.", "accent")
"""The paragraph with the next key."""


def failure(exchange: Exchange, target: Target) -> list[tuple[str, str]]:
    """Why there are no tools, in paragraphs for the tool pane: which step failed, what it said, the next keys."""
    if is_without_tools(exchange):
        return [("The server lists no tools: it does not know tools/list.", "warning"), *_PLAIN, ("", "plain"), AGAIN]
    error = exchange.reply.error if exchange.reply is not None else None
    step = _STEPS.get(error.kind) if error is not None and exchange.verdict is Verdict.TRANSPORT_ERROR else None
    said = one_line(exchange.judgement.summary, 300) if exchange.judgement is not None else ""
    asked = one_line(exchange.outgoing.method or "the request", 60)
    head = f"{step}." if step else f"{asked} ended with {word(exchange.verdict).label}."
    if exchange.verdict is Verdict.RESULT and exchange.judgement is not None:
        head = "The server answered, and no list of tools could be read from it."
        said = "; ".join(f"{one.code}: {one_line(one.message, 200)}" for one in exchange.judgement.violations[:3])
    style = "dim" if exchange.verdict is Verdict.CANCELLED else "error"
    paragraphs = [(head, style)]
    if said and said != word(exchange.verdict).label:
        paragraphs.append((said, "plain"))
    paragraphs += [("", "plain"), AGAIN, (_EDITOR, "dim")]
    if not target.demo:
        paragraphs.append(("olv-tui --demo shows everything without a network.", "dim"))
    return paragraphs


def is_without_tools(exchange: Exchange) -> bool:
    """Whether a server refused tools/list as a method that it does not have (JSON-RPC 2.0, 5.1: -32601)."""
    judgement = exchange.judgement
    error = judgement.rpc_error if judgement is not None else None
    return exchange.outgoing.method == "tools/list" and error is not None and error.code.text == "-32601"


_PLAIN = (
    ("It still takes any request.", "plain"),
    ("", "plain"),
    ("ctrl+n begins one of any method; a plain call is ready in the editor.", "accent"),
)

_EDITOR = "The editor has a call ready and sends it all the same: ctrl+j."


def owner(exchange: Exchange) -> str:
    """Whose answer it is: `olv_get_world #42`."""
    out = exchange.outgoing
    name = one_line(out.tool or out.method or f"{out.kind} body", 60)
    return f"{name} #{one_line(exchange.id.text, 20)}" if exchange.id is not None else name


def elsewhere(target: str, core: Core) -> str:
    """Host and path of an address that an exchange went to, "" where it is the present target.

    A demo server has another port with every start and is the same all the same.
    """
    here = core.redactor.url(core.session.dress(b"").url)
    if target == here or (core.target.demo and urlsplit(target).hostname == urlsplit(here).hostname):
        return ""
    return one_line(target.partition("://")[2] or target, 200)


def listed_tool(exchange: Exchange, core: Core, tools: Mapping[str, Tool]) -> Tool | None:
    """The tool that an exchange called, where the present server lists it and it went there."""
    return None if elsewhere(exchange.target, core) else tools.get(exchange.outgoing.tool or "")


def has_mask(text: str) -> bool:
    """Whether a masked secret stands in a text that is about to be sent."""
    from olv_tui.redact import MASK

    return MASK.search(text) is not None
