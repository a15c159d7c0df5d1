"""Questions of a server: forms in the middle of a call (2025) and in rounds (2026-07-28), over real sockets."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from textual.widgets import Input, Select, SelectionList

from olv_tui.model import Era, Exchange, Target, Verdict
from olv_tui.screens.form import QuestionScreen
from olv_tui.widgets.lines_view import LinesView
from tests.app.asking_server import asking_server
from tests.app.helper import NARROW, WIDE, OlvPilot, app_on, demo, pick, running, shown, until
from tests.screen import screen_text, settled

SIZES = pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])

EVERY_KIND: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "title": "Name", "description": "As in the passport", "minLength": 2},
        "mail": {"type": "string", "format": "email", "default": "a@example.com"},
        "age": {"type": "integer", "minimum": 18, "maximum": 120},
        "height": {"type": "number"},
        "news": {"type": "boolean", "default": True},
        "colour": {"type": "string", "enum": ["r", "g"], "enumNames": ["Red", "Green"]},
        "tags": {"type": "array", "items": {"anyOf": [{"const": "a", "title": "Ay"}, {"const": "b", "title": "Be"}]}},
    },
    "required": ["name", "age"],
}


async def link(pilot: OlvPilot) -> None:
    """Call the demo's tool that asks for a code."""
    await pick(pilot, "olv_link_site")
    await pilot.press("ctrl+j")


def decoded(pilot: OlvPilot) -> str:
    """All of the decoded view, also what has to be scrolled to."""
    return pilot.app.main.query_one("#decoded", LinesView).lines.plain()


async def form_of(pilot: OlvPilot) -> QuestionScreen:
    await until(pilot, lambda: isinstance(pilot.app.screen, QuestionScreen) and pilot.app.screen.is_ready)
    assert isinstance(pilot.app.screen, QuestionScreen)
    return pilot.app.screen


async def ended(pilot: OlvPilot) -> Exchange:
    await until(pilot, lambda: not pilot.app.main.calls.running)
    await settled(pilot)
    exchange = shown(pilot.app)
    assert exchange is not None
    return exchange


# --------------------------------------------------------------------------- in the middle of a call


@SIZES
async def test_a_form_comes_up_while_a_legacy_call_runs_and_its_answer_ends_the_call(size: tuple[int, int]) -> None:
    with demo("sessions") as target:
        async with running(app_on(target), size) as pilot:
            await link(pilot)
            await form_of(pilot)
            screen = screen_text(pilot.app)
            assert "Enter the six digits shown on" in screen
            assert "OneLifeVibe demo" in screen, "the name that the server gives itself"
            assert "Code (code) *" in screen
            assert "required · string · pattern ^[0-9]{6}$" in screen
            assert "ctrl+s accepts" in screen
            await pilot.press(*"123456", "ctrl+s")
            exchange = await ended(pilot)
            assert exchange.verdict is Verdict.RESULT
            await until(pilot, "is linked with")
            assert "The server asked: elicitation/create, answered accept" in decoded(pilot)


async def test_a_key_that_sends_accepts_what_was_filled_in_and_never_a_form_that_just_came_up() -> None:
    with demo("sessions") as target:
        async with running(app_on(target)) as pilot:
            await link(pilot)
            await form_of(pilot)
            await pilot.press("ctrl+j")
            await until(pilot, "ctrl+j again accepts")
            assert isinstance(pilot.app.screen, QuestionScreen)
            await pilot.press(*"123456", "ctrl+j")
            exchange = await ended(pilot)
            assert exchange.verdict is Verdict.RESULT


@SIZES
@pytest.mark.parametrize(("key", "word"), [("ctrl+d", "you declined"), ("escape", "closed the question")])
async def test_declining_and_leaving_are_told_to_the_server(size: tuple[int, int], key: str, word: str) -> None:
    with demo("sessions") as target:
        async with running(app_on(target), size) as pilot:
            await link(pilot)
            await form_of(pilot)
            await pilot.press(key)
            exchange = await ended(pilot)
            assert exchange.verdict is Verdict.TOOL_ERROR
            await until(pilot, lambda: word in decoded(pilot))


async def test_the_answer_is_an_exchange_of_its_own_in_the_history() -> None:
    with demo("sessions") as target:
        async with running(app_on(target)) as pilot:
            await link(pilot)
            await form_of(pilot)
            await pilot.press(*"123456", "ctrl+s")
            await ended(pilot)
            core = pilot.app.main.core
            assert core is not None
            kept = [core.history.get(row.serial) for row in core.history.recent(20, automatic=True)]
            bodies = [
                one.request.body
                for one in kept
                if one is not None and one.outgoing.kind == "response" and one.request.method == "POST"
            ]
            assert [json.loads(body)["result"] for body in bodies] == [
                {"action": "accept", "content": {"code": "123456"}}
            ]


async def test_the_handshake_declares_forms_and_addresses_and_nothing_else() -> None:
    with demo("sessions") as target:
        async with running(app_on(target)) as pilot:
            core = pilot.app.main.core
            assert core is not None
            kept = [core.history.get(row.serial) for row in core.history.recent(20, automatic=True)]
            first = next(one for one in kept if one is not None and one.outgoing.method == "initialize")
            assert json.loads(first.request.body)["params"]["capabilities"] == {"elicitation": {"form": {}, "url": {}}}


@SIZES
async def test_every_kind_of_field_is_offered_with_its_default_and_sent_as_its_type(size: tuple[int, int]) -> None:
    with asking_server([("elicitation/create", {"message": "Who?", "requestedSchema": EVERY_KIND})]) as server:
        async with running(app_on(server.target), size) as pilot:
            await pilot.press("ctrl+j")
            form = await form_of(pilot)
            screen = screen_text(pilot.app)
            assert "As in the passport" in screen
            assert form.query_one("#field-1", Input).value == "a@example.com"
            assert form.query_one("#field-4", Select).value == "true"
            await pilot.press(*"Ada", "enter", "enter", *"36.0", "enter", *"1.70", "enter")
            assert pilot.app.focused is form.query_one("#field-4")
            form.query_one("#field-5", Select).value = '"g"'
            form.query_one("#field-6", SelectionList).select('"b"')
            await pilot.press("ctrl+s")
            await ended(pilot)
            assert server.answers() == [
                {
                    "action": "accept",
                    "content": {
                        "name": "Ada",
                        "mail": "a@example.com",
                        "age": 36.0,
                        "height": 1.7,
                        "news": True,
                        "colour": "g",
                        "tags": ["b"],
                    },
                }
            ]
            assert b'"height":1.70' in server.posted[-1], "digits as typed"


@SIZES
async def test_a_long_form_scrolls_to_the_field_that_has_the_focus(size: tuple[int, int]) -> None:
    schema = {"type": "object", "properties": {f"field_{n}": {"type": "string"} for n in range(60)}}
    with asking_server([("elicitation/create", {"message": "Much", "requestedSchema": schema})]) as server:
        async with running(app_on(server.target), size) as pilot:
            await pilot.press("ctrl+j")
            form = await form_of(pilot)
            assert "field_0" in screen_text(pilot.app)
            assert "ctrl+s accepts" in screen_text(pilot.app), "the keys stay in sight"
            form.query_one("#field-59").focus()
            await pilot.press(*"end")
            screen = await until(pilot, "field_59")
            assert "ctrl+s accepts" in screen
            await pilot.press("ctrl+s")
            await ended(pilot)
            assert server.answers() == [{"action": "accept", "content": {"field_59": "end"}}]


async def test_what_does_not_fit_is_told_once_and_then_sent_all_the_same() -> None:
    with asking_server([("elicitation/create", {"message": "Who?", "requestedSchema": EVERY_KIND})]) as server:
        async with running(app_on(server.target)) as pilot:
            await pilot.press("ctrl+j")
            form = await form_of(pilot)
            form.query_one("#field-2", Input).value = "seven"
            await pilot.press("ctrl+s")
            screen = await until(pilot, "ctrl+s again sends it all the same")
            assert "not an integer" in screen
            assert isinstance(pilot.app.screen, QuestionScreen)
            await pilot.press("ctrl+s")
            await ended(pilot)
            assert server.answers()[0]["content"] == {"name": "", "mail": "a@example.com", "age": "seven", "news": True}


@SIZES
async def test_an_address_is_shown_as_text_with_its_host_and_accepting_sends_no_content(size: tuple[int, int]) -> None:
    url = "https://user@login.evil.example/start?next=https://good.example/&x=[link=https://x]y[/link]"
    asked = {"mode": "url", "message": "Please sign in", "url": url, "elicitationId": "e-1"}
    with asking_server([("elicitation/create", asked)]) as server:
        async with running(app_on(server.target), size) as pilot:
            await pilot.press("ctrl+j")
            await form_of(pilot)
            screen = screen_text(pilot.app)
            assert "a page of login.evil.example yourself" in screen
            assert "Nothing is opened here" in screen
            await pilot.press("y")
            assert pilot.app.clipboard == url
            await pilot.press("ctrl+s")
            await ended(pilot)
            assert server.answers() == [{"action": "accept"}]


async def test_what_is_not_offered_is_refused_and_said() -> None:
    asked: list[tuple[str, Any]] = [("sampling/createMessage", {"messages": []}), ("roots/list", None), ("ping", None)]
    with asking_server(asked) as server:
        async with running(app_on(server.target), (140, 60)) as pilot:
            await pilot.press("ctrl+j")
            await ended(pilot)
            assert "The server asked: sampling/createMessage, refused (-32601)" in decoded(pilot)
            assert "The server asked: roots/list, refused (-32601)" in decoded(pilot)
            assert "The server asked: ping, answered" in decoded(pilot)
            screen = screen_text(pilot.app)
            assert "» The server asked sampling/createMessage: refused (-32601), it is not offered here." in screen
            assert sorted(json.loads(body)["error"]["code"] for body in server.posted if b'"error"' in body) == [
                -32601,
                -32601,
            ]


async def test_several_questions_at_once_stand_one_after_the_other() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    asked = [("elicitation/create", {"message": f"Question {n}", "requestedSchema": schema}) for n in range(3)]
    with asking_server(asked) as server:
        async with running(app_on(server.target)) as pilot:
            await pilot.press("ctrl+j")
            for number in range(3):
                await until(pilot, f"Question {number}")
                await form_of(pilot)
                assert len(pilot.app.screen_stack) == 2, "one form at a time"
                await pilot.press(str(number), "ctrl+s")
            await ended(pilot)
            assert [answer["content"] for answer in server.answers()] == [{"a": "0"}, {"a": "1"}, {"a": "2"}]


async def test_more_questions_than_anyone_answers_are_cancelled() -> None:
    asked = [("elicitation/create", {"message": f"Question {n}"}) for n in range(20)]
    with asking_server(asked) as server:
        async with running(app_on(server.target)) as pilot:
            await pilot.press("ctrl+j")
            await form_of(pilot)
            await until(pilot, lambda: len(server.answers()) == 12)
            assert {answer["action"] for answer in server.answers()} == {"cancel"}
            for _ in range(8):
                await form_of(pilot)
                await pilot.press("ctrl+d")
            await ended(pilot)
            assert [answer["action"] for answer in server.answers()].count("decline") == 8


async def test_the_timeout_stands_still_while_the_person_thinks() -> None:
    asked = [("elicitation/create", {"message": "Take your time"})]
    with asking_server(asked) as server:
        async with running(app_on(replace(server.target, timeout=3.0))) as pilot:
            await pilot.press("ctrl+j")
            await form_of(pilot)
            began = pilot.app.main.calls.running[0]
            await until(pilot, lambda: began.patience.spent() > 3.5, tries=2000)
            await pilot.press("ctrl+s")
            assert (await ended(pilot)).verdict is Verdict.RESULT


async def test_a_question_goes_with_the_call_that_asked_it() -> None:
    with demo("sessions") as target:
        async with running(app_on(target)) as pilot:
            await link(pilot)
            await form_of(pilot)
            pilot.app.main.calls.cancel_newest()
            await until(pilot, lambda: not isinstance(pilot.app.screen, QuestionScreen))
            exchange = await ended(pilot)
            assert exchange.verdict is Verdict.CANCELLED


async def test_a_question_that_is_gone_leaves_also_from_below_another_screen() -> None:
    with demo("sessions") as target:
        async with running(app_on(target)) as pilot:
            await link(pilot)
            await form_of(pilot)
            await pilot.press("ctrl+p")
            pilot.app.main.calls.cancel_newest()
            await ended(pilot)
            await pilot.press("escape")
            await until(pilot, lambda: pilot.app.screen is pilot.app.main)


async def test_the_keys_that_send_and_load_do_not_answer_a_form() -> None:
    with demo("sessions") as target:
        async with running(app_on(target)) as pilot:
            await link(pilot)
            form = await form_of(pilot)
            # Once: a second one is an answer, and this server would then ask again.
            await pilot.press("f5", "enter", "ctrl+r")
            await until(pilot, "again accepts")
            assert pilot.app.screen is form
            assert len(pilot.app.main.calls.running) == 1
            await pilot.press("escape")
            await ended(pilot)


HOSTILE = "[/] [@click=app.quit]x[/] \x1b]52;c;aGk=\x07 \u202eesrever\n\ttext"


@SIZES
@pytest.mark.parametrize("mode", ["form", "url"])
async def test_a_hostile_question_does_nothing(size: tuple[int, int], mode: str) -> None:
    schema = {
        "type": "object",
        "properties": {
            HOSTILE: {"type": "string", "title": HOSTILE, "description": HOSTILE, "default": HOSTILE},
            "e": {"enum": [HOSTILE, 1, None], "enumNames": [HOSTILE, 1, [HOSTILE]], "default": HOSTILE},
            "t": {"type": ["string", "null"], "minLength": "x", "pattern": "(a+)+$", "format": HOSTILE},
            "n": {"type": "integer", "minimum": float(10**300), "default": "1"},
            "m": {"type": "array", "items": {"enum": [HOSTILE, {}]}, "default": [HOSTILE]},
            "s": HOSTILE,
        },
        "required": [HOSTILE, 1, {}],
    }
    asked = {"mode": mode, "message": HOSTILE, "requestedSchema": schema, "url": "http://[" + HOSTILE}
    with asking_server([("elicitation/create", asked)], server_name=HOSTILE) as server:
        async with running(app_on(server.target), size) as pilot:
            await pilot.press("ctrl+j")
            await form_of(pilot)
            screen = screen_text(pilot.app)
            assert "\x1b" not in screen
            assert "\u202e" not in screen
            await pilot.press("ctrl+s", "ctrl+s")
            await ended(pilot)
            answer = server.answers()[0]
            assert answer["action"] == "accept"
            if mode == "form":
                assert answer["content"]["e"] == HOSTILE
                assert answer["content"]["m"] == [HOSTILE]


@pytest.mark.parametrize(
    "params", [None, {}, {"mode": 7}, {"mode": "voice"}, {"message": 1, "requestedSchema": []}, {"mode": "url"}]
)
async def test_questions_that_are_none_end_the_call_and_not_the_program(params: Any) -> None:
    with asking_server([("elicitation/create", params)]) as server:
        async with running(app_on(server.target)) as pilot:
            await pilot.press("ctrl+j")
            await until(pilot, lambda: bool(server.posted) or isinstance(pilot.app.screen, QuestionScreen))
            if isinstance(pilot.app.screen, QuestionScreen):
                await pilot.press("ctrl+s")
            await ended(pilot)
            assert len([body for body in server.posted if b'"id":"q-0"' in body]) == 1


# --------------------------------------------------------------------------- rounds


@SIZES
async def test_input_required_is_answered_by_a_form_in_a_new_exchange(size: tuple[int, int]) -> None:
    with demo() as target:
        async with running(app_on(target), size) as pilot:
            await link(pilot)
            first = await ended(pilot)
            assert first.verdict is Verdict.INPUT_REQUIRED
            assert pilot.app.main.core is not None
            pilot.app.main.go("answer")
            screen = await until(pilot, "i Answer it")
            assert "i answers it · HTTP 200" in screen
            await pilot.press("i")
            await form_of(pilot)
            assert "Code (code) *" in screen_text(pilot.app)
            assert "Esc sends nothing" in screen_text(pilot.app)
            await pilot.press(*"123456", "ctrl+s")
            await until(pilot, "is linked with")
            second = await ended(pilot)
            assert second.verdict is Verdict.RESULT
            assert second.id != first.id
            sent = json.loads(second.request.body)["params"]
            assert sent["inputResponses"] == {"code": {"action": "accept", "content": {"code": "123456"}}}
            assert sent["requestState"] == "demo-state-1"
            kept = pilot.app.main.core.history.get(first.serial)
            assert kept is not None
            assert kept.verdict is Verdict.INPUT_REQUIRED, "the round before stays"


async def test_leaving_the_form_of_a_round_sends_nothing_and_the_palette_opens_it_again() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            await link(pilot)
            first = await ended(pilot)
            pilot.app.main.action_answer_input()
            await form_of(pilot)
            await pilot.press("escape")
            await until(pilot, "Nothing was sent")
            assert shown(pilot.app) is first
            await pilot.press("ctrl+p")
            await pilot.press(*"answer", "enter")
            await form_of(pilot)
            await pilot.press("ctrl+d")
            await until(pilot, "you declined")


async def test_the_key_that_answers_is_there_only_where_something_is_asked() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            await pilot.press("ctrl+j")
            await ended(pilot)
            pilot.app.main.go("answer")
            await pilot.press("i")
            assert "Answer it" not in screen_text(pilot.app)
            pilot.app.main.action_answer_input()
            await until(pilot, "asks for nothing")


async def test_the_round_of_a_history_is_answered_after_a_new_start(tmp_path: Any) -> None:
    file = tmp_path / "history.db"
    with demo() as target:
        async with running(app_on(target, file)) as pilot:
            await link(pilot)
            await ended(pilot)
        async with running(app_on(target, file)) as pilot:
            pilot.app.main.go("history")
            await pilot.press("enter")
            await pilot.pause()
            pilot.app.main.action_answer_input()
            await form_of(pilot)
            await pilot.press(*"123456", "ctrl+s")
            await until(pilot, "is linked with")


def modern_server_asking(requests: dict[str, Any], state: str | None) -> Any:
    """A modern server that asks all these at once, then tells what it got."""
    from tests.app.helper import small_server

    def answer(params: dict[str, Any]) -> dict[str, Any]:
        if "requestState" in params or "inputResponses" in params:
            text = json.dumps(params.get("inputResponses"))
            return {"resultType": "complete", "content": [{"type": "text", "text": f"got {text}"}]}
        asked: dict[str, Any] = {"resultType": "input_required", "inputRequests": requests}
        return {**asked, "requestState": state} if state is not None else asked

    return small_server(answer, tools=[{"name": "ask", "inputSchema": {"type": "object"}}])


def modern(target: Target) -> Target:
    return replace(target, era=Era.MODERN)


async def test_several_input_requests_are_asked_one_after_the_other_and_sent_together() -> None:
    one = {"method": "elicitation/create", "params": {"message": "One?", "requestedSchema": {"properties": {"a": {}}}}}
    two = {"method": "elicitation/create", "params": {"mode": "url", "message": "Two?", "url": "https://x.example/"}}
    with modern_server_asking({"first": one, "second": two}, "s") as target:
        async with running(app_on(modern(target))) as pilot:
            await pilot.press("ctrl+j")
            await ended(pilot)
            pilot.app.main.action_answer_input()
            await until(pilot, "first, 1 of 2")
            await form_of(pilot)
            await pilot.press("7", "ctrl+s")
            await until(pilot, "second, 2 of 2")
            await form_of(pilot)
            await pilot.press("ctrl+s")
            last = await ended(pilot)
            await until(pilot, "got ")
            assert json.loads(last.request.body)["params"]["inputResponses"] == {
                "first": {"action": "accept", "content": {"a": 7}},
                "second": {"action": "accept"},
            }


async def test_a_round_that_asks_for_what_is_not_offered_is_left_and_said() -> None:
    with modern_server_asking({"x": {"method": "roots/list"}}, None) as target:
        async with running(app_on(modern(target))) as pilot:
            await pilot.press("ctrl+j")
            first = await ended(pilot)
            pilot.app.main.action_answer_input()
            await until(pilot, "Not answered: the server asks for")
            assert shown(pilot.app) is first


async def test_a_state_with_a_secret_goes_back_as_it_came_though_the_screen_masks_it() -> None:
    with modern_server_asking({}, "state hunter2-hunter2") as target:
        async with running(app_on(modern(target))) as pilot:
            await pilot.press("ctrl+j")
            await ended(pilot)
            assert "hunter2" not in screen_text(pilot.app)
            pilot.app.main.action_answer_input()
            await until(pilot, "got null")
            assert "hunter2" not in screen_text(pilot.app)
