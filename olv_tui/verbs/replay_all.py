"""replay --all: each call of a cassette, HAR or report sent to a server, its answer held against the recorded one.

Rules of this file:

* Sent is what was recorded and not made by the program itself: the handshake and the listing are those of the session
  that this run opens. Tools that destroy are sent as well, that is what was asked for; --dry-run tells which.
* Masks of secrets count as equal: a cassette of another installation can be checked.
* Exit code: 0 where all were reproduced, 9 where some were not (a failure of the transport that was not recorded is
  one of these); the verdict's own where the handshake failed, 7 where no call came through at all; 130 where it was
  stopped.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from olv_tui import jsontext
from olv_tui.cassette import imports, lines
from olv_tui.cassette.tape import Tape
from olv_tui.config import UsageError
from olv_tui.judge import judge
from olv_tui.model import Era, Exchange, Object, Reply, Verdict
from olv_tui.options import Options
from olv_tui.redact import MASK, Redactor
from olv_tui.reports.aim import era_of
from olv_tui.reports.compare import Comparison, Difference, answer_of, compare, tell, with_status
from olv_tui.reports.pieces import absent
from olv_tui.reports.values import ReportedCall
from olv_tui.session import Session
from olv_tui.surroundings import make_redactor
from olv_tui.verbs import replay
from olv_tui.verbs.base import EXIT_CODES, read, say, surroundings, warn, with_session
from olv_tui.verbs.cassette import told
from olv_tui.verbs.replay_junit import Result, junit
from olv_tui.view.safe import one_line
from olv_tui.view.words import WORDS, duration

if TYPE_CHECKING:
    from olv_tui.history import History

_SHOWN = 5
_LINE = 200
_SIGNS = {"same": "=", "same kind": "≈", "different": "≠", "skipped": "-"}


@dataclass(frozen=True, slots=True)
class _Recorded:
    """An exchange to be sent again; `number` is its line on the cassette, or its place in a report (`unit`: call)."""

    number: int
    exchange: Exchange
    unit: str
    is_destructive: bool = False


def run(options: Options) -> int:
    """Carry the verb out and give the exit code. Raises UsageError."""
    if options.number is not None or options.repeat != 1:
        raise UsageError("--all sends every call once; --call and --repeat go with a report of one call")
    damaged: dict[int, str] = {}
    recorded = list(_recorded(options, damaged))
    if not recorded:
        raise UsageError("it holds no call that was sent by hand, so there is nothing to send")
    url = recorded[0].exchange.request.url
    if not options.aimed and MASK.search(url):
        raise UsageError(f"the recorded address {one_line(url)} has a masked secret in it: say where with --url")
    if options.dry_run:
        return _dry_run(options, recorded)
    with surroundings(replay.aimed(options, _call(recorded[0].exchange))) as (ready, history, redactor):
        return _Run(ready, history, redactor).all(recorded, damaged)


# --------------------------------------------------------------------------- what is sent


def _recorded(options: Options, damaged: dict[int, str]) -> Iterator[_Recorded]:
    """The calls of the file, in order; `damaged` gets the lines that cannot be read. Raises UsageError."""
    with contextlib.ExitStack() as stack:
        exchanges: Iterator[Exchange]
        name, unit = options.words[0], "line"
        if name != "-" and _is_cassette(Path(name)):
            tape = stack.enter_context(contextlib.closing(Tape(Path(name), warn)))
            exchanges = tape.exchanges()
        else:
            found, unit = imports.from_report(read(name)), "call"
            exchanges = (replace(one, serial=number) for number, one in enumerate(found, 1))
        destructive: set[str] = set()
        for one in exchanges:
            if one.outgoing.method == "tools/list":
                destructive |= set(_destructive(one))
            if not one.automatic and one.request.method == "POST" and one.request.body:
                yield _Recorded(one.serial, one, unit, one.outgoing.tool in destructive)
        if unit == "line":
            damaged.update(tape.damaged)


def _is_cassette(path: Path) -> bool:
    if path.is_fifo():
        return False  # what is read of a pipe is gone, and all of it is read as a report
    try:
        with path.open("rb") as file:
            lines.read_head(file.readline(1_000_000))
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error
    except lines.NewerError as error:
        raise UsageError(f"{path} is no cassette that can be played: {error}") from error
    except lines.LineError:
        return False
    return True


def _destructive(listing: Exchange) -> Iterator[str]:
    """The names of tools in an answer to tools/list that say of themselves that they destroy."""
    message = _judged(listing).judgement
    result = message.message.get("result") if message and isinstance(message.message, Object) else None
    tools = result.get("tools") if isinstance(result, Object) else None
    for tool in tools if isinstance(tools, list) else ():
        hints = tool.get("annotations") if isinstance(tool, Object) else None
        name = tool.get("name") if isinstance(tool, Object) else None
        if isinstance(name, str) and isinstance(hints, Object) and hints.get("destructiveHint") is True:
            yield name


def _judged(recorded: Exchange) -> Exchange:
    """A recorded exchange with its verdict, which tells what in it is the answer."""
    if recorded.reply is None:
        return recorded
    era = recorded.era or Era.BARE
    verdict = judge(recorded.outgoing, recorded.reply, era=era, version=recorded.protocol_version)
    return replace(recorded, judgement=verdict)


def _unplayable(reply: Reply | None) -> str:
    """Why nothing can be held against a recorded answer; "" where it can."""
    if reply is None or (reply.cancelled and reply.response is None):
        return "no answer was recorded"
    if reply.response is not None and reply.response.spill is not None:
        return "only the beginning of its answer was recorded"
    return ""


def _call(recorded: Exchange) -> ReportedCall:
    """A recorded exchange as a reported call."""
    request, status = recorded.request, recorded.status
    return ReportedCall(
        request.method,
        request.url,
        request.headers,
        request.body,
        _unmasked(answer_of(_judged(recorded))),
        status,
        without=absent(request.headers) if request.headers else (),
        era=recorded.era,
    )


def _unmasked(body: bytes | None) -> bytes | None:
    """An answer whose masks all look the same: their digits are those of one installation."""
    if body is None or b"hidden" not in body:
        return body
    return MASK.sub("‹hidden›", body.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")


def _dry_run(options: Options, recorded: list[_Recorded]) -> int:
    redactor = make_redactor(options)
    for one in recorded:
        name, url = redactor.text(told(one.exchange)), redactor.url(one.exchange.request.url)
        if options.json:
            row = {one.unit: one.number, "what": name, "url": url, "destructive": one.is_destructive}
            say(json.dumps(row))
        else:
            mark = "  says of itself that it may destroy something" if one.is_destructive else ""
            say(f"{one.number:>6}  {one_line(name, 60):<44} {one_line(url, 80)}{mark}")
    if not options.json:
        say(f"{_counted(len(recorded), 'call')} would be sent; nothing was.")
    return 0


# --------------------------------------------------------------------------- sending


class _Run:
    """One run over all calls: sends, compares, tells each result as it comes."""

    def __init__(self, options: Options, history: History, redactor: Redactor) -> None:
        self._options = options
        self._history = history
        self._redactor = redactor
        self._results: list[Result] = []
        self._warned: set[str] = set()
        self._failed: Exchange | None = None
        self._is_stopped = False

    def all(self, recorded: list[_Recorded], damaged: Mapping[int, str]) -> int:
        """Send them all and give the exit code. Lines that are damaged are among the results, as skipped ones."""
        for number, why in damaged.items():
            self._tell(Result(number, "a line that cannot be read", "skipped", sentence=why))
        for era, group in itertools.groupby(recorded, self._era):
            calls = list(group)
            options = replace(self._options, target=replace(self._options.target, era=era))
            with_session(options, self._history, self._work(calls))
            if self._failed is not None or self._is_stopped:
                break
        sent = {result.number for result in self._results}
        why = "it was stopped before" if self._is_stopped else "the handshake failed, so it was not sent"
        for one in recorded:
            if one.number not in sent:
                self._tell(Result(one.number, self._name(one), "skipped", sentence=why, unit=one.unit))
        self._sum_up()
        if self._is_stopped:
            return 130
        if self._failed is not None:
            return EXIT_CODES.get(self._failed.verdict, 1)
        sent_ones = [result for result in self._results if result.came is not None]
        if sent_ones and all(result.is_unreached for result in sent_ones):
            return EXIT_CODES[Verdict.TRANSPORT_ERROR]
        return 0 if all(result.outcome in ("same", "skipped") for result in self._results) else replay.NOT_REPRODUCED

    def _era(self, one: _Recorded) -> Era:
        wished = self._options.target.era
        return wished if wished is not Era.AUTO else era_of(_call(one.exchange))

    def _work(self, calls: list[_Recorded]) -> Callable[[Session, asyncio.Event], Coroutine[object, object, None]]:
        async def work(session: Session, cancel: asyncio.Event) -> None:
            for one in calls:
                if why := _unplayable(one.exchange.reply):
                    self._tell(Result(one.number, self._name(one), "skipped", sentence=why, unit=one.unit))
                    continue
                planned = replay.plan(self._options, _call(one.exchange), self._redactor, self._warn)
                came = await session.send(planned.body, headers=planned.headers, without=planned.without, cancel=cancel)
                if cancel.is_set():
                    self._is_stopped = True
                    return
                if came.request.body != planned.body:
                    self._failed = came
                    summary = came.judgement.summary if came.judgement else came.verdict
                    warn(f"the handshake failed, so nothing is sent: {self._redactor.text(summary)}")
                    return
                self._tell(self._result(one, came, planned))

        return work

    def _warn(self, sentence: str) -> None:
        if sentence not in self._warned:
            self._warned.add(sentence)
            warn(sentence)

    def _name(self, one: _Recorded) -> str:
        return self._redactor.text(told(one.exchange))

    def _result(self, one: _Recorded, came: Exchange, planned: replay.Plan) -> Result:
        masked = self._redactor.exchange(came)
        known = self._redactor.knowing(came)
        comparison = self._compared(one.exchange, masked, planned)
        differences = tuple(tell(comparison.differences, lambda text: one_line(known.text(text), _LINE)))
        name, outcome = self._name(one), comparison.outcome
        return Result(one.number, name, outcome, comparison, differences, masked, came.total_ms, unit=one.unit)

    def _compared(self, recorded: Exchange, came: Exchange, planned: replay.Plan) -> Comparison:
        """The answer held against the recorded one, a failure of the transport against the recorded failure."""
        before, now = (one.reply.error.kind if one.reply and one.reply.error else "" for one in (recorded, came))
        if before != now:
            words = [jsontext.loads(json.dumps(word or "a whole answer")) for word in (before, now)]
            return Comparison("different", (Difference("transport", "value", *words),), total=1)
        if before:
            return Comparison("same")  # where a body breaks off is chance
        expected = planned.call.expected or b""
        found = compare(expected, _unmasked(answer_of(came)), self._options.ignore)
        return with_status(found, planned.call.expected_status, came.status)

    # ----------------------------------------------------------------------- telling

    def _tell(self, result: Result) -> None:
        self._results.append(result)
        if self._options.json:
            say(result.json_line())
            return
        ended = f"{WORDS[result.came.verdict].label}  {duration(result.ms)}" if result.came else result.sentence
        outcome = f"{_SIGNS[result.outcome]} {result.outcome}"
        say(f"{outcome:<12} {result.number:>5}  {one_line(result.name, 60):<40} {one_line(ended, 80)}")
        for line in result.differences[:_SHOWN]:
            say(f"{'':<20}{line}")
        left = (result.comparison.total if result.comparison else 0) - _SHOWN
        if left > 0:
            say(f"{'':<20}... and {_counted(left, 'more difference')}")

    def _sum_up(self) -> None:
        counts = Counter(result.outcome for result in self._results)
        if not self._options.json:
            say(f"{_counted(len(self._results), 'call')}: " + ", ".join(f"{n} {name}" for name, n in counts.items()))
        path = self._options.tapes.junit
        if path is None:
            return
        try:
            path.write_text(junit(self._results, self._redactor.url(self._options.target.url)), encoding="utf-8")
        except OSError as error:
            warn(f"{path} cannot be written: {error.strerror}")


def _counted(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"
