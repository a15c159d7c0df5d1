"""One request as it is edited: arguments or the whole envelope, and the way from one to the other.

Rules of this file:

* Pure, no Textual. Text is kept as typed; what carries over is cut out and put in by span, never re-written.
* An envelope that holds more than a plain call (an id typed by hand, a further member) is kept as the frame
  of the arguments: what is sent is that frame with the arguments in it. Nothing is dropped silently.
* jsontext is imported where it is used: the first paint does without it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from olv_tui.model import Object, Value

if TYPE_CHECKING:
    from olv_tui.mcp.templates import Template
    from olv_tui.model import Header
    from olv_tui.widgets.form_state import FormState

_NO_UTF8 = re.compile("[\udc80-\udcff]")
"""A byte that is no UTF-8, as `view.bytetext.as_text` writes it."""


@dataclass(frozen=True, slots=True)
class Document:
    """What is being edited for one tool, or for one request of another kind (`template`).

    `frame` is an envelope of the reader's own, None for the plain call of `tool` or the plain `template`.
    `auto_id` is the id text that the program put into the frame or the shown envelope: while it stands there it
    follows the counter. `headers` and `without` change the headers of this request alone. `broken` is what was
    broken on purpose. `form` is what belongs to the arguments as a form: texts that are no value yet, the way back.
    """

    tool: str | None
    arguments: str = "{}"
    frame: str | None = None
    auto_id: str | None = None
    whole: bool = False
    template: Template | None = None
    headers: tuple[Header, ...] = ()
    without: tuple[str, ...] = ()
    broken: Broken | None = None
    form: FormState | None = field(default=None, compare=False, repr=False)

    @property
    def is_plain(self) -> bool:
        """Whether it is a call of a tool with no envelope of its own."""
        return self.tool is not None and self.frame is None and self.broken is None

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to edit yet."""
        return self.tool is None and self.template is None and self.frame is None

    @property
    def title(self) -> str:
        """What it is a request for."""
        if self.tool is not None:
            return self.tool
        return self.template.key if self.template is not None else ""

    def framed(self, envelope: str) -> Document:
        """The same with this envelope as the reader's own, in envelope mode."""
        arguments, _ = arguments_in(envelope, self.tool)
        kept = self.arguments if arguments is None else arguments
        return replace(self, frame=envelope, arguments=kept, whole=True)


@dataclass(frozen=True, slots=True)
class Broken:
    """What was broken on purpose: the names of it, the rule, what a right server answers, and how it was before.

    `edited`: the reader changed the broken request afterwards, so taking it back would lose that.
    """

    names: tuple[str, ...]
    rule: str
    answer: str
    before: Document
    edited: bool = False


@dataclass(frozen=True, slots=True)
class Sending:
    """What is to be sent: a plain call (`body` None, id not chosen yet) or a body exactly as it stands."""

    tool: str | None
    arguments: str
    body: str | None = None
    headers: tuple[Header, ...] = ()
    without: tuple[str, ...] = ()


def finding(text: str) -> str:
    """What keeps `text` from being JSON, with line and column; nothing for sound JSON."""
    from olv_tui import jsontext

    if (odd := _NO_UTF8.search(text)) is not None:
        before = text[: odd.start()]
        place = f"line {before.count(chr(10)) + 1}, column {odd.start() - before.rfind(chr(10))}"
        return f"{place}: the byte {ord(odd[0]) - 0xDC00:02X} is no UTF-8 here"
    try:
        jsontext.loads(text)
    except jsontext.JsonError as error:
        return f"line {error.line}, column {error.column}: {error}"
    return ""


def arguments_in(envelope: str, tool: str | None) -> tuple[str | None, str]:
    """The text of the arguments in an envelope that calls `tool`, or None and why there is none."""
    from olv_tui import jsontext

    try:
        value = jsontext.loads(envelope)
    except jsontext.JsonError as error:
        return None, f"the envelope is no JSON ({error})"
    if _NO_UTF8.search(envelope):
        return None, "the envelope holds bytes that are no UTF-8"
    if not isinstance(value, Object):
        return None, "the envelope is no object"
    method = value.get("method")
    if method != "tools/call":
        return None, "its method is not tools/call"
    params = value.get("params")
    if not isinstance(params, Object):
        return None, "its params are no object"
    name = params.get("name")
    if not isinstance(name, str) or name != tool:
        return None, f"it calls another tool than {tool}" if tool is not None else "it belongs to no tool of the list"
    if not isinstance(params.get("arguments"), Object):
        return None, "its arguments are no object"
    place = jsontext.span(envelope, "/params/arguments")
    if place is None:
        return None, "its arguments could not be found"
    return envelope[place[0] : place[1]], ""


def arguments_place(envelope: str) -> tuple[int, int] | None:
    """Where the arguments stand in an envelope, None where there are none."""
    from olv_tui import jsontext

    try:
        return jsontext.span(envelope, "/params/arguments")
    except jsontext.JsonError:
        return None


def with_arguments(envelope: str, arguments: str) -> str:
    """The envelope with other arguments in the same place; unchanged where it has none."""
    return _replaced(envelope, "/params/arguments", arguments)


def id_in(envelope: str) -> str | None:
    """The text of the id in an envelope, None where there is none or the envelope cannot be read."""
    from olv_tui import jsontext

    try:
        place = jsontext.span(envelope, "/id")
    except jsontext.JsonError:
        return None
    return envelope[place[0] : place[1]] if place else None


def with_id(envelope: str, identity: str) -> str:
    """The envelope with another id; unchanged where it has none."""
    return _replaced(envelope, "/id", identity)


def same_call(envelope: str, plain: str, *, auto_id: str | None) -> bool:
    """Whether an envelope says no more than the plain call, the id that the program chose aside."""
    from olv_tui import jsontext

    try:
        mine, other = jsontext.loads(envelope), jsontext.loads(plain)
    except jsontext.JsonError:
        return False
    if not isinstance(mine, Object) or not isinstance(other, Object) or mine.pairs or other.pairs:
        return False
    left: dict[str, Value] = dict(mine)
    right: dict[str, Value] = dict(other)
    if id_in(envelope) == auto_id and auto_id is not None:
        left.pop("id", None)
        right.pop("id", None)
    return left == right


def _replaced(envelope: str, pointer: str, text: str) -> str:
    from olv_tui import jsontext

    try:
        place = jsontext.span(envelope, pointer)
    except jsontext.JsonError:
        return envelope
    return envelope if place is None else envelope[: place[0]] + text + envelope[place[1] :]
