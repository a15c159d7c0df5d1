"""The command line: words in, `Options` out; what is wrong is told in one sentence (`UsageError`).

Rules of this file:

* It reads words and the environment; it sends nothing and opens nothing but the settings file.
* Imports stay light: `olv-tui --help` is answered before a terminal toolkit or a client is loaded.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from . import __version__
from .config import ONELIFEVIBE_URL, UsageError, expand_env, load_targets, parse_header, parse_url
from .model import Era, Header, Target

VERBS = ("tools", "call", "send", "history", "demo-server")
DEMO_MODES = ("unlinked", "sessions")

_EXPLORER_HELP = f"""\
olv-tui {__version__}: terminal explorer for JSON-RPC 2.0 and MCP tools

usage:
  olv-tui [URL | TARGET] [options]     open the explorer (no address: {ONELIFEVIBE_URL})
  olv-tui --demo [unlinked|sessions]   open it on the embedded demo server (invented data)

without a screen:
  olv-tui tools                        list the tools of a server
  olv-tui call TOOL [ARGS]             call a tool; ARGS: a JSON object, @file, - or pairs key=text key:=json
  olv-tui send FILE|-                  post the bytes of a file exactly as they are
  olv-tui history list | show ID       what was sent before; ID is a request id (42, '"abc"') or @SERIAL
  olv-tui demo-server [--port N]       run the demo server alone
  olv-tui VERB --help                  more about one of them

options:
  --url URL | --target NAME            where to send; TARGET names come from the settings file
  --demo [unlinked|sessions]           the embedded demo server instead
  --era auto|modern|legacy|bare        how requests are dressed (default: found out)
  -H, --header 'Name: value'           a header to send along; ${{VAR}} is taken from the environment
  --bearer-env VAR                     send the value of VAR as bearer token
  --timeout S                          seconds for one whole exchange (default 30)
  --history PATH | --no-history        where exchanges are kept
  --config PATH                        the settings file
  --insecure                           do not check certificates
  --theme NAME                         colours of the explorer
  --json                               (without a screen) print records instead of text
  --version, --help

exit codes: 0 result or accepted, 3 tool error, 4 JSON-RPC error, 5 HTTP error, 6 invalid response,
7 transport error, 8 input required, 130 cancelled, 2 wrong usage, 1 a fault of olv-tui itself
"""


class _Parser(argparse.ArgumentParser):
    """A parser that tells what is wrong in one sentence instead of printing its usage."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see olv-tui --help)")


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


def parse(argv: Sequence[str], environ: Mapping[str, str] = os.environ) -> Options:
    """Read the command line.

    Raises UsageError for wrong usage, SystemExit(0) after printing --help or --version.
    """
    verb = _verb(argv)
    if verb is None:
        if "-h" in argv or "--help" in argv:
            sys.stdout.write(_EXPLORER_HELP)
            raise SystemExit(0)
        space = _explorer_parser().parse_args(list(argv))
        words: tuple[str, ...] = ()
    else:
        rest = list(argv)
        rest.remove(verb)
        space = _verb_parser(verb).parse_args(rest)
        words = tuple(getattr(space, "words", ()))
    demo: str | None = space.demo
    target, secrets = _target(space, environ)
    return Options(
        verb=verb,
        target=target,
        secrets=secrets,
        demo=demo,
        history=Path(space.history).expanduser() if space.history else None,
        no_history=space.no_history,
        theme=getattr(space, "theme", None),
        json=getattr(space, "json", False),
        words=words,
        request_id=getattr(space, "id", None),
        limit=getattr(space, "limit", 50),
        everything=getattr(space, "all", False),
        port=getattr(space, "port", 0),
    )


_WITH_VALUE = frozenset(
    {"--url", "--target", "--era", "-H", "--header", "--bearer-env", "--timeout", "--history", "--config", "--theme"}
)


def _verb(argv: Sequence[str]) -> str | None:
    """The first plain word, where it is a verb: options may stand before it."""
    skip = False
    for position, word in enumerate(argv):
        if skip:
            skip = False
        elif word in _WITH_VALUE:
            skip = True
        elif word == "--demo":
            skip = argv[position + 1 : position + 2] != [] and argv[position + 1] in DEMO_MODES
        elif not word.startswith("-"):
            return word if word in VERBS else None
    return None


def _common(parser: argparse.ArgumentParser) -> None:
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--url", metavar="URL", help=f"where to send (default {ONELIFEVIBE_URL})")
    where.add_argument("--target", metavar="NAME", help="a target of the settings file")
    where.add_argument(
        "--demo", nargs="?", const="", choices=["", *DEMO_MODES], metavar="MODE",
        help="the embedded demo server: plain, unlinked or sessions",
    )  # fmt: skip
    parser.add_argument(
        "--era", choices=[str(era) for era in Era], help="how requests are dressed (default: found out)"
    )
    parser.add_argument(
        "-H", "--header", action="append", default=[], metavar="'Name: value'", help="a header to send along"
    )
    parser.add_argument("--bearer-env", metavar="VAR", help="send the value of this variable as bearer token")
    parser.add_argument("--timeout", type=_seconds, metavar="S", help="seconds for one whole exchange (default 30)")
    parser.add_argument("--history", metavar="PATH", help="the history file")
    parser.add_argument("--no-history", action="store_true", help="keep nothing")
    parser.add_argument("--config", metavar="PATH", help="the settings file")
    parser.add_argument("--insecure", action="store_true", help="do not check certificates")


def _explorer_parser() -> _Parser:
    parser = _Parser(prog="olv-tui", add_help=False, allow_abbrev=False)
    parser.add_argument("where", nargs="?", metavar="URL | TARGET")
    _common(parser)
    parser.add_argument("--theme", metavar="NAME")
    parser.add_argument("--version", action="version", version=f"olv-tui {__version__}")
    return parser


_ABOUT = {
    "tools": "List the tools of a server.",
    "call": "Call a tool and print what came of it.",
    "send": "Post the bytes of a file (or of standard input: -) exactly as they are.",
    "history": "Show what was sent before, newest first.",
    "demo-server": "Run the embedded demo server (invented data) alone, until ctrl+c.",
}


def _verb_parser(verb: str) -> _Parser:
    parser = _Parser(prog=f"olv-tui {verb}", description=_ABOUT[verb], allow_abbrev=False)
    if verb == "call":
        parser.add_argument("words", nargs="+", metavar="TOOL [ARGS]", help="ARGS: a JSON object, @file, -, or pairs")
        parser.add_argument("--id", metavar="JSON", help="the request id, as JSON: 7, '\"abc\"', 1.0, null")
    elif verb == "send":
        parser.add_argument("words", nargs=1, metavar="FILE|-")
    elif verb == "history":
        parser.add_argument("words", nargs="+", metavar="list | show ID")
        parser.add_argument("--limit", type=_count, default=50, metavar="N", help="how many (0: all; default 50)")
        parser.add_argument("--all", action="store_true", help="with the exchanges the program made for itself")
    elif verb == "demo-server":
        parser.add_argument("--port", type=_port, default=0, metavar="N", help="the port (default: a free one)")
    if verb != "demo-server":
        parser.add_argument("--json", action="store_true", help="print the record, one JSON object a line")
    _common(parser)
    return parser


def _seconds(text: str) -> float:
    value = float(text)
    if not 0 < value <= 86_400:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 86400 seconds")
    return value


def _count(text: str) -> int:
    value = int(text)
    if value < 0:
        raise argparse.ArgumentTypeError(f"{text} is less than 0")
    return value


def _port(text: str) -> int:
    value = int(text)
    if not 0 <= value <= 65_535:
        raise argparse.ArgumentTypeError(f"{text} is not a port (0 to 65535)")
    return value


def _target(space: argparse.Namespace, environ: Mapping[str, str]) -> tuple[Target, tuple[str, ...]]:
    """The target that the options name, and the secret values that went into it."""
    where: str | None = getattr(space, "where", None)
    if where is not None and (space.url or space.target or space.demo is not None):
        raise UsageError(f"{where!r} and --url, --target or --demo both say where to send; give one of them")
    base = _base_target(space, where)
    secrets: list[str] = []
    headers: list[Header] = []
    for name, value in (*base.headers, *(parse_header(text) for text in space.header)):
        expanded, used = expand_env(value, environ)
        secrets += used
        headers.append((name, expanded))
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
        insecure=space.insecure or base.insecure,
        production=base.production,
        demo=space.demo is not None,
    )
    return target, tuple(secrets)


def _base_target(space: argparse.Namespace, where: str | None) -> Target:
    if space.demo is not None:
        return Target("demo", "")
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
