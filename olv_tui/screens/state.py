"""The state of the explorer, owned by the main screen and by nobody else.

Rules of this file:

* Plain values, no Textual. Widgets get copies of parts of it and tell what happened.
* Drafts and answers belong to a topic, and a topic is no tool name: two tools may have the same name, and a
  request that calls no tool has a draft as well.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from olv_tui.widgets.document import Document

if TYPE_CHECKING:
    from olv_tui.model import Exchange, Tool
    from olv_tui.screens.calls import Running

FALLBACK_TOOL = "olv_list_worlds"
"""What the editor calls while no tools are listed: the one tool of OneLifeVibe that is documented."""


@dataclass(frozen=True, slots=True)
class Topic:
    """What a draft and its answers are about: a tool, or a request of another kind by the key of its template.

    `twin` counts the listed tools of the same name before this one.
    """

    name: str
    kind: Literal["tool", "request"] = "tool"
    twin: int = 0

    @property
    def title(self) -> str:
        """Its name, told apart from that of its twins."""
        return self.name if not self.twin else f"{self.name}, number {self.twin + 1} of that name"


@dataclass(slots=True)
class State:
    """Tools as listed, drafts by topic, what the answer pane shows and whose it is.

    `tools` holds the last tool of each name. `replaced` has the drafts that something was loaded over. `shown` is the
    exchange in the answer pane, `waiting` the call it waits for (then `shown` is the pending exchange or None).
    `topics` maps serials of this run to their topic, `last` a topic to the serial of its newest answer.
    """

    tools: dict[str, Tool] = field(default_factory=dict)
    listed: dict[Topic, Tool] = field(default_factory=dict)
    drafts: dict[Topic | None, Document] = field(default_factory=dict)
    replaced: dict[Topic | None, Document] = field(default_factory=dict)
    topic: Topic | None = None
    shown: Exchange | None = None
    waiting: Running | None = None
    topics: dict[int, Topic | None] = field(default_factory=dict)
    last: dict[Topic | None, int] = field(default_factory=dict)
    asked: dict[Running, Topic | None] = field(default_factory=dict)
    agreed: set[str] = field(default_factory=set)
    _places: dict[int, Topic] = field(default_factory=dict)
    _counts: dict[str, int] = field(default_factory=dict)

    # ----------------------------------------------------------------------- tools

    @property
    def selected(self) -> str | None:
        """The name of the selected tool, None where the editor holds another request or none."""
        return self.topic.name if self.topic is not None and self.topic.kind == "tool" else None

    def add_tools(self, tools: Iterable[Tool]) -> None:
        """Take in a page of the list."""
        for tool in tools:
            count = self._counts.get(tool.name, 0)
            self._counts[tool.name] = count + 1
            topic = Topic(tool.name, twin=count)
            self.listed[topic] = self.tools[tool.name] = tool
            self._places[id(tool)] = topic  # `listed` keeps the tool alive, so no other gets its id

    def clear_tools(self) -> None:
        """Forget the list; drafts stay."""
        self.tools.clear()
        self.listed.clear()
        self._places.clear()
        self._counts.clear()

    def topic_of(self, tool: Tool) -> Topic:
        """The topic of a listed tool."""
        return self._places.get(id(tool)) or Topic(tool.name)

    def named(self, name: str) -> list[Tool]:
        """The listed tools of this name, which are one for a server."""
        return [self.listed[Topic(name, twin=twin)] for twin in range(self._counts.get(name, 0))]

    # ----------------------------------------------------------------------- drafts

    def fresh(self, topic: Topic | None) -> Document:
        """A new document for a topic, with the required arguments in it; the ready envelope of the documented tool
        where there is none.
        """
        if topic is None:
            return Document(FALLBACK_TOOL, whole=True)
        if topic.kind == "request":
            from olv_tui.mcp.templates import template as request

            return Document(None, template=request(topic.name), whole=True)
        tool = self.listed.get(topic)
        if tool is None:
            return Document(topic.name)
        from olv_tui.view.template import template

        return Document(topic.name, arguments=template(tool))

    # ----------------------------------------------------------------------- answers

    def started(self, running: Running) -> None:
        """A call was journalled: its answer is of the topic it was asked under."""
        serial = running.serial
        if serial is not None:
            if running in self.asked:
                self.topics[serial] = self.asked.pop(running)
            if running.exchange is not None:
                self.last[self.owner(running.exchange)] = serial

    def owner(self, exchange: Exchange) -> Topic | None:
        """The topic of an exchange, also of one of an earlier run."""
        out = exchange.outgoing
        if exchange.serial in self.topics:
            return self.topics[exchange.serial]
        return Topic(out.tool) if out.tool is not None else Topic(out.method or f"{out.kind} body", "request")

    def whose(self) -> str | None:
        """The tool whose answer is shown, None for none and for bodies of another kind."""
        return self.shown.outgoing.tool if self.shown is not None else None

    def is_foreign(self) -> bool:
        """Whether the answer shown belongs to another request than the one in the editor."""
        shown, topic = self.shown, self.topic
        return shown is not None and topic is not None and not shown.automatic and self.owner(shown) != topic
