"""What the server says and asks of its own, and what the session does by itself: told to the main screen.

Rules of this file:

* Everything belongs to the call in whose context it came (`CURRENT`); what came on the listening stream, or while
  connecting, belongs to none.
* A form is answered by the person and by nobody else. One question stands at a time; while it stands, the timeout
  of its call stands still (transport/patience.py).
* What is not offered here (sampling, roots) is refused, and said. Nothing is opened, whatever address is named.
"""

from __future__ import annotations

import asyncio
from contextlib import nullcontext
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from olv_tui.model import Era, Object
from olv_tui.screens import events
from olv_tui.view.question import CANCEL, MODES, Question, read_question

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from textual.message import Message

    from olv_tui.screens.calls import Running
    from olv_tui.screens.launch import Core

CAPABILITIES = '{"elicitation":{"form":{},"url":{}}}'
"""What a server is told that this client answers. 2025-06-18 knows the empty object only, and other members of it
are allowed there; 2025-11-25 and 2026-07-28 name the modes."""

CURRENT: ContextVar[Running | None] = ContextVar("current call", default=None)
"""The call in whose context something happens."""

WAITING = 8
"""Questions that wait for the person; what a server asks beyond is answered with cancel."""

_KEPT = 100


@dataclass(eq=False, slots=True)
class Ask:
    """A request of the server. `outcome` is what became of it, "" while nothing did."""

    identity: str
    method: str
    outcome: str = ""
    taken: bool = False


@dataclass(eq=False, slots=True)
class Standing:
    """A question that stands on the screen. `answer` gets the result as JSON text; `running` is its call."""

    question: Question
    answer: asyncio.Future[str]
    running: Running | None


class Asking:
    """The ear of one explorer; `post` tells the main screen, `running` are the calls under way."""

    def __init__(self, post: Callable[[Message], object], core: Core, running: Collection[Running]) -> None:
        self._post = post
        self._core = core
        self._running = running
        self._asks: list[Ask] = []
        self._turn = asyncio.Lock()
        self._waiting = 0

    def attach(self) -> None:
        """Hear the session from now on; before its handshake, which tells the server what is answered here."""
        session = self._core.session
        session.tell(self.said)
        session.hear(self.heard, self.answer, CAPABILITIES)

    def _call(self) -> Running | None:
        running = CURRENT.get()
        return running if running is not None and running in self._running else None

    def said(self, sentence: str) -> None:
        """The session did something by itself, in a sentence."""
        sentence = self._core.redactor.text(sentence)
        running = self._call()
        if running is not None and len(running.told) < _KEPT:
            running.told.append(sentence)
        self._post(events.Said(sentence, running))

    def heard(self, message: Object) -> None:
        """A message of the server that is no response."""
        from olv_tui import jsontext

        method = str(message["method"])
        if "id" not in message:
            if method == "notifications/tools/list_changed":
                self._post(events.ToolsChanged())
            return
        ask = Ask(jsontext.dumps(message["id"]), method)
        if self._core.session.era is not Era.LEGACY:
            ask.outcome, ask.taken = "not answered: nobody agreed on it in this era", True
        elif method == "ping":
            ask.outcome, ask.taken = "answered", True
        else:
            self._asks = [*self._asks[-_KEPT:], ask]
        running = self._call()
        if running is not None and len(running.asked) < _KEPT:
            running.asked.append(ask)

    async def answer(self, method: str, params: Object) -> str | None:
        """The result for a request of the server; None refuses it with -32601."""
        # The session asks in the order in which it heard.
        ask = next((one for one in self._asks if one.method == method and not one.taken), Ask("", method))
        ask.taken = True
        question = read_question(params) if method == "elicitation/create" else None
        if question is None or question.mode not in MODES:
            what = method if question is None else f"{method} in the mode {question.mode}"
            ask.outcome = "refused (-32601)"
            self.said(f"The server asked {what}: refused (-32601), it is not offered here.")
            return None
        if self._waiting >= WAITING:
            ask.outcome = "answered cancel: too many questions at once"
            return CANCEL
        self._waiting += 1
        try:
            return await self._ask(ask, question, self._call())
        finally:
            self._waiting -= 1

    async def _ask(self, ask: Ask, question: Question, running: Running | None) -> str:
        """Ask the person, in turn; a call that ends takes its question with it."""
        with running.patience.hold() if running is not None else nullcontext():
            async with self._turn:
                answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
                standing = Standing(question, answer, running)
                ended = asyncio.ensure_future(running.ended.wait()) if running is not None else None
                try:
                    if running is None or not running.ended.is_set():
                        self._post(events.Asked(standing))
                        waited: list[asyncio.Future[Any]] = [answer] if ended is None else [answer, ended]
                        await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    if ended is not None:
                        ended.cancel()
                    self._post(events.AskedNoMore(standing))
        if not answer.done():
            answer.cancel()
            ask.outcome = "answered cancel: the call had ended"
            return CANCEL
        result = answer.result()
        ask.outcome = f"answered {_action(result)}"
        self._post(events.Answered(running))
        return result


def _action(result: str) -> str:
    """The action of an elicitation result that was made here."""
    return result.partition('"action":"')[2].partition('"')[0]
