"""What the session and the server say of their own, on the main screen: remarks, stale lists, questions, rounds.

Rules of this file:

* Nothing is relisted, answered or sent by itself: a mark, a form, a sentence, and the person decides.
* What is known beside an exchange (`Beside`) is kept for this run by its serial; the history has the messages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from olv_tui.model import RequestId, Verdict
from olv_tui.screens import events
from olv_tui.screens.desk import DeskScreen
from olv_tui.screens.telling import has_mask, owner
from olv_tui.view.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from olv_tui.model import Exchange
    from olv_tui.screens.asking import Standing
    from olv_tui.screens.calls import Running
    from olv_tui.screens.form import QuestionScreen
    from olv_tui.screens.launch import Launch
    from olv_tui.session import InputRequest
    from olv_tui.view.beside import Beside
    from olv_tui.view.question import Question
    from olv_tui.widgets.answer import AnswerPane

_KEPT = 200


class TalkScreen(DeskScreen):
    """The part of the main screen that hears."""

    def __init__(self, launch: Launch) -> None:
        super().__init__(launch)
        self._known: dict[int, Beside] = {}
        self._forms: dict[Standing, QuestionScreen] = {}
        self.answer_frame.beside = self.beside

    # ----------------------------------------------------------------------- beside the answer

    def beside(self, exchange: Exchange) -> Beside:
        """What this run knows of an exchange besides what came."""
        from olv_tui.view.beside import Beside  # the views of an answer come after the first paint

        running = self.calls.of_serial(exchange.serial)
        return self._known.get(exchange.serial, Beside()) if running is None else _beside(running)

    def remember(self, running: Running, exchange: Exchange) -> None:
        """A call ended: keep what was said and asked for it."""
        if running.told or running.asked:
            self._known = {**dict(list(self._known.items())[1 - _KEPT :]), exchange.serial: _beside(running)}

    def on_said(self, event: events.Said) -> None:
        """The session did something by itself."""
        self.say(event.sentence, "warning")
        self._retell(event.running)

    def on_answered(self, event: events.Answered) -> None:
        """A question was answered."""
        self._retell(event.running)

    def _retell(self, running: Running | None) -> None:
        if running is not None and running is self.state.waiting:
            self.answer_frame.answer.retell()

    def on_tools_changed(self) -> None:
        """The list is not what it was: it is marked, and listed again by nobody but the person."""
        if not self.tools_pane.is_stale:
            self.tools_pane.mark_stale()
            self.say("The server says that its list of tools changed: ctrl+l lists again.")

    # ----------------------------------------------------------------------- progress

    def call_text(self, tool: str, arguments: str, identity: str) -> str:
        """The envelope of a call as it would be sent now, with its progress token where progress is asked for."""
        if self.core is None or not self.calls.progress:
            return super().call_text(tool, arguments, identity)
        body = self.core.session.call_body(tool, arguments, RequestId(identity), progress=True)
        return body.decode("utf-8", "surrogateescape")

    def action_progress(self) -> None:
        """Ask the server how far it is with each call, or no more. It may then answer with an event stream."""
        self.calls.progress = not self.calls.progress
        self.editor.tell_corner("asks for progress" if self.calls.progress else "")
        self.post_message(events.Standing())
        self.say(
            "Calls carry a progress token from now on: servers that can tell how far they are."
            if self.calls.progress
            else "Calls carry no progress token any more."
        )

    # ----------------------------------------------------------------------- questions in the middle of a call

    def on_asked(self, event: events.Asked) -> None:
        """The server asks and waits: the form comes up."""
        standing = event.standing
        running = standing.running
        shown = running.exchange if running is not None else None
        about = f"{owner(shown)} waits, its timeout stands still" if shown is not None else "beside all calls"

        def answered(result: str | None) -> None:
            self._forms.pop(standing, None)
            if result is not None and not standing.answer.done():
                standing.answer.set_result(result)

        self._forms[standing] = self._ask(standing.question, about, answered, waits=True)

    def on_asked_no_more(self, event: events.AskedNoMore) -> None:
        """A question is gone: its form as well, where it is still there."""
        form = self._forms.pop(event.standing, None)
        if form is not None:
            form.withdraw()
            self.say("The question is gone: its call has ended.")

    def _ask(
        self, question: Question, about: str, answered: Callable[[str | None], None], *, waits: bool
    ) -> QuestionScreen:
        from olv_tui.screens.form import Asker, QuestionScreen

        core = self.core
        assert core is not None  # questions come by way of the session
        asker = Asker(core.target.name, core.redactor.text(core.session.server), about, waits, core.redactor.text)
        form = QuestionScreen(question, asker)
        self.app.push_screen(form, answered)
        return form

    # ----------------------------------------------------------------------- rounds (2026-07-28)

    def on_answer_pane_input_wanted(self, event: AnswerPane.InputWanted) -> None:
        """`i` in the answer."""
        self.answer_input(event.exchange)

    def action_answer_input(self) -> None:
        """Answer what the exchange shown asks for."""
        shown = self.state.shown
        if shown is None or shown.verdict is not Verdict.INPUT_REQUIRED:
            self.say("The answer shown asks for nothing.")
        else:
            self.answer_input(shown)

    def answer_input(self, exchange: Exchange) -> None:
        """One form after the other, then the next round; leaving any of them sends nothing."""
        from olv_tui.session import input_requests
        from olv_tui.view.question import MODES, read_question

        came = self.calls.round_of(exchange)
        response = came.reply.response if came.reply is not None else None
        # What an earlier run kept has its secrets masked, and a mask is no answer.
        if any(
            has_mask(part.decode("utf-8", "replace"))
            for part in (came.request.body, response.body if response else b"")
        ):
            self.say("Not answered: a secret is masked in what was kept of it. Send the call again first.", "warning")
            return
        requests = input_requests(came)
        other = next((one.method for one in requests if one.method != "elicitation/create"), None)
        modes = (read_question(one.params).mode for one in requests)
        other = other or next((f"elicitation/create in the mode {mode}" for mode in modes if mode not in MODES), None)
        if other is not None:
            self.say(f"Not answered: the server asks for {other}, which is not offered here.", "warning")
            return
        responses: dict[str, str] = {}

        def ask(left: tuple[InputRequest, ...]) -> None:
            if not left:
                self.calls.answer(came, responses)
                return
            place = f", {len(requests) - len(left) + 1} of {len(requests)}" if len(requests) > 1 else ""

            def answered(result: str | None) -> None:
                if result is None:
                    self.say("Nothing was sent: i opens the form again.")
                    return
                responses[left[0].key] = result
                ask(left[1:])

            about = f"for {owner(exchange)}: {one_line(left[0].key, 40)}{place}"
            self._ask(read_question(left[0].params), about, answered, waits=False)

        ask(requests)


def _beside(running: Running) -> Beside:
    """What is known of a call."""
    from olv_tui.view.beside import Beside

    return Beside(tuple(running.told), {one.identity: one.outcome for one in running.asked if one.outcome})
