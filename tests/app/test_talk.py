"""What a server and the session say of their own, and findings that lead to their place, over real sockets."""

from __future__ import annotations

import json
from typing import Any

import pytest

from olv_tui.model import Target, Verdict
from olv_tui.widgets.answer_live import LiveLines
from olv_tui.widgets.lines_view import LinesView
from tests.app.asking_server import asking_server
from tests.app.helper import NARROW, WIDE, OlvPilot, app_on, demo, pick, running, send, shown, until
from tests.screen import screen_text, settled, widget_text
from tests.transport.wire import Peer, Wire

SIZES = pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])


def view(pilot: OlvPilot, key: str) -> LinesView:
    return pilot.app.main.query_one(f"#{key}", LinesView)


def log(level: str, data: Any) -> dict[str, Any]:
    return {"method": "notifications/message", "params": {"level": level, "logger": "mill", "data": data}}


def progress(**params: Any) -> dict[str, Any]:
    return {"method": "notifications/progress", "params": {"progressToken": 1, **params}}


# --------------------------------------------------------------------------- while a call runs


@SIZES
async def test_progress_and_log_stand_with_the_call_while_it_runs(size: tuple[int, int]) -> None:
    said = [log("info", "one"), progress(progress=1, total=4, message="grinding"), log("error", {"a": [1]})]
    with asking_server([("elicitation/create", {"message": "Go on?"})], before=said) as server:
        async with running(app_on(server.target), size) as pilot:
            await pilot.press("ctrl+j")
            await until(pilot, "Go on?")
            await until(pilot, lambda: "1 of 4" in widget_text(pilot.app.main.query_one(LiveLines)))
            await pilot.press("ctrl+s")
            await until(pilot, "Thank you.")
            assert "1 of 4" not in screen_text(pilot.app), "what was live is over"
            assert "1 progress message, 2 log messages" in view(pilot, "decoded").lines.plain()


@SIZES
async def test_the_live_lines_show_bar_count_message_and_levels(size: tuple[int, int]) -> None:
    with demo("sessions") as target:
        async with running(app_on(target), size) as pilot:
            await pick(pilot, "olv_export_world")
            pilot.app.main.editor.replace_text('{"world_id": "w_lantern", "seconds": 4, "steps": 4}')
            pilot.app.main.action_progress()
            await pilot.press("ctrl+j")
            await until(pilot, "1 of 4")
            screen = screen_text(pilot.app)
            assert "██████░░░░░░░░░░░░░░░░░░  1 of 4  25%  page" in screen
            assert "Esc cancels" in screen
            await until(pilot, "info  olv-demo: export of w_lantern started")
            await pilot.press("escape")
            await until(pilot, "cancelled")
            assert "░" not in screen_text(pilot.app)


async def test_progress_without_a_total_is_a_plain_count() -> None:
    with demo("sessions") as target:
        async with running(app_on(target)) as pilot:
            await pick(pilot, "olv_export_world")
            arguments = {"world_id": "w_lantern", "seconds": 4, "steps": 4, "total_known": False}
            pilot.app.main.editor.replace_text(json.dumps(arguments))
            pilot.app.main.action_progress()
            await pilot.press("ctrl+j")
            await until(pilot, lambda: "1  page" in widget_text(pilot.app.main.query_one(LiveLines)))
            assert "░" not in screen_text(pilot.app)
            await pilot.press("escape")
            await until(pilot, "cancelled")


async def test_a_call_asks_for_progress_only_after_it_was_said_and_the_preview_shows_it() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            await send(pilot)
            first = shown(pilot.app)
            assert first is not None
            assert b"progressToken" not in first.request.body
            await pilot.press("enter", "f2")
            pilot.app.main.action_progress()
            await until(pilot, "asks for progress")
            await pilot.pause()
            preview = pilot.app.main.editor.text
            assert json.loads(preview)["params"]["_meta"]["progressToken"] == json.loads(preview)["id"]
            await send(pilot)
            second = shown(pilot.app)
            assert second is not None
            assert second.request.body.decode() == preview
            third = json.loads(pilot.app.main.editor.text)
            assert third["params"]["_meta"]["progressToken"] == third["id"], "the token follows the id"
            await pilot.press("f2")
            await send(pilot)
            plain = shown(pilot.app)
            assert plain is not None
            sent = json.loads(plain.request.body)
            assert sent["params"]["_meta"]["progressToken"] == sent["id"]
            pilot.app.main.action_progress()
            await send(pilot)
            last = shown(pilot.app)
            assert last is not None
            assert b"progressToken" not in last.request.body


HOSTILE = "[/] [@click=app.quit]x[/] \x1b]52;c;aGk=\x07 \u202eesrever\n"


@SIZES
async def test_hostile_progress_and_log_do_nothing(size: tuple[int, int]) -> None:
    said = [
        log(HOSTILE, HOSTILE), log("info", [HOSTILE] * 50), progress(progress="1", total=4), progress(),
        progress(progress=10**400, total=-1, message=HOSTILE), progress(progress=5, total=0, message=["x"]),
        {"method": "notifications/message"}, {"method": "notifications/progress", "params": []},
        {"method": HOSTILE}, {"method": "notifications/tools/list_changed", "params": HOSTILE},
    ]  # fmt: skip
    with asking_server([("elicitation/create", {"message": "Go on?"})], before=said) as server:
        async with running(app_on(server.target), size) as pilot:
            await pilot.press("ctrl+j")
            await until(pilot, "Go on?")
            await until(pilot, lambda: "5 of 0" in widget_text(pilot.app.main.query_one(LiveLines)))
            assert "\x1b" not in screen_text(pilot.app)
            assert "\u202e" not in screen_text(pilot.app)
            await pilot.press("ctrl+s")
            await until(pilot, "Thank you.")


# --------------------------------------------------------------------------- lists that change, streams


CHANGED = {"method": "notifications/tools/list_changed"}


@SIZES
async def test_a_change_told_on_the_listening_stream_marks_the_list_until_it_is_listed_again(
    size: tuple[int, int],
) -> None:
    with asking_server([], standalone=[CHANGED]) as server:
        async with running(app_on(server.target), size) as pilot:
            screen = await until(pilot, "Tools 1 · stale")
            assert "ctrl+l lists again" in screen
            assert pilot.app.main.core is not None
            listed = [row.method for row in pilot.app.main.core.history.recent(50, automatic=True)].count("tools/list")
            assert listed == 1, "nothing is listed by itself"
            await pilot.press("ctrl+l")
            await until(pilot, lambda: "stale" not in widget_text(pilot.app.main.tools_pane))
            assert "Tools 1" in screen_text(pilot.app)


async def test_a_change_told_beside_an_answer_marks_the_list_too() -> None:
    with asking_server([], before=[CHANGED]) as server:
        async with running(app_on(server.target)) as pilot:
            await send(pilot)
            await until(pilot, "Tools 1 · stale")
            assert "The server says that its list of tools changed." in view(pilot, "decoded").lines.plain()


async def test_a_question_on_the_listening_stream_is_asked_as_well() -> None:
    asked = {"id": "q-0", "method": "elicitation/create", "params": {"message": "Anyone there?"}}
    with asking_server([], standalone=[asked]) as server:
        async with running(app_on(server.target)) as pilot:
            screen = await until(pilot, "Anyone there?")
            assert "beside all calls" in screen
            await pilot.press("ctrl+s")
            await until(pilot, lambda: bool(server.posted))
            assert server.answers() == [{"action": "accept", "content": {}}]


async def test_a_server_without_a_listening_stream_is_no_fault_and_asked_once() -> None:
    with asking_server([]) as server:
        async with running(app_on(server.target)) as pilot:
            assert "HTTP 405" not in screen_text(pilot.app)  # a port may have these digits
            await pilot.press("ctrl+l")
            await settled(pilot)
            await settled(pilot)
            assert pilot.app.main.core is not None
            rows = pilot.app.main.core.history.recent(50, automatic=True)
            assert [row.status for row in rows].count(405) == 1


async def test_a_modern_server_that_tells_no_changes_is_not_listened_to() -> None:
    with demo() as target:
        async with running(app_on(target)) as pilot:
            assert pilot.app.main.core is not None
            rows = pilot.app.main.core.history.recent(50, automatic=True)
            assert "subscriptions/listen" not in [row.method for row in rows]


# --------------------------------------------------------------------------- what the session does by itself


@SIZES
async def test_a_new_session_is_said_aloud_and_stands_with_the_call(size: tuple[int, int]) -> None:
    with demo("sessions") as target:
        async with running(app_on(target), size) as pilot:
            await pick(pilot, "olv_flaky")
            pilot.app.main.editor.replace_text('{"mode": "session"}')
            await send(pilot)
            await until(pilot, "» The session was gone (404)")
            ended = shown(pilot.app)
            assert ended is not None
            assert ended.verdict is Verdict.RESULT
            await pick(pilot, "olv_today")
            await send(pilot)
            assert "»" not in screen_text(pilot.app), "it belongs to the call it was done for"
            await pick(pilot, "olv_flaky")
            await until(pilot, lambda: shown(pilot.app) is not None and pilot.app.main.state.whose() == "olv_flaky")
            pilot.app.main.go("answer")
            await until(pilot, "» The session was gone (404)")


@SIZES
async def test_the_old_transport_is_named_in_the_tools_pane(size: tuple[int, int]) -> None:
    async def old(peer: Peer) -> None:
        while True:
            asked = await peer.request()
            if asked.startswith(b"GET"):
                await peer.stream_head()
                await peer.chunk(b"event: endpoint\ndata: /messages?session_id=s3cret\n\n")
                await peer.left()
                return
            await peer.answer(b"Not Found", b"Content-Type: text/plain", status=b"404 Not Found")

    async with Wire(old) as wire, running(app_on(Target("old", wire.url, timeout=5)), size) as pilot:
        pane = " ".join(widget_text(pilot.app.main.tools_pane).replace("│", " ").split())
        assert "HTTP+SSE transport of" in pane
        assert "/messages" in pane
        assert "s3cret" not in screen_text(pilot.app)


# --------------------------------------------------------------------------- findings


def odd_server(body: bytes) -> Any:
    """Lists one tool and answers each call with this body, the id put in for ID."""

    async def script(peer: Peer) -> None:
        while True:
            asked = json.loads((await peer.request()).partition(b"\r\n\r\n")[2])
            kind = b"Content-Type: application/json"
            identity = json.dumps(asked.get("id")).encode()
            match asked["method"]:
                case "tools/list":
                    tools = b'{"tools":[{"name":"odd","inputSchema":{"type":"object"}}]}'
                    await peer.answer(b'{"jsonrpc":"2.0","id":%b,"result":%b}' % (identity, tools), kind)
                case "tools/call":
                    await peer.answer(body.replace(b"ID", identity), kind)
                case _:
                    error = b'{"code":-32601,"message":"Method not found"}'
                    await peer.answer(b'{"jsonrpc":"2.0","id":%b,"error":%b}' % (identity, error), kind)

    return script


def marked(pilot: OlvPilot) -> str:
    """The text under the current mark of the raw view."""
    raw = view(pilot, "raw")
    hit = raw._hits[raw._hit]
    return raw.lines.line(hit.line).text[hit.start : hit.start + hit.length]


@SIZES
async def test_f_goes_from_finding_to_finding_in_the_raw_answer(size: tuple[int, int]) -> None:
    padding = "é" * 300
    body = f'{{"jsonrpc":"1.0","id":"ID","result":{{"content":[],"a":"{padding}","isError":"no"}},"x":NaN}}'
    async with Wire(odd_server(body.encode())) as wire, running(app_on(Target("odd", wire.url)), size) as pilot:
        await send(pilot)
        ended = shown(pilot.app)
        assert ended is not None
        assert ended.judgement is not None
        pilot.app.main.go("answer")
        found: dict[str, str] = {}
        for violation in ended.judgement.violations:
            await pilot.press("f")
            await pilot.pause()
            assert violation.code in str(view(pilot, "raw").border_title)
            found[violation.code] = marked(pilot)
        assert found["R02"] == '"1.0"'
        assert found["R08"].startswith('"')
        assert found["J03"] == "NaN"
        assert "NaN" in widget_text(view(pilot, "raw")), "it is scrolled to, in wrapped rows"


@SIZES
async def test_enter_on_a_finding_goes_to_its_place(size: tuple[int, int]) -> None:
    body = b'{"jsonrpc":"2.0","id":ID,\n"result":{"content":7,"isError":"no"}}'
    async with Wire(odd_server(body)) as wire, running(app_on(Target("odd", wire.url)), size) as pilot:
        await send(pilot)
        ended = shown(pilot.app)
        assert ended is not None
        assert ended.judgement is not None
        pilot.app.main.go("answer")
        await pilot.press("6")
        screen = await until(pilot, "T01")
        assert "rule: " in screen
        codes = [one.code for one in ended.judgement.violations]
        await pilot.press(*["down"] * codes.index("T01"), "enter")
        await pilot.pause()
        assert marked(pilot) == "7"
        assert "at /result/content" in str(view(pilot, "raw").border_title)


async def test_a_finding_of_a_head_says_that_it_has_no_place_in_the_body() -> None:
    script = odd_server(b'{"jsonrpc":"2.0","id":ID,"result":{"content":[]}}')

    async def plain(peer: Peer) -> None:
        answer = peer.answer

        async def mislabelled(body: bytes = b"{}", *_: bytes, status: bytes = b"200 OK") -> None:
            await answer(body, b"Content-Type: text/plain", status=status)

        peer.answer = mislabelled  # type: ignore[method-assign]
        await script(peer)

    async with Wire(plain) as wire, running(app_on(Target("odd", wire.url))) as pilot:
        await send(pilot)
        pilot.app.main.go("answer")
        await pilot.press("f")
        await until(pilot, "is about no place in the body")
