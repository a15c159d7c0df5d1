"""The tools that take their time or ask back, and the one that misbehaves on the wire.

Rules of this file: they wait in `Call.pause` and `Call.ask` only, so hanging up, notifications/cancelled and
the end of the server end them at once.
"""

from __future__ import annotations

from .calls import Call, Trouble
from .catalogue import catalogue
from .exact import JsonObject
from .messages import INVALID_PARAMS, MISSING_CAPABILITY, RefusedError
from .tools import no_world, not_linked, result

CODE = "123456"
"""The six digits that olv_link_site wants."""

_STATE = "demo-state-1"


async def export_world(call: Call, arguments: JsonObject) -> JsonObject:
    """Tool 7."""
    world_id = arguments["world_id"]
    world = call.account.world(world_id)
    if world is None:
        return no_world(call.account, world_id)
    pages, steps = int(world["pages"]), int(arguments.get("steps", 5))
    fail_at = arguments.get("fail_at")
    await call.log(f"export of {world_id} started")
    for step in range(1, steps + 1):
        await call.pause(float(arguments.get("seconds", 4)) / steps)
        if step == fail_at:
            return result(f"Export stopped at step {step} of {steps}: page /tide could not be read.", error=True)
        total = steps if arguments.get("total_known", True) else None
        await call.progress(step, total, _pages_of(step, steps, pages))
    made = result(f"Exported {_count(pages, 'page')} in {_count(steps, 'step')}.")
    name = f"{world_id}-2026-12-01.zip"
    made["content"].append(
        {
            "type": "resource_link",
            "uri": f"olv://exports/{name}",
            "name": name,
            "mimeType": "application/zip",
            "size": 48213,
        }
    )
    return made


def _pages_of(step: int, steps: int, pages: int) -> str:
    """Which pages a step exports, in words."""
    first, last = (step - 1) * pages // steps + 1, step * pages // steps
    if last < first:
        return "checking"
    return f"page {first}" if first == last else f"pages {first} to {last}"


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


async def link_site(call: Call, arguments: JsonObject) -> JsonObject:
    """Tool 9: asks for a code, on the stream (2025 versions) or in several rounds (2026-07-28, patterns/mrtr)."""
    site = arguments["site"].lower()
    scopes = arguments.get("scopes", ["read"])
    question = {
        "message": f"Enter the six digits shown on {site}",
        "requestedSchema": {
            "type": "object",
            "properties": {"code": {"type": "string", "title": "Code", "pattern": "^[0-9]{6}$"}},
            "required": ["code"],
        },
    }
    if call.context.era == "modern":
        answer = _round(call, question)
        if answer is None:
            asked = {"code": {"method": "elicitation/create", "params": {"mode": "form", **question}}}
            return {"resultType": "input_required", "inputRequests": asked, "requestState": _STATE}
    elif call.context.can_answer_forms:
        response = await call.ask(question)
        answer = response.get("result", {"action": "error"})
    else:
        return not_linked(site, f"Linking {site} needs an answer from you, which this client cannot give.")
    return _linked(call, site, scopes, answer)


def _round(call: Call, question: JsonObject) -> object:
    """The answer that this round brings, None in the first round. Raises RefusedError."""
    if not call.context.can_answer_forms:
        data: JsonObject = {"requiredCapabilities": {"elicitation": {}}}
        text = f"Missing required client capability: elicitation ({question['message']})"
        raise RefusedError(MISSING_CAPABILITY, text, data, status=400)
    params = call.message.params
    state, answers = params.get("requestState"), params.get("inputResponses")
    if state is None and answers is None:
        return None
    if state != _STATE:
        raise RefusedError(
            INVALID_PARAMS, "Invalid params: requestState is not the one given", {"path": "/requestState"}
        )
    return answers.get("code") if isinstance(answers, dict) else None


def _linked(call: Call, site: str, scopes: list[str], answer: object) -> JsonObject:
    """What comes of an elicitation result {action, content}; anything else counts as no answer."""
    action = answer.get("action") if isinstance(answer, dict) else None
    content = answer.get("content") if isinstance(answer, dict) else None
    if action == "accept" and isinstance(content, dict) and content.get("code") == CODE:
        call.account.linked.add(site)
        text = f"{site} is linked with {', '.join(scopes)}."
        return result(text, {"site": site, "linked": True, "scopes": scopes})
    told = {
        "accept": f"That is not the code shown on {site} (in this demo it is {CODE}).",
        "decline": f"{site} was not linked: you declined.",
        "cancel": f"{site} was not linked: you closed the question.",
    }
    text = told.get(action, "") if isinstance(action, str) else ""
    return not_linked(site, text or f"{site} was not linked: the client gave no answer.")


async def flaky(call: Call, arguments: JsonObject) -> JsonObject | Trouble:
    """Tool 12."""
    mode = arguments.get("mode", "503")
    if mode == "none":
        return result("Fine.")
    session = call.context.session
    if mode == "session" and session is None:
        return result("no session to expire")
    if not call.account.goes_wrong(mode, int(arguments.get("times", 1))):
        return result("Fine.")
    if mode == "slow":
        await call.pause(call.slow_seconds)
        return result("Here at last.")
    call.forget_session = mode == "session"
    return _trouble(mode, int(arguments.get("retry_after", 2)))


def _trouble(mode: str, retry_after: int) -> Trouble:
    """The HTTP answer of a mode as the catalogue has it, with the Retry-After that was asked for."""
    if mode == "drop":
        return Trouble(end="drop")
    data = catalogue()["flaky"][mode]
    headers = tuple((name, str(retry_after) if name == "Retry-After" else value) for name, value in data["headers"])
    return Trouble(data["status"], headers, data["body"].encode(), "cut" if mode == "cut" else "complete")
