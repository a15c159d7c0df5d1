"""Secrets: what is masked, where it is found, and that everything else stays byte for byte."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from urllib.parse import quote

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from olv_tui.model import (
    Exchange,
    Frame,
    Header,
    Judgement,
    Number,
    Object,
    Outgoing,
    Reply,
    RequestId,
    RpcError,
    Severity,
    Tool,
    ToolError,
    TransportError,
    Value,
    Verdict,
    Violation,
    WireRequest,
    WireResponse,
)
from olv_tui.redact import MASK, Redactor, is_secret_name, is_secret_parameter, secrets_in

KEY = b"k" * 32
SECRET = "tok-SECRET-5d0e9"
REDACTOR = Redactor(KEY)


def masked(value: str) -> str:
    return REDACTOR.mask(value)


# --------------------------------------------------------------------------- masks


def test_a_mask_is_six_hex_digits_in_brackets() -> None:
    assert MASK.fullmatch(masked(SECRET))


def test_equal_secrets_look_equal_and_different_ones_do_not() -> None:
    assert masked(SECRET) == masked(SECRET)
    assert masked(SECRET) != masked(SECRET + "x")


def test_the_same_secret_looks_different_in_another_installation() -> None:
    assert masked(SECRET) != Redactor(b"other key").mask(SECRET)


def test_a_mask_is_not_masked_again() -> None:
    assert masked(masked(SECRET)) == masked(SECRET)


# --------------------------------------------------------------------------- headers


@pytest.mark.parametrize(
    "name",
    [
        "Authorization", "proxy-authorization", "Cookie", "SET-COOKIE", "mcp-SESSION-id", "X-API-Key", "x-apikey",
        "X-Access-Token", "X-CSRF-Token", "CF-Access-Client-Secret", "X-Password", "X-Passwd", "X-Auth-Key", "x-auth",
    ],
)  # fmt: skip
def test_headers_that_carry_secrets_are_known_by_name(name: str) -> None:
    ((kept, value),) = REDACTOR.headers([(name, SECRET)])
    assert (kept, value) == (name, masked(SECRET))


@pytest.mark.parametrize(
    "name",
    [
        "Content-Type", "WWW-Authenticate", "Mcp-Protocol-Version", "Mcp-Method", "X-RateLimit-Remaining-Tokens",
        "Access-Control-Allow-Headers", "Authentication-Info", "Etag", "Idempotency-Key",
    ],
)  # fmt: skip
def test_other_headers_stay_as_they_are(name: str) -> None:
    assert REDACTOR.headers([(name, "149984")]) == ((name, "149984"),)


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "Basic", "Token", "DPoP"])
def test_the_scheme_of_an_authorization_stays(scheme: str) -> None:
    assert REDACTOR.headers([("Authorization", f"{scheme} {SECRET}")]) == (
        ("Authorization", f"{scheme} {masked(SECRET)}"),
    )


def test_a_first_word_that_is_no_scheme_is_masked_with_the_rest() -> None:
    ((_, value),) = REDACTOR.headers([("Authorization", "hunter2 again")])
    assert value == masked("hunter2 again")


def test_cookies_keep_their_names_and_attributes() -> None:
    sent, got = REDACTOR.headers([("Cookie", f"a={SECRET}; b=2"), ("Set-Cookie", f"a={SECRET}; Path=/; HttpOnly")])
    assert sent[1] == f"a={masked(SECRET)}; b={masked('2')}"
    assert got[1] == f"a={masked(SECRET)}; Path=/; HttpOnly"


def test_a_cookie_without_a_name_is_masked_whole() -> None:
    assert REDACTOR.headers([("Cookie", SECRET)])[0][1] == masked(SECRET)


def test_an_address_in_a_location_header_is_masked_like_a_url() -> None:
    location = f"https://u:{SECRET}@other.test/mcp?access_token={SECRET}&x=1"
    ((_, value),) = REDACTOR.headers([("Location", location)])
    assert SECRET not in value
    assert value.endswith("&x=1")


def test_a_known_value_is_masked_in_any_header() -> None:
    assert Redactor(KEY, [SECRET]).headers([("X-Echo", f"<{SECRET}>")]) == (("X-Echo", f"<{masked(SECRET)}>"),)


# --------------------------------------------------------------------------- URLs


@pytest.mark.parametrize(
    ("url", "wanted"),
    [
        ("https://user:pw@host/mcp", f"https://{masked('user:pw')}@host/mcp"),
        ("https://token@host:8080/mcp", f"https://{masked('token')}@host:8080/mcp"),
        ("https://us@er:pw@host/mcp", f"https://{masked('us@er:pw')}@host/mcp"),
        ("https://user:p/w@host/mcp", f"https://{masked('user:p/w')}@host/mcp"),
        ("user:pw@host:3000/mcp", f"{masked('user:pw')}@host:3000/mcp"),
        ("http:\\\\user:pw@host", f"http:\\\\{masked('user:pw')}@host"),
        ("https://host/mcp?token=abc&x=1", f"https://host/mcp?token={masked('abc')}&x=1"),
        ("https://host/mcp?x=1;api%5Fkey=abc", f"https://host/mcp?x=1;api%5Fkey={masked('abc')}"),
        ("https://host/mcp?X-Amz-Signature=abc", f"https://host/mcp?X-Amz-Signature={masked('abc')}"),
        ("https://host/#access_token=abc", f"https://host/#access_token={masked('abc')}"),
        ("https://[half/mcp?key=abc", f"https://[half/mcp?key={masked('abc')}"),
        ("//user:pw@host", f"//{masked('user:pw')}@host"),
    ],
)
def test_secrets_in_urls_are_masked_also_in_broken_ones(url: str, wanted: str) -> None:
    assert REDACTOR.url(url) == wanted


@pytest.mark.parametrize(
    "url",
    [
        "https://onelifevibe.com/mcp",
        "http://host:3000/@scope/pkg",
        "http://host/a@b?mail=a@b&q=1",
        "http://[::1]:80/x@y",
        "https://host/mcp?max_tokens=400",
        "",
    ],
)
def test_urls_without_secrets_stay_as_they_are(url: str) -> None:
    assert REDACTOR.url(url) == url


def test_a_percent_encoded_secret_has_the_mask_of_the_plain_one() -> None:
    assert REDACTOR.url("https://h/?token=a%2Fb+c").endswith(masked("a/b+c"))


@given(st.text())
def test_no_url_raises_and_twice_is_once(url: str) -> None:
    once = Redactor(KEY, [SECRET]).url(url)
    assert Redactor(KEY, [SECRET]).url(once) == once


def test_names_of_parameters_and_headers_differ() -> None:
    assert is_secret_parameter("key")
    assert not is_secret_name("key")


# --------------------------------------------------------------------------- known values in text and bytes


def test_text_and_bytes_without_the_secret_are_the_same_objects() -> None:
    redactor = Redactor(KEY, [SECRET])
    text, data = "a sentence", b'{"a":' + b" " * 1000 + b"1}"
    assert redactor.text(text) is text
    assert redactor.data(data) is data


def test_a_part_of_the_secret_alone_is_no_hit() -> None:
    redactor = Redactor(KEY, ["tok/SECRET"])
    data = b"SECRET tok"
    assert redactor.data(data) is data


def test_values_shorter_than_six_characters_are_not_looked_for() -> None:
    assert Redactor(KEY, ["abcde"]).text("abcde") == "abcde"
    assert Redactor(KEY, ["abcdef"]).text("abcdef") == masked("abcdef")


def test_a_secret_within_a_longer_one_does_not_cut_it() -> None:
    redactor = Redactor(KEY, ["secret-1", "secret-1-long"])
    assert redactor.text("secret-1-long secret-1") == f"{masked('secret-1-long')} {masked('secret-1')}"


def test_a_secret_that_is_part_of_a_mask_leaves_masks_alone() -> None:
    redactor = Redactor(KEY, ["hidden"])
    once = redactor.text("hidden")
    assert redactor.text(once) == once == masked("hidden")


@pytest.mark.parametrize("secret", ["a/b+c=d&e<f>", 'quo"te\\back', "schlüssel-wörter", "emoji-😀-key", "with blank s"])
def test_escaped_forms_of_a_secret_are_found(secret: str) -> None:
    redactor = Redactor(KEY, [secret])
    forms = [
        secret,
        json.dumps(secret)[1:-1],
        json.dumps(secret, ensure_ascii=False)[1:-1],
        json.dumps(secret)[1:-1].replace("/", "\\/").replace("=", "\\u003D").replace("<", "\\u003c"),
        quote(secret, safe=""),
        quote(secret, safe="").lower(),
    ]
    for form in forms:
        assert redactor.text(f"<{form}>") == f"<{masked(secret)}>", form
        assert redactor.data(f"<{form}>".encode()) == f"<{masked(secret)}>".encode(), form


@pytest.mark.parametrize("before", ["", "u", "us", "user:"])
def test_a_secret_in_base64_is_found_at_every_alignment(before: str) -> None:
    secret = "tok?SECRET>5d0e9~~~"
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        text = encode(f"{before}{secret}:after".encode()).decode()
        shown = Redactor(KEY, [secret]).text(text)
        assert masked(secret) in shown
        left = MASK.sub("", shown).rstrip("=")
        assert len(left) < len(text) - len(secret)


def test_a_number_that_is_a_secret_becomes_a_text() -> None:
    redactor = Redactor(KEY, ["123456789"])
    assert redactor.value([Number("123456789"), Number("1")]) == [masked("123456789"), Number("1")]


def test_values_of_any_depth_are_masked_with_their_duplicates() -> None:
    deep: Value = Object([("a", SECRET), ("a", "kept"), (SECRET, None)])
    for _ in range(5000):
        deep = [deep, True]
    shown: Value = Redactor(KEY, [SECRET]).value(deep)
    while isinstance(shown, list):
        shown = shown[0]
    assert isinstance(shown, Object)
    assert list(shown.members()) == [("a", masked(SECRET)), ("a", "kept"), (masked(SECRET), None)]


@given(st.text(min_size=6), st.text(), st.text())
@example("hidden", "‹hidden 3f9a1c›", "")
@example("aaaaaa", "aaa", "aaa")
@example("\ud83d\ude00abcd", "", "")
def test_no_known_value_is_left_in_any_text_and_twice_is_once(secret: str, before: str, after: str) -> None:
    redactor = Redactor(KEY, [secret])
    shown = redactor.text(before + secret + after)
    if len(secret.strip()) >= 6 and not MASK.search(secret):
        assert secret.strip() not in MASK.sub("", shown) or secret.strip() in before + after
        assert MASK.search(shown)
    assert redactor.text(shown) == shown


# --------------------------------------------------------------------------- exchanges


def make(
    *,
    headers: tuple[Header, ...] = (("Authorization", f"Bearer {SECRET}"),),
    url: str = "https://host/mcp",
    request: bytes = b"{}",
    response: WireResponse | None = None,
    judgement: Judgement | None = None,
    error: TransportError | None = None,
) -> Exchange:
    return Exchange(
        serial=1,
        target=url,
        outgoing=Outgoing("request", RequestId("1"), "tools/call", "t", (RequestId("1"),)),
        request=WireRequest(url, headers, request),
        started="2026-12-02T08:00:00.000Z",
        reply=Reply(response, error),
        judgement=judgement,
    )


def texts(exchange: Exchange) -> str:
    return repr(exchange)


def test_a_header_value_is_masked_where_the_answer_echoes_it() -> None:
    body = f'{{"you":"{SECRET}"}}'.encode()
    frames = (Frame(b"data: " + body + b"\n\n", data=body.decode(), id=SECRET), Frame(b": other\n\n"))
    response = WireResponse(200, f"OK {SECRET}", (("X-Echo", SECRET),), body, frames=frames, surplus=SECRET.encode())
    judgement = Judgement(
        Verdict.TOOL_ERROR,
        f"summary {SECRET}",
        (Violation("C01", Severity.INFO, f"said {SECRET}", f"/{SECRET}"),),
        Object([("you", SECRET)]),
        has_message=True,
        tool_error=ToolError(SECRET, SECRET, "text", Object([("x", [SECRET])])),
        rpc_error=RpcError(Number("1"), SECRET, Object([(SECRET, "")]), has_data=True),
    )
    error = TransportError("reset", f"after {SECRET}")
    shown = REDACTOR.exchange(make(request=body, response=response, judgement=judgement, error=error))
    assert SECRET not in texts(shown)
    assert texts(shown).count(masked(SECRET).encode().decode()) >= 14
    assert shown.reply is not None
    assert shown.reply.response is not None
    assert shown.reply.response.frames[1] is frames[1]


def test_an_answer_without_secrets_is_not_copied() -> None:
    body = b'{"a":1}'
    message = Object([("a", Number("1"))])
    response = WireResponse(200, "OK", (), body, coding="gzip", wire=b"\x1f\x8b", frames=(Frame(body),))
    exchange = make(request=body, response=response, judgement=Judgement(Verdict.RESULT, "", message=message))
    shown = REDACTOR.exchange(exchange)
    assert shown.request.body is body
    assert shown.judgement is not None
    assert shown.judgement.message is message
    assert shown.reply is not None
    assert shown.reply.response == response
    assert shown.reply.response.body is body
    assert shown.reply.response.frames is response.frames


def test_the_coded_bytes_go_where_the_body_held_a_secret() -> None:
    response = WireResponse(200, "OK", (), SECRET.encode(), coding="gzip", wire=b"\x1f\x8b")
    shown = REDACTOR.exchange(make(response=response))
    assert shown.reply is not None
    assert shown.reply.response is not None
    assert (shown.reply.response.wire, shown.reply.response.coding) == (None, "gzip")


def test_a_session_id_that_the_answer_gives_is_a_secret_of_its_body_too() -> None:
    response = WireResponse(200, "OK", (("mcp-SESSION-id", "k.Sess-ID_~42"),), b"session k.Sess-ID_~42")
    assert "k.Sess-ID_~42" not in texts(REDACTOR.exchange(make(response=response)))


def test_the_password_of_basic_authorization_is_a_secret_too() -> None:
    basic = base64.b64encode(b"ada:hunter2-long").decode()
    response = WireResponse(200, "OK", (), b"hello ada, hunter2-long is wrong")
    shown = REDACTOR.exchange(make(headers=(("Authorization", f"Basic {basic}"),), response=response))
    assert "hunter2-long" not in texts(shown)
    assert basic not in texts(shown)
    assert "hello ada" in texts(shown)


@pytest.mark.parametrize("value", ["Basic ???", "Basic é", "Basic YQ", "Basic ", "Basic"])
def test_broken_basic_authorization_raises_nothing(value: str) -> None:
    assert REDACTOR.exchange(make(headers=(("Authorization", value),))).request.headers


def test_the_password_in_the_url_is_masked_in_the_error_sentence() -> None:
    exchange = make(
        url="https://ada:p%40ssword@host/mcp?api_key=key-12345", error=TransportError("tls", "p@ssword key-12345")
    )
    shown = texts(REDACTOR.exchange(exchange))
    assert "p@ssword" not in shown
    assert "p%40ssword" not in shown
    assert "key-12345" not in shown


def test_long_cookie_values_are_looked_for_and_settings_are_not() -> None:
    headers = (("Cookie", "sid=0123456789abcdef; theme=darkmode"),)
    response = WireResponse(200, "OK", (), b"0123456789abcdef darkmode")
    shown = REDACTOR.exchange(make(headers=headers, response=response))
    assert shown.reply is not None
    assert shown.reply.response is not None
    assert shown.reply.response.body == f"{masked('0123456789abcdef')} darkmode".encode()


def test_member_names_in_answers_mask_nothing() -> None:
    response = WireResponse(200, "OK", (), b'{"password":"hunter2-long","token":"abcdefgh"}')
    shown = REDACTOR.exchange(make(response=response))
    assert shown.reply is not None
    assert shown.reply.response is not None
    assert shown.reply.response.body is response.body


def test_redacting_an_exchange_twice_is_redacting_it_once() -> None:
    body = f'{{"you":"{SECRET}"}}'.encode()
    url = f"https://ada:pass-word@host/?token={SECRET}"
    response = WireResponse(200, "OK", (("Mcp-Session-Id", "abcdefgh"), ("Set-Cookie", "a=b; Path=/")), body)
    once = REDACTOR.exchange(make(url=url, request=body, response=response))
    assert REDACTOR.exchange(once) == once


def test_the_secrets_of_one_exchange_are_no_secrets_of_the_next() -> None:
    REDACTOR.exchange(make())
    response = WireResponse(200, "OK", (), SECRET.encode())
    other = make(headers=(), response=response)
    assert REDACTOR.exchange(other) == other


def test_frames_of_a_running_exchange_are_masked_by_a_redactor_that_knows_it() -> None:
    frame = Frame(f"data: {SECRET}\n\n".encode(), data=SECRET)
    assert REDACTOR.frame(frame) is frame
    knowing = REDACTOR.knowing(make())
    assert knowing.frame(frame) == Frame(f"data: {masked(SECRET)}\n\n".encode(), data=masked(SECRET))
    assert knowing.knowing(make()) is knowing


def test_a_pending_exchange_is_masked_without_its_answer() -> None:
    pending = replace(make(request=SECRET.encode()), reply=None, judgement=None)
    shown = REDACTOR.exchange(pending)
    assert shown.reply is None
    assert shown.request.body == masked(SECRET).encode()


# --------------------------------------------------------------------------- escapes in escapes, and what is learned


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_a_value_is_found_in_json_inside_json(depth: int) -> None:
    secret = 'quote"back\\slash-ü-4a9c'
    text = secret
    for _ in range(depth):
        text = json.dumps({"said": text})
    found = Redactor(KEY, (secret,)).text(text)
    assert "slash" not in found
    for _ in range(depth):
        found = json.loads(found)["said"]
    assert found == Redactor(KEY).mask(secret)


def test_a_value_is_found_in_base64_of_a_text_that_escapes_it() -> None:
    secret = 'quote"back\\slash-ü-4a9c'
    coded = base64.b64encode(json.dumps([secret]).encode()).decode()
    assert MASK.search(Redactor(KEY, (secret,)).text(coded))


def test_the_secrets_of_an_address_are_known_as_urls_and_forms_read_them() -> None:
    found = set(secrets_in("https://ann:pass%2Fword@h/mcp?api_key=one+two&x=y", [("X-Token", "header-value")]))
    assert found == {"pass/word", "one+two", "one two", "header-value"}


def test_a_session_id_is_known_from_the_answer_that_gives_it() -> None:
    redactor = Redactor(KEY)
    redactor.learn_session(Reply(WireResponse(200, "OK", (("Mcp-Session-Id", "session-0123456789"),))))
    assert MASK.search(redactor.text("it was session-0123456789"))


def test_a_tool_holds_no_known_value_in_any_of_its_texts() -> None:
    definition = Object([("name", f"t {SECRET}"), ("inputSchema", Object([(SECRET, [SECRET])]))])
    tool = Tool(f"t {SECRET}", SECRET, f"about {SECRET}", definition)
    assert SECRET not in repr(Redactor(KEY, (SECRET,)).tool(tool))


def test_answers_with_a_known_value_in_them_are_counted() -> None:
    redactor = Redactor(KEY, (SECRET,))
    for body in (b"nothing", SECRET.encode()):
        redactor.exchange(make(response=WireResponse(200, "OK", (), body)))
    assert redactor.hits == 1
