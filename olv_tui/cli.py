"""The verbs without a screen: tools, call, send, history, demo-server.

Rules of this file:

* Textual and rich are never loaded here, directly or through others (a test looks at `sys.modules`).
* stdout holds the answer and nothing else: text that is safe for a terminal, or with --json the record.
* The exit code is the verdict's (`EXIT_CODES`); 2 is wrong usage, 1 a fault of this program.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from . import jsontext
from .config import UsageError
from .model import Exchange, Object, RequestId, Tool, Verdict
from .options import Options
from .redact import Redactor
from .reports.record import listing_record, record
from .session import Session
from .surroundings import make_redactor, open_history, start_demo
from .transport.http import HttpTransport
from .view import human, safe

if TYPE_CHECKING:
    from .history import History

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


def run(options: Options) -> int:
    """Carry out a verb and give the exit code. Raises UsageError for wrong usage."""
    match options.verb:
        case "tools":
            return _tools(options)
        case "call":
            return _call(options)
        case "send":
            return _send(options)
        case "history":
            return _history(options)
        case _:
            return _demo_server(options)


# --------------------------------------------------------------------------- surroundings


@contextlib.contextmanager
def _surroundings(options: Options) -> Iterator[tuple[Options, History, Redactor]]:
    """Demo server, redactor and history for one verb, closed again at its end."""
    options, server = start_demo(options)
    redactor = make_redactor(options)
    try:
        with contextlib.closing(open_history(options, redactor)) as history:
            if history.notice:
                _warn(history.notice)
            yield options, history, redactor
    finally:
        if server is not None:
            server.stop()


def _with_session(
    options: Options, history: History, work: Callable[[Session, asyncio.Event], Coroutine[object, object, _T]]
) -> _T:
    """Run work on a fresh session; ctrl+c sets its cancel event, so that what came is still told."""
    if options.target.insecure:
        _warn("certificates are not checked (--insecure)")

    async def main() -> _T:
        cancel = asyncio.Event()
        # Not every platform has signal handlers on the loop; there ctrl+c ends the program at once.
        with contextlib.suppress(NotImplementedError, RuntimeError):
            asyncio.get_running_loop().add_signal_handler(signal.SIGINT, cancel.set)
        session = Session(options.target, HttpTransport(insecure=options.target.insecure), history)
        session.tell(_warn)
        try:
            return await work(session, cancel)
        finally:
            await session.close()

    return asyncio.run(main())


def _warn(text: str) -> None:
    sys.stderr.write(f"olv-tui: {safe.one_line(text)}\n")


def _print(text: str) -> None:
    """Write text and a line end as UTF-8 whatever the locale says; a lone surrogate becomes an escape."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace") + b"\n")
    sys.stdout.buffer.flush()


def _tell(options: Options, redactor: Redactor, exchange: Exchange) -> int:
    """Print one exchange in the form asked for and give its exit code."""
    shown = redactor.exchange(exchange)
    _print(record(shown) if options.json else human.exchange_text(shown))
    return EXIT_CODES.get(exchange.verdict, 1)


# --------------------------------------------------------------------------- verbs


def _tools(options: Options) -> int:
    with _surroundings(options) as (ready, history, redactor):
        listing = _with_session(ready, history, lambda session, cancel: session.list_tools(cancel))
        failed = redactor.exchange(listing.failed) if listing.failed is not None else None
        tools = tuple(_masked(tool, redactor) for tool in listing.tools)
        listing = replace(listing, failed=failed, tools=tools)
        _print(listing_record(listing) if options.json else human.listing_text(listing))
        return EXIT_CODES.get(listing.verdict, 1)


def _masked(tool: Tool, redactor: Redactor) -> Tool:
    """A tool whose definition shows none of our secrets, should the server have put one there."""
    definition = redactor.value(tool.definition)
    return replace(tool, definition=definition) if isinstance(definition, Object) else tool


def _call(options: Options) -> int:
    tool, *words = options.words
    arguments = read_arguments(words)
    request_id = _request_id(options.request_id)
    with _surroundings(options) as (ready, history, redactor):
        exchange = _with_session(
            ready,
            history,
            lambda session, cancel: session.call(tool, arguments, request_id=request_id, cancel=cancel),
        )
        return _tell(options, redactor, exchange)


def _send(options: Options) -> int:
    body = _read(options.words[0])
    with _surroundings(options) as (ready, history, redactor):
        exchange = _with_session(ready, history, lambda session, cancel: session.send(body, cancel=cancel))
        return _tell(options, redactor, exchange)


def _history(options: Options) -> int:
    what, *words = options.words
    if what not in ("list", "show"):
        raise UsageError(f"history knows list and show ID, not {what!r}")
    if (what == "show") != (len(words) == 1):
        raise UsageError("history show takes one ID (42, '\"abc\"' or @SERIAL), history list takes none")
    redactor = make_redactor(options)
    with contextlib.closing(open_history(options, redactor)) as history:
        if history.notice:
            _warn(history.notice)
        return _history_list(options, history) if what == "list" else _history_show(options, history, words[0])


def _history_list(options: Options, history: History) -> int:
    rows = history.recent(options.limit, automatic=options.everything)
    if not options.json:
        _print(human.history_text(rows))
        return 0
    for row in rows:
        exchange = history.get(row.serial)
        if exchange is not None:
            _print(record(exchange))
    return 0


def _history_show(options: Options, history: History, word: str) -> int:
    if word.startswith("@"):
        if not word[1:].isdigit():
            raise UsageError(f"{word} is no serial: @ is followed by digits")
        one = history.get(int(word[1:]))
        found = [] if one is None else [one]
    else:
        found = history.by_id(word)
    if not found:
        raise UsageError(f"the history holds no exchange {word}; olv-tui history list shows what it holds")
    if len(found) > 1:
        others = ", ".join(f"@{item.serial}" for item in found[1:6])
        _warn(f"{len(found) - 1} older exchanges have the id {word}: {others}{' ...' if len(found) > 6 else ''}")
    _print(record(found[0]) if options.json else human.exchange_text(found[0]))
    return 0


def _demo_server(options: Options) -> int:
    from .demo.server import DemoServer

    server = DemoServer(options.demo or "", options.port)
    try:
        server.start()
    except OSError as error:
        raise UsageError(f"the demo server cannot listen on port {options.port}: {error}") from error
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    _print(f"DEMO server (invented data) at {server.url}; ctrl+c ends it")
    stop.wait()
    server.stop()
    return 0


# --------------------------------------------------------------------------- reading words


def read_arguments(words: Sequence[str]) -> str:
    """The arguments as JSON text: nothing ({}), one JSON object, @file, -, or pairs key=text key:=json.

    The text of an object is used as it is, so no digit, order or duplicate is lost.
    Raises UsageError where it is no JSON object.
    """
    if not words:
        return "{}"
    if len(words) == 1 and (words[0] == "-" or words[0].startswith(("@", "{", "[")) or "=" not in words[0]):
        word = words[0]
        where = {"-": "standard input"}.get(word, word if word.startswith("@") else "ARGS")
        text = _text(word.removeprefix("@"), where) if where != "ARGS" else word
        return _object(text, where)
    return "{" + ",".join(_pair(word) for word in words) + "}"


def _pair(word: str) -> str:
    name, mark, value = word.partition("=")
    if not mark or name in ("", ":"):
        raise UsageError(f"{word!r} is no pair: write key=text or key:=json, or give one JSON object")
    if not name.endswith(":"):
        return f"{jsontext.dumps(name)}:{jsontext.dumps(value)}"
    try:
        jsontext.loads(value)
    except jsontext.JsonError as error:
        raise UsageError(
            f"the value of {name[:-1]!r} is no JSON: {error}; for plain text write {name[:-1]}=..."
        ) from error
    return f"{jsontext.dumps(name[:-1])}:{value}"


def _object(text: str, where: str) -> str:
    try:
        value = jsontext.loads(text)
    except jsontext.JsonError as error:
        raise UsageError(f"{where} is no JSON: {error}") from error
    if not isinstance(value, dict):
        raise UsageError(f"{where} is no JSON object: arguments are written as {{...}}")
    return text.strip()


def _request_id(text: str | None) -> RequestId | None:
    if text is None:
        return None
    try:
        jsontext.loads(text)
    except jsontext.JsonError as error:
        raise UsageError(f"--id is no JSON: {error}; a text wants quotes: --id '\"{text}\"'") from error
    return RequestId(text.strip())


def _text(name: str, where: str) -> str:
    try:
        return _read(name).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{where} is no UTF-8 text (byte {error.start})") from error


def _read(name: str) -> bytes:
    """The bytes of a file, or of standard input for `-`. Raises UsageError."""
    if name == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise UsageError(f"{name} cannot be read: {error.strerror}") from error
