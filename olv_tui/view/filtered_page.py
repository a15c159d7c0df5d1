"""What a filter found, as lines: each match under its path, exactly as it stands in the answer.

Rules of this file: a short value stands beside its path, a longer one below it, indented.
"""

from __future__ import annotations

from olv_tui import jsontext
from olv_tui.view.filtering import Filtered
from olv_tui.view.lines import Lines
from olv_tui.view.outline import json_path
from olv_tui.view.page import Page

_SHORT = 100


def filtered_lines(found: Filtered) -> Lines:
    """The lines of a query without a problem."""
    page = Page()
    if not found.matches:
        page.say("Nothing in this answer fits.", "muted")
    for match in found.matches:
        path = json_path(match.steps)
        if len(match.text) <= _SHORT and match.text[:1] not in "{[":
            page.marked([(path, "label"), ("  ", ""), (match.text, _kind(match.text))])
            continue
        page.heading(path)
        pretty = jsontext.pretty(match.text.encode("utf-8", "surrogatepass"))
        page.json_text(pretty if pretty is not None else match.text.encode("utf-8", "surrogatepass"))
    if found.more:
        page.say(f"... {found.told}: a narrower query shows the others", "muted")
    return page.lines()


def _kind(text: str) -> str:
    if text.startswith('"'):
        return "string"
    return "keyword" if text in ("true", "false", "null") else "number"
