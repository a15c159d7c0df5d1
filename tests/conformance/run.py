"""The MCP conformance suite against the session layer (as a client) and against the demo (as a server).

`python tests/conformance/run.py` prints a line a scenario and ends with 1 if one fails. The suite comes by npm into a
scratch folder, which is thrown away unless OLV_CONFORMANCE names one to keep; so does Node 22, where the system's is
older. Where neither can be had it says `skipped` and ends with 0.

Rules of this file:

* Client scenarios run one by one: only so the exit code and the time-out of the client count (suite 0.2.0-alpha.12).
* The demo is held against the whole required set; what it does not claim stands in demo-*.yml with its reason.
"""

from __future__ import annotations

import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HERE = ROOT / "tests" / "conformance"
sys.path.insert(0, str(ROOT))

SUITE = "@modelcontextprotocol/conformance"
SUITE_VERSION = "0.2.0-alpha.12"
NODE = 22
CLIENT = {
    "2026-07-28": (
        "tools_call",
        "request-metadata",
        "http-standard-headers",
        "http-custom-headers",
        "http-invalid-tool-headers",
        "sep-2322-client-request-state",
        "json-schema-ref-no-deref",
        "json-schema-2020-12-preservation",
    ),
    "2025-11-25": (
        "initialize",
        "tools_call",
        "elicitation-sep1034-client-defaults",
        "sse-retry",
        "json-schema-2020-12-preservation",
    ),
}
INSTALL_SECONDS = 60
SCENARIO_SECONDS = 45


class UnavailableError(Exception):
    """The suite cannot be run here; the text says why."""


def major(node: str) -> int:
    """The major version of a Node binary; 0 where it does not run."""
    try:
        told = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=10, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return 0
    match = re.match(r"v(\d+)", told)
    return int(match[1]) if match else 0


def node_package() -> str:
    """The npm package that holds a Node binary for this machine, without an install script."""
    system = {"win32": "win"}.get(sys.platform, sys.platform)
    machine = platform.machine().lower()
    arch = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64"}.get(machine, machine)
    prefix = "node-bin" if (system, arch) == ("darwin", "arm64") else "node"
    return f"{prefix}-{system}-{arch}"


def install(folder: Path) -> tuple[str, Path]:
    """The Node binary and the suite's program, put into `folder` where they are missing. Raises UnavailableError."""
    npm, node = shutil.which("npm"), shutil.which("node") or ""
    program = folder / "node_modules" / SUITE / "dist" / "index.js"
    binary = folder / "node_modules" / node_package() / "bin" / ("node.exe" if sys.platform == "win32" else "node")
    wanted = [] if program.is_file() else [f"{SUITE}@{SUITE_VERSION}"]
    if major(node) < NODE:
        node = str(binary)
        wanted += [] if major(node) >= NODE else [f"{node_package()}@{NODE}"]
    if wanted:
        if npm is None:
            raise UnavailableError("no npm")
        command = [npm, "install", "--prefix", str(folder), "--no-audit", "--no-fund", "--ignore-scripts", *wanted]
        try:
            subprocess.run(command, capture_output=True, text=True, timeout=INSTALL_SECONDS, check=True)
        except subprocess.TimeoutExpired:
            raise UnavailableError(f"npm needed more than {INSTALL_SECONDS} seconds") from None
        except (OSError, subprocess.CalledProcessError) as error:
            reason = (getattr(error, "stderr", "") or str(error)).strip().splitlines()
            raise UnavailableError(
                f"npm could not install {' and '.join(wanted)} ({reason[0] if reason else ''})"
            ) from None
    if major(node) < NODE or not program.is_file():
        raise UnavailableError(f"no Node {NODE} to be had")
    return node, program


def run(command: list[str], label: str, good: str) -> bool:
    """Run one command of the suite and print its verdict; its output as well where it failed."""
    began = time.monotonic()
    try:
        done = subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", timeout=SCENARIO_SECONDS, check=False
        )
        passed, told = done.returncode == 0, done.stdout + done.stderr
    except subprocess.TimeoutExpired as late:
        passed, told = False, f"{late.stdout!r}\nstopped after {SCENARIO_SECONDS} seconds"
    count = re.search(good, told)
    print(
        f"{'pass' if passed else 'FAIL'}  {label}  {count[1] if count else ''}  {time.monotonic() - began:.1f} s",
        flush=True,
    )
    if not passed:
        print(told[-6000:], flush=True)
    return passed


def main() -> int:
    """The exit code: 1 where a scenario failed."""
    kept = os.environ.get("OLV_CONFORMANCE")
    with tempfile.TemporaryDirectory() as scratch:
        try:
            node, program = install(Path(kept or scratch))
        except UnavailableError as why:
            print(f"skipped: no npm / no Node {NODE} to be had ({why})")
            return 0
        return 0 if all([*clients(node, program), *demo(node, program)]) else 1


def clients(node: str, program: Path) -> list[bool]:
    """Every client scenario, one by one."""
    command = shlex.join([sys.executable, str((HERE / "client.py").relative_to(ROOT))])
    outcomes = []
    for version, scenarios in CLIENT.items():
        for scenario in scenarios:
            options = ["--command", command, "--scenario", scenario, "--spec-version", version]
            outcomes.append(
                run([node, str(program), "client", *options], f"client {version} {scenario}", r"Passed: (\d+/\d+)")
            )
    return outcomes


def demo(node: str, program: Path) -> list[bool]:
    """The demo server against the required sets, twice: with every era, and with sessions only."""
    from olv_tui.demo.server import DemoServer

    outcomes = []
    for mode, versions in (("", tuple(CLIENT)), ("sessions", ("2025-11-25",))):
        with DemoServer(mode) as server:
            for version in versions:
                options = ["--url", server.url, "--requirements", version]
                baseline = ["--expected-failures", str(HERE / f"demo-{version}.yml")]
                label = f"server {version} demo{f' ({mode})' if mode else ''}"
                outcomes.append(run([node, str(program), "server", *options, *baseline], label, r"Total: (\d+ passed)"))
    return outcomes


if __name__ == "__main__":
    sys.exit(main())
