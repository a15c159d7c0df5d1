"""Secrets typed into the body of a call: kept masked, sent again with their values, and nothing else is touched."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from olv_tui.__main__ import main
from olv_tui.history import History, SavedCall
from olv_tui.model import Exchange, Outgoing, Reply, WireRequest, WireResponse
from olv_tui.redact import MASK, Redactor, is_secret_argument

SECRET_NAMES = [
    "password", "Password", "userPassword", "db_password", "new-password", "passwordConfirmation", "passwd", "pwd",
    "pass", "passphrase", "secret", "clientSecret", "client_secret", "token", "accessToken", "access_token",
    "API_TOKEN", "refresh-token", "apiKey", "api_key", "APIKey", "privateKey", "secret_access_key",
    "authorization", "jwt", "pin",
]  # fmt: skip
PLAIN_NAMES = [
    "pageToken", "next_page_token", "continuationToken", "progressToken", "syncToken", "tokenizer", "token_count",
    "maxTokens", "max_tokens", "key", "keyboard", "primary_key", "secretName", "secret_id", "password_policy", "author",
    "passenger", "compass", "session_id", "sessionId", "spin", "cursor", "", "-", "keys", "tokens",
]  # fmt: skip


def call(body: bytes, answer: bytes = b"{}", hidden: frozenset[str] = frozenset()) -> Exchange:
    outgoing = Outgoing("request", tool="login", hidden=hidden)
    reply = Reply(WireResponse(200, "OK", (), answer))
    return Exchange(0, "", outgoing, WireRequest("http://h/", (), body), "2026-12-02T08:00:00.000Z", reply=reply)


def kept(redactor: Redactor, exchange: Exchange) -> tuple[bytes, bytes]:
    shown = redactor.exchange(exchange)
    assert shown.reply is not None
    assert shown.reply.response is not None
    return shown.request.body, shown.reply.response.body


def test_names_that_are_secrets_and_names_that_are_not() -> None:
    assert [name for name in SECRET_NAMES if not is_secret_argument(name)] == []
    assert [name for name in PLAIN_NAMES if is_secret_argument(name)] == []


@pytest.mark.parametrize("value", ["x", "hunter2-long", 'with "quotes" \\ and é', "a\nb", "-", "€" * 100])
def test_what_is_typed_under_a_secret_name_is_kept_as_a_mask_and_sent_again_with_its_value(value: str) -> None:
    redactor = Redactor(b"k")
    args = {"user": "ada", "nested": [{"password": value}], "page_token": "p-1", "token": 5, "secret": ""}
    for body in (json.dumps(args), json.dumps(args, ensure_ascii=False, indent=2), json.dumps(args) + " oops"):
        asked, _ = kept(redactor, call(body.encode()))
        written = json.dumps(value)[1:-1] if body.isascii() else json.dumps(value, ensure_ascii=False)[1:-1]
        assert asked.decode() == body.replace(f'"password": "{written}"', f'"password": "{redactor.mask(value)}"')
        again = redactor.reveal(asked.decode())
        assert json.JSONDecoder().raw_decode(again)[0] == args
        assert kept(redactor, call(asked))[0] == asked, "masked twice is masked once"


def test_in_the_answer_only_what_is_surely_a_secret_is_masked() -> None:
    redactor = Redactor(b"k")
    body = b'{"password":"hunter2-long","token":"ethereum","api_key":"sk-1234567890abcd","pin":"1234"}'
    _, answer = kept(redactor, call(body, b"hunter2-long ethereum sk-1234567890abcd 1234"))
    assert answer.decode() == f"{redactor.mask('hunter2-long')} ethereum {redactor.mask('sk-1234567890abcd')} 1234"
    assert kept(redactor, call(b"{}", b"hunter2-long"))[1] == b"hunter2-long", "another exchange has none of it"


def test_placeholders_and_masks_stay() -> None:
    body = '{"password":"${PASSWORD}","secret":"‹hidden 3f9a1c›","token":"{{token}}"}'.encode()
    assert kept(Redactor(b"k"), call(body))[0] is body


def test_names_that_the_schema_marks_are_secrets_too() -> None:
    body = b'{"word":"ab","plain":"cd"}'
    asked, _ = kept(Redactor(b"k"), call(body, hidden=frozenset({"word"})))
    assert MASK.sub("M", asked.decode()) == '{"word":"M","plain":"cd"}'


def test_letters_written_as_escapes_and_hexadecimal_are_found() -> None:
    redactor = Redactor(b"k", ["tok-SECRET-5d0e9"])
    spelled = "".join(f"\\u{ord(char):04x}" for char in "tok-SECRET-5d0e9")
    half = "tok-" + spelled[24:]
    for text in (f'{{"a":"{spelled}"}}', f'{{"a":"\\u0041{half}"}}', b"tok-SECRET-5d0e9".hex()):
        told = redactor.text(text)
        assert MASK.search(told), text
        assert redactor.data(text.encode()).decode() == told
    plain = '{"a":"\\u0041 and no secret"}'
    assert redactor.text(plain) is plain


def test_no_file_holds_a_password_that_was_typed_and_the_dry_run_of_a_report_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    password = "correct-horse-7"
    arguments = json.dumps({"site": "a.b", "password": password})
    main(["call", "olv_site_status", arguments, "--demo", "--record", str(tmp_path / "c.jsonl"), "--json"])
    out, err = capfd.readouterr()
    assert password not in out + err
    assert "hidden" in json.loads(out)["request"]["body"]
    with closing(History(tmp_path / "h.sqlite3", Redactor(b"k"))) as history:
        history.save_call(SavedCall("mine", "olv_site_status", "tools/call", arguments))
        assert password not in str(history.saved())
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert len(files) > 3
    assert not [file for file in files if password.encode() in file.read_bytes()]
    report = tmp_path / "report.json"
    report.write_text(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "x", "params": json.loads(arguments)}))
    main(["replay", str(report), "--dry-run", "--json"])
    assert password in json.loads(capfd.readouterr().out)["request"]["body"]
