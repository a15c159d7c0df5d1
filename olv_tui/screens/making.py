"""Requests made by hand: of any method, to any tool, with any envelope, broken in any way.

Rules of this file: nothing is sent from here. Every action ends in a document in the editor, which the reader
sees and sends.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType

from olv_tui.screens.desk import DeskScreen
from olv_tui.screens.state import Topic
from olv_tui.view.bytetext import as_bytes, as_text
from olv_tui.widgets.document import Broken

if TYPE_CHECKING:
    from olv_tui.model import Exchange
    from olv_tui.screens.envelope import Details
    from olv_tui.screens.picker import Choice
    from olv_tui.view.breakage import Breakage, Ground, Parts

MEND = "mend"


class MakingScreen(DeskScreen):
    """The desk with the tools for making requests."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+n", "new_request", "New request", show=False, priority=True, id="request.new"),
        Binding("f9", "envelope", "Envelope: id, version, headers", show=False, priority=True, id="request.envelope"),
        Binding("ctrl+g", "break", "Break it", show=False, priority=True, id="request.break"),
    ]

    @property
    def is_making(self) -> bool:
        """Whether the reader is at a request that is of no tool of the list."""
        topic = self.state.topic
        return topic is not None and topic not in self.state.listed and self.front != "tools"

    # ----------------------------------------------------------------------- new requests

    def action_new_request(self) -> None:
        """Choose a template, or type a method."""
        from olv_tui.mcp.templates import TEMPLATES, template
        from olv_tui.screens.picker import Choice, PickScreen

        def choice(key: str) -> Choice:
            of = template(key)
            params = of.params or ("no params" if not of.notification else "no params, no id")
            return Choice(key, of.key, "notification" if of.notification else "", ((of.about, ""), (params, "dim")))

        self.app.push_screen(
            PickScreen(
                "New request", [choice(one.key) for one in TEMPLATES], placeholder="filter, or any method", typed=choice
            ),
            self._begin,
        )

    def _begin(self, key: str | None) -> None:
        if key is not None:
            self.begin(key)
            self.go("editor")

    def begin(self, key: str) -> None:
        """Turn to the request of this template or method: as it was left, else a new one."""
        self.select(Topic(key, "request"))

    def action_call_by_name(self) -> None:
        """Type the name of a tool, listed or not."""
        from olv_tui.screens.picker import Choice, PickScreen

        def named(name: str) -> Choice:
            return Choice(name, name, about=(("Not in the list: it is called by this name.", "dim"),))

        listed = [Choice(name, name, about=(("Listed by the server.", "dim"),)) for name in self.state.tools]
        self.app.push_screen(
            PickScreen("Call a tool by name", listed, placeholder="the name of the tool", typed=named),
            self._call_by_name,
        )

    def _call_by_name(self, name: str | None) -> None:
        if name is None:
            return
        found = self.tools_pane.current if self.tools_pane.select(name) else None
        self.select(Topic(name) if found is None else self.state.topic_of(found))
        self.go("editor")

    # ----------------------------------------------------------------------- the envelope

    def action_envelope(self) -> None:
        """Set id, version, further members and headers of the request in the editor."""
        from olv_tui.screens.envelope import Details, EnvelopeScreen

        if self.shelf is None:
            return
        document = self.editor.document
        details = Details(self.editor.whole_text(), document.headers, document.without)

        def taken(changed: Details | None) -> None:
            if changed is None or changed == details:
                return
            now = replace(document, headers=changed.headers, without=changed.without)
            if changed.text != details.text:
                now = now.framed(changed.text)
            if now.broken is not None:
                now = replace(now, broken=replace(now.broken, edited=True))
            self.editor.load(now)
            self.go("editor")

        self.app.push_screen(EnvelopeScreen(details, self.shelf.peek_id()), taken)

    # ----------------------------------------------------------------------- broken on purpose

    def action_break(self) -> None:
        """Choose a way to break the request in the editor, or mend it."""
        from olv_tui.screens.picker import Choice, PickScreen
        from olv_tui.view.breakage import BREAKAGES

        if self.core is None:
            return
        parts, ground = self._parts(), self._ground()

        def choice(one: Breakage) -> Choice:
            made = one.apply(parts, ground)
            about = ((one.does, ""), (f"Rule: {one.rule}", "dim"), (f"A right server answers: {one.answer}.", "accent"))
            return Choice(one.key, one.name, one.rule, about, made if isinstance(made, str) else "")

        choices = [choice(one) for one in BREAKAGES]
        broken = self.editor.document.broken
        if broken is not None:
            about = (f"Takes back: {', '.join(broken.names)}, and what was edited since.", "")
            choices.insert(0, Choice(MEND, "Mend", "as it was before", (about,)))
        self.app.push_screen(PickScreen("Break it", choices, placeholder="filter"), self._break)

    def action_mend(self) -> None:
        """Take back what was broken on purpose."""
        if not self.editor.mend():
            self.editor.tell("Nothing was broken on purpose here.")
        self.go("editor")

    def _parts(self) -> Parts:
        from olv_tui.view.breakage import Parts

        document = self.editor.document
        return Parts(as_bytes(self.editor.whole_text()), document.headers, document.without)

    def _ground(self) -> Ground:
        from olv_tui.jsonrpc import read_request
        from olv_tui.view.breakage import Ground

        core, parts = self.core, self._parts()
        if core is None:
            return Ground()
        name = read_request(parts.body).tool
        selected = self.state.listed.get(self.state.topic) if self.state.topic is not None else None
        known = selected if selected is not None and selected.name == name else self.state.tools.get(name or "")
        headers = core.session.dress(parts.body, parts.headers, parts.without).headers
        return Ground(core.session.era, headers, known)

    def _break(self, key: str | None) -> None:
        from olv_tui.view.breakage import BREAKAGES

        if key == MEND:
            self.action_mend()
        elif key is not None:
            self.break_as(next(one for one in BREAKAGES if one.key == key))
            self.go("editor")

    def break_as(self, breakage: Breakage) -> None:
        """Break the request in the editor; nothing is sent."""
        document = self.editor.document
        made = breakage.apply(self._parts(), self._ground())
        if isinstance(made, str):
            self.editor.tell(f"Not broken: {made}.")
            return
        before, names = document, [breakage.phrase]
        if document.broken is not None:
            before, names = document.broken.before, [*document.broken.names, *names]
        if not document.whole:
            # The program's own id goes into the text here, and follows the counter as in any envelope.
            document = replace(document, auto_id=self.shelf.peek_id() if self.shelf is not None else None)
        broken = Broken(tuple(names), breakage.rule, breakage.answer, before)
        now = document.framed(as_text(made.body))
        self.editor.load(replace(now, headers=made.headers, without=made.without, broken=broken))

    # ----------------------------------------------------------------------- servers without tools

    def offer_plain_call(self, failed: Exchange) -> None:
        """Where the server does not know tools/list, get a plain call ready."""
        from olv_tui.mcp.templates import PLAIN
        from olv_tui.screens.telling import is_without_tools

        if is_without_tools(failed) and not self.is_making:
            self.begin(PLAIN.key)
