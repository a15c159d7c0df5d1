"""A question of a server (elicitation/create) as fields to fill in, and what was filled in as its answer.

Rules of this file (2025-11-25 and 2026-07-28 client/elicitation):

* A form is flat: text, numbers, yes or no, a choice, several choices. Anything else is a field of JSON.
* Findings speak and never block: a wrong answer can be sent on purpose. What is no number goes out as text.
* Patterns of a server are shown and not run: a regular expression can take for ever on a short text.
* Nothing is made safe here but what is made of server text; whoever shows a text passes it through view/safe.py.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from urllib.parse import urlsplit

from olv_tui import jsontext
from olv_tui.model import Number, Object, Value

FIELDS = 100
"""Fields of a form that are offered; a server that asks for more is answered without them."""

CHOICES = 500
"""Choices that are listed; a longer list is a field for one of them."""

MODES = ("form", "url")
"""The modes that are offered here."""

DECLINE, CANCEL = '{"action":"decline"}', '{"action":"cancel"}'

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.0+)?")
_LONGEST_NUMBER = 300
_LIMITS = (
    ("minLength", "at least {} characters"),
    ("maxLength", "at most {} characters"),
    ("minimum", "from {}"),
    ("maximum", "up to {}"),
    ("minItems", "at least {} of them"),
    ("maxItems", "at most {} of them"),
    ("format", "format {}"),
    ("pattern", "pattern {}"),
)


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the values that are allowed: its JSON text, and the words for it."""

    text: str
    label: str


@dataclass(frozen=True, slots=True)
class Field:
    """A field. `kind` is string, number, integer, boolean, choice, choices or json; `default` is what it starts with:
    the text for the first three, JSON text for the others, "" for nothing.
    """

    name: str
    label: str
    about: str
    kind: str
    required: bool
    hints: tuple[str, ...] = ()
    choices: tuple[Choice, ...] = ()
    default: str = ""
    schema: Object = field(default_factory=Object)


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked. `mode` is form, url, or another word that this client does not know; `left_out` counts the
    fields beyond `FIELDS`; `host` is that of `url` in ASCII, "" where it cannot be read.
    """

    mode: str
    message: str
    fields: tuple[Field, ...] = ()
    left_out: int = 0
    url: str = ""
    host: str = ""


def read_question(params: Object) -> Question:
    """The question in the params of elicitation/create, whatever they hold."""
    mode, message, url = params.get("mode", "form"), params.get("message"), params.get("url")
    said = message if isinstance(message, str) else ""
    if mode == "url":
        address = url if isinstance(url, str) else ""
        return Question("url", said, url=address, host=_host(address))
    if mode != "form":
        return Question(mode if isinstance(mode, str) else jsontext.dumps(mode)[:40], said)
    schema = params.get("requestedSchema")
    properties = schema.get("properties") if isinstance(schema, Object) else None
    required = schema.get("required") if isinstance(schema, Object) else None
    wanted = required if isinstance(required, list) else []
    members = list(properties.items()) if isinstance(properties, Object) else []
    fields = tuple(_field(name, one, name in wanted) for name, one in members[:FIELDS])
    return Question("form", said, fields, max(len(members) - FIELDS, 0))


def _host(url: str) -> str:
    try:
        host = urlsplit(url).hostname or ""
        return host if host.isascii() else host.encode("idna").decode("ascii")
    except (ValueError, UnicodeError):
        return ""


def _field(name: str, schema: Value, required: bool) -> Field:
    given = schema if isinstance(schema, Object) else Object()
    title, about = given.get("title"), given.get("description")
    label = f"{title} ({name})" if isinstance(title, str) and title and title != name else name
    kind, choices = _kind(given)
    hints = [{"choice": "one of", "choices": "some of", "boolean": "yes or no", "json": "JSON"}.get(kind, kind)]
    if kind in ("choice", "choices"):
        hints = [f"{hints[0]} {len(choices)}"]
        if len(choices) > CHOICES:
            kind, choices = "json" if kind == "choices" else "string", ()
            hints.append("too many to list")
    hints += [words.format(_text(given[key])) for key, words in _LIMITS if key in given]
    default = _start(kind, choices, given["default"]) if "default" in given else ""
    if "default" in given:
        hints.append(f"default {_text(given['default'])}")
    return Field(
        name, label, about if isinstance(about, str) else "", kind, required, tuple(hints), choices, default, given
    )


def _text(value: Value) -> str:
    return (value if isinstance(value, str) else jsontext.dumps(value))[:80]


def _start(kind: str, choices: tuple[Choice, ...], default: Value) -> str:
    """The text that a field starts with."""
    text = jsontext.dumps(default)
    match kind:
        case "string":
            return default if isinstance(default, str) else ""
        case "number" | "integer":
            return text if isinstance(default, Number) else ""
        case "boolean":
            return text if isinstance(default, bool) else ""
        case "choice":
            return text if any(choice.text == text for choice in choices) else ""
    return text


def _kind(schema: Object) -> tuple[str, tuple[Choice, ...]]:
    """The kind of field, and what may be chosen."""
    choices = _choices(schema)
    if choices:
        return "choice", choices
    items = schema.get("items")
    if schema.get("type") == "array" and isinstance(items, Object):
        choices = _choices(items)
        if choices:
            return "choices", choices
    kind = schema.get("type")
    return (kind if kind in ("string", "number", "integer", "boolean") else "json"), ()  # type: ignore[return-value]


def _choices(schema: Object) -> tuple[Choice, ...]:
    """`enum` (with the older `enumNames`), or `oneOf`/`anyOf` of `const` with `title`."""
    enum, names = schema.get("enum"), schema.get("enumNames")
    if isinstance(enum, list):
        labels = names if isinstance(names, list) and len(names) == len(enum) else enum
        return tuple(Choice(jsontext.dumps(one), _text(label)) for one, label in zip(enum, labels, strict=True))
    for key in ("oneOf", "anyOf"):
        options = schema.get(key)
        if isinstance(options, list) and options and all(isinstance(one, Object) and "const" in one for one in options):
            return tuple(
                Choice(jsontext.dumps(one["const"]), _text(one.get("title", one["const"])))
                for one in options
                if isinstance(one, Object)
            )
    return ()


# --------------------------------------------------------------------------- the answer


def accepted(question: Question, values: Mapping[str, str]) -> str:
    """The result that accepts, as JSON text; `values` are the texts of the fields by name, "" for those left empty.

    A field left empty is left out, unless it is required text.
    """
    if question.mode != "form":
        return '{"action":"accept"}'
    members = []
    for one in question.fields:
        value = values.get(one.name, "")
        if value or (one.required and one.kind == "string"):
            members.append(f"{jsontext.dumps(one.name)}:{_written(one, value)}")
    return f'{{"action":"accept","content":{{{",".join(members)}}}}}'


def _written(field: Field, value: str) -> str:
    """A value as JSON: a number with its digits; what is not of its kind as text."""
    match field.kind:
        case "string":
            return jsontext.dumps(value)
        case "number" | "integer":
            return value.strip() if _NUMBER.fullmatch(value.strip()) else jsontext.dumps(value)
    return value if _is_json(value) else jsontext.dumps(value)


def _is_json(text: str) -> bool:
    try:
        jsontext.loads(text)
    except jsontext.JsonError:
        return False
    return True


def finding(field: Field, value: str) -> str:
    """What does not fit the field, in a few words; "" where all fits."""
    if not value:
        return "required" if field.required else ""
    match field.kind:
        case "integer":
            if not _INTEGER.fullmatch(value.strip()):
                return "not an integer: it goes out as it stands"
            return _range(field, value)
        case "number":
            if not _NUMBER.fullmatch(value.strip()):
                return "not a number: it goes out as text"
            return _range(field, value)
        case "string":
            return _length(field, len(value), "characters", "minLength", "maxLength")
        case "choices":
            chosen = jsontext.loads(value)
            count = len(chosen) if isinstance(chosen, list) else 0
            return _length(field, count, "of them", "minItems", "maxItems")
        case "json":
            return "" if _is_json(value) else "not JSON: it goes out as text"
    return ""


def _range(field: Field, value: str) -> str:
    number = _float(value.strip())
    least, most = _bound(field, "minimum"), _bound(field, "maximum")
    if number is not None and least is not None and number < least:
        return f"less than {_text(field.schema['minimum'])}"
    if number is not None and most is not None and number > most:
        return f"more than {_text(field.schema['maximum'])}"
    return ""


def _length(field: Field, count: int, what: str, least: str, most: str) -> str:
    low, high = _bound(field, least), _bound(field, most)
    if low is not None and count < low:
        return f"fewer than {_text(field.schema[least])} {what}"
    if high is not None and count > high:
        return f"more than {_text(field.schema[most])} {what}"
    return ""


def _bound(field: Field, key: str) -> float | None:
    value = field.schema.get(key)
    return _float(value.text) if isinstance(value, Number) else None


def _float(text: str) -> float | None:
    if len(text) > _LONGEST_NUMBER:
        return None
    value = float(text)
    return value if isfinite(value) else None
