"""What the inputSchema of a tool has against the arguments of a call, for a report.

Rules of this file: what is looked at is masked already, so a schema may refuse a mask; that is told as what it is, a
finding about the text that stands in the report. Import it late: the check loads jsonschema.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from olv_tui import jsontext
from olv_tui.mcp.tools import read_listing
from olv_tui.model import Exchange, Object, Tool, Verdict

if TYPE_CHECKING:
    from olv_tui.history import History

_LISTINGS = 50
"""Listings that are looked through for a tool."""


def findings(exchange: Exchange, tool: Tool) -> tuple[str, ...] | None:
    """Sentences such as `/limit: 9999 is more than 2000`, () where the schema takes all; None for no call of it."""
    if exchange.outgoing.tool != tool.name:
        return None
    message = jsontext.parse(exchange.request.body).value
    params = message.get("params") if isinstance(message, Object) else None
    schema = tool.definition.get("inputSchema")
    if not isinstance(params, Object) or not isinstance(schema, Object):
        return None
    from olv_tui.schema.findings import check

    # Without arguments a call is checked as one with none of them, as servers do.
    return tuple(found.sentence for found in check(params.get("arguments", Object()), schema))


def listed_tool(history: History, exchange: Exchange) -> Tool | None:
    """The tool of a call as its server listed it last before, None where no listing tells it. Raises HistoryError."""
    from olv_tui.history.query import Query, Term

    name = exchange.outgoing.tool
    if name is None:
        return None
    listings = Query((Term("method", ("tools/list",)), Term("verdict", (Verdict.RESULT.value,))))
    for row in history.find(listings, _LISTINGS, automatic=True, before=exchange.serial):
        listing = history.get(row.serial) if row.target == exchange.target else None
        message = listing.judgement.message if listing is not None and listing.judgement is not None else None
        result = message.get("result") if isinstance(message, Object) else None
        found = [tool for tool in read_listing(result, None).tools if tool.name == name]
        if found:
            return found[0]
    return None
