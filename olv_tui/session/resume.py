"""Streams that go on elsewhere: when and how a broken or polled event stream is taken up again (pure functions).

Rules of this file (2025-11-25 basic/transports "Resumability and Redelivery", "Sending Messages" on polling):

* Only a legacy stream that gave an event id can be taken up, always by GET with `Last-Event-ID`.
* The client waits as long as the last `retry` field says, else `DEFAULT_RETRY` seconds.
* The bytes of all parts are kept one after the other, as they came.
"""

from __future__ import annotations

from dataclasses import replace

from olv_tui.model import Era, Reply, Timing, WireRequest

DEFAULT_RETRY = 1.0
"""Seconds before a stream is taken up that named no time of its own."""

LONGEST_RETRY = 60.0
"""Seconds that are waited at most, whatever a server names."""


def cursor_of(era: Era | None, reply: Reply) -> tuple[str, float] | None:
    """The event id to go on from, and the seconds to wait before; None where the stream cannot be taken up."""
    response = reply.response
    if era is not Era.LEGACY or response is None or response.status != 200 or reply.cancelled:
        return None
    if reply.error is not None and reply.error.kind == "timeout":
        return None
    ids = [frame.id for frame in response.frames if frame.complete and frame.id]
    if not ids:
        return None
    waits = [frame.retry for frame in response.frames if frame.complete and frame.retry is not None]
    return ids[-1], min(waits[-1] / 1000, LONGEST_RETRY) if waits else DEFAULT_RETRY


def as_get(request: WireRequest, cursor: str | None) -> WireRequest:
    """The GET of an event stream with the headers of a POST, from the event after `cursor` on."""
    dropped = {"content-type", "accept", "last-event-id"}
    kept = tuple(item for item in request.headers if item[0].lower() not in dropped)
    place = (("Last-Event-ID", cursor),) if cursor is not None else ()
    return WireRequest(request.url, (("Accept", "text/event-stream"), *place, *kept), b"", method="GET")


def joined(first: Reply, later: Reply, waited_ms: float) -> Reply | None:
    """Two parts of one stream as one reply; None where the later answer is no part of it."""
    one, two = first.response, later.response
    if one is None or two is None or two.status != 200 or two.media_type != "text/event-stream":
        return None
    before = (first.timing.total_ms or 0.0) + waited_ms
    moved = tuple(replace(frame, at_ms=frame.at_ms + before) for frame in two.frames)
    wire = None if one.wire is None and two.wire is None else (one.wire or one.body) + (two.wire or two.body)
    response = replace(
        one, body=one.body + two.body, wire=wire, frames=one.frames + moved, spill=one.spill or two.spill
    )
    timing = Timing(first.timing.connect_ms, first.timing.first_byte_ms, before + (later.timing.total_ms or 0.0))
    return Reply(response, later.error, timing, later.cancelled)
