"""What the history gives besides exchanges."""

from __future__ import annotations

from dataclasses import dataclass

from olv_tui.model import Verdict


class HistoryError(Exception):
    """The history cannot be used; the message is one sentence for the reader and names the file."""


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """One line of the list, without bodies.

    Texts are cut to `codec.LISTED` characters, and lone surrogates in them are written as escapes: the
    exact values are in the exchange. `total_ms` is in milliseconds, `started` UTC as in the exchange.
    """

    serial: int
    id_text: str | None
    started: str
    method: str | None
    tool: str | None
    verdict: Verdict
    status: int | None
    total_ms: float | None
    summary: str
    automatic: bool
    target: str
