"""What replay prints: what would be sent, and how the answer stands to the reported one.

Rules of this file: redacted before it is printed, and safe for a terminal.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, replace

from olv_tui import jsontext
from olv_tui.model import Exchange, WireRequest
from olv_tui.options import Options
from olv_tui.redact import Redactor
from olv_tui.reports import compare
from olv_tui.reports.aim import as_exchange
from olv_tui.reports.compare import Comparison
from olv_tui.reports.read import Import, ReportedCall, described
from olv_tui.reports.record import escaped, record, request_text, value_text
from olv_tui.reports.write import known_values, with_secrets
from olv_tui.surroundings import make_redactor
from olv_tui.verbs.base import say, warn
from olv_tui.view import human, safe

_LINE = 300
_HEADLINES = {
    "same": "= reproduced: the reported answer came",
    "same kind": "≈ not the same: of the same kind, with other values",
    "different": "≠ different: another answer came than was reported",
}


@dataclass(frozen=True, slots=True)
class Runs:
    """What came of sending several times. `ms` are the shortest, the median and the longest time."""

    count: int
    outcomes: Counter[str]
    verdicts: Counter[str]
    ms: tuple[float, float, float] | None


# --------------------------------------------------------------------------- --dry-run


def dry_run(options: Options, found: Import) -> int:
    """Print what would be sent; 0 whatever came of the import."""
    redactor = make_redactor(options)
    found = replace(found, message=masked_message(found, redactor))
    ready = [_shown_call(options, redactor, call) for call in found.calls]
    say(_dry_json(found, ready) if options.json else _dry_text(found, ready))
    return 0


def masked_message(found: Import, redactor: Redactor) -> str:
    """The message of an import without the secrets that its calls hold; addresses may stand in it."""
    message = found.message
    for call in found.calls:
        message = redactor.knowing(as_exchange(call)).text(message)
    return message


def _shown_call(options: Options, redactor: Redactor, call: ReportedCall) -> ReportedCall:
    """A call with its secrets masked, or with all that are known where they were asked for."""
    url = options.target.url if options.aimed and options.target.url else ""
    exchange = as_exchange(call, options.target.url)
    if url:
        exchange = replace(exchange, request=replace(exchange.request, url=url))
    expected = call.expected
    if options.with_secrets:
        kept = with_secrets(exchange, redactor, known_values(options.target.headers, options.secrets))
        if any("‹hidden " in value for _, value in kept.request.headers):
            warn("a masked value in the report was not given anew and stays masked")
    else:
        # What the reader hands in is shown as it was handed in, but for credentials.
        knowing = redactor.knowing(exchange, arguments=False)
        kept = redactor.exchange(exchange, arguments=False)
        expected = None if expected is None else knowing.data(expected)
    request = kept.request
    return replace(call, url=request.url, headers=request.headers, body=request.body, expected=expected)


def _dry_json(found: Import, calls: list[ReportedCall]) -> str:
    one = calls[0] if found.outcome == "imported" else None
    members = [
        ("outcome", json.dumps(found.outcome)),
        ("request", _request(one) if one else "null"),
        ("expected", _expected(one.expected) if one else "null"),
        ("mended", json.dumps(list(found.mended), ensure_ascii=False)),
        ("message", json.dumps(found.message, ensure_ascii=False)),
        ("why", json.dumps(found.message, ensure_ascii=False)),  # the same by its other name, for scripts
    ]
    if found.outcome == "asked" and calls:
        members.append(("calls", f"[{','.join(_request(call) for call in calls)}]"))
    if found.arguments is not None:
        members.append(("arguments", json.dumps(found.arguments, ensure_ascii=False)))
    return escaped(_object(members))


def _request(call: ReportedCall) -> str:
    return request_text(WireRequest(call.url, call.headers, call.body, call.method))


def _expected(body: bytes | None) -> str:
    """The reported answer as JSON, as a text where it is none."""
    if body is None:
        return "null"
    parsed = jsontext.parse(body)
    return value_text(parsed.value if parsed.has_value else body.decode("utf-8", "replace"))


def _dry_text(found: Import, calls: list[ReportedCall]) -> str:
    lines = [f"{found.outcome}: {safe.visible(found.message)}" if found.message else found.outcome]
    lines += [f"  mended: {safe.one_line(phrase)}" for phrase in found.mended]
    for number, call in enumerate(calls, 1):
        head = f"call {number}: " if len(calls) > 1 else ""
        lines += ["", f"{head}{safe.one_line(described(call), _LINE)}"]
        lines.append(f"{safe.one_line(call.method)} {safe.one_line(call.url)}")
        lines += [f"{safe.one_line(name)}: {safe.one_line(value)}" for name, value in call.headers]
        lines += ["", safe.visible(call.body.decode("utf-8", "replace"))]
        if call.expected is not None:
            lines += ["", "reported answer:", safe.visible(call.expected.decode("utf-8", "replace"))]
    return "\n".join(lines)


# --------------------------------------------------------------------------- an answer that came


def tell(
    options: Options, redactor: Redactor, exchange: Exchange, comparison: Comparison | None, runs: Runs | None
) -> None:
    """Print the exchange, how it stands to the reported answer, and what came of the other runs."""
    masked = redactor.exchange(exchange)
    known = redactor.knowing(exchange)
    if options.json:
        line = record(masked)
        if comparison is not None:
            line = f"{line[:-1]},{_member('comparison', _comparison_json(comparison, known))}}}"
        if runs is not None:
            line = f"{line[:-1]},{_member('runs', _runs_json(runs))}}}"
        say(escaped(line))
        return
    parts = [human.exchange_text(masked)]
    if comparison is not None:
        parts += ["", *_comparison_text(comparison, known)]
    if runs is not None:
        parts += ["", *_runs_text(runs)]
    say("\n".join(parts))


def _comparison_text(found: Comparison, known: Redactor) -> list[str]:
    lines = [_HEADLINES[found.outcome]]
    told = compare.tell(found.differences, lambda text: safe.one_line(known.text(text), _LINE))
    lines += [f"  {line}" for line in told]
    if found.total > len(found.differences):
        lines.append(f"  ... {found.total} differences in all")
    if found.written:
        lines.append(f"  only written differently (order of members, 1.0 for 1): {len(found.written)}")
    return lines


def _comparison_json(found: Comparison, known: Redactor) -> str:
    return _object(
        [
            ("outcome", json.dumps(found.outcome)),
            ("differences", _differences(found.differences, known)),
            ("written", _differences(found.written, known)),
            ("total", str(found.total)),
        ]
    )


def _differences(items: tuple[compare.Difference, ...], known: Redactor) -> str:
    return (
        "["
        + ",".join(
            _object(
                [
                    ("at", json.dumps(known.text(item.at), ensure_ascii=False)),
                    ("kind", json.dumps(item.kind)),
                    ("expected", value_text(known.value(item.expected))),
                    ("actual", value_text(known.value(item.actual))),
                ]
            )
            for item in items
        )
        + "]"
    )


def _runs_json(runs: Runs) -> str:
    shortest, middle, longest = runs.ms or (None, None, None)
    return json.dumps(
        {
            "count": runs.count,
            **({"outcomes": dict(runs.outcomes)} if runs.outcomes else {}),
            "verdicts": dict(runs.verdicts),
            "ms": {"min": _rounded(shortest), "median": _rounded(middle), "max": _rounded(longest)},
        }
    )


def _runs_text(runs: Runs) -> list[str]:
    lines = [f"{runs.count} runs: " + ", ".join(f"{count} {name}" for name, count in runs.verdicts.most_common())]
    if runs.outcomes:
        lines.append("  against the report: " + ", ".join(f"{n} {name}" for name, n in runs.outcomes.most_common()))
    if runs.ms:
        lines.append("  took {:.1f} ms at least, {:.1f} in the middle, {:.1f} at most".format(*runs.ms))
    return lines


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 1)


def _member(name: str, text: str) -> str:
    return f"{json.dumps(name)}:{text}"


def _object(members: list[tuple[str, str]]) -> str:
    return f"{{{','.join(_member(name, text) for name, text in members)}}}"
