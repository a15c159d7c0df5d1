"""The values of olv-tui: what was asked, what went over the wire, what came of it.

Rules of this file:

* It imports nothing of ours, knows no transport, no store and no screen.
* Every value is immutable. A new state of an exchange is a new value.
* Bytes are kept as bytes. Text decoded from them is a projection and never replaces them.
* JSON numbers keep their text (`Number`), objects keep their duplicates (`Object.pairs`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

# --------------------------------------------------------------------------- JSON values


class Number:
    """A JSON number by its text: `1`, `1.0` and `1e0` are three of them, and no digit is lost.

    `int()` and `float()` are left to the one who needs them: an integer of 5,000 digits is a sound
    JSON value although Python refuses to convert it.
    """

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return f"Number({self.text!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Number) and other.text == self.text

    def __hash__(self) -> int:
        return hash((Number, self.text))

    @property
    def is_integer(self) -> bool:
        """True where the text is written as an integer (no fraction, no exponent)."""
        return self.text.lstrip("-").isdigit()


class Object(dict[str, "Value"]):
    """A JSON object: a dict in wire order (last duplicate wins) that remembers its duplicates.

    `pairs` is None for an object without duplicates, else every member as it came.
    """

    __slots__ = ("pairs",)

    def __init__(self, pairs: Iterable[tuple[str, Value]] = ()) -> None:
        members = pairs if isinstance(pairs, list) else list(pairs)
        super().__init__(members)
        self.pairs: tuple[tuple[str, Value], ...] | None = tuple(members) if len(self) != len(members) else None

    def members(self) -> Iterable[tuple[str, Value]]:
        """Every member as it came, duplicates included."""
        return self.items() if self.pairs is None else self.pairs


Value: TypeAlias = "Object | list[Value] | str | Number | bool | None"
"""Any JSON value, kept exact. Strings may hold lone surrogates; `bool` is never a `Number`."""

# --------------------------------------------------------------------------- words


class Verdict(StrEnum):
    """How an exchange ended; the value is the word used in records, history and exit codes."""

    RESULT = "result"
    TOOL_ERROR = "tool_error"
    RPC_ERROR = "rpc_error"
    HTTP_ERROR = "http_error"
    INVALID_RESPONSE = "invalid_response"
    TRANSPORT_ERROR = "transport_error"
    INPUT_REQUIRED = "input_required"
    ACCEPTED = "accepted"
    CANCELLED = "cancelled"
    PENDING = "pending"
    LOST = "lost"


class Era(StrEnum):
    """How requests are dressed: see session.py. `AUTO` is a wish and never stands in an exchange."""

    AUTO = "auto"
    MODERN = "modern"
    LEGACY = "legacy"
    BARE = "bare"


class Severity(StrEnum):
    """How grave a violation is: breaks a MUST, breaks a SHOULD, or is worth knowing."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Rule:
    """One entry of the violation catalogue: the rule that an answer can break."""

    code: str
    severity: Severity
    title: str
    source: str


@dataclass(frozen=True, slots=True)
class Violation:
    """A rule broken at a place.

    `at` is a JSON pointer into the message ("" is its root) or None; `offset` counts bytes in the
    decoded body (or in the data of SSE frame number `frame`, counted from 0).
    """

    code: str
    severity: Severity
    message: str
    at: str | None = None
    offset: int | None = None
    frame: int | None = None

    @property
    def place(self) -> str:
        """The place in words: `/id`, `byte 17`, `frame 2, byte 17`, or nothing."""
        parts = [] if self.frame is None else [f"frame {self.frame + 1}"]
        if self.at is not None:
            parts.append(self.at or "the whole message")
        if self.offset is not None:
            parts.append(f"byte {self.offset}")
        return ", ".join(parts)


# --------------------------------------------------------------------------- the wire

Header: TypeAlias = tuple[str, str]


def header(headers: Iterable[Header], name: str) -> str | None:
    """The first value of the header called `name`, case ignored, or None."""
    wanted = name.lower()
    return next((value for key, value in headers if key.lower() == wanted), None)


@dataclass(frozen=True, slots=True)
class RequestId:
    """A request id as JSON text, exactly as sent: `1`, `"1"`, `1.0` and `null` are four ids."""

    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class WireRequest:
    """One HTTP request: what is shown before sending is this value, and this value is sent."""

    url: str
    headers: tuple[Header, ...]
    body: bytes
    method: str = "POST"


@dataclass(frozen=True, slots=True)
class Frame:
    """One server-sent event (or comment block) as it came.

    `raw` are its bytes with its line ends; `data` is None where there was no data field (priming
    events have the empty string); `at_ms` counts from the start of the exchange. `complete` is False
    for an unfinished event at the end of the stream, which by WHATWG rules is discarded.
    """

    raw: bytes
    event: str | None = None
    id: str | None = None
    data: str | None = None
    retry: int | None = None
    at_ms: float = 0.0
    complete: bool = True


@dataclass(frozen=True, slots=True)
class Spill:
    """What became of a body that is larger than is kept in memory.

    `size` are the bytes of the whole body as far as it came, its content coding undone; `cap` is what was to be kept
    of it in memory. `path` is the file that holds it from its beginning, with known secrets masked, "" where there is
    none; `problem` is "" or a sentence that says why the file ends early, or why there is none.
    """

    size: int
    cap: int
    path: str = ""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class WireResponse:
    """What came back, as far as it came.

    `body` has its content coding undone; where there was one, `coding` names it and `wire` holds the
    bytes as they travelled. `frames` is empty unless the body is an event stream. `surplus` is what
    came on the connection after the end of the answer (more bytes than Content-Length promised).
    `spill` is None unless the body was larger than is kept in memory: then `body` and `wire` are its first part.
    """

    status: int
    reason: str
    headers: tuple[Header, ...]
    body: bytes = b""
    http_version: str = "1.1"
    coding: str | None = None
    wire: bytes | None = None
    frames: tuple[Frame, ...] = ()
    surplus: bytes = b""
    spill: Spill | None = None

    @property
    def size(self) -> int:
        """Bytes of the whole body with its coding undone, also of what is not in memory."""
        return len(self.body) if self.spill is None else self.spill.size

    def header(self, name: str) -> str | None:
        """The first value of a response header, or None."""
        return header(self.headers, name)

    @property
    def media_type(self) -> str:
        """The media type in lower case without parameters; empty where no header names one."""
        return (self.header("content-type") or "").split(";")[0].strip().lower()


@dataclass(frozen=True, slots=True)
class TransportError:
    """Why there is no complete HTTP answer.

    `kind` is one of name, connect, tls, timeout, reset, closed, truncated, framing, coding, size (it was larger than
    could be kept), proxy, request, other. `message` is one sentence for the reader, with the peer's or library's own
    words.
    """

    kind: str
    message: str


@dataclass(frozen=True, slots=True)
class Timing:
    """Milliseconds. `connect_ms` is None where a kept connection was used again."""

    connect_ms: float | None = None
    first_byte_ms: float | None = None
    total_ms: float | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """What the transport brought home: a response, an error, or both (an answer that broke off)."""

    response: WireResponse | None = None
    error: TransportError | None = None
    timing: Timing = field(default_factory=Timing)
    cancelled: bool = False


# --------------------------------------------------------------------------- what it means


@dataclass(frozen=True, slots=True)
class RpcError:
    """The error object of a JSON-RPC error response. `code` keeps its text; `has_data` tells null from absent."""

    code: Number
    message: str
    data: Value = None
    has_data: bool = False


@dataclass(frozen=True, slots=True)
class ToolError:
    """A failure told by the tool in a normal result (isError true).

    `source` is where `error` and `site` were read: "structuredContent", "parsed from text" or "text".
    `error` is the server's own word or the first line of its text; `details` are the other members.
    """

    error: str
    site: str | None
    source: str
    details: Object = field(default_factory=Object)


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A request body as far as it can be read as JSON-RPC.

    `kind` is request, notification, response, batch or raw (no JSON-RPC). `ids` are the ids of the
    requests in it, in order; `id` is the one of a single request, None else. `asks` are the members of
    its params that say what may come beside the answer: `_meta` and `notifications` (of a subscription). `hidden` are
    names of arguments that hold secrets by the schema of the tool.
    """

    kind: str
    id: RequestId | None = None
    method: str | None = None
    tool: str | None = None
    ids: tuple[RequestId, ...] = ()
    asks: Object = field(default_factory=Object, compare=False, repr=False)
    hidden: frozenset[str] = field(default=frozenset(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict on one exchange and everything that was read from the answer.

    `message` is the response message (or what stood in its place), decoded but exact; it was found
    in the body where `frame` is None, else in that SSE frame.
    """

    verdict: Verdict
    summary: str
    violations: tuple[Violation, ...] = ()
    message: Value = None
    has_message: bool = False
    frame: int | None = None
    tool_error: ToolError | None = None
    rpc_error: RpcError | None = None


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request and what came of it. `reply` and `judgement` are None while it is pending.

    `serial` is the store's own key (0: not stored). `automatic` marks what the program sent for
    itself: the handshake and the listing. `started` is UTC, ISO 8601 with milliseconds and `Z`.
    """

    serial: int
    target: str
    outgoing: Outgoing
    request: WireRequest
    started: str
    era: Era | None = None
    protocol_version: str | None = None
    automatic: bool = False
    demo: bool = False
    reply: Reply | None = None
    judgement: Judgement | None = None

    @property
    def id(self) -> RequestId | None:
        """The id of the request, None for notifications and unreadable bodies."""
        return self.outgoing.id

    @property
    def verdict(self) -> Verdict:
        """The verdict, `pending` while there is none."""
        return self.judgement.verdict if self.judgement else Verdict.PENDING

    @property
    def status(self) -> int | None:
        """The HTTP status, None where no head came."""
        return self.reply.response.status if self.reply and self.reply.response else None

    @property
    def total_ms(self) -> float | None:
        """From the first byte sent to the last byte read, None while pending."""
        return self.reply.timing.total_ms if self.reply else None


# --------------------------------------------------------------------------- tools and targets


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool as a server lists it. `definition` is exact; what is not usable as text is left empty."""

    name: str
    title: str
    description: str
    definition: Object
    violations: tuple[Violation, ...] = ()


@dataclass(frozen=True, slots=True)
class Target:
    """Where to send. `headers` are the user's own; `name` is what the header of the screen shows.

    `variables` are put into saved calls where `${name}` stands. `max_body` are the bytes of one answer that are kept
    in memory (0: all), None for what is usual.
    """

    name: str
    url: str
    headers: tuple[Header, ...] = ()
    era: Era = Era.AUTO
    timeout: float = 30.0
    insecure: bool = False
    production: bool = False
    demo: bool = False
    cassette: bool = False
    variables: Mapping[str, str] = field(default_factory=dict, hash=False)
    max_body: int | None = None
