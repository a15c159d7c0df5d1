"""Taking parts of what is shown along: to the clipboard, into a file, into the pager.

Rules of this file:

* What is copied or saved is the exchange as it is kept, secrets masked. Nothing is made safe or pretty but where its
  name says so; only the pager, which paints, gets safe text.
* What may take a while is done in a thread.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.app import SuspendNotSupported
from textual.binding import Binding, BindingType
from textual.widgets import Input

from olv_tui.screens.desk import DeskScreen
from olv_tui.screens.telling import listed_tool
from olv_tui.view.bytetext import as_text
from olv_tui.view.safe import one_line
from olv_tui.view.spilled import gone, safe_pieces, spill_of

if TYPE_CHECKING:
    from olv_tui.model import Exchange
    from olv_tui.view.savable import Part
    from olv_tui.widgets.answer import AnswerPane
    from olv_tui.widgets.answer_link import NodeInfo
    from olv_tui.widgets.answer_views import AnswerViews

_FORMS = {"curl": "curl command", "httpie": "HTTPie command", "python": "Python program", "report": "Markdown report"}
_PREVIEW = 300


class CopyingScreen(DeskScreen):
    """The part of the main screen that copies, saves and pages."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "copy('value')", "Copy", show=False, id="copy.value"),
        Binding("Y", "copy('as')", "Copy as …", show=False, id="copy.as"),
        Binding("s", "save", "Save", show=False, id="save"),
        Binding("v", "picture", "Picture", show=False, id="picture"),
        Binding("o", "open_file", "Open the whole body", show=False, id="page.file"),
        Binding("f3", "page", "Pager", show=False, priority=True, id="page"),
    ]

    def _views(self) -> AnswerViews:
        from olv_tui.widgets.answer_views import AnswerViews

        return self.answer_frame.answer.query_one(AnswerViews)

    async def _node(self) -> NodeInfo | None:
        """The node under the cursor of the answer."""
        return await asyncio.to_thread(self._views().node) if self.front == "answer" else None

    # ----------------------------------------------------------------------- copying

    def on_answer_pane_copy_requested(self, event: AnswerPane.CopyRequested) -> None:
        """`y` or `Y` in the answer."""
        event.stop()
        self.action_copy(event.kind)

    def action_copy(self, kind: str) -> None:
        """Copy the tool, or the value under the cursor; `as` asks for the form."""
        from olv_tui import jsontext

        shown, tool = self.state.shown, self.tools_pane.current
        if self.front == "tools" and tool is not None:
            self.copy(tool.name if kind == "value" else jsontext.dumps(tool.definition), "the tool")
        elif shown is None:
            self.say("There is nothing to copy yet: ctrl+j sends.")
        elif kind == "as":
            self.run_worker(self._copy_as(shown), group="copy-as", exclusive=True)
        else:
            self.run_worker(self._copy_value(shown), group="copy-as", exclusive=True)

    def action_copy_as(self) -> None:
        """Choose what to copy."""
        self.action_copy("as")

    async def _copy_value(self, exchange: Exchange) -> None:
        node = await self._node()
        if node is None:
            self.copy(body_of(exchange), "the raw body")
        else:
            self.copy(plain(node), f"the value at {one_line(node.path, 80)}")

    async def _copy_as(self, exchange: Exchange) -> None:
        from olv_tui.screens.picker import Choice, PickScreen

        node = await self._node()
        line = self._views().line_under_cursor() if self.front == "answer" else ""
        offered: dict[str, tuple[str, str]] = {}
        if node is not None:
            offered["value"] = ("Value under the cursor", plain(node))
            offered["token"] = ("JSON under the cursor, as it came", node.text)
            offered["path"] = ("Path (JSONPath)", node.path)
            offered["pointer"] = ("JSON pointer", node.pointer or '""')
        if line:
            offered["line"] = ("Line as shown", line)
        spill = spill_of(exchange)
        if spill is not None:
            offered["file"] = ("Path of the file with the whole body", spill.path)
        offered["raw"] = ("Raw body" if spill is None else "Raw body, as much as is in memory", body_of(exchange))
        offered["request"] = ("Request body", as_text(exchange.request.body))
        choices = [
            Choice(key, name, f"{len(text):,} characters", ((one_line(text[:_PREVIEW], _PREVIEW), ""),))
            for key, (name, text) in offered.items()
        ]
        choices.append(Choice("record", "Record", "request, answer, verdict, findings as JSON"))
        choices += [Choice(form, what, "e shows it first") for form, what in _FORMS.items()]

        def taken(key: str | None) -> None:
            if key in offered:
                self.copy(offered[key][1], offered[key][0])
            elif key is not None:
                self.run_worker(self._copy_form(exchange, key), group="copy-as")

        self.app.push_screen(PickScreen("Copy as", choices, placeholder="filter"), taken)

    async def _copy_form(self, exchange: Exchange, form: str) -> None:
        core = self.core
        if core is None:
            return
        if form == "record":
            from olv_tui.reports.record import record

            self.copy(await asyncio.to_thread(record, exchange), "the record")
            return
        from olv_tui.reports.write import export

        tool = listed_tool(exchange, core, self.state.tools)
        written = await asyncio.to_thread(export, exchange, form, core.redactor, tool=tool)
        self.copy(written.text, f"the {_FORMS[form]}")

    # ----------------------------------------------------------------------- saving

    def action_save(self) -> None:
        """Choose a part of the exchange shown, then a name for its file."""
        from olv_tui.screens.picker import Choice, PickScreen
        from olv_tui.view.savable import parts

        shown = self.state.shown
        if shown is None:
            self.say("There is nothing to save yet: ctrl+j sends.")
            return
        offered = parts(shown)
        choices = [Choice(str(number), part.label, one_line(part.end, 12)) for number, part in enumerate(offered)]

        def taken(key: str | None) -> None:
            if key is not None:
                self._ask_name(offered[int(key)])

        self.app.push_screen(PickScreen("Save", choices, placeholder="filter"), taken)

    def _ask_name(self, part: Part) -> None:
        from olv_tui.screens.saving import SaveScreen

        def saved(sentence: str | None) -> None:
            if sentence:
                self.say(sentence)

        self.app.push_screen(SaveScreen(part), saved)

    # ----------------------------------------------------------------------- looking and paging

    def action_picture(self) -> None:
        """The pictures of the answer shown."""
        from olv_tui.view.picture import pictures

        found = pictures(self.state.shown) if self.state.shown is not None else ()
        if not found:
            self.say("There is no picture in this answer." if self.state.shown else "No answer yet: ctrl+j sends.")
            return
        from olv_tui.screens.picture import PictureScreen

        self.app.push_screen(PictureScreen(found))

    def action_page(self) -> None:
        """The answer in the reader's pager, indented where it is JSON."""
        shown = self.state.shown
        if shown is None:
            self.say("There is nothing to page yet: ctrl+j sends.")
            return
        self._page(pageable(shown))
        if spill_of(shown) is not None:
            self.say("That was the part that is in memory: o opens the file with all of it.")

    def action_open_file(self) -> None:
        """The file of a body that is too large for memory, as it is, in the reader's pager."""
        spill = spill_of(self.state.shown)
        if spill is None:
            self.say(
                "This answer is whole: f3 opens it in the pager."
                if self.state.shown
                else "No answer yet: ctrl+j sends."
            )
        elif why := gone(spill):
            self.say(why, "warning")
        else:
            self._page(safe_pieces(Path(spill.path)))

    def _page(self, text: bytes | Iterable[bytes]) -> None:
        from olv_tui.outside.pager import page

        try:
            why = page(text, self.app.suspend)
        except SuspendNotSupported:
            why = "A pager needs a terminal of its own, and there is none here."
        if why:
            self.say(why, "warning")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Keys that are letters do nothing while a text is being edited."""
        typing = isinstance(self.focused, Input) or self.pane_of(self.focused) is self.editor
        if action in ("save", "picture", "open_file") and typing:
            return False
        return super().check_action(action, parameters)


def body_of(exchange: Exchange) -> str:
    """The text of the answer's body, of the request's where there is no answer."""
    response = exchange.reply.response if exchange.reply is not None else None
    return as_text(response.body if response is not None else exchange.request.body)


def plain(node: NodeInfo) -> str:
    """A node as it is wanted elsewhere: a text without its quotes, all else as it stands."""
    return node.value if isinstance(node.value, str) else node.text


def pageable(exchange: Exchange) -> bytes:
    """The answer as safe text, JSON indented."""
    from olv_tui import jsontext
    from olv_tui.view.safe import visible

    response = exchange.reply.response if exchange.reply is not None else None
    body = response.body if response is not None else exchange.request.body
    return visible((jsontext.pretty(body) or body).decode("utf-8", "replace")).encode("utf-8", "replace")
