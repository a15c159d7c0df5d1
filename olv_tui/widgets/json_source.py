"""What a text area is told of the arguments edited in it. No Textual: it is imported before the first paint."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from olv_tui.model import Value


@dataclass(frozen=True, slots=True)
class Source:
    """The schema of the arguments as received, and arguments sent before as texts, newest first.

    `given` False: the tool has no schema.
    """

    schema: Value
    earlier: Callable[[], tuple[str, ...]] = tuple
    given: bool = True
