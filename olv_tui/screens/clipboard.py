"""The clipboard of the explorer: one way out for everything that is copied, and a note that tells the truth.

Rules of this file: tools and files are waited for in a thread, and a note comes when it is known what happened.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from olv_tui.view.safe import one_line

if TYPE_CHECKING:
    from textual.app import App


def copy_out(app: App[Any], text: str, what: str) -> None:
    """Put a text on the clipboard of the reader, by what can be had, and say so."""
    app._clipboard = text
    app.run_worker(_copy(app, text, what), group="copy", exit_on_error=False)


async def _copy(app: App[Any], text: str, what: str) -> None:
    from olv_tui.outside.clipboard import Means, copy

    driver = app._driver

    def write(sequence: str) -> None:
        if driver is not None:
            app.call_from_thread(driver.write, sequence)

    # A screen that nobody sees has nobody's clipboard.
    environ = {} if app.is_headless else os.environ
    means = Means(environ, write, Path(tempfile.gettempdir()))
    done = await asyncio.to_thread(copy, text, what, means)
    is_there = done.way in ("tool", "tmux", "terminal")
    app.notify(one_line(done.sentence, 300), severity="information" if is_there else "warning", markup=False)
