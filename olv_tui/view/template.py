r"""The first text of an arguments editor, and JSON text made fit for a text area.

Rules of this file:

* Pure. The schema of a server is read with every shape in mind: what is no schema gives `{}`.
* Only required properties are put in: the rest is the reader's to add. A value the schema itself offers
  (`const`, the first of `examples`, `default`, the first of `enum`) goes before an empty one of its type.
* A `$ref` is followed inside the schema only, and nothing deeper than `_DEPTH`.
"""

from __future__ import annotations

import re

from olv_tui import jsontext
from olv_tui.model import Number, Object, Tool, Value

_DEPTH = 4

_EMPTY: dict[str, Value] = {
    "string": "",
    "integer": Number("0"),
    "number": Number("0"),
    "boolean": False,
    "null": None,
}

_UNFIT = re.compile(
    "[\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff\U000e0000-\U000e0fff]"
)


def template(tool: Tool) -> str:
    """The arguments to begin with: `{}`, or the required properties, two blanks an indent."""
    schema = tool.definition.get("inputSchema")
    if not isinstance(schema, Object):
        return "{}"
    value = _object(schema, schema, 0)
    return jsontext.dumps(value, indent=2) if value else "{}"


def editable(text: str) -> str:
    r"""JSON text with the characters that a text area would lose or hide written as `\uXXXX`.

    In JSON these stand in strings only, where the escape means the same. A text area takes U+2028 and
    U+0085 for line ends, and nobody can edit around a character that is not seen.
    """
    return _UNFIT.sub(_escape, text) if _UNFIT.search(text) else text


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code <= 0xFFFF:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"


def _object(schema: Object, root: Object, depth: int) -> Object:
    required = schema.get("required")
    properties = schema.get("properties")
    known = properties if isinstance(properties, Object) else Object()
    names = [name for name in required if isinstance(name, str)] if isinstance(required, list) else []
    return Object([(name, _value(known.get(name), root, depth + 1)) for name in dict.fromkeys(names)])


def _value(schema: Value, root: Object, depth: int) -> Value:
    """A value that this schema offers, else an empty one of its type, else the empty string."""
    if not isinstance(schema, Object) or depth > _DEPTH:
        return ""
    if "const" in schema:
        return schema["const"]
    for key in ("examples", "enum"):
        offered = schema.get(key)
        if key == "enum" and "default" in schema:
            return schema["default"]
        if isinstance(offered, list) and offered:
            return offered[0]
    if "default" in schema:
        return schema["default"]
    for key in ("anyOf", "oneOf", "allOf"):
        choices = schema.get(key)
        if isinstance(choices, list) and choices:
            return _value(choices[0], root, depth + 1)
    reference = schema.get("$ref")
    if isinstance(reference, str):
        return _value(_inside(root, reference), root, depth + 1)
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = next((one for one in kind if one != "null"), "null")
    if kind == "array":
        return []
    if kind == "object" or "properties" in schema:
        return _object(schema, root, depth)
    return _EMPTY.get(kind, "") if isinstance(kind, str) else ""


def _inside(root: Object, reference: str) -> Value:
    """What `#/a/b` points to in the schema; None for any other reference."""
    if not reference.startswith("#/"):
        return None
    value: Value = root
    for part in reference[2:].split("/"):
        key = part.replace("~1", "/").replace("~0", "~")
        if not isinstance(value, Object) or key not in value:
            return None
        value = value[key]
    return value
