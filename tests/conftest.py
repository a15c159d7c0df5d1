"""What all tests share."""

from __future__ import annotations

import os
import sys

from hypothesis import settings

from tests.search import examples

# Tests start the program some two hundred times. From bytecode it starts in half the time (0.27 s of CPU against 0.48
# for a verb), which a machine that forbids bytecode by this variable would pay again and again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# The same examples every time: a change is judged by what it changes, and not by the luck of the draw. New examples are
# looked for on purpose: HYPOTHESIS_PROFILE=search draws anew, and OLV_TESTS_SEARCH=20 twenty times as many.
settings.register_profile("same", derandomize=True, deadline=None, database=None)
settings.register_profile("search", deadline=None, max_examples=examples(100))
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))
