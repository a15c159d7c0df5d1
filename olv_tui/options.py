"""The command line: words in, `Options` out; what is wrong is told in one sentence (`UsageError`).

Rules of this file:

* It reads words and the environment; it sends nothing and opens nothing but the settings file.
* Imports stay light: `olv-tui --help` is answered before a terminal toolkit or a client is loaded.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from . import __version__, given, history_flags
from .cassette import flags
from .config import (
    ONELIFEVIBE_URL,
    UsageError,
    expand_env,
    load_targets,
    parse_header,
    parse_url,
)
from .given import DEMO_MODES, EXPLORER_HELP
from .model import Era, Header, Target

VERBS = ("tools", "call", "send", "replay", "history", "cassette", "demo-server")
FORMS = history_flags.FORMS


class _Parser(argparse.ArgumentParser):
    """A parser that tells what is wrong in one sentence instead of printing its usage."""

    def error(self, message: str) -> NoReturn:
        for theirs, ours in _WORDS.items():
            message = message.replace(theirs, ours)
        raise UsageError(f"{message.removeprefix('argument ')} (see {self.prog} --help)")


_WORDS = {
    "expected one argument": "a value has to follow",
    "expected at least one argument": "a value has to follow",
    "the following arguments are required": "something is missing",
    "unrecognized arguments": "not known here",
    "invalid choice: ": "",
    "not allowed with argument ": "cannot stand beside ",
}
"""Words of argparse and ours."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the words mean. `verb` is None for the explorer; the other fields keep their defaults where unused."""

    verb: str | None
    target: Target
    secrets: tuple[str, ...] = ()
    demo: str | None = None
    history: Path | None = None
    no_history: bool = False
    theme: str | None = None
    json: bool = False
    words: tuple[str, ...] = ()
    request_id: str | None = None
    limit: int = 50
    everything: bool = False
    port: int = 0
    aimed: bool = False
    """Whether --url, --target or --demo said where to send."""
    config: Path | None = None
    dry_run: bool = False
    with_secrets: bool = False
    repeat: int = 1
    ignore: tuple[str, ...] = ()
    number: int | None = None
    """Which call of a report, counted from 1."""
    form: str | None = None
    shell: str = "posix"
    tapes: flags.Tapes = flags.NOTHING
    saved: str | None = None
    """The saved call that is to be called."""
    keep: tuple[int | None, float | None, float | None] = (None, None, None)
    """How many exchanges, megabytes and days are kept by `history compact`."""


def parse(argv: Sequence[str], environ: Mapping[str, str] = os.environ) -> Options:
    """Read the command line.

    Raises UsageError for wrong usage, SystemExit(0) after printing --help or --version.
    """
    verb = _verb(argv)
    if verb is None:
        if "-h" in argv or "--help" in argv:
            (sys.stdout or sys.stderr).write(EXPLORER_HELP)
            raise SystemExit(0)
        space = _explorer_parser().parse_args(list(argv))
        words: tuple[str, ...] = ()
    else:
        rest = list(argv)
        rest.remove(verb)
        space = _space(verb, rest)
        words = tuple(getattr(space, "words", ()))
        if verb == "call" and not words and space.saved is None:
            raise UsageError("something is missing: TOOL [ARGS], or --saved NAME (see olv-tui --help)")
    demo: str | None = space.demo
    history = Path(space.history).expanduser() if space.history else None
    if history is not None and os.path.isdir(history):  # noqa: PTH112  it never raises, whatever the name
        raise UsageError(
            f"--history names the folder {history}; it takes a file, such as {history / 'history.sqlite3'}"
        )
    config = Path(space.config).expanduser() if space.config else None
    if config is not None:
        load_targets(config)  # one that is named has to be sound, whoever reads it then
    target, secrets = _target(space, environ)
    return Options(
        verb=verb,
        target=target,
        secrets=secrets,
        demo=demo,
        history=history,
        no_history=space.no_history,
        theme=getattr(space, "theme", None),
        config=config,
        json=getattr(space, "json", False),
        words=words,
        request_id=getattr(space, "id", None),
        limit=getattr(space, "limit", 50),
        everything=getattr(space, "all", False),
        port=getattr(space, "port", 0),
        aimed=bool(space.url or space.target or space.cassette or space.demo is not None),
        dry_run=getattr(space, "dry_run", False),
        with_secrets=getattr(space, "with_secrets", False),
        repeat=getattr(space, "repeat", 1),
        ignore=tuple(getattr(space, "ignore", ())),
        number=getattr(space, "call", None),
        form=getattr(space, "form", None),
        shell=getattr(space, "shell", "posix"),
        tapes=flags.read(space),
        saved=getattr(space, "saved", None),
        keep=(getattr(space, "keep_count", None), getattr(space, "keep_mb", None), getattr(space, "keep_days", None)),
    )


_WITH_VALUE = frozenset(
    {"--url", "--target", "--era", "-H", "--header", "--bearer-env", "--timeout", "--history", "--config", "--theme"}
    | {"--max-body"}
    | flags.WITH_VALUE
)


def _verb(argv: Sequence[str]) -> str | None:
    """The first plain word, where it is a verb: options may stand before it."""
    word = _first_word(argv, _WITH_VALUE)
    return word if word in VERBS else None


def _first_word(argv: Sequence[str], with_value: frozenset[str]) -> str | None:
    skip = False
    for position, word in enumerate(argv):
        if skip:
            skip = False
        elif word in with_value:
            skip = True
        elif word == "--demo":
            skip = argv[position + 1 : position + 2] != [] and argv[position + 1] in DEMO_MODES
        elif not word.startswith("-"):
            return word
    return None


def _space(verb: str, words: list[str]) -> argparse.Namespace:
    """What was given to a verb."""
    if verb != "history":
        return _verb_parser(verb).parse_args(words)
    what = _first_word(words, _WITH_VALUE | history_flags.WITH_VALUE)
    parser = _verb_parser(verb, what)
    history_flags.shorten(parser, what)
    return parser.parse_intermixed_args(words)  # a QUERY may stand behind options


def _common(parser: argparse.ArgumentParser) -> None:
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--url", metavar="URL", help=f"where to send (default {ONELIFEVIBE_URL})")
    where.add_argument("--target", metavar="NAME", help="a target of the settings file")
    where.add_argument(
        "--demo", nargs="?", const="", type=given.mode, metavar="MODE",
        help="the embedded demo server: plain, unlinked or sessions",
    )  # fmt: skip
    flags.add_playing(parser, where)
    parser.add_argument(
        "--era", choices=[str(era) for era in Era], help="how requests are dressed (default: found out)"
    )
    parser.add_argument(
        "-H", "--header", action="append", default=[], metavar="'Name: value'", help="a header to send along"
    )
    parser.add_argument("--bearer-env", metavar="VAR", help="send the value of this variable as bearer token")
    parser.add_argument(
        "--timeout", type=given.seconds, metavar="S", help="seconds for one whole exchange (default 30)"
    )
    parser.add_argument(
        "--max-body", type=given.size, metavar="SIZE", help="how much of an answer is kept in memory: 64MB"
    )
    parser.add_argument("--history", metavar="PATH", help="the history file")
    parser.add_argument("--no-history", action="store_true", help="keep nothing")
    parser.add_argument("--config", metavar="PATH", help="the settings file")
    parser.add_argument("--insecure", action="store_true", help="do not check certificates")


def _explorer_parser() -> _Parser:
    parser = _Parser(prog="olv-tui", add_help=False, allow_abbrev=False)
    parser.add_argument("where", nargs="?", metavar="URL | TARGET")
    _common(parser)
    flags.add_recording(parser)
    parser.add_argument("--theme", metavar="NAME")
    parser.add_argument("--version", action="version", version=f"olv-tui {__version__}")
    return parser


_ABOUT = {
    "tools": "List the tools of a server.",
    "call": "Call a tool and print what came of it.",
    "send": "Post the bytes of a file (or of standard input: -) exactly as they are.",
    "replay": "Send what a report tells (curl, HTTPie, HAR, log line, issue, our own report) and compare the answer."
    " Exit code 0: the reported answer came, 9: another one; the verdict's own where the report tells no answer."
    " With --all: 0: all were reproduced, 9: some were not; the verdict's own where the handshake failed.",
    "history": "What was sent before.",
    "cassette": "Tell what is on a cassette; with -o make one of a HAR, of a report that tells its answers, or of the"
    " history.",
    "demo-server": "Run the embedded demo server (invented data) alone, until ctrl+c.",
}


def _verb_parser(verb: str, what: str | None = None) -> _Parser:
    parser = _Parser(prog=f"olv-tui {verb}", description=_ABOUT[verb], allow_abbrev=False)
    if verb == "call":
        told = "ARGS: a JSON object, @file, -, or pairs key=text key:=json"
        parser.add_argument("words", nargs="*", metavar="TOOL [ARGS]", help=told)
        parser.add_argument("--saved", metavar="NAME", help="a saved call; TOOL before it where several have the name")
        parser.add_argument("--id", metavar="JSON", help="the request id, as JSON: 7, '\"abc\"', 1.0, null")
    elif verb == "send":
        parser.add_argument("words", nargs=1, metavar="FILE|-")
    elif verb == "replay":
        _replay_options(parser)
    elif verb == "history":
        history_flags.add(parser, what)
    elif verb == "cassette":
        flags.add_verb(parser)
    elif verb == "demo-server":
        parser.add_argument("--port", type=given.port, default=0, metavar="N", help="the port (default: a free one)")
    if verb != "demo-server":
        parser.add_argument("--json", action="store_true", help="print the record, one JSON object a line")
    if verb in ("tools", "call", "send"):
        flags.add_recording(parser)
    _common(parser)
    return parser


def _replay_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("words", nargs=1, metavar="REPORT|CASSETTE|-")
    flags.add_checking(parser)
    parser.add_argument("--dry-run", action="store_true", help="send nothing, tell what would be sent")
    parser.add_argument(
        "--call", type=given.ordinal, metavar="N", help="which one, where the report tells several calls"
    )
    parser.add_argument(
        "--repeat", type=given.ordinal, default=1, metavar="N", help="send it N times and tell how often"
    )
    parser.add_argument(
        "--ignore", type=given.pointer, action="append", default=[], metavar="POINTER",
        help="do not compare this place: /result/content/0/text, /result/*/time",
    )  # fmt: skip
    parser.add_argument(
        "--with-secrets", action="store_true",
        help="send (or with --dry-run show) the credentials that stand in the report, whatever the address",
    )  # fmt: skip


def _target(space: argparse.Namespace, environ: Mapping[str, str]) -> tuple[Target, tuple[str, ...]]:
    """The target that the options name, and the secret values that went into it."""
    where: str | None = getattr(space, "where", None)
    if where is not None and (space.url or space.target or space.cassette or space.demo is not None):
        # The address is not repeated: there may be a password in it.
        raise UsageError(
            "an address and --url, --target, --cassette or --demo both say where to send; give one of them"
        )
    base = _base_target(space, where)
    headers, secrets = expanded((*base.headers, *(parse_header(text) for text in space.header)), environ)
    if space.bearer_env:
        token = environ.get(space.bearer_env)
        if not token:
            raise UsageError(f"--bearer-env names {space.bearer_env}, and that variable is not set or empty")
        parse_header(f"Authorization: Bearer {token}")
        headers.append(("Authorization", f"Bearer {token}"))
        secrets.append(token)
    target = Target(
        name=base.name,
        url=base.url,
        headers=tuple(headers),
        era=Era(space.era) if space.era else base.era,
        timeout=space.timeout if space.timeout is not None else base.timeout,
        max_body=space.max_body if space.max_body is not None else base.max_body,
        insecure=space.insecure or base.insecure,
        production=base.production,
        demo=space.demo is not None,
        cassette=space.cassette is not None,
        variables=base.variables,
    )
    return target, tuple(secrets)


def expanded(headers: Iterable[Header], environ: Mapping[str, str]) -> tuple[list[Header], list[str]]:
    """Headers with their `${VAR}` filled in, and the values used. Raises UsageError."""
    found: list[Header] = []
    secrets: list[str] = []
    for name, value in headers:
        text, used = expand_env(value, environ)
        secrets += used
        found.append((name, text))
    return found, secrets


def _base_target(space: argparse.Namespace, where: str | None) -> Target:
    if space.demo is not None:
        return Target("demo", "")
    if space.cassette:
        return Target("cassette", "")
    if space.url:
        return Target("", parse_url(space.url))
    name: str | None = space.target or where
    if name is None:
        return Target("OneLifeVibe", ONELIFEVIBE_URL)
    if where is not None and ("://" in where or "/" in where or ":" in where or where == "localhost"):
        return Target("", parse_url(where))
    targets = load_targets(Path(space.config).expanduser() if space.config else None)
    if name in targets:
        return targets[name]
    known = f"the settings file has {', '.join(sorted(targets))}" if targets else "the settings file has none"
    verbs = "" if space.target else f", and no verb ({', '.join(VERBS)})"
    raise UsageError(f"{name!r} is no address (http://...), no target ({known}){verbs}")
