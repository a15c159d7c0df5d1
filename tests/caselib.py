"""The failure cases of tests/cases, and the server that gives them byte for byte (tests/case_server.py)."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

HERE = Path(__file__).resolve().parent
CASES = HERE / "cases"

Case = dict[str, Any]


def shared_folder() -> Path | None:
    """The folder of shared test material (recorded traffic, real schemas), where there is one."""
    named = os.environ.get("OLV_SHARED")
    folder = Path(named) if named else HERE.parent.parent / "shared"
    return folder if folder.is_dir() else None


def cases(*kinds: str) -> list[Case]:
    """The cases of these kinds in order of their numbers."""
    found = [json.loads(path.read_text("utf-8")) for path in sorted(CASES.glob("*.json"))]
    return [case for case in found if case["kind"] in kinds]


@dataclass(frozen=True)
class CaseServer:
    """A running case server and its addresses (see the head of case_server.py)."""

    base: str
    other: str
    tls: str | None
    closed: str

    def fill(self, text: str, case_id: str = "") -> str:
        """Put the server's addresses into a text of a case."""
        own = f"/case/{case_id}"
        values = {
            "$BASE_AS_HTTPS": self.base.replace("http:", "https:"),
            "$BASE": self.base,
            "$OTHER": self.other,
            "$TLS": self.tls or "",
            "$CLOSED": self.closed,
            "$SELF": own,
        }
        for name, value in values.items():
            text = text.replace(name, value)
        return text

    def url(self, case: Case) -> str:
        """The address of a case, its own one where the case names one."""
        return self.fill(case.get("request", {}).get("url", "$BASE$SELF"), case["id"])

    def log(self, case: Case) -> list[dict[str, Any]]:
        """The requests that the server saw for a case."""
        with urlopen(f"{self.base}/_log?case={case['id']}", timeout=10) as answer:
            entries: list[dict[str, Any]] = json.load(answer)
        return [entry for entry in entries if entry.get("event", "request") == "request"]

    def reset(self) -> None:
        """Forget the log and the counters of scripted sequences."""
        urlopen(Request(f"{self.base}/_reset", data=b""), timeout=10).close()


@contextmanager
def case_server(folder: Path = CASES) -> Iterator[CaseServer]:
    """Run the case server in a process of its own, with its https listener where openssl can make one."""
    command = [sys.executable, str(HERE / "case_server.py"), "--cases", str(folder), "--tls"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        ready = json.loads(process.stdout.readline())
        yield CaseServer(ready["base"], ready["other"], ready["tls"], ready["closed"])
    finally:
        process.terminate()
        process.wait(10)


def words_of(case: Case, server: CaseServer) -> list[str]:
    """The command line that carries a case out."""
    request = case.get("request", {})
    words = ["call", request.get("tool", "probe"), json.dumps(request.get("arguments", {})), "--url", server.url(case)]
    for name, value in request.get("headers", {}).items():
        words += ["-H", f"{name}: {value}"]
    if "id" in request:
        words += ["--id", json.dumps(request["id"])]
    if case.get("needs") == "tls":
        words += ["--insecure"]
    return words


def squeeze(text: str) -> str:
    """Without blanks and line breaks, as terminals wrap."""
    return re.sub(r"\s+", "", text)


def missing(wanted: Iterable[str], shown: str) -> list[str]:
    """The strings that cannot be found in what was shown."""
    plain = squeeze(shown)
    return [text for text in wanted if squeeze(text) not in plain]


def texts(value: object) -> str:
    """Every string, number and name in a decoded record, each on its line."""
    found: list[str] = []
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            found += map(str, item)
            stack += item.values()
        elif isinstance(item, list):
            stack += item
        else:
            found.append(str(item))
    return "\n".join(found)


def log_faults(case: Case, server: CaseServer) -> list[str]:
    """What the server's log shows against the expectations of a case."""
    wanted = case["expect"].get("log", {})
    entries = server.log(case)
    calls = [entry for entry in entries if entry.get("json_method") == "tools/call"]
    faults = [
        f"{method} was sent {seen} times, wanted {count}"
        for method, count in wanted.get("count", {}).items()
        if (seen := sum(entry.get("json_method") == method for entry in entries)) != count
    ]
    faults += [
        f"{method} was sent {seen} times, allowed {count}"
        for method, count in wanted.get("max_count", {}).items()
        if (seen := sum(entry.get("json_method") == method for entry in entries)) > count
    ]
    for name, values in wanted.get("request_headers", {}).items():
        sent = [value for entry in calls or entries for key, value in entry["headers"] if key.lower() == name]
        wanted_values = values if isinstance(values, list) else [values]
        faults += [f"{name}: {value} was not sent" for value in wanted_values if not any(value in one for one in sent)]
    for key, listener in (("never_on_other", "other"), ("never_on_main", "main")):
        faults += [
            f"{name} was sent to the {listener} listener"
            for entry in entries
            if entry["listener"] == listener
            for name, _ in entry["headers"]
            if name.lower() in wanted.get(key, [])
        ]
    methods = wanted.get("http_methods") or wanted.get("http_methods_on_main")
    if methods:
        faults += [f"a {m} was sent" for entry in entries if (m := entry["http_method"]) not in methods]
    ending = wanted.get("no_target_ending")
    if ending:
        faults += [f"{entry['target']} was fetched" for entry in entries if entry["target"].endswith(ending)]
    return faults
