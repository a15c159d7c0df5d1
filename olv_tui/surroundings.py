"""What a run stands on, verbs and explorer alike: the demo server, the redactor, the history, the session.

Rules of this file: everything is imported where it is made, since the explorer paints before it opens a
history or a connection, and only a demo pays for the catalogue.
"""

from __future__ import annotations

import gc
from dataclasses import replace
from typing import TYPE_CHECKING

from . import config
from .options import Options

if TYPE_CHECKING:
    from .demo.server import DemoServer
    from .history import History
    from .model import Target
    from .redact import Redactor
    from .screens.launch import Core, Launch


def start_demo(options: Options) -> tuple[Options, DemoServer | None]:
    """Start the embedded server where the options ask for it, and point the target at it."""
    if options.demo is None:
        return options, None
    from .demo.server import DemoServer  # only a demo pays for its catalogue

    server = DemoServer(options.demo)
    server.start()
    return replace(options, target=replace(options.target, url=server.url)), server


def make_redactor(options: Options) -> Redactor:
    """The redactor of this installation, told the secrets that the options carry."""
    from .redact import Redactor

    return Redactor(config.installation_key(config.data_dir()), options.secrets)


def open_history(options: Options, redactor: Redactor) -> History:
    """The history that the options name; in memory with --no-history. Raises HistoryError."""
    from .history import History

    if options.no_history:
        return History(None, redactor)
    return History(options.history or config.history_path(options.demo is not None), redactor)


def launch(options: Options) -> Launch:
    """What the explorer is started with: target and keys now, the rest once it has painted. Raises UsageError."""
    from .screens.launch import Launch

    keymap = config.load_keymap(options.config)
    return Launch(target=options.target, prepare=lambda: _prepare(options), theme=options.theme, keymap=keymap)


def _prepare(options: Options) -> Core:
    """Open everything that the first paint can do without. Raises LaunchError."""
    from .history import HistoryError
    from .screens.launch import Core, LaunchError
    from .session import Session
    from .transport.http import HttpTransport

    try:
        options, server = start_demo(options)
        redactor = make_redactor(options)
        history = open_history(options, redactor)
    except HistoryError as error:
        raise LaunchError(f"{error}; olv-tui --no-history goes on without one") from error
    except OSError as error:
        raise LaunchError(f"the demo server cannot start: {error}") from error
    session = Session(options.target, HttpTransport(insecure=options.target.insecure), history)
    if not gc.isenabled():
        # __main__.py turned it off. What is loaded by now stays until the end: it need not be looked at again.
        gc.freeze()
        gc.enable()
    close = None if server is None else server.stop
    known, wrong = _known(options)
    notice = history.notice or wrong
    return Core(options.target, session, history, redactor, notice=notice, close=close, known=known)


def _known(options: Options) -> tuple[dict[str, Target], str]:
    """The targets that can be turned to, and what is wrong with the settings that should tell them."""
    from .model import Target

    ours = {"OneLifeVibe": Target("OneLifeVibe", config.ONELIFEVIBE_URL)}
    try:
        return {**ours, **config.load_targets(options.config)}, ""
    except config.UsageError as error:
        return ours, f"The targets of the settings cannot be used: {error}"
