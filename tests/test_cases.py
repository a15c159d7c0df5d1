"""Every failure case ends in the verdict it names, shows what it must and hides what it must."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from olv_tui.__main__ import main
from olv_tui.cli import EXIT_CODES
from olv_tui.model import Verdict
from tests.caselib import Case, CaseServer, case_server, cases, log_faults, missing, texts, words_of

KINDS = ("envelope", "body", "http", "transport", "sse", "toolresult", "stream", "session")


@pytest.fixture(scope="module")
def server() -> Iterator[CaseServer]:
    with case_server() as running:
        yield running


def permitted(case: Case, verdict: str, record: dict[str, Any]) -> str:
    """Why a verdict is wrong for a case; nothing where it is right."""
    expect = case["expect"]
    if verdict == expect["verdict"]:
        return ""
    condition = expect.get("also_ok", {}).get(verdict)
    if condition is None:
        return f"verdict {verdict}, wanted {expect['verdict']}: {record['summary']}"
    if "deviation named" in condition and not record["violations"]:
        return f"verdict {verdict} is right only with the deviation named"
    return ""


@pytest.mark.parametrize("case", cases(*KINDS), ids=lambda case: case["id"])
def test_a_failure_case_has_its_right_outcome(
    case: Case, server: CaseServer, capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path
) -> None:
    if case.get("needs") == "tls" and server.tls is None:
        pytest.skip("the case server has no https listener here (it needs the openssl program)")
    history = tmp_path / "history.sqlite3"
    timeout = "1" if case["id"][:3] in ("105", "147") else "20"
    words = [*words_of(case, server), "--history", str(history), "--timeout", timeout]
    server.reset()

    code = main([*words, "--json"])
    captured = capfdbinary.readouterr()
    lines = captured.out.decode("utf-8").splitlines()
    assert len(lines) == 1, "stdout holds the record and nothing else"
    record = json.loads(lines[0])
    verdict = record["verdict"]

    faults = [permitted(case, verdict, record)]
    faults += log_faults(case, server)
    if code != EXIT_CODES[Verdict(verdict)]:
        faults.append(f"exit code {code} for {verdict}")

    main(["history", "show", "@" + str(record["serial"]), "--history", str(history)])
    human = capfdbinary.readouterr()
    shown = texts(record) + "\n" + human.out.decode("utf-8")
    wanted = [*case["expect"]["must_show"], *case["expect"].get("show_if", {}).get(verdict, [])]
    faults += [f"cannot be found: {text}" for text in missing(wanted, shown)]
    told = captured.out + captured.err + human.out + human.err
    told += b"".join(path.read_bytes() for path in tmp_path.iterdir())
    faults += [f"must not appear: {text}" for text in case["expect"]["must_not"] if text.encode() in told]
    faults += ["a traceback"] * (b"Traceback" in told)
    assert not [fault for fault in faults if fault]
