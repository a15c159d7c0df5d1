"""Odd secrets and odd ways of writing them: what is found, what is left alone, and what a cut leaves of one."""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest

from olv_tui import jsonrpc
from olv_tui.config import load_targets
from olv_tui.model import (
    Exchange,
    Frame,
    Reply,
    TransportError,
    WireRequest,
    WireResponse,
)
from olv_tui.redact import MASK, Redactor, secret_variables

KEY = b"k" * 32
ODD = ['env"ü\\4a9c-b8d7/+', "pa&ss<word>'\"x", "пароль-секрет", "密码密码密码", "tok-abcdef123456", "a b+c%20d=e;f"]
WAYS: dict[str, Callable[[str], str]] = {
    "as it is, in a word": lambda secret: f"x{secret}y",
    "JSON": lambda secret: json.dumps({"a": secret}),
    "JSON in JSON": lambda secret: json.dumps(json.dumps([secret])),
    "Python": lambda secret: repr([secret, "'"]),
    "HTML": html.escape,
    "HTML in JSON": lambda secret: json.dumps(html.escape(secret)),
    "numeric entities": lambda secret: "".join(c if c.isalnum() and c.isascii() else f"&#{ord(c)};" for c in secret),
    "a URL": lambda secret: quote(secret, safe=""),
    "a URL in a URL": lambda secret: quote(quote(secret, safe=""), safe=""),
    "a header read as Latin-1": lambda secret: secret.encode().decode("latin-1"),
    "base64": lambda secret: _coded(f"ab {secret} cd"),
    "base64 of JSON": lambda secret: _coded(json.dumps({"a": secret})),
    "base64 of Python": lambda secret: _coded(repr([secret])),
    "base64 of HTML": lambda secret: _coded(html.escape(secret)),
    "base64 of a URL": lambda secret: _coded(quote(secret)),
    "base64 in a URL": lambda secret: quote(_coded(secret), safe=""),
}


def _coded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("secret", ODD)
def test_an_odd_secret_is_found_however_it_is_written(secret: str, way: str) -> None:
    redactor = Redactor(KEY, (secret,))
    text = WAYS[way](secret)
    shown = redactor.text(text)
    assert redactor.mask(secret) in shown
    assert redactor.data(text.encode()).decode() == shown
    assert redactor.text(shown) == shown


def test_a_word_that_is_a_secret_is_masked_wherever_it_stands() -> None:
    redactor = Redactor(KEY, ("password",))
    assert redactor.text('{"password": "x"}') == f'{{"{redactor.mask("password")}": "x"}}'


def test_a_secret_too_short_to_be_looked_for_is_masked_as_a_word_of_our_headers_alone() -> None:
    redactor = Redactor(KEY, ("a1z",))
    mask = redactor.mask("a1z")
    assert redactor.headers([("X-Pin", "a1z"), ("X-Who", "ann a1z;q"), ("X-Other", "ba1zb")]) == (
        ("X-Pin", mask),
        ("X-Who", f"ann {mask};q"),
        ("X-Other", "ba1zb"),
    )
    assert redactor.text("a1z") == "a1z"
    redactor.learn(("b2",))
    assert redactor.headers([("X-Pin", "b2")]) == (("X-Pin", redactor.mask("b2")),)


def _exchange(reply: Reply, url: str = "http://h/mcp") -> Exchange:
    return Exchange(1, url, jsonrpc.read_request(b"{}"), WireRequest(url, (), b"{}"), "", reply=reply)


@pytest.mark.parametrize("kept", range(4, 16))
def test_what_an_ellipsis_leaves_of_a_secret_is_masked(kept: int) -> None:
    secret = "tok-abcdef123456"
    redactor = Redactor(KEY, (secret,))
    cut = f"said {secret[:kept]}… and more… of it"
    assert redactor.sentence(cut) == f"said {redactor.mask(secret)}… and more… of it"


def test_a_sentence_without_a_secret_stays_as_it_is() -> None:
    redactor = Redactor(KEY, ("tok-abcdef123456",))
    for text in ("to…", "…", "a tok… b", "nothing", "tok-abc is no cut"):
        assert redactor.sentence(text) is text


def test_masks_are_filled_in_again_as_json_and_only_those_of_known_values() -> None:
    redactor = Redactor(KEY, tuple(ODD))
    body = json.dumps({"said": ODD, "other": Redactor(KEY).mask("never heard of")}, ensure_ascii=False)
    masked = redactor.text(body)
    assert len(MASK.findall(masked)) == len(ODD) + 1
    assert json.loads(redactor.reveal(masked)) == json.loads(body)
    assert redactor.reveal("{}") == "{}"


def test_a_cookie_that_a_server_gives_is_masked_where_the_same_answer_repeats_it() -> None:
    response = WireResponse(200, "OK", (("Set-Cookie", "sid=0123456789abcdef; HttpOnly"),), b'"0123456789abcdef"')
    shown = Redactor(KEY).exchange(_exchange(Reply(response)))
    assert shown.reply is not None
    assert shown.reply.response is not None
    assert b"0123456789abcdef" not in shown.reply.response.body


def test_an_address_in_the_error_of_a_transport_is_masked() -> None:
    url = "http://ann:pass%2Fword-17@h/mcp?api_key=key-0123456789"
    error = TransportError("connect", f"cannot connect to {url} (pass/word-17)")
    shown = Redactor(KEY).exchange(_exchange(Reply(error=error), url))
    assert not any(secret in repr(shown) for secret in ("pass/word-17", "pass%2Fword-17", "key-0123456789"))


def test_an_event_is_masked_in_its_id_and_name_too() -> None:
    secret = "tok-abcdef123456"
    redactor = Redactor(KEY, (secret,))
    raw = f"event: e {secret}\nid: i {secret}\ndata: {secret}\n\n".encode()
    shown = redactor.frame(Frame(raw, f"e {secret}", f"i {secret}", secret))
    assert secret not in repr(shown)


def test_variables_of_a_target_are_secrets_by_their_names(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text('[targets.a]\nurl = "http://h/"\nvariables = { site = "s", api_token = "t-1", password = "p-2" }\n')
    assert set(secret_variables(load_targets(file)["a"].variables)) == {"t-1", "p-2"}


def test_a_large_text_is_looked_through_only_for_the_forms_that_may_be_in_it() -> None:
    redactor = Redactor(KEY, ("pw/5+d0=9e:sx!7", ODD[0], ODD[1], ODD[4]))
    redactor.data(b"the pw of d0 and 9e, env and 4a9c, pa and word, %20 and &amp;")
    assert not redactor._known._byte_patterns
    redactor.data(json.dumps(ODD[4]).encode())
    (forms,) = redactor._known._byte_patterns
    assert [form.secret for form in forms] == [ODD[4]]
