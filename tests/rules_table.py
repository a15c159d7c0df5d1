"""Writes the table of rules into README.md: `python -m tests.rules_table` in the checkout.

The table stands between two markers and comes from `judge.all_rules()`; a test fails where the two differ.
"""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

from olv_tui.judge import all_rules

README = Path(__file__).resolve().parents[1] / "README.md"
BEGIN, END = "<!-- rules -->", "<!-- /rules -->"
FAMILIES = "JRCMTDH"
WHAT = {
    "J": "JSON",
    "R": "the response message",
    "C": "the conversation",
    "M": "MCP",
    "T": "tool results",
    "D": "tool definitions",
    "H": "HTTP and event streams",
}


def table() -> str:
    """The rules as a Markdown table, by family and number."""
    rules = sorted(all_rules().values(), key=lambda rule: (FAMILIES.index(rule.code[0]), rule.code))
    families = ", ".join(f"{letter} {WHAT[letter]}" for letter in FAMILIES)
    told = (
        f"Every answer is held against {len(rules)} rules ({families}). An error breaks a MUST, a warning a SHOULD;"
        " info is worth knowing. What is found stands beside the verdict with a sentence and its place,"
        " and hides nothing."
    )
    lines = [
        BEGIN,
        "## The rules it checks",
        "",
        *textwrap.wrap(told, 120),
        "",
        f"<details><summary>All {len(rules)} rules</summary>",
        "",
        "| code | severity | what is wrong | source |",
        "|---|---|---|---|",
        *(f"| {rule.code} | {rule.severity} | {cell(rule.title)} | {cell(rule.source)} |" for rule in rules),
        "",
        "</details>",
        END,
    ]
    return "\n".join(lines)


def cell(text: str) -> str:
    """Text in a table cell, where a bar would end it."""
    return text.replace("|", "\\|")


def written(text: str) -> str:
    """The text of README with the table as it should be. Raises ValueError where the markers are missing."""
    found = re.search(f"{re.escape(BEGIN)}.*?{re.escape(END)}", text, re.DOTALL)
    if found is None:
        raise ValueError(f"README.md has no {BEGIN} ... {END}")
    return text[: found.start()] + table() + text[found.end() :]


if __name__ == "__main__":
    README.write_text(written(README.read_text("utf-8")), "utf-8")
