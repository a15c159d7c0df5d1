"""A reported call aimed at a target: what of it goes along, and which credentials would go elsewhere.

Rules of this file:

* The body goes as reported, byte for byte. Headers of a connection or of a session of the past do not.
* A credential belongs to the origin that the report names for it; for any other one the caller has to ask.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from olv_tui import jsonrpc, jsontext
from olv_tui.mcp.versions import MODERN
from olv_tui.model import Era, Exchange, Header, Judgement, Object, Reply, WireRequest, WireResponse, header
from olv_tui.redact import MASK, Redactor, is_secret_name
from olv_tui.reports.values import ReportedCall
from olv_tui.reports.write import with_secrets

_UNSENT = frozenset(
    {"host", "content-length", "connection", "transfer-encoding", "keep-alive", "te", "trailer", "upgrade", "expect",
     "proxy-connection", "accept-encoding"}
)  # fmt: skip
"""Headers of one connection, and of codings that the transport chooses itself."""

_VARIABLE = re.compile(r"\$\{?\w+\}?|%\w+%|<[\w -]+>|\*{3,}|REDACTED", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Aimed:
    """What goes out: the body, its headers beside the target's, the names of those left out.

    `dropped` are the headers that the session has its own of, `empty` the secret ones whose value the report does not
    hold, `secret` the credentials among `headers`; `is_masked`: a masked secret stands in the body.
    """

    body: bytes
    headers: tuple[Header, ...]
    without: tuple[str, ...]
    dropped: tuple[str, ...] = ()
    empty: tuple[str, ...] = ()
    secret: tuple[str, ...] = ()
    is_masked: bool = False

    def without_secrets(self) -> Aimed:
        """The same without its credentials."""
        kept = tuple(item for item in self.headers if not is_secret_name(item[0]))
        return Aimed(self.body, kept, self.without, self.dropped, self.empty, (), self.is_masked)


def aim(call: ReportedCall, ours: Iterable[Header], era: Era, redactor: Redactor, values: Iterable[str]) -> Aimed:
    """The call for a target with these headers in this era. `values` are secrets given anew (`known_values`)."""
    names = {name.lower() for name, _ in ours}
    filled = with_secrets(as_exchange(call), redactor, values).request
    headers = [item for item in filled.headers if item[0].lower() not in names]
    kept = tuple(item for item in headers if not _is_dropped(item[0], era))
    dropped = [name for name, _ in headers if _is_dropped(name, era) and name.lower() not in _UNSENT]
    empty = [name for name, value in kept if MASK.search(value) or (is_secret_name(name) and _VARIABLE.search(value))]
    kept = tuple(item for item in kept if item[0] not in empty)
    return Aimed(
        filled.body,
        kept,
        tuple(name for name in call.without if name not in names),
        tuple(dict.fromkeys(dropped)),
        tuple(dict.fromkeys(empty)),
        tuple(dict.fromkeys(name for name, _ in kept if is_secret_name(name))),
        MASK.search(filled.body.decode("utf-8", "replace")) is not None,
    )


def _is_dropped(name: str, era: Era) -> bool:
    """Whether a reported header is of a connection, or of a session that is another one now."""
    plain = name.lower()
    if plain in _UNSENT or name.startswith(":"):
        return True
    if era is Era.BARE:
        return False
    return plain == "mcp-session-id" or (era is not Era.MODERN and plain == "mcp-protocol-version")


def origin(url: str) -> str:
    """Scheme, host and port of an address, the port filled in; the address itself where it cannot be read."""
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(url)
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme.lower())
    except ValueError:
        return url
    return f"{parts.scheme.lower()}://{(parts.hostname or '').lower()}:{port}"


def era_of(call: ReportedCall) -> Era:
    """The era that a report tells: its own word, the version that its request carries, or none at all; else AUTO."""
    if call.era is not None:
        return call.era
    message = jsontext.parse(call.body).value
    params = message.get("params") if isinstance(message, Object) else None
    meta = params.get("_meta") if isinstance(params, Object) else None
    version = meta.get("io.modelcontextprotocol/protocolVersion") if isinstance(meta, Object) else None
    if version == MODERN or header(call.headers, "mcp-protocol-version") == MODERN:
        return Era.MODERN
    # A command tells the whole request: without a session and a version it went out bare, and a handshake, or the
    # headers of another era, would have another answer come than was reported.
    is_whole = bool(call.url and call.headers)
    is_bare = not header(call.headers, "mcp-protocol-version") and not header(call.headers, "mcp-session-id")
    return Era.BARE if is_whole and is_bare else Era.AUTO


def as_exchange(call: ReportedCall, url: str = "") -> Exchange:
    """A reported call as a pending exchange, which the redactor and the writers take."""
    request = WireRequest(call.url or url, call.headers, call.body, call.method)
    return Exchange(0, "", jsonrpc.read_request(call.body), request, "")


def expected_judgement(call: ReportedCall) -> Judgement | None:
    """The verdict on the reported answer, None where none was reported; its violations say little and are left out."""
    if call.expected is None:
        return None
    from olv_tui.judge import judge

    is_json = jsontext.parse(call.expected).has_value
    kind = "application/json" if is_json else "text/plain"
    response = WireResponse(call.expected_status or 200, "", (("content-type", kind),), call.expected)
    found = judge(jsonrpc.read_request(call.body), Reply(response), era=Era.BARE, version=None)
    return Judgement(found.verdict, found.summary, (), found.message, found.has_message)
