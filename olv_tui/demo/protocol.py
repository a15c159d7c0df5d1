"""The MCP endpoint of the demo: which method is answered how, in each era.

Rules of this file: it speaks to the socket through `Wire` only; a request gets exactly one answer, unless its
caller has gone or a tool breaks the wire on purpose. Statuses follow protocol 2026-07-28 (transports): there
-32601 is 404 and -32602 is 400, while older versions and bare requests get JSON-RPC errors at 200.
"""

from __future__ import annotations

import inspect
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final
from urllib.parse import urlsplit

from . import exact, messages, postcard, tools, waiting
from .account import MODES, Account
from .arguments import problems
from .calls import Call, EndedError, Trouble
from .catalogue import catalogue
from .catalogue import tools as definitions
from .eras import LEVELS, SUPPORTED, Context, Sessions, negotiate
from .exact import JsonObject, Raw
from .messages import INVALID_PARAMS, METHOD_NOT_FOUND, NULL, SERVER_ERROR, Message, RefusedError
from .wire import Request, Wire

PATH: Final = "/mcp"
LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")

_JSON: Final = ("Content-Type", "application/json")
_CURSOR: Final = "demo-page-"
_INSTRUCTIONS: Final = "Invented data: the demo of olv-tui, not OneLifeVibe. Nothing real is read or changed."

_TOOLS: Final[dict[str, Callable[[Call, JsonObject], Any]]] = {
    "olv_list_worlds": tools.list_worlds,
    "olv_get_world": tools.get_world,
    "olv_site_status": tools.site_status,
    "olv_today": tools.today,
    "olv_search": tools.search,
    "olv_render_postcard": postcard.render_postcard,
    "olv_export_world": waiting.export_world,
    "olv_delete_world": tools.delete_world,
    "olv_link_site": waiting.link_site,
    "olv_forecast": tools.forecast,
    "olv_diagnose": tools.diagnose,
    "olv_flaky": waiting.flaky,
}


class Endpoint:
    """The state of one demo server and its answers. Lives on one event loop.

    `mode` is "", "unlinked" (no site linked at the start) or "sessions" (the 2025 versions only, and nothing
    without a session). `idle` is set while no tool call is under way.
    """

    def __init__(self, mode: str, version: str, slow_seconds: float) -> None:
        if mode not in MODES:
            raise ValueError(f"the demo has no mode {mode!r}; it has {', '.join(filter(None, MODES))}")
        self._account = Account(unlinked=mode == "unlinked")
        self._sessions = Sessions(required=mode == "sessions")
        self._info = {"name": "olv-demo", "title": "OneLifeVibe demo (invented data)", "version": version}
        self._slow_seconds = slow_seconds
        self._calls: set[Call] = set()
        self._questions = 0
        self.idle = threading.Event()
        self.idle.set()

    # ----------------------------------------------------------------------- HTTP

    @property
    def path(self) -> str:
        """The path of the endpoint."""
        return PATH

    async def answer(self, request: Request, wire: Wire) -> None:
        """Answer one HTTP request."""
        refused = foreign(request.headers)
        if refused:
            await self._refuse(wire, request, 403, refused)
        elif request.path != PATH:
            await self._refuse(wire, request, 404, f"Not found; the endpoint is {PATH}")
        elif request.method == "POST":
            await self._post(request, wire)
        elif request.method == "DELETE":
            await self._delete(request, wire)
        else:
            await self._refuse(wire, request, 405, "Method not allowed", [("Allow", "POST, DELETE")])

    async def _refuse(
        self, wire: Wire, request: Request, status: int, text: str, headers: list[tuple[str, str]] | None = None
    ) -> None:
        body = RefusedError(SERVER_ERROR, text).body(NULL).encode()
        await wire.answer(
            status, [_JSON, *(headers or [])], body, keep=request.keep_alive, empty=request.method == "HEAD"
        )

    async def _delete(self, request: Request, wire: Wire) -> None:
        """End a session (2025-11-25, transports, "Session Management")."""
        session_id = request.headers.get("mcp-session-id")
        if session_id is None:
            await self._refuse(wire, request, 400, "Bad Request: no Mcp-Session-Id to end")
        elif self._sessions.end(session_id):
            await wire.answer(200, keep=request.keep_alive)
        else:
            await self._refuse(wire, request, 404, "Session not found")

    async def _post(self, request: Request, wire: Wire) -> None:
        message: Message | None = None
        context: Context | None = None
        try:
            message = messages.read(request.body)
            if self._sessions.is_handshake(message) and message.is_request:
                await self._initialize(message, request, wire)
                return
            context = self._sessions.context(message, request.headers)
            if message.is_request:
                await self._request(message, context, request, wire)
                return
            self._take(message, context)
            await wire.answer(202, keep=request.keep_alive)
        except RefusedError as refusal:
            own = message.id if message is not None and message.method is not None else None
            body = refusal.body(refusal.answer_id or own or NULL).encode()
            await wire.answer(_status(refusal, context), [_JSON], body, keep=request.keep_alive)

    # ----------------------------------------------------------------------- messages without an answer

    def _take(self, message: Message, context: Context) -> None:
        """A notification or a response. Those that mean nothing here are taken all the same."""
        if message.method == "notifications/cancelled":
            wanted = message.params.get("requestId")
            for call in self._calls:
                if call.context.session is context.session and _is_id(call.message.id, wanted):
                    call.cancelled.set()
        elif message.method is None and context.session is not None:
            asked = message.content.get("id")
            question = context.session.questions.get(asked) if isinstance(asked, str) else None
            if question is not None and not question.done():
                question.set_result(message.content)

    # ----------------------------------------------------------------------- requests

    async def _initialize(self, message: Message, request: Request, wire: Wire) -> None:
        """The handshake of the 2025 versions (lifecycle): negotiates the version and opens a session."""
        params = message.params
        requested, capabilities = params.get("protocolVersion"), params.get("capabilities")
        if not isinstance(requested, str):
            raise RefusedError(
                INVALID_PARAMS, "Invalid params: protocolVersion is required", {"path": "/protocolVersion"}
            )
        version = negotiate(requested)
        session = self._sessions.open(version, capabilities if isinstance(capabilities, dict) else {})
        made = {
            "protocolVersion": version,
            "capabilities": {"tools": {}, "logging": {}},
            "serverInfo": self._info,
            "instructions": _INSTRUCTIONS,
        }
        body = self._response(message, Context("legacy", session), made)
        await wire.answer(200, [_JSON, ("Mcp-Session-Id", session.id)], body.encode(), keep=request.keep_alive)

    async def _request(self, message: Message, context: Context, request: Request, wire: Wire) -> None:
        streams = message.token is not None
        if message.method == "tools/call":
            name = message.params.get("name")
            streams = streams or name == "olv_export_world" or (context.era != "modern" and name == "olv_link_site")
            body = await self._call(message, context, wire, streams=streams)
        else:
            try:
                body = self._response(message, context, self._method(message, context))
            except RefusedError as refusal:
                if not streams or _status(refusal, context) != 200:
                    raise
                body = refusal.body(message.id)
        if body is None:
            return
        if streams or wire.streaming:
            if not wire.streaming:
                await wire.open_stream()
            await wire.event(body)
            await wire.end_stream()
        else:
            await wire.answer(200, [_JSON], body.encode(), keep=request.keep_alive)

    def _method(self, message: Message, context: Context) -> JsonObject:
        """The result of a request that calls no tool. Raises RefusedError."""
        modern = context.era == "modern"
        match message.method:
            case "tools/list":
                fresh = {"ttlMs": 300_000, "cacheScope": "public"} if modern else {}
                return {**_page(message.params, context), **fresh}
            case "server/discover" if modern:
                return {
                    "supportedVersions": list(SUPPORTED),
                    "capabilities": {"tools": {}, "logging": {}},
                    "instructions": _INSTRUCTIONS,
                    "ttlMs": 300_000,
                    "cacheScope": "public",
                }
            case "ping" if not modern:
                return {}
            case "logging/setLevel" if not modern:
                return _set_level(message.params, context)
            case _:
                raise RefusedError(METHOD_NOT_FOUND, f"Method not found: {message.method}", {"method": message.method})

    async def _call(self, message: Message, context: Context, wire: Wire, *, streams: bool) -> str | None:
        """The response to a tools/call; None where the answer was given, or is not wanted any more."""
        self._questions += 1
        call = Call(
            self._account, context, message, wire, streams, self._slow_seconds, f"demo-question-{self._questions}"
        )
        try:
            with self._under_way(call):
                outcome = await _run(call)
        except EndedError:
            if call.cancelled.is_set() and wire.streaming:
                await wire.end_stream()
            else:
                wire.drop()
            return None
        except tools.DiagnosisError as diagnosis:
            return diagnosis.body(diagnosis.wanted_id)
        except RefusedError as refusal:
            if not streams or (_status(refusal, context) != 200 and not wire.streaming):
                raise
            return refusal.body(message.id)
        if isinstance(outcome, Trouble):
            await self._break(call, outcome)
            return None
        return self._response(message, context, outcome)

    @contextmanager
    def _under_way(self, call: Call) -> Iterator[None]:
        self._calls.add(call)
        self.idle.clear()
        try:
            yield
        finally:
            self._calls.discard(call)
            if not self._calls:
                self.idle.set()

    async def _break(self, call: Call, trouble: Trouble) -> None:
        """Give an HTTP answer that is no answer."""
        if call.forget_session and call.context.session is not None:
            self._sessions.end(call.context.session.id)
        if trouble.end == "drop":
            call.wire.drop()
        elif trouble.end == "cut":
            await call.wire.cut(trouble.headers, trouble.body)
        else:
            await call.wire.answer(trouble.status, trouble.headers, trouble.body)

    def _response(self, message: Message, context: Context, made: JsonObject) -> str:
        """A result as a response, marked as a demo's; 2026-07-28 adds resultType and serverInfo (basic/index).

        What 2025-11-25 calls an empty result (ping, logging/setLevel) stays empty.
        """
        if not made and context.era != "modern":
            return exact.dumps({"jsonrpc": "2.0", "id": message.id, "result": {}})
        meta: JsonObject = {"example.olv-tui/demo": True}
        kind: JsonObject = {}
        if context.era == "modern":
            meta["io.modelcontextprotocol/serverInfo"] = self._info
            kind = {"resultType": "complete"}
        return exact.dumps({"jsonrpc": "2.0", "id": message.id, "result": {**kind, **made, "_meta": meta}})


# --------------------------------------------------------------------------- helpers


async def _run(call: Call) -> JsonObject | Trouble:
    """Find the tool, check the arguments, run it. Raises RefusedError and EndedError."""
    params = call.message.params
    name, given = params.get("name"), params.get("arguments", {})
    if not isinstance(name, str):
        raise RefusedError(INVALID_PARAMS, "Invalid params: name must be a string", {"path": "/name"})
    if name not in _TOOLS:
        raise RefusedError(INVALID_PARAMS, f"Unknown tool: {name}", {"name": name})
    if not isinstance(given, dict):
        raise RefusedError(INVALID_PARAMS, "Invalid params: arguments must be an object", {"path": "/arguments"})
    found = problems(name, given)
    if found:
        return tools.bad_arguments(name, found)
    outcome: JsonObject | Trouble | Awaitable[JsonObject | Trouble] = _TOOLS[name](call, given)
    return await outcome if inspect.isawaitable(outcome) else outcome


def _status(refusal: RefusedError, context: Context | None) -> int:
    """The HTTP status of an error: its own, else by era."""
    if refusal.status is not None:
        return refusal.status
    if context is None or context.era != "modern":
        return 200
    return {METHOD_NOT_FOUND: 404, INVALID_PARAMS: 400}.get(refusal.code, 200)


def _page(params: JsonObject, context: Context) -> JsonObject:
    """A page of tools/list. A cursor is opaque to clients; here it is the number of tools before the page."""
    every, size = list(definitions().values()), int(catalogue()["page_size"])
    starts = {f"{_CURSOR}{start:x}": start for start in range(size, len(every), size)}
    start = 0
    if "cursor" in params:
        cursor = params["cursor"]
        if not isinstance(cursor, str) or cursor not in starts:
            raise RefusedError(INVALID_PARAMS, "Invalid params: this cursor was not given here", {"path": "/cursor"})
        start = starts[cursor]
    end = start + size
    shown = every[start:end] if context.session is None else [_for_2025(tool) for tool in every[start:end]]
    page: JsonObject = {"tools": shown}
    if end < len(every):
        page["nextCursor"] = f"{_CURSOR}{end:x}"
    return page


def _for_2025(tool: JsonObject) -> JsonObject:
    """A definition as the 2025 versions want it: their outputSchema needs "type": "object" at its root.

    The official SDK refuses the whole list of a session for one without (measured with 2.3.0).
    """
    schema = tool.get("outputSchema")
    return tool if schema is None or "type" in schema else {**tool, "outputSchema": {"type": "object", **schema}}


def _set_level(params: JsonObject, context: Context) -> JsonObject:
    """logging/setLevel of the 2025 versions; without a session there is nothing to keep the level in."""
    level = params.get("level")
    if level not in LEVELS:
        raise RefusedError(
            INVALID_PARAMS, "Invalid params: level must be one of " + ", ".join(LEVELS), {"path": "/level"}
        )
    if context.session is not None:
        context.session.log_level = str(level)
    return {}


def _is_id(own: Raw | None, wanted: Any) -> bool:
    """Whether an id, kept as text, has that value: of the same JSON type and equal."""
    value = exact.loads(own.text) if own is not None else None
    if isinstance(value, str) or isinstance(wanted, str | bool | None):
        return isinstance(value, str) and isinstance(wanted, str) and value == wanted
    return bool(value == wanted)


def foreign(headers: dict[str, str]) -> str:
    """Why a request is not for this server, or nothing: DNS rebinding would let web pages in (transports, security)."""
    host = _host_name(f"//{headers.get('host', '')}")
    if host not in LOOPBACK:
        return f"Host {headers.get('host', '(missing)')} is not served; this is a loopback demo"
    origin = headers.get("origin")
    if origin is not None and _host_name(origin) not in LOOPBACK:
        return f"Origin {origin} is not served; this is a loopback demo"
    return ""


def _host_name(url: str) -> str | None:
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None
