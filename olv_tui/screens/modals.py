"""The small screens over the main one: help, the question before a destructive call, jump letters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from olv_tui.screens.modal import Modal
from olv_tui.view.safe import one_line, visible

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult
    from textual.geometry import Offset


class HelpScreen(Modal[None]):
    """What the focused pane is for and which keys work there."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,f1,q,enter", "dismiss", "Close", id="help.close"),
    ]

    def __init__(self, title: str, about: Content, keys: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self._title = title
        self._about = about
        self._keys = keys

    def compose(self) -> ComposeResult:
        """Text above keys."""
        width = max((len(key) for key, _ in self._keys), default=0)
        lines = [Content.assemble((f"{key:>{width}}", "bold $text-accent"), f"  {what}") for key, what in self._keys]
        with VerticalScroll(classes="box") as box:
            box.border_title = Content(f"Help · {self._title}")
            box.border_subtitle = Content("Esc closes")
            yield Static(self._about)
            yield Static(Content("\n").join(lines), classes="keys")


class ConfirmScreen(Modal[bool]):
    """Asked before something is sent that may destroy something, or that was meant for another target.

    `lasting`: the answer counts for the tool from then on.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "answer(True)", "Send", id="confirm.send"),
        Binding("escape", "answer(False)", "Back", id="confirm.back"),
    ]

    def __init__(self, tool: str, why: str, target: str, arguments: str, *, lasting: bool = True) -> None:
        super().__init__()
        self._tool = tool
        self._why = why
        self._target = target
        self._arguments = arguments
        self._lasting = lasting

    def compose(self) -> ComposeResult:
        """What is about to happen, to whom, and the two keys."""
        with Vertical(classes="box danger") as box:
            box.border_title = Content("Send this?")
            yield Static(
                Content.assemble(
                    (one_line(self._tool, 120), "bold $text-error"), f" {self._why}.\n",
                    (f"It goes to {one_line(self._target, 200)} with\n", "$foreground 70%"),
                )
            )  # fmt: skip
            yield Static(Content(visible(self._arguments[:1000])), classes="arguments")
            yield Static(
                Content.assemble(
                    ("Enter", "bold $text-accent"),
                    " sends it and does not ask again for this tool · " if self._lasting else " sends it · ",
                    ("Esc", "bold $text-accent"), " goes back",
                )
            )  # fmt: skip

    def action_answer(self, send: bool) -> None:
        """Close with the answer."""
        self.dismiss(send)


class JumpScreen(Modal[str | None]):
    """A letter over each pane; pressing it goes there, anything else goes back."""

    def __init__(self, letters: Sequence[tuple[str, str, Offset]]) -> None:
        super().__init__()
        self._letters = letters

    def compose(self) -> ComposeResult:
        """The letters, each at its pane."""
        for letter, label, at in self._letters:
            mark = Static(Content.assemble((f" {letter} ", "bold $text on $primary"), f" {label} "), classes="letter")
            mark.styles.offset = at
            yield mark

    def on_key(self, event: events.Key) -> None:
        """The pane of the letter, or none."""
        event.stop()
        self.dismiss(event.key if any(event.key == letter for letter, _, _ in self._letters) else None)

    def on_click(self) -> None:
        """A click goes back."""
        self.dismiss(None)
