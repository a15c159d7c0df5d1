"""The two small screens of the minimiser: how many calls, and how far it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from olv_tui.screens.modal import Modal
from olv_tui.view.safe import one_line

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from olv_tui.schema.minimise import Progress

_HIGHEST = 1_000


class AskScreen(Modal[int | None]):
    """How many calls may be made, at most; None for none."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss", "Back", id="minimise.back")]

    DEFAULT_CSS = """
    AskScreen { align: center middle; background: $background 60%; }
    AskScreen Input, AskScreen Input:focus { border: none; height: 1; width: 12; padding: 0 1; margin: 1 0; }
    AskScreen Input { background: $foreground 10%; }
    """

    def __init__(self, tool: str, target: str, most: int) -> None:
        super().__init__()
        self._tool, self._target, self._most = tool, target, most

    def compose(self) -> ComposeResult:
        """What will happen, the number, the keys."""
        with Vertical(classes="box") as box:
            box.border_title = Content("Minimise the arguments")
            yield Static(
                Content.assemble(
                    (one_line(self._tool, 120), "bold $text-accent"),
                    " is called again and again with less, as long as the same failure comes back."
                    " Its definition says that this does no harm: that is a hint and no promise.\n\nAt most so many"
                    " calls go to ",
                    (one_line(self._target, 200), "bold"),
                    " one after the other, each kept in the history:",
                )
            )
            number = Input(str(self._most), type="integer", max_length=4, id="most", select_on_focus=False)
            number.cursor_blink = False
            yield number
            yield Static(
                Content.assemble(
                    ("Enter", "bold $text-accent"), " begins · ", ("Esc", "bold $text-accent"), " goes back"
                )
            )

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Begin, with a number that makes sense."""
        event.stop()
        if event.value.isdecimal() and 2 <= int(event.value) <= _HIGHEST:
            self.dismiss(int(event.value))
        else:
            self.app.notify(f"A number from 2 to {_HIGHEST:,} is due.", severity="warning", markup=False)


class ProgressScreen(Modal[None]):
    """How far it is; `stopped` once the reader wants no more."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "stop", "Stop", id="minimise.stop")]

    DEFAULT_CSS = "ProgressScreen { align: center middle; background: $background 60%; }"

    def __init__(self, tool: str, characters: int) -> None:
        super().__init__()
        self._tool = tool
        self._text = f"The first call: what is to stay the same. {characters:,} characters"
        self.stopped = False
        self._ended = False

    def compose(self) -> ComposeResult:
        """The sentence and the key."""
        with Vertical(classes="box") as box:
            box.border_title = Content(f"Minimising · {one_line(self._tool, 60)}")
            yield Static(Content(self._text), id="progress")
            yield Static(Content.assemble(("\nEsc", "bold $text-accent"), " stops and keeps what was found"))

    def tell(self, progress: Progress) -> None:
        """Show how far it is; the first call counts."""
        calls, most = progress.calls + 1, progress.most + 1
        self._text = f"{calls} of {most} calls, {progress.before:,} → {progress.now:,} characters"
        if self.is_mounted:
            self.query_one("#progress", Static).update(Content(self._text))

    def end(self) -> None:
        """It is over: go, now or when what lies over this screen is gone."""
        self._ended = True
        self.dismiss()

    def on_screen_resume(self) -> None:
        """Go, where it is over."""
        if self._ended:
            self.dismiss()

    def action_stop(self) -> None:
        """No call after the one under way."""
        self.stopped = True
        self.query_one("#progress", Static).update(Content(f"{self._text}; stopping …"))
