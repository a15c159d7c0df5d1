"""What came beside the answer: questions of the server and what became of them, changes that it told.

Rules of this file: it reads the events of the stream; only what this run knows of them (`Beside`) is added. An
exchange from the history says what was asked; the answers are exchanges of their own there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice

from olv_tui import jsontext
from olv_tui.model import Exchange, Object
from olv_tui.view.live import message_of
from olv_tui.view.page import Page
from olv_tui.view.words import counted

_READ = 2_000
"""Events looked at."""

_LISTED = 50
"""Questions told one by one."""

_CHANGES = {
    "notifications/tools/list_changed": "tools",
    "notifications/prompts/list_changed": "prompts",
    "notifications/resources/list_changed": "resources",
}


@dataclass(frozen=True, slots=True)
class Beside:
    """What this run knows of a call: sentences on what was done by itself, and what each question of the server
    came to ("answered accept"), by the JSON text of its id.
    """

    remarks: tuple[str, ...] = ()
    outcomes: Mapping[str, str] = field(default_factory=dict)


def add_beside(page: Page, exchange: Exchange, beside: Beside) -> None:
    """The messages of the server as a section of a page; nothing where there are none."""
    response = exchange.reply.response if exchange.reply else None
    asked: list[tuple[str, str]] = []
    seen: Counter[str] = Counter()
    for frame in islice(response.frames if response else (), _READ):
        message = message_of(frame)
        if message is None:
            continue
        method = str(message["method"])
        if "id" in message and len(asked) < _LISTED:
            asked.append((method, _outcome(message, beside)))
        elif "id" not in message:
            seen[method] += 1
    if not asked and not seen:
        return
    page.heading("Beside the answer")
    for method, outcome in asked:
        page.marked([("? ", "warning"), ("The server asked: ", ""), (method, "keyword"), (outcome, "")])
    for method, what in _CHANGES.items():
        if seen.pop(method, 0):
            page.say(f"The server says that its list of {what} changed.", "warning")
    told = [
        counted(seen.pop(method), noun)
        for method, noun in (("notifications/progress", "progress message"), ("notifications/message", "log message"))
        if seen[method]
    ]
    told += [f"{number} x {method}" for method, number in seen.most_common(5)]
    if told:
        page.say(f"{', '.join(told)}: see Frames.", "muted")


def _outcome(message: Object, beside: Beside) -> str:
    known = beside.outcomes.get(jsontext.dumps(message["id"]))
    return f", {known}" if known else ""
