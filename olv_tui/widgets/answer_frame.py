"""The pane around the answer: says whose it is in its title."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from olv_tui.widgets.pane import Pane

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.widget import Widget

    from olv_tui.model import Exchange
    from olv_tui.view.beside import Beside
    from olv_tui.widgets.answer import AnswerPane


class AnswerFrame(Pane):
    """Border and title of the answer; a foreign answer (of another tool than the selected) looks like it."""

    key: ClassVar[str] = "answer"
    label: ClassVar[str] = "Answer"
    HELP: ClassVar[str] = (
        "The verdict on top, below it the raw envelope beside what was read from it. The title names the call"
        " that was answered; it is marked when that is not the tool in the editor. b shows the other half or"
        " both, p indents the raw one, 1 to 6 are the tabs: answer, headers, frames of an event stream (if there were"
        " any), the request as it was sent, timing, findings. / searches, also /pattern/, key:name, value:text;"
        " | filters by JSONPath. Up and down move a cursor; the line below the"
        " views tells the path of what is under it, and the other half marks the same place and scrolls along (= lets"
        " it stay). Enter folds and unfolds, left and right also go to what holds it and into it, - and + fold and"
        " unfold a level everywhere, _ and * everything. t shows an array as a table. P copies the path, B shows the"
        " raw answer as bytes. f goes to the place of the next finding."
        " Where the server asks for input, i opens its form. y copies the value under the cursor, Y asks what; s saves"
        " a part to a file, f3 opens the pager. Of a body too large for memory o opens the file that holds all of it."
        " Esc ends a search, a table, a filter, in this order; then it goes to the tools. ctrl+r sends the same call"
        " again under a new id. d compares: with the answer that a report told, else with the call before; e writes the"
        " exchange as bug report, curl, HTTPie, Python, HAR or record."
    )

    DEFAULT_CSS = """
    AnswerFrame { height: 5fr; }
    AnswerFrame.-foreign { border-title-color: $text-warning; border-subtitle-color: $text-warning; }
    """

    def __init__(self) -> None:
        super().__init__(id="answer-frame")
        self._answer: AnswerPane | None = None
        self._owner = ""
        self.beside: Callable[[Exchange], Beside] | None = None

    @property
    def answer(self) -> AnswerPane:
        """The answer, made and mounted when it is first asked for.

        The first paint and the list of tools come before it: its views are half of all widgets.
        """
        if self._answer is None:
            from olv_tui.widgets.answer import AnswerPane

            self._answer = AnswerPane(beside=self.beside)
            self._answer.tell_owner(self._owner)
            self.mount(self._answer)
        return self._answer

    def tell_owner(self, title: str, hint: str, told: str) -> None:
        """Name the answer in the title; `hint` marks it as foreign, `told` says in its banner what that means."""
        self.tell_title(title, hint)
        self.set_class(bool(hint), "-foreign")
        self._owner = told
        if self._answer is not None:
            self._answer.tell_owner(told)

    def on_mount(self) -> None:
        """Begin with the bare title."""
        self.tell_title(self.label)

    def focus_target(self) -> Widget:
        """The view of the answer that had the focus last."""
        return self.answer.focus_target() if self.answer.is_mounted else self
