"""The editor: the arguments of a call, or the whole envelope with the headers that go with it.

Rules of this file:

* One document, two views of it; `f2` carries edits over (widgets/document.py has the rules).
* What is sent is what stands here. A text area turns some characters into line ends, so an untouched text
  is handed back as it was loaded, byte for byte.
* Validation speaks in the line below and never blocks.
* A text area takes seconds for a megabyte, so texts over `LARGE` are held and not put into it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from textual.content import Content
from textual.message import Message
from textual.widgets import TextArea

from olv_tui.view.safe import one_line
from olv_tui.widgets.document import (
    Document,
    Sending,
    arguments_in,
    finding,
    id_in,
    same_call,
    with_arguments,
    with_id,
)
from olv_tui.widgets.pane import Pane, Say

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult
    from textual.timer import Timer
    from textual.widget import Widget

    from olv_tui.model import Header

LARGE = 200_000
"""Characters from which a text is held and not edited: a text area takes 5.9 s to show a megabyte."""

_SLOW_CHECK = 20_000
"""Characters from which JSON is checked when the typing pauses and not at every key."""


@dataclass(frozen=True, slots=True)
class Dresser:
    """How a call will look: the body for (tool, arguments, id), the headers for a body, the next id."""

    body: Callable[[str, str, str], str]
    headers: Callable[[str], tuple[Header, ...]]
    next_id: Callable[[], str]


class JsonArea(TextArea):
    """A text area that keeps what it was given beside what it shows."""

    DEFAULT_CSS = """
    JsonArea, JsonArea:focus { border: none; padding: 0 1; height: 1fr; background: transparent; }
    """

    def __init__(self, *, id: str) -> None:  # noqa: A002 (Textual's own name for it)
        super().__init__("{}", soft_wrap=True, show_line_numbers=False, id=id, highlight_cursor_line=False)
        self.cursor_blink = False
        self.match_cursor_bracket = False
        self._given = self._shown = "{}"

    def give(self, text: str) -> None:
        """Put in a text; the undo history starts anew."""
        from olv_tui.view.template import editable

        self._given = text
        large = len(text) > LARGE
        self.read_only = large
        note = f"{len(text):,} characters: too much to edit here.\nf4 opens them in your editor, ctrl+j sends them."
        self.load_text(note if large else editable(text))
        self._shown = self.text

    @property
    def kept(self) -> str:
        """The text: as given while untouched, else as edited."""
        return self._given if self.text == self._shown else self.text

    async def _on_key(self, event: events.Key) -> None:
        if self.read_only and event.is_printable:
            event.stop()
            event.prevent_default()
            return
        await super()._on_key(event)


class EditorPane(Pane):
    """Arguments or envelope of the selected tool."""

    key = "editor"
    label = "Editor"
    HELP = (
        "The call. JSON mode edits the arguments; f2 turns to the envelope: the whole body as it will be sent, and"
        " the headers with it. Findings stand below and never keep a call from being sent; only arguments that"
        " are no JSON go out from the envelope alone. f4 opens your own editor ($VISUAL or $EDITOR)."
    )

    DEFAULT_CSS = """
    EditorPane { height: 2fr; min-height: 6; }
    EditorPane #modes { height: 1; padding: 0 1; }
    EditorPane #headers { height: auto; max-height: 5; padding: 0 1; color: $foreground 60%; display: none; }
    EditorPane #finding { height: auto; max-height: 3; padding: 0 1; color: $foreground 60%; }
    EditorPane #envelope { display: none; }
    EditorPane.-whole { height: 3fr; }
    EditorPane.-whole #headers, EditorPane.-whole #envelope { display: block; }
    EditorPane.-whole #arguments { display: none; }
    """

    class ModeWanted(Message):
        """A mode was clicked."""

    def __init__(self) -> None:
        super().__init__(id="editor")
        self._document = Document(None)
        self._dresser: Dresser | None = None
        self._arguments = JsonArea(id="arguments")
        self._envelope = JsonArea(id="envelope")
        self._timer: Timer | None = None
        self._told = ""

    def compose(self) -> ComposeResult:
        """Modes, headers, text, finding; the envelope's text area comes when it is first wanted."""
        yield Say(id="modes")
        yield Say(id="headers")
        yield self._arguments
        yield Say(id="finding")

    def on_mount(self) -> None:
        """Begin with an empty call."""
        self._show_mode()

    def focus_target(self) -> Widget:
        """The text of the present mode."""
        return self._envelope if self._document.whole else self._arguments

    # ----------------------------------------------------------------------- data in, state out

    def set_dresser(self, dresser: Dresser) -> None:
        """Say how calls are dressed, again when the era became known: an untouched envelope follows."""
        self._dresser = dresser
        document = self.document
        if document.whole and document.frame is None:
            self.load(document)
        else:
            self._show_headers()

    @property
    def document(self) -> Document:
        """What is being edited, with the text as it stands now."""
        held = self._document
        if not held.whole:
            return replace(held, arguments=self._arguments.kept)
        envelope = self._envelope.kept
        arguments, _ = arguments_in(envelope, held.tool)
        plain = arguments is not None and same_call(
            envelope, self._plain(held.tool, arguments, held.auto_id), auto_id=held.auto_id
        )
        return replace(
            held,
            arguments=held.arguments if arguments is None else arguments,
            frame=None if plain else envelope,
        )

    def load(self, document: Document) -> None:
        """Edit another document, in the mode it was left in."""
        self._document = document
        if document.whole:
            if not self._envelope.is_attached:
                self.mount(self._envelope, after=self._arguments)
            self._load_envelope()
        else:
            self._arguments.give(document.arguments)
        self._show_mode()
        self._check()

    def sending(self) -> Sending:
        """What a send now would send."""
        document = self.document
        if document.whole:
            return Sending(document.tool, document.arguments, self._envelope.kept)
        if document.frame is not None:
            return Sending(document.tool, document.arguments, with_arguments(document.frame, document.arguments))
        return Sending(document.tool, document.arguments)

    def renumber(self) -> None:
        """Follow the id counter where the envelope still has the id that the program put in."""
        document = self._document
        if self._dresser is None or document.auto_id is None:
            return
        identity = self._dresser.next_id()
        if identity == document.auto_id:
            return
        if document.whole:
            envelope = self._envelope.kept
            if id_in(envelope) != document.auto_id:
                return
            cursor = self._envelope.cursor_location
            self._envelope.give(with_id(envelope, identity))
            self._envelope.cursor_location = cursor
        elif document.frame is not None and id_in(document.frame) == document.auto_id:
            document = replace(document, frame=with_id(document.frame, identity))
        self._document = replace(document, auto_id=identity)

    @property
    def text(self) -> str:
        """The text of the present mode, for an editor outside."""
        return self._envelope.kept if self._document.whole else self._arguments.kept

    def replace_text(self, text: str) -> None:
        """Put an edited text back into the present mode."""
        (self._envelope if self._document.whole else self._arguments).give(text)
        self._check()

    def tell(self, sentence: str) -> None:
        """Say something in the line below until the text changes."""
        self._told = sentence
        self._show_finding("")

    # ----------------------------------------------------------------------- the modes

    def switch(self) -> None:
        """Turn to the other mode, carrying over what keeps its meaning."""
        document = self.document
        if not document.whole:
            self.load(replace(document, whole=True))
        else:
            arguments, why = arguments_in(self._envelope.kept, document.tool)
            if arguments is None:
                self.tell(f"The envelope is kept: {why}, and JSON mode shows arguments only.")
                return
            self.load(replace(document, arguments=arguments, whole=False))
            if document.frame is not None:
                self.tell("Your own envelope is kept around these arguments and sent with them; f2 shows it.")
        self.focus_target().focus()

    def _load_envelope(self) -> None:
        document = self._document
        if document.frame is not None:
            # Edited arguments go into the reader's own envelope, if that has a place for them.
            now, _ = arguments_in(document.frame, document.tool)
            same = now is None or now == document.arguments
            self._envelope.give(document.frame if same else with_arguments(document.frame, document.arguments))
            return
        identity = self._dresser.next_id() if self._dresser else "1"
        self._document = replace(document, auto_id=identity)
        self._envelope.give(self._plain(document.tool, document.arguments, identity))

    def _plain(self, tool: str | None, arguments: str, identity: str | None) -> str:
        if self._dresser is None or tool is None:
            return ""
        return self._dresser.body(tool, arguments, identity or self._dresser.next_id())

    # ----------------------------------------------------------------------- what is said

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        """Check what was typed, at once or, for a large text, when the typing pauses."""
        event.stop()
        if event.text_area is not self.focus_target() or self._dresser is None:
            return
        area = event.text_area
        if isinstance(area, JsonArea) and area.text != area._shown:
            self._told = ""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        if area.document.end[0] < 400 and len(area.text) < _SLOW_CHECK:
            self._check()
        else:
            self._timer = self.set_timer(0.3, self._check)

    def on_click(self, event: events.Click) -> None:
        """A click on the line of modes turns to the other one."""
        if event.widget is not None and event.widget.id == "modes":
            self.post_message(self.ModeWanted())

    def _check(self) -> None:
        self._show_finding(finding(self.text))
        self._show_headers()

    def _show_finding(self, found: str) -> None:
        line = self.query_one("#finding", Say)
        if self._told:
            line.say(Content.styled(one_line(self._told, 400), "$text-warning"), layout=True)
        elif found:
            line.say(Content.styled(f"✗ no JSON: {one_line(found, 300)}", "$text-error"), layout=True)
        else:
            line.say(Content.styled("✓ JSON" if self._dresser else "", "$text-success"), layout=True)

    def _show_mode(self) -> None:
        whole = self._document.whole
        self.set_class(whole, "-whole")
        on, off = "bold $text-primary underline", "$foreground 50%"
        modes = Content.assemble(("JSON", off if whole else on), "  ", ("Envelope", on if whole else off))
        hint = "the whole body, as it will be sent" if whole else "the arguments"
        self.query_one("#modes", Say).say(Content.assemble(modes, ("   " + hint, "$foreground 40%")))
        tool = self._document.tool
        self.tell_title(f"Editor · {one_line(tool, 80)}" if tool is not None else "Editor")

    def _show_headers(self) -> None:
        if self._document.whole and self._dresser is not None:
            headers = self._dresser.headers(self._envelope.kept)
            text = " · ".join(f"{one_line(name, 60)}: {one_line(value, 120)}" for name, value in headers)
            self.query_one("#headers", Say).say(Content(text), layout=True)
