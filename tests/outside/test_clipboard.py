"""Copying: which way is taken, and that the sentence tells the truth about it. The tools are real programs."""

from __future__ import annotations

import base64
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from olv_tui.outside.clipboard import OSC_MOST, Copied, Means, copy, osc52


def tool(folder: Path, name: str, script: str) -> None:
    """A clipboard tool: a shell script of this name."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def copied(text: str, folder: Path, *, terminal: list[str] | None = None, **environ: str) -> Copied:
    write = None if terminal is None else terminal.append
    environ = {"PATH": f"{folder}:/usr/bin:/bin", **environ}
    return copy(text, "the body", Means(environ, write, folder, system="linux"))


def test_over_ssh_the_terminal_is_asked_and_nothing_else(tmp_path: Path) -> None:
    tool(tmp_path, "xclip", "cat > /dev/null")
    sent: list[str] = []
    done = copied("K-copied", tmp_path, terminal=sent, SSH_TTY="/dev/pts/9", DISPLAY=":0")
    assert sent == ["\x1b]52;c;" + base64.b64encode(b"K-copied").decode() + "\x07"]
    assert done.way == "terminal"
    assert "Sent the body (8 characters) to the terminal" in done.sentence
    assert "Copied" not in done.sentence


def test_a_local_tool_gets_the_text_and_is_named(tmp_path: Path) -> None:
    tool(tmp_path, "wl-copy", f"cat > {tmp_path}/got")
    sent: list[str] = []
    done = copied("grüße \ud800", tmp_path, terminal=sent, WAYLAND_DISPLAY="wayland-0")
    assert (tmp_path / "got").read_text() == "grüße \\ud800"
    assert (done.way, sent) == ("tool", [])
    assert done.sentence == "Copied the body (7 characters) with wl-copy."


def test_a_tool_that_fails_gives_way_to_the_next_and_then_to_the_terminal(tmp_path: Path) -> None:
    tool(tmp_path, "xclip", "exit 1")
    tool(tmp_path, "xsel", f"cat > {tmp_path}/got")
    assert copied("a", tmp_path, terminal=[], DISPLAY=":0").sentence.endswith("with xsel.")
    tool(tmp_path, "xsel", "exit 3")
    assert copied("a", tmp_path, terminal=[], DISPLAY=":0").way == "terminal"


def test_without_a_display_no_tool_of_a_display_is_tried(tmp_path: Path) -> None:
    tool(tmp_path, "xclip", f"touch {tmp_path}/tried")
    assert copied("a", tmp_path, terminal=[]).way == "terminal"
    assert not (tmp_path / "tried").exists()


def test_a_text_too_long_for_the_terminal_goes_to_a_file_for_the_owner_alone(tmp_path: Path) -> None:
    sent: list[str] = []
    text = "x" * (OSC_MOST + 1)
    done = copied(text, tmp_path, terminal=sent)
    path = tmp_path / "olv-tui-copy.txt"
    assert (done.way, sent) == ("file", [])
    assert str(path) in done.sentence
    assert done.sentence.startswith("Not copied")
    assert path.read_text() == text
    assert path.stat().st_mode & 0o777 == 0o600
    assert copied("x" * OSC_MOST, tmp_path, terminal=sent).way == "terminal"
    assert copied(text, tmp_path, terminal=sent).sentence.endswith("olv-tui-copy-2.txt.")


def test_where_nothing_works_nothing_is_claimed(tmp_path: Path) -> None:
    done = copy("a", "the body", Means({"PATH": ""}, None, tmp_path / "gone", system="linux"))
    assert done.way == ""
    assert done.sentence.startswith("Not copied: there is no way to a clipboard")


@pytest.mark.parametrize("size", [10, 5_000])
def test_gnu_screen_gets_the_sequence_in_wrapped_pieces_and_tmux_plain_and_wrapped(size: int) -> None:
    data = bytes(range(256)) * (size // 256 + 1)
    plain = osc52(data, {"TERM": "xterm-256color"})
    assert osc52(data, {"TMUX": "/tmp/tmux-0/default,1,0", "TERM": "screen"}) == f"{plain}\x1bPtmux;\x1b{plain}\x1b\\"
    wrapped = osc52(data, {"STY": "1.pts-0", "TERM": "screen"})
    pieces = re.findall("\x1bP(.*?)\x1b\\\\", wrapped, re.DOTALL)
    assert "".join(pieces) == plain
    assert max(map(len, pieces)) <= 760
    assert base64.b64decode(plain.removeprefix("\x1b]52;c;").removesuffix("\x07")) == data


@pytest.fixture
def tmux(tmp_path: Path) -> Iterator[tuple[list[str], str]]:
    """A real tmux of its own: how to command it, and its $TMUX."""
    program = shutil.which("tmux")
    if program is None:
        pytest.skip("tmux is not installed")
    command = [program, "-S", str(tmp_path / "socket"), "-f", "/dev/null"]
    subprocess.run([*command, "new-session", "-d", "cat"], check=True)
    yield command, f"{tmp_path / 'socket'},0,0"
    subprocess.run([*command, "kill-server"], check=True)


@pytest.mark.parametrize(
    ("setting", "words"), [("external", "which does not confirm"), ("off", "set-clipboard is off")]
)
def test_where_tmux_drops_the_sequence_the_text_goes_into_its_buffer(
    tmux: tuple[list[str], str], tmp_path: Path, setting: str, words: str
) -> None:
    command, environ = tmux
    subprocess.run([*command, "set", "-s", "set-clipboard", setting], check=True)
    sent: list[str] = []
    done = copied("grüße", tmp_path, terminal=sent, TMUX=environ, SSH_TTY="/dev/pts/9")
    assert subprocess.run([*command, "show-buffer"], check=True, capture_output=True).stdout.decode() == "grüße"
    assert (done.way, sent) == ("tmux", [])
    assert words in done.sentence


def test_a_tmux_that_takes_the_sequence_gets_it_and_a_long_text_goes_into_its_buffer(
    tmux: tuple[list[str], str], tmp_path: Path
) -> None:
    command, environ = tmux
    subprocess.run([*command, "set", "-s", "set-clipboard", "on"], check=True)
    sent: list[str] = []
    assert copied("K-copied", tmp_path, terminal=sent, TMUX=environ).way == "terminal"
    assert sent[0].startswith("\x1b]52;c;" + base64.b64encode(b"K-copied").decode() + "\x07")
    long = copied("x" * (OSC_MOST + 1), tmp_path, terminal=sent, TMUX=environ)
    assert (long.way, len(sent)) == ("tmux", 1)
    assert "too long for most terminals" in long.sentence


def test_a_tmux_that_does_not_answer_gives_way_to_the_terminal(tmp_path: Path) -> None:
    tool(tmp_path, "tmux", "exit 1")
    assert copied("a", tmp_path, terminal=[], TMUX="/nowhere,0,0").way == "terminal"
