"""Keys from the settings file, and what a start gives back at its end."""

from __future__ import annotations

import socket
from dataclasses import replace
from pathlib import Path

import pytest

from olv_tui.app import OlvApp
from olv_tui.config import UsageError
from olv_tui.options import parse
from olv_tui.screens.keymap import binding_ids, checked, is_key
from olv_tui.surroundings import launch
from tests.app.helper import app_on, demo, running, until
from tests.screen import settled


def started(tmp_path: Path, settings: str) -> OlvApp:
    """The explorer as the command line starts it on the demo, with a settings file."""
    file = tmp_path / "config.toml"
    file.write_text(settings, encoding="utf-8")
    return OlvApp(launch(parse(["--demo", "--no-history", "--config", str(file)], {})))


async def test_a_key_of_the_settings_file_sends_and_the_old_one_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    async with running(started(tmp_path, '[keys]\nsend = "f6, ctrl+s"\n')) as pilot:
        await pilot.press("f5")
        await settled(pilot)
        assert pilot.app.main.state.shown is None
        await pilot.press("ctrl+s")
        await until(pilot, "Lantern Bay")


async def test_the_demo_server_ends_with_the_explorer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    async with running(started(tmp_path, "")) as pilot:
        core = pilot.app.main.core
        assert core is not None
        host, _, port = core.target.url.partition("://")[2].partition("/")[0].partition(":")
        socket.create_connection((host, int(port))).close()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((host, int(port)))


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ('[keys]\nsemd = "f6"', "keys.semd in the settings file names no command; did you mean send\\?"),
        ('[keys]\nzzzzzz = "f6"', "keys.zzzzzz in the settings file names no command; there are .*quit"),
        ('[keys]\nsend = "f6,cntrl+s"', "keys.send in the settings file: 'cntrl\\+s' is no key"),
        ('[keys]\nsend = ""', "keys.send in the settings file: '' is no key"),
    ],
)
def test_an_unknown_command_and_a_broken_key_are_told_in_a_sentence(tmp_path: Path, settings: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        started(tmp_path, settings)


def test_the_ids_are_those_of_app_screens_and_panes_and_none_of_textual() -> None:
    ids = binding_ids(OlvApp)
    assert {"quit", "send", "list.down", "answer.find", "confirm.send"} <= ids
    assert not any(name.startswith(("app.", "command_palette")) for name in ids)


@pytest.mark.parametrize("key", ["q", "Q", "?", "f6", "ctrl+s", "alt+enter", "slash", "ctrl+shift+f5", "full_stop"])
def test_names_that_are_keys(key: str) -> None:
    assert is_key(key)
    assert checked({"send": f" {key} "}, OlvApp) == {"send": key}


@pytest.mark.parametrize("key", ["", " ", "f99", "ctrl+", "ctrl", "strg+s", "ctrl s", "enter+ctrl", "\x1b"])
def test_names_that_are_no_keys(key: str) -> None:
    assert not is_key(key)


async def test_a_launch_without_keys_keeps_those_that_are_declared() -> None:
    with demo() as target:
        app = app_on(target)
        assert app.launch == replace(app.launch, keymap={})
        async with running(app) as pilot:
            await pilot.press("f5")
            await until(pilot, "Lantern Bay")
