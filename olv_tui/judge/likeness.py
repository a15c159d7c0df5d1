"""What an answer comes to, so that two answers can be told to be the same failure.

Rules of this file:

* Verdict first, then the code or the word of the error, its site, and the rules that the answer breaks.
* Words are compared as well, since one code stands for many faults; what an error repeats of the arguments and every
  number in it do not count, or nothing could ever be taken out of the arguments.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from olv_tui.mcp.toolerror import TEXT, blocks_of_text
from olv_tui.model import Exchange, Object, Value, Verdict

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_QUOTED = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'|`[^`\n]*`")
_WORDS = 2_000

Likeness = tuple[str, ...]

FAILURES = (
    Verdict.TOOL_ERROR, Verdict.RPC_ERROR, Verdict.HTTP_ERROR, Verdict.INVALID_RESPONSE, Verdict.TRANSPORT_ERROR,
)  # fmt: skip
"""Verdicts that are a failure by themselves."""


def likeness(exchange: Exchange, arguments: Value = None) -> Likeness:
    """What the answer of an exchange comes to; two of the same are the same failure. `arguments` were sent."""
    judged = exchange.judgement
    if judged is None:
        return (exchange.verdict.value,)
    said = _plain(_said(exchange), arguments)
    parts = [judged.verdict.value, said]
    if judged.rpc_error is not None:
        parts.append(judged.rpc_error.code.text)
    if judged.tool_error is not None and judged.tool_error.source != TEXT:
        parts += [judged.tool_error.error, _plain(judged.tool_error.site or "", arguments)]
    if judged.verdict is Verdict.HTTP_ERROR:
        parts.append(str(exchange.status))
    if judged.verdict is Verdict.TRANSPORT_ERROR and exchange.reply is not None and exchange.reply.error is not None:
        parts.append(exchange.reply.error.kind)
    return (*parts, *sorted({one.code for one in judged.violations}))


def is_failure(exchange: Exchange) -> bool:
    """Whether there is anything wrong with an answer: a failure, or a result that breaks a rule."""
    judged = exchange.judgement
    broken = judged is not None and bool(judged.violations)
    return exchange.verdict in FAILURES or (exchange.verdict is Verdict.RESULT and broken)


def _said(exchange: Exchange) -> str:
    """The words of an error."""
    judged = exchange.judgement
    if judged is None:
        return ""
    if judged.rpc_error is not None:
        return judged.rpc_error.message
    if judged.tool_error is not None and judged.tool_error.source == TEXT and isinstance(judged.message, Object):
        result = judged.message.get("result")
        return "\n".join(blocks_of_text(result)) if isinstance(result, Object) else ""
    return ""


def _plain(words: str, arguments: Value) -> str:
    """Words without numbers, without what stands in quotes, and without the texts of the arguments."""
    words = words[:_WORDS]
    for text in sorted(_texts(arguments), key=len, reverse=True):
        words = words.replace(text, "*")
    return _NUMBER.sub("*", _QUOTED.sub("*", words))


def _texts(root: Value) -> Iterable[str]:
    stack: list[Value] = [root]
    found: set[str] = set()
    while stack and len(found) < 200:
        value = stack.pop()
        if isinstance(value, str) and len(value) > 1:
            found.add(value)
        elif isinstance(value, Object):
            stack += value.values()
        elif isinstance(value, list):
            stack += value
    return found
