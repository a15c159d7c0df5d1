"""The verb cassette: what is on one, or a new one made of a HAR, a report or the history."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from olv_tui.cassette import imports, lines
from olv_tui.cassette.recorder import Recorder
from olv_tui.cassette.tape import Tape
from olv_tui.config import UsageError
from olv_tui.model import Exchange
from olv_tui.options import Options
from olv_tui.reports.read import described
from olv_tui.reports.values import ReportedCall
from olv_tui.session.values import utc_now
from olv_tui.surroundings import make_redactor, open_history
from olv_tui.verbs.base import read, say, say_parts, warn
from olv_tui.view.safe import one_line
from olv_tui.view.words import duration

if TYPE_CHECKING:
    from olv_tui.redact import Redactor


def run(options: Options) -> int:
    """Carry the verb out and give the exit code. Raises UsageError."""
    tapes, words = options.tapes, options.words
    if tapes.from_history:
        if words:
            raise UsageError("cassette takes a FILE or --from-history, not both")
        return _of_history(options, _output(options))
    if len(words) != 1:
        raise UsageError("cassette takes one FILE: a cassette to look at, or with -o a HAR or a report to make one of")
    if tapes.output is None:
        return _show(options, Path(words[0]))
    data = read(words[0])
    with contextlib.suppress(lines.LineError):
        lines.read_head(data.partition(b"\n")[0])
        raise UsageError(f"{words[0]} is a cassette already: olv-tui --cassette {words[0]} plays it")
    found = imports.from_report(data)
    return _write(options, _output(options), found)


def _output(options: Options) -> Path:
    if options.tapes.output is None:
        raise UsageError("cassette --from-history needs -o FILE, the cassette to write")
    return options.tapes.output


# --------------------------------------------------------------------------- making one


def _of_history(options: Options, output: Path) -> int:
    with contextlib.closing(open_history(options, make_redactor(options))) as history:
        if history.notice:
            warn(history.notice)
        rows = list(imports.from_history(history, options.limit, warn))
        if not rows:
            raise UsageError("the history holds no exchange that ended, so there is nothing to write")
        return _write(options, output, rows)


def _write(options: Options, output: Path, exchanges: Sequence[Exchange]) -> int:
    redactor = make_redactor(options)
    head = lines.Head("", redactor.url(exchanges[0].request.url), imports.era_of(exchanges), utc_now())
    count = len(exchanges)
    recorder = Recorder(output, head, redactor)
    try:
        for one in exchanges:
            recorder.write(one)
    except OSError as error:
        raise UsageError(f"{output} cannot be written: {error.strerror}") from error
    finally:
        recorder.close()
    plural = "exchange" if count == 1 else "exchanges"
    say(f"{count} {plural} written to {one_line(str(output))}; olv-tui --cassette {one_line(str(output))} plays them")
    return 0


# --------------------------------------------------------------------------- looking at one


def _show(options: Options, path: Path) -> int:
    with contextlib.closing(Tape(path, warn)) as tape:
        if options.json:
            for one in tape.exchanges():
                say_parts((json.dumps(_row(one)),))
            return 0
        head, redactor = tape.head, make_redactor(options)
        where = " at ".join(one_line(part, 120) for part in (head.name, redactor.url(head.url)) if part)
        say(f"cassette of {where or 'nothing that is named'}, recorded {one_line(head.recorded or 'at no told time')}")
        say_parts(f"{row}\n" for row in _rows(tape.exchanges(), redactor))
        say("olv-tui --cassette FILE plays it, olv-tui replay --all FILE sends it to a server and compares.")
    return 0


def _rows(exchanges: Iterable[Exchange], redactor: Redactor) -> Iterator[str]:
    for one in exchanges:
        reply = one.reply
        ended = f"HTTP {one.status}" if one.status is not None else (reply and reply.error and reply.error.kind) or "-"
        kind = "  (by itself)" if one.automatic else ""
        name = one_line(redactor.text(told(one)), 60)
        yield f"{one.serial:>6}  {name:<44} {ended:<9} {duration(one.total_ms):>9}{kind}"


def _row(one: Exchange) -> dict[str, object]:
    error = one.reply.error if one.reply else None
    return {
        "line": one.serial,
        "id": one.id and one.id.text,
        "method": one.outgoing.method,
        "tool": one.outgoing.tool,
        "status": one.status,
        "transport_error": error and error.kind,
        "automatic": one.automatic,
        "total_ms": one.total_ms,
    }


def told(one: Exchange) -> str:
    """An exchange in a few words: method, tool and id."""
    request = one.request
    return described(ReportedCall(request.method, request.url, request.headers, request.body))
