"""The verb history: list, search, show, export; star, note; saved calls; compact.

Rules of this file: a record has two members more, `starred` (true) and `note`, where the reader put such a mark.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING

from olv_tui import jsontext
from olv_tui.config import UsageError, load_keep
from olv_tui.history_flags import VERBS
from olv_tui.model import Exchange, Object, Verdict
from olv_tui.options import FORMS, Options
from olv_tui.reports import cut
from olv_tui.reports.record import record_parts
from olv_tui.surroundings import make_redactor, open_history
from olv_tui.verbs.base import say, say_parts, warn
from olv_tui.view import human
from olv_tui.view.safe import one_line
from olv_tui.view.words import counted

if TYPE_CHECKING:
    from olv_tui.history import History, HistoryRow, SavedCall
    from olv_tui.history.query import Query

_ID = "one ID (42, '\"abc\"' or @SERIAL)"
_ABSENT = "the history holds no exchange {}; olv-tui history list shows what it holds"
_WRONG = {
    "list": "history list takes at most one QUERY; put several words in quotes",
    "search": "history search takes one QUERY; put words with blanks between them in quotes",
    "note": f"history note takes {_ID} and a TEXT in quotes; an empty one takes the note away",
    "saved": "history saved takes nothing else",
    "compact": "history compact takes only options: --keep-count N, --keep-days N, --keep-mb N, --dry-run",
}


def run(options: Options) -> int:
    """Carry the verb out and give the exit code. Raises UsageError."""
    what, *words = options.words or ("",)
    if what not in VERBS:
        known = f"history needs to know what to do: {', '.join(VERBS)}"
        raise UsageError(f"{known}{f', not {what!r}' if what else ''}; see olv-tui history --help")
    if not VERBS[what].least <= len(words) <= VERBS[what].most or (words and not words[0]):
        raise UsageError(_WRONG.get(what, f"history {what} takes {_ID}"))
    if what == "export" and options.form is None:
        raise UsageError(f"history export needs --as {'|'.join(FORMS)}")
    redactor = make_redactor(options)
    with contextlib.closing(open_history(options, redactor, only_file=True)) as history:
        if history.notice:
            warn(history.notice)
        match what:
            case "list" | "search":
                return _rows(options, history, _query(words))
            case "show":
                return _show(options, history, _found(history, words[0]))
            case "star" | "unstar" | "note":
                return _mark(history, what, _found(history, words[0]), words[-1])
            case "delete":
                return _delete(history, words[0])
            case "saved":
                return _saved(options, history)
            case "compact":
                return _compact(options, history)
            case _:
                return _export(options, history, _found(history, words[0]))


# --------------------------------------------------------------------------- finding


def _query(words: list[str]) -> Query:
    from olv_tui.history.query import parse_query

    query = parse_query(words[0] if words else "", datetime.now().astimezone())
    if query.faults:
        raise UsageError(query.faults[0])
    return query


def _rows(options: Options, history: History, query: Query) -> int:
    """The rows as they are found: one record a line, or text. 1 where a record could not be read."""
    from olv_tui.history import HistoryError

    if query.is_empty:
        rows: Iterable[HistoryRow] = history.recent(options.limit, automatic=options.everything)
    else:
        rows = history.find(query, options.limit, automatic=options.everything)
    if not options.json:
        found = list(rows)
        say(human.history_text(found) if found or query.is_empty else _nothing(options, history, query))
        return 0
    code = 0
    for row in rows:
        try:
            exchange = history.get(row.serial)
        except HistoryError as error:  # one that is damaged hides none of the others
            warn(str(error))
            code = 1
            continue
        if exchange is not None:
            say_parts(_record(exchange, row))
    return code


def _nothing(options: Options, history: History, query: Query) -> str:
    """That nothing fits, what was looked for, and where it may be all the same."""
    asked = one_line(options.words[1], 200)
    is_text = all(term.key == "text" and not term.negative for term in query.terms)
    told = f"No exchange in the history {'holds' if is_text else 'fits'} {asked!r}."
    if options.everything or next(history.find(query, 1, automatic=True), None) is None:
        return told
    return f"{told} What the program made for itself does: --all shows it."


def _record(exchange: Exchange, row: HistoryRow | None) -> Iterator[str]:
    """The record, with the marks of the reader where there are some."""
    marks = Object()
    if row is not None and row.starred:
        marks["starred"] = True
    if row is not None and row.note:
        marks["note"] = row.note
    for part in record_parts(exchange):
        yield f",{jsontext.dumps(marks)[1:]}" if part == "}" and marks else part


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
        raise UsageError(_ABSENT.format(word))
    if len(found) > 1:
        others = ", ".join(f"@{item.serial}" for item in found[1:6])
        older = "1 older exchange has" if len(found) == 2 else f"{len(found) - 1} older exchanges have"
        warn(f"{older} the id {word}: {others}{' ...' if len(found) > 6 else ''}")
    return found[0]


def _show(options: Options, history: History, one: Exchange) -> int:
    row = history.row(one.serial)
    if sentence := cut.told(one):
        warn(sentence)
    if options.json:
        say_parts(_record(one, row))
        return 0
    say_parts(human.exchange_parts(one))
    if row is not None and (row.starred or row.note):
        say(f"\n{'★ ' if row.starred else ''}{one_line(row.note, 2000)}".rstrip())
    return 0


# --------------------------------------------------------------------------- marks and saved calls


def _mark(history: History, what: str, one: Exchange, text: str) -> int:
    if what == "note":
        history.annotate(one.serial, text.strip())
        warn(f"@{one.serial} has {'the note now' if text.strip() else 'no note any more'}")
    else:
        history.star(one.serial, what == "star")
        warn(f"@{one.serial} {'is starred' if what == 'star' else 'has no star any more'}")
    return 0


def _delete(history: History, word: str) -> int:
    """Rows are enough: what is damaged can be deleted as well."""
    one = history.row(int(word[1:])) if word.startswith("@") and word[1:].isdigit() else None
    rows = [one] if one is not None else [] if word.startswith("@") else history.rows_by_id(word)
    if not rows:
        raise UsageError(_ABSENT.format(word))
    if len(rows) > 1:
        serials = ", ".join(f"@{row.serial}" for row in rows[:9])
        raise UsageError(f"{len(rows)} exchanges have the id {word}: say which by its serial, {serials}")
    serial, verdict = rows[0].serial, rows[0].verdict
    if verdict is Verdict.PENDING:
        raise UsageError(f"@{serial} is not ended yet; it can be deleted then")
    stays = history.delete(serial)
    warn(f"@{serial} is deleted{f'; {stays}' if stays else ''}")
    return 0


def _saved(options: Options, history: History) -> int:
    """All saved calls: one JSON object a line, or text."""
    calls = history.saved()
    if options.json:
        for call in calls:
            say(jsontext.dumps(_members(call)))
        return 0
    for call in calls:
        what = call.arguments if call.arguments is not None else call.envelope or ""
        note = f"  ({one_line(call.note, 60)})" if call.note else ""
        of = one_line(call.tool or call.method or "-", 40)
        say(f"{one_line(call.name, 40):<20} {of:<24} {one_line(what, 100)}{note}")
    if not calls:
        say("No call is saved yet; in the explorer ctrl+p, Save this call as …")
    return 0


def _members(call: SavedCall) -> Object:
    return Object([
        ("name", call.name), ("tool", call.tool), ("method", call.method), ("arguments", call.arguments),
        ("envelope", call.envelope), ("headers", [list(one) for one in call.headers]),
        ("era", str(call.era) if call.era else None), ("note", call.note),
    ])  # fmt: skip


# --------------------------------------------------------------------------- less of it


def _compact(options: Options, history: History) -> int:
    from olv_tui.history import Keep

    count, megabytes, days = options.keep
    keep = Keep(count, megabytes, days)
    if keep.is_everything:
        keep = load_keep(options.config)
    if keep.is_everything:
        raise UsageError(
            "history compact needs to know what to keep: --keep-count N, --keep-days N or --keep-mb N, or"
            " [history] keep = {...} in the settings"
        )
    gone = history.compact(keep, dry_run=options.dry_run)
    went = "would go" if options.dry_run else "went"
    spared = f"; {counted(gone.spared, 'older one')} with a star or a note {_stays(gone.spared)}" if gone.spared else ""
    files = f"; {counted(gone.orphans, 'file')} of large bodies that belonged to none {went}" if gone.orphans else ""
    say(
        f"{counted(gone.exchanges, 'exchange')} ({gone.size / 1e6:,.1f} MB) {went}, {gone.left:,} {_stays(gone.left)}"
        f"{spared}{files}."
    )
    if gone.notice:
        warn(gone.notice)
    return 0


def _stays(number: int) -> str:
    return "stays" if number == 1 else "stay"


def _export(options: Options, history: History, exchange: Exchange) -> int:
    from olv_tui.reports.against_schema import listed_tool
    from olv_tui.reports.write import export, known_values

    values = known_values(options.target.headers, options.secrets) if options.with_secrets else None
    form, tool = options.form or "json", listed_tool(history, exchange) if options.form == "report" else None
    written = export(exchange, form, history.redactor, shell=options.shell, secrets=values, tool=tool)
    for sentence in written.warnings:
        warn(sentence)
    say(written.text.removesuffix("\n"))
    return 0
