"""Plain text for a terminal without a screen: what the verbs print when --json is not given.

Rules of this file: no colour, no control characters, verdict first, then what to do, then what came. Of a long
text or JSON block the beginning is printed, and how it is had in full: nobody reads 100 MB, and a terminal, or
a machine with less memory than a server has, would go down with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from olv_tui.mcp.tools import badges
from olv_tui.model import Exchange, Tool
from olv_tui.view.arguments import arguments_lines
from olv_tui.view.decoded import decoded_lines
from olv_tui.view.safe import one_line
from olv_tui.view.words import SEVERITY, WORDS, banner, counted, duration

if TYPE_CHECKING:
    from olv_tui.history import HistoryRow
    from olv_tui.session import Listing

_DESCRIPTION = 100
_ARGUMENTS = 1_000  # of one tool

BLOCK = 200_000
"""Characters that are printed of one text or JSON block."""


def exchange_text(exchange: Exchange) -> str:
    """An exchange for reading: banner, advice, the decoded answer. Ends without a line end."""
    return "".join(exchange_parts(exchange))


def exchange_parts(exchange: Exchange) -> Iterator[str]:
    """The same in pieces, none of them longer than `BLOCK`, made as they are asked for."""
    told = banner(exchange)
    head = [f"{told.symbol} {told.headline}", f"  {told.facts}"]
    if told.advice:
        head.extend(f"  {line}" for line in told.advice.splitlines())
    yield "\n".join(head)
    decoded = decoded_lines(exchange, limit=BLOCK)
    if len(decoded):
        yield "\n\n"
        yield from decoded.pieces()


def listing_text(listing: Listing) -> str:
    """The tools for reading: name, badges, description, arguments; then the findings."""
    if listing.failed is not None:
        return exchange_text(listing.failed)
    parts = [f"{counted(len(listing.tools), 'tool')} in {counted(listing.pages, 'page')}"]
    for tool in listing.tools:
        parts.extend(("", *_tool_text(tool)))
    if listing.violations:
        parts.extend(("", "Findings"))
    for violation in listing.violations:
        place = f"  at {one_line(violation.place)}" if violation.place else ""
        label = SEVERITY[violation.severity].label
        parts.append(f"  {violation.code} {label}  {one_line(violation.message, 300)}{place}")
    return "\n".join(parts)


def history_text(rows: Iterable[HistoryRow]) -> str:
    """Past exchanges for reading, one a line: serial, id, time, what was asked, how it ended, how long it took."""
    lines = []
    for row in rows:
        told = WORDS[row.verdict]
        asked = one_line(row.tool or row.method or "-", 40)
        ended = f"{told.symbol} {told.label}" + (f": {one_line(row.summary, 60)}" if row.summary else "")
        status = f"HTTP {row.status}" if row.status is not None else "-"
        star = "★" if row.starred else " "
        lines.append(
            f"{star}@{row.serial:<6} {one_line(row.id_text or '-', 20):<8} {row.started[:19]}  "
            f"{asked:<28} {status:<8} {duration(row.total_ms):>9}  {ended}"
        )
        if row.note:
            lines.append(f"         {one_line(row.note, 200)}")
    return "\n".join(line.rstrip() for line in lines) if lines else "No exchange is in the history yet."


def _tool_text(tool: Tool) -> list[str]:
    marks = [*badges(tool), *([counted(len(tool.violations), "finding")] if tool.violations else [])]
    head = one_line(tool.name, 120) or "(no name)"
    lines = [f"{head}  [{', '.join(one_line(mark, 40) for mark in marks)}]" if marks else head]
    about = tool.description or tool.title
    if about:
        lines.append(f"  {one_line(about, _DESCRIPTION)}")
    lines.extend(f"    {line.text}" for line in arguments_lines(tool, _ARGUMENTS))
    lines.extend(f"  {found.code} {one_line(found.message, 200)}" for found in tool.violations)
    return lines
