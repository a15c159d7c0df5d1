"""What the history gives besides exchanges."""

from __future__ import annotations

from dataclasses import dataclass

from olv_tui.model import Era, Header, Verdict


class HistoryError(Exception):
    """The history cannot be used; the message is one sentence for the reader and names the file."""


class UnwritableError(HistoryError):
    """The place of the file takes nothing: full, read-only, broken. A run goes on in memory then."""


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """One line of the list, without bodies.

    Texts are cut to `codec.LISTED` characters, and lone surrogates in them are written as escapes: the
    exact values are in the exchange. `total_ms` is in milliseconds, `started` UTC as in the exchange. `starred` and
    `note` are the reader's own marks.
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
    starred: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class SavedCall:
    """A call kept under a name, unique among those of its tool.

    Either `arguments` (JSON text of the arguments of `tool`) or `envelope` (the whole body, exact) is there. `method`
    is that of an envelope, None where it has none. `headers` are its own ones, `era` the one it was saved in. Texts
    may hold `${name}`: variables of a target, put in when it is loaded or sent (variables.py).
    """

    name: str
    tool: str | None = None
    method: str | None = None
    arguments: str | None = None
    envelope: str | None = None
    headers: tuple[Header, ...] = ()
    era: Era | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Keep:
    """How much is kept: exchanges, megabytes (1,000,000 bytes) of them, days. None: no limit."""

    count: int | None = None
    megabytes: float | None = None
    days: float | None = None

    @property
    def is_everything(self) -> bool:
        """Whether nothing is limited."""
        return self.count is None and self.megabytes is None and self.days is None


@dataclass(frozen=True, slots=True)
class Compacted:
    """What went (or would go): exchanges, their bytes with those of their files; how many were spared for a star or a
    note; what is left.
    """

    exchanges: int
    size: int
    spared: int
    left: int
    notice: str = ""
    """Why the file could not be made smaller, or a file not be deleted, where that is so."""
    orphans: int = 0
    """Files of large bodies that belonged to no exchange."""
