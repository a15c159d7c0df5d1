"""Requests that a server answers with questions, and the next round that brings it the answers (MRTR).

Rules of this file (2026-07-28 basic/patterns "Multi Round-Trip Requests"):

* The next round is the same method with the same params, a new id, the answers under the keys of the questions,
  and `requestState` byte for byte as it came (its escapes included), where one came.
* A server that gave no `requestState` gets none, and an older one is never sent again.
* Everything else in the params keeps its text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from olv_tui import jsonrpc, jsontext
from olv_tui.model import Exchange, Object, RequestId
from olv_tui.session.reading import result_of

_OURS = ("inputResponses", "requestState")


@dataclass(frozen=True, slots=True)
class InputRequest:
    """One question in an `input_required` result: `method` is elicitation/create, sampling/createMessage or so."""

    key: str
    method: str
    params: Object


def input_requests(exchange: Exchange) -> tuple[InputRequest, ...]:
    """The questions that an answer asks, in its order; what is no question is left out."""
    result = result_of(exchange)
    asked = result.get("inputRequests") if isinstance(result, Object) else None
    found: list[InputRequest] = []
    for key, one in asked.items() if isinstance(asked, Object) else ():
        method = one.get("method") if isinstance(one, Object) else None
        if isinstance(one, Object) and isinstance(method, str):
            params = one.get("params")
            found.append(InputRequest(key, method, params if isinstance(params, Object) else Object()))
    return tuple(found)


def request_state(exchange: Exchange) -> str | None:
    """`requestState` of the answer as its JSON text, exactly as it came; None where there is none."""
    text = _answer_text(exchange)
    place = jsontext.span(text, "/result/requestState")
    state = text[place[0] : place[1]] if place is not None else None
    return None if state == "null" else state


def next_round(exchange: Exchange, responses: Mapping[str, str], request_id: RequestId) -> bytes:
    """The body that answers an exchange whose verdict is input_required.

    `responses` are the result objects as JSON text, by the keys of the questions; with none, only the state goes.
    """
    text = jsontext.parse(exchange.request.body).text
    place = jsontext.span(text, "/params")
    params = jsontext.parse(text[place[0] : place[1]].encode("utf-8", "surrogatepass")) if place is not None else None
    members: list[tuple[str, str]] = []
    if place is not None and params is not None and isinstance(params.value, Object):
        for name in params.value:
            inner = jsontext.span(params.text, jsontext.pointer([name]))
            if name not in _OURS and inner is not None:
                members.append((name, params.text[inner[0] : inner[1]]))
    if responses:
        answers = ",".join(f"{jsontext.dumps(key)}:{answer}" for key, answer in responses.items())
        members.append(("inputResponses", f"{{{answers}}}"))
    state = request_state(exchange)
    if state is not None:
        members.append(("requestState", state))
    written = ",".join(f"{jsontext.dumps(name)}:{value}" for name, value in members)
    return jsonrpc.build(request_id, exchange.outgoing.method or "", f"{{{written}}}")


def _answer_text(exchange: Exchange) -> str:
    """The text of the answering message."""
    response = exchange.reply.response if exchange.reply else None
    judgement = exchange.judgement
    if response is None or judgement is None:
        return ""
    if judgement.frame is not None:
        return response.frames[judgement.frame].data or ""
    return jsontext.parse(response.body).text
