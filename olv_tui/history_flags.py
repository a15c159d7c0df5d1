"""The words of the command line that are about the history: what each of its verbs takes, and its help.

Rules of this file:

* argparse only; it lies on the way of `--help`.
* A verb takes the options that mean something to it, and its help is one short page.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from . import given

FORMS = ("curl", "httpie", "python", "report", "har", "json")
"""The forms of `history export`."""

WITH_VALUE = frozenset({"--as", "--shell", "--limit", "--keep-count", "--keep-days", "--keep-mb"})
"""Options of these verbs that are followed by a value."""

_ID = "ID: a request id (42, '\"abc\"'; the newest of several) or @SERIAL."
_QUERY = (
    "QUERY: words that are looked for in tool, bodies, headers, verdict and note; tool:add method:ping"
    " verdict:tool_error status:5xx target:host is:starred is:failed has:note today since:2h '>2026-12-01' say what"
    " they look at, and a minus before one means not."
)
_SHOWN = frozenset({"--history", "--demo", "--config", "--json", "--help"})
_OWN = frozenset({"--limit", "--all", "--as", "--shell", "--with-secrets", "--dry-run"}) | {
    f"--keep-{word}" for word in ("count", "days", "mb")
}
_GIVEN = "-H, --bearer-env, --target"
_REST = "All other options are told by olv-tui --help."


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb of the history: its words as in the help, how many at least and at most, and what it does."""

    words: str
    least: int
    most: int
    about: str
    more: str = ""


VERBS = {
    "list": Verb("[QUERY]", 0, 1, "list what was sent before, newest first", _QUERY),
    "search": Verb("QUERY", 1, 1, "list what fits", _QUERY),
    "show": Verb("ID", 1, 1, "show one exchange whole", _ID),
    "export": Verb("ID", 1, 1, "write one for others, secrets masked", _ID),
    "star": Verb("ID", 1, 1, "put a star on one; compact spares it", _ID),
    "unstar": Verb("ID", 1, 1, "take the star away", _ID),
    "note": Verb("ID TEXT", 2, 2, "put a note on one; an empty TEXT takes it away", _ID),
    "delete": Verb("ID", 1, 1, "delete one for good, with its file of a large body", _ID),
    "saved": Verb("", 0, 0, "list the saved calls; call --saved NAME sends one"),
    "compact": Verb(
        "", 0, 0, "delete what is beyond a number, an age or a size",
        "Without an option the limits are those of [history] keep in the settings. What has a star or a note stays."
        " Files of large bodies go with their exchanges, and so do those that belong to none.",
    ),
}  # fmt: skip


def about() -> str:
    """All verbs, one a line."""
    lines = [f"  {f'{name} {verb.words}'.strip():<16} {verb.about}" for name, verb in VERBS.items()]
    return "What was sent before: look at it, mark it, hand it on, delete it.\n\n" + "\n".join(lines)


def add(parser: argparse.ArgumentParser, what: str | None) -> None:
    """What the verb `what` takes; with None, or one that is not known, what all of them take together."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    verb = VERBS.get(what or "")
    if verb is None:
        parser.description = about()
        parser.usage = f"{parser.prog} VERB [options]"
        parser.epilog = f"olv-tui history VERB --help tells more about one of them. {_REST}"
        parser.add_argument("words", nargs="*", metavar="VERB")
    else:
        import textwrap

        parser.prog = f"{parser.prog} {what}"
        parser.usage = f"{parser.prog}{f' {verb.words}' if verb.words else ''} [options]"
        parser.description = "\n\n".join(
            textwrap.fill(text, 100) for text in (f"{verb.about[0].upper()}{verb.about[1:]}.", verb.more) if text
        )
        parser.epilog = _REST
        parser.add_argument("words", nargs="*", metavar="WORDS", help=argparse.SUPPRESS)
    if verb is None or what in ("list", "search"):
        parser.add_argument("--limit", type=given.count, default=50, metavar="N", help="how many (0: all; default 50)")
        parser.add_argument("--all", action="store_true", help="with the exchanges the program made for itself")
    if verb is None or what == "export":
        parser.add_argument("--as", dest="form", choices=FORMS, help="the form")
        parser.add_argument("--shell", choices=("posix", "powershell"), default="posix", help="with --as curl: for it")
        parser.add_argument(
            "--with-secrets",
            action="store_true",
            help=f"put in the secrets given anew here ({_GIVEN})",
        )
    if verb is None or what == "compact":
        parser.add_argument("--keep-count", type=given.count, metavar="N", help="so many of the newest stay")
        parser.add_argument("--keep-days", type=given.amount, metavar="N", help="what is younger than that stays")
        parser.add_argument("--keep-mb", type=given.amount, metavar="N", help="so many megabytes of the newest stay")
        parser.add_argument("--dry-run", action="store_true", help="delete nothing, tell how much would go")


def shorten(parser: argparse.ArgumentParser, what: str | None) -> None:
    """Leave out of the help what has nothing to do with a verb; a verb that is not known has the most common ones."""
    shown = _SHOWN if what not in VERBS else {*_SHOWN, *_OWN}
    for action in parser._actions:
        if not shown.intersection(action.option_strings):
            action.help = argparse.SUPPRESS
        if "--demo" in action.option_strings:
            action.help = "the history of the demo"
