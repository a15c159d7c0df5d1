"""The tools that answer at once.

Rules of this file: a tool is a function of the call and its checked arguments. It returns the result without
`_meta` (protocol.py adds the marks), or raises RefusedError for a JSON-RPC error.
"""

from __future__ import annotations

from typing import Any

from . import exact
from .account import DOCUMENTED_SITE, KNOWN_SITES, LATENCIES, Account
from .arguments import Problem
from .calls import Call
from .catalogue import catalogue
from .exact import JsonObject, Raw
from .messages import ABSENT, INVALID_PARAMS, NULL, RefusedError

_TOTAL_HITS = 2000
_TEXT_IS_JSON_FROM = 100
"""Hits from which the text block of olv_search repeats the JSON: so the big result is twice as big."""


def result(text: str, structured: JsonObject | None = None, *, error: bool = False) -> JsonObject:
    """A tool result with one text block, `structuredContent` where given, and `isError` where true."""
    made: JsonObject = {"content": [{"type": "text", "text": text}]}
    if structured is not None:
        made["structuredContent"] = structured
    if error:
        made["isError"] = True
    return made


def not_linked(site: str, text: str = "") -> JsonObject:
    """The documented failure: structuredContent and isError are OneLifeVibe's, the text is invented."""
    return result(text or f"{site} is not linked to this account.", {"error": "not_linked", "site": site}, error=True)


def no_world(account: Account, world_id: str) -> JsonObject:
    """A failure with text only."""
    known = ", ".join(world["id"] for world in account.worlds) or "none"
    return result(f"No world {world_id} in this account.\nKnown worlds: {known}.", error=True)


def bad_arguments(tool: str, problems: list[Problem]) -> JsonObject:
    """Arguments that break the schema: -32602 for olv_get_world (raised), a tool failure for all others.

    Real servers do either (2025-11-25 asks for the failure), so both are here to be seen.
    """
    if tool == "olv_get_world":
        first = problems[0]
        text = f"Invalid params: {first.path.removeprefix('/') or 'arguments'} {first.text}"
        data = {"path": first.path, "keyword": first.keyword, "value": first.value}
        raise RefusedError(INVALID_PARAMS, text, data)
    count = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
    lines = [f"{problem.path or '/'}: {problem.text}" for problem in problems]
    return result("\n".join([f"{count} with the arguments:", *lines]), error=True)


def list_worlds(call: Call, arguments: JsonObject) -> JsonObject:  # noqa: ARG001  # all tools have one shape
    """Tool 1."""
    account = call.account
    if not account.linked:
        return not_linked(DOCUMENTED_SITE)
    structured = {"worlds": account.worlds, "total": len(account.worlds)}
    return {**result(exact.dumps(structured), structured), "isError": False}


def get_world(call: Call, arguments: JsonObject) -> JsonObject:
    """Tool 2."""
    world_id = arguments["world_id"]
    world = call.account.world(world_id)
    if world is None:
        return no_world(call.account, world_id)
    parts = catalogue()["parts"][world_id]
    included = {name: parts[name] for name in arguments.get("include", [])}
    text = f"{world['name']}, {world['visibility']}, {world['pages']} pages"
    if "pages" in included:
        text += f" ({len(included['pages'])} shown)"
    return result(text, {"world": world, **included})


def site_status(call: Call, arguments: JsonObject) -> JsonObject:
    """Tool 3."""
    site = arguments["site"].lower()
    if site in call.account.linked:
        structured = {
            "site": site,
            "linked": True,
            "checked": "2026-12-01T09:00:00Z",
            "latency_ms": LATENCIES.get(site),
        }
        return result(f"{site} is linked (checked 2026-12-01 09:00 UTC).", structured)
    if site in KNOWN_SITES:
        return not_linked(site)
    return result(f"unknown_site: {site}", {"error": "unknown_site", "site": site}, error=True)


def today(call: Call, arguments: JsonObject) -> JsonObject:  # noqa: ARG001
    """Tool 4."""
    return {"content": catalogue()["today"][arguments.get("style", "markdown")]}


def search(call: Call, arguments: JsonObject) -> JsonObject:  # noqa: ARG001
    """Tool 5. Filters are checked and not applied: hit n is made from n alone."""
    limit = int(arguments.get("limit", 20))
    structured: JsonObject = {"hits": [_hit(rank) for rank in range(1, limit + 1)], "total": _TOTAL_HITS}
    if "extra" in arguments:
        structured["extra"] = arguments["extra"]
    big = limit >= _TEXT_IS_JSON_FROM
    made = result(exact.dumps(structured) if big else f"{limit} of {_TOTAL_HITS} hits", structured)
    if arguments.get("explain"):
        made["content"].append({"type": "text", "text": f"Understood: {exact.dumps(arguments)}"})
    return made


_PLACES = ("east door", "west door", "mole", "lantern room", "boathouse", "slipway", "night market")


def _hit(rank: int) -> JsonObject:
    """Hit number `rank`; the first is the tide table, the rest pages of a long tide book."""
    hit: JsonObject = {"rank": rank, "world_id": "w_lantern", "path": "/tide", "title": "Tide table", "score": 0.98}
    if rank == 1:
        return {**hit, "snippet": "High tide 12:31, 3.1 m at the east door"}
    place, height = _PLACES[rank % len(_PLACES)], 2 + (rank * 7 % 19) / 10
    clock = f"{rank * 37 // 60 % 24:02}:{rank * 37 % 60:02}"
    return {
        **hit,
        "path": f"/tide/{rank:04}",
        "title": f"Tide book, page {rank} — {place}",
        "score": round(0.98 - rank * 0.0004, 4),
        "snippet": f"Tide at the {place}: {clock}, {height:.1f} m; the keeper’s note says “calm”, "
        f"and the moon is {rank % 30} days old",
    }


def delete_world(call: Call, arguments: JsonObject) -> JsonObject:
    """Tool 8."""
    world_id = arguments["world_id"]
    world = call.account.delete(world_id)
    if world is None:
        return result(f"No world {world_id} in this account.", error=True)
    return result(f"Deleted {world['name']}.", {"deleted": world_id, "remaining": len(call.account.worlds)})


def forecast(call: Call, arguments: JsonObject) -> JsonObject:  # noqa: ARG001
    """Tool 10. Two of its three results break its outputSchema on purpose."""
    kind = "sound" if arguments.get("behave") else "missing" if arguments.get("days") == 14 else "broken"
    made: JsonObject = catalogue()["forecast"][kind]
    return dict(made)


def diagnose(call: Call, arguments: JsonObject) -> JsonObject:
    """Tool 11: always a RefusedError at HTTP 200, under the id that was asked for."""
    code = int(arguments.get("code", -32603))
    error = catalogue()["errors"][str(code)]
    data: Any = error["data"] if arguments.get("with_data", True) else ABSENT
    ids: dict[str, Raw | None] = {
        "same": call.message.id,
        "null": NULL,
        "missing": None,
        "other": Raw('"someone-else"'),
    }
    raise DiagnosisError(ids[arguments.get("id", "same")], code, error["message"], data)


class DiagnosisError(RefusedError):
    """An error asked for: HTTP 200 in every era, and an id that may be wrong or missing (None)."""

    def __init__(self, wanted_id: Raw | None, code: int, message: str, data: Any) -> None:
        super().__init__(code, message, data, status=200)
        self.wanted_id = wanted_id
