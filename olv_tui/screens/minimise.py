"""The smallest arguments that still give the same failure: asking first, the calls, what is put into the editor.

Rules of this file:

* Nothing is called before the reader agreed to how many calls go where; never on a production target, and only a tool
  that says it reads only or destroys nothing. What a tool says is a hint, and the question says so.
* Every call is in the history. Esc stops, and what was found until then is put in.
* The palette's commands for the text in the editor are here as well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from olv_tui.model import Object, Verdict
from olv_tui.screens.desk import DeskScreen
from olv_tui.widgets.document import finding
from olv_tui.widgets.history import HistoryPane

if TYPE_CHECKING:
    from collections.abc import Sequence

    from olv_tui.judge.likeness import Likeness
    from olv_tui.model import Exchange, Tool
    from olv_tui.schema.minimise import Progress
    from olv_tui.screens.minimise_screens import ProgressScreen


def refusal(tools: Sequence[Tool], *, production: bool) -> str:
    """Why a tool is not called again and again, as a sentence; "" where it may be. All tools of the name count.

    `destructiveHint` is true where nothing is said (MCP 2025-11-25, ToolAnnotations).
    """
    if production:
        return "This is a production target: nothing is tried out on it."
    if not tools:
        return "The tool is not in the list, so nobody knows what calling it again and again would do."
    for tool in tools:
        hints = tool.definition.get("annotations")
        said = hints if isinstance(hints, Object) else Object()
        if said.get("destructiveHint") is True:
            return "Its definition says that it may destroy something, and minimising calls it many times."
        if said.get("readOnlyHint") is not True and said.get("destructiveHint") is not False:
            return (
                "Its definition does not say that it only reads or destroys nothing (readOnlyHint true or"
                " destructiveHint false), and minimising calls it many times."
            )
    return ""


class _StoppedError(Exception):
    """The reader wants no more calls, or one of them was cancelled."""


class MinimiseScreen(DeskScreen):
    """The desk with the minimiser, and the commands for the text in the editor."""

    _least = ""

    def action_minimise(self) -> None:
        """Ask how many calls may be made, then find the smallest arguments with the same failure."""
        from olv_tui.schema.minimise import MOST
        from olv_tui.screens.minimise_screens import AskScreen

        core, sending = self.core, self.editor.sending()
        tool = sending.tool
        if core is None or self.calls.running:
            self.tell("Not minimised: another call is under way, or the history is still being opened.")
        elif sending.body is not None or tool is None:
            self.tell("Not minimised: that works on the arguments of a plain call; f2 turns to them.")
        elif why := finding(sending.arguments):
            self.tell(f"Not minimised, no JSON: {why}.")
        elif why := refusal(self.state.named(tool), production=core.target.production):
            self.tell(f"Not minimised. {why}")
        else:
            arguments = sending.arguments

            def agreed(most: int | None) -> None:
                if most is not None:
                    self._begin_minimising(tool, arguments, most)

            self.app.push_screen(AskScreen(tool, core.redactor.url(core.target.url), MOST), agreed)

    def _begin_minimising(self, tool: str, arguments: str, most: int) -> None:
        from olv_tui.screens.minimise_screens import ProgressScreen

        progress = ProgressScreen(tool, len(arguments))
        self.app.push_screen(progress)

        async def run() -> None:
            try:
                sentence = await self._minimise(tool, arguments, most, progress)
            except _StoppedError:
                sentence = "Not minimised: stopped at the first call."
            except Exception as error:  # whatever it is, the explorer goes on and says so
                sentence = f"Minimising broke off: {type(error).__name__}: {error}"
            progress.end()
            self.editor.renumber()
            self.history.post_message(HistoryPane.Wanted(None, self.history.automatic))
            self.tell(sentence)

        # The app owns it, as it does every call: no screen that goes can take it along.
        self.app.run_worker(run(), group="call", exit_on_error=False)

    async def _minimise(self, tool: str, arguments: str, most: int, shown: ProgressScreen) -> str:
        """Make the calls and put the smallest arguments into the editor. A sentence of what came of it."""
        from olv_tui.judge.likeness import is_failure
        from olv_tui.schema.minimise import minimise

        first, wanted = await self._try(tool, arguments)
        if not is_failure(first):
            self._show_serial(first.serial)
            return "Not minimised: these arguments give no failure and break no rule, so there is nothing to keep."
        self._least = arguments
        serial = first.serial

        async def same(candidate: str) -> bool:
            nonlocal serial
            if shown.stopped:
                raise _StoppedError
            exchange, came = await self._try(tool, candidate)
            if came == wanted:
                serial = exchange.serial
            return came == wanted

        def tell(progress: Progress, text: str) -> None:
            self._least = text
            shown.tell(progress)

        stopped = ""
        try:
            found = await minimise(arguments, same, most=most - 1, tell=tell)
            if not found.is_least:
                stopped = f"; the {most} calls are used up, and less may do"
        except _StoppedError:
            stopped = "; stopped, and less may do"
        self._show_serial(serial)
        if self._least == arguments:
            return f"Nothing could be left out: all of it is needed for the same failure{stopped}."
        if self.editor.document.tool == tool and self.editor.document.arguments == arguments:
            self.editor.replace_text(self._least, as_edit=True)
        change = f"{len(arguments):,} → {len(self._least):,} characters"
        return f"The least that gives the same failure: {change}{stopped}. ctrl+z takes it back."

    async def _try(self, tool: str, arguments: str) -> tuple[Exchange, Likeness]:
        from olv_tui import jsontext
        from olv_tui.judge.likeness import likeness

        exchange = await self.calls.quietly(tool, arguments)
        if exchange.verdict is Verdict.CANCELLED:
            raise _StoppedError
        return exchange, likeness(exchange, jsontext.loads(arguments))

    # ----------------------------------------------------------------------- the text in the editor

    def action_complete(self) -> None:
        """Offer what can stand at the cursor."""
        self._in_text("complete")

    def action_format(self) -> None:
        """Indent the text."""
        self._in_text("format")

    def action_compact(self) -> None:
        """Take out the white space between its tokens."""
        self._in_text("compact")

    def _in_text(self, what: str) -> None:
        from olv_tui.widgets.json_area import JsonArea

        self.go("editor")
        area = self.editor.focus_target()
        if isinstance(area, JsonArea):
            self.call_after_refresh(getattr(area, f"action_{what}"))
        else:
            self.tell("That works on a text; f2 turns to it.")
