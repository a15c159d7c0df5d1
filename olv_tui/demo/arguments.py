"""Whether arguments keep to a tool's inputSchema, in words.

Rules of this file: jsonschema is imported when the first arguments need it (115 ms with its meta-schemas);
its registry is empty, so no $ref is ever fetched.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from .catalogue import tools
from .exact import JsonObject

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError

MAX_PROBLEMS = 20
"""Problems that are told; a list of thousands of wrong items would be a useless answer."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A place (JSON pointer) where arguments break the schema, why, and the value found there."""

    path: str
    keyword: str
    text: str
    value: Any = None


def problems(tool: str, arguments: JsonObject) -> list[Problem]:
    """Every problem in the order of the schema, at most MAX_PROBLEMS; empty where the arguments are sound."""
    schema = tools()[tool]["inputSchema"]
    if not arguments and not schema.get("required"):
        return []
    try:
        found = []
        for error in _validator(tool).iter_errors(arguments):
            found += _read(error)
            if len(found) >= MAX_PROBLEMS:
                break
    except RecursionError:
        return [Problem("", "depth", "nested too deeply")]
    return found[:MAX_PROBLEMS]


@cache
def _validator(tool: str) -> Draft202012Validator:
    from jsonschema import Draft202012Validator
    from referencing import Registry

    return Draft202012Validator(tools()[tool]["inputSchema"], registry=Registry())


_WORDS: dict[str, Callable[[Any], str]] = {
    "pattern": lambda limit: f"must match {limit}",
    "minLength": lambda limit: f"shorter than {limit}",
    "maxLength": lambda limit: f"longer than {limit}",
    "minimum": lambda limit: f"less than {limit}",
    "exclusiveMinimum": lambda limit: f"must be more than {limit}",
    "maximum": lambda limit: f"greater than {limit}",
    "minItems": lambda limit: f"fewer than {limit} items",
    "maxItems": lambda limit: f"more than {limit} items",
    "uniqueItems": lambda _: "holds an item twice",
    "enum": lambda choices: "must be one of " + ", ".join(str(choice) for choice in choices),
    "const": lambda value: f"must be {str(value).lower()}",
    "type": lambda kinds: "must be of type " + (kinds if isinstance(kinds, str) else " or ".join(kinds)),
    "oneOf": lambda _: "fits none of the alternatives",
    "anyOf": lambda _: "fits none of the alternatives",
    "items": lambda _: "holds too many items",
}


def _read(error: ValidationError) -> list[Problem]:
    path = "".join(f"/{_escape(str(part))}" for part in error.absolute_path)
    keyword = str(error.validator)
    value: Any = error.instance
    limit: Any = error.validator_value
    schema: Any = error.schema
    if keyword == "required":
        # jsonschema gives one error for each missing name and tells it in the message only.
        missing = next(name for name in limit if error.message.startswith(repr(name)))
        return [Problem(f"{path}/{_escape(missing)}", keyword, "is required")]
    if keyword == "additionalProperties" and limit is False:
        unknown = [name for name in value if name not in schema["properties"]]
        return [Problem(f"{path}/{_escape(name)}", keyword, "is not known here", value[name]) for name in unknown]
    words = _WORDS.get(keyword)
    return [Problem(path, keyword, words(limit) if words else f"breaks {keyword}", value)]


def _escape(name: str) -> str:
    """A name as a step of a JSON pointer (RFC 6901)."""
    return name.replace("~", "~0").replace("/", "~1")
