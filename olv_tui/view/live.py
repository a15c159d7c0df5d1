"""What a server says while its call runs: how far it is, and its log (2025-11-25 utilities/progress, logging).

Rules of this file:

* Pure, fed event by event. The last few are kept, whatever a server floods; every event is in the Frames tab.
* Everything given out is safe for a terminal and on one line.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from math import isfinite

from olv_tui import jsontext
from olv_tui.model import Frame, Number, Object, Value
from olv_tui.view.safe import one_line

LOG_LINES = 4
"""Log lines kept."""

_LARGEST = 1 << 16
"""Characters of an event above which it is not read while the call runs."""

_LONGEST_NUMBER = 40

GRAVE = {
    "warning": "warning",
    "error": "error",
    "critical": "error",
    "alert": "error",
    "emergency": "error",
}
"""The colour of the log levels that have one."""


@dataclass(frozen=True, slots=True)
class Progress:
    """The newest progress: `3 of 5`, or `3` where no total is known; `share` is between 0 and 1, None without one."""

    count: str
    share: float | None
    message: str


@dataclass(frozen=True, slots=True)
class LogLine:
    """A log message: its level, the logger where one is named, its text."""

    level: str
    text: str


class Live:
    """Takes the events of one call as they come."""

    def __init__(self) -> None:
        self.progress: Progress | None = None
        self.logs: deque[LogLine] = deque(maxlen=LOG_LINES)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was said yet."""
        return self.progress is None and not self.logs

    def take(self, frame: Frame) -> bool:
        """Take an event; whether it said something that is shown."""
        message = message_of(frame)
        params = message.get("params") if message is not None else None
        if message is None or not isinstance(params, Object):
            return False
        match message.get("method"):
            case "notifications/progress":
                found = _progress(params)
                self.progress = found or self.progress
                return found is not None
            case "notifications/message":
                self.logs.append(_log_line(params))
                return True
        return False


def message_of(frame: Frame) -> Object | None:
    """The notification or request in an event, None where it is something else or too large to be one."""
    data = frame.data
    if not data or len(data) > _LARGEST or '"method"' not in data:
        return None
    message = jsontext.parse(data.encode("utf-8", "surrogatepass")).value
    return message if isinstance(message, Object) and isinstance(message.get("method"), str) else None


def _progress(params: Object) -> Progress | None:
    done, total, message = params.get("progress"), params.get("total"), params.get("message")
    if not isinstance(done, Number):
        return None
    count, share = done.text[:_LONGEST_NUMBER], None
    if isinstance(total, Number):
        count = f"{count} of {total.text[:_LONGEST_NUMBER]}"
        part, whole = _float(done), _float(total)
        if part is not None and whole is not None and whole > 0:
            share = min(max(part / whole, 0.0), 1.0)
    return Progress(count, share, one_line(message, 200) if isinstance(message, str) else "")


def _float(number: Number) -> float | None:
    if len(number.text) > _LONGEST_NUMBER:
        return None
    value = float(number.text)
    return value if isfinite(value) else None


def _log_line(params: Object) -> LogLine:
    level, logger, data = params.get("level"), params.get("logger"), params.get("data")
    text = data if isinstance(data, str) else _short(data)
    named = f"{one_line(logger, 40)}: " if isinstance(logger, str) and logger else ""
    return LogLine(one_line(level, 12) if isinstance(level, str) else "log", named + one_line(text, 300))


def _short(data: Value) -> str:
    return jsontext.dumps(data)[:301]
