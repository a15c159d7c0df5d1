"""The verb history: list, show, export, search."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from typing import TYPE_CHECKING

from olv_tui.config import UsageError
from olv_tui.model import Exchange
from olv_tui.options import FORMS, Options
from olv_tui.redact import Redactor
from olv_tui.reports.record import record_parts
from olv_tui.surroundings import make_redactor, open_history
from olv_tui.verbs.base import say, say_parts, warn
from olv_tui.view import human

if TYPE_CHECKING:
    from olv_tui.history import History, HistoryRow

_WORDS = {"list": 0, "show": 1, "export": 1, "search": 1}
_WRONG = {
    "list": "history list takes nothing else",
    "show": "history show takes one ID (42, '\"abc\"' or @SERIAL)",
    "export": "history export takes one ID (42, '\"abc\"' or @SERIAL)",
    "search": "history search takes one TEXT; put words with blanks between them in quotes",
}


def run(options: Options) -> int:
    """Carry the verb out and give the exit code. Raises UsageError."""
    what, *words = options.words
    if what not in _WORDS:
        raise UsageError(f"history knows list, show ID, export ID and search TEXT, not {what!r}")
    if len(words) != _WORDS[what] or (words and not words[0]):
        raise UsageError(_WRONG[what])
    if what == "export" and options.form is None:
        raise UsageError(f"history export needs --as {'|'.join(FORMS)}")
    redactor = make_redactor(options)
    with contextlib.closing(open_history(options, redactor)) as history:
        if history.notice:
            warn(history.notice)
        match what:
            case "list":
                return _rows(options, history, history.recent(options.limit, automatic=options.everything))
            case "search":
                return _rows(options, history, history.search(words[0], options.limit, automatic=options.everything))
            case "show":
                one = _found(history, words[0])
                say_parts(record_parts(one) if options.json else human.exchange_parts(one))
                return 0
            case _:
                return _export(options, redactor, _found(history, words[0]))


def _rows(options: Options, history: History, rows: Iterable[HistoryRow]) -> int:
    """The rows as they are found: one record a line, or text."""
    if not options.json:
        found = list(rows)
        searched = options.words[0] == "search"
        say("No exchange in the history holds that text." if searched and not found else human.history_text(found))
        return 0
    for row in rows:
        exchange = history.get(row.serial)
        if exchange is not None:
            say_parts(record_parts(exchange))
    return 0


def _found(history: History, word: str) -> Exchange:
    """The newest exchange of an ID; how many others there are is told. Raises UsageError."""
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
        older = "1 older exchange has" if len(found) == 2 else f"{len(found) - 1} older exchanges have"
        warn(f"{older} the id {word}: {others}{' ...' if len(found) > 6 else ''}")
    return found[0]


def _export(options: Options, redactor: Redactor, exchange: Exchange) -> int:
    from olv_tui.reports.write import export, known_values

    values = known_values(options.target.headers, options.secrets) if options.with_secrets else None
    written = export(exchange, options.form or "json", redactor, shell=options.shell, secrets=values)
    for sentence in written.warnings:
        warn(sentence)
    say(written.text.removesuffix("\n"))
    return 0
