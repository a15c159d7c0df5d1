"""Hostile text in every place a server can fill, through the real program in a recorded pseudo-terminal.

Rules of this file: what is asserted on is the bytes that came to the terminal, and that the program goes on. One
process takes many texts. `python -m tests.hostile.test_terminal_fuzz FIRST LAST` runs through more seeds.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.app.recorded import is_forbidden
from tests.app.terminal import Terminal, terminal
from tests.hostile.evil_server import KINDS, evil_server

ENDS = ("result", "tool error", "JSON-RPC error", "HTTP error", "result", "invalid response", "", "transport error")
"""The verdict on each kind of answer; that of a question depends on the era."""

ALL = range(len(KINDS))


class Journey:
    """One walk over all tools and panes of one evil server."""

    def __init__(self, run: Terminal, *, modern: bool) -> None:
        self.run = run
        self.modern = modern
        self.seen: set[str] = set()

    def press(self, keys: str, until: str | Callable[[], bool]) -> None:
        """Press keys and read on until the screen shows something."""
        self.run.write(keys.encode())
        self.wait(until)

    def wait(self, until: str | Callable[[], bool]) -> None:
        """Read on until the screen shows something, or something holds."""
        self.run.until(lambda: until in self.run.screen.text if isinstance(until, str) else until())
        assert self.run.screen.faults == []

    def alive(self) -> None:
        """Keys are answered."""
        self.press("\x1bOP", "Help · ")
        self.press("\x1b", lambda: "Help · " not in self.run.screen.text)

    def call(self, number: int) -> None:
        """Call a tool and wait for the answer."""
        name = f"W{number}{KINDS[number]}"
        self.press("\x0ft/", "filter the tools")
        self.press(f"{name}\r", f"Editor · {name}")
        self.run.write(b"\n")
        if KINDS[number] == "question" and not self.modern:
            self.question()
        else:
            verdict = ENDS[number] or "input required"
            self.wait(lambda: f" {verdict}" in self.run.screen.text and f"Answer · {name}" in self.run.screen.text)

    def question(self) -> None:
        """The form of a question comes up; it is filled in and sent."""
        self.wait("The server asks you")
        screen = self.run.screen
        self.press("\t\t\t\x13", lambda: "again sends it" in screen.text or "✓ result" in screen.text)
        if "again sends it" in screen.text:
            self.press("\x13", "Answer · W6")
        self.wait("✓ result")

    def look(self, number: int) -> None:
        """Every view of the answer, and every row under the mouse."""
        screen = self.run.screen
        self.press("\x0fa2", lambda: "HTTP/" in screen.text or "no head" in screen.text)
        if KINDS[number] == "stream":
            self.press("3", "event")
        self.press("4", "POST")
        self.press("5", "first byte")
        self.press("6", lambda: "rule:" in screen.text or "No rule" in screen.text)
        self.press("1pf", "raw")
        for row in (13, 18):
            self.run.write(b"\x1b[<0;90;%dM\x1b[<0;90;%dm" % (row, row))

    def history(self) -> None:
        """The rows of the history, one after the other, their answers, and one loaded."""
        self.press("\x0fha", "with handshakes")
        for _ in range(6):
            self.run.write(b"j")
        self.press("a", lambda: "with handshakes" not in self.run.screen.text)
        self.press("jj\r", "Editor · ")
        self.press("\x0fh/", "#42, words")
        self.press("W1failure\r", "found")
        self.press("\x0fh\x1b", lambda: "found" not in self.run.screen.text)

    def tools(self) -> None:
        """Every tool under the cursor, its detail scrolled, its row clicked."""
        self.press("\x0ftg", "Wtooltitle0")
        for number in range(1, len(KINDS)):
            self.press("j", lambda number=number: f"Wtooltitle{number}" in self.run.screen.text)  # type: ignore[misc]
            self.press("JJJ", "Tools 8")
            row = 4 + number
            self.run.write(b"\x1b[<0;6;%dM\x1b[<0;6;%dm" % (row, row))
        self.press("\x0ftg", "Wtooltitle0")


def travel(
    seed: int, folder: Path, *, modern: bool, numbers: Sequence[int] = ALL, size: tuple[int, int] = (140, 42)
) -> None:
    """All of it for one seed, with the answers of these numbers; asserts on the way."""
    with evil_server(seed, modern=modern) as evil:
        era = "modern" if modern else "legacy"
        words = [evil.target.url, "--era", era, "--history", str(folder / "h.db")]
        with terminal(words, folder, size) as run:
            walk = Journey(run, modern=modern)
            walk.wait("W0contents")
            walk.tools()
            for number in numbers:
                walk.call(number)
                walk.look(number)
            walk.history()
            walk.press("\x1b[19~", lambda: bool(list(folder.glob("*.svg"))))
            walk.alive()
            walk.press("\x0c\x0ft", "Tools 8")  # connects and lists again
            run.write(b"\x11")
            assert run.ends() == 0
            assert run.screen.faults == []
            assert "\\u202e" in run.screen.painted or "\\u001b" in run.screen.painted
            for word in (
                ()
                if modern
                else ("Wtext", "Werror", "Wsite", "Wmessage", "Whtml", "Wgarbage", "Wend", "Wheader", "Wreason")
            ):
                assert word in run.screen.painted, f"{word} was never shown"
    (picture,) = folder.glob("*.svg")
    drawn = "".join(ElementTree.parse(picture).getroot().itertext())
    assert not [one for one in drawn if is_forbidden(one) and one != "\n"]


@pytest.mark.parametrize("modern", [False, True], ids=["legacy", "modern"])
def test_nothing_a_server_says_is_obeyed_by_the_terminal_or_ends_the_program(modern: bool, tmp_path: Path) -> None:
    travel(7, tmp_path, modern=modern, numbers=(0, 6) if modern else ALL, size=(110, 32))


if __name__ == "__main__":
    for chosen in range(int(sys.argv[1]), int(sys.argv[2])):
        with tempfile.TemporaryDirectory() as made:
            print("seed", chosen, flush=True)
            travel(chosen, Path(made), modern=bool(chosen % 2), size=(104, 26) if chosen % 3 == 2 else (140, 42))
