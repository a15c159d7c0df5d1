"""What a server says on a stream beside its answer: notifications and requests of its own.

Follows MCP, Progress and Logging; 2026-07-28 Streamable HTTP ("Receiving Messages") and Subscriptions.

Rules of this file:

* They are held against what the request asked for (`Outgoing.asks`) and against those that came before.
* Only what is wrong in any reading of the specification is named: an unknown type of notification is not.
* No path raises, whatever the server sent.
"""

from __future__ import annotations

from collections.abc import Iterator

from olv_tui import jsontext
from olv_tui.jsonrpc import Match, id_of, is_response, match_id, violation
from olv_tui.mcp.rules import violation as mcp_violation
from olv_tui.model import Number, Object, Outgoing, Severity, Value, Violation

LISTEN = "subscriptions/listen"
"""The request whose stream carries what a client subscribed to (2026-07-28)."""

_PREFIX = "io.modelcontextprotocol/"
_ACKNOWLEDGED = "notifications/subscriptions/acknowledged"
_FILTERS = {
    "notifications/tools/list_changed": "toolsListChanged",
    "notifications/prompts/list_changed": "promptsListChanged",
    "notifications/resources/list_changed": "resourcesListChanged",
    "notifications/resources/updated": "resourceSubscriptions",
}
_OF_REQUESTS = ("notifications/progress", "notifications/message")
_LONG = 300  # characters of a number that are read as one


class Notices:
    """Hears the messages of one stream in their order and names what is wrong with them.

    `modern` applies what 2026-07-28 demands.
    """

    def __init__(self, outgoing: Outgoing, *, modern: bool) -> None:
        self._outgoing = outgoing
        self._modern = modern
        meta = outgoing.asks.get("_meta")
        self._meta = meta if isinstance(meta, Object) else Object()
        self._progress: dict[str, float] = {}
        self._is_first = True

    def hear(self, message: Value, *, answered: bool = False) -> Iterator[Violation]:
        """The violations of the next message of the stream; `answered` says that it came after the answer."""
        if not isinstance(message, Object):
            return
        method = message.get("method")
        if isinstance(method, str) and not ("result" in message or "error" in message):
            yield from self._notice(message, method, answered)
        if self._outgoing.kind == "request" and self._outgoing.method == LISTEN:
            yield from self._subscribed(message, method)
        self._is_first = False

    def _notice(self, message: Object, method: str, answered: bool) -> Iterator[Violation]:
        if message.get("jsonrpc") != "2.0":
            code, what = ("R02", "another jsonrpc than") if "jsonrpc" in message else ("R01", "no jsonrpc;")
            yield violation(code, f'{method_of(message)} has {what} "2.0", which is due', "")
        if "id" in message and self._modern:
            yield violation("C06", f"the server asks {method_of(message)}; 2026-07-28 forbids it", "")
        if method == "notifications/progress":
            yield from self._progressed(message, answered)
        if method == "notifications/message" and self._modern and f"{_PREFIX}logLevel" not in self._meta:
            yield mcp_violation("M07", "a log message came, and the request named no log level", "/method")

    def _progressed(self, message: Object, answered: bool) -> Iterator[Violation]:
        """M06: progress goes up, for a token that this request gave, until the answer."""
        params = message.get("params")
        if not isinstance(params, Object):
            yield mcp_violation("M06", "progress came without a token and a number", _at(message, "params"))
            return
        token, progress = params.get("progressToken"), params.get("progress")
        shown = jsontext.dumps(token)
        if answered:
            yield mcp_violation("M06", "progress came after the response", "/params")
        if self._outgoing.kind == "request" and not self._is_given(token):
            # In the eras with sessions it may be meant for another request: it only should not come here.
            severity = None if self._modern else Severity.WARNING
            sentence = f"progress for the token {shown[:60]}, which this request did not give"
            yield mcp_violation("M06", sentence, "/params" + _at(params, "progressToken"), severity)
        if not isinstance(progress, Number) or len(progress.text) > _LONG:
            yield mcp_violation(
                "M06", "progress without a number that can be read", "/params" + _at(params, "progress")
            )
            return
        now, before = float(progress.text), self._progress.get(shown)
        if before is not None and not now > before:
            sentence = f"progress went from {before:g} to {progress.text[:40]}; it must increase"
            yield mcp_violation("M06", sentence, "/params/progress")
        self._progress[shown] = now

    def _is_given(self, token: Value) -> bool:
        return "progressToken" in self._meta and id_of(self._meta["progressToken"]) == id_of(token)

    def _subscribed(self, message: Object, method: Value) -> Iterator[Violation]:
        """M08: what the stream of a subscription may carry, and in which order."""
        if is_response(message) and "error" in message:
            return
        where = "result" if is_response(message) else "params"
        body = message.get(where)
        members = body if isinstance(body, Object) else Object()
        if self._is_first and method != _ACKNOWLEDGED:
            sentence = f"the first message is {method_of(message)}; {_ACKNOWLEDGED} is due"
            yield mcp_violation("M08", sentence, _at(message, "method"))
        meta = members.get("_meta")
        came = meta.get(f"{_PREFIX}subscriptionId") if isinstance(meta, Object) else None
        if match_id(Object([("id", came)]), self._outgoing.id) is not Match.SAME:
            told = "no subscriptionId" if came is None else f"the subscriptionId {id_of(came).text[:60]}"
            sentence = f"{method_of(message)} has {told}; {self._outgoing.id} is due"
            yield mcp_violation("M08", sentence, _at(message, where))
        if isinstance(method, str) and method in _FILTERS and not self._is_wanted(_FILTERS[method]):
            yield mcp_violation("M08", f"{method} was not subscribed to", "/method")
        elif method in _OF_REQUESTS:
            yield mcp_violation("M08", f"{method} does not belong on the stream of a subscription", "/method")
        elif method == _ACKNOWLEDGED:
            yield from self._acknowledged(members.get("notifications"))

    def _acknowledged(self, granted: Value) -> Iterator[Violation]:
        members = granted if isinstance(granted, Object) else Object()
        for name in _FILTERS.values():
            if members.get(name) and not self._is_wanted(name):
                sentence = f"{name} was acknowledged and not subscribed to"
                yield mcp_violation("M08", sentence, f"/params/notifications/{name}")

    def _is_wanted(self, name: str) -> bool:
        """Whether the request subscribed to this type; a list of addresses counts where it has one."""
        wanted = self._outgoing.asks.get("notifications")
        return bool(wanted.get(name)) if isinstance(wanted, Object) else False


def _at(holder: Object, member: str) -> str:
    """The JSON pointer of a member in its holder, or of the holder itself where it has none such."""
    return f"/{member}" if member in holder else ""


def method_of(message: Value) -> str:
    """The method of a message in a sentence, or that it has none."""
    method = message.get("method") if isinstance(message, Object) else None
    return method[:100] if isinstance(method, str) else "a message without a method"
