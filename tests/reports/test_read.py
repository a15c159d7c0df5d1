"""Reports in every form end in the call they tell of, or in a sentence that says why not."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from olv_tui.model import Era
from olv_tui.reports.read import Import, ReportedCall, read_report
from tests.search import examples

PING = '{"jsonrpc":"2.0","id":5,"method":"ping"}'
CALL = '{"jsonrpc":"2.0","id":12,"method":"tools/call","params":{"name":"probe","arguments":{"q":"a } b"}}}'
FAILED = '{"jsonrpc":"2.0","id":12,"error":{"code":-32000,"message":"gone"}}'


def the_call(text: str | bytes) -> ReportedCall:
    found = read_report(text)
    assert found.outcome == "imported", found.message
    return found.calls[0]


# --------------------------------------------------------------------------- envelopes and logs


def test_an_envelope_is_taken_verbatim() -> None:
    text = ' {"jsonrpc" : "2.0", "id":1.0, "method":"ping", "n":1e400, "n":2}\n'
    assert the_call(text).body == text.strip().encode()


def test_bytes_that_are_no_utf_8_stay_in_the_body() -> None:
    body = b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"\xff\xfe"}}'
    assert the_call(body).body == body


def test_a_request_and_its_answer_belong_together_by_their_id() -> None:
    other = FAILED.replace("12", "13")
    call = the_call(f"request {CALL}\nother {other}\nresponse {FAILED}\n")
    assert (call.body, call.expected) == (CALL.encode(), FAILED.encode())


def test_ids_of_other_types_do_not_pair() -> None:
    assert the_call(f"{CALL}\n{FAILED.replace('12', chr(34) + '12' + chr(34))}").expected in (
        None,
        FAILED.replace("12", '"12"').encode(),
    )
    found = read_report(f"{CALL}\n{PING}\n{FAILED.replace('12', chr(34) + '5' + chr(34))}")
    assert [call.expected for call in found.calls] == [None, None]


def test_an_answer_without_id_belongs_to_the_request_before_it() -> None:
    parse_error = '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}'
    assert the_call(f"> {CALL}\n< {parse_error}").expected == parse_error.encode()


def test_a_log_line_that_is_json_itself_is_opened() -> None:
    line = json.dumps({"level": "debug", "msg": "sending", "body": CALL})
    assert the_call(line).body == CALL.encode()


def test_a_log_line_with_the_message_as_a_member_keeps_its_text() -> None:
    own = '{"jsonrpc": "2.0",  "id": 7205759403792793601, "method": "ping"}'
    assert the_call('{"t":1,"payload":{"rpc":' + own + "}}").body == own.encode()


def test_the_address_behind_post_in_a_log_is_taken() -> None:
    assert the_call(f"POST https://example.test/mcp body={PING}").url == "https://example.test/mcp"


def test_the_same_request_told_twice_is_one_call() -> None:
    found = read_report(f"sending {PING}\nsent {PING}\n")
    assert (found.outcome, len(found.calls)) == ("imported", 1)
    assert "more than once" in found.message


def test_two_requests_are_asked_about_and_both_are_there() -> None:
    found = read_report(f"{PING}\n{CALL}\n")
    assert found.outcome == "asked"
    assert [call.body for call in found.calls] == [PING.encode(), CALL.encode()]
    assert "tools/call probe (id 12)" in found.message


def test_a_batch_is_one_call() -> None:
    assert the_call(f"[{PING},{CALL}]").body == f"[{PING},{CALL}]".encode()


def test_arguments_alone_are_asked_about() -> None:
    found = read_report('{"site": "helpbless.com", "n": 1.0}')
    assert (found.outcome, found.calls) == ("asked", ())
    assert found.arguments == '{"site": "helpbless.com", "n": 1.0}'


def test_an_answer_alone_is_refused_in_words() -> None:
    found = read_report(FAILED)
    assert found.outcome == "refused"
    assert "answer" in found.message


@pytest.mark.parametrize(
    "text", ["", " \n\t", "hello", "it does not work :(", "https://example.test/mcp", "{", "[[[[", "\x00"]
)
def test_what_holds_no_call_is_refused_in_words(text: str) -> None:
    found = read_report(text)
    assert found.outcome == "refused"
    assert found.message.endswith((".", "?"))


def test_broken_json_is_told_with_line_and_column() -> None:
    found = read_report('{\n "jsonrpc": "2.0",\n "id": 1 "method": "ping"\n}')
    assert found.outcome == "refused"
    assert "line 3" in found.message


# --------------------------------------------------------------------------- mends

MENDED = {
    "a trailing comma": ('{"jsonrpc":"2.0","id":1,"method":"ping",}', "comma"),
    "two trailing commas": ('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":[1,2,],},}', "comma"),
    "typographic quotes": ("{“jsonrpc”: “2.0”, “id”: 1, “method”: “ping”}", "typographic"),
    "Python's notation": ("{'jsonrpc': '2.0', 'id': None, 'method': 'ping', 'params': {'a': True}}", "single quotes"),
    "names without quotes": ('{jsonrpc: "2.0", id: 1, method: "ping"}', "names"),
    "no-break spaces": ('{\xa0"jsonrpc":\xa0"2.0", "id":1,"method":"ping"}', "spaces"),
    "comments": ('{"jsonrpc":"2.0", // version\n"id":1, /* mine */ "method":"ping"}', "comments"),
    "a tab in a string": ('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"x\ty"}}', "tabs"),
    "line numbers": ('1: {"jsonrpc":"2.0",\n2:  "id":1,\n3:  "method":"ping"}', "line numbers"),
    "a numbered listing": ('  9 | {"jsonrpc":"2.0",\n 10 |  "id":1,\n 11 |  "method":"ping"}', "line numbers"),
    "quote marks": ('> {"jsonrpc":"2.0",\n>  "id":1,\n> "method":"ping"}', "quote marks"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "word"), MENDED.values(), ids=MENDED)
def test_what_can_be_mended_for_certain_is_mended_and_named(text: str, word: str) -> None:
    found = read_report(text)
    assert found.outcome == "imported", found.message
    assert json.loads(found.calls[0].body)["method"] == "ping"
    assert any(word in phrase for phrase in found.mended), found.mended
    assert word in found.message


def test_a_trailing_comma_names_its_line() -> None:
    assert "line 4" in read_report('{\n  "jsonrpc": "2.0",\n  "id": 1,\n  "method": "ping",\n}').message


def test_what_stands_inside_strings_is_never_mended() -> None:
    inside = '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"“x”,}\xa0’ // no","b":"it\'s"},}'
    params = json.loads(the_call(inside).body)["params"]
    assert params == {"a": "“x”,}\xa0’ // no", "b": "it's"}


def test_sound_json_is_not_mended() -> None:
    found = read_report(CALL)
    assert (found.mended, found.calls[0].body) == ((), CALL.encode())


def test_lines_broken_at_the_width_of_a_window_are_joined() -> None:
    body = CALL.replace("a } b", "lorem ipsum " * 12)
    text = f"curl http://127.0.0.1:9/mcp -H 'content-type: application/json' -d '{body}'"
    wrapped = "\n".join(text[at : at + 80] for at in range(0, len(text), 80))
    call = the_call(wrapped)
    assert call.body == body.encode()
    assert read_report(wrapped).mended == ("lines broken at 80 characters were joined",)


def test_a_line_break_that_may_be_meant_is_not_joined() -> None:
    assert read_report('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"one\ntwo"}}').outcome == "refused"


# --------------------------------------------------------------------------- Markdown

ISSUE = f"""\
### It fails

Sending this:

```json
{CALL}
```

Expected:

```json
{{"jsonrpc":"2.0","id":12,"result":{{"content":[]}}}}
```

Actual:

```json
{FAILED}
```
"""


def test_an_issue_gives_its_request_and_the_answer_that_came() -> None:
    call = the_call(ISSUE)
    assert (call.body, call.expected) == (CALL.encode(), FAILED.encode())


def test_an_issue_in_details_quotes_lists_and_tildes_is_read_as_well() -> None:
    quoted = "\n".join(f"> {line}" for line in ISSUE.replace("```", "~~~~").splitlines())
    call = the_call(f"<details>\n\n{quoted}\n\n</details>")
    assert (call.body, call.expected) == (CALL.encode(), FAILED.encode())


def test_curl_in_an_issue_gets_the_answer_of_the_next_block() -> None:
    text = f"```sh\n$ curl http://h.test/ -d '{CALL}'\n```\n\nResponse:\n\n```\n{FAILED}\n```"
    call = the_call(text)
    assert (call.url, call.body, call.expected) == ("http://h.test/", CALL.encode(), FAILED.encode())


def test_an_answer_that_is_no_json_is_taken_where_the_words_say_so() -> None:
    text = f"```\ncurl http://h.test/ -d '{CALL}'\n```\n\nI got this response:\n\n```html\n<h1>502</h1>\n```"
    assert the_call(text).expected == b"<h1>502</h1>"


def test_several_calls_in_one_issue_are_asked_about() -> None:
    found = read_report(f"```\n{CALL}\n```\nand\n```\n{PING}\n```\n")
    assert (found.outcome, len(found.calls)) == ("asked", 2)


def test_curl_in_a_code_span_is_read() -> None:
    assert the_call(f"I run `curl http://h.test/ -d '{PING}'` and nothing comes.").body == PING.encode()


def test_a_fence_that_is_never_closed_goes_on_to_the_end() -> None:
    assert the_call(f"```json\n{PING}\n").body == PING.encode()


# --------------------------------------------------------------------------- HAR, HTTP, Python, records


def har(*entries: object) -> str:
    return json.dumps({"log": {"version": "1.2", "entries": list(entries)}})


def entry(body: str, answer: str | None = None, url: str = "https://h.test/mcp") -> dict[str, object]:
    request = {
        "method": "POST",
        "url": url,
        "headers": [{"name": ":authority", "value": "h.test"}, {"name": "content-type", "value": "application/json"}],
        "postData": {"mimeType": "application/json", "text": body},
    }
    content = {"mimeType": "application/json", "text": answer}
    return {"request": request, "response": {"status": 200 if answer else 0, "content": content}}


def test_a_har_gives_its_call_with_the_answer() -> None:
    call = the_call(har(entry(CALL, FAILED)))
    assert (call.url, call.headers) == ("https://h.test/mcp", (("content-type", "application/json"),))
    assert (call.body, call.expected, call.expected_status) == (CALL.encode(), FAILED.encode(), 200)


def test_a_har_of_a_browser_leaves_out_what_is_no_json_rpc() -> None:
    page = {"request": {"method": "GET", "url": "https://h.test/", "headers": []}, "response": {"status": 200}}
    found = read_report(har(page, entry("a=b"), entry(PING)))
    assert [call.body for call in found.calls] == [PING.encode()]
    assert "2 of its 3 entries" in found.message


def test_a_har_with_several_calls_is_asked_about_in_order() -> None:
    found = read_report(har(entry(PING, FAILED), entry(CALL, FAILED)))
    assert found.outcome == "asked"
    assert [call.body for call in found.calls] == [PING.encode(), CALL.encode()]


def test_base64_in_a_har_is_decoded() -> None:
    one = entry(PING)
    one["response"] = {"status": 200, "content": {"text": "eyJhIjoxfQ==", "encoding": "base64"}}
    assert the_call(har(one)).expected == b'{"a":1}'


@pytest.mark.parametrize("broken", [{}, {"request": 3}, {"request": {"method": 1, "url": 2}}, 5, None, []])
def test_broken_entries_of_a_har_are_passed_over(broken: object) -> None:
    assert the_call(har(broken, entry(PING))).body == PING.encode()


def test_http_text_gives_address_headers_body_and_answer() -> None:
    text = (
        f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:3000\r\nContent-Type: application/json\r\nX-A: b\r\n\r\n{CALL}\r\n\r\n"
        f"HTTP/1.1 500 Internal Server Error\r\nContent-Type: application/json\r\n\r\n{FAILED}\r\n"
    )
    call = the_call(text)
    assert call.url == "http://127.0.0.1:3000/mcp"
    assert call.headers == (("Content-Type", "application/json"), ("X-A", "b"))
    assert (call.body, call.expected, call.expected_status) == (CALL.encode(), FAILED.encode(), 500)


def test_the_scheme_of_http_text_is_told_to_be_a_guess() -> None:
    found = read_report(f"POST /mcp HTTP/1.1\nHost: h.test\n\n{PING}\n")
    assert found.calls[0].url == "https://h.test/mcp"
    assert "https was taken" in found.message


def test_python_with_requests_is_read_without_being_run() -> None:
    text = (
        "import requests, os\n"
        "os.mkdir('/tmp/never-made')\n"
        "r = requests.post('http://h.test/mcp', json={'jsonrpc': '2.0', 'id': 1, 'method': 'ping'},"
        " headers={'X-A': 'b'})\n"
    )
    call = the_call(text)
    assert json.loads(call.body)["method"] == "ping"
    assert ("X-A", "b") in call.headers
    assert ("Content-Type", "application/json") in call.headers


def test_python_that_computes_its_body_is_refused_in_words() -> None:
    found = read_report("import httpx\nhttpx.post('http://h.test/', content=make())\n")
    assert found.outcome == "refused"
    assert "not evaluated" in found.message


def test_the_output_of_a_dry_run_is_a_report_again() -> None:
    request = {"method": "POST", "url": "http://h.test/", "headers": [["A", "b"]], "body": PING}
    call = the_call(json.dumps({"outcome": "imported", "request": request, "expected": {"a": 1}, "mended": []}))
    assert (call.url, call.headers, call.body, call.expected) == (
        "http://h.test/",
        (("A", "b"),),
        PING.encode(),
        b'{"a":1}',
    )


def test_a_record_tells_its_era() -> None:
    request = {"method": "POST", "url": "http://h.test/", "headers": [], "body": PING}
    assert (
        the_call(json.dumps({"request": request, "response": None, "message": None, "era": "legacy"})).era is Era.LEGACY
    )


# --------------------------------------------------------------------------- any input

SHELL = [
    "curl ",
    'curl.exe ^"',
    "http POST h.test ",
    "-d '",
    '-H "',
    "$'\\",
    "\\\n",
    "^\r\n",
    "<<EOF\n",
    "EOF\n",
    "| ",
    "<<<",
    "$(",
]
WINDOWS = ["`\n", "@'\n", "\n'@", "Invoke-RestMethod -Uri ", "@{", "=", ";", "$x = "]
JSON = ["{", "}", "[{", '{"jsonrpc":', '"2.0",', '"method":"x"', PING, CALL, FAILED, "'", '"', "\\", "“", "’"]
OTHER = ["```", "~~~\n", "> ", "$ ", "1: ", "POST / HTTP/1.1\n", "HTTP/1.1 200 OK\n", "httpx.post(", "—d ", "--json "]
ODD = ["\x00", "\ud800", "\udcff", "\n", " ", "printf '%s' ", "echo -e ", "cat <<'E'\n"]
PARTS = st.sampled_from([*SHELL, *WINDOWS, *JSON, *OTHER, *ODD])


@settings(deadline=None, max_examples=examples(400))
@given(st.one_of(st.text(), st.binary(), st.lists(PARTS | st.text(max_size=4), max_size=25).map("".join)))
def test_any_input_ends_in_an_outcome(text: str | bytes) -> None:
    found = read_report(text)
    assert isinstance(found, Import)
    assert found.outcome in ("imported", "asked", "refused")
    assert (found.outcome == "imported") == (len(found.calls) == 1)
    assert found.message or found.outcome == "imported"


@pytest.mark.parametrize(
    "text",
    ["{" * 200_000, "[{" * 100_000, '{"a":' * 100_000, "“{" * 50_000, "curl '" * 20_000, "`" * 200_000, "> " * 100_000,
     "{/*" * 50_000, '{"a":1,' * 50_000, "{'" * 100_000, "@'\n" * 60_000, "curl “x\n" * 20_000, "```\n" * 50_000,
     "- " * 100_000 + "```", '{"jsonrpc":"2.0","id":1,"method":"ping"}\n' * 3000],
    ids=lambda text: text[:8],
)  # fmt: skip
def test_input_made_to_be_slow_is_answered(text: str) -> None:
    assert read_report(text).outcome in ("imported", "asked", "refused")


def test_a_deeply_nested_body_is_imported() -> None:
    body = '{"jsonrpc":"2.0","id":1,"method":"ping","params":' + "[" * 20_000 + "]" * 20_000 + "}"
    assert the_call(body).body == body.encode()
