"""A list to pick one thing from, with a line that filters it or says what is not in it.

Rules of this file: it knows rows of words and nothing of requests. What is picked is given back by its key.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content

from olv_tui.screens.modal import Modal
from olv_tui.view.safe import one_line
from olv_tui.widgets.pane import Say
from olv_tui.widgets.rows import Part, RowList
from olv_tui.widgets.tools import FilterInput

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.widgets import Input


@dataclass(frozen=True, slots=True)
class Choice:
    """A row: its key, its name, a hint on the right, and paragraphs (text, kind of a row part) for below the list.

    `refused` says why it cannot be taken now; it is shown in place of the hint.
    """

    key: str
    name: str
    hint: str = ""
    about: Sequence[Part] = ()
    refused: str = ""


class _Choices(RowList):
    def __init__(self) -> None:
        super().__init__(id="choices")
        self.choices: Sequence[Choice] = ()

    def row(self, index: int) -> Sequence[tuple[Sequence[Part], Sequence[Part]]]:
        """Name on the left, hint on the right."""
        choice = self.choices[index]
        name = one_line(choice.name, 80)
        hint = one_line(choice.refused or choice.hint, max(0, self.size.width - len(name) - 6))
        return [([(name, "dim" if choice.refused else "plain")], [("  " + hint, "dim")])]


class PickScreen(Modal[str | None]):
    """Gives the key of the row that was picked, or None.

    `typed` makes a row or rows of a text that is in no list; they stand last and are picked where nothing else fits.
    `start` is what the filter begins with.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss", "Back", id="pick.back")]

    DEFAULT_CSS = """
    PickScreen { align: center middle; background: $background 60%; }
    PickScreen .box { width: 100; padding: 0 1; }
    PickScreen FilterInput, PickScreen FilterInput:focus { dock: none; margin-bottom: 1; }
    PickScreen #choices { height: auto; max-height: 24; min-height: 1; }
    PickScreen #about { height: 5; margin-top: 1; padding: 0 1; }
    PickScreen.-low #choices { max-height: 9; }
    """

    def __init__(
        self,
        title: str,
        choices: Sequence[Choice],
        *,
        placeholder: str,
        typed: Callable[[str], Choice | Sequence[Choice] | None] = lambda _: None,
        start: str = "",
    ) -> None:
        super().__init__()
        self._title = title
        self._all = choices
        self._typed = typed
        self._start = start
        self._rows = _Choices()
        self._line = FilterInput(placeholder, lambda: self._rows)
        self._about = Say(id="about")

    def compose(self) -> ComposeResult:
        """Filter, rows, and what the row under the cursor is about."""
        with Vertical(classes="box") as box:
            box.border_title = Content(self._title)
            box.border_subtitle = Content("Enter takes · Esc goes back")
            yield self._line
            yield self._rows
            yield self._about

    def on_mount(self) -> None:
        """Show all; what is typed filters."""
        self._filter(self._start)
        self._line.value = self._start
        self._line.cursor_position = len(self._start)
        self._line.focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Filter as the letters come."""
        event.stop()
        self._filter(event.value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Take the row under the cursor."""
        event.stop()
        self._take(self._rows.cursor)

    def on_filter_input_left(self, event: FilterInput.Left) -> None:
        """Esc goes back at once."""
        event.stop()
        self.dismiss(None)

    def on_row_list_moved(self, event: RowList.Moved) -> None:
        """The cursor moved."""
        event.stop()
        self._tell()

    def on_row_list_chosen(self, event: RowList.Chosen) -> None:
        """A row was taken with the mouse."""
        event.stop()
        self._take(event.index)

    def _filter(self, text: str) -> None:
        words = text.lower().split()
        hits = [one for one in self._all if all(word in f"{one.name} {one.hint}".lower() for word in words)]
        hits.sort(key=lambda one: one.name.strip() != text.strip())  # what was typed in full stands first
        made = self._typed(text.strip()) if text.strip() else None
        listed = {one.key for one in hits}
        hits += [one for one in ([made] if isinstance(made, Choice) else made or ()) if one.key not in listed]
        self._rows.choices = hits
        self._rows.set_rows(len(hits), 0)
        self._rows.styles.height = max(1, len(hits))
        self._rows.set_note(("Nothing fits.", "dim"))
        self._tell()

    @property
    def current(self) -> Choice | None:
        """The row under the cursor."""
        choices = self._rows.choices
        return choices[self._rows.cursor] if choices else None

    def show_choices(self, choices: Sequence[Choice]) -> None:
        """Show other rows; the filter stays."""
        self._all = choices
        self._filter(self._line.value)

    def tell_below(self, sentence: str) -> None:
        """Say something in the place of what the row is about, until the cursor moves."""
        self._about.say(Content.styled(one_line(sentence, 300), "$text-warning"))

    def _take(self, index: int) -> None:
        if not self._rows.choices:
            return
        choice = self._rows.choices[index]
        if choice.refused:
            self._about.say(Content.styled(f"Not here: {choice.refused}.", "$text-warning"))
        else:
            self.dismiss(choice.key)

    def _tell(self) -> None:
        choices = self._rows.choices
        about = choices[self._rows.cursor].about if choices else ()
        kinds = {"warning": "$text-warning", "dim": "$foreground 60%", "accent": "$text-accent"}
        self._about.say(Content("\n").join(Content.styled(text, kinds.get(kind, "")) for text, kind in about))
