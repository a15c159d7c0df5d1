"""The editor: the arguments of a call, or the whole envelope with the headers that go with it.

Rules of this file:

* One document, two views of it; `f2` carries edits over (widgets/document.py has the rules).
* What is sent is what stands here, byte for byte (widgets/json_area.py).
* Validation speaks in the line below and never blocks.
* Text areas are made when there is a text for them, after the list of tools was painted: their import, styles and
  lines took 7 % of the time to the first paint.
* What was broken on purpose stands above the text with what a right server answers, until it is mended.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from textual.content import Content
from textual.message import Message

from olv_tui.view.safe import one_line
from olv_tui.widgets.document import (
    Document,
    Sending,
    arguments_in,
    id_in,
    same_call,
    with_arguments,
    with_id,
)
from olv_tui.widgets.editor_schema import SchemaPane
from olv_tui.widgets.pane import Say

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult
    from textual.timer import Timer
    from textual.widget import Widget
    from textual.widgets import TextArea

    from olv_tui.mcp.templates import Template
    from olv_tui.model import Header
    from olv_tui.widgets.json_area import JsonArea

_SLOW_CHECK = 20_000
"""Characters from which JSON is checked when the typing pauses and not at every key."""


@dataclass(frozen=True, slots=True)
class Dresser:
    """How a request will look: the body for (tool, arguments, id), the headers for an envelope with headers of its
    own and without some of ours, the next id, the envelope of (template, id).
    """

    body: Callable[[str, str, str], str]
    headers: Callable[[str, tuple[Header, ...], tuple[str, ...]], tuple[Header, ...]]
    next_id: Callable[[], str]
    request: Callable[[Template, str], str]


def _area(name: str) -> JsonArea:
    from olv_tui.widgets.json_area import JsonArea

    return JsonArea(id=name)


class EditorPane(SchemaPane):
    """Arguments or envelope of the selected tool."""

    key = "editor"
    label = "Editor"
    HELP = (
        "The call. JSON mode edits the arguments; f2 turns to the envelope: the whole body as it will be sent, and"
        " the headers with it. Findings stand below and never keep a call from being sent; only arguments that"
        " are no JSON go out from the envelope alone. ctrl+space offers names and values that can stand at the cursor;"
        " alt+i indents, alt+c compacts. f4 opens your own editor ($VISUAL or $EDITOR). ctrl+n begins"
        " a request of any method, f9 sets id, version, further members and headers, ctrl+g breaks the request in"
        " one of thirty ways and says what a right server answers; f2 mends it."
    )

    DEFAULT_CSS = """
    EditorPane { height: 2fr; min-height: 6; }
    EditorPane #modes { height: 1; padding: 0 1; }
    EditorPane #headers { height: auto; max-height: 5; padding: 0 1; color: $foreground 60%; display: none; }
    EditorPane #broken { height: auto; max-height: 4; padding: 0 1; display: none; }
    EditorPane #finding { height: auto; max-height: 3; padding: 0 1; color: $foreground 60%; }
    EditorPane #envelope { display: none; }
    EditorPane.-whole { height: 3fr; }
    EditorPane.-whole #headers, EditorPane.-whole #envelope, EditorPane.-own-headers #headers { display: block; }
    EditorPane.-broken #broken { display: block; }
    EditorPane.-whole #arguments { display: none; }
    """

    class ModeWanted(Message):
        """A mode was clicked."""

    class BackWanted(Message):
        """Undo was pressed where the text has no edit left: the draft before it is wanted."""

    def __init__(self) -> None:
        super().__init__(id="editor")
        self._document = Document(None)
        self._dresser: Dresser | None = None
        self._has_area = False
        self._timer: Timer | None = None
        self._told = ("", "")
        self._laid: str | None = None

    def compose(self) -> ComposeResult:
        """Modes, headers, finding; the text areas come between them when they are first wanted."""
        yield Say(id="modes")
        yield Say(id="headers")
        yield Say(id="broken")
        yield Say(id="finding")

    def on_mount(self) -> None:
        """Begin with an empty call."""
        self._show_mode()

    def focus_target(self) -> Widget:
        """The text of the present mode."""
        if self._document.whole:
            return self._envelope
        self._lay()
        return self._arguments

    @cached_property
    def _arguments(self) -> JsonArea:
        area = _area("arguments")
        area.source = lambda: self.source(self._document.tool)
        return area

    @cached_property
    def _envelope(self) -> JsonArea:
        return _area("envelope")

    @property
    def _arguments_text(self) -> str:
        return self._arguments.kept if self._has_area else self._document.arguments

    def _lay(self) -> None:
        """Mount the text area of the arguments, once, with the text that is edited."""
        if not self._has_area:
            self._has_area = True
            self.mount(self._arguments, before="#finding")
            self._arguments.give(self._document.arguments)

    # ----------------------------------------------------------------------- data in, state out

    def set_dresser(self, dresser: Dresser) -> None:
        """Say how calls are dressed, again when the era became known: an untouched envelope follows."""
        self._dresser = dresser
        held = self._document
        untouched = held.whole and self._laid is not None and self._envelope.kept == self._laid
        if untouched and self._plain(held, held.auto_id) != self._laid:
            self.load(replace(held, frame=None))
        self._show_headers()

    @property
    def document(self) -> Document:
        """What is being edited, with the text as it stands now."""
        held = self._document
        if not held.whole:
            return replace(held, arguments=self._arguments_text)
        envelope = self._envelope.kept
        now = held.framed(envelope)
        if now.broken is not None:
            now = replace(now, broken=replace(now.broken, edited=self._is_edited()))
        plain = self._plain(now, held.auto_id)
        if envelope == plain or same_call(envelope, plain, auto_id=held.auto_id):
            return replace(now, frame=None)
        return now

    def load(self, document: Document) -> None:
        """Edit another document, in the mode it was left in."""
        self._document, self._told = document, ("", "")
        if document.whole:
            if not self._envelope.is_attached:
                self.mount(self._envelope, before="#finding")
            self._load_envelope()
        elif self._has_area:
            self._arguments.give(document.arguments)
        else:
            self.call_after_refresh(self._lay)
        self._show_mode()
        self._check()

    def sending(self) -> Sending:
        """What a send now would send."""
        document = self.document
        plain = not (document.whole or document.headers or document.without) and document.frame is None
        body = None if plain else self.whole_text()
        return Sending(document.tool, document.arguments, body, document.headers, document.without)

    def whole_text(self) -> str:
        """The envelope as it stands, or as it would in envelope mode."""
        document = self.document
        if document.whole:
            return self._envelope.kept
        if document.frame is not None:
            return with_arguments(document.frame, document.arguments)
        return self._plain(document, None)

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
            laid = envelope == self._laid
            if not laid and id_in(envelope) != document.auto_id:
                return
            cursor = self._envelope.cursor_location
            following = self._plain(document, identity) if laid else with_id(envelope, identity)
            self._envelope.give(following)
            self._envelope.cursor_location = cursor
            self._laid = following if laid else None
        elif document.frame is not None and id_in(document.frame) == document.auto_id:
            document = replace(document, frame=with_id(document.frame, identity))
        self._document = replace(document, auto_id=identity)

    @property
    def text(self) -> str:
        """The text of the present mode, for an editor outside."""
        return self._envelope.kept if self._document.whole else self._arguments_text

    def replace_text(self, text: str, *, as_edit: bool = False) -> None:
        """Put an edited text back into the present mode; `as_edit`: undo takes it back."""
        if not self._document.whole:
            self._lay()
        area = self._envelope if self._document.whole else self._arguments
        (area.put if as_edit else area.give)(text)
        self._check()

    def mend(self) -> bool:
        """Take back what was broken on purpose, and what was edited since. False: nothing was."""
        broken = self._document.broken
        if broken is None:
            return False
        self.load(broken.before)
        self.renumber()
        return True

    def tell(self, sentence: str) -> None:
        """Say something of the text as it stands: in the line below, until that changes or is sent."""
        self._told = (sentence, self.text)
        self._show_finding("")

    def hush(self) -> None:
        """What was told is over."""
        if self._told[0]:
            self._told = ("", "")
            self._check()

    # ----------------------------------------------------------------------- the modes

    def switch(self) -> None:
        """Turn to the other mode, carrying over what keeps its meaning. What was broken and not edited is mended."""
        if self._document.broken is not None and not self._is_edited():
            self.mend()
            if not self._document.whole:
                self.focus_target().focus()
                return
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

    def _is_edited(self) -> bool:
        """Whether the broken request was changed by the reader."""
        broken = self._document.broken
        return broken is not None and (broken.edited or not self._envelope.is_untouched)

    def _load_envelope(self) -> None:
        document = self._document
        if document.frame is not None:
            # Edited arguments go into the reader's own envelope, if that has a place for them.
            now, _ = arguments_in(document.frame, document.tool)
            same = now is None or now == document.arguments
            self._envelope.give(document.frame if same else with_arguments(document.frame, document.arguments))
            self._laid = None
            return
        identity = self._dresser.next_id() if self._dresser else "1"
        self._document = document = replace(document, auto_id=identity)
        self._laid = self._plain(document, identity)
        self._envelope.give(self._laid)
        if document.template is not None:
            self._envelope.to_gap()

    def _plain(self, document: Document, identity: str | None) -> str:
        """The envelope of the plain call or template."""
        if self._dresser is None:
            return ""
        identity = identity or self._dresser.next_id()
        if document.template is not None:
            return self._dresser.request(document.template, identity)
        return "" if document.tool is None else self._dresser.body(document.tool, document.arguments, identity)

    # ----------------------------------------------------------------------- what is said

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        """Check what was typed, at once or, for a large text, when the typing pauses."""
        event.stop()
        area = self._envelope if self._document.whole else self._arguments
        if event.text_area is not area or self._dresser is None:
            return
        if area.kept != self._told[1]:
            self._told = ("", "")
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        if area.document.end[0] < 400 and len(area.text) < _SLOW_CHECK:
            self._check()
        else:
            self._timer = self.set_timer(0.3, self._check)

    def on_json_area_nothing_to_undo(self, event: JsonArea.NothingToUndo) -> None:
        """Undo beyond the first edit."""
        event.stop()
        self.post_message(self.BackWanted())

    def on_click(self, event: events.Click) -> None:
        """A click on the line of modes turns to the other one."""
        if event.widget is not None and event.widget.id == "modes":
            self.post_message(self.ModeWanted())

    def _check(self) -> None:
        """Look at the text again, and say what is found."""
        self.find(self.text)
        self._show_headers()
        self._show_broken()

    def _show_finding(self, found: str) -> None:
        line = self.query_one("#finding", Say)
        if self._told[0]:
            line.say(Content.styled(one_line(self._told[0], 400), "$text-warning"), layout=True)
        elif found:
            line.say(Content.styled(f"✗ no JSON: {one_line(found, 300)}", "$text-error"), layout=True)
        elif self.refused and not self._document.whole:
            line.say(Content.styled(f"! {self.refused}", "$text-warning"), layout=True)
        else:
            line.say(Content.styled("✓ JSON" if self._dresser else "", "$text-success"), layout=True)

    def _show_mode(self) -> None:
        whole = self._document.whole
        self.set_class(whole, "-whole")
        on, off = "bold $text-primary underline", "$foreground 50%"
        modes = Content.assemble(("JSON", off if whole else on), "  ", ("Envelope", on if whole else off))
        hint = "the whole body, as it will be sent" if whole else "the arguments"
        self.query_one("#modes", Say).say(Content.assemble(modes, ("   " + hint, "$foreground 40%")))
        title = one_line(self._document.title, 80)
        self.tell_title(f"Editor · {title}" if title else "Editor")

    def _show_headers(self) -> None:
        document = self._document
        own = {name.lower() for name, _ in document.headers}
        self.set_class(bool(own or document.without), "-own-headers")
        if (not document.whole and not self.has_class("-own-headers")) or self._dresser is None:
            return
        headers = self._dresser.headers(self.whole_text(), document.headers, document.without)
        parts = [
            Content.styled(
                f"{one_line(name, 60)}: {one_line(value, 120)}", "bold $text-accent" if name.lower() in own else ""
            )
            for name, value in headers
        ]
        parts += [Content.styled(f"without {one_line(name, 60)}", "bold $text-warning") for name in document.without]
        self.query_one("#headers", Say).say(Content(" · ").join(parts), layout=True)

    def _show_broken(self) -> None:
        broken = self._document.broken
        odd = self._document.whole and self._envelope.holds_bytes
        self.set_class(broken is not None or odd, "-broken")
        parts: list[tuple[str, str] | str] = []
        if broken is not None:
            names = ", ".join(broken.names)
            told = f"broken: {names}, then edited. " if self._is_edited() else f"broken: {names} ({broken.rule}). "
            parts += [(told, "bold $text-warning"), f"A right server answers: {broken.answer}."]
        if odd:
            parts.append((" Bytes that are no text are kept as they are until this text is edited.", "$text-accent"))
        self.query_one("#broken", Say).say(Content.assemble(*parts), layout=True)
