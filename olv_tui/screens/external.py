"""The reader's own editor on a text: `$VISUAL`, else `$EDITOR`.

Rules of this file: the text is lost in no case. Whatever goes wrong comes back as a sentence beside the
unchanged text. Nothing is raised while the screen is suspended: Textual would then never take it back.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path


def edit(
    text: str, suspend: Callable[[], AbstractContextManager[None]], environ: Mapping[str, str] = os.environ
) -> tuple[str, str]:
    """Open `text` in the editor outside while the screen is `suspend`ed.

    Gives the new text and "", or the same text and a sentence that says why nothing was changed.
    """
    command = environ.get("VISUAL") or environ.get("EDITOR")
    if not command:
        return text, "No editor is set: put its command into $VISUAL or $EDITOR."
    try:
        words = shlex.split(command)
    except ValueError as error:
        return text, f"The editor command {command!r} cannot be read: {error}."
    if not words or shutil.which(words[0], path=environ.get("PATH", os.defpath)) is None:
        return text, f"The editor could not be run: there is no program {command!r}. Look at $VISUAL and $EDITOR."
    folder = Path(tempfile.mkdtemp(prefix="olv-tui-"))
    path = folder / "call.json"
    try:
        # surrogateescape: a body that is no UTF-8 goes through the file unchanged.
        path.write_bytes(text.encode("utf-8", "surrogateescape"))
        with suspend():
            why = _run([*words, str(path)])
        if why:
            return text, f"{why} The text is as it was."
        return _without_added_end(text, path.read_bytes().decode("utf-8", "surrogateescape")), ""
    except (OSError, ValueError) as error:
        return text, f"The editor could not be run: {error}. The text is as it was."
    finally:
        path.unlink(missing_ok=True)
        folder.rmdir()


def _run(command: list[str]) -> str:
    """Run the editor and wait for it; what went wrong, in a sentence."""
    try:
        code = subprocess.run(command, check=False).returncode  # noqa: S603  the command is the user's own
    except (OSError, ValueError) as error:
        return f"The editor could not be run: {error}."
    return f"{command[0]} ended with exit code {code}." if code else ""


def _without_added_end(before: str, after: str) -> str:
    """Take off the line end that editors put at the end of a file that had none."""
    return after[:-1] if after.endswith("\n") and not before.endswith("\n") else after
