"""The palette: every command does something, and says it once."""

from __future__ import annotations

from olv_tui.screens.commands import COMMANDS
from olv_tui.screens.main import MainScreen


def test_every_command_is_an_action_of_the_main_screen() -> None:
    assert [one.action for one in COMMANDS if not callable(getattr(MainScreen, f"action_{one.action}", None))] == []


def test_no_two_commands_have_one_name_or_one_action() -> None:
    for values in ([one.name for one in COMMANDS], [one.action for one in COMMANDS]):
        assert len(set(values)) == len(values)
