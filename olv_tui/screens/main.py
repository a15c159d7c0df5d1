"""The main screen: how it is laid out, and what panes and background work tell it.

Rules of this file: messages come in here, data goes out to the panes; what the user does is in
screens/desk.py. Every message of a call names that call, and only the one waited for is shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.containers import Horizontal, Vertical
from textual.content import Content

from olv_tui.model import Verdict
from olv_tui.screens import events
from olv_tui.screens.copying import CopyingScreen
from olv_tui.screens.fill_menu import FillMenuScreen
from olv_tui.screens.filling import FillingScreen
from olv_tui.screens.keeping import KeepingScreen
from olv_tui.screens.minimise import MinimiseScreen
from olv_tui.screens.panes import ORDER
from olv_tui.screens.repeating import RepeatingScreen
from olv_tui.screens.shelf import Shelf
from olv_tui.screens.sources import Sources
from olv_tui.screens.talk import TalkScreen
from olv_tui.screens.telling import AGAIN, elsewhere, failure, owner
from olv_tui.view.safe import one_line
from olv_tui.view.words import word
from olv_tui.widgets.editor import Dresser
from olv_tui.widgets.header import HeaderBar, Standing, public_url
from olv_tui.widgets.history import PAGE, HistoryPane
from olv_tui.widgets.keys import KeyBar
from olv_tui.widgets.tabs import PaneTabs
from olv_tui.widgets.tools import LEGEND, ToolsPane

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from olv_tui.widgets.answer_link import LinkedViews
    from olv_tui.widgets.editor import EditorPane
    from olv_tui.widgets.pane import Pane

_LOOK_AGAIN = 2.0
"""Seconds after which exchanges without an end are looked up again; a page of the history takes a few milliseconds."""


class MainScreen(
    TalkScreen, RepeatingScreen, MinimiseScreen, CopyingScreen, FillingScreen, FillMenuScreen, KeepingScreen
):
    """The explorer."""

    def compose(self) -> ComposeResult:
        """Header, tabs (narrow only), two columns, footer."""
        labels = {pane.key: pane.label for pane in (self.tools_pane, self.editor, self.answer_frame, self.history)}
        yield HeaderBar()
        yield PaneTabs([(key, labels[key]) for key in ORDER])
        with Horizontal(id="body"):
            with Vertical(id="left", classes="column -front"):
                yield self.tools_pane
                yield self.history
            with Vertical(id="right", classes="column"):
                yield self.editor
                yield self.answer_frame
        yield KeyBar()

    def on_mount(self) -> None:
        """Show the frame; everything that costs comes after that paint, when the app is ready."""
        target = self.launch.target
        url = public_url(target.url)
        self.query_one(HeaderBar).standing = Standing.of(target, url)
        self.tools_pane.set_note((f"Connecting to {url} …" if url else "Starting the demo server …", "dim"))
        self.go("tools")
        self.set_interval(_LOOK_AGAIN, self._look_again)

    def _look_again(self) -> None:
        """An exchange of another program on the same history ends without a word to this one."""
        if self.history.is_waiting:
            self._refresh_history()

    def bring(self, key: str) -> None:
        """Put a pane in front. Another program may have sent something since the history was there."""
        super().bring(key)
        if key == "history":
            self._refresh_history()

    def help_text(self, pane: Pane) -> Content:
        """The text of f1, for the tools with what the letters mean."""
        if not isinstance(pane, ToolsPane):
            return super().help_text(pane)
        lines = [Content.assemble((letter, f"bold $text-{style}"), f"  {what}") for letter, style, what in LEGEND]
        return Content("\n").join([Content(pane.HELP), Content(""), *lines])

    # ----------------------------------------------------------------------- background work tells

    def on_prepared(self, event: events.Prepared) -> None:
        """History and session are there."""
        self.core = event.core
        self.shelf = Shelf(event.core.history, lambda sentence: self.say(sentence, "warning"))
        self.editor.source = Sources(self.state, self.shelf, self._is_here).of
        self.shelf.start_indexing()
        if event.core.notice:
            self.say(event.core.notice, "warning")
        self.on_standing()
        self.history.know_targets(lambda target: elsewhere(target, event.core))
        url = one_line(event.core.redactor.url(event.core.target.url), 200)
        self.tools_pane.set_note((f"Connecting to {url} …", "dim"), ("Esc stops.", "dim"))
        self._refresh_history()

    def on_standing(self) -> None:
        """What is known of the server changed."""
        core, shelf = self.core, self.shelf
        if core is None or shelf is None:
            return
        session, target = core.session, core.target
        self.query_one(HeaderBar).standing = Standing(
            name=target.name,
            url=core.redactor.url(target.url),
            demo=target.demo,
            production=target.production,
            insecure=target.insecure,
            era=session.era,
            version=session.version,
            evidence=core.redactor.text(session.evidence),
            session=session.has_session,
            server=core.redactor.text(session.server),
            cassette=target.cassette,
            failed=not self.calls.is_connecting and session.era is None,
        )
        self.editor.set_dresser(
            Dresser(self.call_text, self.call_headers, shelf.peek_id, self.request_text, self.listed_tool)
        )

    def _is_here(self, target: str) -> bool:
        """Whether an exchange with this target went to the present one."""
        return self.core is not None and not elsewhere(target, self.core)

    def on_broken(self, event: events.Broken) -> None:
        """A fault of our own."""
        if event.fatal:
            from rich.text import Text

            self.app.exit(1, return_code=1, message=Text(f"olv-tui: {one_line(event.sentence)}"))
            return
        self.say(event.sentence, "error")
        if event.connecting and not self.state.tools:
            self._no_tools((f"Connecting broke: {one_line(event.sentence, 300)}", "error"), AGAIN)

    def on_tools_came(self, event: events.ToolsCame) -> None:
        """A page of the list."""
        if event.first:
            self.state.clear_tools()
            self.tools_pane.clear()
        self.state.add_tools(event.tools)
        self.tools_pane.add(event.tools)

    def on_listed(self, event: events.Listed) -> None:
        """The listing ended."""
        self._refresh_history()
        self.call_after_refresh(self._fill_answer)
        if self.core is None:
            return
        if event.failed is not None:
            why = failure(event.failed, self.core.target)
            session = self.core.session
            if session.era is None and session.evidence:  # such as an older transport
                said = one_line(self.core.redactor.text(session.evidence), 400)
                why.insert(1, (f"{said[0].upper()}{said[1:]}.", "warning"))
            if event.listing.tools:
                self.say(f"The list broke off. {why[0][0]} ctrl+l lists again.", "warning")
            else:
                self._no_tools(*why)
                self.offer_plain_call(event.failed)
            self.show_exchange(event.failed, "why there is no list of tools")
        elif not event.listing.tools:
            self._no_tools(("The server lists no tools.", "warning"), AGAIN)
        if event.listing.violations:
            first = event.listing.violations[0]
            count = len(event.listing.violations)
            self.say(f"The list breaks a rule: {first.code} {first.message} (findings: {count})", "warning")

    def _fill_answer(self) -> None:
        """Mount the answer where no answer did yet, once the list has been painted."""
        if self.state.shown is None:
            self.answer_frame.answer.show_nothing()

    def _no_tools(self, *note: tuple[str, str]) -> None:
        """Say why there are none; the editor gets a call that is ready to be sent."""
        self.state.clear_tools()
        self.tools_pane.clear(*note)
        if not self.is_making:
            self.select(None)

    def on_call_started(self, event: events.CallStarted) -> None:
        """A call is on its way: the answer pane waits for it."""
        state, running = self.state, event.running
        if running.exchange is None:
            return
        state.started(running)
        state.waiting, state.shown = running, running.exchange
        self.answer_frame.answer.show_pending(running.exchange)
        self.tell_owner()
        self._calls_changed()
        if self.is_solo:
            self.go("answer")

    def on_frame_came(self, event: events.FrameCame) -> None:
        """Events of a stream, shown if their call is the one that is shown."""
        fresh = event.running.take_fresh()
        if self.state.waiting is event.running:
            self.answer_frame.answer.add_frames(fresh)

    def on_more_came(self, event: events.MoreCame) -> None:
        """More of an answer, shown if its call is the one that is shown."""
        if self.state.waiting is event.running and event.running.arrived is not None:
            self.answer_frame.answer.tell_arrived(event.running.arrived)

    def on_call_looked(self, event: events.CallLooked) -> None:
        """A large answer is there: show what its envelope says while the rest is read."""
        state = self.state
        if state.waiting is not event.running:
            event.seen()
            return
        self.show_exchange(event.exchange, "")
        state.waiting = event.running
        self.answer_frame.answer.when_shown(event.seen)

    def on_call_ended(self, event: events.CallEnded) -> None:
        """A call ended: show it if it is waited for, else say so."""
        exchange = event.exchange
        self.remember(event.running, exchange)
        if self.state.waiting is event.running or event.running.exchange is None:
            self.show_exchange(exchange, "")
        else:
            told = word(exchange.verdict)
            grave = exchange.verdict not in (Verdict.RESULT, Verdict.ACCEPTED)
            self.say(f"{told.symbol} {owner(exchange)}: {told.label}", "warning" if grave else "information")
        self._calls_changed()

    def _calls_changed(self) -> None:
        self.tools_pane.show_running(self.calls.tools_running())
        self._refresh_history()
        self.editor.renumber()
        if self.shelf is not None:
            self.shelf.look_for_notice()

    def _refresh_history(self) -> None:
        self.on_history_pane_wanted(HistoryPane.Wanted(None, self.history.automatic))

    # ----------------------------------------------------------------------- panes tell

    def on_tools_pane_selected(self, event: ToolsPane.Selected) -> None:
        """The cursor came to a tool. A filter without hits leaves the editor as it is, and so does a list that comes
        while another request is being made.
        """
        if event.tool is not None and not self.is_making:
            self.select(self.state.topic_of(event.tool))

    def on_tools_pane_taken(self) -> None:
        """Enter on a tool: on to its first field."""
        if self.tools_pane.current is not None:
            self.select(self.state.topic_of(self.tools_pane.current))
        self.go("editor")

    def on_editor_pane_mode_wanted(self, event: EditorPane.ModeWanted) -> None:
        """A mode was clicked."""
        self.action_mode(event.mode)

    def on_history_pane_wanted(self, event: HistoryPane.Wanted) -> None:
        """Rows for the history pane: the newest, or older ones."""
        if self.shelf is None:
            return
        rows = self.shelf.recent(PAGE, automatic=event.automatic, before=event.before)
        if event.before is None:
            self.history.show_newest(rows)
        else:
            self.history.add_older(rows)

    def on_history_pane_load(self, event: HistoryPane.Load) -> None:
        """Enter in the history: into the editor, nothing is sent."""
        exchange = self.shelf.get(event.serial) if self.shelf is not None else None
        if exchange is not None:
            self.load(exchange)
            self.go("editor")

    def on_history_pane_resend(self, event: HistoryPane.Resend) -> None:
        """`r` in the history."""
        exchange = self.shelf.get(event.serial) if self.shelf is not None else None
        if exchange is not None:
            self.resend(exchange)

    def on_linked_views_copy_wanted(self, event: LinkedViews.CopyWanted) -> None:
        """`P` in the answer."""
        event.stop()
        self.copy(event.text, event.what)
