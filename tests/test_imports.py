"""What is loaded when: headless verbs know no terminal toolkit, help knows no client, layers hold at run time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

LIST_MODULES = """
import sys
from olv_tui.__main__ import main
try:
    main(sys.argv[1:])
except SystemExit:
    pass
sys.stderr.write(" ".join(sorted(name.split(".")[0] for name in sys.modules)))
"""


def loaded(home: Path, *words: str) -> set[str]:
    """The top names of all modules that a run of olv-tui loads."""
    environment = {**os.environ, "HOME": str(home), "XDG_DATA_HOME": str(home)}
    command = [sys.executable, "-c", LIST_MODULES, *words]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=60, check=True)
    return set(done.stderr.split())


@pytest.mark.parametrize(
    "words",
    [
        ["--help"],
        ["--version"],
        ["call", "olv_list_worlds", "--demo"],
        ["call", "olv_list_worlds", "--demo", "--json"],
        ["tools", "--demo"],
        ["history", "list", "--demo"],
        ["frobnicate"],
    ],
    ids=" ".join,
)
def test_no_headless_verb_loads_textual_or_rich(words: list[str], tmp_path: Path) -> None:
    assert not loaded(tmp_path, *words) & {"textual", "rich"}


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["call", "--help"], ["frobnicate"]], ids=" ".join)
def test_help_and_wrong_usage_load_no_client_and_no_store(words: list[str], tmp_path: Path) -> None:
    assert not loaded(tmp_path, *words) & {"httpx", "sqlite3", "jsonschema", "msgspec", "asyncio"}


LOWER = [
    "model",
    "redact",
    "jsontext",
    "jsonrpc",
    "mcp",
    "transport",
    "judge",
    "session",
    "history",
    "reports",
    "view",
    "config",
    "demo",
]


@pytest.mark.parametrize("name", LOWER)
def test_a_module_of_the_core_loads_neither_textual_nor_httpx(name: str) -> None:
    code = f"import sys, olv_tui.{name}; print(' '.join(n.split('.')[0] for n in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert not set(done.stdout.split()) & {"textual", "rich", "httpx"}
