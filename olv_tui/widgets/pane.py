"""What all panes have in common: a border with a title, a name to jump to, and a help text."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

if TYPE_CHECKING:
    from textual.widget import Widget


class Pane(Vertical):
    """A part of the main screen. `key` names it for jumps and tabs, `HELP` is shown by f1."""

    key: ClassVar[str] = ""
    label: ClassVar[str] = ""
    HELP: ClassVar[str] = ""

    DEFAULT_CSS = """
    Pane {
        border: round $foreground 25%;
        border-title-color: $foreground 70%;
        border-subtitle-color: $foreground 50%;
        height: 1fr;
        &:focus-within {
            border: round $border;
            border-title-color: $text-primary;
            border-title-style: bold;
        }
    }
    """

    def __init__(self, *, id: str, front: bool = False) -> None:  # noqa: A002 (Textual's own name for it)
        super().__init__(id=id, classes="-front" if front else None)
        self._titles = ("", "")
        self._wanted = ("", "")
        self._corner = ""

    def focus_target(self) -> Widget:
        """The widget that takes the focus when the pane is gone to."""
        raise NotImplementedError

    def tell_title(self, text: str, subtitle: str = "") -> None:
        """Set the border titles from text that is already safe; it is never read as markup."""
        self._wanted = (text, subtitle)
        subtitle = subtitle or self._corner
        if self._titles != (text, subtitle):
            # Setting a title paints the whole pane again, so it is set only where it changes.
            self._titles = (text, subtitle)
            self.border_title = Content(text)
            self.border_subtitle = Content(subtitle)

    def tell_corner(self, text: str) -> None:
        """A standing remark in the lower border, seen while no subtitle is told there; safe text."""
        self._corner = text
        self.tell_title(*self._wanted)


class Say(Static):
    """A text that is painted only where it changes, and laid out anew only where its height may."""

    def __init__(self, *, id: str) -> None:  # noqa: A002 (Textual's own name for it)
        super().__init__("", id=id, markup=False)
        self._said: tuple[str, object] = ("", [])

    def say(self, content: Content, *, layout: bool = False) -> None:
        """Show a text. `layout`: the widget's height follows its text."""
        said = (content.plain, content.spans)
        if said != self._said:
            self._said = said
            self.update(content, layout=layout)
