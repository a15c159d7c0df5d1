"""What the reader keeps and finds again: stars, notes, saved calls, and the filter of the history.

Rules of this file:

* Loading a saved call never sends, and the draft it takes the place of is kept.
* A search shows what it finds at once and goes on in a thread; what comes for another filter is dropped.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from olv_tui.screens.desk import DeskScreen
from olv_tui.screens.recall import BACK
from olv_tui.screens.state import Topic
from olv_tui.screens.telling import has_mask
from olv_tui.view.safe import one_line
from olv_tui.widgets.document import Document, id_in
from olv_tui.widgets.history import PAGE

if TYPE_CHECKING:
    from olv_tui.history import HistoryRow, SavedCall
    from olv_tui.history.query import Query
    from olv_tui.history.search import Search
    from olv_tui.widgets.history import HistoryPane

_AT_ONCE = 0.03
"""Seconds in which the first hits have to come; a filter is read with every key."""

_STEP = 0.2
_MOST = 2000
"""Hits that are looked for at a time; the others are when the cursor comes near the end of these."""


class KeepingScreen(DeskScreen):
    """The part of the main screen that keeps and finds."""

    # ----------------------------------------------------------------------- the filter

    def on_history_pane_sought(self, event: HistoryPane.Sought) -> None:
        """Exchanges that fit a filter: the quick ones now, the others as they are found."""
        shelf = self.shelf
        search = shelf.searching(event.query, automatic=event.automatic) if shelf is not None else None
        if shelf is None or search is None:
            return
        rows = shelf.take(search, PAGE, _AT_ONCE)
        goes_on = not search.is_done
        if self.history.show_found(event.query, rows, more=goes_on, first=True) and goes_on:
            self._search_on(event.query, search, len(rows))

    def _search_on(self, query: Query, search: Search, found: int = 0) -> None:
        self.run_worker(self._go_on(query, search, found), group="history search", exclusive=True)

    async def _go_on(self, query: Query, search: Search, found: int) -> None:
        shelf = self.shelf
        while shelf is not None and not search.is_done and found < _MOST:
            rows: list[HistoryRow] = await asyncio.to_thread(shelf.take, search, PAGE, _STEP)
            found += len(rows)
            more = not search.is_done and found < _MOST
            if (rows or not more) and not self.history.show_found(query, rows, more=more):
                return
        if not search.is_done:
            self.history.hold(lambda: self._search_on(query, search))

    # ----------------------------------------------------------------------- stars and notes

    def on_history_pane_starred(self, event: HistoryPane.Starred) -> None:
        """`*` in the history."""
        shelf = self.shelf
        row = shelf.row(event.serial) if shelf is not None else None
        if shelf is not None and row is not None:
            self._show_marks(shelf.star(row.serial, not row.starred))

    def on_history_pane_noted(self, event: HistoryPane.Noted) -> None:
        """`m` in the history."""
        from olv_tui.screens.saved import LineScreen

        shelf = self.shelf
        row = shelf.row(event.serial) if shelf is not None else None
        if shelf is None or row is None:
            return

        def noted(text: str | None) -> None:
            if text is not None:
                self._show_marks(shelf.annotate(row.serial, text.strip()))

        name = one_line(row.tool or row.method or "raw body", 40)
        title = f"Note on {name} #{one_line(row.id_text, 20)}" if row.id_text else f"Note on {name}"
        self.app.push_screen(LineScreen(title, row.note, "an empty note is no note"), noted)

    def _show_marks(self, row: HistoryRow | None) -> None:
        if row is not None:
            self.history.show_marks(row)

    # ----------------------------------------------------------------------- saved calls

    def on_history_pane_saved_wanted(self) -> None:
        """`v` in the history."""
        self.action_saved_calls()

    def action_saved_calls(self) -> None:
        """Choose a saved call; it is loaded, never sent."""
        from olv_tui.screens.saved import SavedScreen

        shelf = self.shelf
        if shelf is None:
            return
        if not shelf.saved():
            self.say("No call is saved yet. ctrl+p, Save this call as … keeps what is in the editor.")
            return
        screen = SavedScreen(shelf.saved, shelf.rename_call, shelf.forget_call)

        def chosen(key: str | None) -> None:
            if key is not None:
                self.load_saved(screen.calls[int(key)])

        self.app.push_screen(screen, chosen)

    def load_saved(self, call: SavedCall) -> None:
        """Put a saved call into the editor, with the variables of the target in it. Sends nothing."""
        from olv_tui.history.variables import filled, unknown_sentence

        variables = self.core.target.variables if self.core is not None else {}
        done, unknown = filled(call, variables)
        topic = Topic(done.tool) if done.tool is not None else Topic(done.method or "raw body", "request")
        if done.tool is not None and self.tools_pane.select(done.tool) and self.tools_pane.current is not None:
            topic = self.state.topic_of(self.tools_pane.current)
        self.select(topic)
        replaced = self.put(self._saved_document(done))
        self.go("editor")
        told = [unknown_sentence(unknown, self.launch.target.name)] if unknown else []
        if has_mask(self.editor.text) or any(has_mask(value) for _, value in done.headers):
            told.append("A secret is masked in this call: put it in before sending.")
        if replaced:
            told.append(BACK)
        self.editor.tell(" ".join([f"{one_line(call.name, 60)} is loaded; ctrl+j sends it.", *told]))

    @staticmethod
    def _saved_document(call: SavedCall) -> Document:
        headers = tuple(one for one in call.headers if not has_mask(one[1]))
        if call.arguments is not None:
            return Document(call.tool, arguments=call.arguments, headers=headers)
        from olv_tui.mcp.templates import template

        body = call.envelope or ""
        identity = id_in(body)
        auto = identity if identity is not None and identity.isdigit() else None
        of = template(call.method) if call.tool is None and call.method is not None else None
        return Document(call.tool, frame=body, auto_id=auto, whole=True, template=of, headers=headers)

    def action_save_call(self) -> None:
        """Keep what is in the editor under a name."""
        from olv_tui.screens.picker import Choice, PickScreen
        from olv_tui.screens.saved import choice_of

        shelf, call = self.shelf, self._call_in_editor()
        if shelf is None or call is None:
            self.say("There is no call in the editor to save.")
            return
        taken = {one.name: one for one in shelf.saved() if one.tool == call.tool}
        listed = [replace(choice_of(one, 0), key=name, hint="is replaced") for name, one in taken.items()]

        def new(name: str) -> Choice:
            return Choice(name, name, "new", ((one_line(call.arguments or call.envelope or "", 300), ""),))

        def named(name: str | None) -> None:
            if name is not None and shelf.save_call(
                replace(call, name=name, note=taken[name].note if name in taken else "")
            ):
                self.say(f"Saved as {one_line(name, 60)}. v in the history shows the saved calls.")

        self.app.push_screen(PickScreen("Save this call as", listed, placeholder="a name", typed=new), named)

    def _call_in_editor(self) -> SavedCall | None:
        from olv_tui.history import SavedCall
        from olv_tui.jsonrpc import read_request
        from olv_tui.view.bytetext import as_bytes

        document, sending = self.editor.document, self.editor.sending()
        if document.is_empty or self.core is None:
            return None
        era = self.core.session.era
        if sending.body is None:
            return SavedCall("", sending.tool, None, sending.arguments, None, document.headers, era)
        read = read_request(as_bytes(sending.body))
        return SavedCall("", read.tool, read.method, None, sending.body, document.headers, era)
