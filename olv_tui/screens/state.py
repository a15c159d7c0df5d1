"""The state of the explorer, owned by the main screen and by nobody else.

Rules of this file: plain values, no Textual. Widgets get copies of parts of it and tell what happened.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from olv_tui.widgets.document import Document

if TYPE_CHECKING:
    from olv_tui.model import Exchange, Tool
    from olv_tui.screens.calls import Running

FALLBACK_TOOL = "olv_list_worlds"
"""What the editor calls while no tools are listed: the one tool of OneLifeVibe that is documented."""


@dataclass(slots=True)
class State:
    """Tools by name, drafts by tool, what the answer pane shows and whose it is.

    `shown` is the exchange in the answer pane, `waiting` the call it waits for (then `shown` is the pending
    exchange or None). `last` maps a tool to the serial of its newest answer in this run.
    """

    tools: dict[str, Tool] = field(default_factory=dict)
    drafts: dict[str | None, Document] = field(default_factory=dict)
    selected: str | None = None
    shown: Exchange | None = None
    waiting: Running | None = None
    from_history: bool = False
    last: dict[str, int] = field(default_factory=dict)
    agreed: set[str] = field(default_factory=set)

    def draft(self, name: str | None) -> Document:
        """The document of a tool: as it was left, else a new one with the required arguments in it."""
        kept = self.drafts.get(name)
        if kept is not None:
            return kept
        return self.fresh(name)

    def fresh(self, name: str | None) -> Document:
        """A new document for a tool; the ready envelope of the documented tool where none is selected."""
        if name is None:
            return Document(FALLBACK_TOOL, whole=True)
        tool = self.tools.get(name)
        if tool is None:
            return Document(name)
        from olv_tui.view.template import template

        return Document(name, arguments=template(tool))

    def whose(self) -> str | None:
        """The tool whose answer is shown, None for none and for bodies of another kind."""
        return self.shown.outgoing.tool if self.shown is not None else None

    def is_foreign(self) -> bool:
        """Whether the answer shown belongs to another call than the selected tool."""
        return self.shown is not None and self.selected is not None and self.whose() != self.selected
