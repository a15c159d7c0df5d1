"""A cassette as a server on the loopback: the endpoint that answers from it, on the demo's wire.

Rules of this file:

* No network: what is not on the cassette gets a plain sentence that names what is there, and that is told.
* Such an answer is 501. To a handshake or a GET it is 404, which says that this way of talking is not known here;
  elsewhere 404 would mean that the session is gone, or send a client into a handshake.
* Requests are masked before they are looked up, as recordings were before they were written.
* The end of a session (DELETE) is on no cassette and is agreed to.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

from olv_tui import jsonrpc
from olv_tui.cassette.answers import Play, play_of
from olv_tui.cassette.keys import key_of
from olv_tui.cassette.tape import Tape
from olv_tui.demo.protocol import foreign
from olv_tui.model import Exchange, Reply, WireRequest

if TYPE_CHECKING:
    from olv_tui.demo.wire import Request, Wire
    from olv_tui.redact import Redactor

_NAMED = 12
_PLAIN = ("Content-Type", "text/plain; charset=utf-8")


class Player:
    """Answers from a cassette, `speed` times as fast as it was recorded (0: at once); `tell` hears what is missing.

    Takes the place of the demo's endpoint, and lives on one event loop.
    """

    def __init__(self, tape: Tape, redactor: Redactor, tell: Callable[[str], None], *, speed: float = 1.0) -> None:
        self._tape = tape
        self._redactor = redactor
        self._tell = tell
        self._speed = speed
        self._under_way = 0
        self.idle = threading.Event()
        self.idle.set()

    @property
    def path(self) -> str:
        """The path of the recorded address."""
        from urllib.parse import urlsplit

        with contextlib.suppress(ValueError):
            return urlsplit(self._tape.head.url).path or "/"
        return "/"

    async def answer(self, request: Request, wire: Wire) -> None:
        """Answer one HTTP request."""
        refused = foreign(request.headers)
        if refused:
            await wire.answer(403, [_PLAIN], f"{refused}\n".encode(), keep=request.keep_alive)
            return
        self._under_way += 1
        self.idle.clear()
        try:
            await self._answer(request, wire)
        finally:
            self._under_way -= 1
            if not self._under_way:
                self.idle.set()

    async def _answer(self, request: Request, wire: Wire) -> None:
        masked = self._masked(request)
        key = key_of(masked)
        found = self._tape.next(key)
        if found is None:
            if request.method == "DELETE":
                await wire.answer(200, keep=request.keep_alive)
            else:
                known = request.method == "POST" and key.what not in ("initialize", "server/discover")
                await self._miss(request, wire, self._missing(key.what), 501 if known else 404)
            return
        if (response := (found.reply or Reply()).response) and response.spill:
            kept = f"the first {len(response.body):,} of {response.size:,} bytes were recorded"
            self._tell(f"Of the answer to {key.what} {kept}; it breaks off there.")
        # Ids are looked for in the text of the whole answer, which is no work for the loop when it is large.
        play = (
            await asyncio.to_thread(play_of, found, request.body)
            if _size(found) > 256_000
            else play_of(found, request.body)
        )
        if play is None:
            error = (found.reply or Reply()).error
            why = f" ({error.message})" if error else ""
            await self._miss(request, wire, f"Recorded of {key.what} is a failure that cannot be played here{why}.")
        else:
            await self._play(play, wire)

    def _masked(self, request: Request) -> WireRequest:
        headers = tuple(request.headers.items())
        present = WireRequest(request.path, headers, request.body, request.method)
        return self._redactor.exchange(Exchange(0, "", jsonrpc.read_request(request.body), present, "")).request

    # ----------------------------------------------------------------------- what is not there

    async def _miss(self, request: Request, wire: Wire, sentence: str, status: int = 501) -> None:
        self._tell(sentence)
        await wire.answer(status, [_PLAIN], f"{sentence}\n".encode("utf-8", "replace"), keep=request.keep_alive)

    def _missing(self, what: str) -> str:
        names = self._tape.names()
        same = names.pop(what, 0)
        told = f"Not on the cassette {self._tape.path.name}: {what}."
        if same:
            told = (
                f"Not on the cassette {self._tape.path.name}: {what} with these parameters;"
                f" with others it was recorded {_times(same)}."
            )
        return f"{told} {_listed(names, 'It also holds' if same else 'It holds')}"

    # ----------------------------------------------------------------------- playing

    async def _play(self, play: Play, wire: Wire) -> None:
        clock = asyncio.get_running_loop().time
        start = clock()
        for at_ms, data in play.pieces:
            due = start + at_ms / 1000 / self._speed if self._speed else start
            if await _is_gone(wire, due - clock()):
                wire.drop()
                return
            await wire.raw(data)
        match play.end:
            case "close":
                wire.drop()
            case "reset":
                wire.reset()
            case "hold":
                await wire.gone.wait()
                wire.drop()
            case _:
                pass


async def _is_gone(wire: Wire, seconds: float) -> bool:
    """Wait that long; whether the client hung up meanwhile."""
    if seconds > 0:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(wire.gone.wait(), seconds)
    return wire.gone.is_set()


def _size(exchange: Exchange) -> int:
    response = (exchange.reply or Reply()).response
    return len(response.body) if response else 0


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _listed(names: Counter[str], start: str) -> str:
    """What is there, the most frequent first."""
    if not names:
        return f"{start} nothing else."
    told = ", ".join(f"{what} ({count})" if count > 1 else what for what, count in names.most_common(_NAMED))
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"{start} {told}{more}."
