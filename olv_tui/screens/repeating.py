"""The same call several times, until it changes, or on two targets side by side.

Rules of this file:

* What may destroy something, or goes to a production target, is asked about before each series, whatever was agreed.
* A credential that the reader put into one request is not sent to another target.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from olv_tui.screens.sharing import SharingScreen
from olv_tui.screens.telling import has_mask, owner
from olv_tui.view.bytetext import as_bytes, as_text
from olv_tui.view.safe import one_line
from olv_tui.view.words import word
from olv_tui.widgets.document import Sending, finding, id_in, with_id

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from olv_tui.model import Exchange, Target
    from olv_tui.screens.launch import Core
    from olv_tui.session import Session


class RepeatingScreen(SharingScreen):
    """The part of the main screen that sends more than once."""

    # ----------------------------------------------------------------------- what is sent

    def _meant(self) -> Sending | None:
        """What is to be sent: of the answer and the history the exchange there, else what is in the editor."""
        exchange = self.exported() if self.front in ("answer", "history") else None
        if exchange is not None:
            headers, without = self._own_headers(exchange)
            sending = Sending(exchange.outgoing.tool, "", as_text(exchange.request.body), headers, without)
        else:
            sending = self.editor.sending()
        if self.core is None or (sending.body is None and sending.tool is None):
            self.say("There is nothing to send yet: pick a tool.")
        elif sending.body is None and (found := finding(sending.arguments)):
            self.tell(f"Not sent, no JSON: {found}.")
        elif has_mask(sending.body or sending.arguments):
            self.tell("Not sent: a secret is masked in it. Put it in first.")
        else:
            return sending
        return None

    def _once(self, core: Core, session: Session, sending: Sending, cancel: asyncio.Event) -> Awaitable[Exchange]:
        """Send once; an id that counts up is a new one."""
        if sending.body is None and sending.tool is not None:
            call = session.call(sending.tool, sending.arguments, cancel=cancel)
        else:
            body, shelf = sending.body or "", self.shelf
            identity = id_in(body)
            if shelf is not None and identity is not None and identity.isdigit() and not self._is_expected(sending):
                body = with_id(body, shelf.take_id())
            headers, without = sending.headers, sending.without
            call = session.send(as_bytes(body), headers=headers, without=without, cancel=cancel)
        return self.calls.redacted(core, call)

    def _is_expected(self, sending: Sending) -> bool:
        """Whether this is a reported call, which is sent byte for byte, the id as well."""
        return sending.body is not None and self.state.topic in self._expected

    def _agreed(self, sending: Sending, how: str, then: Callable[[], None], target: Target | None = None) -> None:
        """Go on once it is agreed, where the tool may destroy something or the target is a production one."""
        from olv_tui.jsonrpc import read_request
        from olv_tui.screens.modals import ConfirmScreen

        core = self.core
        name = sending.tool if sending.body is None else read_request(as_bytes(sending.body)).tool
        if core is None:
            return
        held, self.state.agreed = self.state.agreed, set()
        why = self._danger(name)
        self.state.agreed = held
        where = target or core.target
        if not why and target is not None and target.production:
            why = "goes to a production target"
        if not why:
            then()
            return
        shown = sending.arguments if sending.body is None else sending.body
        url = core.redactor.url(where.url)
        ask = ConfirmScreen(name or "This request", f"{why}, and is sent {how}", url, shown, lasting=False)
        self.app.push_screen(ask, lambda agreed: then() if agreed else None)

    # ----------------------------------------------------------------------- several times

    def action_repeat(self) -> None:
        """Send it several times and tell how often what came."""
        self._series("several times", watches=False)

    def action_watch(self) -> None:
        """Send it again and again until another answer comes."""
        self._series("again and again", watches=True)

    def _series(self, how: str, *, watches: bool) -> None:
        sending, core = self._meant(), self.core
        if sending is None or core is None:
            return
        self._agreed(sending, how, lambda: self._begin_series(core, sending, watches=watches))

    def _begin_series(self, core: Core, sending: Sending, *, watches: bool) -> None:
        from olv_tui.reports.runs import Runs
        from olv_tui.screens.calls import Running
        from olv_tui.screens.repeat import RepeatScreen, Series

        expected = self._expected.get(self.state.topic)
        name = sending.tool or self.editor.document.title
        ignore = tuple(self._ignored.get(name, ()))

        def start(cancel: asyncio.Event, work: Callable[[], Awaitable[None]]) -> None:
            self.calls.own(Running(sending.tool, cancel), work)

        def one(cancel: asyncio.Event) -> Awaitable[Exchange]:
            return self._once(core, core.session, sending, cancel)

        def held(exchange: Exchange) -> str:
            return "" if expected is None else self.held(exchange, expected).outcome

        def closed(pair: tuple[int, int] | None) -> None:
            self._refresh_rows()
            found = [self.shelf.get(serial) for serial in pair] if pair is not None and self.shelf is not None else []
            if len(found) == 2 and found[0] is not None and found[1] is not None:
                self.compare_two(found[0], found[1])

        series = Series(one_line(name, 60), one, held, Runs(ignore), start, watches)
        self.app.push_screen(RepeatScreen(series), closed)

    def _refresh_rows(self) -> None:
        from olv_tui.widgets.history import HistoryPane

        self.post_message(HistoryPane.Wanted(None, self.history.automatic))
        self.editor.renumber()

    # ----------------------------------------------------------------------- two targets

    def action_beside(self) -> None:
        """Send the same call to another target as well, and compare both answers."""
        sending = self._meant()
        if sending is None:
            return

        def picked(target: Target) -> None:
            self._agreed(sending, "to both", lambda: self._beside(sending, target), target)

        self.pick_target("The same call on another target", picked)

    def _beside(self, sending: Sending, target: Target) -> None:
        from olv_tui.redact import is_secret_name
        from olv_tui.screens.calls import Running
        from olv_tui.session import Session

        core, ready = self.core, self.ready_target(target)
        if core is None or ready is None:
            return
        other = Session(ready, core.transport(ready), core.journal)
        public = tuple(item for item in sending.headers if not is_secret_name(item[0]))
        there = Sending(sending.tool, sending.arguments, sending.body, public, sending.without)
        running = Running(sending.tool)
        names = tuple(one_line(one.name or core.redactor.url(one.url), 40) for one in (core.target, ready))

        async def work() -> None:
            try:
                first, second = await asyncio.gather(
                    self._once(core, core.session, sending, running.cancel),
                    self._once(core, other, there, running.cancel),
                )
            finally:
                await other.close()
            self._refresh_rows()
            if running.cancel.is_set():
                return
            told = [f"{name}: {word(one.verdict).label}" for name, one in zip(names, (first, second), strict=True)]
            self.say(" · ".join(told))
            heads = [f"{text} ({owner(one)})" for text, one in zip(told, (first, second), strict=True)]
            self.compare_two(first, second, (heads[0], heads[1]))

        self.say(f"Sending to {names[0]} and {names[1]}. Esc stops.")
        self.calls.own(running, work)
