"""`call --saved NAME`: a saved call, with the variables of the target in it.

Rules of this file: what is not known of it (a variable, a masked secret) is told before it is sent, and it is sent all
the same, as anything can be; the id is new unless it was written by hand.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING

from olv_tui import jsontext
from olv_tui.config import UsageError
from olv_tui.history.variables import filled, unknown_sentence
from olv_tui.model import Exchange, RequestId
from olv_tui.redact import MASK
from olv_tui.verbs.base import warn

if TYPE_CHECKING:
    from olv_tui.history import History, SavedCall
    from olv_tui.model import Target
    from olv_tui.session import Session

Work = Callable[["Session", asyncio.Event], Coroutine[object, object, Exchange]]


def saved_call(history: History, name: str, words: tuple[str, ...], target: Target, given: RequestId | None) -> Work:
    """What sends the saved call. Raises UsageError where there is none, or several and no word says whose."""
    call, unknown = filled(_chosen(history, name, words), target.variables)
    if unknown:
        warn(unknown_sentence(unknown, target.name))
    texts = (call.arguments or "", call.envelope or "", *(value for _, value in call.headers))
    if any(MASK.search(text) for text in texts):
        warn(f"a secret is masked in the saved call {name!r} and goes out as that mask; -H gives a header anew")
    headers = tuple(one for one in call.headers if not MASK.search(one[1]))

    def work(session: Session, cancel: asyncio.Event) -> Coroutine[object, object, Exchange]:
        if call.arguments is not None and not headers:
            return session.call(call.tool or "", call.arguments, request_id=given, cancel=cancel)
        if call.arguments is not None:
            identity = given or RequestId(str(history.next_id()))
            body = session.call_body(call.tool or "", call.arguments, identity)
        else:
            body = _renewed(call.envelope or "", history, given).encode("utf-8", "surrogateescape")
        return session.send(body, headers=headers, cancel=cancel)

    return work


def _chosen(history: History, name: str, words: tuple[str, ...]) -> SavedCall:
    if len(words) > 1:
        raise UsageError("call --saved NAME has its own arguments; only a TOOL may stand before it")
    found = [
        call for call in history.saved() if call.name == name and (not words or words[0] in (call.tool, call.method))
    ]
    if not found:
        raise UsageError(f"no call is saved as {name!r}; olv-tui history saved shows them")
    if len(found) > 1:
        tools = ", ".join(str(call.tool or call.method or "a body") for call in found)
        raise UsageError(f"{name!r} is saved for several tools ({tools}); write call TOOL --saved {name!r}")
    return found[0]


def _renewed(envelope: str, history: History, given: RequestId | None) -> str:
    """The envelope with the id given, or with a new one in place of one that the program had chosen."""
    try:
        place = jsontext.span(envelope, "/id")
    except jsontext.JsonError:
        return envelope
    if place is None:
        return envelope
    start, end = place
    if given is not None:
        return envelope[:start] + given.text + envelope[end:]
    return envelope[:start] + str(history.next_id()) + envelope[end:] if envelope[start:end].isdigit() else envelope
