"""The tally of a call that was sent several times, in short lines (text, style). Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from olv_tui.model import Verdict
from olv_tui.reports.runs import Runs
from olv_tui.view.words import duration, word

Part = tuple[str, str]


def tally_lines(runs: Runs, wanted: int, likeness: Counter[str]) -> Iterator[Part]:
    """How often which verdict, how many different answers, how long, and how often what was expected."""
    count = runs.count
    yield f"{count} of {wanted} sent", "bold"
    for name, times in runs.verdicts.most_common():
        told = word(Verdict(name))
        yield f"  {told.symbol} {told.label}: {times} ({times / count:.0%})", f"$text-{told.style}"
    if len(runs.answers) > 1:
        most = runs.answers.most_common(1)[0][1]
        yield (
            f"  {len(runs.answers)} different answers, the most frequent {most} times: d compares two",
            "$text-warning",
        )
    elif runs.answers:
        yield "  always the same answer (ids do not count)", "$text-success"
    if likeness:
        told_all = ", ".join(f"{times} {name}" for name, times in likeness.most_common())
        yield f"  against the expected answer: {told_all}", ""
    if (ms := runs.ms()) is not None:
        least, median, late, most_ms = (duration(value) for value in ms)
        yield f"  time: min {least} · median {median} · p95 {late} · max {most_ms}", "$foreground 70%"
