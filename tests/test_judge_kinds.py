"""Verdicts where no single answer is due, in the modern era, and on transports that broke."""

from __future__ import annotations

import pytest

from olv_tui.jsonrpc import read_request
from olv_tui.judge import judge
from olv_tui.model import Era, Reply, TransportError, Verdict, WireResponse
from tests.judging import CALL, answer, codes, judged, refusal, request

# --------------------------------------------------------------------------- nothing is due

NOTE = b'{"jsonrpc":"2.0","method":"notifications/initialized"}'


@pytest.mark.parametrize("status", [200, 202, 204])
@pytest.mark.parametrize("sent", [NOTE, b'{"jsonrpc":"2.0","id":1,"result":{}}'])
def test_a_notification_or_a_response_of_ours_is_accepted(status: int, sent: bytes) -> None:
    one = judged("", status=status, media=None, sent=sent)
    assert (one.verdict, one.violations) == (Verdict.ACCEPTED, ())
    assert str(status) in one.summary


def test_a_notification_that_is_answered_is_accepted_and_the_answer_named() -> None:
    one = judged(answer(), sent=NOTE)
    assert (one.verdict, codes(one)) == (Verdict.ACCEPTED, ["C01", "H12"])
    assert one.has_message


@pytest.mark.parametrize(
    ("body", "verdict"),
    [
        (refusal(identity="null"), Verdict.RPC_ERROR),
        (refusal(identity="3"), Verdict.HTTP_ERROR),
        ("", Verdict.HTTP_ERROR),
        ("no session", Verdict.HTTP_ERROR),
    ],
)
def test_a_notification_can_be_refused(body: str, verdict: Verdict) -> None:
    assert judged(body, status=400, sent=NOTE).verdict is verdict


@pytest.mark.parametrize("sent", [b"{broken", b"7", b"", b'{"id":1}'])
def test_to_a_body_that_is_no_request_any_id_is_right(sent: bytes) -> None:
    assert judged(refusal(identity="null"), sent=sent).verdict is Verdict.RPC_ERROR
    assert judged(refusal(identity="12"), sent=sent, status=400).verdict is Verdict.RPC_ERROR
    assert judged(answer(identity="12"), sent=sent).verdict is Verdict.RESULT
    silent = judged("", sent=sent)
    assert (silent.verdict, codes(silent)) == (Verdict.INVALID_RESPONSE, ["C03"])


# --------------------------------------------------------------------------- batches

BATCH = (
    b'[{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","method":"n"},{"jsonrpc":"2.0","id":"1","method":"b"}]'
)
FIRST, SECOND = answer("1", "1"), answer("2", '"1"')


@pytest.mark.parametrize(
    ("body", "verdict", "named"),
    [
        (f"[{SECOND},{FIRST}]", Verdict.RESULT, []),
        (f"[{FIRST},{refusal(identity=chr(34) + '1' + chr(34))}]", Verdict.RESULT, []),
        (f"[{refusal(identity='1')},{refusal(identity=chr(34) + '1' + chr(34))}]", Verdict.RPC_ERROR, []),
        (f"[{FIRST}]", Verdict.INVALID_RESPONSE, ["C03"]),
        (f"[{FIRST},{SECOND},{answer('3', '9')}]", Verdict.INVALID_RESPONSE, ["C04"]),
        (f"[{FIRST},{FIRST},{SECOND}]", Verdict.INVALID_RESPONSE, ["C02"]),
        (FIRST, Verdict.INVALID_RESPONSE, ["J07", "C03"]),
        (refusal(identity="null"), Verdict.RPC_ERROR, []),
        (f"[{FIRST},{refusal(identity='null')}]", Verdict.RESULT, []),
        ("[]", Verdict.INVALID_RESPONSE, ["J07"]),
        ("", Verdict.INVALID_RESPONSE, ["H01"]),
    ],
)
def test_a_batch_has_one_response_for_each_request(body: str, verdict: Verdict, named: list[str]) -> None:
    one = judged(body, sent=BATCH)
    assert (one.verdict, codes(one)) == (verdict, named)


def test_the_summary_of_a_batch_counts() -> None:
    assert judged(f"[{SECOND},{FIRST}]", sent=BATCH).summary == "batch: 2 results and 0 errors"


def test_a_fault_in_one_response_of_a_batch_is_placed() -> None:
    one = judged(f'[{FIRST},{{"id":"1","result":2}}]', sent=BATCH)
    assert [(violation.code, violation.at) for violation in one.violations] == [("R01", "/1")]


def test_a_batch_of_notifications_is_accepted() -> None:
    assert judged("", status=202, media=None, sent=b'[{"jsonrpc":"2.0","method":"n"}]').verdict is Verdict.ACCEPTED


def test_a_batch_can_be_refused_as_a_whole() -> None:
    assert judged(refusal(identity="null"), sent=BATCH, status=400).verdict is Verdict.RPC_ERROR
    assert judged("no", sent=BATCH, status=400).verdict is Verdict.HTTP_ERROR
    assert judged(f"[{FIRST}]", sent=BATCH, status=400).verdict is Verdict.HTTP_ERROR


# --------------------------------------------------------------------------- modern


def test_a_modern_result_without_its_type_is_a_result_with_an_error_named() -> None:
    one = judged(answer(), era=Era.MODERN, version="2026-07-28")
    assert (one.verdict, codes(one)) == (Verdict.RESULT, ["M01"])


def test_a_modern_result_of_an_unknown_type_is_invalid() -> None:
    one = judged(answer('{"resultType":"task","content":[]}'), era=Era.MODERN, version="2026-07-28")
    assert (one.verdict, codes(one)) == (Verdict.INVALID_RESPONSE, ["M02"])
    assert judged(answer('{"resultType":"task","content":[]}')).verdict is Verdict.RESULT


@pytest.mark.parametrize("era", [Era.BARE, Era.LEGACY, Era.MODERN])
def test_a_call_that_asks_for_input_is_told_in_every_era(era: Era) -> None:
    requests = '{"who":{"method":"elicitation/create","params":{"mode":"form","message":"m"}}}'
    one = judged(answer(f'{{"resultType":"input_required","inputRequests":{requests},"requestState":"s"}}'), era=era)
    assert (one.verdict, one.violations) == (Verdict.INPUT_REQUIRED, ())
    assert one.summary == "the server asks for elicitation/create (who)"


def test_an_address_to_open_is_named() -> None:
    requests = '{"link":{"method":"elicitation/create","params":{"mode":"url","url":"https://a.example/x"}}}'
    one = judged(answer(f'{{"resultType":"input_required","inputRequests":{requests}}}'), era=Era.MODERN)
    assert "to open https://a.example/x (link)" in one.summary


@pytest.mark.parametrize("requests", ["null", "[]", "{}", '{"a":7}', '{"a":{"method":[],"params":[]}}'])
def test_malformed_requests_for_input_do_no_harm(requests: str) -> None:
    one = judged(answer(f'{{"resultType":"input_required","inputRequests":{requests}}}'))
    assert one.verdict is Verdict.INPUT_REQUIRED


def test_input_asked_for_where_none_may_be_is_named_in_the_modern_era() -> None:
    result = answer('{"resultType":"input_required","requestState":"s"}')
    assert codes(judged(result, sent=request("prompts/list"), era=Era.MODERN)) == ["M03"]
    assert codes(judged(result, sent=request("prompts/list"))) == []


# --------------------------------------------------------------------------- no complete answer


def test_a_broken_transport_is_one_whatever_had_come() -> None:
    response = WireResponse(200, "OK", (("Content-Type", "application/json"),), answer().encode()[:-5])
    error = TransportError("truncated", "the body broke off")
    one = judge(read_request(CALL), Reply(response, error), era=Era.BARE, version=None)
    assert (one.verdict, one.summary, codes(one)) == (Verdict.TRANSPORT_ERROR, "the body broke off", ["H14"])
    assert not one.has_message


def test_an_answer_that_had_come_before_the_break_is_kept_for_display() -> None:
    response = WireResponse(200, "OK", (("Content-Type", "application/json"),), answer().encode())
    for reply in (Reply(response, TransportError("reset", "")), Reply(response, cancelled=True)):
        one = judge(read_request(CALL), reply, era=Era.BARE, version=None)
        assert one.verdict in (Verdict.TRANSPORT_ERROR, Verdict.CANCELLED)
        assert one.has_message
        assert one.summary


def test_no_answer_at_all_is_a_transport_error() -> None:
    none = judge(read_request(CALL), Reply(), era=Era.BARE, version=None)
    refused = judge(read_request(CALL), Reply(error=TransportError("connect", "refused")), era=Era.BARE, version=None)
    assert (none.verdict, refused.verdict) == (Verdict.TRANSPORT_ERROR, Verdict.TRANSPORT_ERROR)
    assert refused.summary == "refused"
    assert judge(read_request(CALL), Reply(cancelled=True), era=Era.BARE, version=None).verdict is Verdict.CANCELLED


def test_a_session_that_is_gone_is_named_where_one_was_sent() -> None:
    response = WireResponse(404, "Not Found", (), b"")
    reply = Reply(response)
    sent = judge(read_request(CALL), reply, era=Era.LEGACY, version="2025-11-25", session_id="abc")
    assert "H08" in codes(sent)
    assert "H08" not in codes(judge(read_request(CALL), reply, era=Era.LEGACY, version="2025-11-25"))
