"""What is typed into a field, as JSON text; and what a field's editor shows for a JSON text.

Rules of this file:

* In a string field every character typed is meant, digits and blanks too. In a number field a number keeps the
  digits it was typed with. Nothing is guessed: what does not fit the field is a `Problem`.
"""

from __future__ import annotations

from olv_tui import jsontext
from olv_tui.model import Number
from olv_tui.schema.fields import Field, Kind
from olv_tui.schema.problems import Problem, sound
from olv_tui.schema.words import shown


def typed(of: Field, text: str) -> str | Problem:
    """The JSON text that typing `text` into a field means.

    String: the text itself. Number and integer: a JSON number as it is. Boolean: true or false. Enum and const:
    the option of that label, or of that JSON text. All others: JSON text.
    """
    if of.kind is Kind.STRING:
        return jsontext.dumps(text)
    if of.kind in (Kind.ENUM, Kind.CONST):
        return _option(of, text)
    plain = text.strip(" \t\n\r")
    problem = sound(plain, of.pointer, lambda _: True)
    if of.kind in (Kind.INTEGER, Kind.NUMBER, Kind.BOOLEAN):
        value = None if problem else jsontext.loads(plain)
        wanted = bool if of.kind is Kind.BOOLEAN else Number
        if isinstance(value, wanted):
            return plain
        due = {Kind.BOOLEAN: "true or false", Kind.INTEGER: "an integer"}.get(of.kind, "a number")
        return Problem(f"{shown(text, quoted=True)} is not {due}", of.pointer)
    return problem or plain


def as_typed(of: Field, text: str) -> str:
    """What the editor of a field shows for the JSON text of its value: a string without quotes and escapes."""
    if of.kind is Kind.STRING:
        value = jsontext.loads(text)
        if isinstance(value, str):
            return value
    return text


def _option(of: Field, text: str) -> str | Problem:
    for label, option in zip(of.option_labels, of.options, strict=True):
        if text == label:
            return jsontext.dumps(option)
    written = [jsontext.dumps(option) for option in of.options]
    if text.strip() in written:
        return text.strip()
    return Problem(f"{shown(text, quoted=True)} is none of its options", of.pointer)
