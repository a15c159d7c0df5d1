"""The client and the runner of the conformance suite, as far as they can be tested without it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from olv_tui.demo.server import DemoServer
from tests.conformance import run

VERSIONS = ["2026-07-28", "2025-11-25"]


def client(url: str, scenario: str, version: str) -> subprocess.CompletedProcess[str]:
    told = {"MCP_CONFORMANCE_SCENARIO": scenario, "MCP_CONFORMANCE_PROTOCOL_VERSION": version}
    command = [sys.executable, str(run.HERE / "client.py"), url]
    return subprocess.run(command, env={**os.environ, **told}, capture_output=True, text=True, timeout=30, check=False)


@pytest.mark.parametrize("version", VERSIONS)
def test_the_client_ends_with_0_where_its_scenario_went_well(version: str) -> None:
    with DemoServer() as server:
        ended = client(server.url, "initialize", version)
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.parametrize("version", VERSIONS)
def test_the_client_ends_with_1_where_a_tool_is_missing(version: str) -> None:
    with DemoServer() as server:
        ended = client(server.url, "tools_call", version)
    assert ended.returncode == 1
    assert "add_numbers" in ended.stderr


def test_the_client_ends_with_1_for_a_scenario_it_does_not_know() -> None:
    assert client("http://127.0.0.1:9/mcp", "auth/basic-cimd", VERSIONS[0]).returncode == 1


def test_without_npm_the_suite_is_skipped_in_words() -> None:
    command = [sys.executable, str(run.HERE / "run.py")]
    bare = {name: value for name, value in os.environ.items() if name not in ("PATH", "OLV_CONFORMANCE")}
    done = subprocess.run(command, env={**bare, "PATH": ""}, capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 0
    assert done.stdout.startswith("skipped: no npm")


def test_a_scenario_that_fails_is_a_failure_with_its_output(capsys: pytest.CaptureFixture[str]) -> None:
    failing = [sys.executable, "-c", "print('Passed: 1/2'); raise SystemExit(1)"]
    assert not run.run(failing, "client x", r"Passed: (\d+/\d+)")
    assert "FAIL  client x  1/2" in capsys.readouterr().out


def test_every_scenario_of_the_runner_has_a_client() -> None:
    from tests.conformance.client import SCENARIOS

    assert {name for names in run.CLIENT.values() for name in names} == set(SCENARIOS)
