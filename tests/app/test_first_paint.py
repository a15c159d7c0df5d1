"""What is loaded before the first paint, and what the header keeps at any width."""

from __future__ import annotations

import subprocess
import sys

import pytest
from textual.app import App, ComposeResult

from olv_tui.model import Era
from olv_tui.widgets.header import HeaderBar, Standing, public_url
from tests.screen import screen_text

PAINT = """
import asyncio, sys
from olv_tui.app import OlvApp
from olv_tui.model import Target
from olv_tui.screens.launch import Launch, LaunchError

def prepare():
    print(" ".join({name.split(".")[0] for name in sys.modules} | set(sys.modules)))
    raise LaunchError("that is all")

async def main():
    app = OlvApp(Launch(Target("t", "http://127.0.0.1:9/mcp"), prepare))
    async with app.run_test() as pilot:
        await app.workers.wait_for_complete()
        await pilot.pause()
    sys.exit(app.return_code)

asyncio.run(main())
"""


def test_the_first_paint_loads_no_client_no_store_and_no_schema() -> None:
    done = subprocess.run([sys.executable, "-c", PAINT], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1, "a start that cannot go on says so by its exit code"
    assert "that is all" in done.stdout + done.stderr
    loaded = set(done.stdout.split())
    assert "textual" in loaded
    assert not loaded & {"httpx", "sqlite3", "jsonschema", "msgspec", "mcp"}
    assert not loaded & {"olv_tui.session", "olv_tui.history", "olv_tui.demo", "olv_tui.judge", "olv_tui.redact"}
    # What only answers and texts need. Each of these was on the way to the first paint once, for a name or two.
    assert not loaded & {"olv_tui.jsontext", "olv_tui.view.lines", "olv_tui.widgets.answer"}
    assert not loaded & {"olv_tui.widgets.json_area", "textual.widgets._text_area"}


class Bar(App[None]):
    def __init__(self, standing: Standing) -> None:
        super().__init__()
        self.standing = standing

    def compose(self) -> ComposeResult:
        bar = HeaderBar()
        bar.standing = self.standing
        yield bar


LONG = Standing(
    "a name that is rather long for a target", "https://user.example/" + "path/" * 40, demo=True, production=True,
    era=Era.LEGACY, version="2025-11-25", evidence="initialize was answered", session=True, server="[/]\x1b[31mme",
)  # fmt: skip


@pytest.mark.parametrize("width", [50, 80, 100, 140, 200])
async def test_the_marks_are_there_at_any_width(width: int) -> None:
    app = Bar(LONG)
    async with app.run_test(size=(width, 10)) as pilot:
        await pilot.pause()
        first = screen_text(app).splitlines()[0]
        assert "DEMO · invented data" in first
        assert "PRODUCTION" in first
        assert "\x1b" not in screen_text(app)


async def test_era_version_evidence_session_and_server_are_told_in_words() -> None:
    app = Bar(Standing("n", "http://x.example/mcp", era=Era.MODERN, version="2026-07-28",
                       evidence="server/discover lists it", session=False, server="A server 1.0"))  # fmt: skip
    async with app.run_test(size=(160, 10)) as pilot:
        await pilot.pause()
        text = screen_text(app)
        for words in (
            "http://x.example/mcp",
            "modern",
            "2026-07-28",
            "server/discover lists it",
            "no session",
            "A server",
        ):
            assert words in text


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://u:p@h.example/mcp?token=x#y", "https://h.example/mcp"),
        ("http://127.0.0.1:80", "http://127.0.0.1:80"),
        ("https://h.example/a@b", "https://h.example/a@b"),
        ("", ""),
    ],
)
def test_before_there_is_a_redactor_a_url_is_shown_without_anything_that_may_be_secret(url: str, shown: str) -> None:
    assert public_url(url) == shown
