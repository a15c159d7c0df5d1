"""Commands as people paste them: every quoting, every shell, every way to give a body."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from olv_tui.reports.read import ReportedCall, read_report
from olv_tui.reports.shell import Shell
from olv_tui.reports.values import Notes
from tests.search import examples

URL = "http://h.test/mcp"
BODY = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
TEXT = BODY.decode()
QUOTED = TEXT.replace('"', '\\"')
HEAD = "-H 'Content-Type: application/json'"


def the_call(text: str) -> ReportedCall:
    found = read_report(text)
    assert found.outcome == "imported", found.message
    return found.calls[0]


BODY_FORMS = {
    "-d": f"curl {URL} -d '{TEXT}'",
    "-d at once": f"curl {URL} -d'{TEXT}'",
    "--data": f"curl {URL} --data '{TEXT}'",
    "--data-raw": f"curl {URL} --data-raw '{TEXT}'",
    "--data-binary": f"curl {URL} --data-binary '{TEXT}'",
    "--data-ascii": f"curl {URL} --data-ascii '{TEXT}'",
    "--json": f"curl {URL} --json '{TEXT}'",
    "double quotes": f'curl "{URL}" -d "{QUOTED}"',
    "ANSI-C quotes": f"curl {URL} -d $'{TEXT}'",
    "backslashes": f"curl {URL} -d " + TEXT.replace('"', '\\"').replace("{", "\\{").replace("}", "\\}"),
    "pieces of a word": f"curl {URL} -d '{TEXT[:9]}'\"" + TEXT[9:].replace('"', '\\"') + '"',
    "a here-document": f"curl {URL} --data-binary @- <<'EOF'\n{TEXT}\nEOF\n",
    "a here-document with tabs": f"curl {URL} -d @- <<-EOF\n\t{TEXT}\n\tEOF\n",
    "a here-document first": f"curl -d @- {URL} <<EOF\n{TEXT}\nEOF",
    "a here-string": f"curl {URL} -d @- <<< '{TEXT}'",
    "echo before": f"echo '{TEXT}' | curl {URL} -d @-",
    "echo -n before": f"echo -n '{TEXT}' | curl {URL} --data-binary @-",
    "printf before": f"printf '%s' '{TEXT}' | curl --data-binary @- {URL}",
    "cat before": f"cat <<'EOF' | curl {URL} -d @-\n{TEXT}\nEOF",
    "short options together": f"curl -sSkXPOST {URL} -d '{TEXT}'",
    "options with values first": f"curl -o /dev/null -w '%{{http_code}}' -m3 -x '' --url {URL} -d '{TEXT}'",
    "what follows a pipe": f"curl -s {URL} -d '{TEXT}' | jq .result",
    "what follows a redirection": f"curl -s {URL} -d '{TEXT}' > out.json 2>&1",
    "a prompt": f"$ curl {URL} -d '{TEXT}'",
    "a long prompt": f"me@host:~/work (main)$ curl {URL} -d '{TEXT}'",
    "a prompt and its continued lines": f"$ curl {URL} \\\n>   -X POST \\\n>   -d '{TEXT}'",
    "a variable before": f"TOKEN=abc curl {URL} -d '{TEXT}'",
    "time before": f"time curl {URL} -d '{TEXT}'",
    "a path": f"sudo curl {URL} -d '{TEXT}'",
    "Windows line ends": f"curl {URL} \\\r\n  -d '{TEXT}'\r\n",
    "blanks behind the backslash": f"curl {URL} \\  \n  -d '{TEXT}'",
    "no-break spaces": f"curl\xa0{URL}\xa0-d\xa0'{TEXT}'",
    "typographic dashes": f"curl {URL} –d '{TEXT}'",
    "typographic double quotes": f"curl {URL} -d “{TEXT}”",
    "cmd with doubled quotes": f'curl.exe {URL} -d "{TEXT.replace(chr(34), chr(34) * 2)}"',
    "cmd with backslashes": f'C:\\Users\\me>curl {URL} -d "{QUOTED}"',
    "cmd with carets at line ends": f'curl {URL} ^\r\n -d "{QUOTED}"',
    "PowerShell": f"curl.exe '{URL}' `\n  -d '{QUOTED}'",
    "PowerShell with a prompt": f"PS C:\\Users\\me> curl.exe '{URL}' `\n>>   -d '{QUOTED}'",
    "a here-string of PowerShell": f"$body = @'\n{TEXT}\n'@\nInvoke-RestMethod -Uri {URL} -Method Post -Body $body",
    "Invoke-RestMethod": f"Invoke-RestMethod -Method POST -Uri '{URL}' -ContentType 'application/json' -Body '{TEXT}'",
    "irm with everything short": f"irm {URL} -Method post -Body '{TEXT}'",
    "Invoke-WebRequest with bytes": f"iwr {URL} -Method POST -Body ([Text.Encoding]::UTF8.GetBytes('{TEXT}'))",
    "a result that is kept": f'$r = irm "{URL}" -Method POST -Body "{TEXT.replace(chr(34), "`" + chr(34))}"',
    "HTTPie with pairs": f"http POST {URL} jsonrpc=2.0 id:=1 method=ping",
    "HTTPie with --raw": f"http POST {URL} --raw '{TEXT}'",
    "HTTPie from a pipe": f"echo -n '{TEXT}' | http POST {URL}",
    "HTTPie without a method": f"http {URL} jsonrpc=2.0 id:=1 method=ping",
    "xh": f"xh post {URL} --raw '{TEXT}'",
}  # fmt: skip


@pytest.mark.parametrize("text", BODY_FORMS.values(), ids=BODY_FORMS)
def test_a_body_is_read_from(text: str) -> None:
    import json

    call = the_call(text)
    assert (call.method, call.url) == ("POST", URL)
    assert json.loads(call.body) == json.loads(BODY)


EXACT = [
    name
    for name in BODY_FORMS
    if not name.startswith(
        ("HTTPie with pairs", "HTTPie without", "echo before", "a here-document", "a here-string", "cat")
    )
]


@pytest.mark.parametrize("name", EXACT)
def test_a_body_is_read_byte_for_byte_from(name: str) -> None:
    assert the_call(BODY_FORMS[name]).body == BODY


HEADERS = {
    "-H": ("-H 'X-A: b'", ("X-A", "b")),
    "-H at once": ("-H'X-A: b'", ("X-A", "b")),
    "--header": ('--header "X-A: b: c"', ("X-A", "b: c")),
    "an empty one": ("-H 'X-A;'", ("X-A", "")),
    "-u": ("-u me:secret", ("Authorization", "Basic bWU6c2VjcmV0")),
    "--oauth2-bearer": ("--oauth2-bearer abc", ("Authorization", "Bearer abc")),
    "-A": ("-A 'My Agent/1'", ("User-Agent", "My Agent/1")),
    "-e": ("-e http://a.test/", ("Referer", "http://a.test/")),
    "-b": ("-b 'a=1; b=2'", ("Cookie", "a=1; b=2")),
    "what curl adds to -d": ("", ("Content-Type", "application/x-www-form-urlencoded")),
    "what curl always adds": ("", ("Accept", "*/*")),
}


@pytest.mark.parametrize(("option", "header"), HEADERS.values(), ids=HEADERS)
def test_a_header_is_read_from(option: str, header: tuple[str, str]) -> None:
    assert header in the_call(f"curl {URL} {option} -d '{TEXT}'").headers


def test_a_header_taken_away_is_not_sent() -> None:
    call = the_call(f"curl {URL} -H 'Accept:' -H 'X-Gone:' -d '{TEXT}'")
    assert not {"accept", "x-gone"} & {name.lower() for name, _ in call.headers}
    assert set(call.without) >= {"accept", "x-gone"}


def test_headers_of_powershell_come_from_its_tables() -> None:
    text = (
        "$headers = @{\n  'X-A' = 'it''s'\n  Authorization = \"Bearer abc\"; 'X-C'='d'\n}\n"
        f"Invoke-RestMethod -Uri {URL} -Method Post -Headers $headers -Body '{TEXT}'"
    )
    assert the_call(text).headers[:3] == (("X-A", "it's"), ("Authorization", "Bearer abc"), ("X-C", "d"))
    inline = f"irm {URL} -Method Post -Headers @{{ 'X-A' = 'b'; 'X-C' = \"d`te\" }} -Body '{TEXT}'"
    assert the_call(inline).headers[:2] == (("X-A", "b"), ("X-C", "d\te"))


@pytest.mark.parametrize(
    ("address", "url"),
    [(":3000/mcp", "http://localhost:3000/mcp"), ("h.test/mcp", "http://h.test/mcp"), (URL, URL), ("localhost:1", "http://localhost:1")],
)  # fmt: skip
def test_addresses_of_httpie_may_be_short(address: str, url: str) -> None:
    assert the_call(f"http POST {address} X-A:b jsonrpc=2.0 id:=1 method=ping").url == url


def test_pairs_of_httpie_become_the_body_it_sends() -> None:
    call = the_call(f"http {URL} X-A:b q==1 a=text b:=[1,2.0] 'c:={{\"d\":null}}'")
    assert call.body == b'{"a": "text", "b": [1,2.0], "c": {"d":null}}'
    assert call.url == f"{URL}?q=1"
    assert ("X-A", "b") in call.headers


def test_words_that_begin_with_http_are_no_command() -> None:
    assert read_report("http requests fail since monday\nhttps is fine\n").outcome == "refused"


REFUSED = {
    "a body in a file": (f"curl {URL} -d @body.json", "body.json"),
    "a body from nowhere": (f"curl {URL} -d @-", "standard input"),
    "a form": (f"curl {URL} -F a=@b", "form"),
    "a file of HTTPie": (f"http POST {URL} @body.json", "body.json"),
    "an expression of PowerShell": (f"irm {URL} -Method Post -Body (Get-Content x.json)", "not evaluated"),
}


@pytest.mark.parametrize(("text", "word"), REFUSED.values(), ids=REFUSED)
def test_what_the_report_does_not_hold_is_refused_by_name(text: str, word: str) -> None:
    found = read_report(text)
    assert found.outcome == "refused"
    assert word in found.message


def test_a_command_without_address_leaves_its_envelope_and_says_so() -> None:
    found = read_report(f"curl -d '{TEXT}'")
    assert (found.outcome, found.calls[0].url, found.calls[0].body) == ("imported", "", BODY)
    assert "no address" in found.message


def test_a_body_that_stands_elsewhere_in_the_report_is_taken_and_the_command_told() -> None:
    found = read_report(f"```sh\ncurl {URL} -d @body.json\n```\n\nbody.json:\n\n```json\n{TEXT}\n```\n")
    assert (found.outcome, found.calls[0].body) == ("imported", BODY)
    assert "body.json" in found.message


def test_variables_and_substitutions_stay_as_written_and_are_told() -> None:
    found = read_report(f'curl "$BASE/mcp" -H "Authorization: Bearer $TOKEN" -H "X-A: $(id)" -d \'{TEXT}\'')
    call = found.calls[0]
    assert ("Authorization", "Bearer $TOKEN") in call.headers
    assert ("X-A", "$(id)") in call.headers
    assert "$TOKEN" in found.message
    assert "not run" in found.message


def test_several_commands_are_asked_about_each_with_its_answer() -> None:
    answer = '{"jsonrpc":"2.0","id":1,"result":{"n":%d}}'
    text = "\n".join(f"$ curl {URL}/{number} -d '{TEXT}'\n{answer % number}" for number in (1, 2))
    found = read_report(text)
    assert found.outcome == "asked"
    assert [call.url for call in found.calls] == [f"{URL}/1", f"{URL}/2"]
    assert [call.expected for call in found.calls] == [(answer % number).encode() for number in (1, 2)]


def test_a_command_without_body_is_a_get() -> None:
    call = the_call(f"curl {URL} -H 'Accept: text/event-stream'")
    assert (call.method, call.body) == ("GET", b"")


# --------------------------------------------------------------------------- against bash itself

PIECES = [
    "'",
    '"',
    "\\",
    "a",
    "b c",
    "é",
    "$'",
    "\\x41",
    "\\101",
    "\\u00e9",
    "\\n",
    "\\'",
    '\\"',
    "%",
    "*",
    "~",
    "=",
    "!",
]
WORDS = st.lists(st.sampled_from([*PIECES, "{", "}", "\\\\", ",", "0"]), max_size=12).map("".join)


@pytest.mark.skipif(not shutil.which("bash"), reason="needs bash")
@settings(deadline=None, max_examples=examples(150))
@given(WORDS)
def test_words_are_those_that_bash_reads(text: str) -> None:
    command = f"curl {text}"
    script = f'set -f; curl() {{ for w in "$@"; do printf \'%s\\0\' "$w"; done; }}\n{command}\n'
    done = subprocess.run(
        ["bash", "--norc"],
        input=script.encode(),
        capture_output=True,
        timeout=10,
        check=False,
        env={"HOME": "~", "LC_ALL": "C.UTF-8"},
    )
    if done.returncode or done.stderr:
        return  # no command for bash: an open quote
    theirs = done.stdout.split(b"\0")[:-1]
    if any(word.startswith("~") for word in text.split()) or ("{" in text and "," in text and "}" in text):
        return  # bash evaluates these
    commands = Shell(f"{command}\n", 0, Notes()).read()
    assert commands[0].words[1:] == (theirs or [])
