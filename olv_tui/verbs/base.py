"""What the verbs without a screen share: surroundings, a session, what is printed, what is read.

Rules of this file: stdout holds the answer and nothing else; everything said beside it goes to stderr, and both are
safe for a terminal.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from collections.abc import Callable, Coroutine, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from olv_tui.config import UsageError
from olv_tui.judge.advice import place_of
from olv_tui.model import Exchange, Verdict
from olv_tui.options import Options
from olv_tui.redact import Redactor
from olv_tui.reports.record import record_parts
from olv_tui.session import Session
from olv_tui.surroundings import (
    keeping,
    make_redactor,
    open_history,
    start_demo,
    start_recording,
    taped,
    transport_to,
)
from olv_tui.view import human, safe

if TYPE_CHECKING:
    from olv_tui.history import History

EXIT_CODES = {
    Verdict.RESULT: 0,
    Verdict.ACCEPTED: 0,
    Verdict.TOOL_ERROR: 3,
    Verdict.RPC_ERROR: 4,
    Verdict.HTTP_ERROR: 5,
    Verdict.INVALID_RESPONSE: 6,
    Verdict.TRANSPORT_ERROR: 7,
    Verdict.INPUT_REQUIRED: 8,
    Verdict.CANCELLED: 130,
}
"""Exit codes by verdict; a verdict that is not here (pending, lost) cannot be an outcome of a verb."""

_T = TypeVar("_T")


class OutputError(Exception):
    """Standard output takes no more: a full disk, a closed file. The message is one sentence."""


@contextlib.contextmanager
def surroundings(options: Options) -> Iterator[tuple[Options, History, Redactor]]:
    """Demo server, redactor and history for one verb, closed again at its end."""
    try:
        options, server = start_demo(options, warn)
    except OSError as error:
        raise UsageError(f"the embedded server cannot start: {error}") from error
    redactor = make_redactor(options)
    try:
        with contextlib.closing(open_history(options, redactor)) as history:
            if history.notice:
                warn(history.notice)
            yield options, history, redactor
    finally:
        if server is not None:
            server.stop()


def with_session(
    options: Options, history: History, work: Callable[[Session, asyncio.Event], Coroutine[object, object, _T]]
) -> _T:
    """Run work on a fresh session; ctrl+c sets its cancel event, so that what came is still told."""
    if options.target.insecure:
        warn("certificates are not checked (--insecure)")

    async def main() -> _T:
        cancel = asyncio.Event()
        # Not every platform has signal handlers on the loop; there ctrl+c ends the program at once.
        with contextlib.suppress(NotImplementedError, RuntimeError):
            asyncio.get_running_loop().add_signal_handler(signal.SIGINT, cancel.set)
        journal = taped(history, recorder, warn)
        session = Session(options.target, transport_to(options.target, kept), journal)
        session.tell(lambda sentence: warn(redactor.sentence(sentence)))
        try:
            return await work(session, cancel)
        finally:
            await session.close()

    redactor = history.redactor
    kept = keeping(options, history, redactor)
    recorder = start_recording(options, redactor)
    try:
        return asyncio.run(main())
    finally:
        if recorder is not None:
            recorder.close()


def warn(text: str) -> None:
    """Say something beside the answer, on stderr and on one line."""
    sys.stderr.write(f"olv-tui: {safe.one_line(text)}\n")


def say(text: str) -> None:
    """Write text and a line end as UTF-8 whatever the locale says; a lone surrogate becomes an escape."""
    say_parts((text,))


def say_parts(parts: Iterable[str]) -> None:
    """The same for a text in parts, which are written as they come. Raises OutputError."""
    if sys.stdout is None:
        raise OutputError("the output is closed, so nothing can be written to it")
    try:
        sys.stdout.flush()
        for part in parts:
            sys.stdout.buffer.write(part.encode("utf-8", "backslashreplace"))
        sys.stdout.buffer.write(b"\n")
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise  # the reader went away
    except OSError as error:
        raise OutputError(f"the output cannot be written: {error.strerror}") from error


def tell(options: Options, redactor: Redactor, exchange: Exchange) -> int:
    """Print one exchange in the form asked for and give its exit code."""
    shown = redactor.exchange(exchange)
    response = shown.reply.response if shown.reply is not None else None
    if response is not None and response.spill is not None:
        warn(place_of(response.spill))
    say_parts(record_parts(shown) if options.json else human.exchange_parts(shown))
    return EXIT_CODES.get(exchange.verdict, 1)


def read_text(name: str, where: str) -> str:
    """The UTF-8 text of a file, or of standard input for `-`; `where` names it in sentences. Raises UsageError."""
    try:
        return read(name).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{where} is no UTF-8 text (byte {error.start})") from error


def read(name: str) -> bytes:
    """The bytes of a file, or of standard input for `-`. Raises UsageError."""
    if name == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise UsageError(f"{name} cannot be read: {error.strerror}") from error
