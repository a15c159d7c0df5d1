"""Completion in a text area: when the list opens, what its keys do, how a proposal is put in.

Rules of this file:

* It opens at ctrl+space, and by itself where a quote begins a member name; nothing is put in unasked.
* What is put in is one edit, which undo takes back.
* The schema is read when the list opens first, and what was sent before each time it opens.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.document._document import Selection
from textual.message import Message

from olv_tui.widgets.json_offers import OffersList
from olv_tui.widgets.json_paint import PaintedArea

if TYPE_CHECKING:
    from textual import events

    from olv_tui.schema.complete import Earlier, Offers, Proposal
    from olv_tui.schema.fields import Field
    from olv_tui.widgets.json_source import Source

_UNASKED = 100_000
"""Characters up to which the list opens by itself: 1 MB before the cursor takes 60 ms to read."""


class CompletingArea(PaintedArea):
    """A text area that completes by the `source`, which is asked when the list opens."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+@,ctrl+space", "complete", "Complete", key_display="^space", id="editor.complete"),
    ]

    class Told(Message):
        """Something is to be said of the text."""

        def __init__(self, sentence: str) -> None:
            super().__init__()
            self.sentence = sentence

    def __init__(self, text: str, *, id: str | None = None) -> None:  # noqa: A002 (Textual's own name for it)
        self.source: Callable[[], Source | None] = lambda: None
        self._list: OffersList | None = None
        self._offers: Offers | None = None
        self._root: tuple[Source, Field] | None = None
        self._earlier: Earlier = {}
        super().__init__(text, id=id)  # which selects, and that is watched

    @property
    def is_completing(self) -> bool:
        """Whether the list is open."""
        return self._list is not None and self._list.is_open

    # ----------------------------------------------------------------------- keys

    async def _on_key(self, event: events.Key) -> None:
        if self.is_completing and self._key(event.key):
            event.stop()
            event.prevent_default()
            return
        await super()._on_key(event)
        if event.character == '"' and not self.read_only and not self.is_completing:
            self._open_unasked()

    def _key(self, key: str) -> bool:
        """Do what a key does in the list. False: it is none of its keys."""
        assert self._list is not None
        steps = {"up": -1, "down": 1}
        if key in steps:
            self._list.move(steps[key])
        elif key in ("enter", "tab"):
            self.take(self._list.current)
        elif key == "escape":
            self.close()
        else:
            return False
        return True

    def _on_blur(self, event: events.Blur) -> None:  # noqa: ARG002
        self.close()

    def _watch_selection(self, previous_selection: Selection, selection: Selection) -> None:
        super()._watch_selection(previous_selection, selection)
        if self.is_completing:
            self.call_later(self._narrow)

    # ----------------------------------------------------------------------- the list

    def action_complete(self) -> None:
        """Open the list; say so where there is nothing to offer."""
        if self.read_only:
            return
        if self._known() is None:
            self.post_message(self.Told("Nothing is known of what can stand here: there is no schema for this text."))
        elif not self._open():
            self.post_message(self.Told("There is nothing to offer at this place."))

    def _open_unasked(self) -> None:
        if len(self.text) > _UNASKED or self._known() is None:
            return
        offers = self._found()
        if offers is not None and offers.is_key:
            self._open()

    def _known(self) -> Source | None:
        source = self.source()
        if source is None:
            return None
        if self._root is None or self._root[0].schema is not source.schema:
            from olv_tui.schema import tree

            self._root = source, tree(source.schema, given=source.given)
        return source

    def _open(self) -> bool:
        from olv_tui.schema.complete import earlier_values

        source = self._known()
        if source is None:
            return False
        self._earlier = earlier_values(source.earlier())
        return self._show(self._found())

    def _show(self, offers: Offers | None) -> bool:
        self._offers = offers
        if offers is None:
            self.close()
            return False
        if self._list is None:
            self._list = OffersList(self._picked)
            self.screen.mount(self._list)
        self._list.show(offers.proposals, self.cursor_screen_offset)
        return True

    def _found(self) -> Offers | None:
        from olv_tui.schema.complete import complete

        assert self._root is not None
        return complete(self.text, self.document.offset(min(self.selection)), self._root[1], self._earlier)

    def _narrow(self) -> None:
        """Follow what is typed; where the cursor leaves the place the list closes."""
        if not self.is_completing or self._offers is None or self._root is None:
            return
        offers = self._found()
        if offers is None or offers.start != self._offers.start:
            self.close()
        elif offers != self._offers:
            self._show(offers)

    def _picked(self, index: int) -> None:
        if self.is_completing and self._list is not None:
            self._list.choose(index)
            self.take(self._list.current)

    def close(self) -> None:
        """Close the list."""
        self._offers = None
        if self._list is not None and self._list.is_open:
            self._list.hide()

    def take(self, one: Proposal) -> None:
        """Put a proposal in, and select what is to be filled in."""
        offers = self._offers
        self.close()
        if offers is None:
            return
        document = self.document
        start, end = document.location(offers.start), document.location(offers.end)
        self.replace(one.text, start, end, maintain_selection_offset=False)
        first, last = (document.location(offers.start + at) for at in one.select)
        self.selection = Selection(first, last)
        self.history.checkpoint()
        if one.again:
            self._open()
