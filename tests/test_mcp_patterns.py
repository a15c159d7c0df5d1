"""Which regular expressions are tried: none that can run wild, and the ordinary ones."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from olv_tui.mcp.patterns import found, is_tame

WILD = [
    "(a+)+$", "(a|a)*b", "(a*)*b", "(.*a){20}", "a*a*a*a*a*b", "(a|aa)+$", "a?" * 40 + "a" * 40, "(a|a)" * 30 + "b",
    "a{0,40}" * 8 + "b", ".{1,500}.{1,500}x", r"(a+)\1+b", "(?x)(a+) +b", "(?P<x>a+)(?P=x)+b",
    "(a)?(?(1)a+a+a+a+|b)c",
    "([a-z]+)*=", "(?:a?){30}a{30}", "(a{1,9}){1,9}{1,9}b", "((a|b)|(a|b))*c", "(" * 80 + "a" + ")" * 80 + "*", "(",
]  # fmt: skip
ORDINARY = [
    r"^[^@]+@[^@]+\.[a-z]{2,}$", r"^\+?[1-9]\d{1,14}$", r"^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2})?$",
    r"^(\d{1,3}\.){3}\d{1,3}$",
    "^[A-Z]{2}$", "^(red|green|blue)$", r"https?://[^\s]+", r"^(?=.*[A-Z])(?=.*\d).{8,64}$", "[]a]+", r"^\[.*\]$",
    "x{", "{}",
    "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$", "(?i)error", "(?<=a)b", "a{2}", r"\(\)", "(ab)*c", "",
]  # fmt: skip


@pytest.mark.parametrize("pattern", WILD)
def test_what_can_run_wild_is_not_tried(pattern: str) -> None:
    assert not is_tame(pattern, 200)
    assert found(pattern, "a" * 200) is None


@pytest.mark.parametrize("pattern", ORDINARY)
def test_ordinary_patterns_are_tried(pattern: str) -> None:
    assert is_tame(pattern, 100)
    assert found(pattern, "user@host.example 2026-12-02") is not None


PARTS = st.sampled_from(["a", "b", ".", "[ab]", r"\w", "ab", "^", "$", "(?:)", "a{2}", "[^a]"])
REPEATS = st.sampled_from(["", "", "*", "+", "?", "{0,9}", "{3}", "{2,}", "*?", "+?", "??"])


def joined(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    row = st.lists(st.tuples(inner, REPEATS).map("".join), max_size=5).map("".join)
    branches = st.lists(row, min_size=1, max_size=3).map("|".join)
    return st.tuples(st.sampled_from(["(", "(?:", "(?=", "(?!"]), branches).map(lambda pair: "".join(pair) + ")")


@contextmanager
def ended(seconds: int = 60) -> Iterator[None]:
    """What runs wild is ended: it would be there for hours, and what is tame for a few hundredths of a second."""

    def end(*_: Any) -> None:
        raise AssertionError("it runs wild")

    before = signal.signal(signal.SIGALRM, end)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@given(st.lists(st.tuples(st.recursive(PARTS, joined, max_leaves=12), REPEATS).map("".join), max_size=8).map("".join))
def test_no_pattern_that_is_tried_runs_wild(pattern: str) -> None:
    try:
        read = re.compile(pattern)
    except re.error:
        return
    for length in (1_000, 200, 40):
        if is_tame(pattern, length):
            with ended():
                for text in ("a" * length, "ab" * (length // 2), "a" * (length - 1) + "!"):
                    read.search(text)
            break


def test_the_test_above_can_fail() -> None:
    with pytest.raises(AssertionError, match="runs wild"), ended(1):
        re.search("(a|a)*b", "a" * 200)
