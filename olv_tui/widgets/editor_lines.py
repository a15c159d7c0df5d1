"""The lines around the text of the editor: modes, headers, what was broken, findings.

Rules of this file: content out of plain values; text of a server or of the reader passes view/safe.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.content import Content

from olv_tui.view.safe import one_line

if TYPE_CHECKING:
    from olv_tui.model import Header
    from olv_tui.widgets.document import Broken, Document

MODES = {"form": "Form", "json": "JSON", "envelope": "Envelope"}
"""The modes in their order, and what they are called."""

_HINTS = {
    "form": "the arguments, field by field",
    "json": "the arguments",
    "envelope": "the whole body, as it will be sent",
}


def modes(now: str, offered: Sequence[str]) -> Content:
    """The modes there are, the present one marked, and what it shows."""
    on, off = "bold $text-primary underline", "$foreground 50%"
    parts = [Content.styled(MODES[mode], on if mode == now else off) for mode in offered]
    return Content.assemble(Content("  ").join(parts), ("   " + _HINTS[now], "$foreground 40%"))


def mode_at(x: int, offered: Sequence[str]) -> str | None:
    """The mode whose name stands in a column of that line."""
    at = 1  # the padding
    for mode in offered:
        if at <= x < at + len(MODES[mode]):
            return mode
        at += len(MODES[mode]) + 2
    return None


def headers(shown: Sequence[Header], document: Document) -> Content:
    """The headers that go with a request, those of its own marked, and those it goes without."""
    own = {name.lower() for name, _ in document.headers}
    parts = [
        Content.styled(
            f"{one_line(name, 60)}: {one_line(value, 120)}", "bold $text-accent" if name.lower() in own else ""
        )
        for name, value in shown
    ]
    parts += [Content.styled(f"without {one_line(name, 60)}", "bold $text-warning") for name in document.without]
    return Content(" · ").join(parts)


def broken(what: Broken | None, *, edited: bool, odd: bool) -> Content:
    """What was broken on purpose, and whether bytes that are no text are kept (`odd`)."""
    parts: list[tuple[str, str] | str] = []
    if what is not None:
        names = ", ".join(what.names)
        told = f"broken: {names}, then edited. " if edited else f"broken: {names} ({what.rule}). "
        parts += [(told, "bold $text-warning"), f"A right server answers: {what.answer}."]
    if odd:
        parts.append((" Bytes that are no text are kept as they are until this text is edited.", "$text-accent"))
    return Content.assemble(*parts)


def finding(
    told: str, no_json: str, schema: Sequence[str], *, is_form: bool, is_ready: bool, idle: str = ""
) -> Content:
    """The line below: what was told, what keeps the text from being JSON, what the schema has against it; `idle` is
    said of a tool that has nothing to fill in.
    """
    if told:
        return Content.styled(one_line(told, 400), "$text-warning")
    if no_json:
        return Content.styled(f"✗ {'' if is_form else 'no JSON: '}{one_line(no_json, 300)}", "$text-error")
    if not schema:
        return Content.styled(f"✓ {idle or 'JSON'}" if is_ready and not is_form else "", "$text-success")
    if not is_form:  # the text area counts them itself, and marks their places
        return Content.styled(f"! {one_line(schema[0], 400)}", "$text-warning")
    many = "1 finding" if len(schema) == 1 else f"{len(schema)} findings"
    key = " · ctrl+f goes to the next, f7 w lists them" if is_ready else ""
    return Content.assemble((f"{many}: {one_line(schema[0], 160)}", "$text-warning"), (key, "$foreground 60%"))
