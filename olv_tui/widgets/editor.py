"""The editor: the arguments of a call as a form or as JSON, or the whole envelope with the headers that go with it.

Rules of this file:

* One document, three modes of it (widgets/editor_data.py); `f2` carries edits over, as widgets/document.py says.
* Findings speak in the line below and beside their fields, and never block.
* What was broken on purpose stands above the text with what a right server answers, until it is mended.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from textual.message import Message

from olv_tui.view.safe import one_line
from olv_tui.widgets import editor_lines as lines
from olv_tui.widgets.document import arguments_in
from olv_tui.widgets.editor_check import Checker
from olv_tui.widgets.editor_data import Dresser
from olv_tui.widgets.editor_filling import EditorFilling
from olv_tui.widgets.pane import Say

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult
    from textual.timer import Timer
    from textual.widgets import TextArea

    from olv_tui.schema.findings import Finding
    from olv_tui.widgets.form_frame import FormFrame
    from olv_tui.widgets.form_pane import FormPane
    from olv_tui.widgets.json_area import JsonArea

__all__ = ["Dresser", "EditorPane"]

_SLOW_CHECK = 20_000
"""Characters from which JSON is checked when the typing pauses and not at every key."""


class EditorPane(EditorFilling):
    """Arguments or envelope of the selected tool."""

    key = "editor"
    label = "Editor"
    HELP = (
        "The call. Form mode has a row for each argument: type a value, Enter edits or opens a list, del makes it"
        " absent, f7 has null, the empty text, the default and all else; nothing is sent that was not set. f2 turns to"
        " JSON, and on to the envelope: the whole body as it will be sent, and the headers with it. Findings stand at"
        " their fields and never keep a call from being sent; only arguments that are no JSON go out from the envelope"
        " alone. f6 fills the arguments from the schema, from earlier calls or from saved sets. In a text ctrl+space"
        " offers names and values that can stand at the cursor; alt+i indents, alt+c compacts. f4 opens your own"
        " editor ($VISUAL or $EDITOR). ctrl+n begins a request of any method, f9 sets id, version, further members and"
        " headers, ctrl+g breaks the request in one of thirty ways and says what a right server answers; f2 mends it."
    )

    DEFAULT_CSS = """
    EditorPane { height: 2fr; min-height: 6; }
    EditorPane #modes { height: 1; padding: 0 1; }
    EditorPane #headers { height: auto; max-height: 5; padding: 0 1; color: $foreground 60%; display: none; }
    EditorPane #broken { height: auto; max-height: 4; padding: 0 1; display: none; }
    EditorPane #finding { height: auto; max-height: 3; padding: 0 1; color: $foreground 60%; }
    EditorPane #envelope, EditorPane #form { display: none; }
    EditorPane.-whole { height: 3fr; }
    EditorPane.-form { height: 3fr; }
    EditorPane.-form:focus-within { height: 5fr; }
    EditorPane.-calm #finding { display: none; }
    EditorPane.-whole #headers, EditorPane.-whole #envelope, EditorPane.-own-headers #headers { display: block; }
    EditorPane.-form #form { display: block; }
    EditorPane.-broken #broken { display: block; }
    EditorPane.-whole #arguments, EditorPane.-form #arguments { display: none; }
    """

    class ModeWanted(Message):
        """A mode was clicked; None: the next one."""

        def __init__(self, mode: str | None) -> None:
            super().__init__()
            self.mode = mode

    class BackWanted(Message):
        """Undo was pressed where no edit is left: the draft before it is wanted."""

    def __init__(self, mode: str | None = None) -> None:
        super().__init__(mode)
        self._checker = Checker(self, self._found)
        self._timer: Timer | None = None
        self._findings: tuple[Finding, ...] = ()

    def compose(self) -> ComposeResult:
        """Modes, headers, finding; what is edited comes between them when it is first wanted."""
        yield Say(id="modes")
        yield Say(id="headers")
        yield Say(id="broken")
        yield Say(id="finding")

    def on_mount(self) -> None:
        """Begin with an empty call."""
        self._show_mode()

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the schema has against the arguments, as far as it was looked for."""
        return self._findings

    # ----------------------------------------------------------------------- the modes

    @property
    def offered(self) -> tuple[str, ...]:
        """The modes that there are for this document."""
        is_form = self._state is not None or self.fields.root is not None
        return tuple(mode for mode in lines.MODES if mode != "form" or is_form)

    def switch(self, to: str | None = None) -> None:
        """Turn to a mode, or to the next one, carrying over what keeps its meaning. What was broken and not edited is
        mended.
        """
        if self._document.broken is not None and not self._envelope.is_edited(self._document):
            self.mend()
            if not self._document.whole:
                self.focus_target().focus()
                return
        now, offered = self.mode, self.offered
        to = to or offered[(offered.index(now) + 1) % len(offered)]
        if to == now:
            return
        document, waits = self.document, self.waits
        if document.whole:
            arguments, why = arguments_in(self._envelope.text, document.tool)
            if arguments is None:
                # Broken arguments in a whole envelope go round with the modes; a broken envelope stays.
                arguments = self._envelope.around(self._document)
                document = self._document
            if arguments is None:
                self.tell(f"The envelope is kept: {why}, and JSON mode shows arguments only.")
                return
            held = self._document.arguments
            # The white space around them is not in the envelope, and nobody took it away.
            document = replace(document, arguments=held if held.strip(" \t\r\n") == arguments else arguments)
        self._wish = to
        self.load(replace(document, whole=to == "envelope"))
        if now == "envelope" and document.frame is not None:
            self.tell("Your own envelope is kept around these arguments and sent with them; f2 shows it.")
        elif waits:
            self.tell(f"One text waits in the form and is not in here: {waits}")
        self.focus_target().focus()

    # ----------------------------------------------------------------------- what changes

    def loaded(self) -> None:
        """Another document is there."""
        self._findings, self.refused = (), ""
        self._checker.stop()
        self._show_mode()
        self._check()
        if self._document.arguments != "{}":
            self._check_schema()

    def changed(self) -> None:
        """The text changed."""
        self._check()
        self._check_schema()

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        """Check what was typed, at once or, for a large text, when the typing pauses."""
        event.stop()
        area = self._shown_area
        if event.text_area is not area or self._dresser is None or self._state is not None:
            return
        if area.kept != self._told[1]:
            self._told = ("", "")
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        if area.document.end[0] < 400 and len(area.text) < _SLOW_CHECK:
            self.changed()
        else:
            self._timer = self.set_timer(0.3, self.changed)

    def on_form_frame_changed(self, event: FormFrame.Changed) -> None:
        """A value of the form changed."""
        event.stop()
        if self._told[0]:
            self._told = ("", "")
        self.changed()

    def on_json_area_nothing_to_undo(self, event: JsonArea.NothingToUndo) -> None:
        """Undo beyond the first edit."""
        event.stop()
        self.post_message(self.BackWanted())

    def on_form_pane_back_wanted(self, event: FormPane.BackWanted) -> None:
        """Undo beyond the first change."""
        event.stop()
        self.post_message(self.BackWanted())

    def on_click(self, event: events.Click) -> None:
        """A click on the line of modes turns to that one, beside the names to the next."""
        if event.widget is not None and event.widget.id == "modes":
            self.post_message(self.ModeWanted(lines.mode_at(event.x, self.offered)))

    # ----------------------------------------------------------------------- what is said

    def _check(self) -> None:
        """Look at the text again, and say what is found."""
        self.show_finding()
        self.show_headers()
        self._show_broken()

    def _check_schema(self) -> None:
        """Look for what the schema has against the form, when the keys rest; a text area asks by itself."""
        tool = self._dresser.tool() if self._dresser is not None else None
        if tool is None or self._state is None:
            self._checker.stop()
        else:
            self._checker.want(self.text, tool.definition.get("inputSchema"))

    def _found(self, findings: tuple[Finding, ...]) -> None:
        self._findings = findings
        if self._state is not None:
            by_place: dict[str, tuple[str, ...]] = {}
            for one in findings:
                if one.is_fault:
                    by_place[one.pointer] = (*by_place.get(one.pointer, ()), one.words)
            self.form.show_findings(by_place)
        self.show_finding()

    def show_finding(self) -> None:
        """What is to be said of the text, in the line below."""
        if self._told[0]:
            self._show_finding("")
        elif self._state is not None:
            self._show_finding(self.waits)
        else:
            self.find(self.text)

    def _show_finding(self, found: str) -> None:
        from olv_tui.view.form_rows import path_words

        is_form = self._state is not None
        said = [f"{path_words(one.pointer)}: {one.words}" for one in self._findings] if is_form else []
        if self.refused and self.mode == "json":
            said = [self.refused]
        idle = self.fields.nothing_due if self.mode == "json" and self.text.strip() == "{}" else ""
        content = lines.finding(
            self._told[0], found, said, is_form=is_form, is_ready=self._dresser is not None, idle=idle
        )
        self.set_class(is_form and not content.plain, "-calm")
        self.query_one("#finding", Say).say(content, layout=True)

    def _show_mode(self) -> None:
        self.set_class(self._document.whole, "-whole")
        self.set_class(self._state is not None, "-form")
        self.query_one("#modes", Say).say(lines.modes(self.mode, self.offered))
        title = one_line(self._document.title, 80)
        self.tell_title(f"Editor · {title}" if title else "Editor")

    def show_headers(self) -> None:
        """The headers that go with the envelope, or with a request that has some of its own."""
        document = self._document
        own = bool(document.headers or document.without)
        self.set_class(own, "-own-headers")
        if (not document.whole and not own) or self._dresser is None:
            return
        shown = self._dresser.headers(self.whole_text(), document.headers, document.without)
        self.query_one("#headers", Say).say(lines.headers(shown, document), layout=True)

    def _show_broken(self) -> None:
        held = self._document
        odd = held.whole and self._envelope_area.holds_bytes
        self.set_class(held.broken is not None or odd, "-broken")
        edited = held.broken is not None and self._envelope.is_edited(held)
        self.query_one("#broken", Say).say(lines.broken(held.broken, edited=edited, odd=odd), layout=True)
