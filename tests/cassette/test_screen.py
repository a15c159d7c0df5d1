"""The explorer on a cassette, and recording one: plainly marked, no network, every exchange in the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from olv_tui.app import OlvApp
from olv_tui.cassette.tape import Tape
from olv_tui.options import parse
from olv_tui.surroundings import launch
from tests.app.helper import running, send, until
from tests.cassette.made import Told
from tests.screen import screen_text


async def test_a_recorded_session_is_played_on_the_screen_and_marked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    path = tmp_path / "c.jsonl"
    async with running(OlvApp(launch(parse(["--demo", "--record", str(path)])))) as pilot:
        await until(pilot, "olv_list_worlds")
        recorded = await send(pilot)
        assert "CASSETTE" not in recorded
    names = Tape(path, Told()).names()
    assert names["tools/call olv_list_worlds"] == 1
    async with running(OlvApp(launch(parse(["--cassette", str(path), "--speed", "0"])))) as pilot:
        await until(pilot, "olv_list_worlds")
        assert "result" in await send(pilot)
        assert "CASSETTE · recorded answers" in screen_text(pilot.app)
