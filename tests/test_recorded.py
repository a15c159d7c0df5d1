"""Recorded servers, replayed with their own bytes: the listing is complete and exact, calls get their verdict."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copy
from typing import Any

import pytest

from olv_tui.__main__ import main
from olv_tui.cli import EXIT_CODES
from olv_tui.model import Era, Verdict
from tests.caselib import shared_folder
from tests.recordings import Recorded, implied, kind_of, recordings
from tests.servers import program, recorded_servers

SERVERS = [folder for folder in recorded_servers() if (folder.parents[1] / "schemas" / f"{folder.name}.json").is_file()]

pytestmark = pytest.mark.skipif(shared_folder() is None, reason="the recordings are not beside this checkout")


@contextmanager
def replay(folder: Path, room: Path) -> Iterator[str]:
    """A recorded server, answering with its recorded bytes at once; gives its address.

    The replay answers with the first recording that fits a request. Those of a request without a token or with a
    wrong Host are left out: they would refuse everything.
    """
    for one in recordings(folder):
        if one.file["response"] is not None and one.file["response"]["status"] not in (401, 403):
            copy(one.path, room)
    recorder = folder.parents[2] / "tools" / "record.py"
    with program(sys.executable, str(recorder), "serve", str(room), "--speed", "0") as url:
        yield url


def run(capfdbinary: pytest.CaptureFixture[bytes], *words: str) -> tuple[int, dict[str, Any], str]:
    code = main(["--no-history", "--json", *words])
    text = capfdbinary.readouterr().out.decode("utf-8")
    return code, json.loads(text), text


def numbers_kept(text: str) -> list[Any]:
    """Decoded with number texts, in order, duplicates kept: what `unchanged` is measured by."""
    value: list[Any] = json.loads(text, object_pairs_hook=list, parse_int=str, parse_float=str)
    return value


@pytest.mark.parametrize("folder", SERVERS, ids=lambda folder: folder.name)
def test_the_tools_of_a_recorded_server_are_listed_as_they_came(
    folder: Path, capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path
) -> None:
    wanted = (folder.parents[1] / "schemas" / f"{folder.name}.json").read_text("utf-8")
    with replay(folder, tmp_path) as url:
        code, listing, text = run(capfdbinary, "tools", "--url", url, "--era", era_of(folder))
    assert code == 0, listing
    listed = next(value for name, value in numbers_kept(text) if name == "tools")
    assert listed == numbers_kept(wanted)


def era_of(folder: Path) -> str:
    """legacy where the recording begins with a handshake that went well."""
    handshakes = [one for one in recordings(folder) if kind_of(one.asked) == "request" and is_initialize(one)]
    return "legacy" if any(implied(one) is Verdict.RESULT for one in handshakes) else "bare"


def is_initialize(one: Recorded) -> bool:
    return bool(one.asked["method"] == "initialize")


def recorded_call(folder: Path) -> Recorded:
    """The first recorded call in the era of the handshake that was answered; with a result if there is one."""
    calls = [
        one
        for one in recordings(folder)
        if kind_of(one.asked) == "request"
        and one.asked["method"] == "tools/call"
        and one.era[0] is not Era.MODERN
        and isinstance(one.asked.get("params", {}).get("arguments"), dict)
        and implied(one) in (Verdict.RESULT, Verdict.TOOL_ERROR, Verdict.RPC_ERROR)
        and one.file["response"]["status"] == 200
        and "task" not in one.asked["params"]
    ]
    return min(calls, key=lambda one: implied(one) is Verdict.RPC_ERROR)


@pytest.mark.parametrize("folder", SERVERS, ids=lambda folder: folder.name)
def test_a_recorded_call_gets_its_verdict(
    folder: Path, capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path
) -> None:
    one = recorded_call(folder)
    params, verdict = one.asked["params"], implied(one)
    with replay(folder, tmp_path) as url:
        words = ["call", "--url", url, "--era", era_of(folder), "--", params["name"], json.dumps(params["arguments"])]
        code, record, _ = run(capfdbinary, *words)
    assert (code, record["verdict"]) == (EXIT_CODES[verdict], verdict)
