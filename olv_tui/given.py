"""The words of the command line: its help, and the values that options take.

Rules of this file: a value that is not right is told by an ArgumentTypeError in words that follow the option's name.
"""

from __future__ import annotations

import argparse

from . import __version__
from .config import MAX_TIMEOUT, ONELIFEVIBE_URL, read_size

DEMO_MODES = ("unlinked", "sessions")

EXPLORER_HELP = f"""\
olv-tui {__version__}: terminal explorer for JSON-RPC 2.0 and MCP tools

usage:
  olv-tui [URL | TARGET] [options]     open the explorer (no address: {ONELIFEVIBE_URL})
  olv-tui --demo [unlinked|sessions]   open it on the embedded demo server (invented data)

without a screen:
  olv-tui tools                        list the tools of a server
  olv-tui call TOOL [ARGS]             call a tool; ARGS: a JSON object, @file, - or pairs key=text key:=json
  olv-tui send FILE|-                  post the bytes of a file exactly as they are
  olv-tui replay REPORT|-              send what a report tells (curl, HAR, issue, log, ...) and compare the answer
  olv-tui history list | show ID       what was sent before; ID is a request id (42, '"abc"') or @SERIAL
  olv-tui history export ID --as FORM  one of it as curl, httpie, python, report, har or json
  olv-tui history search QUERY         such as 'helpbless.com tool:add verdict:tool_error is:starred today'
  olv-tui history star|note|saved|compact   marks, saved calls (call --saved NAME), and less of it
  olv-tui replay --all CASSETTE        send every call of a recorded session and compare each answer
  olv-tui cassette FILE [-o CASSETTE]  what is on a cassette; or make one of a HAR, a report, --from-history
  olv-tui demo-server [--port N]       run the demo server alone
  olv-tui VERB --help                  more about one of them

options:
  --url URL | --target NAME            where to send; TARGET names come from the settings file
  --demo [unlinked|sessions]           the embedded demo server instead
  --cassette FILE [--speed X]          a recorded session instead of a server
  --record FILE [--append]             record every exchange to a cassette
  --era auto|modern|legacy|bare        how requests are dressed (default: found out)
  -H, --header 'Name: value'           a header to send along; ${{VAR}} is taken from the environment
  --bearer-env VAR                     send the value of VAR as bearer token
  --timeout S                          seconds for one whole exchange (default 30)
  --max-body SIZE                      how much of an answer is kept in memory, such as 64MB (default 256MB, 0: all);
                                       a larger one goes on into a file beside the history
  --history PATH | --no-history        where exchanges are kept
  --config PATH                        the settings file
  --insecure                           do not check certificates
  --theme NAME                         colours of the explorer
  --json                               (without a screen) print records instead of text
  --version, --help

exit codes: 0 result or accepted, 3 tool error, 4 JSON-RPC error, 5 HTTP error, 6 invalid response,
7 transport error, 8 input required, 130 cancelled, 2 wrong usage, 1 a fault of olv-tui itself;
replay of a report that tells the answer: 0 the same answer came, 9 another one
"""


def mode(text: str) -> str:
    """A mode of the demo server."""
    if text not in ("", *DEMO_MODES):
        raise argparse.ArgumentTypeError(
            f"{text!r} is no mode of the demo: it may be {' or '.join(DEMO_MODES)}, or left out"
        )
    return text


def whole(text: str) -> int:
    """A whole number."""
    try:
        return int(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number") from error


def ordinal(text: str) -> int:
    """A whole number from 1 on."""
    value = whole(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is less than 1")
    return value


def pointer(text: str) -> str:
    """A JSON pointer (RFC 6901)."""
    if text and not text.startswith("/"):
        raise argparse.ArgumentTypeError(f"{text!r} is no JSON pointer: one begins with /")
    return text


def seconds(text: str) -> float:
    """Seconds, up to a day."""
    try:
        value = float(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds") from error
    if not 0 < value <= MAX_TIMEOUT:
        raise argparse.ArgumentTypeError(f"{text} is not more than 0 and at most {MAX_TIMEOUT:.0f} seconds (a day)")
    return value


def count(text: str) -> int:
    """A whole number from 0 on."""
    value = whole(text)
    if value < 0:
        raise argparse.ArgumentTypeError(f"{text} is less than 0")
    return value


def amount(text: str) -> float:
    """A number from 0 on."""
    try:
        value = float(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no number") from error
    if not 0 <= value <= 1e9:
        raise argparse.ArgumentTypeError(f"{text} is not a number from 0 to 1,000,000,000")
    return value


def speed(text: str) -> float:
    """How many times as fast, 0 for at once."""
    value = amount(text)
    if value > 1000:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 (at once) and 1000")
    return value


def size(text: str) -> int:
    """Bytes: `64MB`."""
    try:
        return read_size(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def port(text: str) -> int:
    """A port; 0 is any that is free."""
    value = whole(text)
    if not 0 <= value <= 65_535:
        raise argparse.ArgumentTypeError(f"{text} is not a port (0 to 65535)")
    return value
