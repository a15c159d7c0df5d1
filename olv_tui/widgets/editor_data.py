"""What the editor holds: one document, its text in three modes, and the ways in and out.

Rules of this file:

* What is sent is what stands here, byte for byte (widgets/json_area.py). Nothing is put in that was not set.
* Where a form cannot hold a text, it says so and the text stays as JSON.
* Text areas and form are made when there is something for them, after the list of tools was painted: their import,
  styles and lines took 7 % of the time to the first paint.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from olv_tui.widgets.document import Document, Sending, id_in, with_arguments, with_id
from olv_tui.widgets.editor_envelope import EnvelopeMode
from olv_tui.widgets.editor_fields import ToolFields
from olv_tui.widgets.editor_schema import SchemaPane

if TYPE_CHECKING:
    from textual.widget import Widget

    from olv_tui.mcp.templates import Template
    from olv_tui.model import Header, Tool
    from olv_tui.widgets.form_pane import FormPane
    from olv_tui.widgets.form_state import FormState
    from olv_tui.widgets.json_area import JsonArea


@dataclass(frozen=True, slots=True)
class Dresser:
    """How a request will look: the body for (tool, arguments, id), the headers for an envelope with headers of its
    own and without some of ours, the next id, the envelope of (template, id); and the tool that is edited.
    """

    body: Callable[[str, str, str], str]
    headers: Callable[[str, tuple[Header, ...], tuple[str, ...]], tuple[Header, ...]]
    next_id: Callable[[], str]
    request: Callable[[Template, str], str]
    tool: Callable[[], Tool | None] = lambda: None


def _area(name: str) -> JsonArea:
    from olv_tui.widgets.json_area import JsonArea

    return JsonArea(id=name)


class EditorData(SchemaPane):
    """The document of the editor and the widgets that hold its text; the class below it says what is said of it.

    `mode` is the one that the reader wants, None for a form where there can be one.
    """

    def __init__(self, mode: str | None) -> None:
        super().__init__(id="editor")
        self._document = Document(None)
        self._dresser: Dresser | None = None
        self._envelope = EnvelopeMode(lambda: self._envelope_area, lambda: self._dresser)
        self._state: FormState | None = None
        self._wish = mode
        self._has_area = False
        self.fields = ToolFields(lambda: self._dresser.tool() if self._dresser is not None else None)
        self._told = ("", "")

    def focus_target(self) -> Widget:
        """What is edited in the present mode."""
        if self._state is not None:
            return self.form.focus_target()
        if not self._document.whole:
            self._lay()
        return self._shown_area

    @cached_property
    def _arguments(self) -> JsonArea:
        area = _area("arguments")
        area.source = lambda: self.source(self._document.tool)
        return area

    @cached_property
    def _envelope_area(self) -> JsonArea:
        return _area("envelope")

    @cached_property
    def form(self) -> FormPane:
        """The form; made when it is first wanted."""
        from olv_tui.widgets.form_pane import FormPane

        return FormPane()

    @property
    def _shown_area(self) -> JsonArea:
        return self._envelope_area if self._document.whole else self._arguments

    def _lay(self) -> None:
        """Mount the text area of the arguments, once, with the text that is edited."""
        if not self._has_area:
            self._has_area = True
            self.mount(self._arguments, before="#finding")
            self._arguments.give(self._document.arguments)

    def _mount_form(self, state: FormState) -> None:
        if not self.form.is_attached:
            self.mount(self.form, before="#finding")
        self.form.show(state)

    # ----------------------------------------------------------------------- data in, state out

    def set_dresser(self, dresser: Dresser) -> None:
        """Say how calls are dressed, again when the era became known: an untouched envelope follows."""
        self._dresser = dresser
        if self._document.whole and self._envelope.is_stale(self._document):
            self.load(replace(self._document, frame=None))
        self.show_headers()

    @property
    def mode(self) -> str:
        """The present mode: form, json or envelope."""
        return "envelope" if self._document.whole else "json" if self._state is None else "form"

    @property
    def document(self) -> Document:
        """What is being edited, with the text as it stands now."""
        held = self._document
        if held.whole:
            return self._envelope.document(held)
        return replace(held, arguments=self.text, form=self._state or held.form)

    def load(self, document: Document) -> None:
        """Edit another document, in the mode it was left in; a plain call in the mode that the reader chose last."""
        if self._wish is not None and document.is_plain and self.fields.root is not None:
            document = replace(document, whole=self._wish == "envelope")
        self._told = ("", "")
        state, why = (None, "") if document.whole or self._wish == "json" else self.fields.form_of(document)
        self._document, self._state = document, state
        if document.whole:
            if not self._envelope_area.is_attached:
                self.mount(self._envelope_area, before="#finding")
            self._document = self._envelope.load(document)
        elif state is not None:
            self._mount_form(state)
        elif self._has_area:
            self._arguments.give(document.arguments)
        else:
            self.call_after_refresh(self._lay)
        self.loaded()
        if why and self._wish == "form":
            self.tell(f"A form cannot hold this text ({why}), so it stands here as JSON.")

    def sending(self) -> Sending:
        """What a send now would send."""
        document = self.document
        plain = not (document.whole or document.headers or document.without) and document.frame is None
        body = None if plain else self.whole_text()
        return Sending(document.tool, document.arguments, body, document.headers, document.without)

    @property
    def waits(self) -> str:
        """Why nothing can be sent from the form: a text in it is no value yet. "" elsewhere."""
        return self._state.waits if self._state is not None else ""

    def whole_text(self) -> str:
        """The envelope as it stands, or as it would in envelope mode."""
        document = self.document
        if document.whole:
            return self._envelope.text
        if document.frame is not None:
            return with_arguments(document.frame, document.arguments)
        return self._envelope.plain(document, None)

    def renumber(self) -> None:
        """Follow the id counter where the envelope still has the id that the program put in."""
        document = self._document
        if self._dresser is None or document.auto_id is None:
            return
        identity = self._dresser.next_id()
        if identity == document.auto_id:
            return
        if document.whole:
            if not self._envelope.renumber(document, identity):
                return
        elif document.frame is not None and id_in(document.frame) == document.auto_id:
            document = replace(document, frame=with_id(document.frame, identity))
        self._document = replace(document, auto_id=identity)

    @property
    def text(self) -> str:
        """The text of the present mode; of a form its arguments."""
        if self._state is not None:
            return self._state.text
        if self._document.whole:
            return self._envelope.text
        return self._arguments.kept if self._has_area else self._document.arguments

    def tell(self, sentence: str) -> None:
        """Say something of the text as it stands: in the line below, until that changes or is sent."""
        self._told = (sentence, self.text)
        self.show_finding()

    def hush(self) -> None:
        """What was told is over."""
        if self._told[0]:
            self._told = ("", "")
            self.changed()

    @property
    def begins_with_form(self) -> bool:
        """Whether the selected tool would be shown as a form."""
        return self._wish in (None, "form") and self.fields.root is not None

    # ----------------------------------------------------------------------- for the class below

    def loaded(self) -> None:
        """Another document is there."""
        raise NotImplementedError

    def changed(self) -> None:
        """The text changed."""
        raise NotImplementedError

    def show_finding(self) -> None:
        """What is said of the text changed."""
        raise NotImplementedError

    def show_headers(self) -> None:
        """The headers of the request may have changed."""
        raise NotImplementedError
