"""The box for a report: paste, look at what was understood, Enter loads it. Nothing is sent from here.

Rules of this file:

* A paste of any size: over `LARGE` it is held whole and shown in part, since a text area takes seconds for a megabyte.
* Reading is done in a thread, and only the newest reading is shown.
* What is shown of a call has its secrets masked; what is given back has not, and goes into memory only.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import TextArea

from olv_tui.screens.modal import Modal
from olv_tui.view.safe import normal_breaks, one_line, visible
from olv_tui.widgets.pane import Say
from olv_tui.widgets.rows import Part, RowList

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult
    from textual.timer import Timer

    from olv_tui.model import Judgement
    from olv_tui.redact import Redactor
    from olv_tui.reports.values import Import, ReportedCall

LARGE = 50_000
"""Characters from which a paste is held and shown in part."""

_SHOWN = 4_000
_PAUSE = 0.15
_KINDS = {"dim": "$foreground 60%", "plain": "", "accent": "$text-accent"}


@dataclass(frozen=True, slots=True)
class Pasted:
    """What is to be loaded: a call, or the arguments (JSON text) of `tool`; and what was mended."""

    call: ReportedCall | None
    arguments: str = ""
    tool: str = ""
    mended: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ground:
    """What the box knows of the explorer: the present address, the known targets by their origin, the names of tools
    with the selected one first.
    """

    present: str
    known: Mapping[str, str]
    tools: Sequence[str]
    redactor: Redactor


@dataclass(frozen=True, slots=True)
class _Reading:
    found: Import
    masked: tuple[ReportedCall, ...] = ()
    judged: tuple[Judgement | None, ...] = ()


class PasteArea(TextArea):
    """A text area that takes a paste of any size and keeps it as it came while it is not edited."""

    DEFAULT_CSS = """
    PasteArea, PasteArea:focus { border: none; padding: 0 1; height: 1fr; min-height: 3; background: $foreground 5%; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+a", "select_all", "Select all", id="paste.select_all")]

    class Entered(Message):
        """Enter was pressed: load."""

    class Pasted(Message):
        """A text came as a whole."""

    def __init__(self, text: str) -> None:
        super().__init__("", soft_wrap=True, show_line_numbers=False, id="pasted", highlight_cursor_line=False)
        self.cursor_blink = False
        self._given = self._shown = ""
        self._first = text

    def on_mount(self) -> None:
        """Begin with the text that was given."""
        if self._first:
            self.give(self._first)

    def give(self, text: str) -> None:
        """Put in a whole text; a large one is held, and its beginning shown."""
        self._given = text
        self.read_only = len(text) > LARGE
        told = text
        if self.read_only:
            head = normal_breaks(text[:_SHOWN])
            told = f"{len(text):,} characters, held as they came; backspace takes them out. They begin:\n\n{head}"
        self.load_text(visible(normal_breaks(told)))
        self._shown = self.text
        self.post_message(self.Pasted())

    @property
    def kept(self) -> str:
        """The text: as it came while untouched, else as edited."""
        return self._given if self.text == self._shown else self.text

    async def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.prevent_default()
        text = normal_breaks(event.text)  # terminals paste line ends as carriage returns
        if self.read_only or not self.text or self.selected_text == self.text:
            self.give(text)
        elif len(self.text) + len(text) > LARGE:
            self.give(f"{self.kept}{text}")
        else:
            self.insert(text)
            self.post_message(self.Pasted())

    async def _on_key(self, event: events.Key) -> None:
        if event.key == "enter":
            event.stop()
            event.prevent_default()
            self.post_message(self.Entered())
            return
        if self.read_only and event.key in ("backspace", "delete", "ctrl+u", "ctrl+x"):
            event.stop()
            event.prevent_default()
            self.give("")
            return
        if event.key in ("alt+enter", "shift+enter"):
            event.stop()
            event.prevent_default()
            self.insert("\n")
            return
        await super()._on_key(event)


class FoundList(RowList):
    """The calls to choose from, or the tools; below them the mends, each with a box."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("space", "take_back", "Take a mend back", show=False)]

    class Toggled(Message):
        """A mend is to be made or not."""

        def __init__(self, phrase: str) -> None:
            super().__init__()
            self.phrase = phrase

    def __init__(self) -> None:
        super().__init__(id="found")
        self.entries: list[tuple[str, str, str]] = []
        """Kind (call, tool, mend, left), what it stands for, its text."""

    def row(self, index: int) -> Sequence[tuple[Sequence[Part], Sequence[Part]]]:
        """A call or tool by its name, a mend with a box before it."""
        kind, _, text = self.entries[index]
        if kind in ("call", "tool"):
            return [([(f"{index + 1:>3}  ", "accent"), (text, "plain")], [])]
        box = "[x]" if kind == "mend" else "[ ]"
        return [([(f"{box} ", "accent"), (text, "plain" if kind == "mend" else "dim")], [("mended", "dim")])]

    def action_take_back(self) -> None:
        """Take a mend back, or make it again."""
        if self.entries and self.entries[self.cursor][0] in ("mend", "left"):
            self.post_message(self.Toggled(self.entries[self.cursor][1]))


class PasteScreen(Modal[Pasted | None]):
    """Takes a report and gives what is to be loaded, None where it was left."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", "Back", priority=True, id="paste.back"),
        Binding("tab,shift+tab", "turn", "List", show=False, priority=True),
        Binding("ctrl+j,f5", "unsent", show=False, priority=True),
    ]

    DEFAULT_CSS = """
    PasteScreen { align: center middle; background: $background 60%; }
    PasteScreen .box { padding: 0 1; height: 90%; }
    PasteScreen #told { height: auto; max-height: 13; margin-top: 1; padding: 0 1; }
    PasteScreen #found { height: auto; max-height: 9; margin-top: 1; }
    PasteScreen #hint { height: auto; max-height: 2; padding: 0 1; color: $foreground 60%; }
    PasteScreen.-low #told { max-height: 9; margin-top: 0; }
    PasteScreen.-low #found { max-height: 4; margin-top: 0; }
    """

    def __init__(self, ground: Ground, text: str = "") -> None:
        super().__init__()
        self._ground = ground
        self._area = PasteArea(text)
        self._rows = FoundList()
        self._reading: _Reading | None = None
        self._left: list[str] = []
        self._generation = 0
        self._timer: Timer | None = None
        self._is_wanted = False

    def compose(self) -> ComposeResult:
        """The text, what was understood, the choices, the keys."""
        with Vertical(classes="box wide") as box:
            box.border_title = Content("Paste a report")
            box.border_subtitle = Content("Enter loads, nothing is sent · Esc goes back")
            yield self._area
            yield Say(id="told")
            yield self._rows
            yield Say(id="hint")

    def on_mount(self) -> None:
        """Wait for the text."""
        self._area.focus()
        self._tell()

    # ----------------------------------------------------------------------- reading

    def on_paste_area_pasted(self, event: PasteArea.Pasted) -> None:
        """A text came: read it at once."""
        event.stop()
        self._left = []
        self._read()

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        """Read again when the typing pauses."""
        event.stop()
        if self._area.kept and self._timer is None:
            self._timer = self.set_timer(_PAUSE, self._read)
        elif not self._area.kept:
            self._read()

    def _read(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        self._generation += 1
        self._reading = None
        text, generation, left = self._area.kept, self._generation, tuple(self._left)

        async def work() -> None:
            reading = await asyncio.to_thread(read, text, left, self._ground.redactor)
            if generation == self._generation:
                self._show(reading)

        if text.strip():
            self.run_worker(work(), group="reading", exclusive=True)
        self._tell()

    def _show(self, reading: _Reading) -> None:
        self._reading = reading
        found = reading.found
        entries: list[tuple[str, str, str]] = []
        if len(found.calls) > 1:
            entries = [("call", str(number), described(call)) for number, call in enumerate(reading.masked)]
        elif found.arguments is not None:
            entries = [("tool", name, one_line(name, 80)) for name in self._ground.tools]
        first = len(entries)
        entries += [("mend", phrase, one_line(phrase, 100)) for phrase in found.mended]
        entries += [("left", phrase, one_line(phrase, 100)) for phrase in self._left if phrase not in found.mended]
        held = self._rows.cursor if len(entries) == len(self._rows.entries) else 0
        self._rows.entries = entries
        self._rows.set_rows(len(entries), held)
        self._rows.styles.height = max(len(entries), 1)
        self._rows.display = bool(entries)
        if first and not self._rows.has_focus:
            self._rows.focus()
        elif not entries:
            self._area.focus()
        self._tell()
        if self._is_wanted:  # Enter was pressed before the text was read
            self._is_wanted = False
            self._load()

    def on_row_list_moved(self, event: RowList.Moved) -> None:
        """Tell the call under the cursor."""
        event.stop()
        self._tell()

    def on_found_list_toggled(self, event: FoundList.Toggled) -> None:
        """A mend taken back or made again."""
        event.stop()
        if event.phrase in self._left:
            self._left.remove(event.phrase)
        else:
            self._left.append(event.phrase)
        self._read()

    # ----------------------------------------------------------------------- telling

    def _tell(self) -> None:
        from olv_tui.view import understood

        told, hint = self.query_one("#told", Say), self.query_one("#hint", Say)
        reading = self._reading
        if reading is None:
            waits = "Reading …" if self._area.kept.strip() else _EMPTY
            told.say(Content.styled(waits, "$foreground 60%"), layout=True)
            hint.say(Content("alt+enter begins a new line · ctrl+a selects all"), layout=True)
            self._rows.display = self._rows.has_focus  # a mend is being taken back: hidden, the list loses the focus
            return
        parts = [understood.headline(reading.found)]
        number = self._number()
        if reading.masked and number is not None:
            call = reading.masked[number]
            where = understood.target_words(call, self._ground.present, dict(self._ground.known))
            parts += understood.call_lines(call, where, reading.judged[number])
        if reading.found.outcome != "refused" and reading.found.message and not reading.found.mended:
            parts.append((one_line(reading.found.message, 300), "dim"))
        told.say(
            Content("\n").join(Content.styled(text, _KINDS.get(kind, f"$text-{kind}")) for text, kind in parts),
            layout=True,
        )
        hint.say(Content(self._hint(reading.found)), layout=True)

    def _hint(self, found: Import) -> str:
        if found.outcome == "refused":
            return "Paste the request as well, or a command, a HAR, a log line with the message."
        parts = ["up and down choose"] if len(found.calls) > 1 or found.arguments is not None else []
        parts.append("Enter loads into the editor, nothing is sent")
        if found.mended or self._left:
            parts.append("tab and space take a mend back")
        return " · ".join(parts)

    def _number(self) -> int | None:
        """The call that is meant."""
        reading, rows = self._reading, self._rows
        if reading is None or not reading.found.calls:
            return None
        if len(reading.found.calls) == 1:
            return 0
        kind, key, _ = rows.entries[rows.cursor] if rows.entries else ("", "0", "")
        return int(key) if kind == "call" else 0

    # ----------------------------------------------------------------------- loading

    def on_paste_area_entered(self, event: PasteArea.Entered) -> None:
        """Enter in the text."""
        event.stop()
        self._load()

    def on_row_list_chosen(self, event: RowList.Chosen) -> None:
        """Enter on a row; on a mend it loads as well."""
        event.stop()
        self._load()

    def _load(self) -> None:
        reading = self._reading
        if reading is None:
            self._is_wanted = bool(self._area.kept.strip())
            return
        found, number = reading.found, self._number()
        if number is not None:
            self.dismiss(Pasted(found.calls[number], mended=found.mended))
        elif found.arguments is not None and self._rows.entries:
            kind, tool, _ = self._rows.entries[self._rows.cursor]
            tool = tool if kind == "tool" else self._rows.entries[0][1]
            self.dismiss(Pasted(None, found.arguments, tool, found.mended))

    def action_unsent(self) -> None:
        """The keys that send elsewhere: what is pasted is looked at first."""
        self.query_one("#hint", Say).say(
            Content.styled("Nothing is sent from here: Enter loads it into the editor, and ctrl+j sends it there.",
                           "$text-warning"), layout=True)  # fmt: skip

    def action_turn(self) -> None:
        """Between the text and the list."""
        to_rows = self._area.has_focus and self._rows.display
        (self._rows if to_rows else self._area).focus()


_EMPTY = (
    "Paste anything that tells a call: curl, HTTPie, PowerShell, fetch, Python, a HAR, a log line, an issue,\n"
    "a JSON-RPC message, a report of olv-tui. What is in it is shown here."
)


def described(call: ReportedCall) -> str:
    """A call in a few words, safe."""
    from olv_tui.reports.read import described as words

    return one_line(words(call), 100)


def read(text: str, without: Sequence[str], redactor: Redactor) -> _Reading:
    """A text read, with the calls masked for the screen and the reported answers judged; runs in a thread."""
    from olv_tui.reports.aim import as_exchange, expected_judgement
    from olv_tui.reports.read import read_report

    found = read_report(text.encode("utf-8", "surrogatepass"), without)
    masked: list[ReportedCall] = []
    message = found.message
    for call in found.calls:
        exchange = as_exchange(call)
        known = redactor.knowing(exchange)
        kept = redactor.exchange(exchange).request
        expected = None if call.expected is None else known.data(call.expected)
        masked.append(replace(call, url=kept.url, headers=kept.headers, body=kept.body, expected=expected))
        message = known.text(message)
    judged = tuple(expected_judgement(call) for call in masked)
    return _Reading(replace(found, message=message), tuple(masked), judged)


Loaded = Callable[[Pasted | None], None]
