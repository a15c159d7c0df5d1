"""The envelope's details in a panel: id, version, further members, headers of this one request.

Rules of this file:

* Only what was changed in the panel is changed in the text, and exactly (view/envelope.py): the rest stays as
  typed. Whatever JSON-RPC thinks of a value, it can be set.
* Headers have to be headers: a line that is none is named and the panel stays.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import Input, Static, TextArea

from olv_tui.screens.modal import Modal
from olv_tui.view import envelope
from olv_tui.view.safe import one_line
from olv_tui.widgets.choice_line import ChoiceLine
from olv_tui.widgets.pane import Say

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from olv_tui.model import Header

KINDS = ("integer", "string", "fraction", "null", "none")
"""What an id can be: `none` makes the request a notification."""


@dataclass(frozen=True, slots=True)
class Details:
    """An envelope text with the headers of its own and the names of those it goes without."""

    text: str
    headers: tuple[Header, ...] = ()
    without: tuple[str, ...] = ()


def kind_of(identity: str | None) -> str:
    """The word of `KINDS` for the text of an id; nothing for what is none of them."""
    if identity is None:
        return "none"
    if identity.startswith('"'):
        return "string"
    if identity.lstrip("-").isdigit():
        return "integer"
    return "null" if identity == "null" else "fraction" if identity.lstrip("-")[:1].isdigit() else ""


def read_headers(text: str) -> tuple[tuple[Header, ...], tuple[str, ...]]:
    """Lines of `Name: value`, and of `-Name` for a header to leave out. Raises UsageError that names the line."""
    from olv_tui.config import UsageError, parse_header

    headers: list[Header] = []
    without: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            if line.startswith("-") and ":" not in line:
                without.append(parse_header(line[1:] + ":")[0])
            else:
                headers.append(parse_header(line))
        except UsageError as error:
            raise UsageError(f"line {number}: {error}".replace(" on the command line", "")) from error
    return tuple(headers), tuple(without)


def write_headers(headers: tuple[Header, ...], without: tuple[str, ...]) -> str:
    """The lines that `read_headers` reads."""
    return "\n".join([*(f"{name}: {value}" for name, value in headers), *(f"-{name}" for name in without)])


class EnvelopeScreen(Modal[Details | None]):
    """Gives the changed details, or None."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", "Back", id="envelope.back"),
        Binding("ctrl+j,alt+enter,f9", "take", "Take", priority=True, id="envelope.take"),
    ]

    DEFAULT_CSS = """
    EnvelopeScreen { align: center middle; background: $background 60%; }
    EnvelopeScreen .box { width: 84; padding: 0 1; }
    EnvelopeScreen Horizontal { height: 1; margin-bottom: 1; }
    EnvelopeScreen .label { width: 16; color: $foreground 70%; }
    EnvelopeScreen ChoiceLine { width: 1fr; }
    EnvelopeScreen Input, EnvelopeScreen Input:focus {
        border: none; height: 1; padding: 0 1; width: 1fr; background: $foreground 8%;
    }
    EnvelopeScreen TextArea, EnvelopeScreen TextArea:focus {
        border: none; height: 4; padding: 0 1; background: $foreground 8%;
    }
    EnvelopeScreen Static.note { color: $foreground 60%; }
    EnvelopeScreen #said { height: auto; min-height: 1; color: $text-warning; }
    """

    def __init__(self, details: Details, next_id: str) -> None:
        super().__init__()
        self._details = details
        self._next = next_id
        text = details.text
        self._id = envelope.value_in(text, "/id")
        self._version = envelope.value_in(text, "/jsonrpc")
        self._extras = envelope.extras(text)
        self._editable = envelope.members(text) is not None

    def compose(self) -> ComposeResult:
        """A line for each detail; where the body is no object, the headers alone."""
        with VerticalScroll(classes="box", can_focus=False) as box:
            box.border_title = Content("Envelope of this request")
            box.border_subtitle = Content("ctrl+j takes · Esc goes back")
            if self._editable:
                yield self._row("id", ChoiceLine(KINDS, kind_of(self._id), id="kind"))
                yield self._row("id as JSON", self._input(self._id or "", "empty: no id, a notification", "id"))
                yield self._row("jsonrpc", self._input(self._version or "", "empty: left out", "jsonrpc"))
                yield self._row("more members", self._input(self._extras, '"trace":"a1","priority":2', "extras"))
            else:
                yield Static("The body is no JSON object: its members cannot be set from here.\n", classes="note")
            yield Static("headers of this one request: Name: value, and -Name leaves one out", classes="note")
            area = TextArea(write_headers(self._details.headers, self._details.without), id="own-headers")
            area.cursor_blink = False
            yield area
            yield Say(id="said")

    @staticmethod
    def _row(label: str, field: Input | ChoiceLine) -> Horizontal:
        return Horizontal(Static(Content(label), classes="label"), field)

    @staticmethod
    def _input(value: str, placeholder: str, name: str) -> Input:
        field = Input(value, placeholder=placeholder, id=f"field-{name}", select_on_focus=False)
        field.cursor_blink = False
        return field

    def on_choice_line_changed(self, event: ChoiceLine.Changed) -> None:
        """Another kind of id: the same number in that kind."""
        now = self.query_one("#field-id", Input)
        digits = "".join(letter for letter in now.value.split(".")[0] if letter.isdigit()) or self._next
        texts = {"string": f'"{digits}"', "fraction": f"{digits}.5", "null": "null", "none": ""}
        now.value = texts.get(event.value, self._next)

    def on_input_changed(self, event: Input.Changed) -> None:
        """The kind follows an id that is typed."""
        if event.input.id == "field-id":
            self.query_one(ChoiceLine).show(kind_of(event.value.strip() or None))

    def action_take(self) -> None:
        """Close with what was changed, unless a header is none."""
        from olv_tui.config import UsageError

        try:
            headers, without = read_headers(self.query_one("#own-headers", TextArea).text)
        except UsageError as error:
            self.query_one("#said", Say).say(Content(one_line(str(error), 300)), layout=True)
            return
        self.dismiss(Details(self._text() if self._editable else self._details.text, headers, without))

    def _text(self) -> str:
        text = self._details.text
        for name, before in (("jsonrpc", self._version), ("id", self._id)):
            now = self.query_one(f"#field-{name}", Input).value.strip() or None
            if now != before:
                text = envelope.set_member(text, name, now) or text
        extras = self.query_one("#field-extras", Input).value
        if extras != self._extras:
            text = envelope.with_extras(text, extras) or text
        return text
