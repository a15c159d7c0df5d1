"""Ready requests for every method worth sending by hand, with the params that each wants.

Follows MCP 2026-07-28 and 2025-11-25 (Base Protocol, Tools, Resources, Prompts, Utilities) and JSON-RPC 2.0.

Rules of this file:

* Params are text and sent as they stand; `_meta` and its kin are added where the era wants them.
* A template is a beginning: empty strings are for the reader to fill in.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from olv_tui.mcp.versions import CLIENT_INFO, LEGACY, MODERN, modern_params
from olv_tui.model import Era

Build = Callable[[str, "str | None", "str | None"], str]
"""The text of a request for (method, params text, id text or None), dressed for the era."""

PREVIOUS = "$PREVIOUS"
"""Stands in params for the id before the one that the request gets."""


@dataclass(frozen=True, slots=True)
class Template:
    """A request to begin with.

    `key` names it and its draft; `about` is one sentence for the list. `notification`: it has no id. `more`
    are the requests that follow it in a batch. `meta`: whether `_meta` is added, "era" as the era wants it.
    """

    key: str
    method: str
    about: str
    params: str | None = None
    notification: bool = False
    more: tuple[Template, ...] = ()
    meta: str = "era"

    def ids(self, first: str) -> list[str]:
        """The ids its requests get, counted on from the first."""
        asking = [one for one in (self, *self.more) if not one.notification]
        return [str(int(first) + at) if first.isdigit() else first for at in range(len(asking))]

    def text(self, first: str, build: Build, plain: Build) -> str:
        """Its envelope. `first` is the id it gets; `plain` builds without what an era adds."""
        ids = iter(self.ids(first))
        texts = [one._one(None if one.notification else next(ids), first, build, plain) for one in (self, *self.more)]
        return texts[0] if not self.more else f"[{','.join(texts)}]"

    def _one(self, identity: str | None, first: str, build: Build, plain: Build) -> str:
        params = self.params
        if params is not None and PREVIOUS in params:
            params = params.replace(PREVIOUS, str(max(0, int(first) - 1)) if first.isdigit() else first)
        if self.meta == "always":
            return plain(self.method, modern_params(params), identity)
        return (plain if self.meta == "never" else build)(self.method, params, identity)

    def header_change(self, era: Era | None) -> tuple[bool, tuple[str, ...]]:
        """Whether it needs the headers of the modern era in another one, and which headers it goes without."""
        if self.meta == "always":
            return era is not Era.MODERN, ()
        gone = ("MCP-Protocol-Version", "Mcp-Method") if self.meta == "never" and era is Era.MODERN else ()
        return False, gone


_HANDSHAKE = (
    f'{{"protocolVersion":"{LEGACY[0]}","capabilities":{{}},'
    f'"clientInfo":{{"name":"{CLIENT_INFO["name"]}","version":"{CLIENT_INFO["version"]}"}}}}'
)

PLAIN = Template("JSON-RPC call, params by name", "", "Any JSON-RPC 2.0 server: put in a method and its params.", "{}")

TEMPLATES: tuple[Template, ...] = (
    Template("tools/list", "tools/list", "The tools; a nextCursor goes back as params.cursor."),
    Template("tools/call", "tools/call", "A call of any tool by name.", '{"name":"","arguments":{}}'),
    Template("resources/list", "resources/list", "The resources that the server offers."),
    Template("resources/read", "resources/read", "The contents of one resource by its uri.", '{"uri":""}'),
    Template("resources/templates/list", "resources/templates/list", "Patterns of resource uris (RFC 6570)."),
    Template("prompts/list", "prompts/list", "The prompts that the server offers."),
    Template("prompts/get", "prompts/get", "One prompt; its arguments are strings.", '{"name":"","arguments":{}}'),
    Template(
        "completion/complete", "completion/complete", "Values for an argument of a prompt or a resource template.",
        '{"ref":{"type":"ref/prompt","name":""},"argument":{"name":"","value":""}}',
    ),
    Template("ping", "ping", f"Answered with {{}}; removed in {MODERN}."),
    Template(
        "logging/setLevel", "logging/setLevel", f"debug to emergency; a member of _meta in {MODERN} instead.",
        '{"level":"info"}',
    ),
    Template(
        "server/discover", "server/discover", f"Versions and capabilities of a {MODERN} server.", meta="always"
    ),
    Template(
        "initialize", "initialize", f"The handshake of {LEGACY[0]} and before; this one is not kept.", _HANDSHAKE,
        meta="never",
    ),
    Template(
        "notifications/initialized", "notifications/initialized", "Ends the handshake; 202 and no answer is right.",
        notification=True, meta="never",
    ),
    Template(
        "notifications/cancelled", "notifications/cancelled", "Gives up a request by its id; legacy eras only.",
        f'{{"requestId":{PREVIOUS},"reason":"no longer needed"}}', notification=True,
    ),
    PLAIN,
    Template("JSON-RPC call, params by position", "", "Params as a list, which MCP does not know.", "[]"),
    Template("JSON-RPC notification", "", "A call without an id: no answer may come.", "{}", notification=True),
    Template(
        "batch of two", "ping", "Two requests in one body: JSON-RPC 2.0, and MCP 2025-03-26 alone.",
        more=(Template("tools/list", "tools/list", ""),),
    ),
)  # fmt: skip
"""What the list of new requests offers, in its order."""


def template(key: str) -> Template:
    """The template of this key; for any other text a request (`notifications/...`: a notification) of that method."""
    known = next((one for one in TEMPLATES if one.key == key), None)
    return known or Template(key, key, "The method as typed.", notification=key.startswith("notifications/"))
