"""A question of the server as a form over the main screen, answered by keys.

Rules of this file:

* Everything the server wrote (message, names, titles, choices, address) is its text: made safe, never markup.
* An address is shown as text with its host named, and is never opened here.
* A call that is being sent cannot accept a question that came up under the fingers: the keys that send accept only
  once something was filled in here, or at the second press.
* Findings speak; the second press sends all the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Input, Select, SelectionList, Static

from olv_tui import jsontext
from olv_tui.screens.clipboard import copy_out
from olv_tui.screens.modal import Modal
from olv_tui.view.question import CANCEL, DECLINE, Field, Question, accepted, finding
from olv_tui.view.safe import one_line, visible

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual import events
    from textual.app import ComposeResult

_BORDERS = 5
"""Lines of the box that are border, or empty between its parts."""

_MESSAGE = 4_000
"""Characters of a message that are shown."""


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks: the target, the name the server gives itself (its word), and what it is asked for.

    `waits`: the server waits in the middle of a call, so leaving the form is an answer. `mask` hides secrets.
    """

    target: str
    server: str
    about: str
    waits: bool
    mask: Callable[[str], str]


class QuestionScreen(Modal[str | None]):
    """Gives the result as JSON text; None where the form was left without an answer.

    `is_ready` tells that all of it is laid out.
    """

    AUTO_FOCUS = ""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "accept", "Accept", priority=True, id="question.accept"),
        Binding("ctrl+j,alt+enter,f5", "accept_too", "Accept", show=False, priority=True, id="question.accept_too"),
        Binding("ctrl+d", "decline", "Decline", priority=True, id="question.decline"),
        Binding("ctrl+x", "cancel", "Cancel", priority=True, id="question.cancel"),
        Binding("escape", "leave", "Leave", id="question.leave"),
        Binding("y", "copy", "Copy the address", id="question.copy"),
    ]

    DEFAULT_CSS = """
    QuestionScreen {
        align: center middle; background: $background 60%;
        .box { padding: 0 1; }
        #asker { color: $foreground 70%; }
        #message { height: auto; max-height: 6; margin: 1 0; padding: 0 1; background: $foreground 8%; }
        #fields { height: auto; }
        .label { height: auto; margin-top: 1; }
        #label-0 { margin-top: 0; }
        .finding { height: auto; color: $text-warning; display: none; }
        .finding.-told { display: block; }
        Input, Input:focus { border: none; height: 1; padding: 0 1; background: $foreground 10%; }
        Input:focus { background: $primary 30%; }
        Select { height: auto; }
        SelectionList { height: auto; max-height: 6; border: none; padding: 0; background: $foreground 8%; }
        #keys { height: auto; margin-top: 1; }
    }
    """

    def __init__(self, question: Question, asker: Asker) -> None:
        super().__init__()
        self._question = question
        self._asker = asker
        self._warned: list[str] = []
        self._gone = False
        self.is_ready = False
        self._first: dict[str, str] = {}
        self._pressed = False

    def compose(self) -> ComposeResult:
        """Who asks and what, the fields, the keys."""
        question, asker = self._question, self._asker
        with Vertical(classes="box") as box:
            box.border_title = Content("The server asks you")
            by = f" ({one_line(asker.server, 60)}, its own word)" if asker.server else ""
            yield Static(Content(f"{one_line(asker.target, 60)}{by} · {one_line(asker.about, 80)}"), id="asker")
            with VerticalScroll(id="message", can_focus=False):
                yield Static(Content(self._shown(question.message[:_MESSAGE]) or "(it does not say why)"))
            with VerticalScroll(id="fields", can_focus=False):
                if question.mode == "url":
                    yield Static(self._address())
                for number, field in enumerate(question.fields):
                    yield from self._field(number, field)
                if question.left_out:
                    yield Static(Content(f"{question.left_out:,} more fields are not offered and stay empty."))
            yield Static(_keys(waits=self._asker.waits), id="keys")

    def _shown(self, text: str) -> str:
        return visible(self._asker.mask(text))

    def _line(self, text: str, limit: int) -> str:
        return one_line(self._asker.mask(text), limit)

    def _address(self) -> Content:
        question = self._question
        host = one_line(question.host, 200) or "(no host can be read in it)"
        return Content.assemble(
            ("It asks you to open a page of ", ""),
            (host, "bold $text-warning"),
            (" yourself:\n\n", ""),
            (self._shown(question.url[:_MESSAGE]) or "(no address)", "underline"),
            (
                "\n\nNothing is opened here; y copies the address. Accepting tells the server that you agree, no more.",
                "",
            ),
        )

    def _field(self, number: int, field: Field) -> ComposeResult:
        """Label, widget, room for a finding."""
        mark = ("* ", "bold $text-warning") if field.required else ("", "")
        hints = " · ".join(("required" if field.required else "optional", *field.hints))
        label = [(self._line(field.label, 80) + " ", "bold"), mark, (self._line(hints, 300), "$foreground 60%")]
        if field.about:
            label.append(("\n" + self._line(field.about, 300), "$foreground 80%"))
        yield Static(Content.assemble(*label), id=f"label-{number}", classes="label")
        yield self._widget(field, f"field-{number}")
        yield Static("", id=f"finding-{number}", classes="finding", markup=False)

    def _widget(self, field: Field, name: str) -> Input | Select[str] | SelectionList[str]:
        if field.kind == "choices":
            start = jsontext.loads(field.default) if field.default else []
            chosen = {jsontext.dumps(one) for one in start} if isinstance(start, list) else set()
            options = [(Content(self._line(one.label, 80)), one.text, one.text in chosen) for one in field.choices]
            return SelectionList[str](*options, id=name, compact=True)
        if field.kind in ("choice", "boolean"):
            pairs = [(one.label, one.text) for one in field.choices] or [("yes", "true"), ("no", "false")]
            value = field.default or Select.NULL
            return Select[str](
                [(Content(self._line(label, 80)), text) for label, text in pairs],
                prompt="not chosen", value=value, id=name, compact=True,
            )  # fmt: skip
        # A default that a line cannot hold is told in the hints and not filled in: what is shown is what is sent.
        fits = one_line(field.default) == field.default
        line = Input(field.default if fits else "", id=name, select_on_focus=False)
        line.cursor_blink = False
        return line

    # ----------------------------------------------------------------------- room

    def on_mount(self) -> None:
        """Begin in the first field; the fields get their room once it is known how much there is."""
        self._first = self._values()
        self.query_one(".box").styles.padding = (0, 1)
        if self._question.fields:
            self.query_one("#field-0").focus(scroll_visible=False)
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        self._fit()
        self.call_after_refresh(self._settle)

    def _settle(self) -> None:
        self.query_one("#fields", VerticalScroll).scroll_home(animate=False)
        self.is_ready = True

    def on_resize(self, event: events.Resize) -> None:  # noqa: ARG002
        """The fields scroll in the room that message and keys leave."""
        self._fit()

    def _fit(self) -> None:
        heights = (self.query_one(f"#{name}").outer_size.height for name in ("asker", "message", "keys"))
        self.query_one("#fields").styles.max_height = max(self.app.size.height * 9 // 10 - sum(heights) - _BORDERS, 3)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Show a field with its label above it."""
        number = (event.widget.id or "").removeprefix("field-")
        if number.isdigit():
            region = self.query_one(f"#label-{number}").virtual_region.union(event.widget.virtual_region)
            self.query_one("#fields", VerticalScroll).scroll_to_region(region, animate=False, immediate=True)

    # ----------------------------------------------------------------------- the answer

    def _values(self) -> dict[str, str]:
        """The texts of the fields, "" for those left empty."""
        values: dict[str, str] = {}
        for number, field in enumerate(self._question.fields):
            widget = self.query_one(f"#field-{number}")
            if isinstance(widget, Input):
                values[field.name] = widget.value
            elif isinstance(widget, SelectionList):
                chosen = set(widget.selected)
                items = [one.text for one in field.choices if one.text in chosen]
                values[field.name] = f"[{','.join(items)}]" if items or field.required else ""
            elif isinstance(widget, Select):
                values[field.name] = widget.value if isinstance(widget.value, str) else ""
        return values

    def action_accept(self) -> None:
        """Accept with what was filled in; findings are told first, once for the same findings."""
        values = self._values()
        found = [finding(field, values[field.name]) for field in self._question.fields]
        for number, said in enumerate(found):
            line = self.query_one(f"#finding-{number}", Static)
            line.update(Content(f"! {said}" if said else ""))
            line.set_class(bool(said), "-told")
        if any(found) and found != self._warned:
            self._warned = found
            first = next(number for number, said in enumerate(found) if said)
            self.query_one(f"#field-{first}").focus()
            keys = Content.assemble(
                ("ctrl+s", "bold $text-accent"), " again sends it all the same · ", _keys(waits=self._asker.waits)
            )
            self.query_one("#keys", Static).update(keys)
            return
        self.dismiss(accepted(self._question, values))

    def action_accept_too(self) -> None:
        """Accept by a key that sends, where it was meant for this form."""
        if self._pressed or self._values() != self._first:
            self.action_accept()
            return
        self._pressed = True
        keys = Content.assemble(("ctrl+j", "bold $text-accent"), " again accepts · ", _keys(waits=self._asker.waits))
        self.query_one("#keys", Static).update(keys)

    def action_decline(self) -> None:
        """Say no."""
        self.dismiss(DECLINE)

    def action_cancel(self) -> None:
        """Answer that the question was closed."""
        self.dismiss(CANCEL)

    def action_leave(self) -> None:
        """Esc: an answer where the server waits for one, else none."""
        self.dismiss(CANCEL if self._asker.waits else None)

    def withdraw(self) -> None:
        """Nobody waits for the answer any more: go, now or when what lies over it is gone."""
        self._gone = True
        self._go()

    def on_screen_resume(self) -> None:
        """Go, where the question is gone."""
        self._go()

    def _go(self) -> None:
        if self._gone and self.is_active:
            self._gone = False  # once: the screen is still there for a moment
            self.dismiss(None)

    def action_copy(self) -> None:
        """Copy the address."""
        copy_out(self.app, self._question.url, "the address")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """There is an address to copy in one kind of question only."""
        return self._question.mode == "url" if action == "copy" else True

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter goes to the next field; it never accepts."""
        event.stop()
        self.focus_next()


def _keys(*, waits: bool) -> Content:
    """The line of keys; `waits`: Esc is an answer."""
    keys = [("ctrl+s", "accepts"), ("ctrl+d", "declines"), ("ctrl+x", "cancels")]
    if waits:
        keys[2] = ("Esc", "cancels")
    else:
        keys.append(("Esc", "sends nothing"))
    parts: list[str | tuple[str, str]] = []
    for key, what in keys:
        parts += [" · " if parts else "", (key, "bold $text-accent"), f" {what}"]
    return Content.assemble(*parts)
