"""The answer in an event stream: the first finished one counts, everything else is named and shown."""

from __future__ import annotations

import pytest

from olv_tui import jsontext
from olv_tui.jsonrpc import read_request
from olv_tui.judge import is_answer
from olv_tui.model import Era, Judgement, Outgoing, Severity, Value, Verdict
from tests.judging import CALL, HELLO, answer, codes, judged, refusal

MINE = answer()
OTHER = answer('{"content":[],"whose":"foreign"}', "8")
NOTE = '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}'
WITH_TOKEN = CALL.replace(b'"arguments":{}', b'"arguments":{},"_meta":{"progressToken":1}')
PING = '{"jsonrpc":"2.0","id":7,"method":"ping"}'


def streamed(*events: str, era: Era = Era.LEGACY, version: str | None = "2025-11-25", status: int = 200) -> Judgement:
    """The judgement on a stream of these events; one that begins with a field name is taken as it is."""
    text = "".join(
        event if event.startswith(("data:", "event:", ":", "id:")) else f"event: message\ndata: {event}\n\n"
        for event in events
    )
    return judged(text, media="text/event-stream", era=era, version=version, status=status, sent=WITH_TOKEN)


def progress(value: str, token: str = "1") -> str:
    params = f'{{"progressToken":{token},"progress":{value}}}'
    return f'{{"jsonrpc":"2.0","method":"notifications/progress","params":{params}}}'


def shown(one: Judgement) -> str:
    assert one.has_message
    return jsontext.dumps(one.message)


# --------------------------------------------------------------------------- an answer that counts


def test_an_answer_alone_is_a_result_in_its_frame() -> None:
    one = streamed(MINE)
    assert (one.verdict, one.frame, one.violations) == (Verdict.RESULT, 0, ())


@pytest.mark.parametrize(
    "before", [NOTE, progress("1"), PING, ": a comment\n\n", "event: ping\ndata:\n\n", "id: 4\ndata:\n\n"]
)
def test_what_may_come_before_the_answer_does_not_touch_it(before: str) -> None:
    one = streamed(before, MINE)
    assert (one.verdict, one.frame) == (Verdict.RESULT, 1)
    assert not [violation for violation in one.violations if violation.severity is not Severity.INFO]


def test_an_error_in_the_stream_is_a_json_rpc_error() -> None:
    one = streamed(progress("1"), refusal('{"code":-32602,"message":"unknown tool"}'))
    assert (one.verdict, one.summary, one.frame) == (Verdict.RPC_ERROR, "-32602 unknown tool", 1)
    assert streamed(refusal(identity="null")).verdict is Verdict.RPC_ERROR


def test_an_error_in_a_stream_of_another_status_counts_too() -> None:
    assert streamed(refusal(), status=404).verdict is Verdict.RPC_ERROR
    assert streamed(NOTE, status=404).verdict is Verdict.HTTP_ERROR


def test_a_tool_error_is_found_in_a_stream() -> None:
    one = streamed(answer('{"content":[],"structuredContent":{"error":"e"},"isError":true}'))
    assert (one.verdict, one.summary) == (Verdict.TOOL_ERROR, "e")


def test_findings_in_the_answer_say_in_which_frame() -> None:
    one = streamed(NOTE, answer('{"a":1,"a":2,"isError":1}', "7.0"))
    assert one.verdict is Verdict.RESULT
    assert [(violation.code, violation.frame) for violation in one.violations] == [
        ("J05", 1),
        ("R09", 1),
        ("T01", 1),
        ("T06", 1),
    ]


# --------------------------------------------------------------------------- strays


def test_the_answer_of_another_request_is_named_and_not_taken() -> None:
    one = streamed(OTHER, MINE)
    assert (one.verdict, one.frame) == (Verdict.RESULT, 1)
    assert [(violation.code, violation.frame) for violation in one.violations] == [("C04", 0)]
    assert "foreign" not in shown(one)


def test_a_second_answer_is_named_and_does_not_replace_the_first() -> None:
    one = streamed(answer('{"content":[],"n":1}'), answer('{"content":[],"n":2}'))
    assert (one.verdict, one.frame) == (Verdict.RESULT, 0)
    assert [(violation.code, violation.frame) for violation in one.violations] == [("C02", 1)]
    assert '"n":1' in shown(one)


@pytest.mark.parametrize(("after", "code"), [(NOTE, "C05"), (PING, "C05"), (OTHER, "C04"), ("7", "C05")])
def test_whatever_comes_after_the_answer_is_named(after: str, code: str) -> None:
    one = streamed(MINE, after)
    assert (one.verdict, codes(one)) == (Verdict.RESULT, [code])


def test_on_a_stream_where_nothing_was_asked_responses_to_different_ids_are_no_repetition() -> None:
    several = "".join(f"data: {answer(identity=str(number))}\n\n" for number in (1, 2, 1))
    one = judged(several, media="text/event-stream", sent=b"", era=Era.LEGACY, version="2025-11-25")
    assert [(violation.code, violation.frame) for violation in one.violations] == [("C02", 2)]


def test_a_request_of_the_server_is_forbidden_in_the_modern_era_only() -> None:
    result = answer('{"resultType":"complete","content":[]}')
    assert codes(streamed(PING, result, era=Era.MODERN, version="2026-07-28")) == ["C06"]
    assert codes(streamed(PING, result)) == []


def test_an_event_that_is_no_json_is_named_and_the_answer_counts() -> None:
    one = streamed('{{"half', MINE)
    assert (one.verdict, codes(one)) == (Verdict.RESULT, ["H05"])


def test_json_that_is_no_object_is_named() -> None:
    assert codes(streamed("7", MINE)) == ["J08"]


@pytest.mark.parametrize(("values", "named"), [("1 2 3", 0), ("1 1 2", 1), ("3 2 1", 2), ("1 1.5 1e3", 0)])
def test_progress_must_increase(values: str, named: int) -> None:
    one = streamed(*(progress(value) for value in values.split()), MINE)
    assert codes(one) == ["M06"] * named


def test_progress_is_followed_for_each_token_and_a_foreign_token_is_named() -> None:
    legacy = streamed(progress("5"), progress("1", '"1"'), MINE)
    assert [(one.code, one.severity, one.at) for one in legacy.violations] == [
        ("M06", Severity.WARNING, "/params/progressToken")
    ]
    modern = streamed(progress("5", "2"), answer('{"resultType":"complete","content":[]}'), era=Era.MODERN)
    assert [(one.code, one.severity) for one in modern.violations] == [("M06", Severity.ERROR)]


def test_progress_ends_with_the_answer() -> None:
    assert codes(streamed(progress("1"), MINE, progress("2"))) == ["M06", "C05"]


@pytest.mark.parametrize("params", ["7", "{}", '{"progress":"1"}', '{"progress":' + "9" * 5000 + "}"])
def test_malformed_progress_does_no_harm(params: str) -> None:
    note = f'{{"jsonrpc":"2.0","method":"notifications/progress","params":{params}}}'
    assert streamed(note, note, MINE).verdict is Verdict.RESULT


def test_strays_without_number_are_told_in_a_bounded_list() -> None:
    one = streamed(*[OTHER] * 500, MINE)
    assert one.verdict is Verdict.RESULT
    assert len(one.violations) < 30


# --------------------------------------------------------------------------- an answer that does not count


def test_an_answer_in_an_unfinished_event_does_not_count_and_is_shown() -> None:
    one = streamed(NOTE, f"data: {MINE}\n")
    assert (one.verdict, one.frame) == (Verdict.INVALID_RESPONSE, 1)
    assert "did not finish" in one.summary
    assert shown(one) == MINE
    assert "H04" in codes(one)


def test_an_answer_in_an_event_of_another_type_does_not_count_and_is_shown() -> None:
    one = streamed(f"event: result\ndata: {MINE}\n\n")
    assert one.verdict is Verdict.INVALID_RESPONSE
    assert '"result"' in one.summary
    assert shown(one) == MINE


def test_a_stream_without_an_answer_says_how_much_came() -> None:
    one = streamed(NOTE, NOTE)
    assert (one.verdict, one.summary) == (
        Verdict.INVALID_RESPONSE,
        "the event stream ended without an answer (2 events came)",
    )
    assert codes(one) == ["H04"]
    assert not one.has_message


def test_a_stream_of_nothing_says_so() -> None:
    for events in ((), (": comment\n\n",)):
        assert "without any event" in streamed(*events).summary


@pytest.mark.parametrize(
    ("message", "code"),
    [(OTHER, "R07"), (answer(identity='"7"'), "R08"), (answer(identity="null"), "R05"), ('{"id":7}', "R12")],
)
def test_the_likeliest_message_is_shown_with_what_is_wrong_with_it(message: str, code: str) -> None:
    one = streamed(NOTE, message)
    assert one.verdict is Verdict.INVALID_RESPONSE
    assert code in codes(one)
    assert shown(one) == message


def test_plain_json_labelled_as_a_stream_is_named_as_that() -> None:
    one = judged(MINE + "\n", media="text/event-stream")
    assert (one.verdict, one.frame) == (Verdict.INVALID_RESPONSE, None)
    assert "labelled text/event-stream" in one.summary
    assert "H03" in codes(one)
    assert shown(one) == MINE


def test_an_array_in_an_event_is_allowed_in_2025_03_26_only() -> None:
    assert streamed(f"[{NOTE},{MINE}]", version="2025-03-26").verdict is Verdict.RESULT
    one = streamed(f"[{NOTE},{MINE}]")
    assert (one.verdict, codes(one)) == (Verdict.INVALID_RESPONSE, ["J07"])
    assert shown(one) == MINE


def test_nan_in_the_answer_makes_it_invalid_in_a_stream_too() -> None:
    one = streamed(answer('{"content":[],"x":NaN}'))
    assert (one.verdict, codes(one)) == (Verdict.INVALID_RESPONSE, ["J03"])
    assert one.violations[0].frame == 0


def test_a_batch_is_answered_over_several_events() -> None:
    sent = b'[{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","id":2,"method":"b"}]'
    text = "".join(f"data: {item}\n\n" for item in (answer("1", "2"), NOTE, answer("2", "1")))
    one = judged(text, media="text/event-stream", sent=sent)
    assert (one.verdict, one.summary) == (Verdict.RESULT, "batch: 2 results and 0 errors")
    missing = judged(f"data: {answer('1', '2')}\n\n", media="text/event-stream", sent=sent)
    assert missing.verdict is Verdict.INVALID_RESPONSE
    assert "C03" in codes(missing)


# --------------------------------------------------------------------------- when a stream is over


@pytest.mark.parametrize(
    ("data", "final"),
    [
        (MINE, True),
        (answer(identity="7.0"), True),
        (refusal(), True),
        (refusal(identity="null"), True),
        ('{"jsonrpc":"2.0","error":{"code":1,"message":"m"}}', True),
        (f"[{NOTE},{MINE}]", True),
        (answer(identity='"7"'), False),
        (answer(identity="null"), False),
        (answer(identity="true"), False),
        (refusal(identity="8"), False),
        (PING, False),
        (NOTE, False),
        ('{"id":7}', False),
        ('{"id":null,"error":null,"result":{}}', False),
        ("7", False),
        ("{broken", False),
        ("", False),
    ],
)
def test_a_message_ends_the_stream_where_it_answers_the_request(data: str, final: bool) -> None:
    assert is_answer(read_request(CALL), data.encode()) is final


def test_to_an_unreadable_request_any_response_is_the_answer_and_to_a_notification_none() -> None:
    assert is_answer(Outgoing("raw"), OTHER.encode())
    assert not is_answer(Outgoing("notification", method="n"), OTHER.encode())


def test_the_answer_that_ends_the_stream_is_the_one_that_is_judged() -> None:
    messages: list[str] = [OTHER, NOTE, PING, answer(HELLO), refusal()]
    for first in messages:
        one = streamed(first, MINE)
        ends: Value = is_answer(read_request(CALL), first.encode())
        assert (one.frame == 0) is ends
