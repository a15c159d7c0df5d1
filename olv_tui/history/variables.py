"""Variables of a target in saved calls: `${site}`.

Rules of this file: pure. A variable is put in only where a call is loaded or sent, never where it is kept; one that is
not known stays as it is written, and is told.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace

from .values import SavedCall

_VARIABLE = re.compile(r"\$\{([^{}\s]+)\}")


def fill(text: str, variables: Mapping[str, str], *, in_json: bool = True) -> tuple[str, tuple[str, ...]]:
    """The text with its variables put in, and the names that are not known.

    `in_json`: the text is JSON, and a value is written as it stands in a JSON string.
    """
    unknown: dict[str, None] = {}

    def put(match: re.Match[str]) -> str:
        value = variables.get(match[1])
        if value is None:
            unknown[match[1]] = None
            return match[0]
        return json.dumps(value, ensure_ascii=False)[1:-1] if in_json else value

    return _VARIABLE.sub(put, text), tuple(unknown)


def filled(call: SavedCall, variables: Mapping[str, str]) -> tuple[SavedCall, tuple[str, ...]]:
    """A saved call with its variables put in, and the names that are not known."""
    unknown: dict[str, None] = {}

    def put(text: str | None, *, in_json: bool = True) -> str | None:
        if text is None:
            return None
        now, missing = fill(text, variables, in_json=in_json)
        unknown.update(dict.fromkeys(missing))
        return now

    done = replace(
        call,
        arguments=put(call.arguments),
        envelope=put(call.envelope),
        headers=tuple((name, put(value, in_json=False) or "") for name, value in call.headers),
    )
    return done, tuple(unknown)


def unknown_sentence(names: tuple[str, ...], target: str) -> str:
    """That variables are not known, and where they are set; "" where all are."""
    if not names:
        return ""
    listed = ", ".join(f"${{{name}}}" for name in names)
    verb = "is" if len(names) == 1 else "are"
    where = f"[targets.{target}.variables]" if target else "[targets.NAME.variables] of a target"
    stays = "stays" if len(names) == 1 else "stay"
    return f"{listed} {verb} not known for this target and {stays} as written; variables are set in {where}"
