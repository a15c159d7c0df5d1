"""One schema of each kind, and random JSON texts that are right by it, written by a reader of schemas of its own."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

TEXT, WHOLE = {"type": "string"}, {"type": "integer"}
NODE = {
    "type": "object",
    "properties": {"v": TEXT, "next": {"$ref": "#/$defs/node"},
                   "kids": {"type": "array", "items": {"$ref": "#/$defs/node"}}},
    "required": ["v"],
}  # fmt: skip
TOLD_APART = [
    {"type": "object", "properties": {"k": {"const": "a"}, "x": TEXT}, "required": ["k", "x"],
     "additionalProperties": False},
    {"type": "object", "properties": {"k": {"const": "b"}, "y": WHOLE}, "required": ["k"],
     "additionalProperties": False},
]  # fmt: skip
ODD_NAMES = [
    "user.id",
    "a b",
    "[x]",
    "",
    "🙂",
    "n" * 300,
    "É",
    "é",
    "e\u0301",
    "__proto__",
    "a/b",
    "~",
    "~1",
    "$ref",
    "0",
]

ARGUMENTS: dict[str, dict[str, Any]] = {
    "texts": {"a": TEXT},
    "integers": {"a": WHOLE},
    "numbers": {"a": {"type": "number"}},
    "booleans and null": {"a": {"type": "boolean"}, "b": {"type": "null"}},
    "constants": {"a": {"const": {"x": [1, None]}}, "b": {"const": None}, "c": {"const": "1"}},
    "an enum of all types": {"a": {"enum": [1, "1", True, None, "", " x", "true", {"o": 1}, [1, 2], 0.5, -1]}},
    "constants with titles": {"a": {"oneOf": [{"const": "r", "title": "Red"}, {"const": "g", "title": "Green"}]}},
    "nullable": {"a": {"anyOf": [TEXT, {"type": "null"}]}, "b": {"type": ["integer", "null"]},
                 "c": {"enum": ["x", None]}},
    "lists of texts": {"a": {"type": "array", "items": TEXT}},
    "lists of lists": {"a": {"type": "array", "items": {"type": "array", "items": {"type": "number"}}}},
    "lists of objects in lists": {
        "a": {"type": "array", "items": {"type": "object", "properties": {
            "q": WHOLE, "l": {"type": "array", "items": {"type": "object", "properties": {"z": TEXT}}}}}}},
    "tuples": {"a": {"type": "array", "prefixItems": [TEXT, WHOLE, {"type": "boolean"}], "items": {"type": "null"}}},
    "lists of alternatives": {"a": {"type": "array", "items": {"oneOf": TOLD_APART}}},
    "objects": {"a": {"type": "object", "properties": {
        "x": TEXT, "y": {"type": "object", "properties": {"z": WHOLE}}}}},
    "closed objects": {"a": {"type": "object", "properties": {"x": TEXT, "y": WHOLE}, "required": ["y"],
                             "additionalProperties": False}},
    "maps": {"a": {"type": "object", "additionalProperties": {"type": "array", "items": WHOLE}}},
    "patterns": {"a": {"type": "object", "patternProperties": {"^x-": WHOLE}, "additionalProperties": TEXT}},
    "alternatives by a constant": {"a": {"oneOf": TOLD_APART}},
    "alternatives of any type": {"a": {"anyOf": [TEXT, WHOLE, {"type": "boolean"}, {"type": "array", "items": TEXT},
                                                 {"type": "object", "properties": {"x": TEXT}}]}},
    "type lists": {"a": {"type": ["string", "integer"]}, "b": {"type": ["array", "object", "null"]}},
    "parts of all": {"a": {"allOf": [{"type": "object", "properties": {"x": TEXT}, "required": ["x"]},
                                     {"properties": {"y": WHOLE}, "required": ["y"]}]}},
    "references": {"a": {"$ref": "#/$defs/node"}, "b": {"$ref": "#/$defs/node/properties/kids"}},
    "anything": {"a": True, "b": {}, "c": {"description": "no type"}},
    "odd names": {name: TEXT if at % 2 else WHOLE for at, name in enumerate(ODD_NAMES)},
}  # fmt: skip

CONDITIONS: dict[str, dict[str, Any]] = {
    "if, then, else": {
        "properties": {"c": {"enum": ["us", "nl"]}}, "required": ["c"],
        "if": {"properties": {"c": {"const": "us"}}}, "then": {"properties": {"zip": TEXT}, "required": ["zip"]},
        "else": {"properties": {"pc": WHOLE}}},
    "dependentRequired": {"properties": {"a": TEXT, "b": WHOLE}, "dependentRequired": {"a": ["b"]}},
    "dependentSchemas": {"properties": {"a": TEXT}, "dependentSchemas": {"a": {"properties": {"b": WHOLE}}}},
    "dependencies of draft-07": {
        "$schema": "http://json-schema.org/draft-07/schema#", "properties": {"a": TEXT, "b": WHOLE, "t": {
            "type": "array", "items": [TEXT, WHOLE], "additionalItems": {"type": "boolean"}}},
        "dependencies": {"a": ["b"]}},
    "propertyNames": {"propertyNames": {"maxLength": 4}, "additionalProperties": TEXT},
    "unevaluatedProperties": {"properties": {"a": TEXT}, "allOf": [{"properties": {"b": WHOLE}}],
                              "unevaluatedProperties": False},
    "contains": {"properties": {"a": {"type": "array", "items": WHOLE, "contains": {"const": 5}}}},
    "alternatives at the root": {"oneOf": TOLD_APART},
    "fields beside alternatives": {
        "properties": {"c": TEXT}, "required": ["c"],
        "oneOf": [{"properties": {"k": {"const": 1}, "x": TEXT}, "required": ["k"]},
                  {"properties": {"k": {"const": 2}, "y": WHOLE}, "required": ["k"]}]},
    "not": {"properties": {"a": {"type": "string", "not": {"const": ""}}}},
}  # fmt: skip

KINDS: dict[str, dict[str, Any]] = {
    **{
        kind: {"type": "object", "properties": properties, "$defs": {"node": NODE}}
        for kind, properties in ARGUMENTS.items()
    },
    **{kind: {"type": "object", **schema} for kind, schema in CONDITIONS.items()},
}
"""The inputSchema of each kind. Those of `CONDITIONS` take some tries to be right."""

_NUMBERS = ["0", "-0", "1.0", "0.10", "1e400", "1E+2", "-7205759403792793601", "9" * 40]
_LETTERS = 'ab "\\/\n\t\r\u2028é🙂\u202e[]{}0'
_ANY = ["null", "true", "[]", "{}", '""', "1.50", '{"a":1,"a":2}', "[1,[2,{}]]", '"\\u0041"']


class Writer:
    """Writes random texts that are right by one schema; conditions aside."""

    def __init__(self, root: dict[str, Any], random: Random) -> None:
        self.root = root
        self.random = random
        self.gap: Callable[[], str] = lambda: ""

    def text(self) -> str:
        """A text of the whole, with white space of one of three kinds."""
        odd = [" ", "\n", "\t", "", "\r\n  "]
        ways: list[Callable[[], str]] = [lambda: "", lambda: " ", lambda: self.random.choice(odd)]
        self.gap = self.random.choice(ways)
        return self.value(self.root, 0)

    def value(self, schema: Any, depth: int) -> str:
        """A text right by a schema."""
        random = self.random
        if schema is True or not schema:
            return random.choice(_ANY)
        if "$ref" in schema:
            found = self.root
            for step in schema["$ref"].split("/")[1:]:
                found = found[step]
            return self.value(found, depth)
        if "const" in schema or "enum" in schema:
            return json.dumps(
                schema.get("const", random.choice(schema.get("enum", [0]))), ensure_ascii=random.random() < 0.5
            )
        union = schema.get("oneOf", schema.get("anyOf"))
        if union is not None and "properties" not in schema:
            return self.value(random.choice(union), depth)
        types = schema.get("type", "object" if "allOf" in schema else "any")
        match random.choice(types) if isinstance(types, list) else types:
            case "string":
                return self.string(random.randint(0, 6))
            case "integer":
                return random.choice(["0", "5", "-12", "9" * 30, "1.0", "-0"])
            case "number":
                return random.choice(_NUMBERS)
            case "boolean":
                return random.choice(["true", "false"])
            case "null":
                return "null"
            case "array":
                return self.array(schema, depth)
            case "object":
                return self.object(schema, depth)
        return random.choice(_ANY)

    def string(self, length: int) -> str:
        """A text, its letters escaped or not."""
        return json.dumps("".join(self.random.choices(_LETTERS, k=length)), ensure_ascii=self.random.random() < 0.5)

    def array(self, schema: dict[str, Any], depth: int) -> str:
        """An array, short where it is deep."""
        first = schema.get("prefixItems", schema["items"] if isinstance(schema.get("items"), list) else [])
        rest = schema.get("additionalItems") if isinstance(schema.get("items"), list) else schema.get("items", True)
        many = self.random.randint(0, 3 if depth < 4 else 0)
        items = [self.value(first[at] if at < len(first) else rest, depth + 1) for at in range(many)]
        return "[" + self.gap() + f"{self.gap()},{self.gap()}".join(items) + self.gap() + "]"

    def object(self, schema: dict[str, Any], depth: int) -> str:
        """An object: what is required, others at will, in any order."""
        random = self.random
        known: dict[str, Any] = {}
        required: list[str] = []
        for part in self.parts(schema):
            known |= part.get("properties", {})
            required += part.get("required", ())
        names = [name for name in known if name in required or (depth < 5 and random.random() < 0.6)]
        for _ in range(random.randint(0, 2) if depth < 5 else 0):
            name = random.choice(["x-1", "x-n", "more", "", "a b", "zz.z"])
            free = next(
                (one for pattern, one in schema.get("patternProperties", {}).items() if name.startswith(pattern[1:])),
                None,
            )
            free = schema.get("additionalProperties", True) if free is None else free
            if name not in known and name not in names and free is not False:
                known = {**known, name: free}
                names.append(name)
        random.shuffle(names)
        members = []
        for name in names:
            written = json.dumps(name, ensure_ascii=random.random() < 0.5)
            members.append(f"{written}{self.gap()}:{self.gap()}{self.value(known[name], depth + 1)}")
        return "{" + self.gap() + f"{self.gap()},{self.gap()}".join(members) + self.gap() + "}"

    def parts(self, schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """A schema and what holds with it: parts of allOf, one alternative, branches of conditions at will."""
        yield schema
        yield from schema.get("allOf", ())
        if "oneOf" in schema:
            yield self.random.choice(schema["oneOf"])
        for word in ("then", "else"):
            if word in schema and self.random.random() < 0.5:
                yield schema[word]
        yield from schema.get("dependentSchemas", {}).values()
