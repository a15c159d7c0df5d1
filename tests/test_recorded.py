"""Recorded servers, replayed with their own bytes: the listing is complete and exact, calls get their verdict."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from olv_tui.__main__ import main
from tests.caselib import shared_folder
from tests.servers import recorded_servers, replay



def first_status(folder: Path) -> int:
    """The status of the first recorded exchange."""
    status: int = json.loads(min(folder.glob("[0-9]*.json")).read_text("utf-8"))["response"]["status"]
    return status


# The replay answers with the first exchange that fits: where that is a refusal (no token, a wrong Host), it
# refuses every listing.
SERVERS = [
    folder
    for folder in recorded_servers()
    if (folder.parents[1] / "schemas" / f"{folder.name}.json").is_file() and first_status(folder) == 200
]

pytestmark = pytest.mark.skipif(shared_folder() is None, reason="the recordings are not beside this checkout")


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
    folder: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    wanted = (folder.parents[1] / "schemas" / f"{folder.name}.json").read_text("utf-8")
    with replay(folder) as url:
        code, listing, text = run(capfdbinary, "tools", "--url", url, "--era", era_of(folder))
    assert code == 0, listing
    listed = next(value for name, value in numbers_kept(text) if name == "tools")
    assert listed == numbers_kept(wanted)


def era_of(folder: Path) -> str:
    """legacy where the recording begins with a handshake that went well."""
    for path in sorted(folder.glob("[0-9]*.json")):
        exchange = json.loads(path.read_text("utf-8"))
        if (exchange.get("rpc") or {}).get("method") == "initialize" and exchange["response"]["status"] == 200:
            return "legacy"
    return "bare"


def recorded_call(folder: Path) -> tuple[str, str, bool] | None:
    """Tool, arguments and isError of the first recorded call that was answered with a result."""
    for path in sorted(folder.glob("[0-9]*.json")):
        exchange = json.loads(path.read_text("utf-8"))
        rpc = exchange.get("rpc") or {}
        if rpc.get("method") != "tools/call" or rpc.get("kind") != "request" or "modern" in path.name:
            continue
        body = (exchange["response"] or {}).get("body") or {}
        text = body.get("text", "")
        if '"result"' not in text or '"task"' in text:
            continue
        params = json.loads(exchange["request"]["body"]["text"])["params"]
        if isinstance(params.get("arguments"), dict):
            return params["name"], json.dumps(params["arguments"]), '"isError":true' in text.replace(" ", "")
    return None


@pytest.mark.parametrize("folder", SERVERS, ids=lambda folder: folder.name)
def test_a_recorded_call_gets_its_verdict(folder: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    call = recorded_call(folder)
    if call is None:
        pytest.skip("no plain tools/call was recorded for this server")
    tool, arguments, is_error = call
    with replay(folder) as url:
        code, record, _ = run(capfdbinary, "call", "--url", url, "--era", era_of(folder), "--", tool, arguments)
    assert (code, record["verdict"]) == ((3, "tool_error") if is_error else (0, "result"))
