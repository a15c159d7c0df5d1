"""The parts around the views of an answer: the verdict banner, the strip of tabs, the search line.

Rules of this file: they take text that is safe already and paint it as content, never as markup. Banner and
tabs never take the focus; keys go through the answer pane.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import Input, Static

if TYPE_CHECKING:
    from textual import events

    from olv_tui.view.words import Banner

_STYLES = ("success", "warning", "error", "primary", "secondary", "muted")


class VerdictBanner(Static):
    """Verdict with its symbol, what failed, the facts, and what to do next; coloured by its verdict."""

    DEFAULT_CSS = """
    VerdictBanner {
        height: auto; max-height: 8; padding: 0 1;
        background: $panel; color: $foreground;
        &.-success { background: $success-muted; color: $text-success; }
        &.-warning { background: $warning-muted; color: $text-warning; }
        &.-error { background: $error-muted; color: $text-error; }
        &.-primary { background: $primary-muted; color: $text-primary; }
        &.-secondary { background: $secondary-muted; color: $text-secondary; }
        &.-muted { background: $panel; color: $foreground 80%; }
        &.-success.-solid { background: $success; color: $text; }
        &.-warning.-solid { background: $warning; color: $text; }
        &.-error.-solid { background: $error; color: $text; }
        &.-primary.-solid { background: $primary; color: $text; }
        &.-secondary.-solid { background: $secondary; color: $text; }
        &.-muted.-solid { background: $foreground 30%; color: $foreground; }
    }
    """

    def tell(self, banner: Banner | None, note: str = "", remarks: Sequence[str] = ()) -> None:
        """Show a banner, its facts led by a note, and a line for each remark; None leaves only the note."""
        for style in _STYLES:
            self.set_class(banner is not None and banner.style == style, f"-{style}")
        self.set_class(banner is not None and banner.solid, "-solid")
        if banner is None:
            self.update(Content(note))
            return
        lines = [Content.styled(f"{banner.symbol} {banner.headline}", "bold")]
        facts = " · ".join(part for part in (note, banner.facts) if part)
        if facts:
            lines.append(Content(facts))
        lines += [Content(f"» {remark}") for remark in remarks]
        if banner.advice:
            lines.append(Content(f"→ {banner.advice}"))
        self.update(Content("\n").join(lines))


class Tab(NamedTuple):
    """A tab: its key, its name, and what is counted in it (None: nothing is)."""

    key: str
    name: str
    number: int | None = None


class AnswerTabs(Widget):
    """One line of names with the digit that goes to each; one widget, where a tabbed container mounts a dozen."""

    DEFAULT_CSS = """
    AnswerTabs { height: 1; background: $panel; color: $foreground 80%; }
    """

    front: reactive[str] = reactive("")
    tabs: reactive[tuple[tuple[int, Tab], ...]] = reactive(())

    class Picked(Message):
        """A tab was clicked."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    def _texts(self) -> Sequence[tuple[str, str]]:
        """Key and text of each tab; without the digits where they do not fit."""
        texts = [
            (tab.key, f" {digit} {tab.name}{'' if tab.number is None else f' {tab.number}'} ")
            for digit, tab in self.tabs
        ]
        if sum(len(text) for _, text in texts) > self.size.width > 0:
            return [(key, f" {text[3:]}") for key, text in texts]
        return texts

    def render(self) -> Content:
        """The names, the one in front emphasised."""
        return Content("").join(
            [Content.styled(text, "bold $text on $primary" if key == self.front else "") for key, text in self._texts()]
        )

    def on_click(self, event: events.Click) -> None:
        """Go to the tab under the pointer."""
        end = 0
        for key, text in self._texts():
            end += len(text)
            if event.x < end:
                self.post_message(self.Picked(key))
                return


class FindLine(Input):
    """The search line of a pane: hidden until it is opened, and no stop of tab."""

    DEFAULT_CSS = """
    FindLine { display: none; height: 1; border: none; padding: 0 1; background: $boost; }
    FindLine.-open, FindLine.-open:focus { display: block; border: none; height: 1; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "close", "End search", id="answer.find_end")]

    class Closed(Message):
        """The search is over."""

    def __init__(self) -> None:
        hint = "Search: text, /pattern/, key:… or value:… for one of them; Enter goes to the hits"
        super().__init__(placeholder=hint, id="find", select_on_focus=True)
        self.cursor_blink = False
        self.can_focus = False

    @property
    def is_open(self) -> bool:
        """Whether it is shown."""
        return self.has_class("-open")

    def open(self) -> None:
        """Show it and take the focus."""
        self.add_class("-open")
        self.can_focus = True
        self.focus()

    def close(self) -> bool:
        """Hide it. True where it had the focus, which then belongs elsewhere."""
        had_focus = self.has_focus
        self.remove_class("-open")
        self.can_focus = False
        return had_focus

    def action_close(self) -> None:
        """End the search."""
        self.post_message(self.Closed())
