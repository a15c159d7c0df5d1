"""What was understood of a pasted text, in short paragraphs (text, kind of a row part) for the box.

Rules of this file: it gets calls whose secrets are masked already; everything passes view/safe.py.
"""

from __future__ import annotations

from collections.abc import Iterator

from olv_tui import jsonrpc, jsontext
from olv_tui.model import Judgement, Object
from olv_tui.reports.aim import origin
from olv_tui.reports.values import Import, ReportedCall
from olv_tui.view.safe import one_line
from olv_tui.view.words import word

Part = tuple[str, str]
_HEADERS = 6
_ARGUMENTS = 300


def headline(found: Import) -> Part:
    """What came of reading, in a sentence."""
    if found.outcome == "imported":
        return f"✓ one call, read from {found.calls[0].form or 'the text'}", "success"
    if found.outcome == "asked" and found.calls:
        return f"? {len(found.calls)} calls: which one is meant?", "primary"
    if found.outcome == "asked":
        return "? a JSON object and no message: of which tool are these the arguments?", "primary"
    return f"✗ {one_line(found.message, 400)}", "error"


def call_lines(call: ReportedCall, target: str, judgement: Judgement | None) -> Iterator[Part]:
    """A call in a few lines. `target` says where it will go, in safe words."""
    out = jsonrpc.read_request(call.body)
    where = one_line(call.url, 160) if call.url else "no address in it"
    yield f"to      {where}", "plain"
    yield f"        {target}", "dim"
    yield f"method  {one_line(f'{call.method} {out.method or out.kind}', 120)}", "plain"
    if out.tool is not None:
        yield f"tool    {one_line(out.tool, 120)}", "plain"
        yield f"with    {_arguments(call.body)}", "plain"
    else:
        yield f"body    {one_line(call.body[:_ARGUMENTS].decode('utf-8', 'replace'), _ARGUMENTS)}", "plain"
    if out.ids:
        told = ", ".join(one_line(one.text, 40) for one in out.ids[:5])
        yield f"id      {told} (kept as it is)", "plain"
    if judgement is not None:
        yield f"answer  {expected(judgement)}: compared with what comes", word(judgement.verdict).style
    for name, value in call.headers[:_HEADERS]:
        yield f"header  {one_line(f'{name}: {value}', 140)}", "dim"
    if len(call.headers) > _HEADERS:
        yield f"        and {len(call.headers) - _HEADERS} more headers", "dim"


def expected(judgement: Judgement) -> str:
    """A reported answer in a few words: `tool error not_linked, site helpbless.com`."""
    told = word(judgement.verdict).label
    summary = one_line(judgement.summary, 120)
    return told if summary in ("", told) else f"{told} {summary}"


def _arguments(body: bytes) -> str:
    value = jsontext.parse(body).value
    params = value.get("params") if isinstance(value, Object) else None
    arguments = params.get("arguments") if isinstance(params, Object) else None
    return one_line(jsontext.dumps(arguments), _ARGUMENTS) if arguments is not None else "no arguments"


def target_words(call: ReportedCall, present: str, known: dict[str, str]) -> str:
    """Where a call will go: the present target, a known one of its origin (`known` maps origins to names), or asked."""
    if not call.url or origin(call.url) == origin(present):
        return "goes to the present target"
    name = known.get(origin(call.url))
    return f"goes to the known target {one_line(name, 60)}" if name else "another server: you are asked where it goes"
