"""Everything that waits: preparing, connecting, listing, calling, cancelling, closing.

Rules of this file:

* The work is owned by the app, so no pane or screen that goes away can cancel a call.
* Workers only post messages. Each message names the call it is about; nothing is matched by "latest".
* This is the one place where exchanges are redacted on their way to the screen.
* An exception here is a fault of ours: it becomes a sentence and never ends the program.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from olv_tui.courtesy import aside
from olv_tui.model import Era, Object, Verdict
from olv_tui.screens import events, fault
from olv_tui.screens.launch import Core, LaunchError
from olv_tui.transport.patience import PATIENCE, Patience
from olv_tui.view.latest import Latest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from textual.app import App
    from textual.message import Message

    from olv_tui.model import Exchange, Frame, Header, Tool
    from olv_tui.screens.asking import Ask
    from olv_tui.screens.launch import Launch
    from olv_tui.transport.base import Arrived

_OFF_LOOP_BYTES = 256 * 1024
"""Answers above this are redacted in a thread, so that keys are taken meanwhile."""

_GROUPS = ("call", "connect", "listen")

_ROUNDS = 20
"""Exchanges that asked for input and are kept as they came: their answer is made of what the server sent."""

_SEEN_SECONDS = 2.0
"""How long the reading of a large answer waits for its first screen at most."""

_CLOSE_SECONDS = 3.0
"""How long calls that were told to stop may take to be written down when the explorer ends."""


@dataclass(eq=False, slots=True)
class Running:
    """A call under way. `exchange` is None until it is journalled; `tool` is None for a body of another kind.

    `frames` (the last of them) and `arrived` are what has come of its answer, `fresh` are the frames that no screen was
    told of yet, `told` is what the session did by itself for it, `asked` what the server asked, `ended` is set when it
    is over.
    """

    tool: str | None
    cancel: asyncio.Event = field(default_factory=asyncio.Event)
    exchange: Exchange | None = None
    frames: Latest = field(default_factory=Latest)
    fresh: Latest = field(default_factory=Latest)
    arrived: Arrived | None = None
    told: list[str] = field(default_factory=list)
    asked: list[Ask] = field(default_factory=list)
    patience: Patience = field(default_factory=Patience)
    ended: asyncio.Event = field(default_factory=asyncio.Event)

    def take_fresh(self) -> Latest:
        """The frames that came since this was asked last."""
        fresh, self.fresh = self.fresh, Latest()
        return fresh

    @property
    def serial(self) -> int | None:
        """The serial in the history, None until it has one."""
        return self.exchange.serial if self.exchange is not None else None


class Calls:
    """The work of one explorer with one target. `progress`: plain calls ask the server how far they are."""

    def __init__(self, post: Callable[[Message], object], launch: Launch) -> None:
        self._app: App[object] | None = None
        self._post = post
        self._launch = launch
        self._core: Core | None = None
        self._connecting: asyncio.Event | None = None
        self._is_cut_off = False
        self._listening = asyncio.Event()
        self._listens = True
        self._rounds: dict[int, Exchange] = {}
        self.running: list[Running] = []
        self.progress = False

    # ----------------------------------------------------------------------- connecting

    def start(self, app: App[object]) -> None:
        """Prepare history and session, then connect and list; `app` owns the work."""
        self._app = app
        self._work(self._prepare(), "prepare")

    def connect(self) -> None:
        """Connect and list, again if need be; one listing at a time."""
        if self._core is not None and self._connecting is None:
            self._connecting = asyncio.Event()
            self._work(self._list(self._core, self._connecting), "connect")
            self._post(events.Standing())

    def switch(self, core: Core) -> None:
        """Go on with another session. What runs on the old one ends there; then that is closed."""
        from olv_tui.screens.asking import Asking

        old, self._core = self._core, core
        if self._connecting is not None:
            self._connecting.set()
        self._listening.set()
        self._connecting, self._listening = None, asyncio.Event()
        self._is_cut_off, self._listens = False, True
        Asking(self._post, core, self.running).attach()
        self._post(events.Prepared(core))
        if old is not None:
            self._work(self._leave(old, list(self.running)), "connect")
        self.connect()

    @staticmethod
    async def _leave(core: Core, running: list[Running]) -> None:
        for one in running:
            await one.ended.wait()
        await core.session.close()

    @property
    def is_connecting(self) -> bool:
        """Whether connecting or listing is under way."""
        return self._connecting is not None

    async def _prepare(self) -> None:
        try:
            self._core = await asyncio.to_thread(self._launch.prepare)
        except LaunchError as error:
            self._post(events.Broken(fault.redactor_of(None, self._launch).text(str(error)), fatal=True))
            return
        from olv_tui.screens.asking import Asking

        Asking(self._post, self._core, self.running).attach()
        self._post(events.Prepared(self._core))
        self.connect()

    async def _list(self, core: Core, cancel: asyncio.Event) -> None:
        first = True
        before = core.redactor.hits

        def page(tools: tuple[Tool, ...]) -> None:
            nonlocal first
            if core is not self._core:
                return  # the reader has turned to another target
            if core.redactor.hits > before:  # a page held one of our secrets; else no definition is looked through
                tools = tuple(map(core.redactor.tool, tools))
            self._post(events.ToolsCame(tools, first=first))
            first = False

        try:
            failed = await core.session.connect(cancel)
            if core is not self._core:
                return
            self._is_cut_off = failed is not None
            self._post(events.Standing())
            if failed is None:
                listing = await core.session.list_tools(cancel, page)
            else:
                from olv_tui.session import Listing

                listing = Listing(failed.verdict, failed=failed)
            if core is not self._core:
                return
            shown = None if listing.failed is None else await self._redacted(core, listing.failed)
            self._post(events.Listed(listing, shown))
            if listing.failed is None and self._listens:
                self._work(self._listen(core), "listen")
        finally:
            if self._connecting is cancel:
                self._connecting = None
            self._post(events.Standing())

    async def _listen(self, core: Core) -> None:
        """Listen to what the server says of itself, where it may say something. A refusal is no fault."""
        session = core.session
        if session.is_listening or (session.era is Era.MODERN and not _tells_changes(session.offers)):
            return
        # What was refused once is not asked for again.
        self._listens = await session.listen(cancel=self._listening) is None

    # ----------------------------------------------------------------------- calling

    def call(self, tool: str, arguments: str) -> None:
        """Call a tool; arguments are JSON text, sent as it is. The id is taken as the call begins."""
        core = self._core
        if core is None:
            return
        running = Running(tool)
        start, frame, more = self._hooks(core, running)
        self._begin(
            running,
            core.session.call(
                tool,
                arguments,
                progress=self.progress,
                on_start=start,
                on_frame=frame,
                on_progress=more,
                cancel=running.cancel,
            ),
        )

    async def quietly(self, tool: str, arguments: str) -> Exchange:
        """Call a tool without showing it; it is in the history as any other, and Esc stops it. Gives it as it came."""
        core = self._core
        assert core is not None
        from olv_tui.screens.asking import CURRENT

        running = Running(tool)
        self.running.append(running)
        CURRENT.set(running)
        PATIENCE.set(running.patience)
        try:
            return await core.session.call(tool, arguments, cancel=running.cancel)
        finally:
            self.running.remove(running)
            running.ended.set()

    def send(
        self, body: bytes, tool: str | None, headers: tuple[Header, ...] = (), without: tuple[str, ...] = ()
    ) -> None:
        """Send a body exactly as it is; `headers` and `without` change the headers of this one request.

        Where connecting came to nothing the body goes out all the same, without another handshake before it.
        """
        core = self._core
        if core is None:
            return
        running = Running(tool)
        start, frame, more = self._hooks(core, running)
        self._begin(
            running,
            core.session.send(
                body,
                headers=headers,
                without=without,
                handshake=not self._is_cut_off,
                on_start=start,
                on_frame=frame,
                on_progress=more,
                cancel=running.cancel,
            ),
        )

    def round_of(self, exchange: Exchange) -> Exchange:
        """The exchange as it is answered with another round: as it came, where this run still has it."""
        return self._rounds.get(exchange.serial, exchange)

    def answer(self, exchange: Exchange, responses: Mapping[str, str]) -> None:
        """Send the next round of an exchange from `round_of`, with the results by the keys of its questions."""
        core = self._core
        if core is None:
            return
        running = Running(exchange.outgoing.tool)
        start, frame, more = self._hooks(core, running)
        self._begin(
            running,
            core.session.answer_input(
                exchange, responses, on_start=start, on_frame=frame, on_progress=more, cancel=running.cancel
            ),
        )

    def own(self, running: Running, work: Callable[[], Awaitable[None]]) -> None:
        """Do work that makes several calls, under one `running` that Esc stops."""
        self.running.append(running)

        async def run() -> None:
            from olv_tui.screens.asking import CURRENT

            CURRENT.set(running)
            PATIENCE.set(running.patience)
            try:
                await work()
            finally:
                self.running.remove(running)
                running.ended.set()

        self._work(run(), "call")

    async def redacted(self, core: Core, call: Awaitable[Exchange]) -> Exchange:
        """What comes of a call, as it may be shown."""
        return await self._redacted(core, await call)

    def cancel_newest(self) -> bool:
        """Stop the call that was begun last, else the connecting. False: nothing was under way."""
        for running in reversed(self.running):
            if not running.cancel.is_set():
                running.cancel.set()
                return True
        if self._connecting is not None and not self._connecting.is_set():
            self._connecting.set()
            return True
        return False

    def of_serial(self, serial: int) -> Running | None:
        """The call under way with this serial."""
        return next((one for one in self.running if one.serial == serial), None)

    def tools_running(self) -> frozenset[str]:
        """The tools that have a call under way."""
        return frozenset(one.tool for one in self.running if one.tool is not None)

    async def close(self) -> None:
        """Stop all calls, wait until they are written down, close session, history and what was started for them."""
        self._listening.set()
        while self.cancel_newest():
            pass
        workers = [] if self._app is None else [one for one in self._app.workers if one.group in _GROUPS]
        if workers:
            waiting = [asyncio.ensure_future(worker.wait()) for worker in workers]
            await asyncio.wait(waiting, timeout=_CLOSE_SECONDS)
        if self._core is not None:
            core, self._core = self._core, None
            await core.session.close()
            core.history.close()
            if core.close is not None:
                await asyncio.to_thread(core.close)

    # ----------------------------------------------------------------------- inside

    def _hooks(
        self, core: Core, running: Running
    ) -> tuple[Callable[[Exchange], None], Callable[[Frame], None], Callable[[Arrived], None]]:
        from olv_tui.screens.arriving import Arriving

        known = core.redactor
        arriving = Arriving(self._post, core.redactor, running)

        def started(exchange: Exchange) -> None:
            nonlocal known
            known = core.redactor.knowing(exchange)
            # A call that is sent again begins anew.
            running.frames.clear()
            arriving.begin(exchange)
            running.exchange = core.redactor.exchange(exchange)
            self._post(events.CallStarted(running))

        def framed(frame: Frame) -> None:
            shown = known.frame(frame) if len(frame.raw) <= _OFF_LOOP_BYTES else _standing_for(frame)
            running.frames.add(shown)
            running.fresh.add(shown)
            if running.fresh.count == 1:  # else the message before was not taken yet, which tells of this one as well
                self._post(events.FrameCame(running))

        return started, framed, arriving.tell

    def _begin(self, running: Running, call: Coroutine[object, object, Exchange]) -> None:
        core = self._core
        if core is None:
            call.close()
            return
        self.running.append(running)

        async def run() -> None:
            from olv_tui.screens.asking import CURRENT
            from olv_tui.session.looks import LOOK

            CURRENT.set(running)
            PATIENCE.set(running.patience)
            LOOK.set(partial(self._looked, core, running))
            try:
                came = await call
                if came.verdict is Verdict.INPUT_REQUIRED:
                    kept = list(self._rounds.items())[1 - _ROUNDS :]
                    self._rounds = {**dict(kept), came.serial: came}
                exchange = await self._redacted(core, came)
            finally:
                self.running.remove(running)
                running.ended.set()
            self._post(events.Standing())
            self._post(events.CallEnded(running, exchange))

        self._work(run(), "call")

    async def _looked(self, core: Core, running: Running, exchange: Exchange) -> None:
        """Show a large answer; its reading waits until it is on the screen, not for ever."""
        shown, seen = await self._redacted(core, exchange), asyncio.Event()
        self._post(events.CallLooked(running, shown, seen.set))
        with suppress(TimeoutError):
            await asyncio.wait_for(seen.wait(), _SEEN_SECONDS)

    def _work(self, work: Coroutine[object, object, None], group: str) -> None:
        async def guarded() -> None:
            try:
                await work
            except Exception as error:  # whatever it is, the explorer goes on and says so
                from olv_tui.history import HistoryError

                known = isinstance(error, HistoryError)
                sentence = str(error) if known else f"{type(error).__name__}: {error}"
                sentence = fault.redactor_of(self._core, self._launch).text(sentence)
                self._post(events.Broken(sentence, fatal=self._core is None, connecting=group == "connect"))

        if self._app is None:
            work.close()
        else:
            self._app.run_worker(guarded(), group=group, exit_on_error=False)

    @staticmethod
    async def _redacted(core: Core, exchange: Exchange) -> Exchange:
        response = exchange.reply.response if exchange.reply is not None else None
        if response is not None and len(response.body) > _OFF_LOOP_BYTES:
            return await aside(partial(core.redactor.exchange, exchange))
        return core.redactor.exchange(exchange)


def _tells_changes(offers: Object) -> bool:
    """Whether a server declared that it tells when its list of tools changes."""
    tools = offers.get("tools")
    return isinstance(tools, Object) and tools.get("listChanged") is True


def _standing_for(frame: Frame) -> Frame:
    """What is shown of a large event while its call runs: masking all of it would hold up the screen."""
    from olv_tui.model import Frame

    told = f": an event of {len(frame.raw):,} bytes, shown when the call ends\n\n"
    return Frame(told.encode(), event=None, at_ms=frame.at_ms)
