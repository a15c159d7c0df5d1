"""What was sent before: shown, loaded into the editor, sent again.

Rules of this file:

* Looking costs nothing: the cursor of the history shows an answer and leaves the editor alone.
* Loading never sends, and the draft it takes the place of is kept for one step back.
* What was sent to another target is asked about before it goes to this one.
* Secrets that are known now take the place of their masks as a body is sent again to where it went before; what is
  loaded keeps the masks, since the editor shows it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from olv_tui.screens.desk import DeskScreen
from olv_tui.screens.telling import elsewhere, has_mask, owner
from olv_tui.view.bytetext import as_text
from olv_tui.widgets.document import Document, Sending, arguments_in, id_in, same_call, with_id

if TYPE_CHECKING:
    from olv_tui.model import Exchange, Header
    from olv_tui.widgets.history import HistoryPane

BACK = "Your draft is kept: ctrl+z goes back to it."


class RecallScreen(DeskScreen):
    """The part of the main screen that looks back."""

    def on_history_pane_looked(self, event: HistoryPane.Looked) -> None:
        """The cursor of the history came to an exchange: its answer is shown, the editor stays as it is."""
        if self.state.shown is not None and self.state.shown.serial == event.serial:
            return
        exchange = self.shelf.get(event.serial) if self.shelf is not None else None
        if exchange is None:
            return
        if self.calls.of_serial(event.serial) is not None:
            self._show_serial(event.serial)
            self.tell_owner()
        else:
            self.show_exchange(exchange, "from history", newest=False)

    def on_editor_pane_back_wanted(self) -> None:
        """There is nothing more to undo in the text: the draft before it, if there was one."""
        self.action_draft()

    def action_draft(self) -> None:
        """Back to the draft that something else was loaded over, and from there to that again."""
        draft = self.state.replaced.get(self.state.topic)
        if draft is None:
            self.tell("There is no other draft here to go back to.")
            return
        self.put(draft)
        self.editor.tell("Back at your draft; ctrl+z goes to what was loaded over it.")
        self.go("editor")

    def resend(self, exchange: Exchange) -> None:
        """Send the body of an exchange again under a new id."""
        body, where = as_text(exchange.request.body), self._elsewhere(exchange)
        if self.core is not None and not where:
            body = self.core.redactor.reveal(body)
        if has_mask(body):
            self.load(exchange)
            self.tell("Not sent: a secret is masked in this body. Put it in and send.")
        elif where:
            self._ask_elsewhere(exchange, where)
        else:
            self._resend(exchange, body)

    def _resend(self, exchange: Exchange, body: str) -> None:
        if self.shelf is not None:
            headers, without = self._own_headers(exchange)
            renewed = with_id(body, self.shelf.peek_id())
            sending = Sending(exchange.outgoing.tool, "", renewed, headers, without)
            self._send(sending, self.state.owner(exchange))

    def _elsewhere(self, exchange: Exchange) -> str:
        """Where an exchange was sent to, "" where that is the present target."""
        return elsewhere(exchange.target, self.core) if self.core is not None else ""

    def _ask_elsewhere(self, exchange: Exchange, where: str) -> None:
        """Ask before what was sent to one target goes to another."""
        from olv_tui.screens.modals import ConfirmScreen

        core = self.core
        if core is None:
            return

        name, here = owner(exchange), core.redactor.url(core.target.url)
        body = as_text(exchange.request.body)

        def answered(agreed: bool | None) -> None:
            if agreed:
                self._resend(exchange, body)

        self.app.push_screen(ConfirmScreen(name, f"was sent to {where}", here, body, lasting=False), answered)

    def action_resend(self) -> None:
        """Send the exchange shown again."""
        if self.state.shown is None:
            self.say("There is no exchange to send again yet.")
        else:
            self.resend(self.state.shown)

    # ----------------------------------------------------------------------- loading

    def load(self, exchange: Exchange) -> None:
        """Put a stored call into the editor, character for character, and show its answer. Sends nothing."""
        tool = exchange.outgoing.tool
        topic = self.state.owner(exchange)
        if tool is not None and self.tools_pane.select(tool) and (found := self.tools_pane.current) is not None:
            topic = self.state.topic_of(found)
        self.state.topics[exchange.serial] = topic
        self.select(topic)
        headers, without = self._own_headers(exchange)
        replaced = self.put(replace(self._document(exchange), headers=headers, without=without))
        if self.calls.of_serial(exchange.serial) is not None:
            self._show_serial(exchange.serial)
        else:
            self.show_exchange(exchange, "from history")
        told = []
        if where := self._elsewhere(exchange):
            told.append(f"This was sent to {where}; ctrl+j sends it to this target.")
        if has_mask(self.editor.text):
            told.append("A secret is masked in this text: put it in before sending.")
        if replaced:
            told.append(BACK)
        if told:
            self.editor.tell(" ".join(told))

    def _own_headers(self, exchange: Exchange) -> tuple[tuple[Header, ...], tuple[str, ...]]:
        """The headers that a stored request had of its own, and the names of those it went without.

        Only in the era it was sent in can the two be told apart. A secret that is masked cannot be sent again.
        """

        core = self.core
        if core is None or exchange.automatic or exchange.era is not core.session.era:
            return (), ()
        usual = self.call_headers(as_text(exchange.request.body))
        from olv_tui.view.envelope import own_headers  # It reads JSON, which no first paint needs.

        headers, without = own_headers(exchange.request.headers, usual, ("user-agent",))
        return tuple(one for one in headers if not has_mask(one[1])), without

    def _document(self, exchange: Exchange) -> Document:
        """The document of a stored call: its arguments, or its whole body where that holds more."""
        body, tool = as_text(exchange.request.body), exchange.outgoing.tool
        identity = id_in(body)
        # An id that looks like one of ours follows the counter; any other is kept as part of the call.
        auto = identity if identity is not None and identity.isdigit() else None
        arguments, _ = arguments_in(body, tool)
        if tool is None:
            from olv_tui.mcp.templates import template

            of = template(exchange.outgoing.method) if exchange.outgoing.method is not None else None
            return Document(None, frame=body, auto_id=auto, whole=True, template=of)
        if arguments is None:
            return Document(tool, frame=body, auto_id=auto, whole=True)
        plain = same_call(body, self.call_text(tool, arguments, identity or "1"), auto_id=auto)
        document = Document(tool, arguments=arguments)
        return document if plain else replace(document, frame=body, auto_id=auto, whole=True)
