"""The verb replay: a report in, the call it tells of out, and the answer held against the reported one.

Rules of this file:

* With --dry-run nothing is sent and nothing is opened but the report.
* A credential goes to the origin that the report names for it, or to where --with-secrets says; never elsewhere.
* The body goes out as reported, byte for byte. Which headers do not, and why, is said on stderr.
"""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from olv_tui.config import UsageError, load_targets, parse_url
from olv_tui.model import Era, Exchange, Header, Target
from olv_tui.options import Options, expanded
from olv_tui.redact import Redactor
from olv_tui.reports.aim import aim, era_of, origin
from olv_tui.reports.compare import Comparison, answer_of, compare, with_status
from olv_tui.reports.read import Import, ReportedCall, read_report
from olv_tui.reports.write import known_values
from olv_tui.session import Session
from olv_tui.surroundings import make_redactor
from olv_tui.verbs import replay_text
from olv_tui.verbs.base import EXIT_CODES, read, surroundings, warn, with_session

if TYPE_CHECKING:
    from olv_tui.history import History

NOT_REPRODUCED = 9
"""Exit code where another answer came than was reported."""


def run(options: Options) -> int:
    """Carry the verb out and give the exit code. Raises UsageError."""
    if options.tapes.all:
        from olv_tui.verbs import replay_all

        return replay_all.run(options)
    if options.tapes.junit is not None:
        raise UsageError("--junit goes with --all")
    found = _chosen(read_report(read(options.words[0])), options.number)
    if options.dry_run:
        return replay_text.dry_run(options, found)
    message = replay_text.masked_message(found, make_redactor(options))
    if found.outcome != "imported":
        raise UsageError(f"{'choose with --call N: ' if found.calls else ''}{message}")
    if message:
        warn(message)
    call = found.calls[0]
    if call.method != "POST":
        raise UsageError(f"the report tells of a {call.method}, and only POST is sent here")
    with surroundings(aimed(options, call)) as (ready, history, redactor):
        return _send(ready, history, redactor, plan(ready, call, redactor))


def _chosen(found: Import, number: int | None) -> Import:
    """The call that --call names, where there are several. Raises UsageError."""
    if number is None:
        return found
    if number > len(found.calls):
        raise UsageError(f"--call {number}: the report tells {len(found.calls)} calls")
    return replace(found, outcome="imported", calls=(found.calls[number - 1],), message="")


# --------------------------------------------------------------------------- where to


def aimed(options: Options, call: ReportedCall) -> Options:
    """The options with the report's address as target, unless they name one themselves. Raises UsageError."""
    if options.aimed or not call.url:
        return options
    base = Target("", parse_url(call.url))
    known = [target for target in load_targets(options.config).values() if origin(target.url) == origin(call.url)]
    if known:
        base = replace(known[0], url=call.url)
    headers, secrets = expanded(base.headers, os.environ)
    given = options.target
    target = replace(
        base,
        headers=(*headers, *given.headers),
        era=given.era if given.era is not Era.AUTO else base.era,
        timeout=given.timeout,
        insecure=given.insecure or base.insecure,
    )
    return replace(options, target=target, secrets=(*options.secrets, *secrets))


# --------------------------------------------------------------------------- what goes along


@dataclass(frozen=True, slots=True)
class Plan:
    """What is sent: the body, its headers beside the target's, those left out; and the reported call."""

    call: ReportedCall
    body: bytes
    headers: tuple[Header, ...]
    without: tuple[str, ...]
    era: Era


def plan(options: Options, call: ReportedCall, redactor: Redactor, warn: Callable[[str], None] = warn) -> Plan:
    """The call as it will be sent to the target; `warn` hears what is left out of it. Raises UsageError."""
    era = options.target.era if options.target.era is not Era.AUTO else era_of(call)
    values = known_values(options.target.headers, options.secrets)
    ready = aim(call, options.target.headers, era, redactor, values)
    if ready.dropped:
        warn(f"left out, since the session has its own: {', '.join(ready.dropped)}; --era bare sends them")
    if ready.empty:
        names = ", ".join(ready.empty)
        warn(f"left out, since the report does not hold the value: {names}; give it with -H or --bearer-env")
    if ready.secret and not options.with_secrets and origin(call.url) != origin(options.target.url):
        where = f"of {origin(call.url)}" if call.url else "of an address that is not told"
        raise UsageError(
            f"the report holds a credential {where} ({', '.join(ready.secret)}), which is not sent to"
            f" {origin(options.target.url)} unasked: give another with -H, or say --with-secrets"
        )
    if ready.is_masked:
        warn("the body holds a masked secret, which is sent as it stands there")
    return Plan(call, ready.body, ready.headers, ready.without, era)


# --------------------------------------------------------------------------- sending


def _send(options: Options, history: History, redactor: Redactor, planned: Plan) -> int:
    options = replace(options, target=replace(options.target, era=planned.era))

    async def work(session: Session, cancel: asyncio.Event) -> list[Exchange]:
        done: list[Exchange] = []
        while len(done) < options.repeat and not cancel.is_set():
            one = await session.send(planned.body, headers=planned.headers, without=planned.without, cancel=cancel)
            done.append(one)
            if one.request.body != planned.body:
                break  # the handshake failed, and would again
        return done

    done = with_session(options, history, work)
    last = done[-1]
    found = [compared(one, planned, options.ignore) for one in done]
    runs = _runs(done, found) if options.repeat > 1 else None
    replay_text.tell(options, redactor, last, found[-1], runs)
    if last.request.body != planned.body:
        warn("the handshake failed, so the call was not sent")
        return EXIT_CODES.get(last.verdict, 1)
    if len(done) < options.repeat:
        return EXIT_CODES[last.verdict] if last.verdict.value == "cancelled" else 130
    outcomes = [one.outcome for one in found if one is not None]
    if not outcomes or last.verdict.value == "cancelled":
        return EXIT_CODES.get(last.verdict, 1)
    return 0 if all(one == "same" for one in outcomes) else NOT_REPRODUCED


def compared(exchange: Exchange, planned: Plan, ignore: tuple[str, ...]) -> Comparison | None:
    """The answer held against the reported one; None where none was reported, or the call was not sent."""
    expected = planned.call.expected
    if expected is None or exchange.request.body != planned.body:
        return None
    return with_status(compare(expected, answer_of(exchange), ignore), planned.call.expected_status, exchange.status)


def _runs(done: list[Exchange], compared: list[Comparison | None]) -> replay_text.Runs:
    from statistics import median  # 15 ms that one run does without

    times = [one.total_ms for one in done if one.total_ms is not None]
    return replay_text.Runs(
        len(done),
        Counter(one.outcome for one in compared if one is not None),
        Counter(one.verdict.value for one in done),
        (min(times), median(times), max(times)) if times else None,
    )
