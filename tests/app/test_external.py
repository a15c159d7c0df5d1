"""The reader's own editor on a text."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from olv_tui.screens.external import edit


@contextlib.contextmanager
def suspended() -> Iterator[None]:
    yield


def script(folder: Path, code: str) -> dict[str, str]:
    """An editor: a program that gets the path of the file as its last argument."""
    path = folder / "an editor.py"
    path.write_text(f"import sys, pathlib\nfile = pathlib.Path(sys.argv[-1])\n{code}\n")
    return {"EDITOR": f"{sys.executable} '{path}' --wait"}


def test_what_was_written_outside_comes_back(tmp_path: Path) -> None:
    env = script(tmp_path, "file.write_text(file.read_text().replace('1', '2'))")
    assert edit('{"a": 1}', suspended, env) == ('{"a": 2}', "")


def test_visual_goes_before_editor(tmp_path: Path) -> None:
    env = script(tmp_path, "file.write_text('visual')")
    assert edit("x", suspended, {"VISUAL": env["EDITOR"], "EDITOR": "false"}) == ("visual", "")


def test_a_line_end_that_the_editor_added_is_taken_off_again_and_one_that_was_there_stays(tmp_path: Path) -> None:
    env = script(tmp_path, "file.write_text(file.read_text().rstrip('\\n') + '\\n')")
    assert edit("{}", suspended, env)[0] == "{}"
    assert edit("{}\n", suspended, env)[0] == "{}\n"


def test_bytes_that_are_no_utf8_and_line_ends_go_through_unchanged(tmp_path: Path) -> None:
    env = script(tmp_path, "pass")
    text = '{"a":\r\n "\udcff\u2028"}'
    assert edit(text, suspended, env) == (text, "")


@pytest.mark.parametrize(
    ("env", "said"),
    [
        ({}, "$VISUAL or $EDITOR"),
        ({"EDITOR": ""}, "$VISUAL or $EDITOR"),
        ({"EDITOR": "/nowhere/editor"}, "could not be run"),
        ({"EDITOR": "vi 'unclosed"}, "cannot be read"),
        ({"EDITOR": "false"}, "exit code 1"),
        ({"EDITOR": "rm"}, "could not be run"),
        ({"EDITOR": "nosuch-editor --wait"}, "no program 'nosuch-editor --wait'"),
        ({"EDITOR": "/"}, "could not be run"),
        ({"EDITOR": __file__}, "could not be run"),
        ({"EDITOR": "''"}, "could not be run"),
    ],
)
def test_whatever_goes_wrong_the_text_stays_and_a_sentence_says_why(env: dict[str, str], said: str) -> None:
    here = {"PATH": os.environ["PATH"], **env}
    text, why = edit('{"a": 1}', suspended, here)
    assert text == '{"a": 1}'
    assert said in why


def test_an_editor_that_breaks_while_it_starts_gives_the_screen_back(tmp_path: Path) -> None:
    """Textual takes the screen back only where the block of `suspend` ends well."""
    broken = tmp_path / "editor"
    broken.write_bytes(b"\x7fELF no program")
    broken.chmod(0o700)
    back = []

    @contextlib.contextmanager
    def like_textual() -> Iterator[None]:
        yield
        back.append(True)

    text, why = edit("{}", like_textual, {"EDITOR": str(broken)})
    assert (text, back) == ("{}", [True])
    assert "could not be run" in why


def test_the_text_lies_in_a_file_of_its_own_that_is_gone_afterwards(tmp_path: Path) -> None:
    env = script(tmp_path, f"pathlib.Path({str(tmp_path / 'seen')!r}).write_text(str(file))")
    edit("{}", suspended, env)
    seen = Path((tmp_path / "seen").read_text())
    assert seen.suffix == ".json"
    assert not seen.exists()
    assert not seen.parent.exists()
