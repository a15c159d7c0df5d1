"""A fault of our own, told without the secrets that stand around it.

Rules of this file: what is printed of a crash is the way to it and the message, masked, and no values of variables:
any of them may be a secret, also one that nobody configured.
"""

from __future__ import annotations

import os
import traceback
from typing import TYPE_CHECKING

from olv_tui.view.safe import visible

if TYPE_CHECKING:
    from olv_tui.redact import Redactor
    from olv_tui.screens.launch import Core, Launch


def redactor_of(core: Core | None, launch: Launch) -> Redactor:
    """The redactor of the run; before it is there, one that knows what the explorer was started with."""
    if core is not None:
        return core.redactor
    from olv_tui.redact import Redactor, secrets_in

    target = launch.target
    return Redactor(os.urandom(16), (*launch.secrets, *secrets_in(target.url, target.headers)))


def crash_text(error: BaseException, redactor: Redactor) -> str:
    """What is left on the terminal after a crash: the way to it, safe for a terminal."""
    told = "".join(traceback.format_exception(error))
    return visible(
        f"{redactor.text(told)}\nolv-tui: a fault of olv-tui itself, told above; what was sent is in the history."
    )
