"""What came of sending one call several times: how often which verdict, how many different answers, how long.

Rules of this file: an answer is told apart by its content without its id (which counts up) and without what the
reader ignores. Kept are digests and one example of each, not the answers.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from olv_tui import jsontext
from olv_tui.model import Exchange, Number, Object, Value
from olv_tui.reports.compare import answer_of, matcher
from olv_tui.reports.values import raw

ID = "/id"
"""Does not count: every request has another id, and its answer has the same."""


@dataclass(slots=True)
class Runs:
    """The tally. `answers` counts the different answers by a digest, `examples` has the serial of the first of each."""

    ignore: Sequence[str] = ()
    verdicts: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)
    examples: dict[str, int] = field(default_factory=dict)
    times: list[float] = field(default_factory=list)

    @property
    def count(self) -> int:
        """How many were counted."""
        return self.verdicts.total()

    def add(self, exchange: Exchange) -> str:
        """Count one that ended; gives the digest of its answer."""
        self.verdicts[exchange.verdict.value] += 1
        if exchange.total_ms is not None:
            self.times.append(exchange.total_ms)
        key = digest(exchange, self.ignore)
        self.answers[key] += 1
        self.examples.setdefault(key, exchange.serial)
        return key

    def ms(self) -> tuple[float, float, float, float] | None:
        """The shortest, the median, the 95th percentile (nearest rank) and the longest time; None without any."""
        ordered = sorted(self.times)
        if not ordered:
            return None
        middle = len(ordered) // 2
        median = ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2
        rank = -(-len(ordered) * 95 // 100)
        return ordered[0], median, ordered[rank - 1], ordered[-1]


def digest(exchange: Exchange, ignore: Sequence[str] = ()) -> str:
    """A short text that is equal for equal answers: values count, not white space; the verdict belongs to it."""
    data = answer_of(exchange)
    if data is None:
        return f"{exchange.verdict}:nothing"
    parsed = jsontext.parse(data)
    matches = [matcher(pointer) for pointer in (ID, *ignore)]
    plain = raw(jsontext.dumps(_pruned(parsed.value, matches))) if parsed.has_value else data.strip()
    return f"{exchange.verdict}:{hashlib.sha256(plain).hexdigest()[:16]}"


def _pruned(root: Value, matches: Sequence[Callable[[str], bool]]) -> Value:
    """A value without the places that do not count, its members in the order of their names."""
    out: list[Value] = []
    todo: list[tuple[str, Value, Object | list[Value] | None, str]] = [("", root, None, "")]
    while todo:
        at, value, parent, name = todo.pop()
        if any(match(at) for match in matches):
            continue
        kept: Value
        if isinstance(value, Object):
            kept = Object()
            names = sorted(value, reverse=True)
            todo += [(at + jsontext.pointer([child]), value[child], kept, child) for child in names]
        elif isinstance(value, list):
            kept = []
            todo += [(f"{at}/{place}", value[place], kept, "") for place in reversed(range(len(value)))]
        else:
            kept = Number(value.text) if isinstance(value, Number) else value
        if parent is None:
            out.append(kept)
        elif isinstance(parent, Object):
            parent[name] = kept
        else:
            parent.append(kept)
    return out[0] if out else None
