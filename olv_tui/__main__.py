"""The entry: reads the command line and hands over to a verb or to the explorer.

Rules of this file: nothing heavy at the top, so that --help and wrong usage are answered at once; every
wrong usage ends with exit code 2 and one sentence on stderr.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence

from .config import UsageError
from .options import Options, parse


def main(argv: Sequence[str] | None = None) -> int:
    """Run olv-tui and give its exit code (design: 0-8 by verdict, 1 own fault, 2 wrong usage, 130 cancelled)."""
    options: Options | int = 2
    try:
        options = _parsed(sys.argv[1:] if argv is None else argv)
        if isinstance(options, int):
            return options
        if options.verb is not None:
            return _run_verb(options)
        return _explore(options)
    except UsageError as error:
        return _say(str(error), 2)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader of our output went away (`| head`): nothing is wrong, and nothing can be said.
        _drop_output()
        return 0
    except Exception as error:
        return _tell_fault(error, options)


def _parsed(argv: Sequence[str]) -> Options | int:
    """The options, or the exit code where --help or --version was all that was asked for. Raises UsageError."""
    try:
        try:
            return parse(argv)
        except SystemExit:
            if sys.stdout is not None:
                sys.stdout.flush()
            return 0
    except BrokenPipeError:
        raise
    except OSError as error:
        _drop_output()
        return _say(f"the output cannot be written: {error.strerror}", 1)


def _tell_fault(error: Exception, options: Options | int) -> int:
    """Tell a fault of our own without the secrets that the command line holds; in debugging with the way to it."""
    import traceback

    from .redact import Redactor, secrets_in
    from .view.safe import visible

    target = None if isinstance(options, int) else options.target
    known = () if target is None else secrets_in(target.url, target.headers)
    redactor = Redactor(os.urandom(16), (*(() if isinstance(options, int) else options.secrets), *known))
    if os.environ.get("OLV_TUI_DEBUG") and sys.stderr is not None:
        sys.stderr.write(visible(redactor.text("".join(traceback.format_exception(error)))))
        return 1
    told = redactor.text(f"{type(error).__name__}: {error}")
    return _say(f"a fault of olv-tui itself: {told} (OLV_TUI_DEBUG=1 shows where)", 1)


def _drop_output() -> None:
    """What is still to be written goes nowhere: else Python tries once more at its end, and complains."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run_verb(options: Options) -> int:
    from . import cli
    from .history import HistoryError
    from .verbs.base import OutputError

    try:
        return cli.run(options)
    except OutputError as error:
        _drop_output()
        return _say(str(error), 1)
    except HistoryError as error:
        needed = options.verb == "history" or options.tapes.from_history
        return _say(f"{error}{'' if needed else '; --no-history goes on without one'}", 1)


def _explore(options: Options) -> int:
    """Open the explorer: refuses where there is no terminal, since Textual would wait there for ever."""
    if not all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)):
        raise UsageError(
            "the explorer needs a terminal on stdin and stdout; without one use olv-tui tools, call or send"
        )
    if os.environ.get("TERM") == "dumb":
        raise UsageError(
            "the explorer paints, and TERM=dumb names a terminal that cannot; olv-tui tools, call or send can"
        )
    # Nothing that start-up makes is garbage, and the collector would go over it again and again: without it the
    # first paint comes 40 ms earlier of 250. surroundings.py turns it on again when all is loaded.
    gc.disable()
    from .app import OlvApp
    from .surroundings import launch

    app = OlvApp(launch(options))
    app.run()
    # After a crash `run` gives None like a plain end; only the return code tells them apart.
    return 1 if app.return_code is None else app.return_code


def _say(sentence: str, code: int) -> int:
    from .view.safe import one_line

    if sys.stderr is not None:
        sys.stderr.write(f"olv-tui: {one_line(sentence)}\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
