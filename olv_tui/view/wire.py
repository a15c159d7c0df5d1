"""What went over the wire, as it went: bodies, headers, frames, times.

Rules of this file:

* The wire is the truth. A raw view shows the bytes; it only makes them visible (view/safe.py) and colours
  them. Bytes that are not UTF-8 are shown as a hex dump, never guessed at.
* The indented form is offered beside the raw one and says so; digits, order and duplicates stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from olv_tui import jsontext
from olv_tui.model import Exchange, Frame, Header, WireResponse
from olv_tui.view.fold import JsonLines
from olv_tui.view.json_colour import Span
from olv_tui.view.lines import HIT_LIMIT, FixedLines, Hit, Line, Lines
from olv_tui.view.page import Page
from olv_tui.view.safe import one_line
from olv_tui.view.text_lines import TextLines
from olv_tui.view.words import SEVERITY, counted, duration, size

_WAITING = "No event and no whole answer has come yet."

_WORTH_A_WORD = 1_000_000
"""Bytes of an answer in memory from which on that is told."""

_JSON_STARTS = (b"{", b"[", b'"')


_HEX_ROW = 76
"""Characters of a row of sixteen bytes."""


class HexLines(Lines):
    """Bytes as a hex dump: offset, sixteen bytes, and what of them is printable ASCII."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.weight = len(data)

    def __len__(self) -> int:
        return (len(self._data) + 15) // 16

    def line(self, index: int) -> Line:
        """One row of sixteen bytes."""
        if not 0 <= index < len(self):
            raise IndexError(index)
        part = self._data[index * 16 : index * 16 + 16]
        shown = "".join(chr(byte) if 0x20 <= byte < 0x7F else "." for byte in part)
        text = f"{index * 16:08x}  {part[:8].hex(' '):<23}  {part[8:].hex(' '):<23}  {shown}"
        return Line(text, (Span(0, 8, "muted"), Span(60, len(text), "string")))

    def tall(self, width: int) -> Iterator[tuple[int, int]]:
        """All rows are of one length, but for the last."""
        last = len(self) - 1
        rows = (_HEX_ROW + width - 1) // width
        if rows > 1:
            yield from ((index, rows) for index in range(last))
        if last >= 0 and (rows := len(self.starts(last, width))) > 1:
            yield last, rows

    def widest(self) -> int:
        """The cells of a full row."""
        return _HEX_ROW

    def places(self, start: int, end: int) -> Iterator[Hit]:
        """Where bytes `start` to `end` show in the columns of hexadecimal digits."""
        for index in range(start // 16, min(len(self), (end + 15) // 16, start // 16 + HIT_LIMIT)):
            first, last = max(start - index * 16, 0), min(end - index * 16, 16) - 1
            yield Hit(index, _column(first), _column(last) + 2 - _column(first))


def _column(byte: int) -> int:
    """Where the digits of a byte of a row stand."""
    return 10 + 3 * byte + (byte > 7)


def body_lines(body: bytes, media_type: str = "", *, pretty: bool = False) -> Lines:
    """A body as it is: text, else a hex dump. `pretty` indents it where it is JSON."""
    if not body:
        return _said("(empty body)")
    if not is_text(body):
        return HexLines(body)
    is_stream = media_type == "text/event-stream"
    if pretty and not is_stream:
        indented = jsontext.pretty(body)
        if indented is not None:
            return JsonLines(indented)
    if is_stream:
        return TextLines(body, "sse")
    return TextLines(body, "json" if body[:200].lstrip().startswith(_JSON_STARTS) else "")


def head_of_body(exchange: Exchange, most: int) -> Lines:
    """The beginning of the body as received, for the time until all of it is laid out in lines."""
    response = _response(exchange)
    body = response.body if response is not None else b""
    end = min(most, len(body))
    while 0 < end < len(body) and body[end] & 0xC0 == 0x80:  # not inside a character
        end -= 1
    return body_lines(body[:end], response.media_type if response is not None else "")


def is_text(body: bytes) -> bool:
    """Whether all of a body is UTF-8."""
    return jsontext.is_utf8(body)


def can_be_pretty(exchange: Exchange) -> bool:
    """Whether the answer looks like something that can be indented: JSON, or an event stream."""
    response = _response(exchange)
    if response is None:
        return False
    return bool(response.frames) or response.body[:200].lstrip().startswith(_JSON_STARTS)


def raw_lines(exchange: Exchange, *, pretty: bool = False, hexadecimal: bool = False) -> Lines:
    """The answer's body exactly as received (content coding undone), indented, or as a hex dump."""
    response = _response(exchange)
    if response is None:
        return _said("No HTTP answer came, so there is no body." if exchange.reply else _WAITING)
    if hexadecimal and response.body:
        return HexLines(response.body)
    if pretty and response.frames:
        page = Page()
        for number, frame in enumerate(response.frames):
            judged = exchange.judgement.frame if exchange.judgement is not None else None
            page.here = () if number == judged else None
            _add_frame(page, frame, number, pretty=True)
        return page.lines()
    return body_lines(response.body, response.media_type, pretty=pretty)


def request_lines(exchange: Exchange, *, pretty: bool = False) -> Lines:
    """The request as sent: line, headers, body."""
    request = exchange.request
    page = Page()
    page.marked([(request.method, "keyword"), (" ", ""), (request.url, "string")])
    _add_headers(page, request.headers)
    page.heading("Body", size(len(request.body)) + (", indented here, not on the wire" if pretty else ""))
    page.add(body_lines(request.body, pretty=pretty))
    return page.lines()


def headers_lines(exchange: Exchange) -> Lines:
    """Status line and headers of the answer."""
    page = Page()
    response = _response(exchange)
    if response is None:
        page.say("No head of an answer came." if exchange.reply else _WAITING, "muted")
        return page.lines()
    page.marked(
        [
            (f"HTTP/{response.http_version.removeprefix('HTTP/')} ", "muted"),
            (str(response.status), "number"),
            (" ", ""),
            (response.reason, ""),
        ]
    )
    _add_headers(page, response.headers)
    if response.coding:
        wire = "" if response.wire is None else f", {size(len(response.wire))} on the wire"
        page.heading("Content coding", f"{response.coding}{wire}, {size(len(response.body))} when undone")
    return page.lines()


def frames_lines(exchange: Exchange, frames: Iterable[Frame] | None = None, *, first: int = 0) -> Lines:
    """Every event of the stream with its arrival, raw.

    While it runs, `frames` are those that came last, and `first` counts the ones before them.
    """
    page = Page()
    if first:
        page.say(f"{counted(first, 'earlier frame')}, shown when the call ends", "muted")
    response = _response(exchange)
    for number, frame in enumerate((response.frames if response else ()) if frames is None else frames, first):
        _add_frame(page, frame, number)
    if page.is_empty:
        page.say("No events: the answer is not an event stream." if exchange.reply else "No events yet.", "muted")
    return page.lines()


def timing_lines(exchange: Exchange) -> Lines:
    """When it was sent and how long each part took."""
    page = Page()
    page.field("started", exchange.started)
    reply = exchange.reply
    if reply is None:
        page.say("Still running.", "muted")
        return page.lines()
    timing = reply.timing
    connected = f"{duration(timing.connect_ms)}, before anything was sent: not in the times below"
    page.field("connect", "kept connection used again" if timing.connect_ms is None else connected)
    page.field("first byte", duration(timing.first_byte_ms))
    page.field("total", f"{duration(timing.total_ms)}, from the first byte sent to the last received")
    page.field("sent", size(len(exchange.request.body)))
    if reply.response is not None:
        for label, told in sizes(reply.response):
            page.field(label, told)
    for number, frame in enumerate(reply.response.frames if reply.response else ()):
        page.field(f"event {number + 1}", duration(frame.at_ms))
    page.heading("How it was sent")
    page.field("target", exchange.target)
    page.field("era", exchange.era.value if exchange.era else "not known")
    page.field("version", exchange.protocol_version or "none")
    page.field("serial", f"@{exchange.serial}" if exchange.serial else "not stored")
    return page.lines()


def sizes(response: WireResponse) -> list[tuple[str, str]]:
    """How large an answer was, where it is, and what of memory its bytes take, where that is worth a word."""
    spill, wire = response.spill, response.wire
    undone = ", its content coding undone" if response.coding else ""
    if spill is None:
        told = [("received", size(len(response.body if wire is None else wire)))]
        if wire is not None:
            told.append(("body", size(len(response.body)) + undone))
    else:
        told = [("body", f"{size(spill.size)}{undone}; its first {size(len(response.body))} are here")]
        told.append(("in a file", spill.path or "no"))
        if spill.problem:
            told.append(("not all of it", spill.problem))
    frames = sum(len(frame.raw) + len(frame.data or "") for frame in response.frames)
    held = len(response.body) + len(wire or b"") + frames
    if held >= _WORTH_A_WORD:
        more = "" if spill is not None else "; the values read from them come on top of that"
        told.append(("in memory", f"{size(held)} for its bytes{more}"))
    return told


class FindingLines(FixedLines):
    """The findings, a few lines each; `heads` are the first lines of each."""

    def __init__(self, lines: Iterable[Line], heads: tuple[int, ...]) -> None:
        super().__init__(lines)
        self.heads = heads


def findings_lines(exchange: Exchange) -> FindingLines:
    """Every rule that the answer breaks: code, how grave, the place, the sentence, the rule and its source."""
    found = exchange.judgement.violations if exchange.judgement else ()
    if not found:
        said = "No rule is broken." if exchange.judgement else "Nothing to judge yet."
        return FindingLines([Line(said, (Span(0, len(said), "muted"),))], ())
    from olv_tui.judge import all_rules  # not before an answer is looked at: start-up does without it

    rules = all_rules()
    lines: list[Line] = []
    heads: list[int] = []
    for violation in found:
        told, rule = SEVERITY[violation.severity], rules.get(violation.code)
        head = f"{told.symbol} {violation.code} {told.label}"
        place = f"  at {one_line(violation.place, 200)}" if violation.place else ""
        lines += [Line("")] if lines else []
        heads.append(len(lines))
        lines.append(Line(head + place, (Span(0, len(head), told.style), Span(len(head), len(head + place), "muted"))))
        lines.append(Line("  " + one_line(violation.message, 2_000)))
        if rule is not None:
            source = f"  rule: {one_line(rule.title, 300)} ({one_line(rule.source, 200)})"
            lines.append(Line(source, (Span(0, len(source), "muted"),)))
    return FindingLines(lines, tuple(heads))


def add_findings(page: Page, exchange: Exchange) -> None:
    """The findings as a section of a page; nothing where there are none."""
    found = exchange.judgement.violations if exchange.judgement else ()
    if not found:
        return
    page.heading("Findings", counted(len(found), "rule") + " broken")
    for violation in found:
        told = SEVERITY[violation.severity]
        place = f"  at {violation.place}" if violation.place else ""
        page.marked(
            [
                (f"{told.symbol} {violation.code} {told.label}", told.style),
                ("  ", ""),
                (violation.message, ""),
                (place, "muted"),
            ]
        )


def _response(exchange: Exchange) -> WireResponse | None:
    return exchange.reply.response if exchange.reply else None


def _said(text: str) -> Lines:
    page = Page()
    page.say(text, "muted")
    return page.lines()


def _add_headers(page: Page, headers: Iterable[Header]) -> None:
    for name, value in headers:
        page.marked([(f"{name}:", "label"), (" ", ""), (value, "")])


def _add_frame(page: Page, frame: Frame, number: int, *, pretty: bool = False) -> None:
    note = duration(frame.at_ms) + ("" if frame.complete else ", unfinished: no client may use it")
    kind = frame.event or ("message" if frame.data is not None else "comment")
    page.heading(f"{number + 1}  {kind}", note, "heading" if frame.complete else "warning")
    if pretty and frame.data:
        indented = jsontext.pretty(frame.data.encode("utf-8", "surrogatepass"))
        if indented is not None:
            page.json_text(indented, ink=None if page.here is None else 0)
            return
    raw = frame.raw.rstrip(b"\r\n")
    page.add(TextLines(raw, "sse") if is_text(raw) else HexLines(raw))
