"""The words of the command line that are about cassettes.

Rules of this file: argparse and paths only; it lies on the way of `--help`.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

from olv_tui import given


@dataclass(frozen=True, slots=True)
class Tapes:
    """What the words say of cassettes.

    `record` is the file to record to, `append` whether it may be there already; `cassette` the one to play, `speed`
    times as fast as recorded (0: at once). `all` and `junit` belong to replay, `output` and `from_history` to the verb
    cassette.
    """

    record: Path | None = None
    append: bool = False
    cassette: Path | None = None
    speed: float = 1.0
    all: bool = False
    junit: Path | None = None
    output: Path | None = None
    from_history: bool = False


NOTHING = Tapes()
"""Nothing was said of cassettes."""

WITH_VALUE = frozenset({"--cassette", "--record", "--speed"})
"""Those that are followed by a value and may stand before a verb."""


def add_playing(parser: argparse.ArgumentParser, where: argparse._MutuallyExclusiveGroup) -> None:
    """--cassette as one of the places to send to, and how fast it is played."""
    where.add_argument("--cassette", metavar="FILE", help="a recorded session instead of a server, no network")
    parser.add_argument(
        "--speed", type=given.speed, metavar="X", help="with --cassette: X times as fast as recorded (0: at once)"
    )


def add_recording(parser: argparse.ArgumentParser) -> None:
    """--record and --append."""
    parser.add_argument("--record", metavar="FILE", help="record every exchange to this cassette (a new file)")
    parser.add_argument("--append", action="store_true", help="with --record: go on in a cassette that is there")


def add_checking(parser: argparse.ArgumentParser) -> None:
    """replay --all and --junit."""
    parser.add_argument("--all", action="store_true", help="send every call of a cassette or report, compare each")
    parser.add_argument("--junit", metavar="FILE", help="with --all: write the results as JUnit XML")


def add_verb(parser: argparse.ArgumentParser) -> None:
    """The verb cassette."""
    parser.add_argument("words", nargs="*", metavar="FILE", help="a cassette to look at; a HAR or a report to make one")
    parser.add_argument("-o", "--output", metavar="FILE", help="the cassette to write (a new file)")
    parser.add_argument("--from-history", action="store_true", help="make it of the history, handshakes included")
    parser.add_argument(
        "--limit", type=given.count, default=0, metavar="N", help="with --from-history: the newest N only (0: all)"
    )


def read(space: argparse.Namespace) -> Tapes:
    """What was given of all these."""

    def path(name: str) -> Path | None:
        word = getattr(space, name, None)
        return Path(word).expanduser() if word else None

    speed = getattr(space, "speed", None)
    return Tapes(
        record=path("record"),
        append=getattr(space, "append", False),
        cassette=path("cassette"),
        speed=1.0 if speed is None else speed,
        # `history list --all` is another one.
        all=getattr(space, "all", False) and hasattr(space, "junit"),
        junit=path("junit"),
        output=path("output"),
        from_history=getattr(space, "from_history", False),
    )
