"""Which target is talked to, and turning to another one.

Rules of this file:

* Turning to a target connects and lists; no call is sent by it.
* The history stays; what goes to another target is told apart there by its address.
* `${VAR}` in the headers of a known target is taken from the environment now, and is a secret from then on.
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from olv_tui.screens.desk import DeskScreen
from olv_tui.view.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from olv_tui.model import Target
    from olv_tui.screens.launch import Core

_NEW = "new"
_KEEP = "keep"


class AimingScreen(DeskScreen):
    """The part of the main screen that knows targets."""

    def known_targets(self) -> dict[str, Target]:
        """The targets of the settings, and those of this run, by name; headers keep their `${VAR}`."""
        core = self.core
        if core is None:
            return {}
        name = core.target.name or one_line(core.redactor.url(core.target.url), 80)
        return {**core.known, name: core.target}

    def name_of_origin(self) -> dict[str, str]:
        """The names of the known targets by their origin; the present one stands first."""
        from olv_tui.reports.aim import origin

        return {origin(target.url): name for name, target in reversed(self.known_targets().items())}

    def is_here(self, url: str) -> bool:
        """Whether an address is of the present target; a demo server has another port with every start."""
        from urllib.parse import urlsplit

        from olv_tui.reports.aim import origin

        core = self.core
        if core is None or not url:
            return True
        if origin(url) == origin(core.target.url):
            return True
        try:
            same = urlsplit(url).hostname == urlsplit(core.target.url).hostname
        except ValueError:
            return False
        return core.target.demo and same

    def ready_target(self, target: Target) -> Target | None:
        """A target with its `${VAR}` filled in; None, and a sentence, where one is not set."""
        from olv_tui.config import UsageError, expand_env

        headers: list[tuple[str, str]] = []
        secrets: list[str] = []
        try:
            for name, value in target.headers:
                text, used = expand_env(value, os.environ)
                headers.append((name, text))
                secrets += used
        except UsageError as error:
            self.say(f"Not turned to {target.name}: {error}.", "error")
            return None
        if self.core is not None:
            from olv_tui.redact import secret_variables, secrets_in

            found = (*secrets_in(target.url, headers), *secret_variables(target.variables))
            self.core.redactor.learn((*secrets, *found))
        return replace(target, headers=tuple(headers))

    def switch(self, target: Target) -> bool:
        """Turn to a target: connect and list. False: it cannot be (a variable that is not set)."""
        core = self.core
        ready = self.ready_target(target)
        if core is None or ready is None:
            return False
        from olv_tui.session import Session

        session = Session(ready, core.transport(ready), core.journal)
        known = {**core.known, **self.known_targets()}
        changed = replace(core, target=ready, session=session, known=known, notice="")
        self.core = changed
        self.state.clear_tools()
        self.tools_pane.clear()
        self.calls.switch(changed)
        told = f"Turned to {one_line(core.redactor.url(ready.url), 120)}. Nothing was called."
        of = "the demo" if self.launch.target.demo else "the cassette" if self.launch.target.cassette else ""
        if of and core.history.path is not None and not (ready.demo or ready.cassette):
            told += f" What you send is kept in the history of {of}; olv-tui ADDRESS opens your own."
        self.say(told)
        return True

    def action_switch_target(self) -> None:
        """Choose another target, or type an address."""
        self.pick_target("Turn to another target", lambda target: self.switch(target) and None)

    def pick_target(self, title: str, then: Callable[[Target], object]) -> None:
        """Let the reader choose a target that is not the present one, or type an address."""
        from olv_tui.config import UsageError, parse_url
        from olv_tui.model import Target
        from olv_tui.screens.picker import Choice, PickScreen

        core = self.core
        if core is None:
            self.say("The history is still being opened. Try again in a moment.")
            return
        known = {name: one for name, one in self.known_targets().items() if one.url != core.target.url}

        def choice(name: str, one: Target) -> Choice:
            mark = "PRODUCTION" if one.production else ""
            return Choice(name, name, mark, ((core.redactor.url(one.url), ""), ("A known target.", "dim")))

        def typed(text: str) -> Choice:
            try:
                parse_url(text)
            except UsageError as error:
                return Choice(text, text, refused=str(error))
            return Choice(text, text, "not saved", (("A new target by its address; it is not saved.", "dim"),))

        def taken(key: str | None) -> None:
            if key is not None:
                then(known[key] if key in known else Target("", key, timeout=core.target.timeout))

        choices = [choice(name, one) for name, one in known.items()]
        self.app.push_screen(PickScreen(title, choices, placeholder="filter, or an address", typed=typed), taken)

    def place(self, url: str, target: Target, then: Callable[[], None]) -> None:
        """Go on with `then` once it is settled where a call from `url` goes; `target` is what that address would be.

        A known target of the same origin is turned to; of any other address it is asked.
        """
        core = self.core
        if core is None or self.is_here(url):
            then()
            return
        name = self.name_of_origin().get(_origin(url))
        if name is not None:
            if self.switch(self.known_targets()[name]):
                then()
            return
        self._ask_place(core, url, target, then)

    def _ask_place(self, core: Core, url: str, target: Target, then: Callable[[], None]) -> None:
        from olv_tui.config import UsageError, parse_url
        from olv_tui.screens.picker import Choice, PickScreen

        here, there = core.redactor.url(core.target.url), core.redactor.url(url)
        try:
            parse_url(url)
            refused = ""
        except UsageError as error:
            refused = str(error)
        keep = (("The call is loaded for the server that is open now.", ""),)
        turn = (("Connects and lists there; no call is sent.", ""),)
        choices = [
            Choice(_KEEP, f"Keep the present target, {here}", "", keep),
            Choice(_NEW, f"Turn to {there}", "not saved", turn, refused),
        ]

        def taken(key: str | None) -> None:
            if key == _KEEP or (key == _NEW and self.switch(target)):
                then()
            elif key is None:
                self.say("Nothing was loaded: ctrl+t opens the box again.")

        self.app.push_screen(PickScreen("The report is of another server", choices, placeholder="filter"), taken)


def _origin(url: str) -> str:
    from olv_tui.reports.aim import origin

    return origin(url)
