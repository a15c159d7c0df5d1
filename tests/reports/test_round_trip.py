"""Out and in again: every export of any exchange reads back to the same request."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from olv_tui.model import Era, Exchange
from olv_tui.redact import MASK, Redactor
from olv_tui.reports.read import read_report
from olv_tui.reports.write import FORMS, as_curl, export
from tests.reports.made import ANSWER, BODY, SENT, as_sent, as_told, exchange, exchanges
from tests.search import examples

REDACTOR = Redactor(b"k" * 32)


@pytest.mark.parametrize("form", [*FORMS, "powershell"])
@settings(deadline=None, max_examples=examples(150))
@given(given_=exchanges())
@example(given_=exchange(b"\0\xff'\r\n"))
@example(given_=exchange(b""))
@example(given_=exchange(b" @"))
@example(given_=exchange(b"\n$x = 1\n```\ncurl -d x http://other.test\n"))
@example(given_=exchange(b"a=\n"))
@example(given_=exchange('{"a":"’quoted’ \'x\' `~~~`"}'.encode()))
@example(given_=exchange(headers=(*SENT, ("X-A", "=1"), ("X-B", "@f"), ("X-C", ""), ("X-C", "two"))))
def test_any_exchange_reads_back_to_the_same_request(form: str, given_: Exchange) -> None:
    written = as_curl(given_, "powershell") if form == "powershell" else export(given_, form, REDACTOR)
    if any("HTTPie cannot" in warning for warning in written.warnings):
        return
    found = read_report(written.text)
    assert found.outcome == "imported", (found.message, written.text)
    assert as_told(given_, found.calls[0]) == as_sent(given_), written.text


@pytest.mark.parametrize("form", ["report", "har", "json"])
@pytest.mark.parametrize("era", [Era.BARE, Era.LEGACY, Era.MODERN])
def test_forms_that_tell_the_answer_give_it_back(form: str, era: Era) -> None:
    found = read_report(export(exchange(era=era), form, REDACTOR).text)
    call = found.calls[0]
    assert call.expected == ANSWER
    assert call.expected_status == 200
    assert call.era == (None if form == "har" else era)


@pytest.mark.parametrize("form", ["report", "har", "json"])
def test_the_answer_of_an_event_stream_is_its_message(form: str) -> None:
    stream = b'event: message\ndata: {"jsonrpc":"2.0","method":"notifications/progress"}\n\ndata: ' + ANSWER + b"\n\n"
    given_ = exchange(answer=stream, media="text/event-stream")
    assert read_report(export(given_, form, REDACTOR).text).calls[0].expected == (
        ANSWER if form != "report" else stream
    )


@settings(deadline=None, max_examples=examples(60))
@given(st.text(max_size=30), st.sampled_from(["report", "har", "json"]))
def test_an_answer_that_is_any_text_is_given_back_exactly(text: str, form: str) -> None:
    body = text.encode("utf-8", "replace")
    found = read_report(export(exchange(answer=body, media="text/plain"), form, REDACTOR).text)
    assert (found.calls[0].expected or b"") == body


def test_a_header_that_httpie_cannot_hold_is_told() -> None:
    written = export(exchange(headers=(*SENT, ("X-A", "a\\:b"))), "httpie", REDACTOR)
    assert any("X-A" in warning for warning in written.warnings)


def test_a_batch_and_a_notification_read_back() -> None:
    for body in (b"[" + BODY + b"," + BODY.replace(b"7", b"8") + b"]", b'{"jsonrpc":"2.0","method":"notifications/x"}'):
        for form in FORMS:
            found = read_report(export(exchange(body, answer=None), form, REDACTOR).text)
            assert [call.body for call in found.calls] == [body]


def test_with_secrets_fills_in_what_is_known_wherever_it_stood() -> None:
    """The value of a variable in a header whose name says nothing of it."""
    knowing = Redactor(b"k" * 32, ["value-of-a-variable"])
    sent = exchange(b'{"a":"value-of-a-variable"}', headers=(*SENT, ("X-Plain", "value-of-a-variable")))
    assert "value-of-a-variable" not in export(sent, "curl", knowing).text
    written = export(sent, "curl", knowing, secrets=())
    assert as_told(sent, read_report(written.text).calls[0]) == as_sent(sent)


def test_equal_tokens_have_equal_masks_in_every_form_and_place() -> None:
    token = "tok-SECRET-5d0e9"
    headers = (*SENT, ("Authorization", f"Bearer {token}"), ("X-Api-Key", token), ("X-Plain", token))
    body = f'{{"note":"{token}","password":"{token}"}}'.encode()
    sent = exchange(body, headers, f"https://example.test/mcp?api_key={token}")
    for form in FORMS:
        call = read_report(export(sent, form, REDACTOR).text).calls[0]
        told = " ".join((call.url, *(value for _, value in call.headers), call.body.decode()))
        assert set(MASK.findall(told)) == {REDACTOR.mask(token)}
        assert len(MASK.findall(told)) == 6, form
