"""What a run stands on, verbs and explorer alike: the demo server, the redactor, the history, the session.

Rules of this file: everything is imported where it is made, since the explorer paints before it opens a
history or a connection, and only a demo pays for the catalogue.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from . import config
from .model import Era, Target
from .options import Options

if TYPE_CHECKING:
    from .cassette.recorder import Recorder
    from .demo.server import DemoServer
    from .history import History
    from .redact import Redactor
    from .screens.launch import Core, Launch
    from .session import Journal
    from .transport.http import HttpTransport
    from .transport.keeping import Keeping


def start_demo(options: Options, tell: Callable[[str], None]) -> tuple[Options, DemoServer | None]:
    """Start the embedded server where the options ask for it, for the demo or for a cassette, and point the target at
    it. `tell` hears what a cassette lacks. Raises UsageError, OSError.
    """
    if options.tapes.cassette is not None:
        server, target = cassette_server(options, tell)
        server.start()
        return replace(options, target=replace(target, url=server.url)), server
    if options.demo is None:
        return options, None
    from .demo.server import DemoServer  # only a demo pays for its catalogue

    server = DemoServer(options.demo)
    server.start()
    return replace(options, target=replace(options.target, url=server.url)), server


def cassette_server(options: Options, tell: Callable[[str], None], port: int = 0) -> tuple[DemoServer, Target]:
    """A server that plays the cassette of the options, not started, and the target in the era of the recording.

    Raises UsageError where there is no cassette.
    """
    from .cassette.player import Player
    from .cassette.tape import Tape
    from .demo.server import DemoServer

    assert options.tapes.cassette is not None
    tape = Tape(options.tapes.cassette, tell)
    player = Player(tape, make_redactor(options), tell, speed=options.tapes.speed)
    era = tape.head.era if options.target.era is Era.AUTO else options.target.era
    return DemoServer(port=port, endpoint=player), replace(options.target, name=tape.head.name or "cassette", era=era)


def start_recording(options: Options, redactor: Redactor) -> Recorder | None:
    """The cassette that the options say to record to, opened. Raises UsageError."""
    if options.tapes.record is None:
        if options.tapes.append:
            raise config.UsageError("--append goes with --record FILE")
        return None
    from .cassette.recorder import Recorder, head_of

    head = head_of(options.target, redactor)
    return Recorder(options.tapes.record, head, redactor, append=options.tapes.append)


def taped(history: History, recorder: Recorder | None, tell: Callable[[str], None]) -> Journal:
    """The history, recorded as well where there is a recorder."""
    if recorder is None:
        return history
    from .cassette.recorder import Taping

    return Taping(history, recorder, tell)


def make_redactor(options: Options) -> Redactor:
    """The redactor of this installation, told the secrets that the options carry, in the target's address, headers
    and variables as well.
    """
    from .redact import Redactor, secret_variables, secrets_in

    target = options.target
    found = (*secrets_in(target.url, target.headers), *secret_variables(target.variables))
    secrets = (*options.secrets, *found)
    return Redactor(config.installation_key(config.data_dir()), secrets)


def open_history(options: Options, redactor: Redactor, *, only_file: bool = False) -> History:
    """The history that the options name; in memory with --no-history, and told so where its place takes no file.

    `only_file`: in that case it raises, as a history that is only read is no use in memory. Raises HistoryError.
    """
    from .history import History, UnwritableError

    if options.no_history:
        return History(None, redactor)
    own = config.data_dir() / "history-cassette.sqlite3" if options.tapes.cassette else None
    try:
        return History(options.history or own or config.history_path(options.demo is not None), redactor)
    except UnwritableError as error:
        if only_file:
            raise
        history = History(None, redactor)
        history.notice = f"{error}; this run is kept in memory and is gone when it ends"
        return history


def keep_to_limits(options: Options, history: History) -> str:
    """Delete from the history what the settings say is too much, and tell what went; "" where nothing did."""
    from .history import HistoryError
    from .view.words import counted

    try:
        keep = config.load_keep(options.config)
        if keep.is_everything or history.path is None:
            return ""
        gone = history.compact(keep, thrifty=True)
    except (config.UsageError, HistoryError) as error:
        return f"The history was not made smaller: {error}"
    if not gone.exchanges:
        return ""
    told = f"{counted(gone.exchanges, 'exchange')} ({gone.size / 1e6:,.1f} MB) went from the history"
    return f"{told}, as [history] keep in the settings says"


def keeping(options: Options, history: History, redactor: Redactor) -> Keeping:
    """How much of an answer is kept in memory, and where the rest goes: into files beside the history, into none
    where that keeps nothing. Raises UsageError.
    """
    from .transport.keeping import Keeping

    return Keeping(folder=history.bodies, redactor=redactor).capped(config.load_max_body(options.config))


def launch(options: Options) -> Launch:
    """What the explorer is started with: target and keys now, the rest once it has painted. Raises UsageError."""
    from .screens.launch import Launch

    keymap, mode = config.load_keymap(options.config), config.load_mode(options.config)
    _look_at_cassettes(options)
    return Launch(
        target=options.target,
        prepare=lambda: _prepare(options),
        theme=options.theme,
        keymap=keymap,
        mode=mode,
        secrets=options.secrets,
    )


def _look_at_cassettes(options: Options) -> None:
    """Say what is wrong with them before there is a screen. Raises UsageError."""
    if options.tapes.cassette is not None:
        from .cassette.tape import Tape

        Tape(options.tapes.cassette, lambda _: None).close()
    if options.tapes.record is not None:
        from .cassette.recorder import check

        check(options.tapes.record, append=options.tapes.append)
    elif options.tapes.append:
        raise config.UsageError("--append goes with --record FILE")


def transport_to(target: Target, kept: Keeping) -> HttpTransport:
    """The transport for a target, as its settings want it."""
    from .transport.http import HttpTransport

    return HttpTransport(insecure=target.insecure, keeping=kept.capped(target.max_body))


def _prepare(options: Options) -> Core:
    """Open everything that the first paint can do without. Raises LaunchError."""
    from .history import HistoryError
    from .screens.launch import Core, LaunchError
    from .session import Session

    try:
        options, server = start_demo(options, lambda _: None)  # what a cassette lacks is told by its answer
        redactor = make_redactor(options)
        history = open_history(options, redactor)
        recorder = start_recording(options, redactor)
        kept = keeping(options, history, redactor)
    except config.UsageError as error:
        raise LaunchError(str(error)) from error
    except HistoryError as error:
        raise LaunchError(f"{error}; olv-tui --no-history goes on without one") from error
    except OSError as error:
        raise LaunchError(f"the demo server cannot start: {error}") from error
    journal = taped(history, recorder, lambda sentence: setattr(history, "notice", sentence))
    session = Session(options.target, transport_to(options.target, kept), journal)
    if not gc.isenabled():
        # __main__.py turned it off. What is loaded by now stays until the end: it need not be looked at again.
        gc.freeze()
        gc.enable()
    known, wrong = _known(options)
    notice = history.notice or wrong or keep_to_limits(options, history)
    notice = notice or (f"recording to {recorder.path}" if recorder is not None else "")

    def close() -> None:
        if server is not None:
            server.stop()
        if recorder is not None:
            recorder.close()

    return Core(
        options.target, session, history, redactor, notice=notice, close=close, known=known, tape=journal, keeping=kept
    )


def _known(options: Options) -> tuple[dict[str, Target], str]:
    """The targets that can be turned to, and what is wrong with the settings that should tell them."""
    ours = {"OneLifeVibe": Target("OneLifeVibe", config.ONELIFEVIBE_URL)}
    try:
        return {**ours, **config.load_targets(options.config)}, ""
    except config.UsageError as error:
        return ours, f"The targets of the settings cannot be used: {error}"
