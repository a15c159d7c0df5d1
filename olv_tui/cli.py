"""The verbs without a screen: tools, call, send, demo-server; replay and history are in verbs/.

Rules of this file:

* Textual and rich are never loaded here, directly or through others (a test looks at `sys.modules`).
* stdout holds the answer and nothing else: text that is safe for a terminal, or with --json the record.
* The exit code is the verdict's (`EXIT_CODES`); 2 is wrong usage, 1 a fault of this program.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Sequence
from dataclasses import replace

from . import jsontext
from .config import UsageError
from .model import RequestId
from .options import Options
from .reports.record import listing_record
from .surroundings import cassette_server
from .verbs.base import EXIT_CODES, read, read_text, say, surroundings, tell, warn, with_session
from .view import human
from .view.safe import one_line

__all__ = ["EXIT_CODES", "read_arguments", "run"]


def run(options: Options) -> int:
    """Carry out a verb and give the exit code. Raises UsageError for wrong usage."""
    match options.verb:
        case "tools":
            return _tools(options)
        case "call":
            return _call(options)
        case "send":
            return _send(options)
        case "replay":
            from .verbs import replay  # reading reports is loaded by those who have one

            return replay.run(options)
        case "history":
            from .verbs import history

            return history.run(options)
        case "cassette":
            from .verbs import cassette

            return cassette.run(options)
        case _:
            return _demo_server(options)


# --------------------------------------------------------------------------- verbs


def _tools(options: Options) -> int:
    with surroundings(options) as (ready, history, redactor):
        listing = with_session(ready, history, lambda session, cancel: session.list_tools(cancel))
        failed = redactor.exchange(listing.failed) if listing.failed is not None else None
        tools = tuple(map(redactor.tool, listing.tools))
        listing = replace(listing, failed=failed, tools=tools)
        say(listing_record(listing) if options.json else human.listing_text(listing))
        return EXIT_CODES.get(listing.verdict, 1)


def _call(options: Options) -> int:
    if options.saved is not None:
        return _call_saved(options, options.saved)
    tool, *words = options.words
    arguments = read_arguments(words)
    request_id = _request_id(options.request_id)
    with surroundings(options) as (ready, history, redactor):
        exchange = with_session(
            ready,
            history,
            lambda session, cancel: session.call(tool, arguments, request_id=request_id, cancel=cancel),
        )
        return tell(options, redactor, exchange)


def _call_saved(options: Options, name: str) -> int:
    from .verbs.saved import saved_call

    request_id = _request_id(options.request_id)
    with surroundings(options) as (ready, history, redactor):
        work = saved_call(history, name, options.words, ready.target, request_id)
        return tell(options, redactor, with_session(ready, history, work))


def _send(options: Options) -> int:
    body = read(options.words[0])
    with surroundings(options) as (ready, history, redactor):
        exchange = with_session(ready, history, lambda session, cancel: session.send(body, cancel=cancel))
        return tell(options, redactor, exchange)


def _demo_server(options: Options) -> int:
    from .demo.server import DemoServer

    if options.tapes.cassette is not None:
        server, target = cassette_server(options, warn, options.port)
        told = f"CASSETTE of {one_line(target.name)} (recorded answers)"
    else:
        server, told = DemoServer(options.demo or "", options.port), "DEMO server (invented data)"
    try:
        server.start()
    except OSError as error:
        raise UsageError(f"the demo server cannot listen on port {options.port}: {error}") from error
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    say(f"{told} at {server.url}; ctrl+c ends it")
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
        text = read_text(word.removeprefix("@"), where) if where != "ARGS" else word
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
