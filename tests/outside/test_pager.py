"""The pager: real programs with a real text."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from olv_tui.outside.pager import page

SUSPENDED: list[str] = []


@contextmanager
def suspend() -> Iterator[None]:
    SUSPENDED.append("in")
    yield
    SUSPENDED.append("out")


def environ(pager: str, **more: str) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "PAGER": pager, **more}


def script(path: Path, text: str) -> str:
    path.write_text(text)
    return f"{sys.executable} {path}"


def test_the_pager_gets_the_text_byte_for_byte_while_the_screen_is_away(tmp_path: Path) -> None:
    out = tmp_path / "got"
    command = script(tmp_path / "p.py", f"import sys; open({str(out)!r}, 'wb').write(sys.stdin.buffer.read())")
    data = bytes(range(256)) * 4_000
    SUSPENDED.clear()
    assert page(data, suspend, environ(command)) == ""
    assert out.read_bytes() == data
    assert SUSPENDED == ["in", "out"]


def test_a_reader_who_quits_early_is_no_fault(tmp_path: Path) -> None:
    assert page(b"x" * 5_000_000, suspend, environ(script(tmp_path / "p.py", "pass"))) == ""


def test_less_is_told_to_open_nothing_else(tmp_path: Path) -> None:
    out = tmp_path / "got"
    command = script(tmp_path / "p.py", f"import os; open({str(out)!r}, 'w').write(os.environ['LESSSECURE'])")
    page(b"", suspend, environ(command))
    assert out.read_text() == "1"


def test_every_failure_is_a_sentence(tmp_path: Path) -> None:
    assert page(b"", suspend, environ("no-such-pager")) == (
        "The pager could not be run: there is no program 'no-such-pager'. Look at $PAGER."
    )
    assert "cannot be read" in page(b"", suspend, environ("less '"))
    assert "ended with exit code 3" in page(b"", suspend, environ(script(tmp_path / "p.py", "raise SystemExit(3)")))
    assert page(b"", suspend, {"PATH": str(tmp_path)}) == "There is no pager: put its command into $PAGER."


def test_pieces_are_made_as_the_pager_takes_them(tmp_path: Path) -> None:
    made: list[int] = []

    def pieces() -> Iterator[bytes]:
        for number in range(1_000):
            made.append(number)
            yield b"x" * 65_536

    head = script(tmp_path / "p.py", "import sys; print(sys.stdin.buffer.read(10))")
    assert page(pieces(), suspend, environ(head)) == ""
    assert 0 < len(made) < 1_000


def test_ctrl_c_in_the_pager_does_not_end_what_called_it(tmp_path: Path) -> None:
    out = tmp_path / "got"
    code = f"""
import os, signal, sys
os.kill(os.getppid(), signal.SIGINT)
assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
open({str(out)!r}, "wb").write(sys.stdin.buffer.read())
"""
    assert page(b"text", suspend, environ(script(tmp_path / "p.py", code))) == ""
    assert out.read_bytes() == b"text"
