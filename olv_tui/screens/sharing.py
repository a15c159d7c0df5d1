"""From a report to the same call, and from a call to a report.

Rules of this file:

* Loading never sends. What takes the place of a draft keeps it for one step back.
* A credential goes to the origin that the report names for it; for another one it is asked, and left out by default.
* Secrets of a report stay in memory: what is written down anywhere is redacted by the history.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.widgets import Input

from olv_tui.model import Era
from olv_tui.screens.aiming import AimingScreen
from olv_tui.screens.expecting import Expected, ExpectingScreen
from olv_tui.screens.making import MakingScreen
from olv_tui.screens.recall import BACK
from olv_tui.screens.state import Topic
from olv_tui.screens.telling import listed_tool
from olv_tui.view.bytetext import as_bytes, as_text
from olv_tui.view.safe import normal_breaks
from olv_tui.widgets.document import Document, arguments_in, id_in, same_call, with_arguments

if TYPE_CHECKING:
    from textual import events

    from olv_tui.model import Exchange
    from olv_tui.reports.aim import Aimed
    from olv_tui.reports.values import ReportedCall
    from olv_tui.screens.events import Listed
    from olv_tui.screens.launch import Launch
    from olv_tui.screens.paste import Pasted

_ADDED = "_meta was added, which this server (2026-07-28) needs; the palette has the call exactly as reported."
_LEAVE = "leave"
_SEND = "send"


class SharingScreen(ExpectingScreen, MakingScreen, AimingScreen):
    """The part of the main screen that reads reports and writes them."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+t", "paste", "Paste a report", priority=True, id="paste"),
        Binding("e", "export", "Export", id="export"),
    ]

    def __init__(self, launch: Launch) -> None:
        super().__init__(launch)
        self._exact: dict[Topic, Document] = {}
        self._early: tuple[tuple[str, str | None, str | None], Document] | None = None

    # ----------------------------------------------------------------------- pasting

    def on_paste(self, event: events.Paste) -> None:
        """A text dropped or pasted where no text is edited: into the box."""
        from textual.widgets import TextArea  # the first paint does without it

        if not isinstance(self.focused, Input | TextArea) and event.text.strip():
            event.stop()
            self.action_paste(normal_breaks(event.text))

    def action_paste(self, text: str = "") -> None:
        """Open the box for a report."""
        from olv_tui.screens.paste import Ground, PasteScreen

        core = self.core
        if core is None:
            self.say("The history is still being opened. Try again in a moment.")
            return
        selected = self.state.selected
        tools = [*([selected] if selected is not None else []), *(one for one in self.state.tools if one != selected)]
        ground = Ground(core.redactor.url(core.target.url), self.name_of_origin(), tools, core.redactor)
        self.app.push_screen(PasteScreen(ground, text), self._taken)

    def _taken(self, pasted: Pasted | None) -> None:
        if pasted is None:
            return
        if pasted.call is None:
            self._load_arguments(pasted)
        else:
            self.load_call(pasted.call, pasted.mended)

    def _load_arguments(self, pasted: Pasted) -> None:
        topic = self._topic(pasted.tool, None)
        self.select(topic)
        replaced = self.put(replace(self.fresh(topic), arguments=pasted.arguments, frame=None, whole=False))
        self.editor.tell(f"Arguments loaded; nothing is sent. {BACK if replaced else 'ctrl+j sends.'}")
        self.go("editor")

    # ----------------------------------------------------------------------- loading a call

    def load_call(self, call: ReportedCall, mended: tuple[str, ...] = ()) -> None:
        """Load a reported call for the target it goes to, asking where that is not certain. Sends nothing."""
        from olv_tui.model import Target
        from olv_tui.reports.aim import era_of

        core = self.core
        if core is None:
            return
        target = Target("", call.url, era=era_of(call), timeout=core.target.timeout)
        self.place(call.url, target, lambda: self._aim(call, mended))

    def _aim(self, call: ReportedCall, mended: tuple[str, ...]) -> None:
        from olv_tui.reports.aim import aim, origin
        from olv_tui.reports.write import known_values
        from olv_tui.screens.picker import Choice, PickScreen

        core = self.core
        if core is None:
            return
        era = core.session.era or core.target.era
        aimed = aim(call, core.target.headers, era or Era.AUTO, core.redactor, known_values(core.target.headers))
        if not aimed.secret or (call.url and origin(call.url) == origin(core.target.url)):
            self._put_call(call, aimed, mended)
            return
        names = ", ".join(aimed.secret)
        whose = core.redactor.url(origin(call.url)) if call.url else "an address that is not told"
        here = core.redactor.url(core.target.url)
        choices = [
            Choice(_LEAVE, f"Leave {names} out", "", ((f"It is a credential of {whose}.", ""),)),
            Choice(_SEND, f"Send {names} to {here}", "", (("That server gets to know it.", "warning"),)),
        ]

        def taken(key: str | None) -> None:
            if key is not None:
                self._put_call(call, aimed if key == _SEND else aimed.without_secrets(), mended)

        self.app.push_screen(PickScreen("The report holds a credential", choices, placeholder="filter"), taken)

    def _put_call(self, call: ReportedCall, aimed: Aimed, mended: tuple[str, ...]) -> None:
        from olv_tui.jsonrpc import read_request

        core = self.core
        if core is None:
            return
        out = read_request(aimed.body)
        topic = self._topic(out.tool, out.method or f"{out.kind} body")
        self.select(topic)
        usual = {(name.lower(), value) for name, value in core.session.dress(aimed.body).headers}
        headers = tuple(item for item in aimed.headers if (item[0].lower(), item[1]) not in usual)
        document = self._reported(as_text(aimed.body), out.tool, out.method)
        loaded = replace(document, headers=headers, without=aimed.without)
        replaced = self.put(loaded)
        as_is = (as_text(aimed.body), out.tool, out.method)
        self._early = (as_is, self.editor.document) if core.session.era is None else None
        expected = self._expectation(call)
        self.expect(topic, expected)
        told = ["Loaded; nothing is sent: ctrl+j sends."]
        if expected is not None:
            told.append(f"Expected: {expected.told}; what comes is compared.")
        if document.frame != as_is[0]:
            told.append(_ADDED)
        if mended:
            told.append(f"Mended: {'; '.join(mended)}.")
        if aimed.dropped:
            told.append(f"Left out, since the session has its own: {', '.join(aimed.dropped)}.")
        if aimed.empty:
            told.append(f"Left out, since the report does not hold the value: {', '.join(aimed.empty)} (f9 sets it).")
        if aimed.is_masked:
            told.append("A secret is masked in this text: put it in before sending.")
        if call.method != "POST":
            told.append(f"The report tells of a {call.method}; it is sent as a POST here.")
        if replaced:
            told.append(BACK)
        self.editor.tell(" ".join(told))
        self.go("editor")

    def _reported(self, body: str, tool: str | None, method: str | None) -> Document:
        """The document of a reported call: every character of it is kept, the id as well.

        A plain call without the `_meta` that the modern era needs gets it, which is told.
        """
        arguments, _ = arguments_in(body, tool)
        if tool is None or arguments is None:
            from olv_tui.mcp.templates import template

            of = template(method) if method is not None and tool is None else None
            return Document(tool, frame=body, whole=True, template=of)
        identity, core = id_in(body), self.core
        usual = self.call_text(tool, arguments, identity or "1")
        if same_call(body, usual, auto_id=None):
            return Document(tool, arguments=arguments, frame=body)
        if core is not None and identity is not None and core.session.era is Era.MODERN:
            bare = f'{{"jsonrpc":"2.0","id":{identity},"method":"tools/call","params":{{"name":"","arguments":{{}}}}}}'
            bare = with_arguments(bare.replace('"name":""', f'"name":{json.dumps(tool)}'), arguments)
            if same_call(body, bare, auto_id=None):
                self._exact[Topic(tool)] = Document(tool, arguments=arguments, frame=body, whole=True)
                return Document(tool, arguments=arguments, frame=usual)
        return Document(tool, arguments=arguments, frame=body, whole=True)

    def action_exact(self) -> None:
        """Take back what was added to a reported call for the era of this server."""
        topic = self.state.topic
        exact = self._exact.get(Topic(topic.name)) if topic is not None else None
        if exact is None:
            self.editor.tell("Nothing was added to a report here.")
            return
        held = self.editor.document
        self.put(replace(exact, headers=held.headers, without=held.without))
        self.editor.tell("Exactly as reported; ctrl+z goes back.")
        self.go("editor")

    def on_listed(self, event: Listed) -> None:  # noqa: ARG002
        """The era is known now: a call that was loaded before, and not edited since, is made anew for it."""
        if self._early is None or self.core is None or self.core.session.era is None:
            return
        (body, tool, method), loaded, self._early = self._early[0], self._early[1], None
        document = self._reported(body, tool, method)
        if document.frame != body and self.editor.document == loaded:
            self.editor.load(replace(document, headers=loaded.headers, without=loaded.without))
            self.editor.tell(f"Loaded; nothing is sent: ctrl+j sends. {_ADDED}")

    def _topic(self, tool: str | None, method: str | None) -> Topic:
        if tool is None:
            return Topic(method or "", "request")
        found = self.tools_pane.current if self.tools_pane.select(tool) else None
        return Topic(tool) if found is None else self.state.topic_of(found)

    def _expectation(self, call: ReportedCall) -> Expected | None:
        """The reported answer, its secrets masked as those of the answer that comes will be."""
        from olv_tui.reports.aim import as_exchange, expected_judgement
        from olv_tui.view.understood import expected

        judgement, core = expected_judgement(call), self.core
        if judgement is None or call.expected is None or core is None:
            return None
        answer = core.redactor.knowing(as_exchange(call)).data(call.expected)
        return Expected(answer, call.expected_status, expected(judgement))

    # ----------------------------------------------------------------------- exporting

    def masked_picture(self, drawn: str) -> str:
        """A screenshot is for others: what stands in the editor is masked in it as well."""
        if self.core is None:
            return drawn
        self.core.redactor.body(as_bytes(self.editor.text))  # it gets to know what is typed
        return self.core.redactor.picture(drawn)

    def exported(self) -> Exchange | None:
        """The exchange that is meant: of the history its row, else the one in the answer pane."""
        row = self.history.current if self.front == "history" else None
        if row is not None and self.shelf is not None:
            return self.shelf.get(row.serial)
        return self.state.shown

    def action_export(self) -> None:
        """Choose a form for the exchange; copy it or write it to a file."""
        from olv_tui.reports.write import known_values
        from olv_tui.screens.export import Exporting, ExportScreen

        exchange, core = self.exported(), self.core
        if exchange is None or core is None:
            self.say("There is no exchange to export yet.")
            return
        expected = self.expected_of(exchange)
        document = self.editor.document
        own = document.headers if self.state.owner(exchange) == self.state.topic else ()
        exporting = Exporting(
            exchange,
            core.redactor,
            None if expected is None else as_text(expected.answer),
            known_values((*core.target.headers, *own)),
            self.ignored(exchange),
            listed_tool(exchange, core, self.state.tools),
        )
        self.app.push_screen(ExportScreen(exporting, self.copy, self.say))
