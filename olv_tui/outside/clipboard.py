"""Text to the clipboard, by the first way that can be had, and the truth about which it was.

Rules of this file:

* A local tool tells by its exit code whether it took the text. A terminal answers nothing to OSC 52, so that way is
  called "sent to the terminal" and never "copied".
* Over SSH a local tool would fill the clipboard of the wrong machine, so only the terminal is asked there.
* tmux takes OSC 52 of a program only where its `set-clipboard` is on; by default it drops it without a word. There the
  text goes into a buffer of tmux, and tmux itself passes it to the terminal.
* What is too long for the terminal is not sent in part: it goes to a file, and its path is told.
* The text of a tool goes through its standard input; nothing of it is ever part of a command.
"""

from __future__ import annotations

import base64
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from olv_tui.outside.files import FileError, write_new

OSC_MOST = 74_994
"""Bytes of text in one OSC 52 sequence: base64 makes 99,992 characters of them, and with the frame of it they are the
100,000 that hterm names as its limit; longer ones are dropped in silence by some terminals."""

_WAIT = 3.0  # seconds for a tool: xclip without a display hangs instead of failing


@dataclass(frozen=True, slots=True)
class Copied:
    """What became of a copy, told by `sentence`: `way` is "tool", "tmux", "terminal", "file", or "" for nothing."""

    way: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Means:
    """What a copy may use: the environment, who writes to the terminal, where a file may go, the system's name."""

    environ: Mapping[str, str]
    write: Callable[[str], None] | None
    folder: Path
    system: str = sys.platform


def copy(text: str, what: str, means: Means) -> Copied:
    """Put a text on the clipboard; `what` names it in the sentence. Never raises.

    A lone surrogate, which cannot be encoded, becomes its escape.
    """
    data = text.encode("utf-8", "backslashreplace")
    size = f"{len(text):,} character" + ("" if len(text) == 1 else "s")
    failed = ""
    for command in _tools(means):
        failed = _run(command, data, means.environ)
        if not failed:
            return Copied("tool", f"Copied {what} ({size}) with {command[0]}.")
    if kept := _into_tmux(data, means.environ):
        return Copied("tmux", f"Copied {what} ({size}) into tmux, prefix ] pastes; {kept}.")
    if means.write is not None and len(data) <= OSC_MOST:
        try:
            means.write(osc52(data, means.environ))
        except OSError as error:
            failed = f"the terminal could not be written to ({error})"
        else:
            return Copied("terminal", f"Sent {what} ({size}) to the terminal (OSC 52), which does not confirm.")
    why = f"{what} is too long for the terminal" if len(data) > OSC_MOST else failed or "there is no way to a clipboard"
    try:
        path = write_new(means.folder, "olv-tui-copy.txt", data, private=True)
    except FileError as error:
        return Copied("", f"Not copied: {why}; and no file could be written: {error}.")
    return Copied("file", f"Not copied: {why}. It is in the file {path}.")


def osc52(data: bytes, environ: Mapping[str, str]) -> str:
    r"""The sequence that asks the terminal to take a text (xterm control sequences, OSC 52).

    GNU screen passes on only what is wrapped (DCS), in strings of up to 768 bytes. tmux takes the plain sequence where
    its `set-clipboard` is on, and passes on what is wrapped for it where its `allow-passthrough` is on; of the two that
    are sent it drops what it does not take. Where it can be asked and takes none, `_into_tmux` needs no sequence.
    """
    plain = f"\x1b]52;c;{base64.b64encode(data).decode()}\x07"
    if environ.get("TMUX"):
        return f"{plain}\x1bPtmux;\x1b{plain}\x1b\\"
    if not (environ.get("STY") or environ.get("TERM", "").startswith("screen")):
        return plain
    return "".join(f"\x1bP{plain[at : at + 760]}\x1b\\" for at in range(0, len(plain), 760))


def _into_tmux(data: bytes, environ: Mapping[str, str]) -> str:
    """Put a text into a buffer of the tmux around, where OSC 52 would not get through it.

    Gives what tmux does with it beyond that; "" where there is no tmux, it takes OSC 52, or it took nothing. The
    server of tmux is on this machine over SSH as well.
    """
    path = environ.get("PATH", os.defpath)
    program = shutil.which("tmux", path=path) if environ.get("TMUX") else None
    if program is None:
        return ""
    try:
        asked = subprocess.run(  # noqa: S603  a fixed command
            [program, "display-message", "-p", "#{set-clipboard}"],
            capture_output=True,
            timeout=_WAIT,
            env=dict(environ),
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    taken = asked.stdout.strip()
    if taken == b"on" and len(data) <= OSC_MOST:
        return ""
    if _run(["tmux", "load-buffer", "-w", "-"], data, environ):
        return ""
    if taken == b"off":
        return "not to the terminal: set-clipboard is off"
    if len(data) > OSC_MOST:
        return "too long for most terminals"
    return "sent on to the terminal, which does not confirm"


def _tools(means: Means) -> list[Sequence[str]]:
    """The commands that may take the text here, the likeliest first."""
    environ = means.environ
    if environ.get("SSH_TTY") or environ.get("SSH_CONNECTION") or environ.get("SSH_CLIENT"):
        return []
    wanted: list[Sequence[str]] = []
    if means.system == "darwin":
        wanted.append(["pbcopy"])
    elif means.system == "win32":
        wanted.append(["clip.exe"])
    else:
        if environ.get("TERMUX_VERSION"):
            wanted.append(["termux-clipboard-set"])
        if environ.get("WAYLAND_DISPLAY"):
            wanted.append(["wl-copy"])
        if environ.get("DISPLAY"):
            wanted += [["xclip", "-selection", "clipboard"], ["xsel", "--clipboard", "--input"]]
        if environ.get("WSL_DISTRO_NAME"):
            wanted.append(["clip.exe"])
    path = environ.get("PATH", os.defpath)
    return [command for command in wanted if shutil.which(command[0], path=path)]


def _run(command: Sequence[str], data: bytes, environ: Mapping[str, str]) -> str:
    """Give the text to a tool; why that failed, or "". Its output goes nowhere: xclip keeps a pipe open for ever."""
    if command[0] == "clip.exe":  # it reads UTF-16 with a mark, else the code page of the machine
        data = b"\xff\xfe" + data.decode("utf-8").encode("utf-16-le")
    quiet = subprocess.DEVNULL
    try:
        program = shutil.which(command[0], path=environ.get("PATH", os.defpath)) or command[0]
        done = subprocess.run(  # noqa: S603  a fixed list of programs
            [program, *command[1:]],
            input=data,
            stdout=quiet,
            stderr=quiet,
            timeout=_WAIT,
            env=dict(environ),
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"{command[0]} does not answer"
    except OSError as error:
        return f"{command[0]} could not be run ({error})"
    return f"{command[0]} failed (exit code {done.returncode})" if done.returncode else ""
