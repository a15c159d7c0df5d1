"""One of a few words on a line: arrow keys, blank or a click change it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

if TYPE_CHECKING:
    from textual import events


class ChoiceLine(Widget, can_focus=True):
    """Words of which one is chosen, or none (`value` "")."""

    DEFAULT_CSS = """
    ChoiceLine { height: 1; padding: 0 1; }
    ChoiceLine:focus { background: $foreground 8%; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,space,l", "step(1)", "Next", show=False),
        Binding("left,h", "step(-1)", "Previous", show=False),
    ]

    class Changed(Message):
        """Another word was chosen by the reader."""

        def __init__(self, line: ChoiceLine, value: str) -> None:
            super().__init__()
            self.line = line
            self.value = value

    def __init__(self, words: Sequence[str], value: str, *, id: str) -> None:  # noqa: A002 (Textual's own name for it)
        super().__init__(id=id)
        self.words = words
        self.value = value

    def render(self) -> Content:
        """The words, the chosen one marked."""
        return Content("  ").join(
            Content.styled(f"● {word}" if word == self.value else f"○ {word}", self._look(word)) for word in self.words
        )

    def _look(self, word: str) -> str:
        return "bold $text-primary" if word == self.value else "$foreground 60%"

    def show(self, value: str) -> None:
        """Mark a word without telling."""
        self.value = value
        self.refresh()

    def action_step(self, step: int) -> None:
        """The next or the previous word."""
        at = self.words.index(self.value) + step if self.value in self.words else 0
        self._choose(self.words[at % len(self.words)])

    def on_click(self, event: events.Click) -> None:
        """The word under the pointer."""
        at = 1  # the padding
        for word in self.words:
            if at <= event.x < at + len(word) + 2:
                self._choose(word)
            at += len(word) + 4

    def _choose(self, word: str) -> None:
        self.show(word)
        self.post_message(self.Changed(self, word))
