"""What reading a report gives, and what writing one gives.

Rules of this file: plain values; a body is bytes, whatever form it was reported in.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from olv_tui.model import Era, Header
from olv_tui.redact import MASK

Outcome: TypeAlias = Literal["imported", "refused", "asked"]


@dataclass(frozen=True, slots=True)
class ReportedCall:
    """One call as it was reported.

    `url` is empty where the report names none. `without` are names of headers (lower case) that were not sent
    although programs like this one send them by themselves. `expected` is the reported answer, the JSON-RPC
    message or else the body; None where none was reported. `era` is set where the report tells it.
    """

    method: str
    url: str
    headers: tuple[Header, ...]
    body: bytes
    expected: bytes | None = None
    expected_status: int | None = None
    without: tuple[str, ...] = ()
    era: Era | None = None
    form: str = field(default="", compare=False)
    """What it was read from, in a word or two: curl, HAR, a message."""


@dataclass(frozen=True, slots=True)
class Import:
    """What came of reading a report.

    `imported`: `calls` holds the one call. `asked`: the reader has to choose (several `calls`) or to add
    something (no calls; `arguments` holds the JSON object that stood alone). `refused`: there is no call.
    `mended` are the repairs, a phrase each; `message` is one sentence or a few, with everything to be told.
    """

    outcome: Outcome
    calls: tuple[ReportedCall, ...] = ()
    mended: tuple[str, ...] = ()
    message: str = ""
    arguments: str | None = None


@dataclass(frozen=True, slots=True)
class Written:
    """An exchange in a form for others; `warnings` are sentences about what the form could not keep or hides."""

    text: str
    warnings: tuple[str, ...] = ()


class Notes:
    """What is to be told of a report while it is read: repairs, and remarks that change nothing.

    `without` are the repairs that are not to be made.
    """

    def __init__(self, without: Collection[str] = ()) -> None:
        self.without = frozenset(without)
        self.mended: dict[str, None] = {}
        self.remarks: dict[str, None] = {}

    def mend(self, phrase: str) -> None:
        """Note a repair, once."""
        self.mended.setdefault(phrase)

    def remark(self, sentence: str) -> None:
        """Note a remark, once."""
        self.remarks.setdefault(sentence)

    def take(self, other: Notes) -> None:
        """Take over the notes of a part that was read."""
        self.mended |= other.mended
        self.remarks |= other.remarks


class Refusal(Exception):  # noqa: N818  it is an answer inside this package, not an error
    """A command that is a call but cannot be one here; the message is one sentence. Never leaves `reports`.

    `reach` is how far the text was read for it, 0 where that is not known.
    """

    reach = 0


def raw(text: str) -> bytes:
    """Text as bytes; bytes that were no UTF-8 (kept as surrogates while reading) become themselves again."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


def shown(data: bytes) -> str:
    """Bytes as text, the inverse of `raw` as far as there is one."""
    return data.decode("utf-8", "surrogateescape")


LINK = re.compile(
    r"<(https?://[^\s<>|]{1,2000})(?:\|[^<>\n]{0,2000})?>|\[(https?://[^\]\s]{1,2000})\]\(https?://[^()\s]{1,2000}\)"
)
"""An address with what chats and Markdown put around it: `<https://a.example>`, `[https://a.example](..)`."""


def unlinked(text: str, notes: Notes) -> str:
    """An address without the marks of a link; anything else as it is."""
    match = LINK.fullmatch(text)
    if match is None:
        return text
    notes.mend("the marks of a link around the address were taken out")
    return match[1] or match[2]


def address(text: str, notes: Notes, scheme: str = "http") -> str:
    """An address as a command names it, with a scheme. Raises Refusal for what can be none."""
    plain = unlinked(text.strip(), notes)
    if re.search(r"\s", MASK.sub("", plain)):  # a blank stands in the mask of a secret
        told = re.sub(r"\s+", " ", plain)[:60]
        raise Refusal(f"The quotes of the command do not match: where the address is due stands {told!r}.")
    return plain if "://" in plain else f"{scheme}://{plain}"
