"""What the person can do next, in one or two sentences.

Rules of this file:

* It names acts, not keys: those belong to the screen.
* Nothing is promised: a cause is named only where the answer shows it.
* Empty is better than filler.
* A JSON-RPC error under a status that says by itself what is due (credentials, waiting) gets what that status gets.
"""

from __future__ import annotations

from olv_tui.judge.summaries import cut
from olv_tui.model import Judgement, Reply, RpcError, Spill, ToolError, Verdict, WireResponse

_MAYBE_RUN = "The call may have been carried out all the same; look before sending it again."

_TRANSPORT = {
    "name": "The name could not be resolved: check the address and the network.",
    "connect": "Nothing took the connection: check address and port, and that the server runs.",
    "tls": "The secure connection could not be made: check that the address is right and speaks https.",
    "timeout": f"No complete answer came in time: allow more time or look at the server. {_MAYBE_RUN}",
    "reset": f"The connection broke off. {_MAYBE_RUN}",
    "closed": f"The server closed the connection without an answer. {_MAYBE_RUN}",
    "truncated": f"The answer broke off. {_MAYBE_RUN}",
    "framing": "What came is not sound HTTP: check that the address is that of an HTTP server.",
    "coding": "The body could not be decoded: the server names a content coding that the bytes do not have.",
    "size": f"The answer was too large to be taken in. {_MAYBE_RUN}",
    "proxy": "The proxy refused: check the proxy settings.",
    "request": "The request could not be made as it stands: check address and headers.",
}
_STATUS = {
    400: "The server found the request malformed: compare era, headers and body with what it expects.",
    401: "The server wants credentials: give a token for this target, or a fresh one. No site link is meant by this.",
    403: "These credentials (the token, where one was sent), or this origin, are not allowed here."
    " No site link is meant by this.",
    404: "Nothing is at this address: check the path.",
    405: "This address takes no POST: check the path.",
    406: "The server did not like the Accept header: it must offer JSON and event streams.",
    407: "The proxy wants credentials.",
    413: "The request is larger than the server takes.",
    415: "The server did not take the Content-Type; application/json is due.",
}
_TELLING = (401, 403, 429, 503)
_CODES = {
    "-32700": "The server could not read the body as JSON: look at the request as it was sent.",
    "-32600": "The server did not take the message for a valid request; some say so of a missing or ended session.",
    "-32601": "The server does not know this method in this era: check its spelling, or the era of the target.",
    "-32602": "The server did not take the parameters: check the name of the tool and its arguments.",
    "-32020": "A header does not agree with the body: list the tools again, then send again.",
    "-32021": "The call needs a capability that was not declared: its data names it.",
    "-32022": "The server does not speak this version: its data names those it does.",
    "-32042": "The server wants an address to be opened first. Look where it leads, open it yourself, then send again.",
}


def advice(judgement: Judgement, reply: Reply | None = None) -> str:
    """What can be done next, in words; empty where nothing useful can be said.

    `reply` gives the status, the headers and the kind of a transport error, without which the advice on
    HTTP and transport errors is left out. Where a body was too large to be kept in memory, the place of it stands
    first.
    """
    response = reply.response if reply is not None else None
    place = "" if response is None or response.spill is None else place_of(response.spill)
    return f"{place} {_by_verdict(judgement, reply)}".strip()


def place_of(spill: Spill) -> str:
    """Where a body is that is not in memory, and how it gets there."""
    more = "A larger --max-body (max_body in the settings) reads it."
    if not spill.path:
        return f"Only the first {spill.cap:,} bytes of the body are here: {spill.problem or 'no file was made'}. {more}"
    if spill.problem:
        return f"The beginning of the body is in {spill.path}: {spill.problem}. {more}"
    return f"The first {spill.cap:,} bytes of the body are here, all that came of it is in {spill.path}. {more}"


def _by_verdict(judgement: Judgement, reply: Reply | None) -> str:
    response = reply.response if reply is not None else None
    match judgement.verdict:
        case Verdict.TOOL_ERROR if judgement.tool_error is not None:
            return _tool(judgement.tool_error)
        case Verdict.RPC_ERROR if judgement.rpc_error is not None:
            return _rpc(judgement, judgement.rpc_error, response)
        case Verdict.HTTP_ERROR:
            return _http(judgement, response)
        case Verdict.TRANSPORT_ERROR:
            error = reply.error if reply is not None else None
            return _TRANSPORT.get(error.kind, "") if error is not None else ""
        case Verdict.INVALID_RESPONSE:
            return _invalid(judgement, response)
        case Verdict.INPUT_REQUIRED:
            return (
                "The server waits for input before it goes on. Answer by sending the same request again with"
                " inputResponses, the requestState as it came, and a new id."
            )
        case Verdict.CANCELLED | Verdict.LOST:
            return _MAYBE_RUN
        case _:
            return ""


def _tool(failed: ToolError) -> str:
    if failed.error != "not_linked":
        return ""
    site = cut(failed.site, 200) if failed.site and failed.site.strip() else "The site"
    return (
        f"{site} is not linked to this account. Linking it is your own act, outside the protocol: do it with the"
        " service itself, then send again."
    )


def _rpc(judgement: Judgement, error: RpcError, response: WireResponse | None) -> str:
    if _broke(judgement, "H08"):
        return _SESSION_GONE
    if response is not None and response.status in _TELLING:
        return _http(judgement, response)
    if error.code.text == "-32602" and "output schema" in error.message.lower():
        return "A client or gateway held an answer against the output schema; the tool's own error may be hidden by it."
    return _CODES.get(error.code.text, "")


_SESSION_GONE = "The session is gone: begin a new one, then send again."


def _http(judgement: Judgement, response: WireResponse | None) -> str:
    if _broke(judgement, "H08"):
        return _SESSION_GONE
    if response is None:
        return ""
    status = response.status
    if 300 <= status < 400:
        place = response.header("location")
        where = f" {cut(place, 200)}" if place else ""
        return f"The redirect was not followed, nothing was sent there. If the address{where} is right, call it."
    if status in (429, 503) and response.header("retry-after"):
        wait = cut((response.header("retry-after") or "").strip(), 60)
        return (
            f"Wait {wait} seconds before sending again." if wait.isdigit() else f"Wait until {wait}, then send again."
        )
    if status == 429:
        return "Too many requests: wait a while before sending again."
    if status == 501:
        return "The server says that it cannot do this; its answer may tell why."
    if status >= 500:
        return "The server or a proxy before it failed: try later, or look at its log."
    return _STATUS.get(status, "")


def _invalid(judgement: Judgement, response: WireResponse | None) -> str:
    if response is not None and response.media_type == "text/html":
        return "A web page answered: a login, a proxy or another path. Check the address."
    if _broke(judgement, "H01"):
        return "The server took the request for a notification or dropped it: its id should be a string or an integer."
    if _broke(judgement, "R07", "R08"):
        return "It may be the answer to another request: the server has to return the id exactly as it was sent."
    return ""


def _broke(judgement: Judgement, *codes: str) -> bool:
    return any(one.code in codes for one in judgement.violations)
