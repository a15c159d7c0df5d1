"""JSONPath over an answer (RFC 9535): what was found, cut out of the text exactly as it stands.

Rules of this file:

* The library finds places; the text at them is cut out of the answer, so digits, order and duplicates stay.
* A query is checked while it is typed and run off the event loop: neither raises, and the number of matches has a
  bound that is told. One that looks at everything for each thing there is may take hours: it can be ended on its way.
* Import it late: python-jsonpath costs 90 ms.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from jsonpath import JSONPath, JSONPathEnvironment, JSONPathMatch
from jsonpath.exceptions import JSONPathError
from jsonpath.filter import BaseExpression, IntegerLiteral
from jsonpath.function_extensions import ExpressionType, FilterFunction
from jsonpath.parse import Parser
from jsonpath.stream import TokenStream

from olv_tui.jsontext.spans import spans
from olv_tui.mcp import patterns

MOST = 2_000
"""Matches that are shown."""

_DEEPEST = 400  # levels that `..` goes down: each takes a frame of the interpreter, and there are a thousand

Steps = tuple[str | int, ...]


class _Parser(Parser):
    """The library reads integers by way of a double, and 9007199254740993 is none."""

    def parse_integer_literal(self, stream: TokenStream) -> BaseExpression:
        """An integer with all its digits."""
        value = stream.current().value
        if value.lstrip("-").isdecimal() and (value == "0" or value.lstrip("-")[0] != "0"):
            stream.next()
            return IntegerLiteral(value=_whole_number(value))  # type: ignore[arg-type]  # a double beyond 4,000 digits
        return super().parse_integer_literal(stream)


class _Pattern(FilterFunction):
    """`match` and `search` (RFC 9535, 2.4.6 and 2.4.7), which try no pattern that could run for ever.

    Python's matcher cannot be stopped, and it holds up the screen from any thread.
    """

    arg_types = [ExpressionType.VALUE, ExpressionType.VALUE]  # noqa: RUF012  as the library has it
    return_type = ExpressionType.LOGICAL

    def __init__(self, frame: str) -> None:
        self._frame = frame

    def __call__(self, value: object, pattern: object) -> bool:
        if not isinstance(value, str) or not isinstance(pattern, str):
            return False
        if not patterns.is_tame(pattern, len(value)):
            raise JSONPathError(f"the pattern {pattern} may take too long on what is there", token=None)
        return patterns.found(self._frame.format(pattern), value) is True


class _OverError(Exception):
    """Nobody wants what a query finds any more."""


class _Run(threading.local):
    """Whether the query that this thread runs is still wanted."""

    is_over: Callable[[], bool] = staticmethod(lambda: False)

    def go_on(self) -> None:
        if self.is_over():
            raise _OverError


_RUN = _Run()


class _Match(JSONPathMatch):
    """A node on the way; the library makes those of the whole query by this class, and those of filters by its own."""

    __slots__ = ()

    def new_child(self, obj: object, key: int | str) -> JSONPathMatch:
        """The node below."""
        _RUN.go_on()
        return super().new_child(obj, key)


class _Environment(JSONPathEnvironment):
    parser_class = _Parser
    max_recursion_depth = _DEEPEST

    def is_truthy(self, obj: object) -> bool:
        """What the library asks for each node that a filter is tried on."""
        _RUN.go_on()
        return super().is_truthy(obj)

    def setup_function_extensions(self) -> None:
        """The functions of the standard, with our own for patterns."""
        super().setup_function_extensions()
        self.function_extensions["match"] = _Pattern(r"\A(?:{})\Z")
        self.function_extensions["search"] = _Pattern("{}")


_ENVIRONMENT = _Environment(strict=True)


@dataclass(frozen=True, slots=True)
class Match:
    """A value that was found: its normalised path, the steps to it, and its text as it stands in the answer."""

    path: str
    steps: Steps
    text: str


@dataclass(frozen=True, slots=True)
class Filtered:
    """What a query came to. `problem` says why there is no answer; `more`: there are matches beyond those here."""

    matches: tuple[Match, ...] = ()
    more: bool = False
    problem: str = ""

    @property
    def told(self) -> str:
        """The number of matches, or the problem, in words."""
        if self.problem:
            return self.problem
        many = len(self.matches)
        return f"more than {many:,} matches" if self.more else f"{many:,} match{'' if many == 1 else 'es'}"


def problem_of(query: str) -> str:
    """Why a text is no JSONPath, with the column; "" for a sound one."""
    try:
        _ENVIRONMENT.compile(_whole(query))
    except (JSONPathError, RecursionError, ValueError) as error:
        return _sentence(error, query)
    return ""


def filtered(text: str, query: str, is_over: Callable[[], bool] = lambda: False) -> Filtered:
    """Everything in a JSON text that a query finds, in the order of the library. Never raises.

    `is_over` is asked on the way; where it says so, nothing was found.
    """
    try:
        path = _ENVIRONMENT.compile(_whole(query))
    except (JSONPathError, RecursionError, ValueError) as error:
        return Filtered(problem=_sentence(error, query))
    try:
        value: Any = json.loads(text, parse_int=_whole_number)
    except (ValueError, RecursionError) as error:
        why = "is nested too deep" if isinstance(error, RecursionError) else "is no JSON"
        return Filtered(problem=f"nothing can be found: the answer {why}")
    _RUN.is_over = is_over  # of this thread alone
    try:
        found = list(islice(_matches(path, value), MOST + 1))
    except _OverError:
        return Filtered(problem="ended")
    except RecursionError:
        return Filtered(
            problem=f"the answer is nested too deep for this query: {_DEEPEST} levels below a place are searched"
        )
    except (JSONPathError, ValueError, TypeError, ArithmeticError) as error:
        return Filtered(problem=_sentence(error, query))
    places = [(match.path, tuple(match.parts)) for match in found[:MOST]]
    return Filtered(tuple(_cut(text, places)), len(found) > MOST)


def _matches(path: Any, value: Any) -> Iterable[JSONPathMatch]:
    """What `path.finditer` gives, by nodes that can be ended."""
    if not isinstance(path, JSONPath) or path.pseudo_root:
        return path.finditer(value)  # type: ignore[no-any-return]
    root = path.env.root_token
    found: Iterable[JSONPathMatch] = [
        _Match(filter_context={}, obj=value, parent=None, path=root, parts=(), root=value)
    ]
    for segment in path.segments:
        found = segment.resolve(found)
    return found


def _cut(text: str, places: list[tuple[str, Steps]]) -> Iterator[Match]:
    known = spans(text, [steps for _, steps in places])
    for path, steps in places:
        if steps in known:
            start, end = known[steps]
            yield Match(path, steps, text[start:end])


def _whole(query: str) -> str:
    """A query as it is meant: a path that begins without `$` begins at the answer."""
    query = query.strip()
    if not query or query.startswith("$"):
        return query or "$"
    return f"${query}" if query[0] in ".[" else f"$.{query}"


def _whole_number(digits: str) -> int | float:
    """An integer, or a float where it has more digits than Python reads."""
    return int(digits) if len(digits) < 4_000 else float(digits)


def _sentence(error: Exception, query: str) -> str:
    """The first line of what the library says, and where."""
    if isinstance(error, RecursionError):
        return "the query is nested too deep"
    token = getattr(error, "token", None)
    index = getattr(token, "index", -1)
    added = len(_whole(query)) - len(query.strip())
    where = "" if token is None else "at the end: "  # the token behind the last one has no index
    if isinstance(index, int) and index >= 0:
        where = f"column {max(index - added, 0) + 1}: "
    lines = str(error).strip().splitlines()
    return where + (lines[0] if lines else "this is no JSONPath")
