"""What the user does on the main screen: select, edit, send, load, copy.

Rules of this file:

* It owns the state (screens/state.py); data goes from here into the panes.
* Nothing is sent but by `_send`, and a tool that may destroy something is asked about there.
* Loading from the history never sends.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Literal

from textual.app import SuspendNotSupported
from textual.binding import Binding, BindingType
from textual.widgets import Input

from olv_tui.screens.calls import Calls
from olv_tui.screens.panes import PANE_BINDINGS, PaneScreen
from olv_tui.screens.state import State, Topic
from olv_tui.screens.telling import owner
from olv_tui.view.bytetext import as_bytes, as_text
from olv_tui.view.safe import one_line
from olv_tui.widgets.answer_frame import AnswerFrame
from olv_tui.widgets.document import Document, Sending, finding
from olv_tui.widgets.editor import EditorPane
from olv_tui.widgets.history import HistoryPane
from olv_tui.widgets.tools import NOT_SENT, ToolsPane, says_destructive

if TYPE_CHECKING:
    from olv_tui.mcp.templates import Build, Template
    from olv_tui.model import Exchange, Header, Tool
    from olv_tui.screens.launch import Core, Launch
    from olv_tui.screens.shelf import Shelf

Severity = Literal["information", "warning", "error"]


class DeskScreen(PaneScreen):
    """The panes, the state, and the actions on them."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+j,alt+enter,f5", "send", "Send", priority=True, id="send"),
        Binding("escape", "back", "Back", id="back"),
        Binding("slash", "search", "Filter", key_display="/", id="search"),
        Binding("f2", "mode", "Mode", priority=True, id="editor.mode"),
        Binding("f4", "external", "$EDITOR", show=False, priority=True, id="editor.external"),
        Binding("ctrl+r", "resend", "Resend", show=False, priority=True, id="resend"),
        Binding("ctrl+l", "reconnect", "Connect and list again", show=False, priority=True, id="reconnect"),
        *PANE_BINDINGS,
    ]

    def __init__(self, launch: Launch) -> None:
        super().__init__(id="main")
        self.launch = launch
        self.state = State()
        self.core: Core | None = None
        self.shelf: Shelf | None = None
        self.calls = Calls(self.post_message, launch)
        self.tools_pane = ToolsPane()
        self.editor = EditorPane(launch.mode)
        self.answer_frame = AnswerFrame()
        self.history = HistoryPane(launch.local_time)

    # ----------------------------------------------------------------------- shared by both halves

    def say(self, sentence: str, severity: Severity = "information") -> None:
        """A passing note; its text is made safe here, secrets in it are masked."""
        if self.core is not None:
            sentence = self.core.redactor.text(sentence)
        self.app.notify(one_line(sentence, 240), severity=severity, markup=False)

    def show_exchange(self, exchange: Exchange, note: str, *, newest: bool = True) -> None:
        """Show an ended exchange in the answer pane; `newest`: it is the one that its topic comes back to."""
        state = self.state
        state.shown, state.waiting = exchange, None
        if newest and not exchange.automatic:
            state.last[state.owner(exchange)] = exchange.serial
        self.answer_frame.answer.show(exchange, note=note)
        self.tell_owner()

    def tell_owner(self) -> None:
        """Name the exchange in the title of the answer; where it is not of the selected tool, say so, and whether
        that one was called.
        """
        state, topic = self.state, self.state.topic
        name = one_line(topic.title, 80) if topic is not None else ""
        called = topic in state.last
        if state.shown is None:
            told = f"{name} was not called in this run yet: ctrl+j sends." if name and not called else ""
            self.answer_frame.tell_owner("Answer", "", told)
        elif state.is_foreign():
            told = f"not of {name}" if called else f"not of {name}, which was not called yet"
            self.answer_frame.tell_owner(f"Answer · {owner(state.shown)}", f"not of {name}", told)
        else:
            self.answer_frame.tell_owner(f"Answer · {owner(state.shown)}", "", "")

    def select(self, topic: Topic | None) -> None:
        """Turn to a topic: its draft into the editor, its newest answer of this run beside it."""
        state, document = self.state, self.editor.document
        if topic == state.topic and not document.is_empty:
            return
        if not document.is_empty:
            state.drafts[state.topic] = document
        state.topic = topic
        self.editor.load(state.drafts.get(topic) or self.fresh(topic))
        serial = state.last.get(topic) if topic is not None else None
        if serial is not None and (state.shown is None or state.shown.serial != serial):
            self._show_serial(serial)
        self.tell_owner()

    def fresh(self, topic: Topic | None) -> Document:
        """A new document for a topic, with the headers that its template needs in the present era."""
        document, core = self.state.fresh(topic), self.core
        if document.template is None or core is None:
            # A form begins with nothing: what is sent is what the reader sets in it.
            return replace(document, arguments="{}") if self.editor.begins_with_form else document
        from olv_tui.mcp.versions import modern_headers

        modern, without = document.template.header_change(core.session.era)
        body = as_bytes(self.request_text(document.template, "1"))
        return replace(document, headers=modern_headers(body, None) if modern else (), without=without)

    def put(self, document: Document) -> bool:
        """Put another document in place of the draft, which is kept. Whether there was one that is worth a word."""
        draft, topic = self.editor.document, self.state.topic
        if draft.is_empty or draft == document:
            self.editor.load(document)
            return False
        self.state.replaced[topic] = draft
        self.editor.load(document)
        return draft not in (self.fresh(topic), self.state.fresh(topic))

    def listed_tool(self) -> Tool | None:
        """The tool that is edited, where it is of the list."""
        return self.state.listed.get(self.state.topic) if self.state.topic is not None else None

    def _show_serial(self, serial: int) -> None:
        """Show the exchange with this serial, be it still under way."""
        running = self.calls.of_serial(serial)
        if running is not None and running.exchange is not None:
            self.state.waiting, self.state.shown = running, running.exchange
            self.answer_frame.answer.show_pending(running.exchange)
            running.take_fresh()  # they are among all that came
            self.answer_frame.answer.add_frames(running.frames)
            if running.arrived is not None:
                self.answer_frame.answer.tell_arrived(running.arrived)
            return
        exchange = self.shelf.get(serial) if self.shelf is not None else None
        if exchange is not None:
            self.show_exchange(exchange, "")

    # ----------------------------------------------------------------------- how a call will look

    def call_text(self, tool: str, arguments: str, identity: str) -> str:
        """The envelope of a call as it would be sent now."""
        from olv_tui.model import RequestId

        if self.core is None:
            return ""
        return as_text(self.core.session.call_body(tool, arguments, RequestId(identity)))

    def request_text(self, template: Template, identity: str) -> str:
        """The envelope of a template as it would be sent now."""
        from olv_tui.jsonrpc import build
        from olv_tui.model import RequestId

        if self.core is None:
            return ""
        session = self.core.session

        def made(make: Callable[[RequestId | None, str, str | None], bytes]) -> Build:
            return lambda method, params, identity: as_text(
                make(None if identity is None else RequestId(identity), method, params)
            )

        dressed = made(lambda identity, method, params: session.request_body(method, params, identity))
        return template.text(identity, dressed, made(build))

    def call_headers(
        self, envelope: str, headers: tuple[Header, ...] = (), without: tuple[str, ...] = ()
    ) -> tuple[Header, ...]:
        """The headers that go with an envelope, secrets masked."""
        if self.core is None:
            return ()
        return self.core.redactor.headers(self.core.session.dress(as_bytes(envelope), headers, without).headers)

    # ----------------------------------------------------------------------- sending

    def action_send(self) -> None:
        """Send what is in the editor."""
        sending = self.editor.sending()
        if self.front == "tools" and self.tools_pane.is_without_hit:
            self.tools_pane.add_note(NOT_SENT)
        elif self.core is None:
            self.tell("Not sent: the history is still being opened. Try again in a moment.")
        elif waits := self.editor.waits:
            self.tell(f"Not sent: {waits}. Put it right, or del takes it away.")
        elif sending.body is not None:
            self._send(sending)
        elif sending.tool is None:
            self.tell("Not sent: no tool is selected yet. f2 opens the envelope, which sends anything.")
        elif found := finding(sending.arguments):
            self.tell(f"Not sent, no JSON: {found}. f2 opens the envelope, which sends anything.")
        else:
            self._send(sending)

    def tell(self, sentence: str) -> None:
        """Say something of the text, below it; and where the reader looks, should that be elsewhere."""
        self.editor.tell(sentence)
        if not self.editor.region:
            self.say(sentence, "warning")

    def _send(self, sending: Sending, owner: Topic | None = None) -> None:
        """Send, after asking about a tool that may destroy something and was not asked about yet.

        `owner` is the topic that the answer is of, where it is not the one in the editor.
        """
        from olv_tui.jsonrpc import read_request

        core, shelf = self.core, self.shelf
        if core is None or shelf is None:
            return
        body = None if sending.body is None else as_bytes(sending.body)
        read = None if body is None else read_request(body)
        name = sending.tool if read is None else read.tool
        topic = owner or (self.state.topic if name in (sending.tool, None) else Topic(name or ""))

        def send() -> None:
            if body is None and sending.tool is not None:
                self.calls.call(sending.tool, sending.arguments)
            elif body is not None and read is not None:
                # The ids the program chose for this envelope are used up by it.
                for one in read.ids:
                    if one.text == shelf.peek_id():
                        shelf.take_id()
                self.calls.send(body, name, sending.headers, sending.without)
            self.state.asked[self.calls.running[-1]] = topic
            self.editor.hush()

        why = self._danger(name)
        if name is None or not why:
            send()
            return

        def answered(agreed: bool | None) -> None:
            if agreed:
                self.state.agreed.add(name)
                send()

        from olv_tui.screens.modals import ConfirmScreen

        shown = sending.arguments if body is None else str(sending.body)
        self.app.push_screen(ConfirmScreen(name, why, core.redactor.url(core.target.url), shown), answered)

    def _danger(self, name: str | None) -> str:
        """Why this tool is asked about before it is called; nothing where it need not be."""
        tools = self.state.named(name) if name is not None else []
        if name in self.state.agreed or self.core is None:
            return ""
        if any(says_destructive(tool) for tool in tools):
            return "says of itself that it may destroy something"
        hints = [tool.definition.get("annotations") for tool in tools]
        read_only = bool(hints) and all(isinstance(one, dict) and one.get("readOnlyHint") is True for one in hints)
        if self.core.target.production and not read_only:
            return "is not marked as read-only, and this is a production target"
        return ""

    # ----------------------------------------------------------------------- keys

    def action_back(self) -> None:
        """Cancel what runs; else clear the filter of this list; else give the screen back; else go to the tools."""
        if self.calls.cancel_newest():
            return
        if self.front in ("tools", "history") and self._filtered(self.front).end_filter():
            return
        if self.has_class("-solo"):
            self.remove_class("-solo")
        else:
            self.go("tools")

    def _filtered(self, key: str) -> ToolsPane | HistoryPane:
        return self.history if key == "history" else self.tools_pane

    def action_search(self) -> None:
        """Open the filter of the focused list; elsewhere that of the tools."""
        if self.front != "history":
            self.go("tools")
        self._filtered(self.front).open_filter()

    def action_mode(self, mode: str | None = None) -> None:
        """Turn the editor to a mode, or to the next one."""
        self.go("editor")
        self.editor.switch(mode)

    def action_start_over(self) -> None:
        """Give the editor the text that a tool begins with."""
        self.put(self.fresh(self.state.topic))

    def action_external(self) -> None:
        """Edit the text in the editor of the user's choice."""
        from olv_tui.screens.external import edit

        try:
            before = self.editor.outside
            text, why = edit(before, self.app.suspend)
        except SuspendNotSupported:
            self.say("An editor outside needs a terminal of its own, and there is none here.", "warning")
            return
        if why:
            self.say(why, "warning")
        elif text != before:
            self.editor.take_outside(text)

    def action_reconnect(self) -> None:
        """Connect and list again."""
        self.calls.connect()

    def copy(self, text: str, what: str) -> None:
        """Put text on the clipboard; a note tells what became of it."""
        from olv_tui.screens.clipboard import copy_out

        copy_out(self.app, text, what)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Keys that are letters do nothing while a text is being edited."""
        typing = isinstance(self.focused, Input) or self.pane_of(self.focused) is self.editor
        if action in ("copy", "search") and typing:
            return False
        return super().check_action(action, parameters)
