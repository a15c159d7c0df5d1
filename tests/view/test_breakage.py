"""Ways to break a request: each breaks it in exactly the way it says."""

from __future__ import annotations

import json

import pytest

from olv_tui import jsontext
from olv_tui.jsonrpc import read_request
from olv_tui.judge import all_rules
from olv_tui.mcp.tools import read_listing
from olv_tui.model import Era, Object, Tool
from olv_tui.view.breakage import BREAKAGES, DEPTH, Breakage, Ground, Parts

BODY = (
    b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"t","arguments":{"n":1.50,"s":"x"},'
    b'"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}'
)
SCHEMA = (
    '{"tools":[{"name":"t","inputSchema":{"type":"object","required":["s"],'
    '"properties":{"n":{"type":"number"},"s":{"type":"string"}}}}]}'
)
WAYS = {one.key: one for one in BREAKAGES}
MODERN_HEADERS = (("Mcp-Session-Id", "s-1"), ("Mcp-Method", "tools/call"), ("MCP-Protocol-Version", "2026-07-28"))


def tool() -> Tool:
    return read_listing(jsontext.loads(SCHEMA), "2026-07-28").tools[0]


GROUND = Ground(Era.MODERN, MODERN_HEADERS, tool())


def broken(key: str, body: bytes = BODY, ground: Ground = GROUND) -> Parts:
    made = WAYS[key].apply(Parts(body), ground)
    assert isinstance(made, Parts), made
    return made


def refused(key: str, body: bytes = BODY, ground: Ground = GROUND) -> str:
    made = WAYS[key].apply(Parts(body), ground)
    assert isinstance(made, str)
    return made


EACH = pytest.mark.parametrize("way", BREAKAGES, ids=lambda way: way.key)


@EACH
def test_each_names_a_rule_of_the_catalogue_or_of_a_specification_and_a_right_answer(way: Breakage) -> None:
    if way.code:
        assert way.code in all_rules()
        assert way.rule.startswith(way.code)
    assert any(word in way.rule for word in ("JSON-RPC", "MCP", "RFC", "JSON Schema"))
    assert way.answer
    assert way.does.endswith(".")


@EACH
def test_each_changes_the_body_or_the_headers_and_not_both(way: Breakage) -> None:
    made = broken(way.key)
    assert (made.body != BODY) != bool(made.headers or made.without)


@EACH
@pytest.mark.parametrize("body", [b"", b"no", b"[]", b'"x"', b"{", b"\xff", b'{"a":1}', b"[" * 9000, b'{"params":[1]}'])
def test_none_raises_whatever_the_body(way: Breakage, body: bytes) -> None:
    for ground in (Ground(), GROUND):
        assert isinstance(way.apply(Parts(body), ground), Parts | str)


def test_keys_and_names_are_unique() -> None:
    assert len(WAYS) == len(BREAKAGES) == len({one.name for one in BREAKAGES})


# --------------------------------------------------------------------------- the envelope


def test_without_an_id_it_is_a_notification() -> None:
    made = broken("no-id")
    assert read_request(made.body).kind == "notification"
    assert made.body == BODY.replace(b'"id":7,', b"")
    assert "no id" in refused("no-id", made.body)


@pytest.mark.parametrize(("key", "text"), [("id-null", "null"), ("id-fraction", "7.5")])
def test_the_id_becomes_what_is_said(key: str, text: str) -> None:
    made = broken(key)
    read = read_request(made.body)
    assert read.kind == "request"
    assert read.id is not None
    assert read.id.text == text
    assert made.body == BODY.replace(b'"id":7', b'"id":' + text.encode())


def test_the_version_is_wrong_or_gone() -> None:
    assert json.loads(broken("version").body)["jsonrpc"] == "1.0"
    assert "jsonrpc" not in json.loads(broken("no-version").body)


def test_the_method_is_a_number_or_unknown() -> None:
    assert read_request(broken("method-type").body).kind == "raw"
    assert read_request(broken("method").body).method == "no/such/method"


def test_the_params_are_gone() -> None:
    assert "params" not in json.loads(broken("no-params").body)


def test_the_id_stands_twice() -> None:
    parsed = jsontext.parse(broken("duplicate").body)
    assert [one.code for one in parsed.violations] == ["J05"]
    assert isinstance(parsed.value, Object)
    assert parsed.value.pairs is not None
    no_id = broken("duplicate", b'{"jsonrpc":"2.0","method":"x"}')
    assert no_id.body == b'{"jsonrpc":"2.0","method":"x","jsonrpc":"2.0"}'


# --------------------------------------------------------------------------- arguments


def test_the_tool_is_unknown_and_all_else_the_same() -> None:
    assert broken("tool").body == BODY.replace(b'"name":"t"', b'"name":"no_such_tool"')
    assert refused("tool", b'{"jsonrpc":"2.0","id":1,"method":"ping"}') == "the body calls no tool"


def test_the_required_argument_is_gone_and_the_other_kept_to_the_digit() -> None:
    assert broken("argument-missing").body == BODY.replace(b',"s":"x"', b"")
    assert "no required argument" in refused("argument-missing", broken("argument-missing").body)
    assert "no argument" in refused("argument-missing", BODY.replace(b'{"n":1.50,"s":"x"}', b"{}"), Ground())


@pytest.mark.parametrize("now", ['"x"', "1", "true", "null", "[]", "{}"])
def test_the_argument_gets_a_type_that_it_neither_had_nor_may_have(now: str) -> None:
    body = BODY.replace(b'{"n":1.50,"s":"x"}', b'{"s":' + now.encode() + b"}")
    value = json.loads(broken("argument-type", body).body)["params"]["arguments"]["s"]
    assert not isinstance(value, str)
    assert type(value) is not type(json.loads(now))


def test_where_no_argument_is_given_one_of_the_schema_is_put_in_with_a_wrong_type() -> None:
    body = BODY.replace(b'{"n":1.50,"s":"x"}', b"{}")
    assert not isinstance(json.loads(broken("argument-type", body).body)["params"]["arguments"]["n"], int | float)
    assert refused("argument-type", body, Ground()) == "the tool takes no argument"


def test_one_argument_more_and_the_arguments_as_a_list() -> None:
    assert json.loads(broken("argument-extra").body)["params"]["arguments"]["no_such_argument"] is True
    assert b'"arguments":[1.50,"x"],' in broken("arguments-list").body


# --------------------------------------------------------------------------- the text


@pytest.mark.parametrize("key", ["comma", "cut", "no-json"])
def test_the_body_is_no_json(key: str) -> None:
    parsed = jsontext.parse(broken(key).body)
    assert not parsed.valid
    assert parsed.violations[0].code == "J01"


def test_the_comma_stands_before_the_last_brace_and_a_cut_body_is_its_first_half() -> None:
    assert broken("comma").body == BODY[:-1] + b",}"
    assert broken("comma", b'{\n "a": 1\n}').body == b'{\n "a": 1,\n}'
    assert BODY.startswith(broken("cut").body)


def test_the_mark_stands_in_front_and_the_rest_is_untouched() -> None:
    made = broken("bom")
    assert made.body == b"\xef\xbb\xbf" + BODY
    assert [one.code for one in jsontext.parse(made.body).violations] == ["J02"]


def test_a_batch_is_of_one_or_of_none() -> None:
    read = read_request(broken("batch-one").body)
    assert read.kind == "batch"
    assert [one.text for one in read.ids] == ["7"]
    assert json.loads(broken("batch-empty").body) == []


def test_the_huge_number_overflows_and_stands_in_the_arguments() -> None:
    made = broken("huge-number")
    assert made.body == BODY.replace(b'"s":"x"', b'"s":"x","huge_number":1e400')
    assert [one.code for one in jsontext.parse(made.body).violations] == ["J04"]


def test_the_deep_value_is_as_deep_as_said_and_sound_json() -> None:
    parsed = jsontext.parse(broken("deep").body)
    assert parsed.valid
    assert broken("deep").body.count(b"[") == DEPTH


def test_without_params_what_is_added_stands_beside_them() -> None:
    body = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
    assert json.loads(broken("huge-number", body).body)["huge_number"] == float("inf")
    assert json.loads(broken("huge-number", body[:-1] + b',"params":{}}').body)["params"]


def test_the_byte_is_no_utf8_and_all_else_is_json() -> None:
    made = broken("utf8")
    with pytest.raises(UnicodeDecodeError):
        made.body.decode()
    parsed = jsontext.parse(made.body)
    assert [one.code for one in parsed.violations] == ["J06"]
    assert made.body.decode("latin-1").count("café") == 1


# --------------------------------------------------------------------------- headers


@pytest.mark.parametrize(
    ("key", "header"),
    [
        ("accept", ("Accept", "text/plain")),
        ("content-type", ("Content-Type", "text/plain")),
        ("session", ("Mcp-Session-Id", "no-such-session")),
        ("version-header", ("MCP-Protocol-Version", "1999-01-01")),
        ("mismatch", ("Mcp-Method", "tools/list")),
    ],
)
def test_the_header_is_the_one_that_is_said(key: str, header: tuple[str, str]) -> None:
    assert broken(key) == Parts(BODY, (header,))


def test_a_header_that_was_set_before_is_replaced_and_others_stay() -> None:
    made = WAYS["accept"].apply(Parts(BODY, (("accept", "a"), ("X", "1")), ("ACCEPT", "Y")), GROUND)
    assert made == Parts(BODY, (("X", "1"), ("Accept", "text/plain")), ("Y",))


def test_the_session_id_is_left_out_where_there_is_one() -> None:
    assert broken("no-session") == Parts(BODY, (), ("Mcp-Session-Id",))
    assert refused("no-session", ground=Ground()) == "there is no session"


def test_the_header_names_another_method_than_the_body_in_the_modern_era_alone() -> None:
    assert "era" in refused("mismatch", ground=Ground(Era.LEGACY))
    listing = Ground(Era.MODERN, (("Mcp-Method", "tools/list"),))
    assert broken("mismatch", ground=listing).headers == (("Mcp-Method", "tools/call"),)


def test_meta_is_gone_and_nothing_else() -> None:
    assert broken("no-meta").body == BODY[: BODY.index(b',"_meta"')] + b"}}"
    assert "_meta" in refused("no-meta", broken("no-meta").body)
