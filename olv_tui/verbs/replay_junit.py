"""What came of one call of `replay --all`, as a line of JSON and as a case of JUnit XML.

Rules of this file: redacted before; well formed whatever a server says. XML 1.0 has no way to hold control characters,
surrogates and two others, escaped or not: they are shown as `view/safe.py` shows them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from olv_tui.model import Exchange, Verdict
from olv_tui.reports.compare import Comparison
from olv_tui.reports.record import escaped
from olv_tui.view.safe import visible

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class Result:
    """One call: `outcome` is same, same kind, different or skipped (`sentence` says why then).

    `number` is its line on a cassette, or which call of a report it is (`unit`); `differences` are lines for reading,
    safe; `came` is the exchange, masked; `ms` are milliseconds.
    """

    number: int
    name: str
    outcome: str
    comparison: Comparison | None = None
    differences: tuple[str, ...] = ()
    came: Exchange | None = None
    ms: float | None = None
    sentence: str = ""
    unit: str = "line"

    @property
    def is_unreached(self) -> bool:
        """Whether the call ended in a failure of the transport that was not recorded so."""
        return self.outcome != "same" and self.came is not None and self.came.verdict is Verdict.TRANSPORT_ERROR

    def json_line(self) -> str:
        """The result as one JSON object on one line."""
        came = self.came
        members = {
            self.unit: self.number,
            "what": self.name,
            "id": came.id.text if came and came.id else None,
            "outcome": self.outcome,
            "differences": list(self.differences),
            "total": self.comparison.total if self.comparison else 0,
            "verdict": came.verdict.value if came else None,
            "status": came.status if came else None,
            "ms": None if self.ms is None else round(self.ms, 1),
            "why": self.sentence or None,
        }
        return escaped(json.dumps(members, ensure_ascii=False))


def junit(results: Sequence[Result], where: str) -> str:
    """All results as one JUnit test suite; times are seconds."""
    failures = sum(result.outcome in ("same kind", "different") for result in results)
    skipped = sum(result.outcome == "skipped" for result in results)
    seconds = sum(result.ms or 0.0 for result in results) / 1000
    totals = f'tests="{len(results)}" failures="{failures}" errors="0" skipped="{skipped}" time="{seconds:.3f}"'
    cases = "".join(map(_case, results))
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<testsuites name="olv-tui replay" {totals}>\n<testsuite name="{_text(where)}" {totals}>\n'
        f"{cases}</testsuite>\n</testsuites>\n"
    )


def _case(result: Result) -> str:
    head = (
        f'<testcase classname="olv-tui replay" name="{result.unit} {result.number}: {_text(result.name)}"'
        f' time="{(result.ms or 0.0) / 1000:.3f}"'
    )
    if result.outcome == "same":
        return f"{head}/>\n"
    if result.outcome == "skipped":
        return f'{head}><skipped message="{_text(result.sentence)}"/></testcase>\n'
    told = "\n".join(result.differences)
    message = f"{result.outcome}: {result.differences[0] if result.differences else ''}"
    return f'{head}><failure type="{result.outcome}" message="{_text(message)}">{_text(told)}</failure></testcase>\n'


def _text(text: str) -> str:
    """Text for a place in XML, in quotes or out of them."""
    return escape(_FORBIDDEN.sub("\ufffd", visible(text)))
