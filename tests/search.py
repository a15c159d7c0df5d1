"""How many examples the property tests draw."""

from __future__ import annotations

import os

TIMES = int(os.environ.get("OLV_TESTS_SEARCH", "1"))
"""How many times as many examples as usual; with HYPOTHESIS_PROFILE=search they are new ones."""


def examples(usual: int) -> int:
    """The examples of a test that usually draws so many."""
    return usual * TIMES
