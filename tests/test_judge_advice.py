"""What the person can do next: in words, for the failures where something can be done."""

from __future__ import annotations

import pytest

from olv_tui.jsonrpc import read_request
from olv_tui.judge import advice, judge
from olv_tui.model import Era, Reply, TransportError, Verdict, WireResponse
from tests.judging import CALL, answer, judged, refusal


def after(status: int, body: str = "", headers: tuple[tuple[str, str], ...] = (), session_id: str | None = None) -> str:
    reply = Reply(WireResponse(status, "", headers, body.encode()))
    one = judge(read_request(CALL), reply, era=Era.LEGACY, version="2025-11-25", session_id=session_id)
    return advice(one, reply)


def not_linked(site: str) -> str:
    return answer(f'{{"content":[],"structuredContent":{{"error":"not_linked"{site}}},"isError":true}}')


def test_an_unlinked_site_is_named_and_linking_is_the_persons_own_act() -> None:
    told = advice(judged(not_linked(',"site":"helpbless.com"')))
    assert told.startswith("helpbless.com is not linked")
    assert "your own act, outside the protocol" in told
    assert "send again" in told
    for absent in ("", ',"site":""', ',"site":" "'):
        assert advice(judged(not_linked(absent))).startswith("The site is not linked")


def test_other_words_of_a_tool_get_no_advice_made_up() -> None:
    body = answer('{"content":[],"structuredContent":{"error":"quota","site":"a.example"},"isError":true}')
    assert advice(judged(body)) == ""


def test_success_needs_no_advice() -> None:
    assert advice(judged(answer())) == ""


@pytest.mark.parametrize("kind", ["name", "connect", "tls", "timeout", "reset", "closed", "truncated", "framing"])
def test_every_kind_of_broken_transport_has_its_sentence(kind: str) -> None:
    reply = Reply(error=TransportError(kind, "m"))
    one = judge(read_request(CALL), reply, era=Era.BARE, version=None)
    assert advice(one, reply)
    assert ("carried out all the same" in advice(one, reply)) == (kind in ("timeout", "reset", "closed", "truncated"))
    assert advice(one) == ""


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (401, "credentials"),
        (403, "not allowed"),
        (404, "check the path"),
        (405, "no POST"),
        (406, "Accept"),
        (413, "larger"),
        (429, "wait a while"),
        (500, "try later"),
        (503, "try later"),
    ],
)
def test_a_status_has_its_sentence(status: int, words: str) -> None:
    assert words in after(status)


def test_a_missing_token_is_never_told_as_a_missing_link() -> None:
    assert "No site link is meant" in after(401, '{"error":"not_linked"}')


def test_the_wait_that_the_server_names_is_told() -> None:
    assert "17 seconds" in after(429, headers=(("Retry-After", "17"),))
    assert "until Fri" in after(503, headers=(("Retry-After", "Fri, 31 Dec 1999 23:59:59 GMT"),))


@pytest.mark.parametrize(
    ("status", "headers", "words"),
    [
        (401, (), "give a token"),
        (403, (), "the token, where one was sent"),
        (429, (), "wait a while"),
        (429, (("Retry-After", "17"),), "17 seconds"),
        (503, (("Retry-After", "5"),), "5 seconds"),
    ],
)
def test_a_status_has_its_sentence_also_with_a_json_rpc_error_in_the_body(
    status: int, headers: tuple[tuple[str, str], ...], words: str
) -> None:
    json = ("Content-Type", "application/json")
    assert words in after(status, refusal('{"code":-32001,"message":"no"}'), (json, *headers))


def test_a_code_of_the_protocol_has_its_own_sentence_under_any_other_status() -> None:
    body = refusal('{"code":-32601,"message":"no"}')
    assert "does not know this method" in after(404, body, (("Content-Type", "application/json"),))


def test_a_redirect_is_told_with_its_place() -> None:
    assert "/mcp/" in after(307, headers=(("Location", "/mcp/"),))


def test_a_session_that_is_gone_is_told_as_such() -> None:
    assert "session is gone" in after(404, session_id="abc")
    error = refusal('{"code":-32001,"message":"Session not found"}')
    assert "session is gone" in after(404, error, (("Content-Type", "application/json"),), session_id="abc")


@pytest.mark.parametrize("code", ["-32700", "-32600", "-32601", "-32602", "-32020", "-32021", "-32022", "-32042"])
def test_the_codes_of_the_protocols_have_their_sentence(code: str) -> None:
    assert advice(judged(refusal(f'{{"code":{code},"message":"m"}}')))


def test_codes_of_applications_have_none() -> None:
    assert advice(judged(refusal('{"code":3,"message":"m"}'))) == ""


def test_an_answer_held_against_its_output_schema_is_explained() -> None:
    assert "hidden" in advice(judged(refusal('{"code":-32602,"message":"no match for output schema"}')))


def test_a_web_page_points_at_the_address() -> None:
    reply = Reply(WireResponse(200, "OK", (("Content-Type", "text/html"),), b"<html>"))
    assert "web page" in advice(judge(read_request(CALL), reply, era=Era.BARE, version=None), reply)


def test_a_request_taken_for_a_notification_points_at_the_id() -> None:
    assert "its id should be" in advice(judged("", status=202, media=None))


def test_an_answer_to_another_request_points_at_the_id() -> None:
    assert "exactly as it was sent" in advice(judged(answer(identity="8")))


def test_input_and_cancelling_have_their_sentences() -> None:
    asked = judged(answer('{"resultType":"input_required","requestState":"s"}'))
    assert asked.verdict is Verdict.INPUT_REQUIRED
    assert "a new id" in advice(asked)
    stopped = judge(read_request(CALL), Reply(cancelled=True), era=Era.BARE, version=None)
    assert "carried out" in advice(stopped)
